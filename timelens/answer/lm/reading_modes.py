"""Reading modes: the tasks of a model before its answer, and the use of its replies (MRAG, Section 5). Pure.

- ``direct``: all evidence in chronological order; the model answers at once.
- ``concat``: the same in order of rank, best first (RAG-Concat).
- ``unstructured``: as ``concat``, without times of pieces (TA-RAG "w/o Context Structuring", Table 6).
- ``cot``: thoughts in a few sentences, then the answer (chain of thought).
- ``time-cot``: the course of events, then the answer (Time-CoT, as used by TDBench, Section 4).
- ``self-rag``: each piece of evidence is judged separately; the answer uses the helpful ones (Self-RAG).

In the papers, ``direct`` and ``cot`` answer from the model's memory. Here every mode answers from evidence.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from timelens.answer.draft import Citation, Draft, Status, Support
from timelens.answer.verification.verify import verify
from timelens.answer.writing.answer_prompt import plain
from timelens.temporal.conventions import USUAL, Conventions

THINK = """\
BEFORE YOU ANSWER, think about it in at most six short sentences, and write these alone: which time is \
asked for; which pieces, by their numbers, speak of that time; what each of them says; and which of it holds \
then."""

COURSE = """\
BEFORE YOU ANSWER, write down the course of what the question is about, from early to late, as one JSON \
object with the list "entries". Each has "evidence", the number of the piece it is from; "time", the date or \
period in the words of that piece; and "what" was so then, in a few words. Leave out what does not bear on \
the question."""

JUDGE = """\
This is one piece of several, and you judge it alone. Reply with one JSON object: "helps" is true if the \
piece says something that answers the question, or a part of it, for the time asked for, else false; "says" \
is what it says of it, in one sentence with its dates, and empty if it does not help."""

ANSWER = "NOW ANSWER THE QUESTION, by the rules."
THOUGHTS_HEAD = "WHAT YOU THOUGHT (where it differs from the evidence, the evidence is right):"
COURSE_HEAD = "THE COURSE OF EVENTS, as you wrote it down and as the evidence bears it out:"
READINGS_HEAD = "WHAT YOU READ IN EACH PIECE (where it differs from the evidence, the evidence is right):"

_COMPLETE_OBJECT = re.compile(r"\{[^{}]*\}")


class _Strict(BaseModel):
    """Texts are bounded, as the grammar made of them has to be; nothing is converted and nothing added."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Entry(_Strict):
    """One entry of the course of events."""

    evidence: Annotated[str, Field(pattern=r"^[0-9]{1,3}$")]
    """The number of the piece. A text, because the grammar of whole numbers knows no bounds."""
    time: Annotated[str, Field(max_length=40)]
    what: Annotated[str, Field(max_length=120)]


class Course(_Strict):
    """The course of events."""

    entries: Annotated[list[Entry], Field(max_length=12)]


class Judgement(_Strict):
    """What a model thinks of one piece of evidence."""

    helps: bool
    says: Annotated[str, Field(max_length=240)]


def thoughts(written: str) -> list[str]:
    """The lines of thoughts for the next prompt, escaped as plain content."""
    return [f"- {line}" for text in written.splitlines() if (line := plain(text))]


def course(
    written: str, citations: Sequence[Citation], conventions: Conventions = USUAL
) -> tuple[list[str], tuple[str, ...]]:
    """The supported lines of a course of events, and notes on the unsupported ones.

    An entry is supported if its piece of evidence exists and supports every time in the entry. If the course
    was cut, its complete entries are used.
    """
    known = {citation.number: citation for citation in citations}
    entries = _entries(written)
    lines = []
    for entry in entries:
        citation = known.get(int(entry.evidence))
        text = plain(f"{entry.time}: {entry.what}")
        if citation is not None and borne_out(text, citation, conventions, dated=True):
            lines.append(f"- {text} [{citation.number}]")
    if not entries:
        return [], ("the model wrote no readable course of events; it answered without one",)
    wrong = len(entries) - len(lines)
    if wrong:
        remark = f"{wrong} of the {len(entries)} entries of the model's course of events"
        return lines, (f"{remark} are not supported by the evidence and were left out",)
    return lines, ()


def judgement(written: str) -> Judgement | None:
    """A model's judgement of a piece; ``None`` if it cannot be parsed."""
    try:
        return Judgement.model_validate_json(written)
    except ValidationError:
        return None


def borne_out(
    text: str, citation: Citation, conventions: Conventions = USUAL, *, dated: bool = False
) -> bool:
    """Whether a piece of evidence supports every time in a text; ``dated``: the text must state a time."""
    draft = Draft(Status.ANSWERED, f"{text} [{citation.number}]", citations=(citation,))
    references = verify(draft, conventions)
    supported = all(reference.support is Support.SUPPORTED for reference in references)
    return supported and bool(references or not dated)


def fitting(lines: Iterable[str], count: Callable[[str], int], budget: int) -> list[str]:
    """The first lines that fit into a budget of tokens; the first line that does not fit is cut."""
    kept: list[str] = []
    for line in lines:
        shortened = line
        while shortened and count(shortened + "\n") > budget:
            shortened = shortened[: len(shortened) * 3 // 4]
        if shortened:
            kept.append(shortened)
            budget -= count(shortened + "\n")
        if shortened != line:
            break
    return kept


def _entries(written: str) -> list[Entry]:
    try:
        return Course.model_validate_json(written).entries
    except ValidationError:
        complete = f"[{','.join(_COMPLETE_OBJECT.findall(written))}]"
    try:
        return TypeAdapter(list[Entry]).validate_json(complete)
    except ValidationError:
        return []
