import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Citation, Draft, Status, Support, TimeReference
from timelens.answer.extractive.ways import answer_from
from timelens.answer.hit_times import time_of
from timelens.answer.rendering.timeline import label, make_timeline
from timelens.answer.tables.columns import fact_of
from timelens.answer.tables.solver import Solution, solve
from timelens.answer.verification.verify import verify
from timelens.documents import Chunk, Event, EventSource, Fact, Hit, Scores
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.tables import read_table, verbalise
from timelens.question.parse import parse
from timelens.question.periods import at
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval

TODAY = day_number(2021, 5, 6)

# Terms that touch on one day, a gap, a joint term, a term of one day, an open end, and another office.
LEADERS = """Country,Role,Name,Start,End
Arcadia,President,Alder,1990-03-01,1994-06-10
Arcadia,President,Birch,1994-06-10,1999-12-31
Arcadia,President,Cedar,2001-01-15,2005-07-20
Arcadia,President,Dogwood,2001-01-15,2005-07-20
Arcadia,President,Elm,2005-07-20,2005-07-20
Arcadia,President,Fir,2005-07-21,2012-02-02
Arcadia,President,Ginkgo,2012-02-02,
Arcadia,Speaker,Hazel,1988-01-01,2015-01-01
Borduria,President,Ivy,1980-01-01,2020-01-01
"""


def hits_of(content: str, document: str = "leaders.csv") -> list[Hit]:
    table = read_table(content, document, TableColumns())
    assert table.failures == ()
    return [fact_hit(fact, document, number) for number, fact in enumerate(table.facts)]


def fact_hit(fact: Fact, document: str, number: int) -> Hit:
    text = verbalise(fact)
    events = (Event(fact.validity, 0, EventSource.STATED, 1.0),)
    chunk = Chunk(
        f"{document}#{number}", document, number, "", "", text, None, ((0, len(text)),), events, fact
    )
    return Hit(chunk, Scores(0.9, 0.9, 1.0, 0.9), fact.validity, 0)


def text_hit(text: str, *times: Interval, published: Interval | None = None, number: int = 0) -> Hit:
    events = tuple(Event(time, 0, EventSource.STATED, 1.0) for time in times)
    chunk = Chunk(f"t#{number}", f"t{number}", 0, "", "", text, published, ((0, len(text)),), events)
    return Hit(chunk, Scores(0.9, 0.9, 1.0, 0.9), times[0] if times else None, 0)


def solved(question: str, hits: list[Hit] | None = None) -> Solution:
    solution = solve(parse(question, TODAY), hits_of(LEADERS) if hits is None else hits)
    assert solution is not None
    return solution


