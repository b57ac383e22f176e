"""The values that an answer states over time: what a curve, or lanes of states, can be drawn from. Pure."""

from collections.abc import Iterator, Sequence

from timelens.answer.model import Citation, Claim, Draft, Statement, Support, Value
from timelens.answer.operations import in_order


def series_stated(draft: Draft, claims: Sequence[Claim]) -> tuple[Value, ...]:
    """The values of a draft's series, from early to late, each once, with the number of its citation.

    They are those that its text states as well: a supported line has the words of the value and cites the
    evidence that it was read in. ``claims`` are the lines of the text. Days are half-open.
    """
    numbers = {_place(citation): citation.number for citation in draft.citations}
    return tuple(dict.fromkeys(_values(in_order(draft.series), numbers, claims)))


def _values(
    series: Sequence[Statement], numbers: dict[tuple[str, int | None], int], claims: Sequence[Claim]
) -> Iterator[Value]:
    for one in series:
        number = numbers.get(_place(one))
        if number is None or one.interval is None:
            continue
        words = one.value.casefold()
        stated = (claim for claim in claims if claim.support is Support.SUPPORTED and not claim.derived)
        if any(number in claim.citations and words in claim.text.casefold() for claim in stated):
            yield Value(one.value, one.interval.start, one.interval.end, (number,))


def _place(one: Citation | Statement) -> tuple[str, int | None]:
    """Where something is stated: the chunk and the sentence."""
    return one.hit.chunk.id, one.hit.sentence
