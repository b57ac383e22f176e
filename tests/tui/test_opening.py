"""Which program opens the file of a document, and at which line."""

from pathlib import Path

import pytest

from timelens.documents import Chunk, Fact
from timelens.errors import BadInputError, MissingError
from timelens.temporal.interval import Granularity
from timelens.tui.opening import at_line, file_of, is_text, line_of, opening

TEXT = "---\ndate: 2019-05-02\n---\n# Log\n\nIt began.\nThe valve was\nclosed on 3 May; it\nheld.\n"


def _chunk(text: str, place: str = "", fact: Fact | None = None) -> Chunk:
    sentences = ((0, len(text)),)
    places = ((0, place),) if place else ()
    return Chunk("a#0", "a", 0, "/a", "A", text, None, sentences, (), fact, places)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "the $(log); rm -rf ~.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_line_of_the_cited_sentence_is_found(file: Path) -> None:
    chunk = _chunk("# Log\n\nIt began.\nThe valve was\nclosed on 3 May; it\nheld.")
    assert line_of(file, chunk, chunk.text.index("The valve")) == 7
    assert line_of(file, _chunk("The valve   was closed on 3 May;"), 0) == 7
    assert line_of(file, _chunk("Nothing of the kind."), 0) is None
    assert line_of(file, _chunk(" "), 0) is None


def test_the_line_of_a_row_is_its_number(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("Name,start,end\nAda,2001,2002\n")
    fact = Fact((("Name", "Ada"),), 0, 5, Granularity.YEAR)
    assert line_of(table, _chunk("Name Ada: from 2001 to 2002.", "row 2", fact), 0) == 2


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("vim -u NONE", ["vim", "-u", "NONE", "+7", "FILE"]),
        ("/usr/bin/nano", ["/usr/bin/nano", "+7", "FILE"]),
        ("emacsclient -t", ["emacsclient", "-t", "+7", "FILE"]),
        ("code --wait", ["code", "--wait", "-g", "FILE:7"]),
        ("hx", ["hx", "FILE:7"]),
        ("'my editor' x", ["my editor", "x", "FILE"]),
    ],
)
def test_editors_are_told_the_line_in_their_own_way(file: Path, command: str, expected: list[str]) -> None:
    chunk = _chunk("The valve was\nclosed on 3 May; it")
    opened = opening(file, chunk, 0, {"EDITOR": command})
    assert list(opened.command) == [word.replace("FILE", str(file)) for word in expected]
    assert opened.waits


def test_visual_comes_before_editor_and_pager(file: Path) -> None:
    environment = {"VISUAL": "nvim", "EDITOR": "ed", "PAGER": "less -R"}
    chunk = _chunk("It began.")
    assert opening(file, chunk, 0, environment).command == ("nvim", "+6", str(file))
    del environment["VISUAL"]
    assert opening(file, chunk, 0, environment).command == ("ed", str(file))
    del environment["EDITOR"]
    assert opening(file, None, 0, environment).command == ("less", "-R", str(file))
    assert opening(file, None, 0, {}).command[0].endswith(("less", "more"))
    with pytest.raises(BadInputError, match="is not a command"):
        opening(file, None, 0, {"EDITOR": "vim '"})
    assert at_line(["less"], file, 3) == ("less", "+3", str(file))


def test_what_is_no_text_is_for_the_desktop(tmp_path: Path) -> None:
    paper = tmp_path / "a.pdf"
    paper.write_bytes(b"%PDF-1.4 ...")
    assert not is_text(paper)
    with pytest.raises(BadInputError, match="not a text file"):
        opening(paper, None, 0, {"EDITOR": "vim"})


def test_what_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="the file is gone"):
        file_of(str(tmp_path / "gone.md"))
    with pytest.raises(BadInputError, match="in an archive"):
        file_of(str(tmp_path / "all.zip"))
    with pytest.raises(BadInputError, match="came from stdin"):
        file_of("stdin")
    with pytest.raises(BadInputError, match="no file to open"):
        file_of("/a\0b")
    with pytest.raises((BadInputError, MissingError)):
        file_of("/" + "x" * 5000)