def names(solution: Solution) -> str:
    facts = [hit.chunk.fact for hit in solution.chosen]
    return " ".join(dict(fact.fields)["Name"] for fact in facts if fact is not None)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # as of, in, on
        ("Who was President of Arcadia as of 5 May 1992?", "Alder"),
        ("Who was President of Arcadia as of 5 May 2000?", ""),
        ("Who was President of Arcadia on 5 May 1996?", "Birch"),
        ("Who was President of Arcadia in 1994?", "Alder Birch"),
        ("Who was President of Arcadia in 2000?", ""),
        ("Who was President of Arcadia in 2003?", "Cedar Dogwood"),
        ("Who was President of Arcadia in July 2005?", "Cedar Dogwood Elm Fir"),
        ("Who was President of Arcadia in 2020?", "Ginkgo"),
        # the day on which one term ends and the next begins belongs to the successor
        ("Who was President of Arcadia on 10 June 1994?", "Birch"),
        ("Who was President of Arcadia on 9 June 1994?", "Alder"),
        ("Who was President of Arcadia on 20 July 2005?", "Elm"),
        ("Who was President of Arcadia on 2 February 2012?", "Ginkgo"),
        # ranges
        ("Who was President of Arcadia from 1992 to 1995?", "Alder Birch"),
        ("Who was President of Arcadia between 1995 and 2001?", "Birch Cedar Dogwood"),
        # a fact that lasted from the one date to the other is meant before those that overlap
        ("Who was President of Arcadia from 1994 to 1999?", "Birch"),
        ("Who was President of Arcadia between June 1994 and December 1999?", "Birch"),
        ("Who was President of Arcadia from 2001 to 2005?", "Cedar Dogwood"),
        # half-open
        ("Who was President of Arcadia before 1992?", "Alder"),
        ("Who was President of Arcadia by 1994?", "Alder Birch"),
        # after and since: what began then, and only where nothing did, what went on
        ("Who was President of Arcadia after 2006?", "Ginkgo"),
        ("Who has been President of Arcadia since 2005?", "Elm Fir Ginkgo"),
        ("Who was President of Arcadia after 1991 and before 1993?", "Alder"),
        ("Who has been President of Arcadia since 2013?", "Ginkgo"),
        ("Who was President of Arcadia until 1999?", "Birch"),
        ("Who was President of Arcadia until 31 December 1999?", "Birch"),
        ("Who was President of Arcadia until June 1994?", "Alder"),
        ("Who was President of Arcadia until at least June 1994?", "Alder Birch"),
        ("Who was President of Arcadia until 1997?", "Birch"),
        ("Who was President of Arcadia around 1992?", "Alder"),
        # order
        ("Who was the first President of Arcadia?", "Alder"),
        ("Who was the last President of Arcadia?", "Ginkgo"),
        ("Who was the second President of Arcadia?", "Birch"),
        ("Who was the third President of Arcadia?", "Cedar Dogwood"),
        ("Who was the penultimate President of Arcadia?", "Fir"),
        ("Who was the third to last President of Arcadia?", "Elm"),
        ("Who was the ninth President of Arcadia?", ""),
        ("Who was the first President of Arcadia after 1995?", "Cedar Dogwood"),
        ("Who was the first President of Arcadia after 2015?", ""),
        ("Who was the last President of Arcadia before 2001?", "Birch"),
        ("Who was the latest President of Arcadia as of 5 May 2010?", "Fir"),
        # roles
        ("Which President of Arcadia began before 2013 and ended after 2018?", "Ginkgo"),
        ("Which President of Arcadia began before 2013 and ended after 2025?", ""),
        ("Which President of Arcadia began in 1990 and ended in 1999?", ""),
        ("Who was President of Arcadia in 1992 and in 1996?", "Alder Birch"),
        ("Which President of Arcadia took office in 2001?", "Cedar Dogwood"),
        ("Which President of Arcadia took office on 20 July 2005?", "Elm"),
        ("Which President of Arcadia left office in 2005?", "Cedar Dogwood Elm"),
        ("Which President of Arcadia left office on 10 June 1994?", "Alder"),
        ("Which President of Arcadia left office after 2000?", "Cedar Dogwood Elm Fir"),
        ("Which President of Arcadia started before 1995 and ended after 1998?", "Birch"),
        ("Which President of Arcadia started after 2004 and ended before 2006?", "Elm"),
        # current
        ("Who is the current President of Arcadia?", "Ginkgo"),
        ("Who is President of Arcadia now?", "Ginkgo"),
        ("Who is President of Arcadia today?", "Ginkgo"),
        ("Who is the current President of Borduria?", ""),
        # what goes on today is not known to go on on a later day
        ("Who has been President of Arcadia since 2030?", ""),
        ("Who is President of Arcadia after 2021?", ""),
        ("Who was President of Arcadia as of 2022?", ""),
        ("Who was President of Arcadia as of 2021?", "Ginkgo"),
        ("Who was President of Arcadia from 2020 to 2030?", "Ginkgo"),
        ("Who was President of Arcadia before 2013 and served past 2025?", "Ginkgo"),
        # another office
        ("Who was Speaker of Arcadia in 1994?", "Hazel"),
        ("Who was President of Borduria in 1994?", "Ivy"),
    ],
)  # fmt: skip
def test_the_table_answers_exactly(question: str, expected: str) -> None:
    assert names(solved(question)) == expected


def test_numbers_of_a_stretch_are_all_that_held_in_it() -> None:
    rows = "Riga,4,2001-01-01,2003-06-01\nRiga,3,2003-06-01,2004-06-01\nRiga,2,2004-06-01,\n"
    table = hits_of(f"Bank,Percent,Start,End\n{rows}", "rates.csv")
    solution = solved("What was the percent of the bank Riga from 2003 to 2004?", table)
    assert [dict(fact_of(hit).fields)["Percent"] for hit in solution.chosen] == ["4", "3", "2"]


