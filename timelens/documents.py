"""What a corpus holds: documents, their chunks, the events of a chunk, the facts of a table."""

from dataclasses import dataclass, field
from enum import StrEnum

from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity, Interval, granule, hull
from timelens.temporal.phrasing import phrase_recorded


class EventSource(StrEnum):
    """Where the interval of an event comes from, from strong to weak."""

    STATED = "stated"
    """The sentence itself names the time."""
    ANCHORED = "anchored"
    """The sentence names no time of its own; the last date before it in the document carries on."""
    PUBLISHED = "published"
    """Nothing but the document's own date."""


@dataclass(frozen=True, slots=True)
class Event:
    """One interval that one sentence of a chunk speaks of."""

    interval: Interval
    sentence: int
    """Index into the chunk's ``sentences``."""
    source: EventSource
    confidence: float


@dataclass(frozen=True, slots=True)
class QuotedTime:
    """What a language model proposes: words of a passage that state something, and those that say when."""

    quote: str
    time: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of a temporal database, with its dates as recorded.

    ``start`` and ``end`` are the days of the recorded dates (the first day of a recorded year or month);
    they may be equal, and an empty end means "still valid".
    """

    fields: tuple[tuple[str, str], ...]
    """(column, value) pairs in the order of the table, without the date columns."""
    start: Day | None
    end: Day | None
    granularity: Granularity

    @property
    def validity(self) -> Interval:
        """The interval to search by: ``[start, end)``, and at least one granule long."""
        if self.start is None or self.end is None:
            return Interval(self.start, self.end, self.granularity)
        return Interval(
            self.start, max(self.end, granule(self.start, self.granularity).end or self.end), self.granularity
        )

    @property
    def period(self) -> str:
        """The recorded dates in words."""
        return phrase_recorded(self.start, self.end, self.granularity)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where in a text a place begins that a reader can look up: a page, or what stands below a heading."""

    offset: int
    """In characters; the place reaches to the next mark."""
    place: str
    page: str = ""
    """The page that begins there or goes on, where its file tells pages beside headings."""

    @property
    def label(self) -> str:
        """Place and page, as a citation has them."""
        return ", ".join(filter(None, (self.place, self.page)))


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a document with an id or a day of its own; no chunk crosses its borders."""

    id: str
    start: int
    """Offset of its first character in the document's text."""
    heading: str = ""
    published: Interval | None = None
    """The time of the entry that it is; ``None`` where that of its document counts."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file or record as read, before it is cut into chunks. A table carries facts instead of text."""

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
    """In order of their offsets in ``text``; what stands before the first has no place. Of a table with facts
    the offset is the index of a fact."""
    parts: tuple[Part, ...] = ()
    """In order, parted by blank lines; none where the document is one piece."""
    units: tuple[tuple[int, int], ...] = ()
    """(start, end) of what is one sentence, in order: a short message, whose sender says all of it."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document that is embedded and found as one."""

    id: str
    document_id: str
    ordinal: int
    uri: str
    title: str
    text: str
    published: Interval | None
    sentences: tuple[tuple[int, int], ...]
    """(start, end) offsets of each sentence in ``text``, end exclusive."""
    events: tuple[Event, ...]
    fact: Fact | None = None
    places: tuple[tuple[int, str], ...] = ()
    """(index of a sentence, place) wherever another place begins, in order; "" is none."""
    corpus: str = ""
    """The name of the corpus that it is of, where several are asked."""

    @property
    def source_id(self) -> str:
        """The id of the part of the document that it comes from, or of the document."""
        return self.id.rpartition("#")[0]

    @property
    def content(self) -> str:
        """What is embedded and indexed: the title travels with the text."""
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
        """The page or the heading that one sentence stands under; may be empty."""
        return next((place for first, place in reversed(self.places) if first <= index), "")


@dataclass(frozen=True, slots=True)
class Scores:
    """Why a hit stands where it stands, each in 0..1, ``None`` where the strategy does not look at it."""

    semantic: float | None = None
    keyword: float | None = None
    temporal: float | None = None
    final: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk as evidence for one question."""

    chunk: Chunk
    scores: Scores
    interval: Interval | None
    """The time of the evidence that counted: of its best event, or of the whole chunk."""
    sentence: int | None
    """Index of the best sentence in the chunk, where the strategy looks at sentences."""
    passed: tuple[str, ...] = field(default=())
    """The stages that let it through, in order."""

    @property
    def said(self) -> str:
        """Its best sentence, or the whole text where none is the best."""
        return self.chunk.text if self.sentence is None else self.chunk.sentence(self.sentence)

    @property
    def place(self) -> str:
        """The page or the heading of its best sentence, or else of where the chunk begins; may be empty."""
        return self.chunk.place(self.sentence or 0)
