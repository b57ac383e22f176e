"""Sentence vectors from one pass over a chunk ("late chunking"), compared with separately encoded sentences.

Both are made for the first pages of a folder in the BEIR layout whose passages name their page. It prints the
time of the ingest, the size on disk, and the evidence recall of ``timelens`` on the questions that these
pages answer.

    python scripts/sentences.py FOLDER [--pages 40]
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from timelens.bench import beir
from timelens.bench.suite_data import Query
from timelens.config import EmbedderSettings
from timelens.embedding import Embedder, EncodedDocuments, Span, load_embedder
from timelens.ingest.pipeline import ingest_documents
from timelens.question.parse import parse
from timelens.retrieval.request import Request
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import strategy_named
from timelens.store.corpus import CorpusStore
from timelens.temporal.calendar import day_number

KS = (1, 5, 10)
TODAY = day_number(2026, 1, 1)


class Separate:
    """The same model; each sentence is encoded separately."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.identity = embedder.identity
        self.token_limit = embedder.token_limit
        self.count_tokens = embedder.count_tokens
        self.encode_queries = embedder.encode_queries

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Vectors of texts, and of their sentences encoded separately."""
        whole = self._embedder.encode_documents(texts, [() for _ in texts]).vectors
        pieces = [text[start:end] for text, inside in zip(texts, spans, strict=True) for start, end in inside]
        vectors = self._embedder.encode_documents(pieces, [() for _ in pieces]).vectors
        edges = np.cumsum([len(inside) for inside in spans])[:-1]
        return EncodedDocuments(whole, list(np.split(vectors, edges)))


def size_of(folder: Path) -> float:
    """Total size of all files, in megabytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def found(searcher: Searcher, queries: Sequence[Query], relevant: dict[str, set[str]]) -> NDArray[np.bool_]:
    """Whether evidence is among the first k, shape (questions, ks)."""
    rows = []
    for query in queries:
        parsed = parse(query.text, TODAY if query.as_of is None else query.as_of)
        request = Request(parsed, parsed.core, parsed.window, 100)
        hits = strategy_named("timelens").retrieve(request, searcher).hits
        ranking = list(dict.fromkeys(hit.chunk.source_id for hit in hits))
        rows.append([bool(relevant[query.id].intersection(ranking[:k])) for k in KS])
    return np.asarray(rows)


def main() -> None:
    """Print a line for each method."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, metavar="FOLDER")
    parser.add_argument("--pages", type=int, default=40, metavar="N")
    arguments = parser.parse_args()
    dataset = beir.load(arguments.data)
    pages = beir.documents(arguments.data)[: arguments.pages]
    passages = {part.id for page in pages for part in page.parts}
    relevant = {name: set(gold.relevant) & passages for name, gold in dataset.gold.items()}
    queries = [query for query in dataset.queries if relevant[query.id]]
    embedder = load_embedder(EmbedderSettings())
    embedder.encode_queries(["warm"])
    for name, way in (("late chunking", embedder), ("separate", Separate(embedder))):
        with tempfile.TemporaryDirectory() as scratch:
            started = time.perf_counter()
            corpus = Path(scratch) / "corpus"
            store = CorpusStore.create(corpus, way.identity)
            ingest_documents(pages, store, way)
            spent = time.perf_counter() - started
            recall = 100 * found(Searcher(store, way), queries, relevant).mean(axis=0)
            figures = ", ".join(f"ER@{k} {share:.1f}" for k, share in zip(KS, recall, strict=True))
            print(
                f"{name:14} {figures} on {len(queries)} questions; ingested in {spent:.0f} s, "
                f"{size_of(corpus):.0f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
