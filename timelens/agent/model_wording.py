"""Rewords a draft with a model; its text is shown as the answer, as a guess, or not at all."""

from collections.abc import Generator, Sequence
from itertools import chain

from timelens.agent.events import Answerer, Token
from timelens.answer.citation_numbers import numbers_cited, without_citations
from timelens.answer.draft import Draft, Status, Support, Thought
from timelens.answer.rendering.timeline import Timeline
from timelens.answer.verification.attribution import attributed
from timelens.answer.verification.verify import Checked, check
from timelens.answer.writing.answer_prompt import NO_ANSWER, CitationFilter
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Interval

_NOT_KEPT = "the model changed or left out what the records say; the answer shown is that of the records"
_GUESS = "Perhaps: "
"""Prefix of a model's text if no clear statement was found: it is wrong more often than right."""


def model_wording(
    answerer: Answerer,
    draft: Draft,
    *,
    parsed: ParsedQuestion,
    timeline: Timeline,
    unanswered: Sequence[Interval],
    conventions: Conventions,
) -> Generator[Thought | Token, None, tuple[Draft, str, tuple[str, ...]]]:
    """Stream the draft in the model's words.

    The text of an exact draft (from table rows alone) is held back until it is known to be complete and
    supported; the beginning of a guess, until it is known not to be a refusal. A text of citations alone
    counts as empty. ``unanswered`` are the times that an answer may name to report that there is no evidence
    for them.

    Returns:
        The new draft, the verbatim text of the model, and notes for the user.
    """
    filtered = CitationFilter({citation.number for citation in timeline.citations})
    exact = _is_exact(draft, timeline)
    text = raw = sent = ""
    for piece in chain(answerer.write(parsed, timeline, draft), (None,)):
        if isinstance(piece, Thought):
            yield piece
            continue
        raw += piece or ""
        text += filtered.rest() if piece is None else filtered.take(piece)
        held = exact or not _has_words(text) or (is_unclear(draft) and _may_refuse(text))
        shown = sent if held else _put(text, draft)
        if shown != sent:
            yield Token(shown.removeprefix(sent))
            sent = shown
    if not _has_words(text):
        yield Token(draft.text)
        instead = "; the answer shown is that of the evidence" if draft.text else ""
        return draft, raw, (*answerer.notes, f"the model wrote nothing{instead}")
    written = _written(f"{text}{_attributed(text, parsed, timeline)}", draft, timeline)
    if exact and not _keeps(written, draft, check(written, unanswered, conventions)):
        yield Token(draft.text)
        return draft, raw, (*answerer.notes, _NOT_KEPT)
    if rest := written.text.removeprefix(sent):
        yield Token(rest)
    if written.status is Status.NO_ANSWER or written.citations:
        return written, raw, answerer.notes
    uncited = "the model's answer cites no evidence, so nothing in it could be checked"
    return written, raw, (*answerer.notes, uncited)


def is_unclear(draft: Draft) -> bool:
    """Whether a draft is a refusal with nearest texts: on topic, without a clear statement."""
    near = (one.citation.hit.chunk for one in draft.nearest)
    return draft.status is Status.NO_ANSWER and any(chunk.fact is None for chunk in near)


def _has_words(text: str) -> bool:
    """Whether a text contains more than citations and punctuation."""
    return any(map(str.isalnum, without_citations(text)))


def _may_refuse(text: str) -> bool:
    """Whether the text is a refusal, or may become one."""
    return _refuses(text) or NO_ANSWER.startswith(text.lstrip())


def _refuses(text: str) -> bool:
    """Whether the text begins with the refusal that the prompt asks for."""
    return text.lstrip().startswith(NO_ANSWER)


def _put(text: str, draft: Draft) -> str:
    """A model's text as it is shown: with the prefix of a guess if no clear statement was found."""
    return f"{_GUESS}{text.lstrip()}" if is_unclear(draft) else text


def _is_exact(draft: Draft, timeline: Timeline) -> bool:
    """Whether a draft is computed from table rows alone."""
    answered = draft.status is Status.ANSWERED and bool(draft.values)
    return answered and timeline.records.issuperset(
        number for value in draft.values for number in value.citations
    )


def _keeps(written: Draft, draft: Draft, checked: Checked) -> bool:
    """Whether a model's text has every value of the draft, and all its times and lines are supported."""
    complete = len(written.values) == len(draft.values)
    stated = [one.support for one in checked.references] + [one.support for one in checked.claims]
    return complete and set(stated) <= {Support.SUPPORTED}


def _attributed(text: str, parsed: ParsedQuestion, timeline: Timeline) -> str:
    """The missing citation of an answer, if one piece of evidence supports all of it; else empty."""
    if numbers_cited(text) or _refuses(text):
        return ""
    citation = attributed(text, parsed.question, timeline.citations)
    return "" if citation is None else f" [{citation.number}]"


def _written(text: str, draft: Draft, timeline: Timeline) -> Draft:
    """The draft of a model's text, with the citations and values that it contains.

    If no clear statement was found, it is a guess without the status of an answer, followed by the nearest
    passages.
    """
    used = set(numbers_cited(text))
    nearest = tuple(near for near in draft.nearest if near.citation.number not in used)
    citations = sorted((c for c in timeline.citations if c.number in used), key=lambda c: c.number)
    if _refuses(text):
        return Draft(Status.NO_ANSWER, text, (), tuple(citations), nearest=nearest)
    if is_unclear(draft):
        guess = f"{_put(text, draft)}\n{draft.text}"
        return Draft(Status.NO_ANSWER, guess, (), tuple(citations), nearest=nearest)
    values = tuple(value for value in draft.values if value.text.casefold() in text.casefold())
    return Draft(
        draft.status,
        text,
        values,
        tuple(citations),
        derived=draft.derived,
        nearest=nearest,
        series=draft.series,
    )
