"""What the names of a table's date columns say: "Planted" is the start of a row, "Felled" its end. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache

from timelens.answer.tables.columns import OF_ANY_FACT, fact_of, forms_among
from timelens.documents import Hit
from timelens.lexicon import VERB_OF_PAST
from timelens.question.parsed_question import Constraint, Intent, ParsedQuestion
from timelens.question.roles import Role, role_of
from timelens.words import NEGATION, WORD, topic_words

_OF_ANYTHING = topic_words("get got")
"""Verbs in names of date columns that tell nothing of a row: they stand in questions about other things."""
HAS_ENDED = Constraint(None, None, Role.END, None, "")
"""The constraint of a question that names the end of rows without a time."""


def words_of_dates(facts: Iterable[Hit]) -> frozenset[str]:
    """The words in the names of the date columns of rows, which tell what happened then."""
    names = {fact_of(hit).date_names for hit in facts}
    return frozenset().union(*(_words_of(name) for pair in names for name in pair))


def with_named_roles(parsed: ParsedQuestion, table: Sequence[Hit]) -> ParsedQuestion:
    """The question about a table, with the roles of its times told by the names of the table's date columns.

    "Which trees were felled in 1987?" asks for rows that ended then if the end is in the column "Felled". A
    question that names the end without a time asks for rows that have one; if it denies the end, for the
    others. So does "when did Ann resign?" of any table.
    """
    words = _words(fact_of(table[0]).date_names)
    named = _named(parsed.core, words)
    if not parsed.constraints:
        role = named or (role_of(parsed.core) if parsed.intent is Intent.WHEN else Role.HELD)
        if role is not Role.END or parsed.intent is Intent.DURATION:
            return parsed
        if NEGATION.search(parsed.core):
            return replace(parsed, present=True)
        return replace(parsed, constraints=(HAS_ENDED,), present=False)
    roles, begin = [], 0
    for constraint in parsed.constraints:
        at = parsed.question.find(constraint.text, begin) if constraint.text else -1
        own = _named(parsed.question[begin : max(at, begin)], words)
        begin = at + len(constraint.text) if at >= 0 else begin
        if own is None and len(parsed.constraints) == 1:
            own = named or (role_of(parsed.core) if constraint.relation is None else None)
        roles.append(own or constraint.role)
    told = zip(parsed.constraints, roles, strict=True)
    return replace(parsed, constraints=tuple(replace(one, role=role) for one, role in told))


def _named(clause: str, words: Mapping[Role, AbstractSet[str]]) -> Role | None:
    """The role of the last word of a clause that names a start or an end; ``None`` without one."""
    for word in reversed(WORD.findall(clause)):
        for role, own in words.items():
            if forms_among(topic_words(word), own):
                return role
    return None


def _words(names: tuple[str, str]) -> Mapping[Role, frozenset[str]]:
    """The words that only the name of the start, and only that of the end has; none for a single date."""
    if not names[1]:
        return {}
    start, end = map(_words_of, names)
    return {Role.START: start - end, Role.END: end - start}


@lru_cache(maxsize=1024)
def _words_of(name: str) -> frozenset[str]:
    """The words of a name that tell what happened, also as the verb of a past tense: "buy" of "Bought"."""
    verbs = (VERB_OF_PAST.get(word.casefold(), "") for word in WORD.findall(name))
    return topic_words(" ".join([name, *verbs])) - OF_ANY_FACT - _OF_ANYTHING
