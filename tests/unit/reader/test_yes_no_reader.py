"""The bundled reader of what tells yes or no: its weights, and what it finds."""

from pathlib import Path

import numpy as np
import pytest

from timelens.errors import MissingError
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import bundled_reader
from timelens.reader.yes_no_reader import YES_NO_SHA256, YesNoReader, bundled_yes_no_reader
from timelens.temporal.interval import year_interval

QUESTION = "Did the choir sing at the harbour?"
PASSAGES = [
    Passage("Minutes", "Coffee was short. The lamp in the hall was mended by Ada Lind."),
    Passage("Minutes", "Tea at four. The choir sang two songs at the harbour. Paper is short."),
    Passage("Accounts", "Paper 12, stamps 4, candles 7."),
]


def test_what_tells_is_found_with_its_place() -> None:
    found = bundled_yes_no_reader().tell(QUESTION, None, PASSAGES)
    best = found[0]
    assert best.passage == 1
    assert PASSAGES[1].text.index("The choir") <= best.at < PASSAGES[1].text.index("Paper")
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert {one.passage for one in found} == {0, 1, 2}


def test_a_passage_without_text_tells_nothing() -> None:
    assert bundled_yes_no_reader().tell(QUESTION, None, [Passage("", "")]) == []


def test_of_a_long_passage_the_part_counts_that_tells() -> None:
    long = Passage("Minutes", "Nothing was said of it. " * 120 + PASSAGES[1].text)
    (found,) = bundled_yes_no_reader().tell(QUESTION, None, [long])
    assert found.at >= long.text.index("The choir")


def test_it_finds_the_same_in_numpy_and_in_torch() -> None:
    file = Path(bundled_yes_no_reader()._learned.file)
    cold, warm = (YesNoReader(bundled_reader(), file, YES_NO_SHA256) for _ in range(2))
    warm.warm()
    asked = (QUESTION, year_interval(2014), PASSAGES)
    for one, other in zip(cold.tell(*asked), warm.tell(*asked), strict=True):
        assert (one.passage, one.at) == (other.passage, other.at)
        assert one.score == pytest.approx(other.score, abs=1e-3)


def test_it_shares_what_it_does_not_change() -> None:
    ours, theirs = bundled_yes_no_reader().arrays, bundled_reader().arrays
    changed = {name for name in theirs if ours[name] is not theirs[name]}
    assert ours.keys() == theirs.keys()
    assert "head.weight" in changed
    assert {name.split(".")[2] for name in changed if name.startswith("encoder.")} == {"3", "4", "5"}
    assert not any(np.array_equal(ours[name], theirs[name]) for name in changed)


def test_another_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "yes_no.safetensors"
    other.write_bytes(b"something else")
    with pytest.raises(MissingError, match="not those of this version"):
        YesNoReader(bundled_reader(), other, YES_NO_SHA256).tell(QUESTION, None, PASSAGES)
