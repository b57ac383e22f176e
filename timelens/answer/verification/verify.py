"""Verifies an answer, line by line, against the evidence that it cites. Pure.

A line is divided into pieces: sentences with the citations that follow them. A piece is supported if its
content and its times are in the same cited sentence or row
(:mod:`timelens.answer.verification.support_units`); a time is supported if it is there with the content of
its piece.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from timelens.answer.citation_numbers import numbers_cited, without_citations
from timelens.answer.draft import Citation, Claim, Derived, Draft, Statement, Support, TimeReference
from timelens.answer.verification.answer_pieces import AnswerPiece, Known, pieces_of
from timelens.answer.verification.stated_content import stated_content
from timelens.answer.verification.support_units import SupportUnit, have_most, support_units
from timelens.question.roles import role_of
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class Checked:
    """The times and lines of an answer, with their support."""

    references: tuple[TimeReference, ...] = ()
    claims: tuple[Claim, ...] = ()


def verify(draft: Draft, conventions: Conventions = USUAL) -> tuple[TimeReference, ...]:
    """The times of an answer's text, with their support by the citations of their line."""
    return check(draft, conventions=conventions).references


def check(draft: Draft, missing: Sequence[Interval] = (), conventions: Conventions = USUAL) -> Checked:
    """The times and the lines of an answer, with their support by the citations beside them.

    A time is supported if a cited sentence or row states the content of its piece with that time. It is
    contradicted if all that state the content have other times, or if all citations are dated and lie
    elsewhere in time; otherwise it is unsupported. A line is supported if all its pieces are.

    Two kinds of lines are not claims: a line without citations whose times are all in ``missing`` (it reports
    that nothing was found for them), and a line that cites a passage that is only nearest.
    """
    nearest = {one.citation.number for one in draft.nearest}.difference(c.number for c in draft.citations)
    evidence = {citation.number: citation for citation in draft.citations}
    known = {n: support_units(citation.hit.chunk, conventions) for n, citation in evidence.items()}
    derived = {line.text.strip(): line for line in draft.derived}
    references: list[TimeReference] = []
    claims: list[Claim] = []
    for line in filter(str.strip, draft.text.splitlines()):
        if nearest.intersection(numbers_cited(line)):
            continue
        pieces = pieces_of(line, evidence, known, conventions)
        worked_out = derived.get(line.strip())
        if worked_out is not None:
            checked = _derived(worked_out, pieces, known, draft.citations)
        else:
            checked = [_Judged.of(piece, known, evidence) for piece in pieces]
        if worked_out is None and not _claims(pieces, missing):
            continue
        references.extend(reference for judged in checked for reference in judged.references)
        support = _worst(
            [j for piece, j in zip(pieces, checked, strict=True) if worked_out or piece.is_statement]
        )
        numbers = tuple(dict.fromkeys(n for piece in pieces for n in piece.cited))
        claims.append(Claim(without_citations(line), support, worked_out is not None, numbers))
    return Checked(tuple(references), tuple(claims))


def doubts(checked: Checked) -> Iterator[str]:
    """Warnings for the user on contradicted times and unsupported lines of an answer."""
    wrong = dict.fromkeys(r.text for r in checked.references if r.support is Support.CONTRADICTED)
    if wrong:
        yield f"the evidence cited for it contradicts what the answer says about {', '.join(wrong)}"
    doubtful = {r.text for r in checked.references if r.support is not Support.SUPPORTED}
    loose = [
        claim
        for claim in checked.claims
        if claim.support is not Support.SUPPORTED and not any(text in claim.text for text in doubtful)
    ]
    if loose:
        lines = "a line" if len(loose) == 1 else f"{len(loose)} lines"
        yield f"the evidence cited for it does not state {lines} of the answer as written"


@dataclass(frozen=True, slots=True)
class _Judged:
    """The support of a piece and of its times."""

    support: Support
    references: tuple[TimeReference, ...]

    @classmethod
    def of(cls, piece: AnswerPiece, known: Known, evidence: Mapping[int, Citation]) -> "_Judged":
        """Verify a piece against the sentences and rows that it cites."""
        found = _Found([(n, stand) for n in piece.cited for stand in known[n]], piece)
        dated = [n for n in piece.cited if evidence[n].hit.chunk.events]
        all_dated = bool(dated) and len(dated) == len(piece.cited)
        references = []
        for time in sorted((*piece.times, *piece.named), key=lambda time: time.char_start):
            numbers = found.saying if time in piece.named else found.numbers_for(time)
            if numbers:
                support = Support.SUPPORTED
            elif time in piece.named:
                support = Support.UNSUPPORTED
            else:
                support = found.against(time, all_dated=all_dated)
            references.append(_reference(time, support, numbers, piece))
        return cls(found.support(references), tuple(references))


