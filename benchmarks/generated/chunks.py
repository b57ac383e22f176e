"""Generated chunks, directly as rows of the tables of a corpus, many at a time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from timelens.embedding import EmbedderIdentity, Vectors
from timelens.store.schema import DOCUMENTS_SCHEMA
from timelens.temporal.calendar import day_number
from timelens.words import topic_words, word_id

IDENTITY = EmbedderIdentity("generated", 384, "")
PER_TOPIC = 100
PER_DOCUMENT = 50
WORDS, VOCABULARY = 10, 20_000
FIRST, LAST = day_number(1900, 1, 1), day_number(2000, 1, 1)
SECOND, MOST_BETWEEN = 0.2, 5 * 365
"""The share of chunks with a second event, which widens their envelope; the maximum days until it."""


def spread(chance: np.random.Generator, size: int) -> Vectors:
    """(size, d) vectors of unit length, with variances that fall as 1 / rank."""
    dimension = IDENTITY.dimension
    drawn = chance.standard_normal((size, dimension), dtype=np.float32)
    drawn *= np.sqrt(1 / np.arange(1, dimension + 1, dtype=np.float32))
    return unit(drawn @ ROTATION)


def unit(vectors: Vectors) -> Vectors:
    """The vectors scaled to unit length."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def near_topics(chance: np.random.Generator, topics: Vectors, size: int, noise: float) -> Vectors:
    """(size, d) vectors of unit length, each near one of the topics."""
    return unit(topics[chance.integers(0, len(topics), size)] + noise * spread(chance, size))


def topics_of(count: int) -> Vectors:
    """The topics of a corpus of ``count`` chunks."""
    return spread(np.random.default_rng(5), max(count // PER_TOPIC, 1))


_DRAWN = np.random.default_rng(3).standard_normal((IDENTITY.dimension, IDENTITY.dimension))
ROTATION = np.linalg.qr(_DRAWN)[0].astype(np.float32)


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes rows of the tables, always the same."""

    topics: Vectors
    words: pa.Array
    """The vocabulary."""
    ids: NDArray[np.uint32]
    """The ids of the words, as ranking compares them."""
    schema: pa.Schema

    @classmethod
    def made(cls, count: int, schema: pa.Schema) -> "Maker":
        """A maker for a corpus of ``count`` chunks."""
        words = [f"w{number}" for number in range(VOCABULARY)]
        ids = np.asarray([word_id(next(iter(topic_words(word)))) for word in words], dtype=np.uint32)
        return cls(topics_of(count), pa.array(words), ids, schema)

    def chunks(self, start: int, size: int) -> pa.RecordBatch:
        """``size`` rows of ``chunks``, from number ``start``."""
        chance = np.random.default_rng([7, start])
        vectors = near_topics(chance, self.topics, size, 0.6)
        numbers = np.arange(start, start + size)
        documents = name_of(numbers // PER_DOCUMENT)
        ordinals = pa.array(numbers % PER_DOCUMENT, pa.int32())
        # Zipf frequencies: the n-th word in proportion to 1/n
        ranks = np.exp(chance.random((size, WORDS)) * np.log(VOCABULARY)).astype(np.int64)
        text = pc.binary_join_element_wise(*(self.words.take(pa.array(column)) for column in ranks.T), " ")
        first = chance.integers(FIRST, LAST, size)
        both = chance.random(size) < SECOND
        last = first + both * chance.integers(0, MOST_BETWEEN, size)
        columns = {
            "id": pc.binary_join_element_wise(documents, ordinals.cast(pa.string()), "#"),
            "document_id": documents,
            "ordinal": ordinals,
            "uri": documents,
            "title": pa.array([""] * size),
            "text": text,
            "content": text,
            "start": pa.array(first),
            "end": pa.array(last + 1),
            "sentences": lists(struct(start=np.zeros(size, np.int32), end=pc.utf8_length(text)), 1),
            "events": self._events(first, last, both),
            "places": lists(struct(sentence=np.zeros(0, np.int32), place=np.zeros(0, str)), 0, size),
            "words": lists(lists(pa.array(np.sort(self.ids[ranks], axis=1).reshape(-1)), WORDS), 1),
            "vector": rows_of(vectors),
            "sentence_vectors": lists(rows_of(vectors.astype(np.float16)), 1),
        }
        arrays = [
            columns[field.name].cast(field.type) if field.name in columns else pa.nulls(size, field.type)
            for field in self.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _events(self, first: NDArray[np.int64], last: NDArray[np.int64], both: NDArray[np.bool_]) -> pa.Array:
        counts = 1 + both
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        days = np.repeat(first, counts)
        days[offsets[1:][both] - 1] = last[both]
        size = len(days)
        event = struct(
            start=days,
            end=days + 1,
            granularity=["day"] * size,
            sentence=np.zeros(size, np.int32),
            source=["stated"] * size,
            confidence=np.ones(size, np.float32),
        )
        return pa.ListArray.from_arrays(pa.array(offsets), event)

    def documents(self, start: int, size: int) -> pa.Table:
        """Rows of ``documents`` for ``size`` chunks, from number ``start``."""
        made = name_of(np.arange(start // PER_DOCUMENT, (start + size) // PER_DOCUMENT))
        known = dict.fromkeys(("id", "uri", "title", "content_hash", "checksum"), made)
        known["chunks"] = pa.array(np.full(len(made), PER_DOCUMENT), pa.int32())
        arrays = [known.get(field.name, pa.nulls(len(made), field.type)) for field in DOCUMENTS_SCHEMA]
        return pa.Table.from_arrays(arrays, schema=DOCUMENTS_SCHEMA)


def lists(values: pa.Array, each: int, size: int | None = None) -> pa.ListArray:
    """Lists with ``each`` values."""
    size = len(values) // each if size is None else size
    return pa.ListArray.from_arrays(pa.array(np.arange(size + 1, dtype=np.int32) * each), values)


def struct(**columns: object) -> pa.StructArray:
    """A struct array with one array per field."""
    return pa.StructArray.from_arrays([pa.array(one) for one in columns.values()], list(columns))


def rows_of(values: NDArray[Any]) -> pa.FixedSizeListArray:
    """The rows of a matrix as lists."""
    return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values.shape[1])


def name_of(numbers: NDArray[np.int64]) -> pa.Array:
    """Names of documents."""
    return pc.binary_join_element_wise("d", pa.array(numbers).cast(pa.string()), "")
