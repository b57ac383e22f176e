"""The tools of a client: corpora, parse, search, timeline, ask. Results are the JSON of the command line."""

import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from timelens import (
    Answer,
    BadInputError,
    Corpus,
    Hit,
    MissingError,
    Reading,
    Settings,
    Status,
    TimelensError,
    calculate,
    list_corpora,
)
from timelens.answer.hit_times import time_of
from timelens.answer.rendering.timeline import label
from timelens.contracts import answer_json, corpus_json, question_json, search_json
from timelens.question.as_of_day import named_day
from timelens.question.named_periods import with_periods
from timelens.temporal import Day, Interval, format_day

Json = dict[str, Any]

_MOST_HITS = 100
_TIMELINE_HITS = 20


class Outcome(StrEnum):
    """The outcomes of an answer that a client must distinguish."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    """Some of the asked periods have an answer."""
    NOTHING_FOUND = "nothing_found"
    """The corpus covers the topic, but no passage states an answer; ``nearest`` has the closest passages."""
    NOT_IN_CORPUS = "not_in_corpus"
    """The corpus has nothing on the topic, or does not cover the asked time."""


class Tools:
    """The corpora of this machine, for one client or several.

    Calls may come from any thread; they run one after the other. Answers use no language model, because the
    client has one. Nothing is written to a corpus. Corpora are opened only by name, so that a client reaches
    no other folder.
    """

    def __init__(self, settings: Settings, today: Callable[[], Day], only: Sequence[str] = ()) -> None:
        """Prepare the tools; nothing is opened yet.

        Args:
            settings: the settings of this machine.
            today: returns the reference day for calls that name none.
            only: names of the corpora that may be asked; empty allows all.
        """
        self._settings = settings
        self._only = frozenset(only)
        self._today = today
        self._opened: dict[str, Corpus] = {}
        self._lock = threading.Lock()

    def corpora(self) -> Json:
        """Names, sizes and time spans of the corpora that may be asked."""
        with self._lock:
            return {"corpora": [_described(corpus) for corpus in self._corpora()]}

    def parse(self, question: str, as_of: str | None = None) -> Json:
        """The reading of a question: core query, periods, order, plan."""
        day, conventions = self._day(as_of), self._settings.time.conventions
        return question_json(Reading.by_rules(with_periods(question), day, conventions))

    def search(
        self,
        question: str,
        corpus: str | None = None,
        *,
        as_of: str | None = None,
        periods: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
    ) -> Json:
        """The evidence for a question, best first."""
        with self._lock:
            found = self._open(corpus)
            asked = with_periods(question, periods)
            hits = _count(k)
            result = found.search(asked, as_of=self._day(as_of), strategy=strategy, k=hits)
            return {"corpus": found.name, **search_json(result)}

    def timeline(
        self,
        question: str,
        corpus: str | None = None,
        *,
        as_of: str | None = None,
        periods: Sequence[str] = (),
        k: int | None = None,
    ) -> Json:
        """The evidence for a question from early to late, undated pieces last."""
        with self._lock:
            found = self._open(corpus)
            asked = with_periods(question, periods)
            hits = _count(k) or _TIMELINE_HITS
            result = found.search(asked, as_of=self._day(as_of), k=hits)
        known = search_json(result)
        entries = result.timeline.citations
        return {
            "corpus": found.name,
            "question": asked,
            "as_of": known["as_of"],
            "periods": known["periods"],
            "entries": [{"rank": entry.number, **_entry(entry.hit)} for entry in entries],
            "gaps": known["coverage"]["gaps"],
            "notes": known["notes"],
        }

    def ask(
        self,
        question: str,
        corpus: str | None = None,
        *,
        as_of: str | None = None,
        periods: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
    ) -> Json:
        """The answer to a question, with citations and the support of each date and line."""
        asked, day = with_periods(question, periods), self._day(as_of)
        with self._lock:
            answer = calculate(asked, as_of=day, settings=self._settings)
            if answer is not None:  # the calendar needs no corpus
                return {"outcome": str(Outcome.ANSWERED), "corpus": None, **answer_json(answer)}
            found = self._open(corpus)
            answer = found.ask(asked, as_of=day, strategy=strategy, k=_count(k))
            span = found.summary().span
        return {"outcome": str(_outcome(answer, span)), "corpus": found.name, **answer_json(answer)}

    def _corpora(self) -> list[Corpus]:
        found = [
            corpus for corpus in list_corpora(self._settings) if not self._only or corpus.name in self._only
        ]
        return [self._opened.setdefault(corpus.name, corpus) for corpus in found]

    def _open(self, name: str | None) -> Corpus:
        """The corpus with a given name; without a name, the only corpus."""
        corpora = self._corpora()
        names = ", ".join(corpus.name for corpus in corpora)
        if not corpora:
            raise MissingError("there is no corpus", "make one: timelens ingest FOLDER --corpus NAME")
        if name is None and len(corpora) > 1:
            raise BadInputError("there are several corpora", f"name one: {names}")
        for corpus in corpora:
            if name in {None, corpus.name}:
                return corpus
        raise MissingError(f"there is no corpus {name}", f"there are: {names}")

    def _day(self, as_of: str | None) -> Day:
        today = self._today()
        return today if as_of is None else named_day(as_of, "as_of", today, self._settings.time.conventions)


def _count(k: int | None) -> int | None:
    if k is not None and not 1 <= k <= _MOST_HITS:
        raise BadInputError(f"k is {k}", f"ask for 1 to {_MOST_HITS} pieces of evidence")
    return k


def _outcome(answer: Answer, span: Interval | None) -> Outcome:
    """The outcome of a question over a corpus that covers the days ``span``."""
    if answer.status is not Status.NO_ANSWER:
        return Outcome.PARTIAL if answer.status is Status.PARTIAL else Outcome.ANSWERED
    times = [period.interval for period in answer.periods]
    is_elsewhere = bool(times) and (span is None or not any(map(span.intersects, times)))
    return Outcome.NOT_IN_CORPUS if is_elsewhere or not answer.nearest else Outcome.NOTHING_FOUND


def _described(corpus: Corpus) -> Json:
    summary, error = None, None
    try:
        summary = corpus.summary()
    except TimelensError as caught:
        error = caught
    known = corpus_json(corpus, summary, error)
    return {name: known[name] for name in ("name", "documents", "chunks", "start", "end", "health")}


def _entry(hit: Hit) -> Json:
    time = time_of(hit)
    start, end = (None, None) if time is None else (time.start, time.end)
    return {
        "when": label(hit),
        "start": None if start is None else format_day(start),
        "end": None if end is None else format_day(end),
        "title": hit.chunk.title,
        "place": hit.place or None,
        "text": hit.chunk.text,
        "doc_id": hit.chunk.document_id,
        "uri": hit.chunk.uri,
    }
