"""The suite ``beir``: any folder in the BEIR layout (Thakur et al. 2021), with optional fields for scoring.

Each record of ``corpus.jsonl`` is a document with the record's ``_id`` as its id. Passages of one page
(``metadata.part_of``) become parts of one document in the order of ``metadata.position``, under headings from
``metadata.section``; each passage is retrieved and judged by itself.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from pathlib import Path

from timelens import BadInputError, Document, Part
from timelens.bench.suite_data import (
    Dataset,
    Gold,
    Guidance,
    Query,
    Record,
    RetrievalStep,
    as_of,
    hash_of,
    in_memory,
    is_text,
    read_text,
    require,
    strings,
)
from timelens.bench.suite_fields import (
    FLAG,
    LISTS,
    RECORD,
    RECORDS,
    SCALAR,
    TEXT,
    TEXTS,
    Fields,
    blank,
    unknown,
)
from timelens.ingest.metadata_dates import parse_date
from timelens.temporal import Interval, hull

LAYOUT = "corpus.jsonl, queries.jsonl and qrels/test.tsv (the BEIR layout)"
_DATES = ("date", "published", "period_start", "period_end")
_GROUPS = ("domain", "source", "variant", "shift")
_FILES = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
_CORPUS = Fields(("_id",), {"title": TEXT, "text": TEXT, "metadata": RECORD})
_QUERIES = Fields(
    ("_id", "text"),
    {
        "as_of": SCALAR,
        "answers": TEXTS,
        "unanswerable": FLAG,
        "choices": TEXTS,
        "kind": TEXT,
        "base": SCALAR,
        "reference": TEXT,
        "gold_answers": TEXTS,
        "gold_supporting": TEXTS,
        "periods": LISTS,
        "negative_ids": TEXTS,
        "excluded_ids": TEXTS,
        "steps": RECORDS,
        "query_guidance": RECORD,
        **dict.fromkeys(_GROUPS, SCALAR),
    },
    frozenset(
        {
            # of the standard layout
            "title",
            "metadata",
            # read by the suites temprageval and questions
            "time_relation",
            "exact",
            *(
                f"{window}_{end}"
                for window in ("asked", "window", "gold", "date", "scope")
                for end in ("start", "end")
            ),
            # written by "bench make" to show how a question was made
            *("base_id", "choice_kinds", "gold_document", "gold_documents", "gold_evidences"),
            *("implicit_condition", "made", "series", "trend", "year"),
        }
    ),
)


def load(folder: Path) -> Dataset:
    """Read a BEIR folder.

    Raises:
        MissingError: the folder or one of its files is missing.
        BadInputError: a file does not have the expected format, a field has the wrong form, or an id is used
            twice.
    """
    require(folder, *_FILES, layout=LAYOUT)
    corpus, queries, judgements = (folder / name for name in _FILES)
    passages, unread = _CORPUS.records(corpus)
    read = list(pages(passages, corpus))
    copies = _copies(passages)
    qrels = _qrels(judgements)
    records, also_unread = _QUERIES.records(queries)
    asked = tuple(
        Query(record["_id"], record["text"], as_of(record, f"{queries} {record['_id']}"))
        for record in records
    )
    for path, ids in ((corpus, [item["_id"] for item in passages]), (queries, [item.id for item in asked])):
        if not ids:
            raise BadInputError(f"{path} holds no records", f"a folder holds {LAYOUT}")
        if len(set(ids)) < len(ids):
            twice = next(name for name in ids if ids.count(name) > 1)
            raise BadInputError(f"{path} has the _id {twice} twice", "give every record an _id of its own")
    asked_ids = {item.id for item in asked}
    unasked = [query for query in qrels if query not in asked_ids]

    return Dataset(
        queries=asked,
        gold={
            record["_id"]: _gold(
                record, qrels.get(record["_id"], {}), copies.get(str(record.get("base")), {})
            )
            for record in records
        },
        ingest=in_memory(read),
        documents_hash=hash_of([corpus], folder),
        hash=hash_of([corpus, queries, judgements], folder),
        texts={item["_id"]: f"{_title(item)}\n{_text(item)}" for item in passages},
        notes=(
            *_notes(passages),
            *blank(passages, "text", "_id", corpus),
            *unread,
            *also_unread,
            *(() if qrels else (f"{_FILES[2]} holds no judgement: rankings have no gold documents",)),
            *unknown(f"queries in {_FILES[2]} that are not in queries.jsonl", unasked),
        ),
    )


def documents(folder: Path) -> list[Document]:
    """Only the documents of a BEIR folder; errors as in :func:`load`."""
    require(folder, _FILES[0], layout=LAYOUT)
    return list(pages(_CORPUS.records(folder / _FILES[0])[0], folder / _FILES[0]))


def pages(records: Sequence[Record], path: Path) -> Iterator[Document]:
    """The documents of BEIR records: one per record, or one per page with all its passages in order."""
    by_page: dict[str, list[Record]] = {}
    for record in records:
        page = _stated(record, "part_of") or str(record["_id"])
        by_page.setdefault(page, []).append(record)
    for name, passages in by_page.items():
        alone = len(passages) == 1 and passages[0]["_id"] == name
        yield _document(passages[0], path) if alone else _page(name, passages, path)


def _page(name: str, passages: Sequence[Record], path: Path) -> Document:
    """Passages as one document, so that a date in one passage also applies to the passages after it."""
    text = ""
    parts = []
    for record in sorted(passages, key=_position):
        parts.append(Part(record["_id"], len(text), _stated(record, "section")))
        text += f"{_text(record)}\n\n"
    dates = (_published(_metadata(record)) for record in passages)
    return Document(
        id=name,
        uri=path.resolve().as_posix(),
        title=next((title for record in passages if (title := _title(record))), ""),
        text=text,
        content_hash=content_hash(passages),
        published=next((date for date in dates if date is not None), None),
        published_source="record field",
        parts=tuple(parts),
    )


def _document(record: Record, path: Path) -> Document:
    return Document(
        id=record["_id"],
        uri=path.resolve().as_posix(),
        title=_title(record),
        text=_text(record),
        content_hash=content_hash([record]),
        published=_published(_metadata(record)),
        published_source="record field",
    )


def _stated(record: Record, name: str) -> str:
    """A text field of the metadata; empty if it is missing."""
    value = _metadata(record).get(name)
    return value if isinstance(value, str) else ""


def _title(record: Record) -> str:
    return record["title"] if is_text(record.get("title")) else ""


def _text(record: Record) -> str:
    """The text of a record, or its title if it has no text."""
    return record["text"] if is_text(record.get("text")) else _title(record)


def _position(record: Record) -> float:
    position = _metadata(record).get("position")
    return position if isinstance(position, int | float) else float("inf")


def content_hash(records: Sequence[Record]) -> str:
    """SHA-256 over the content of records."""
    return hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()


def _published(metadata: Record) -> Interval | None:
    """``date``, else ``published``, else the period of the record's content; ``None`` if none is a date."""
    try:
        for name in ("date", "published"):
            if is_text(metadata.get(name)):
                return parse_date(metadata[name])
        ends = [metadata[name] for name in ("period_start", "period_end") if is_text(metadata.get(name))]
        return hull(interval for end in ends if (interval := parse_date(end)) is not None)
    except ValueError:
        return None


