"""Combines the drafts of several periods: the values of each, and the differences between them. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from timelens.answer.citation_numbers import CITED, Numbering, marks
from timelens.answer.draft import Derived, Draft, Nearest, Statement, Status, Value
from timelens.answer.hit_times import time_of
from timelens.answer.operations import aggregate_told, difference, difference_told
from timelens.documents import Hit
from timelens.question.asked_numbers import asks_for_all, size_compared, size_offered
from timelens.question.parsed_question import ParsedQuestion, Period, PeriodRole
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import enumerated, phrase, phrase_length

_COUNT = re.compile(r"(?P<number>\d+) (?P<noun>[a-z][a-z ]*?)(?= \[|[.:])")
"""A line that counts things: "2 times [1][2]."."""


def combined(parsed: ParsedQuestion, drafts: Sequence[Draft]) -> Draft:
    """One draft from the drafts of each period, in the order of ``parsed.periods``.

    A line begins with its period unless it cites a passage dated inside it; a line that several periods share
    is written once. If the question compares the periods and each has exactly one value, the differences
    follow; to "more in 2013 than in 2010?", yes or no comes first, to "more in 2010 or in 2013?" the period
    with more, and to "in 2010 and 2013 together" the total. Periods without an answer are named, with the
    nearest passages.
    """
    numbers = Numbering()
    lines = _Lines()
    values: list[Value] = []
    statements: list[Statement] = []
    near: list[Nearest] = []
    taken = [numbers.taken(draft) for draft in drafts]
    for period, draft in zip(parsed.periods, taken, strict=True):
        lines.add(period, draft)
        values += draft.values
        statements += draft.statements
        near += [replace(one, period=period.moment) for one in draft.nearest]
    answered = [draft.status is not Status.NO_ANSWER for draft in drafts]
    compared = any(period.role is PeriodRole.COMPARISON for period in parsed.periods)
    of_each = {line.text: line.operands for draft in taken for line in draft.derived}
    derived = [Derived(text, of_each[line]) for line, text in lines.named if line in of_each]
    differences = list(_differences(parsed.periods, drafts, numbers)) if compared and all(answered) else []
    ways = (_verdict, _extreme, _total) if all(answered) else ()
    verdict = [line for way in ways for line in way(parsed, drafts, numbers)]
    status = Status.ANSWERED if all(answered) else Status.PARTIAL if any(answered) else Status.NO_ANSWER
    return Draft(
        status,
        "\n".join(
            [
                *(line.text for line in verdict),
                *(text for _, text in lines.named),
                *(line.text for line in differences),
            ]
        ),
        tuple(dict.fromkeys(values)) if any(answered) else (),
        numbers.cited_by(taken),
        tuple(statements),
        (*verdict, *derived, *differences),
        tuple(near),
        series=tuple(one for draft in taken for one in draft.series),
        decisions=tuple(one for draft in drafts for one in draft.decisions),
    )


class _Lines:
    """The distinct lines of all drafts, each with the names of its periods."""

    def __init__(self) -> None:
        self._periods: dict[tuple[str, Interval | None], list[str]] = {}

    @property
    def named(self) -> list[tuple[str, str]]:
        """Pairs of a line and the same line with the names of its periods before it."""
        return [
            (line, f"{enumerated(names)}: {line}" if names else line)
            for (line, _), names in self._periods.items()
        ]

    def add(self, period: Period, draft: Draft) -> None:
        """Add the lines of one period's draft; lines of a refusal are kept separately for each period."""
        name = phrase(period.moment)
        cited = {citation.number: citation.hit for citation in draft.citations}
        for line in draft.text.splitlines():
            if draft.status is Status.NO_ANSWER:
                self._periods.setdefault((line, period.interval), [])
                continue
            hits = [cited[int(n)] for n in CITED.findall(line) if int(n) in cited]
            is_dated = line.startswith(f"{name}:") or any(_inside(hit, period.interval) for hit in hits)
            names = self._periods.setdefault((line, None), [])
            if hits and not is_dated and name not in names:
                names.append(name)


