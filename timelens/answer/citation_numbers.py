"""Joins drafts, with one citation number for each piece of evidence. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from timelens.answer.draft import Citation, Draft, Status
from timelens.documents import Hit

CITED = re.compile(r"\[(\d{1,6})\]", re.ASCII)
_SPACED_CITED = re.compile(r"\s*\[\d+\]", re.ASCII)


def marks(numbers: Iterable[int]) -> str:
    """Citations as text, without repetitions."""
    return "".join(f"[{number}]" for number in dict.fromkeys(numbers))


def numbers_cited(line: str) -> list[int]:
    """The numbers of the citations in a line, in order."""
    return [int(number) for number in CITED.findall(line)]


def without_citations(line: str) -> str:
    """A line without its citations."""
    return _SPACED_CITED.sub("", line).strip()


def cite(citations: list[Citation], hit: Hit) -> int:
    """The number of a piece's passage among citations; a citation is appended if there is none."""
    known = next((one.number for one in citations if one.hit.chunk.id == hit.chunk.id), None)
    if known is not None:
        return known
    citations.append(Citation(len(citations) + 1, hit))
    return len(citations)


class Numbering:
    """Renumbers citations, so that each piece of evidence has one number across drafts."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int | None], Citation] = {}

    def cited_by(self, drafts: Sequence[Draft]) -> tuple[Citation, ...]:
        """The citations of renumbered drafts, in order of number, without passages that are only nearest."""
        used = {citation.number for draft in drafts for citation in draft.citations}
        return tuple(citation for citation in self._known.values() if citation.number in used)

    def of(self, hit: Hit) -> Citation:
        """The citation of a piece of evidence, identified by chunk and sentence."""
        return self._known.setdefault(hit.key, Citation(len(self._known) + 1, hit))

    def taken(self, draft: Draft) -> Draft:
        """A draft with its citations renumbered."""
        cited = [*draft.citations, *(one.citation for one in draft.nearest)]
        new = {citation.number: self.of(citation.hit) for citation in cited}

        def renumbered(text: str) -> str:
            return CITED.sub(lambda m: f"[{new[int(m[1])].number}]" if int(m[1]) in new else m[0], text)

        return replace(
            draft,
            text=renumbered(draft.text),
            derived=tuple(replace(line, text=renumbered(line.text)) for line in draft.derived),
            citations=tuple(new[citation.number] for citation in draft.citations),
            values=tuple(
                replace(value, citations=tuple(new[n].number for n in value.citations if n in new))
                for value in draft.values
            ),
            nearest=tuple(replace(one, citation=new[one.citation.number]) for one in draft.nearest),
        )


def in_a_row(drafts: Sequence[Draft]) -> Draft:
    """The lines of several drafts in one draft."""
    numbers = Numbering()
    taken = [numbers.taken(draft) for draft in drafts]
    answered = any(draft.status is not Status.NO_ANSWER for draft in drafts)
    return Draft(
        Status.ANSWERED if answered else Status.NO_ANSWER,
        "\n".join(draft.text for draft in taken),
        tuple(value for draft in taken for value in draft.values),
        numbers.cited_by(taken),
        tuple(statement for draft in taken for statement in draft.statements),
        tuple(line for draft in taken for line in draft.derived),
        tuple(one for draft in taken for one in draft.nearest),
        series=tuple(one for draft in taken for one in draft.series),
    )
