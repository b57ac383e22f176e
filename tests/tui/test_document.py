"""The document of a piece of evidence, in a small app of its own, over real corpora and hostile documents."""

import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.app import App
from tui.conftest import make_hit

import timelens
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.corpus import Corpus
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.errors import MissingError
from timelens.store.rows import StoredDocument
from timelens.temporal.conventions import USUAL
from timelens.temporal.interval import year_interval
from timelens.tui.document import DocumentScreen
from timelens.tui.document_loading import Fetcher, Shelf
from timelens.tui.document_view import DocumentView

ScreenText = Callable[[App[None]], str]
WaitUntil = Callable[..., Awaitable[None]]
AS_OF = timelens.parse_day("2024-06-01")
TABLE = "Person,Office,Start,End\n" + "".join(
    f"Holder {n},Mayor,{1900 + n}-01-01,{1901 + n}-01-01\n" for n in range(60)
)
LOG = "# Log\n\n" + "\n\n".join(
    f"On {day} May 2015 the crew checked valve {day} and wrote it down. Nothing else was done then."
    for day in range(1, 29)
)


class Host(App[None]):
    """The screen over an empty one."""

    def __init__(self, shelf: Callable[[], Shelf], evidence: ShownEvidence, number: int = 1) -> None:
        super().__init__()
        self.shown = DocumentScreen(evidence, number, Fetcher(shelf, USUAL))
        self.copied: list[str] = []
        self.suspended = 0

    def on_mount(self) -> None:
        self.push_screen(self.shown)

    def copy_to_clipboard(self, text: str) -> None:
        self.copied.append(text)

    @contextmanager
    def suspend(self) -> Iterator[None]:
        self.suspended += 1
        yield

    @property
    def view(self) -> DocumentView:
        return self.shown.query_one(DocumentView)


class Stored:
    """A shelf of one document."""

    def __init__(self, document: StoredDocument) -> None:
        self.document_ = document
        self.go = threading.Event()
        self.go.set()

    def document(self, document_id: str) -> StoredDocument:
        self.go.wait(30)
        if document_id != self.document_.id:
            raise MissingError(f"{document_id} is not in it any more", "ask again")
        return self.document_


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A real corpus with a table and a log."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "mayors.csv").write_text(TABLE)
    (folder / "log 2015-06-01.md").write_text(LOG)
    corpus = Corpus(tmp_path_factory.mktemp("home") / "town", timelens.Settings())
    corpus.ingest([folder])
    return corpus


def _searched(corpus: Corpus, question: str, *cited: int) -> ShownEvidence:
    hits = corpus.search(question, as_of=AS_OF).hits
    return ShownEvidence(make_timeline(hits), cited=frozenset(cited))


def _number(evidence: ShownEvidence, words: str) -> int:
    return next(one.number for one in evidence.timeline.citations if words in one.hit.said)


async def test_a_text_opens_at_the_cited_sentence_with_its_dates(
    corpus: Corpus, see: Callable[..., Awaitable[str]]
) -> None:
    evidence = _searched(corpus, "Which valve was checked on 20 May 2015?")
    number = _number(evidence, "valve 20 ")
    app = Host(lambda: corpus, evidence, number)
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await see(pilot, "valve 20 and wrote it down", "│ 20 May 2015")
        assert f"[{number}] Log ·" in screen
        assert "day: 1 June 2015, from: file name" in screen
        assert "log 2015-06-01.md" in screen.splitlines()[2]
        lines = screen.splitlines()
        (row,) = [at for at, line in enumerate(lines) if "valve 20 and" in line]
        assert lines[row].startswith(f" [{number}]")
        assert "On 20 May 2015" in lines[row]
        assert "│ 20 May 2015" in lines[row]
        assert row < 9  # near the top, with some rows above it
        await pilot.press("home")
        await see(pilot, "On 1 May 2015 the crew")
        await pilot.press("c")
        await see(pilot, "valve 20 and")
        await pilot.press("d")
        await pilot.pause()
        assert "│" not in await see(pilot, "valve 20 and")
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, DocumentScreen)


