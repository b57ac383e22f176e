"""Single bits of a corpus that are flipped, to see whether they are found and repaired."""

import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from timelens.embedding import Embedder
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import ingest
from timelens.ingest.repair import repair, verify
from timelens.store.corpus import CorpusStore

_DOCUMENTS = Path(__file__).parent / "cli" / "documents"
_RECORDS = '{{"id": "r{0}", "text": "Record {0} says that the pier was mended in 19{0}.", "date": "19{0}"}}'


def made(place: Path, embedder: Embedder) -> Path:
    """A corpus of several kinds of files, written to three times, so that it has old versions."""
    files, corpus = place / "files", place / "corpus"
    shutil.copytree(_DOCUMENTS, files)
    (files / "records.jsonl").write_text("\n".join(_RECORDS.format(number) for number in range(20, 32)))
    (files / "gone.txt").write_text("This was taken away in 1999.")
    store = CorpusStore.create(corpus, embedder.identity)
    ingest([files], store, embedder)
    (files / "gone.txt").unlink()
    (files / "new.html").write_text("<title>Quay</title><p>The quay was built in 1950. It is long.</p>")
    ingest([files], store, embedder, Intake(sync=True))
    (files / "new.html").write_text("<title>Quay</title><p>The quay was built in 1951. It is long.</p>")
    ingest([files], store, embedder)
    return corpus


def content(corpus: Path, embedder: Embedder) -> tuple[Any, ...]:
    """All rows of both tables, and what searches find.

    Scores of keyword search are left out: they depend on rows deleted before the index was last made.
    """
    store = CorpusStore(corpus)
    documents, chunks = (
        sorted(table.search().to_arrow().to_pylist(), key=lambda row: str(row["id"]))
        for table in (store._documents, store._chunks)
    )
    nearest = store.dense(embedder.encode_queries(["the ferry fare"])[0], 50)
    matching = [store.keyword(words, 50) for words in ("ferry fare", "keeper of the pier", "built quay")]
    ids = [sorted(hit.chunk.id for hit in hits) for hits in matching]
    return documents, chunks, [(hit.chunk.id, round(hit.score, 4)) for hit in nearest], ids


def flip(file: Path, bit: int) -> None:
    """Change one bit of a file."""
    raw = bytearray(file.read_bytes())
    raw[bit // 8] ^= 1 << (bit % 8)
    file.write_bytes(raw)


def flips(corpus: Path, embedder: Embedder, count: int, seed: int) -> Counter[tuple[str, str]]:
    """What becomes of so many flips, each in a copy of its own, by kind of file.

    Every other one falls on any byte of all files, the others on any file, lest small ones are left out.
    """
    chance, outcomes = random.Random(seed), Counter[tuple[str, str]]()
    wanted = content(corpus, embedder)
    copy = corpus.with_name("flipped")
    for number in range(count):
        shutil.copytree(corpus, copy)
        files = sorted(file for file in copy.rglob("*") if file.is_file() and file.stat().st_size)
        sizes = [file.stat().st_size for file in files] if number % 2 else [1] * len(files)
        (file,) = chance.choices(files, sizes)
        bit = chance.randrange(8 * file.stat().st_size)
        flip(file, bit)
        kind = "/".join(file.relative_to(copy).parts[:2])
        outcomes[kind, _outcome(copy, embedder, wanted)] += 1
        shutil.rmtree(copy)
    return outcomes


def _outcome(corpus: Path, embedder: Embedder, wanted: tuple[Any, ...]) -> str:
    if verify(corpus).is_fine:
        return "not found"
    repaired = repair(corpus, embedder)
    again = verify(corpus)
    if not (repaired.is_fine and again.is_fine) or again.found.interrupted:
        return "found and not repaired"
    return "repaired" if content(corpus, embedder) == wanted else "repaired to something else"
