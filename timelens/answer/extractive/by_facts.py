"""Ways to answer from table rows, dated events and register lines.

The row reader tells which rows are meant.
"""

import re

from timelens.answer.citation_numbers import in_a_row
from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.by_place import is_of_named
from timelens.answer.extractive.case import BESIDE, ENOUGH, Case
from timelens.answer.tables.columns import fact_of, is_of_every_year, means, value_of
from timelens.answer.tables.fact_choice import asks_for_order
from timelens.answer.tables.linking import Match, identifies
from timelens.answer.tables.solver import Solution
from timelens.answer.text.event_lists import share_told
from timelens.answer.text.picked_spans import Pick, is_sure
from timelens.answer.text.sentence_match import AnswerType, answer_type_of
from timelens.answer.values_at import is_same_value
from timelens.answer.writing.drafts import from_order, from_records, from_sentences, with_events
from timelens.answer.writing.fact_drafts import from_facts
from timelens.question.asked_numbers import asks_for_extreme
from timelens.question.hops.hop_detection import asked_neighbour
from timelens.question.intent import asks_whether
from timelens.question.names import is_person
from timelens.question.parsed_question import Focus, Intent, ParsedQuestion
from timelens.temporal.interval import Granularity, Interval
from timelens.words import topic_words

_SURELY_BEHIND, _POSSIBLY_BEHIND = 0.4, 0.1
"""How far the facts' share of the question's words may be below a text's, for sure and possible matches."""
_HOW_MUCH = re.compile(r"\bhow much\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"\W*(?:(?:(?:about|around|approx\w*|circa|ca?)\b\W*)?(?:[A-Z]{3}\W*)?\d|(?:free|nil)\b)", re.IGNORECASE
)
_REASON = topic_words("reason")
_REMARK = 3
"""Minimum number of words of a remark that may be a reason."""
_LISTED = 0.8
"""Share of the question's words from which a listed text is preferred to a table without a matching row, and
from which such a table is enough to say that there is nothing."""


def by_facts(case: Case) -> Draft | None:
    """An answer from table rows, found by the solver."""
    solution = case.solution
    if solution is None or case.parsed.implicit:
        return None
    if identifies(solution.kind) and asked_neighbour(case.parsed.question) is not None:
        return None  # the row of X does not say who succeeded X
    if solution.chosen and is_of_named(case.parsed.question, solution.chosen):
        return None
    if (not solution.chosen or solution.is_latest) and _may_be_told_in_texts(case, solution):
        return None
    is_alone = asks_for_order(case.parsed) and len(solution.kind.facts) == 1  # the first of one row
    if is_alone and case.texts and is_sure(case.picks, case.risk):
        return None
    if _is_past(case, solution) or _is_superseded(case, solution):
        return None
    rivals = case.readings
    if solution.chosen:  # a row inside the asked time outranks a text from another time
        rivals = [reading for reading in rivals if not reading.hit.is_older]
    said = max(((reading.said, reading.share) for reading in rivals), key=sum, default=(0.0, 0.0))
    if not _may_answer(case.parsed, solution, said):
        return None
    draft = from_facts(case.parsed, solution, case.span, beside=case.beside)
    return with_events(in_a_row([*_before_facts(case, solution), draft]), case.events)


def _may_be_told_in_texts(case: Case, solution: Solution) -> bool:
    """Whether the texts may answer although a matching table has no row that does.

    True if the texts list events with most of the question's words, or if there are texts and the table is
    not complete (each row has a single date, or a single row is about the thing), is no sure match, lacks
    many words of the question, or has no column that is likely to answer. The latest row of a clear match
    gives way to a sure reading of a later text alone, and a table with a row for each year to one of the
    asked time.
    """
    if any(share_told(case.parsed, case.topic, hit) >= _LISTED for hit in case.listed):
        return True
    told = solution.kind.features
    is_likely = solution.match is Match.SURE and told["column"] >= 0
    if solution.is_latest and is_likely:
        return is_sure(case.picks, case.risk) and _is_later(case.picks[0], solution)
    if solution.lacks_end:
        return False
    if is_likely and not solution.chosen and is_of_every_year(solution.kind.table):
        return is_sure(case.picks, case.risk) and _is_inside(case.picks[0], case.parsed)
    is_clear = is_likely and told["words"] >= _LISTED and len(solution.kind.facts) > 1
    return bool(case.texts) and (solution.is_of_entries or not is_clear)


def _is_later(pick: Pick, solution: Solution) -> bool:
    """Whether what was read in a text began after all rows that answer."""
    read = None if pick.hit.interval is None else pick.hit.interval.start
    starts = [fact_of(hit).start for hit in solution.chosen]
    return read is not None and all(start is None or start < read for start in starts)


def _is_inside(pick: Pick, parsed: ParsedQuestion) -> bool:
    """Whether what was read in a text has a time that meets the asked one."""
    time, window = pick.hit.interval, parsed.window
    return time is not None and (window is None or time.intersects(window))


