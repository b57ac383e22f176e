"""Train a network that tells which rows of a table a question is about, over the reader's lower layers.

    python scripts/train_rows.py --out build/rows

``scripts/reading/tables/NAME`` has the tables of one household, club, firm or office, and questions about
them, each in three wordings with its conditions and the column that answers it. A question is trained with
rows that meet its conditions, with rows of the same table that meet only some or none, and with rows of other
tables. Every fifth folder, by a hash of its name, is held out and scored at the end. It takes half an hour on
two cores; a stopped run continues.
``timelens/reader/row_reader.py`` is what reads with it.
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from additions import AT_ONCE, Prepared, parser_of, scores_in, train_and_score
from reading_examples import Maker, held_out
from sklearn.metrics import average_precision_score
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, as_typed

from timelens.ingest.date_columns import TableColumns
from timelens.ingest.table_headers import in_words
from timelens.ingest.tables import read_table
from timelens.reader.encoding import encode, tokens_of
from timelens.reader.network import HEAD
from timelens.reader.row_reader import row_of

_MEETING, _PARTLY, _OTHERS = 3, 6, 3
"""Maximum rows of a question that meet it, that are of the same table, and of the other tables."""
_SHUFFLED = 0.3
"""Share of rows whose columns are put in another order."""
_NONE = -1

Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Pair:
    """A question beside a row."""

    question: str
    """The group of the pair: one wording of a question."""
    held_out: bool
    meets: bool
    places: Sequence[Sequence[int]]
    """The indices of the tokens of each column."""
    asked: int | None
    """The column that answers, ``_NONE`` if none does, ``None`` if the row is of another table."""


def tables_in(folder: Path) -> dict[str, list[Fields]]:
    """The different rows of each table, without their dates."""
    found: dict[str, list[Fields]] = {}
    for file in sorted((folder / "documents").glob("*.csv")):
        facts = read_table(file.read_text(), file.name, TableColumns()).facts
        found[file.name] = list(dict.fromkeys(fact.fields for fact in facts))
    return found


def questions_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The questions about the tables of a folder, with the names of columns as they are read."""
    for row in map(json.loads, (folder / "questions.jsonl").open()):
        if row["op"] == "before/after":  # the neighbour of a row is not that row
            row["where"].pop(row["ask"], None)
        where = {in_words(name): wanted for name, wanted in row["where"].items()}
        yield {**row, "ask": row["ask"] and in_words(row["ask"]), "where": where}


def fails(fields: Fields, row: Mapping[str, Any]) -> int:
    """The number of conditions of a question that a row of the right table fails."""
    values = dict(fields)
    return sum(values[name] not in wanted for name, wanted in row["where"].items() if name in values)


def pairs_of(
    folder: Path, rng: random.Random, *, all_rows: bool
) -> Iterator[tuple[dict[str, Any], int, str, Fields]]:
    """Wordings beside rows: question, number of its wording, table and row of it.

    With ``all_rows``, one wording of each question beside all rows.
    """
    tables = tables_in(folder)
    for line, row in enumerate(questions_in(folder)):
        own = tables.get(row["table"], [])
        others = [(name, fields) for name, each in tables.items() if name != row["table"] for fields in each]
        for number in [line % len(row["wordings"])] if all_rows else range(len(row["wordings"])):
            chosen = [(row["table"], fields) for fields in own] + others
            if not all_rows:
                met = [fields for fields in own if not fails(fields, row)]
                partly = [fields for fields in own if fails(fields, row)]
                near = sorted(partly, key=lambda fields: fails(fields, row) + rng.random() * 1.5)
                chosen = [(row["table"], one) for one in rng.sample(met, min(_MEETING, len(met)))]
                chosen += [(row["table"], one) for one in near[:_PARTLY]]
                chosen += rng.sample(others, min(_OTHERS if own else 3 * _OTHERS, len(others)))
            for name, fields in chosen:
                yield row, number, name, fields


