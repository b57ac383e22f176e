"""The bundled embedder: all-MiniLM-L6-v2, in numpy for questions and in torch for documents."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from timelens.bert.encoder_files import WEIGHTS, arrays_of, tokenizer_of
from timelens.bert.in_numpy import NumpyOperations, one_thread
from timelens.bert.network import hidden_of
from timelens.config import BUNDLED_EMBEDDER, EmbedderSettings
from timelens.embedding.base import (
    EmbedderIdentity,
    EncodedDocuments,
    Span,
    Vectors,
    in_slices,
    loading,
    pooled,
    unit,
)
from timelens.encoder_hashes import WEIGHTS_SHA256, check_files, check_weights

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer
    from torch import Tensor

_TOKENS_AT_ONCE = 1536
"""Most tokens of a batch, padding included: about what fits into the caches of one core."""


class BundledEmbedder:
    """The bundled encoder; the vector of a text is the mean of its token vectors.

    The results are those of sentence-transformers with the same weights. The vector of a span is the mean of
    its token vectors from the same pass over the whole text ("late chunking").
    """

    def __init__(self, folder: Path, settings: EmbedderSettings) -> None:
        self._unchecked = folder
        self._device = settings.device
        self._query_prefix = settings.query_prefix or ""
        self._document_prefix = settings.document_prefix or ""

    @cached_property
    def _folder(self) -> Path:
        """The folder of the model, after all files except the weights are checked.

        Raises:
            MissingError: a file cannot be read.
            StoreError: a file is not the published one.
        """
        check_files(self._unchecked)
        return self._unchecked

    @cached_property
    def identity(self) -> EmbedderIdentity:
        """Name, dimension and weights.

        Raises:
            MissingError: a file cannot be read.
            StoreError: a file is not the published one.
        """
        check_weights(self._folder)
        dimension = self._setting("config.json", "hidden_size")
        return EmbedderIdentity(BUNDLED_EMBEDDER, dimension, WEIGHTS_SHA256, self._document_prefix)

    @cached_property
    def token_limit(self) -> int:
        """Most tokens of a text that the model reads; the rest is cut."""
        return self._setting("sentence_bert_config.json", "max_seq_length")

    def _setting(self, file: str, name: str) -> int:
        with loading("embedder", self._folder):
            return int(json.loads((self._folder / file).read_text(encoding="utf-8"))[name])

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        """The tokenizer without truncation and padding."""
        with loading("embedder", self._folder):
            return tokenizer_of(self._folder)

    @cached_property
    def _cutting(self) -> "Tokenizer":
        """The tokenizer with truncation at the token limit."""
        with loading("embedder", self._folder):
            tokenizer = tokenizer_of(self._folder)
        tokenizer.enable_truncation(self.token_limit)
        return tokenizer

    @cached_property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        with loading("embedder", self._folder):
            return arrays_of(self._folder / WEIGHTS)

    @cached_property
    def _tensors(self) -> "dict[str, Tensor]":
        with loading("embedder", self._folder):
            from timelens.bert.in_torch import weights_of

            return weights_of(self._folder, self._device)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text as a document, including special tokens and prefix."""
        encoded = self._tokenizer.encode_batch([self._document_prefix + text for text in texts])
        return [len(each.ids) for each in encoded]

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (queries, dimension)."""
        vectors = np.zeros((len(queries), self.identity.dimension), np.float32)
        with one_thread():
            for row, query in enumerate(queries):
                ids = np.asarray([self._cutting.encode(self._query_prefix + query).ids])
                hidden = hidden_of(NumpyOperations(), self._arrays, ids, np.ones_like(ids, np.bool_))
                vectors[row] = unit(hidden[0].mean(axis=0))
        return vectors

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Vectors of texts and of character spans in each; spans are encoded in the context of their text."""
        prefixed = [self._document_prefix + text for text in texts]
        return in_slices(self._encode, prefixed, spans, self.identity.dimension)

    def _encode(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Vectors of prefixed texts and of their spans; the spans are relative to the end of the prefix."""
        shift = len(self._document_prefix)
        encoded = self._cutting.encode_batch(list(texts))
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index].ids))
        vectors = np.zeros((len(texts), self.identity.dimension), np.float32)
        of_spans = [vectors[:0]] * len(texts)
        for part in _batches(order, [len(each.ids) for each in encoded]):
            tokens = self._tokens([encoded[index] for index in part])
            for index, row in zip(part, tokens, strict=True):
                one = encoded[index]
                own = row[: len(one.ids)]
                vectors[index] = unit(own.mean(axis=0))
                of_spans[index] = pooled(own, np.asarray(one.offsets), spans[index], shift, vectors[index])
        return EncodedDocuments(vectors, of_spans)

    def _tokens(self, encoded: "Sequence[Encoding]") -> NDArray[np.float32]:
        """The token vectors of texts, shape (texts, tokens of the longest, dimension)."""
        import torch

        from timelens.bert.in_torch import TorchOperations

        ids = torch.zeros(len(encoded), max(len(one.ids) for one in encoded), dtype=torch.long)
        there = torch.zeros_like(ids, dtype=torch.bool)
        for row, one in enumerate(encoded):
            ids[row, : len(one.ids)] = torch.tensor(one.ids)
            there[row, : len(one.ids)] = True
        with torch.inference_mode():
            device = next(iter(self._tensors.values())).device
            hidden = hidden_of(TorchOperations(), self._tensors, ids.to(device), there.to(device))
            found: NDArray[np.float32] = hidden.cpu().numpy()
        return found


def _batches(order: Sequence[int], lengths: Sequence[int]) -> Iterator[Sequence[int]]:
    """Parts of ``order``, which is by length, each with at most ``_TOKENS_AT_ONCE`` tokens or one text."""
    first = 0
    for last, index in enumerate(order):
        if last > first and (last + 1 - first) * lengths[index] > _TOKENS_AT_ONCE:
            yield order[first:last]
            first = last
    if first < len(order):
        yield order[first:]
