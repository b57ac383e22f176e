"""Tasks over questions with retrieval steps (TEMPO, Task 2; Section 5.1 and Appendix F.1). Pure."""

from collections.abc import Iterator
from dataclasses import replace

from timelens import BadInputError
from timelens.bench.suite_data import Dataset, Gold, Query, RetrievalStep

TASKS = ("documents", "step-only", "query+step", "query+all")

NO_STEPS = "no steps"
NO_GOLD = "steps without gold documents"


def as_task(dataset: Dataset, task: str) -> Dataset:
    """A dataset with the questions of a task.

    ``documents`` asks each question unchanged. The other tasks make a question of every step that has gold
    documents, scored by these: the step alone (``step-only``), the question with the step (``query+step``),
    or the question with all its steps (``query+all``: one ranking, scored against every step). Steps are
    averaged within their question first (:attr:`Gold.part_of`).

    Raises:
        BadInputError: the task is unknown, or no question has a step with gold documents.
    """
    if task not in TASKS:
        raise BadInputError(f"there is no task {task!r}", f"choose one of {', '.join(TASKS)}")
    if task == TASKS[0]:
        return dataset
    asked = [part for query in dataset.queries for part in _parts(query, dataset.gold[query.id], task)]
    if not asked:
        raise BadInputError(
            f"the data has no steps for the task {task}", "leave out --task, or name other data"
        )
    excluded = {
        NO_STEPS: sum(not dataset.gold[query.id].steps for query in dataset.queries),
        NO_GOLD: sum(not step.relevant for query in dataset.queries for step in dataset.gold[query.id].steps),
    }
    return replace(
        dataset,
        queries=tuple(query for query, _ in asked),
        gold={query.id: gold for query, gold in asked},
        excluded={**dataset.excluded, **{reason: n for reason, n in excluded.items() if n}},
    )


def _parts(query: Query, gold: Gold, task: str) -> Iterator[tuple[Query, Gold]]:
    def worded(question: str, step: RetrievalStep) -> str:
        everything = "\n".join([question, *(step.text for step in gold.steps)])
        return {"step-only": step.text, "query+step": f"{question}\n{step.text}"}.get(task, everything)

    for step in gold.steps:
        if step.relevant:
            original = None if query.original is None else worded(query.original, step)
            yield (
                replace(query, id=step.id, text=worded(query.text, step), original=original),
                replace(
                    gold,
                    relevant=step.relevant,
                    answers=(),
                    reference=None,
                    periods=(),
                    steps=(),
                    part_of=query.id,
                ),
            )
