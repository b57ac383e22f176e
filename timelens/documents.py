"""Content of a corpus: documents, their chunks, events of chunks, facts of tables."""

from dataclasses import dataclass, field
from enum import StrEnum

from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity, Interval, granule, hull
from timelens.temporal.phrasing import phrase_granule, phrase_recorded

_BEFORE_PAGE = ", "
"""What stands between the heading and the page of a place."""
_LONGEST_HEADING = 400
"""Characters that are searched for a heading."""
_BEFORE_HEADING = 12
"""Characters that may precede it, such as Markdown signs."""


class EventSource(StrEnum):
    """Source of the interval of an event, from strong to weak."""

    STATED = "stated"
    """The sentence states the time."""
    ANCHORED = "anchored"
    """The sentence states no time; the last date before it in the document applies."""
    PUBLISHED = "published"
    """The date of the document."""


@dataclass(frozen=True, slots=True)
class Event:
    """A time of one sentence of a chunk."""

    interval: Interval
    """The days."""
    sentence: int
    """Index into the chunk's ``sentences``, from 0."""
    source: EventSource
    """Where the days come from."""
    confidence: float
    """How sure the reading of the time is, 0..1."""


@dataclass(frozen=True, slots=True)
class QuotedTime:
    """A proposal of a language model: a quote from a passage, and the words that state its time."""

    quote: str
    time: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of a temporal database, with its dates as recorded.

    ``start`` and ``end`` are the days of the recorded dates: the first day of a recorded year or month, but
    of an end that is coarser than ``granularity`` the first day of its last unit. They may be equal, and an
    empty end means "still valid".
    """

    fields: tuple[tuple[str, str], ...]
    """(column, value) pairs in the order of the table, without the date columns."""
    start: Day | None
    end: Day | None
    granularity: Granularity
    date_names: tuple[str, str] = ("", "")
    """The names of the columns of the start and of the end ("Bought", "Sold"); empty if they only say that
    it is a start, an end or a day."""

    @property
    def validity(self) -> Interval:
        """Its days if the next row starts with the recorded end: ``[start, end)``, at least one granule."""
        return self._until(self.end)

    @property
    def recorded(self) -> Interval:
        """Its days if the recorded end is its last day, month or year; the interval for searches."""
        return self._until(None if self.end is None else granule(self.end, self.granularity).end)

    def held(self, *, inclusive: bool) -> Interval:
        """Its days; ``inclusive``: the recorded end is its last day, month or year."""
        return self.recorded if inclusive else self.validity

    def _until(self, end: Day | None) -> Interval:
        if self.start is None or end is None:
            return Interval(self.start, end, self.granularity)
        return Interval(
            self.start, max(end, granule(self.start, self.granularity).end or end), self.granularity
        )

    @property
    def period(self) -> str:
        """The recorded dates in words."""
        return phrase_recorded(self.start, self.end, self.granularity)

    @property
    def named_dates(self) -> str:
        """The recorded dates after the names of their columns: "Bought May 2006, Sold July 2014".

        Empty if there is a date without a name.
        """
        dates = zip(self.date_names, (self.start, None if self.end == self.start else self.end), strict=True)
        named = [(name, day) for name, day in dates if day is not None]
        if not all(name for name, _ in named):
            return ""
        return ", ".join(f"{name} {phrase_granule(day, self.granularity)}" for name, day in named)


@dataclass(frozen=True, slots=True)
class Mark:
    """The start of a place in a text that a citation can name: a page, or the text below a heading."""

    offset: int
    """In characters; the place extends to the next mark."""
    place: str
    page: str = ""
    """The page at the mark, if the file has pages in addition to headings."""

    @property
    def label(self) -> str:
        """Place and page for citations."""
        return _BEFORE_PAGE.join(filter(None, (self.place, self.page)))

    def stands_in(self, text: str) -> bool:
        """Whether the place is a heading in the text at the mark, not the number of a page, slide or row."""
        if self.page and not self.place:
            return False
        begin = " ".join(text[self.offset : self.offset + _LONGEST_HEADING].split())
        return self.place in begin[: len(self.place) + _BEFORE_HEADING]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document with its own id or day; no chunk crosses its borders."""

    id: str
    start: int
    """Offset of its first character in the document's text."""
    heading: str = ""
    published: Interval | None = None
    """The time of the entry; ``None`` if the document's time applies."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file or record before it is split into chunks. A table has facts instead of text."""

    id: str
    """The path below the ingested root, or the record's own id."""
    uri: str
    title: str
    text: str
    content_hash: str
    published: Interval | None = None
    published_source: str | None = None
    facts: tuple[Fact, ...] = ()
    abstract: str = ""
    places: tuple[Mark, ...] = ()
    """In order of their offsets in ``text``; text before the first mark has no place. For a table with facts,
    the offset is the index of a fact."""
    parts: tuple[Part, ...] = ()
    """In order, separated by blank lines; empty if the document is undivided."""
    units: tuple[tuple[int, int], ...] = ()
    """(start, end) of spans that are one sentence each, in order: short messages with their senders."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document that is embedded and found as a unit."""

    id: str
    """The id of its document or of a part of it, ``#``, and a number; unique in its corpus."""
    document_id: str
    """The id of its document."""
    ordinal: int
    """Its place in the document, from 0."""
    uri: str
    """Where its document was read from: a path, or the source's own name."""
    title: str
    """The title of its document or entry; may be empty."""
    text: str
    """The passage, without the title."""
    published: Interval | None
    """The day or time of its document or entry; ``None`` if none is stated."""
    sentences: tuple[tuple[int, int], ...]
    """(start, end) offsets of each sentence in ``text``, end exclusive."""
    events: tuple[Event, ...]
    """The times of its sentences; empty if it is undated."""
    fact: Fact | None = None
    """The row of a table that it was made of; ``None`` for text."""
    places: tuple[tuple[int, str], ...] = ()
    """(index of a sentence, place) for each change of place, in order; "" means no place."""
    corpus: str = ""
    """The name of its corpus, if several corpora are asked."""

    @property
    def source_id(self) -> str:
        """The id of its part of the document, or of the document."""
        return self.id.rpartition("#")[0]

    @property
    def content(self) -> str:
        """The text that is embedded and indexed: title and text."""
        return f"{self.title}\n{self.text}" if self.title else self.text

    @property
    def envelope(self) -> Interval | None:
        """The hull of all events; ``None`` for an undated chunk."""
        return hull(event.interval for event in self.events)

    def sentence(self, index: int) -> str:
        """The text of one sentence."""
        start, end = self.sentences[index]
        return self.text[start:end]

    def place(self, index: int) -> str:
        """The page or heading of one sentence; may be empty."""
        return next((place for first, place in reversed(self.places) if first <= index), "")

    def heading(self, index: int) -> str:
        """The place of one sentence without the page that stands behind its heading; may be empty."""
        return self.place(index).partition(f"{_BEFORE_PAGE}page ")[0]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores that rank a hit, each in 0..1; ``None`` if the strategy does not use a score."""

    semantic: float | None = None
    """Similarity of meaning to the topic of the question."""
    keyword: float | None = None
    """Score of the full-text search."""
    temporal: float | None = None
    """Fit of the hit's time to the asked time."""
    final: float | None = None
    """The score by which hits are ranked."""