def test_a_stretch_that_is_compared_has_all_that_held_in_it() -> None:
    parsed = parse("Who was President of Arcadia in 2010 compared with 1994 to 1999?", TODAY)
    found = [solve(at(parsed, period), hits_of(LEADERS)) for period in parsed.periods]
    assert [names(one) for one in found if one is not None] == ["Fir", "Alder Birch"]


@given(st.permutations(range(9)))
def test_the_order_of_the_evidence_does_not_matter(order: list[int]) -> None:
    hits = hits_of(LEADERS)
    chosen = names(solved("Who was President of Arcadia from 2003 to 2006?", [hits[n] for n in order]))
    assert sorted(chosen.split()[:2]) == ["Cedar", "Dogwood"]
    assert chosen.split()[2:] == ["Elm", "Fir"]


@pytest.mark.parametrize(("question", "column"), [
    ("Who was President of Arcadia in 1996?", "Name"),
    ("Which Role did Hazel have in Arcadia?", "Role"),
    ("Which Country had Ivy as President?", "Country"),
    ("When was Birch President of Arcadia?", None),
])  # fmt: skip
def test_the_column_that_the_question_leaves_open_answers(question: str, column: str | None) -> None:
    assert solved(question).kind.column == column


@pytest.mark.parametrize(("question", "column"), [
    ("What was the main rate of Elmbank in 1996?", "Percent"),
    ("What was the rate of Elmbank in 2003?", "Percent"),
    ("Which rate did Elmbank have in 1996?", "Rate"),
])  # fmt: skip
def test_a_rate_is_a_number_where_there_is_one(question: str, column: str) -> None:
    rates = "Bank,Rate,Percent,Start,End\nElmbank,main target,2.50,1994,2000\n"
    hits = hits_of(rates + "Elmbank,main target,0.25 to 0.50,2000,2005\n")
    assert solved(question, hits).kind.column == column


def test_accents_and_case_do_not_hide_a_name() -> None:
    hits = hits_of("Country,Role,Name,Start,End\nCôte,PRESIDENT,Zoë,1990,2000\n")
    assert solved("when was zoe president of cote?", hits).kind.column is None


def test_only_evidence_from_tables_is_solved() -> None:
    facts = hits_of(LEADERS)
    parsed = parse("Who was President of Arcadia in 1996?", TODAY)
    assert solve(parsed, []) is None
    assert solve(parsed, [text_hit("Prose.", year_interval(1996))]) is None
    assert solve(parsed, [*facts, text_hit("Prose.", year_interval(1996))]) is not None


def answer(question: str, hits: list[Hit], k: int = 5) -> Draft:
    return answer_from(parse(question, TODAY), hits[:k], hits, span=year_interval(1980, 2020))


def test_the_answer_states_recorded_dates_and_cites_its_fact() -> None:
    draft = answer("Who was President of Arcadia on 20 July 2005?", hits_of(LEADERS))
    assert draft.status is Status.ANSWERED
    (value,) = draft.values
    assert (value.text, value.start, value.end) == ("Elm", day_number(2005, 7, 20), day_number(2005, 7, 20))
    assert [citation.hit.chunk.id for citation in draft.citations] == ["leaders.csv#4"]
    assert draft.text == "Elm: Arcadia, President, on 20 July 2005 [1]."
    assert {reference.support for reference in verify(draft)} == {Support.SUPPORTED}


def test_several_answer_together_and_an_open_end_stays_open() -> None:
    joint = answer("Who was President of Arcadia in 2003?", hits_of(LEADERS))
    assert [value.text for value in joint.values] == ["Cedar", "Dogwood"]
    assert [value.citations for value in joint.values] == [(1,), (2,)]
    current = answer("Who is the current President of Arcadia?", hits_of(LEADERS))
    (value,) = current.values
    assert (value.start, value.end) == (day_number(2012, 2, 2), None)
    assert "since 2 February 2012" in current.text


