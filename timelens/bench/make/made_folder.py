"""Atomic output of a folder: written to a temporary folder, checked there, then moved into place."""

import json
import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import timelens
from timelens import BadInputError, MissingError, TimelensError
from timelens.bench.suite_data import Record, read_text

MADE = "made.json"
"""File that records the generator of a folder and its options."""

QRELS_HEADER = "query-id\tcorpus-id\tscore\n"


class WrongError(TimelensError):
    """A generated folder whose answers do not follow from its own data."""


@dataclass(frozen=True, slots=True)
class Made:
    """A generated folder."""

    path: Path
    counts: Mapping[str, int]
    """Number of questions by kind."""
    notes: tuple[str, ...] = ()
    """What was excluded, and why."""


def chance(seed: int, *names: object) -> random.Random:
    """A separate random generator per part, so that changes in one part do not affect another."""
    return random.Random("\0".join(map(str, (seed, *names))))  # noqa: S311 -- samples, no secrets


def json_text(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON."""
    return json.dumps(record, ensure_ascii=False) + "\n"


def lines(records: Iterable[Record]) -> str:
    """JSON Lines."""
    return "".join(map(json_text, records))


def beir(
    corpus: Iterable[Record], queries: Iterable[Record], qrels: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """The three files of the BEIR layout; ``qrels`` are (query, document) pairs, each of grade 1."""
    return {
        "corpus.jsonl": lines(corpus),
        "queries.jsonl": lines(queries),
        "qrels/test.tsv": QRELS_HEADER + "".join(f"{query}\t{document}\t1\n" for query, document in qrels),
    }


def below(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    """The same files with their paths below a folder."""
    return {f"{folder}/{name}": text for name, text in files.items()}


def write(
    out: Path,
    files: Mapping[str, str],
    kind: str,
    options: Mapping[str, Any],
    check: Callable[[Path], object],
) -> None:
    """Write the files and :data:`MADE`, check them, and only then give the folder its name.

    Raises:
        BadInputError: the folder exists and is not empty, or cannot be written.
        WrongError: the check found an answer that does not follow from the data.
    """
    refuse_full(out)
    made = {"kind": kind, "timelens": timelens.__version__, "options": dict(options)}
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as place:
            part = Path(place) / "part"
            for name, text in {**files, MADE: json.dumps(made, indent=1, ensure_ascii=False) + "\n"}.items():
                (part / name).parent.mkdir(parents=True, exist_ok=True)
                (part / name).write_text(text, encoding="utf-8", newline="")
            check(part)
            if out.is_dir():
                out.rmdir()
            part.rename(out)
    except OSError as error:
        raise BadInputError(
            f"{out} cannot be written: {error.strerror}", "name another folder with --out"
        ) from error


def refuse_full(out: Path) -> None:
    """Refuse to overwrite anything.

    Raises:
        BadInputError: ``out`` exists and is not an empty folder.
    """
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise BadInputError(f"{out} is not empty", "name a new folder with --out")


def made_by(folder: Path) -> dict[str, Any]:
    """The content of :data:`MADE`.

    Raises:
        MissingError: the file is missing.
        BadInputError: the file is broken.
    """
    path = folder / MADE
    if not path.is_file():
        raise MissingError(f"there is no {MADE} in {folder}", "name a folder that timelens bench make wrote")
    try:
        made = json.loads(read_text(path))
    except ValueError as error:
        raise BadInputError(f"{path} is not JSON: {error}", "make the folder again") from error
    if not isinstance(made, dict) or not isinstance(made.get("kind"), str):
        raise BadInputError(f"{path} does not say what it is", "make the folder again")
    return made


def demand(faults: Sequence[str], count: int) -> int:
    """``count`` if there is no fault.

    Raises:
        WrongError: there is a fault; the message has the first.
    """
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise WrongError(f"{faults[0]}{more}", "make the folder again; if it is new, report this as a bug")
    return count
