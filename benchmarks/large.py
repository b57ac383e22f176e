"""Search of a corpus larger than memory: recall against exact search, latency, memory, sizes, build time.

    nice python benchmarks/large.py 5000000 [--folder build/large]
    nice python benchmarks/large.py 1000000 --folder build/large --step compare   # other kinds of index

Generates that many chunks directly into the tables of a corpus, a million at a time. A named folder is kept:
its content is used again, and completed if necessary. A chunk has one sentence of ten words, one or two
events, and a vector near those of a hundred other chunks. The variances of the vectors fall as 1 / rank,
which makes them harder to distinguish than vectors of the bundled encoder over the bundled texts
(participation ratio 26 compared with 14). Query vectors are further from their topics than chunk vectors.

The exact results come from one pass over all stored vectors with NumPy. Latencies are medians over the
queries, after a first query that is not counted. Each step is a separate process, whose peak memory is
printed. For up to two million chunks, the thresholds at which LanceDB searches are lowered.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
from generated.chunks import IDENTITY, VOCABULARY, Maker, near_topics, topics_of

from timelens.embedding import EncodedDocuments, Span, Vectors
from timelens.question.parse import parse
from timelens.retrieval.request import Request
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import strategy_named
from timelens.store import vector_index, view
from timelens.store.arrays import EventLists, matrix
from timelens.store.corpus import CorpusStore
from timelens.store.database import connect
from timelens.store.schema import CHUNKS, DOCUMENTS
from timelens.store.vector_index import make_vector_index
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, year_interval

AT_ONCE = 2**16
"""Number of rows generated at a time."""
A_COMMIT = 2**20
"""Rows per commit and per fragment; smaller fragments are rewritten when they are merged."""
YEARS = (1, 10, None)
"""Length of the time window in years, of a hundred; ``None`` for no window."""
CUTS = (10, 100)
QUESTIONS, SCANNED = 41, 6
"""Number of queries with the index, and with exact search; the first is not counted."""
ADDED = 20_000
"""Number of chunks that a later run adds."""
TODAY = day_number(2026, 1, 1)


def generate(path: Path, count: int) -> None:
    """Generate a corpus of ``count`` chunks, or its missing part."""
    CorpusStore.create(path, IDENTITY)
    chunks = connect(path).open_table(CHUNKS)
    maker = Maker.made(count, chunks.schema)
    while (done := chunks.count_rows()) < count:
        began, end = time.perf_counter(), min(done + A_COMMIT, count)
        batches = (maker.chunks(at, min(AT_ONCE, end - at)) for at in range(done, end, AT_ONCE))
        chunks.add(pa.RecordBatchReader.from_batches(chunks.schema, batches), write_parallelism=1)
        print(f"{end:,} chunks, {time.perf_counter() - began:.0f} s for the last {end - done:,}", flush=True)
    documents = connect(path).open_table(DOCUMENTS)
    if not documents.count_rows():
        documents.add(maker.documents(0, count))


@dataclass(frozen=True, slots=True)
class Question:
    """A query, about some years or none."""

    text: str
    core: str
    vector: Vectors
    windows: tuple[Interval, ...]


class Asked:
    """Stands in for an embedder: returns the known vectors of the queries."""

    identity = IDENTITY
    token_limit = 256

    def __init__(self, asked: Sequence[Question]) -> None:
        self._known = {question.core: question.vector for question in asked}

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of words of each text."""
        return [len(text.split()) for text in texts]

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """The vectors of queries."""
        return np.stack([self._known[query] for query in queries])

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Not needed: chunks are stored with their vectors."""
        raise NotImplementedError


def questions(count: int, years: int | None) -> list[Question]:
    """Queries for a corpus of ``count`` chunks, with the same vectors and words for any ``years``."""
    chance = np.random.default_rng(11)
    vectors = near_topics(chance, topics_of(count), QUESTIONS, 0.9)
    ranks = np.exp(chance.random((QUESTIONS, 5)) * np.log(VOCABULARY)).astype(int)
    begun = chance.integers(1900, 1990, QUESTIONS).tolist()
    asked = []
    for vector, words, first in zip(vectors, ranks, begun, strict=True):
        core = "Which " + " ".join(f"w{rank}" for rank in words)
        if years is None:
            asked.append(Question(f"{core}?", core, vector, ()))
            continue
        when = f"in {first}" if years == 1 else f"from {first} to {first + years - 1}"
        asked.append(Question(f"{core} {when}?", core, vector, (year_interval(first, first + years - 1),)))
    return asked


def right(path: Path, count: int) -> dict[int | None, list[list[int]]]:
    """Row ids of the nearest chunks inside each query's window, by years; cached beside the corpus."""
    kept = path.with_suffix(".right.json")
    if kept.exists():
        return {years: json.loads(kept.read_text())[str(years)] for years in YEARS}
    asked = {years: questions(count, years) for years in YEARS}
    vectors = np.stack([question.vector for question in asked[None]])
    none = np.zeros(0), np.zeros(0, np.int64)
    best = {years: [none] * QUESTIONS for years in YEARS}
    table = connect(path).open_table(CHUNKS)
    query = table.search().select(["vector", "events"]).with_row_id(with_row_id=True)
    for batch in query.to_batches(batch_size=8192):
        rows = batch["_rowid"].to_numpy().astype(np.int64)
        dated = EventLists.read(pa.Table.from_batches([batch]))
        scores = matrix(batch["vector"]) @ vectors.T
        for years in YEARS:
            for number, question in enumerate(asked[years]):
                found, known = best[years][number]
                least = found[-1] if len(found) == CUTS[-1] else -2.0
                near = scores[:, number] > least
                if question.windows and near.any():
                    near &= dated.inside(question.windows)
                together = np.concatenate([found, scores[near, number]])
                order = np.argsort(-together, kind="stable")[: CUTS[-1]]
                best[years][number] = together[order], np.concatenate([known, rows[near]])[order]
    result = {years: [known.tolist() for _, known in best[years]] for years in YEARS}
    kept.write_text(json.dumps({str(years): known for years, known in result.items()}))
    return result


