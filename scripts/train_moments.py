"""Train the reader to find the sentences that tell when something happened: its upper layers, and a new head.

    python scripts/train_moments.py FOLDER --out build/moments

``scripts/reading/collections/NAME.moments.jsonl`` has questions for the moment at which something happened,
began or ended, each in several wordings with every sentence of the collection that tells it, and the words in
the sentence that date it, if it has any. Added are the questions for a date of ``NAME.questions.jsonl`` and
those of SQuAD in ``FOLDER``. Two things are predicted independently: for each sentence of a passage whether
it tells the moment (the first output), and for each dated expression in such a sentence whether it dates the
moment (the second output); without one, the day of the paper or entry does. Collections and articles held
out from the reader's training are held out here too, and scored at the end. It takes half an hour on two
cores; a stopped run continues.
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypedDict

import torch
from additions import AT_ONCE, Prepared, means_in, parser_of, scores_in, train_and_score
from collection_examples import Papers, asked_of, papers_asked_about
from reading_examples import Maker, Spans, from_reading, held_out
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, as_typed

from timelens.ingest.chunking import split_sentences
from timelens.question.intent import asks_for_time
from timelens.reader.encoding import Passage, encode, tokens_of
from timelens.temporal.expressions import find_expressions

_SENTENCES = Path(__file__).parents[1] / "timelens" / "reader" / "sentences.safetensors"
"""The weights to start from, above the reader's."""
_WITHOUT = 8
"""Maximum number of passages that do not tell the moment, among those nearest to a question."""
_RARE = 3.0
"""Weight of sentences that tell the moment, relative to the others, because they are few."""


class _Shape(TypedDict):
    """What the examples of one question have in common."""

    source: str
    kind: str
    held_out: bool


@dataclass(frozen=True)
class Told:
    """A question for a moment beside a passage."""

    question: str
    passage: Passage
    tells: Spans
    """Offsets of what tells the moment."""
    words: Spans
    """Offsets of the words that date it."""
    group: str
    """The question that it belongs to, and its wording."""
    source: str
    kind: str
    held_out: bool


@dataclass(frozen=True)
class Moments:
    """The sentences and the dated expressions of an input."""

    group: str
    source: str
    kind: str
    held_out: bool
    sentences: Sequence[Sequence[int]]
    """The indices of the tokens of each sentence."""
    tell: Sequence[bool]
    """Whether each tells the moment."""
    times: Sequence[Sequence[int]]
    """The indices of the tokens of each dated expression in a sentence that tells it."""
    date: Sequence[bool]
    """Whether each dates the moment."""


def from_moments(file: Path, maker: Maker) -> Iterator[Told]:
    """The questions about one collection; in every wording if a passage tells the moment, else in turn."""
    name = file.name.partition(".")[0]
    papers = Papers(file.with_name(f"{name}.documents.jsonl"), maker)
    asked = [json.loads(line) for line in file.open()]
    near = papers.near([row["question"] for row in asked])
    for number, (row, found) in enumerate(zip(asked, near, strict=True)):
        tells = [(one["document"], one["quote"], one["quote"]) for one in row["tells"]]
        words = [(one["document"], one["quote"], one["words"]) for one in row["tells"] if one["words"]]
        pieces = zip(papers.telling(tells, found), papers.telling(words, found), strict=True)
        beside = [(passage, spans, dated) for (passage, spans), (_, dated) in pieces]
        silent = [one for one in beside if not one[1]][:_WITHOUT]
        shape: _Shape = {"source": "moments", "kind": row["kind"], "held_out": held_out(name, 5)}
        yield from _in_wordings(
            [row["question"], *row["also"]],
            [one for one in beside if one[1]],
            silent,
            f"{name}-{number}",
            shape,
        )


def _in_wordings(
    questions: Sequence[str],
    telling: Sequence[tuple[Passage, Spans, Spans]],
    silent: Sequence[tuple[Passage, Spans, Spans]],
    group: str,
    shape: _Shape,
) -> Iterator[Told]:
    """Every wording with the passages that tell, and with the others in turn; with all, if held out."""
    for number, question in enumerate(questions):
        others = silent if shape["held_out"] else silent[number :: len(questions)]
        for passage, spans, words in (*telling, *others):
            yield Told(question, passage, spans, words, f"{group}-{number}", **shape)


def from_dates(file: Path, maker: Maker) -> Iterator[Told]:
    """The questions for a date about the documents of ``file``, whose answers are the words that date it."""
    for one in asked_of(file, maker, left_out="yesno"):
        if one.row["type"] != "date":
            continue
        telling = [(passage, spans, spans) for passage, spans in one.telling]
        silent: list[tuple[Passage, Spans, Spans]] = [(passage, (), ()) for passage in one.without]
        questions = [one.row["question"], *one.row.get("also", ())]
        shape: _Shape = {"source": "dates", "kind": "date", "held_out": one.held_out}
        yield from _in_wordings(questions, telling, silent, one.group, shape)


