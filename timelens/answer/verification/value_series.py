"""The values over time that an answer states, for a curve or lanes of states. Pure."""

from collections.abc import Iterator, Sequence

from timelens.answer.draft import Claim, Draft, Statement, Support, Value
from timelens.answer.operations import in_order


def series_stated(draft: Draft, claims: Sequence[Claim], *, reworded: bool = False) -> tuple[Value, ...]:
    """The values of a draft's series, chronological and without repetitions, with their citation numbers.

    A value is included if a line of the text contains it and cites its evidence. ``claims`` are the lines;
    lines that a model has ``reworded`` are used only if they are supported. Days are as in :class:`Value`.
    """
    numbers = {citation.hit.key: citation.number for citation in draft.citations}
    lines = [one for one in claims if not one.derived]
    if reworded:
        lines = [one for one in lines if one.support is Support.SUPPORTED]
    return tuple(dict.fromkeys(_values(in_order(draft.series), numbers, lines)))


def _values(
    series: Sequence[Statement], numbers: dict[tuple[str, int | None], int], lines: Sequence[Claim]
) -> Iterator[Value]:
    for one in series:
        number = numbers.get(one.hit.key)
        if number is None or one.interval is None:
            continue
        words = one.value.casefold()
        if any(number in line.citations and words in line.text.casefold() for line in lines):
            yield Value(one.value, one.interval.start, one.interval.end, (number,))