def _notes(records: Iterable[Record]) -> tuple[str, ...]:
    misdated = sum(
        any(is_text(metadata.get(name)) for name in _DATES) and _published(metadata) is None
        for metadata in map(_metadata, records)
    )
    return (f"records whose date is not a date, taken without it: {misdated}",) if misdated else ()


def _metadata(record: Record) -> Record:
    metadata = record.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _copies(passages: Sequence[Record]) -> dict[str, dict[str, float]]:
    """By the id of the original passage (``metadata.base``): its copies, each with its shift in years."""
    found: dict[str, dict[str, float]] = {}
    for record in passages:
        metadata = _metadata(record)
        if "base" in metadata and _is_number(metadata.get("shift")):
            found.setdefault(str(metadata["base"]), {})[record["_id"]] = float(metadata["shift"])
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _gold(record: Record, relevant: dict[str, int], copies: dict[str, float]) -> Gold:
    unanswerable = record.get("unanswerable")
    supporting = record.get("gold_supporting")
    guidance = guidance_of(record.get("query_guidance"))
    groups = {
        name: str(record[name])
        for name in _GROUPS
        if is_text(record.get(name)) or _is_number(record.get(name))
    }
    if guidance.reasoning_class:
        groups["reasoning class"] = guidance.reasoning_class
    return Gold(
        relevant=relevant,
        answers=strings(record.get("answers")),
        unanswerable=unanswerable if isinstance(unanswerable, bool) else None,
        choices=strings(record.get("choices")),
        kind=record["kind"] if is_text(record.get("kind")) else None,
        reference=reference_of(record),
        supporting=frozenset(strings(supporting)) if isinstance(supporting, list) else None,
        periods=periods_of(record),
        barred=barred_of(record),
        steps=tuple(_steps(record)),
        guidance=guidance,
        copies=copies,
        groups=groups,
    )


