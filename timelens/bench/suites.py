"""The registry of suites: loaders of question folders, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from timelens import BadInputError
from timelens.bench import (
    adqab,
    beir,
    bundled,
    diachronic,
    expressions,
    questions,
    tdbench,
    tempo,
    temprageval,
    tempreason,
)
from timelens.bench.reading_suites import ReadFolder
from timelens.bench.suite_data import Dataset
from timelens.bench.suite_fields import sound


@dataclass(frozen=True, slots=True)
class Suite:
    """A loader of a folder of questions that are asked of a corpus."""

    load: Callable[[Path], Dataset]
    layout: str
    """The files that the folder must hold."""
    purpose: str
    judge: str = "none"
    """The judge of temporal relevance that is used if none is named."""
    load_split: Callable[[Path, str | None], Dataset] | None = None
    """As ``load``, for data in splits, each with its own corpus."""


@dataclass(frozen=True, slots=True)
class ReadingSuite:
    """A loader of a folder of texts or questions whose reading is measured; no corpus is asked."""

    load: ReadFolder
    layout: str
    """The files that the folder must hold."""
    purpose: str


SUITES: dict[str, Suite | ReadingSuite] = {
    "adqab": Suite(adqab.load, adqab.LAYOUT, "multiple choice about change over time"),
    "beir": Suite(beir.load, beir.LAYOUT, "retrieval, and answers where the queries state them"),
    "corpus": Suite(bundled.load, bundled.LAYOUT, "a corpus with questions, as corpora/spaceflight"),
    "conversation": Suite(
        bundled.load_conversation,
        bundled.CONVERSATION_LAYOUT,
        "a corpus with colloquial questions, including follow-ups",
    ),
    "diachronic": Suite(
        diachronic.load,
        diachronic.LAYOUT,
        "a corpus with questions over several periods, found and answered",
    ),
    "expressions": ReadingSuite(
        expressions.load, expressions.LAYOUT, "temporal expressions in texts, found and dated"
    ),
    "questions": ReadingSuite(questions.load, questions.LAYOUT, "the times that questions ask about"),
    "tdbench": Suite(
        tdbench.load, tdbench.LAYOUT, "answers from temporal databases, and the days they state"
    ),
    "tempo": Suite(
        tempo.load,
        tempo.LAYOUT,
        "evidence for temporal reasoning, whole questions and steps",
        judge="rules",
        load_split=tempo.load,
    ),
    "tempreason": Suite(
        tempreason.load, tempreason.LAYOUT, "what held when, what came next, date arithmetic"
    ),
    "temprageval": Suite(
        temprageval.load, temprageval.LAYOUT, "evidence and answers for questions whose time was perturbed"
    ),
}


def read(named: Suite, folder: Path, split: str | None) -> Dataset:
    """Load a folder with a suite; for data in splits, the named split.

    Raises:
        BadInputError: a split is named but the suite has none, or nothing can be scored; also raised by the
            loader.
        MissingError: raised by the loader.
    """
    if named.load_split is not None:
        return sound(named.load_split(folder, split), folder)
    if split is not None:
        raise BadInputError("the suite's data has no splits", "leave out --split")
    return sound(named.load(folder), folder)


def suite_named(name: str) -> Suite | ReadingSuite:
    """The suite with a given name.

    Raises:
        BadInputError: there is no such suite.
    """
    if name not in SUITES:
        raise BadInputError(f"there is no suite {name!r}", f"choose one of {', '.join(SUITES)}")
    return SUITES[name]


def retrieval_suite(name: str) -> Suite:
    """The suite with a given name, if its questions are asked of documents.

    Raises:
        BadInputError: there is no such suite, or it retrieves nothing.
    """
    suite = suite_named(name)
    if isinstance(suite, ReadingSuite):
        asking = ", ".join(each for each, one in SUITES.items() if isinstance(one, Suite))
        raise BadInputError(f"the suite {name} retrieves nothing", f"choose one of {asking}")
    return suite
