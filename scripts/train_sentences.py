"""Train the reader to find the sentences of an answer over time: its upper layers, and a new head.

    python scripts/train_sentences.py FOLDER --out build/sentences

``scripts/reading/collections/NAME.courses.jsonl`` has questions about a development, the holders of a post, a
story or a list, each in several wordings with every sentence of the collection that belongs in the answer.
Questions without a time are added: those of ``NAME.timelines.jsonl``, and those of TimeQA in ``FOLDER`` that
differ only in their time; the sentences that state their values belong in the answer. For each sentence of a
passage it is predicted independently whether it belongs there. Each passage comes with one wording of the
question, in turn. Collections and pages held out from the reader's training are held out here too, and scored
at the end. It takes 35 minutes on two cores and 6 GB of memory; a stopped run continues. ``--mean-with``
takes the mean of two runs from the same weights (Wortsman et al. 2022, "Model soups").
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
from additions import AT_ONCE, Prepared, means_in, parser_of, scores_in, train_and_score
from collection_examples import in_wordings, untimed
from reading_examples import Example, Maker, Shape, Spans, held_out
from sklearn.metrics import average_precision_score
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, worded
from train_values import from_timelines, from_timeqa

from timelens.ingest.chunking import split_sentences
from timelens.reader.encoding import Encoded, encode, tokens_of

_VALUES = Path(__file__).parents[1] / "timelens" / "reader" / "values.safetensors"
"""The weights to start from, above the reader's."""
_WITHOUT = 9
"""Maximum number of passages without a sentence of the answer, among those nearest to a question."""


@dataclass(frozen=True)
class Sentences:
    """The sentences of an input."""

    group: str
    source: str
    held_out: bool
    places: Sequence[Sequence[int]]
    """The indices of the tokens of each sentence."""
    belong: Sequence[bool]
    """Whether each belongs in the answer."""


def from_courses(file: Path, maker: Maker) -> Iterator[Example]:
    """The questions about one collection in each wording, with passages that answer and others."""

    def places_of(row: dict[str, Any]) -> list[tuple[str, str, str]]:
        return [(one["document"], one["quote"], one["quote"]) for one in row["tells"]]

    return untimed(file, maker, places_of, _WITHOUT)


def from_articles(file: Path, folder: Path, maker: Maker) -> Iterator[Example]:
    """The questions about encyclopaedia articles, with paragraphs of the article that answer and others."""
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in map(json.loads, file.open()):
        asked[row["title"]].append(row)
    texts = [row for row in map(json.loads, (folder / "passages.jsonl").open()) if row["title"] in asked]
    for title, rows in asked.items():
        here = {one["id"]: maker.passage(title, one["text"]) for one in texts if one["title"] == title}
        near = maker.nearest(
            [row["question"] for row in rows], [one.text for one in here.values()], len(here)
        )
        for number, (row, order) in enumerate(zip(rows, near, strict=True)):
            shape: Shape = {
                "group": f"{title}-{number}",
                "source": "articles",
                "held_out": held_out(title, 5),
            }
            spans_of: dict[str, Spans] = defaultdict(tuple)
            for id_, start, end in row["tells"]:
                spans_of[id_] += ((start, end),)
            ranked = [list(here)[index] for index in order]
            told = [(here[id_], spans_of[id_]) for id_ in sorted(ranked, key=lambda id_: not spans_of[id_])]
            yield from in_wordings(row, told, _WITHOUT, maker, shape)


def in_turn(examples: Iterable[Example]) -> Iterator[Example]:
    """Each passage of a question with one of its wordings, in turn."""
    of_passages = groupby(examples, key=lambda one: (one.group, id(one.passage)))
    for number, (_, same) in enumerate(of_passages):
        worded = list(same)
        yield worded[number % len(worded)]


def sentences_of(example: Example, encoded: Encoded) -> Sentences:
    """The sentences of an input; one belongs in the answer if it holds a part of an answering span."""
    places, belong = [], []
    for start, end in split_sentences(example.passage.text):
        inside = tokens_of(encoded, start, end)
        if inside:
            places.append(inside)
            belong.append(any(first < end and start < last for first, last in example.answers))
    return Sentences(example.group, example.source, example.held_out, places, belong)


def made(collections: Path, folder: Path, tokenizer: Tokenizer) -> Iterator[tuple[Sentences, Input]]:
    """The inputs with their sentences."""
    maker, rng = Maker(tokenizer), random.Random(17)
    examples = [
        one for file in sorted(collections.glob("*.courses.jsonl")) for one in from_courses(file, maker)
    ]
    examples += from_articles(collections.parent / "articles.courses.jsonl", folder / "reading", maker)
    for file in sorted(collections.glob("*.timelines.jsonl")):
        examples += from_timelines(file, maker)
    for one in (*in_turn(examples), *from_timeqa(folder / "timeqa", maker)):
        (typed,) = worded([one], rng)
        for encoded in encode(typed.question, typed.window, typed.passage, tokenizer):
            found = sentences_of(typed, encoded)
            if found.places:
                yield found, Input(encoded, (), ())


def odds_in(scores: Tensor, batch: Sequence[Prepared[Sentences]]) -> list[Tensor]:
    """The log odds of the sentences of each input: the mean of the first output over their tokens."""
    return [means_in(each, one.about.places, 0) for each, one in zip(scores, batch, strict=True)]


def loss_of(scores: Tensor, batch: Sequence[Prepared[Sentences]]) -> Tensor:
    """Binary cross-entropy over the sentences of the batch."""
    belong = torch.tensor([float(each) for one in batch for each in one.about.belong])
    return functional.binary_cross_entropy_with_logits(torch.cat(odds_in(scores, batch)), belong)


@torch.inference_mode()
def score(weights: Mapping[str, Tensor], inputs: Sequence[Prepared[Sentences]]) -> None:
    """Print the average precision over the sentences of each source, and the recall at several cutoffs."""
    for source in ("courses", "articles", "timelines", "timeqa"):
        kept = [one for one in inputs if one.about.source == source]
        odds: list[float] = []
        for first in range(0, len(kept), AT_ONCE):
            part = kept[first : first + AT_ONCE]
            odds += torch.cat(odds_in(scores_in(weights, part), part)).tolist()
        if not kept:
            continue
        chosen, right = np.array(odds), np.array([each for one in kept for each in one.about.belong])
        print(f"{source}: average precision {average_precision_score(right, chosen):.3f} of {len(right)}")
        for least in (-2.0, -1.0, 0.0, 1.0):
            taken = chosen > least
            both = int((taken & right).sum())
            found, precision = both / right.sum(), both / max(1, taken.sum())
            print(f"  above {least:+.0f}: found {found:.3f}, right {precision:.3f}")


def main() -> None:
    """Read the arguments and train."""
    parser = parser_of(__doc__, Path("build/sentences"), passes=2, rate=1.5e-4)
    parser.set_defaults(batch=48)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--mean-with", type=Path, metavar="FILE", help="weights of another run; the mean of both is written"
    )
    arguments = parser.parse_args()
    inputs = partial(made, arguments.collections, arguments.folder)
    mean_with = arguments.mean_with
    train_and_score(arguments, inputs, loss_of, score, name="sentences", above=_VALUES, mean_with=mean_with)


if __name__ == "__main__":
    main()