async def test_a_row_shows_its_columns_and_its_neighbours(
    corpus: Corpus, see: Callable[..., Awaitable[str]]
) -> None:
    evidence = _searched(corpus, "Who was mayor in June 1930?")
    number = _number(evidence, "Holder 30")
    app = Host(lambda: corpus, evidence, number)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await see(pilot, "Person  Holder 30", "Holder 31", "Holder 29", "Office  when")
        assert "when    from 1 January 1930 to 1 January 1931" in screen
        assert "row 32" in screen
        head = next(line for line in screen.splitlines() if "Person" in line and "Office" in line)
        (row,) = [line for line in screen.splitlines() if line.startswith(f" [{number}]") and "Mayor" in line]
        assert head.index("Person") == row.index("Holder 30")
        assert head.index("Office") == row.index("Mayor")
        await pilot.resize_terminal(50, 20)
        await see(pilot, "Holder 30")


async def test_n_and_p_walk_through_what_the_answer_cites(
    corpus: Corpus, see: Callable[..., Awaitable[str]], screen_text: ScreenText
) -> None:
    by_time = corpus.search("Who was mayor in 1930?", as_of=AS_OF).hits[:2]
    texts = corpus.search("Which valve was checked on 20 May 2015?", as_of=AS_OF).hits
    log = [hit for hit in texts if hit.chunk.fact is None][:2]
    timeline = make_timeline([*by_time, *log])
    app = Host(lambda: corpus, ShownEvidence(timeline, cited=frozenset({1, 3, 4})), 1)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await see(pilot, "1 of 3", "mayors")
        await pilot.press("p")
        await see(pilot, "That was the first one.")
        await pilot.press("n")
        await see(pilot, "2 of 3", "[3] Log", "the crew")
        await pilot.press("n")
        await see(pilot, "3 of 3", "[4] Log")
        await pilot.press("n")
        await see(pilot, "That was the last one.")
        assert "Person" not in screen_text(app)
        await pilot.press("p", "p")
        await see(pilot, "1 of 3", "Person")


async def test_the_screen_opens_at_once_and_fills(
    see: Callable[..., Awaitable[str]], screen_text: ScreenText
) -> None:
    hit = make_hit(year_interval(1999), "The dam broke in 1999.", "dam")
    document = StoredDocument("dam", "/a/dam.md", "The dam", None, None, (hit.chunk,))
    shelf = Stored(document)
    shelf.go.clear()
    app = Host(lambda: shelf, ShownEvidence(make_timeline([hit])))
    async with app.run_test(size=(80, 24)) as pilot:
        await see(pilot, "reading …", "[1] dam")
        await pilot.press("n", "c", "d")  # nothing that is pressed meanwhile does harm
        assert "The dam broke" not in screen_text(app)
        shelf.go.set()
        await see(pilot, "The dam broke in 1999.", "no day of its own")


async def test_a_document_that_is_gone_is_told_with_what_was_cited(
    see: Callable[..., Awaitable[str]],
) -> None:
    hit = make_hit(year_interval(1999), "The dam broke in 1999.", "dam")
    other = StoredDocument("other", "/a/b.md", "Other", None, None, ())
    app = Host(lambda: Stored(other), ShownEvidence(make_timeline([hit])))
    async with app.run_test(size=(80, 24)) as pilot:
        await see(pilot, "dam is not in it any more – ask again", "“The dam broke in 1999.”")
        await pilot.press("o")
        await see(pilot, "the file is gone: /somewhere/dam")


async def test_a_sentence_that_is_gone_is_told(see: Callable[..., Awaitable[str]]) -> None:
    hit = make_hit(year_interval(1999), "The dam broke in 1999.", "dam")
    changed = replace(hit.chunk, text="It never did so.", sentences=((0, 16),))
    document = StoredDocument("dam", "/a/dam.md", "The dam", None, None, (changed,))
    app = Host(lambda: Stored(document), ShownEvidence(make_timeline([hit])))
    async with app.run_test(size=(80, 24)) as pilot:
        await see(pilot, "It never did so.", "not in the document any more: “The dam broke in 1999.”")


