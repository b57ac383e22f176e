"""Sentences of passages as they are shown: on one line, with the antecedents of their pronouns. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from timelens.documents import Chunk, Hit
from timelens.lexicon import MONTH_FORMS, WEEKDAY_FORMS, one_of

_POINTS_BACK = re.compile(
    r"\b(?:he|she|it|they|him|them|his|her|its|their|this|these|those)\b|^That\b", re.IGNORECASE
)
_FURTHEST_BACK = 2
_HEADING = re.compile(r"\s*#{1,6}\s")
_OF_MESSAGE = re.compile(r"\s*(?:(?P<field>From|To|Cc|Subject)|Date|Sent): ")
"""A line of the head of a message, as it is stored, or as it stands in a text with several."""
_SPEAKER = re.compile(r"\s*[^\W\d_][^:\n?]{0,40}: ")
"""Who wrote a message, at its beginning."""
_ASKS = re.compile(r"\?\W*$")
_OF_STATEMENTS = re.compile(r"[\d:]|[.!?]\W*$")
"""What a line of a statement has: a number, a colon or a full stop."""
_FEWEST_WORDS = 4
"""Minimum number of words of a line that may be a statement without these."""
_LONGEST_DATELINE = 60
_MOST_BESIDE_DATE = 2
"""Maximum number of words of the place in such a line."""
_MONTH = rf"(?:{one_of(MONTH_FORMS)})"
_OF_DATELINE = re.compile(rf"\b{_MONTH}\b.*\d|\d.*\b{_MONTH}\b|\d[./-]\d{{1,2}}[./-]\d", re.IGNORECASE)
_OF_DATE = re.compile(rf"\d+(?:st|nd|rd|th)?|{_MONTH}|{one_of(WEEKDAY_FORMS)}|the|of|on|in|at", re.IGNORECASE)
"""The words of a date, and those that tie it."""
_WORD = re.compile(r"[^\W_]+")
_RULER = re.compile(r"^[^\S\n]*\|[|:\s-]*-[|:\s-]*$", re.MULTILINE)
_ROW = re.compile(r"^[^\S\n]*\|[^\S\n]*(.+?)[^\S\n]*\|[^\S\n]*$", re.MULTILINE)
_CELL = re.compile(r"\s*\|\s*")
"""The line below the names of the columns of a table in Markdown, a row, and what separates two cells."""
_BOLD_AT_END = re.compile(r"\*\*\s*$")
_MARKDOWN = re.compile(
    r"^\s*(?:(?:#{1,6}|[-*+>])\s+)+|(?<![\w*])\*{1,2}(?=[^\W_])|(?<=[\w.,;:!?])\*{1,2}(?![\w*])"
    r"|</?(?:small|big|sub|sup|strong|em|[biu]|del|ins|mark|kbd|center)>|</?(?:span|font)(?:\s[^<>]*)?>",
    re.MULTILINE,
)
"""Markdown marks of headings, lists, quotations and emphasis, and the tags of HTML for a part of a line."""


def sentence_of(hit: Hit) -> str:
    """The best sentence of a hit, on one line, with the sentences before it that its pronouns refer to."""
    if hit.sentence is None:
        return unmarked(hit.chunk.text)
    return joined(hit.chunk, range(points_back(hit.chunk, hit.sentence), hit.sentence + 1))


def points_back(chunk: Chunk, sentence: int) -> int:
    """Index of the first sentence that the pronouns of a sentence may refer to; its own if it has none.

    A fragment is not referred to. A heading in bold type at the beginning of the line ("**Roof.** Mended in
    May.") belongs to the sentence after it, and a question of a conversation to the reply.
    """
    first = sentence
    while first > max(0, sentence - _FURTHEST_BACK) and _POINTS_BACK.search(chunk.sentence(first)):
        if is_fragment(chunk, first - 1):
            break
        first -= 1
    return first - 1 if first and (_is_run_in(chunk, first - 1) or _is_answered(chunk, first - 1)) else first


def _is_answered(chunk: Chunk, index: int) -> bool:
    """Whether a sentence is a message that asks something, and the next one is the reply of somebody else."""
    if index + 1 >= len(chunk.sentences):
        return False
    asked, reply = chunk.sentence(index), chunk.sentence(index + 1)
    speakers = [_SPEAKER.match(said) for said in (asked, reply)]
    by_others = None not in speakers and len({speaker[0] for speaker in speakers if speaker}) > 1
    return by_others and _ASKS.search(asked) is not None and _ASKS.search(reply) is None


def _is_run_in(chunk: Chunk, index: int) -> bool:
    """Whether a sentence is a heading in bold type in the paragraph of the next sentence."""
    (_, end), (start, _) = chunk.sentences[index : index + 2]
    return _is_bold_heading(chunk.sentence(index)) and "\n\n" not in chunk.text[end:start]


def _is_bold_heading(said: str) -> bool:
    is_bold = _BOLD_AT_END.search(said) is not None
    return is_bold and len(said.split()) < _FEWEST_WORDS and not any(map(str.isdigit, said))


def is_fragment(chunk: Chunk, index: int) -> bool:
    """Whether a sentence states nothing alone: a heading, salutation, signature, head of a message or table.

    Apart from Markdown and the headings that the file marks, it is told by its lines: each has few words, or
    only words with capitals, and no number, colon or full stop. A few words in bold type are a
    fragment even with a full stop ("**Manager's report.**").
    """
    said = chunk.sentence(index)
    lines = [line for line in said.strip().splitlines() if line.strip()]
    if all(map(_HEADING.match, lines)) or _is_head_of_message(lines):
        return True
    if _is_bold_heading(said) or _RULER.search(said):
        return True
    if unmarked(said) in (chunk.heading(index), chunk.title):
        return True
    return all(_is_bare(line) or _is_dateline(line) for line in map(unmarked, lines))


def _is_head_of_message(lines: Sequence[str]) -> bool:
    """Whether all lines are of the head of a message; a date alone is none."""
    fields = [field for line in lines if (field := _OF_MESSAGE.match(line))]
    return len(fields) == len(lines) and any(field["field"] for field in fields)


def _is_bare(line: str) -> bool:
    """Whether a line has no number, colon or full stop, and few words or only capitals."""
    initials = [word[0] for word in line.split() if word[0].isalpha()]
    capitals = sum(map(str.isupper, initials))
    has_case = capitals + sum(map(str.islower, initials)) == len(initials)
    is_brief = len(initials) < _FEWEST_WORDS or capitals == len(initials)
    return has_case and is_brief and not _OF_STATEMENTS.search(line)


def _is_dateline(line: str) -> bool:
    """Whether a line has only a date, with a place or a name before it as in letters: "Brill, 8 May 2020"."""
    if len(line) > _LONGEST_DATELINE or not _OF_DATELINE.search(line):
        return False
    place, _, date = line.rpartition(", ") if line.count(", ") == 1 else ("", "", line)
    named = _WORD.findall(place)
    is_place = len(named) <= _MOST_BESIDE_DATE and all(word[0].isupper() for word in named)
    return is_place and all(map(_OF_DATE.fullmatch, _WORD.findall(date))) and line[-1].isalnum()


def stating(hits: Iterable[Hit]) -> list[Hit]:
    """One hit for each passage, in the order of ``hits``: the first whose sentence is no fragment.

    A question that has a reply counts as one. If a passage has only fragments among them, it is its next
    sentence that is none; without one, the passage is left out.
    """
    by_passage: dict[str, list[Hit]] = {}
    for hit in hits:
        by_passage.setdefault(hit.chunk.id, []).append(hit)
    found = (next(chain(filter(_states, own), _following(own[0])), None) for own in by_passage.values())
    return [hit for hit in found if hit is not None]


def _states(hit: Hit) -> bool:
    """Whether the best sentence of a hit is no fragment and no question with a reply; true if it has none."""
    if hit.sentence is None:
        return True
    return not is_fragment(hit.chunk, hit.sentence) and not _is_answered(hit.chunk, hit.sentence)


def _following(hit: Hit) -> Iterator[Hit]:
    """The hit at each later sentence of its passage that is no fragment."""
    later = range((hit.sentence or 0) + 1, len(hit.chunk.sentences))
    return filter(_states, (replace(hit, sentence=index) for index in later))


def unmarked(text: str) -> str:
    """A text on one line, without Markdown marks; the row of a table as "Chair: Ada Lind, re-elected"."""
    return " ".join(_MARKDOWN.sub("", _ROW.sub(_told_row, _RULER.sub("", text))).split())


def _told_row(row: re.Match[str]) -> str:
    first, *others = _CELL.split(row[1])
    return f"{first}: {', '.join(others)}" if others else first


def sender_of(chunk: Chunk, index: int) -> str:
    """Who wrote the message that a sentence goes on; empty for its first sentence and for other texts.

    The first sentence of a message begins with the sender ("Anna: I have news."), and so does its place.
    """
    first = next((first for first, _ in reversed(chunk.places) if first <= index), index)
    said = _SPEAKER.match(chunk.sentence(first)) if first < index else None
    sender = said[0].strip().removesuffix(":") if said else ""
    return sender if chunk.place(index).partition(", ")[0] == sender else ""


def joined(chunk: Chunk, sentences: Sequence[int]) -> str:
    """Sentences of a chunk on one line, with an ellipsis for omitted sentences between them.

    The first one of a message that is not its beginning stands behind the sender.
    """
    sender = sender_of(chunk, sentences[0])
    text = f"{sender}: {chunk.sentence(sentences[0])}" if sender else chunk.sentence(sentences[0])
    for before, index in pairwise(sentences):
        text += ("\n" if index == before + 1 else " …\n") + chunk.sentence(index)
    return unmarked(text)
