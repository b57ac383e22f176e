import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from linear_time import assert_linear

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import civil, day_number, days_in_month, format_day, parse_day
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.expressions import Expression, ExpressionKind, find_expressions, read_expressions
from timelens.temporal.interval import (
    Granularity,
    Interval,
    day_interval,
    hull,
    month_interval,
    year_interval,
)
from timelens.temporal.rules import RULES
from timelens.temporal.rules.modifier import Modifier
from timelens.temporal.rules.modifiers import MODIFIERS
from timelens.temporal.rules.rule import Example, Rule

ANCHOR = parse_day("2021-06-15")
NARRATIVE = day_interval(parse_day("1916-02-21"))

MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WORDS = st.sampled_from([
    "in", "on", "since", "until", "before", "after", "by", "as of", "from", "to", "between", "and", "the",
    "of", "a", "two", "next", "last", "following", "this", "early", "late", "mid", "end", "start", "first",
    "every", "half",
    "May", "March", "Friday", "Christmas", "8", "14th", "31 February", "1904", "1904-02-08", "79", "BC", "AD",
    "1960s", "'80s", "19th century", "summer", "winter", "year", "years", "day", "weeks", "quarter", "later",
    "ago", "earlier", "today", "present", "onwards", "season", "fiscal", "Q3", "2020", "4Q18", "H2", "10:57",
    "2014\u201316", "2013-14", "a.m.", "-", "\u2013", "/", ",", ".", "(", ")", "$", "page",
])  # fmt: skip


def written(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return " ".join(".." if day is None else format_day(day) for day in (interval.start, interval.end))


def only(text: str, anchor: int | None = ANCHOR, narrative: Interval | None = None) -> Expression:
    [expression] = find_expressions(text, anchor, narrative)
    return expression


@pytest.mark.parametrize(
    ("rule", "case"), [pytest.param(rule, case, id=case.text) for rule in RULES for case in rule.examples]
)
def test_rule(rule: Rule, case: Example) -> None:
    match = rule.pattern.fullmatch(case.text)
    assert match is not None
    narrative = day_interval(parse_day(case.narrative))
    token = re.match(r"[0-9]+|[^\W\d_]+", case.text)
    assert token is not None
    assert ("9" * len(token[0]) if token[0].isdecimal() else token[0].lower()) in rule.starts
    try:
        dates = rule.build(match, Anchors(ANCHOR, narrative, narrative))
    except ValueError:
        dates = ()
    assert dates is not None
    assert written(hull(dates)) == case.dates
    assert rule.names_range or len(dates) < 2


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_has_a_name_of_its_own_and_examples(rule: Rule) -> None:
    assert [other.name for other in RULES].count(rule.name) == 1
    assert rule.examples
    assert 0 < rule.confidence < 1


@pytest.mark.parametrize(
    ("part", "case"), [pytest.param(part, case, id=case.text) for part in MODIFIERS for case in part.examples]
)
def test_part(part: Modifier, case: Example) -> None:
    expression = only(case.text)
    assert expression.text == case.text
    assert written(expression.interval) == case.dates
    assert part.pattern.search(case.text.split()[0]) is None  # the date itself is not part of the pattern


@given(st.integers(1000, 2100), st.integers(1, 12), st.integers(1, 31))
def test_a_day_comes_back_from_every_style(year: int, month: int, day: int) -> None:
    day = min(day, days_in_month(year, month))
    name, expected = MONTH_NAMES[month - 1], day_interval(day_number(year, month, day))
    suffix = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}.get(day, "th")
    for style in (
        f"{day} {name} {year}",
        f"{name} {day}, {year}",
        f"{name} {day}{suffix}, {year}",
        f"the {day}{suffix} of {name} {year}",
        f"{day} {name[:3]} {year}",
        f"{day}-{name[:3]}-{year}",
        f"{year:04d}-{month:02d}-{day:02d}",
        f"{year:04d}/{month:02d}/{day:02d}",
        f"{day:02d}.{month:02d}.{year}",
    ):
        expression = only(f"It was closed on {style}, they said.")
        assert (expression.text, expression.interval, expression.kind) == (
            style,
            expected,
            ExpressionKind.EXPLICIT,
        )
        assert expression.dates == (expected,)


@given(st.integers(1, 4000))
def test_years_of_both_eras(year: int) -> None:
    assert only(f"It fell in {year} BC, they say.").interval == year_interval(1 - year)
    assert only(f"It fell in {year} BCE, they say.").interval == year_interval(1 - year)
    assert only(f"It fell in AD {year}, they say.").interval == year_interval(year)
    assert only(f"It fell in {year} CE, they say.").interval == year_interval(year)