@pytest.mark.parametrize(
    ("question", "hits"),
    [
        ("Who was President of Arcadia in 2000?", hits_of(LEADERS)),
        ("What rained in 2000?", []),
    ],
)
def test_no_answer_says_for_when_and_what_there_is(question: str, hits: list[Hit]) -> None:
    draft = answer(question, hits)
    assert draft.status is Status.NO_ANSWER
    assert (draft.values, draft.citations) == ((), ())
    assert "2000" in draft.text
    assert "1980 to 2020" in draft.text


@pytest.mark.parametrize(
    ("question", "hits", "said"),
    [
        (
            "Who was President of Arcadia in 1900?",
            hits_of(LEADERS),
            (
                "Nothing was found on “Who was President of Arcadia?” for 1900. "
                "The corpus spans 1980 to 2020. Facts on Arcadia, President: 7, since 1 March 1990. "
                "Nearest:\nAlder: Arcadia, President, from 1 March 1990 to 10 June 1994 [1]."
            ),
        ),
        (
            "What did the first zeppelin carry?",  # the order is part of what was looked for
            [],
            "Nothing was found on “What did the first zeppelin carry?”. The corpus spans 1980 to 2020.",
        ),
        (
            "What did it carry [3] in 1950?",  # no citation
            [],
            "Nothing was found on “What did it carry?” for 1950. The corpus spans 1980 to 2020.",
        ),
    ],
)
def test_a_refusal_names_what_was_looked_for(question: str, hits: list[Hit], said: str) -> None:
    assert answer(question, hits).text == said


def test_what_is_on_topic_and_no_answer_is_named_as_the_nearest() -> None:
    draft = answer("What rained in 2000?", [text_hit("It rained in 1990.", year_interval(1990))])
    assert draft.status is Status.NO_ANSWER
    assert (draft.values, draft.citations) == ((), ())
    assert (
        draft.text
        == "No clear statement was found on “What rained?” for 2000. Nearest:\n1990: It rained in 1990. [1]"
    )
    (near,) = draft.nearest
    assert (near.citation.number, near.period) == (1, year_interval(2000))


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("How did the keepers of the bridge change from 2000 to 2010?", Status.ANSWERED),
        ("How many different keepers of the bridge were there from 2000 to 2010?", Status.NO_ANSWER),
    ],
)
def test_the_sentences_of_a_stretch_of_time_are_no_count(question: str, status: Status) -> None:
    kept = ("In 2001 Ash was keeper of the bridge.", "In 2006 Oak was the keeper of the bridge.")
    hits = [
        text_hit(text, year_interval(2001 + 5 * number), number=number) for number, text in enumerate(kept)
    ]
    assert answer(question, hits).status is status


RENT_BOOK = """date,flat,rent
2005-01-01,Garden Flat,400
2011-06-01,Garden Flat,450
"""


@pytest.mark.parametrize("with_text", [True, False])
def test_a_table_of_entries_refuses_alone_and_leaves_to_texts_what_it_has_no_row_of(
    *, with_text: bool
) -> None:
    letter = text_hit("The rent of the Garden Flat is £425.", year_interval(2008), number=1)
    draft = answer(
        "What was the rent of the Garden Flat in 2008?",
        [*hits_of(RENT_BOOK, "rents.csv"), *([letter] if with_text else [])],
    )
    assert ("£425" in draft.text) is with_text
    assert (draft.status is Status.NO_ANSWER) is not with_text


def test_a_length_counts_days_and_current_ones_up_to_the_reference_day() -> None:
    ended = answer("How long was Alder President of Arcadia?", hits_of(LEADERS))
    assert "1,562 days" in ended.text
    assert day_number(1994, 6, 10) - day_number(1990, 3, 1) == 1562


# Verification


def draft_of(text: str, *hits: Hit) -> Draft:
    return Draft(Status.ANSWERED, text, (), tuple(Citation(n, hit) for n, hit in enumerate(hits, 1)))


def support(text: str, *hits: Hit) -> list[Support]:
    return [reference.support for reference in verify(draft_of(text, *hits))]


