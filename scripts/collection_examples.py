"""Training examples over collections: the papers of one household, club or firm, and questions about them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reading_examples import Example, Maker, Shape, Spans, Wording, day_of, held_out, within

from timelens.reader.encoding import Passage
from timelens.temporal.interval import Interval

_TOGETHER, _TELLING = 5, 2
"""Passages of a question that are trained together, and the maximum that answer it."""


@dataclass(frozen=True)
class Asked:
    """A question about a collection, with passages that answer it and passages that only seem to."""

    row: dict[str, Any]
    core: str
    window: Interval | None
    group: str
    held_out: bool
    telling: Sequence[tuple[Passage, Spans]]
    """Passages with the spans of the answer in them."""
    without: Sequence[Passage]
    """The nearest passages that do not answer the question, best first."""
    also: Sequence[Wording] = ()
    """Other wordings of the same question."""


class Papers:
    """The papers of a collection, chunked as in a corpus."""

    def __init__(self, file: Path, maker: Maker) -> None:
        """``file`` holds its documents."""
        rows = [json.loads(line) for line in file.open()]
        self._maker = maker
        self._texts = {row["id"]: row["text"] for row in rows}
        self._pieces = [
            (row["id"], offset, passage)
            for row in rows
            for offset, passage in maker.chunks(row["title"], row["text"], day_of(row))
        ]

    def near(self, questions: Sequence[str]) -> list[list[int]]:
        """For each question the numbers of all pieces, nearest first."""
        texts = [f"{passage.title} {passage.text}" for _, _, passage in self._pieces]
        return self._maker.nearest(questions, texts, len(texts))

    def telling(
        self, places: Iterable[tuple[str, str, str]], order: Iterable[int]
    ) -> list[tuple[Passage, Spans]]:
        """The pieces in an order, each with the spans in it of the places (document, context, words)."""
        spans: dict[str, list[tuple[int, int]]] = {}
        for document, context, words in places:
            start = self._texts[document].index(context) + context.index(words)
            spans.setdefault(document, []).append((start, start + len(words)))
        pieces = (self._pieces[number] for number in order)
        return [
            (passage, within(spans.get(document, ()), offset, passage))
            for document, offset, passage in pieces
        ]


def values_in_force(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The places that state a value of a question without a time, without those that only propose one."""
    return [one for one in row["values"] if one["role"] != "not"]


def questions_of(file: Path) -> list[dict[str, Any]]:
    """The questions about the documents of ``file``, including those in its yes-or-no file."""
    files = (file.with_name(file.name.replace(".documents.", f".{kind}.")) for kind in ("questions", "yesno"))
    return [row for each in files if each.exists() for row in map(json.loads, each.open())]


def papers_asked_about(folder: Path) -> list[Path]:
    """The files of documents of the collections that have questions about one time, in order."""
    asked = sorted(folder.glob("*.questions.jsonl"))
    return [file.with_name(file.name.replace(".questions.", ".documents.")) for file in asked]


def asked_of(file: Path, maker: Maker, *, left_out: str = "") -> Iterator[Asked]:
    """The questions about the documents of ``file``, except those of the type ``left_out``."""
    name, papers = file.name.partition(".")[0], Papers(file, maker)
    asked = [row for row in questions_of(file) if row["type"] != left_out]
    cores = [maker.core_of(row["question"]) for row in asked]
    near = papers.near([core for core, _ in cores])
    for number, (row, (core, window), found) in enumerate(zip(asked, cores, near, strict=True)):
        places = [(each["document"], each["context"], each["answer"]) for each in row["answers"]]
        pieces = papers.telling(places, found)
        telling = [(passage, spans) for passage, spans in pieces if spans]
        without = [passage for passage, spans in pieces if not spans][:_TOGETHER]
        also = [maker.core_of(other) for other in row.get("also", ())]
        yield Asked(row, core, window, f"{name}-{number}", held_out(name, 5), telling, without, also)


def untimed(
    file: Path, maker: Maker, places_of: Callable[[dict[str, Any]], Sequence[tuple[str, str, str]]], most: int
) -> Iterator[Example]:
    """The questions without a time in ``NAME.KIND.jsonl``, each in all wordings, with passages beside them.

    ``places_of`` gives the (document, context, words) that answer a row. At most the ``most`` nearest
    passages that do not answer come with a question.
    """
    name, kind = file.name.split(".")[:2]
    papers = Papers(file.with_name(f"{name}.documents.jsonl"), maker)
    asked = [json.loads(line) for line in file.open()]
    near = papers.near([row["question"] for row in asked])
    for number, (row, found) in enumerate(zip(asked, near, strict=True)):
        shape: Shape = {"group": f"{name}-{number}", "source": kind, "held_out": held_out(name, 5)}
        yield from in_wordings(row, papers.telling(places_of(row), found), most, maker, shape)


def in_wordings(
    row: dict[str, Any], passages: Iterable[tuple[Passage, Spans]], most: int, maker: Maker, shape: Shape
) -> Iterator[Example]:
    """A question in each wording with the passages that answer it, and the first ``most`` that do not."""
    silent = 0
    for passage, spans in passages:
        silent += not spans
        if spans or silent <= most:
            for question in (row["question"], *row["also"]):
                yield Example(maker.core_of(question)[0], None, passage, spans, **shape)


def from_collections(folder: Path, maker: Maker) -> Iterator[Example]:
    """The papers of a household, club or firm, with questions whose answers change over time.

    Passages that answer are combined with the nearest passages that do not.
    """
    for file in papers_asked_about(folder):
        for one in asked_of(file, maker, left_out="yesno"):
            shape: Shape = {"group": one.group, "source": "collections", "held_out": one.held_out}
            together = (*one.telling[:_TELLING], *((passage, ()) for passage in one.without))
            for passage, spans in together[:_TOGETHER]:
                yield Example(one.core, one.window, passage, spans, **shape, also=tuple(one.also))