def from_squad(folder: Path, maker: Maker) -> Iterator[Told]:
    """The questions of SQuAD for a time."""
    for one in from_reading(folder, maker, random.Random(17), asks_for_time):
        shape: _Shape = {"source": one.source, "kind": "date", "held_out": one.held_out}
        yield Told(one.question, one.passage, one.answers, one.answers, one.group, **shape)


def inputs_of(told: Told, tokenizer: Tokenizer) -> Iterator[tuple[Moments, Input]]:
    """The inputs of a question and a passage, with their sentences and dated expressions."""
    text = told.passage.text
    published = told.passage.published
    stated = [
        one
        for one in find_expressions(text, None if published is None else published.start)
        if one.interval is not None
    ]
    for encoded in encode(told.question, None, told.passage, tokenizer):
        sentences, tell, times, date = [], [], [], []
        for start, end in split_sentences(text):
            inside = tokens_of(encoded, start, end)
            if not inside:
                continue
            sentences.append(inside)
            tell.append(_meets(told.tells, start, end))
            for one in stated if tell[-1] else ():
                if start <= one.char_start < end and (
                    own := tokens_of(encoded, one.char_start, one.char_end)
                ):
                    times.append(own)
                    date.append(_meets(told.words, one.char_start, one.char_end))
        if sentences:
            about = Moments(told.group, told.source, told.kind, told.held_out, sentences, tell, times, date)
            yield about, Input(encoded, (), ())


def _meets(spans: Spans, start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in spans)


def made(collections: Path, folder: Path, tokenizer: Tokenizer) -> Iterator[tuple[Moments, Input]]:
    """The inputs with their sentences."""
    maker, rng = Maker(tokenizer), random.Random(17)
    told = [one for file in sorted(collections.glob("*.moments.jsonl")) for one in from_moments(file, maker)]
    told += [one for file in papers_asked_about(collections) for one in from_dates(file, maker)]
    told += from_squad(folder / "reading", maker)
    for one in told:
        question = one.question if one.held_out else as_typed(one.question, rng)
        yield from inputs_of(replace(one, question=question), tokenizer)


def loss_of(scores: Tensor, batch: Sequence[Prepared[Moments]]) -> Tensor:
    """Binary cross-entropy over the sentences of the batch, plus that over their dated expressions."""
    parts = []
    for output, places, right in ((0, "sentences", "tell"), (1, "times", "date")):
        pairs = [
            (means_in(each, getattr(one.about, places), output), getattr(one.about, right))
            for each, one in zip(scores, batch, strict=True)
            if getattr(one.about, places)
        ]
        if pairs:
            odds = torch.cat([odds for odds, _ in pairs])
            wanted = torch.tensor([float(each) for _, own in pairs for each in own])
            weight = torch.tensor(_RARE if output == 0 else 1.0)
            parts.append(functional.binary_cross_entropy_with_logits(odds, wanted, pos_weight=weight))
    return torch.stack(parts).sum()


@torch.inference_mode()
def score(weights: Mapping[str, Tensor], inputs: Sequence[Prepared[Moments]]) -> None:
    """Print how often the likeliest sentence of all passages of a question tells the moment, and its date."""
    best: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    kinds: dict[str, tuple[str, str]] = {}
    dates: list[bool] = []
    for first in range(0, len(inputs), AT_ONCE):
        part = inputs[first : first + AT_ONCE]
        for each, one in zip(scores_in(weights, part), part, strict=True):
            kinds[one.about.group] = one.about.source, one.about.kind
            best[one.about.group] += zip(
                means_in(each, one.about.sentences, 0).tolist(), one.about.tell, strict=True
            )
            if one.about.times:
                odds = means_in(each, one.about.times, 1) > 0
                dates += [bool(a) == b for a, b in zip(odds.tolist(), one.about.date, strict=True)]
    keyed = sorted(kinds, key=lambda group: kinds[group])
    for kind, groups in groupby(keyed, key=lambda group: kinds[group]):
        found = [(max(best[group]), any(right for _, right in best[group])) for group in groups]
        told = [(odds, right) for (odds, right), is_told in found if is_told]
        if not told:
            continue
        right = sum(right for _, right in told) / len(told)
        sure = [right for odds, right in told if odds > 0]
        false = [odds > 0 for (odds, _), is_told in found if not is_told]
        print(
            f"{' '.join(kind)}: {len(told)} questions, the likeliest sentence tells it {100 * right:.1f} %; "
            f"odds above 0: {len(sure)}, right {100 * sum(sure) / max(1, len(sure)):.1f} %; "
            f"without an answer {len(false)}, above 0 {100 * sum(false) / max(1, len(false)):.1f} %",
            flush=True,
        )
    print(f"dated expressions: {100 * sum(dates) / max(1, len(dates)):.1f} % of {len(dates)} right")


def main() -> None:
    """Read the arguments and train."""
    parser = parser_of(__doc__, Path("build/moments"), passes=2, rate=1.5e-4)
    parser.set_defaults(batch=48)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    inputs = partial(made, arguments.collections, arguments.folder)
    train_and_score(arguments, inputs, loss_of, score, name="moments", above=_SENTENCES)


if __name__ == "__main__":
    main()
