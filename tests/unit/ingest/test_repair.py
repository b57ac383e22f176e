import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import lancedb
import pytest
from flipping import content, flip, flips, made
from holding import held

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.errors import MissingError, StoreError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import ingest, ingest_documents, reembed
from timelens.ingest.repair import Lost, repair, verify
from timelens.processes import Budget
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import REPAIRED, WRITE_LOCK
from timelens.store.file_list import LIST
from timelens.store.schema import CHUNKS, DOCUMENTS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "files"
    (path / "below").mkdir(parents=True)
    (path / "a.md").write_text("# Pier\n\nThe pier was built in 1901. It was long.")
    (path / "below" / "b.txt").write_text("The quay burnt in 1950. It was rebuilt in 1952.")
    records = [{"id": "r1", "text": "The first record of 1960."}, {"text": "A nameless record of 1961."}]
    (path / "below" / "c.jsonl").write_text("\n".join(map(json.dumps, records)))
    (path / "d.csv").write_text("Who,Since,Until\nAda,2001-01-01,2003-01-01\nBo,2003-01-01,\n")
    return path


@pytest.fixture
def corpus(tmp_path: Path, folder: Path, hashed: Embedder) -> Path:
    path = tmp_path / "corpus"
    report = ingest(
        [folder],
        CorpusStore.create(path, hashed.identity),
        hashed,
        Intake(columns=TableColumns("Since", "Until")),
    )
    assert (report.added, report.failed) == (5, 0)
    assert verify(path).is_fine
    return path


def alter(corpus: Path, table: str, change: Callable[[lancedb.table.Table], object]) -> None:
    """Change a table as LanceDB does, and take away the list of files, which would tell."""
    change(lancedb.connect(corpus).open_table(table))
    (corpus / LIST).unlink()


def damaged(path: Path) -> dict[str, str]:
    return {one.id: one.fault for one in verify(path).found.damaged}


ALTERED = "its rows differ from what was written"


@pytest.mark.parametrize("document", ["a.md", "below/b.txt", "r1", "below/c.jsonl#2", "d.csv"])
@pytest.mark.parametrize(
    ("table", "column", "where"),
    [(CHUNKS, "text", "document_id"), (CHUNKS, "ordinal", "document_id"), (DOCUMENTS, "title", "id")],
)
def test_what_says_something_else_is_named_and_read_again(
    corpus: Path, hashed: Embedder, document: str, table: str, column: str, where: str
) -> None:
    wanted = content(corpus, hashed)
    values = {column: 7 if column == "ordinal" else "another"}
    alter(corpus, table, lambda t: t.update(where=f"{where} = '{document}'", values=values))
    assert damaged(corpus) == {document: ALTERED}
    done = repair(corpus, hashed, columns=TableColumns("Since", "Until"))
    assert done.is_fine
    assert done.repair is not None
    assert (done.repair.read_again, done.repair.changed) == ((document,), ())
    assert content(corpus, hashed) == wanted
    again = verify(corpus)
    assert again.is_fine
    assert not again.found.interrupted


def test_rows_that_are_missing_or_there_twice_are_found(corpus: Path, hashed: Embedder) -> None:
    wanted = content(corpus, hashed)
    rows = lancedb.connect(corpus).open_table(CHUNKS).search().where("document_id = 'a.md'").to_arrow()
    alter(corpus, CHUNKS, lambda t: (t.add(rows), t.delete("document_id = 'below/b.txt'")))
    assert damaged(corpus) == {
        "a.md": "2 of its 1 passages are there",
        "below/b.txt": "0 of its 1 passages are there",
    }
    assert repair(corpus, hashed).is_fine
    assert content(corpus, hashed) == wanted


