"""Measure how many rows of tables are the same facts in other kinds of files as in CSV.

`scripts/measure_table_files.py` writes the CSV files of scripts/folders as plain text, with columns of spaces
and of tabs, and, if LibreOffice is installed, as PDF with and without rules. It reads both and prints how
many facts (time, names and values) of the CSV files are facts of the others, and how many of those differ.
"""

import csv
import html
import io
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from timelens.documents import Document
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile

FOLDERS = Path(__file__).resolve().parent / "folders"
Rows = Sequence[Sequence[str]]


def facts(path: Path) -> Counter[tuple[str, ...]]:
    """The facts of a file: the time of each, and its names and values that are not empty."""
    documents = READERS[path.suffix](SourceFile(path, path.name), TableColumns())
    return Counter(
        (fact.period, *(f"{name}={' '.join(value.split())}" for name, value in fact.fields if value))
        for document in documents
        if isinstance(document, Document)
        for fact in document.facts
    )


def with_spaces(rows: Rows) -> str:
    """The rows with each column as wide as its longest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(padded) + "\n"


def as_page(rows: Rows, border: int) -> str:
    """The rows as a web page."""
    lines = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    table = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<meta charset="utf-8"><table border={border} cellpadding=4 cellspacing=0>{table}</table>'


def write(stem: Path, rows: Rows) -> list[Path]:
    """Write the files of other kinds for a table; web pages are still to be made PDF."""
    table = io.StringIO()
    csv.writer(table).writerows(rows)
    contents = {
        "csv": table.getvalue(),
        "spaces.txt": with_spaces(rows),
        "tabs.txt": "\n".join("\t".join(row).rstrip() for row in rows) + "\n",
        "ruled.html": as_page(rows, 1),
        "unruled.html": as_page(rows, 0),
    }
    for ending, content in contents.items():
        stem.with_name(f"{stem.name}.{ending}").write_text(content, encoding="utf-8")
    return [stem.with_name(f"{stem.name}.{ending}") for ending in contents if ending.endswith("html")]


def rows_of(path: Path) -> Rows:
    """The rows of a CSV file, all as long as the longest."""
    text = path.read_text(encoding="utf-8-sig")
    rows = [row for row in csv.reader(text.splitlines(), csv.Sniffer().sniff(text, ",;\t")) if any(row)]
    return [[*row, *[""] * (max(map(len, rows)) - len(row))] for row in rows]


def main() -> None:
    """Print the shares."""
    found: Counter[str] = Counter()
    others: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as made:
        stems = []
        pages: list[Path] = []
        for number, path in enumerate(sorted(FOLDERS.glob("*/documents/*.csv"))):
            stems.append(Path(made) / f"table{number}")
            pages += write(stems[-1], rows_of(path))
        if office := shutil.which("soffice"):
            command = [office, "--headless", "--infilter=HTML (StarWriter)", "--convert-to"]
            command += ["pdf:writer_pdf_Export", "--outdir", made, *map(str, pages)]
            subprocess.run(command, check=True, capture_output=True)
        for stem in stems:
            expected = facts(stem.with_name(f"{stem.name}.csv"))
            found["csv"] += expected.total()
            for path in sorted(stem.parent.glob(f"{stem.name}.*.*")):
                if path.suffix in {".pdf", ".txt"}:
                    read = facts(path)
                    found[path.name.partition(".")[2]] += (expected & read).total()
                    others[path.name.partition(".")[2]] += (read - expected).total()
    total = found.pop("csv")
    print(f"{len(stems)} tables, {total} facts")
    for kind, same in found.items():
        print(f"{kind:12} {100 * same / total:5.1f} % the same, {100 * others[kind] / total:5.1f} % others")
    if not office:
        print("LibreOffice (soffice) is not installed: PDF was not measured")


main()
