"""Ingesting on a thread of its own, with the real thing."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from textual.message import Message

from timelens.api import open_corpus
from timelens.config import Settings
from timelens.corpus import Corpus
from timelens.errors import StoreError
from timelens.ingest.progress import IngestProgress
from timelens.store.corpus_folder import only_writer
from timelens.tui.ingester import Bringer, IngestAdvanced, IngestEnded, Ingester
from timelens.tui.last_used import keep_last_corpus, last_corpus
from timelens.tui.worker import ApiLibrary

pytestmark = pytest.mark.usefixtures("new_home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    for number in range(3):
        (made / f"{number}.md").write_text(f"# {number}\n\nIn 199{number} it rained.\n")
    return made


class Posted:
    """What was posted, and when the end was."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.over = threading.Event()

    def __call__(self, message: Message) -> None:
        self.messages.append(message)
        if isinstance(message, IngestEnded):
            self.over.set()

    @property
    def ended(self) -> IngestEnded:
        assert self.over.wait(60)
        (last,) = (message for message in self.messages if isinstance(message, IngestEnded))
        return last


class Held:
    """The corpora of this machine, which wait before the first report of progress goes on."""

    def __init__(self) -> None:
        self.met, self.go = threading.Event(), threading.Event()

    def ingest(
        self, name: str, paths: Sequence[Path], on_progress: Callable[[IngestProgress], None]
    ) -> object:
        def advance(progress: IngestProgress) -> None:
            self.met.set()
            assert self.go.wait(60)
            on_progress(progress)

        return open_corpus(name).ingest(list(paths), on_progress=advance)


@pytest.fixture
def running(folder: Path) -> Iterator[tuple[Ingester, Held, Posted]]:
    """A run that is held before its first report."""
    held, posted = Held(), Posted()
    ingester = Ingester(posted, held)  # type: ignore[arg-type] # a report is an object
    ingester.start("rain", [folder])
    assert held.met.wait(60)
    yield ingester, held, posted
    held.go.set()


def test_a_folder_is_ingested_and_its_progress_told(folder: Path) -> None:
    posted = Posted()
    bringer: Bringer = ApiLibrary(Settings())
    ingester = Ingester(posted, bringer)
    ingester.start("rain", [folder, folder / "0.md"])
    assert ingester.is_busy
    report = posted.ended.report
    assert report is not None
    assert (report.added, report.failures) == (3, ())
    assert (report.corpus, ingester.running) == ("rain", None)
    last = [message for message in posted.messages if isinstance(message, IngestAdvanced)][-1]
    assert last.progress.bytes_done == last.progress.bytes > 0
    assert open_corpus("rain").summary().documents == 3


def test_a_cancelled_run_ends_and_can_be_repeated(
    running: tuple[Ingester, Held, Posted], folder: Path
) -> None:
    ingester, held, posted = running
    ingester.cancel()
    assert (ingester.running, ingester.is_cancelled, ingester.is_busy) == ("rain", True, True)
    held.go.set()
    assert (posted.ended.report, posted.ended.error) == (None, None)
    again = Posted()
    Ingester(again, ApiLibrary(Settings())).start("rain", [folder])
    assert again.ended.report is not None
    assert open_corpus("rain").summary().documents == 3


def test_questions_are_answered_meanwhile(running: tuple[Ingester, Held, Posted], folder: Path) -> None:
    ingester, held, posted = running
    other = Corpus(open_corpus("other").path, Settings())
    other.ingest([folder / "1.md"])
    answer = other.ask("When did it rain?", as_of=0)
    assert "1991" in answer.text
    assert ingester.running == "rain"
    held.go.set()
    assert posted.ended.report is not None


def test_a_busy_corpus_and_a_missing_folder_are_errors_with_a_remedy(new_home: Path, folder: Path) -> None:
    (new_home / "corpora" / "rain").mkdir(parents=True)
    for name, path in (("rain", folder), ("snow", folder / "gone")):
        posted = Posted()
        with only_writer(new_home / "corpora" / "rain"):
            Ingester(posted, ApiLibrary(Settings())).start(name, [path])
            error = posted.ended.error
        assert error is not None
        assert error.hint
        assert isinstance(error, StoreError) == (name == "rain")


def test_after_the_end_nothing_is_posted(running: tuple[Ingester, Held, Posted]) -> None:
    ingester, held, posted = running
    ingester.stop()
    held.go.set()
    assert not posted.over.wait(1)


def test_the_corpus_that_was_asked_last_is_kept(new_home: Path) -> None:
    assert last_corpus() is None
    keep_last_corpus("rain")
    keep_last_corpus("/x/y")
    assert last_corpus() == "/x/y"
    for damaged in ("", "[1]", '{"corpus": 3}', "{", '{"other": "x"}'):
        (new_home / "chat.json").write_text(damaged)
        assert last_corpus() is None
    (new_home / "chat.json").unlink()
    (new_home / "chat.json").mkdir()
    keep_last_corpus("rain")  # cannot be written: said in the log
    assert last_corpus() is None
