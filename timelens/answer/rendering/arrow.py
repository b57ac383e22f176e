"""Evidence and answers as Arrow tables, and as pandas frames if pandas is installed.

Days are ``date32``, which holds 5.8 million years before and after 1970; intervals are ``[start, end)``. An
unbounded side is null, and so is a day outside that range; ``when`` always has the time in words.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from timelens.answer.draft import Citation, Value
from timelens.answer.hit_times import time_of
from timelens.answer.rendering.timeline import label
from timelens.documents import EventSource, Hit
from timelens.errors import MissingError
from timelens.question.parsed_question import Period
from timelens.temporal.allen import allen
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

if TYPE_CHECKING:
    import pandas as pd

EVIDENCE = pa.schema(
    [
        pa.field("number", pa.int32(), nullable=False),
        pa.field("corpus", pa.string()),
        pa.field("doc_id", pa.string(), nullable=False),
        pa.field("chunk_id", pa.string(), nullable=False),
        pa.field("title", pa.string()),
        pa.field("place", pa.string()),
        pa.field("uri", pa.string()),
        pa.field("text", pa.string(), nullable=False),
        pa.field("sentence", pa.string(), nullable=False),
        pa.field("when", pa.string(), nullable=False),
        pa.field("start", pa.date32()),
        pa.field("end", pa.date32()),
        pa.field("granularity", pa.string()),
        pa.field("time_source", pa.string()),
        pa.field("relation", pa.string()),
        pa.field("published", pa.date32()),
        pa.field("score", pa.float64()),
        pa.field("semantic", pa.float64()),
        pa.field("keyword", pa.float64()),
        pa.field("temporal", pa.float64()),
    ]
)
"""A row for each piece of evidence: ``number`` 1 is the best support; ``sentence`` is the best sentence of
``text``; ``time_source`` is recorded (a table row), stated, anchored or published; ``relation`` is Allen's,
between the time and the nearest asked period; scores are 0..1."""

VALUES = pa.schema(
    [
        pa.field("question", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("value", pa.string(), nullable=False),
        pa.field("when", pa.string(), nullable=False),
        pa.field("start", pa.date32()),
        pa.field("end", pa.date32()),
        pa.field("citations", pa.list_(pa.int32()), nullable=False),
        pa.field("doc_id", pa.string()),
        pa.field("title", pa.string()),
    ]
)
"""A row for each value of an answer, with the document and the title of its first citation."""

_MOST_DAYS = 2**31
"""Days before and after 1970 that ``date32`` holds."""


def evidence_table(citations: Iterable[Citation], periods: Sequence[Period] = ()) -> pa.Table:
    """The evidence in the schema :data:`EVIDENCE`; ``periods`` are the asked periods."""
    rows = [
        {"number": one.number, "text": one.hit.chunk.text, **evidence_fields(one.hit, periods)}
        for one in citations
    ]
    for row in rows:
        for name in ("start", "end", "published"):
            row[name] = _in_date32(row[name])
    return pa.Table.from_pylist(rows, EVIDENCE)


def evidence_fields(hit: Hit, periods: Sequence[Period] = ()) -> dict[str, Any]:
    """The columns of :data:`EVIDENCE` for a hit, without number and text; days as numbers."""
    chunk, scores, time = hit.chunk, hit.scores, time_of(hit)
    return {
        "corpus": chunk.corpus or None,
        "doc_id": chunk.document_id,
        "chunk_id": chunk.id,
        "title": chunk.title or None,
        "place": hit.place or None,
        "uri": chunk.uri,
        "sentence": hit.said,
        "when": label(hit),
        "start": time and time.start,
        "end": time and time.end,
        "granularity": time and str(time.granularity),
        "time_source": _source_of(hit, time),
        "relation": _relation(time, [period.interval for period in periods]),
        "published": chunk.published and chunk.published.start,
        "score": _plain(scores.final),
        "semantic": _plain(scores.semantic),
        "keyword": _plain(scores.keyword),
        "temporal": _plain(scores.temporal),
    }


def values_table(question: str, status: str, values: Iterable[Value], cited: Mapping[int, Hit]) -> pa.Table:
    """The values of an answer in the schema :data:`VALUES`; ``cited`` maps citation numbers to evidence."""
    rows = []
    for value in values:
        first = cited.get(value.citations[0]) if value.citations else None
        time, when = _held_of(value, first)
        rows.append(
            {
                "question": question,
                "status": status,
                "value": value.text,
                "when": when,
                "start": _in_date32(None if time is None else time.start),
                "end": _in_date32(None if time is None else time.end),
                "citations": list(value.citations),
                "doc_id": first and first.chunk.document_id,
                "title": first and (first.chunk.title or None),
            }
        )
    return pa.Table.from_pylist(rows, VALUES)


def as_pandas(table: pa.Table) -> "pd.DataFrame":
    """A table as a pandas frame; days are ``datetime64[ms]``, which holds years before 1677 and BCE.

    Raises:
        MissingError: pandas is not installed.
    """
    try:
        import pandas  # noqa: F401, ICN001 -- pyarrow says less of what is missing
    except ModuleNotFoundError as error:
        raise MissingError(
            "the package pandas is not installed",
            'install it: pip install "timelens[pandas]", or use to_arrow()',
        ) from error
    return table.to_pandas(date_as_object=False)


def _in_date32(day: Day | None) -> Day | None:
    return day if day is not None and -_MOST_DAYS <= day < _MOST_DAYS else None


def _plain(score: float | None) -> float | None:
    """A score as a built-in float: some writers of metadata refuse numpy's numbers."""
    return None if score is None else float(score)


def _source_of(hit: Hit, time: Interval | None) -> str | None:
    """The source of a hit's time; ``None`` if it combines several sentences."""
    if time is None:
        return None
    if hit.chunk.fact is not None:
        return "recorded"
    events = [event for event in hit.chunk.events if event.interval.same_days(time)]
    if events:
        return str(min(events, key=lambda event: event.sentence != hit.sentence).source)
    published = hit.chunk.published
    return str(EventSource.PUBLISHED) if published is not None and published.same_days(time) else None


def _relation(time: Interval | None, periods: Sequence[Interval]) -> str | None:
    """Allen's relation between a time and the nearest asked period."""
    if time is None or not periods:
        return None
    return str(allen(time, min(periods, key=lambda period: _days_between(time, period))))


def _days_between(one: Interval, other: Interval) -> float:
    (start, end), (other_start, other_end) = one.bounds, other.bounds
    return max(other_start - end, start - other_end, 0)


def _held_of(value: Value, first: Hit | None) -> tuple[Interval | None, str]:
    """The half-open interval of a value, and its time in words; for a row, the recorded time."""
    fact = None if first is None else first.chunk.fact
    if fact is not None and (fact.start, fact.end) == (value.start, value.end):
        return fact.validity, fact.period
    if value.start is None and value.end is None:
        return None, "undated"
    end = value.end
    if value.start is not None and end is not None:
        end = max(end, value.start + 1)
    time = Interval(value.start, end)
    return time, phrase(time)
