"""Language models in the chat: listed, changed and pulled while it runs, offered once, and what they cost."""

import io
import json
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from file_server import FileServer, serving
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, ScreenText, WaitUntil, script
from textual.pilot import Pilot
from tiny_gguf import write_tiny_gguf

from timelens.answer.llama import LlamaAnswerer
from timelens.answer.lm.stop import Stop
from timelens.answer.models import catalogue
from timelens.answer.models.catalogue import CatalogueModel, source_of
from timelens.answer.models.incoming_file import Offer
from timelens.answer.rendering.timeline import Timeline
from timelens.cli import app
from timelens.config import Settings
from timelens.errors import BadInputError
from timelens.tui.app import ChatApp
from timelens.tui.dialogs import ConfirmScreen
from timelens.tui.exchange import Exchange, State
from timelens.tui.models import refuse_much_larger
from timelens.tui.options import Options
from timelens.tui.prompt import Prompt
from timelens.tui.screen import ChatScreen
from timelens.tui.worker import ApiLibrary

PART = 100_000
"""Bytes that come of a model before the connection breaks."""


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_LLAMA__THREADS", "1")


@pytest.fixture
def hub(tiny_model: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    """Hands out ``tiny``, the only model of the catalogue and the one that is suggested."""
    assert home.exists()
    with serving(FileServer(tiny_model.read_bytes())) as server:
        size, sha256 = len(server.content), server.sha256
        tiny = CatalogueModel("tiny", "maker/tiny", "t.gguf", size, "Apache-2.0", "tests", sha256)
        monkeypatch.setattr(catalogue, "CATALOGUE", (tiny,))
        monkeypatch.setattr(catalogue, "SUGGESTED", "tiny")
        monkeypatch.setenv("TIMELENS_LLAMA__HUB", server.url)
        yield server


@pytest.fixture
def corpus(timeline: Timeline) -> FakeCorpus:
    return FakeCorpus("space", script(timeline))


async def answerer_of(chat: Chat, corpus: FakeCorpus, pilot: Pilot[None]) -> object:
    """Who was handed the next question to answer."""
    before = len(corpus.answerers)
    await chat.type(pilot, QUESTION)
    await chat.until(pilot, lambda: len(corpus.answerers) > before)
    await chat.until(pilot, lambda: chat.exchanges[-1].state is State.DONE)
    return corpus.answerers[-1]


def is_open(answerer: LlamaAnswerer) -> bool:
    """Whether its model is in memory."""
    return answerer.session._model is not None


async def test_models_are_listed_with_what_is_known_of_them(
    chat_of: ChatMaker, corpus: FakeCorpus, home: Path
) -> None:
    (home / "models").mkdir()
    (home / "models" / "[b]mine.gguf").write_bytes(b"GGUF")
    (home / "models" / "Qwen3-8B-Q4_K_M.gguf.part").write_bytes(b"x" * 2_000_000)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, "/model")
        screen = await chat.see(pilot, "Answers come without a language model.", "To change: /model NAME")
        assert "[b]mine.gguf  0.0 GB" in screen
        assert "about 2.0 GB, Llama 3.2 Community; many cores or a small GPU\n" in screen
        assert "about 5.0 GB, Apache-2.0; a GPU with 8 GB; 2.0 MB of it here" in screen


async def test_the_model_is_changed_while_the_chat_runs(
    chat_of: ChatMaker, corpus: FakeCorpus, tiny_model: Path, home: Path
) -> None:
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        assert await answerer_of(chat, corpus, pilot) is None
        await chat.type(pilot, f"/model {tiny_model}")
        await chat.see(
            pilot, "Answers are written by tiny.gguf, on this machine.", "as of 2024-06-01 · tiny.gguf"
        )
        first = await answerer_of(chat, corpus, pilot)
        assert isinstance(first, LlamaAnswerer)
        assert is_open(first)
        kept = tomllib.loads((home / "config.toml").read_text())
        assert kept == {"answerer": "llama", "llama": {"model": str(tiny_model)}}
        await chat.type(pilot, "/model")
        await chat.see(pilot, "tiny.gguf  0.0 GB, in use")

        await chat.type(pilot, "/model none")
        await chat.see(pilot, "Answers come without a language model.")
        assert await answerer_of(chat, corpus, pilot) is None
        assert not is_open(first)
        assert tomllib.loads((home / "config.toml").read_text())["answerer"] == "extractive"


