"""The bundled reader of all values: its weights, and what it finds."""

from itertools import pairwise
from pathlib import Path

import pytest

from timelens.errors import MissingError
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import bundled_reader
from timelens.reader.values_reader import VALUES_SHA256, ValuesReader, bundled_values_reader

QUESTION = "What was the rent?"
PASSAGES = [
    Passage("Letters", "The rent was £412 from March 2014. In January 2017 it went up to £438 a month."),
    Passage("Letters", "The boiler was mended by Ada Lind, who has the keys."),
]


def found_in(reader: ValuesReader, passages: list[Passage]) -> list[tuple[int, str, float]]:
    readings = reader.values(QUESTION, passages)
    return [(one.passage, passages[one.passage].text[one.start : one.end], one.score) for one in readings]


def test_all_values_of_all_times_are_found() -> None:
    found = found_in(bundled_values_reader(), PASSAGES)
    assert {text for number, text, _ in found[:2] if number == 0} == {"£412", "£438"}
    assert [score for *_, score in found] == sorted((score for *_, score in found), reverse=True)


def test_a_passage_without_text_states_nothing() -> None:
    assert bundled_values_reader().values(QUESTION, [Passage("", "")]) == []


def test_of_a_long_passage_all_parts_are_read() -> None:
    long = Passage("Letters", "Nothing was said of it. " * 120 + PASSAGES[0].text)
    texts = [text for _, text, _ in found_in(bundled_values_reader(), [long])]
    assert all(any(text.startswith(value) for text in texts) for value in ("£412", "£438"))


def test_no_two_overlap() -> None:
    readings = [one for one in bundled_values_reader().values(QUESTION, PASSAGES) if one.passage == 0]
    readings.sort(key=lambda one: one.start)
    assert all(one.end <= other.start for one, other in pairwise(readings))


def test_it_finds_the_same_in_numpy_and_in_torch() -> None:
    file = Path(bundled_values_reader()._learned.file)
    cold, warm = (ValuesReader(bundled_reader(), file, VALUES_SHA256) for _ in range(2))
    warm.warm()
    for one, other in zip(found_in(cold, PASSAGES), found_in(warm, PASSAGES), strict=True):
        assert one[:2] == other[:2]
        assert one[2] == pytest.approx(other[2], abs=1e-3)


def test_it_shares_what_it_does_not_change() -> None:
    ours, theirs = bundled_values_reader().arrays, bundled_reader().arrays
    changed = {name for name in theirs if ours[name] is not theirs[name]}
    assert ours.keys() == theirs.keys()
    assert {name.split(".")[2] for name in changed if name.startswith("encoder.")} == {"3", "4", "5"}


def test_another_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "values.safetensors"
    other.write_bytes(b"something else")
    with pytest.raises(MissingError, match="not those of this version"):
        ValuesReader(bundled_reader(), other, VALUES_SHA256).values(QUESTION, PASSAGES)
