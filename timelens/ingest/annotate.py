"""Documents as chunks of whole sentences with their events, by rules."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from timelens.documents import Chunk, Document, Event, EventSource, Part
from timelens.ingest.chunking import Span, pack
from timelens.ingest.dating import TITLE_CHARACTERS, DatedDocument, DatedTime, date_document
from timelens.ingest.entries import Entry
from timelens.ingest.tables import verbalise
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.phrasing import phrase
from timelens.words import topic_words

if TYPE_CHECKING:
    from timelens.embedding import Embedder

_LONGEST_HEAD = 80
_AROUND_HEAD = " \t=-_*#~"


@dataclass(frozen=True, slots=True)
class AnnotatedDocument:
    """A document with its publication time and abstract, and its chunks with their events."""

    document: Document
    chunks: tuple[Chunk, ...]
    overlong_sentences: int = 0
    """Number of sentences longer than the embedder's limit."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """The sentences of a future chunk."""

    part: Part
    begin: int
    """Offset of the start of its text."""
    spans: tuple[Span, ...]
    """Its sentences."""


def annotate(document: Document, embedder: "Embedder", conventions: Conventions = USUAL) -> AnnotatedDocument:
    """Split a document into chunks of whole sentences and date the sentences."""
    return in_chunks(date_document(document, conventions), embedder)


def in_chunks(dated: DatedDocument, embedder: "Embedder") -> AnnotatedDocument:
    """Pack the sentences of a document into chunks within the embedder's token limit."""
    document = replace(dated.document, title=_fitting(dated.document.title, embedder))
    if document.facts:
        facts = _fact_chunks(document)
        sizes = embedder.count_tokens([chunk.content for chunk in facts])
        return AnnotatedDocument(document, facts, sum(size > embedder.token_limit for size in sizes))
    parts = _parts(document, dated.entries, embedder)
    tokens = embedder.count_tokens([document.text[start:end] for start, end in dated.spans])
    heading = max(embedder.count_tokens([part.heading for part in parts]))
    room = embedder.token_limit - heading * (2 if dated.entries else 1)  # an entry has it in its text as well
    times = dict(zip(dated.spans, dated.times, strict=True))
    chunks = tuple(
        _chunk(document, ordinal, piece, [times[span] for span in piece.spans])
        for ordinal, piece in enumerate(_packed(parts, dated.spans, tokens, room))
    )
    return AnnotatedDocument(document, chunks, sum(size > room for size in tokens))


def _fitting(title: str, embedder: "Embedder") -> str:
    """A title on one line, shortened so that it takes at most a quarter of a chunk's tokens."""
    title = " ".join(title[:TITLE_CHARACTERS].split())
    while title and embedder.count_tokens([title])[0] > embedder.token_limit // 4:
        title = title[: len(title) * 3 // 4].rstrip()
    return title


def _parts(document: Document, found: Sequence[Entry], embedder: "Embedder") -> list[Part]:
    """The parts, with the headings of their chunks; an undivided document is one part."""
    parts = document.parts or (Part(document.id, 0), *_parts_of(document.id, found))
    title = _with_head(document.title, _head_line(document, found[0].start) if found else "")
    return [
        replace(part, heading=_fitting(f"{title}: {part.heading}", embedder))
        if part.heading
        else replace(part, heading=document.title)
        for part in parts
    ]


def _with_head(title: str, head: str) -> str:
    """The name of a file with the first line of its text; the line alone if it has the words of the name."""
    if not head:
        return title
    return head if topic_words(title) <= topic_words(head) else f"{title}, {head}"


def _head_line(document: Document, start: int) -> str:
    """The first line of a document titled by its file name, if the line stands alone and looks like a title.

    It is added to the headings of entries, which are far from the line that names their common topic. There
    is none if nothing stands above the first entry, which begins at ``start``.
    """
    if not document.text[:start].strip():
        return ""
    line, _, rest = document.text.lstrip("\n").partition("\n")
    head = line.strip(_AROUND_HEAD)
    stands_alone = line.isupper() or not rest.partition("\n")[0].strip(_AROUND_HEAD)
    of_file = document.title == PurePath(document.id).stem
    fits = 3 <= len(head) <= _LONGEST_HEAD and not head.endswith((".", ",", ";", "?"))
    return head if of_file and stands_alone and fits else ""


def _parts_of(document_id: str, found: Sequence[Entry]) -> Iterator[Part]:
    """The parts made of entries; adjacent entries of the same time and heading are one part."""
    last = Part(document_id, 0)
    position = 0
    for entry in found:
        part = Part(document_id, entry.start, entry.heading or phrase(entry.time), entry.time)
        if entry.start > position and last.heading:
            last = Part(document_id, position)
            yield last
        if (part.heading, part.published) != (last.heading, last.published):
            yield part
            last = part
        position = entry.end
    if found:
        yield Part(document_id, position)


def _packed(
    parts: Sequence[Part], spans: Sequence[Span], tokens: Sequence[int], room: int
) -> Iterator[_Piece]:
    """The sentences packed into pieces, separately for each part.

    The first piece of an entry begins with its head line, which states the date.
    """
    starts = [start for start, _ in spans]
    ends = [bisect_left(starts, part.start) for part in parts[1:]]
    for part, first, last in zip(parts, [0, *ends], [*ends, len(spans)], strict=True):
        for number, stretch in enumerate(pack(spans[first:last], tokens[first:last], room)):
            is_headed = part.published is not None and number == 0
            yield _Piece(part, part.start if is_headed else stretch[0][0], stretch)


def _chunk(document: Document, ordinal: int, piece: _Piece, times: Sequence[Sequence[DatedTime]]) -> Chunk:
    part, spans = piece.part, piece.spans
    first, last = piece.begin, spans[-1][1]
    return Chunk(
        id=f"{part.id}#{ordinal}",
        document_id=document.id,
        ordinal=ordinal,
        uri=document.uri,
        title=part.heading,
        text=document.text[first:last],
        published=part.published or document.published,
        sentences=tuple((start - first, end - first) for start, end in spans),
        events=tuple(
            Event(time.interval, index, time.source, time.confidence)
            for index, of_sentence in enumerate(times)
            for time in of_sentence
        ),
        places=_places(document, part, spans),
    )


def _places(document: Document, part: Part, spans: Sequence[Span]) -> tuple[tuple[int, str], ...]:
    """(index of a sentence, place) for each change of place; a place in the part's heading is dropped."""
    offsets = [mark.offset for mark in document.places]
    found: list[tuple[int, str]] = []
    for index, (start, _) in enumerate(spans):
        mark = bisect_right(offsets, start) - 1
        place = ""
        if mark >= 0:
            found_at = document.places[mark]
            is_said = part.published is not None and part.heading.endswith(found_at.place)
            place = found_at.page if is_said else found_at.label
        if place != (found[-1][1] if found else ""):
            found.append((index, place))
    return tuple(found)


def _fact_chunks(document: Document) -> tuple[Chunk, ...]:
    places = {mark.offset: mark.place for mark in document.places}
    return tuple(
        Chunk(
            id=f"{document.id}#{ordinal}",
            document_id=document.id,
            ordinal=ordinal,
            uri=document.uri,
            title=document.title,
            text=text,
            published=document.published,
            sentences=((0, len(text)),),
            events=(Event(fact.recorded, 0, EventSource.STATED, 1.0),),
            fact=fact,
            places=((0, places[ordinal]),) if ordinal in places else (),
        )
        for ordinal, (fact, text) in enumerate((fact, verbalise(fact)) for fact in document.facts)
    )
