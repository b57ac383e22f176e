"""Dates of documents and sentences by rules, in two stages (TA-RAG, Section 4.1)."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from timelens.documents import Document, EventSource
from timelens.ingest.chunking import Span, joined_within, split_sentences
from timelens.ingest.entries import Entry, entries_in_order, sections
from timelens.ingest.reader_tools import MADE, OF_HEADER, OF_NAME
from timelens.ingest.title_dates import date_of_title
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, ScannedText, find_expressions
from timelens.temporal.interval import Granularity, Interval

_HEAD_SENTENCES = 3
_TAIL_SENTENCES = 2
_LONGEST_SENTENCE = 20_000
"""Most characters of a sentence that are searched for the document's day; a list may be one sentence."""
_ABSTRACT_SENTENCES = 2
_ABSTRACT_CHARACTERS = 400
TITLE_CHARACTERS = 300
_AROUND_LINE = " \t#*_=|"
"""Signs of headings, emphasis and tables around a line that states the day of issue."""
_YEAR_LATER = 366
"""Days after the time of issue, from which on a text knows too much to be of that time."""
_BESIDE_ISSUE = 62
"""Most days of the entries of an issue before or after it."""

_HAD = re.compile(r"\bhad\b[^;:.]*\Z", re.IGNORECASE)
"""The past perfect, up to the time after it: "who had chaired the board since"."""

# Confidence of the document's day for a sentence that states another time.
_PUBLISHED_BESIDE_STATED = 0.7

# Confidence of a stated time after the day of writing, which is an expectation, not a report.
_EXPECTED = 0.5

# Confidence of the last date before a sentence that states none.
_ANCHORED = 0.5


@dataclass(frozen=True, slots=True)
class Publication:
    """The time of a document, and where it is stated."""

    time: Interval
    source: str


@dataclass(frozen=True, slots=True)
class DatedTime:
    """A time of a sentence, with its source and confidence."""

    interval: Interval
    source: EventSource
    confidence: float


@dataclass(frozen=True, slots=True)
class DatedDocument:
    """A document with its publication time, its sentences and their times."""

    document: Document
    entries: tuple[Entry, ...] = ()
    spans: tuple[Span, ...] = ()
    """Its sentences; empty for a table."""
    times: tuple[tuple[DatedTime, ...], ...] = ()
    """The times of each sentence."""


@dataclass(frozen=True)
class _Stretch:
    """A section of a document that is scanned by itself: an entry, or the text between entries."""

    offset: int
    text: str
    published: Interval | None
    """The time of the entry; ``None`` if the document's time applies."""
    units: tuple[Span, ...]
    """Spans of the document that are one sentence each."""
    conventions: Conventions

    @cached_property
    def _sentences(self) -> list[Span]:
        units = [(start - self.offset, end - self.offset) for start, end in self.units]
        return joined_within(split_sentences(self.text), units)

    @cached_property
    def scanned(self) -> ScannedText:
        """The scanned text, for its temporal expressions."""
        return ScannedText(self.text, self.conventions)

    @property
    def spans(self) -> list[Span]:
        """Its sentences, as offsets in the document."""
        return [(self.offset + start, self.offset + end) for start, end in self._sentences]

    def dated(self, published: Interval | None) -> list[tuple[DatedTime, ...]]:
        """The times of its sentences; ``published`` is the time of the document."""
        return date_sentences(self.scanned, self._sentences, self.published or published)


def date_document(document: Document, conventions: Conventions = USUAL) -> DatedDocument:
    """Split a document into sentences and date them; facts of a table already have dates."""
    document = replace(document, title=" ".join(document.title[:TITLE_CHARACTERS].split()))
    if document.facts:
        return DatedDocument(document)
    issue = _issue(document, conventions)
    known = document if issue is None else replace(document, published=issue.time)
    found: tuple[Entry, ...] = ()
    if not document.parts:
        found, conventions = entries_in_order(known, conventions)
    stretches = [
        _Stretch(start, document.text[start:end], time, document.units, conventions)
        for start, end, time in sections(document.text, found)
    ]
    spans = [span for stretch in stretches for span in stretch.spans]
    sentences = [document.text[start:end] for start, end in spans]
    document = replace(document, abstract=" ".join(sentences[:_ABSTRACT_SENTENCES])[:_ABSTRACT_CHARACTERS])
    if issue is not None or document.published is None or document.published_source in MADE:
        if not found:
            document = estimate_publication(document, sentences, stretches[0].scanned, conventions, issue)
        elif issue is not None and _are_near(found, issue.time):
            document = replace(document, published=issue.time, published_source=issue.source)
        else:
            document = replace(document, published=None, published_source=None)
    times = [times for stretch in stretches for times in stretch.dated(document.published)]
    return DatedDocument(document, found, tuple(spans), tuple(times))


