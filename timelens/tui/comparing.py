"""How the evidence of another strategy differs: new, missing and reranked pieces. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from timelens import Citation, Timeline
from timelens.answer.rendering.labels import heading_beside
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of

_MOST_LISTED = 12
_PieceKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two lists of evidence for one question, compared."""

    new: tuple[Citation, ...]
    """Pieces only in the later list, by rank."""
    gone: tuple[Citation, ...]
    """Pieces only in the earlier list, by rank."""
    moved: tuple[tuple[int, Citation], ...]
    """(earlier rank, piece) for pieces in both lists with different ranks, by the later rank."""
    same: int
    """The number of pieces with the same rank in both."""


def compared(before: Timeline, after: Timeline) -> Compared:
    """Compare by document and sentence; the number of a piece of evidence is its rank."""
    earlier, later = _by_key(before), _by_key(after)
    both = [(earlier[key].number, piece) for key, piece in later.items() if key in earlier]
    return Compared(
        tuple(piece for key, piece in later.items() if key not in earlier),
        tuple(piece for key, piece in earlier.items() if key not in later),
        tuple((rank, piece) for rank, piece in both if rank != piece.number),
        sum(rank == piece.number for rank, piece in both),
    )


def compared_lines(found: Compared, before: str, after: str) -> list[str]:
    """The changes from one strategy to another: a summary line, then one line for each piece."""
    counts = [
        f"{len(found.new)} new",
        f"{len(found.gone)} gone",
        f"{len(found.moved)} at another rank",
        f"{found.same} unchanged",
    ]
    changes = list(_changes(found))
    more = len(changes) - _MOST_LISTED
    return [
        f"evidence of {after} compared with {before}: {', '.join(counts)}",
        *changes[:_MOST_LISTED],
        *([f"  and {more} more"] if more > 0 else []),
    ]


def _changes(found: Compared) -> Iterator[str]:
    for piece in found.new:
        yield f"  + {_named(piece)}"
    for piece in found.gone:
        yield f"  − {_named(piece)}"
    for rank, piece in found.moved:
        yield f"  {'↑' if piece.number < rank else '↓'} {_named(piece)}, was [{rank}]"


def _named(piece: Citation) -> str:
    return f"[{piece.number}] {' · '.join(filter(None, (label(piece.hit), heading_beside(piece.hit))))}"


def _by_key(timeline: Timeline) -> dict[_PieceKey, Citation]:
    ranked = sorted(timeline.citations, key=lambda piece: piece.number)
    found: dict[_PieceKey, Citation] = {}
    for piece in ranked:
        found.setdefault((piece.hit.chunk.document_id, sentence_of(piece.hit)), piece)
    return found
