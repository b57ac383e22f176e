"""Writes drafts of answers from table rows: values with their days, counts and differences. Pure.

Each line states one thing, with its time and its citation.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import groupby

from timelens.answer.citation_numbers import marks
from timelens.answer.draft import Citation, Derived, Draft, Nearest, Statement, Status, Value
from timelens.answer.operations import (
    Run,
    aggregate_told,
    around,
    changes,
    course,
    difference_told,
    length,
    nth,
    runs_of,
    stretches,
    value_at,
)
from timelens.answer.tables.columns import (
    OF_ANY_FACT,
    OF_ANY_NUMBER,
    PERIODS,
    PERSON,
    fact_of,
    is_mentioned,
    is_series,
    means,
    value_of,
    with_unit,
)
from timelens.answer.tables.solver import Solution
from timelens.answer.writing.drafts import fewer
from timelens.answer.writing.refusals import facts_known, nothing
from timelens.documents import Fact, Hit
from timelens.question.asked_numbers import (
    CHANGES,
    TIMES,
    aggregate_asked,
    asks_for_changes,
    change_asked,
    counted_noun,
    difference_asked,
    extreme_asked,
    length_extreme_asked,
    length_limit_asked,
    limit_asked,
)
from timelens.question.names import is_person
from timelens.question.parsed_question import Focus, Intent, ParsedQuestion
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.phrasing import enumerated, phrase_length
from timelens.words import topic_words

_MOST_TURNS, _MOST_LINES = 12, 15
"""Maximum number of lines of a course of facts: of a longer one, and of one that is told in full."""
_PERIODS, _YEARS = topic_words(" ".join(PERIODS)), topic_words("years")
_IN_HOW_MANY = re.compile(r"\bin how many\b", re.IGNORECASE)
_CERTAIN = 1.0
"""The probability that a row states its values."""


def from_facts(
    parsed: ParsedQuestion, solution: Solution, span: Interval | None, *, beside: bool = False
) -> Draft:
    """A draft from the chosen facts of a solution; a long course is reduced to its turning points."""
    if not solution.chosen:
        return _none_then(parsed, solution, span, beside=beside)
    statements = statements_of(solution, solution.chosen)
    is_course = parsed.focus is Focus.CHANGE_OVER_TIME or difference_asked(parsed.core)
    tells_course = is_course and not parsed.several
    runs: Sequence[Run] = [(one,) for one in statements]
    every = runs_of(statements)
    if tells_course:
        runs = every if len(every) <= _MOST_LINES else course(statements, _MOST_TURNS)
    elif solution.is_periodic or (solution.kind.column is None and is_series(solution.kind.table)):
        runs = _years_together(solution, statements)
    told = _Told(parsed, solution)
    apart = not tells_course or _lasts(parsed, solution)
    for alike in [[run] for run in runs] if apart else _told_together(runs):
        told.add(alike)
    derived: tuple[Derived, ...] = ()
    if tells_course and len(every) > len(runs):
        shown = "the first, the last, the turning points and some between them"
        counted = f"Of {len(every)} values in a row, {len(runs)} are shown: {shown}."
        derived = (Derived(counted, tuple(statements)),)
    count = _aggregated(parsed, statements) or _counted(parsed, solution, statements)
    derived += (
        *(_overall(parsed, runs, told.citations) if tells_course else ()),
        *fewer(parsed, statements),
        *_compared(parsed, solution, statements),
        *_latest(parsed, solution, statements),
    )
    lines = [*(line.text for line in count), *told.lines, *(line.text for line in derived)]
    return Draft(
        Status.ANSWERED,
        "\n".join(lines),
        tuple(told.values),
        tuple(told.citations),
        tuple(statements),
        (*count, *told.lengths, *derived),
        series=tuple(statements) if solution.kind.column else (),
    )


@dataclass(slots=True)
class _Told:
    """What is told of facts so far."""

    parsed: ParsedQuestion
    solution: Solution
    lines: list[str] = field(default_factory=list)
    lengths: list[Derived] = field(default_factory=list)
    """The lines with the length of a run, which no row states."""
    values: list[Value] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)

    def add(self, runs: Sequence[Run]) -> None:
        """Tell runs with one value in one line, with the time of each."""
        before = len(self.citations)
        times = list(map(self._cited, runs))
        cited = marks(range(before + 1, len(self.citations) + 1))
        line = _told(self.parsed, self.solution, times[-1], enumerated([time.period for time in times]))
        self.lines.append(f"{line} {cited}.")
        if len(runs[-1]) > 1 and _lasts(self.parsed, self.solution):
            self.lengths.append(Derived(self.lines[-1], runs[-1]))

    def _cited(self, run: Run) -> Fact:
        """A run as one fact, after its rows are cited and its value is noted."""
        first, last = fact_of(run[0].hit), fact_of(max(run, key=_end).hit)
        whole = replace(first, end=last.end)
        start = len(self.citations) + 1
        self.citations += [Citation(number, one.hit) for number, one in enumerate(run, start)]
        name = run[0].value if self.solution.kind.column else whole.period
        numbers = tuple(range(start, len(self.citations) + 1))
        self.values.append(Value(name, first.start, last.end, numbers))
        return whole


def _told_together(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs, those that follow each other with the same value of the same subject together."""
    return [list(alike) for _, alike in groupby(runs, key=lambda run: (run[0].subject, run[0].value))]


