"""Input of the reader's network: a question and a passage as tokens, with marks before its times. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.reader.time_marks import TimeMark, time_mark_of
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST = 320
"""Most tokens of one input."""
_LONGEST_QUESTION, _LONGEST_TITLE = 48, 24
_SHARED = 64
"""Tokens by which consecutive inputs of a long passage overlap."""
_CLS, _SEP = 101, 102
_FIRST_MARK = 1
"""The token of the first mark; BERT's vocabulary leaves 1 to 99 unused."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a document with the times that it states."""

    title: str
    text: str
    published: Interval | None = None
    """The day of its document."""
    times: tuple[tuple[int, Interval], ...] = ()
    """(offset in characters, days) of each dated expression, in order."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """One input: a question beside a passage, or a part of a long passage."""

    ids: tuple[int, ...]
    question_length: int
    """Number of tokens of the question, with ``[CLS]`` and the ``[SEP]`` after it."""
    offsets: tuple[tuple[int, int] | None, ...]
    """For each token, its characters in the passage, end exclusive; ``None`` outside the passage's text."""


def encode(question: str, window: Interval | None, passage: Passage, tokenizer: "Tokenizer") -> list[Encoded]:
    """The inputs for a question about the days ``window`` and a passage, in the order of its text.

    Each is ``[CLS] question [SEP] mark title [SEP] text [SEP]``. The first mark gives the relation of the
    document's day to the asked time; another mark stands before each dated expression of the text.
    """
    asked = tokenizer.encode(question, add_special_tokens=False).ids[:_LONGEST_QUESTION]
    title = tokenizer.encode(passage.title, add_special_tokens=False).ids[:_LONGEST_TITLE]
    day = TimeMark.UNDATED if passage.published is None else time_mark_of(passage.published, window)
    head = [_CLS, *asked, _SEP, _FIRST_MARK + day, *title, _SEP]
    tokens = _with_marks(passage, window, tokenizer)
    room = LONGEST - len(head) - 1
    found = []
    for first in range(0, max(len(tokens) - _SHARED, 1), room - _SHARED):
        part = tokens[first : first + room]
        ids = (*head, *(token for token, _ in part), _SEP)
        offsets = (*[None] * len(head), *(offset for _, offset in part), None)
        found.append(Encoded(ids, len(asked) + 2, offsets))
    return found


def tokens_of(encoded: Encoded, start: int, end: int) -> list[int]:
    """The indices of the tokens of the characters ``[start, end)`` of a passage, without marks of time."""
    return [
        index for index, place in enumerate(encoded.offsets) if place and place[0] < end and start < place[1]
    ]


def _with_marks(
    passage: Passage, window: Interval | None, tokenizer: "Tokenizer"
) -> Sequence[tuple[int, tuple[int, int] | None]]:
    encoding = tokenizer.encode(passage.text, add_special_tokens=False)
    times = list(passage.times)
    tokens: list[tuple[int, tuple[int, int] | None]] = []
    for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
        while times and times[0][0] < end:
            tokens.append((_FIRST_MARK + time_mark_of(times.pop(0)[1], window), None))
        tokens.append((token, (start, end)))
    return tokens
