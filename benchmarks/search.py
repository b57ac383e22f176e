"""Search with ``timelens`` compared with NumPy over the same generated chunks, in one run, without the model.

The baseline is a minimal search by time, meaning and words: a mask over days, a dot product, BM25, and the
best hundred of both. There are two baselines: *least* compares only the vectors inside the mask, with BM25
over an inverted index in memory; *plain* compares all vectors, with LanceDB's BM25. Budget: the median
retrieval takes at most twice the baseline, and at 1,000,000 chunks at most 6 times its time at 100,000. The
window of each question admits 1 % of the chunks. A whole question (parsed, planned, retrieved step by step)
is timed too, as are questions about two and four years, which should take at most two and four times as long.

    python benchmarks/search.py [--sizes 10000 100000] [--vector-index]

``--vector-index`` also measures LanceDB's scan and its IVF index, for dense search only.
"""

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from timelens.agent import gather
from timelens.documents import Chunk, Document, Event, EventSource
from timelens.embedding import EmbedderIdentity, EncodedDocuments, Span, Vectors
from timelens.question.parse import parse
from timelens.retrieval.request import Request
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import strategy_named
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.interval import Granularity, Interval
from timelens.words import topic_words

DIMENSION = 384
TOPICS = 500
VOCABULARY = 20_000
SENTENCES, WORDS = 4, 12
"""Sentences per chunk, and words per sentence; the first sentence states a day."""
PER_DOCUMENT, WRITES = 20, 25
FIRST_YEAR, YEARS = 1900, 100
QUESTIONS = 60
SEVERAL = (2, 4)
"""Numbers of years that questions name, besides questions about one year."""
LEAST_UP_TO = 250_000
"""Maximum number of chunks for the inverted index in memory."""
CANDIDATES = 100
TODAY = day_number(2026, 1, 1)


class Known:
    """Stands in for an embedder: each text has a known vector, derived from its words."""

    identity = EmbedderIdentity("generated", DIMENSION, "")
    token_limit = 256

    def __init__(self, topics: Vectors) -> None:
        self._topics = topics
        self._known: dict[str, Vectors] = {}

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of words of each text."""
        return [len(text.split()) for text in texts]

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """For each text a topic vector with noise, always the same."""
        for query in queries:
            if query not in self._known:
                chance = np.random.default_rng(list(query.encode()))
                topic = int(chance.integers(len(self._topics)))
                self._known[query] = near(chance, self._topics, np.asarray([topic]))[0]
        return np.stack([self._known[query] for query in queries])

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """Not needed: documents are written with their vectors."""
        raise NotImplementedError


class Plain:
    """A mask over days, a dot product over all vectors, and LanceDB's BM25."""

    def __init__(self, vectors: Vectors, days: NDArray[np.int64], path: Path) -> None:
        import lancedb

        self._vectors = vectors
        self._days = days
        self._table = lancedb.connect(path).open_table("chunks")

    def search(self, vector: Vectors, words: Sequence[str], window: Interval) -> set[int]:
        """Row ids of the best of both kinds; rows are in the order of generation."""
        start, end = window.bounds
        similar = self._vectors @ vector
        similar[(self._days < start) | (self._days >= end)] = -1
        query = self._table.search(" ".join(words), query_type="fts").with_row_id(with_row_id=True)
        inside = query.where(f"`start` < {end} AND `end` > {start}").select(["_score"])
        matches: list[int] = inside.limit(CANDIDATES).to_arrow()["_rowid"].to_pylist()
        return {*first(np.arange(len(similar)), similar), *matches}


class Least:
    """A mask over days, a dot product of the vectors inside it, and BM25 over an inverted index."""

    def __init__(self, vectors: Vectors, days: NDArray[np.int64], texts: Sequence[str]) -> None:
        self._vectors = vectors
        self._days = days
        counts: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        lengths = np.asarray([len(text.split()) for text in texts], dtype=np.float32)
        for number, text in enumerate(texts):
            for word in text.lower().split():
                counts[word][number] += 1
        norms = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())
        self._postings = {}
        for word, found in counts.items():
            where = np.fromiter(found.keys(), dtype=np.int64)
            times = np.fromiter(found.values(), dtype=np.float32)
            rarity = np.log(1 + (len(texts) - len(where) + 0.5) / (len(where) + 0.5))
            self._postings[word] = where, rarity * times * 2.2 / (times + norms[where])

    def search(self, vector: Vectors, words: Sequence[str], window: Interval) -> set[int]:
        """The positions of the best of both kinds."""
        start, end = window.bounds
        inside = np.flatnonzero((self._days >= start) & (self._days < end))
        similar = self._vectors[inside] @ vector
        matches = np.zeros(len(self._days), dtype=np.float32)
        for word in words:
            if word in self._postings:
                where, gain = self._postings[word]
                matches[where] += gain
        return {*first(inside, similar), *first(inside, matches[inside])}


