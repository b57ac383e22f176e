import pytest

from timelens.ingest.failures import Failure
from timelens.ingest.pipeline import IngestReport
from timelens.ingest.progress import IngestProgress
from timelens.tui.ingest_wording import failures_text, progress_words, report_lines, size_words


def progress(files: int, done: int) -> IngestProgress:
    return IngestProgress(files, 40, "a.md", 7, done, 10_400_000)


def report(*failures: Failure, added: int = 0, failed: int = 0, chunks: int = 1) -> IngestReport:
    return IngestReport(
        corpus="minutes",
        added=added,
        updated=0,
        unchanged=0,
        removed=0,
        failed=failed,
        chunks=chunks,
        events=2_000 * chunks,
        failures=failures,
        notes=(),
        seconds=61.2,
    )


def test_progress_tells_bytes_rate_and_time_left() -> None:
    assert progress_words(progress(12, 3_200_000), 2.9) == (
        "12 of 40 files, 3.2 of 10.4 MB, 1.1 MB/s, 0:07 left"
    )
    assert progress_words(progress(12, 3_200_000), 0.5) == "12 of 40 files, 3.2 of 10.4 MB"
    assert progress_words(progress(0, 0), 9.0) == "0 of 40 files, 0.0 of 10.4 MB"
    assert progress_words(progress(40, 10_400_000), 9.0) == "40 files read, writing"
    assert progress_words(IngestProgress(0, 1, "", 0, 1, 7_200_000), 1_000).endswith("left")


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (3_210_000, "3.2 MB"), (5e15, "5000.0 TB")],
)
def test_sizes(size: float, words: str) -> None:
    assert size_words(size) == words


def test_a_report_names_the_first_failures_and_where_all_are() -> None:
    failures = [Failure(f"{n}.md", "not UTF-8\x1b", "make it so") for n in range(7)]
    lines = report_lines(report(*failures, added=3, failed=7), "/home/ingest.log")
    assert lines[0] == "minutes: 3 added, 7 failed; 1 passage, 2,000 dated events; 1:01."
    assert lines[1] == "  0.md: not UTF-8␛ – make it so"
    assert lines[-1] == "  and 2 more; all of them: /home/ingest.log"
    assert len(lines) == 7
    assert failures_text(failures).count("\n") == 7
    assert report_lines(report(chunks=0), None) == ["minutes: nothing to do; 1:01."]
