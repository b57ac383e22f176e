"""Files that are held to a catalogue, and files of this machine in place of a download."""

from pathlib import Path

import pytest
from file_server import FileServer, fetch, interrupted, left

from timelens.answer.models.catalogue import CatalogueModel, PullRecord
from timelens.answer.models.download import pull
from timelens.answer.models.incoming_file import Offer, Watcher
from timelens.errors import BadInputError, MissingError


def pinned(server: FileServer, *, size: int | None = None) -> CatalogueModel:
    """A model of a catalogue that is what the server has."""
    size = len(server.content) if size is None else size
    return CatalogueModel("tiny", "maker/tiny", "tiny.gguf", size, "Apache-2.0", "tests", server.sha256)


def test_what_the_catalogue_pins_is_held_to_whatever_the_server_states(
    server: FileServer, target: Path
) -> None:
    model, url = pinned(server), f"{server.url}/tiny.gguf"
    good = server.content
    server.content = good.replace(b"tiny random llama", b"tiny another lama")
    with pytest.raises(BadInputError, match="offers another file"):
        pull(url, target, model=model)
    assert server.asked == [""]
    server.states_hash = False
    with pytest.raises(BadInputError, match=f"not the expected file.* not {model.sha256}"):
        pull(url, target, model=model)
    server.content = good + b"\0"
    with pytest.raises(BadInputError, match=f"it has {model.size + 1:,} bytes, not {model.size:,}"):
        pull(url, target, model=model)
    assert left(target) == set()
    server.content = good
    assert pull(url, target, model=model).stated_by == "catalogue"
    assert pull(url, target, model=model).stated_by == "catalogue"
    target.write_bytes(good.replace(b"tiny random llama", b"tiny another lama"))
    with pytest.raises(BadInputError, match="is not the expected file"):
        pull(url, target, model=model)


def test_who_names_a_hash_wins_over_the_catalogue(server: FileServer, target: Path) -> None:
    model = pinned(server)
    server.content = server.content.replace(b"tiny random llama", b"tiny another lama") + b"\0"
    record = pull(f"{server.url}/tiny.gguf", target, sha256=server.sha256, model=model)
    assert (record.stated_by, record.sha256) == ("user", server.sha256)


def test_a_file_of_this_machine_is_checked_and_copied(
    server: FileServer, target: Path, tiny_model: Path
) -> None:
    offers: list[Offer] = []
    record = pull(tiny_model, target, model=pinned(server), watcher=Watcher(offers.append))
    assert record == PullRecord(str(tiny_model), len(server.content), server.sha256, "catalogue")
    assert offers == [Offer(len(server.content), server.sha256, 0)]
    assert target.read_bytes() == tiny_model.read_bytes()
    assert not target.is_symlink()
    assert left(target) == {"tiny.gguf", "tiny.gguf.json"}
    assert server.asked == []


def test_a_file_of_this_machine_that_is_another_is_refused_and_stays(
    server: FileServer, target: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(server.content.replace(b"tiny random llama", b"tiny another lama"))
    with pytest.raises(BadInputError, match=r"the download from .*other\.gguf is not the expected file"):
        pull(other, target, model=pinned(server))
    other.write_bytes(server.content[:-1])
    with pytest.raises(BadInputError, match="is not the expected file"):
        pull(other, target, model=pinned(server))
    assert other.exists()
    assert left(target) == set()


def test_a_copy_that_is_interrupted_leaves_nothing(
    server: FileServer, target: Path, tiny_model: Path
) -> None:
    def interrupt(done: int, _size: int) -> None:
        if done >= 70_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull(tiny_model, target, model=pinned(server), watcher=Watcher(on_progress=interrupt))
    assert left(target) == set()


def test_a_copy_takes_the_place_of_what_an_interrupted_pull_left(
    server: FileServer, target: Path, tiny_model: Path
) -> None:
    interrupted(server, target)
    unfinished = target.with_name("tiny.gguf.part")
    with pytest.raises(BadInputError, match="is not a complete file"):
        pull(unfinished, target)
    assert unfinished.stat().st_size == 70_000
    assert pull(tiny_model, target).stated_by == "nobody"
    assert left(target) == {"tiny.gguf", "tiny.gguf.json"}


def test_a_file_of_this_machine_that_cannot_be_had_is_said(target: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="there is no model file"):
        pull(tmp_path / "none.gguf", target)
    with pytest.raises(BadInputError, match="is not a complete file"):
        pull(tmp_path, target)


def test_two_pulls_of_one_file_do_not_meet(server: FileServer, target: Path) -> None:
    def meanwhile(_offer: Offer) -> None:
        with pytest.raises(BadInputError, match="by another process"):
            fetch(server, target)

    pull(f"{server.url}/tiny.gguf", target, watcher=Watcher(meanwhile))
    assert target.exists()
