"""Yes or no to what the rows of a table tell: whether something held, changed, or passed a number.

The row reader tells which rows are meant.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from timelens.answer.citation_numbers import marks
from timelens.answer.draft import Draft
from timelens.answer.extractive.case import Case
from timelens.answer.operations import amount_of, changes, in_order, stretches
from timelens.answer.tables.columns import (
    OF_ANY_FACT,
    fact_of,
    heading_of,
    is_stated,
    is_vacant,
    value_of,
    variety,
)
from timelens.answer.tables.linking import Match
from timelens.answer.tables.solver import Solution
from timelens.answer.writing.fact_drafts import from_facts, statements_of
from timelens.documents import Hit
from timelens.question.asked_numbers import (
    Change,
    Limit,
    change_asked,
    extreme_asked,
    length_limit_asked,
    limit_asked,
)
from timelens.question.intent import asks_for_overlap, return_asked, state_verbs
from timelens.question.names import is_person
from timelens.question.parsed_question import ParsedQuestion
from timelens.question.roles import Role
from timelens.temporal.interval import Interval, day_interval
from timelens.words import topic_words

_MORE = re.compile(
    r"\b(?:more|less|fewer|most|least|than|as \w+ as|same|different|another|other|all|every|each|both|always"
    r"|never|only|just|again|twice|once|first|last|longer|before|after|together|or)\b",
    re.IGNORECASE,
)
"""Words by which a question asks for more than whether a state held."""
_THROUGHOUT = re.compile(
    r"\b(?:the )?(?:whole|entire) (?:time|period)\b|\bthroughout\b|\ball (?:the time|along)\b"
    r"|\bwithout (?:a |any )?(?:break|interruption)\b|\bcontinuously\b",
    re.IGNORECASE,
)

_SAME_THING = re.compile(r"\bsame\b(?! time)", re.IGNORECASE)
"""What a question compares besides times: "with the same firm at the same time"."""
_AFTER = re.compile(r"\bafter\b", re.IGNORECASE)

_FLAGS = {**dict.fromkeys(("y", "yes", "true", "x", "✓"), True), **dict.fromkeys(("n", "no", "false"), False)}
"""What cells say for yes and for no."""
_STATED = 2
"""Minimum number of columns in which a question states a value that no row has together."""

_REMARK = 4
"""Minimum number of words of a remark."""

Told = tuple[bool, Sequence[Hit]]
"""Yes or no, with the rows that tell it; without a row they do not tell it."""


def by_rows(case: Case) -> Draft | None:
    """Yes or no from a table of periods.

    In the present tense without a time, today counts. Without a row for the time, the answer is no, with the
    rows before and after it.
    """
    solution, parsed = case.solution, case.parsed
    if not case.asks_whether or case.beside or solution is None or parsed.implicit:
        return None
    if extreme_asked(parsed.question) is not None:
        return None
    is_so, rows = _flagged(solution)
    if not rows and asks_for_overlap(parsed.core):
        is_so, rows = _at_once(parsed.core, solution, parsed.window)
    elif not rows and return_asked(parsed.core):
        is_so, rows = _returned(parsed, solution)
    if not rows and solution.is_of_entries and not solution.is_periodic:
        return None
    if not rows:
        is_so, rows = _never(parsed, solution)
    if not rows and solution.match is not Match.NONE:
        is_so, rows = _told(parsed, solution)
    if not rows:
        return None
    draft = from_facts(parsed, replace(solution, chosen=tuple(rows)), case.span)
    numbers = marks(citation.number for citation in draft.citations)
    return replace(draft, text=f"{'Yes' if is_so else 'No'} {numbers}.\n{draft.text}")


def _told(parsed: ParsedQuestion, solution: Solution) -> Told:
    window, met = parsed.window, solution.chosen
    if solution.asks_for_end:
        return bool(met), (met or solution.kind.facts) if solution.kind.key else ()
    if parsed.present:
        window = day_interval(parsed.reference_day)
        met = tuple(hit for hit in met if solution.kind.held(hit).contains(window))
    limit, change = limit_asked(parsed.core), change_asked(parsed.core)
    if limit is not None:
        return _compared(solution, met, limit)
    if change is not None and solution.kind.column is not None:
        return _changed(solution, parsed.window, change)
    if length_limit_asked(parsed.core) is not None:  # the chosen rows held as long as that, together
        return bool(met), (met or solution.kind.facts) if solution.kind.key else ()
    throughout = _THROUGHOUT.search(parsed.core)
    if solution.is_of_numbers or not solution.kind.key or _MORE.search(parsed.core):
        return False, ()
    if not met and window is not None:
        return False, () if _is_remark(solution, parsed.core) else _around(solution.kind.facts, window)
    if met and all(map(_tells_vacancy, met)):
        return False, met
    is_so = throughout is None or _covers(map(solution.kind.held, met), window)
    return is_so, met


def _flagged(solution: Solution) -> Told:
    """Yes or no, if that is what the answer column of the chosen rows says: "n" under "Paid?"."""
    column = solution.kind.column
    cells = [value_of(hit, column).casefold() for hit in solution.chosen] if column else []
    if not cells or not _FLAGS.keys() >= set(cells) or solution.match is Match.NONE:
        return False, ()
    return all(_FLAGS[cell] for cell in cells), solution.chosen


def _at_once(core: str, solution: Solution, window: Interval | None) -> Told:
    """Whether rows with different values held on the same days, in the asked time if there is one."""
    column, facts, held = solution.kind.column, solution.kind.facts, solution.kind.held
    if (
        column is None
        or solution.is_of_entries
        or _SAME_THING.search(core)
        or len({value_of(hit, column) for hit in facts}) < 2
    ):
        return False, ()

    def meet(one: Hit, other: Hit) -> bool:
        shared = held(one).intersection(held(other))
        differ = value_of(one, column) != value_of(other, column)
        return differ and shared is not None and (window is None or shared.intersects(window))

    together = [hit for hit in facts if any(meet(hit, other) for other in facts)]
    return bool(together), together or facts


def _returned(parsed: ParsedQuestion, solution: Solution) -> Told:
    """Whether the rows are of two stretches of time or more.

    In an asked time, there must be an earlier stretch; after something of that time, or its end, a later one.
    """
    facts, met = solution.kind.facts, solution.chosen
    has_other = limit_asked(parsed.core) is not None or change_asked(parsed.core) is not None
    if not solution.kind.key or solution.match is Match.NONE or has_other:
        return False, ()
    times = stretches(map(solution.kind.held, facts))
    if not parsed.constraints:
        return len(times) > 1, facts
    if not met:
        return False, _around(facts, parsed.window) if parsed.window is not None else facts
    start, end = solution.kind.held(met[0]).bounds
    if _AFTER.search(parsed.core) or any(one.role is Role.END for one in parsed.constraints):
        return any(first > end for first, _ in times), facts
    return any(last < start for _, last in times), met


def _is_remark(solution: Solution, core: str) -> bool:
    """Whether a value that the rows share is a remark, most of whose words a question does not have."""
    words = topic_words(core)
    shared = [topic_words(value) for _, value in solution.kind.key]
    return any(len(one) >= _REMARK and 2 * len(one & words) < len(one) for one in shared)


def _tells_vacancy(hit: Hit) -> bool:
    """Whether a cell of a row says that a post or a place is vacant."""
    return any(is_vacant(value) for _, value in fact_of(hit).fields)


def _never(parsed: ParsedQuestion, solution: Solution) -> Told:
    """No, if a question only states values that no row has together, or a value of another column.

    "Did Ann ever serve as secretary?" is denied if Ann is in other columns only. The rows are those with the
    stated value of the most varied of these columns.
    """
    words, table = topic_words(parsed.core), solution.kind.table
    stated: dict[str, list[Hit]] = {}
    for name, _ in fact_of(table[0]).fields:
        having = [hit for hit in table if is_stated(value_of(hit, name), words)]
        if having:
            stated[name] = having
    told = frozenset().union(*(topic_words(value_of(hit, n)) for n, hits in stated.items() for hit in hits))
    others = heading_of(table[0]) | OF_ANY_FACT | topic_words(f"{' '.join(state_verbs(parsed.core))} ever")
    met = [hit for hit in table if all(hit in having for having in stated.values())]
    is_elsewhere = bool(stated) and _names_another_column(words - told, table, stated)
    if not words <= told | others or not (is_elsewhere or (len(stated) >= _STATED and not met)):
        return False, ()
    return False, stated[max(stated, key=lambda name: variety(table, name))]


def _names_another_column(
    words: AbstractSet[str], table: Sequence[Hit], stated: Mapping[str, Sequence[Hit]]
) -> bool:
    """Whether words name a column that lacks the stated values, though it holds values of their kind."""
    asked = [
        _values(table, name)
        for name, _ in fact_of(table[0]).fields
        if name not in stated and topic_words(name) and topic_words(name) <= words
    ]
    own = [_values(table, name) for name in stated]
    return any(_are_alike(one, other) for one in own for other in asked)


def _values(table: Sequence[Hit], column: str) -> AbstractSet[str]:
    return {value_of(hit, column) for hit in table} - {""}


def _are_alike(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Whether two columns share a value, or both hold names of people."""
    return bool(one & other) or all(map(is_person, one | other))


