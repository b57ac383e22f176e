"""``corpora verify`` and ``corpora compact``."""

import json
import shutil
from pathlib import Path

import pytest
from cli.conftest import DOCUMENTS, Run
from cli.test_contracts import validate
from flipping import flip


def data_file(corpus: Path, table: str) -> Path:
    return max(corpus.glob(f"{table}.lance/data/*"), key=lambda file: file.stat().st_size)


def test_a_corpus_that_is_whole_is_said_to_be(run: Run, copied: Path) -> None:
    outcome = run("corpora", "verify", "harbour")
    assert outcome.code == 0
    assert "nothing is damaged" in outcome.out
    assert outcome.err == ""
    document = json.loads(run("corpora", "verify", "--json").out)
    validate(document, "verify")
    assert (document["fine"], document["documents"], document["repair"]) == (True, 5, None)
    assert copied.is_dir()


def test_damage_is_named_and_repaired(run: Run, copied: Path) -> None:
    file = data_file(copied, "chunks")
    flip(file, file.stat().st_size * 4)
    outcome = run("corpora", "verify", "harbour", "-q")
    assert outcome.code == 4
    assert f"damaged file chunks.lance/data/{file.name}: it differs from what was written" in outcome.out
    assert "damaged documents: 1, damaged files: 1" in outcome.out
    assert "repair them: timelens corpora verify harbour --repair" in outcome.err
    document = json.loads(run("corpora", "verify", "harbour", "--json").out)
    validate(document, "verify")
    (damaged,) = document["damaged"]["documents"]
    assert Path(damaged["uris"][0]).is_relative_to(DOCUMENTS)
    repaired = run("corpora", "verify", "harbour", "--repair", "--json")
    assert repaired.code == 0
    document = json.loads(repaired.out)
    validate(document, "verify")
    assert document["repair"]["read_again"] == [damaged["id"]]
    assert run("corpora", "verify", "harbour").code == 0
    assert "5 unchanged" in run("ingest", DOCUMENTS, "-c", "harbour", "-q").out


def test_what_is_lost_is_asked_about(run: Run, copied: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ghost\x1b[31m.txt").write_text("A lost paper of 1950.")
    assert run("ingest", folder, "-c", "other", "-q").code == 0
    corpus = copied.with_name("other")
    shutil.rmtree(folder)
    for file in corpus.glob("chunks.lance/data/*"):
        file.write_bytes(bytes(len(file.read_bytes())))
    refused = run("corpora", "verify", "other", "--repair", "-q")
    assert refused.code == 4
    assert "nothing was changed, because damaged documents are in no file any more: " in refused.err
    assert "--lost remove" in refused.err
    assert "\x1b" not in refused.err
    kept = run("corpora", "verify", "other", "--repair", "--lost", "keep", "-q")
    assert kept.code == 4
    assert "1 kept as they are, still damaged" in kept.out
    removed = run("corpora", "verify", "other", "--repair", "--lost", "remove", "-q")
    assert (removed.code, "1 removed" in removed.out) == (0, True)
    assert run("corpora", "verify", "other").code == 0


@pytest.mark.parametrize(
    "options",
    [["--lost", "keep"], ["--start-col", "a"], ["--repair", "--lost", "burn"]],
)
def test_options_that_do_not_fit_are_refused(run: Run, harbour: str, options: list[str]) -> None:
    outcome = run("corpora", "verify", harbour, *options)
    assert outcome.code == 2
    assert outcome.err.startswith("timelens: --")


def test_a_corpus_that_is_not_there_is_missing(run: Run, harbour: str) -> None:
    del harbour
    for command in (["verify", "none"], ["verify", "none", "--repair"], ["compact", "none"]):
        assert run("corpora", *command).code == 3


def test_compacting_says_what_it_saved(run: Run, copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timelens.store.corpus_tables.time.sleep", lambda _: None)
    before = sum(file.stat().st_size for file in copied.rglob("*") if file.is_file())
    document = json.loads(run("corpora", "compact", "harbour", "--json").out)
    after = sum(file.stat().st_size for file in copied.rglob("*") if file.is_file())
    assert document["corpus"] == "harbour"
    assert document["bytes_before"] == before
    assert document["bytes_after"] == pytest.approx(after, abs=10_000)
    assert document["bytes_after"] < before
    assert "MB before" in run("corpora", "compact", "harbour").out
    assert run("corpora", "verify", "harbour").code == 0
