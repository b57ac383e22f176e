"""Pages of PDF with tables, drawn for tests. Places are in points from the lower left corner."""

from collections.abc import Sequence

from made_pdf import add_page, escaped, written
from pypdf import PdfWriter

HEIGHT = 16.0
"""Of a line of a table, in points."""


def text_at(x: float, y: float, text: str) -> str:
    """The operations that write a line."""
    return f"BT /F1 10 Tf {x} {y} Td ({escaped(text)}) Tj ET\n"


def table_at(y: float, rows: Sequence[Sequence[str]], *, ruled: bool = True, left: float = 50) -> str:
    """The operations that draw a table below a height, with columns of 120 points.

    A line end begins another line in a cell. A cell that is ``^`` is one with the cell above it.
    """
    operations = []
    for row, below in zip(rows, [*rows[1:], [""] * len(rows[0])], strict=True):
        lines = max(cell.count("\n") + 1 for cell in row)
        bottom = y - lines * HEIGHT
        for at, cell in enumerate(row):
            x = left + 120 * at
            if cell != "^":
                operations += [
                    text_at(x + 3, y - 12 - HEIGHT * n, line) for n, line in enumerate(cell.split("\n"))
                ]
            if ruled:
                sides = [(x, bottom, x, y), (x + 120, bottom, x + 120, y)]
                sides += [(x, y, x + 120, y)] * (cell != "^")
                sides += [(x, bottom, x + 120, bottom)] * (below[at] != "^")
                operations += [f"{a} {b} m {c} {d} l S" for a, b, c, d in sides]
        y = bottom
    return "\n".join(operations) + "\n"


def pdf_of(*pages: str) -> bytes:
    """A PDF with the pages that operations draw."""
    writer = PdfWriter()
    for operations in pages:
        add_page(writer, operations.encode("cp1252"))
    return written(writer)
