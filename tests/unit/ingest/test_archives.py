import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_files import make_docx, zipped
from unit.ingest.conftest import day, read, refused

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest import archives
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import ingest
from timelens.store.corpus import CorpusStore

FILES: dict[str, str | bytes] = {
    "minutes/2015-05-04.md": "# Fees\n\nThe fee is 5.",
    "minutes/b.docx": make_docx([("", "It closed.")]),
    "table.csv": "name,start,end\nAnn,2015,2016\n",
    ".hidden/x.md": "hidden",
    "__MACOSX/x.md": "of a Mac",
}


def tarred(files: dict[str, str | bytes], mode: str = "w", *others: tarfile.TarInfo) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:  # type: ignore[call-overload]
        for name, said in files.items():
            content = said.encode() if isinstance(said, str) else said
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for other in others:
            archive.addfile(other)
    return stream.getvalue()


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def ids(documents: list[Document]) -> list[str]:
    return [document.id for document in documents]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary files go; none is left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.zip", zipped(FILES)),
        ("a.tar", tarred(FILES)),
        ("a.tar.gz", tarred(FILES, "w:gz")),
        ("a.tgz", tarred(FILES, "w:gz")),
        ("a.tar.bz2", tarred(FILES, "w:bz2")),
        ("a.tar.xz", tarred(FILES, "w:xz")),
    ],
)
def test_members_are_read_by_their_own_readers(
    tmp_path: Path, temporary: Path, name: str, content: bytes
) -> None:
    assert temporary.exists()
    documents, failures = read(tmp_path / name, content)
    assert failures == []
    assert ids(documents) == [f"{name}/minutes/2015-05-04.md", f"{name}/minutes/b.docx", f"{name}/table.csv"]
    minutes, word, table = documents
    assert (minutes.title, minutes.published, minutes.published_source) == (
        "Fees",
        day(2015, 5, 4),
        "file name",
    )
    assert (word.title, word.text, len(table.facts)) == ("b", "It closed.", 1)
    assert {document.uri for document in documents} == {(tmp_path / name).as_posix()}


def test_what_is_not_read_is_listed_by_its_reason(tmp_path: Path, temporary: Path) -> None:
    stream = io.BytesIO(zipped(FILES))
    with zipfile.ZipFile(stream, "a") as archive:
        for name in ("/etc/a.md", "../b.md", "C:\\c.md", "x\\..\\..\\d.md", *(f"{n}.png" for n in range(7))):
            archive.writestr(name, "x")
        symlink = zipfile.ZipInfo("link.md")
        symlink.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(symlink, "/etc/passwd")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("table.csv", "name\nAnn\n")
    documents, failures = read(tmp_path / "a.zip", stream.getvalue())
    assert len(documents) == 3
    outside = "/etc/a.md, ../b.md, C:/c.md, x/../../d.md"
    assert [failure.error for failure in failures] == [
        f"4 of its members left out, their names lead out of the archive: {outside}",
        "7 of its members left out, no reader for their kind of file: 0.png, 1.png, 2.png, 3.png, 4.png, …",
        "1 of its members left out, links and devices: link.md",
        "1 of its members left out, another has the same name: table.csv",
    ]
    assert {failure.path for failure in failures} == {"a.zip"}
    assert all(failure.partial for failure in failures)
    assert {path.name for path in temporary.parent.iterdir()} == {"temporary", "a.zip"}


def test_links_and_devices_of_a_tar_are_listed(tmp_path: Path, temporary: Path) -> None:
    links = [link("l.md", "/etc/passwd"), link("h.md", "table.csv", tarfile.LNKTYPE)]
    content = tarred(FILES, "w", *links, link("f.md", "", tarfile.FIFOTYPE))
    documents, (failure,) = read(tmp_path / "a.tar", content)
    assert temporary.exists()
    assert len(documents) == 3
    assert failure.error == "3 of its members left out, links and devices: l.md, h.md, f.md"


def test_a_protected_member_is_listed(tmp_path: Path) -> None:
    raw = bytearray(zipped({"a.md": "A.", "b.md": "B."}))
    for begin, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        raw[raw.index(begin) + flags] |= 1
    documents, (failure,) = read(tmp_path / "a.zip", bytes(raw))
    assert ids(documents) == ["a.zip/b.md"]
    assert failure.error == "1 of its members left out, protected by a password: a.md"


def test_archives_in_archives_are_read_to_a_depth(tmp_path: Path, temporary: Path) -> None:
    inner = zipped({"deep.md": "Deep.", "deeper.zip": zipped({"x.md": "x"})})
    files: dict[str, str | bytes] = {"in/inner.zip": inner, "broken.zip": b"PK broken", "empty.tar": b""}
    documents, failures = read(tmp_path / "a.tar.gz", tarred(files | {"z.md": "Z."}, "w:gz"))
    assert temporary.exists()
    assert ids(documents) == ["a.tar.gz/in/inner.zip/deep.md", "a.tar.gz/z.md"]
    assert [(failure.path, failure.partial) for failure in failures] == [
        ("a.tar.gz/in/inner.zip", True),
        ("a.tar.gz/broken.zip", False),
        ("a.tar.gz/empty.tar", False),
    ]


