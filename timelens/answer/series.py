"""The values that an answer states over time: what a curve, or lanes of states, can be drawn from. Pure."""

from collections.abc import Iterator, Sequence

from timelens.answer.model import Citation, Claim, Draft, Statement, Support, Value
from timelens.answer.operations import in_order


def series_stated(draft: Draft, claims: Sequence[Claim], *, reworded: bool = False) -> tuple[Value, ...]:
    """The values of a draft's series, from early to late, each once, with the number of its citation.

    They are those that its text states as well: a line has the words of the value and cites the evidence that
    it was read in. ``claims`` are the lines of the text; those that a model has ``reworded`` count where the
    evidence bears them out. Days are as in :class:`Value`.
    """
    numbers = {_place(citation): citation.number for citation in draft.citations}
    lines = [one for one in claims if not one.derived]
    if reworded:
        lines = [one for one in lines if one.support is Support.SUPPORTED]
    return tuple(dict.fromkeys(_values(in_order(draft.series), numbers, lines)))


def _values(
    series: Sequence[Statement], numbers: dict[tuple[str, int | None], int], lines: Sequence[Claim]
) -> Iterator[Value]:
    for one in series:
        number = numbers.get(_place(one))
        if number is None or one.interval is None:
            continue
        words = one.value.casefold()
        if any(number in line.citations and words in line.text.casefold() for line in lines):
            yield Value(one.value, one.interval.start, one.interval.end, (number,))


def _place(one: Citation | Statement) -> tuple[str, int | None]:
    """Where something is stated: the chunk and the sentence."""
    return one.hit.chunk.id, one.hit.sentence
