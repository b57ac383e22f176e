"""Measures how much of a question's topic a piece of evidence covers. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from timelens.answer.sentences import sender_of
from timelens.documents import Hit
from timelens.lexicon import COLUMN_NOUNS, LEADING_OFFICES
from timelens.question.intent import asks_for_person
from timelens.question.names import names_in
from timelens.words import WORD, shared_start, topic_words

_UNKNOWN = 0.5
"""Weight of a word that is in no evidence, relative to the weight of the rarest word."""
_EVEN = 0.3
"""Constant part of every word's weight, relative to the weight of the rarest word."""
_NAME = 1.5
"""Weight multiplier for a word of a name."""
_NAMED = 0.5
"""Minimum share of a name's weight for the name to count as present: "Merkel" for "Angela Merkel"."""


ASKING = topic_words(
    "most recent recently latest newest current currently right name person people individual someone "
    "position post role job term office serve served hold held occupy tell identify provide associated called"
)
"""Words of a question that evidence need not contain."""
_POSTS = next(topic_words(" ".join(nouns)) for nouns, _ in COLUMN_NOUNS if "post" in nouns)
"""Words for a post: the topic of a question that has no other words and does not ask who."""
_OFFICE = topic_words("office")
_OF_A_POST = re.compile(
    r"\bwho(?:m|se)?\b|\boffice of\b"
    r"|\b(?:in|into|of|to|for|h[eo]ld\w*|took|tak(?:e|en|es|ing)|le(?:ave|ft|aving)) office\b",
    re.IGNORECASE,
)
"""A question in which "office" is a post; elsewhere it is a place, which evidence has to name."""


LEADING = topic_words("lead leads led leading leader headed chaired")
"""Verbs and nouns for leading something."""
OFFICES = topic_words(" ".join(LEADING_OFFICES))
"""Offices whose names count as words for leading."""


class Topic:
    """The words of a question, each weighted by its rarity in the evidence, and its names."""

    def __init__(self, question: str, evidence: Iterable[AbstractSet[str]]) -> None:
        """``evidence``: the topic words of each piece; they determine the weights."""
        pieces = list(evidence)
        in_names = frozenset[str]().union(*map(topic_words, names_in(question)))
        known = _known_forms(question, in_names, pieces)

        def of_evidence(words: AbstractSet[str]) -> frozenset[str]:
            return frozenset(known.get(word, word) for word in words)

        asking = ASKING if _OF_A_POST.search(question) else ASKING - _OFFICE
        words = of_evidence(topic_words(question))
        self.words = words - asking or (frozenset() if asks_for_person(question) else words & _POSTS)
        self._first = next(iter(question.split()), "").rstrip("?.,:;!")
        self.names = {name: of_evidence(topic_words(name)) for name in names_in(question)}
        self._leading = self.words & LEADING
        pieces = list(map(self._with_leading, pieces))
        counts = Counter(word for words in pieces for word in self.words & words)
        self._rarest = math.log(1 + len(pieces) / 0.5) if pieces else 1.0
        self.in_names = frozenset[str]().union(*self.names.values())
        self._weights = {
            word: (_NAME if word in self.in_names else 1.0) * math.log(1 + len(pieces) / (counts[word] + 0.5))
            for word in self.words
        }
        self._known = frozenset(counts)
        self._total = sum(map(self._weight, self.words))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names of the question that are in no evidence.

        The first word of the question is not included: it is capitalised whether it is a name or not.
        """
        return tuple(name for name in self.missing(self._known) if name != self._first)

    def share(self, words: AbstractSet[str]) -> float:
        """The weight of the question's words in ``words``, as a share of the weight of all, 0..1."""
        return self.weight(words) / self._total if self._total else 0.0

    def weight(self, words: AbstractSet[str]) -> float:
        """The weight of the question's words in ``words``."""
        return sum(map(self._weight, self.words & self._with_leading(words)))

    def _with_leading(self, words: AbstractSet[str]) -> AbstractSet[str]:
        """The words, with the question's words for leading added if ``words`` contains an office."""
        return words | self._leading if self._leading and words & OFFICES else words

    def missing(self, words: AbstractSet[str]) -> tuple[str, ...]:
        """The names of the question that are not in ``words``."""
        return tuple(name for name, parts in self.names.items() if not self._speaks_of(parts, words))

    def _speaks_of(self, name: AbstractSet[str], words: AbstractSet[str]) -> bool:
        total = sum(self._weights[word] for word in name if word in self._weights)
        present = sum(self._weights[word] for word in name & words if word in self._weights)
        return present >= _NAMED * total

    def _weight(self, word: str) -> float:
        rarity = self._weights[word] if word in self._known else _UNKNOWN * self._rarest
        return _EVEN * self._rarest + rarity


