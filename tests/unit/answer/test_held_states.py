"""The days of a state that one person holds after another."""

from collections.abc import Sequence

import pytest
from evidence import hit

from timelens.answer.draft import Statement
from timelens.answer.text import held_states
from timelens.answer.text.held_states import date_state, term_of
from timelens.question.parse import parse
from timelens.temporal.calendar import civil, day_number
from timelens.temporal.interval import Interval, year_interval

NOW = day_number(2024, 6, 30)
PAPER = hit("minutes", ["The committee met."], 2014)


def said(value: str, year: int, probability: float = 0.6) -> Statement:
    return Statement("Minutes", "", value, year_interval(year), PAPER, probability)


def days_of(
    event: str, stated: Sequence[Statement], monkeypatch: pytest.MonkeyPatch
) -> tuple[int | None, ...]:
    """The first and the last year of a state; empty if it is not dated."""
    monkeypatch.setattr(held_states, "values_in", lambda *_: list(stated))
    dated = date_state(parse(event, NOW), [PAPER])
    if dated is None:
        return ()
    return tuple(None if day is None else civil(day)[0] for day in (dated.interval.start, dated.interval.end))


CHAIRS = [said("Bo Falk", 2008), said("Ada Lind", 2012), said("A. Lind", 2014), said("Cyd Ross", 2017)]


@pytest.mark.parametrize(
    ("event", "stated", "years"),
    [
        ("Ada Lind was chair", CHAIRS, (2012, 2017)),
        ("Lind was in the chair", CHAIRS, (2012, 2017)),
        ("Ada Lind had the books", CHAIRS, (2012, 2017)),
        # the one before, named once more beside the new holder, is not the next one
        ("Ada Lind was chair", [*CHAIRS[:2], said("Bo Falk", 2012), CHAIRS[3]], (2012, 2017)),
        # first named together with the next one
        ("Ada Lind was chair", [said("Ada Lind", 2012), said("Cyd Ross", 2012)], (None, 2012)),
        # nobody follows
        ("Cyd Ross was chair", [*CHAIRS, said("Cyd Ross", 2019)], (2017, 2019)),
        ("Cyd Ross was chair", CHAIRS, ()),
        # unlikely statements
        ("Ada Lind was chair", [said("Ada Lind", 2012, 0.3), CHAIRS[3]], ()),
        ("Ada Lind was chair", [CHAIRS[1], said("Eve Moor", 2013, 0.4), CHAIRS[3]], (2012, 2017)),
        # nobody of that name
        ("Eve Moor was chair", CHAIRS, ()),
        # events, and states of several at a time
        ("Ada Lind was elected chair", CHAIRS, ()),
        ("Ada Lind won the cup", CHAIRS, ()),
        ("Ada Lind was on leave", CHAIRS, ()),
        ("Ada Lind was ill", CHAIRS, ()),
        ("Ada Lind was a member", CHAIRS, ()),
        ("the hall was closed", CHAIRS, ()),
    ],
)
def test_a_state_lasts_until_the_next_holder(
    event: str, stated: Sequence[Statement], years: tuple[int | None, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert days_of(event, stated, monkeypatch) == years


def told(value: str, text: str, time: Interval) -> Statement:
    return Statement("Minutes", "", value, time, hit("minutes", [text], 2014), 0.6)


SINCE = told(
    "Ada Lind", "Ada Lind, chair since 2012, opened the hall.", Interval(year_interval(2012).start, None)
)
LEFT = told("Ada Lind", "Ada Lind will step down in 2016.", year_interval(2016))
FOLLOWS = told("Cyd Ross", "Cyd Ross acts as chair from 2017.", Interval(year_interval(2017).start, None))
NAMED = told("Ada Lind", "Ada Lind in the chair.", year_interval(2012))


@pytest.mark.parametrize(
    ("stated", "years", "is_whole"),
    [
        ([SINCE, LEFT], (2012, 2017), True),
        ([SINCE, LEFT, FOLLOWS], (2012, 2017), True),
        ([SINCE, FOLLOWS], (2012, 2017), True),
        ([NAMED, LEFT], (2012, 2017), False),
        ([NAMED, FOLLOWS], (2012, 2017), False),
        (
            [SINCE, told("Bo Falk", "Bo Falk was elected chair.", year_interval(2014)), LEFT],
            (2012, 2017),
            True,
        ),
    ],
)
def test_a_term_goes_from_since_when_to_the_day_of_leaving(
    stated: Sequence[Statement], years: tuple[int, int], is_whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_states, "values_in", lambda *_: list(stated))
    term = term_of(parse("How long was Ada Lind chair?", NOW), "Ada Lind", "was chair", [PAPER])
    assert term is not None
    assert term.days.start is not None
    assert term.days.end is not None
    assert (civil(term.days.start)[0], civil(term.days.end)[0], term.is_whole) == (*years, is_whole)
