import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from timelens.config import Settings
from timelens.corpus import Corpus
from timelens.embedding import Embedder
from timelens.errors import MissingError
from timelens.store.corpus import CorpusStore

DOCUMENTS = 240
KILLS = 4

INGEST = """
import sys
from pathlib import Path
from timelens.corpus import Corpus
from timelens.config import Settings
from timelens.errors import TimelensError
from timelens.ingest import pipeline
pipeline._CHUNKS_PER_WRITE = 16
try:
    report = Corpus(Path(sys.argv[2]), Settings()).ingest(
        [sys.argv[1]], on_progress=lambda step: print(step.chunks_stored, flush=True)
    )
except TimelensError as error:
    print(error.message, file=sys.stderr)
    sys.exit(int(error.exit_code))
print("done", report.added, report.updated, report.unchanged, report.failed)
"""

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("home")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "documents"
    path.mkdir()
    for number in range(DOCUMENTS):
        (path / f"{number:03}.md").write_text(
            f"---\ndate: {1900 + number % 120}\n---\nReport {number} speaks of harbour{number}. It was quiet."
        )
    return path


def start(folder: Path, corpus: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INGEST, str(folder), str(corpus)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1"},
    )


def kill_after(process: subprocess.Popen[str], chunks: int, delay: float) -> None:
    """Kill it a moment after it reports so many stored chunks."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip().isdigit() and int(line) >= chunks:
            break
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def stored(path: Path, embedder: Embedder) -> dict[str, str]:
    """Text by document id; fails on a document that is there twice."""
    store = CorpusStore(path)
    found = store.dense(embedder.encode_queries(["harbour"])[0], 10 * DOCUMENTS)
    texts = {hit.chunk.document_id: hit.chunk.text for hit in found}
    assert len(texts) == len(found)
    return texts


def expected(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text().split("---\n")[-1] for file in folder.iterdir()}


def test_an_ingest_that_is_killed_again_and_again_loses_and_doubles_nothing(
    folder: Path, tmp_path: Path, embedder: Embedder
) -> None:
    chance = random.Random(20261120)
    path = tmp_path / "corpus"
    before = 0
    for kill in range(KILLS):
        kill_after(start(folder, path), 16 * (kill % 3), chance.uniform(0, 0.7))
        try:
            whole = expected(folder)
            now = {
                name: text
                for name, text in stored(path, embedder).items()
                if name in CorpusStore(path).content_hashes()
            }
        except MissingError:
            continue  # killed before there was a corpus
        assert all(whole[name] == text for name, text in now.items())
        assert len(now) >= before
        before = len(now)
    resumed, error = start(folder, path).communicate(timeout=300)
    assert resumed.splitlines()[-1] == f"done {DOCUMENTS - before} 0 {before} 0", error
    assert stored(path, embedder) == expected(folder)
    again, error = start(folder, path).communicate(timeout=300)
    assert again.splitlines()[-1] == f"done 0 0 {DOCUMENTS} 0", error
    hits = Corpus(path, Settings()).search("harbour123", as_of=0, strategy="bm25", k=3).hits
    assert [hit.chunk.document_id for hit in hits] == ["123.md"]


def test_changed_documents_are_whole_after_a_kill_and_done_again(
    folder: Path, tmp_path: Path, embedder: Embedder
) -> None:
    path = tmp_path / "corpus"
    start(folder, path).communicate(timeout=300)
    old = expected(folder)
    for file in folder.iterdir():
        file.write_text(file.read_text() + " Then it was changed.")
    new = expected(folder)
    for delay in (0.0, 0.15):
        kill_after(start(folder, path), 16, delay)
        now = stored(path, embedder)
        assert now.keys() == old.keys()
        assert all(text in (old[name], new[name]) for name, text in now.items())
    last, error = start(folder, path).communicate(timeout=300)
    assert last.splitlines()[-1].startswith("done 0 "), error
    assert stored(path, embedder) == new
    for file in folder.iterdir():
        file.write_text(f"---\ndate: 1950\n---\n{old[file.name]}")
    start(folder, path).communicate(timeout=300)
    assert stored(path, embedder) == old


def test_of_two_that_ingest_at_once_one_works_and_the_other_says_why_it_does_not(
    folder: Path, tmp_path: Path, embedder: Embedder
) -> None:
    path = tmp_path / "corpus"
    first, second = start(folder, path), start(folder, path)
    with ThreadPoolExecutor(2) as pool:
        outputs = list(pool.map(lambda process: process.communicate(timeout=300), (first, second)))
    codes = [first.returncode, second.returncode]
    assert sorted(codes) in ([0, 0], [0, 4]), outputs
    for code, (_, error) in zip(codes, outputs, strict=True):
        if code:
            assert "another process is writing to" in error
    assert stored(path, embedder) == expected(folder)


def test_readers_go_on_reading_while_documents_come_in(
    folder: Path, tmp_path: Path, embedder: Embedder
) -> None:
    path = tmp_path / "corpus"
    embedder.encode_queries(["loaded before the other process begins"])
    process = start(folder, path)
    sizes: list[int] = []
    while process.poll() is None:
        try:
            sizes.append(len(stored(path, embedder)))
        except MissingError:
            time.sleep(0.1)
    output, error = process.communicate()
    assert output.splitlines()[-1] == f"done {DOCUMENTS} 0 0 0", error
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 2
    assert len(stored(path, embedder)) == DOCUMENTS
