"""Text wrapped to rows of a number of cells. Pure."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from rich.cells import cell_len, get_character_cell_size, set_cell_size

Span = tuple[int, int]


def wrapped(text: str, width: int, start: int = 0, end: int | None = None) -> Iterator[Span]:
    r"""(start, end) of each row of a text or a part of it; the separator at a break is in no row.

    Rows break at spaces; a word wider than a row is cut. The time is linear in the length of the text.

    Args:
        text: printable; ``\n`` ends a row.
        width: cells of a row, at least 1.
        start: start offset in the text.
        end: end offset, exclusive; ``None`` is the end of the text.
    """
    end = len(text) if end is None else end
    narrow = _is_narrow(text[start:end])
    while start <= end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if narrow or _is_narrow(text[start:stop]):
            yield from _rows(text, start, stop, width)
        else:
            yield from _wide_rows(text, start, stop, width)
        start = stop + 1


def _is_narrow(text: str) -> bool:
    """Whether each character takes one cell."""
    return text.isascii() or all(get_character_cell_size(sign) == 1 for sign in set(text))


def _rows(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    """The rows of one line of narrow characters."""
    while end - start > width:
        space = text.rfind(" ", start, start + width + 1)
        stop = space if space > start else start + width
        yield start, stop
        start = stop + (stop == space)
        if start == end:
            return
    yield start, end


def _wide_rows(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    """The rows of one line with characters of zero, one or two cells."""
    line = text[start:end]
    cells = {sign: get_character_cell_size(sign) for sign in set(line)}
    ends = list(accumulate(map(cells.__getitem__, line)))  # cells up to and including each character
    first = start
    while ends[-1] - _before(ends, start - first) > width:
        most = first + bisect_right(ends, _before(ends, start - first) + width)
        space = text.rfind(" ", start, most + 1)
        stop = space if space > start else max(most, start + 1)
        yield start, stop
        start = stop + (stop == space)
        if start == end:
            return
    yield start, end


def _before(ends: list[int], position: int) -> int:
    return ends[position - 1] if position else 0


def fitted(text: str, width: int) -> str:
    """A one-line text padded or cut to exactly ``width`` cells, at least 1; a cut ends with an ellipsis."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + "…"
