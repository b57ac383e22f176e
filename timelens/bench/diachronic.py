"""The suite ``diachronic``: a corpus with questions over several periods, in the layout of the bundled ones.

A record of ``diachronic.jsonl`` has ``id``, ``kind``, ``question`` and ``facts`` (the facts of a right
answer: a list of facts, each a list of parts, each a list of spellings; empty for a refusal), and optionally
``as_of``, ``wrong`` (phrases that occur in no right answer), ``part`` (``look``: may be looked at, ``score``:
only scored) and ``periods`` (``start``, ``end`` (exclusive) and ``gold_documents``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from timelens import BadInputError
from timelens.bench.suite_data import (
    Dataset,
    Fact,
    Gold,
    Query,
    Record,
    as_of,
    file_ids,
    files_below,
    hash_of,
    in_files,
    is_text,
    require,
    strings,
)
from timelens.bench.suite_fields import LIST, SCALAR, TEXT, Fields
from timelens.temporal import Day, parse_day

FILE = "diachronic.jsonl"
LAYOUT = f"documents/ beside {FILE}"

REFUSAL = "refusal"
KINDS = ("comparison", "course", "periods", "nested", "ordered", REFUSAL)
PARTS = ("look", "score")
FIELDS = Fields(
    ("id", "kind", "question"),
    {"as_of": SCALAR, "part": TEXT, "facts": LIST, "wrong": LIST, "periods": LIST},
)


@dataclass(frozen=True, slots=True)
class GoldPeriod:
    """A period that a question names."""

    start: Day | None
    end: Day | None
    """Exclusive: the day after the last day."""
    documents: tuple[str, ...]
    """Documents with evidence of the period."""


@dataclass(frozen=True, slots=True)
class DiachronicQuestion:
    """A record of the file."""

    id: str
    kind: str
    text: str
    as_of: Day | None
    part: str | None
    facts: tuple[Fact, ...]
    wrong: tuple[str, ...]
    periods: tuple[GoldPeriod, ...]


def load(folder: Path) -> Dataset:
    """Read a folder with documents and questions over several periods.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a question does not have the expected format, or there are no questions.
    """
    asked, notes = _read(folder)
    files = documents(folder)
    return Dataset(
        queries=tuple(Query(question.id, question.text, question.as_of) for question in asked),
        gold={question.id: _gold(question) for question in asked},
        ingest=in_files([folder / "documents"]),
        documents_hash=hash_of(files, folder),
        hash=hash_of([*files, folder / FILE], folder),
        documents=file_ids(files, folder / "documents"),
        notes=notes,
    )


def documents(folder: Path) -> list[Path]:
    """The documents of a folder, sorted by path."""
    return files_below(folder / "documents")


def questions(folder: Path) -> list[DiachronicQuestion]:
    """The questions of a folder; errors as in :func:`load`."""
    return _read(folder)[0]


def _read(folder: Path) -> tuple[list[DiachronicQuestion], tuple[str, ...]]:
    """The questions of a folder, with notes on keys that are not read."""
    require(folder, "documents/", FILE, layout=LAYOUT)
    path = folder / FILE
    found: dict[str, DiachronicQuestion] = {}
    records, notes = FIELDS.records(path)
    for record in records:
        question = _question(record, f"{path} {record['id']}")
        if question.id in found:
            raise BadInputError(
                f"{path} has the id {question.id} twice", "give every question an id of its own"
            )
        found[question.id] = question
    if not found:
        raise BadInputError(f"{path} holds no question", f"a folder holds {LAYOUT}")
    return list(found.values()), notes


def _question(record: Record, where: str) -> DiachronicQuestion:
    kind, part = record["kind"], record.get("part")
    if kind not in KINDS:
        raise BadInputError(f"{where}: there is no kind {kind!r}", f"choose one of {', '.join(KINDS)}")
    if part is not None and part not in PARTS:
        raise BadInputError(f"{where}: there is no part {part!r}", f"choose one of {', '.join(PARTS)}")
    facts = tuple(_facts(record.get("facts", []), where))
    if bool(facts) == (kind == REFUSAL):
        raise BadInputError(
            f"{where}: the kind {kind} has {'facts' if facts else 'no facts'}",
            "state the facts of a right answer, or none if a refusal is right",
        )
    return DiachronicQuestion(
        id=record["id"],
        kind=kind,
        text=record["question"],
        as_of=as_of(record, where),
        part=part,
        facts=facts,
        wrong=_texts(record.get("wrong", []), f"{where}: wrong"),
        periods=tuple(_periods(record.get("periods", []), where)),
    )


def _facts(stated: object, where: str) -> Iterator[Fact]:
    for fact in _items(stated, f"{where}: facts"):
        parts = tuple(_texts(part, f"{where}: facts") for part in _items(fact, f"{where}: facts"))
        if not parts or not all(parts):
            raise BadInputError(f"{where}: a fact states nothing", "give each part at least one spelling")
        yield parts


def _periods(stated: object, where: str) -> Iterator[GoldPeriod]:
    for period in _items(stated, f"{where}: periods"):
        if not isinstance(period, dict):
            raise BadInputError(f"{where}: a period is not a record", "give it start, end and gold_documents")
        start, end = (_day(period.get(name), where) for name in ("start", "end"))
        if start is not None and end is not None and start >= end:
            raise BadInputError(
                f"{where}: a period ends before it starts", "the end is the day after its last day"
            )
        yield GoldPeriod(start, end, _texts(period.get("gold_documents", []), f"{where}: gold_documents"))


def _day(stated: object, where: str) -> Day | None:
    if stated is None:
        return None
    try:
        return parse_day(str(stated))
    except ValueError as error:
        raise BadInputError(
            f"{where}: periods: {error}", "write a day such as 2021-05-06, or null"
        ) from error


def _texts(stated: object, where: str) -> tuple[str, ...]:
    items = _items(stated, where)
    if not all(is_text(item) for item in items):
        raise BadInputError(f"{where} holds something that is not text", "write a list of texts")
    return strings(items)


def _items(stated: object, where: str) -> list[object]:
    if not isinstance(stated, list):
        raise BadInputError(f"{where} is not a list", "write a list, empty if there is nothing")
    return stated


def _gold(question: DiachronicQuestion) -> Gold:
    named = [name for period in question.periods for name in period.documents]
    return Gold(
        relevant=dict.fromkeys(named, 1),
        kind=question.kind,
        periods=tuple(frozenset(period.documents) for period in question.periods),
        facts=question.facts,
        ruled_out=question.wrong,
        groups={} if question.part is None else {"part": question.part},
    )
