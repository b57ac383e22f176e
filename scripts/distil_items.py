"""Items for ``distil_reader.py``: inputs of the three readers, with labels and without.

Only what is not held out from the readers' training is used. The items without labels are questions beside
other passages of their collection or page, and questions about another time; a teacher labels them.
"""

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

import train_values
import train_yes_no
from collection_examples import Papers, papers_asked_about, questions_of
from reading_examples import Example, Maker, held_out
from tokenizers import Tokenizer
from train_reader import Input, examples, grouped, inputs_of, inputs_of_question, worded

from timelens.reader.encoding import Passage
from timelens.temporal.interval import Interval

_SEED = 5
_WORDINGS = {"collections": 2, "written": 2}
"""Wordings of a question that are used, by source (default 1)."""
_NEAR, _SEEN, _NEAR_VALUES = 12, 5, 4
"""Nearest passages of a question: in all, those that its labelled examples have already, and for values."""
_OTHER_TIME, _PAGE_OTHER_TIME = 0.6, 0.5
"""Share of the seen passages of a collection, and of the questions about pages, asked about another time."""


class Kind(Enum):
    """The reader that an item is for."""

    SPANS = "weights"
    YES_NO = "yes_no"
    VALUES = "values"


@dataclass(frozen=True)
class Item:
    """An input of a reader."""

    kind: Kind
    each: Input
    group: str
    """The question; the passages of a labelled question of the kind ``SPANS`` are trained together."""
    is_labelled: bool


def from_questions(
    asked: Iterable[list[Example]], tokenizer: Tokenizer, rng: random.Random
) -> Iterator[Item]:
    """The labelled examples of the span reader."""
    for one in asked:
        for number in range(_WORDINGS.get(one[0].source, 1)):
            group = f"{one[0].source} {one[0].group} {number}"
            for each in inputs_of_question(worded(one, rng), tokenizer):
                yield Item(Kind.SPANS, each, group, is_labelled=True)


def from_papers(file: Path, maker: Maker, tokenizer: Tokenizer, rng: random.Random) -> Iterator[Item]:
    """Questions about a collection beside more of its passages, about other times, and without a time."""
    papers = Papers(file, maker)
    asked = [row for row in questions_of(file) if row["type"] != "yesno"]
    wordings = [[maker.core_of(text) for text in (row["question"], *row.get("also", ()))] for row in asked]
    times = [window for each in wordings for _, window in each if window is not None]
    near = papers.near([each[0][0] for each in wordings])
    for row, each, found in zip(asked, wordings, near, strict=True):
        passages = [passage for passage, _ in papers.telling((), found[:_NEAR])]
        for number, passage in enumerate(passages):
            core, window = rng.choice(each)
            if number < _SEEN:
                if window is None or rng.random() >= _OTHER_TIME:
                    continue
                window = rng.choice(times)
            yield from _unlabelled(Kind.SPANS, _example(core, window, passage), tokenizer, rng)
        for passage in passages[:_NEAR_VALUES] if row["type"] != "date" else ():
            core = rng.choice(each)[0]
            yield from _unlabelled(Kind.VALUES, _example(core, None, passage), tokenizer, rng)


def from_pages(asked: Iterable[list[Example]], tokenizer: Tokenizer, rng: random.Random) -> Iterator[Item]:
    """Questions about pages, asked about the times of other questions."""
    dated = [one for one in asked if one[0].source in ("timeqa", "templates") and one[0].window is not None]
    times = [one[0].window for one in dated]
    for one in dated:
        if rng.random() < _PAGE_OTHER_TIME:
            window = rng.choice(times)
            for example in one[:2]:
                changed = replace(example, window=window, answers=(), also=())
                yield from _unlabelled(Kind.SPANS, changed, tokenizer, rng)


def _example(core: str, window: Interval | None, passage: Passage) -> Example:
    return Example(core, window, passage, (), "", "unlabelled", held_out=False)


def _unlabelled(kind: Kind, example: Example, tokenizer: Tokenizer, rng: random.Random) -> Iterator[Item]:
    (typed,) = worded([example], rng)
    for each in inputs_of(typed, tokenizer):
        yield Item(kind, each, "", is_labelled=False)


def items(arguments: argparse.Namespace, tokenizer: Tokenizer) -> list[Item]:
    """All items, in a fixed order."""
    rng, maker = random.Random(_SEED), Maker(tokenizer)
    made = examples(arguments.folder, arguments.written, tokenizer)
    asked = [one for one in grouped(made) if not one[0].held_out]
    collections = arguments.written / "collections"
    asked_about = papers_asked_about(collections)
    files = [file for file in asked_about if not held_out(file.name.partition(".")[0], 5)]
    yes_no = train_yes_no.made(collections, arguments.written / "yes_no.txt", tokenizer)
    values = train_values.made(collections, arguments.folder, tokenizer)
    return [
        *from_questions(asked, tokenizer, rng),
        *(item for file in files for item in from_papers(file, maker, tokenizer, rng)),
        *from_pages(asked, tokenizer, rng),
        *(Item(Kind.YES_NO, one, "", is_labelled=True) for case, one in yes_no if not case.example.held_out),
        *(Item(Kind.VALUES, one, "", is_labelled=True) for about, one in values if not about.held_out),
    ]
