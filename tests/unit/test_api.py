"""The Python API, as its docstring shows it."""

import doctest
from pathlib import Path

import pytest

import timelens
from timelens.errors import MissingError


@pytest.mark.usefixtures("home")
def test_the_example_of_the_package_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    results = doctest.testmod(timelens)
    assert (results.failed, results.attempted > 3) == (0, True)


@pytest.mark.usefixtures("home")
def test_a_document_is_read_back_from_the_corpus(tmp_path: Path) -> None:
    file = tmp_path / "log.md"
    file.write_text("---\ndate: 2019-05-02\n---\n# Log\n\nIt began on 3 May 2019. It ended a day later.\n")
    corpus = timelens.open_corpus("logs")
    corpus.ingest([file])
    document = corpus.document("log.md")
    assert document.uri == file.as_posix()
    assert document.published_source == "front matter"
    assert "It ended a day later." in "\n".join(chunk.text for chunk in document.chunks)
    with pytest.raises(MissingError, match=r"other\.md is not in logs any more"):
        corpus.document("other.md")