def test_a_row_of_a_document_that_is_missing_or_there_twice_is_found(corpus: Path, hashed: Embedder) -> None:
    wanted = content(corpus, hashed)
    table = lancedb.connect(corpus).open_table(DOCUMENTS)
    row = table.search().where("id = 'a.md'").to_arrow()
    table.add(row)
    table.delete("id = 'r1'")
    assert damaged(corpus) == {"a.md": "it is stored 2 times", "r1": "it has passages, but no row of its own"}
    assert repair(corpus, hashed).is_fine
    assert content(corpus, hashed) == wanted


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("chunks.lance/data/*", ["chunks.lance"]),
        ("documents.lance/data/*", ["documents.lance"]),
        ("chunks.lance/_versions/*", ["chunks.lance"]),
        ("documents.lance/_versions/*", ["documents.lance"]),
        ("chunks.lance/_indices/*/*", []),
    ],
)
@pytest.mark.parametrize("how", ["cut", "gone"])
def test_files_that_cannot_be_read_are_named_and_made_anew(
    corpus: Path, hashed: Embedder, where: str, names: list[str], how: str
) -> None:
    wanted = content(corpus, hashed)
    files = [file for file in corpus.glob(where) if file.is_file()]
    for file in files:
        if how == "cut":
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        else:
            file.unlink()
    found = verify(corpus).found
    said = {fault.name for fault in found.files}
    assert {file.relative_to(corpus).as_posix() for file in files} <= said
    assert {*names} <= said
    assert repair(corpus, hashed, columns=TableColumns("Since", "Until")).is_fine
    assert content(corpus, hashed) == wanted
    assert verify(corpus).is_fine


def test_where_nothing_can_be_read_it_is_said_what_to_do(corpus: Path, hashed: Embedder) -> None:
    for file in corpus.glob("*.lance/_versions/*"):
        file.write_bytes(b"\0" * 100)
    before = {file: file.read_bytes() for file in corpus.rglob("*") if file.is_file()}
    with pytest.raises(StoreError, match="nothing of the corpus") as caught:
        repair(corpus, hashed)
    assert "ingest them again" in caught.value.hint
    assert {file: file.read_bytes() for file in before} == before


def test_a_changed_source_is_told(corpus: Path, folder: Path, hashed: Embedder) -> None:
    (folder / "a.md").write_text("# Pier\n\nThe pier was built in 1902.")
    alter(corpus, CHUNKS, lambda t: t.update(where="document_id = 'a.md'", values={"text": "another"}))
    done = repair(corpus, hashed)
    assert done.repair is not None
    assert done.repair.changed == ("a.md",)
    assert "1902" in content(corpus, hashed)[1][0]["text"]
    assert (
        ingest(
            [folder], CorpusStore(corpus), hashed, Intake(columns=TableColumns("Since", "Until"))
        ).unchanged
        == 5
    )


def test_what_cannot_be_dated_within_its_budget_changes_nothing(
    corpus: Path, folder: Path, hashed: Embedder
) -> None:
    columns = TableColumns("Since", "Until")
    (folder / "dates.txt").write_text(", ".join(f"{1 + n % 28} May {1850 + n % 170}" for n in range(3_000)))
    ingest([folder], CorpusStore(corpus), hashed, Intake(columns=columns))
    wanted = content(corpus, hashed)
    alter(corpus, CHUNKS, lambda t: t.update(where="document_id = 'dates.txt'", values={"title": "another"}))
    before = content(corpus, hashed)
    with pytest.raises(StoreError, match=r"1 document cannot be read again.*: dates\.txt \(") as caught:
        repair(corpus, hashed, columns=columns, budget=Budget(cpu_seconds=0.1))
    assert "ingest.cpu_seconds" in caught.value.hint
    assert content(corpus, hashed) == before
    assert damaged(corpus) == {"dates.txt": ALTERED}
    assert repair(corpus, hashed, columns=columns).is_fine
    assert content(corpus, hashed) == wanted


def test_what_no_file_holds_any_more_is_kept_or_removed_by_choice_alone(
    corpus: Path, folder: Path, hashed: Embedder
) -> None:
    (folder / "a.md").unlink()
    alter(corpus, CHUNKS, lambda t: t.update(where="document_id = 'a.md'", values={"text": "another"}))
    before = content(corpus, hashed)
    with pytest.raises(StoreError, match=r"damaged documents are in no file any more: a\.md") as caught:
        repair(corpus, hashed)
    assert "--lost keep" in caught.value.hint
    assert content(corpus, hashed) == before
    assert sorted(path.name for path in corpus.iterdir() if path.is_dir()) == [
        "chunks.lance",
        "documents.lance",
    ]
    kept = repair(corpus, hashed, lost=Lost.KEEP)
    assert not kept.is_fine
    assert content(corpus, hashed) == before
    assert damaged(corpus) == {"a.md": ALTERED}
    removed = repair(corpus, hashed, lost=Lost.REMOVE)
    assert removed.is_fine
    assert removed.repair is not None
    assert removed.repair.removed == ("a.md",)
    assert verify(corpus).found.documents == 4
    assert verify(corpus).is_fine


