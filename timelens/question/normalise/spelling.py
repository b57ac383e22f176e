"""Normalises a question to the words of a corpus: names, typing errors and short forms. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from timelens.lexicon import (
    AUXILIARIES,
    DECADES,
    LEADING_OFFICES,
    MONTH_FORMS,
    SEASONS,
    WEEKDAY_FORMS,
    one_of,
)
from timelens.question.names import names_in
from timelens.words import CAPITAL, COUNTRY_WORDS, STOP_WORDS, shared_start, unaccented

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SPACE = r"(?:[^\S\n]+\n?[^\S\n]*|\n[^\S\n]*)"
"""What stands between the words of a name: a blank line ends it."""
_NAME = re.compile(
    rf"{CAPITAL}[\w’'-]*(?:{_SPACE}(?:(?:of|the|for|and|on){_SPACE}){{0,2}}{CAPITAL}[\w’'-]*)+"
)
_WITHIN = re.compile(r"[^\W\d_][,'’]?\s\Z")
"""The context before a word that is not at the beginning of a sentence, a line or an entry."""
_CAPITALS = re.compile(r"[A-Z]{2}\W{1,2}$")
"""The end of a word in capitals, before another word."""
_MOSTLY = 0.9
"""Minimum share of capitalised occurrences of a word that is a name."""
_DOMINANT = 0.1
"""Minimum share of the evidence with a name for its clipped form ("fed") to be expanded."""
_RATHER = 3
"""A name must be more than this many times as frequent as its initials to replace them."""
_LONGEST_INITIALS, _CLIPPED = 5, 3
_SHORT, _LONG = 4, 7
"""Minimum number of letters of a word with one error, and with two errors."""
GRAMMAR = STOP_WORDS.union(
    (
        "against happen happened since until when where while which please about because finally first "
        "second third last early late year month century decade beginning currently government over under "
        "top bottom themselves himself herself itself elsewhere somewhere anywhere"
    ).split(),
    MONTH_FORMS,
    WEEKDAY_FORMS,
    DECADES,
    SEASONS.keys() - {"fall"},  # "fell" and "full" are no misspelt autumns
    (office for office in LEADING_OFFICES if len(office) >= _LONG),
)
"""Common words of questions, which need not be in the corpus."""
_BARE = frozenset(
    "charge power office force total space effect orbit place fact general detail control time life "
    "practice public "
    "history law court use need action power peace debt town school bed hospital prison sight mind part "
    "short full "
    "terms line particular advance person private secret trouble vain return common turn case date".split()
)
"""Nouns that follow a preposition without an article and are not names ("in charge")."""
_BEFORE_VERBS = frozenset("to i we you he she it they".split())
_SUBJECTS = frozenset("who that which it he she".split())
"""Words before a verb of the present that ends in "s"."""
_BEFORE_INFINITIVES = _BEFORE_VERBS.union("who do does did can could will would must may should".split())
_BEFORE_NOUNS = frozenset(
    "the a an our my your his her its their this that these those every each some any no".split()
)
_BEHIND_VERBS = _BEFORE_NOUNS.union("it them him us me in on at for from to with of up down out off".split())
"""Words that stand behind a verb, and not between a possessor and what it has."""
_FINITE = re.compile(rf"\b(?:{one_of(AUXILIARIES)})\b", re.IGNORECASE)
_DERIVED = re.compile(
    r"(?:y|ish|able|ible|ful|less|ive|ous|ing|ed|er|est|ness|ment|tion|sion|ity|ism|wise|like|ward|s)$"
)
"""Endings of derived words, which are rarely names."""


@dataclass(frozen=True, slots=True)
class CorrectedQuestion:
    """A normalised question."""

    text: str
    read: tuple[tuple[str, str], ...]
    """(as written, as read) for each replaced word; changes of case and apostrophes are not listed."""


class Vocabulary:
    """The words and names of texts, with their spelling."""

    def __init__(self, texts: Iterable[str], rows: Iterable[Sequence[str]] = ()) -> None:
        """``texts`` are prose; ``rows`` are the values of facts: names or other short texts.

        The capital of a value such as "Bike hire" makes no name of its first word.
        """
        self._forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.names: Counter[str] = Counter()
        self.pieces = 0
        for text in texts:
            self.pieces += 1
            for match in WORD.finditer(text):
                inside = _WITHIN.search(text, max(0, match.start() - 3), match.start())
                if (inside and not _is_shouted(match, text)) or match.group()[:1].islower():
                    self._count(match.group())
            self.names.update({name for found in _NAME.findall(text) for name in _parts(found)})
        for row in rows:
            self.pieces += 1
            self.names.update({name for value in row for name in _parts(value)})
            for value in row:
                first, *others = [match.group() for match in WORD.finditer(value)] or [""]
                is_phrase = bool(others) and all(map(str.islower, others))
                for word in filter(None, [first.lower() if is_phrase else first, *others]):
                    self._count(word)

    def _count(self, word: str) -> None:
        plain = re.sub(r"['’]s?$", "", word)
        self._forms[_plain(plain)][plain] += 1

    def __contains__(self, word: str) -> bool:
        return _plain(word) in self._forms

    @property
    def words(self) -> Iterable[str]:
        """All words, without case and accents."""
        return self._forms

    def how_often(self, word: str) -> int:
        """The number of occurrences of a word in any case."""
        return sum(self._forms.get(_plain(word), Counter[str]()).values())

    def written(self, word: str) -> str | None:
        """The most frequent capitalised form of a word, if it is nearly always capitalised; else ``None``."""
        forms = self._forms.get(_plain(word))
        if not forms:
            return None
        capital = Counter({form: count for form, count in forms.items() if form[:1].isupper()})
        if capital.total() < _MOSTLY * forms.total():
            return None
        return capital.most_common(1)[0][0]

    def initialled(self, letters: str) -> str | None:
        """The most frequent name of two or more words with these initials; ``None`` if there is none."""
        fitting = [(count, name) for name, count in self.names.items() if letters in _initials(name)]
        return max(fitting)[1] if fitting else None

    def cased(self, text: str) -> str:
        """The text with every name of two or more words in its usual case."""
        folded = text.casefold()
        for name, _ in sorted(self.names.items(), key=lambda item: (len(item[0].split()), item[1])):
            if name.casefold() in folded and len(folded) == len(text):
                pattern = rf"(?<!\w){re.escape(name.casefold())}(?!\w)"
                for match in re.finditer(pattern, folded):
                    text = text[: match.start()] + name + text[match.end() :]
        return text

    def clipped(self, word: str) -> str | None:
        """The most frequent name that begins with these letters, if much of the evidence has it."""
        fitting = [(count, name) for name, count in self.names.items() if _begins(name, word)]
        count, name = max(fitting, default=(0, ""))
        return name if count >= max(_DOMINANT * self.pieces, 3) else None


def _is_shouted(word: re.Match[str], text: str) -> bool:
    """Whether a word and the word before it are in capitals, as in a heading."""
    start = word.start()
    return word.group().isupper() and _CAPITALS.search(text[max(0, start - 4) : start]) is not None


def _parts(name: str) -> Iterable[str]:
    """A name, the names in it between function words, and each without up to two leading words."""
    runs = [name, *re.split(r"\s+(?:(?:of|the|for|and|on)\s+)+", name)]
    for run in dict.fromkeys(runs):
        words = run.split()
        while words and words[0].casefold() in STOP_WORDS:
            words.pop(0)
        for start in range(min(len(words) - 1, 3)):
            if words[start][:1].isupper():
                yield " ".join(words[start:])


def _begins(name: str, word: str) -> bool:
    first, _, rest = name.partition(" ")
    return (
        bool(rest)
        and len(first) > len(word) + 2
        and first.casefold().startswith(word.casefold())
        and len(name.split()) == 2
    )


def _initials(name: str) -> frozenset[str]:
    words = name.split()
    every = "".join(word[0] for word in words).casefold()
    capital = "".join(word[0] for word in words if word[0].isupper()).casefold()
    return frozenset({every, capital}) if len(capital) >= 2 else frozenset()


def is_lower(question: str) -> bool:
    """Whether a question does not use capitals for names.

    A capitalised country or second sentence shows that the user does.
    """
    opening = WORD.match(question)
    cased = opening is not None and opening.group()[0].isupper()
    minded = opening is not None and opening.group().casefold() in COUNTRY_WORDS
    if cased and (minded or re.search(r"[.!?]\s+[A-Z]", question)):
        return False
    return not names_in(question[:1].lower() + question[1:])


def unusual(question: str) -> list[str]:
    """The words of a question that may be misspelt or names: all except common words and short ones."""
    words = (re.sub(r"['’]s?$", "", word) for word in WORD.findall(question))
    return [word for word in words if len(word) >= 3 and word.isalpha() and word.casefold() not in GRAMMAR]


class SpellingCorrector:
    """Replaces words by their forms in a corpus."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        unknown: Mapping[str, Sequence[str]],
        is_common: Callable[[str], bool],
    ) -> None:
        """``vocabulary`` is that of the evidence for the question.

        ``unknown`` maps the words of the question that are not in the corpus to similarly spelt words of the
        corpus; ``is_common`` tells whether a word is common in the language.
        """
        self._vocabulary = vocabulary
        self._unknown = unknown
        self._is_common = is_common

    def mend(self, question: str, *, cased: bool = False) -> CorrectedQuestion:
        """The normalised question; if it is ``cased``, lower-case words are not taken for names."""
        if not cased:
            question = self._vocabulary.cased(question)
        opens = question[:1].isupper()  # then a lower-case word that the corpus does not have is no name
        read: list[tuple[str, str]] = []
        out: list[str] = []
        position, before = 0, ""
        for match in WORD.finditer(question):
            word = re.sub(r"['’]s?$", "", match.group())
            if not question[position : match.start()].isspace():
                before = ""  # "in 1994 compare": the preposition belongs to the year
            other = self._written_out(word, before) or self._respelt(word)
            if other is not None:
                read.append((word, other))
            following = WORD.search(question, match.end())
            after = "" if following is None else following.group().casefold()
            verb = self._is_verb(word.casefold(), before, after, alone=_FINITE.search(question) is None)
            named = (
                None
                if cased or verb or (opens and word in self._unknown)
                else self._named(word, before, last=not after)
            )
            changed = other or named or word
            out += [question[position : match.start()], changed, match.group()[len(word) :]]
            position, before = match.end(), word.casefold()
        text = "".join([*out, question[position:]])
        return CorrectedQuestion(text, tuple(dict.fromkeys(read)))

    def _written_out(self, word: str, before: str) -> str | None:
        """The name that a word abbreviates by its initials or its beginning."""
        plain = word.casefold()
        if plain == "us" and (before == "the" or word.isupper()):
            return self._vocabulary.initialled(plain)
        if plain in GRAMMAR or not 2 <= len(plain) <= _LONGEST_INITIALS or word.istitle():
            return None
        name = self._vocabulary.initialled(plain)
        if name is not None and self._vocabulary.names[name] > _RATHER * self._vocabulary.how_often(word):
            return name
        clipped = word in self._unknown and len(plain) == _CLIPPED
        return self._vocabulary.clipped(plain) if clipped else None

    def _respelt(self, word: str) -> str | None:
        """The correction of a word that neither the corpus nor the language has."""
        if word not in self._unknown or self._is_common(word) or word.casefold() in GRAMMAR:
            return None
        alike = closest(word, [*self._unknown[word], *self._vocabulary.words, *GRAMMAR])
        if alike is None or alike in GRAMMAR:
            return alike
        return self._vocabulary.written(alike) or alike

    def _is_verb(self, plain: str, before: str, after: str, *, alone: bool) -> bool:
        """Whether a word is a verb by the words beside it: "who cleans the hall", "who will clean the hall".

        In a question without another verb (``alone``), a word in "s" behind its first one is.
        """
        owner = plain.removesuffix("s")
        if owner != plain and plain not in self._vocabulary:
            is_third = self._is_common(owner) or self._is_common(plain)
            return is_third and (before in _SUBJECTS or after in _BEHIND_VERBS or (alone and bool(before)))
        return self._is_common(plain) and before in _BEFORE_INFINITIVES and after in _BEFORE_NOUNS

    def _named(self, word: str, before: str, *, last: bool) -> str | None:
        """The word capitalised if it is a name, with an apostrophe if it is a possessor; else ``None``."""
        plain = word.casefold()
        if not word.islower() or plain in GRAMMAR:
            return None
        owner = plain.removesuffix("s")
        if word in self._unknown:
            if owner != plain and owner in COUNTRY_WORDS and not last:
                return f"{owner.capitalize()}'s"
            placed = before in {"of", "in", "from", "for", "at"} and plain not in _BARE
            rare = (
                not self._is_common(word) and _DERIVED.search(plain) is None and before not in _BEFORE_VERBS
            )
            return word.capitalize() if placed or rare or plain in COUNTRY_WORDS else None
        if before == "the" and self._is_common(word):
            return None  # "the group", though the papers of the Group capitalise it
        form = self._vocabulary.written(word)
        if form is None and owner != plain and plain not in self._vocabulary:
            form = self._vocabulary.written(owner)
            form = form and (f"{form}s" if before == "the" or last else f"{form}'s")
        return form or (word.capitalize() if plain in COUNTRY_WORDS else None)


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate spelt most like a word, with at most one error, or two in a long word."""
    plain = _plain(word)
    if len(plain) < _SHORT - 1:
        return None
    most = 1 if len(plain) < _LONG else 2
    best: dict[int, list[str]] = defaultdict(list)
    for candidate in dict.fromkeys(map(str.casefold, candidates)):
        other = _plain(candidate)
        shortest = len(plain) - most if len(plain) > _LONG - 2 else len(plain)
        if shortest <= len(other) <= len(plain) + most and other[:1] == plain[:1] and len(other) >= _SHORT:
            distance = edits(plain, other, most)
            if distance <= most:
                best[distance].append(candidate)
    for distance in sorted(best):
        return max(
            best[distance],
            key=lambda other: (shared_start(plain, _plain(other)), other in GRAMMAR, len(other)),
        )
    return None


def edits(one: str, other: str, most: int) -> int:
    """The edit distance with insertions, deletions, replacements and swaps; ``most + 1`` if it is greater.

    Source: Damerau (1964), as optimal string alignment.
    """
    two_before: list[int] = []
    before = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, letter_there in enumerate(other, start=1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != letter_there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == letter_there:
                cost = min(cost, two_before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        two_before, before = before, row
    return before[-1]


def _plain(word: str) -> str:
    return unaccented(word.casefold())
