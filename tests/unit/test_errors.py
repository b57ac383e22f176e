import errno

import pytest
from linear_time import assert_linear

from timelens.errors import on_one_line, reason_of


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "/a/b"), "No such file or directory"),
        (OSError("the connection ended"), "the connection ended"),
        (ValueError("a bundled theme has that name"), "a bundled theme has that name"),
        (OSError(), ""),
    ],
)
def test_the_reason_of_an_error_names_neither_its_number_nor_its_path(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


def test_places_in_sources_are_left_out_of_a_message() -> None:
    said = "no such table, /root/.cargo/registry/src/lance-4.0/table.rs:12:5, at a//rustc/0f3/core.rs, in b"
    assert on_one_line(ValueError(said)) == "no such table, at, in b"


@pytest.mark.parametrize("word", ["x", "/", ",", ", "])
def test_a_long_message_takes_linear_time(word: str) -> None:
    assert_linear(lambda size: on_one_line(ValueError(word * size)), 1_000, 100_000)
