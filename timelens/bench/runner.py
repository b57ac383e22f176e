"""Asks a suite's questions, scores each at once, and sums up."""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import timelens
from timelens.agent import Answer, Answerer
from timelens.answer.model import Status
from timelens.api import Corpus, SearchResult, open_corpus
from timelens.bench import shifts, tdbench_measures
from timelens.bench.choices import Choosing, chosen
from timelens.bench.coverage import summed, tenths
from timelens.bench.data import Dataset, Gold, Query
from timelens.bench.given import RETRIEVED, sources_of
from timelens.bench.judged import judge_ranking, judge_summary
from timelens.bench.judging import Grader, Judge
from timelens.bench.measures import Judged, Outcome, Scores, means
from timelens.bench.runs import Result, RunFolder, code_hash, corpus_key, git_state
from timelens.bench.scorer import Scorer
from timelens.bench.steps import TASKS
from timelens.bench.tdbench_measures import checked_times
from timelens.bench.variants import VARIANTS
from timelens.bench.workers import Ask, Work, ask_all
from timelens.config import Settings, home
from timelens.documents import Hit
from timelens.errors import BadInputError
from timelens.ingest.pipeline import IngestProgress, IngestReport
from timelens.question.conversation import Turn
from timelens.retrieval.model import summariser_in
from timelens.temporal.calendar import Day, format_day

NO_ANSWERER = "none"

