from dataclasses import replace
from datetime import UTC, datetime

import pytest

from timelens.answer.draft import Claim, Support, TimeReference
from timelens.answer.rendering.labels import SupportMark, date_marks, dates_line, line_marks
from timelens.answer.text.event_dates import DatedEvent
from timelens.documents import Chunk, Hit, Scores
from timelens.history import KeptExchange
from timelens.question.parse import parse
from timelens.question.parsed_question import Plan, Step, StepKind
from timelens.retrieval.request import Coverage, Covered
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Interval, year_interval
from timelens.tui import wording

TODAY = parse_day("2024-06-01")


def reference(text: str, year: int, support: Support, *citations: int) -> TimeReference:
    return TimeReference(text, year_interval(year), support, citations)


def test_the_topic_the_asked_time_and_the_order_are_named() -> None:
    line = wording.parsed_line(parse("What was the first launch between 1960 and 1969?", TODAY))
    assert "1960 to 1969" in line
    assert line.endswith(" · the first")
    assert "no time asked for" in wording.parsed_line(parse("What is a rocket?", TODAY))


def test_what_is_not_known_of_a_saved_question_is_left_out() -> None:
    asked = KeptExchange(
        "Why?", "space", TODAY, "bm25", "answered", "", None, datetime(2024, 6, 1, tzinfo=UTC)
    )
    assert wording.asked_line("today", asked) == "today · space · bm25 · as of 2024-06-01"
    assert wording.asked_line("today", replace(asked, corpus="")) == "today · bm25 · as of 2024-06-01"


def test_all_periods_are_named_with_what_they_are_to_the_question() -> None:
    line = wording.parsed_line(parse("What was Bank Rate in 2001, 2005 and 2009?", TODAY))
    assert line.endswith(" · 2001; 2005; 2009")
    line = wording.parsed_line(parse("Compare Bank Rate in 2004 with Bank Rate in 2009.", TODAY))
    assert line.endswith(" · 2004 (baseline); 2009 (comparison)")


def test_a_plan_names_its_steps_with_their_kinds_and_what_they_wait_for() -> None:
    steps = (
        Step(1, "the successor of [b]Ann\x1b", None, "what it stands for", StepKind.HOP),
        Step(2, "Bob left", None, "when the event was", StepKind.EVENT, (1,)),
        Step(3, "x", year_interval(1970), "baseline period", StepKind.PERIOD, (1, 2)),
        Step(4, "x", year_interval(1980), "comparison period", StepKind.PERIOD),
        Step(5, "x", None, "what differs", StepKind.CHANGE, (2, 3, 4)),
    )
    assert wording.plan_line(Plan(steps)) == (
        "plan: 1 hop “the successor of [b]Ann␛”; 2 after 1: event “Bob left”; "
        "3 after 1 and 2: baseline period (1970); 4 comparison period (1980); "
        "5 after 2, 3 and 4: change, what differs"
    )
    assert wording.plan_line(Plan((Step(1, "x", None, "evidence"),))) == "plan: evidence (any time)"


def test_a_plan_of_very_many_steps_is_cut() -> None:
    years = range(1990, 2021)
    steps = (
        Step(n, "x", year_interval(year), "asked period", StepKind.PERIOD) for n, year in enumerate(years, 1)
    )
    assert wording.plan_line(Plan(tuple(steps))).endswith("8 asked period (1997); and 23 more")


def test_a_step_says_what_it_brought_of_those_that_search() -> None:
    step = Step(2, "x", None, "evidence")
    assert wording.step_line(step, 1, 1234.5, 2) == "retrieved 2 of 2: 1 passage in 1,234 ms"
    assert wording.step_line(step, 3, 0.4, 1) == "retrieved: 3 passages in 0 ms"
    change = Step(3, "x", None, "what changed between them", StepKind.CHANGE)
    assert [wording.is_search(one) for one in (step, change)] == [True, False]


