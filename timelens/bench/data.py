"""What a suite reads from a folder: questions, what is known to be right, and a corpus to ask.

A :class:`Query` is all that parsing and retrieval ever see of a question; the :class:`Gold` beside it is for
scoring alone.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from timelens import ALL_FILES, BadInputError, Corpus, Document, IngestProgress, IngestReport, MissingError
from timelens.temporal import Day, Granularity, parse_day

Record = dict[str, Any]
Fact = tuple[tuple[str, ...], ...]
"""What an answer must state: of each part one of its spellings, all in one line."""
Ingest = Callable[[Corpus, Callable[[IngestProgress], None]], IngestReport]


@dataclass(frozen=True, slots=True)
class Query:
    """A question as it is asked."""

    id: str
    text: str
    as_of: Day | None = None
    """The day that counts as now; ``None`` takes that of the run."""
    follows: tuple[str, ...] = ()
    """What was asked before it in the same conversation, in order; nothing where it stands by itself."""
    original: str | None = None
    """What it was before it was put in other words, for judges; ``None`` where it was not."""


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """A right answer with the days of its fact, as recorded."""

    text: str
    start: Day | None
    end: Day | None
    """``None`` where it still holds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One retrieval step of a question, with what it should find (TEMPO, Task 2)."""

    id: str
    text: str
    relevant: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Guidance:
    """What annotators say of a question's time (TEMPO, Appendix B): for judges, never for asking."""

    temporal: bool | None = None
    """Whether it has temporal intent; ``None`` where nobody says."""
    reasoning_class: str | None = None
    anchors: tuple[str, ...] = ()
    """Its key times in words; the first two are the baseline and the comparison."""


@dataclass(frozen=True, slots=True)
class Gold:
    """What is known to be right, and what the question is counted under."""

    relevant: Mapping[str, int]
    """Grade of relevance by document id; without an entry above 0 retrieval is not scored."""
    answers: tuple[str, ...] = ()
    """Spellings of the right answer, any of which will do."""
    all_wanted: bool = False
    """Whether the answers are parts of one, all of which are wanted."""
    unanswerable: bool | None = None
    """Whether the right reply is that there is no answer; ``None`` where the data does not say."""
    choices: tuple[str, ...] = ()
    kind: str | None = None
    timed: tuple[TimedAnswer, ...] | None = None
    """All right answers, no more and no fewer, with their days; ``None`` where the data does not say."""
    ends: tuple[str, ...] = ()
    """Which of ``start`` and ``end`` of each timed answer have to be stated."""
    rivals: tuple[str, ...] = ()
    """What else may be named in place of a timed answer: every other value that the data has for it."""
    unit: Granularity = Granularity.MONTH
    """The coarsest unit that the days of timed answers may be stated in, in words."""
    past: tuple[str, ...] | None = None
    """Of a question about now, what was right before and is no more; ``None`` where the data does not say."""
    hops: tuple[tuple[str, ...], ...] = ()
    """What each fact but the last on the way to the answer gives, in any of its spellings."""
    reference: str | None = None
    """An answer in full, for a judge to compare with."""
    supporting: frozenset[str] | None = None
    """All documents that support an answer, as people judged them; ``None`` where nobody did."""
    periods: tuple[frozenset[str], ...] = ()
    """Of each period that the question needs evidence from, its relevant documents."""
    facts: tuple[Fact, ...] | None = None
    """What a right answer states, none where there is no answer; ``None`` where the data does not say."""
    ruled_out: tuple[str, ...] = ()
    """What stands in no right answer."""
    barred: frozenset[str] = frozenset()
    """Documents that may be taken out of the ranking (TEMPO's ``negative_ids`` and ``excluded_ids``)."""
    steps: tuple[Step, ...] = ()
    part_of: str | None = None
    """The question that this one is a step of: its steps are averaged first."""
    guidance: Guidance = field(default_factory=Guidance)
    copies: Mapping[str, float] = field(default_factory=dict)
    """Copies of its passage in other years, with the number of years each is moved, by document id."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """What it is counted under beside its kind, by the name of the grouping."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder as a suite reads it."""

    queries: tuple[Query, ...]
    gold: Mapping[str, Gold]
    """By the id of the query."""
    ingest: Ingest
    """Brings its documents into a corpus; those that are stored cost nothing."""
    documents_hash: str
    """Of what is ingested: runs with equal documents share a corpus."""
    hash: str
    """Of all that is read: documents, questions and judgements."""
    texts: Mapping[str, str] | None = None
    """Title and text by document id, where a document is the unit of evidence; else its chunk is."""
    notes: tuple[str, ...] = ()
    """What could be read only in part."""
    excluded: Mapping[str, int] = field(default_factory=dict)
    """Questions that are not asked, by the reason why not."""


def in_memory(documents: Sequence[Document]) -> Ingest:
    """How documents come into a corpus that are in memory."""

    def ingest(into: Corpus, on_progress: Callable[[IngestProgress], None]) -> IngestReport:
        return into.ingest_documents(documents, on_progress=on_progress)

    return ingest


def in_files(paths: Sequence[Path]) -> Ingest:
    """How documents come into a corpus that are in files and folders."""

    def ingest(into: Corpus, on_progress: Callable[[IngestProgress], None]) -> IngestReport:
        return into.ingest(paths, selection=ALL_FILES, on_progress=on_progress)

    return ingest


def files_below(folder: Path) -> list[Path]:
    """All files below a folder, in the order of their names."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def require(folder: Path, *parts: str, layout: str) -> None:
    """Make sure that a folder holds what a suite reads.

    Raises:
        MissingError: the folder or a part of it is not there.
    """
    if not folder.is_dir():
        raise MissingError(f"there is no folder {folder}", f"name one with --data that holds {layout}")
    for part in parts:
        if not (folder / part).exists():
            raise MissingError(f"there is no {part} in {folder}", f"the folder must hold {layout}")


def read_records(path: Path, *needed: str) -> Iterator[Record]:
    """The objects of a JSON Lines file, each with some text fields that must be there.

    Raises:
        BadInputError: the file is no JSON Lines, or a field is missing.
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
        missing = [name for name in needed if not isinstance(record, dict) or not is_text(record.get(name))]
        if missing:
            raise BadInputError(
                f"{path} line {number} has no {missing[0]}", f"each record needs {', '.join(needed)} as text"
            )
        yield record


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        BadInputError: it cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8 text (byte {error.start})", "save it as UTF-8") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}", "check what it is") from error


def as_of(record: Record, where: str) -> Day | None:
    """The day that counts as now for a question, where one is stated.

    Raises:
        BadInputError: it is not a day.
    """
    stated = record.get("as_of")
    if stated is None or stated == "":
        return None
    try:
        return parse_day(str(stated))
    except ValueError as error:
        raise BadInputError(f"{where}: as_of: {error}", "write a day such as 2021-05-06") from error


def strings(value: object) -> tuple[str, ...]:
    """The items of a field that holds a list of texts, or nothing."""
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def hash_of(paths: Iterable[Path], below: Path) -> str:
    """SHA-256 over the names and contents of files."""
    digest = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(below).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()


def is_text(value: object) -> bool:
    """Whether a field holds more than white space."""
    return isinstance(value, str) and bool(value.strip())
