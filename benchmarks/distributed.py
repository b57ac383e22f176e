"""Ingest on Ray: one worker compared with two on this machine, and the share of time spent writing.

Takes a number of copies (default: 2) of a folder (default: the bundled spaceflight documents). Both are
measured alternately, from the first batch written to the last, so that the start of Ray and the loading of
the embedder do not count; they are printed separately. Needs two idle cores.

    python benchmarks/distributed.py 8
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from timelens.config import EmbedderSettings
from timelens.embedding import Embedder, load_embedder
from timelens.embedding.portable import PortableEmbedder
from timelens.ingest import distributed, pipeline
from timelens.ingest.distributed import Distributed
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import ingest
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument

BUNDLED = Path(__file__).parents[1] / "corpora" / "spaceflight" / "documents"
TURNS = 3
BATCH = 64
"""Chunks per write and bytes per read; smaller than usual, because the folder is small."""
BYTES = 1 << 14


class TimedStore(CorpusStore):
    """A store that records when it was written to, and for how long."""

    written: list[tuple[float, float, int]]

    def write(self, documents: Sequence[EmbeddedDocument]) -> None:
        """Write, and record (begin, end, chunks)."""
        begun = time.perf_counter()
        super().write(documents)
        self.written.append((begun, time.perf_counter(), sum(len(each.chunks) for each in documents)))


@dataclass(slots=True)
class Runs:
    """Runs with the same number of workers."""

    seconds: float = 0
    between: float = 0
    """Seconds from the end of the first batch to the end of the last."""
    writing: float = 0
    """Seconds within ``between`` in which a batch was written."""
    chunks: int = 0
    """Number of chunks written within ``between``."""
    rates: list[float] = field(default_factory=list)

    def add(self, begun: float, written: Sequence[tuple[float, float, int]]) -> None:
        """Add a run."""
        between = written[-1][1] - written[0][1]
        chunks = sum(count for _, _, count in written[1:])
        self.seconds += written[-1][1] - begun
        self.between += between
        self.writing += sum(end - begin for begin, end, _ in written[1:])
        self.chunks += chunks
        self.rates.append(chunks / between)


def measure(folder: Path, place: Path, embedder: Embedder, workers: int, runs: Runs) -> None:
    """One run into a new corpus."""
    store = TimedStore.create(place, embedder.identity)
    store.written = []
    load = PortableEmbedder.of(EmbedderSettings(), embedder.identity, with_files=False)
    begun = time.perf_counter()
    ingest([folder], store, embedder, Intake(read=Distributed(load, embedder.identity, workers=workers)))
    runs.add(begun, store.written)


def main() -> None:
    """Print a line for one worker, one for two, and their ratio."""
    copies = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    documents = Path(sys.argv[2]) if len(sys.argv) > 2 else BUNDLED
    pipeline._CHUNKS_PER_WRITE = BATCH
    distributed._BYTES_AT_ONCE = BYTES
    embedder = load_embedder(EmbedderSettings())
    measured = {1: Runs(), 2: Runs()}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        for number in range(copies):
            shutil.copytree(documents, folder / str(number))
        for turn in range(TURNS):
            for workers, runs in sorted(measured.items(), reverse=turn % 2 == 1):
                measure(folder, Path(scratch) / f"{turn}-{workers}", embedder, workers, runs)
                print(f"  {workers} workers: {runs.rates[-1]:.1f} chunks/s", flush=True)
    for workers, runs in measured.items():
        print(
            f"{workers} workers    {runs.chunks / runs.between:.1f} chunks/s, of the time "
            f"{runs.writing / runs.between:.1%} writing; "
            f"{(runs.seconds - runs.between) / TURNS:.1f} s to begin"
        )
    one, two = (runs.chunks / runs.between for runs in measured.values())
    print(f"two workers against one: {two / one:.2f} ×")


if __name__ == "__main__":
    main()
