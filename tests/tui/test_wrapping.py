"""Text cut into rows of cells."""

from hypothesis import given
from hypothesis import strategies as st
from linear_time import assert_linear
from rich.cells import cell_len, get_character_cell_size

from timelens.tui.wrapping import fitted, wrapped


def _rows(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in wrapped(text, width)]


def test_rows_break_at_spaces_and_words_that_are_too_wide_are_cut() -> None:
    assert _rows("one two three", 7) == ["one two", "three"]
    assert _rows("abcdefgh ij", 3) == ["abc", "def", "gh", "ij"]
    assert _rows("a\n\nb", 9) == ["a", "", "b"]
    assert _rows("", 5) == [""]
    assert _rows("日本語の", 5) == ["日本", "語の"]
    assert list(wrapped("日本語の文", 4, 1, 4)) == [(1, 3), (3, 4)]


@given(st.text(alphabet="ab \n日é\u0301😀", max_size=60), st.integers(1, 12))
def test_nothing_is_lost_and_no_row_is_too_wide(text: str, width: int) -> None:
    spans = list(wrapped(text, width))
    for start, end in spans:
        cells = sum(map(get_character_cell_size, text[start:end]))
        assert cells <= width or end - start == 1
        assert "\n" not in text[start:end]
    last = 0
    for start, end in spans:
        assert text[last:start] in {"", " ", "\n", " \n"}
        last = end
    assert text[last:] in {"", " ", "\n", " \n"}


def test_much_text_and_endless_lines_are_cut_in_linear_time() -> None:
    assert sum(1 for _ in wrapped("word and " * 600_000, 60)) > 80_000
    assert len(_rows("x" * 100_000, 60)) == 1667
    assert len(_rows("日" * 100_000, 60)) == 3334
    assert_linear(lambda count: _rows("word and " * count, 60), 60_000, 600_000)
    assert_linear(lambda length: _rows("x" * length, 60), 100_000, 1_000_000)
    assert_linear(lambda length: _rows("日" * length, 60), 10_000, 100_000)


@given(st.text(alphabet="ab日é", max_size=20), st.integers(1, 12))
def test_fitted_text_has_exactly_its_cells(text: str, width: int) -> None:
    assert cell_len(fitted(text, width)) == width