def guidance_of(described: object) -> Guidance:
    """The fields of TEMPO's ``query_guidance`` that judges use; empty if it is not a JSON object."""
    if is_text(described):
        try:
            described = json.loads(str(described))
        except (ValueError, RecursionError):
            return Guidance()
    if not isinstance(described, dict):
        return Guidance()
    temporal = described.get("is_temporal_query")
    reasoning = described.get("temporal_reasoning_class_primary")
    return Guidance(
        temporal if isinstance(temporal, bool) else None,
        reasoning if is_text(reasoning) else None,
        tuple(anchor for anchor in strings(described.get("key_time_anchors")) if anchor.strip()),
    )


def reference_of(record: Record) -> str | None:
    """The full answer: ``reference``, else the first of TEMPO's ``gold_answers``."""
    stated = (record.get("reference"), *strings(record.get("gold_answers")))
    return next((str(text) for text in stated if is_text(text)), None)


def barred_of(record: Record) -> frozenset[str]:
    """The documents that TEMPO's published code removes from the ranking of a query."""
    return frozenset((*strings(record.get("negative_ids")), *strings(record.get("excluded_ids"))))


def periods_of(record: Record) -> tuple[frozenset[str], ...]:
    """The relevant documents of each period that a question needs evidence from; empty if none are listed."""
    listed = record.get("periods")
    found = listed if isinstance(listed, list) else []
    return tuple(frozenset(strings(documents)) for documents in found)


def _steps(record: Record) -> Iterator[RetrievalStep]:
    steps = record.get("steps")
    found = steps if isinstance(steps, list) else []
    for number, step in enumerate((step for step in found if isinstance(step, dict)), start=1):
        text = step.get("text") if is_text(step.get("text")) else step.get("step")
        if is_text(text):
            name = step.get("_id") or step.get("step_id") or number
            yield RetrievalStep(
                f"{record['_id']}#{name}", str(text), dict.fromkeys(strings(step.get("gold_ids")), 1)
            )


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    """Judgements by query: tab-separated query-id, corpus-id and score, with or without a header."""
    qrels: dict[str, dict[str, int]] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and cells[-1].strip() == "score"):
            continue
        try:
            query, document, grade = cells
            qrels.setdefault(query, {})[document] = int(grade)
        except ValueError as error:
            raise BadInputError(
                f"{path} line {number} is not a judgement",
                "write query-id, corpus-id and score, separated by tabs",
            ) from error
    return qrels
