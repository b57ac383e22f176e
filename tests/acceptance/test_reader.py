"""The reader on documents that it was not trained on: every eighth of those written to train it."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from timelens.bench.measures import plain_words
from timelens.question.parse import parse
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import bundled_reader
from timelens.temporal.calendar import parse_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import day_interval

WRITTEN = Path(__file__).resolve().parents[2] / "scripts" / "reading"
NOW = parse_day("2024-06-30")


def held_out() -> Iterator[tuple[dict[str, str], list[dict[str, str]]]]:
    """Documents with their questions."""
    for file in sorted(WRITTEN.glob("*.documents.jsonl")):
        lines = file.with_name(file.name.replace(".documents.", ".questions.")).read_text().splitlines()
        questions = [json.loads(line) for line in lines]
        for document in map(json.loads, file.read_text().splitlines()):
            name = f"{file.name}-{document['id']}"
            if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 8 == 0:
                yield document, [one for one in questions if one["document"] == document["id"]]


def best(document: dict[str, str], question: str) -> tuple[str, float]:
    """The likeliest stretch of a document, with its score."""
    day = day_interval(parse_day(document["date"])) if document["date"] else None
    start = None if day is None else day.start
    found = find_expressions(document["text"], start)
    times = tuple((one.char_start, one.interval) for one in found if one.interval is not None)
    parsed = parse(question, NOW if start is None else start)
    window = parsed.window if len(parsed.periods) < 2 else None
    passage = Passage(document["title"], document["text"], day, times)
    reading = bundled_reader().read(parsed.core, window, [passage], most=1)[0]
    return document["text"][reading.start : reading.end], reading.score


@pytest.fixture(scope="module")
def read() -> list[tuple[str, str, float]]:
    """(gold answer, what was read, score) of every eighth question."""
    asked = [(document, one) for document, questions in held_out() for one in questions][::8]
    assert len(asked) > 60
    bundled_reader().warm()
    return [(one["answer"], *best(document, one["question"])) for document, one in asked]


def test_most_answers_are_read(read: list[tuple[str, str, float]]) -> None:
    answered = [(gold, text) for gold, text, _ in read if gold]
    right = [set(plain_words(gold).split()) & set(plain_words(text).split()) for gold, text in answered]
    assert sum(map(bool, right)) / len(answered) > RIGHT


def test_what_is_not_told_is_less_likely(read: list[tuple[str, str, float]]) -> None:
    told = [score for gold, _, score in read if gold]
    untold = [score for gold, _, score in read if not gold]
    pairs = [one > other for one in told for other in untold]
    assert sum(pairs) / len(pairs) > PARTED


RIGHT, PARTED = 0.5, 0.6
"""The least share of answers with a word of what is read; of pairs in which the told one is likelier."""