def _none_then(parsed: ParsedQuestion, solution: Solution, span: Interval | None, *, beside: bool) -> Draft:
    """A refusal that counts the facts of other times.

    The last one before the asked time and the first one after it are named if each is the only one there,
    but not ``beside`` other periods.
    """
    refusal = nothing(parsed, span, beside=beside)
    if not (solution.kind.facts and solution.subject):
        return refusal
    text = refusal.text + facts_known(solution, beside=beside)
    if beside or parsed.window is None or solution.kind.column is None:
        return replace(refusal, text=text)
    rows = around(statements_of(solution, solution.kind.facts), parsed.window)
    near = [Citation(number, one.hit) for number, one in enumerate(rows, start=1)]
    facts = ((one, fact_of(one.hit)) for one in near)
    lines = [f"{_told(parsed, solution, fact, fact.period)} [{one.number}]." for one, fact in facts]
    return replace(
        refusal,
        text="\n".join([f"{text} Nearest:" if lines else text, *lines]),
        nearest=tuple(Nearest(one, parsed.window) for one in near),
    )


def _overall(
    parsed: ParsedQuestion, runs: Sequence[Run], citations: Sequence[Citation]
) -> tuple[Derived, ...]:
    """The change of a number over the asked course: at most one derived line."""
    if len(runs) < 2 or len({one.subject for run in runs for one in run}) > 1:
        return ()
    start, end = (None, None) if parsed.window is None else (parsed.window.start, parsed.window.end)
    every = [one for run in runs for one in run]
    first = ((value_at(every, start) if start is not None else []) or nth(every, "first"))[0]
    last = ((value_at(every, end - 1) if end is not None else []) or nth(every, "last"))[-1]
    days = length(first, last)
    if first is last or days is None or first.interval is None or first.interval.start is None:
        return ()
    if first.value == last.value and any(one.value != first.value for one in every):
        return ()  # it changed, and changed back
    numbers = {id(citation.hit): citation.number for citation in citations}
    cited = marks(numbers[id(one.hit)] for one in (first, last))
    names = (_period(first), _period(last))
    began = first.interval.start
    told = difference_told(first, last, names, phrase_length(began, began + days))
    return () if told is None else (Derived(f"{told} {cited}.", (first, last)),)


def _period(statement: Statement) -> str:
    return fact_of(statement.hit).period


