"""The screen of the corpora, over real ones."""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import DataTable, Input

from timelens.api import list_corpora, open_corpus
from timelens.config import Settings
from timelens.corpus import Corpus
from timelens.errors import StoreError
from timelens.store.corpus import CorpusStore
from timelens.store.overview import DocumentOverview
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval
from timelens.tui.corpora import CorporaScreen, HistogramView, ShownCorpus

DAYS = {
    "rates/2008-crisis.md": "# The crisis\n\nRates fell on 8 October 2008, and again in 2009.\n",
    "rates/founding.md": "# The founding\n\nThe bank was founded in May 1994.\n",
    "rates/[b]none\x1b[31m.md": "Nothing is said of time.\n",
    "lamps.csv": "lamp,from,until\nred,1990-01-01,1994-01-01\nblue,2001-01-01,\n",
}


@pytest.fixture(scope="module")
def two_corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A timelens home with the corpora ``bank`` and ``ships``."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("bank")
    for name, text in DAYS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    ships = tmp_path_factory.mktemp("ships")
    (ships / "ship.md").write_text("# A ship\n\nIt sailed in 1850. It sank on 3 May 1851.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        assert open_corpus("bank").ingest([folder]).added == 4
        assert open_corpus("ships").ingest([ships]).added == 1
    return home


class Host(App[None]):
    """Shows the screen, and keeps what came of it."""

    def __init__(self, opened: Callable[[str], ShownCorpus] = open_corpus) -> None:
        super().__init__()
        self.chosen: list[str | None] = []
        self.documents: list[tuple[str, DocumentOverview]] = []
        self.shown = CorporaScreen(
            lambda: [corpus.name for corpus in list_corpora()],
            opened,
            asked="bank",
            today=day_number(2026, 11, 24),
            conventions=Settings.load().time.conventions,
        )

    def on_mount(self) -> None:
        self.push_screen(self.shown, self.chosen.append)

    def on_corpora_screen_document_chosen(self, event: CorporaScreen.DocumentChosen) -> None:
        self.documents.append((event.corpus, event.document))


WaitUntil = Callable[..., Awaitable[None]]


@pytest.fixture
def see(
    two_corpora: Path, monkeypatch: pytest.MonkeyPatch, see: Callable[..., Awaitable[str]]
) -> Callable[..., Awaitable[str]]:
    """``see`` of all tests of the chat, with the home of the two corpora."""
    monkeypatch.setenv("TIMELENS_HOME", str(two_corpora))
    return see


@asynccontextmanager
async def shown(host: Host, size: tuple[int, int] = (100, 30)) -> AsyncIterator[Pilot[None]]:
    async with host.run_test(size=size) as pilot:
        yield pilot


async def test_corpora_and_the_documents_of_the_one_that_is_asked(see: Callable[..., Awaitable[str]]) -> None:
    host = Host()
    async with shown(host) as pilot:
        screen = await see(pilot, "4 documents", "●  bank", "ships")
        assert "events of bank over time" in screen
        assert "each bar" in screen
        assert "8 Oct 2008" not in screen.split("4 documents")[0]
        assert "2008 to 2009" in screen  # the span of the crisis
        assert "\x1b" not in screen
        await pilot.press("down")
        screen = await see(pilot, "events of ships over time", "A ship", "1 document")
        assert "The crisis" not in screen
        await pilot.press("enter")
    assert host.chosen == ["ships"]


async def test_documents_are_found_by_time_kind_and_words(
    see: Callable[..., Awaitable[str]], wait_until: WaitUntil
) -> None:
    host = Host()
    async with shown(host) as pilot:
        await see(pilot, "4 documents")
        by_day = ["rates/2008-crisis.md", "lamps.csv", "rates/founding.md"]
        await wait_until(pilot, lambda: ids(host)[:3] == by_day)
        await pilot.press("slash")
        line = host.screen.query_one(Input)
        for asked, found in (
            ("1990s", ["lamps.csv", "rates/founding.md"]),
            ("2008..2009", ["lamps.csv", "rates/2008-crisis.md"]),
            ("2008..2009 .md", ["rates/2008-crisis.md"]),
            ("crisis", ["rates/2008-crisis.md"]),
            ("1800..1850", []),
            ("", sorted(DAYS)),
        ):
            line.value = asked
            await wait_until(pilot, lambda found=found: sorted(ids(host)) == found)
            await see(pilot, f"{len(found)} of 4 documents" if asked else "4 documents")


def ids(host: Host) -> list[str]:
    return [document.id for document in host.shown._shown]


async def test_enter_opens_a_document(see: Callable[..., Awaitable[str]], wait_until: WaitUntil) -> None:
    host = Host()
    async with shown(host) as pilot:
        await see(pilot, "4 documents")
        await pilot.press("slash", *"crisis")
        await see(pilot, "1 of 4 documents")
        await pilot.press("enter", "enter")
        await wait_until(pilot, lambda: host.documents)
        await pilot.press("escape")
    ((corpus, document),) = host.documents
    assert (corpus, document.id, document.dated) == ("bank", "rates/2008-crisis.md", 1)
    assert host.chosen == [None]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50), (44, 14)])
