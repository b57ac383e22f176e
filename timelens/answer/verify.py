"""What an answer states, line by line, checked against the evidence that it cites. Pure.

A line is read in pieces: its sentences, each with the citations that follow it. A piece is supported when
what it says and when it says it was so stand together in one sentence or one row of what is cited
(:mod:`timelens.answer.standing`); a time is supported when it goes with the rest of its piece.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from timelens.answer.model import Citation, Claim, Derived, Draft, Statement, Support, TimeReference
from timelens.answer.numbering import numbers_cited, without_citations
from timelens.answer.pieces import Known, Piece, pieces_of
from timelens.answer.saying import said_in
from timelens.answer.standing import Stand, have_most, stands
from timelens.question.roles import role_of
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer's times and lines, with what the evidence says of each."""

    references: tuple[TimeReference, ...] = ()
    claims: tuple[Claim, ...] = ()


def verify(draft: Draft, conventions: Conventions = USUAL) -> tuple[TimeReference, ...]:
    """The times of an answer's text, with what the citations of their line say of them."""
    return check(draft, conventions=conventions).references


def check(draft: Draft, missing: Sequence[Interval] = (), conventions: Conventions = USUAL) -> Checked:
    """The times and the lines of an answer, with what the citations beside them say of them.

    A time is supported when a sentence or a row that is cited gives it to what its piece says; contradicted
    when what says so gives another time, or all that is cited is dated and lies elsewhere; otherwise
    unsupported. A line is supported when all its pieces are. A line without citations that names but times
    in ``missing`` says that nothing was found for them, and a line that cites but the nearest passages quotes
    what is no answer: both are no claims.
    """
    nearest = {one.citation.number for one in draft.nearest}.difference(c.number for c in draft.citations)
    evidence = {citation.number: citation for citation in draft.citations}
    known = {n: stands(citation.hit.chunk, conventions) for n, citation in evidence.items()}
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
        support = _worst(pieces, checked)
        numbers = tuple(dict.fromkeys(n for piece in pieces for n in piece.cited))
        claims.append(Claim(without_citations(line), support, worked_out is not None, numbers))
    return Checked(tuple(references), tuple(claims))


