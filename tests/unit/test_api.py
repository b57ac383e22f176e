from pathlib import Path

import pytest

from timelens.api import Corpus, list_corpora, open_corpus, remove_corpus
from timelens.config import Settings
from timelens.errors import BadInputError, MissingError

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A small corpus of text and a table, with the real embedder."""
    root = tmp_path_factory.mktemp("api")
    (root / "in").mkdir()
    (root / "in" / "ferry.md").write_text("---\ndate: 1987-03-07\n---\n# Ferry\nThe ferry sank at sea.")
    (root / "in" / "mayors.csv").write_text("Office,Name,Start,End\nMayor,Ada,1990,2000\nMayor,Bob,2000,\n")
    corpus = Corpus(root / "corpus", Settings())
    corpus.ingest([root / "in"])
    return corpus


def test_a_question_is_answered_from_what_was_ingested(answered: Corpus) -> None:
    answer = answered.ask("Who was Mayor in 1995?", as_of=0)
    assert [value.text for value in answer.values] == ["Ada"]
    assert [c.hit.chunk.document_id for c in answer.citations] == ["mayors.csv"]
    found = answered.search("What happened to the ship in 1987?", as_of=0, k=1)
    assert [hit.chunk.document_id for hit in found.hits] == ["ferry.md"]
    assert answered.summary().documents == 2


@pytest.mark.parametrize("k", [0, -1])
def test_fewer_than_one_hit_cannot_be_asked_for(answered: Corpus, k: int) -> None:
    for call in (answered.search, answered.ask):
        with pytest.raises(BadInputError, match="hits cannot be asked for"):
            call("Who was Mayor?", as_of=0, k=k)


@pytest.mark.parametrize("question", ["", " \n\t"])
def test_an_empty_question_is_refused(answered: Corpus, question: str) -> None:
    with pytest.raises(BadInputError, match="question is empty"):
        answered.search(question, as_of=0)


def test_an_unknown_strategy_is_refused_with_those_that_are_known(answered: Corpus) -> None:
    with pytest.raises(BadInputError, match="no strategy 'oracle'") as caught:
        answered.search("x", as_of=0, strategy="oracle")
    assert "timelens" in caught.value.hint


@pytest.mark.parametrize("strategy", ["bm25", "naive", "hybrid", "timelens"])
def test_a_corpus_without_documents_has_no_evidence(tmp_path: Path, strategy: str) -> None:
    (tmp_path / "empty.txt").write_text("")
    corpus = open_corpus("nothing")
    corpus.ingest([tmp_path / "empty.txt"])
    result = corpus.search("What changed from 2010 to 2012?", as_of=0, strategy=strategy)
    assert result.hits == ()
    assert result.coverage.share == 0


def test_a_corpus_has_a_name_or_a_path(home: Path, tmp_path: Path) -> None:
    assert open_corpus("news").path == home / "corpora" / "news"
    assert open_corpus(str(tmp_path / "x")).path == tmp_path / "x"
    for name in ("", "a b", "né", "-x"):
        with pytest.raises(BadInputError, match="cannot be the name"):
            open_corpus(name)
    with pytest.raises(MissingError):
        open_corpus("news").search("x", as_of=0)


def test_removing_a_corpus_takes_nothing_else_that_lies_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Text.")
    named, beside = open_corpus("named"), open_corpus(str(tmp_path))
    for corpus in (named, beside):
        corpus.ingest([tmp_path / "a.txt"])
    assert [corpus.name for corpus in list_corpora()] == ["named"]
    remove_corpus("named")
    assert not named.path.exists()
    remove_corpus(str(tmp_path))
    assert [file.name for file in tmp_path.iterdir() if file.name != "home"] == ["a.txt"]
    for name in ("named", str(tmp_path)):
        with pytest.raises(MissingError, match="no corpus"):
            remove_corpus(name)
