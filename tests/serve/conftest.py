"""A timelens home with two small corpora, ingested with the real embedder."""

from pathlib import Path

import pytest

BOARD = (
    "# Board of Calder Mutual\n\n"
    "Ruth Osei chaired the board from 2014 to 2016. In May 2017 the rent was £425 a month.\n"
)
BOATS = "# Boats\n\nThe Isla Grey was launched on 7 May 2016.\n"


@pytest.fixture(scope="session")
def served_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        from timelens.api import open_corpus

        for name, text in (("board", BOARD), ("boats", BOATS)):
            folder = tmp_path_factory.mktemp(name)
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
            assert open_corpus(name).ingest([folder]).added == 1
    return home


@pytest.fixture
def served(served_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMELENS_HOME", str(served_home))
    return served_home