def first(positions: NDArray[np.int64], scores: NDArray[np.float32]) -> list[int]:
    """The positions of the hundred best scores."""
    kept = min(CANDIDATES, len(scores))
    best = np.argpartition(-scores, kept - 1)[:kept]
    found: list[int] = positions[best[np.argsort(-scores[best])]].tolist()
    return found


def near(chance: np.random.Generator, topics: Vectors, chosen: NDArray[np.int64]) -> Vectors:
    """A vector of unit length near each chosen topic."""
    noise = chance.normal(scale=0.7 / np.sqrt(DIMENSION), size=(len(chosen), DIMENSION))
    vectors = topics[chosen] + noise.astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def words(chance: np.random.Generator, count: int) -> list[str]:
    """Words with Zipf frequencies: the n-th in proportion to 1/n."""
    ranks = np.exp(chance.random(count) * np.log(VOCABULARY)).astype(int)
    return [f"w{rank}" for rank in ranks]


def make(
    store: CorpusStore, size: int, topics: Vectors, chance: np.random.Generator
) -> tuple[Vectors, NDArray[np.int64], list[str]]:
    """Fill a corpus; returns the vectors, days and texts of its chunks."""
    start = day_number(FIRST_YEAR, 1, 1)
    days = chance.integers(start, day_number(FIRST_YEAR + YEARS, 1, 1), size)
    vectors = near(chance, topics, chance.integers(0, TOPICS, size))
    texts = []
    batch: list[EmbeddedDocument] = []
    for number, begin in enumerate(range(0, size, PER_DOCUMENT)):
        name = f"d{number}"
        chunks = []
        for ordinal, position in enumerate(range(begin, begin + PER_DOCUMENT)):
            day = int(days[position])
            stated = [" ".join(words(chance, WORDS)) for _ in range(SENTENCES)]
            stated[0] = f"{format_day(day)} {stated[0]}"
            text, spans = "", []
            for sentence in stated:
                spans.append((len(text), len(text) + len(sentence)))
                text += f"{sentence} "
            texts.append(text)
            event = Event(Interval(day, day + 1), 0, EventSource.STATED, 1.0)
            chunks.append(
                Chunk(f"{name}#{ordinal}", name, ordinal, name, name, text, None, tuple(spans), (event,))
            )
        own = vectors[begin : begin + PER_DOCUMENT]
        encoded = EncodedDocuments(own, [np.tile(vector, (SENTENCES, 1)) for vector in own])
        batch.append(EmbeddedDocument(Document(name, name, name, "", name), tuple(chunks), encoded))
        if len(batch) * PER_DOCUMENT * WRITES >= size or begin + PER_DOCUMENT >= size:
            store.write(batch)
            batch = []
    store.settle()
    return vectors, days, texts


def milliseconds(call: Callable[[], object]) -> float:
    """The time of one call."""
    started = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - started)


def median_ms(calls: Sequence[Callable[[], object]]) -> float:
    """Median time of calls, each made once."""
    return statistics.median(map(milliseconds, calls))


