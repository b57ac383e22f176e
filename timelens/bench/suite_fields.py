"""What the records of a suite's files may hold: declared once for each file, and checked for all alike.

A field of the wrong form is refused, because a question would be scored by less than its data says. A key
that nothing reads is noted with its number of records, because it may be a misspelt field.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from timelens import BadInputError
from timelens.bench.suite_data import Dataset, Gold, Record, is_text, numbered_records
from timelens.printable import counted


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a field's value. ``null`` is the same as no field."""

    said: str
    """The form in words, with its article."""
    fits: Callable[[object], bool]


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_list_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


TEXT = Form("a text", lambda value: isinstance(value, str))
SCALAR = Form("a text or a number", _is_scalar)
FLAG = Form("true or false", lambda value: isinstance(value, bool))
LIST = Form("a list", lambda value: isinstance(value, list))
TEXTS = Form("a list of texts", _is_list_of(_is_scalar))
LISTS = Form("a list of lists of texts", _is_list_of(TEXTS.fits))
RECORD = Form("a record", lambda value: isinstance(value, dict))
RECORDS = Form("a list of records", _is_list_of(RECORD.fits))


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of the records of a file."""

    needed: tuple[str, ...]
    """Fields that every record has, as text."""
    read: Mapping[str, Form]
    """Other fields that are read, with the form of each."""
    beside: frozenset[str] = field(default_factory=frozenset)
    """Fields for other suites, or for people."""

    def records(self, path: Path) -> tuple[list[Record], tuple[str, ...]]:
        """The records of a JSON Lines file, and a note if keys in it are not read.

        Raises:
            BadInputError: a line is not JSON, or a field is missing or has the wrong form.
        """
        found: list[Record] = []
        unread: dict[str, list[int]] = {}
        for number, record in numbered_records(path, *self.needed):
            if not isinstance(record, dict):
                raise BadInputError(f"{path} line {number} is not a record", "write one JSON object per line")
            for name, value in record.items():
                form = self.read.get(name)
                if form is not None and value is not None and not form.fits(value):
                    raise BadInputError(
                        f"{path} line {number}: {name} is not {form.said}", "correct it or leave it out"
                    )
                if form is None and name not in self.needed and name not in self.beside:
                    unread.setdefault(name, []).append(number)
            found.append(record)
        said = ", ".join(
            f"{name} ({counted(len(lines), 'record')}, first in line {lines[0]})"
            for name, lines in unread.items()
        )
        return found, (f"keys of {path.name} that are not read: {said}",) if said else ()


def blank(records: list[Record], name: str, key: str, path: Path) -> tuple[str, ...]:
    """A note if a field of some records has no text; they are named by the field ``key``."""
    without = [str(record[key]) for record in records if not is_text(record.get(name))]
    return (f"records of {path.name} without {name}: {_first(without)}",) if without else ()


def unknown(what: str, names: list[str]) -> tuple[str, ...]:
    """A note on ids that name nothing, if there are any."""
    return (f"{what}: {_first(names)}",) if names else ()


def _first(names: list[str]) -> str:
    return f"{len(names):,} (first: {names[0]})"


def sound(dataset: Dataset, folder: Path) -> Dataset:
    """The dataset with a note on gold documents that are not among its documents.

    Raises:
        BadInputError: nothing is known of any question to score it by.
    """
    asked = {query.id: dataset.gold[query.id] for query in dataset.queries}
    if not any(map(_is_scored, asked.values())):
        raise BadInputError(
            f"{folder} has nothing to score its questions by: no gold documents and no answers",
            "give them relevant documents or answers (see: timelens bench list)",
        )
    known = dataset.texts if dataset.documents is None else dataset.documents
    if known is None:
        return dataset
    lost = [
        f"{name} of {question}"
        for question, gold in asked.items()
        for name in dict.fromkeys(_named(gold))
        if not any(one in known for one in _holders(name))
    ]
    return replace(
        dataset, notes=(*dataset.notes, *unknown("gold documents that are not among the documents", lost))
    )


def _is_scored(gold: Gold) -> bool:
    stated = (gold.answers, gold.timed, gold.facts, gold.reference, gold.periods, gold.supporting)
    known = gold.unanswerable is not None or any(item is not None and item != () for item in stated)
    return known or bool(gold.relevant) or any(step.relevant for step in gold.steps)


def _named(gold: Gold) -> Iterator[str]:
    """The documents that the gold data of a question names."""
    yield from gold.relevant
    for documents in (*gold.periods, gold.supporting or ()):
        yield from sorted(documents)
    for step in gold.steps:
        yield from step.relevant


def _holders(name: str) -> Iterator[str]:
    """An id, and the files that it may be a part of (``mail.mbox#1``, ``archive.zip/member``)."""
    yield name
    for place, character in enumerate(name):
        if character in "#/":
            yield name[:place]
