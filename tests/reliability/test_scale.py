"""A hundred thousand chunks: the filtered search finds exactly what a look at every chunk finds."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from timelens.documents import Chunk, Document, Event, EventSource
from timelens.embedding import EmbedderIdentity, EncodedDocuments, Vectors
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.interval import Interval

CHUNKS = 100_000
DIMENSION = 32
DAYS = 73_000
PER_DOCUMENT = 1_000
WORDS = 97


def chunk_id(index: int) -> str:
    return f"d{index // PER_DOCUMENT}#{index % PER_DOCUMENT}"


def document(number: int, vectors: Vectors, intervals: list[Interval]) -> EmbeddedDocument:
    name = f"d{number}"
    chunks = tuple(
        Chunk(
            id=f"{name}#{ordinal}",
            document_id=name,
            ordinal=ordinal,
            uri=name,
            title="",
            text=f"word{ordinal % WORDS} of {name}",
            published=None,
            sentences=((0, 4),),
            events=(Event(interval, 0, EventSource.STATED, 1.0),),
        )
        for ordinal, interval in enumerate(intervals)
    )
    encoded = EncodedDocuments(vectors, [vector[None] for vector in vectors])
    return EmbeddedDocument(Document(name, name, "", "", name), chunks, encoded)


@pytest.mark.long
def test_a_filtered_search_is_exact_at_scale(tmp_path: Path) -> None:
    chance = np.random.default_rng(7)
    vectors = chance.normal(size=(CHUNKS, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    starts = chance.integers(0, DAYS, CHUNKS)
    lengths = chance.integers(1, 400, CHUNKS)
    intervals = [Interval(int(s), int(s + n)) for s, n in zip(starts, lengths, strict=True)]
    store = CorpusStore.create(tmp_path / "large", EmbedderIdentity("random", DIMENSION, ""))
    for number, first in enumerate(range(0, CHUNKS, PER_DOCUMENT)):
        part = slice(first, first + PER_DOCUMENT)
        store.write([document(number, vectors[part], intervals[part])])
    store.settle()
    assert store.summary().chunks == CHUNKS

    histogram = store.histogram(60)
    edges = np.asarray(histogram.edges)
    counts = [((starts < end) & (starts + lengths > start)).sum() for start, end in pairwise(edges)]
    assert list(histogram.counts) == counts
    assert (histogram.before, histogram.after) == (0, 0)
    named = store.documents(Interval(40_000, 40_001))
    speaking = np.unique(np.flatnonzero((starts <= 40_000) & (starts + lengths > 40_000)) // PER_DOCUMENT)
    assert {one.id for one in named} == {f"d{number}" for number in speaking}

    for days in (30, 3_650):
        window = Interval(40_000, 40_000 + days)
        inside = (starts < 40_000 + days) & (starts + lengths > 40_000)
        for query in vectors[:5]:
            similarity = np.where(inside, vectors @ query, -2)
            wanted = [int(index) for index in np.argsort(-similarity)[:20]]
            found = store.dense(query, 20, [window])
            assert [hit.chunk.id for hit in found] == [chunk_id(index) for index in wanted]
            keyword = store.keyword("word13", 20, [window])
            matching = {
                chunk_id(int(i)) for i in np.flatnonzero(inside) if int(i) % PER_DOCUMENT % WORDS == 13
            }
            assert len(keyword) == min(20, len(matching))
            assert {hit.chunk.id for hit in keyword} <= matching
