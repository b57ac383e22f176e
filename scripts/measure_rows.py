"""How often the rows and the answer column that a question is about are found in small tables.

    python scripts/measure_rows.py

``scripts/reading/tables/NAME`` has the tables of one household, club, firm or office, and questions about
them, each with the values that meet its conditions and the column that answers it, by writers who do not know
the program. One wording of each question is asked in turn: near the words of the table, in other words, or
short. Only the folders that ``train_rows.py`` holds out are asked. Names that begin with ``series``, ``log``
or ``list`` are tables with a row for each year, with dated entries, and lists; the others have periods.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from reading_examples import held_out
from train_rows import Fields, fails, questions_in, tables_in

from timelens.answer.tables.linking import find_kind
from timelens.config import EmbedderSettings
from timelens.documents import Chunk, Fact, Hit, Scores
from timelens.embedding import Embedder, load_embedder
from timelens.question.parse import parse
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
                "",
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


def counts_in(folder: Path, embedder: Embedder) -> Counter[str]:
    """The numbers of questions with an answer, and of those with the right table, rows and column."""
    rows = hits_of(tables_in(folder))
    of_rows = embedder.encode_documents([hit.chunk.text for hit in rows], [() for _ in rows]).vectors
    counts: Counter[str] = Counter()
    for line, row in enumerate(questions_in(folder)):
        if row["table"] is None:
            continue
        parsed = parse(row["wordings"][line % len(row["wordings"])], _NOW)
        (similarity,) = embedder.encode_queries([parsed.core]) @ of_rows.T
        hits = [
            replace(hit, scores=Scores(semantic=float(score)))
            for hit, score in zip(rows, similarity, strict=True)
        ]
        kind = find_kind(parsed, hits)
        own = [hit for hit in hits if hit.chunk.document_id == row["table"]]
        right = {hit.chunk.id for hit in own if hit.chunk.fact and not fails(hit.chunk.fact.fields, row)}
        are_right = kind is not None and {hit.chunk.id for hit in kind.facts} == right
        column = kind is not None and (row["ask"] == "rows" or (kind.column or "time") == row["ask"])
        counts.update(questions=1, rows=are_right, column=column, both=are_right and column)
    return counts


def layout_of(folder: Path) -> str:
    """What the rows of a folder's tables are: one for each year, dated entries, a list, or periods."""
    layout, has_name, _ = folder.name.partition("-")
    return layout if has_name else "periods"


def main() -> None:
    """Print the shares."""
    folders = sorted(each for each in FOLDERS.iterdir() if each.is_dir() and held_out(each.name, 5))
    embedder = load_embedder(EmbedderSettings())
    bundled_row_reader().warm()
    by_layout: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in folders:
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