@given(st.integers(1000, 2100), st.integers(1, 12), st.integers(0, 40), st.integers(1, 12))
def test_ranges_of_months(year: int, month: int, years: int, last_month: int) -> None:
    last_year = year + years
    text = f"It ran from {MONTH_NAMES[month - 1]} {year} to {MONTH_NAMES[last_month - 1]} {last_year}."
    expression = only(text)
    first, last = month_interval(year, month), month_interval(last_year, last_month)
    assert expression.text == text[7:-1]
    assert expression.dates == (first, last)
    assert expression.relation is Relation.FROM_TO
    if last.bounds[1] > first.bounds[0]:
        assert expression.interval == Interval(first.start, last.end, Granularity.MONTH)
    else:
        assert expression.interval is None


@given(st.integers(1000, 2100), st.integers(1, 99))
def test_ranges_of_years_with_the_century_left_out(year: int, years: int) -> None:
    last = year + years
    if year // 100 == last // 100:
        assert only(f"It ran {year}\u2013{last % 100:02d}.").interval == year_interval(year, last)
    assert only(f"It ran {year}\u2013{last}.").interval == year_interval(year, last)
    assert only(f"It ran between {year} and {last}.").interval == year_interval(year, last)


@pytest.mark.parametrize(
    ("word", "relation"),
    [
        ("since", Relation.SINCE),
        ("until", Relation.UNTIL),
        ("till", Relation.UNTIL),
        ("before", Relation.BEFORE),
        ("prior to", Relation.BEFORE),
        ("after", Relation.AFTER),
        ("later than", Relation.AFTER),
        ("by", Relation.BY),
        ("no later than", Relation.BY),
        ("as of", Relation.AS_OF),
        ("circa", Relation.AROUND),
        ("around", Relation.AROUND),
    ],
)
@given(year=st.integers(1000, 2100), month=st.integers(1, 12))
def test_a_relation_word_belongs_to_the_span(word: str, relation: Relation, year: int, month: int) -> None:
    date = month_interval(year, month)
    expression = only(f"It was so {word} {MONTH_NAMES[month - 1]} {year}, they said.")
    assert expression.text == f"{word} {MONTH_NAMES[month - 1]} {year}"
    assert (expression.relation, expression.dates) == (relation, (date,))
    assert expression.interval == admitted(relation, date)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It lasted three years.", ExpressionKind.DURATION),
        ("A two-year war.", ExpressionKind.DURATION),
        ("They meet every Monday.", ExpressionKind.SET),
        ("It is paid annually.", ExpressionKind.SET),
        ("It was due on 31 February 2020.", ExpressionKind.EXPLICIT),
        ("It was due on 30 February.", ExpressionKind.ANCHORED),
        ("It ran from 2010 to 2005.", ExpressionKind.EXPLICIT),
    ],
)
def test_found_without_an_interval(text: str, kind: ExpressionKind) -> None:
    expression = only(text)
    assert (expression.interval, expression.kind, expression.open) == (None, kind, None)


@pytest.mark.parametrize(
    ("text", "first"), [("in the nineties", 1990), ("in the '80s", 1980), ("in the 20s", 1920)]
)
def test_without_an_anchor_a_decade_is_of_the_1900s(text: str, first: int) -> None:
    (found,) = find_expressions(text)
    assert found.interval == Interval(day_number(first), day_number(first + 10), Granularity.DECADE)


def test_without_an_anchor_relative_words_are_found_and_stay_undated() -> None:
    for text in ("yesterday", "last month", "three years ago", "on Friday", "in March", "the following year"):
        expression = only(f"It came {text}.", anchor=None)
        assert expression.interval is None
        assert expression.kind in (ExpressionKind.RELATIVE, ExpressionKind.ANCHORED)


def test_the_narrative_comes_before_the_day_of_writing() -> None:
    assert written(only("On 8 March it resumed.").interval) == "2021-03-08 2021-03-09"
    assert written(only("On 8 March it resumed.", narrative=NARRATIVE).interval) == "1916-03-08 1916-03-09"
    assert written(only("Yesterday it resumed.", narrative=NARRATIVE).interval) == "2021-06-14 2021-06-15"


@pytest.mark.parametrize(
    "aside",
    [
        "He had ruled since 1614.",
        "He hated the 1614 rules.",
        "He was born elsewhere (1614).",
        "It was like the previous year.",
        "Now, as of yesterday, we know.",
        "Life in the 1770s was harder.",
    ],
)
def test_asides_do_not_move_the_narrative(aside: str) -> None:
    found = find_expressions(f"It began on 2 May 1789. {aside} On 10 June it failed.", ANCHOR)
    assert written(found[-1].interval) == "1789-06-10 1789-06-11"