async def test_everything_has_room(size: tuple[int, int], see: Callable[..., Awaitable[str]]) -> None:
    host = Host()
    async with shown(host, size) as pilot:
        screen = await see(pilot, "4 documents", "over time")
        tables = list(host.screen.query(DataTable))
        assert not any(table.show_horizontal_scrollbar for table in tables if table.id == "documents")
        assert ("rates/founding.md" in screen) == (size[0] >= 110)
        await pilot.resize_terminal(130, 40)
        await see(pilot, "rates/founding.md")


async def test_a_damaged_corpus_is_told_and_the_others_are_shown(
    see: Callable[..., Awaitable[str]],
) -> None:
    class Damaged(Corpus):
        def _stored(self) -> CorpusStore:
            raise StoreError("its passages are gone", "mend it: corpora verify")

    def opened(name: str) -> Corpus:
        corpus = open_corpus(name)
        return corpus if name == "ships" else Damaged(corpus.path, corpus.settings)

    host = Host(opened)
    async with shown(host) as pilot:
        await see(pilot, "its passages are gone – mend it: corpora verify", "0 documents", "1 Jan 1850")
        await pilot.press("down")
        screen = await see(pilot, "A ship")
        assert "mend it" not in screen


async def test_leaving_ends_what_is_read_for_the_screen(
    see: Callable[..., Awaitable[str]], wait_until: WaitUntil, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, removing = threading.Event(), threading.Event()

    class Slow(Corpus):
        def documents(self, within: Interval | None = None) -> list[DocumentOverview]:
            if within is not None:
                begun.set()
                removing.wait(10)
            return super().documents(within)

    async def removed(_: HistogramView) -> None:
        removing.set()
        await asyncio.sleep(0.3)  # what was read comes while parts of the screen are gone

    monkeypatch.setattr(HistogramView, "on_unmount", removed, raising=False)
    host = Host(lambda name: Slow(open_corpus(name).path, open_corpus(name).settings))
    async with shown(host) as pilot:
        await see(pilot, "4 documents")
        await pilot.press("slash", *"1994", "enter")
        await wait_until(pilot, begun.is_set)
        await pilot.press("escape")
        await wait_until(pilot, lambda: bool(host.chosen))
        await asyncio.sleep(0.5)
    assert host.chosen == [None]


async def test_what_is_added_meanwhile_is_shown_once_it_is_told(
    see: Callable[..., Awaitable[str]], two_corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    shutil.copytree(two_corpora, home)
    monkeypatch.setenv("TIMELENS_HOME", str(home))
    (tmp_path / "new.md").write_text("# A bridge\n\nIt was opened in 1933.\n", encoding="utf-8")
    host = Host()
    async with shown(host) as pilot:
        await see(pilot, "4 documents")
        await pilot.press("down")
        await see(pilot, "A ship", "1 document")
        for name in ("ships", "arches"):
            await asyncio.to_thread(open_corpus(name).ingest, [tmp_path / "new.md"])
            host.shown.renew(name)
        screen = await see(pilot, "2 documents", "A bridge", "31 Dec 1933", "arches")
        assert "events of ships over time" in screen
        await pilot.press("enter")
    assert host.chosen == ["ships"]


async def test_without_a_corpus_it_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, see: Callable[..., Awaitable[str]]
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    async with shown(Host()) as pilot:
        await see(pilot, "There is no corpus yet: /ingest makes one.")
