"""Training examples of the reader: questions with passages that answer them and passages that do not.

Pages, articles, documents and collections are held out by a hash of their names.
"""

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from tokenizers import Tokenizer

from timelens.config import EmbedderSettings
from timelens.documents import Document
from timelens.embedding import load_embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.chunking import pack, split_sentences
from timelens.question.parse import parse
from timelens.reader.encoding import Passage
from timelens.reader.time_marks import TimeMark, time_mark_of
from timelens.temporal.calendar import parse_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval

_NOW = parse_day("2024-06-30")
_PIECE = 250
"""Tokens per piece of a longer text, as in chunks."""
Spans = tuple[tuple[int, int], ...]
Wording = tuple[str, Interval | None]
"""A core query and the days it asks about."""


class Shape(TypedDict):
    """What the examples of one question have in common."""

    group: str
    source: str
    held_out: bool


@dataclass(frozen=True)
class Example:
    """A question with a passage."""

    question: str
    """The core query, without its time."""
    window: Interval | None
    passage: Passage
    answers: Spans
    """Offsets of each mention of an answer; empty if the passage does not answer."""
    group: str
    """The question that it belongs to."""
    source: str
    held_out: bool
    also: tuple[Wording, ...] = ()
    """Other wordings of the same question."""


def held_out(name: str, one_in: int) -> bool:
    """Whether a page, an article or a document is held out for scoring."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % one_in == 0


class Maker:
    """Makes examples from questions and texts."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._embedder = load_embedder(EmbedderSettings())
        self._cores: dict[tuple[str, int], Wording] = {}

    def core_of(self, question: str, day: int = _NOW) -> Wording:
        """The core query of a question, and the days it asks about."""
        asked = question, day
        if asked not in self._cores:
            parsed = parse(question, day)
            window = parsed.window if len(parsed.periods) == 1 else None
            self._cores[asked] = (parsed.core if len(parsed.periods) < 2 else question, window)
        return self._cores[asked]

    def passage(self, title: str, text: str, published: Interval | None = None) -> Passage:
        """A passage with its times."""
        found = find_expressions(text, None if published is None else published.start)
        times = tuple((e.char_start, e.interval) for e in found if e.interval is not None)
        return Passage(title, text, published, times)

    def pieces(self, title: str, text: str, published: Interval | None = None) -> list[tuple[int, Passage]]:
        """(offset, passage) of a longer text, cut between sentences."""
        spans = split_sentences(text)
        counts = [len(self._tokenizer.encode(text[a:b], add_special_tokens=False).ids) for a, b in spans]
        return [
            (group[0][0], self.passage(title, text[group[0][0] : group[-1][1]], published))
            for group in pack(spans, counts, _PIECE)
        ]

    def nearest(self, questions: Sequence[str], texts: Sequence[str], k: int) -> list[list[int]]:
        """For each question the nearest texts by words and by meaning combined, best first."""
        words = nearest(questions, texts, len(texts))
        of_texts = self._embedder.encode_documents(texts, [() for _ in texts]).vectors
        alike = self._embedder.encode_queries(questions) @ of_texts.T
        found = []
        for by_words, row in zip(words, alike, strict=True):
            both = np.argsort(by_words) + np.argsort(np.argsort(-row, kind="stable"))
            found.append([int(index) for index in np.argsort(both, kind="stable")[:k]])
        return found

    def chunks(self, title: str, text: str, published: Interval | None) -> list[tuple[int, Passage]]:
        """(offset, passage) of a document, chunked as in a corpus: each dated entry has its own day."""
        document = Document("", "", title, text, "", published)
        found, position = [], 0
        for chunk in annotate(document, self._embedder).chunks:
            position = text.index(chunk.text, position)
            found.append((position, self.passage(chunk.title, chunk.text, chunk.published)))
        return found


def mentions(text: str, answers: Iterable[str]) -> Spans:
    """Offsets of answers in a text, as whole words; of nested mentions, the longest."""
    found: set[tuple[int, int]] = set()
    for answer in answers:
        pattern = rf"(?<!\w){re.escape(answer)}(?!\w)"
        found.update(match.span() for match in re.finditer(pattern, text, re.IGNORECASE) if answer)
    longest = [s for s in found if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in found)]
    return tuple(sorted(longest))


