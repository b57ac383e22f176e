"""Reads a question in the words of a corpus, before it is parsed."""

from collections.abc import Sequence

from timelens.documents import Chunk
from timelens.question.spelling import WORD, Mended, Vocabulary, is_lower, mend, unusual
from timelens.retrieval.searcher import Searcher

_CHUNKS = 60
"""Chunks of each search whose words are looked at."""


def mended(question: str, searcher: Searcher, *, certain: bool) -> Mended:
    """The question with names as the corpus writes them, and words that it does not hold read as some it does.

    What a careful question costs is to look its rare words up. Only one that names nothing by its case, has an
    unknown word, or is not ``certain`` (put together from a conversation), is held against the words of its
    evidence.
    """
    words = unusual(question)
    forms = {word: _forms(word) for word in words}
    every = [form for some in forms.values() for form in some]
    known = dict(zip(every, searcher.are_common(every), strict=True))
    common = {word: any(known[form] for form in some) for word, some in forms.items()}
    careless = is_lower(question) or not certain
    looked_up = [word for word in common if careless or not common[word]]
    unknown = [word for word in looked_up if not searcher.keyword(word, 1)]
    if not careless and not unknown:
        return Mended(question, ())
    alike = {word: _words(searcher.spelt_like(word)) if not common[word] else [] for word in unknown}
    [(near, matching)] = searcher.both(question, _CHUNKS, [()])
    chunks = {hit.chunk.id: hit.chunk for hit in (*near, *matching)}.values()
    prose = [chunk.content for chunk in chunks if chunk.fact is None]
    rows = [[value for _, value in chunk.fact.fields] for chunk in chunks if chunk.fact is not None]
    vocabulary = Vocabulary(prose, rows)
    return mend(question, vocabulary, alike, is_common=lambda word: _is_common(word, common, searcher))


def _is_common(word: str, known: dict[str, bool], searcher: Searcher) -> bool:
    """Whether a word, or one that it is an inflection of, is common in the language."""
    if word not in known:
        [known[word]] = searcher.are_common([word])
    return known[word]


def _forms(word: str) -> list[str]:
    """A word, and what it may be an inflection of."""
    stems = [word.removesuffix(ending) for ending in ("s", "es", "ed", "ing", "er") if word.endswith(ending)]
    stems += [word[:-1]] if word.endswith("ed") else []
    return [word, *(stem for stem in stems if len(stem) > 2)]


def _words(chunks: Sequence[Chunk]) -> list[str]:
    return [word for chunk in chunks for word in WORD.findall(chunk.content)]