VALIDITY = "validity"
"""The stage that admits evidence from before the asked time."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk as evidence for one question."""

    chunk: Chunk
    """The passage."""
    scores: Scores
    """Its scores, each 0..1."""
    interval: Interval | None
    """The time by which it was ranked: of its best event, or of the whole chunk."""
    sentence: int | None
    """Index of the best sentence in the chunk, if the strategy ranks sentences."""
    passed: tuple[str, ...] = field(default=())
    """The stages that it passed, in order."""

    @property
    def is_older(self) -> bool:
        """Whether it lies before the asked time, and was admitted because what it states may still hold."""
        return VALIDITY in self.passed

    def reaches(self, window: Interval) -> bool:
        """Whether a time of its chunk intersects the window, or what it states may still hold there."""
        return self.is_older or any(event.interval.intersects(window) for event in self.chunk.events)

    @property
    def said(self) -> str:
        """Its best sentence, or the whole text if there is none."""
        return self.chunk.text if self.sentence is None else self.chunk.sentence(self.sentence)

    @property
    def key(self) -> tuple[str, int | None]:
        """Its passage and the best sentence there, which two hits of the same sentence have in common."""
        return self.chunk.id, self.sentence

    @property
    def place(self) -> str:
        """The page or heading of its best sentence, else of the start of the chunk; may be empty."""
        return self.chunk.place(self.sentence or 0)
