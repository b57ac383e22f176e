"""Downloads from servers of the tests' own: whole, begun before, wrong, and absent."""

import hashlib
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from cli.conftest import Run
from holding import held
from waiting import until

from timelens.bench.fetch import Servers, fetch
from timelens.bench.official_sources import HUB, REPOSITORY, WEB, Source, sources_of
from timelens.bench.tdbench import DATABASES
from timelens.bench.tdbench_official import QUESTIONS, TABLES, TASK
from timelens.errors import BadInputError, MissingError

CONTENT = bytes(range(256)) * 400
SHA = hashlib.sha256(CONTENT).hexdigest()
COMMIT = "a" * 40


def pointer(content: bytes, sha: str) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha}\nsize {len(content)}\n".encode()


class Handler(http.server.BaseHTTPRequestHandler):
    """Files with ranges, and as much of the hub's interface as one file needs."""

    files: ClassVar[dict[str, bytes]] = {}
    asked: ClassVar[list[tuple[str, str, str | None]]] = []
    both: ClassVar[threading.Event | None] = None
    """Where there is one, answers wait for it."""

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        span = self.headers.get("Range")
        self.asked.append((self.command, self.path, span))
        if self.both is not None:
            self.both.wait(timeout=60)
        content = self.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = int(span.removeprefix("bytes=").split("-")[0]) if span else 0
        if start >= len(content) > 0:
            self.send_error(416)
            return
        self.send_response(206 if span else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if body:
            self.wfile.write(content[start:])

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    Handler.files.clear()
    Handler.asked.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()
        thread.join()


def servers(at: str) -> Servers:
    return Servers(hub=at, raw=f"{at}/raw", media=f"{at}/media")


LFS = Source(REPOSITORY, "owner/name", "data/set.jsonl")


def test_a_file_in_git_lfs_is_fetched_verified_and_then_left_alone(server: str, tmp_path: Path) -> None:
    Handler.files["/raw/owner/name/main/data/set.jsonl"] = pointer(CONTENT, SHA)
    Handler.files["/media/owner/name/main/data/set.jsonl"] = CONTENT
    told: list[tuple[str, int, int | None]] = []
    [got] = fetch([LFS], tmp_path, servers=servers(server), on_progress=lambda *what: told.append(what))
    assert got.path == tmp_path / "data" / "set.jsonl"
    assert (got.path.read_bytes(), got.sha256, got.verified) == (CONTENT, SHA, True)
    assert told[-1] == ("data/set.jsonl", len(CONTENT), len(CONTENT))
    Handler.asked.clear()
    assert fetch([LFS], tmp_path, servers=servers(server)) == [got]
    assert [path for _, path, _ in Handler.asked] == ["/raw/owner/name/main/data/set.jsonl"]


def test_a_file_that_is_no_pointer_is_the_file(server: str, tmp_path: Path) -> None:
    Handler.files["/raw/owner/name/main/data/set.jsonl"] = b'{"id": 1}\n'
    [got] = fetch([LFS], tmp_path, servers=servers(server))
    assert (got.path.read_bytes(), got.verified) == (b'{"id": 1}\n', False)


@pytest.mark.parametrize("have", [1, 50_000, len(CONTENT), len(CONTENT) + 7])
def test_what_was_begun_is_gone_on_with(server: str, tmp_path: Path, have: int) -> None:
    Handler.files["/set.jsonl"] = CONTENT
    (tmp_path / "set.jsonl.part").write_bytes((CONTENT + b"superfluous")[:have])
    [got] = fetch([Source(WEB, server, "set.jsonl", sha256=SHA)], tmp_path)
    assert got.path.read_bytes() == CONTENT
    assert not (tmp_path / "set.jsonl.part").exists()
    ranges = [span for _, _, span in Handler.asked]
    assert ranges == ([f"bytes={have}-"] if have < len(CONTENT) else [f"bytes={have}-", None])


@pytest.mark.parametrize("kind", [WEB, REPOSITORY])
def test_a_file_without_a_known_hash_is_not_joined_from_two_versions(
    server: str, tmp_path: Path, kind: str
) -> None:
    place = server if kind == WEB else "owner/name"
    path = "/set.jsonl" if kind == WEB else "/raw/owner/name/main/set.jsonl"
    Handler.files[path] = CONTENT
    (tmp_path / "set.jsonl.part").write_bytes(bytes(50_000))  # of what was published before
    [got] = fetch([Source(kind, place, "set.jsonl")], tmp_path, servers=servers(server))
    assert (got.path.read_bytes(), got.verified) == (CONTENT, False)
    assert not (tmp_path / "set.jsonl.part").exists()
    assert {span for _, _, span in Handler.asked} == {None}


def test_a_file_with_another_hash_is_not_kept(server: str, tmp_path: Path) -> None:
    Handler.files["/set.jsonl"] = CONTENT + b"!"
    with pytest.raises(BadInputError, match=f"not {SHA}"):
        fetch([Source(WEB, server, "set.jsonl", sha256=SHA)], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["fetch.lock"]


def test_a_file_from_the_hub_is_fetched_and_verified(server: str, tmp_path: Path) -> None:
    Handler.files["/datasets/owner/name/resolve/main/test.csv"] = CONTENT
    source = Source(HUB, "owner/name", "test.csv", sha256=SHA)
    [got] = fetch([source], tmp_path, servers=servers(server))
    assert (got.path, got.path.read_bytes(), got.verified) == (tmp_path / "test.csv", CONTENT, True)
    Handler.asked.clear()
    assert fetch([source], tmp_path, servers=servers(server)) == [got]
    assert Handler.asked == []


@pytest.mark.parametrize("kind", [HUB, REPOSITORY, WEB])
def test_what_cannot_be_fetched_is_named_with_a_remedy(server: str, tmp_path: Path, kind: str) -> None:
    place = server if kind == WEB else "owner/name"
    with pytest.raises(MissingError, match=r"test\.csv") as missing:
        fetch([Source(kind, place, "test.csv")], tmp_path, servers=servers(server))
    assert "run the command again" in missing.value.hint


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInputError, match="cannot be written"):
        fetch([LFS], tmp_path / "file", servers=Servers(raw="http://127.0.0.1:9"))


@pytest.mark.usefixtures("home")
def test_a_folder_that_another_process_fetches_into_is_left_alone(
    server: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Handler.files["/datasets/siyue/TempRAGEval/resolve/main/test.csv"] = b"question\n"
    monkeypatch.setattr("timelens.bench.fetch.Servers", lambda: servers(server))
    folder = tmp_path / "out"
    folder.mkdir()
    with held(folder / "fetch.lock"):
        outcome = run("bench", "fetch", "temprageval", "--out", folder, "-q")
        assert (outcome.code, len(outcome.err.splitlines())) == (4, 2)
        assert "another process is fetching" in outcome.err
        assert [path.name for path in folder.iterdir()] == ["fetch.lock"]
        assert Handler.asked == []
    assert run("bench", "fetch", "temprageval", "--out", folder).code == 0
    assert (folder / "test.csv").read_text() == "question\n"


def test_of_two_processes_that_fetch_into_a_folder_at_once_one_does(server: str, tmp_path: Path) -> None:
    Handler.files["/set.jsonl"] = CONTENT
    Handler.both = threading.Event()
    code = (
        "import sys; from pathlib import Path; from timelens.bench.fetch import fetch\n"
        "from timelens.bench.official_sources import WEB, Source; from timelens.errors import TimelensError\n"
        "try: fetch([Source(WEB, sys.argv[1], 'set.jsonl', sha256=sys.argv[2])], Path(sys.argv[3]))\n"
        "except TimelensError as error: sys.exit(error.message)\n"
    )
    command = [sys.executable, "-c", code, server, SHA, str(tmp_path)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        # while the server keeps the first waiting
        until(lambda: any(process.poll() is not None for process in processes), "the second gives up")
        Handler.both.set()
        ends = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]
    finally:
        Handler.both.set()
        Handler.both = None
        for process in processes:
            process.kill()
            process.wait()
    assert sorted(code for _, code in ends) == [0, 1]
    assert sum("another process is fetching" in said for said, _ in ends) == 1
    assert len(Handler.asked) == 1
    assert (tmp_path / "set.jsonl").read_bytes() == CONTENT


def test_the_sources_of_each_suite() -> None:
    paths = [source.path for source in sources_of("tempo", "law")]
    assert paths == ["examples/law.parquet", "steps/law.parquet", "documents/law.parquet"]
    reasoned = sources_of("tempo", "law", queries=["gpt4o_reason", "gpt4o_reason", "deepseek_reason"])[3:]
    assert [source.path for source in reasoned] == ["gpt4o_reason/law.parquet", "deepseek_reason/law.parquet"]
    assert len(sources_of("temprageval")) == 1
    assert len(sources_of("temprageval", corpus=True)) == 2
    assert {source.kind for source in sources_of("adqab")} == {REPOSITORY}
    published = sources_of("tdbench")
    assert {(source.kind, len(source.revision)) for source in published} == {(REPOSITORY, 40)}
    of_tables = {source.path for source in published}
    assert {f"{TABLES}/{TASK}/{TASK}_{name}.csv" for name in DATABASES} < of_tables
    assert {f"{QUESTIONS}/{TASK}/{name}_sql_gpt4o.jsonl" for name in ("basic", "now")} < of_tables


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "arguments",
    [
        ("beir",),
        ("tempo",),
        ("tempo", "--split", "cooking"),
        ("adqab", "--split", "law"),
        ("adqab", "--corpus"),
        ("tdbench", "--split", "leaders"),
        ("adqab", "--query", "gpt4o_reason"),
        ("tempo", "--split", "law", "--query", "my_reason"),
    ],
)
def test_what_there_is_none_of_is_refused_before_anything_is_fetched(
    run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    outcome = run("bench", "fetch", *arguments, "--out", tmp_path / "out")
    assert (outcome.code, len(outcome.err.splitlines())) == (2, 2)
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("home")
def test_the_command(server: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Handler.files["/datasets/siyue/TempRAGEval/resolve/main/test.csv"] = b"question\n"
    monkeypatch.setattr("timelens.bench.fetch.Servers", lambda: servers(server))
    outcome = run("bench", "fetch", "temprageval", "--out", tmp_path / "out", "--json", "-q")
    assert outcome.code == 0, outcome.err
    [file] = json.loads(outcome.out)["files"]
    assert (file["path"], file["verified"]) == (str(tmp_path / "out" / "test.csv"), False)
    assert (tmp_path / "out" / "test.csv").read_text() == "question\n"
    said = run("bench", "fetch", "temprageval", "--out", tmp_path / "out")
    assert "no hash is known" in said.err
