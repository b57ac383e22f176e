"""Which models there are, and which one answers."""

import tomllib
from pathlib import Path

import pytest

from timelens.answer.models.catalogue import CATALOGUE, SUGGESTED, named, part_file
from timelens.answer.models.inventory import choose_answerer, inventory, is_undecided, label_of
from timelens.config import Settings

MODEL = CATALOGUE[0]


def test_all_of_the_catalogue_is_listed_and_nothing_is_here(home: Path) -> None:
    listed = inventory(None)
    assert [model.name for model in listed] == [model.name for model in CATALOGUE]
    assert not any(model.here or model.used or model.fetched for model in listed)
    assert (listed[0].size_words, listed[3].size_words) == ("0.5 GB", "about 2.0 GB")
    assert not (home / "models").exists()


def test_what_is_here_in_part_and_elsewhere(home: Path, tmp_path: Path) -> None:
    folder = home / "models"
    folder.mkdir()
    (folder / MODEL.file).write_bytes(b"GGUF")
    part_file(folder / CATALOGUE[1].file).write_bytes(b"half of it")
    (folder / "mine.gguf").write_bytes(b"GGUF")
    elsewhere = tmp_path / "elsewhere.gguf"
    elsewhere.write_bytes(b"GGUF")
    listed = {model.name: model for model in inventory(elsewhere)}
    assert [name for name, model in listed.items() if model.here] == [
        MODEL.name,
        "mine.gguf",
        "elsewhere.gguf",
    ]
    assert [name for name, model in listed.items() if model.used] == ["elsewhere.gguf"]
    assert [model.fetched for model in listed.values() if model.fetched] == [len(b"half of it")]


def test_a_model_is_the_used_one_by_whichever_path_it_is_named(home: Path, tmp_path: Path) -> None:
    (home / "models").mkdir()
    file = home / "models" / MODEL.file
    file.write_bytes(b"GGUF")
    link = tmp_path / "link.gguf"
    link.symlink_to(file)
    listed = inventory(link)
    assert [model.name for model in listed if model.used] == [MODEL.name]
    assert len(listed) == len(CATALOGUE)
    assert (label_of(link), label_of(tmp_path / "other.gguf")) == (MODEL.name, "other.gguf")


def test_a_choice_is_written_down(home: Path, tmp_path: Path) -> None:
    choose_answerer("llama", tmp_path / "x.gguf")
    kept = tomllib.loads((home / "config.toml").read_text())
    assert kept == {"answerer": "llama", "llama": {"model": str(tmp_path / "x.gguf")}}
    choose_answerer("extractive")
    assert tomllib.loads((home / "config.toml").read_text()) == {**kept, "answerer": "extractive"}


def test_what_is_suggested_is_pinned() -> None:
    suggested = named(SUGGESTED)
    assert suggested is not None
    assert suggested.sha256 is not None


@pytest.mark.parametrize(
    ("configuration", "files", "undecided"),
    [
        ("", [], True),
        ("[llama]\nthreads = 2\n", [], True),
        ("", ["remembered.json"], True),
        ('answerer = "extractive"\n', [], False),
        ('answerer = "server"\n', [], False),
        ('[llama]\nmodel = "/x.gguf"\n', [], False),
        ('[server]\nurl = "http://127.0.0.1:8080"\n', [], False),
        ("", ["x.gguf"], False),
        ("", ["x.gguf.part"], False),
    ],
)
def test_nobody_chose_yet(home: Path, configuration: str, files: list[str], undecided: bool) -> None:
    (home / "config.toml").write_text(configuration)
    (home / "models").mkdir()
    for file in files:
        (home / "models" / file).touch()
    assert is_undecided(Settings.load()) is undecided
