"""When an event was that a question names, by the sentences found for it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.text.event_dates import date_event
from timelens.documents import Event, EventSource, Hit
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import day_interval

TODAY = day_number(2021, 5, 6)


def article(name: str, day: str, title: str, sentences: Sequence[str], score: float = 0.9) -> Hit:
    """An article whose sentences are about the times that they state."""
    written = parse_day(day)
    made = hit(name, sentences, 2000, title=title)
    events = tuple(
        Event(expression.interval, index, EventSource.STATED, 1.0)
        for index, sentence in enumerate(sentences)
        for expression in find_expressions(sentence, written)
        if expression.interval is not None
    )
    chunk = replace(made.chunk, published=day_interval(written), events=events)
    return replace(made, chunk=chunk, scores=replace(made.scores, final=score))


VOTE = [
    article("later", "2018-08-02", "Rates rise", ["Elmland is to leave the Alpine Union in March 2019."]),
    article(
        "vote",
        "2016-08-04",
        "Rates fall after the vote to leave the Alpine Union",
        ["It fell on 4 August 2016; in the referendum of 23 June 2016 many voted to leave the Union."],
        0.9,
    ),
]
COURT = [
    article(
        "court",
        "2015-10-19",
        "The Alpine Court strikes down Open Harbour",
        ["The Open Harbour decision of 26 July 2000 is invalid."],
    ),
    article(
        "overview",
        "2020-10-19",
        "Open Harbour and after",
        ["Open Harbour lasted until the Alpine Court declared it invalid on 6 October 2015."],
        0.9,
    ),
]
OFFICE = [
    article(
        "office",
        "2020-03-19",
        "Rates fall",
        [
            "The bank cut its rate on 19 March 2020.",
            "Ada Lind, who has been Governor since 16 March, had to act.",
        ],
    )
]
GAMES = [
    article("g1", "2019-01-01", "Oakham", ["The XIX Winter Fair Games were held in Oakham in May 2002."]),
    article(
        "g2", "2019-01-01", "Elmton", ["The XXIV Winter Fair Games were held in Elmton in May 2012."], 0.7
    ),
]


@pytest.mark.parametrize(
    ("event", "hits", "day"),
    [
        pytest.param(
            "Elmland voted to leave the Alpine Union",
            VOTE,
            "2016-06-23",
            marks=pytest.mark.xfail(strict=True, reason="the network takes the day on which it is to leave"),
        ),
        ("Elmland's referendum on leaving the Alpine Union", VOTE, "2016-06-23"),
        ("the Alpine Court struck down Open Harbour", COURT, "2015-10-06"),
        ("Ada Lind became Governor", OFFICE, "2020-03-16"),
        ("the 24th Winter Fair Games", GAMES, "2012-05-01"),
        ("the Winter Fair Games in 2012", GAMES, "2012-05-01"),
    ],
)
def test_the_sentence_that_says_what_happened_dates_it(event: str, hits: list[Hit], day: str) -> None:
    dated = date_event(parse(event, TODAY), hits)
    assert dated is not None
    assert dated.interval.start == parse_day(day)


@pytest.mark.parametrize("event", ["Oakland voted to leave the Coast Union", "Krakatoa erupted"])
def test_an_event_that_no_text_tells_stays_undated(event: str) -> None:
    assert date_event(parse(event, TODAY), [*VOTE, *COURT]) is None
