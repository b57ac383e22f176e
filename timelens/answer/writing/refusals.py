"""What a refusal says: what was looked for, and what the corpus has. Pure."""

import textwrap

from timelens.answer.citation_numbers import without_citations
from timelens.answer.draft import Draft, Status
from timelens.answer.tables.columns import fact_of
from timelens.answer.tables.solver import Solution
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase, phrase_recorded
from timelens.words import topic_words

_LONGEST_CORE = 120
"""Maximum number of characters of a question that a refusal repeats."""


def _for_time(asked: Interval | None) -> str:
    """`` for 2010``, `` since 2010``, or nothing."""
    if asked is None:
        return ""
    is_open = asked.start is None or asked.end is None
    return f" {phrase(asked)}" if is_open else f" for {phrase(asked)}"


def sought(parsed: ParsedQuestion, *, beside: bool) -> str:
    """The topic and the time of a question, as a refusal names them.

    ``beside`` other periods, only the time is named.
    """
    whole = parsed.ordinal is not None and parsed.window is None  # the core lacks "first" and "last"
    core = without_citations(parsed.question if whole else parsed.core)
    core = textwrap.shorten(core, _LONGEST_CORE, placeholder=" …")
    topic = f" on “{core}”" if topic_words(core) and not beside else ""
    as_of = next((one.moment for one in parsed.periods if one.relation is Relation.AS_OF), None)
    return f"{topic}{_for_time(parsed.window)}" if as_of is None else f"{topic} as of {phrase(as_of)}"


def facts_known(solution: Solution, *, beside: bool) -> str:
    """The number of facts of the asked kind, with the time they span unless ``beside`` other periods."""
    facts = [fact_of(hit) for hit in solution.kind.facts]
    first = min(facts, key=lambda fact: (fact.start is not None, fact.start or 0))
    ends = [fact.end for fact in facts if fact.end is not None]
    last = max(ends) if len(ends) == len(facts) else None
    period = "" if beside else f", {phrase_recorded(first.start, last, first.granularity)}"
    return f" Facts on {solution.subject}: {len(facts):,}{period}."


def nothing(parsed: ParsedQuestion, span: Interval | None, *, beside: bool = False) -> Draft:
    """A refusal that names the topic, the time and the span of the corpus."""
    held = f" The corpus spans {phrase(span)}." if span else ""
    return Draft(Status.NO_ANSWER, f"Nothing was found{sought(parsed, beside=beside)}.{held}")