def test_a_compressed_file_is_its_only_member(tmp_path: Path) -> None:
    (document,), _ = read(tmp_path / "notes.md.gz", gzip.compress(b"# Notes\n\nText."))
    assert (document.id, document.title) == ("notes.md.gz/notes.md", "Notes")
    documents, (failure,) = read(tmp_path / "a.log.gz", gzip.compress(b"x"))
    assert (documents, failure.partial) == ([], True)


def test_a_broken_member_is_listed_and_the_others_are_read(tmp_path: Path) -> None:
    raw = zipped({"a.md": "A" * 900, "b.md": b"\xff", "c.md": "C."})
    place = raw.index(b"a.md") + 6
    documents, failures = read(tmp_path / "a.zip", raw[:place] + b"\xff\xff" + raw[place + 2 :])
    assert ids(documents) == ["a.zip/c.md"]
    assert [failure.path for failure in failures] == ["a.zip/a.md", "a.zip/b.md"]
    assert not any(failure.partial for failure in failures)


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tar.bz2", "a.tar.xz"])
def test_what_is_no_archive_is_refused(
    tmp_path: Path, temporary: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert temporary.exists()
    assert "empty" in refused(tmp_path / name, b"").message
    assert "not an archive" in refused(tmp_path / name, b"not an archive at all" * 99).message
    whole = zipped(FILES) if name == "a.zip" else tarred(FILES, f"w:{name.partition('.tar.')[2]}")
    for place in range(0, len(whole), max(len(whole) // 40, 1)):
        for content in (whole[:place] + b"\xff\xff" + whole[place + 2 :], whole[:place]):
            try:
                read(tmp_path / name, content)
            except BadInputError as error:
                assert error.hint  # noqa: PT017 -- either is right
    assert capfd.readouterr() == ("", "")


def test_an_archive_without_files_is_refused(tmp_path: Path) -> None:
    assert "holds no files" in refused(tmp_path / "a.zip", zipped({})).message
    assert "holds no files" in refused(tmp_path / "a.tar", tarred({})).message


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tar.xz"])
def test_a_bomb_is_stopped(
    tmp_path: Path, temporary: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert temporary.exists()
    zeros: dict[str, str | bytes] = {f"{n}.md": b"\0" * 10 * 2**20 for n in range(3)}
    bomb = zipped(zeros) if name == "a.zip" else tarred(zeros, f"w:{name[6:]}")
    assert len(bomb) < 2**17
    monkeypatch.setattr(archives, "_FREE", 2**20)
    assert "unpacks to too much" in refused(tmp_path / name, bomb).message
    nested = zipped({"in.zip": bomb if name == "a.zip" else zipped(zeros)})
    assert "unpacks to too much" in refused(tmp_path / "b.zip", nested).message


def test_members_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = zipped({"a.md": "A" * 99, "b.md": "B."})
    with monkeypatch.context() as patch:
        patch.setattr(archives, "_LARGEST_MEMBER", 50)
        documents, (failure,) = read(tmp_path / "a.zip", content)
        assert ids(documents) == ["a.zip/b.md"]
        assert "larger than" in failure.error
    monkeypatch.setattr(archives, "_MOST_MEMBERS", 1)
    assert "more than 1 members" in refused(tmp_path / "a.zip", content).message


def test_a_header_without_end_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 64 * 2**20
    bomb = gzip.compress(info.tobuf() + b"\0" * 64 * 2**20)
    monkeypatch.setattr(archives, "_FREE", 2**20)
    refused(tmp_path / "a.tar.gz", bomb)


def test_sync_removes_members_that_are_gone_and_keeps_those_of_other_archives(
    tmp_path: Path, hashed: Embedder
) -> None:
    store = CorpusStore.create(tmp_path / "corpus", hashed.identity)
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    first.write_bytes(zipped({"a.md": "A in 2010.", "b.md": "B in 2011."}))
    second.write_bytes(zipped({"c.md": "C in 2012."}))
    assert ingest([first, second], store, hashed).added == 3
    first.write_bytes(zipped({"a.md": "A in 2010."}))
    report = ingest([first], store, hashed, Intake(sync=True))
    assert (report.unchanged, report.removed, report.failed) == (1, 1, 0)
    assert sorted(store.content_hashes()) == ["a.zip/a.md", "b.zip/c.md"]
    second.unlink()
    assert ingest([first], store, hashed, Intake(sync=True)).removed == 1


@pytest.mark.usefixtures("temporary")
@pytest.mark.parametrize(
    ("member", "title"), [("_chat.txt", "Chat of the boat"), ("The boat/_chat.txt", "The boat")]
)
def test_a_chat_is_named_after_its_folder_or_the_archive(tmp_path: Path, member: str, title: str) -> None:
    chat = "".join(f"[{day}/03/2021, 09:30:00] Paul: Sold\n" for day in (28, 29, 30))
    documents, _ = read(tmp_path / "Chat of the boat.zip", zipped({member: chat}))
    assert {document.title.split(":")[0] for document in documents} == {title}