class _Found:
    """The cited sentences and rows that state the content of a piece."""

    def __init__(self, cited: Sequence[tuple[int, SupportUnit]], piece: AnswerPiece) -> None:
        self._piece = piece
        self._cited = [(n, stand) for n, stand in cited if not piece.quoted or stand in piece.quoted]
        self._role = role_of(piece.text)
        self._is_denied = False
        is_label = bool(piece.quoted) and piece.said.is_empty and not piece.said.negated
        self._saying = [(n, stand) for n, stand in self._cited if is_label or stand.states(piece.said)]
        self._together = [
            n for n, stand in self._saying if all(self._gives(stand, time) for time in piece.times)
        ]

    @property
    def saying(self) -> set[int]:
        """The citations that state the content of the piece, at any time."""
        return {n for n, _ in self._saying}

    def numbers_for(self, time: Expression) -> set[int]:
        """The citations that support a time of the piece; two citations may give the two ends of a range."""
        if self._together:
            return set(self._together)
        whole = {n for n, stand in self._saying if self._gives(stand, time)}
        if whole or len(time.dates) < 2:
            return whole or self._by_clause(time)
        return self._by_ends(time) or self._by_clause(time)

    def _gives(self, stand: SupportUnit, time: Expression) -> bool:
        """Whether a sentence or row has a time; a label of a line may also lie inside a longer time.

        A period of several units may head a row that held in it, if the line tells the time of the row.
        """
        if time in self._piece.labels:
            is_heading = len(self._piece.times) > len(self._piece.labels) and stand.held_in(time)
            if is_heading or stand.holds_through(time):
                return True
        return stand.is_quoted_of(time) if self._piece.quoted else stand.dates(time, self._role)

    def _by_ends(self, time: Expression) -> set[int]:
        """The citations that have the subject of the piece and together give both ends of a range."""
        said = self._piece.said
        naming = [(n, stand) for n, stand in self._cited if stand.states(said.subject)]
        ends = [[(n, stand) for n, stand in naming if stand.has_day_of(date)] for date in time.dates]
        if not all(ends) or not have_most([stand for end in ends for _, stand in end], said.plain):
            return set()
        return {n for end in ends for n, _ in end}

    def _by_clause(self, time: Expression) -> set[int]:
        """The citations that support the clause of a time, if the piece has several clauses with times."""
        for clause in self._piece.clauses:
            if time in clause.times:
                return {
                    n
                    for n, stand in self._cited
                    if stand.states(clause.said)
                    and all(stand.dates(t, role_of(clause.text)) for t in clause.times)
                }
        return set()

    def against(self, time: Expression, *, all_dated: bool) -> Support:
        """Whether the evidence contradicts a time that it does not support.

        A dated quote under a label may have started earlier and still hold; it is not contradicted.
        """
        interval = time.interval
        if interval is None:
            raise ValueError(f"{time.text!r} states no time")
        saying = [stand for _, stand in self._saying]
        if self._piece.dated and time in self._piece.labels and all(s.precedes(interval) for s in saying):
            return Support.UNSUPPORTED
        for clause in self._piece.clauses:
            if time in clause.times:
                saying = [stand for _, stand in self._cited if stand.states(clause.said)]
        elsewhere = bool(saying) and all(stand.excludes(interval) for stand in saying)
        self._is_denied |= elsewhere
        disjoint = all_dated and all(not stand.times or stand.excludes(interval) for _, stand in self._cited)
        return Support.CONTRADICTED if elsewhere or disjoint else Support.UNSUPPORTED

    def support(self, references: Sequence[TimeReference]) -> Support:
        """The support of the piece as a whole."""
        piece = self._piece
        if self._together or (piece.said.is_empty and not piece.times):
            return Support.SUPPORTED
        if references and all(reference.support is Support.SUPPORTED for reference in references):
            return Support.SUPPORTED
        return Support.CONTRADICTED if self._is_denied else Support.UNSUPPORTED


