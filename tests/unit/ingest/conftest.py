"""Files made and read in one call."""

from pathlib import Path

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import TableColumns
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval

NO_COLUMNS = TableColumns()


def read(
    path: Path, content: str | bytes, columns: TableColumns = NO_COLUMNS
) -> tuple[list[Document], list[Failure]]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    items = list(READERS[path.suffix](SourceFile(path, path.name), columns))
    documents = [item for item in items if isinstance(item, Document)]
    return documents, [item for item in items if isinstance(item, Failure)]


def read_one(path: Path, content: str | bytes) -> Document:
    documents, failures = read(path, content)
    assert failures == []
    (document,) = documents
    return document


def day(year: int, month: int, day_of_month: int) -> Interval:
    return day_interval(day_number(year, month, day_of_month))