@pytest.mark.usefixtures("home")
async def test_a_bad_file_is_one_line_and_the_old_model_stays(
    chat_of: ChatMaker,
    corpus: FakeCorpus,
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    letter = tmp_path / "letter.gguf"
    letter.write_text("Dear bank")
    dies = write_tiny_gguf(tmp_path / "dies.gguf")
    chat = chat_of(corpus)
    async with chat.open((300, 50)) as pilot:
        await chat.type(pilot, f"/model {tiny_model}")
        await chat.see(pilot, "Answers are written by tiny.gguf")
        old = await answerer_of(chat, corpus, pilot)
        await chat.type(pilot, f"/model {letter}")
        await chat.see(pilot, "letter.gguf is not a GGUF file – download it again, or name another")
        await chat.type(pilot, "/model gpt")
        await chat.see(pilot, "there is no model file gpt – see: timelens model list, or /model in the chat")

        def die(*_: object) -> None:
            raise BadInputError("llama.cpp crashes on it", "name another")

        with monkeypatch.context() as patch:
            patch.setattr("timelens.answer.llama.llama_session.try_out", die)
            await chat.type(pilot, f"/model {dies}")
            await chat.see(pilot, "llama.cpp crashes on it – name another")
        assert "· tiny.gguf" in chat.screen.splitlines()[0]
        assert await answerer_of(chat, corpus, pilot) is old


@pytest.mark.usefixtures("home")
async def test_escape_ends_the_opening_of_a_model(
    chat_of: ChatMaker, corpus: FakeCorpus, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    def wait(*arguments: object) -> None:
        stop = arguments[-1]
        assert isinstance(stop, Stop)
        begun.set()
        while not stop:
            time.sleep(0.01)

    monkeypatch.setattr("timelens.answer.llama.llama_session.try_out", wait)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, f"/model {tiny_model}")
        await chat.see(pilot, "opening tiny.gguf …")
        await chat.until(pilot, begun.is_set)
        await pilot.press("escape")
        await chat.see(pilot, "Cancelled. Answers come without a language model.")
        assert await answerer_of(chat, corpus, pilot) is None


async def test_a_model_is_pulled_after_a_yes_and_then_answers(
    chat_of: ChatMaker, corpus: FakeCorpus, hub: FileServer, home: Path
) -> None:
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, "/model tiny")
        where = hub.url.removeprefix("http://")
        await chat.see(pilot, "Pull this model?", "tiny: 0.0 GB, licence Apache-2.0; for tests", where)
        await pilot.press("n")
        await chat.until(pilot, lambda: not isinstance(chat.app.screen, ConfirmScreen))
        assert hub.asked == []

        await chat.type(pilot, "/model tiny")
        await chat.see(pilot, "Pull this model?")
        await pilot.press("y")
        await chat.see(pilot, "Pulled tiny: 0.", "Answers are written by tiny, on this machine.")
        assert isinstance(await answerer_of(chat, corpus, pilot), LlamaAnswerer)
        await chat.type(pilot, "/model")
        await chat.see(pilot, "tiny  0.0 GB, Apache-2.0, in use")
    pulled = home / "models" / "t.gguf"
    assert pulled.read_bytes() == hub.content
    assert tomllib.loads((home / "config.toml").read_text())["llama"] == {"model": str(pulled)}


async def test_a_pull_is_stopped_by_escape_while_questions_are_answered_and_goes_on_later(
    chat_of: ChatMaker, corpus: FakeCorpus, hub: FileServer, home: Path
) -> None:
    hub.breaks_after = [PART, 0, 0, 0]  # it comes in part, and then for seconds nothing
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, "/model tiny")
        await chat.see(pilot, "Pull this model?")
        await pilot.press("y")
        size = f"{len(hub.content) / 1e6:,.1f} MB"
        await chat.see(pilot, f"Pulling tiny: 0.1 of {size}", "pulling tiny")
        assert await answerer_of(chat, corpus, pilot) is None
        await chat.type(pilot, "/model tiny")
        await chat.see(
            pilot, "tiny is being pulled – wait until it ends, or stop it with Esc", "Pulling tiny: 0.1"
        )
        await pilot.press("escape")
        await chat.see(pilot, f"Stopped pulling tiny: 0.1 of {size} are here; /model tiny goes on.")
        assert (home / "models" / "t.gguf.part").stat().st_size == PART
        assert "pulling" not in chat.screen.splitlines()[0]

        hub.breaks_after = []
        await chat.type(pilot, "/model tiny")
        await chat.see(pilot, "Pull this model?", "0.1 MB of it are here already")
        await pilot.press("y")
        await chat.see(pilot, "Answers are written by tiny")
    assert hub.asked[-1] == f"bytes={PART}-"
    assert (home / "models" / "t.gguf").read_bytes() == hub.content


