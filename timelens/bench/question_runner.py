"""Asks one question of a suite and scores the result."""

import time
from collections.abc import Sequence
from dataclasses import replace

from timelens import Answer, BadInputError, Corpus, Hit, SearchResult, Turn, summariser_in
from timelens.bench.coverage_tenths import tenths
from timelens.bench.evidence_source import RETRIEVED, sources_of
from timelens.bench.job import NO_ANSWERER, Job
from timelens.bench.judge_task import Grader
from timelens.bench.judgements import Kept, judge_ranking
from timelens.bench.measures import ranks_stating
from timelens.bench.multiple_choice import Choosing
from timelens.bench.predictions import Prediction, as_shown, as_written, by_rules, without_citations
from timelens.bench.run_folder import Result
from timelens.bench.scorer import Scorer
from timelens.bench.suite_data import Dataset, Gold, Query
from timelens.bench.tdbench_measures import checked_times
from timelens.temporal import Day

_FAULTS = (BadInputError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""Errors that skip one question. Any other (a damaged corpus, a full disk) ends the run, to be resumed."""


class QuestionRunner:
    """Asks questions of a dataset. The last search is cached, because steps of a question may share it."""

    def __init__(self, job: Job, dataset: Dataset, corpus: Corpus) -> None:
        self._job = job
        self._dataset = dataset
        self._corpus = corpus
        self._scorer = Scorer(job.ks)
        self._last: tuple[tuple[str, Day, Turn | None], SearchResult] | None = None

    def ask(self, query: Query) -> Result:
        """Ask one question: its evidence, its answer if the job has an answerer, its scores."""
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
        judged, periods = self._judged(_meant(query), gold, day, passages)
        result = Result(
            query.id,
            gold.kind,
            ranking=ranking,
            stating=ranks_stating(passages[: max(job.ks)], gold),
            seconds=seconds,
            failed=None if fault is None else "answer failed",
            error=fault,
            judged=judged,
            periods=periods,
            coverage=tenths(found.coverage),
        )
        if answer is not None:
            result = self._with_answer(result, answer, query, day)
        return replace(result, scores=self._scorer.score(result, gold))

    def _said_before(self, query: Query, day: Day) -> Turn | None:
        """The turn that a follow-up refers to: the questions before it are answered, without a model."""
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
        """Document ids by the rank of their best chunk, and the texts of the evidence in that order."""
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
        """The answer, or the error message; neither if the job has no answerer."""
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

    def _with_answer(self, result: Result, answer: Answer, query: Query, day: Day) -> Result:
        """The result with an answer, its predictions and their grades."""
        gold = self._dataset.gold[query.id]
        said, shown = _predictions(answer, query.text, gold, day, by_model=self._job.writer is not None)
        said, failed = self._graded(_meant(query), gold, answer.written or answer.text, said)
        shown, also_failed = self._graded(_meant(query), gold, answer.text, shown)
        return replace(
            result,
            answer=answer.text,
            written=answer.written,
            prediction=said,
            shown=shown,
            ungraded=failed or also_failed,
            times=checked_times(answer.time_references, query.text, gold),
        )

    def _judged(
        self, question: str, gold: Gold, day: Day, passages: Sequence[str]
    ) -> tuple[Kept | None, int]:
        """The judge's verdicts on the best documents, and the number of periods that need evidence."""
        if self._job.judge is None:
            return None, 0
        return judge_ranking(self._job.judge, question, gold, day, passages[: max(self._job.ks)])

    def _graded(
        self, question: str, gold: Gold, text: str, said: Prediction | None
    ) -> tuple[Prediction | None, bool]:
        """A prediction with its grade, if it can be graded, and whether the judge failed to give one."""
        judge = self._job.judge
        if said is None or gold.reference is None or not isinstance(judge, Grader):
            return said, False
        grade = 0.0 if said.refused else judge.grade(question, without_citations(text), gold.reference)
        return replace(said, grade=grade), grade is None


def _meant(query: Query) -> str:
    """The question as judges see it: its original wording."""
    return query.text if query.original is None else query.original


def _predictions(
    answer: Answer, question: str, gold: Gold, day: Day, *, by_model: bool
) -> tuple[Prediction | None, Prediction | None]:
    """The scored prediction and, if a model answers, the prediction of the shown answer."""
    if not by_model:
        return by_rules(answer, gold), None
    said = None if answer.written is None else as_written(answer.written, question, gold, day)
    worded = answer.written is not None and answer.written.strip()
    return said, as_shown(answer, question, gold, day) if worded else by_rules(answer, gold)


def _words_of(error: BaseException) -> str:
    message = str(error) or type(error).__name__
    return message if isinstance(error, BadInputError) else f"{type(error).__name__}: {message}"