SUPPORTED, CONTRADICTED, UNSUPPORTED = Support.SUPPORTED, Support.CONTRADICTED, Support.UNSUPPORTED
MAY_15 = day_interval(day_number(2020, 5, 15))
SIGNED = text_hit("It was signed on 15 May 2020.", MAY_15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was signed on 15 May 2020 [1].", [SUPPORTED]),
        ("It was signed on 2020-05-15 [1].", [SUPPORTED]),
        ("It was signed in May 2020 [1].", [SUPPORTED]),
        ("It was signed in 2020 [1].", [SUPPORTED]),
        ("It was signed on 5 May 2020 [1].", [CONTRADICTED]),
        # what is quoted under a later time may hold still, under an earlier one it cannot
        ("2022: 15 May 2020: It was signed on 15 May 2020. [1]", [UNSUPPORTED, SUPPORTED, SUPPORTED]),
        ("2018: 15 May 2020: It was signed on 15 May 2020. [1]", [CONTRADICTED, SUPPORTED, SUPPORTED]),
        ("It was signed on 14 May 2020 [1].", [CONTRADICTED]),
        ("It was signed in 2019 [1].", [CONTRADICTED]),
        ("It was signed on 15 May 2020.", [UNSUPPORTED]),
        ("It was signed on 15 May 2020 [7].", [UNSUPPORTED]),
        ("It was signed on 15 May 2020 [" + "9" * 5000 + "].", [UNSUPPORTED]),
        ("Nothing is dated here [1].", []),
        ("It was signed in 2020 [1].\nIt was broken in 2021 [1].", [SUPPORTED, CONTRADICTED]),
        ("It was signed in 2020.\nSo it says [1].", [UNSUPPORTED]),
    ],
)
def test_a_stated_time_is_held_against_what_its_line_cites(text: str, expected: list[Support]) -> None:
    assert support(text, SIGNED) == expected


TERM, OPEN_TERM = hits_of("Name,Start,End\nAda,2001-02-03,2005-06-07\nBob,2017-04-01,\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada, from 3 February 2001 to 7 June 2005 [1].", [SUPPORTED]),
        ("Ada, from 2001 to 2005 [1].", [SUPPORTED]),
        ("Ada began on 3 February 2001 [1].", [SUPPORTED]),
        ("Ada left on 7 June 2005 [1].", [SUPPORTED]),
        ("Ada, from 2001 to 2009 [1].", [UNSUPPORTED]),
        ("Ada, from 1990 to 2020 [1].", [UNSUPPORTED]),
        ("Ada, from 1990 to 1995 [1].", [CONTRADICTED]),
        ("Ada was there in 2003 [1].", [UNSUPPORTED]),
        ("Bob, since 1 April 2017 [2].", [SUPPORTED]),
        ("Bob, since 2017 [2].", [SUPPORTED]),
        ("Bob, since 2010 [2].", [UNSUPPORTED]),
        ("Bob, until 2010 [2].", [CONTRADICTED]),
        ("From 2001 to 2017 [1][2].", [SUPPORTED]),
    ],
)
def test_both_ends_of_a_range_have_to_be_stated(text: str, expected: list[Support]) -> None:
    assert support(text, TERM, OPEN_TERM) == expected


def test_undated_evidence_contradicts_nothing() -> None:
    assert support("It was in 2019 [1].", text_hit("It was long ago.")) == [UNSUPPORTED]
    assert support("It was in 2019 [1][2].", SIGNED, text_hit("It was long ago.")) == [UNSUPPORTED]
    assert support("It was in 2019 [1][2].", SIGNED, text_hit("In 2018.", year_interval(2018))) == [
        CONTRADICTED
    ]


def test_a_date_inside_another_number_is_not_that_date() -> None:
    assert support("It was in 1945 [1].", text_hit("Invoice 19451 was paid.", MAY_15)) == [CONTRADICTED]


def test_references_name_what_supports_them() -> None:
    other = text_hit("In 2018 it began.", year_interval(2018), number=1)
    (reference,) = verify(draft_of("It was signed in May 2020 [2][1].", SIGNED, other))
    assert reference == TimeReference("May 2020", month_interval(2020, 5), SUPPORTED, (1,))


# Timeline