def _derived(
    line: Derived, pieces: Sequence[AnswerPiece], known: Known, citations: Sequence[Citation]
) -> list[_Judged]:
    """Verify a computed line: it is supported if its operands are, and a time if an operand has it.

    A number that is an operand's value is no time, whatever it looks like ("1680").
    """
    numbers = {citation.hit.chunk.id: citation.number for citation in citations}
    stated = [(operand, _stating(operand, known, numbers)) for operand in line.operands]
    supported = bool(stated) and all(stating for _, stating in stated)
    support = Support.SUPPORTED if supported else Support.UNSUPPORTED
    values = {operand.value for operand in line.operands}
    giving = [(numbers.get(o.hit.chunk.id), o, stating) for o, stating in stated if stating]
    judged = []
    for piece in pieces:
        references = []
        told = (time for time in (*piece.times, *piece.named) if time.text not in values)
        for time in sorted(told, key=lambda time: time.char_start):
            by = [[n for n, o, found in giving if _gives(o, found, date)] for date in _dates_of(time)]
            found = Support.SUPPORTED if all(by) else Support.UNSUPPORTED
            cited = {n for of in by for n in of if n is not None} if all(by) else set[int]()
            references.append(_reference(time, found, cited, piece))
        judged.append(_Judged(support, tuple(references)))
    return judged


def _stating(operand: Statement, known: Known, numbers: Mapping[str, int]) -> list[SupportUnit]:
    """The row or the sentence of an operand's evidence, if it has the operand's value and time."""
    hit = operand.hit
    number = numbers.get(hit.chunk.id)
    found = support_units(hit.chunk) if number is None else known[number]
    if hit.chunk.fact is None and hit.sentence is not None:
        found = found[hit.sentence : hit.sentence + 1]
    times = [e for e in find_expressions(operand.value) if e.interval is not None]
    said = stated_content(operand.value, [(e.char_start, e.char_end) for e in times])
    interval = operand.interval
    return [
        stand
        for stand in found
        if (stand.states(said) or operand.value in stand.text)
        and all(map(stand.dates, times))
        and (
            interval is None or any(interval.same_days(t) for t in stand.times) or stand.has_day_of(interval)
        )
    ]


def _gives(operand: Statement, found: Sequence[SupportUnit], date: Interval) -> bool:
    """Whether an operand or its evidence has a date; for a row, any date at which it held."""
    interval = operand.interval
    if interval is None:
        return False
    holds = operand.hit.chunk.fact is not None and interval.intersects(date)
    return holds or interval.same_days(date) or any(stand.has_day_of(date) for stand in found)


def _dates_of(time: Expression) -> tuple[Interval, ...]:
    return time.dates or (() if time.interval is None else (time.interval,))


def _reference(
    time: Expression, support: Support, numbers: AbstractSet[int], piece: AnswerPiece
) -> TimeReference:
    cited = tuple(n for n in piece.cited if n in numbers) if numbers else piece.cited
    return TimeReference(time.text, time.interval, support, cited)


def _claims(pieces: Sequence[AnswerPiece], missing: Sequence[Interval]) -> bool:
    """Whether a line is a claim, rather than yes, no, a transition or a report that nothing was found."""
    pieces = [piece for piece in pieces if not piece.is_yes_or_no]
    if any(piece.cited for piece in pieces):
        return True
    times = [time for piece in pieces for time in (*piece.times, *piece.named)]
    if times and all(any(time.interval.same_days(gap) for gap in missing) for time in times if time.interval):
        return not any(piece.said.negated for piece in pieces)
    return bool(times) or any(
        said.numbers or any(not text.lstrip("*#-• ").startswith(name) for name in said.names)
        for said, text in ((piece.said, piece.text) for piece in pieces)
    )


def _worst(checked: Sequence[_Judged]) -> Support:
    """The support of a line: contradicted if any of its statements is, supported if all are."""
    found = {judged.support for judged in checked}
    if Support.CONTRADICTED in found:
        return Support.CONTRADICTED
    return Support.SUPPORTED if found == {Support.SUPPORTED} else Support.UNSUPPORTED
