"""Rewrites a question before parsing: self-contained, plain, and in the words of the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

from timelens.documents import Chunk
from timelens.question.followup.conversation import Turn
from timelens.question.followup.resolve import resolve, told_already
from timelens.question.normalise.colloquial import plainly
from timelens.question.normalise.spelling import (
    WORD,
    CorrectedQuestion,
    SpellingCorrector,
    Vocabulary,
    is_lower,
    unusual,
)
from timelens.question.parse import parse
from timelens.question.tense import in_past, in_present
from timelens.retrieval.searcher import Searcher
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions
from timelens.temporal.languages import language_of, words_in

_CHUNKS = 60
"""Chunks of each search that form the vocabulary."""
_PREFIXES = ("re", "un", "over", "mis", "pre", "out")
"""Prefixes that make a further word of a common one."""


@dataclass(frozen=True, slots=True)
class RewrittenQuestion:
    """A rewritten question."""

    text: str
    follows: bool
    """Whether it is a follow-up resolved against the previous turn."""
    notes: tuple[str, ...]
    """Notes for the user on the changes."""
    told: str | None = None
    """The answer before it, which a follow-up for its neighbour does not ask for."""


def rewritten(
    question: str,
    after: Turn | None,
    reference_day: Day,
    conventions: Conventions,
    searcher: Searcher,
    *,
    plain: bool,
) -> RewrittenQuestion:
    """The self-contained question, with names and words as in the corpus.

    ``after`` is the previous turn. If not ``plain``, or if the question is not in English, only follow-ups
    are resolved.
    """
    follows = None if after is None else resolve(question, after, reference_day, conventions)
    if follows is not None:
        follows = _agreeing(follows, reference_day, conventions, searcher)
    mended = CorrectedQuestion(follows or question, ())
    if plain and language_of(words_in(mended.text)) is None:
        mended = _mended(plainly(mended.text, reference_day), searcher, certain=follows is None)
    notes = [] if follows is None else [f"read as: {mended.text}"]
    notes += [f"“{old}” is read as “{new}”" for old, new in mended.read]
    told = None
    if after is not None and follows is not None:
        told = told_already(question, after, reference_day, conventions)
    return RewrittenQuestion(mended.text, follows is not None, tuple(notes), told)


def _agreeing(question: str, reference_day: Day, conventions: Conventions, searcher: Searcher) -> str:
    """A follow-up with its verb in the tense of its only time, which is now or a past one."""
    parsed = parse(question, reference_day, conventions)
    if len(parsed.periods) != 1 or parsed.implicit:
        return question
    if parsed.current:
        return in_present(question, lambda word: searcher.are_common([word])[0])
    end = parsed.periods[0].interval.end
    return in_past(question) if end is not None and end <= reference_day else question


def _mended(question: str, searcher: Searcher, *, certain: bool) -> CorrectedQuestion:
    """The question with names and unknown words replaced by those of the corpus.

    For a cleanly written question, only rare words are checked against the corpus. A question without
    capitalised names, with an unknown word, or resolved from a conversation (not ``certain``) is compared
    with the vocabulary of its evidence.
    """
    words = unusual(question)
    common = _common(words, searcher)
    careless = is_lower(question) or not certain
    unknown = [word for word in words if (careless or not common[word]) and not searcher.has_word(word)]
    if not careless and not unknown:
        return CorrectedQuestion(question, ())
    alike = {word: [] if common[word] else _words(searcher.spelt_like(word)) for word in unknown}
    found = (*searcher.dense(question, _CHUNKS), *searcher.keyword(question, _CHUNKS))
    chunks = {hit.chunk.id: hit.chunk for hit in found}.values()
    vocabulary = Vocabulary(
        [f"{chunk.title}\n\n{chunk.text}" for chunk in chunks if chunk.fact is None],
        [[value for _, value in chunk.fact.fields] for chunk in chunks if chunk.fact is not None],
    )
    return SpellingCorrector(vocabulary, alike, lambda word: common.get(word, False)).mend(
        question, cased=not careless
    )


def _common(words: Sequence[str], searcher: Searcher) -> dict[str, bool]:
    """For each word, whether it or a possible base form of it is common in the language."""
    forms = {word: _forms(word) for word in words}
    every = [form for some in forms.values() for form in some]
    known = dict(zip(every, searcher.are_common(every), strict=True))
    return {word: any(known[form] for form in some) for word, some in forms.items()}


def _forms(word: str) -> list[str]:
    """A word, and what is left without an ending, a prefix, or both ("rewired": "wired", "wire")."""
    rests = (word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix))
    bases = [word, *(rest for rest in rests if len(rest) > 3)]
    return [form for base in bases for form in _without_ending(base)]


def _without_ending(word: str) -> list[str]:
    stems = [word.removesuffix(ending) for ending in ("s", "es", "ed", "ing", "er") if word.endswith(ending)]
    stems += [word[:-1]] if word.endswith("ed") else []
    return [word, *(stem for stem in stems if len(stem) > 2)]


def _words(chunks: Sequence[Chunk]) -> list[str]:
    return [word for chunk in chunks for word in WORD.findall(chunk.content)]