def _counted(
    parsed: ParsedQuestion, solution: Solution, statements: Sequence[Statement]
) -> tuple[Derived, ...]:
    """The number of facts, or of their different values, if "how many" asks for them: at most one line.

    The counted noun must name the table, the key of the rows or the answer column; "how many times" counts
    the stretches of time of the rows.
    """
    counted = counted_noun(parsed.core)  # without the time in "how many years since 2012"
    numbers = marks(range(1, len(statements) + 1))
    if counted == TIMES and solution.kind.column is None:
        times = stretches(one.interval for one in statements if one.interval is not None)
        is_each = solution.is_of_entries or solution.is_periodic  # each row is a time
        number = len(statements) if is_each else len(times)
        return (Derived(f"{_things(number, counted)} {numbers}.", tuple(statements)),)
    change = change_asked(parsed.question) if counted == CHANGES else None
    if change is not None and solution.kind.column is not None:
        every = statements_of(solution, solution.kind.facts)
        met = {one.hit.chunk.id for one in changes(every, change)}
        counts = tuple(one for one in statements if one.hit.chunk.id in met)
        return (Derived(f"{_things(len(counts), TIMES)} {numbers}.", tuple(statements)),)
    noun, column = topic_words(counted), solution.kind.column
    if noun and solution.is_periodic and _counts_rows(parsed, solution, noun):
        return (Derived(f"{_things(len(statements), counted)} {numbers}.", tuple(statements)),)
    is_figure = solution.is_periodic and limit_asked(parsed.core) is None  # one for each year
    if column is not None and solution.is_of_numbers and (is_figure or _names_numbers(column, noun)):
        return ()
    known = all(any(one.startswith(word) for one in solution.named_by) for word in noun - OF_ANY_FACT)
    are_people = means("person", noun) and all(is_person(one.value) for one in statements)
    known = known or are_people or (column is not None and means(column, noun))
    if not noun or not known or (not noun - OF_ANY_FACT and not asks_for_changes(parsed.question)):
        return ()
    different = len({one.value for one in statements})
    is_each = asks_for_changes(parsed.question) or (
        solution.is_of_entries and not are_people and (column is None or not means(column, noun))
    )  # in a log, each row is one of what the table is named after
    number = len(statements) if is_each else different
    return (Derived(f"{_things(number, counted)} {numbers}.", tuple(statements)),)


def _counts_rows(parsed: ParsedQuestion, solution: Solution, noun: AbstractSet[str]) -> bool:
    """Whether a noun counts the rows of a table with one for each year, or month.

    A unit of time does after "in how many", with a limit ("how many years had over 5 mm"), and if each row is
    a year of a named value. So does any other noun beside such a value, if no column answers: "how many
    Christmases did Ann keep the book?". Of people and of what the table names, a row may have several.
    """
    is_of_value = solution.kind.column is None and bool(solution.kind.key)
    if noun <= _PERIODS:
        is_limited = _IN_HOW_MANY.search(parsed.question) or limit_asked(parsed.core) is not None
        are_years = all(fact_of(hit).granularity is Granularity.YEAR for hit in solution.chosen)
        return bool(is_limited) or (is_of_value and noun == _YEARS and are_years)
    return is_of_value and parsed.intent is not Intent.DURATION and not noun & (solution.named_by | PERSON)


def _names_numbers(column: str, noun: AbstractSet[str]) -> bool:
    """Whether the numbers of a column are how many of a thing there are.

    That of pupils is in the column "Pupils", that of km under "Distance (km)", and that of what the whole
    table is about under "Value".
    """
    of_column = topic_words(column)
    return is_mentioned(column, noun) or bool(noun & of_column) or of_column <= OF_ANY_NUMBER


def _things(number: int, noun: str) -> str:
    """A number of things: "3 people", "1 person"."""
    if number != 1:
        return f"{number} {noun}"
    if noun.startswith("of "):  # "1 of the objects lent to us"
        return f"1 {noun}"
    singular = re.sub(r"people$", "person", noun)
    return f"1 {singular if singular != noun else re.sub(r'(?<=[^s])s$', '', noun)}"


def _aggregated(parsed: ParsedQuestion, statements: Sequence[Statement]) -> tuple[Derived, ...]:
    """The sum or the mean of several numbers of the same unit, if one is asked for: at most one line."""
    asked = aggregate_asked(parsed.question)
    told = None if asked is None else aggregate_told(statements, asked)
    if told is None:
        return ()
    return (Derived(f"{told} {marks(range(1, len(statements) + 1))}.", tuple(statements)),)


