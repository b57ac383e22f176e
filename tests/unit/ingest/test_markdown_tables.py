"""Tables in Markdown: those with dates are facts, each table a document of its own."""

from pathlib import Path

from unit.ingest.conftest import read, read_one

from timelens.documents import Document
from timelens.ingest.markdown_text import pipe_tables

NOTE = """# The kirk

Copied from the minutes.

## Ministers

| Name | From | To |
|:-----|-----:|----|
| **A. Muir** | 1978 | 1991 |
| J. Petrie \\| son | 1992 | present |

It ends here.
"""


def documents(path: Path, content: str) -> list[Document]:
    found, failures = read(path, content)
    assert failures == []
    return found


def test_a_table_with_dates_is_a_document_of_facts_beside_its_note(tmp_path: Path) -> None:
    table, note = documents(tmp_path / "kirk.md", NOTE)
    assert (table.id, table.title, table.text) == ("kirk.md#table-1", "The kirk: Ministers", "")
    assert [(fact.fields, fact.period) for fact in table.facts] == [
        ((("Name", "A. Muir"),), "from 1978 to 1991"),
        ((("Name", "J. Petrie | son"),), "since 1992"),
    ]
    assert [mark.place for mark in table.places] == ["row 2", "row 3"]
    assert (note.id, note.title, note.facts) == ("kirk.md", "The kirk", ())
    assert "Muir" not in note.text
    assert note.text.endswith("It ends here.\n")


def test_a_note_that_is_only_a_table_is_one_document(tmp_path: Path) -> None:
    content = "# Rents\n\n| Year | Rent |\n|---|---|\n| 2001 | 40 |\n| 2002 | 45 |\n"
    (table,) = documents(tmp_path / "rents.md", content)
    assert (table.title, len(table.facts), table.facts[0].period) == ("Rents", 2, "in 2001")


def test_a_table_without_dates_stays_text(tmp_path: Path) -> None:
    note = read_one(tmp_path / "a.md", "| Name | Colour |\n|---|---|\n| Ada | red |\n")
    assert (note.facts, "| Ada | red |" in note.text) == ((), True)


def test_rows_that_cannot_be_read_are_listed(tmp_path: Path) -> None:
    content = "| Year | Rent |\n|---|---|\n| 2001 | 40 |\n| 2002 | 45 |\n| 2003 | 45 | 46 |\n"
    (table,), (failure,) = read(tmp_path / "a.md", content)
    assert len(table.facts) == 2
    assert (failure.path, failure.partial) == ("a.md table 1 row 4", True)


def test_tables_in_code_are_code(tmp_path: Path) -> None:
    content = f"```\n{NOTE}```\n"
    assert list(pipe_tables(content)) == []
    assert [note.facts for note in documents(tmp_path / "a.md", content)] == [()]


def test_lines_with_bars_are_no_tables() -> None:
    assert list(pipe_tables("a | b\nc | d\ne | f\n")) == []
    assert list(pipe_tables("a | b\n---\nc | d\n")) == []
