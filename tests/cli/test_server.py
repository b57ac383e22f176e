"""The command line with a server in place of a model file."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import KEY, ChatServer, chatting
from cli.conftest import Run

from timelens.answer.server import client
from timelens.errors import TimelensError

LEADERS = Path(__file__).parents[2] / "corpora" / "leaders"
QUESTION = "Who was the keeper of North Point in 2010?"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """One that is configured, though nothing says yet that it answers."""
    monkeypatch.setattr(client, "_FIRST_PAUSE", 0.01)
    with chatting(ChatServer(pieces=["Jonas ", "Brandt [1]."])) as server:
        monkeypatch.setenv("TIMELENS_SERVER__URL", server.url)
        yield server


def test_a_server_writes_the_answer(run: Run, harbour: str, server: ChatServer) -> None:
    server.pieces = ["Jonas ", "Berg [1]."]
    outcome = run("ask", QUESTION, "--corpus", harbour, "--answerer", "server", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    answer = json.loads(outcome.out)
    assert answer["answer"] == "Jonas Berg [1]."
    assert answer["citations"]
    assert QUESTION in server.asked[0]["messages"][1]["content"]


def test_a_configured_server_needs_no_option(
    run: Run, harbour: str, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_ANSWERER", "server")
    server.pieces = ["Jonas Berg [1]."]
    assert "Jonas Berg [1]." in run("ask", QUESTION, "--corpus", harbour).out
    monkeypatch.setenv("TIMELENS_PARSER", "llm")
    reading = json.loads(run("parse", QUESTION, "--json").out)
    assert any("stands alone" in note for note in reading["notes"])
    assert "response_format" in server.asked[-1]
    asked = len(server.asked)
    run("ask", QUESTION, "--corpus", harbour, "--answerer", "extractive", "--parser", "rules")
    assert len(server.asked) == asked


def test_nothing_is_asked_of_a_server_that_is_only_configured(
    run: Run, harbour: str, server: ChatServer
) -> None:
    assert run("ask", QUESTION, "--corpus", harbour).code == 0
    assert run("search", QUESTION, "--corpus", harbour).code == 0
    assert not server.paths


def test_model_and_reading_mode_are_chosen_by_options(run: Run, harbour: str, server: ChatServer) -> None:
    server.models = ["a", "b"]
    question = ["ask", QUESTION, "--corpus", harbour, "--answerer", "server"]
    several = run(*question)
    assert (several.code, "has several models: a, b" in several.err) == (3, True)
    assert run(*question, "--model", "b", "--reading", "cot").code == 0
    assert [body["model"] for body in server.asked] == ["b", "b"]
    gone = run(*question, "--model", "c")
    assert (gone.code, "has no model 'c'" in gone.err) == (3, True)
    assert run("ask", QUESTION, "--corpus", harbour, "--model", "b").code == 3  # a file of that name


@pytest.mark.parametrize(
    ("settings", "code", "said"),
    [
        ({}, 3, "no server is configured"),
        ({"TIMELENS_SERVER__URL": "ftp://models.example"}, 2, "server.url"),
        ({"TIMELENS_SERVER__URL": f"http://me:{KEY}@models.example"}, 2, "environment variable"),
        ({"TIMELENS_SERVER__URL": f"http://models.example?key={KEY}"}, 2, "without ? and #"),
        ({"TIMELENS_SERVER__KEY": KEY}, 2, "server.key: unknown key"),
        ({"TIMELENS_SERVER__KEY_ENV": KEY}, 2, "server.key_env"),
        ({"TIMELENS_SERVER__URL": "http://[::1", "TIMELENS_SERVER_KEY": KEY}, 2, "it must be an address"),
        ({"TIMELENS_SERVER__URL": "http://127.0.0.1:9", "TIMELENS_SERVER_KEY": f"{KEY}\nx"}, 2, "be a key"),
        ({"TIMELENS_SERVER__URL": "http://127.0.0.1:9"}, 3, "connection refused"),
    ],
)
def test_a_server_that_cannot_be_had_is_one_line_without_the_key(
    run: Run,
    harbour: str,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, str],
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr(client, "_FIRST_PAUSE", 0.01)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    outcome = run("ask", QUESTION, "--corpus", harbour, "--answerer", "server")
    assert (outcome.code, said in outcome.err, outcome.out) == (code, True, "")
    assert len(outcome.err.splitlines()) == 2
    assert KEY not in outcome.err


def test_the_doctor_looks_at_a_server_only_where_one_is_configured(
    run: Run, harbour_home: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(harbour_home))

    def examined() -> dict[str, str]:
        checks = json.loads(run("doctor", "--json").out)["checks"]
        return next((check for check in checks if check["name"] == "server"), {})

    assert examined()["health"] == "fine"
    assert "tiny" in examined()["detail"]
    assert server.paths == ["/v1/models"] * 2
    server.models = ["a", "b"]
    assert examined()["health"] == "missing"
    monkeypatch.setenv("TIMELENS_ANSWERER", "server")
    assert examined()["health"] == "broken"
    monkeypatch.setenv("TIMELENS_SERVER__MODEL", "b")
    assert examined()["health"] == "fine"
    server.key = KEY
    monkeypatch.setenv("TIMELENS_SERVER_KEY", KEY[:-1])
    assert (examined()["health"], "refuses the key" in examined()["detail"]) == ("broken", True)
    monkeypatch.delenv("TIMELENS_SERVER__URL")
    assert examined()["detail"] == "no server is configured"
    monkeypatch.delenv("TIMELENS_ANSWERER")
    assert examined() == {}


def test_the_key_is_in_nothing_that_is_said_or_kept(
    run: Run,
    harbour: str,
    harbour_home: Path,
    server: ChatServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    server.key = KEY
    server.pieces = [f"It was 2.80 crowns [1], by {KEY[:9]}", f"{KEY[9:]}."]
    fare = "What was the ferry fare in July 2015?"
    monkeypatch.setenv("TIMELENS_SERVER_KEY", KEY)
    monkeypatch.setenv("TIMELENS_SERVER__MODEL", "tiny")
    run_folder = tmp_path / "run"
    suite = ["bench", "run", "corpus", "--data", LEADERS, "--limit", "1", "-q"]
    said = []
    for command in (
        ["ask", fare, "--corpus", harbour, "--answerer", "server"],
        ["ask", fare, "--corpus", harbour, "--answerer", "server", "--json"],
        ["doctor"],
        ["--debug", "ask", fare, "--corpus", harbour, "--answerer", "server", "--model", "other"],
        [*suite, "--answerer", "server", "--judge", "llm", "--out", run_folder],
    ):
        try:
            outcome = run(*command)
        except TimelensError as error:  # --debug raises it
            said.append(repr(error))
        else:
            said += [outcome.out, outcome.err]
    assert len(server.asked) >= 4
    assert "[key]" in "".join(said)
    files = [path for folder in (harbour_home, run_folder) for path in folder.rglob("*") if path.is_file()]
    assert any(b"2.80 crowns" in path.read_bytes() for path in files)
    assert KEY not in "".join(said)
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.usefixtures("home")
def test_a_server_proposes_dated_statements_and_an_open_way_is_said(
    run: Run, server: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server.pieces = ['{"statements": [{"quote": "The mill burnt down", "time": "3 May 1890"}]}']
    monkeypatch.setenv("TIMELENS_ANSWERER", "server")
    document = tmp_path / "mill.txt"
    document.write_text("The mill burnt down on 3 May 1890. Its owner left.")
    done = run("ingest", document, "--corpus", "mill", "--annotator", "llm", "-q")
    assert done.code == 0
    assert "the model proposed 1 dated statements" in done.err
    assert "unencrypted" not in done.err
    assert "The mill burnt down" in server.asked[0]["messages"][1]["content"]
    monkeypatch.setattr("timelens.answer.server.endpoint.Endpoint.is_here", False)
    again = run("ingest", document, "--corpus", "mill", "--annotator", "llm", "-q")
    assert "note: questions and evidence go to 127.0.0.1 unencrypted" in again.err


@pytest.mark.usefixtures("home")
def test_a_run_records_which_model_of_the_server_answered(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    suite = ["bench", "run", "corpus", "--data", LEADERS, "--limit", "2", "-q", "--answerer", "server"]
    unnamed = run(*suite, "--out", tmp_path / "a")
    assert (unnamed.code, "no model of the server is named" in unnamed.err) == (3, True)
    assert run(*suite, "--model", "tiny", "--out", tmp_path / "b").code == 0
    config = json.loads((tmp_path / "b" / "config.json").read_text())
    assert config["model"]["model"] == "tiny"
    assert server.url not in json.dumps(config)
    assert "tiny" in run("bench", "report", tmp_path / "b").out
    assert run(*suite, "--model", "tiny", "--jobs", "2").code == 2
