"""Answers of a server, over real connections to one on this machine that does as it is told."""

import json
import socket
import threading
import time
from typing import Any, cast

import pytest
from chat_server import WRITTEN, ChatServer, answerer_of, fault, stream, written
from evidence import timeline
from tiny_llama import DRAFT, EVIDENCE, QUESTION
from waiting import until

from timelens.answer.draft import Thought
from timelens.answer.lm import ModelParser
from timelens.answer.server import ServerAnswerer, ServerSession, client
from timelens.answer.server.token_estimate import most_tokens
from timelens.config import ServerSettings
from timelens.errors import BadInputError, ExitCode, MissingError, TimelensError
from timelens.temporal.calendar import day_number


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "server"]


def cancelling(answerer: ServerAnswerer, server: ChatServer) -> threading.Thread:
    """A thread that cancels the answer a moment after the server was asked."""

    def cancel() -> None:
        until(lambda: server.asked, "the server is asked")
        time.sleep(0.2)  # until what is to be cancelled has begun
        answerer.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    return canceller


def test_an_answer_is_streamed_from_the_same_prompt_that_a_local_model_gets(server: ChatServer) -> None:
    answerer = answerer_of(server)
    assert list(stream(answerer)) == ["Ann led", " the club", " in 1998 [1]."]
    assert answerer.notes == ()
    (asked,) = server.asked
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert "Ann led the club." in asked["messages"][1]["content"]
    assert (asked["model"], asked["temperature"], asked["stream"]) == ("tiny", 0.0, True)
    assert not threads()


def test_a_server_is_asked_to_sample_as_the_settings_say(server: ChatServer) -> None:
    list(stream(answerer_of(server, temperature=0.7, seed=3)))
    (asked,) = server.asked
    assert (asked["temperature"], asked["seed"]) == (0.7, 3)


def test_pieces_come_as_they_are_written(server: ChatServer) -> None:
    server.silent_before = 1
    answerer = answerer_of(server)
    pieces = stream(answerer)
    assert next(pieces) == "Ann led"
    cast("Any", pieces).close()


def test_citations_of_evidence_that_does_not_exist_are_taken_out(server: ChatServer) -> None:
    server.pieces = ["Ann [1", "][9] and Bob [", "7]."]
    assert written(answerer_of(server)) == "Ann [1] and Bob."


@pytest.mark.parametrize("silent_before", [-1, 0, 1])
def test_cancelling_ends_the_wait_for_the_server_and_closes_the_connection(
    server: ChatServer, silent_before: int
) -> None:
    server.silent_before = silent_before
    answerer = answerer_of(server, model="tiny")
    canceller = cancelling(answerer, server)
    assert written(answerer).strip() == ("Ann led" if silent_before > 0 else "")  # silence alone is a fault
    assert server.gone.wait(3)
    assert answerer.notes == ("the answer was cancelled before it was complete",)
    canceller.join()
    server.silent_before = None
    assert written(answerer) == WRITTEN


def test_closing_the_stream_closes_the_connection(server: ChatServer) -> None:
    server.silent_before = 1
    pieces = stream(answerer_of(server))
    next(pieces)
    cast("Any", pieces).close()
    assert server.gone.wait(3)
    until(lambda: not threads(), "its thread ends")


@pytest.mark.parametrize("statuses", [[503], [429, 500], [0], [502, 0]])
def test_what_fails_before_the_first_token_is_tried_again(server: ChatServer, statuses: list[int]) -> None:
    server.statuses = list(statuses)
    assert written(answerer_of(server)) == WRITTEN
    assert len(server.asked) == len(statuses) + 1


