"""The evidence that answers of a run are based on: retrieved, none, or gold passages (TEMPO, Section 4)."""

from dataclasses import replace

from timelens import BadInputError
from timelens.bench.measures import relevant_of
from timelens.bench.suite_data import Dataset, Gold, reached

RETRIEVED, NONE, ORACLE = "retrieved", "none", "oracle"
SOURCES = (RETRIEVED, NONE, ORACLE)

NO_GOLD = "no gold passages to answer from"


def sources_of(evidence_from: str, gold: Gold) -> list[str]:
    """The source ids to answer from if nothing is retrieved: by grade, then by id."""
    if evidence_from == NONE:
        return []
    return sorted(relevant_of(gold), key=lambda name: (-gold.relevant[name], name))


def answerable(dataset: Dataset, evidence_from: str, *, every: int = 1, limit: int | None = None) -> Dataset:
    """The questions that the evidence can answer: for ``oracle``, only questions with gold passages.

    If a run asks only every n-th question, or the first of them, those that are left out are counted down to
    the last one that is asked.

    Raises:
        BadInputError: the name of the evidence is unknown, questions follow up on each other, or the data
            names no gold passages.
    """
    if evidence_from not in SOURCES:
        raise BadInputError(
            f"evidence cannot come from {evidence_from!r}", f"choose one of {', '.join(SOURCES)}"
        )
    if evidence_from == RETRIEVED:
        return dataset
    if any(query.follows for query in dataset.queries):
        raise BadInputError(
            "these are follow-up questions, whose earlier answers need retrieved evidence",
            f"leave out --evidence-from {evidence_from}, or name a suite without follow-up questions",
        )
    if evidence_from == NONE:
        return dataset
    kept = tuple(query for query in dataset.queries if relevant_of(dataset.gold[query.id]))
    if not kept:
        raise BadInputError(
            "the data names no gold passages to answer from", "leave out --evidence-from oracle"
        )
    asked = reached(dataset.queries, kept, every=every, limit=limit)
    left = sum(not relevant_of(dataset.gold[query.id]) for query in asked)
    excluded = {**dataset.excluded, **({NO_GOLD: left} if left else {})}
    return replace(dataset, queries=kept, excluded=excluded)