def _is_past(case: Case, solution: Solution) -> bool:
    """Whether all rows that answer a question about now have ended, and texts may tell what is so now."""
    parsed = case.parsed
    if not (parsed.present and parsed.is_point and case.texts) or solution.is_of_entries:
        return False
    if asks_for_order(parsed) or asks_for_extreme(parsed.question):
        return False
    ends = [solution.kind.held(hit).end for hit in solution.chosen]
    return bool(ends) and all(end is not None and end <= parsed.reference_day for end in ends)


def _is_superseded(case: Case, solution: Solution) -> bool:
    """Whether a text surely tells a value that began, by the asked time, after all rows that answer.

    The rows must be in force still: a list of the officers, for example, is older than the minutes in which
    one of them resigns. A row with an end tells for itself what held in its time.
    """
    parsed, column = case.parsed, solution.kind.column
    if column is None or case.beside or asks_for_order(parsed) or not (parsed.is_point and case.texts):
        return False
    facts = [fact_of(hit) for hit in solution.chosen]
    if not facts or any(fact.end is not None for fact in facts) or not is_sure(case.picks, case.risk):
        return False
    told, window = case.picks[0], parsed.window
    start = None if told.hit.interval is None else told.hit.interval.start
    asked = None if window is None or parsed.present else window.end
    if start is None or start >= (asked or parsed.reference_day + 1):
        return False
    if not _is_later(told, solution):
        return False
    return not any(is_same_value(told.text, value_of(hit, column)) for hit in solution.chosen)


def _before_facts(case: Case, solution: Solution) -> list[Draft]:
    """A draft from texts for the part of a course before the table's first row, if it is over two years."""
    window, first = case.parsed.window, solution.chosen[0] if solution.chosen else None
    if case.parsed.focus is not Focus.CHANGE_OVER_TIME or window is None or first is None:
        return []
    start = fact_of(first).start
    if window.start is None or start is None or start - window.start < 2 * Granularity.YEAR.days:
        return []
    untold = Interval(window.start, start, window.granularity)
    times = ((pick.hit, pick.hit.interval) for pick in case.over_time)
    found = [hit for hit, time in times if time is not None and time.intersects(untold)][:BESIDE]
    return [from_sentences(found, case.expected, case.topic, Status.ANSWERED)] if found else []


def _may_answer(parsed: ParsedQuestion, solution: Solution, said: tuple[float, float]) -> bool:
    """Whether facts answer rather than text.

    ``said`` is the share of the question's words in the best text's sentence and in its passage, each 0..1.
    Facts whose column is stated in the question may have a somewhat lower share than the text. The length of
    a fact without an end is defined only up to now.
    """
    column = solution.kind.column
    if answer_type_of(parsed.question) is AnswerType.REASON and not _tells_reason(solution):
        return False
    if column is None and not solution.subject:
        return False
    if column and _HOW_MUCH.search(parsed.core) and not _has_amount(solution, column):
        return False
    if asks_whether(parsed.core) and not solution.is_of_numbers:
        return False  # a name answers neither yes or no nor more or less
    lasting = parsed.intent is Intent.DURATION and not parsed.current
    if lasting and all(fact_of(hit).end is None for hit in solution.chosen):
        return False
    match solution.match:
        case Match.NONE:
            return False
        case Match.POSSIBLE if not solution.chosen or _names_no_person(parsed, solution):
            return solution.kind.fit >= max(ENOUGH, *said)
        case Match.POSSIBLE:
            return solution.kind.fit >= max(ENOUGH, sum(said) / 2 - _POSSIBLY_BEHIND)
        case Match.SURE:
            return solution.kind.fit >= max(said) - _SURELY_BEHIND


def _tells_reason(solution: Solution) -> bool:
    """Whether the answer column is one of reasons, or the rows are clear and it has a remark on each."""
    column = solution.kind.column
    if column is None or means(column, _REASON):
        return column is not None
    remarks = [value_of(hit, column).split() for hit in solution.chosen]
    return solution.match is Match.SURE and bool(remarks) and all(len(words) >= _REMARK for words in remarks)


def _has_amount(solution: Solution, column: str) -> bool:
    """Whether a row that answers has an amount in a column, of whatever unit."""
    return any(_AMOUNT.match(value_of(hit, column)) for hit in solution.chosen or solution.kind.facts)


def _names_no_person(parsed: ParsedQuestion, solution: Solution) -> bool:
    """Whether the question asks for a person and no value of the answer looks like a person's name."""
    if answer_type_of(parsed.question) is not AnswerType.PERSON or solution.kind.column is None:
        return False
    values = (value_of(hit, solution.kind.column) for hit in solution.chosen)
    return not any(map(is_person, values))


def by_order(case: Case) -> Draft | None:
    """The order of the alternatives that the question offers, by their days."""
    offered = case.parsed.offered
    return from_order(case.parsed, case.events) if offered and len(case.events) == len(offered) else None


def by_records(case: Case) -> Draft | None:
    """An answer from register-like lines of text."""
    return with_events(from_records(case.records), case.events) if case.records else None
