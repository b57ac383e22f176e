"""The suite ``adqab``: multiple choice about how prices moved over time (TA-RAG, Sections 5 and 6).

Two layouts are read. The official one has ``C_final.jsonl`` beside ``dqabench_MCQA.json``, either in the
folder or in its subfolder ``DQABench``, as in the repository. The BEIR layout has ``choices``, ``answers``
and ``kind`` in its queries. The official documents state no publication date, and the extracted intervals of
the repository are not read.
"""

from pathlib import Path

from timelens import BadInputError, Document
from timelens.bench import beir
from timelens.bench.official_sources import missing
from timelens.bench.record_files import records_of
from timelens.bench.suite_data import Dataset, Gold, Query, Record, hash_of, in_memory

LAYOUT = f"C_final.jsonl and dqabench_MCQA.json (ADQAB), or {beir.LAYOUT}"
_TITLE = "Title:"


def load(folder: Path) -> Dataset:
    """Read articles and questions.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a file does not have the expected format, or the key of a question is not among its
            choices.
    """
    if (folder / "queries.jsonl").is_file():
        return beir.load(folder)
    inner = folder / "DQABench"
    root = inner if inner.is_dir() else folder
    corpus, questions = root / "C_final.jsonl", root / "dqabench_MCQA.json"
    for path in (corpus, questions):
        if not path.is_file():
            raise missing("adqab", path.name, folder)
    documents = [_document(record, corpus) for record in records_of(corpus, "id", "text")]
    records = {str(record["id"]): record for record in records_of(questions, "id", "question")}
    if not documents or not records:
        raise BadInputError(f"{questions if documents else corpus} holds no records", "fetch it again")

    return Dataset(
        queries=tuple(Query(name, str(record["question"])) for name, record in records.items()),
        gold={name: _gold(record, questions) for name, record in records.items()},
        ingest=in_memory(documents),
        documents_hash=hash_of([corpus], folder),
        hash=hash_of([corpus, questions], folder),
        texts={document.id: f"{document.title}\n{document.text}" for document in documents},
    )


def _document(record: Record, path: Path) -> Document:
    """An article. A first line that starts with ``Title:`` becomes the title."""
    text = str(record["text"])
    first, _, rest = text.partition("\n")
    titled = first.startswith(_TITLE) and bool(rest.strip())
    return Document(
        id=str(record["id"]),
        uri=path.resolve().as_posix(),
        title=first.removeprefix(_TITLE).strip() if titled else "",
        text=rest if titled else text,
        content_hash=beir.content_hash([record]),
    )


def _gold(record: Record, path: Path) -> Gold:
    choices, key = record.get("choices"), record.get("correct_answer_key")
    if not isinstance(choices, dict) or key not in choices:
        raise BadInputError(
            f"{path} question {record['id']}: its key {key!r} is not among its choices", "fetch it again"
        )
    described = record.get("query_type_info")
    kind = described.get("id") if isinstance(described, dict) else None
    return Gold(
        relevant={},
        answers=(str(choices[key]),),
        choices=tuple(str(choices[letter]) for letter in sorted(choices)),
        kind=None if kind is None else str(kind),
    )