@pytest.mark.parametrize(
    ("coverage", "expected"),
    [
        (Coverage(), []),
        (
            Coverage((Covered(year_interval(1970), 1.0, ()),)),
            ["coverage: evidence for 100% of the asked time"],
        ),
        (
            Coverage((Covered(year_interval(1970), 0.0, (year_interval(1970),)),)),
            ["coverage: no evidence for 1970"],
        ),
        (
            Coverage(
                (
                    Covered(year_interval(1970), 1.0, ()),
                    Covered(Interval(None, 0), 0.5, (year_interval(1960),)),
                    Covered(year_interval(1980), 0.0, (year_interval(1980),)),
                )
            ),
            [
                "coverage, 1970: 100%",
                "coverage, before 1970: 50%; none for 1960",
                "coverage, 1980: none",
            ],
        ),
        (
            Coverage(
                (
                    Covered(
                        year_interval(1970, 1979), 0.5, tuple(map(year_interval, (1970, 1972, 1974, 1976)))
                    ),
                )
            ),
            ["coverage: evidence for 50% of the asked time; none for 1970, 1972, 1974 and 1 more"],
        ),
    ],
)
def test_coverage_names_what_is_missing_in_each_period(coverage: Coverage, expected: list[str]) -> None:
    assert wording.coverage_lines(coverage) == expected


def test_the_coverage_of_very_many_periods_is_cut() -> None:
    years = [Covered(year_interval(year), float(year > 1999), ()) for year in range(1990, 2021)]
    *lines, last = wording.coverage_lines(Coverage(tuple(years)))
    assert len(lines) == 6
    assert last == "coverage, 25 more: evidence for 21 of 25"
    (first, *_) = years
    assert wording.summary_line(1, 5, 1.0, Coverage((first,))).endswith("ms · no evidence for the asked time")
    assert wording.summary_line(31, 5, 1.0, Coverage(tuple(years))).endswith("evidence for 21 of 31 periods")


def test_marks_stand_where_the_times_are_stated() -> None:
    text = "1961: in 1961 and 1962 [1].\nNothing for 1970."
    references = [
        reference("1961", 1961, Support.SUPPORTED, 1),
        reference("1961", 1961, Support.SUPPORTED, 1),
        reference("1962", 1962, Support.CONTRADICTED, 1),
        reference("1970", 1970, Support.UNSUPPORTED),
    ]
    marks = date_marks(text, references, [year_interval(1970)])
    assert marks == [
        SupportMark(0, 4, Support.SUPPORTED),
        SupportMark(9, 13, Support.SUPPORTED),
        SupportMark(18, 22, Support.CONTRADICTED),
    ]
    assert dates_line(marks) == "dates: ✓ 2 supported · ✗ 1 contradicted"


def test_a_time_that_is_not_in_the_text_has_no_mark() -> None:
    assert date_marks("nothing", [reference("1961", 1961, Support.SUPPORTED, 1)], []) == []
    assert dates_line([]) is None


def test_an_uncited_time_is_marked_unless_it_is_named_as_missing() -> None:
    uncited = [reference("1961", 1961, Support.UNSUPPORTED)]
    assert date_marks("in 1961", uncited, [Interval(0, 1)]) == [SupportMark(3, 7, Support.UNSUPPORTED)]


def test_a_line_that_is_not_borne_out_is_marked_at_its_end() -> None:
    text = "Ann [1].\nBob in 1961 [2].\nEve in 1962 [3].\nEve in 1962 and 1961 [3]."
    claims = [
        Claim("Ann.", Support.UNSUPPORTED, False, (1,)),
        Claim("Bob in 1961.", Support.CONTRADICTED, False, (2,)),
        Claim("Eve in 1962.", Support.SUPPORTED, False, (3,)),
        Claim("Eve in 1962 and 1961.", Support.UNSUPPORTED, True, (3,)),
    ]
    dates = [
        SupportMark(16, 20, Support.CONTRADICTED),
        SupportMark(33, 37, Support.SUPPORTED),
        SupportMark(50, 54, Support.SUPPORTED),
        SupportMark(59, 63, Support.UNSUPPORTED),
    ]
    # all dates of the second line are in doubt already
    assert line_marks(text, claims, dates) == [
        SupportMark(8, 8, Support.UNSUPPORTED),
        SupportMark(len(text), len(text), Support.UNSUPPORTED),
    ]
    assert line_marks(text, claims[2:3], []) == []


def test_all_corpora_are_called_so() -> None:
    assert [wording.corpus_words(one) for one in ("*", "/a/[b]\x1b", "")] == ["all corpora", "/a/[b]␛", ""]


def test_an_event_that_was_looked_up_is_named_with_its_days() -> None:
    fact = Chunk("t#0", "t", 0, "", "", "x", None, ((0, 1),), ())
    event = DatedEvent("the [b]flood\x1b", year_interval(1953), Hit(fact, Scores(), None, None))
    assert wording.dated_line(event) == "found: the [b]flood␛: 1953"
