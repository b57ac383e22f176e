"""Models chosen by the user, through sentence-transformers."""

import logging
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from timelens.config import EmbedderSettings, RerankerSettings
from timelens.embedding.base import (
    EmbedderIdentity,
    EncodedDocuments,
    Span,
    Vectors,
    in_slices,
    loading,
    one_thread,
    pooled,
    refuse_pickles,
    unit,
    weights_sha256,
)

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

# Prefixes from the model cards of the families: (for a question, for a document).
_FAMILY_PREFIXES = {
    "e5": ("query: ", "passage: "),
    "bge": ("Represent this sentence for searching relevant passages: ", ""),
    "nomic": ("search_query: ", "search_document: "),
}


class SentenceTransformerEmbedder:
    """An embedder over a sentence-transformers model on this machine.

    The vector of a span is the mean of its token vectors from the same pass over the whole text ("late
    chunking"), so scores of sentences cost no second pass.
    """

    def __init__(self, folder: Path, name: str, settings: EmbedderSettings) -> None:
        self._folder = folder
        self._device = settings.device
        words = re.split(r"[^a-z0-9]+", PurePath(name).name.lower())
        family = next((family for family in _FAMILY_PREFIXES if family in words), "")
        query, document = _FAMILY_PREFIXES.get(family, ("", ""))
        self._query_prefix = query if settings.query_prefix is None else settings.query_prefix
        self._document_prefix = document if settings.document_prefix is None else settings.document_prefix
        self._name = name

    @cached_property
    def _model(self) -> "SentenceTransformer":
        with _loading("embedder", self._folder):
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(
                str(self._folder), device=self._device, trust_remote_code=False, local_files_only=True
            )

    @cached_property
    def identity(self) -> EmbedderIdentity:
        """Name, dimension and weights."""
        weights = weights_sha256(self._folder)
        dimension = self._model.get_embedding_dimension()
        return EmbedderIdentity(self._name, int(dimension or 0), weights, self._document_prefix)

    @property
    def token_limit(self) -> int:
        """Most tokens of a text that the model reads; the rest is cut."""
        return int(self._model.max_seq_length or 512)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text as a document, including special tokens and prefix."""
        if not texts:
            return []
        encoded = self._model.tokenizer(
            [self._document_prefix + text for text in texts], truncation=False, verbose=False
        )
        return [len(ids) for ids in encoded["input_ids"]]

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (queries, dimension)."""
        with one_thread():  # on a busy machine, two threads are tens of times slower for a short text
            return np.asarray(
                self._model.encode(
                    [self._query_prefix + query for query in queries],
                    normalize_embeddings=True,
                    show_progress_bar=False,
                ),
                dtype=np.float32,
            )

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Vectors of texts and of character spans in each; spans are encoded in the context of their text."""
        return in_slices(self._encode_slice, texts, spans, self.identity.dimension)

    def _encode_slice(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        prefix = self._document_prefix
        prefixed = [prefix + text for text in texts]
        outputs = self._model.encode(
            prefixed, output_value=None, normalize_embeddings=True, show_progress_bar=False
        )
        vectors = np.stack([unit(output["sentence_embedding"].float().cpu().numpy()) for output in outputs])
        if outputs[0]["token_embeddings"].shape[-1] != vectors.shape[-1]:
            return EncodedDocuments(vectors, self._encode_spans_alone(texts, spans, vectors))
        offsets = self._model.tokenizer(
            prefixed, truncation=True, max_length=self.token_limit, return_offsets_mapping=True
        )["offset_mapping"]
        of_spans = [
            pooled(
                output["token_embeddings"].float().cpu().numpy(),
                np.asarray(offset),
                text_spans,
                len(prefix),
                vector,
            )
            for output, offset, text_spans, vector in zip(outputs, offsets, spans, vectors, strict=True)
        ]
        return EncodedDocuments(vectors, of_spans)

    def _encode_spans_alone(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], vectors: Vectors
    ) -> list[Vectors]:
        """Encode spans without context, for models whose text and token vectors differ in dimension."""
        pieces = [text[start:end] for text, inside in zip(texts, spans, strict=True) for start, end in inside]
        encoded = (
            self._model.encode(
                [self._document_prefix + piece for piece in pieces],
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            if pieces
            else vectors[:0]
        )
        edges = np.cumsum([len(inside) for inside in spans])[:-1]
        return list(np.split(np.asarray(encoded, dtype=np.float32), edges))


class CrossEncoderReranker:
    """A reranker over a cross-encoder on this machine; texts beyond its limit are truncated."""

    def __init__(self, folder: Path, settings: RerankerSettings) -> None:
        self._folder = folder
        self._device = settings.device

    @cached_property
    def _model(self) -> "CrossEncoder":
        with _loading("reranker", self._folder):
            from sentence_transformers import CrossEncoder

            model = CrossEncoder(
                str(self._folder), device=self._device, trust_remote_code=False, local_files_only=True
            )
            if model.num_labels != 1:
                raise ValueError(f"it gives {model.num_labels} scores to a pair, not one")
            return model

    def relevances(self, question: str, texts: Sequence[str]) -> list[float]:
        """The relevance of each text, in 0..1."""
        from torch.nn import Sigmoid

        pairs = [(question, text) for text in texts]
        if not pairs:
            return []
        scores: list[float] = self._model.predict(
            pairs, activation_fn=Sigmoid(), show_progress_bar=False
        ).tolist()
        return scores


@contextmanager
def _loading(what: str, folder: Path) -> Iterator[None]:
    """Silence the libraries while a model is loaded, and raise their errors as one that names the model.

    Pickled weights are refused. (Callers disable code that comes with a model.)
    """
    refuse_pickles(what, folder)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import transformers

    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    with loading(what, folder):
        yield