def main() -> None:
    """Print both medians and their ratio, for each size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], metavar="N")
    parser.add_argument("--vector-index", action="store_true")
    arguments = parser.parse_args()
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as scratch:
            measure(Path(scratch) / "generated", size, vector_index=arguments.vector_index)


def measure(path: Path, size: int, *, vector_index: bool) -> None:
    """Measure one size and print the result."""
    chance = np.random.default_rng(7)
    centres = chance.normal(size=(TOPICS, DIMENSION)).astype(np.float32)
    topics: Vectors = centres / np.linalg.norm(centres, axis=1, keepdims=True)
    store = CorpusStore.create(path, Known.identity)
    vectors, days, texts = make(store, size, topics, chance)
    others: dict[str, Plain | Least] = {"plain": Plain(vectors, days, path)}
    if size <= LEAST_UP_TO:
        others["least"] = Least(vectors, days, texts)
    asked = questions(chance)
    embedder = Known(topics)
    median = medians(Searcher(store, embedder), others, asked)
    report = [f"{size:>9,} chunks: timelens {median['retrieval']:.1f} ms"]
    for name in others:
        times = median["retrieval"] / median[name]
        report.append(f"{name} {median[name]:.1f} ms: {times:.1f} × (budget 2.0)")
    report.append(f"a whole question {median['whole']:.1f} ms, the first {median['first']:.0f} ms")
    for years in SEVERAL:
        times = median[f"{years} years"] / median["whole"]
        report.append(
            f"about {years} years {median[f'{years} years']:.1f} ms: {times:.1f} × (budget {years}.0)"
        )
    print("; ".join(report), flush=True)
    if vector_index:
        compare_dense(path, store, vectors, embedder.encode_queries([core for _, core, _ in asked]))


def questions(chance: np.random.Generator) -> list[tuple[str, str, Interval]]:
    """Questions about a year, each with its core query and its window."""
    asked = []
    for _ in range(QUESTIONS + 1):
        year = FIRST_YEAR + int(chance.integers(YEARS))
        core = f"Which {' '.join(words(chance, 5))}"
        begin, end = day_number(year, 1, 1), day_number(year + 1, 1, 1)
        asked.append((f"{core} in {year}?", core, Interval(begin, end, Granularity.YEAR)))
    return asked


def about(core: str, window: Interval, years: int) -> str:
    """The question about the year of its window and more years, seven years apart."""
    first = int(format_day(window.start or 0)[:4])
    named = [str(FIRST_YEAR + (first - FIRST_YEAR + 7 * step) % YEARS) for step in range(years)]
    return f"{core} in {', '.join(named[:-1])} and {named[-1]}?"


def medians(
    searcher: Searcher, others: Mapping[str, Plain | Least], asked: Sequence[tuple[str, str, Interval]]
) -> dict[str, float]:
    """Median milliseconds of a retrieval, the baselines and whole questions; and of the first question."""
    strategy = strategy_named("timelens")

    def ours(request: Request) -> object:
        return strategy.retrieve(request, searcher)

    def whole(question: str) -> object:
        return list(gather(question, reference_day=TODAY, searcher=searcher, strategy=strategy, k=10))

    def theirs(other: Plain | Least, core: str, window: Interval) -> object:
        return other.search(searcher.vector(core), list(topic_words(core)), window)

    spent: dict[str, list[float]] = defaultdict(list)
    spent["first"].append(milliseconds(partial(whole, asked[0][0])))
    for other in others.values():
        theirs(other, *asked[0][1:])
    for question, core, window in asked[1:]:  # alternately, so that other load affects all
        request = Request(parse(question, TODAY), core, window, 10)
        spent["retrieval"].append(milliseconds(partial(ours, request)))
        for name, other in others.items():
            spent[name].append(milliseconds(partial(theirs, other, core, window)))
        spent["whole"].append(milliseconds(partial(whole, question)))
        for years in SEVERAL:
            spent[f"{years} years"].append(milliseconds(partial(whole, about(core, window, years))))
    return {name: statistics.median(times) for name, times in spent.items()}


def compare_dense(path: Path, store: CorpusStore, vectors: Vectors, queries: Vectors) -> None:
    """Print the time of the nearest hundred in memory, by LanceDB's scan and by its index, and its recall."""
    import lancedb
    from lancedb.index import IvfPq

    def nearest(query: Vectors) -> list[str]:
        found = table.search(query, vector_column_name="vector").distance_type("cosine")
        names: list[str] = found.select(["id"]).limit(CANDIDATES).to_arrow()["id"].to_pylist()
        return names

    def in_memory(query: Vectors) -> object:
        return np.argpartition(-(vectors @ query), CANDIDATES)

    table = lancedb.connect(path).open_table("chunks")
    memory = median_ms([partial(in_memory, query) for query in queries])
    whole = median_ms([partial(store.dense, query, CANDIDATES) for query in queries])
    scan = median_ms([partial(nearest, query) for query in queries])
    exact = [set(nearest(query)) for query in queries]
    started = time.perf_counter()
    table.create_index("vector", config=IvfPq(distance_type="cosine", num_sub_vectors=48))
    built = time.perf_counter() - started
    index = median_ms([partial(nearest, query) for query in queries])
    shared = [
        len(set(nearest(query)) & right) / CANDIDATES for query, right in zip(queries, exact, strict=True)
    ]
    kept = 100 * statistics.mean(shared)
    print(
        f"{'':>9} nearest {CANDIDATES}: {memory:.1f} ms in memory ({whole:.1f} with the chunks read), "
        f"{scan:.1f} with LanceDB, {index:.1f} with its index, which finds {kept:.0f} % of them "
        f"and takes {built:.0f} s to build",
        flush=True,
    )


if __name__ == "__main__":
    main()