def nearest(questions: Sequence[str], texts: Sequence[str], k: int) -> list[list[int]]:
    """For each question the ``k`` texts with the highest TF-IDF similarity, best first."""
    vectorizer = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 1)).fit([*texts, *questions])
    scores = vectorizer.transform(questions) @ vectorizer.transform(texts).T
    return [list(np.argsort(-row.toarray()[0], kind="stable")[:k]) for row in scores]


def from_reading(
    folder: Path, maker: Maker, rng: random.Random, is_wanted: Callable[[str], bool] = bool
) -> Iterator[Example]:
    """Encyclopaedia paragraphs, with questions that each answers or only seems to answer.

    Questions that are not wanted are left out.
    """
    rows = [json.loads(line) for line in (folder / "passages.jsonl").open()]
    rows_asked = map(json.loads, (folder / "questions.jsonl").open())
    questions = [row for row in rows_asked if is_wanted(row["question"])]
    titles = {row["id"]: row["title"] for row in rows}
    texts = {row["id"]: row["text"] for row in rows}
    passages = {row["id"]: maker.passage(row["title"], row["text"]) for row in rows}
    for title in sorted(set(titles.values())):
        here = [id_ for id_ in titles if titles[id_] == title]
        asked = [question for question in questions if titles[question["passage"]] == title]
        near = nearest([question["question"] for question in asked], [texts[id_] for id_ in here], 4)
        for question, found in zip(asked, near, strict=True):
            core, window = maker.core_of(question["question"])
            made = Example(
                core,
                window,
                passages[question["passage"]],
                (),
                question["id"],
                "reading",
                held_out(title, 10),
            )
            if question["unanswerable"]:
                yield made
                continue
            spans = mentions(texts[question["passage"]], question["answers"])
            if not spans:
                continue
            yield replace(made, answers=spans)
            others = [here[i] for i in found if not mentions(texts[here[i]], question["answers"])]
            if others and rng.random() < 0.35:
                yield replace(made, passage=passages[others[0]])


def from_timeqa(folder: Path, maker: Maker, rng: random.Random) -> Iterator[Example]:
    """Paragraphs of encyclopaedia pages, with questions about the state at a time."""
    pages = {row["doc_id"]: row for row in map(json.loads, (folder / "docs.jsonl").open())}
    gold = {row["id"]: row for row in map(json.loads, (folder / "questions.jsonl").open())}
    asked: dict[str, list[tuple[str, dict[str, Any], dict[str, Any]]]] = {}
    for name in ("questions", "questions_redated", "questions_hard"):
        for row in map(json.loads, (folder / f"{name}.jsonl").open()):
            base = gold[row.get("base_id", row["id"])]
            asked.setdefault(base["doc_id"], []).append((row["id"], row, base))
    for page, questions in asked.items():
        title = pages[page]["title"]
        numbers = [i for i, text in enumerate(pages[page]["paragraphs"]) if len(text.split()) >= 6]
        texts = [pages[page]["paragraphs"][i] for i in numbers]
        cores = [maker.core_of(row["question"]) for _, row, _ in questions]
        near = nearest([core for core, _ in cores], texts, 8)
        for (id_, row, base), (core, window), found in zip(questions, cores, near, strict=True):
            shape: Shape = {"group": id_, "source": "timeqa", "held_out": held_out(page, 5)}
            spans = {} if row["unanswerable"] else spans_of(base)
            for number, places in spans.items():
                for passage, start in windows(maker, title, pages[page]["paragraphs"][number], rng, places):
                    yield Example(core, window, passage, start, **shape)
            others = [i for i in found if not mentions(texts[i], row["answers"])]
            for i in others[: 3 if spans else 2]:
                piece, _ = rng.choice(windows(maker, title, texts[i], rng, ()))
                yield Example(core, window, piece, (), **shape)


def spans_of(base: dict[str, Any]) -> dict[int, Spans]:
    """The spans of a question's answers, by paragraph number."""
    found: dict[int, list[tuple[int, int]]] = {}
    for span in base.get("answer_spans", ()):
        found.setdefault(span["paragraph"], []).append((span["start"], span["end"]))
    return {number: tuple(sorted(set(places))) for number, places in found.items()}


def windows(
    maker: Maker, title: str, text: str, rng: random.Random, places: Spans
) -> list[tuple[Passage, Spans]]:
    """A paragraph cut into pieces, often after removing the spaces between its tokens."""
    if rng.random() < 0.6:
        moved = moved_to_plain(text, places)
        if moved is not None:
            text, places = plain(text), moved
    found = []
    for offset, passage in maker.pieces(title, text):
        inside = within(places, offset, passage)
        if inside or not places:
            found.append((passage, inside))
    return found or [(maker.passage(title, text[:800]), ())]


