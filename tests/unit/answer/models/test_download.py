import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from file_server import FileServer, fetch, interrupted, left

from timelens.answer.models.catalogue import (
    PullRecord,
    read_record,
    record_file,
)
from timelens.answer.models.download import pull
from timelens.answer.models.incoming_file import Offer, Watcher
from timelens.errors import BadInputError, ExitCode, MissingError


def test_a_file_comes_whole_checked_and_recorded(server: FileServer, target: Path) -> None:
    offers: list[Offer] = []
    progress: list[tuple[int, int]] = []
    record = pull(
        f"{server.url}/tiny.gguf",
        target,
        watcher=Watcher(offers.append, lambda done, size: progress.append((done, size))),
    )
    size = len(server.content)
    assert target.read_bytes() == server.content
    assert offers == [Offer(size, server.sha256, 0)]
    assert progress[-1] == (size, size)
    assert len(progress) > 10
    assert record == PullRecord(f"{server.url}/tiny.gguf", size, server.sha256, "server")
    assert read_record(target) == record
    assert left(target) == {"tiny.gguf", "tiny.gguf.json"}


def test_a_connection_that_breaks_is_taken_up_where_it_broke(server: FileServer, target: Path) -> None:
    server.breaks_after = [50_000, 60_000]
    fetch(server, target)
    assert server.asked == ["", "bytes=50000-", "bytes=110000-"]
    assert target.read_bytes() == server.content


def test_an_interrupted_pull_goes_on_the_next_time(server: FileServer, target: Path) -> None:
    def interrupt(done: int, _size: int) -> None:
        if done >= 70_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull(f"{server.url}/tiny.gguf", target, watcher=Watcher(on_progress=interrupt))
    assert not target.exists()
    fetch(server, target)
    assert server.asked == ["", "bytes=70000-"]
    assert target.read_bytes() == server.content


