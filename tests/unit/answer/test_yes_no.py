"""Yes-or-no questions: what surely tells gives yes or no, and what may tell is named first."""

from collections.abc import Sequence

import pytest
from evidence import hit

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.ways import answer_from
from timelens.answer.text import yes_no
from timelens.config import CAUTIOUS_RISK, RISK
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
    """A reader for which the sentence with a word tells, with log odds for telling and for yes."""

    def __init__(self, word: str, odds: float, leaning: float) -> None:
        self._word, self._odds, self._leaning = word, odds, leaning

    def tell(
        self, question: str, window: Interval | None, passages: Sequence[Passage]
    ) -> list[YesNoEvidence]:
        del question, window
        found = [
            YesNoEvidence(
                number,
                max(0, passage.text.find(self._word)),
                self._odds if self._word in passage.text else -9,
                self._leaning,
            )
            for number, passage in enumerate(passages)
        ]
        return sorted(found, key=lambda told: -told.score)


def answer(
    question: str, monkeypatch: pytest.MonkeyPatch, *, odds: float, leaning: float = 9, risk: float = RISK
) -> Draft:
    monkeypatch.setattr(yes_no, "bundled_yes_no_reader", lambda: Scripted("sold", odds, leaning))
    return answer_from(parse(question, TODAY), EVIDENCE, EVIDENCE, risk=risk)


@pytest.mark.parametrize(("leaning", "said"), [(9, "Yes"), (-9, "No")])
def test_what_surely_tells_is_the_answer(leaning: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln sold?", monkeypatch, odds=9.0, leaning=leaning)
    assert draft.status is Status.ANSWERED
    assert draft.text == f"{said} [1].\n2014: In the end Bo Falk sold the kiln. [1]"
    assert [citation.hit.chunk.title for citation in draft.citations] == [EVIDENCE[1].chunk.title]
    assert 1 - RISK <= draft.statements[0].probability < 1


def test_what_a_cautious_reader_would_not_say_is_probable(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln sold?", monkeypatch, odds=2.0, leaning=0)
    assert draft.text.splitlines()[0] == "Yes, probably [1]."
    assert answer("Was the kiln sold?", monkeypatch, odds=2.0, leaning=0, risk=CAUTIOUS_RISK).status is (
        Status.NO_ANSWER
    )


def test_a_sentence_that_surely_tells_and_leans_to_neither_is_only_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draft = answer("Was the kiln sold?", monkeypatch, odds=1.0, leaning=-0.5)
    assert draft.status is Status.NO_ANSWER
    assert "2014: In the end Bo Falk sold the kiln. [1]" in draft.text


def test_at_less_risk_it_is_only_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer("Was the kiln sold?", monkeypatch, odds=9.0, risk=0.01).status is Status.NO_ANSWER


def test_what_may_tell_is_named_first(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln sold?", monkeypatch, odds=-5.0)
    first, second = draft.text.splitlines()[1:]
    assert (draft.status, draft.values) == (Status.NO_ANSWER, ())
    assert first == "2014: In the end Bo Falk sold the kiln. [1]"
    assert second.startswith("2012:")


def test_what_tells_is_told_of_another_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln still there in 2012?", monkeypatch, odds=9.0)
    assert draft.text.splitlines()[1] == "2014: In the end Bo Falk sold the kiln. [1]"


@pytest.mark.parametrize(
    ("sentence", "question", "change"),
    [
        ("In the end the kiln was sold.", "Was the kiln sold?", {}),
        ("In the end the kiln was not sold.", "Was the kiln sold?", {"denies": 1.0}),
        ("They couldn’t sell the kiln.", "Was the kiln sold?", {"denies": 1.0}),
        ("The kiln was sold.", "Was the kiln never sold?", {"asks_denied": 1.0}),
        ("The kiln was sold.", "Was the kiln still there?", {"asks_still": 1.0}),
    ],
)
def test_words_that_deny_are_counted(
    sentence: str, question: str, change: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yes_no, "bundled_yes_no_reader", lambda: Scripted("kiln", 1.0, 2.0))
    ((_, _, yes),) = yes_no.yes_no_candidates(parse(question, TODAY), [hit("a", [sentence], 2012)])
    plain = {"bias": 1.0, "leaning": 2.0, "denies": 0.0, "asks_denied": 0.0, "asks_still": 0.0}
    assert yes == plain | change


def test_of_what_the_corpus_does_not_know_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer("Was the Zanzibar sold?", monkeypatch, odds=3.0).status is Status.NO_ANSWER


def test_other_questions_are_not_put_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yes_no, "bundled_yes_no_reader", lambda: pytest.fail("it was asked"))
    question = "What became of the kiln?"
    assert answer_from(parse(question, TODAY), EVIDENCE, EVIDENCE).text
