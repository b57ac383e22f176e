"""Questions of yes or no: the sentences that tell are named first, and nothing is asserted."""

from collections.abc import Sequence

import pytest
from evidence import hit

from timelens.answer import whether
from timelens.answer.extractive import answer_from
from timelens.answer.model import Draft, Status
from timelens.question.parse import parse
from timelens.reader.encoding import Passage
from timelens.reader.whether import Told
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval

TODAY = day_number(2021, 5, 6)
EVIDENCE = (
    hit("a", ["The committee spoke of the kiln.", "The kiln was cold."], 2012),
    hit("b", ["The kiln stood in the yard.", "In the end Bo Falk sold the kiln."], 2014),
)


class Scripted:
    """A reader that takes the sentence with a word to tell, and all others not to."""

    def __init__(self, word: str) -> None:
        self._word = word

    def tell(self, question: str, window: Interval | None, passages: Sequence[Passage]) -> list[Told]:
        del question, window
        found = [
            Told(number, max(0, passage.text.find(self._word)), 3.0 if self._word in passage.text else -3.0)
            for number, passage in enumerate(passages)
        ]
        return sorted(found, key=lambda told: -told.score)


def answer(question: str, monkeypatch: pytest.MonkeyPatch, word: str = "sold") -> Draft:
    monkeypatch.setattr(whether, "bundled_whether_reader", lambda: Scripted(word))
    return answer_from(parse(question, TODAY), EVIDENCE, EVIDENCE)


def test_what_tells_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln sold?", monkeypatch)
    first, second = draft.text.splitlines()[1:]
    assert (draft.status, draft.values) == (Status.NO_ANSWER, ())
    assert first == "2014: In the end Bo Falk sold the kiln. [1]"
    assert second.startswith("2012:")


def test_what_tells_is_named_of_another_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = answer("Was the kiln still there in 2012?", monkeypatch)
    assert draft.text.splitlines()[1] == "2014: In the end Bo Falk sold the kiln. [1]"


def test_other_questions_are_not_put_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whether, "bundled_whether_reader", lambda: pytest.fail("it was asked"))
    question = "What became of the kiln?"
    assert answer_from(parse(question, TODAY), EVIDENCE, EVIDENCE).text
