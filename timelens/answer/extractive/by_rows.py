"""Yes or no to whether something holds or held, from the rows of a table. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from timelens.answer.citation_numbers import marks
from timelens.answer.draft import Draft
from timelens.answer.extractive.case import Case
from timelens.answer.operations import stretches
from timelens.answer.tables.columns import fact_of, means
from timelens.answer.tables.solver import Solution
from timelens.answer.writing.fact_drafts import from_facts
from timelens.documents import Hit
from timelens.question.intent import extreme_asked, is_change
from timelens.question.names import names_in
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.interval import Interval, day_interval
from timelens.words import topic_words

_JOINING = 2
"""Most words of a yes-no question that a table lacks."""
_LIMITS = re.compile(
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
_EXISTS = re.compile(
    r"\W*(?:(?:was|were|is|are|has|have|had) there"
    r"|(?:did|do|does|have|has|had) (?:we|you|they|i)(?: \w+)? have)\b",
    re.IGNORECASE,
)
"""A question for the existence of something, without a subject."""


def by_rows(case: Case) -> Draft | None:
    """Yes or no to whether something holds or held, from a table of periods.

    In the present tense without a time, today counts. Without a row for the time, the answer is no, with the
    rows before and after it.
    """
    solution, parsed = case.solution, case.parsed
    if not case.asks_whether or case.beside or solution is None or parsed.implicit:
        return None
    if not _tells_whether(parsed, solution):
        return None
    window, met = parsed.window, solution.chosen
    if parsed.present:
        window = day_interval(parsed.reference_day)
        met = tuple(hit for hit in met if fact_of(hit).validity.contains(window))
    rows = met if met or window is None else _around(solution.kind.facts, window)
    if not rows:
        return None
    is_so = bool(met) and (window is None or not _THROUGHOUT.search(parsed.core) or _covers(met, window))
    draft = from_facts(parsed, replace(solution, chosen=tuple(rows)), case.span)
    lead = "Yes" if is_so else "No"
    numbers = marks(citation.number for citation in draft.citations)
    return replace(draft, text=f"{lead} {numbers}.\n{draft.text}")


def _covers(facts: Sequence[Hit], window: Interval) -> bool:
    """Whether facts hold one after the other on all days of a time."""
    start, end = window.bounds
    times = stretches(fact_of(hit).validity for hit in facts)
    return any(first <= start + 1 and last >= end for first, last in times)


def _tells_whether(parsed: ParsedQuestion, solution: Solution) -> bool:
    """Whether the rows of a solution tell that a state held, and the question asks for no more.

    The rows have a value that the question states. It may have one word that the table lacks, or two if two
    values are stated, such as "supply" in "Did Volta supply the electricity?", which joins them.
    Names are no such words, nor are words that compare, or the only verb of the only value: "Did Volta pay?".
    """
    kind = solution.kind
    if not kind.key or solution.is_of_entries or extreme_asked(parsed.question) is not None:
        return False
    column = kind.column if solution.is_of_numbers else None
    throughout = _THROUGHOUT.search(parsed.core)
    unknown = kind.unknown - topic_words("" if throughout is None else throughout.group())
    asks_for_number = column is not None and means(column, topic_words(parsed.core))
    limited = _LIMITS.search(parsed.core) is not None or is_change(parsed.core)
    if asks_for_number or limited or unknown & topic_words(" ".join(names_in(parsed.core))):
        return False
    if len(kind.key) == 1 and _is_behind(kind.key[0][1], unknown, parsed.core):
        return False
    return len(unknown) <= min(len(kind.key), _JOINING)


def _is_behind(value: str, unknown: frozenset[str], core: str) -> bool:
    """Whether the first word of a question behind the words of a value is unknown; not without a subject."""
    if _EXISTS.match(core):
        return False
    words = [word for each in core.split() if (word := topic_words(each))]
    stated = [number for number, word in enumerate(words) if word <= topic_words(value)]
    return bool(stated) and stated[-1] + 1 < len(words) and words[stated[-1] + 1] <= unknown


def _around(facts: Sequence[Hit], window: Interval) -> list[Hit]:
    """The last fact before a time, and the first one after it."""
    ordered = sorted(facts, key=lambda hit: fact_of(hit).validity.bounds)
    before = [hit for hit in ordered if fact_of(hit).validity.bounds[1] <= window.bounds[0]]
    after = [hit for hit in ordered if fact_of(hit).validity.bounds[0] >= window.bounds[1]]
    return [*before[-1:], *after[:1]]
