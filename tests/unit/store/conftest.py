"""A store, and documents of few words to put into it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from timelens.documents import Chunk, Document, Event, EventSource, Fact
from timelens.embedding import Embedder, EncodedDocuments
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument, StoredChunk
from timelens.temporal.interval import Interval


def chunk(
    document: str, ordinal: int, text: str, times: Sequence[Interval] = (), fact: Fact | None = None
) -> Chunk:
    """A chunk of one sentence with an event for each time."""
    events = tuple(Event(time, 0, EventSource.STATED, 0.5) for time in times)
    return Chunk(
        id=f"{document}#{ordinal}",
        document_id=document,
        ordinal=ordinal,
        uri=f"/{document}",
        title="",
        text=text,
        published=None,
        sentences=((0, len(text)),),
        events=events,
        fact=fact,
    )


def embedded(embedder: Embedder, document_id: str, chunks: Sequence[Chunk]) -> EmbeddedDocument:
    document = Document(document_id, f"/{document_id}", "", "", repr([c.text for c in chunks]))
    return EmbeddedDocument(document, tuple(chunks), encode(embedder, chunks))


def encode(embedder: Embedder, chunks: Sequence[Chunk]) -> EncodedDocuments:
    return embedder.encode_documents([c.content for c in chunks], [c.sentences for c in chunks])


def document(embedder: Embedder, document_id: str, *texts: str) -> EmbeddedDocument:
    return embedded(embedder, document_id, [chunk(document_id, n, text) for n, text in enumerate(texts)])


def texts(found: Sequence[StoredChunk]) -> list[str]:
    return [hit.chunk.text for hit in found]


def everything(store: CorpusStore, embedder: Embedder) -> dict[str, str]:
    """Text by chunk id, of all chunks."""
    found = store.dense(embedder.encode_queries(["x"])[0], 10_000)
    assert len({hit.chunk.id for hit in found}) == len(found)
    return {hit.chunk.id: hit.chunk.text for hit in found}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


@pytest.fixture
def store(path: Path, hashed: Embedder) -> CorpusStore:
    return CorpusStore.create(path, hashed.identity)
