"""The suites ``corpus`` and ``conversation``: folders with the layout of the bundled corpora."""

from pathlib import Path

from timelens import BadInputError
from timelens.bench.suite_data import (
    Dataset,
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
from timelens.bench.suite_fields import SCALAR, TEXT, TEXTS, Fields

LAYOUT = "documents/ beside questions.jsonl"
CONVERSATION_LAYOUT = "documents/ beside conversational.jsonl"
FIELDS = Fields(
    ("question",),
    {
        "id": TEXT,
        "answers": TEXTS,
        "gold_documents": TEXTS,
        "kind": TEXT,
        "as_of": SCALAR,
        "follows": TEXTS,
    },
    frozenset({"start", "end", "relation", "ordinal", "means"}),
)
"""A record of either file; ``docs/measures.md`` says what each field is for."""


def load(folder: Path) -> Dataset:
    """Read a folder with documents and questions about them.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a question has no text, a field has the wrong form, an id is used twice, or there are
            no questions or no documents.
    """
    return _load(folder, "questions.jsonl", LAYOUT)


def load_conversation(folder: Path) -> Dataset:
    """Read a folder with conversational questions: a question that ``follows`` others is asked after them.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a question has no text, a field has the wrong form, an id is used twice, or there are
            no questions or no documents.
    """
    return _load(folder, "conversational.jsonl", CONVERSATION_LAYOUT)


def _load(folder: Path, name: str, layout: str) -> Dataset:
    require(folder, "documents/", name, layout=layout)
    documents, questions = folder / "documents", folder / name
    listed, notes = FIELDS.records(questions)
    records: dict[str, Record] = {}
    for number, record in enumerate(listed, start=1):
        own = record["id"] if is_text(record.get("id")) else f"q{number:03}"
        if own in records:
            raise BadInputError(f"{questions} has the id {own} twice", "give every question an id of its own")
        records[own] = record
    if not records:
        raise BadInputError(f"{questions} holds no question", f"a folder holds {layout}")
    files = files_below(documents)

    return Dataset(
        queries=tuple(
            Query(
                name,
                record["question"],
                as_of(record, f"{questions} {name}"),
                strings(record.get("follows")),
            )
            for name, record in records.items()
        ),
        gold={name: _gold(record) for name, record in records.items()},
        ingest=in_files([documents]),
        documents_hash=hash_of(files, folder),
        hash=hash_of([*files, questions], folder),
        documents=file_ids(files, documents),
        notes=notes,
    )


def _gold(record: Record) -> Gold:
    answers = strings(record.get("answers"))
    kind = record["kind"] if is_text(record.get("kind")) else None
    return Gold(
        relevant=dict.fromkeys(strings(record.get("gold_documents")), 1),
        answers=answers,
        all_required=kind == "change",
        unanswerable=None if record.get("answers") is None else not answers,
        kind=kind,
    )
