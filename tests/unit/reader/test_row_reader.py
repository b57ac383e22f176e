"""The bundled reader of rows: its weights, and what it tells of the rows of a table."""

from pathlib import Path

import numpy as np
import pytest

from timelens.errors import MissingError
from timelens.reader.row_reader import ROWS_SHA256, RowReader, bundled_row_reader, row_of
from timelens.reader.span_reader import bundled_reader

QUESTION = "Who looked after the money of the choir?"
ROWS = [
    row_of("choir_posts", (("Post", "Treasurer"), ("Holder", "Ada Lind"), ("Remarks", ""))),
    row_of("choir_posts", (("Post", "Conductor"), ("Holder", "Bo Falk"), ("Remarks", "unpaid"))),
]


def test_a_row_is_a_text_of_its_columns_and_values() -> None:
    assert ROWS[0].passage.title == "choir posts"
    assert ROWS[0].passage.text == "Post: Treasurer, Holder: Ada Lind"
    assert {name: ROWS[0].passage.text[slice(*place)] for name, place in ROWS[0].places.items()} == {
        "Post": "Post: Treasurer",
        "Holder": "Holder: Ada Lind",
    }


def test_a_row_that_meets_the_condition_is_told_from_one_that_fails_it() -> None:
    treasurer, conductor = bundled_row_reader().tell(QUESTION, ROWS)
    assert treasurer.meets > 0 > conductor.meets


def test_the_answer_column_is_told() -> None:
    for reading in bundled_row_reader().tell(QUESTION, ROWS):
        assert max(reading.asked, key=lambda name: reading.asked[name]) == "Holder"
        assert reading.asked["Holder"] > 0
    for reading in bundled_row_reader().tell("When did Ada Lind become treasurer?", ROWS):
        assert max(reading.asked.values()) < 0


def test_a_row_without_values_has_no_column() -> None:
    (reading,) = bundled_row_reader().tell(QUESTION, [row_of("choir", (("Post", ""),))])
    assert reading.asked == {}
    assert bundled_row_reader().tell(QUESTION, []) == []


def test_it_tells_the_same_in_numpy_and_in_torch() -> None:
    file = Path(bundled_row_reader()._learned.file)
    cold, warm = (RowReader(bundled_reader(), file, ROWS_SHA256) for _ in range(2))
    warm.warm()
    for one, other in zip(cold.tell(QUESTION, ROWS), warm.tell(QUESTION, ROWS), strict=True):
        assert one.meets == pytest.approx(other.meets, abs=1e-3)
        assert dict(one.asked) == pytest.approx(dict(other.asked), abs=1e-3)


def test_it_shares_what_it_does_not_change() -> None:
    ours, theirs = bundled_row_reader().arrays, bundled_reader().arrays
    changed = {name for name in theirs if ours[name] is not theirs[name]}
    assert ours.keys() == theirs.keys()
    assert {name.split(".")[2] for name in changed if name.startswith("encoder.")} == {"3", "4", "5"}
    assert not any(np.array_equal(ours[name], theirs[name]) for name in changed)


def test_another_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "rows.safetensors"
    other.write_bytes(b"something else")
    with pytest.raises(MissingError, match="not those of this version"):
        RowReader(bundled_reader(), other, ROWS_SHA256).tell(QUESTION, ROWS)
