"""Embeds the chunks of documents."""

from collections.abc import Sequence
from dataclasses import dataclass

from timelens.documents import Chunk
from timelens.embedding import Embedder, EncodedDocuments
from timelens.ingest.annotate import AnnotatedDocument


@dataclass(frozen=True, slots=True)
class EncodedDocument:
    """A document with its chunks, and the vectors of chunks and sentences."""

    annotated: AnnotatedDocument
    vectors: EncodedDocuments


def encode_documents(embedder: Embedder, documents: Sequence[AnnotatedDocument]) -> list[EncodedDocument]:
    """Documents with the vectors of their chunks; all chunks are encoded together."""
    encoded = encode_chunks(embedder, [chunk for item in documents for chunk in item.chunks])
    found = []
    first = 0
    for item in documents:
        last = first + len(item.chunks)
        vectors = EncodedDocuments(encoded.vectors[first:last], encoded.spans[first:last])
        found.append(EncodedDocument(item, vectors))
        first = last
    return found


def encode_chunks(embedder: Embedder, chunks: Sequence[Chunk]) -> EncodedDocuments:
    """Vectors of chunks including their titles, and of their sentences in that context."""
    shifts = [len(chunk.content) - len(chunk.text) for chunk in chunks]
    return embedder.encode_documents(
        [chunk.content for chunk in chunks],
        [
            [(start + shift, end + shift) for start, end in chunk.sentences]
            for chunk, shift in zip(chunks, shifts, strict=True)
        ],
    )