def plain(text: str) -> str:
    """Tokenised text in normal spelling."""
    text = re.sub(r" (?=[,.;:!?)\]%]|'s\b|\u2019s\b)", "", text)
    return re.sub(r"(?<=[(\[]) ", "", text)


def moved_to_plain(text: str, places: Iterable[tuple[int, int]]) -> Spans | None:
    """Spans mapped from a tokenised text to its normal spelling; ``None`` if one does not match there."""
    moved = [
        (len(plain(text[:a])), len(plain(text[:a])) + len(plain(text[a:b])), plain(text[a:b]))
        for a, b in places
    ]
    whole = plain(text)
    return tuple((a, b) for a, b, _ in moved) if all(whole[a:b] == words for a, b, words in moved) else None


def from_templates(folder: Path, maker: Maker, rng: random.Random) -> Iterator[Example]:
    """Shortened pages, with questions that name another event or a time."""
    pages = {row["doc_id"]: row for row in map(json.loads, (folder / "docs.jsonl").open())}
    pieces = {id_: maker.pieces(row["title"], row["text"]) for id_, row in pages.items()}
    good = (TimeMark.COVERS, TimeMark.STARTS, TimeMark.INSIDE, TimeMark.BEGINS, TimeMark.ENDS)
    for row in map(json.loads, (folder / "questions.jsonl").open()):
        core, window = maker.core_of(row["question"])
        page = row["doc_id"].partition("@")[0]
        shape: Shape = {"group": row["id"], "source": "templates", "held_out": held_out(page, 5)}
        found = [
            (passage, () if row["unanswerable"] else mentions(passage.text, row["answers"]))
            for _, passage in pieces[row["doc_id"]]
        ]
        holding = [(p, s) for p, s in found if s]
        if len(holding) > 1 and window is not None:  # statements about that time
            fitting = [(p, s) for p, s in holding if any(time_mark_of(t, window) in good for _, t in p.times)]
            holding = fitting or holding
        for passage, spans in holding[:2]:
            yield Example(core, window, passage, spans, **shape)
        without = [p for p, s in found if not s]
        if without:
            yield Example(core, window, rng.choice(without), (), **shape)


def from_written(folder: Path, maker: Maker) -> Iterator[Example]:
    """Minutes, diaries, news, chats, logs and the like, written for this purpose."""
    for file in sorted(folder.glob("*.documents.jsonl")):
        rows = [json.loads(line) for line in file.open()]
        questions = file.with_name(file.name.replace(".documents.", ".questions."))
        days = {r["id"]: day_of(r) for r in rows}
        texts = {r["id"]: r["text"] for r in rows}
        pieces = {r["id"]: maker.chunks(r["title"], r["text"], days[r["id"]]) for r in rows}
        for number, row in enumerate(map(json.loads, questions.open())):
            day = days[row["document"]]
            core, window = maker.core_of(
                row["question"], _NOW if day is None or day.start is None else day.start
            )
            name = f"{file.name}-{row['document']}"
            shape: Shape = {"group": f"{name}-{number}", "source": "written", "held_out": held_out(name, 8)}
            start = -1
            if row["answer"]:
                start = texts[row["document"]].index(row["context"]) + row["context"].index(row["answer"])
            without = []
            for offset, passage in pieces[row["document"]]:
                first = start - offset
                if start >= 0 and first >= 0 and first + len(row["answer"]) <= len(passage.text):
                    yield Example(core, window, passage, ((first, first + len(row["answer"])),), **shape)
                elif not mentions(passage.text, [row["answer"]]):
                    without.append(passage)
            for passage in without[:2]:
                yield Example(core, window, passage, (), **shape)


def day_of(row: dict[str, Any]) -> Interval | None:
    """The day of a document, if known."""
    return day_interval(parse_day(row["date"])) if row["date"] else None


def within(places: Iterable[tuple[int, int]], offset: int, passage: Passage) -> Spans:
    """The places of a text that are inside a piece, as offsets in the piece."""
    end = offset + len(passage.text)
    return tuple(sorted({(a - offset, b - offset) for a, b in places if offset <= a and b <= end}))
