import errno

import pytest

from timelens.errors import reason_of


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
