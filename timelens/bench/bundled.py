"""The suites ``corpus`` and ``conversation``: folders with the layout of the bundled corpora."""

from pathlib import Path

from timelens import BadInputError
from timelens.bench.suite_data import (
    Dataset,
    Gold,
    Query,
    Record,
    as_of,
    files_below,
    hash_of,
    in_files,
    is_text,
    read_records,
    require,
    strings,
)

LAYOUT = "documents/ beside questions.jsonl"
CONVERSATION_LAYOUT = "documents/ beside conversational.jsonl"


def load(folder: Path) -> Dataset:
    """Read a folder with documents and questions about them.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a question has no text, or there are no questions.
    """
    return _load(folder, "questions.jsonl", LAYOUT)


def load_conversation(folder: Path) -> Dataset:
    """Read a folder with conversational questions: a question that ``follows`` others is asked after them.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a question has no text, or there are no questions.
    """
    return _load(folder, "conversational.jsonl", CONVERSATION_LAYOUT)


def _load(folder: Path, name: str, layout: str) -> Dataset:
    require(folder, "documents/", name, layout=layout)
    documents, questions = folder / "documents", folder / name
    records = {
        record["id"] if is_text(record.get("id")) else f"q{number:03}": record
        for number, record in enumerate(read_records(questions, "question"), start=1)
    }
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
    )


def _gold(record: Record) -> Gold:
    answers = strings(record.get("answers"))
    kind = record["kind"] if is_text(record.get("kind")) else None
    return Gold(
        relevant=dict.fromkeys(strings(record.get("gold_documents")), 1),
        answers=answers,
        all_required=kind == "change",
        unanswerable=not answers,
        kind=kind,
    )