T = TypeVar("T")


@dataclass(slots=True)
class Spent:
    """Milliseconds of calls, by name."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def timed(self, name: str, call: Callable[[], T]) -> T:
        """The result of a call, whose time is recorded."""
        begun = time.perf_counter()
        result = call()
        self.times[name].append(1000 * (time.perf_counter() - begun))
        return result

    def __str__(self) -> str:
        """The medians without the first calls, and the first calls."""
        return ", ".join(
            f"{name} {statistics.median(times[1:]):.0f} ms (the first {times[0]:.0f})"
            for name, times in self.times.items()
        )


def ask(path: Path, count: int) -> None:
    """Print recall and latencies with the index, by years."""
    expected = right(path, count)
    strategy = strategy_named("timelens")
    for years in YEARS:
        asked = questions(count, years)
        store = CorpusStore(path)
        searcher = Searcher(store, Asked(asked))
        spent = Spent()
        recalls: dict[int, list[float]] = {cut: [] for cut in CUTS}
        with store.searching() as searched:
            for question, known in zip(asked, expected[years], strict=True):
                near = partial(searched.nearest, question.vector, CUTS[-1], question.windows)
                found = [row for row, _ in spent.timed("nearest", near)]
                for cut in CUTS:
                    recalls[cut].append(len(set(found[:cut]) & set(known[:cut])) / len(known[:cut]))
                spent.timed("words", partial(searched.matching, question.core, CUTS[-1], question.windows))
        for question in asked:
            window = question.windows[0] if question.windows else None
            request = Request(parse(question.text, TODAY), question.core, window, 10)
            spent.timed("retrieval", partial(strategy.retrieve, request, searcher))
        means = [f"recall@{cut} {100 * statistics.mean(one):.1f} %" for cut, one in recalls.items()]
        means.append(f"the least {100 * min(recalls[CUTS[-1]]):.0f} %")
        print(f"{years or 'all'} years: {', '.join(means)}; {spent}", flush=True)


def compare(path: Path, count: int) -> None:
    """Print size, build time and recall of other kinds of index, each replacing the one before."""
    expected = right(path, count)
    store = CorpusStore(path)
    for name, config in KINDS.items():
        clocked(name, partial(store._chunks.create_index, vector_index.VECTOR, config=config()))
        size = next(one.size_bytes for one in store._chunks.list_indices() if one.columns == ["vector"])
        print(f"{name}: {size / count:.0f} bytes a chunk", flush=True)
        for refined, partitions in COMPARED:
            vector_index._REFINED, vector_index._ALL = refined, partitions
            found = []
            for years in YEARS:
                spent, recalls = Spent(), []
                with store.searching() as searched:
                    for question, known in zip(questions(count, years), expected[years], strict=True):
                        near = partial(searched.nearest, question.vector, CUTS[-1], question.windows)
                        rows = {row for row, _ in spent.timed("nearest", near)}
                        recalls.append(len(rows & set(known)) / len(known))
                found.append(f"{years or 'all'} years {100 * statistics.mean(recalls):.1f} %, {spent}")
            where = f"{partitions} partitions" if partitions else "all partitions"
            print(f"{refined} compared for one, {where}: {'; '.join(found)}", flush=True)


def scan(path: Path, count: int) -> None:
    """Print latencies without the index, by years."""
    for years in YEARS:
        spent = Spent()
        exact = view.View(connect(path).open_table(CHUNKS), path)
        exact._has_vector_index = False
        for question in questions(count, years)[:SCANNED]:
            spent.timed("exact", partial(exact.nearest, question.vector, CUTS[-1], question.windows))
        print(f"{years or 'all'} years: {spent}", flush=True)


def index(path: Path, count: int) -> None:  # noqa: ARG001 -- the signature of all steps
    """Build all indexes, as an ingest does; print times and sizes."""
    store = CorpusStore(path)
    clocked("words, days, documents", store._chunks.optimize)
    clocked("vectors", partial(make_vector_index, store._chunks))
    clocked("a run with nothing new", store.settle)
    for one in store._chunks.list_indices():
        print(f"{one.name}: {one.size_bytes / 1e9:.2f} GB", flush=True)
    print(f"all files: {store.size() / 1e9:.2f} GB", flush=True)


def extend(path: Path, count: int) -> None:
    """Print the time to add chunks later and their cost in a search before they are indexed; remove them."""
    store = CorpusStore(path)
    maker = Maker.made(count, store._chunks.schema)
    documents = maker.documents(count, ADDED)
    store._chunks.add(pa.Table.from_batches([maker.chunks(count, ADDED)]))
    store._documents.add(documents)
    for state in ("not indexed yet", "indexed"):
        spent = Spent()
        with store.searching() as searched:
            for question in questions(count, None):
                spent.timed("nearest", partial(searched.nearest, question.vector, CUTS[-1]))
        print(f"{ADDED:,} later chunks, {state}: {spent}", flush=True)
        clocked("a run that indexes them", store.settle)
    store.remove(documents["id"].to_pylist())


def clocked(name: str, call: Callable[[], object]) -> None:
    """Print how long a call takes."""
    begun = time.perf_counter()
    call()
    print(f"{name}: {time.perf_counter() - begun:.0f} s", flush=True)


def main() -> None:
    """Generate, index and ask, each in a separate process."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "count", type=int, metavar="N", nargs="?", default=200_000, help="Chunks, a multiple of 50"
    )
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--step", choices=(*STEPS, "compare"), help="Only this one; needs a folder")
    arguments = parser.parse_args()
    count: int = arguments.count
    if arguments.step:
        vector_index.INDEXED = min(vector_index.INDEXED, count - 1)
        view.IN_MEMORY = min(view.IN_MEMORY, count - 1)
        {**STEPS, "compare": compare}[arguments.step](arguments.folder / "corpus", count)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{arguments.step}: at most {peak:.2f} GiB; load {os.getloadavg()[0]:.1f}", flush=True)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or Path(scratch)
        for step in STEPS:
            command = [sys.executable, __file__, str(count), "--folder", str(folder), "--step", step]
            subprocess.run(command, check=True)


def rabit(bits: int) -> object:
    """An index with ``bits`` bits per number."""
    from lancedb.index import IvfRq

    return IvfRq(distance_type="cosine", num_bits=bits)


def product() -> object:
    """An index with one byte for eight numbers."""
    from lancedb.index import IvfPq

    return IvfPq(distance_type="cosine", num_sub_vectors=IDENTITY.dimension // 8)


KINDS: Mapping[str, Callable[[], object]] = {
    "IVF_RQ, 1 bit": partial(rabit, 1),
    "IVF_RQ, 2 bits": partial(rabit, 2),
    "IVF_PQ": product,
}
COMPARED = ((5, 0), (10, 0), (10, 100))
"""Vectors compared per result, and partitions searched (0: all)."""

STEPS: Mapping[str, Callable[[Path, int], object]] = {
    "generate": generate,
    "index": index,
    "right": right,
    "ask": ask,
    "scan": scan,
    "extend": extend,
}

if __name__ == "__main__":
    main()
