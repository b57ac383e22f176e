"""Protocols of embedders and rerankers, and functions that the implementations share."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from timelens.errors import MissingError, TimelensError, first_line

Vectors = NDArray[np.float32]
Span = tuple[int, int]

TEXTS_AT_ONCE = 256
"""Number of texts whose token vectors are in memory at the same time, about 100 MB."""
_LIMITING = Lock()
"""Held while torch is limited to one thread."""


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Identity of an embedder. All vectors of a corpus come from embedders with equal identities."""

    name: str
    dimension: int
    weights_sha256: str
    document_prefix: str = ""


@dataclass(frozen=True, slots=True)
class EncodedDocuments:
    """Vectors of texts and of the spans inside them, each of unit length."""

    vectors: Vectors
    """Shape (texts, dimension)."""
    spans: list[Vectors]
    """One array for each text, shape (spans of the text, dimension)."""


def concatenate(parts: Sequence[EncodedDocuments]) -> EncodedDocuments:
    """The parts joined in order."""
    return EncodedDocuments(
        np.concatenate([part.vectors for part in parts]), [rows for part in parts for rows in part.spans]
    )


def in_slices(
    encode: Callable[[Sequence[str], Sequence[Sequence[Span]]], EncodedDocuments],
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    dimension: int,
) -> EncodedDocuments:
    """The result of ``encode``, called with slices of :data:`TEXTS_AT_ONCE` texts to bound memory."""
    if not texts:
        return EncodedDocuments(np.zeros((0, dimension), np.float32), [])
    slices = [slice(first, first + TEXTS_AT_ONCE) for first in range(0, len(texts), TEXTS_AT_ONCE)]
    return concatenate([encode(texts[part], spans[part]) for part in slices])


class Embedder(Protocol):
    """Encodes texts as vectors whose dot product is their similarity."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, dimension and weights."""

    @property
    def token_limit(self) -> int:
        """Most tokens of a text that the model reads; the rest is cut."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text as a document, including special tokens and prefix."""

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (queries, dimension)."""

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Vectors of texts and of character spans in each; spans are encoded in the context of their text."""


class Reranker(Protocol):
    """Scores how well texts answer a question, with both as one input."""

    def relevances(self, question: str, texts: Sequence[str]) -> list[float]:
        """The relevance of each text, in 0..1."""


def pooled(
    tokens: NDArray[np.float32], offsets: NDArray[np.int64], spans: Sequence[Span], shift: int, whole: Vectors
) -> Vectors:
    """The mean of the token vectors of each span, of unit length.

    Args:
        tokens: shape (tokens, dimension), special tokens included.
        offsets: characters of each token, shape (tokens, 2); those of special tokens are empty.
        spans: in characters of the text, without the prefix.
        shift: length of the prefix in characters.
        whole: the vector of the text, used for spans beyond the model's limit.

    Returns:
        Shape (spans, dimension).
    """
    if not spans:
        return np.zeros((0, whole.shape[0]), dtype=np.float32)
    real = offsets[:, 1] > offsets[:, 0]  # special tokens have empty offsets
    starts = offsets[real, 0]
    sums = np.vstack([np.zeros_like(tokens[:1]), np.cumsum(tokens[: len(offsets)][real], axis=0)])
    edges = np.asarray(spans) + shift
    first, last = np.searchsorted(starts, edges[:, 0]), np.searchsorted(starts, edges[:, 1])
    return unit(np.where((last > first)[:, None], sums[last] - sums[first], whole))


def unit(vectors: NDArray[np.float32]) -> Vectors:
    """The vectors normalised to unit length; zero vectors stay zero."""
    norm = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(norm == 0, 1, norm), dtype=np.float32)


def weights_sha256(folder: Path) -> str:
    """The SHA-256 of the weights in a folder.

    Raises:
        MissingError: the folder holds no safetensors weights.
    """
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise MissingError(f"{folder} holds no .safetensors weights", "use a model in safetensors format")
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def refuse_pickles(what: str, folder: Path) -> None:
    """Refuse a model whose weights are in a pickle file, because unpickling can run code.

    Raises:
        MissingError: the model has such a file.
    """
    for file in sorted(folder.rglob("pytorch_model*.bin")):
        if not any(file.parent.glob("*.safetensors")):
            name = file.relative_to(folder)
            raise MissingError(
                f"the {what} in {folder} has weights in a pickle file, which may run code: {name}",
                "use a model whose weights are all in safetensors format",
            )


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit torch to one thread within the context.

    The limit holds for the whole process, so contexts in several threads wait for each other.
    """
    import torch

    with _LIMITING:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


@contextmanager
def loading(what: str, folder: Path) -> Iterator[None]:
    """Raise any error while a model is loaded as one error that names the model.

    Raises:
        MissingError: files are missing or damaged, or the model cannot run on its device.
    """
    try:
        yield
    except TimelensError:
        raise
    except Exception as error:  # the libraries' errors share no base class
        brings_code = any(folder.glob("*.py"))
        raise MissingError(
            f"the {what} in {folder} cannot be loaded: {first_line(error)[:200]}",
            "use a model that needs no code of its own: such code is never run"
            if brings_code
            else f"check {what}.model and {what}.device, or fetch the model again",
        ) from error
