"""Progress of a run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from timelens.documents import Document
from timelens.ingest.supervisor import Moment
from timelens.ingest.worker import Met, Task


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """Progress of a run, reported after each document and file, and each second if neither is finished."""

    files_done: int
    files: int
    document_id: str
    """The last document that was met."""
    chunks_stored: int
    bytes_done: int
    """Bytes of finished files, plus the length of the text met in the current file."""
    bytes: int


OnProgress = Callable[[IngestProgress], None]


class Steps:
    """Counts the progress of tasks."""

    def __init__(self, tasks: Sequence[Task], stored: Callable[[], int], on_progress: OnProgress) -> None:
        self._sizes = [size_of(task) for task in tasks]
        self._all = sum(self._sizes)
        self._stored = stored
        self._on_progress = on_progress
        self._files = self._bytes = self._letters = self._begun = 0
        self._id = ""

    def meet(self, met: Met) -> None:
        """A document was met, so the one before it is done."""
        self._id = met.id
        self._letters += self._begun
        self._begun = met.letters

    def finish(self) -> None:
        """The current document was dated and taken."""
        self._letters += self._begun
        self._begun = 0
        self.tell()

    def pass_moment(self, moment: Moment) -> None:
        """A file is done, or nothing happened for a while."""
        if moment is Moment.TASK_DONE:
            self._bytes += self._sizes[self._files]
            self._files += 1
            self._letters = self._begun = 0
        self.tell()

    def tell(self) -> None:
        """Report the progress."""
        of_file = min(self._letters, self._sizes[self._files]) if self._files < len(self._sizes) else 0
        self._on_progress(
            IngestProgress(
                files_done=self._files,
                files=len(self._sizes),
                document_id=self._id,
                chunks_stored=self._stored(),
                bytes_done=self._bytes + of_file,
                bytes=self._all,
            )
        )


def size_of(task: Task) -> int:
    """Bytes of a file, or characters of a document."""
    if isinstance(task.given, Document):
        return len(task.given.text)
    try:
        return task.given.path.stat().st_size
    except OSError:  # reading the file reports the error
        return 0
