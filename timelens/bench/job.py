"""The settings of a run."""

from collections.abc import Mapping
from dataclasses import dataclass

from timelens import Answerer
from timelens.bench.evidence_source import RETRIEVED
from timelens.bench.judge_task import Judge
from timelens.bench.retrieval_steps import TASKS
from timelens.bench.variants import VARIANTS
from timelens.temporal import Day

NO_ANSWERER = "none"


@dataclass(frozen=True, slots=True)
class Job:
    """The settings of a run."""

    suite: str
    data: str
    strategy: str
    answerer: str
    """The name of the answerer; :data:`NO_ANSWERER` retrieves evidence without answering."""
    ks: tuple[int, ...]
    as_of: Day
    """The reference day ("now") for questions that state none."""
    every: int = 1
    """Ask only every n-th question."""
    limit: int | None = None
    """Ask at most this many of the remaining questions, from the first."""
    writer: Answerer | None = None
    """The model that answers; ``None`` uses the extractive answerer."""
    model: Mapping[str, str] | None = None
    """Identity of the model, recorded with the run."""
    task: str = TASKS[0]
    """The task that the questions are turned into; see :func:`timelens.bench.retrieval_steps.as_task`."""
    query: str = VARIANTS[0]
    """The wording of the questions; see :func:`timelens.bench.variants.in_words_of`."""
    without_negatives: bool = False
    """Whether documents that the data bars are removed from the rankings."""
    judge: Judge | None = None
    """Judges the temporal relevance of the best documents; ``None`` for no judging."""
    judge_model: Mapping[str, str] | None = None
    """Identity of the judge's model, if it has one."""
    evidence_from: str = RETRIEVED
    """The source of the evidence; see :mod:`timelens.bench.evidence_source`."""
    evidence: int | None = None
    """The number of pieces of evidence to answer from; ``None`` uses the configured number."""
    command: tuple[str, ...] = ()
    """The command-line arguments, recorded with the run."""

    @property
    def judge_name(self) -> str:
        """The judge's name, or ``none``."""
        return "none" if self.judge is None else self.judge.name

    @property
    def negatives(self) -> str:
        """Whether barred documents are in the rankings, in words."""
        return "taken out" if self.without_negatives else "ranked"