async def test_y_copies_the_evidence(
    corpus: Corpus, see: Callable[..., Awaitable[str]], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    evidence = _searched(corpus, "Who was mayor in June 1930?")
    app = Host(lambda: corpus, evidence, _number(evidence, "Holder 30"))
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        await see(pilot, "Holder 31")
        await pilot.press("y")
        await see(pilot, "Copied, if")
        (text,) = app.copied
        assert text.startswith("“Person Holder 30, Office Mayor: from 1 January 1930 to 1 January 1931.”\n")
        assert text.endswith("/mayors.csv\n")
        assert (home / "copied.txt").read_text() == text


async def test_o_opens_the_file_at_the_line_without_a_shell(
    corpus: Corpus,
    see: Callable[..., Awaitable[str]],
    wait_until: WaitUntil,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = tmp_path / "taken"
    editor = tmp_path / "vim"
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{taken}"\n')
    editor.chmod(0o700)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{editor} -n")
    evidence = _searched(corpus, "Which valve was checked on 20 May 2015?")
    app = Host(lambda: corpus, evidence, _number(evidence, "valve 20 "))
    async with app.run_test(size=(80, 24)) as pilot:
        await see(pilot, "checked valve 20")
        await pilot.press("o")
        await wait_until(pilot, taken.exists)
        await pilot.pause()
        assert app.suspended == 1
        option, line, path = taken.read_text().splitlines()
        assert (option, line) == ("-n", "+41")
        assert path.endswith("/log 2015-06-01.md")
        assert LOG.splitlines()[40].startswith("On 20 May 2015")
        monkeypatch.setenv("EDITOR", "/no/such/editor")
        await pilot.press("o")
        await see(pilot, "/no/such/editor cannot be started: No such file or directory")


async def test_a_terminal_that_cannot_be_lent_is_told(
    corpus: Corpus, see: Callable[..., Awaitable[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Host, "suspend", App.suspend)
    monkeypatch.setenv("VISUAL", "true")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("it was started"))
    app = Host(lambda: corpus, _searched(corpus, "Who was mayor in June 1930?"))
    async with app.run_test(size=(80, 24)) as pilot:
        await see(pilot, "Mayor")
        await pilot.press("o")
        await see(pilot, "cannot use this terminal")


def _hostile(text: str, chunks: int = 1) -> tuple[StoredDocument, Timeline]:
    spans = ((0, len(text)),)
    events = (Event(year_interval(1999), 0, EventSource.STATED, 1.0),)
    made = tuple(
        Chunk(
            f"d#{n}",
            "d",
            n,
            "/a/\x1b[31m.md",
            "[b]T[/b]\x1b",
            text,
            None,
            spans,
            events,
            None,
            ((0, "p\x07"),),
        )
        for n in range(chunks)
    )
    last = Hit(made[-1], Scores(), year_interval(1999), 0)
    document = StoredDocument("d", "/a/\x1b[31m.md", "[b]T[/b]\x1b", None, "[x]\x1b", made)
    return document, make_timeline([last])


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (
            "\x1b]0;owned\x07\x1b[2J[bold]not markup[/bold] [@click=app.quit]x[/] 1999\u202e",
            "[bold]not markup",
        ),
        ("日本語の文書。" * 3 + " in 1999", "日本語の文書。"),
        ("line\r\n\ttab\x00null in 1999", "tab␀null"),
    ],
)
async def test_hostile_documents_are_plain_text(
    text: str, seen: str, see: Callable[..., Awaitable[str]]
) -> None:
    document, timeline = _hostile(text)
    app = Host(lambda: Stored(document), ShownEvidence(timeline))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await see(pilot, seen, "[b]T[/b]␛", "/a/␛[31m.md")
        assert "\x1b" not in screen
        await pilot.press("n", "p", "d", "end", "home", "c")
        await see(pilot, seen)


@pytest.mark.parametrize(
    ("text", "chunks"),
    [("The crew went up on 5 May 1999 and came down. " * 22, 5000), ("x" * 100_000, 1), ("日" * 100_000, 1)],
    ids=["5 MB", "a line of 100,000 letters", "a line of 100,000 wide letters"],
)
async def test_huge_documents_open_and_scroll_quickly(
    text: str, chunks: int, see: Callable[..., Awaitable[str]], wait_until: WaitUntil
) -> None:
    document, timeline = _hostile(text, chunks)
    app = Host(lambda: Stored(document), ShownEvidence(timeline))
    async with app.run_test(size=(120, 40)) as pilot:
        started = time.process_time()
        await see(pilot, text[:20])
        assert time.process_time() - started < 4  # of the processor: the machine may be busy
        rows = app.view.virtual_size.height
        assert rows > 1000
        started = time.process_time()
        for page in range(20):
            app.view.scroll_to(y=page * 30, animate=False, immediate=True)
            await pilot.pause()
        await pilot.resize_terminal(80, 24)
        await wait_until(pilot, lambda: app.view.virtual_size.height > rows)
        assert time.process_time() - started < 4  # of the processor: the machine may be busy
