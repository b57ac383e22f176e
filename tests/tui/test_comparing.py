"""What another strategy changes."""

from evidence import hit

from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.tui.comparing import compared, compared_lines


def _timeline(*names: str) -> Timeline:
    return make_timeline([hit(name, [f"About {name}."], 2000, title=name) for name in names])


def test_new_gone_and_moved_pieces_are_told_apart() -> None:
    found = compared(_timeline("a", "b", "c", "d"), _timeline("a", "d", "e", "b"))
    assert [piece.hit.chunk.title for piece in found.new] == ["e"]
    assert [piece.hit.chunk.title for piece in found.gone] == ["c"]
    assert [(rank, piece.number, piece.hit.chunk.title) for rank, piece in found.moved] == [
        (4, 2, "d"),
        (2, 4, "b"),
    ]
    assert found.same == 1


def test_the_lines_say_what_changed() -> None:
    lines = compared_lines(compared(_timeline("a", "b", "c"), _timeline("b", "a", "e")), "timelens", "bm25")
    assert lines == [
        "evidence of bm25 compared with timelens: 1 new, 1 gone, 2 at another rank, 0 unchanged",
        "  + [3] 2000 · e",
        "  − [3] 2000 · c",
        "  ↑ [1] 2000 · b, was [2]",
        "  ↓ [2] 2000 · a, was [1]",
    ]
    same = compared_lines(compared(_timeline("a"), _timeline("a")), "x", "y")
    assert same == ["evidence of y compared with x: 0 new, 0 gone, 0 at another rank, 1 unchanged"]


def test_long_lists_are_cut() -> None:
    many = [f"n{number}" for number in range(20)]
    lines = compared_lines(compared(_timeline(), _timeline(*many)), "x", "y")
    assert len(lines) == 14
    assert lines[-1] == "  and 8 more"
