"""What is made of what the reader reads: its text, its date, its sentence, and the operations over it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.ways import answer_from
from timelens.answer.text import answer_selection, moments, value_statements
from timelens.answer.text.answer_selection import picks
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.text.picked_spans import Pick
from timelens.answer.text.value_statements import values_in
from timelens.config import RISK
from timelens.documents import Event, EventSource, Hit
from timelens.question.parse import parse
from timelens.reader.encoding import Passage
from timelens.reader.moment_reader import Span
from timelens.reader.span_reader import AnswerSpan
from timelens.temporal.calendar import day_number
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.temporal.phrasing import phrase

TODAY = day_number(2021, 5, 6)
SURE, LIKELY = 40.0, 20.0


class Scripted:
    """A reader that reads what it was told to, by the beginning of the question."""

    def __init__(self, told: Mapping[str, Sequence[str]], score: float = SURE) -> None:
        self._told = told
        self._score = score

    def read(
        self, question: str, window: Interval | None, passages: Sequence[Passage], *, most: int = 3
    ) -> list[AnswerSpan]:
        del window, most
        found = []
        for opening, stretches in self._told.items():
            for number, passage in enumerate(passages):
                for text in stretches if question.startswith(opening) else ():
                    start = passage.text.find(text)
                    if start >= 0:
                        found.append(AnswerSpan(number, start, start + len(text), self._score))
        return found

    def values(self, question: str, passages: Sequence[Passage]) -> list[AnswerSpan]:
        return self.read(question, None, passages)

    def odds(
        self,
        question: str,
        passages: Sequence[Passage],
        sentences: Sequence[Sequence[Span]],
        times: Sequence[Sequence[Span]],
    ) -> list[tuple[list[float], list[float]]]:
        read = self.read(question, None, passages)

        def odds(number: int, spans: Sequence[Span]) -> list[float]:
            own = [(one.start, one.end) for one in read if one.passage == number]
            return [
                self._score if any(a < end and start < b for a, b in own) else -self._score
                for start, end in spans
            ]

        return [
            (odds(number, own), odds(number, dated))
            for number, (own, dated) in enumerate(zip(sentences, times, strict=True))
        ]


Script = Callable[..., None]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Script:
    def script(told: Mapping[str, Sequence[str]], score: float = SURE) -> None:
        monkeypatch.setattr(answer_selection, "bundled_reader", lambda: Scripted(told, score))
        monkeypatch.setattr(value_statements, "bundled_values_reader", lambda: Scripted(told, score))
        monkeypatch.setattr(moments, "bundled_moment_reader", lambda: Scripted(told, score))

    return script


def paper(text: str, year: int = 2015) -> Hit:
    """A sentence with the times that it states; the document is of a year."""
    one = hit("a", [text], year)
    stated = (e.interval for e in find_expressions(text))
    events = tuple(Event(days, 0, EventSource.STATED, 1.0) for days in stated if days is not None)
    published = Event(year_interval(year), 0, EventSource.PUBLISHED, 1.0)
    return replace(one, chunk=replace(one.chunk, events=events or (published,)))


def only(question: str, *evidence: Hit) -> Pick:
    parsed = parse(question, TODAY)
    (one,) = picks(parsed, evidence, values_in(parsed, evidence))
    return one


def answer(question: str, *evidence: Hit, risk: float = RISK) -> Draft:
    return answer_from(parse(question, TODAY), evidence, evidence, risk=risk)


@pytest.mark.parametrize(
    ("stretch", "read"),
    [
        ("Ada Lind,", "Ada Lind"),
        ("- Ada Lind", "Ada Lind"),
        ("-0.25 percent.", "-0.25 percent"),
        ("“−0.25”", "−0.25"),
        ("(412 pounds)", "(412 pounds)"),
        ("the  old\nkiln;", "the old kiln"),
    ],
)
def test_what_stands_at_the_edges_is_no_part_of_an_answer(reads: Script, stretch: str, read: str) -> None:
    reads({"What": [stretch]})
    assert only("What is it?", hit("a", [f"It is said: {stretch} And more."], 2015)).text == read


@pytest.mark.parametrize(
    ("text", "stretch", "days"),
    [
        ("The kiln was lit on 3 May 2016.", "3 May 2016", "3 May 2016"),
        ("It has burned since March 2016.", "March 2016", "March 2016"),
        ("It burned from May 2014 until August 2015.", "May 2014", "May 2014"),
        ("It burned from May 2014 until August 2015.", "August 2015", "August 2015"),
        ("It was lit by Ada Lind in 2016.", "Ada Lind", None),
        ("It was lit by Ada Lind in 2016.", "Ada Lind in 2016", None),
    ],
)
def test_a_stretch_that_is_a_date_has_its_days(
    reads: Script, text: str, stretch: str, days: str | None
) -> None:
    reads({"When": [stretch]})
    found = only("When was it?", paper(text)).days
    assert (None if found is None else phrase(found)) == days


def test_a_date_is_of_the_year_that_it_was_given_when_ingested(reads: Script) -> None:
    reads({"When": ["3 May"]})
    told = hit("a", ["The kiln was lit on 3 May."], 2019)
    day = day_interval(day_number(2011, 5, 3))
    chunk = replace(told.chunk, events=(Event(day, 0, EventSource.STATED, 1.0),))
    draft = answer("When was the kiln lit?", replace(told, chunk=chunk, interval=day))
    assert draft.text.startswith("3 May 2011 [1].")


@pytest.mark.parametrize(
    ("question", "text", "stretch", "lead"),
    [
        ("was the kiln lit", "The kiln was lit on 3/5/2016.", "3/5/2016", "5 March 2016 [1]."),
        (
            "was the kiln lit",
            "The kiln was lit in the summer of 1998.",
            "the summer of 1998",
            "the summer of 1998 [1].",
        ),
        ("does the kiln open", "The kiln opens at 9 am.", "9 am", "9 am [1]."),
        ("was the kiln lit", "The kiln was lit at last.", "lit at last", "2015 [1]."),
    ],
)
def test_when_is_told_by_a_date_with_its_year(
    reads: Script, question: str, text: str, stretch: str, lead: str
) -> None:
    reads({"When": [stretch]})
    assert answer(f"When {question}?", paper(text)).text.split("\n")[0] == lead


def test_what_the_question_says_is_no_answer_but_where_it_offers_it(reads: Script) -> None:
    told = hit("a", ["Ada Lind was treasurer in 2015."], 2015)
    reads({"Who": ["Ada Lind"]})
    assert picks(parse("Who knew Ada Lind in 2015?", TODAY), [told], values=()) == []
    assert only("Who was treasurer in 2015, Ada Lind or Bo Falk?", told).text == "Ada Lind"


def test_a_probability_is_one_however_high_the_score() -> None:
    place = hit("a", ["x"], 2015)
    assert Pick("x", place, 1e4, 0).probability == pytest.approx(1.0)
    assert Pick("x", place, -1e4, 0).probability == pytest.approx(0.0)


MINUTES = [
    hit("a", ["Bo Falk was treasurer in 2014."], 2014, title="Minutes"),
    hit("b", ["Ada Lind was treasurer in 2016."], 2016, title="Minutes"),
    hit("c", ["Cyd Ross was treasurer in 2019."], 2019, title="Minutes"),
]
NAMES = ["Bo Falk", "Ada Lind", "Cyd Ross"]


@pytest.mark.parametrize(
    ("question", "name"),
    [("Treasurer before Ada Lind?", "Bo Falk"), ("Which treasurer came after Ada Lind?", "Cyd Ross")],
)
def test_who_came_next_is_told_by_the_order_of_what_is_read(reads: Script, question: str, name: str) -> None:
    reads({"Treasurer": NAMES, "Which treasurer": NAMES}, LIKELY)
    assert answer(question, *MINUTES).text.split("\n")[0] == f"{name} [1]."


def test_the_day_of_a_name_does_not_stand_in_the_way(reads: Script) -> None:
    reads({"Treasurer": NAMES}, LIKELY)
    from timelens.agent.gathering import with_dates
    from timelens.answer.hops.nested_events import unsure

    event = DatedEvent("Ada Lind", Interval(day_number(2016), day_number(2017)), MINUTES[1])
    parsed = with_dates(parse("Treasurer before Ada Lind?", TODAY), [event])
    draft = answer_from(parsed, MINUTES, MINUTES, events=[event])
    assert draft.text.split("\n")[0] == "Bo Falk [1]."
    assert unsure(parsed, draft, MINUTES, [event]) is None


def test_a_length_is_told_by_its_two_ends(reads: Script) -> None:
    told = hit("a", ["The kiln burned from May 2014 until August 2015."], 2015)
    reads({"Since when": ["May 2014"], "since when": ["May 2014"], "until when": ["August 2015"]})
    draft = answer("How long did the kiln burn?", told)
    assert draft.text.split("\n")[0] == "1 year and 3 months (May 2014 to August 2015), probably [1]."


def test_no_length_is_told_of_what_came_after_something(reads: Script) -> None:
    told = hit("a", ["The kiln burned from May 2014 until August 2015."], 2015)
    reads({"since when": ["May 2014"], "until when": ["August 2015"]})
    assert "1 year" not in answer("How long after the fire did the kiln burn?", told).text


RENTS = [
    hit("a", ["In 2014 the rent was £412."], 2014, title="Flat"),
    hit("b", ["In 2016 the rent was £425."], 2016, title="Flat"),
]


def test_a_course_is_told_by_sentences_with_its_values_and_their_difference(reads: Script) -> None:
    reads({"How did": ["£412", "£425"]}, SURE)
    lines = answer("How did the rent change from 2013 to 2017?", *RENTS).text.split("\n")
    assert [line.partition(":")[0] for line in lines[:2]] == ["2014", "2016"]
    assert lines[2].startswith("Difference: +£13")


@pytest.mark.parametrize(
    "question", ["Was Ada Lind treasurer before Bo Falk?", "Who was treasurer of Zanzibar in 2014?"]
)
def test_neither_a_yes_nor_what_is_said_of_an_unknown_name_is_read(reads: Script, question: str) -> None:
    reads({"": NAMES}, SURE)
    assert not answer(question, *MINUTES).text.startswith(tuple(NAMES))


def test_a_capital_at_the_beginning_makes_no_name(reads: Script) -> None:
    reads({"": ["£412"]})
    assert answer("Lodging fee in 2014?", *RENTS).text.startswith("£412 [1].")


def decision(day: int, text: str) -> Hit:
    """A document of its own about a day of January 2010."""
    days = day_interval(day_number(2010, 1, day))
    told = hit(f"day{day}", [text], 2010)
    event = Event(days, 0, EventSource.PUBLISHED, 1.0)
    return replace(told, chunk=replace(told.chunk, published=days, events=(event,)), interval=days)


DECISIONS = [
    decision(9, "The kiln is kept at 900 degrees."),
    decision(4, "The kiln is set to 900 degrees."),
    decision(20, "The kiln is set to 950 degrees."),
    decision(28, "The kiln is set to 800 degrees."),
]
HEATS = ["900 degrees", "950 degrees", "800 degrees"]


@pytest.mark.parametrize(
    ("question", "value", "days"),
    [
        ("What was the heat of the kiln as of 12 January 2010?", "900 degrees", [9, 4]),
        ("What was the first heat of the kiln after 10 January 2010?", "950 degrees", [20]),
        ("What was the last heat of the kiln before 30 January 2010?", "800 degrees", [28]),
    ],
)
def test_the_calendar_tells_values_apart_that_are_read_as_surely(
    reads: Script, question: str, value: str, days: list[int]
) -> None:
    reads({"What": HEATS})
    draft = answer(question, *DECISIONS)
    assert [one.text for one in draft.values] == [value]
    assert [citation.hit.chunk.document_id for citation in draft.citations] == [f"day{day}" for day in days]


def test_where_the_same_was_read_is_cited_too(reads: Script) -> None:
    reads({"What": ["900 degrees"]})
    draft = answer("What was the heat of the kiln in January 2010?", *DECISIONS)
    assert {citation.hit.chunk.document_id for citation in draft.citations} == {"day4", "day9"}


@pytest.mark.parametrize(
    ("semantic", "read", "score", "is_quoted"),
    [
        pytest.param(0.7, "the bricks", 1.0, True, id="alike"),
        pytest.param(0.1, "the bricks", 1.0, False, id="unlike"),
        pytest.param(None, "the bricks", 1.0, True, id="by words"),
        pytest.param(0.7, "the baker", 1.0, False, id="read in another sentence"),
        pytest.param(0.7, "the bricks", -5.0, False, id="hardly read at all"),
        pytest.param(0.7, "nothing", 1.0, False, id="not read"),
    ],
)
def test_a_sentence_is_quoted_where_it_means_what_is_asked_and_the_answer_is_read_in_it(
    reads: Script, semantic: float | None, read: str, score: float, *, is_quoted: bool
) -> None:
    reads({"What": [read]}, score)
    told = hit("a", ["In 2014 the kiln burned the bricks.", "In 2014 came the baker."], 2014)
    alike = replace(told, scores=replace(told.scores, semantic=semantic))
    draft = answer("What did the kiln burn in 2014?", alike)
    assert (draft.status is Status.ANSWERED) is is_quoted
    assert draft.text.startswith("the bricks") is False
    assert (read if read in told.chunk.text else "the bricks") in draft.text


def test_what_is_read_is_given_where_it_is_no_likelier_to_be_wrong_than_may_be(reads: Script) -> None:
    reads({"What": ["the bricks"]}, LIKELY)
    question = "What did the kiln burn in 2014?"
    told = hit("a", ["In 2014 the kiln burned the bricks."], 2014)
    risk = 1 - only(question, told).probability
    given, quoted, withheld = (answer(question, told, risk=risk + by) for by in (0.01, -0.01, -0.99 * risk))
    assert (given.status, given.text.splitlines()[0]) == (Status.ANSWERED, "the bricks [1].")
    assert (quoted.status, quoted.text[:5]) == (Status.ANSWERED, "2014:")
    assert (withheld.status, len(withheld.nearest)) == (Status.NO_ANSWER, 1)


DIARY = [paper("The kiln burned the bricks in May 2014."), paper("The baker came on 3 June 2014.")]


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("What happened in May 2014?", ["May 2014: The kiln burned the bricks in May 2014. [1]"]),
        (
            "What happened in 2014?",
            [
                "May 2014: The kiln burned the bricks in May 2014. [1]",
                "3 June 2014: The baker came on 3 June 2014. [2]",
            ],
        ),
        ("What happened in 2017?", ["Nothing was found for 2017."]),
        ("What has happened since May 2017?", ["Nothing was found since May 2017."]),
    ],
)
def test_what_happened_in_a_time_is_all_that_is_told_of_it(
    reads: Script, question: str, lines: list[str]
) -> None:
    reads({"What": ["the bricks"]})
    diary = [replace(one, chunk=replace(one.chunk, id=str(n))) for n, one in enumerate(DIARY)]
    assert answer(question, *diary).text.splitlines() == lines


CHANGES = [
    paper("The toll went from £2 to £3 in May 2010.", 2010),
    paper("The toll goes up to £4 from January 2014.", 2013),
]
REEVES = [
    paper("Mr Ada Lind is reeve in 2008.", 2008),
    paper("Bo Falk was elected reeve in 2012.", 2012),
]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What was the toll in 2012?", ["£3"]),
        ("What was the toll in 2015?", ["£4"]),
        ("Who was reeve in 2010?", ["Mr Ada Lind"]),
        ("Who was reeve in 2014?", ["Bo Falk"]),
    ],
)
def test_values_that_cannot_hold_then_are_no_answers(reads: Script, question: str, values: list[str]) -> None:
    reads({"What": ["£2", "£3", "£4"], "Who": ["Mr Ada Lind", "Bo Falk"]})
    parsed, evidence = parse(question, TODAY), CHANGES if question.startswith("What") else REEVES
    assert [pick.text for pick in picks(parsed, evidence, values_in(parsed, evidence))] == values


def test_forms_of_a_name_do_not_compete(reads: Script) -> None:
    evidence = [paper("Ada Lind is reeve in 2008.", 2008), paper("Mrs Lind is reeve in 2009.", 2009)]
    question = "Who was reeve in 2010?"
    reads({"Who": ["Ada Lind", "Mrs Lind"]}, score=2.0)
    same = max(pick.probability for pick in picks(parse(question, TODAY), evidence, []))
    reads({"Who": ["Ada Lind", "Mrs"]}, score=2.0)
    others = max(pick.probability for pick in picks(parse(question, TODAY), evidence, []))
    assert same > others


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the latest heat of the kiln?", "800 degrees"),
        ("What was the most recent heat of the kiln?", "800 degrees"),
        ("What was the first heat of the kiln?", "900 degrees"),
    ],
)
def test_the_first_and_the_last_of_all_are_told_by_the_times_of_values(
    reads: Script, question: str, value: str
) -> None:
    reads({"What": HEATS}, score=4.0)
    draft = answer(question, *DECISIONS)
    assert [one.text for one in draft.values] == [value]
