"""A way to answer from a list of changes: which version was in use, or came before or after another one."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from timelens.answer.citation_numbers import in_a_row
from timelens.answer.draft import Draft, Statement
from timelens.answer.extractive.case import Case
from timelens.answer.operations import nth
from timelens.answer.text.moments import asks_for_moment
from timelens.answer.text.versions import is_same_version, version_named, version_of, versions_in
from timelens.answer.writing.drafts import from_name, with_events
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import day_interval
from timelens.temporal.phrasing import phrase
from timelens.words import topic_words

_ASKED = re.compile(
    r"^\W*(?:what|which)\s+(?:(?:was|is)\s+)?(?:the\s+)?(?:[^\W\d_]+\s+){0,2}?(?:version|release|update)\b",
    re.IGNORECASE,
)
_CAME = re.compile(r"^\W*what\s+(?:came|followed|replaced|preceded)\b", re.IGNORECASE)
_KNOWN = topic_words(
    "version release update current latest newest last first next previous use used using running installed "
    "force available out come came released have run get got we our now today"
)
"""Words of a question that say no more than which version is meant."""
_BROUGHT = topic_words("added add introduced brought included contained got had with feature")
"""Words for a change that need not be said where it stands alone: "- Photo mode"."""
_AHEAD, _BEHIND = frozenset({Relation.AFTER, Relation.SINCE}), frozenset({Relation.BEFORE, Relation.BY})


def by_versions(case: Case) -> Draft | None:
    """The version of a list of changes at the asked time, or at the asked place in its order."""
    parsed = case.parsed
    if (released := _when_released(case)) is not None:
        return released
    if not case.is_one or not (_ASKED.match(parsed.question) or _is_beside_version(case)):
        return None
    versions = versions_in(case.texts)
    if len({one.hit.chunk.document_id for one in versions}) != 1:
        return None
    known = _KNOWN.union(*(topic_words(one.subject) for one in versions), topic_words(_events(case)))
    said = topic_words(parsed.core) - known
    chosen = _with_change(case, versions, said) if said else _chosen(parsed, versions)
    drafts = [from_name(one.value, [one.hit], case.expected, case.topic, one.probability) for one in chosen]
    return with_events(in_a_row(drafts), case.events) if drafts else None


def _when_released(case: Case) -> Draft | None:
    """The day of a version, if the question asks when that came out."""
    number, asked = version_named(case.parsed.question), topic_words(case.parsed.core)
    if number is None or not asks_for_moment(case.parsed):
        return None
    found = [one for one in versions_in(case.texts) if is_same_version(one.value, number)]
    if len(found) != 1 or (days := found[0].interval) is None:
        return None
    (one,) = found
    if not asked - topic_words(number) - topic_words(one.value) <= _KNOWN | topic_words(one.subject):
        return None
    return from_name(phrase(days), [one.hit], case.expected, case.topic, one.probability)


def _with_change(case: Case, versions: Sequence[Statement], said: AbstractSet[str]) -> Sequence[Statement]:
    """The first version with a change in whose sentence all words of the question are: "photo mode"."""
    words = said - _BROUGHT
    if not words or case.parsed.periods or case.parsed.implicit:
        return ()
    first = {one.value: one for one in versions}
    found = []
    for hit in case.texts:
        number = version_of(hit)
        telling = [n for n in range(len(hit.chunk.sentences)) if words <= topic_words(hit.chunk.sentence(n))]
        if number in first and telling:
            found.append(replace(first[number], hit=replace(hit, sentence=telling[0])))
    return nth(found, "first")[:1]


def _events(case: Case) -> str:
    named = [event.text for event in case.events]
    return " ".join([*named, *(time.text for time in case.parsed.implicit)])


def _is_beside_version(case: Case) -> bool:
    """Whether the question asks what came before or after a version."""
    return _CAME.match(case.parsed.question) is not None and version_named(_events(case)) is not None


def _chosen(parsed: ParsedQuestion, versions: Sequence[Statement]) -> Sequence[Statement]:
    """The version that the order or the time of a question means; of a stretch of time, all in use then."""
    relation = next((one.relation for one in parsed.constraints if one.interval is not None), None)
    window = parsed.window
    if parsed.implicit or (window is None and parsed.ordinal is None and not parsed.is_of_now):
        return ()
    if window is None and parsed.ordinal not in {None, "last"}:
        return nth(versions, parsed.ordinal or "last")
    start, end = (window or day_interval(parsed.reference_day)).bounds
    begun = [(one.interval.bounds[0], one) for one in versions if one.interval is not None]
    if window is None:
        return [one for begins, one in begun if begins < end][-1:]
    inside = [one for begins, one in begun if start <= begins < end]
    if parsed.ordinal is not None or relation in _AHEAD | _BEHIND:
        return nth(inside, parsed.ordinal or ("first" if relation in _AHEAD else "last"))
    return [*[one for begins, one in begun if begins < start][-1:], *inside]
