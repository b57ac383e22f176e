"""The time of a value in its passage."""

import pytest
from evidence import hit

from timelens.answer.text.value_dates import begins_then, is_former, time_beside
from timelens.reader.passages import times_in
from timelens.temporal.phrasing import phrase


def told_of(text: str, value: str, *others: str) -> str | None:
    chunk = hit("a", [text], 2006).chunk
    at, *rest = ((text.index(word), text.index(word) + len(word)) for word in (value, *others))
    time = time_beside(chunk, at, rest, times_in(chunk))
    return None if time is None else phrase(time)


@pytest.mark.parametrize(
    ("text", "value", "others", "time"),
    [
        ("Chairs were Maas (1948–1969) and Rijk (1969–1990).", "Maas", ["Rijk"], "1948 to 1969"),
        ("Chairs were Maas (1948–1969) and Rijk (1969–1990).", "Rijk", ["Maas"], "1969 to 1990"),
        ("It was £8 in 1973 and, after that, £15 in 1977.", "£15", ["£8"], "1977"),
        ("Between 2009 and 2016 one paid £140.", "£140", [], "2009 to 2016"),
        ("In 1951 came Kroon, then Aldous in 1962.", "Kroon", ["Aldous"], "1951"),
        ("In 1951 came Kroon, then Aldous in 1962.", "Aldous", ["Kroon"], "1962"),
        ("The chair is Kroon.", "Kroon", [], None),
        ("It began on 4 May 1989.", "4 May 1989", [], None),  # a time does not date itself
    ],
)
def test_a_value_has_the_nearest_time_that_is_not_another_ones(
    text: str, value: str, others: list[str], time: str | None
) -> None:
    assert told_of(text, value, *others) == time


def test_times_of_other_sentences_are_not_beside_it() -> None:
    chunk = hit("a", ["The chair is Kroon.", "Rain fell in 1951."], 2006).chunk
    assert time_beside(chunk, (13, 18), [], times_in(chunk)) is None


@pytest.mark.parametrize(
    ("text", "value", "others", "former"),
    [
        ("The toll went up from £2 to £3 in May.", "£2", ["£3"], True),
        ("The toll went up from £2 to £3 in May.", "£3", ["£2"], False),
        ("The toll rose from £2 a day to £3.", "£2 a day", ["£3"], True),
        ("The port was changed from 8080 to 9090.", "8080", ["9090"], True),
        ("Tickets come from Ada; write to Bo.", "Ada", ["Bo"], False),
        ("We rode from Ada's house to Bo.", "Ada", ["Bo"], False),
        ("Bo Falk is reeve in place of Ada Lind.", "Ada Lind", ["Bo Falk"], True),
        ("Bo Falk replaced Ada Lind.", "Ada Lind", ["Bo Falk"], True),
        ("Bo Falk replaced Ada Lind.", "Bo Falk", ["Ada Lind"], False),
        ("A stall is £45 from May; until now it cost £35.", "£35", ["£45"], True),
    ],
)
def test_a_value_that_another_one_follows_is_former(
    text: str, value: str, others: list[str], *, former: bool
) -> None:
    at, *rest = ((text.index(word), text.index(word) + len(word)) for word in (value, *others))
    assert is_former(text, at, rest) is former


@pytest.mark.parametrize(
    ("text", "value", "begins"),
    [
        ("The toll goes up to £3 from May.", "£3", True),
        ("The toll was raised from £2 to £3.", "£3", True),
        ("The toll was raised from £2 to £3.", "£2", False),
        ("The toll stays at £3.", "£3", False),
        ("The toll is to go up to £3.", "£3", False),
        ("The toll will be raised to £3.", "£3", False),
        ("Ada Lind was elected reeve.", "Ada Lind", True),
        ("Ada Lind takes over from Bo Falk.", "Ada Lind", True),
        ("Ada Lind was re-elected.", "Ada Lind", False),
        ("Ada Lind was appointed again.", "Ada Lind", True),
        ("Ada Lind was again appointed.", "Ada Lind", False),
        ("Ada Lind resigned, and Bo Falk was elected.", "Ada Lind", False),
    ],
)
def test_a_value_may_begin_with_its_sentence(text: str, value: str, *, begins: bool) -> None:
    at = text.index(value)
    assert begins_then(text, (at, at + len(value))) is begins
