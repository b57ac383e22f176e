"""What a question asks of the rows of tables: its topic, its conditions, and what must answer.

Which rows meet that is told by :mod:`timelens.answer.tables.linking`.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from timelens.answer.relevance import Topic
from timelens.answer.tables.column_choice import Wants
from timelens.answer.tables.columns import (
    OF_ANY_FACT,
    OF_ANY_NUMBER,
    PERSON,
    by_table,
    fact_of,
    forms_among,
    heading_of,
    is_number,
    subject_column,
    value_of,
    values_named,
    words_for_columns,
    words_of_row,
)
from timelens.answer.tables.date_names import words_of_dates
from timelens.answer.tables.row_selection import RowSelection
from timelens.documents import Hit
from timelens.question.asked_numbers import (
    TIMES,
    aggregate_asked,
    asks_for_changes,
    change_asked,
    counted_noun,
    extreme_asked,
    limit_asked,
    operation_words,
    without_length_limit,
)
from timelens.question.exclusions import without_excluded
from timelens.question.intent import (
    asks_for_name,
    asks_for_person,
    asks_whether,
    return_asked,
    state_verbs,
    subject_of,
)
from timelens.question.names import is_person
from timelens.question.own_body import without_body
from timelens.question.parsed_question import Intent, ParsedQuestion
from timelens.question.roles import Role, role_verbs
from timelens.words import NEGATION, topic_words

_OF_TIME = frozenset({Intent.WHEN, Intent.DURATION})
"""Intents that ask for the time of a named fact."""
_OF_STATE = topic_words("still already yet own owned use used operate operated")
"""Words for how a state relates to a time, which the dates of a row tell, and for having something."""
_OF_DENIAL = topic_words("never ever not")
"""Words that deny, or ask about, what the name of a date column says."""


@dataclass(frozen=True, slots=True)
class AskedRows:
    """A question, with what the rows of tables are compared with."""

    parsed: ParsedQuestion
    """The question without what it leaves out, and without the name of the body whose tables these are."""
    facts: Sequence[Hit]
    """The facts that it may be about; there is at least one."""
    topic: Topic
    words: frozenset[str]
    """The words of its topic that may be conditions."""
    of_limit: frozenset[str]
    """The words for a stated limit."""
    wording: str
    """What the row reader is asked first."""
    wants: Wants
    """What must answer."""
    joined: bool
    """Whether the facts agree with an event of the question, whose words no row needs to have."""


def asked_rows(parsed: ParsedQuestion, hits: Sequence[Hit], *, joined: bool) -> AskedRows | None:
    """What a question asks of the facts among ``hits``; ``None`` if it is about none of them.

    ``joined``: the facts agree with an event of the question.
    """
    core, excluded = without_excluded(parsed.core)
    facts = _without(excluded, [hit for hit in hits if hit.chunk.fact is not None])
    if not facts:
        return None
    parsed = replace(
        parsed,
        core=without_length_limit(core),
        question=without_length_limit(without_excluded(parsed.question)[0]),
    )
    told = [words_of_row(hit) for hit in facts]
    known = frozenset().union(*told, *(heading_of(rows[-1]) for rows in by_table(facts).values()))
    bodies = _bodies(facts)
    parsed = replace(
        parsed,
        core=without_body(parsed.core, known, bodies),
        question=without_body(parsed.question, known, bodies),
    )
    topic = Topic(subject_of(parsed), told)
    limit = limit_asked(parsed.core)
    of_limit = frozenset() if limit is None else topic_words(limit.text) | {f"{limit.number}"}
    words, wording = topic.words - of_limit - _of_roles(parsed), parsed.core
    if of_dates := topic.words & (words_of_dates(facts) - frozenset().union(*told)):
        words -= of_dates | _OF_DENIAL  # "Which trees were never felled?" has no conditions
        wording = NEGATION.sub("", wording)
    return AskedRows(parsed, facts, topic, words, of_limit, wording, _wanted(parsed), joined)


def _without(excluded: str, facts: Sequence[Hit]) -> Sequence[Hit]:
    """The facts without those of which the words for what is left out name a value."""
    words = topic_words(excluded)
    if not words:
        return facts
    named = {
        (document, column): values_named(rows, column, words)
        for document, rows in by_table(facts).items()
        for column, _ in fact_of(rows[0]).fields
    }
    return [
        hit
        for hit in facts
        if not any(value in named[hit.chunk.document_id, column] for column, value in fact_of(hit).fields)
    ]


def _bodies(facts: Sequence[Hit]) -> AbstractSet[str]:
    """The words that may name a body: those of columns, and the last one of each value ("Rowing club")."""
    columns = {name for rows in by_table(facts).values() for name in dict(fact_of(rows[0]).fields)}
    values = {value for hit in facts for _, value in fact_of(hit).fields}
    return topic_words(" ".join([*columns, *(value.split()[-1] for value in values if value)]))


def _of_roles(parsed: ParsedQuestion) -> AbstractSet[str]:
    """The words that are no conditions if the start or end of rows is asked for: "Who left in 2017?"."""
    if not _starts_or_ends(parsed):
        return frozenset()
    return topic_words(" ".join(role_verbs(parsed.core))) | OF_ANY_FACT | PERSON


def _starts_or_ends(parsed: ParsedQuestion) -> bool:
    """Whether a time of the question is that of a start or an end."""
    return any(constraint.role is not Role.HELD for constraint in parsed.constraints)


def _wanted(parsed: ParsedQuestion) -> Wants:
    """What must answer: a number if one is compared, nothing if only a time or rows may be asked for."""
    change = change_asked(parsed.core)
    is_compared = limit_asked(parsed.core) is not None and asks_whether(parsed.core)
    is_summed = aggregate_asked(parsed.question) is not None and not counted_noun(parsed.question)
    if is_compared or change in ("rise", "fall") or is_summed:
        return Wants.NUMBER
    if change is not None and (asks_for_changes(parsed.question) or asks_whether(parsed.core)):
        return Wants.COLUMN
    if asks_for_name(parsed.question):
        return Wants.PERSON if asks_for_person(parsed.question) else Wants.NAME
    rows_only = counted_noun(parsed.question) == TIMES or asks_whether(parsed.core)
    return Wants.NOTHING if rows_only or parsed.intent in _OF_TIME else Wants.COLUMN


def covered_words(parsed: ParsedQuestion, chosen: RowSelection) -> AbstractSet[str]:
    """The words of a question that the chosen facts cover without stating them."""
    exemplar = chosen.facts[0]
    heading = forms_among(topic_words(parsed.question), heading_of(exemplar))
    told = heading | OF_ANY_FACT | words_for_columns(exemplar) | topic_words(operation_words(parsed.question))
    told |= _OF_STATE
    if returned := return_asked(parsed.question):
        told |= topic_words(returned)
    if of_dates := forms_among(topic_words(parsed.core), words_of_dates(chosen.facts[:1])):
        told |= of_dates | _OF_DENIAL
    if asks_whether(parsed.core):
        told |= topic_words(" ".join([*state_verbs(parsed.core), "ever"]))
        told |= PERSON if is_person(value_of(exemplar, subject_column(chosen.table))) else frozenset()
    is_of_ends = _starts_or_ends(parsed) or parsed.intent in _OF_TIME
    if is_of_ends or parsed.several or counted_noun(parsed.question):
        told |= topic_words(" ".join(role_verbs(parsed.core)))  # a fact covers the verbs for its start or end
    numbers = {name for name, value in fact_of(exemplar).fields if is_number(value)}
    asked = parsed.question
    compares = extreme_asked(asked) or aggregate_asked(asked) or limit_asked(parsed.core)
    if chosen.column in numbers or (numbers and compares):
        told |= OF_ANY_NUMBER
    return told