def test_evidence_stands_in_time_and_keeps_its_rank() -> None:
    hits = [
        text_hit("c", year_interval(2010), number=0),
        text_hit("undated", number=1),
        text_hit("a", Interval(None, 0), number=2),
        text_hit("b", year_interval(2000), number=3),
        text_hit("c again", year_interval(2010), number=4),
        text_hit("published", published=year_interval(2005), number=5),
    ]
    timeline = make_timeline(hits)
    assert [c.number for c in timeline.citations] == [3, 4, 6, 1, 5, 2]
    assert [hit.chunk.text for hit in timeline.hits][-1] == "undated"
    assert label(hits[1]) == "undated"
    assert label(hits[5]) == "2005"
    assert time_of(hits[5]) == year_interval(2005)


@given(st.lists(st.one_of(st.none(), st.integers(-100, 100)), max_size=15))
def test_a_timeline_loses_nothing_and_runs_forward(starts: list[int | None]) -> None:
    hits = [
        text_hit("x", *([] if start is None else [day_interval(start)]), number=number)
        for number, start in enumerate(starts)
    ]
    citations = make_timeline(hits).citations
    assert sorted(c.number for c in citations) == list(range(1, len(hits) + 1))
    assert all(hits[c.number - 1] is c.hit for c in citations)
    placed = [(*place(c.hit.interval), c.number) for c in citations]
    assert all(one < other for one, other in itertools.pairwise(placed))


def place(time: Interval | None) -> tuple[bool, float]:
    return (True, 0.0) if time is None else (False, time.bounds[0])


RATES = """Bank,Rate,Percent,Start,End
Bank of Arcadia,Bank Rate,5.00,2006-11-09,2007-01-10
Bank of Arcadia,Bank Rate,5.25,2007-01-11,2007-05-09
Union Bank,deposit rate,2.00,2007-01-01,2007-12-31
"""


OF_OLD = "Bank Rate and others stood at levels, values and moods of old."


def test_words_of_a_stated_value_name_no_column() -> None:
    draft = answer("What was Bank Rate on 1 March 2007?", hits_of(RATES))
    assert [value.text for value in draft.values] == ["5.25"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which levels did Bank Rate have in 2007?", ["5.00", "5.25"]),
        ("Which value did Bank Rate have in June 2007?", []),
        ("Which moods did Bank Rate have in 2007?", []),
    ],
)
def test_a_number_answers_for_a_level_even_where_text_has_the_word(
    question: str, expected: list[str]
) -> None:
    draft = answer(question, [*hits_of(RATES), text_hit(OF_OLD, year_interval(2007))])
    assert [value.text for value in draft.values] == expected


def test_the_kind_is_that_of_the_values_offered() -> None:
    laws = "Country,Law,Start,End\nArcadia,Elm Act,1990,\nBernia,Alder Act,1995,\nBernia,Birch Act,1993,\n"
    draft = answer("Seen from Arcadia, which came first, the Alder Act or the Birch Act?", hits_of(laws))
    assert [value.text for value in draft.values] == ["Birch Act"]


TREATIES = """Party,Treaty,Kind,Start,End
Arcadia,Elm Clauses,decision on transfers,2010-06-27,
Arcadia,Open Harbour,decision on transfers to the Union,2000-07-26,2005-10-06
Arcadia,Fair Shield,decision on transfers to the Union,2006-07-12,2009-07-16
"""


@pytest.mark.parametrize(
    ("year", "treaties"), [(2003, ["Open Harbour"]), (2012, ["Elm Clauses"]), (1990, [])]
)
def test_a_kind_without_a_fact_then_gives_way_to_one_that_fits_as_well(
    year: int, treaties: list[str]
) -> None:
    draft = answer(f"Which arrangement for transfers of Arcadia was in force in {year}?", hits_of(TREATIES))
    assert [value.text for value in draft.values] == treaties


def test_a_day_that_begins_an_entry_is_told_once() -> None:
    day = day_interval(day_number(2010, 3, 9))
    entries = [
        text_hit("9 March 2010 The heron ate the carp in the pond of the park.", day),
        text_hit("9 March 2010", day, number=1),
    ]
    draft = answer("Why did the heron leave the park in 2010?", entries)
    assert draft.text.startswith("9 March 2010: The heron ate the carp")
