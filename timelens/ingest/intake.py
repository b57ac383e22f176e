"""What a run of ingestion reads beside its paths, and on which terms."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from timelens.ingest.date_columns import TableColumns
from timelens.ingest.patterns import USUAL_FILES, Selection
from timelens.ingest.proposals import Annotator
from timelens.ingest.sources import SourceFile
from timelens.ingest.stored_comparison import Read
from timelens.ingest.supervisor import read_in_process
from timelens.ingest.worker import Terms
from timelens.processes import Budget
from timelens.temporal.conventions import USUAL, Conventions


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """What a run reads beside its paths, what it may remove, and how texts are read and dated."""

    selection: Selection = USUAL_FILES
    """Which files of folders are read."""
    changed: Collection[Path] | None = None
    """The files that were changed, added or removed since an earlier run, if no others are to be read."""
    given: Sequence[SourceFile] = ()
    """Sources from elsewhere, such as standard input, which are read as well."""
    columns: TableColumns = field(default_factory=TableColumns)
    sync: bool = False
    """Whether documents that were not met are removed, if they came from the paths or their file is gone."""
    remove_most: bool = False
    """Whether this may be more than half of the stored documents of a place."""
    annotator: Annotator | None = None
    """Proposes dated statements in addition to the rules."""
    conventions: Conventions = USUAL
    budget: Budget = field(default_factory=Budget)
    """Limits for each document; one that exceeds them becomes a failure."""
    read: Read = read_in_process
    """Reads and dates documents. Those that it gives with vectors are not embedded again."""

    @property
    def terms(self) -> Terms:
        """The settings of the process that reads, for all documents."""
        return Terms({}, self.conventions, self.budget)
