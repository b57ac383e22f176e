"""The suite ``tempreason``: facts at a time, their successors, and date arithmetic (Tan et al. 2023).

Each record of ``docs.jsonl`` is a document: its text, then its facts as sentences. Questions of the levels l2
(a month) and l3 (before and after a fact) are about these documents; those of ``date_arithmetic.jsonl`` (l1)
need none.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from timelens import BadInputError, Document
from timelens.bench.measures import states
from timelens.bench.suite_data import (
    Dataset,
    Gold,
    Query,
    Record,
    hash_of,
    in_memory,
    is_text,
    require,
    strings,
)
from timelens.bench.suite_fields import RECORDS, SCALAR, TEXT, TEXTS, Fields

LAYOUT = "docs.jsonl, questions.jsonl and date_arithmetic.jsonl (TempReason)"
_FILES = ("docs.jsonl", "questions.jsonl", "date_arithmetic.jsonl")
_ARITHMETIC = "l1"
_DOCUMENTS = Fields(("doc_id",), {"title": TEXT, "text": TEXT, "facts": RECORDS})
_ASKED = Fields(("id", "question", "doc_id"), {"answers": TEXTS, "level": TEXT}, frozenset({"asked_month"}))
_COUNTED = Fields(("id", "question"), {"answers": TEXTS, "level": TEXT, "doc_id": SCALAR})


def load(folder: Path) -> Dataset:
    """Read a TempReason folder.

    A question is used if its document states an answer in whole words; a note has the number of the others.

    Raises:
        MissingError: the folder or one of its files is missing.
        BadInputError: a file does not have the expected format, or a question's document is missing.
    """
    require(folder, *_FILES, layout=LAYOUT)
    paths = [folder / name for name in _FILES]
    (described, unread), (asked, also_unread), (counted, unread_of_these) = (
        fields.records(path) for fields, path in zip((_DOCUMENTS, _ASKED, _COUNTED), paths, strict=True)
    )
    documents = {record["doc_id"]: _document(record, paths[0]) for record in described}
    lost = next((record["doc_id"] for record in asked if record["doc_id"] not in documents), None)
    if lost is not None:
        raise BadInputError(
            f"{paths[1]} asks of {lost}, which docs.jsonl does not hold", f"keep {LAYOUT} together"
        )
    told = [record for record in asked if _is_told(record, documents[record["doc_id"]])]
    gold = {record["id"]: _gold(record, documents[record["doc_id"]].id) for record in told}
    gold |= {record["id"]: _gold(record, None) for record in counted}
    untold = len(asked) - len(told)
    left_out = f"{untold} questions left out, because their documents do not state the answer"

    return Dataset(
        queries=tuple(Query(record["id"], record["question"]) for record in (*told, *counted)),
        gold=gold,
        ingest=in_memory(list(documents.values())),
        documents_hash=hash_of(paths[:1], folder),
        hash=hash_of(paths, folder),
        documents=frozenset(documents),
        notes=(
            *((left_out,) if untold else ()),
            *unread,
            *also_unread,
            *unread_of_these,
        ),
    )


def _document(record: Record, path: Path) -> Document:
    """The text of a record, then one line for each of its facts."""
    return Document(
        id=record["doc_id"],
        uri=path.resolve().as_posix(),
        title=record["title"] if is_text(record.get("title")) else "",
        text="\n\n".join(_lines(record)),
        content_hash=hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest(),
    )


def _lines(record: Record) -> Iterator[str]:
    if is_text(record.get("text")):
        yield record["text"]
    facts = record.get("facts")
    for fact in facts if isinstance(facts, list) else ():
        if isinstance(fact, dict) and is_text(fact.get("text")):
            yield fact["text"]


def _is_told(record: Record, document: Document) -> bool:
    return any(states(document.text, answer) for answer in strings(record.get("answers")))


def _gold(record: Record, document: str | None) -> Gold:
    return Gold(
        relevant={} if document is None else {document: 1},
        answers=strings(record.get("answers")),
        unanswerable=False,
        kind=record["level"] if is_text(record.get("level")) else _ARITHMETIC,
    )