def doubts(checked: Checked) -> Iterator[str]:
    """What the user should know of the times and lines of an answer: none passes for a fact that is none."""
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
    """A piece with what the evidence says of it."""

    support: Support
    references: tuple[TimeReference, ...]

    @classmethod
    def of(cls, piece: Piece, known: Known, evidence: Mapping[int, Citation]) -> "_Judged":
        """A piece held against the sentences and rows that it cites."""
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
    """The sentences and rows that say what a piece says."""

    def __init__(self, cited: Sequence[tuple[int, Stand]], piece: Piece) -> None:
        self._piece = piece
        self._cited = [(n, stand) for n, stand in cited if not piece.quoted or stand in piece.quoted]
        self._role = role_of(piece.text)
        self._is_denied = False
        self._saying = [(n, stand) for n, stand in self._cited if stand.states(piece.said)]
        self._together = [
            n for n, stand in self._saying if all(self._gives(stand, time) for time in piece.times)
        ]

    @property
    def saying(self) -> set[int]:
        """The citations that say what the piece says, whenever it was."""
        return {n for n, _ in self._saying}

    def numbers_for(self, time: Expression) -> set[int]:
        """The citations that give a time to what the piece says; both ends of a range may be from two."""
        if self._together:
            return set(self._together)
        whole = {n for n, stand in self._saying if self._gives(stand, time)}
        if whole or len(time.dates) < 2:
            return whole or self._by_clause(time)
        return self._by_ends(time) or self._by_clause(time)

    def _gives(self, stand: Stand, time: Expression) -> bool:
        """Whether a sentence or row gives a time to the piece; at its head stands when it held as well."""
        if time in self._piece.labels and stand.holds_through(time):
            return True
        return stand.is_quoted_of(time) if self._piece.quoted else stand.dates(time, self._role)

    def _by_ends(self, time: Expression) -> set[int]:
        """The same for a range whose ends two sentences give to the subject of the piece."""
        said = self._piece.said
        naming = [(n, stand) for n, stand in self._cited if stand.states(said.subject)]
        ends = [[(n, stand) for n, stand in naming if stand.has_day_of(date)] for date in time.dates]
        if not all(ends) or not have_most([stand for end in ends for _, stand in end], said.plain):
            return set()
        return {n for end in ends for n, _ in end}

    def _by_clause(self, time: Expression) -> set[int]:
        """The same for the clause of the piece that a time stands in, where it has several with times."""
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
        """What the evidence says of a time that it does not give to what the piece says.

        What is quoted under a time, with its own before it, may have begun earlier and hold still.
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
        """What the evidence says of the piece as a whole."""
        piece = self._piece
        if self._together or (piece.said.is_empty and not piece.times):
            return Support.SUPPORTED
        if references and all(reference.support is Support.SUPPORTED for reference in references):
            return Support.SUPPORTED
        return Support.CONTRADICTED if self._is_denied else Support.UNSUPPORTED


def _derived(
    line: Derived, pieces: Sequence[Piece], known: Known, citations: Sequence[Citation]
) -> list[_Judged]:
    """A line that is worked out: supported when what it is worked out from is, a time when that gives it."""
    numbers = {citation.hit.chunk.id: citation.number for citation in citations}
    stated = [(operand, _stating(operand, known, numbers)) for operand in line.operands]
    supported = bool(stated) and all(stating for _, stating in stated)
    support = Support.SUPPORTED if supported else Support.UNSUPPORTED
    giving = [(numbers.get(o.hit.chunk.id), o, stating) for o, stating in stated if stating]
    judged = []
    for piece in pieces:
        references = []
        for time in sorted((*piece.times, *piece.named), key=lambda time: time.char_start):
            by = [[n for n, o, found in giving if _gives(o, found, date)] for date in _dates_of(time)]
            found = Support.SUPPORTED if all(by) else Support.UNSUPPORTED
            cited = {n for of in by for n in of if n is not None} if all(by) else set[int]()
            references.append(_reference(time, found, cited, piece))
        judged.append(_Judged(support, tuple(references)))
    return judged


def _stating(operand: Statement, known: Known, numbers: Mapping[str, int]) -> list[Stand]:
    """The row or the sentence of an operand's evidence, where it has its value with its time."""
    hit = operand.hit
    number = numbers.get(hit.chunk.id)
    found = stands(hit.chunk) if number is None else known[number]
    if hit.chunk.fact is None and hit.sentence is not None:
        found = found[hit.sentence : hit.sentence + 1]
    times = [e for e in find_expressions(operand.value) if e.interval is not None]
    said = said_in(operand.value, [(e.char_start, e.char_end) for e in times])
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


def _gives(operand: Statement, found: Sequence[Stand], date: Interval) -> bool:
    """Whether an operand has a date for its own, or its evidence gives it; a row what it held at too."""
    interval = operand.interval
    if interval is None:
        return False
    holds = operand.hit.chunk.fact is not None and interval.intersects(date)
    return holds or interval.same_days(date) or any(stand.has_day_of(date) for stand in found)


def _dates_of(time: Expression) -> tuple[Interval, ...]:
    return time.dates or (() if time.interval is None else (time.interval,))


def _reference(time: Expression, support: Support, numbers: AbstractSet[int], piece: Piece) -> TimeReference:
    cited = tuple(n for n in piece.cited if n in numbers) if numbers else piece.cited
    return TimeReference(time.text, time.interval, support, cited)


def _claims(pieces: Sequence[Piece], missing: Sequence[Interval]) -> bool:
    """Whether a line states something, rather than leading over or naming what was not found."""
    if any(piece.cited for piece in pieces):
        return True
    times = [time for piece in pieces for time in (*piece.times, *piece.named)]
    if times and all(any(time.interval.same_days(gap) for gap in missing) for time in times if time.interval):
        return not any(piece.said.negated for piece in pieces)
    return bool(times) or any(
        said.numbers or any(not text.lstrip("*#-• ").startswith(name) for name in said.names)
        for said, text in ((piece.said, piece.text) for piece in pieces)
    )


def _worst(pieces: Sequence[Piece], checked: Sequence[_Judged]) -> Support:
    """The line as a whole: contradicted if a part of it is, supported if all that states something is."""
    found = {j.support for piece, j in zip(pieces, checked, strict=True) if piece.is_statement}
    if Support.CONTRADICTED in found:
        return Support.CONTRADICTED
    return Support.SUPPORTED if found == {Support.SUPPORTED} else Support.UNSUPPORTED