def _latest(
    parsed: ParsedQuestion, solution: Solution, statements: Sequence[Statement]
) -> tuple[Derived, ...]:
    """That a table has nothing later up to the asked time: at most one line."""
    if not solution.is_latest:
        return ()
    is_now = parsed.window is None or parsed.is_of_now or parsed.window.start is None
    time = "now" if is_now else "then"
    return (Derived(f"The table has no later row on this up to {time}.", tuple(statements)),)


def _compared(
    parsed: ParsedQuestion, solution: Solution, statements: Sequence[Statement]
) -> tuple[Derived, ...]:
    """The number of values among which the highest or lowest was chosen, and it: at most one line."""
    if solution.compared < 2:
        return ()
    word: str | None = extreme_asked(parsed.question)
    if word is None:
        word = "longest" if length_extreme_asked(parsed.question) == "highest" else "shortest"
    told = f"The {word} of {solution.compared} values"
    column = solution.compared_in
    if column not in (None, solution.kind.column):
        told += f": {column} {value_of(solution.chosen[0], column)}"
    return (Derived(f"{told}.", tuple(statements)),)


def statements_of(solution: Solution, facts: Sequence[Hit]) -> list[Statement]:
    """Rows as statements of the answer column, or of their time."""
    column = solution.kind.column

    def statement(hit: Hit) -> Statement:
        fact = fact_of(hit)
        value = with_unit(column, dict(fact.fields).get(column, fact.period)) if column else fact.period
        return Statement(solution.subject, column or "time", value, solution.kind.held(hit), hit, _CERTAIN)

    return [statement(hit) for hit in facts]


def _end(statement: Statement) -> float:
    end = fact_of(statement.hit).end
    return float("inf") if end is None else end


def _years_together(solution: Solution, statements: Sequence[Statement]) -> list[Run]:
    """Statements of consecutive years (or months) with the same value, as runs."""
    if solution.kind.column is not None:
        return runs_of(statements)
    return runs_of([replace(one, value=solution.subject) for one in statements])


def _told(parsed: ParsedQuestion, solution: Solution, fact: Fact, period: str) -> str:
    """A line without citations: the value of a fact, its subject, its ``period``, and a length if asked."""
    column = solution.kind.column
    length = _length(fact, parsed, solution) if _lasts(parsed, solution) else ""
    if column is None:
        return f"{solution.subject}: {', '.join(filter(None, [period, length]))}"
    name = with_unit(column, dict(fact.fields).get(column, period))
    return f"{name}: {', '.join(filter(None, [solution.subject, period, length]))}"


def _lasts(parsed: ParsedQuestion, solution: Solution) -> bool:
    """Whether a question asks how long facts lasted; "the longest queue" may compare numbers instead."""
    if length_extreme_asked(parsed.question) is not None:
        return solution.compared_in is None
    if length_limit_asked(parsed.core) is not None:
        return True
    return parsed.intent is Intent.DURATION and not _IN_HOW_MANY.search(parsed.question)


def _length(fact: Fact, parsed: ParsedQuestion, solution: Solution) -> str:
    """The length of a fact, in words and in days; empty for a row with a single day, which has none."""
    end: Day | None = fact.end
    by_years = fact.granularity is Granularity.YEAR  # "from 1970 to 1999" is told to be 29 years
    if end is not None and (
        solution.is_periodic if solution.is_of_entries else solution.kind.inclusive and not by_years
    ):
        end = granule(end, fact.granularity).end
    elif solution.is_of_entries:
        return ""
    is_compared = length_extreme_asked(parsed.question) or length_limit_asked(parsed.core)
    lasts_till_now = parsed.is_of_now or is_compared is not None
    if end is None and lasts_till_now:
        end = parsed.reference_day
    if fact.start is None or end is None or end < fact.start:
        return "without an end on record"
    return f"{phrase_length(fact.start, end)} ({end - fact.start:,} days)"
