"""Distributed ingest: workers read, date and embed; the calling process compares and writes.

Files go to the workers in portions. A worker of the first stage reads and dates a portion in a process of its
own, within the budgets of a local run. A worker of the second stage makes chunks and embeds them. Results
come back in the order of the files, so that a run stores the same rows, counts and failures as a local run.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from timelens.cluster import Cluster, Stage, joined
from timelens.documents import Document
from timelens.embedding import Embedder, EmbedderIdentity
from timelens.errors import BadInputError, StoreError
from timelens.ingest.annotate import in_chunks
from timelens.ingest.dating import DatedDocument
from timelens.ingest.encoded_documents import EncodedDocument, encode_documents
from timelens.ingest.progress import size_of
from timelens.ingest.supervisor import Moment, read_apart
from timelens.ingest.worker import Task, TaskReply, Terms

WorkerReply = TaskReply | EncodedDocument | Moment

_BYTES_AT_ONCE = 1 << 18
"""Bytes of the files of a portion, and of the texts of a part."""
_FILES_AT_ONCE = 64
_WEIGHT = 200
"""Weight in characters of an answer, in addition to its text, and of each of its facts."""
_READERS_SHARE = 0.25
_EMBEDDERS_SHARE = 0.75
"""Shares of a core. Embedding takes most of the time; on a GPU cluster up to four readers share a core."""


@dataclass(frozen=True, slots=True)
class Distributed:
    """Reads and embeds documents on a cluster of Ray, in place of :func:`read_apart`."""

    load: Callable[[], Embedder]
    """Loads the embedder in a worker; must be picklable."""
    identity: EmbedderIdentity
    """Identity of the embedder; another embedder on a worker is refused."""
    address: str | None = None
    """Address of the cluster, as in :func:`timelens.cluster.joined`."""
    workers: int | None = None
    """Cores of this machine to use, if there is no address."""
    takes_gpus: bool = True
    """Whether GPUs of the cluster are used."""

    def __call__(self, tasks: Sequence[Task], terms: Terms) -> Generator[WorkerReply, None, None]:
        """The answers to tasks, in their order; documents come with the vectors of their chunks.

        Raises:
            MissingError: the cluster cannot be joined, or is gone; a node lacks timelens, embedder or file.
            StoreError: a worker has another embedder, or a file was read differently when read again.
        """
        if not tasks:
            return
        with joined(self.address, self.workers) as cluster:
            _require_reach(cluster, tasks)
            reading = Stage(_Make(_Reading, (terms,)), _READERS_SHARE, steady=False)
            embedding = Stage(
                _Make(_Embedding, (self.load, self.identity)), _EMBEDDERS_SHARE, takes_gpus=self.takes_gpus
            )
            stages = [reading, embedding] if terms.dates else [reading]
            with closing(cluster.stream(portions(tasks), stages)) as parts:
                yield from _in_order(parts)


@dataclass(frozen=True, slots=True)
class Portion:
    """Files that one worker reads in sequence."""

    number: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class ReplyPart:
    """A part of the answers to a portion."""

    portion: int
    number: int
    """Number within the portion, from 0."""
    answers: tuple[WorkerReply, ...]
    is_last: bool


def portions(tasks: Sequence[Task]) -> list[Portion]:
    """All tasks in order, grouped into portions of bounded size; a large file is a portion of its own."""
    found: list[list[Task]] = []
    taken = _BYTES_AT_ONCE
    for task in tasks:
        size = size_of(task)
        if not found or taken + size > _BYTES_AT_ONCE or len(found[-1]) == _FILES_AT_ONCE:
            found.append([])
            taken = 0
        found[-1].append(task)
        taken += size
    return [Portion(number, tuple(part)) for number, part in enumerate(found)]


@dataclass(frozen=True, slots=True)
class _Make:
    """A picklable constructor call: a class and its arguments."""

    kind: Callable[..., Callable[..., Iterator[ReplyPart]]]
    arguments: tuple[object, ...]

    def __call__(self) -> Callable[..., Iterator[ReplyPart]]:
        return self.kind(*self.arguments)


class _Reading:
    """Reads and dates the files of portions."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms  # the same object each time, so that known hashes are sent only once

    def __call__(self, portion: Portion) -> Iterator[ReplyPart]:
        """The answers, in parts of bounded size."""
        number, weight = 0, 0
        answers: list[WorkerReply] = []
        with closing(read_apart(portion.tasks, self._terms)) as said:
            for answer in said:
                if answer is Moment.WAITING:
                    continue
                answers.append(answer)
                weight += _weight(answer)
                if weight >= _BYTES_AT_ONCE:
                    yield ReplyPart(portion.number, number, tuple(answers), is_last=False)
                    number, weight, answers = number + 1, 0, []
        yield ReplyPart(portion.number, number, tuple(answers), is_last=True)


class _Embedding:
    """Makes chunks of dated documents, and embeds them."""

    def __init__(self, load: Callable[[], Embedder], identity: EmbedderIdentity) -> None:
        self._embedder = load()
        if self._embedder.identity != identity:
            raise StoreError(
                f"the embedder {identity.name} of a worker is not the one of this machine",
                "install the same version of its package, or put the same files there, on all nodes",
            )

    def __call__(self, part: ReplyPart) -> Iterator[ReplyPart]:
        """The same part, with its documents embedded."""
        dated = [in_chunks(one, self._embedder) for one in part.answers if isinstance(one, DatedDocument)]
        encoded = iter(encode_documents(self._embedder, dated))
        answers = [next(encoded) if isinstance(one, DatedDocument) else one for one in part.answers]
        yield replace(part, answers=tuple(answers))


def _in_order(parts: Iterator[ReplyPart]) -> Iterator[WorkerReply]:
    """The answers of parts, without duplicates: another worker repeats the portion of a killed one.

    Raises:
        StoreError: a part is missing, because a file was read differently the second time.
    """
    wanted = (0, 0)
    for part in parts:
        came = (part.portion, part.number)
        if came < wanted:
            continue
        if came > wanted:
            raise StoreError(
                "a worker was killed, and what it read was read differently when that was repeated",
                "run the same command again; it goes on from there",
            )
        yield from part.answers
        wanted = (part.portion + 1, 0) if part.is_last else (part.portion, part.number + 1)


def _require_reach(cluster: Cluster, tasks: Sequence[Task]) -> None:
    """Make sure that all nodes see the folders of the files.

    Raises:
        BadInputError: a file is available to this process only (standard input).
        MissingError: a node does not see a folder.
    """
    files = [task.given for task in tasks if not isinstance(task.given, Document)]
    if not cluster.is_local and any(file.origin is not None for file in files):
        raise BadInputError(
            "standard input cannot be read by a cluster", "write it into a file, or leave out --address"
        )
    folders: set[Path] = {file.path.parent for file in files}
    tops = [folder for folder in folders if folders.isdisjoint(folder.parents)]
    cluster.require(sorted(tops))


def _weight(answer: WorkerReply) -> int:
    if isinstance(answer, DatedDocument):
        return _WEIGHT + len(answer.document.text) + _WEIGHT * len(answer.document.facts)
    return _WEIGHT
