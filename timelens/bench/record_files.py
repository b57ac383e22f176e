"""Records of distributed data files: Parquet, CSV, JSON or JSON Lines, all read alike."""

import ast
import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from timelens import BadInputError
from timelens.bench.suite_data import Record, is_text, read_records, read_text
from timelens.errors import first_line

ENDINGS = (".parquet", ".jsonl", ".json", ".csv")
_QUOTED = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""")
"""A quoted item in a list; items are separated by a comma or, as NumPy writes lists, only by a space."""


def records_of(path: Path, *needed: str) -> list[Record]:
    """The records of a file; the fields ``needed`` must be present.

    Raises:
        BadInputError: the file does not have the format of its suffix, or a record lacks a field.
    """
    found = list(_READERS[path.suffix](path))
    for number, record in enumerate(found, start=1):
        missing = [name for name in needed if record.get(name) is None or record[name] == ""]
        if missing:
            raise BadInputError(
                f"{path} record {number} has no {missing[0]}", f"it needs {', '.join(needed)}"
            )
    return found


def file_named(folder: Path, *stems: str) -> Path | None:
    """The first existing file with one of the given stems and a readable format."""
    paths = (folder / f"{stem}{ending}" for stem in stems for ending in ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def list_of(value: object) -> tuple[str, ...]:
    """The texts of a list, of a list written as text (``['a', 'b']``), or a single text."""
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value if item is not None and str(item).strip())
    if not is_text(value):
        return ()
    text = str(value).strip()
    if not (text.startswith("[") and text.endswith("]")):
        return (text,)
    quoted = _QUOTED.findall(text[1:-1])
    if _QUOTED.sub("", text[1:-1]).strip(", \t\r\n"):
        return (text,)  # bracketed words, not a list
    try:
        return list_of([ast.literal_eval(item) for item in quoted])
    except (ValueError, SyntaxError):
        return (text,)


def _parquet(path: Path) -> Iterator[Record]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=4096):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise BadInputError(f"{path} is not a Parquet file: {first_line(error)}", "fetch it again") from error


def _csv(path: Path) -> Iterator[Record]:
    try:
        yield from csv.DictReader(io.StringIO(read_text(path), newline=""))
    except csv.Error as error:
        raise BadInputError(f"{path} is not a CSV file: {error}", "fetch it again") from error


def _json(path: Path) -> Sequence[Record]:
    try:
        found = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"{path} is not JSON: {error}", "fetch it again") from error
    if not isinstance(found, list) or not all(isinstance(record, dict) for record in found):
        raise BadInputError(f"{path} is not a list of records", "fetch it again")
    return found


def _json_lines(path: Path) -> Iterator[Record]:
    for record in read_records(path):
        if not isinstance(record, dict):
            raise BadInputError(f"{path} has a line that is not a record", "write one JSON object per line")
        yield record


_READERS = {".parquet": _parquet, ".csv": _csv, ".json": _json, ".jsonl": _json_lines}