def test_chunks_without_their_row_and_file_can_be_kept(corpus: Path, folder: Path, hashed: Embedder) -> None:
    shutil.rmtree(folder)
    for file in corpus.glob("documents.lance/_versions/*"):
        file.write_bytes(b"")
    kept = repair(corpus, hashed, lost=Lost.KEEP)
    assert kept.repair is not None
    assert len(kept.repair.kept) == 5
    assert len(damaged(corpus)) == 5
    assert [hit.chunk.id for hit in CorpusStore(corpus).keyword("quay", 5)] == ["below/b.txt#0"]


def test_rows_that_a_reader_of_one_table_alone_would_believe_are_no_documents(
    corpus: Path, hashed: Embedder
) -> None:
    wanted = content(corpus, hashed)
    table = lancedb.connect(corpus).open_table(DOCUMENTS)
    table.update(where="id = 'a.md'", values={"id": "zzz", "uri": "nowhere"})
    assert damaged(corpus).keys() == {"a.md", "zzz"}
    assert repair(corpus, hashed, columns=TableColumns("Since", "Until")).is_fine
    assert content(corpus, hashed) == wanted


def test_documents_that_were_never_files_are_not_lost_unless_damaged(
    tmp_path: Path, hashed: Embedder
) -> None:
    path = tmp_path / "made"
    store = CorpusStore.create(path, hashed.identity)
    ingest_documents([Document("b", "b", "", "The quay burnt in 1950.", "hash")], store, hashed)
    file = next(path.glob("chunks.lance/_indices/*/*"))
    flip(file, 100)
    assert not verify(path).is_fine
    assert repair(path, hashed).is_fine
    assert verify(path).found.documents == 1