async def test_what_is_pulled_does_not_take_over_from_what_was_chosen_meanwhile(
    chat_of: ChatMaker, corpus: FakeCorpus, hub: FileServer, tiny_model: Path
) -> None:
    hub.breaks_after = [PART, 0]  # the rest comes three seconds later
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, "/model tiny")
        await chat.see(pilot, "Pull this model?")
        await pilot.press("y")
        await chat.see(pilot, "Pulling tiny: 0.1")
        await chat.type(pilot, f"/model {tiny_model}")
        await chat.see(pilot, "Answers are written by tiny.gguf", "It answers after /model tiny.")
        assert "· tiny.gguf" in chat.screen.splitlines()[0]


async def test_a_pull_that_fails_is_one_line(chat_of: ChatMaker, corpus: FakeCorpus, hub: FileServer) -> None:
    hub.statuses = [404]
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, "/model tiny")
        await chat.see(pilot, "Pull this model?")
        await pilot.press("y")
        await chat.see(pilot, "tiny was not pulled.", "there is no file at", "see: timelens model list")
        assert await answerer_of(chat, corpus, pilot) is None


def test_a_file_much_larger_than_was_agreed_to_is_declined() -> None:
    source = source_of("qwen3-4b", "https://hub.invalid")
    refuse_much_larger(source, Offer(2_600_000_000, None, 0))
    with pytest.raises(BadInputError, match=r"is 9\.0 GB, not about 2\.5 GB"):
        refuse_much_larger(source, Offer(9_000_000_000, None, 0))


@pytest.mark.parametrize(
    ("line", "said", "kept"),
    [
        ("no", "Answers come without a language model. To choose one: /model", "no"),
        ("Later", "To pull it later: /model tiny. /model lists the others.", "later"),
        (QUESTION, "It was in 1961", "none yet"),
    ],
)
async def test_a_first_model_is_offered_once(
    chat_of: ChatMaker, corpus: FakeCorpus, hub: FileServer, home: Path, line: str, said: str, kept: str
) -> None:
    chat = chat_of(corpus, offers=True)
    async with chat.open() as pilot:
        where = hub.url.removeprefix("http://")
        await chat.see(
            pilot, "Pull it? Type yes, no or later", "tiny: 0.0 GB, licence Apache-2.0; for tests", where
        )
        await chat.type(pilot, line)
        await chat.see(pilot, said)
        assert len(corpus.asked) == (line == QUESTION)
        await chat.type(pilot, "yes")  # of nothing: it is a question like any other
        await chat.until(pilot, lambda: corpus.asked[-1:] and corpus.asked[-1][0] == "yes")
    assert json.loads((home / "models" / "asked.json").read_text()) == {"model": "tiny", "reply": kept}
    assert hub.asked == []

    again = chat_of(corpus, offers=True)
    async with again.open() as pilot:
        await again.see(pilot, "space: 3 documents")
        await again.type(pilot, "/help")
        await again.see(pilot, "/model [NAME]")
        assert "Pull it?" not in again.screen


async def test_a_yes_fetches_the_first_model_also_after_a_look_at_the_others(
    chat_of: ChatMaker, corpus: FakeCorpus, hub: FileServer
) -> None:
    chat = chat_of(corpus, offers=True)
    async with chat.open((100, 40)) as pilot:
        await chat.see(pilot, "Pull it?")
        await chat.type(pilot, "/model")
        await chat.see(pilot, "In the catalogue")
        assert hub.asked == []
        await chat.type(pilot, "yes")
        await chat.see(pilot, "Pulled tiny", "Answers are written by tiny")
    assert not corpus.asked


async def test_nothing_is_offered_where_nobody_asks_for_it_or_it_cannot_be_remembered(
    chat_of: ChatMaker, corpus: FakeCorpus, home: Path
) -> None:
    (home / "models").write_text("no folder")
    for offers in (False, True):
        chat = chat_of(corpus, offers=offers)
        async with chat.open() as pilot:
            await chat.see(pilot, "space: 3 documents")
            await chat.type(pilot, "/help")
            await chat.see(pilot, "Commands. All keys: F1.")
            assert "Pull it?" not in chat.screen