def _compared(solution: Solution, facts: Sequence[Hit], limit: Limit) -> Told:
    """Whether the number of any row, or else of different values, compares with a stated one as asked."""
    statements = statements_of(solution, facts)
    if not solution.is_of_numbers:  # "more than one of our boats"
        return limit.holds(Decimal(len({one.value for one in statements})), limit.number), facts
    amounts = [(one.hit, amount_of(one.value)) for one in statements]
    numbers = [(hit, amount.middle) for hit, amount in amounts if amount is not None]
    so = [hit for hit, number in numbers if limit.holds(number, limit.number)]
    return bool(so), so or [hit for hit, _ in numbers]


def _changed(solution: Solution, window: Interval | None, kind: Change) -> Told:
    """Whether the value rose, fell or changed at the start of a row in the asked time.

    The rows that tell it stand with the ones before them.
    """
    statements = in_order(statements_of(solution, solution.kind.facts))
    told = [one.hit for one in statements]
    starts = ((one.hit, fact_of(one.hit).start) for one in changes(statements, kind))
    so = [
        hit
        for hit, start in starts
        if window is None or (start is not None and window.contains(day_interval(start)))
    ]
    telling = {hit.chunk.id for hit in so or solution.chosen}
    before = {one.chunk.id for one, later in pairwise(told) if later.chunk.id in telling}
    return bool(so), [hit for hit in told if hit.chunk.id in telling | before]


def _covers(held: Iterable[Interval], window: Interval | None) -> bool:
    """Whether facts hold one after the other on all days of a time, or, without a time, without a gap."""
    times = stretches(held)
    if window is None:
        return len(times) == 1
    start, end = window.bounds
    return any(first <= start + 1 and last >= end for first, last in times)


def _around(facts: Sequence[Hit], window: Interval) -> list[Hit]:
    """The last fact before a time, and the first one after it."""
    ordered = sorted(facts, key=lambda hit: fact_of(hit).validity.bounds)
    before = [hit for hit in ordered if fact_of(hit).validity.bounds[1] <= window.bounds[0]]
    after = [hit for hit in ordered if fact_of(hit).validity.bounds[0] >= window.bounds[1]]
    return [*before[-1:], *after[:1]]
