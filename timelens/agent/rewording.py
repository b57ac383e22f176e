"""An answer in a model's words: as it is, as a guess, or not at all, by what was found without the model."""

from collections.abc import Generator, Sequence
from itertools import chain

from timelens.agent.events import Answerer, Token
from timelens.answer.attribution import attributed
from timelens.answer.model import Draft, Status, Support, Thought
from timelens.answer.numbering import numbers_cited, without_citations
from timelens.answer.prompt import NO_ANSWER, CitationFilter
from timelens.answer.timeline import Timeline
from timelens.answer.verify import Checked, check
from timelens.question.model import ParsedQuestion
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Interval

_NOT_KEPT = "the model changed or left out what the records say; the answer shown is that of the records"
_GUESS = "Perhaps: "
"""Before a model's words where no clear statement was found: they are wrong more often than right."""


def reworded(
    answerer: Answerer,
    draft: Draft,
    *,
    parsed: ParsedQuestion,
    timeline: Timeline,
    unanswered: Sequence[Interval],
    conventions: Conventions,
) -> Generator[Thought | Token, None, tuple[Draft, str, tuple[str, ...]]]:
    """The draft in the model's words, streamed; these words as they came; what the user should know of it.

    What records say exactly is shown once it is clear that the words leave none of it out and change nothing,
    and the beginning once it is clear that it is no refusal. Citations alone are no words. ``unanswered`` are
    the times that an answer may name to say that there is no evidence for them.
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
    """Whether there are texts on the topic, and no clear statement was found in them."""
    return draft.status is Status.NO_ANSWER and bool(draft.nearest)


def _has_words(text: str) -> bool:
    """Whether a text is more than citations and marks."""
    return any(map(str.isalnum, without_citations(text)))


def _may_refuse(text: str) -> bool:
    """Whether a model says, or may be about to say, that the evidence holds no answer."""
    return _refuses(text) or NO_ANSWER.startswith(text.lstrip())


def _refuses(text: str) -> bool:
    """Whether a model says that the evidence holds no answer."""
    return text.lstrip().startswith(NO_ANSWER)


def _put(text: str, draft: Draft) -> str:
    """A model's words as they are shown: as a guess where no clear statement was found."""
    return f"{_GUESS}{text.lstrip()}" if is_unclear(draft) else text


def _is_exact(draft: Draft, timeline: Timeline) -> bool:
    """Whether a draft is computed from rows of tables alone."""
    answered = draft.status is Status.ANSWERED and bool(draft.values)
    return answered and timeline.records.issuperset(
        number for value in draft.values for number in value.citations
    )


def _keeps(written: Draft, draft: Draft, checked: Checked) -> bool:
    """Whether the words have every value of a draft, and nothing that their evidence does not bear out."""
    complete = len(written.values) == len(draft.values)
    stated = [one.support for one in checked.references] + [one.support for one in checked.claims]
    return complete and set(stated) <= {Support.SUPPORTED}


def _attributed(text: str, parsed: ParsedQuestion, timeline: Timeline) -> str:
    """The citation that an answer lacks, where one piece of evidence bears all of it out."""
    if numbers_cited(text) or _refuses(text):
        return ""
    citation = attributed(text, parsed.question, timeline.citations)
    return "" if citation is None else f" [{citation.number}]"


def _written(text: str, draft: Draft, timeline: Timeline) -> Draft:
    """A draft in the model's words: with the citations it uses and the values it names.

    Where no clear statement was found they are no answer, and the nearest passages stand below them.
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
