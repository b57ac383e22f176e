"""What a run is asked to do."""

from collections.abc import Mapping
from dataclasses import dataclass

from timelens import Answerer
from timelens.bench.given import RETRIEVED
from timelens.bench.judging import Judge
from timelens.bench.steps import TASKS
from timelens.bench.variants import VARIANTS
from timelens.temporal import Day

NO_ANSWERER = "none"


@dataclass(frozen=True, slots=True)
class Job:
    """What to run."""

    suite: str
    data: str
    strategy: str
    answerer: str
    """Its name; :data:`NO_ANSWERER` asks for evidence alone."""
    ks: tuple[int, ...]
    as_of: Day
    """The day that counts as now for questions that state none."""
    every: int = 1
    """Each so-many-th question is asked alone."""
    limit: int | None = None
    """Of those that are left, only so many of the first."""
    writer: Answerer | None = None
    """The model to answer with; ``None`` is the extractive answerer."""
    model: Mapping[str, str] | None = None
    """What the model is."""
    task: str = TASKS[0]
    """What the questions were made into; see :func:`timelens.bench.steps.as_task`."""
    query: str = VARIANTS[0]
    """How they are worded; see :func:`timelens.bench.variants.in_words_of`."""
    without_negatives: bool = False
    """Whether documents that the data bars are taken out of the rankings."""
    judge: Judge | None = None
    """Judges the best documents by their time; ``None`` where nothing is judged."""
    judge_model: Mapping[str, str] | None = None
    """What the judge's model is, where it has one."""
    evidence_from: str = RETRIEVED
    """Where it comes from; see :mod:`timelens.bench.given`."""
    evidence: int | None = None
    """How many pieces of evidence are answered from; ``None`` takes the configured number."""
    command: tuple[str, ...] = ()
    """The arguments it was called with, to be recorded."""

    @property
    def judge_name(self) -> str:
        """The judge's name, or ``none``."""
        return "none" if self.judge is None else self.judge.name

    @property
    def negatives(self) -> str:
        """Whether barred documents are in the rankings, in words."""
        return "taken out" if self.without_negatives else "ranked"
