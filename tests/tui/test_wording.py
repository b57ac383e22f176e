import pytest

from timelens.answer.events import DatedEvent
from timelens.answer.model import Support, TimeReference
from timelens.documents import Chunk, Hit, Scores
from timelens.question.model import Plan, Step
from timelens.question.parse import parse
from timelens.retrieval.model import Coverage, Covered
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Interval, year_interval
from timelens.tui import wording
from timelens.tui.wording import Mark

TODAY = parse_day("2024-06-01")


def reference(text: str, year: int, support: Support, *citations: int) -> TimeReference:
    return TimeReference(text, year_interval(year), support, citations)


def test_the_topic_the_asked_time_and_the_order_are_named() -> None:
    line = wording.parsed_line(parse("What was the first launch between 1960 and 1969?", TODAY))
    assert "1960 to 1969" in line
    assert line.endswith(" · the first")
    assert "no time asked for" in wording.parsed_line(parse("What is a rocket?", TODAY))


def test_a_plan_names_its_steps_in_order() -> None:
    steps = (Step(1, "x", year_interval(1970), "baseline period"), Step(2, "x", None, "evidence"))
    assert wording.plan_line(Plan(steps)) == "plan: baseline period (1970), then evidence (any time)"
    assert wording.step_line(steps[1], 1, 1234.5, 2) == "retrieved 2 of 2: 1 hit in 1,234 ms"
    assert wording.step_line(steps[1], 3, 0.4, 1) == "retrieved: 3 hits in 0 ms"


@pytest.mark.parametrize(
    ("coverage", "expected"),
    [
        (Coverage(), None),
        (Coverage((Covered(year_interval(1970), 1.0, ()),)), "coverage: evidence for 100% of the asked time"),
        (
            Coverage(
                (
                    Covered(
                        year_interval(1970, 1979), 0.5, tuple(map(year_interval, (1970, 1972, 1974, 1976)))
                    ),
                )
            ),
            "coverage: evidence for 50% of the asked time; none for 1970, 1972, 1974 and 1 more",
        ),
    ],
)
def test_coverage_names_what_is_missing(coverage: Coverage, expected: str | None) -> None:
    assert wording.coverage_line(coverage) == expected


def test_marks_stand_where_the_times_are_stated() -> None:
    text = "1961: in 1961 and 1962 [1].\nNothing for 1970."
    references = [
        reference("1961", 1961, Support.SUPPORTED, 1),
        reference("1961", 1961, Support.SUPPORTED, 1),
        reference("1962", 1962, Support.CONTRADICTED, 1),
        reference("1970", 1970, Support.UNSUPPORTED),
    ]
    marks = wording.date_marks(text, references, [year_interval(1970)])
    assert marks == [
        Mark(0, 4, Support.SUPPORTED),
        Mark(9, 13, Support.SUPPORTED),
        Mark(18, 22, Support.CONTRADICTED),
    ]
    assert wording.dates_line(marks) == "dates: ✓ 2 supported · ✗ 1 contradicted"


def test_a_time_that_is_not_in_the_text_has_no_mark() -> None:
    assert wording.date_marks("nothing", [reference("1961", 1961, Support.SUPPORTED, 1)], []) == []
    assert wording.dates_line([]) is None


def test_an_uncited_time_is_marked_unless_it_is_named_as_missing() -> None:
    uncited = [reference("1961", 1961, Support.UNSUPPORTED)]
    assert wording.date_marks("in 1961", uncited, [Interval(0, 1)]) == [Mark(3, 7, Support.UNSUPPORTED)]


def test_an_event_that_was_looked_up_is_named_with_its_days() -> None:
    fact = Chunk("t#0", "t", 0, "", "", "x", None, ((0, 1),), ())
    event = DatedEvent("the [b]flood\x1b", year_interval(1953), Hit(fact, Scores(), None, None))
    assert wording.dated_line(event) == "found: the [b]flood␛: 1953"
