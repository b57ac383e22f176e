"""The data that a suite reads from a folder: questions, their gold data, and how to ingest the documents.

Parsing and retrieval see only the :class:`Query`; the :class:`Gold` of a question is used only for
scoring.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from timelens import ALL_FILES, BadInputError, Corpus, Document, IngestProgress, IngestReport, MissingError
from timelens.question.as_of_day import iso_time
from timelens.temporal import Day, Granularity

Record = dict[str, Any]
_IDS = ("_id", "id", "doc_id")
Fact = tuple[tuple[str, ...], ...]
"""A fact that an answer must state: one spelling of each part, all in one line."""
Ingest = Callable[[Corpus, Callable[[IngestProgress], None]], IngestReport]


@dataclass(frozen=True, slots=True)
class Query:
    """A question as it is asked."""

    id: str
    text: str
    as_of: Day | None = None
    """The reference day ("now") of the question; ``None`` uses that of the run."""
    follows: tuple[str, ...] = ()
    """The earlier questions of the same conversation, in order; empty if the question stands by itself."""
    original: str | None = None
    """The wording before it was rephrased, for judges; ``None`` if it was not rephrased."""


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """A right answer with the recorded days of its fact."""

    text: str
    start: Day | None
    end: Day | None
    """``None`` if it still holds."""


@dataclass(frozen=True, slots=True)
class RetrievalStep:
    """One retrieval step of a question, with the documents that it should find (TEMPO, Task 2)."""

    id: str
    text: str
    relevant: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Guidance:
    """Annotations of a question's time (TEMPO, Appendix B): used by judges, never for asking."""

    temporal: bool | None = None
    """Whether the question has temporal intent; ``None`` if it is not annotated."""
    reasoning_class: str | None = None
    anchors: tuple[str, ...] = ()
    """The key times of the question in words; the first two are the baseline and the comparison."""


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold data of a question, and the groups it is counted in."""

    relevant: Mapping[str, int]
    """Relevance grade by document id; retrieval is not scored unless a grade is above 0."""
    answers: tuple[str, ...] = ()
    """Spellings of the right answer; any one is enough."""
    all_required: bool = False
    """Whether the answers are parts of one answer, all of which are required."""
    unanswerable: bool | None = None
    """Whether the right reply is that there is no answer; ``None`` if the data does not say."""
    choices: tuple[str, ...] = ()
    kind: str | None = None
    timed: tuple[TimedAnswer, ...] | None = None
    """Exactly the right answers, with their days; ``None`` if the data does not say."""
    ends: tuple[str, ...] = ()
    """Which of ``start`` and ``end`` of each timed answer must be stated."""
    rivals: tuple[str, ...] = ()
    """Wrong names that an answer might give: every other value that the data has in the same column."""
    unit: Granularity = Granularity.MONTH
    """The coarsest unit in which the days of timed answers may be stated in words."""
    past: tuple[str, ...] | None = None
    """For a question about now, the answers that were right before; ``None`` if the data does not say."""
    hops: tuple[tuple[str, ...], ...] = ()
    """The result of each intermediate fact on the way to the answer, in all its spellings."""
    reference: str | None = None
    """A full answer for a judge to compare with."""
    supporting: frozenset[str] | None = None
    """All documents that support an answer, as judged by people; ``None`` if nobody judged them."""
    periods: tuple[frozenset[str], ...] = ()
    """The relevant documents of each period that the question needs evidence from."""
    facts: tuple[Fact, ...] | None = None
    """The facts of a right answer, empty if there is no answer; ``None`` if the data does not say."""
    ruled_out: tuple[str, ...] = ()
    """Phrases that occur in no right answer."""
    barred: frozenset[str] = frozenset()
    """Documents that may be removed from the ranking (TEMPO's ``negative_ids`` and ``excluded_ids``)."""
    steps: tuple[RetrievalStep, ...] = ()
    part_of: str | None = None
    """The id of the question that this query is a step of; its steps are averaged first."""
    guidance: Guidance = field(default_factory=Guidance)
    copies: Mapping[str, float] = field(default_factory=dict)
    """Copies of the question's passage in other years: the years each is shifted by, by document id."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Groups that the question is counted in besides its kind, by the name of the grouping."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder as a suite reads it."""

    queries: tuple[Query, ...]
    gold: Mapping[str, Gold]
    """By query id."""
    ingest: Ingest
    """Adds the documents to a corpus; documents that are stored already are skipped."""
    documents_hash: str
    """Hash of the ingested documents: runs with equal documents share a corpus."""
    hash: str
    """Hash of everything that is read: documents, questions and judgements."""
    texts: Mapping[str, str] | None = None
    """Title and text by document id if the unit of evidence is a document; ``None`` if it is a chunk."""
    documents: frozenset[str] | None = None
    """Ids of the documents, or of the files that hold them; ``None`` if ``texts`` has them."""
    notes: tuple[str, ...] = ()
    """Notes on data that could only be read in part."""
    excluded: Mapping[str, int] = field(default_factory=dict)
    """The number of questions that are not asked, by reason."""


def reached(
    queries: Sequence[Query], kept: Sequence[Query], *, every: int, limit: int | None
) -> Sequence[Query]:
    """The questions down to the last one asked: of every n-th of those ``kept``, the first ``limit``.

    All of them if fewer are kept than the limit allows.
    """
    asked = kept[::every]
    if limit is None or len(asked) < limit:
        return queries
    return queries[: [query.id for query in queries].index(asked[limit - 1].id) + 1]


def in_memory(documents: Sequence[Document]) -> Ingest:
    """An :data:`Ingest` of documents in memory."""

    def ingest(into: Corpus, on_progress: Callable[[IngestProgress], None]) -> IngestReport:
        return into.ingest_documents(documents, on_progress=on_progress)

    return ingest


def in_files(paths: Sequence[Path]) -> Ingest:
    """An :data:`Ingest` of files and folders."""

    def ingest(into: Corpus, on_progress: Callable[[IngestProgress], None]) -> IngestReport:
        return into.ingest(paths, selection=ALL_FILES, on_progress=on_progress)

    return ingest


def files_below(folder: Path) -> list[Path]:
    """All files below a folder, sorted by path."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def require(folder: Path, *parts: str, layout: str) -> None:
    """Check that a folder holds the parts that a suite reads.

    Raises:
        MissingError: the folder or a part of it is missing.
    """
    if not folder.is_dir():
        raise MissingError(f"there is no folder {folder}", f"name one with --data that holds {layout}")
    for part in parts:
        if not (folder / part).exists():
            raise MissingError(f"there is no {part} in {folder}", f"the folder must hold {layout}")


def file_ids(files: Iterable[Path], documents: Path) -> frozenset[str]:
    """The ids that files get as documents: their paths below the folder of documents.

    Raises:
        BadInputError: there are no files.
    """
    found = frozenset(path.relative_to(documents).as_posix() for path in files)
    if not found:
        raise BadInputError(f"{documents} holds no files", "put the documents there")
    return found


def read_records(path: Path, *needed: str) -> Iterator[Record]:
    """The objects of a JSON Lines file; errors as in :func:`numbered_records`."""
    return (record for _, record in numbered_records(path, *needed))


def numbered_records(path: Path, *needed: str) -> Iterator[tuple[int, Record]]:
    """The objects of a JSON Lines file, each with the number of its line; the fields ``needed`` hold text.

    An id that is a number is taken as its digits.

    Raises:
        BadInputError: a line is not JSON, or a field is missing.
    """
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadInputError(
                f"{path} line {number} is not JSON: {error}", "write one JSON object per line"
            ) from error
        if isinstance(record, dict):
            record |= {name: str(record[name]) for name in _IDS if type(record.get(name)) is int}
        missing = [name for name in needed if not isinstance(record, dict) or not is_text(record.get(name))]
        if missing:
            raise BadInputError(
                f"{path} line {number} has no {missing[0]}", f"each record needs {', '.join(needed)} as text"
            )
        yield number, record


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        BadInputError: the file cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8 text (byte {error.start})", "save it as UTF-8") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}", "check what it is") from error


def as_of(record: Record, where: str) -> Day | None:
    """The reference day ("now") that a record states, if any; the last day of a month or a year.

    Raises:
        BadInputError: it is not a date in ISO 8601.
    """
    stated = record.get("as_of")
    if stated is None or stated == "":
        return None
    fault = f"{stated!r} is not a date of the form YYYY-MM-DD, YYYY-MM or YYYY"
    try:
        time = iso_time(str(stated))
    except ValueError as error:
        time, fault = None, str(error)
    if time is None or time.end is None:
        raise BadInputError(f"{where}: as_of: {fault}", "write a day such as 2021-05-06")
    return time.end - 1


def strings(value: object) -> tuple[str, ...]:
    """The items of a list field as text; empty if the field is not a list."""
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def hash_of(paths: Iterable[Path], below: Path) -> str:
    """SHA-256 over the names and contents of files."""
    digest = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(below).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()


def is_text(value: object) -> bool:
    """Whether a field is text that is not blank."""
    return isinstance(value, str) and bool(value.strip())
