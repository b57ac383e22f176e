"""The thread that opens corpora and models and runs the agent. It posts messages to the app."""

import logging
import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from timelens import MissingError, TimelensError
from timelens.faults import fault_of
from timelens.folders import ALL_CORPORA, user_path
from timelens.temporal import Day, Interval
from timelens.tui.last_used import keep_last_corpus, last_corpus
from timelens.tui.wording import describe
from timelens.tui.writer import Writer

if TYPE_CHECKING:
    from timelens import (
        AgentEvent,
        Answerer,
        CorpusSummary,
        IngestProgress,
        IngestReport,
        Parser,
        Settings,
        StoredDocument,
        Turn,
    )
    from timelens.answer.lm import Speed
    from timelens.tui.corpora import ShownCorpus

_LOG = logging.getLogger(__name__)


def bundled_names() -> list[str]:
    """The names of the corpora that come with timelens; they are offered as long as there is no corpus."""
    from timelens.tui.first_run import bundled_corpora

    return list(bundled_corpora())


class ChatCorpus(Protocol):
    """The methods of a corpus that the chat uses: :class:`timelens.corpus.Corpus`."""

    @property
    def name(self) -> str:
        """The name that the user gave it."""

    def exists(self) -> bool:
        """Whether the corpus exists and has content."""

    def warm(self) -> None:
        """Load the models for the first question."""

    def summary(self) -> "CorpusSummary":
        """The content of the corpus, summarised."""

    @property
    def left_out(self) -> Sequence[tuple[str, TimelensError]]:
        """(name, error) of selected corpora that cannot be asked."""

    def document(self, document_id: str) -> "StoredDocument":
        """A document with all its chunks in order; may be called on any thread."""

    def stream(
        self,
        question: str,
        *,
        as_of: Day,
        strategy: str | None,
        k: int | None,
        after: "Turn | None",
        answerer: "Answerer | None",
        parser: "Parser | None",
    ) -> "Iterator[AgentEvent]":
        """Answer a question step by step."""


class Library(Protocol):
    """The corpora of this machine."""

    def names(self) -> list[str]:
        """The names of all corpora, sorted."""

    def open(self, name: str) -> ChatCorpus:
        """Open a corpus by name or path, or all of them for ``*``."""

    def shown(self, name: str) -> "ShownCorpus":
        """Open a corpus by name or path, to show its content."""

    def last(self) -> str | None:
        """The address of the corpus that was asked last: its name or path; ``None`` if unknown."""

    def keep_last(self, address: str) -> None:
        """Store which corpus is being asked."""

    def ingest(
        self, name: str, paths: Sequence[Path], on_progress: "Callable[[IngestProgress], None]"
    ) -> "IngestReport":
        """Ingest files and folders into a corpus, given by its name or path."""


class ApiLibrary:
    """The corpora of :mod:`timelens.api`, which is imported on first use."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings

    def names(self) -> list[str]:
        """The names of all corpora, sorted."""
        from timelens import list_corpora

        return [corpus.name for corpus in list_corpora(self._settings)]

    def open(self, name: str) -> ChatCorpus:
        """Open a corpus by name or path, or all of them for ``*``."""
        from timelens import open_to_ask

        return open_to_ask(name, self._settings)

    def shown(self, name: str) -> "ShownCorpus":
        """Open a corpus by name or path, to show its content."""
        from timelens import open_corpus

        return open_corpus(name, self._settings)

    def last(self) -> str | None:
        """The address of the corpus that was asked last."""
        return last_corpus()

    def keep_last(self, address: str) -> None:
        """Store which corpus is being asked."""
        keep_last_corpus(address)

    def ingest(
        self, name: str, paths: Sequence[Path], on_progress: "Callable[[IngestProgress], None]"
    ) -> "IngestReport":
        """Ingest files and folders into a corpus, given by its name or path."""
        from timelens import open_corpus

        return open_corpus(name, self._settings).ingest(paths, on_progress=on_progress)


class CorpusReady(Message):
    """A corpus is open and warm, so that the first question does not have to wait.

    ``address`` reopens it later from any folder: its name, or its absolute path. ``span`` is the period that
    it covers.
    """

    def __init__(
        self, name: str, address: str, names: list[str], description: str, span: Interval | None
    ) -> None:
        super().__init__()
        self.name = name
        self.address = address
        self.names = names
        self.description = description
        self.span = span


class NoCorpora(Message):
    """There is no corpus yet."""


class AgentReported(Message):
    """The agent finished a step of a question."""

    def __init__(self, number: int, event: "AgentEvent") -> None:
        super().__init__()
        self.number = number
        self.event = event


class CorpusToChoose(Message):
    """There are several corpora, and it is not known which was asked last."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self.names = names


class ModelOpened(Message):
    """Answers use these settings from now on; or, if opening failed or was cancelled, the old ones."""

    def __init__(
        self, settings: "Settings", *, opened: bool = False, error: TimelensError | None = None
    ) -> None:
        super().__init__()
        self.settings = settings
        self.opened = opened
        self.error = error


class ModelMeasured(Message):
    """The measured speed of the model in an answer."""

    def __init__(self, speed: "Speed") -> None:
        super().__init__()
        self.speed = speed