def test_a_killed_pull_goes_on_the_next_time(server: FileServer, target: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from timelens.answer.models import incoming_file, "
        "download\n"
        "incoming_file._BLOCK = 10_000\n"
        "def progress(done, size):\n    if done >= 70_000: os.kill(os.getpid(), 9)\n"
        "watcher = incoming_file.Watcher(on_progress=progress)\n"
        "download.pull(sys.argv[1], Path(sys.argv[2]), watcher=watcher)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, f"{server.url}/tiny.gguf", str(target)], check=False)
    assert killed.returncode == -9
    assert not target.exists()
    fetch(server, target)
    assert server.asked[1].startswith("bytes=")
    assert target.read_bytes() == server.content


def test_what_is_complete_but_unchecked_is_only_checked(server: FileServer, target: Path) -> None:
    url = f"{server.url}/tiny.gguf"
    target.parent.mkdir()
    part = target.with_name("tiny.gguf.part")
    part.write_bytes(server.content)
    state = {"url": url, "size": len(server.content), "sha256": server.sha256, "validator": None}
    part.with_name("tiny.gguf.part.json").write_text(json.dumps(state))
    assert fetch(server, target).stated_by == "server"
    assert server.asked == []


def test_a_server_without_ranges_sends_all_again(server: FileServer, target: Path) -> None:
    server.takes_ranges = False
    server.breaks_after = [50_000]
    fetch(server, target)
    assert server.asked == ["", "bytes=50000-"]
    assert target.read_bytes() == server.content


def test_a_file_that_changed_meanwhile_is_fetched_anew(server: FileServer, target: Path) -> None:
    server.breaks_after = [50_000] * 5
    server.takes_ranges = False
    with pytest.raises(MissingError):
        fetch(server, target)
    server.takes_ranges = True
    server.content = server.content.replace(b"tiny random llama", b"tiny another lama")
    fetch(server, target)
    assert target.read_bytes() == server.content


@pytest.mark.parametrize("header", ["ETag", "Last-Modified"])
def test_the_rest_is_asked_for_on_condition_that_the_file_is_the_same(
    server: FileServer, target: Path, header: str
) -> None:
    server.validators = (header,)
    server.breaks_after = [50_000]
    fetch(server, target)
    assert list(zip(server.asked, server.conditions, strict=True)) == [
        ("", ""),
        ("bytes=50000-", server.validator(header)),
    ]
    assert target.read_bytes() == server.content


@pytest.mark.parametrize("header", ["ETag", "Last-Modified"])
@pytest.mark.parametrize("takes_conditions", [True, False])
def test_what_changed_between_two_pulls_is_fetched_anew(
    server: FileServer, target: Path, header: str, takes_conditions: bool
) -> None:
    """Also from a server that states no hash, and from one that does not heed the condition."""
    server.states_hash, server.validators, server.takes_conditions = False, (header,), takes_conditions
    interrupted(server, target)
    fetch(server, target)
    assert server.asked == (["bytes=70000-"] if takes_conditions else ["bytes=70000-", ""])
    assert target.read_bytes() == server.content


def test_what_cannot_be_told_to_be_the_same_is_fetched_anew(server: FileServer, target: Path) -> None:
    server.states_hash, server.validators = False, ()
    interrupted(server, target)
    fetch(server, target)
    assert server.asked == [""]
    assert target.read_bytes() == server.content


def test_a_hash_that_is_known_lets_a_pull_go_on_without_a_condition(server: FileServer, target: Path) -> None:
    server.validators = ()
    server.breaks_after = [50_000]
    fetch(server, target)
    assert (server.asked, server.conditions) == (["", "bytes=50000-"], ["", ""])


@pytest.mark.parametrize("state", ["", "[]", "{", '{"url": "x"}'])
def test_a_part_that_nothing_is_known_of_is_fetched_anew(
    server: FileServer, target: Path, state: str
) -> None:
    interrupted(server, target)
    target.with_name("tiny.gguf.part.json").write_text(state)
    fetch(server, target)
    assert server.asked == [""]
    assert target.read_bytes() == server.content


def test_a_part_of_another_servers_file_is_fetched_anew(server: FileServer, target: Path) -> None:
    interrupted(server, target)
    pull(f"{server.url}/other/tiny.gguf", target)
    assert server.asked == [""]
    assert target.read_bytes() == server.content


def test_a_file_that_became_shorter_is_fetched_anew(server: FileServer, target: Path) -> None:
    """The server answers 416 to the range, where it does not heed the condition."""
    server.takes_conditions = False
    long, server.content = server.content, server.content + bytes(50_000)
    server.breaks_after = [len(long) + 20_000]

    def shorten(_seconds: float) -> None:
        server.content = long

    pull(f"{server.url}/tiny.gguf", target, pause=shorten)
    assert server.asked == ["", f"bytes={len(long) + 20_000}-", ""]
    assert target.read_bytes() == long


def test_a_416_to_a_plain_request_is_one_line(server: FileServer, target: Path) -> None:
    server.statuses = [416]
    with pytest.raises(MissingError, match=r"gives neither a part of .* nor the whole"):
        fetch(server, target)
    server.breaks_after = [50_000]
    waited: list[float] = []

    def refuse(seconds: float) -> None:
        waited.append(seconds)
        server.statuses = [416, 416]

    with pytest.raises(MissingError, match=r"gives neither a part of .* nor the whole"):
        pull(f"{server.url}/tiny.gguf", target, pause=refuse)
    assert waited == [1]


@pytest.mark.parametrize(
    ("address", "error", "said"),
    [
        ("", MissingError, "leads in a circle or to nothing"),
        ("/again", MissingError, "leads in a circle or to nothing"),
        ("data:text/plain,GGUF", MissingError, "leads in a circle or to nothing"),
        ("ftp://127.0.0.1/tiny.gguf", BadInputError, "not an https:// address"),
        ("http://[127.0.0.1/file", BadInputError, "an address that cannot be read"),
        ("http://127.0.0.1:port/file", BadInputError, "an address that cannot be read"),
        ("http://127.0.0.1:9/file", MissingError, r"127\.0\.0\.1 cannot be reached"),
        ("https://nowhere.invalid/file", MissingError, r"nowhere\.invalid cannot be reached"),
    ],
)
def test_a_broken_redirection_is_one_line(
    server: FileServer, target: Path, address: str, error: type[Exception], said: str
) -> None:
    server.redirects_to = address
    with pytest.raises(error, match=said) as raised:
        fetch(server, target)
    assert "\n" not in str(raised.value)
    assert left(target) == set()


def test_too_many_bytes_here_are_fetched_anew(server: FileServer, target: Path) -> None:
    target.parent.mkdir()
    target.with_name("tiny.gguf.part").write_bytes(server.content + b"more")
    fetch(server, target)
    assert target.read_bytes() == server.content


@pytest.mark.parametrize("given", [True, False])
def test_a_wrong_hash_is_refused_and_nothing_stays(server: FileServer, target: Path, given: bool) -> None:
    server.states_hash = not given
    server.hash_stated = "0" * 64
    with pytest.raises(BadInputError, match=f"its SHA-256 is {server.sha256}, not {'0' * 64}"):
        fetch(server, target, sha256="0" * 64 if given else None)
    assert left(target) == set()


def test_a_hash_that_nobody_states_is_recorded_and_held_to_from_then_on(
    server: FileServer, target: Path
) -> None:
    server.states_hash = False
    assert fetch(server, target) == PullRecord(
        f"{server.url}/tiny.gguf", len(server.content), server.sha256, "nobody"
    )
    target.unlink()
    assert fetch(server, target).stated_by == "nobody"
    target.unlink()
    server.content = server.content.replace(b"tiny random llama", b"tiny another lama")
    with pytest.raises(BadInputError, match="is not the expected file"):
        fetch(server, target)
    server.states_hash = True
    with pytest.raises(BadInputError, match="offers another file") as error:
        fetch(server, target)
    assert server.sha256 in error.value.hint
    assert fetch(server, target, sha256=server.sha256).stated_by == "user"


def test_a_file_that_is_here_is_checked_and_not_fetched(server: FileServer, target: Path) -> None:
    record = fetch(server, target)
    assert fetch(server, target) == record
    assert server.asked == [""]
    target.write_bytes(b"GGUF")
    with pytest.raises(BadInputError, match="is not the expected file"):
        fetch(server, target)


@pytest.mark.parametrize("content", [b"", b"<html>Sign in</html>", b"GGUF\x03\0\0\0"])
def test_what_is_no_model_is_refused_and_nothing_stays(
    server: FileServer, target: Path, content: bytes
) -> None:
    server.content = content
    with pytest.raises(BadInputError, match="not a usable GGUF file"):
        fetch(server, target)
    assert left(target) == set()


@pytest.mark.parametrize(
    ("status", "said"),
    [(404, "there is no file at"), (410, "no file"), (401, "not give"), (403, "not give")],
)
def test_a_server_that_refuses_is_not_asked_again(
    server: FileServer, target: Path, status: int, said: str
) -> None:
    server.statuses = [status]
    with pytest.raises(MissingError, match=said) as error:
        fetch(server, target)
    assert error.value.exit_code is ExitCode.MISSING
    assert server.asked == []


def test_a_busy_server_is_asked_again_after_a_while(server: FileServer, target: Path) -> None:
    server.statuses = [503, 429, 500]
    waited: list[float] = []
    pull(f"{server.url}/tiny.gguf", target, pause=waited.append)
    assert waited == [1, 2, 4]
    assert target.exists()


def test_a_server_that_cannot_be_reached_is_said_with_what_is_kept(server: FileServer, target: Path) -> None:
    server.breaks_after = [30_000, 30_000] + [0] * 5
    with pytest.raises(MissingError, match="cannot be reached: 60,000 of") as error:
        fetch(server, target)
    assert "60,000 bytes are kept" in error.value.hint
    with pytest.raises(MissingError, match=r"127\.0\.0\.1 cannot be reached"):
        pull("http://127.0.0.1:9/tiny.gguf", target.with_name("x.gguf"), pause=lambda _: None)


def test_a_server_that_does_not_say_how_large_the_file_is_is_refused(
    server: FileServer, target: Path
) -> None:
    server.says_length = False
    with pytest.raises(BadInputError, match="the size of the file"):
        fetch(server, target)


def test_a_redirection_to_where_others_can_listen_is_not_followed(server: FileServer, target: Path) -> None:
    server.redirects_to = "http://example.org/file"
    with pytest.raises(BadInputError, match="not an https:// address"):
        fetch(server, target)


def test_who_declines_an_offer_fetches_nothing(server: FileServer, target: Path) -> None:
    def decline(_offer: Offer) -> None:
        raise BadInputError("too large", "")

    with pytest.raises(BadInputError, match="too large"):
        pull(f"{server.url}/tiny.gguf", target, watcher=Watcher(decline))
    assert left(target) == set()


def test_without_room_nothing_is_fetched(
    server: FileServer, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(BadInputError, match="there is no room for"):
        fetch(server, target)
    assert left(target) == set()


def test_a_disk_that_fills_up_loses_nothing(server: FileServer, target: Path) -> None:
    """A limit on the size of files stands for the disk."""
    code = (
        "import sys; from pathlib import Path; from timelens.answer.models import download\n"
        "from timelens.errors import BadInputError\n"
        "download._BLOCK = 10_000\n"
        "try:\n    download.pull(sys.argv[1], Path(sys.argv[2]))\n"
        "except BadInputError as error:\n    print(error, '|', error.hint)\n"
    )
    full = subprocess.run(
        [sys.executable, "-c", code, f"{server.url}/tiny.gguf", str(target)],
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (55_000, 55_000)),
    )
    assert "cannot be written: File too large" in full.stdout
    assert "goes on from where it stopped" in full.stdout
    fetch(server, target)
    assert server.asked[0] == ""
    assert server.asked[1].startswith("bytes=")
    assert target.read_bytes() == server.content


@pytest.mark.parametrize(
    "damage", ["", "[]", "{}", '{"url": "x", "size": 1, "sha256": "x", "stated_by": "x"}']
)
def test_a_damaged_record_is_said(server: FileServer, target: Path, damage: str) -> None:
    fetch(server, target)
    record_file(target).write_text(damage)
    with pytest.raises(BadInputError, match="is damaged"):
        fetch(server, target)