def test_a_server_is_given_the_time_that_it_asks_for(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(client, "_pause", lambda seconds, _: waited.append(seconds))
    server.statuses, server.headers = [429], {"Retry-After": "7"}
    assert written(answerer_of(server)) == WRITTEN
    assert waited == [7.0]


def test_attempts_end(server: ChatServer) -> None:
    server.statuses = [503] * 9
    error = fault(answerer_of(server))
    assert "cannot answer now (503): told to fail" in error.message
    assert error.exit_code is ExitCode.MISSING
    assert len(server.asked) == 3


def test_a_pause_before_another_attempt_can_be_cancelled(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_FIRST_PAUSE", 9)
    server.statuses = [503]
    answerer = answerer_of(server)
    canceller = cancelling(answerer, server)
    assert written(answerer) == ""
    assert len(server.asked) == 1
    canceller.join()


def test_a_connection_that_breaks_in_mid_answer_is_not_tried_again(server: ChatServer) -> None:
    event = json.dumps({"choices": [{"delta": {"content": "Ann"}}]})
    server.raw = f"data: {event}\n\n".encode()
    server.lengths = 100_000
    answerer = answerer_of(server)
    pieces = stream(answerer)
    assert next(pieces) == "Ann"
    with pytest.raises(MissingError, match=r"the connection to .* failed"):
        next(pieces)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("changed", "kind", "said"),
    [
        ({"statuses": [404], "error": "no such \x1b[2Jmodel"}, MissingError, "has no model 'tiny'"),
        (
            {"statuses": [400], "error": "too long " * 99},
            BadInputError,
            "refuses the request (400): too long",
        ),
        ({"statuses": [302]}, BadInputError, "redirects to another address (302)"),
        ({"statuses": [418]}, BadInputError, "status 418"),
        ({"raw": b"data: {nonsense\n\n"}, BadInputError, "not the expected JSON"),
        ({"raw": b'data: {"choices": 7}\n\n'}, BadInputError, "not the expected JSON"),
        ({"raw": b'data: {"choices": [' + b"[" * 9999}, None, ""),
        ({"raw": b'data: {"error": "out of memory"}\n\n'}, MissingError, "failed: out of memory"),
        ({"raw": b"<html>", "content_type": "text/html"}, BadInputError, "text/html"),
        ({"raw": b"data: " + b"x" * (1 << 21)}, BadInputError, "exceeded"),
        (
            {"raw": b"{}" * (1 << 22), "content_type": "application/json"},
            BadInputError,
            "more than 4,194,304",
        ),
        ({"raw": b"\x1f\x8b", "encoding": "gzip"}, BadInputError, "compressed"),
        ({"models": []}, MissingError, "has no model"),
        ({"models": ["a", "b\x1b[2J"]}, MissingError, "has several models: a, b␛[2J"),
    ],
)
def test_what_goes_wrong_is_one_line_with_a_remedy(
    server: ChatServer, changed: dict[str, Any], kind: type[TimelensError] | None, said: str
) -> None:
    vars(server).update(changed)
    answerer = answerer_of(server)
    if kind is None:
        assert written(answerer) == ""
        return
    error = fault(answerer)
    assert isinstance(error, kind)
    assert said in error.message
    assert len(error.message) < 400
    assert "\x1b" not in error.message


def test_an_endless_stream_ends(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.pieces = ["word " * 1000] * 50
    answerer = answerer_of(server, answer_tokens=16)
    assert len(written(answerer)) <= 16 * 32
    assert answerer.notes == ("the answer was cut after 16 tokens",)
    monkeypatch.setattr(client, "_MOST_BYTES", 10_000)
    assert "more than 10,000 bytes in one reply" in fault(answerer_of(server, answer_tokens=2000)).message


def test_a_server_that_is_silent_for_too_long_is_given_up(server: ChatServer) -> None:
    server.silent_before = 0
    error = fault(answerer_of(server, timeout_seconds=0.4))
    assert "said nothing for 0.4 s" in error.message
    assert len(server.asked) == 1


def test_comments_alone_are_silence(server: ChatServer) -> None:
    server.raw, server.repeats = b": ping\n\n", True
    assert "said nothing for 0.5 s" in fault(answerer_of(server, timeout_seconds=0.5)).message


def test_a_server_that_is_not_there_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        error = fault(ServerAnswerer(ServerSettings(url=url)))
    assert error.message == f"nothing answers at {url}/v1: connection refused"
    assert error.exit_code is ExitCode.MISSING
    nowhere = fault(ServerAnswerer(ServerSettings(url="http://nowhere.invalid")))
    assert nowhere.exit_code is ExitCode.MISSING
    assert "no server is configured" in fault(ServerAnswerer(ServerSettings())).message


@pytest.mark.parametrize(
    ("finish", "pieces", "note"),
    [
        ("length", ["Ann"], "the answer was cut after 512 tokens"),
        (None, ["Ann"], "the server ended the answer without marking it as complete"),
        (
            "length",
            ["<think>Let me see"],
            "the model used all of its 512 tokens for thinking; raise server.answer_tokens",
        ),
    ],
)
def test_an_answer_that_is_not_complete_is_called_so(
    server: ChatServer, finish: str | None, pieces: list[str], note: str
) -> None:
    server.finish, server.pieces = finish, pieces
    answerer = answerer_of(server)
    written(answerer)
    assert answerer.notes == (note,)


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["<th", "ink>Well, [1", "] says</th", "ink>\n\nAnn", " [1]."], "Ann [1]."),
        (["<think></think> ", " Ann."], "Ann."),
        (["<thin ice>", " Ann."], "<thin ice> Ann."),
        (["  \n", " Ann."], "Ann."),
        (["Ann <think>no</think>."], "Ann <think>no</think>."),
        (["Ann\x1b[2J\u202e."], "Ann[2J."),
        ([""], ""),
    ],
)
def test_thoughts_before_an_answer_and_signs_for_a_terminal_are_left_out(
    server: ChatServer, pieces: list[str], shown: str
) -> None:
    server.pieces = pieces
    assert written(answerer_of(server)) == shown