_SHORTEST_STEM = 5
_SHORTEST, _SHORTEST_NAME = 4, 3
"""Minimum number of letters of a short form, and of a short form of a name."""
_CLIPPED, _CLIPPED_LONG = 3, 6
"""Minimum number of letters that a short form leaves out; and one of three letters ("rep")."""
_SAME_STEM = 0.75
"""Minimum shared prefix of a word and a derived word, relative to the longer one."""


def _known_forms(
    question: str, names: AbstractSet[str], pieces: Sequence[AbstractSet[str]]
) -> dict[str, str]:
    """Maps words that are in no evidence to related words that are: full forms or words of the same root.

    A short form is a prefix of its full form ("telecom" of "telecommunication"; for a name also "fed" of
    "federal"); a derived word shares most of its beginning ("presidency" with "president"). The stem of a
    longer word is no short form: "white" is none of "Whitlock".
    """
    counts = Counter(word for piece in pieces for word in piece)
    stated = {word.casefold() for word in WORD.findall(question)}
    stated |= {word.removesuffix("s") for word in stated}
    forms = {}
    for word in topic_words(question):
        if word in counts or not word.isalpha():
            continue
        shortest = _SHORTEST_NAME if word in names else _SHORTEST
        alike = [other for other in counts if _is_form(word, other, shortest if word in stated else None)]
        if alike:
            forms[word] = max(alike, key=lambda other: (counts[other], other))
    return forms


def _is_form(word: str, other: str, shortest: int | None) -> bool:
    """Whether a word is a form of another one; ``shortest``: letters of a short form, if it may be one."""
    if word[0] != other[0] or not other.isalpha():
        return False
    if shortest is not None and other.startswith(word):
        left_out = len(other) - len(word)
        return (len(word) >= shortest and left_out >= _CLIPPED) or (
            len(word) >= _SHORTEST_NAME and left_out >= _CLIPPED_LONG
        )
    return shared_start(word, other) >= max(_SHORTEST_STEM, _SAME_STEM * max(len(word), len(other)))


def words_of(hit: Hit) -> frozenset[str]:
    """The topic words of a hit's chunk and title."""
    return _words_of(hit.chunk.content)


@lru_cache(maxsize=1024)
def _words_of(content: str) -> frozenset[str]:
    """The same, kept because one answer needs them many times."""
    return topic_words(content)


def said_by(hit: Hit) -> frozenset[str]:
    """The topic words of a hit's best sentence, its title, and who wrote the message that it is in."""
    sender = "" if hit.sentence is None else sender_of(hit.chunk, hit.sentence)
    return topic_words(f"{hit.chunk.title} {sender} {hit.said}")


def topic_of(question: str, hits: Sequence[Hit]) -> Topic:
    """The topic of a question, weighted by the evidence retrieved for it."""
    return Topic(question, map(words_of, hits))


_ABOUT = 0.5
"""Share of the question's words from which evidence is on topic, whatever its similarity."""
_NEAR, _NEAR_WITH_WORDS = 0.45, 0.3
"""Cosine similarity from which evidence is on topic: without words of the question, and with ``_SOME``."""
_SOME = 0.2
_SAMPLE = 40
"""Pieces of the pool that are used for the weights of words."""


def on_topic(core: str, hits: Sequence[Hit], pool: Sequence[Hit]) -> list[Hit]:
    """The hits on the topic of ``core``; ``pool`` adds evidence for the weights of words.

    A passage that was found only by its time is not on topic.
    """
    topic = topic_of(core, [*hits, *pool[:_SAMPLE]])
    return [hit for hit in hits if is_about(topic, hit)]


def is_about(topic: Topic, hit: Hit) -> bool:
    """Whether a hit is on topic, by its words and its similarity; a topic without words admits all hits."""
    if not topic.words:
        return True
    share = topic.share(words_of(hit))
    near = hit.scores.semantic or 0.0
    return near >= _NEAR or (near >= _NEAR_WITH_WORDS and share >= _SOME) or share >= _ABOUT
