"""How often the rows and the answer column that a question is about are found in small tables.

    python scripts/measure_rows.py

``scripts/reading/tables/NAME`` has the tables of one household, club, firm or office, and questions about
them, each with the values that meet its conditions and the column that answers it, by writers who do not know
the program. One wording of each question is asked in turn: near the words of the table, in other words, or
short. Only the folders that ``train_rows.py`` holds out are asked. Names that begin with ``series``, ``log``
or ``list`` are tables with a row for each year, with dated entries, and lists; the others have periods.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reading_examples import held_out
from train_rows import Fields, fails, questions_in, tables_in

from timelens.answer.tables.linking import FactKind, find_kind
from timelens.config import EmbedderSettings
from timelens.documents import Chunk, Fact, Hit, Scores
from timelens.embedding import Embedder, load_embedder
from timelens.question.parse import parse
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.row_reader import bundled_row_reader, row_of
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity

FOLDERS = Path(__file__).parent / "reading" / "tables"
_NOW = parse_day("2026-11-20")


def hits_of(tables: Mapping[str, Sequence[Fields]]) -> list[Hit]:
    """The rows of all tables as hits, without similarity to a question."""
    rows = ((name, n, fields) for name, each in tables.items() for n, fields in enumerate(each))
    return [
        Hit(
            Chunk(
                f"{name} {n}",
                name,
                n,
                name,
                Path(name).stem.replace("_", " "),
                row_of(name, fields).passage.text,
                None,
                (),
                (),
                Fact(fields, None, None, Granularity.DAY),
            ),
            Scores(),
            None,
            None,
        )
        for name, n, fields in rows
    ]


class Rows:
    """The rows of the tables of a folder, as a search finds them."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._hits = hits_of(tables_in(folder))
        texts = [hit.chunk.text for hit in self._hits]
        self._vectors = embedder.encode_documents(texts, [() for _ in texts]).vectors
        self._embedder = embedder

    def of(self, parsed: ParsedQuestion) -> list[Hit]:
        """All rows, with their similarity to a question."""
        (similarity,) = self._embedder.encode_queries([parsed.core]) @ self._vectors.T
        return [
            replace(hit, scores=Scores(semantic=float(score)))
            for hit, score in zip(self._hits, similarity, strict=True)
        ]


def are_right_rows(row: Mapping[str, Any], kind: FactKind, hits: Sequence[Hit]) -> bool:
    """Whether exactly those of the hits were found that a question is about."""
    own = [hit for hit in hits if hit.chunk.document_id == row["table"]]
    right = {hit.chunk.id for hit in own if hit.chunk.fact and not fails(hit.chunk.fact.fields, row)}
    return {hit.chunk.id for hit in kind.facts} == right


def is_right_column(row: Mapping[str, Any], kind: FactKind) -> bool:
    """Whether the column that answers a question was found."""
    asked: str = row["ask"]
    return asked in {"rows", kind.column or "time"}


def held_out_folders() -> list[Path]:
    """The folders that ``train_rows.py`` holds out, in order."""
    return sorted(each for each in FOLDERS.iterdir() if each.is_dir() and held_out(each.name, 5))


def asked_of(folder: Path) -> Iterator[tuple[Mapping[str, Any], ParsedQuestion]]:
    """The questions about the tables of a folder, each in one wording, which is another one in turn."""
    for line, row in enumerate(questions_in(folder)):
        yield row, parse(row["wordings"][line % len(row["wordings"])], _NOW)


def counts_in(folder: Path, embedder: Embedder) -> Counter[str]:
    """The numbers of questions with an answer, and of those with the right table, rows and column."""
    rows = Rows(folder, embedder)
    counts: Counter[str] = Counter()
    for row, parsed in asked_of(folder):
        if row["table"] is None:
            continue
        hits = rows.of(parsed)
        kind = find_kind(parsed, hits)
        are_right = kind is not None and are_right_rows(row, kind, hits)
        column = kind is not None and is_right_column(row, kind)
        counts.update(questions=1, rows=are_right, column=column, both=are_right and column)
    return counts


def layout_of(folder: Path) -> str:
    """What the rows of a folder's tables are: one for each year, dated entries, a list, or periods."""
    layout, has_name, _ = folder.name.partition("-")
    return layout if has_name else "periods"


def main() -> None:
    """Print the shares."""
    embedder = load_embedder(EmbedderSettings())
    bundled_row_reader().warm()
    by_layout: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in held_out_folders():
        counts = counts_in(folder, embedder)
        by_layout[layout_of(folder)] += counts
        by_layout["all"] += counts
    for layout, counts in by_layout.items():
        shares = ", ".join(
            f"{what} {100 * counts[what] / counts['questions']:.1f}" for what in ("rows", "column", "both")
        )
        print(f"{layout}: {counts['questions']} questions; right, in percent: {shares}")


if __name__ == "__main__":
    main()
