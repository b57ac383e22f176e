"""Train the reader to find all values that a question asks for: its upper layers, and a new head.

    python scripts/train_values.py FOLDER --out build/values

``scripts/reading/collections/NAME.timelines.jsonl`` has questions without a time, each with every place in
the documents of a collection that states a value. ``FOLDER`` holds ``timeqa``: questions that differ only in
their time are merged into one, with all their answers. For each token it is predicted independently whether
it begins a value and whether it ends one. Collections and pages held out from the reader's training are held
out here too, and scored at the end. It takes half an hour on two cores; a stopped run continues.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from additions import AT_ONCE, Prepared, parser_of, scores_in, train_and_score, wanted_in
from collection_examples import untimed, values_in_force
from reading_examples import (
    Example,
    Maker,
    Shape,
    Spans,
    held_out,
    mentions,
    moved_to_plain,
    nearest,
    plain,
    spans_of,
    within,
)
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, inputs_of, worded

from timelens.reader.encoding import Passage

_WITHOUT = 3
"""Maximum number of passages without a value, among those nearest to a question."""
_WITHOUT_ON_PAGE, _SHORT = 2, 12
"""The same for pages, over paragraphs with more words than ``_SHORT``."""
_DIFFERENT = 2
"""Minimum number of different answers of a TimeQA question, over all times."""
COMMON = 4.0
"""Weight of tokens that begin or end a value, relative to the others, because they are few."""


def from_timelines(file: Path, maker: Maker) -> Iterator[Example]:
    """The questions about one collection in each wording, with passages that state a value and others."""

    def places_of(row: dict[str, Any]) -> list[tuple[str, str, str]]:
        return [(one["document"], one["context"], one["value"]) for one in values_in_force(row)]

    return untimed(file, maker, places_of, _WITHOUT)


def from_timeqa(folder: Path, maker: Maker) -> Iterator[Example]:
    """Paragraphs of pages with the answers of all times to one question, and some without any of them."""
    pages = {row["doc_id"]: row for row in map(json.loads, (folder / "docs.jsonl").open())}
    of_core: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in map(json.loads, (folder / "questions.jsonl").open()):
        if not row["unanswerable"]:
            of_core.setdefault((row["doc_id"], maker.core_of(row["question"])[0]), []).append(row)
    for (page, core), rows in of_core.items():
        if len({answer for row in rows for answer in row["answers"]}) >= _DIFFERENT:
            shape: Shape = {"group": f"{page}-{core}", "source": "timeqa", "held_out": held_out(page, 5)}
            for passage, places in passages_of(pages[page], core, rows, maker):
                yield Example(core, None, passage, places, **shape)


def passages_of(
    page: dict[str, Any], core: str, rows: Sequence[dict[str, Any]], maker: Maker
) -> Iterator[tuple[Passage, Spans]]:
    """The pieces of a page that contain answers, with their spans, and the nearest paragraphs without any."""
    title, paragraphs = page["title"], page["paragraphs"]
    places: dict[int, set[tuple[int, int]]] = {}
    for row in rows:
        for number, spans in spans_of(row).items():
            places.setdefault(number, set()).update(spans)
    for number, inside_of in places.items():
        moved = moved_to_plain(paragraphs[number], inside_of)
        for offset, passage in maker.pieces(title, plain(paragraphs[number])) if moved else ():
            inside = within(moved or (), offset, passage)
            if inside:
                yield passage, inside
    answers = [answer for row in rows for answer in row["answers"]]
    others = [text for text in paragraphs if len(text.split()) > _SHORT and not mentions(text, answers)]
    for index in nearest([core], others, _WITHOUT_ON_PAGE)[0] if others else ():
        yield maker.pieces(title, plain(others[index]))[0][1], ()


def inputs_of_all(example: Example, tokenizer: Tokenizer) -> list[Input]:
    """The inputs of an example; without a value, no token is to be chosen."""
    found = inputs_of(example, tokenizer)
    return found if example.answers else [replace(one, starts=(), ends=()) for one in found]


def odds_of(scores: Tensor) -> Tensor:
    """The log odds of each token relative to the first, which stands for "not here"."""
    return (scores - scores[:, :1]).clamp(min=-30.0)[:, 1:]


def loss_of(scores: Tensor, batch: Sequence[Prepared[Example]]) -> Tensor:
    """Binary cross-entropy of both outputs, summed over tokens and averaged over inputs."""
    wanted = wanted_in(batch)[:, 1:].float()
    free = (scores > -1e3)[:, 1:]
    each = functional.binary_cross_entropy_with_logits(
        odds_of(scores), wanted, reduction="none", pos_weight=torch.tensor(COMMON)
    )
    return (each * free).sum() / len(batch)


@torch.inference_mode()
def score(weights: Mapping[str, Tensor], inputs: Sequence[Prepared[Example]]) -> None:
    """Print the recall and precision of tokens that begin values, at several cutoffs."""
    for source in ("timelines", "timeqa"):
        kept = [one for one in inputs if one.about.source == source]
        odds, wanted = [], []
        for first in range(0, len(kept), AT_ONCE):
            part = kept[first : first + AT_ONCE]
            for one, each in zip(part, odds_of(scores_in(weights, part)), strict=True):
                size = len(one.free)
                odds.append(each[: size - 1, 0])
                wanted.append(one.wanted[1:, 0])
        chosen, right = torch.cat(odds), torch.cat(wanted)
        for least in (-2.0, -1.0, 0.0, 1.0, 2.0):
            taken = chosen > least
            both = float((taken & right).sum())
            print(
                f"{source}: log odds above {least:+.0f}: found {both / max(1, int(right.sum())):.3f} "
                f"of {int(right.sum())}, right {both / max(1, int(taken.sum())):.3f} of {int(taken.sum())}",
                flush=True,
            )


def made(collections: Path, folder: Path, tokenizer: Tokenizer) -> Iterator[tuple[Example, Input]]:
    """The examples of the collections and of the pages in ``folder``, with their inputs."""
    maker, rng = Maker(tokenizer), random.Random(17)
    files = sorted(collections.glob("*.timelines.jsonl"))
    examples = [one for file in files for one in from_timelines(file, maker)]
    for one in (*examples, *from_timeqa(folder / "timeqa", maker)):
        (typed,) = worded([one], rng)
        yield from ((typed, each) for each in inputs_of_all(typed, tokenizer))


def main() -> None:
    """Read the arguments and train."""
    parser = parser_of(__doc__, Path("build/values"), passes=2, rate=1.5e-4)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    inputs = partial(made, arguments.collections, arguments.folder)
    train_and_score(arguments, inputs, loss_of, score, name="values")


if __name__ == "__main__":
    main()