@pytest.mark.parametrize(
    ("option", "configuration", "to_a_pipe", "offered"),
    [
        ([], "", False, True),
        ([], "", True, False),
        (["--answerer", "extractive"], "", False, False),
        ([], 'answerer = "extractive"\n', False, False),
    ],
)
def test_a_first_model_is_offered_in_a_terminal_and_where_nothing_was_chosen(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    option: list[str],
    configuration: str,
    to_a_pipe: bool,
    offered: bool,
) -> None:
    """The command, with the chat itself left out."""
    offers: list[object] = []

    class Recorder(ChatApp):
        def run(self, *_: object, **__: object) -> None:
            offers.append(self._load().models.offers)

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    (home / "config.toml").write_text(configuration)
    for name in ("stdin", "stderr", *(() if to_a_pipe else ("stdout",))):
        monkeypatch.setattr(f"sys.{name}", Terminal())
    monkeypatch.setattr("timelens.tui.launch.ChatApp", Recorder)
    monkeypatch.setattr("timelens.tui.launch.leave_quickly", lambda *_: None)
    app(["chat", *option], standalone_mode=False)
    assert offers == [offered]


async def test_a_server_that_answers_is_named_and_can_be_gone_back_to(
    chat_of: ChatMaker, corpus: FakeCorpus, home: Path
) -> None:
    (home / "config.toml").write_text(
        'answerer = "server"\n[server]\nurl = "http://127.0.0.1:9/v1"\nmodel = "qwen3:8b"\n'
    )
    chat = chat_of(corpus)
    async with chat.open((100, 40)) as pilot:
        await chat.type(pilot, "/model")
        said = "Answers are written by a server: http://127.0.0.1:9/v1, model qwen3:8b."
        await chat.see(pilot, said, "or /model server", "as of 2024-06-01 · qwen3:8b")
        await chat.type(pilot, "/model none")
        await chat.see(pilot, "Answers come without a language model.")
        await chat.type(pilot, "/model server")
        await chat.until(pilot, lambda: chat.screen.count(said) == 2)
    assert tomllib.loads((home / "config.toml").read_text())["answerer"] == "server"
    (home / "config.toml").unlink()
    chat = chat_of(corpus)
    async with chat.open((100, 40)) as pilot:
        await chat.type(pilot, "/model server")
        await chat.see(pilot, "no server is configured – set server.url")


async def test_what_a_model_costs_is_said_once(
    corpus_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wait_until: WaitUntil,
    screen_text: ScreenText,
) -> None:
    """Over a real corpus, as llama.cpp measured it."""
    model = write_tiny_gguf(tmp_path / "mine.gguf")
    monkeypatch.setenv("TIMELENS_HOME", str(corpus_home))
    monkeypatch.setenv("TIMELENS_LLAMA__ANSWER_TOKENS", "40")
    chat = ChatApp(
        ChatScreen(None, Options(TODAY, "timelens", 5), ApiLibrary(Settings()), tmp_path / "history")
    )

    async def ask(pilot: Pilot[None], number: int) -> None:
        chat.query_one(Prompt).value = "When was Salyut 1 launched?"
        await pilot.press("enter")
        done = [State.DONE] * number
        await wait_until(pilot, lambda: [exchange.state for exchange in chat.query(Exchange)] == done)
        await pilot.pause(0.2)

    async with chat.run_test(size=(300, 60)) as pilot:
        chat.query_one(Prompt).value = f"/model {model}"
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Answers are written by mine.gguf" in screen_text(chat))
        await ask(pilot, 1)
        await wait_until(pilot, lambda: "mine.gguf on this machine: reads" in screen_text(chat))
        remembered = json.loads((corpus_home / "models" / "remembered.json").read_text())
        measured = remembered[str(model)]["speed"]["value"]
        assert 8 <= measured["written"] <= 40
        rate = measured["written"] / measured["written_seconds"]
        screen = screen_text(chat)
        assert f"and writes {rate:,.0f} tokens/s. Measured by llama.cpp in this answer, over " in screen
        assert f"over {measured['read']:,} tokens read and {measured['written']} written." in screen
        await ask(pilot, 2)
        assert screen_text(chat).count("on this machine: reads") == 1
        chat.query_one(Prompt).value = "/model"
        await pilot.press("enter")
        await wait_until(pilot, lambda: f"writes {rate:,.0f} tokens/s here" in screen_text(chat))
