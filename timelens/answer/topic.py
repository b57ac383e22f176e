"""How far a piece of evidence speaks of what a question is about. Pure."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from timelens.documents import Hit
from timelens.lexicon import LEADING_OFFICES
from timelens.question.names import names_in
from timelens.words import shared_start, topic_words

_UNKNOWN = 0.5
"""Weight of a word that no evidence has, as a part of the weight of the rarest word there is."""
_EVEN = 0.3
"""What every word weighs, whatever its rarity, as a part of the weight of the rarest."""
_NAME = 1.5
"""How much more a word counts that is part of a name."""
_NAMED = 0.5
"""A name is spoken of when words with this part of its weight are: "Merkel" for "Angela Merkel"."""


ASKING = topic_words(
    "most recent recently latest newest current currently right name person people individual someone "
    "position post role term office serve served hold held occupy tell identify provide associated called"
)
"""Words that a question asks with, or keeps beside a date, and evidence need not have."""


LEADING = topic_words("lead leads led leading leader headed chaired")
"""Words for leading something."""
OFFICES = topic_words(" ".join(LEADING_OFFICES))
"""Who led something is told by the name of an office."""


class Topic:
    """The words of a question, each weighted by its rarity in the evidence, and its names."""

    def __init__(self, question: str, evidence: Iterable[AbstractSet[str]]) -> None:
        """``evidence``: the topic words of each piece."""
        pieces = list(evidence)
        in_names = frozenset[str]().union(*map(topic_words, names_in(question)))
        known = _known_forms(topic_words(question), in_names, pieces)

        def of_evidence(words: AbstractSet[str]) -> frozenset[str]:
            return frozenset(known.get(word, word) for word in words)

        self.words = of_evidence(topic_words(question)) - ASKING
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
        """The names of the question that no evidence speaks of.

        A single word at its beginning has a capital whether it is a name or not.
        """
        return tuple(name for name in self.missing(self._known) if name != self._first)

    def share(self, words: AbstractSet[str]) -> float:
        """The weight of the question's words that are among these, as a share of all, 0..1."""
        return self.weight(words) / self._total if self._total else 0.0

    def weight(self, words: AbstractSet[str]) -> float:
        """The weight of the question's words among these."""
        return sum(map(self._weight, self.words & self._with_leading(words)))

    def _with_leading(self, words: AbstractSet[str]) -> AbstractSet[str]:
        """The words, with those for leading that the question has if they name an office that leads."""
        return words | self._leading if self._leading and words & OFFICES else words

    def missing(self, words: AbstractSet[str]) -> tuple[str, ...]:
        """The names of the question that these words do not speak of."""
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
"""Letters of a short form at least, and of one that is a name."""
_CLIPPED = 3
"""Letters that a short form leaves out at least."""
_SAME_STEM = 0.75
"""The part of the longer of two words that they have in common at the beginning, as derived words have."""


def _known_forms(
    words: AbstractSet[str], names: AbstractSet[str], pieces: Sequence[AbstractSet[str]]
) -> dict[str, str]:
    """For words that no evidence has, one that it has: what they are short for, or derived from.

    A short form is the beginning of the whole ("telecom" for "telecommunication", of a name also "fed" for
    "federal"); a derived word begins like the other ("presidency" like "president").
    """
    counts = Counter(word for piece in pieces for word in piece)
    forms = {}
    for word in words:
        if word in counts or not word.isalpha():
            continue
        shortest = _SHORTEST_NAME if word in names else _SHORTEST
        alike = [other for other in counts if _is_form(word, other, shortest)]
        if alike:
            forms[word] = max(alike, key=lambda other: (counts[other], other))
    return forms


def _is_form(word: str, other: str, shortest: int) -> bool:
    if word[0] != other[0] or not other.isalpha():
        return False
    if other.startswith(word):
        return len(word) >= shortest and len(other) - len(word) >= _CLIPPED
    return shared_start(word, other) >= max(_SHORTEST_STEM, _SAME_STEM * max(len(word), len(other)))


def words_of(hit: Hit) -> frozenset[str]:
    """The topic words of a piece of evidence, with its title."""
    return topic_words(hit.chunk.content)


def said_by(hit: Hit) -> frozenset[str]:
    """The topic words of the best sentence of a piece of evidence, with its title."""
    return topic_words(f"{hit.chunk.title} {hit.said}")


def topic_of(question: str, hits: Sequence[Hit]) -> Topic:
    """The topic of a question against all evidence that was found for it."""
    return Topic(question, map(words_of, hits))


_ABOUT = 0.5
"""The share of the question's words by which evidence is on topic whatever its meaning is near to."""
_NEAR, _NEAR_WITH_WORDS = 0.45, 0.3
"""Cosine similarity by which it is, without any of the words and with some of them."""
_SOME = 0.2
_SAMPLE = 40
"""Pieces of evidence that show how rare a word is, where no more than that is asked of them."""


def on_topic(core: str, hits: Sequence[Hit], pool: Sequence[Hit]) -> list[Hit]:
    """The evidence that speaks of a question's topic ``core``; ``pool`` shows which of its words are rare.

    A passage found for its time alone covers nothing.
    """
    topic = topic_of(core, [*hits, *pool[:_SAMPLE]])
    return [hit for hit in hits if is_about(topic, hit)]


def is_about(topic: Topic, hit: Hit) -> bool:
    """Whether a piece of evidence speaks of a topic, by its words and its meaning; without one all do."""
    if not topic.words:
        return True
    share = topic.share(words_of(hit))
    near = hit.scores.semantic or 0.0
    return near >= _NEAR or (near >= _NEAR_WITH_WORDS and share >= _SOME) or share >= _ABOUT