def test_a_server_that_does_not_stream_is_understood(server: ChatServer) -> None:
    reply = {"choices": [{"message": {"role": "assistant", "content": WRITTEN}, "finish_reason": "stop"}]}
    server.raw, server.content_type = json.dumps(reply).encode(), "application/json; charset=utf-8"
    assert written(answerer_of(server)) == WRITTEN


JUDGED = '{"helps": true, "says": "Ann led the club in 1999."}'


def _judging(body: dict[str, Any]) -> list[str]:
    last = body["messages"][1]["content"]
    return [f"Sure! ```json\n{JUDGED}\n``` {{}}"] if "judge it alone" in last else ["Ann [1]."]


@pytest.mark.parametrize(
    ("formats", "kinds", "noted"),
    [
        (("json_schema", "json_object"), ["json_schema", "json_schema", None], False),
        (("json_object",), ["json_schema", "json_object", "json_object", None], False),
        ((), ["json_schema", "json_object", None, None, None], True),
    ],
)
def test_a_schema_is_asked_for_as_the_server_knows_it(
    server: ChatServer, formats: tuple[str, ...], kinds: list[str | None], *, noted: bool
) -> None:
    server.formats, server.replies = formats, _judging
    answerer = answerer_of(server, reading="self-rag")
    thoughts = [piece for piece in answerer.write(QUESTION, EVIDENCE, DRAFT) if isinstance(piece, Thought)]
    assert thoughts[0].text == "[1] Ann led the club in 1999."
    asked = [body.get("response_format", {}).get("type") for body in server.asked]
    assert asked == kinds
    assert any("accepts no JSON schema" in note for note in answerer.notes) is noted
    assert not any("could not be read" in note for note in answerer.notes)
    written_again = list(answerer.write(QUESTION, EVIDENCE, DRAFT))
    assert written_again
    assert not any("accepts no JSON schema" in note for note in answerer.notes)


def test_a_refusal_that_has_nothing_to_do_with_the_schema_is_told(server: ChatServer) -> None:
    server.statuses = [400] * 3
    error = fault(answerer_of(server, reading="self-rag"))
    assert "refuses the request (400): told to fail" in error.message


def test_a_server_reads_questions_and_shortens_passages(server: ChatServer) -> None:
    server.pieces = ['{"speaks": true, "sentence": "Ann led it in 1998."}']
    answerer = answerer_of(server)
    assert answerer.summarise("Who led it?", ["Ann led it in 1998."]) == ["Ann led it in 1998."]
    session = ServerSession(ServerSettings(url=server.url))
    server.formats = ()
    reading = ModelParser(session).read("Who led it in 1998?", day_number(2026))
    assert any("stands alone" in note for note in reading.notes)
    assert any("accepts no JSON schema" in note for note in reading.notes)


def test_evidence_that_does_not_fit_by_the_estimate_is_left_out_and_said(server: ChatServer) -> None:
    answerer = answerer_of(server)
    long = timeline(*("Ann led the club. " * 40 for _ in range(20)))
    assert written(answerer, long)
    (note,) = answerer.notes
    assert note.endswith("of 20 pieces of evidence: see server.evidence_tokens and server.context_tokens")
    small = fault(answerer_of(server, context_tokens=256, answer_tokens=200))
    assert "server.context_tokens" in small.hint


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("in May", 3),
        ("membership", 3),
        ("1998-05-03", 10),
        ("Łódź", 7),
        ("市长", 6),
        ("a  b", 3),
        ("NASA's", 6),
    ],
)
def test_tokens_are_estimated_from_above(text: str, tokens: int) -> None:
    assert most_tokens(text) == tokens


@pytest.mark.parametrize("model", ["tiny", None])
def test_models_are_asked_for_only_where_none_is_named(server: ChatServer, model: str | None) -> None:
    answerer = answerer_of(server, model=model)
    written(answerer)
    written(answerer)
    assert server.paths.count("/v1/models") == (model is None)


def test_threads_that_share_an_answerer_take_turns(server: ChatServer) -> None:
    answerer = answerer_of(server)
    answers: list[str] = []
    askers = [threading.Thread(target=lambda: answers.append(written(answerer))) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert answers == [WRITTEN] * 4
