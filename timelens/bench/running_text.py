"""Temporal expressions of running text, compared with annotated mentions (WikiWars)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from timelens.bench.annotations import class_of, day_of, overlap, same_century
from timelens.bench.reading_suites import ReadingCase, ReadingSet, written
from timelens.bench.suite_data import Record, hash_of, read_records, require
from timelens.bench.timex import interval_of
from timelens.ingest.chunking import split_sentences
from timelens.temporal import Day, Expression, Granularity, Interval, find_expressions

LAYOUT = "docs.jsonl and timexes.jsonl (WikiWars)"
_LONGEST_SERVING = 80  # maximum length in characters of an expression that may match an annotated mention


@dataclass(frozen=True, slots=True)
class _Mention:
    """One annotated mention in a text."""

    id: str
    start: int
    end: int
    text: str
    interval: Interval | None
    part: bool


@dataclass(frozen=True, slots=True)
class _Matched:
    """The expressions found in a document and the mentions that they match."""

    serving: Mapping[str, Expression]
    """The matching expression of a mention, by the mention's id."""
    judged: tuple[tuple[Expression, bool], ...]
    """Every expression that counts, and whether it matches some mention."""


def load(folder: Path) -> ReadingSet:
    """Read documents with mentions at character offsets (WikiWars; Mazur and Dale 2010).

    - A mention is matched by the expression that shares most characters with it. An expression matches at
      most two mentions (a range over both its ends), and none if it is longer than 80 characters.
    - ``precision``: the share of the expressions found that match a mention.
    - ``found``: the share of the datable mentions (those whose value has an interval in years, months, days,
      weeks or quarters) that have a matching expression.
    - ``interval``: the share of the datable mentions whose interval is right; mentions that are not found
      count as wrong. An interval is right if it equals that of the value; if it is the same century, counted
      from the year 00 or 01; if one end is equal and the expression reaches beyond the mention or is open; or
      if it is inside the value and the mention is marked early, mid or late.
    - ``spurious/1000``: expressions without a mention, per thousand sentences.
    - Excluded: mentions that can only be dated by knowledge of an event (``EC:EVENT-BASED``), expressions
      that overlap only such mentions, and mentions inside others.
    """
    require(folder, "docs.jsonl", "timexes.jsonl", layout=LAYOUT)
    paths = [folder / "docs.jsonl", folder / "timexes.jsonl"]
    documents = list(read_records(paths[0], "doc_id", "text"))
    annotated: dict[str, list[Record]] = {}
    for record in read_records(paths[1], "id", "doc_id"):
        annotated.setdefault(record["doc_id"], []).append(record)
    excluded: Counter[str] = Counter()
    cases = []
    for document in documents:
        records = annotated.get(document["doc_id"], [])
        of_events = [record for record in records if "EVENT-BASED" in str(record.get("comment"))]
        others = [record for record in records if record not in of_events]
        excluded["rests on knowledge of an event"] += len(of_events)
        excluded["inside another mention"] += sum(bool(record.get("nested")) for record in others)
        mentions = [_mention(record) for record in others if not record.get("nested")]
        set_aside = [(int(record["start"]), int(record["end"])) for record in of_events]
        match = cache(partial(_match, document["text"], day_of(document.get("created")), mentions, set_aside))
        cases += [
            ReadingCase(mention.id, class_of(mention.text), partial(_read_mention, mention, match))
            for mention in mentions
        ]
        cases += _of_document(document["doc_id"], document["text"], match())
    return ReadingSet(
        tuple(cases), ("precision", "found", "interval", "spurious/1000"), hash_of(paths, folder), +excluded
    )


def _mention(record: Record) -> _Mention:
    interval = interval_of(record.get("value"))
    if interval is not None and interval.granularity in (Granularity.SEASON, Granularity.HALF):
        interval = None
    return _Mention(
        record["id"],
        int(record["start"]),
        int(record["end"]),
        record["text"],
        interval,
        bool(record.get("mod")),
    )


def _match(
    text: str, written_on: Day | None, mentions: Sequence[_Mention], set_aside: Sequence[tuple[int, int]]
) -> _Matched:
    found = [
        expression
        for expression in find_expressions(text, written_on)
        if any(overlap(expression, mention.start, mention.end) > 0 for mention in mentions)
        or not any(overlap(expression, *span) > 0 for span in set_aside)
    ]
    served = Counter[int]()
    serving = {}
    for mention in mentions:
        able = [
            (overlap(expression, mention.start, mention.end), -place)
            for place, expression in enumerate(found)
            if served[place] < 2 and expression.char_end - expression.char_start <= _LONGEST_SERVING
        ]
        shared, place = max(able, default=(0, 0))
        if shared > 0:
            served[-place] += 1
            serving[mention.id] = found[-place]
    return _Matched(serving, tuple((expression, served[place] > 0) for place, expression in enumerate(found)))


def _read_mention(mention: _Mention, match: Callable[[], _Matched]) -> tuple[str, dict[str, float]]:
    expression = match().serving.get(mention.id)
    if mention.interval is None:
        return ("" if expression is None else written(expression.interval)), {}
    if expression is None:
        return f"missed: {mention.text}", {"found": 0.0, "interval": 0.0}
    said = f"{mention.text}: {written(expression.interval)}, annotated {written(mention.interval)}"
    right = expression.interval is not None and _right_mention(
        expression, expression.interval, mention, mention.interval
    )
    return said, {"found": 1.0, "interval": float(right)}


def _right_mention(expression: Expression, found: Interval, mention: _Mention, wanted: Interval) -> bool:
    if found.same_days(wanted) or same_century(found, wanted):
        return True
    reaches_beyond = expression.char_end > mention.end + 1 or expression.char_start < mention.start - 1
    if (reaches_beyond or expression.open) and (found.start == wanted.start or found.end == wanted.end):
        return True
    return mention.part and wanted.contains(found)


def _of_document(name: str, text: str, matched: _Matched) -> Iterator[ReadingCase]:
    for expression, serves in matched.judged:
        place = f"{name}:{expression.char_start}-{expression.char_end}"
        said = f"{'' if serves else 'spurious: '}{expression.text}"
        yield ReadingCase(place, "expression found", partial(_known, said, {"precision": float(serves)}))
    spurious = [expression.char_start for expression, serves in matched.judged if not serves]
    for start, end in split_sentences(text):
        count = sum(start <= place < end for place in spurious)
        # ten times the count, averaged in percent, is a count per thousand
        yield ReadingCase(f"{name}:{start}", "sentence", partial(_known, "", {"spurious/1000": 10.0 * count}))


def _known(said: str, scores: Mapping[str, float]) -> tuple[str, Mapping[str, float]]:
    return said, scores
