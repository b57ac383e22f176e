"""How a question is worded before it is parsed: by itself, plainly, in the words of the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

from timelens.documents import Chunk
from timelens.question.colloquial import plainly
from timelens.question.conversation import Turn
from timelens.question.followup import resolve
from timelens.question.spelling import WORD, Mended, Mender, Vocabulary, is_lower, unusual
from timelens.retrieval.searcher import Searcher
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions
from timelens.temporal.languages import language_of, words_in

_CHUNKS = 60
"""Chunks of each search whose words are looked at."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A question as it is answered."""

    text: str
    follows: bool
    """Whether it is put together from what was said before."""
    notes: tuple[str, ...]
    """What the user should know of how the question was read."""


def reworded(
    question: str,
    after: Turn | None,
    reference_day: Day,
    conventions: Conventions,
    searcher: Searcher,
    *,
    plain: bool,
) -> Wording:
    """The question so that it stands by itself and its names are those of the corpus.

    ``after`` is what was said before, which it may follow up on. If not ``plain``, that is all that is done,
    and to questions in other languages than English.
    """
    follows = None if after is None else resolve(question, after, reference_day, conventions)
    mended = Mended(follows or question, ())
    if plain and language_of(words_in(mended.text)) is None:
        mended = _mended(plainly(mended.text, reference_day), searcher, certain=follows is None)
    notes = [] if follows is None else [f"read as: {mended.text}"]
    notes += [f"“{old}” is read as “{new}”" for old, new in mended.read]
    return Wording(mended.text, follows is not None, tuple(notes))


def _mended(question: str, searcher: Searcher, *, certain: bool) -> Mended:
    """The question with names as the corpus writes them, and words that it lacks read as some it has.

    For a careful question only rare words are looked up. One that names nothing by its case, has an unknown
    word, or is not ``certain`` (put together from a conversation), is held against its evidence.
    """
    words = unusual(question)
    common = _common(words, searcher)
    careless = is_lower(question) or not certain
    unknown = [word for word in words if (careless or not common[word]) and not searcher.has_word(word)]
    if not careless and not unknown:
        return Mended(question, ())
    alike = {word: [] if common[word] else _words(searcher.spelt_like(word)) for word in unknown}
    found = (*searcher.dense(question, _CHUNKS), *searcher.keyword(question, _CHUNKS))
    chunks = {hit.chunk.id: hit.chunk for hit in found}.values()
    vocabulary = Vocabulary(
        [chunk.content for chunk in chunks if chunk.fact is None],
        [[value for _, value in chunk.fact.fields] for chunk in chunks if chunk.fact is not None],
    )
    return Mender(vocabulary, alike, lambda word: common.get(word, False)).mend(question, cased=not careless)


def _common(words: Sequence[str], searcher: Searcher) -> dict[str, bool]:
    """For each word whether it, or one that it may be an inflection of, is common in the language."""
    forms = {word: _forms(word) for word in words}
    every = [form for some in forms.values() for form in some]
    known = dict(zip(every, searcher.are_common(every), strict=True))
    return {word: any(known[form] for form in some) for word, some in forms.items()}


def _forms(word: str) -> list[str]:
    stems = [word.removesuffix(ending) for ending in ("s", "es", "ed", "ing", "er") if word.endswith(ending)]
    stems += [word[:-1]] if word.endswith("ed") else []
    return [word, *(stem for stem in stems if len(stem) > 2)]


def _words(chunks: Sequence[Chunk]) -> list[str]:
    return [word for chunk in chunks for word in WORD.findall(chunk.content)]
