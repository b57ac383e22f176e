import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pytest
from holding import held
from rights import without_rights

from timelens.documents import Document
from timelens.embedding import Embedder, EncodedDocuments, Span
from timelens.errors import ExitCode, MissingError, StoreError
from timelens.ingest import pipeline
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import (
    Changes,
    IngestReport,
    ingest,
    ingest_documents,
    reembed,
    survey,
)
from timelens.ingest.progress import IngestProgress
from timelens.ingest.sync_removals import MostlyGoneError
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument


def counts(report: IngestReport) -> tuple[int, int, int, int, int]:
    """(added, updated, unchanged, removed, failed)."""
    return report.added, report.updated, report.unchanged, report.removed, report.failed


def stored(store: CorpusStore, embedder: Embedder) -> dict[str, str]:
    found = store.dense(embedder.encode_queries(["x"])[0], 1000)
    assert len({hit.chunk.id for hit in found}) == len(found)
    return {hit.chunk.id: hit.chunk.text for hit in found}


def test_new_changed_unchanged_and_vanished_files(folder: Path, store: CorpusStore, hashed: Embedder) -> None:
    for name in ("a", "b", "c"):
        (folder / f"{name}.txt").write_text(f"Text of {name} in 2010.")
    first = ingest([folder], store, hashed)
    assert counts(first) == (3, 0, 0, 0, 0)
    assert (first.corpus, first.chunks, first.events) == ("corpus", 3, 3)
    (folder / "a.txt").write_text("Other text.")
    (folder / "b.txt").unlink()
    (folder / "d.txt").write_text("New text.")
    second = ingest([folder], store, hashed)
    assert counts(second) == (1, 1, 1, 0, 0)
    assert second.chunks == 2
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (0, 0, 3, 1, 0)
    assert stored(store, hashed) == {
        "a.txt#0": "Other text.",
        "c.txt#0": "Text of c in 2010.",
        "d.txt#0": "New text.",
    }


