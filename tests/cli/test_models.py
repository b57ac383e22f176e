"""``timelens model``, with a hub on this machine."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.conftest import Run
from file_server import FileServer, serving

from timelens.answer.models import catalogue
from timelens.answer.models.catalogue import CatalogueModel

NAME, FILE = "qwen3-4b", "Qwen3-4B-Q4_K_M.gguf"
"""Of the catalogue, without a pinned hash."""
PINNED = "qwen2.5-0.5b"


@pytest.fixture
def hub(tiny_model: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    """Hands out the tiny model under every name, to a timelens home of the test's own."""
    assert home.exists()
    with serving(FileServer(tiny_model.read_bytes())) as server:
        monkeypatch.setenv("TIMELENS_LLAMA__HUB", server.url)
        yield server


def test_a_model_is_pulled_used_shown_and_no_longer_used(run: Run, hub: FileServer, home: Path) -> None:
    listed = {model["name"]: model for model in json.loads(run("model", "list", "--json").out)["models"]}
    assert (listed[NAME]["path"], listed[NAME]["sha256"], hub.asked) == (None, None, [])
    assert listed[NAME]["good_for"] == "many cores or a small GPU"
    missing = run("model", "use", NAME)
    assert (missing.code, f"timelens model pull {NAME}" in missing.err) == (3, True)

    pulled = run("model", "pull", NAME)
    assert pulled.code == 0
    size = f"{len(hub.content) / 1e6:,.1f} MB"
    said = (
        f"{hub.url}/Qwen/Qwen3-4B-GGUF/resolve/main/{FILE} to {home / 'models' / FILE}: {size}"
        "; licence Apache-2.0"
    )
    assert said in pulled.err.replace("\n", "")
    assert f"sha256 {hub.sha256}, as the server states" in pulled.out

    assert run("model", "use", NAME).code == 0
    settings = tomllib.loads((home / "config.toml").read_text())
    assert settings == {"answerer": "llama", "llama": {"model": str(home / "models" / FILE)}}
    listed = {model["name"]: model for model in json.loads(run("model", "list", "--json").out)["models"]}
    assert (listed[NAME]["used"], listed[NAME]["sha256"]) == (True, hub.sha256)
    assert "in use" in run("model", "list").out

    shown = json.loads(run("model", "show", "--json").out)
    assert (shown["architecture"], shown["sha256"], shown["stated_by"]) == ("llama", hub.sha256, "server")
    assert hub.sha256 in run("model", "show", NAME).out
    assert run("model", "use", "none").code == 0
    assert tomllib.loads((home / "config.toml").read_text())["answerer"] == "extractive"


def test_a_model_by_its_address_and_a_hash_that_nobody_states(run: Run, hub: FileServer, home: Path) -> None:
    hub.states_hash = False
    pulled = run("model", "pull", f"{hub.url}/mine.gguf")
    assert "its SHA-256 is not known yet" in pulled.err
    assert "which nobody states; it is recorded" in pulled.out
    listed = json.loads(run("model", "list", "--json").out)["models"]
    assert [model["stated_by"] for model in listed if model["name"] == "mine.gguf"] == ["nobody"]
    assert run("model", "use", "mine.gguf").code == 0
    again = json.loads(run("model", "pull", f"{hub.url}/mine.gguf", "--json").out)
    assert (again["sha256"], again["path"]) == (hub.sha256, str(home / "models" / "mine.gguf"))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["pull", "gpt"], 3, "no model 'gpt'"),
        (["pull", NAME, "--sha256", "abc"], 2, "is not a SHA-256"),
        (["pull", NAME, "--sha256", "0" * 64], 2, "offers another file"),
        (["pull", PINNED], 2, "offers another file than the expected one"),
        (["pull", PINNED, "--from", "no.gguf"], 3, "there is no model file no.gguf"),
        (["pull", PINNED, "--from", "http://example.org"], 2, "cannot be pulled from"),
        (["pull", "https://example.org/x.gguf", "--from", "x.gguf"], 2, "so --from cannot be used"),
        (["pull", "http://example.org/x.gguf"], 2, "cannot be pulled from"),
        (["use", "gpt"], 3, "there is no model file gpt"),
        (["show"], 3, "no model is configured"),
        (["show", NAME], 3, "is not on this machine"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    run: Run, hub: FileServer, arguments: list[str], code: int, said: str
) -> None:
    outcome = run("model", *arguments)
    assert (outcome.code, said in outcome.err, outcome.out) == (code, True, "")
    assert hub.asked in ([], [""])


def test_a_pinned_model_comes_from_a_mirror_or_a_file_by_the_same_hash(
    run: Run, hub: FileServer, home: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = CatalogueModel(
        "tiny", "maker/tiny", "t.gguf", len(hub.content), "Apache-2.0", "tests", hub.sha256
    )
    monkeypatch.setattr(catalogue, "CATALOGUE", (model,))
    monkeypatch.setenv("TIMELENS_LLAMA__HUB", "https://hub.invalid")
    target = home / "models" / "t.gguf"
    for origin in (hub.url, f"{hub.url}/x/mine.gguf", str(tiny_model)):
        pulled = run("model", "pull", "tiny", "--from", origin)
        assert (pulled.code, f"sha256 {hub.sha256}, as the catalogue states" in pulled.out) == (0, True)
        assert "licence Apache-2.0" in pulled.err
        assert target.read_bytes() == hub.content
        target.unlink()
    assert hub.asked == ["", ""]
    (listed,) = json.loads(run("model", "list", "--json").out)["models"]
    assert (listed["pinned_sha256"], listed["licence"]) == (hub.sha256, "Apache-2.0")
    other = home / "other.gguf"
    other.write_bytes(hub.content.replace(b"tiny random llama", b"tiny another lama"))
    refused = run("model", "pull", "tiny", "--from", other)
    assert (refused.code, "is not the expected file" in refused.err) == (2, True)
    assert not list(target.parent.glob("t.gguf*.part*"))
    assert not target.exists()


def test_a_hub_that_has_it_not_is_one_line(run: Run, hub: FileServer) -> None:
    hub.statuses = [404]
    outcome = run("model", "pull", NAME)
    assert (outcome.code, "there is no file at" in outcome.err) == (3, True)


def test_what_is_here_in_part_is_listed_as_such(run: Run, hub: FileServer, home: Path) -> None:
    (home / "models").mkdir()
    (home / "models" / f"{FILE}.part").write_bytes(hub.content[:1000])
    (line,) = (line for line in run("model", "list").out.splitlines() if NAME in line)
    assert "in part" in line


def test_a_model_that_is_none_is_not_used(run: Run, home: Path) -> None:
    letter = home / "letter.gguf"
    letter.write_text("Dear bank")
    outcome = run("model", "use", letter)
    assert (outcome.code, "is not a GGUF file" in outcome.err) == (2, True)
    assert not (home / "config.toml").exists()
