import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.ways import answer_from
from timelens.answer.relevance import topic_of
from timelens.answer.tables.solver import select
from timelens.answer.text.event_lists import listed
from timelens.documents import Chunk, Event, EventSource, Fact, Hit, Scores
from timelens.ingest.tables import verbalise
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, year_interval

TODAY = day_number(2021, 5, 6)


def row(name: str, year: int, end: int | None = None, office: str = "Mayor") -> Hit:
    last = None if end is None else day_number(end)
    fact = Fact((("Office", office), ("Name", name)), day_number(year), last, Granularity.DAY)
    text = verbalise(fact)
    events = (Event(fact.validity, 0, EventSource.STATED, 1.0),)
    chunk = Chunk(f"m#{name}", "mayors.csv", 0, "", "", text, None, ((0, len(text)),), events, fact)
    return Hit(chunk, Scores(0.9, 0.9, 1.0, 0.9), fact.validity, 0)


MAYORS = [
    row("Alder Ash", 1980, 1985),
    row("Birch Bay", 1985, 1990),
    row("Cedar Cox", 1990, 1996),
    row("Elm Eve", 1996, 2003),
    row("Fir Fay", 2003),
]


def told(document: str, *sentences: tuple[str, Interval], title: str = "") -> Hit:
    text, spans, events = "", [], []
    for index, (sentence, time) in enumerate(sentences):
        spans.append((len(text), len(text) + len(sentence)))
        text += f"{sentence} "
        events.append(Event(time, index, EventSource.STATED, 1.0))
    chunk = Chunk(document, document, 0, "", title, text, None, tuple(spans), tuple(events))
    return Hit(chunk, Scores(0.9, 0.9, 1.0, 0.9), sentences[0][1], 0)


def answer(question: str, hits: list[Hit]) -> Draft:
    return answer_from(parse(question, TODAY), hits, hits)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who were the first two mayors?", "Alder Ash, Birch Bay"),
        ("Who were the last two mayors?", "Elm Eve, Fir Fay"),
        ("Who were the last two mayors before 1996?", "Birch Bay, Cedar Cox"),
        ("Who were the first three mayors after 1986?", "Cedar Cox, Elm Eve, Fir Fay"),
        ("Who were the last two mayors as of 1992?", "Birch Bay, Cedar Cox"),
        ("List the changes of mayor in 1996.", "Elm Eve"),
        ("The last two changes of mayor before 2000: who took over, and when?", "Cedar Cox, Elm Eve"),
    ],
)
def test_rows_are_counted_from_their_beginnings(question: str, names: str) -> None:
    assert ", ".join(value.text for value in answer(question, MAYORS).values) == names


@given(st.integers(min_value=2, max_value=8), st.sampled_from(["first", "last"]))
def test_so_many_rows_as_are_asked_for_or_all(count: int, end: str) -> None:
    chosen = select(parse(f"Who were the {end} {count} mayors?", TODAY), MAYORS, inclusive=False)
    wanted = MAYORS[:count] if end == "first" else MAYORS[-count:]
    assert [hit.chunk.id for hit in chosen] == [hit.chunk.id for hit in wanted]


def test_fewer_than_asked_for_is_said() -> None:
    draft = answer("Who were the last nine mayors?", MAYORS)
    assert draft.text.splitlines()[-1] == "Found: 5 of 9 [1][2][3][4][5]."
    assert [line.text for line in draft.derived] == ["Found: 5 of 9 [1][2][3][4][5]."]


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many mayors took office after 1986?", "3 mayors [1][2][3]."),
        ("How many changes of mayor were there after 1986?", "3 changes of mayor [1][2][3]."),
        ("How many bridges did a mayor build after 1986?", None),
        ("How many mayors were there in 1992?", "1 mayor [1]."),
    ],
)
def test_rows_are_counted_only_where_the_question_counts_them(question: str, count: str | None) -> None:
    draft = answer(question, MAYORS)
    assert [line.text for line in draft.derived] == ([count] if count else [])


CRASHES = [
    told(
        "a",
        ("The probe Ash crashed on the Moon.", year_interval(2001)),
        ("Ash had cost much.", year_interval(2002)),
    ),
    told("b", ("The probe Oak was lost at the Moon.", year_interval(2003))),
    told("c", ("The probe Elm landed on the Moon.", year_interval(2004))),
    told("d", ("The Moon probe Ash crashed.", day_interval(day_number(2001, 3, 1)))),
    told("e", ("The probe Yew crashed on the Moon.", year_interval(1990))),
    told("f", ("The probe Fir crashed on Mars.", year_interval(2002))),
]


def test_a_list_from_texts_has_each_event_once_and_in_order() -> None:
    parsed = parse("List in order the probes that crashed or were lost at the Moon from 2000 to 2010.", TODAY)
    hits = listed(parsed, topic_of(parsed.core, CRASHES), CRASHES)
    assert [hit.chunk.document_id for hit in hits] == ["d", "b"]


def test_a_counted_list_from_texts_begins_at_the_end_asked_for() -> None:
    draft = answer(
        "What were the first two probes that crashed or were lost at the Moon after 1985?", CRASHES
    )
    assert draft.status is Status.ANSWERED
    assert [line.split(":")[0] for line in draft.text.splitlines()] == ["1990", "1 March 2001"]


def test_what_began_before_is_not_listed_as_begun() -> None:
    laws = [row("Privacy Act", 1975, office="Law"), row("Data Act", 2001, office="Law")]
    texts = [told("t", ("The law on tolls started in 2001.", year_interval(2001)), title="Laws")]
    draft = answer("List the fishing laws that started during 2001.", [*laws, *texts])
    assert "Privacy Act" not in draft.text