def estimate_publication(
    document: Document,
    sentences: Sequence[str],
    scanned: ScannedText,
    conventions: Conventions,
    issue: Publication | None = None,
) -> Document:
    """Stage 1: the document with the time found in its text, title or name, if no metadata state its day.

    The first full date of the opening sentences is taken, else the last one of the closing sentences, because
    texts usually carry their date there. A date is rejected if most of the times in the text begin after it:
    a biography begins with the day of birth. The time of issue, of the title or of a line of its own in the
    opening sentences, comes before them, unless one of them is a day in it; it is rejected if most of the
    times begin a year later, because an issue announces what comes. If a line of its own states a day more
    than a year later, that is when the text was written, and the title names what it is about. A day on which
    the file was made is replaced by any of these. A document of dated entries gets no day from its text.

    Args:
        document: a document without entries.
        sentences: the sentences of its text.
        scanned: the whole text.
        conventions: how its dates are read.
        issue: the time that its title, its name or the header of its page states.
    """
    full_dates = cache(lambda text: _full_dates(text, conventions))
    opening, closing = sentences[:_HEAD_SENTENCES], sentences[-_TAIL_SENTENCES:]
    first = (sentence[:_LONGEST_SENTENCE] for sentence in opening)
    last = (sentence[-_LONGEST_SENTENCE:] for sentence in reversed(closing))
    head = next((dates[0] for dates in map(full_dates, first) if dates), None)
    tail = next((dates[-1] for dates in map(full_dates, last) if dates), None)
    found = [
        Publication(date, source)
        for date, source in ((head, "first sentences"), (tail, "last sentences"))
        if date is not None
    ]
    lines = [*_in_lines(opening, "first sentences", conventions)]
    if issue is None:
        issue = next(iter(lines), None)
    if issue is not None:
        lines += _in_lines(closing, "last sentences", conventions)
        written = [
            one
            for one in lines
            if one.time.granularity is Granularity.DAY
            and one.time.bounds[0] > issue.time.bounds[1] + _YEAR_LATER
        ]
        finer = [one for one in found if issue.time.contains(one.time)]
        found = [*written, *finer, issue, *found]
    stated = _explicit_times(scanned) if found else []
    for one in found:
        is_of_issue = issue is not None and issue.time.contains(one.time)
        ahead = one.time.bounds[1] + (_YEAR_LATER if is_of_issue else 0)
        if 2 * sum(time.bounds[0] >= ahead for time in stated) <= len(stated):
            return replace(document, published=one.time, published_source=one.source)
    if document.published_source in MADE:
        return document
    return replace(document, published=None, published_source=None)


def _issue(document: Document, conventions: Conventions) -> Publication | None:
    """The time of issue that the text may correct: a month of the file's name, a header's date, or a title's.

    ``None`` if the document has a day of its own, or if none of them states any.
    """
    time, source = document.published, document.published_source
    if time is not None and source is not None and source not in MADE:
        is_sure = source != OF_HEADER and (source != OF_NAME or time.granularity is Granularity.DAY)
        return None if is_sure else Publication(time, source)
    titled = date_of_title(document.title, conventions)
    return None if titled is None else Publication(titled, "title")


def _in_lines(sentences: Sequence[str], source: str, conventions: Conventions) -> Iterator[Publication]:
    """The dates of issue in lines of their own."""
    for sentence in sentences:
        for line in sentence[:_LONGEST_SENTENCE].split("\n"):
            time = date_of_title(line.strip(_AROUND_LINE), conventions, apart=True)
            if time is not None:
                yield Publication(time, source)