class Failed(Message):
    """A job failed; ``number`` is the question's, if the job was a question."""

    def __init__(self, message: str, hint: str, number: int | None = None) -> None:
        super().__init__()
        self.message = message
        self.hint = hint
        self.number = number


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with all its options."""

    number: int
    question: str
    as_of: Day
    strategy: str | None
    k: int | None
    after: "Turn | None" = None
    """The preceding turn of the conversation."""
    by_evidence: bool = False
    """Whether to neither read nor answer with a model."""


class Worker:
    """Runs one job after the other on its own daemon thread.

    Textual's thread workers are joined when the app exits; this thread is not, so that the chat can quit in
    the middle of a job.
    """

    def __init__(
        self,
        post: Callable[[Message], object],
        library: Library,
        answerer: "Answerer | None",
        parser: "Parser | None" = None,
    ) -> None:
        self._post_message = post
        self._library = library
        self._writer = Writer(answerer, parser)
        self._corpus: ChatCorpus | None = None
        self._jobs: queue.SimpleQueue[tuple[Callable[[], None], int | None] | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self.thread = threading.Thread(target=self._work, name="timelens-agent", daemon=True)

    def start(self) -> None:
        """Start with the first job."""
        self.thread.start()

    def stop(self) -> None:
        """Stop after the current step, and post no more messages."""
        self._stopping.set()
        self._jobs.put(None)
        self._writer.cancel()
        self._writer.cancel_change()

    def cancel(self, ask: threading.Event) -> None:
        """Cancel a question by the event that :meth:`ask` returned, between steps or while a model writes."""
        ask.set()
        self._writer.cancel()

    def open(self, name: str | None) -> None:
        """Open and warm a corpus: the named one, else the one that was asked last, else the only one."""
        self._jobs.put((lambda: self._open(name), None))

    def close(self) -> None:
        """Ask no corpus until another one is open."""
        self._jobs.put((self._close, None))

    def ask(self, ask: Ask) -> threading.Event:
        """Answer a question about the open corpus; the returned event is for :meth:`cancel`."""
        cancelled = threading.Event()
        self._jobs.put((lambda: self._ask(ask, cancelled), ask.number))
        return cancelled

    def use(self, settings: "Settings") -> threading.Event:
        """Answer with other settings from the next question on; the event is for :meth:`cancel_use`."""
        cancelled = threading.Event()
        self._jobs.put((lambda: self._use(settings, cancelled), None))
        return cancelled

    def cancel_use(self, use: threading.Event) -> None:
        """Keep the old settings, if the new model is not open yet."""
        use.set()
        self._writer.cancel_change()

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None and not self._stopping.is_set():
            job, number = item
            try:
                job()
            except TimelensError as error:
                self._post(Failed(error.message, error.hint, number))
            except Exception as error:  # noqa: BLE001 -- top of the thread: the chat must go on
                fault = fault_of(error)
                self._post(Failed(fault.message, fault.hint, number))

    def _open(self, name: str | None) -> None:
        names = self._library.names()
        if name is None and not names:
            self._post(NoCorpora())
            return
        name = name or self._first(names)
        if name is None:
            self._post(CorpusToChoose(names))
            return
        corpus = self._library.open(name)
        if not corpus.exists():
            if names or name not in bundled_names():
                self._post(Failed(f"there is no corpus {corpus.name}", self._ways_to_open(names)))
            if not names:
                self._post(NoCorpora())
            return
        corpus.warm()
        summary = corpus.summary()
        self._corpus = corpus
        address = name if name in {*names, ALL_CORPORA} else str(user_path(name).resolve())
        self._library.keep_last(address)
        description = describe(summary, [name for name, _ in corpus.left_out])
        self._post(CorpusReady(corpus.name, address, names, description, summary.span))

    @staticmethod
    def _ways_to_open(names: Sequence[str]) -> str:
        if names:
            return f"/corpus {' or '.join(names)}"
        bundled = f" (bundled: {', '.join(bundled_names())})" if bundled_names() else ""
        return f"/corpus NAME{bundled}, or make one: /ingest PATH"

    def _close(self) -> None:
        self._corpus = None

    def _first(self, names: list[str]) -> str | None:
        """The only corpus, or the one that was asked last; ``None`` if the user has to choose."""
        if len(names) == 1:
            return names[0]
        last = self._library.last()
        if last is None or not (last in {*names, ALL_CORPORA} or self._library.open(last).exists()):
            return None
        return last

    def _ask(self, ask: Ask, cancelled: threading.Event) -> None:
        if self._corpus is None:
            raise MissingError("no corpus is open", f"open one: {self._ways_to_open(self._library.names())}")
        if cancelled.is_set():
            return
        self._writer.take_speed()  # discard the speed of a cancelled question
        stream = self._corpus.stream(
            ask.question,
            as_of=ask.as_of,
            strategy=ask.strategy,
            k=ask.k,
            after=ask.after,
            answerer=None if ask.by_evidence else self._writer.answerer,
            parser=None if ask.by_evidence else self._writer.parser,
        )
        try:
            for event in stream:
                if cancelled.is_set() or self._stopping.is_set():
                    return
                self._post(AgentReported(ask.number, event))
        except TimelensError as error:
            if self._corpus.exists():
                raise
            raise MissingError(f"the corpus {self._corpus.name} was removed", "/corpus NAME") from error
        finally:
            if isinstance(stream, Generator):
                stream.close()
        speed = self._writer.take_speed()
        if speed is not None and speed.is_telling:
            self._post(ModelMeasured(speed))

    def _use(self, settings: "Settings", cancelled: threading.Event) -> None:
        try:
            ended = ModelOpened(settings, opened=self._writer.change(settings, cancelled))
        except TimelensError as error:
            ended = ModelOpened(settings, error=error)
        self._post(ended)

    def _post(self, message: Message) -> None:
        if self._stopping.is_set():
            return
        try:
            self._post_message(message)
        except RuntimeError:  # the app's loop closed between the check and the call
            _LOG.debug("nobody is there to read %r", message)
