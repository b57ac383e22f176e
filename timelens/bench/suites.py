"""The suites: ways to read a folder of questions, each behind a name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from timelens.bench import beir, bundled, expressions, questions, tdbench
from timelens.bench.data import Dataset
from timelens.bench.reading import ReadFolder
from timelens.errors import BadInputError


@dataclass(frozen=True, slots=True)
class Suite:
    """A way to read a folder of questions that are asked of a corpus."""

    load: Callable[[Path], Dataset]
    layout: str
    """What the folder holds."""
    purpose: str


@dataclass(frozen=True, slots=True)
class ReadingSuite:
    """A way to read a folder of texts or questions that are themselves measured; no corpus is asked."""

    load: ReadFolder
    layout: str
    """What the folder holds."""
    purpose: str


SUITES: dict[str, Suite | ReadingSuite] = {
    "beir": Suite(beir.load, beir.LAYOUT, "retrieval, and answers where the queries state them"),
    "corpus": Suite(bundled.load, bundled.LAYOUT, "a corpus with questions, as corpora/spaceflight"),
    "expressions": ReadingSuite(
        expressions.load, expressions.LAYOUT, "temporal expressions of texts, found and dated"
    ),
    "questions": ReadingSuite(questions.load, questions.LAYOUT, "the time that questions ask about"),
    "tdbench": Suite(tdbench.load, tdbench.LAYOUT, "answers over temporal databases and the days they state"),
}


def suite_named(name: str) -> Suite | ReadingSuite:
    """The suite of a name.

    Raises:
        BadInputError: there is none.
    """
    if name not in SUITES:
        raise BadInputError(f"there is no suite {name!r}", f"choose one of {', '.join(SUITES)}")
    return SUITES[name]