def _are_near(found: Sequence[Entry], time: Interval) -> bool:
    """Whether the entries of a document lie around its time of issue; those of a diary of years do not."""
    first, last = time.bounds
    return all(
        entry.time.bounds[0] >= first - _BESIDE_ISSUE and entry.time.bounds[1] <= last + _BESIDE_ISSUE
        for entry in found
    )


def date_sentences(
    scanned: ScannedText, spans: Sequence[Span], published: Interval | None
) -> list[tuple[DatedTime, ...]]:
    """Stage 2: the times of each sentence.

    The whole text is read at once, so that the narrative anchor runs through it. A sentence that states no
    time gets the document's day, or, in a document without a day, the last time stated before it.
    """
    stated: list[list[Expression]] = [[] for _ in spans]
    starts = [start for start, _ in spans]
    for expression in scanned.of_document(published):
        place = bisect_right(starts, expression.char_start) - 1
        if expression.interval is not None and place >= 0:
            stated[place].append(expression)
    dated = []
    last: Interval | None = None
    for expressions, start in zip(stated, starts, strict=True):
        times = [
            DatedTime(time, EventSource.STATED, expression.confidence * _testimony(time, published))
            for expression in expressions
            for time in [
                _testified(expression, published, _left_behind(expression, expressions, scanned.text, start))
            ]
        ]
        dated.append(_with_published(times, published, last))
        last = times[-1].interval if times else last
    return dated


def _with_published(
    stated: Sequence[DatedTime], published: Interval | None, before: Interval | None
) -> tuple[DatedTime, ...]:
    """The times of one sentence: stated times and the document's day; without any, ``before``."""
    if published is not None:
        elsewhere = stated and not any(time.interval.intersects(published) for time in stated)
        confidence = _PUBLISHED_BESIDE_STATED if elsewhere else 1.0
        return (*stated, DatedTime(published, EventSource.PUBLISHED, confidence))
    if not stated and before is not None:
        return (DatedTime(before, EventSource.ANCHORED, _ANCHORED),)
    return tuple(stated)


def _testimony(time: Interval, published: Interval | None) -> float:
    """The confidence of a stated time, given the day of the text."""
    if published is None:
        return 1.0
    return _EXPECTED if time.bounds[0] >= published.bounds[1] else 1.0


def _explicit_times(scanned: ScannedText) -> list[Interval]:
    return [
        expression.interval
        for expression in scanned.expressions()
        if expression.interval is not None and expression.kind is ExpressionKind.EXPLICIT
    ]


def _full_dates(sentence: str, conventions: Conventions) -> list[Interval]:
    return [
        expression.interval
        for expression in find_expressions(sentence, conventions=conventions)
        if expression.interval is not None
        and expression.interval.granularity is Granularity.DAY
        and expression.kind is ExpressionKind.EXPLICIT
        and expression.relation is None
    ]


def _left_behind(
    expression: Expression, expressions: Sequence[Expression], text: str, start: int
) -> Interval | None:
    """The time at which a sentence looks back on what "had" lasted since another: the next one it states.

    ``expressions`` are those of the sentence, which begins at ``start`` in the text.
    "She had led it since 2009 and stepped down in May 2022" is evidence for 2009 to May 2022.
    """
    if expression.open != "end" or not _HAD.search(text[start : expression.char_start]):
        return None
    began = expression.dates[-1].bounds[0]
    later = [time for one in expressions for time in one.dates if time.bounds[0] > began]
    return min(later, key=lambda time: time.bounds, default=None)


def _testified(expression: Expression, published: Interval | None, looking_back: Interval | None) -> Interval:
    """The days that a sentence is evidence for: an open end is closed by the day of writing.

    "Since 2017", written in 2020, is evidence for 2017 to 2020; "until 1945" only for 1945. A sentence that
    looks back from an earlier time than the day of writing is evidence up to that time.
    """
    interval = expression.interval
    if interval is None:
        raise ValueError(f"{expression.text!r} has no interval")
    if expression.open is None:
        return interval
    named = expression.dates[-1]
    if looking_back is not None and looking_back.end is not None:
        return replace(interval, end=looking_back.end)
    if (
        expression.open == "end"
        and interval.start is not None
        and published is not None
        and published.end is not None
    ):
        return replace(interval, end=published.end) if published.end > interval.start else named
    return named
