"""Three hundred kills at commits and indexes, and between: nothing is lost, doubled or taken for damage."""

import multiprocessing
import os
import random
import shutil
import signal
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from earlier_store import write_version_3
from killing import CHANGES, EMBEDDER, run

from timelens.documents import Document
from timelens.errors import MissingError, StoreError
from timelens.ingest.annotate import annotate
from timelens.ingest.encoded_documents import encode_chunks
from timelens.ingest.repair import verify
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import REPAIRED
from timelens.store.rows import EmbeddedDocument

KILLS = int(os.environ.get("TIMELENS_TEST_KILLS", "300"))
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["killing_warm"])
NOT_REACHED = "ended before"
Rows = list[dict[str, Any]]


def fill(folder: Path, first: int, last: int, said: str) -> None:
    folder.mkdir(exist_ok=True)
    for number in range(first, last):
        (folder / f"{number}.md").write_text(
            f"---\ndate: {1900 + number}\n---\nReport {number} speaks of {said}. It was quiet."
        )
    lines = [
        f'{{"id": "r{number}", "text": "Record {number} of {said} in 19{number:02}."}}' for number in range(6)
    ]
    (folder / "records.jsonl").write_text("\n".join(lines))


def content(corpus: Path) -> tuple[Rows, Rows]:
    """All rows of both tables, by id."""
    store = CorpusStore(corpus)
    tables = (store._documents, store._chunks)
    documents, chunks = (
        sorted(t.search().to_arrow().to_pylist(), key=lambda row: str(row["id"])) for t in tables
    )
    assert len({row["id"] for row in documents}) == len(documents)
    assert len({row["id"] for row in chunks}) == len(chunks)
    assert store.keyword("quiet", 100) or not chunks
    return documents, chunks


class Scene:
    """What a change starts from, and what it comes to when nothing disturbs it."""

    def __init__(self, change: str, place: Path) -> None:
        self.change, self.place = change, place
        self.folder, self.start = place / "in", place / "start"
        self.folder.mkdir(parents=True)
        if change != "make":
            fill(self.folder, 0, 12, "the harbour")
            self._begin()
        before = {row["id"] for row in content(self.start)[0]} if self.start.exists() else set()
        self._alter()
        end = place / "end"
        assert not self.run(end, "none")
        self.boundaries, self.files = map(int, (place / "counts").read_text().split())
        self.end = content(end) if end.exists() else None
        self.kept = before & {row["id"] for row in self.end[0]} if self.end else set()

    def _begin(self) -> None:
        if self.change == "migrate":
            documents = []
            for file in sorted(self.folder.glob("*.md")):
                text = file.read_text().split("---\n")[-1]
                made = annotate(Document(file.name, str(file), file.stem, text, "earlier"), EMBEDDER)
                documents.append(
                    EmbeddedDocument(made.document, made.chunks, encode_chunks(EMBEDDER, made.chunks))
                )
            write_version_3(self.start, EMBEDDER.identity, documents)
        else:
            CHANGES["make"](self.folder, self.start)

    def _alter(self) -> None:
        if self.change in {"make", "add", "migrate"}:
            fill(self.folder, 0 if self.change == "make" else 8, 20, "the harbour")
        elif self.change == "change":
            fill(self.folder, 0, 12, "the pier")
        elif self.change == "sync":
            for number in range(8):
                (self.folder / f"{number}.md").unlink()
        elif self.change == "compact":
            fill(self.folder, 10, 14, "the pier")
            CHANGES["add"](self.folder, self.start)
        elif self.change == "repair":
            for file in sorted((self.start / "documents.lance" / "data").iterdir()):
                content_of = bytearray(file.read_bytes())
                content_of[len(content_of) // 3] ^= 1
                file.write_bytes(content_of)

    def run(self, corpus: Path, when: str, number: int = 0) -> bool:
        """Make the change in a process of its own. Returns whether that was killed."""
        if self.start.exists() and not corpus.exists():
            shutil.copytree(self.start, corpus)
        counts = self.place / "counts"
        process = PROCESSES.Process(target=run, args=(self.change, self.folder, corpus, when, number, counts))
        process.start()
        process.join(240)
        assert process.exitcode in {0, -signal.SIGKILL}
        return process.exitcode != 0

    def moments(self) -> list[tuple[str, int]]:
        """Before and after each boundary, and at each new file."""
        counts = {"before": self.boundaries, "after": self.boundaries, "file": self.files}
        return [(when, number) for when, count in counts.items() for number in range(1, count + 1)]

    def check_killed(self, corpus: Path) -> str:
        """What a killed run left is no damage, and nothing is lost. Returns what state it is in."""
        if (corpus / REPAIRED).exists():
            with pytest.raises(StoreError, match="was interrupted"):
                CorpusStore(corpus)
            return "exchange cut short"
        try:
            verified = verify(corpus)
        except MissingError:
            assert self.change in {"make", "remove"}
            return "no corpus"
        if self.change == "remove":
            return "in part removed"
        if self.change == "repair":
            return "fine" if verified.is_fine else "damaged as before"
        assert verified.is_fine, verified
        rows, chunks = content(corpus)
        assert self.kept <= {row["id"] for row in rows}
        assert self.kept <= {row["document_id"] for row in chunks}
        return "interrupted" if verified.found.interrupted else "whole"

    def check_repeated(self, corpus: Path) -> None:
        """The same change, made again, comes to the same as one that nothing disturbed."""
        if self.change == "remove" and not list(corpus.glob("*.lance")):
            return
        CHANGES[self.change](self.folder, corpus)
        if self.change == "remove":
            assert not corpus.exists()
            return
        verified = verify(corpus)
        assert verified.is_fine, verified
        assert not verified.found.interrupted
        assert not verified.found.unfinished
        assert content(corpus) == self.end


@pytest.mark.long
@pytest.mark.usefixtures("home")
def test_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    scenes = [Scene(change, tmp_path / change) for change in CHANGES]
    moments = [(scene, moment) for scene in scenes for moment in scene.moments()]
    random.Random(20261121).shuffle(moments)
    drawn = iter(enumerate(cycle(moments)))
    seen: Counter[tuple[str, str, str]] = Counter()
    while sum(count for (_, _, state), count in seen.items() if state != NOT_REACHED) < KILLS:
        number, (scene, moment) = next(drawn)
        corpus = scene.place / f"killed-{number}"
        state = scene.check_killed(corpus) if scene.run(corpus, *moment) else NOT_REACHED
        seen[scene.change, moment[0], state] += 1
        print(number, scene.change, *moment, state, flush=True)  # noqa: T201 -- in a long run
        scene.check_repeated(corpus)
        shutil.rmtree(corpus, ignore_errors=True)
    for (change, when, state), count in sorted(seen.items()):
        print(f"{change:8} {when:6} {state:18} {count}")  # noqa: T201 -- the figures are what it is for