def test_an_interrupted_write_is_no_damage(
    corpus: Path, folder: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.md").write_text("# Pier\n\nThe pier was built in 1902. It was short.")
    (folder / "new.txt").write_text("This came in 1999.")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    store = CorpusStore(corpus)
    with monkeypatch.context() as patched:
        patched.setattr(store._documents, "merge_insert", killed)
        with pytest.raises(KeyboardInterrupt):
            ingest([folder], store, hashed, Intake(columns=TableColumns("Since", "Until")))
    found = verify(corpus).found
    assert found.is_fine
    assert found.interrupted
    assert {one.id for one in found.unfinished} == {"a.md", "new.txt"}
    ingest([folder], CorpusStore(corpus), hashed, Intake(columns=TableColumns("Since", "Until")))
    found = verify(corpus).found
    assert found.is_fine
    assert (found.interrupted, found.unfinished, found.documents) == (False, (), 6)


def test_an_index_that_was_damaged_is_not_carried_on(corpus: Path, folder: Path, hashed: Embedder) -> None:
    file = max(
        corpus.glob("chunks.lance/_indices/*/part_*_invert.lance"), key=lambda one: one.stat().st_mtime
    )
    raw = bytearray(file.read_bytes())
    raw[: len(raw) // 2] = bytes(len(raw) // 2)
    file.write_bytes(raw)
    (folder / "new.txt").write_text("This came in 1999 to the quay.")
    ingest([folder], CorpusStore(corpus), hashed, Intake(columns=TableColumns("Since", "Until")))
    found = CorpusStore(corpus).keyword("quay", 5)
    assert sorted(hit.chunk.document_id for hit in found) == ["below/b.txt", "new.txt"]
    assert not verify(corpus).is_fine  # the old file is still there


@pytest.mark.parametrize("moved", [0, 1])
def test_an_exchange_that_was_cut_short_is_finished(
    corpus: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    wanted = content(corpus, hashed)
    flip(next(corpus.glob("documents.lance/data/*")), 333)
    rename = Path.rename
    left = [1 + 2 * moved]

    def renamed(path: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return rename(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", renamed)
        with pytest.raises(KeyboardInterrupt):
            repair(corpus, hashed)
    if (corpus / REPAIRED).exists():
        for use in (CorpusStore, lambda at: CorpusStore.create(at, hashed.identity), verify):
            with pytest.raises(StoreError, match="was interrupted") as caught:
                use(corpus)
            assert "--repair" in caught.value.hint
    assert repair(corpus, hashed).is_fine
    assert content(corpus, hashed) == wanted
    assert sorted(path.name for path in corpus.iterdir() if path.is_dir()) == [
        "chunks.lance",
        "documents.lance",
    ]


def test_nobody_else_may_write_meanwhile(corpus: Path, hashed: Embedder) -> None:
    with held(corpus / WRITE_LOCK):
        for use in (verify, lambda at: repair(at, hashed)):
            with pytest.raises(StoreError, match="another process"):
                use(corpus)


def test_there_has_to_be_a_corpus_and_its_embedder(
    tmp_path: Path, corpus: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    for use in (verify, lambda at: repair(at, hashed)):
        with pytest.raises(MissingError):
            use(tmp_path / "none")
        assert not (tmp_path / "none").exists()
    flip(next(corpus.glob("chunks.lance/data/*")), 333)
    with pytest.raises(StoreError, match="made with the embedder"):
        repair(corpus, other_hashed)


def test_vectors_of_another_embedder_are_verified_too(corpus: Path, other_hashed: Embedder) -> None:
    reembed(CorpusStore(corpus), other_hashed)
    assert verify(corpus).is_fine
    assert not verify(corpus).found.interrupted


def test_compacting_leaves_what_is_there_and_takes_less_room(
    corpus: Path, folder: Path, hashed: Embedder
) -> None:
    for number in range(4):
        (folder / f"{number}.txt").write_text(f"Written in {1950 + number} about the quay.")
        ingest([folder], CorpusStore(corpus), hashed, Intake(columns=TableColumns("Since", "Until")))
    (corpus / "chunks.lance" / "data" / ".tmpleft").write_bytes(b"x" * 1000)
    wanted = content(corpus, hashed)
    reader = CorpusStore(corpus)
    before = sum(file.stat().st_size for file in corpus.rglob("*") if file.is_file())
    store = CorpusStore(corpus)
    with store.changing():
        store.compact(patience=0)
    after = sum(file.stat().st_size for file in corpus.rglob("*") if file.is_file())
    assert after < before / 2
    assert not (corpus / "chunks.lance" / "data" / ".tmpleft").exists()
    assert content(corpus, hashed) == wanted
    assert len(reader.keyword("quay", 10)) == 5
    again = verify(corpus)
    assert again.is_fine
    assert not again.found.interrupted
    assert len(list(corpus.glob("chunks.lance/data/*"))) == 1


def test_a_search_goes_on_while_a_corpus_is_compacted(corpus: Path, folder: Path, hashed: Embedder) -> None:
    (folder / "new.txt").write_text("Written in 1950 about the quay.")
    ingest([folder], CorpusStore(corpus), hashed, Intake(columns=TableColumns("Since", "Until")))
    reader, store = CorpusStore(corpus), CorpusStore(corpus)
    with reader.searching() as view:
        row = view.matching("quay", 1)

        def compact() -> None:
            with store.changing():
                store.compact(patience=2)

        compacting = threading.Thread(target=compact)
        compacting.start()
        assert view.stored(row)[0].chunk.document_id in {"new.txt", "below/b.txt"}
        assert len(view.matching("quay", 5)) == 2
    compacting.join()
    assert len(reader.keyword("quay", 5)) == 2


def test_flipped_bits_are_found_and_repaired(tmp_path: Path, hashed: Embedder) -> None:
    assert {outcome for _, outcome in flips(made(tmp_path, hashed), hashed, 12, seed=3)} == {"repaired"}


def test_an_open_reader_goes_on_after_a_repair(corpus: Path, folder: Path, hashed: Embedder) -> None:
    (folder / "new.txt").write_text("Written in 1950 about the quay.")
    columns = TableColumns("Since", "Until")
    ingest([folder], CorpusStore(corpus), hashed, Intake(columns=columns))
    reader = CorpusStore(corpus)
    assert len(reader.keyword("quay", 5)) == 2
    flip(next(corpus.glob("chunks.lance/_indices/*/*")), 100)
    assert repair(corpus, hashed).is_fine
    assert len(reader.keyword("quay", 5)) == 2
    assert reader.summary().documents == 6
    ingest([folder], CorpusStore(corpus), hashed, Intake(columns=columns))
    assert len(reader.keyword("quay", 5)) == 2


def test_a_place_that_is_no_whole_path_is_not_looked_for_here(
    tmp_path: Path, folder: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    path = tmp_path / "made"
    document = Document("a.md", "a.md", "Pier", "The pier was built in 1901.", "hash")
    ingest_documents([document], CorpusStore.create(path, hashed.identity), hashed)
    alter(path, CHUNKS, lambda t: t.update(where="document_id = 'a.md'", values={"text": "another"}))
    with pytest.raises(StoreError, match="in no file any more"):
        repair(path, hashed)
