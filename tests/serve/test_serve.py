"""The server of the Model Context Protocol, asked by the SDK's own client."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest
from cli.conftest import Run, run
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from timelens.config import Settings
from timelens.serve.server import make_server
from timelens.serve.tools import Tools
from timelens.temporal.calendar import parse_day

__all__ = ["run"]  # a fixture

TODAY = parse_day("2024-06-01")
SERVE = ("-m", "timelens", "serve", "--mcp")
ROOT = Path(__file__).parents[2]
CONTRACTS = ROOT / "tests" / "contracts"


@asynccontextmanager
async def client_of(only: tuple[str, ...] = ()) -> AsyncIterator[Client]:
    """A client of a server in this process."""
    async with Client(make_server(Tools(Settings.load(), lambda: TODAY, only))) as client:
        yield client


def found(result: CallToolResult) -> dict[str, Any]:
    """What a tool returned; the text that older clients read says the same."""
    assert not result.is_error, result.content
    returned: dict[str, Any] | None = result.structured_content
    assert returned is not None
    assert json.loads(result.content[0].text) == returned  # type: ignore[union-attr]
    return returned


def refusal(result: CallToolResult) -> str:
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


@pytest.mark.usefixtures("served")
async def test_tools_are_listed_as_read_only_with_their_times() -> None:
    async with client_of() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"corpora", "parse", "search", "timeline", "ask"}
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())
    for name in ("search", "timeline", "ask"):
        properties = tools[name].input_schema["properties"]
        assert {"question", "corpus", "as_of", "periods", "k"} <= set(properties)
        assert tools[name].input_schema["required"] == ["question"]


@pytest.mark.usefixtures("served")
async def test_each_tool_answers_by_the_contract_of_the_command_line() -> None:
    async with client_of() as client:
        about = {"question": "Who chaired the board in 2015?", "corpus": "board"}
        corpora = found(await client.call_tool("corpora", {}))
        assert [corpus["name"] for corpus in corpora["corpora"]] == ["board", "boats"]
        asked = found(await client.call_tool("ask", about))
        assert asked["outcome"] == "answered"
        assert "Ruth Osei" in asked["answer"]
        for name in ("ask", "search"):
            schema = json.loads((CONTRACTS / f"{name}.schema.json").read_text())
            jsonschema.validate(
                found(await client.call_tool(name, about)), {**schema, "additionalProperties": True}
            )
        read = found(await client.call_tool("parse", {"question": "rent last year", "as_of": "May 2018"}))
        assert read["periods"][0]["start"] == "2017-01-01"


@pytest.mark.usefixtures("served")
async def test_periods_may_be_named_apart_from_the_question() -> None:
    async with client_of(("board",)) as client:
        arguments = {"question": "What was the rent?", "periods": ["2015", "May 2017"]}
        result = found(await client.call_tool("search", arguments))
        assert [period["start"] for period in result["periods"]] == ["2015-01-01", "2017-05-01"]
        shown = found(await client.call_tool("timeline", arguments))
        starts = [entry["start"] for entry in shown["entries"] if entry["start"]]
        assert starts == sorted(starts)
        assert [period["start"] for period in shown["periods"]] == ["2015-01-01", "2017-05-01"]


@pytest.mark.usefixtures("served")
async def test_nothing_found_differs_from_not_in_the_corpus() -> None:
    async with client_of() as client:
        no_answer = {"question": "Who paid the rent in May 2017?", "corpus": "board"}
        assert found(await client.call_tool("ask", no_answer))["outcome"] == "nothing_found"
        elsewhere = {"question": "Who chaired the board in 1875?", "corpus": "board"}
        answer = found(await client.call_tool("ask", elsewhere))
        assert (answer["outcome"], answer["status"]) == ("not_in_corpus", "no_answer")


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"question": "Who?", "corpus": "navy"}, "there is no corpus navy: there are: board, boats"),
        ({"question": "Who?", "corpus": "../board"}, "there is no corpus ../board"),
        ({"question": "Who?"}, "name one: board, boats"),
        ({"question": " ", "corpus": "board"}, "the question is empty"),
        ({"question": "Who?", "corpus": "board", "as_of": "whenever"}, "as_of"),
        ({"question": "Who?", "corpus": "board", "k": 0}, "ask for 1 to 100"),
        ({"question": "Who?", "corpus": "board", "strategy": "best"}, "best"),
        ({"question": "w" * 5000, "corpus": "board"}, "more than 2,000 characters"),
    ],
)
async def test_bad_arguments_are_refused_with_the_remedy(arguments: dict[str, Any], said: str) -> None:
    async with client_of() as client:
        told = refusal(await client.call_tool("ask", arguments))
        assert said in told
        assert "Traceback" not in told


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"corpus": "board"}, "search needs the argument question: give it"),
        ({"question": 5}, "search cannot use the argument question: it is not a text"),
        ({"question": "Who?", "k": "many"}, "search cannot use the argument k: it is not a whole number"),
        ({"question": "Who?", "k": 2.5}, "search cannot use the argument k: it is not a whole number"),
        (
            {"question": "Who?", "periods": 2015},
            "search cannot use the argument periods: it is not a list of texts",
        ),
        (
            {"question": "Who?", "periods": [2015]},
            "search cannot use the argument periods: it is not a list of texts",
        ),
        (
            {"question": "Who?", "limit": 3},
            "search has no argument limit: it takes question, corpus, as_of, periods, strategy, k",
        ),
    ],
)
async def test_an_argument_that_does_not_fit_is_named_in_one_line(
    arguments: dict[str, Any], said: str
) -> None:
    async with client_of() as client:
        assert refusal(await client.call_tool("search", arguments)) == said


@pytest.mark.usefixtures("served")
async def test_corpora_that_are_not_named_cannot_be_reached() -> None:
    async with client_of(("boats",)) as client:
        assert len(found(await client.call_tool("corpora", {}))["corpora"]) == 1
        assert "there is no corpus board" in refusal(
            await client.call_tool("search", {"question": "Who?", "corpus": "board"})
        )


async def test_a_process_serves_over_standard_streams(served: Path) -> None:
    started = StdioServerParameters(
        command=sys.executable, args=[*SERVE], env={**os.environ, "TIMELENS_HOME": str(served)}
    )
    async with Client(started, read_timeout_seconds=60) as client:
        asked = {"question": "When was the Isla Grey launched?", "corpus": "boats", "as_of": "2024-06-01"}
        assert "7 May 2016" in found(await client.call_tool("ask", asked))["answer"]


@pytest.mark.parametrize("page", ["README.md", "docs/serve.md"])
async def test_what_pages_say_to_configure_starts_a_server(page: str, served: Path, home: Path) -> None:
    [written] = re.findall(r"```json\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    server = json.loads(written)["mcpServers"]["timelens"]
    shutil.copytree(served / "corpora" / "board", home / "corpora" / "minutes")
    scripts = str(Path(sys.executable).parent)
    environment = {"PATH": os.pathsep.join([scripts, os.environ["PATH"]]), "TIMELENS_HOME": str(home)}
    started = StdioServerParameters(**server, env={**os.environ, **environment})
    async with Client(started, read_timeout_seconds=60) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"search", "ask"}


@pytest.fixture
def over_http(served: Path) -> Iterator[tuple[str, str]]:
    """The address of a server over HTTP, and the token that it kept."""
    environment = {**os.environ, "TIMELENS_HOME": str(served)}
    with subprocess.Popen(
        [sys.executable, *SERVE, "--http", "0"], env=environment, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert line.startswith("timelens: http://127.0.0.1:"), line
        file = served / "serve.token"
        assert file.stat().st_mode & 0o777 == 0o600
        token = file.read_text().strip()
        assert token not in line
        yield line.split()[1].rstrip(","), token
        server.terminate()
        assert server.wait(20) == -signal.SIGTERM


async def test_http_needs_the_token(over_http: tuple[str, str]) -> None:
    address, token = over_http
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": token}):
        async with httpx2.AsyncClient(headers=headers) as http:
            assert (await http.post(address, json=call)).status_code == 401
    async with httpx2.AsyncClient(
        headers={"Authorization": f"Bearer {token}", "Host": "evil.example"}
    ) as http:
        assert (await http.post(address, json=call)).status_code in {403, 421}
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        asked = {"question": "Who chaired the board in 2015?", "corpus": "board"}
        assert "Ruth Osei" in found(await client.call_tool("ask", asked))["answer"]


def test_a_closed_stream_is_one_line(served: Path) -> None:
    started = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" {" ".join(SERVE)} <&-'],
        env={**os.environ, "TIMELENS_HOME": str(served)},
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert started.returncode == 2
    assert "standard input or output is closed" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "said"),
    [
        ((), {}, 2, "timelens serve --mcp"),
        (("--mcp", "--corpus", "navy"), {}, 3, "there is no corpus navy"),
        (("--mcp", "--http", "0"), {"TIMELENS_SERVE_TOKEN": "short"}, 2, "fewer than 16 characters"),
        (("--mcp", "--http", "99999"), {}, 2, "65535"),
    ],
)
@pytest.mark.usefixtures("served")
def test_a_wrong_start_is_one_line(
    arguments: tuple[str, ...],
    environment: dict[str, str],
    code: int,
    said: str,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    outcome = run("serve", *arguments)
    assert (outcome.code, said in outcome.err) == (code, True), outcome.err
    assert "Traceback" not in outcome.err
