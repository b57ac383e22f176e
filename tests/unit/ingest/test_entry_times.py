"""The times of a text with dated entries: each counts from the day of its entry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.entry_times import expressions_of
from timelens.temporal.calendar import parse_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.phrasing import phrase

LOG = """The pond, kept by Edda

## Thu 17 October 2024
The filter came back on Monday. The frogs had left in August. Those of 2019 stayed until December.

## 5/11/2024
Nets up since yesterday; the heron returns next week.

## 3 February 2025
Ice. The pump goes off on Friday.
"""


def told(text: str, day: str | None = None, name: str = "") -> list[tuple[str, str]]:
    found = expressions_of(text, None if day is None else parse_day(day), name=name)
    assert all(one.text == text[one.char_start : one.char_end] for one in found)
    return [(one.text, phrase(one.interval)) for one in found if one.interval is not None]


def test_the_times_of_an_entry_count_from_its_day() -> None:
    assert told(LOG) == [
        ("Thu 17 October 2024", "17 October 2024"),
        ("Monday", "14 October 2024"),
        ("August", "August 2024"),
        ("2019", "2019"),
        ("until December", "before 2020"),
        ("5/11/2024", "5 November 2024"),
        ("since yesterday", "since 4 November 2024"),
        ("next week", "11 November 2024 to 17 November 2024"),
        ("3 February 2025", "3 February 2025"),
        ("Friday", "7 February 2025"),
    ]


def test_they_are_those_that_ingestion_stores(hashed: Embedder) -> None:
    stored = {
        phrase(event.interval)
        for chunk in annotate(Document("pond", "/pond.md", "pond", LOG, "hash"), hashed).chunks
        for event in chunk.events
    }
    named = {"14 October 2024", "August 2024", "11 November 2024 to 17 November 2024", "7 February 2025"}
    assert named <= stored


def test_the_name_of_the_file_has_the_year_of_its_entries() -> None:
    text = "17/1  Snow.\n28/2  Thaw since Sunday.\n12/5  A new heron.\n"
    assert told(text, name="pond-2014.txt") == [("since Sunday", "since 23 February 2014")]


@pytest.mark.parametrize("day", [None, "2021-06-15"])
def test_between_entries_the_day_of_writing_counts(day: str | None) -> None:
    text = f"Edda dug it last year.\n\n{LOG}"
    assert told(text, day)[: 2 if day else 1] == (
        [("last year", "2020"), ("Thu 17 October 2024", "17 October 2024")]
        if day
        else [("Thu 17 October 2024", "17 October 2024")]
    )


def test_what_an_entry_of_a_year_tells_lies_in_it(hashed: Embedder) -> None:
    text = (
        "1936\n\nIt rained in July. In May it froze.\n\n1937\n\nIn March they met.\n\n1938\n\nIt was dry.\n"
    )
    assert told(text) == [
        ("1936", "1936"),
        ("July", "July 1936"),
        ("May", "May 1936"),
        ("1937", "1937"),
        ("March", "March 1937"),
        ("1938", "1938"),
    ]
    stored = annotate(Document("dam", "/dam.txt", "dam", text, "hash"), hashed).chunks
    assert {phrase(event.interval) for event in stored[1].events} == {"March 1937", "1937"}


@given(st.text(st.sampled_from("ab 1259/.-#\n"), max_size=80))
def test_a_text_without_entries_is_read_as_a_whole(text: str) -> None:
    found = expressions_of(text, 0)
    places = [place for one in found for place in (one.char_start, one.char_end)]
    assert places == sorted(places)
    if "\n" not in text:
        assert found == find_expressions(text, 0)