def _inside(hit: Hit, period: Interval) -> bool:
    """Whether a hit is a text (not a fact) whose time lies inside the period."""
    time = time_of(hit)
    return hit.chunk.fact is None and time is not None and period.contains(time)


def _differences(periods: Sequence[Period], drafts: Sequence[Draft], numbers: Numbering) -> Iterator[Derived]:
    """The difference of each later value from the earliest; none unless each draft has one statement."""
    alone = _alone(drafts)
    if not alone:
        return
    (start, first), *later = sorted(
        zip((period.moment for period in periods), alone, strict=True), key=lambda pair: pair[0].bounds
    )
    for interval, other in later:
        names = (phrase(start), phrase(interval))
        told = difference_told(first, other, names, _length(start, interval))
        if told is not None:
            yield _computed(told, (first, other), numbers)


def _computed(told: str, operands: Sequence[Statement], numbers: Numbering) -> Derived:
    """A computed line with the citations of its operands, in their order."""
    return Derived(f"{told} {marks(numbers.of(one.hit).number for one in operands)}.", tuple(operands))


def _alone(drafts: Sequence[Draft]) -> list[Statement]:
    """The statement of each draft; empty unless each has exactly one."""
    alone = [draft.statements[0] for draft in drafts if len(draft.statements) == 1]
    return alone if len(alone) == len(drafts) else []


def _verdict(parsed: ParsedQuestion, drafts: Sequence[Draft], numbers: Numbering) -> Iterator[Derived]:
    """Yes or no to whether the first of two numbers is the larger, or the smaller, one: at most one line."""
    asked, alone = size_compared(parsed.question), _alone(drafts)
    if asked is None or len(alone) != 2:
        return
    by = difference(*alone)
    if by is not None:
        is_so = by < 0 if asked == "highest" else by > 0
        yield _computed("Yes" if is_so else "No", alone, numbers)


def _extreme(parsed: ParsedQuestion, drafts: Sequence[Draft], numbers: Numbering) -> Iterator[Derived]:
    """The period with the largest, or smallest, number, if the periods are offered: at most one line."""
    asked, alone = size_offered(parsed.question), _alone(drafts)
    if asked is None or not alone:
        return
    from_first = [difference(alone[0], one) for one in alone]
    sizes = [by for by in from_first if by is not None]
    if len(sizes) < len(alone):
        return
    best = max(sizes) if asked == "highest" else min(sizes)
    named = [phrase(period.moment) for period, by in zip(parsed.periods, sizes, strict=True) if by == best]
    value = alone[sizes.index(best)].value
    rest = enumerated([one.value for one, by in zip(alone, sizes, strict=True) if by != best])
    yield _computed(f"{enumerated(named)}: {value}{rest and f', against {rest}'}", alone, numbers)


def _total(parsed: ParsedQuestion, drafts: Sequence[Draft], numbers: Numbering) -> Iterator[Derived]:
    """The total of the counts or numbers of all periods, if it is asked for: at most one line."""
    if not asks_for_all(parsed.question):
        return
    counts = [[match for line in draft.derived if (match := _COUNT.match(line.text))] for draft in drafts]
    operands = tuple(one for draft in drafts for one in draft.statements)
    told = None
    if all(len(found) == 1 for found in counts):
        numbers_of_things = [(int(match["number"]), match["noun"]) for (match,) in counts]
        several = (noun for number, noun in numbers_of_things if number != 1)
        noun = next(several, f"{numbers_of_things[0][1]}s")
        told = f"{sum(number for number, _ in numbers_of_things)} {noun} in total"
    elif alone := _alone(drafts):
        told = aggregate_told(alone, "total")
    if told is not None:
        cited = marks(sorted({numbers.of(one.hit).number for one in operands}))
        yield Derived(f"{told} {cited}.", operands)


def _length(one: Interval, other: Interval) -> str:
    """The time between the starts of two periods, in words; empty if one is unbounded or both are equal."""
    if one.start is None or other.start is None or one.start == other.start:
        return ""
    return phrase_length(min(one.start, other.start), max(one.start, other.start))
