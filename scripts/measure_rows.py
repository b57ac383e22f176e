"""How often the rows and the answer column that a question is about are found in small tables.

    python scripts/measure_rows.py

``scripts/reading/tables/NAME`` has the tables of one household, club, firm or office, and questions about
them, each with the values that meet its conditions and the column that answers it, by writers who do not know
the program. One wording of each question is asked in turn: near the words of the table, in other words, or
short. Only the folders that ``train_rows.py`` holds out are asked.
"""

import json
from collections import Counter
from pathlib import Path

from reading_examples import held_out
from train_rows import Fields, fails, tables_in

from timelens.answer.tables.linking import find_kind
from timelens.config import EmbedderSettings
from timelens.documents import Chunk, Fact, Hit, Scores
from timelens.embedding import load_embedder
from timelens.question.parse import parse
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity

FOLDERS = Path(__file__).parent / "reading" / "tables"
_NOW = parse_day("2026-11-20")
_DAY = Granularity.DAY


def hits_of(tables: dict[str, list[Fields]], similarity: list[float]) -> list[Hit]:
    """The rows of all tables as hits, with their similarity to a question in the same order."""
    rows = [(name, fields) for name, each in tables.items() for fields in each]
    return [
        Hit(
            Chunk(f"{name} {n}", name, n, name, "", "", None, (), (), Fact(fields, None, None, _DAY)),
            Scores(semantic=score),
            None,
            None,
        )
        for n, ((name, fields), score) in enumerate(zip(rows, similarity, strict=True))
    ]


def counts_in(folder: Path) -> Counter[str]:
    """The numbers of questions with an answer, and of those with the right table, rows and column."""
    tables, embedder = tables_in(folder), load_embedder(EmbedderSettings())
    rows = [fields for each in tables.values() for fields in each]
    texts = [", ".join(f"{name}: {value}" for name, value in fields) for fields in rows]
    of_rows = embedder.encode_documents(texts, [() for _ in texts]).vectors
    counts: Counter[str] = Counter()
    for line, row in enumerate(map(json.loads, (folder / "questions.jsonl").open())):
        if row["table"] is None:
            continue
        if row["op"] == "before/after":  # the neighbour of a row is not that row
            row["where"].pop(row["ask"], None)
        parsed = parse(row["wordings"][line % len(row["wordings"])], _NOW)
        (similarity,) = embedder.encode_queries([parsed.core]) @ of_rows.T
        hits = hits_of(tables, similarity.tolist())
        kind = find_kind(parsed, hits)
        own = [hit for hit in hits if hit.chunk.document_id == row["table"]]
        right = {hit.chunk.id for hit in own if hit.chunk.fact and not fails(hit.chunk.fact.fields, row)}
        are_right = kind is not None and {hit.chunk.id for hit in kind.facts} == right
        column = kind is not None and (row["ask"] == "rows" or (kind.column or "time") == row["ask"])
        counts.update(questions=1, rows=are_right, column=column, both=are_right and column)
    return counts


def main() -> None:
    """Print the shares."""
    folders = sorted(each for each in FOLDERS.iterdir() if each.is_dir() and held_out(each.name, 5))
    counts = sum(map(counts_in, folders), Counter())
    shares = ", ".join(
        f"{what} {100 * counts[what] / counts['questions']:.1f}" for what in ("rows", "column", "both")
    )
    print(f"{counts['questions']} questions; right, in percent: {shares}")


if __name__ == "__main__":
    main()
