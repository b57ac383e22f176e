"""The suites: ways to read a folder of questions, each behind a name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from timelens.bench import beir, bundled
from timelens.bench.data import Dataset
from timelens.errors import BadInputError


@dataclass(frozen=True, slots=True)
class Suite:
    """A way to read a folder."""

    load: Callable[[Path], Dataset]
    layout: str
    """What the folder holds."""
    purpose: str


SUITES: dict[str, Suite] = {
    "beir": Suite(beir.load, beir.LAYOUT, "retrieval, and answers where the queries state them"),
    "corpus": Suite(bundled.load, bundled.LAYOUT, "a corpus with questions, as corpora/spaceflight"),
}


def suite_named(name: str) -> Suite:
    """The suite of a name.

    Raises:
        BadInputError: there is none.
    """
    if name not in SUITES:
        raise BadInputError(f"there is no suite {name!r}", f"choose one of {', '.join(SUITES)}")
    return SUITES[name]
