"""Packages that commands do not need, although other packages import them if they are installed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class _NoPandas:
    """Makes imports of pandas fail, as if it were not installed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:  # noqa: ARG002
        """The method of a finder that the import system calls."""
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not loaded by this command", name=name)


_FINDER = _NoPandas()


@contextmanager
def without_pandas() -> Iterator[None]:
    """Keep pyarrow from loading pandas (0.2 s), which it does before it makes its first array."""
    sys.meta_path.insert(0, _FINDER)
    try:
        yield
    finally:
        let_pandas_in()


def let_pandas_in() -> None:
    """Allow pandas to be loaded again."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
