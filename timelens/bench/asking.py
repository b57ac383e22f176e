"""Asks one question of a suite and scores what comes of it."""

import re
import time
from collections.abc import Sequence
from typing import Any

from timelens.agent import Answer
from timelens.answer.model import Status
from timelens.api import Corpus, SearchResult
from timelens.bench.choices import Choosing, chosen
from timelens.bench.coverage import tenths
from timelens.bench.data import Dataset, Gold, Query
from timelens.bench.given import RETRIEVED, sources_of
from timelens.bench.job import NO_ANSWERER, Job
from timelens.bench.judged import judge_ranking
from timelens.bench.judging import Grader
from timelens.bench.measures import Judged, Outcome
from timelens.bench.runs import Result
from timelens.bench.scorer import Scorer
from timelens.bench.tdbench_measures import checked_times
from timelens.documents import Hit
from timelens.errors import BadInputError
from timelens.question.conversation import Turn
from timelens.retrieval.model import summariser_in
from timelens.temporal.calendar import Day

_CITATION = re.compile(r" ?\[\d+\]", re.ASCII)
_FAULTS = (BadInputError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""What leaves one question out; anything else (a damaged corpus, a full disk) ends the run, to be resumed."""


class Asking:
    """Asks questions of a dataset. What was found last is kept: steps of a question may share one search."""

    def __init__(self, job: Job, dataset: Dataset, corpus: Corpus) -> None:
        self._job = job
        self._dataset = dataset
        self._corpus = corpus
        self._scorer = Scorer(job.ks)
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
        ranking, passages = self._ranked(found.pool, gold)
        answer, fault = self._answered(query.text, day, gold, after)
        seconds = round(time.perf_counter() - started, 4)
        meant = query.text if query.original is None else query.original
        judged, kept = self._judged(meant, gold, day, passages)
        grade, ungraded = self._graded(meant, gold, answer)
        outcome = _outcome(ranking, passages[: max(job.ks)], answer, gold, judged=judged, grade=grade)
        return Result(
            query.id,
            gold.kind,
            ranking=ranking,
            answer=None if answer is None else answer.text,
            scores=self._scorer.score(outcome, gold),
            seconds=seconds,
            failed=None if fault is None else "answer failed",
            error=fault,
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

    def _ranked(self, hits: Sequence[Hit], gold: Gold) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The documents, each where its best chunk stands, and the texts of the evidence in that order."""
        if self._job.without_negatives:
            hits = [hit for hit in hits if hit.chunk.source_id not in gold.barred]
        ranking = tuple(dict.fromkeys(hit.chunk.source_id for hit in hits))
        texts = self._dataset.texts
        if texts is None:
            return ranking, tuple(hit.chunk.content for hit in hits)
        return ranking, tuple(texts[name] for name in ranking)

    def _answered(
        self, question: str, day: Day, gold: Gold, after: Turn | None
    ) -> tuple[Answer | None, str | None]:
        """The answer where one is wanted, or what went wrong with it."""
        if self._job.answerer == NO_ANSWERER:
            return None, None
        try:
            return self._answer(question, day, gold, after), None
        except _FAULTS as error:
            return None, _words_of(error)

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
        tuple(text.splitlines()),
        values=answer.values,
        judged=judged,
        grade=grade,
    )


def _words_of(error: BaseException) -> str:
    message = str(error) or type(error).__name__
    return message if isinstance(error, BadInputError) else f"{type(error).__name__}: {message}"
