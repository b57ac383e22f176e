"""What the answers of a run rest on: what is retrieved, nothing, or the gold passages (TEMPO, Section 4)."""

from dataclasses import replace

from timelens import BadInputError
from timelens.bench.data import Dataset, Gold
from timelens.bench.measures import relevant_of

RETRIEVED, NONE, ORACLE = "retrieved", "none", "oracle"
SOURCES = (RETRIEVED, NONE, ORACLE)

NO_GOLD = "no gold passages to answer from"


def sources_of(evidence_from: str, gold: Gold) -> list[str]:
    """The ids of what a question is answered from where nothing is retrieved: by grade, then by id."""
    if evidence_from == NONE:
        return []
    return sorted(relevant_of(gold), key=lambda name: (-gold.relevant[name], name))


def answerable(dataset: Dataset, evidence_from: str) -> Dataset:
    """The questions that can be answered so; those without gold passages are left out of ``oracle``, counted.

    Raises:
        BadInputError: there is no such source, questions follow up on each other, or the data names no gold
            passages.
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
    left = len(dataset.queries) - len(kept)
    excluded = {**dataset.excluded, **({NO_GOLD: left} if left else {})}
    return replace(dataset, queries=kept, excluded=excluded)