def test_what_is_unchanged_is_not_embedded_again(
    folder: Path, store: CorpusStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.txt").write_text("Text.")
    ingest([folder], store, hashed)

    def refuse(_texts: list[str], _spans: list[list[Span]]) -> EncodedDocuments:
        raise AssertionError("nothing is to be embedded")

    monkeypatch.setattr(hashed, "encode_documents", refuse)
    report = ingest([folder], store, hashed)
    assert counts(report) == (0, 0, 1, 0, 0)
    assert (report.chunks, report.events) == (0, 0)


def test_what_cannot_be_read_is_listed_and_the_rest_is_stored(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "a.txt").write_text("Text.")
    (folder / "bad.txt").write_bytes(b"\xff\xfe\x00")
    (folder / "empty.md").write_text("---\ntitle: x\n---\n")
    (folder / "header.csv").write_text("Name,Start,End\n")
    (folder / "odd.exe").write_text("x")
    (folder / "r.jsonl").write_text('{"text": "One."}\n{\n{"text": "Two.", "date": "2020-02-31"}\n')
    (folder / "t.csv").write_text("Name,Start,End\nAda,2010,2011\nBob,2012,2011\n")
    report = ingest([folder], store, hashed)
    assert counts(report) == (4, 0, 0, 0, 4)
    assert [failure.path for failure in report.failures] == [
        "odd.exe",
        "bad.txt",
        "empty.md",
        "header.csv",
        "r.jsonl line 2",
        "r.jsonl line 3",
        "t.csv row 3",
    ]
    assert all(failure.error and failure.hint for failure in report.failures)
    assert set(stored(store, hashed)) == {"a.txt#0", "r.jsonl#1#0", "r.jsonl#3#0", "t.csv#0"}


@pytest.mark.parametrize(
    "broken", [{"b.txt": b"\xff\xff"}, {"r.jsonl": b'{"id": "a", "text": "One."}\n{"id": "b"'}]
)
def test_nothing_is_removed_while_something_cannot_be_read(
    folder: Path, store: CorpusStore, hashed: Embedder, broken: dict[str, bytes]
) -> None:
    (folder / "b.txt").write_text("Text.")
    (folder / "r.jsonl").write_text('{"id": "a", "text": "One."}\n{"id": "b", "text": "Two."}\n')
    ingest([folder], store, hashed)
    for name, content in broken.items():
        (folder / name).write_bytes(content)
    report = ingest([folder], store, hashed, Intake(sync=True))
    assert (report.removed, report.failed) == (0, 1)
    assert set(store.content_hashes()) == {"a", "b", "b.txt"}
    assert any("nothing was removed" in note for note in report.notes)


def write_texts(folder: Path, number: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(number):
        (folder / f"{n}.txt").write_text(f"Text {n} of {folder.name}.")


@pytest.mark.parametrize("mode", [0o000, 0o400], ids=["not to list", "not to enter"])
def test_nothing_is_removed_while_a_folder_cannot_be_listed(
    folder: Path, store: CorpusStore, hashed: Embedder, mode: int
) -> None:
    write_texts(folder / "sub", 2)
    write_texts(folder, 4)
    ingest([folder], store, hashed)
    (folder / "0.txt").unlink()
    with without_rights(folder / "sub", mode):
        report = ingest([folder], store, hashed, Intake(sync=True))
    assert (report.unchanged, report.removed, report.failed) == (3, 0, len(report.failures))
    assert all(failure.path.startswith("sub") and failure.hint for failure in report.failures)
    assert (
        "nothing was removed, because some files could not be read; not found again: 3 documents"
        in report.notes
    )
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (0, 0, 5, 1, 0)


@pytest.mark.parametrize("stored", [1, 8])
def test_an_empty_folder_removes_nothing_unless_that_is_asked_for(
    folder: Path, store: CorpusStore, hashed: Embedder, stored: int
) -> None:
    write_texts(folder, stored)
    ingest([folder], store, hashed)
    for file in folder.iterdir():
        file.unlink()
    with pytest.raises(
        MostlyGoneError, match=f"{stored} of {stored} documents from {folder} are gone"
    ) as caught:
        ingest([folder], store, hashed, Intake(sync=True))
    assert (caught.value.exit_code, "--remove-most" in caught.value.hint) == (ExitCode.BAD_INPUT, True)
    assert len(store.content_hashes()) == stored
    assert counts(ingest([folder], store, hashed, Intake(sync=True, remove_most=True))) == (
        0,
        0,
        0,
        stored,
        0,
    )


@pytest.mark.parametrize(("gone", "refused"), [(5, False), (6, False), (7, True)])
def test_a_sync_that_would_remove_most_is_refused(
    folder: Path, store: CorpusStore, hashed: Embedder, gone: int, refused: bool
) -> None:
    write_texts(folder, 12)
    ingest([folder], store, hashed)
    for n in range(gone):
        (folder / f"{n}.txt").unlink()
    (folder / "new.txt").write_text("New text.")
    before = store.content_hashes()
    if refused:
        with pytest.raises(MostlyGoneError, match="7 of 12 documents"):
            ingest([folder], store, hashed, Intake(sync=True))
        assert store.content_hashes() == before
    else:
        assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (1, 0, 12 - gone, gone, 0)


def test_records_that_are_gone_from_a_file_count_as_documents(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    lines = [json.dumps({"id": f"r{n}", "text": f"Text {n}."}) for n in range(10)]
    (folder / "r.jsonl").write_text("\n".join(lines))
    ingest([folder], store, hashed)
    (folder / "r.jsonl").write_text("\n".join([*lines[:4], json.dumps({"id": "new", "text": "New."})]))
    with pytest.raises(MostlyGoneError, match="6 of 10 documents"):
        ingest([folder], store, hashed, Intake(sync=True))
    assert "new" not in store.content_hashes()
    (folder / "r.jsonl").write_text("\n".join(lines[:5]))
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (0, 0, 5, 5, 0)


def test_a_sync_leaves_the_documents_of_other_folders(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    here, there = folder / "here", folder / "there"
    write_texts(here / "a", 3)
    write_texts(there / "b", 8)
    ingest([here, there], store, hashed)
    (here / "a" / "0.txt").unlink()
    report = ingest([here], store, hashed, Intake(sync=True))
    assert counts(report) == (0, 0, 2, 1, 0)
    assert report.notes == ("kept, because they are outside the named paths: 8 documents",)
    there.rename(folder / "elsewhere")
    with pytest.raises(MostlyGoneError, match="8 of 8 documents from files elsewhere are gone"):
        ingest([here], store, hashed, Intake(sync=True))
    (folder / "elsewhere").rename(there)
    with without_rights(there, 0o000):
        assert counts(ingest([here], store, hashed, Intake(sync=True))) == (0, 0, 2, 0, 0)
    for file in list((there / "b").iterdir())[:5]:
        file.unlink()
    assert counts(ingest([here], store, hashed, Intake(sync=True, remove_most=True))) == (0, 0, 2, 5, 0)


def test_a_folder_that_was_moved_is_the_same(folder: Path, store: CorpusStore, hashed: Embedder) -> None:
    write_texts(folder / "old", 9)
    ingest([folder / "old"], store, hashed)
    (folder / "old").rename(folder / "new")
    (folder / "new" / "0.txt").unlink()
    assert counts(ingest([folder / "new"], store, hashed, Intake(sync=True))) == (0, 0, 8, 1, 0)


def test_documents_that_came_from_no_file_are_kept(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    made = Document("page", "https://example.org/page", "A page", "Text.", "hash")
    ingest_documents([made], store, hashed)
    write_texts(folder, 2)
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (2, 0, 0, 0, 0)
    assert "page" in store.content_hashes()


def test_a_survey_says_what_a_run_would_do_and_changes_nothing(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    write_texts(folder, 8)
    ingest([folder], store, hashed)
    (folder / "0.txt").write_text("Other text.")
    (folder / "1.txt").unlink()
    (folder / "new.txt").write_text("New text.")
    (folder / "bad.exe").write_text("x")
    assert isinstance(store.path, Path)
    before = {path: path.stat().st_mtime_ns for path in store.path.rglob("*")}
    report = survey([folder], store, "corpus", Intake(sync=True))
    assert {path: path.stat().st_mtime_ns for path in store.path.rglob("*")} == before
    assert counts(report) == (1, 1, 6, 1, 0)
    assert report.planned == Changes(("new.txt",), ("0.txt",), ("1.txt",))
    assert [failure.path for failure in report.failures] == ["bad.exe"]
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == counts(report)
    assert counts(survey([folder], None, "none", Intake(sync=True))) == (8, 0, 0, 0, 0)


def test_a_survey_tells_of_a_sync_that_would_be_refused(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    write_texts(folder, 8)
    ingest([folder], store, hashed)
    for file in folder.iterdir():
        file.unlink()
    report = survey([folder], store, "corpus", Intake(sync=True))
    assert (report.removed, len(store.content_hashes())) == (8, 8)
    assert any("8 of 8 documents" in note and "--remove-most" in note for note in report.notes)


def test_the_same_document_twice_in_a_run_is_stored_once(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    line = json.dumps({"id": "x", "text": "One."})
    (folder / "r.jsonl").write_text(f"{line}\n{line}\n")
    report = ingest([folder, folder, folder / "r.jsonl"], store, hashed)
    assert counts(report) == (1, 0, 0, 0, 0)
    assert stored(store, hashed) == {"x#0": "One."}
    assert counts(ingest([folder, folder], store, hashed)) == (0, 0, 1, 0, 0)


def test_two_documents_of_one_id_in_a_run_are_told_apart(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text(f"Text {name}.")
    report = ingest([folder / "one", folder / "two"], store, hashed)
    assert counts(report) == (1, 0, 0, 0, 1)
    (failure,) = report.failures
    assert failure.path == (folder / "two" / "a.txt").as_posix()
    assert "same id, a.txt" in failure.error
    assert stored(store, hashed) == {"a.txt#0": "Text one."}


def test_a_file_of_the_same_name_elsewhere_replaces_none_that_still_exists(
    tmp_path: Path, store: CorpusStore, hashed: Embedder
) -> None:
    one, other = tmp_path / "one" / "minutes.txt", tmp_path / "other" / "minutes.txt"
    for file, text in ((one, "The goat came in 2003."), (other, "The tower fell in 2013.")):
        file.parent.mkdir()
        file.write_text(text)
    assert counts(ingest([one.parent], store, hashed)) == (1, 0, 0, 0, 0)
    report = ingest([other.parent], store, hashed)
    assert counts(report) == (0, 0, 0, 0, 1)
    assert report.failures[0].error == f"{one.as_posix()} is stored under the same name, minutes.txt"
    assert stored(store, hashed) == {"minutes.txt#0": "The goat came in 2003."}
    one.unlink()
    assert counts(ingest([other.parent], store, hashed)) == (0, 1, 0, 0, 0)


def test_records_of_the_same_id_in_two_files_need_ids_of_their_own(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "goats.jsonl").write_text('{"id": 1, "text": "The goat came in 2003."}\n')
    (folder / "towers.jsonl").write_text('{"id": 1, "text": "The tower fell in 2013."}\n')
    report = ingest([folder], store, hashed)
    assert counts(report) == (1, 0, 0, 0, 1)
    assert report.failures[0].hint == "give each record its own id"


def test_a_document_that_shrinks_leaves_nothing_of_its_old_self(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "a.txt").write_text("\n\n".join(f"Paragraph {n} " + "word " * 40 + "end." for n in range(6)))
    assert ingest([folder], store, hashed).chunks == 6
    (folder / "a.txt").write_text("Short.")
    ingest([folder], store, hashed)
    assert stored(store, hashed) == {"a.txt#0": "Short."}


def test_documents_are_written_in_batches_that_keep_each_whole(
    folder: Path, store: CorpusStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_CHUNKS_PER_WRITE", 3)
    records = [{"id": f"d{n}", "text": f"Text {n} of 2010."} for n in range(10)]
    (folder / "r.jsonl").write_text("\n".join(map(json.dumps, records)))
    seen: list[IngestProgress] = []
    report = ingest([folder], store, hashed, on_progress=seen.append)
    assert counts(report) == (10, 0, 0, 0, 0)
    assert stored(store, hashed) == {f"d{n}#0": f"Text {n} of 2010." for n in range(10)}
    steps = [step for step, _ in groupby(seen) if step.document_id]  # a slow run also reports each second
    assert [step.chunks_stored for step in steps] == [0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9]
    assert (seen[-1].files_done, seen[-1].files) == (1, 1)


def test_an_interrupted_run_keeps_what_was_written_and_the_next_goes_on(
    folder: Path, store: CorpusStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_CHUNKS_PER_WRITE", 2)
    for n in range(7):
        (folder / f"{n}.txt").write_text(f"Text {n}.")

    def interrupt(step: IngestProgress) -> None:
        if step.chunks_stored == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest([folder], store, hashed, on_progress=interrupt)
    assert len(stored(store, hashed)) == 4
    assert counts(ingest([folder], store, hashed)) == (3, 0, 4, 0, 0)
    assert len(stored(store, hashed)) == 7


def test_a_second_process_is_locked_out_and_readers_are_not(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "a.txt").write_text("Text.")
    ingest([folder], store, hashed)
    assert isinstance(store.path, Path)
    with held(store.path / "ingest.lock"):
        for writing in (lambda: ingest([folder], store, hashed), lambda: reembed(store, hashed)):
            with pytest.raises(StoreError, match="another process is writing to corpus") as caught:
                writing()
            assert caught.value.exit_code is ExitCode.STORE
        assert stored(CorpusStore(store.path), hashed) == {"a.txt#0": "Text."}
    assert counts(ingest([folder], store, hashed)) == (0, 0, 1, 0, 0)


def test_another_embedder_is_refused_until_all_is_embedded_again(
    folder: Path, store: CorpusStore, hashed: Embedder, other_hashed: Embedder
) -> None:
    (folder / "a.txt").write_text("Text.")
    ingest([folder], store, hashed)
    (folder / "b.txt").write_text("More.")
    with pytest.raises(StoreError, match="made with the embedder hashed"):
        ingest([folder], store, other_hashed)
    reembed(store, other_hashed)
    assert counts(ingest([folder], store, other_hashed)) == (1, 0, 1, 0, 0)
    assert stored(store, other_hashed) == {"a.txt#0": "Text.", "b.txt#0": "More."}
    with pytest.raises(StoreError, match="made with the embedder other"):
        ingest([folder], store, hashed)


def test_sentences_too_long_for_the_embedder_are_mentioned(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "a.txt").write_text("Short.")
    assert ingest([folder], store, hashed).notes == ()
    (folder / "b.txt").write_text("word " * 100 + "needle.")
    (note,) = ingest([folder], store, hashed).notes
    assert note.startswith("sentences longer than the 64 tokens that the embedder reads: 1")
    assert [hit.chunk.document_id for hit in store.keyword("needle", 3)] == ["b.txt"]


def test_a_missing_path_stops_before_anything_is_written(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "a.txt").write_text("Text.")
    with pytest.raises(MissingError):
        ingest([folder, folder / "gone"], store, hashed)
    assert stored(store, hashed) == {}


def test_the_real_embedder_reads_sentences_in_their_place(
    folder: Path, tmp_path: Path, embedder: Embedder
) -> None:
    (folder / "a.md").write_text("# Harbours\n\nThe ferry sank in 1987. Bread got cheaper in 1990.")
    store = CorpusStore.create(tmp_path / "real", embedder.identity)
    ingest([folder], store, embedder)
    query = embedder.encode_queries(["a ship went down"])[0]
    (hit,) = store.dense(query, 1)
    similarities = [float(vector @ query) for vector in hit.sentence_vectors]
    best = max(range(len(similarities)), key=similarities.__getitem__)
    assert "ferry" in hit.chunk.sentence(best)


def test_of_what_is_known_to_have_changed_alone_anything_is_read(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    for name in ("a", "b", "c", "d"):
        (folder / f"{name}.txt").write_text(f"Text of {name}.")
    ingest([folder], store, hashed)
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text("Other text.")
    for name in ("c", "d"):
        (folder / f"{name}.txt").unlink()
    changed = {folder / "b.txt", folder / "d.txt"}
    assert counts(ingest([folder], store, hashed, Intake(changed=changed, sync=True))) == (0, 1, 0, 1, 0)
    assert store.content_hashes().keys() == {"a.txt", "b.txt", "c.txt"}
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (0, 1, 1, 1, 0)


def test_a_changed_file_does_not_replace_documents_of_one_that_is_not_read_again(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "a.jsonl").write_text('{"id": "1", "text": "First."}\n{"id": "2", "text": "Second."}\n')
    ingest([folder], store, hashed)
    (folder / "b.jsonl").write_text('{"id": "2", "text": "Third."}\n{"id": "3", "text": "Fourth."}\n')
    report = ingest([folder], store, hashed, Intake(changed={folder / "b.jsonl"}, sync=True))
    assert counts(report) == (1, 0, 0, 0, 1)
    (folder / "a.jsonl").write_text('{"id": "1", "text": "First."}\n')
    report = ingest([folder], store, hashed, Intake(changed={folder / "a.jsonl"}, sync=True))
    assert counts(report) == (0, 0, 1, 1, 0)
    assert store.content_hashes().keys() == {"1", "3"}


def test_a_sync_of_what_changed_is_refused_where_most_of_the_place_would_go(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    files = [folder / f"{n}.txt" for n in range(12)]
    for file in files:
        file.write_text(f"Text {file.name}.")
    ingest([folder], store, hashed)
    for file in files[:6]:
        file.unlink()
    assert counts(ingest([folder], store, hashed, Intake(changed=set(files[:6]), sync=True))) == (
        0,
        0,
        0,
        6,
        0,
    )
    for file in files[6:]:
        file.write_text(f"Text {file.name}.")
        (folder / f"new{file.name}").write_text(f"Text {file.name}.")
    ingest([folder], store, hashed)
    for file in folder.iterdir():
        file.unlink()
    with pytest.raises(MostlyGoneError, match="12 of 12 documents"):
        ingest(
            [folder],
            store,
            hashed,
            Intake(changed={*files, *(folder / f"new{file.name}" for file in files)}, sync=True),
        )


def test_a_file_under_two_names_is_stored_once(folder: Path, store: CorpusStore, hashed: Embedder) -> None:
    for name in ("a.txt", "b.txt", "b (1).txt", "b copy.txt", "sub/b.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("The pier opened.")
    (folder / "link.txt").symlink_to(folder / "2021-03-14.txt")
    for name in ("2021-03-14.txt", "2021-03-15.txt", "2021/a.txt", "a.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("The pier opened.")
    planned = survey([folder], None, "none")
    report = ingest([folder], store, hashed)
    assert planned.planned is not None
    assert (planned.notes, sorted(planned.planned.added)) == (report.notes, sorted(store.content_hashes()))
    assert sorted(store.content_hashes()) == [
        "2021-03-14.txt",
        "2021-03-15.txt",
        "2021/a.txt",
        "a.md",
        "a.txt",
    ]
    (note,) = report.notes
    assert note == (
        "5 files not stored again, because they have the same content as others: b (1).txt (as a.txt), "
        "b copy.txt (as a.txt), b.txt (as a.txt), link.txt (as 2021-03-14.txt), sub/b.txt (as a.txt)"
    )
    assert report.failures == ()


def test_of_files_with_the_same_content_the_stored_one_stays(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    (folder / "b.txt").write_text("The pier opened.")
    ingest([folder], store, hashed)
    (folder / "a.txt").write_text("The pier opened.")
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (0, 0, 1, 0, 0)
    assert counts(ingest([folder], store, hashed, Intake(changed={folder / "a.txt"}))) == (0, 0, 0, 0, 0)
    (folder / "b.txt").unlink()
    assert counts(ingest([folder], store, hashed, Intake(sync=True))) == (1, 0, 0, 1, 0)
    assert list(store.content_hashes()) == ["a.txt"]


@pytest.mark.parametrize(("seconds", "batches"), [(0.0, [1, 1, 1]), (3600.0, [3])])
def test_what_is_read_is_written_after_some_seconds(
    folder: Path,
    store: CorpusStore,
    hashed: Embedder,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    batches: list[int],
) -> None:
    monkeypatch.setattr(pipeline, "_SECONDS_PER_WRITE", seconds)
    written: list[int] = []
    write = store.write

    def counted_write(documents: Sequence[EmbeddedDocument]) -> None:
        written.append(len(documents))
        write(documents)

    monkeypatch.setattr(store, "write", counted_write)
    write_texts(folder, 3)
    assert counts(ingest([folder], store, hashed)) == (3, 0, 0, 0, 0)
    assert written == batches