_CITATION = re.compile(r" ?\[\d+\]", re.ASCII)
_FAULTS = (BadInputError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""What leaves one question out; anything else (a damaged corpus, a full disk) ends the run, to be resumed."""


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
    limit: int | None = None
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


def corpus_of(dataset: Dataset, settings: Settings) -> Corpus:
    """The corpus of a dataset under the timelens home, shared by all runs over the same documents."""
    embedder = settings.embedder.model_dump_json(exclude={"device", "allow_download"})
    made_with = embedder + settings.time.model_dump_json()
    return open_corpus(
        str(home() / "bench" / "corpora" / corpus_key(dataset.documents_hash, made_with)), settings
    )


def ingest(
    dataset: Dataset, corpus: Corpus, on_progress: Callable[[IngestProgress], None] = lambda _: None
) -> IngestReport:
    """Bring a dataset's documents in, where they are not there yet."""
    return dataset.ingest(corpus, on_progress)


def run(
    job: Job,
    dataset: Dataset,
    corpus: Corpus,
    folder: RunFolder,
    *,
    resume: bool = False,
    jobs: int = 1,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[dict[str, Any], list[Result]]:
    """Ask what is not asked yet, and write results and summary.

    With several ``jobs`` as many processes ask; what comes of it is the same. A job with a model has one.

    Raises:
        BadInputError: there is a run of another configuration in the folder.
        StoreError: the corpus cannot be read; the run can be resumed.
    """
    queries = dataset.queries[: job.limit]
    finished = folder.begin(_config(job, dataset, corpus, queries), resume=resume)
    waiting = [query for query in queries if query.id not in finished]
    make = partial(_asker, job)
    if jobs > 1 and job.writer is None:
        asked = ask_all(Work(make, dataset, corpus.path, corpus.settings), waiting, jobs)
    else:
        asked = map(make(dataset, corpus), waiting)
    on_progress(len(queries) - len(waiting), len(queries))
    for left, result in zip(reversed(range(len(waiting))), asked, strict=True):
        folder.add(result)
        finished[result.id] = result
        on_progress(len(queries) - left, len(queries))
    results = [finished[query.id] for query in queries]
    summary = _summary(job, Scorer(job.ks).names, results, dataset, folder.path)
    folder.finish(results, summary)
    return summary, results


def _asker(job: Job, dataset: Dataset, corpus: Corpus) -> Ask:
    return _Asking(job, dataset, corpus).ask


class _Asking:
    """Asks questions. What was found last is kept: steps of a question may share one search."""

    def __init__(self, job: Job, dataset: Dataset, corpus: Corpus) -> None:
        self._job = job
        self._dataset = dataset
        self._corpus = corpus
        self.scorer = Scorer(job.ks)
        self._last: tuple[tuple[str, Day, Turn | None], SearchResult] | None = None

    def ask(self, query: Query) -> Result:
        """One question: its evidence, its answer where one is wanted, its scores."""
        job, gold = self._job, self._dataset.gold[query.id]
        day = job.as_of if query.as_of is None else query.as_of
        started = time.perf_counter()
        try:
            after = self._said_before(query, day)
            found = self._found(query.text, day, after)
        except _FAULTS as error:
            return Result(query.id, gold.kind, failed="retrieval failed", error=_words_of(error))
        hits = found.pool
        if job.without_negatives:
            hits = tuple(hit for hit in hits if hit.chunk.source_id not in gold.barred)
        ranking, passages = _ranked(hits, self._dataset.texts)
        answer: Answer | None = None
        failed: str | None = None
        fault: str | None = None
        if job.answerer != NO_ANSWERER:
            try:
                answer = self._answer(query.text, day, gold, after)
            except _FAULTS as error:
                failed, fault = "answer failed", _words_of(error)
        seconds = round(time.perf_counter() - started, 4)
        meant = query.text if query.original is None else query.original
        judged, kept = self._judged(meant, gold, day, passages)
        grade, ungraded = self._graded(meant, gold, answer)
        outcome = _outcome(ranking, passages[: max(job.ks)], answer, gold, judged=judged, grade=grade)
        scores = self.scorer.score(outcome, gold)
        said = None if answer is None else answer.text
        return Result(
            query.id,
            gold.kind,
            ranking,
            said,
            scores,
            seconds,
            failed,
            fault,
            judged=kept,
            ungraded=ungraded,
            coverage=tenths(found.coverage),
            times=() if answer is None else checked_times(answer.time_references, query.text, gold),
        )

    def _said_before(self, query: Query, day: Day) -> Turn | None:
        """What a question follows up on: the questions before it are answered, without a model."""
        turn: Turn | None = None
        for text in query.follows:
            turn = self._corpus.ask(text, as_of=day, strategy=self._job.strategy, after=turn).turn
        return turn

    def _found(self, question: str, day: Day, after: Turn | None) -> SearchResult:
        asked = (question, day, after)
        if self._last is None or self._last[0] != asked:
            found = self._corpus.search(
                question,
                as_of=day,
                strategy=self._job.strategy,
                k=max(self._job.ks),
                after=after,
                summariser=summariser_in(self._job.writer),
            )
            self._last = (asked, found)
        return self._last[1]

    def _answer(self, question: str, day: Day, gold: Gold, after: Turn | None) -> Answer:
        writer = self._job.writer
        if writer is not None and gold.choices:
            writer = Choosing(writer, gold.choices)
        if self._job.evidence_from != RETRIEVED:
            sources = sources_of(self._job.evidence_from, gold)
            return self._corpus.ask_given(question, sources, as_of=day, answerer=writer)
        return self._corpus.ask(
            question,
            as_of=day,
            strategy=self._job.strategy,
            k=self._job.evidence,
            after=after,
            answerer=writer,
        )

    def _judged(
        self, question: str, gold: Gold, day: Day, passages: Sequence[str]
    ) -> tuple[Judged | None, dict[str, Any] | None]:
        if self._job.judge is None:
            return None, None
        return judge_ranking(self._job.judge, question, gold, day, passages[: max(self._job.ks)])

    def _graded(self, question: str, gold: Gold, answer: Answer | None) -> tuple[float | None, bool]:
        """The grade of an answer, where it can have one, and whether the judge failed to give it."""
        judge = self._job.judge
        if answer is None or gold.reference is None or not isinstance(judge, Grader):
            return None, False
        if answer.status is Status.NO_ANSWER:
            return 0.0, False
        grade = judge.grade(question, _CITATION.sub("", answer.text), gold.reference)
        return grade, grade is None


def _ranked(hits: Sequence[Hit], texts: Mapping[str, str] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The documents, each where its best chunk stands, and the texts of the evidence in the same order."""
    ranking = tuple(dict.fromkeys(hit.chunk.source_id for hit in hits))
    if texts is None:
        return ranking, tuple(hit.chunk.content for hit in hits)
    return ranking, tuple(texts[name] for name in ranking)


def _outcome(
    ranking: tuple[str, ...],
    passages: tuple[str, ...],
    answer: Answer | None,
    gold: Gold,
    *,
    judged: Judged | None,
    grade: float | None,
) -> Outcome:
    if answer is None:
        return Outcome(ranking, passages, judged=judged)
    if answer.status is Status.NO_ANSWER:
        return Outcome(ranking, passages, "", "", refused=True, judged=judged, grade=grade)
    text = _CITATION.sub("", answer.text)
    if gold.choices:
        choice = chosen(text, gold.choices) or ""
        return Outcome(ranking, passages, choice, choice, judged=judged, grade=grade)
    values = [value.text for value in answer.values]
    said = "\n".join([text, *values])
    return Outcome(
        ranking,
        passages,
        ", ".join(values) or text,
        said,
        values=answer.values,
        judged=judged,
        grade=grade,
    )


def _summary(
    job: Job, names: Sequence[str], results: Sequence[Result], dataset: Dataset, path: Path
) -> dict[str, Any]:
    """What the contract asks for. Questions with nothing to score them by, and failures, are counted.

    Steps are averaged within their question first, so that ``n`` counts questions. ``defined`` has the
    number of questions that a metric is defined for, where it is not all of them.
    """
    scored = [result for result in results if result.scores]
    excluded = Counter(dataset.excluded)
    excluded.update(result.failed for result in results if result.failed is not None)
    unknown = sum(not result.scores and result.failed is None for result in results)
    if unknown:
        excluded["nothing known to score by"] = unknown
    whole = by_question(scored, dataset.gold)
    metrics = means(names, whole)
    defined = [name for name in names if metrics[name] is not None]
    counts = {name: sum(name in scores for scores in whole) for name in defined}
    summary = {
        "suite": job.suite,
        "data": job.data,
        "strategy": job.strategy,
        "answerer": job.answerer,
        "task": job.task,
        "query": job.query,
        "evidence_from": job.evidence_from,
        "negatives": job.negatives,
        "n": len(whole),
        "excluded": dict(excluded),
        "metrics": {name: metrics[name] for name in defined},
        "defined": {name: count for name, count in counts.items() if count < len(whole)},
        "groups": _groups(defined, scored, dataset.gold),
        **summed(results),
        **shifts.summed(results, dataset.gold),
        **tdbench_measures.summed(chain.from_iterable(result.times for result in results)),
        "seconds": round(sum(result.seconds for result in results), 3),
        "run": str(path),
    }
    if job.judge is not None:
        summary["judge"] = judge_summary(job.judge.name, results)
    return summary


def by_question(results: Sequence[Result], gold: Mapping[str, Gold]) -> list[Scores]:
    """The scores of each question; those of steps are averaged within their question, measure by measure."""
    parts: dict[str, list[Mapping[str, float]]] = {}
    for result in results:
        parts.setdefault(gold[result.id].part_of or result.id, []).append(result.scores)
    return [
        {name: fmean(each[name] for each in steps if name in each) for name in dict.fromkeys(chain(*steps))}
        for steps in parts.values()
    ]


def _groups(
    names: Sequence[str], results: Sequence[Result], gold: Mapping[str, Gold]
) -> dict[str, dict[str, dict[str, float | None]]]:
    """The metrics of the questions under each label, by the kind and by every other grouping."""
    labels = {result.id: {"kind": result.kind, **gold[result.id].groups} for result in results}
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for grouping in dict.fromkeys(chain.from_iterable(labels.values())):
        own = {name: each.get(grouping) for name, each in labels.items()}
        found[grouping] = _grouped(names, results, own, gold)
    return {grouping: groups for grouping, groups in found.items() if groups}


def _grouped(
    names: Sequence[str],
    results: Sequence[Result],
    labels: Mapping[str, str | None],
    gold: Mapping[str, Gold],
) -> dict[str, dict[str, float | None]]:
    """The number of questions under each label, as ``n``, and their metrics."""
    groups: dict[str, dict[str, float | None]] = {}
    for label in sorted({label for label in labels.values() if label is not None}):
        scores = by_question([result for result in results if labels[result.id] == label], gold)
        groups[label] = {"n": len(scores), **means(names, scores)}
    return groups


def _config(job: Job, dataset: Dataset, corpus: Corpus, queries: Sequence[Query]) -> dict[str, Any]:
    return {
        "suite": job.suite,
        "data": job.data,
        "dataset": dataset.hash,
        "strategy": job.strategy,
        "answerer": job.answerer,
        "task": job.task,
        "query": job.query,
        "negatives": job.negatives,
        "judge": {"name": job.judge_name, "model": job.judge_model},
        "evidence": job.evidence,
        "evidence_from": job.evidence_from,
        "model": None if job.model is None else dict(job.model),
        "k": list(job.ks),
        "limit": job.limit,
        "as_of": format_day(job.as_of),
        "embedder": asdict(corpus.summary().embedder),
        "corpus": str(corpus.path),
        "version": timelens.__version__,
        "code": code_hash(),
        "git": git_state(),
        "command": list(job.command),
        "questions": [query.id for query in queries],
    }


def _words_of(error: BaseException) -> str:
    message = str(error) or type(error).__name__
    return message if isinstance(error, BadInputError) else f"{type(error).__name__}: {message}"