def made(folders: Path, tokenizer: Tokenizer) -> Iterator[tuple[Pair, Input]]:
    """All pairs as inputs."""
    maker, rng = Maker(tokenizer), random.Random(17)
    for folder in sorted(each for each in folders.iterdir() if each.is_dir()):
        out = held_out(folder.name, 5)
        for row, number, name, fields in pairs_of(folder, rng, all_rows=out):
            core = maker.core_of(row["wordings"][number])[0]
            if not out:
                core = as_typed(core, rng)
            shuffled = not out and rng.random() < _SHUFFLED
            ordered = rng.sample(fields, len(fields)) if shuffled else fields
            read = row_of(Path(name).stem, ordered)
            encoded = encode(core, None, read.passage, tokenizer)[0]
            names = list(read.places)
            places = [tokens_of(encoded, *read.places[each]) for each in names]
            asked = names.index(row["ask"]) if row["ask"] in names else _NONE
            is_own = name == row["table"]
            group = f"{folder.name} {row['id']} {number}"
            if all(places):
                met = is_own and not fails(fields, row)
                yield Pair(group, out, met, places, asked if is_own else None), Input(encoded, (), ())


def outputs_in(scores: Tensor, batch: Sequence[Prepared[Pair]]) -> tuple[Tensor, list[Tensor]]:
    """The log odds that each row meets the question, and for each the scores of its columns, then of none."""
    columns = [
        torch.stack([*(each[at, 1].mean() for at in one.about.places), each[0, 1]])
        for each, one in zip(scores, batch, strict=True)
    ]
    return scores[:, 0, 0], columns


def loss_of(scores: Tensor, batch: Sequence[Prepared[Pair]]) -> Tensor:
    """Binary cross-entropy of the rows, and cross-entropy of the columns of the asked table."""
    odds, columns = outputs_in(scores, batch)
    right = torch.tensor([float(one.about.meets) for one in batch])
    loss = functional.binary_cross_entropy_with_logits(odds, right)
    of_columns = [
        functional.cross_entropy(each[None], torch.tensor([one.about.asked % len(each)]))
        for each, one in zip(columns, batch, strict=True)
        if one.about.asked is not None
    ]
    return loss + torch.stack(of_columns).mean() if of_columns else loss


@torch.inference_mode()
def score(weights: Mapping[str, Tensor], inputs: Sequence[Prepared[Pair]]) -> None:
    """Print how well rows are told, how often the likeliest row is right, and how often the column is."""
    met: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    columns: list[bool] = []
    for first in range(0, len(inputs), AT_ONCE):
        part = inputs[first : first + AT_ONCE]
        odds, asked = outputs_in(scores_in(weights, part), part)
        for one, value, each in zip(part, odds.tolist(), asked, strict=True):
            about = one.about
            met[about.question].append((value, about.meets))
            if about.meets and about.asked is not None:
                columns.append(int(each.argmax()) == about.asked % len(each))
    odds_of_all, truth = zip(*(pair for pairs in met.values() for pair in pairs), strict=True)
    print(f"rows: average precision {average_precision_score(truth, odds_of_all):.3f} of {len(truth)}")
    answered = [pairs for pairs in met.values() if any(right for _, right in pairs)]
    best = np.mean([max(pairs)[1] for pairs in answered])
    exact = np.mean([all((odds > 0) == right for odds, right in pairs) for pairs in answered])
    silent = [max(pairs)[0] < 0 for pairs in met.values() if not any(right for _, right in pairs)]
    print(f"likeliest row right {best:.3f}, each row right {exact:.3f} of {len(answered)} questions")
    print(f"no row, where none answers {np.mean(silent):.3f} of {len(silent)}; column {np.mean(columns):.3f}")


def head_of(base: Mapping[str, Tensor]) -> Tensor:
    """The initial head: the outputs have another meaning than the reader's."""
    return torch.randn(2, base[f"{HEAD}.weight"].shape[1]) * 0.02


def main() -> None:
    """Read the arguments and train."""
    parser = parser_of(__doc__, Path("build/rows"), passes=2, rate=1.5e-4)
    parser.set_defaults(batch=48)
    parser.add_argument("--tables", type=Path, default=Path(__file__).parent / "reading" / "tables")
    arguments = parser.parse_args()
    inputs = partial(made, arguments.tables)
    train_and_score(arguments, inputs, loss_of, score, name="rows", head_of=head_of)


if __name__ == "__main__":
    main()
