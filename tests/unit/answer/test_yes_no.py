"""Questions of yes or no: what surely tells is the answer, and what may tell is named first."""

from collections.abc import Sequence

import pytest
from evidence import hit

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.ways import answer_from
from timelens.answer.text import yes_no
from timelens.config import RISK
from timelens.question.parse import parse
from timelens.reader.encoding import Passage
from timelens.reader.yes_no_reader import YesNoEvidence
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval

TODAY = day_number(2021, 5, 6)
EVIDENCE = (
    hit("a", ["The committee spoke of the kiln.", "The kiln was cold."], 2012),
    hit("b", ["The kiln stood in the yard.", "In the end Bo Falk sold the kiln."], 2014),
)


class Scripted:
    """A reader that takes the sentence with a word to tell, by log odds, and all others not to."""

    def __init__(self, word: str, odds: float) -> None:
        self._word, self._odds = word, odds

    def tell(
        self, question: str, window: Interval | None, passages: Sequence[Passage]
    ) -> list[YesNoEvidence]:
        del question, window
        found = [
            YesNoEvidence(
                number,
                max(0, passage.text.find(self._word)),
                self._odds if self._word in passage.text else -9,
            )
            for number, passage in enumerate(passages)
        ]
        return sorted(found, key=lambda told: -told.score)


def answer(question: str, monkeypatch: pytest.MonkeyPatch, *, odds: float, risk: float = RISK) -> Draft:
    monkeypatch.setattr(yes_no, "bundled_yes_no_reader", lambda: Scripted("sold", odds))
    return answer_from(parse(question, TODAY), EVIDENCE, EVIDENCE, risk=risk)


def test_what_surely_tells_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln sold?", monkeypatch, odds=3.0)
    assert draft.status is Status.ANSWERED
    assert draft.text == "2014: In the end Bo Falk sold the kiln. [1]"
    assert [citation.hit.chunk.title for citation in draft.citations] == [EVIDENCE[1].chunk.title]
    assert 1 - RISK <= draft.statements[0].probability < 1


def test_at_less_risk_it_is_only_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer("Was the kiln sold?", monkeypatch, odds=3.0, risk=0.01).status is Status.NO_ANSWER


def test_what_may_tell_is_named_first(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln sold?", monkeypatch, odds=-5.0)
    first, second = draft.text.splitlines()[1:]
    assert (draft.status, draft.values) == (Status.NO_ANSWER, ())
    assert first == "2014: In the end Bo Falk sold the kiln. [1]"
    assert second.startswith("2012:")


def test_what_tells_is_told_of_another_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln still there in 2012?", monkeypatch, odds=3.0)
    assert draft.text.splitlines()[0] == "2014: In the end Bo Falk sold the kiln. [1]"


def test_of_what_the_corpus_does_not_know_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer("Was the Zanzibar sold?", monkeypatch, odds=3.0).status is Status.NO_ANSWER


def test_other_questions_are_not_put_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yes_no, "bundled_yes_no_reader", lambda: pytest.fail("it was asked"))
    question = "What became of the kiln?"
    assert answer_from(parse(question, TODAY), EVIDENCE, EVIDENCE).text
