"""A corpus of documents from 44 BCE to now, ingested once with the real embedder."""

from pathlib import Path

import pytest
from hostile import HOSTILE

from timelens.api import open_corpus
from timelens.config import Settings
from timelens.corpus import Corpus

BOARD = (
    "---\ndate: 2018-03-04\n---\n# Board of Calder Mutual\n\n"
    "Ruth Osei chaired the board from 2014 to 2016. In May 2017 the rent was £425 a month.\n"
)
CAESAR = "# Caesar\n\nJulius Caesar was killed in Rome on 15 March 44 BC.\n"
OFFICE = "Office,Holder,Start,End\nMayor,Ada Lind,2001-05-01,2005-05-01\nMayor,Ben Ode,2005-05-01,\n"
NASTY = (
    "# <script>alert(1)</script>\n\n"
    f"In June 2012 the lamp <img src=x onerror=alert(1)> broke. {HOSTILE['ChatML']}\n"
)


@pytest.fixture(scope="session")
def board(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Opened by a path, so that no home has to be set."""
    folder = tmp_path_factory.mktemp("documents")
    for name, text in (
        ("board.md", BOARD),
        ("caesar.md", CAESAR),
        ("office.csv", OFFICE),
        ("lamp.md", NASTY),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    corpus = open_corpus(str(tmp_path_factory.mktemp("corpora") / "board"), Settings())
    report = corpus.ingest([folder])
    assert (report.added, report.failed) == (4, 0)
    return corpus


@pytest.fixture
def fresh(board: Corpus) -> Corpus:
    """The same corpus with nothing opened yet."""
    return Corpus(Path(str(board.path)), Settings())
