"""All corpora asked at once."""

import json
import shutil
from pathlib import Path

import pytest
from cli.conftest import Run
from rights import without_rights

from timelens.api import open_all, open_corpus, open_to_ask
from timelens.embedding import EmbedderIdentity
from timelens.errors import BadInputError, MissingError
from timelens.store.corpus import CorpusStore
from timelens.temporal.calendar import day_number

TODAY = day_number(2026, 11, 24)


@pytest.fixture(scope="module")
def three_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A timelens home with the corpora ``mayors`` and ``ships``, and ``other`` of another embedder."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("folder")
    (folder / "mayors.csv").write_text("office,holder,from,to\nMayor,Ann Lind,1990-01-01,1996-01-01\n")
    (folder / "ship.md").write_text("# The Anna\n\nThe ship Anna sank on 3 May 1991 off the coast.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        open_corpus("mayors").ingest([folder / "mayors.csv"])
        open_corpus("ships").ingest([folder / "ship.md"])
        CorpusStore.create(home / "corpora" / "other", EmbedderIdentity("other", 3, ""))
    return home


@pytest.fixture
def three(three_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(three_home))


@pytest.mark.usefixtures("three")
def test_answers_say_from_which_corpus_they_are(run: Run) -> None:
    for question, said, corpus in (
        ("Who was mayor in 1992?", "Ann Lind", "mayors"),
        ("When did the ship Anna sink?", "3 May 1991", "ships"),
    ):
        outcome = run("ask", question, "-c", "*")
        assert outcome.code == 0
        assert said in outcome.out
        assert f"{corpus}/" in outcome.out
        assert outcome.err.startswith("left out: other: the corpus at ")
        shown = json.loads(run("ask", question, "-c", "*", "--json").out)
        assert [one["corpus"] for one in shown["citations"]] == [corpus]
        assert shown["citations"][0]["doc_id"].startswith(f"{corpus}/")
    alone = json.loads(run("ask", "Who was mayor in 1992?", "-c", "mayors", "--json").out)
    assert "corpus" not in alone["citations"][0]


@pytest.mark.usefixtures("three")
def test_evidence_of_all_is_ranked_together(run: Run) -> None:
    shown = json.loads(run("search", "mayor or ship in 1991", "-c", "*", "--json").out)
    assert {hit["corpus"] for hit in shown["hits"]} == {"mayors", "ships"}
    scores = [hit["scores"]["final"] for hit in shown["hits"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.usefixtures("three")
def test_all_of_them_hold_what_each_holds(tmp_path: Path) -> None:
    everything = open_all()
    assert everything.exists()
    summary = everything.summary()
    assert (summary.documents, summary.chunks) == (2, 2)
    assert [name for name, _ in everything.left_out] == ["other"]
    (tmp_path / "late.md").write_text("# The Berta\n\nThe ship Berta sank on 7 June 2003.\n")
    late = open_corpus("late")
    late.ingest([tmp_path / "late.md"])
    try:
        assert everything.summary().documents == 3
        assert "7 June 2003" in everything.ask("When did the Berta sink?", as_of=TODAY).text
    finally:
        CorpusStore.erase(late.path)


@pytest.mark.usefixtures("home")
def test_without_a_corpus_there_is_nothing_to_ask(run: Run) -> None:
    assert not open_all().exists()
    with pytest.raises(MissingError, match="there is no corpus that can be asked"):
        open_all().summary()
    outcome = run("ask", "Who was mayor in 1992?", "-c", "*")
    assert (outcome.code, "no corpus that can be asked" in outcome.err) == (3, True)


def test_all_of_them_are_no_corpus_to_write_to(run: Run, tmp_path: Path) -> None:
    assert open_to_ask("*").name == "all corpora"
    with pytest.raises(BadInputError):
        open_corpus("*")
    (tmp_path / "a.md").write_text("x")
    for command in (
        ("ingest", tmp_path / "a.md", "-c", "*"),
        ("corpora", "show", "*"),
        ("corpora", "remove", "*", "-y"),
    ):
        assert run(*command).code == 2


def _damaged(path: Path, kind: str) -> None:
    if kind == "data":
        for file in (path / "chunks.lance" / "data").iterdir():
            file.write_bytes(b"x" * 3000)
    elif kind == "versions":
        for file in path.glob("*.lance/_versions/*"):
            file.write_bytes(file.read_bytes()[:10])
    elif kind == "a file":
        shutil.rmtree(path / "chunks.lance")
        (path / "chunks.lance").write_text("x")


@pytest.mark.parametrize("kind", ["data", "versions", "a file", "rights"])
def test_a_broken_corpus_is_named_and_the_others_are_asked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    (tmp_path / "a.md").write_text("The ship Berta sank on 7 June 2003.\n")
    open_corpus("fine").ingest([tmp_path / "a.md"])
    broken = tmp_path / "home" / "corpora" / "broken"
    shutil.copytree(tmp_path / "home" / "corpora" / "fine", broken)
    _damaged(broken, kind)
    with without_rights(broken, 0o000 if kind == "rights" else 0o700):
        everything = run("search", "Berta", "-c", "*", "--json")
        listed = run("corpora", "list", "--json")
        own = run("search", "Berta", "-c", "broken")
    assert everything.code == 0, everything.err
    assert [hit["corpus"] for hit in json.loads(everything.out)["hits"]] == ["fine"]
    assert f"left out: broken: the corpus at {broken} cannot be read or written: " in everything.err
    assert ".cargo" not in everything.err
    assert listed.code == 0
    broken_one, fine = json.loads(listed.out)["corpora"]
    assert (broken_one["name"], fine["name"], fine["health"]) == ("broken", "fine", "fine")
    assert broken_one["health"].startswith(f"the corpus at {broken} cannot be read or written: ")
    assert own.code == 4
    assert str(broken) in own.err.splitlines()[0]