def test_the_winter_before_one_that_has_not_ended_is_found() -> None:
    found = find_expressions("In January 1986, two years after the previous winter, it snowed.")
    assert [expression.text for expression in found][:1] == ["January 1986"]


SENTENCES = [
    "It began on 2 May 1789.",
    "In June it went on.",
    "The next day it rained.",
    "In 1788 all was calm.",
    "It ended two years later.",
    "On 8 March he left.",
    "By the end of the year he was back.",
    "Nothing else happened.",
    "That summer was hot.",
    "Since 1614 nobody had met.",
]


@given(st.lists(st.sampled_from(SENTENCES), max_size=8), st.integers(0, 8))
def test_a_text_reads_the_same_in_pieces(sentences: list[str], cut: int) -> None:
    whole, _ = read_expressions("\n".join(sentences), Anchors(ANCHOR))
    first, anchors = read_expressions("\n".join(sentences[:cut]), Anchors(ANCHOR))
    second, _ = read_expressions("\n".join(sentences[cut:]), anchors)
    assert [(found.text, found.interval) for found in whole] == [
        (found.text, found.interval) for found in [*first, *second]
    ]


def check(text: str, anchor: int | None, narrative: Interval | None) -> None:
    found = find_expressions(text, anchor, narrative)
    for expression in found:
        assert expression.text == text[expression.char_start : expression.char_end] != ""
        assert 0 < expression.confidence <= 1
        assert (expression.granularity is None) == (expression.interval is None)
        assert len(expression.dates) <= 2
        if expression.interval is not None:
            assert expression.dates
        if expression.relation is None and expression.dates:
            assert expression.dates == (expression.interval,)
        for date in expression.dates:
            assert date.start is None or civil(date.start)[0] > -1_200_000
    for before, after in pairwise(found):
        assert before.char_end <= after.char_start


@given(st.text(), st.none() | st.integers(-10_000_000, 10_000_000))
@example("augu\u017ft \u017fept. 8 Augu\u017ft 1904 \u0661\u0669\u0660\u0664 4q\u0661\u0668 \u0130", ANCHOR)
@example("8 May 0000 BC, 0 BC, AD 0, the 0th century, Q0 2020, 00/00/2000, 2000-00-00", ANCHOR)
@example("999,999 years ago; the last 999999 centuries; 999 millennia later", ANCHOR)
def test_no_text_breaks_it(text: str, anchor: int | None) -> None:
    check(text, anchor, NARRATIVE)


@given(st.lists(WORDS, max_size=14), st.none() | st.just(ANCHOR), st.none() | st.just(NARRATIVE))
def test_no_order_of_time_words_breaks_it(
    words: list[str], anchor: int | None, narrative: Interval | None
) -> None:
    check(" ".join(words), anchor, narrative)


PIECES = [
    "7", " ", "a", "\n", "between ", "from ", "the ", "of the ", "May ", "May, ", "1914 ", "1914-",
    "1914 to ", "8 ", "12/", "early ", "the end of ", "two ", "twenty ", "first ", "next ", "last ",
    "(", "\u201c", "A", "Aa ", ",1", "Q1", "in ", "in 5 ", "May and ", "twenty-", "since ", "Monday, ",
    "10:", "one of the ", "\u00e9", "\u00a0", "'71 ", "'71 to ", "5th to ", "nineteen ", "half a year ",
    "to ", "year to ", "and including ", "weeks 3 and ", "Oct  3 ", "2016-10-01/", "c.", "the week ended ",
    "two years before ",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_long_texts_take_linear_time(piece: str) -> None:
    def found(characters: int) -> None:
        find_expressions((piece * characters)[:characters], ANCHOR, NARRATIVE)

    assert_linear(found, 10_000, 100_000)


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("The rent is £710 a quarter from July 2021.", "from July 2021"),
        ("It costs 30 euros a week from 3 May 2021.", "from 3 May 2021"),
        ("We pay £19 per boat a month from 1 February 2019.", "from 1 February 2019"),
        ("Dues are 600 a year from 2010.", "from 2010"),
    ],
)
def test_how_often_an_amount_falls_due_is_no_way_from_a_date(text: str, since: str) -> None:
    (found,) = [one for one in find_expressions(text) if one.interval is not None]
    assert (found.text, found.interval and found.interval.end) == (since, None)


@pytest.mark.parametrize(
    "text", ["A week from 3 May 2021 we met.", "In 2020 he said a week from 3 May 2021."]
)
def test_a_week_from_a_day_is_a_week_later(text: str) -> None:
    assert find_expressions(text)[-1].interval == day_interval(day_number(2021, 5, 10))
