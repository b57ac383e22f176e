"""Files made and read in one call, and what to bring them into."""

from pathlib import Path

import pytest

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.store.corpus import CorpusStore
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


def refused(path: Path, content: bytes) -> BadInputError:
    with pytest.raises(BadInputError) as caught:
        read(path, content)
    assert caught.value.hint
    assert "\n" not in caught.value.message
    return caught.value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "documents"
    path.mkdir()
    return path


@pytest.fixture
def store(tmp_path: Path, hashed: Embedder) -> CorpusStore:
    return CorpusStore.create(tmp_path / "corpus", hashed.identity)


def day(year: int, month: int, day_of_month: int) -> Interval:
    return day_interval(day_number(year, month, day_of_month))
