"""Evidence and answers as tables: real types, half-open days, and none that is lost before year 1."""

import json
import subprocess
import sys
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from timelens.answer.rendering.arrow import EVIDENCE, VALUES, evidence_table
from timelens.answer.rendering.timeline import make_timeline
from timelens.corpus import Corpus
from timelens.errors import MissingError
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity, Interval

TODAY = parse_day("2024-06-01")


def days(column: pa.ChunkedArray) -> list[int | None]:
    """As numbers: Python's own dates begin at year 1."""
    found: list[int | None] = column.cast(pa.int32()).to_pylist()
    return found


def test_hits_are_rows_with_their_time_and_how_it_lies_to_the_asked_one(board: Corpus) -> None:
    result = board.search("Who was Mayor in 2003?", as_of=TODAY)
    table = result.to_arrow()
    assert table.schema.equals(EVIDENCE)
    assert table["number"].to_pylist() == list(range(1, len(result.hits) + 1))
    row = pc.index(table["sentence"], "Office Mayor, Holder Ada Lind: from 1 May 2001 to 1 May 2005.").as_py()
    assert days(table["start"])[row] == parse_day("2001-05-01")
    assert days(table["end"])[row] == parse_day("2005-05-02")  # excluded
    assert [table[name][row].as_py() for name in ("doc_id", "title", "place", "when", "granularity")] == [
        "office.csv",
        "office",
        "row 2",
        "from 1 May 2001 to 1 May 2005",
        "day",
    ]
    assert table["time_source"][row].as_py() == "recorded"
    assert table["relation"][row].as_py() == "contain"
    assert 0 < table["score"][row].as_py() <= 1
    later = board.search("Who was Mayor in 2010?", as_of=TODAY).to_arrow()
    row = next(index for index, text in enumerate(later["text"].to_pylist()) if "Ben Ode" in text)
    assert (days(later["start"])[row], days(later["end"])[row]) == (parse_day("2005-05-01"), None)


def test_what_texts_state_and_carry_on_is_told_apart_from_publication(board: Corpus) -> None:
    table = board.search("What was the rent of the board in May 2017?", as_of=TODAY).to_arrow()
    row = table["doc_id"].to_pylist().index("board.md")
    assert table["time_source"][row].as_py() == "stated"
    assert days(table["published"])[row] == parse_day("2018-03-04")
    assert (days(table["start"])[row], days(table["end"])[row]) == (
        parse_day("2017-05-01"),
        parse_day("2017-06-01"),
    )


def test_years_before_1_and_days_beyond_date32_fail_nowhere(board: Corpus) -> None:
    result = board.search("When was Caesar killed?", as_of=TODAY)
    table = result.timeline.to_arrow()
    assert days(table["start"])[0] == parse_day("-0043-03-15")
    assert table["when"][0].as_py() == "15 March 44 BCE"
    early = replace(result.hits[0], interval=Interval(-(2**33), 5, Granularity.YEAR))
    far = evidence_table(make_timeline([early]).citations)
    assert (days(far["start"]), days(far["end"])) == ([None], [5])
    assert "BCE" in far["when"][0].as_py()


def test_values_of_answers_are_rows(board: Corpus) -> None:
    answer = board.ask("Who was Mayor between 2003 and 2010?", as_of=TODAY)
    table = answer.to_arrow()
    assert table.schema.equals(VALUES)
    assert table["value"].to_pylist() == ["Ada Lind", "Ben Ode"]
    assert days(table["start"]) == [parse_day("2001-05-01"), parse_day("2005-05-01")]
    assert days(table["end"]) == [parse_day("2005-05-01"), None]
    assert table["doc_id"].to_pylist() == ["office.csv"] * 2
    assert table["citations"].to_pylist() == [list(value.citations) for value in answer.values]
    assert answer.timeline.to_arrow().num_rows == 2
    refused = board.ask("Who was Mayor in 1600?", as_of=TODAY).to_arrow()
    assert (refused.num_rows, refused.schema.equals(VALUES)) == (0, True)


def test_without_pandas_the_remedy_is_one_line(board: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingError, match="pandas is not installed") as told:
        board.search("Who was Mayor in 2003?", as_of=TODAY).to_pandas()
    assert 'pip install "timelens[pandas]"' in told.value.hint


def test_pandas_holds_all_days(board: Corpus) -> None:
    code = f"""
import json, timelens
day = timelens.parse_day("2024-06-01")
corpus = timelens.open_corpus({str(board.path)!r})
frame = corpus.search("When was Caesar killed?", as_of=day).to_pandas()
first = frame[frame["doc_id"] == "caesar.md"].iloc[0]
mayors = corpus.ask("Who was Mayor between 2003 and 2010?", as_of=day).to_pandas()
print(json.dumps([
    str(frame["start"].dtype), int(frame["start"].dt.year.min()), str(first["end"] - first["start"]),
    str(frame["score"].dtype), mayors["value"].tolist(), mayors["start"].dt.year.tolist(),
    mayors["end"].isna().tolist(), "-043-03-15" in frame.to_html(),
]))
"""
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        "datetime64[ms]",
        -43,
        "1 days 00:00:00",
        "float64",
        ["Ada Lind", "Ben Ode"],
        [2001, 2005],
        [False, True],
        True,
    ]
