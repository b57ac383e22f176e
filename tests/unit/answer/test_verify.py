"""Whether what an answer says stands together in what it cites."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Citation, Claim, Derived, Draft, Nearest, Statement, Status, Support
from timelens.answer.sentences import sentence_of
from timelens.answer.verification.verify import Checked, check, doubts
from timelens.documents import Chunk, Document, Event, EventSource, Hit, Scores
from timelens.embedding import Embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.tables import read_table, verbalise
from timelens.temporal.calendar import parse_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.temporal.phrasing import phrase

SUPPORTED, CONTRADICTED, UNSUPPORTED = Support.SUPPORTED, Support.CONTRADICTED, Support.UNSUPPORTED


def passage(*sentences: str, title: str = "", published: str = "", number: int = 0) -> Hit:
    """A hit whose sentences have the times that they state, or else the day of their document."""
    spans, events, text = [], [], ""
    day = day_interval(parse_day(published)) if published else None
    for index, sentence in enumerate(sentences):
        start = len(text) + bool(text)
        text = f"{text} {sentence}".strip()
        spans.append((start, len(text)))
        times = [e.interval for e in find_expressions(sentence) if e.interval is not None]
        events += [Event(time, index, EventSource.STATED, 1.0) for time in times]
        events += [Event(day, index, EventSource.PUBLISHED, 1.0)] if day else []
    chunk = Chunk(f"d{number}#0", f"d{number}", 0, "", title, text, day, tuple(spans), tuple(events))
    return Hit(chunk, Scores(), chunk.envelope, 0)


def rows(content: str) -> list[Hit]:
    hits = []
    for number, fact in enumerate(read_table(content, "t.csv", TableColumns()).facts):
        text = verbalise(fact)
        event = Event(fact.validity, 0, EventSource.STATED, 1.0)
        chunk = Chunk(f"t#{number}", "t", number, "", "", text, None, ((0, len(text)),), (event,), fact)
        hits.append(Hit(chunk, Scores(), fact.validity, 0))
    return hits


def checked(text: str, *hits: Hit, derived: tuple[Derived, ...] = ()) -> Checked:
    citations = tuple(Citation(number, hit) for number, hit in enumerate(hits, start=1))
    return check(Draft(Status.ANSWERED, text, (), citations, derived=derived))


def claim(text: str, *hits: Hit) -> Support:
    (found,) = checked(text, *hits).claims
    return found.support


CLUB = passage(
    "Ann Alder led FC Bern in 1998.",
    "Bob Birch led FC Bern in 2005.",
    "He had been its keeper before 1990.",
    "The club won the cup in 2007 with 23 points.",
    "It lost the next final in 2009 with 11 points.",
    title="FC Bern",
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ann Alder led FC Bern in 1998 [1].", SUPPORTED),
        ("In 1998 FC Bern was led by Ann Alder [1].", SUPPORTED),
        ("1998: Ann Alder led FC Bern in 1998. [1]", SUPPORTED),
        ("Alder led FC Bern in 1998 [1].", SUPPORTED),
        # the right name with the year of the next sentence, and the year with the name of the next one
        ("Ann Alder led FC Bern in 2005 [1].", CONTRADICTED),
        ("Bob Birch led FC Bern in 1998 [1].", CONTRADICTED),
        ("2005: Ann Alder led FC Bern in 1998. [1]", CONTRADICTED),
        ("Bob Birch led FC Bern in 1960 [1].", CONTRADICTED),
        # what stands nowhere
        ("Eve Elm led FC Bern in 1998 [1].", UNSUPPORTED),
        ("Ann Alder sold FC Bern in 1998 [1].", UNSUPPORTED),
        ("Ann Alder did not lead FC Bern in 1998 [1].", UNSUPPORTED),
        ("Ann Alder led FC Bern in 1998.", UNSUPPORTED),
        ("Ann Alder led FC Bern in 1998 [7].", UNSUPPORTED),
        # numbers belong to their sentence
        ("FC Bern won the cup in 2007 with 23 points [1].", SUPPORTED),
        ("FC Bern won the cup in 2007 with 11 points [1].", CONTRADICTED),
        ("FC Bern won the cup in 2009 with 23 points [1].", CONTRADICTED),
        # without a date the rest has to stand together
        ("Ann Alder [1].", SUPPORTED),
        ("Eve Elm [1].", UNSUPPORTED),
        # how sure an answer is stands in no evidence
        ("Ann Alder, probably [1].", SUPPORTED),
        ("Eve Elm, probably [1].", UNSUPPORTED),
        ("FC Bern won the cup with 23 points [1].", SUPPORTED),
        # several statements in a line: each for itself
        ("Ann Alder led FC Bern in 1998 and Bob Birch in 2005 [1].", SUPPORTED),
        ("Ann Alder led FC Bern in 2005 and Bob Birch in 1998 [1].", CONTRADICTED),
        ("Ann Alder led FC Bern in 1998. In 2005 it was led by Bob Birch [1].", SUPPORTED),
        ("Ann Alder led FC Bern in 2005. In 1998 it was led by Bob Birch [1].", CONTRADICTED),
    ],
)
def test_subject_value_and_date_stand_together_in_one_sentence(line: str, expected: Support) -> None:
    assert claim(line, CLUB) is expected


def test_a_date_goes_with_the_rest_of_its_statement() -> None:
    wrong = checked("Ann Alder led FC Bern in 2005 [1].", CLUB).references
    assert [(reference.text, reference.support) for reference in wrong] == [("2005", CONTRADICTED)]
    mixed = checked("Ann Alder led FC Bern in 1998. Ann Alder led FC Bern in 2005. [1]", CLUB).references
    assert [reference.support for reference in mixed] == [SUPPORTED, CONTRADICTED]


FLIGHT = passage(
    "Ada Elm flew to the Moon in 1990.",
    "She retired in 1995.",
    "Her ship was built by Bob Birch in 1988.",
    "Cy Cedar flew in 1999.",
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ada Elm retired in 1995 [1].", SUPPORTED),
        ("The ship of Ada Elm was built by Bob Birch in 1988 [1].", SUPPORTED),
        ("Ada Elm flew in 1995 [1].", CONTRADICTED),
        ("Ada Elm retired in 1990 [1].", CONTRADICTED),
        ("Cy Cedar retired in 1995 [1].", UNSUPPORTED),
        ("Ada Elm flew in 1999 [1].", CONTRADICTED),
        ("Ada Elm flew to the Moon in 1990. She retired in 1995. [1]", SUPPORTED),
        ("1995: Ada Elm flew to the Moon in 1990. She retired in 1995. [1]", SUPPORTED),
        ("1999: Ada Elm flew to the Moon in 1990. She retired in 1995. [1]", CONTRADICTED),
    ],
)
def test_a_pronoun_stands_for_who_was_named_before_but_not_for_the_time(line: str, expected: Support) -> None:
    assert claim(line, FLIGHT) is expected


def test_a_sentence_without_a_time_has_the_day_of_its_document() -> None:
    news = passage(
        "The bank cut its rate to 1 percent.",
        "It had raised it on 9 May 2006.",
        title="Bank of Arcadia",
        published="2008-12-16",
    )
    assert claim("The Bank of Arcadia cut its rate to 1 percent on 16 December 2008 [1].", news) is SUPPORTED
    assert claim("The Bank of Arcadia cut its rate to 1 percent in May 2006 [1].", news) is CONTRADICTED
    assert claim("The bank had raised it on 16 December 2008 [1].", news) is CONTRADICTED
    # before its own words the day says when it was written
    assert claim("16 December 2008: It had raised it on 9 May 2006. [1]", news) is SUPPORTED
    assert claim("17 December 2008: It had raised it on 9 May 2006. [1]", news) is CONTRADICTED


HIVES = """# Log of the apiary

## Saturday 4 May 2019
- Frames: 40. By August it had been 64.
- The red hive swarmed on Thursday; honey fell by EUR 1,250.
1. Extractor: hired out at 12 a day from June; until now it was 9.
2. No queen.
The lid
came off in the night
- Ivo gave £300 after last week.

## Sunday 2 June 2019
- 18,500 bees were counted in six weeks. They never came from the heath.
- The shed is let from the 20th.
- Varroa Monday.

## 9 June 2019
Nothing to tell since 4 June.
"""


def test_a_quoted_sentence_with_a_time_of_its_own_or_of_its_entry_is_supported(hashed: Embedder) -> None:
    """In lists, behind short sentences and without full stops, with all times that ingestion gave it."""
    document = Document("hives", "/hives.md", "hives", HIVES, "hash")
    events = 0
    for chunk in annotate(document, hashed).chunks:
        for event in chunk.events:
            hit = Hit(chunk, Scores(), event.interval, event.sentence)
            text = f"{phrase(event.interval)}: {sentence_of(hit)} [1]"
            found = checked(text, hit)
            assert {one.support for one in found.claims} == {SUPPORTED}, text
            assert {reference.support for reference in found.references} == {SUPPORTED}, text
            wrong = checked(text.replace(phrase(event.interval), "7 March 2003", 1), hit)
            assert SUPPORTED not in {one.support for one in wrong.claims}, text
            events += 1
    assert events >= 15


def test_the_date_that_a_sentence_bounds_is_its_own(hashed: Embedder) -> None:
    document = Document("hives", "/hives.md", "hives", HIVES, "hash")
    hit = next(
        Hit(chunk, Scores(), None, None) for chunk in annotate(document, hashed).chunks if "Ivo" in chunk.text
    )
    assert claim("22 April 2019 to 28 April 2019 [1].", hit) is SUPPORTED
    assert claim("15 April 2019 to 21 April 2019 [1].", hit) is not SUPPORTED


def test_an_amount_is_a_number_behind_the_name_of_its_currency() -> None:
    sold = passage("Offer of the Elm Dairy for the field: EUR 48,600.", published="2012-03-26")
    assert claim("EUR 48,600, probably [1].", sold) is SUPPORTED
    assert claim("EUR 48,900, probably [1].", sold) is UNSUPPORTED
    assert claim("six weeks [1].", passage("It rang again six weeks later, on 5 May 2006.")) is SUPPORTED


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("1990 to 1999", SUPPORTED),
        ("before 1990", SUPPORTED),
        ("1975 to 1985", SUPPORTED),
        ("1970 to 1979", CONTRADICTED),
        ("since 2001", CONTRADICTED),
    ],
)
def test_a_period_heads_a_row_that_held_in_it(label: str, expected: Support) -> None:
    (row,) = rows("Post,Name,From,To\nKeeper,Ada Lind,1982-10-01,1998-10-27\n")
    line = f"{label}: Ada Lind: Keeper, from 1 October 1982 to 27 October 1998 [1]."
    found = checked(line, row)
    assert [one.support for one in found.claims] == [expected]
    assert found.references[0].support is expected


def test_a_label_before_a_quote_that_denies_something_denies_nothing() -> None:
    gone = passage("A ferry was promised for 2021, but never came, as Bob Birch had no boat.")
    text = "2021: A ferry was promised for 2021, but never came, as Bob Birch had no boat. [1]"
    assert claim(text, gone) is SUPPORTED
    assert claim(text.replace("2021", "2019", 1), gone) is not SUPPORTED


def test_what_went_up_did_not_go_down() -> None:
    cut = passage("The bank lowered its rate from 2 to 1 percent on 9 May 2006.")
    assert claim("The bank lowered its rate to 1 percent in May 2006 [1].", cut) is SUPPORTED
    assert claim("The bank cut its rate to 1 percent in May 2006 [1].", cut) is SUPPORTED
    assert claim("The bank raised its rate to 1 percent in May 2006 [1].", cut) is UNSUPPORTED


def test_the_number_of_a_length_may_stand_in_its_time() -> None:
    stay = passage("Ann Alder lived there for 437 days from January 1994 to March 1995.")
    assert (
        claim("Ann Alder lived there for 437 days, from January 1994 to March 1995 [1].", stay) is SUPPORTED
    )
    assert (
        claim("Ann Alder lived there for 430 days, from January 1994 to March 1995 [1].", stay) is UNSUPPORTED
    )


def test_a_document_from_before_the_common_era() -> None:
    caesar = passage("Caesar was killed in 44 BCE.", "Pompey was killed in 48 BCE.")
    assert claim("44 BCE: Caesar was killed in 44 BCE. [1]", caesar) is SUPPORTED
    assert claim("Pompey was killed in 48 BC [1].", caesar) is SUPPORTED
    assert claim("Pompey was killed in 44 BCE [1].", caesar) is CONTRADICTED
    assert claim("Pompey was killed in AD 48 [1].", caesar) is CONTRADICTED


TERMS = passage("Ann Alder took over FC Bern on 3 February 2001.", "She left FC Bern on 7 June 2005.")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ann Alder: FC Bern, from 3 February 2001 to 7 June 2005 [1].", SUPPORTED),
        ("Ann Alder held FC Bern from 2001 to 2005 [1].", SUPPORTED),
        ("Ann Alder held FC Bern from 2001 to 2006 [1].", UNSUPPORTED),
        ("Ann Alder held FC Bern from 1980 to 1990 [1].", UNSUPPORTED),
        ("Bob Birch held FC Bern from 2001 to 2005 [1].", UNSUPPORTED),
        ("Ann Alder painted FC Bern from 2001 to 2005 [1].", UNSUPPORTED),
    ],
)
def test_two_sentences_may_give_the_ends_of_a_range(line: str, expected: Support) -> None:
    assert claim(line, TERMS) is expected


RATES = rows(
    """Bank,Rate,Percent,Start,End
Bank of Arcadia,Bank Rate,5.00,2006-11-09,2007-01-10
Bank of Arcadia,Bank Rate,5.25,2007-01-11,2007-05-09
Bank of Arcadia,deposit rate,-0.20,2014-09-10,
"""
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("5.00: Bank of Arcadia, Bank Rate, from 9 November 2006 to 10 January 2007 [1].", SUPPORTED),
        ("Bank Rate was 5 percent from 9 November 2006 to 10 January 2007 [1].", SUPPORTED),
        ("The Bank of Arcadia had Bank Rate at 5 percent, beginning on 9 November 2006 [1].", SUPPORTED),
        ("-0.20: Bank of Arcadia, deposit rate, since 10 September 2014 [3].", SUPPORTED),
        ("The deposit rate was minus 0.2 percent since 10 September 2014 [3].", SUPPORTED),
        ("0.20: Bank of Arcadia, deposit rate, since 10 September 2014 [3].", UNSUPPORTED),
        # the numbers of two rows, or their dates, in each other's place
        ("5.25: Bank of Arcadia, Bank Rate, from 9 November 2006 to 10 January 2007 [1].", UNSUPPORTED),
        ("5.00: Bank of Arcadia, Bank Rate, from 11 January 2007 to 9 May 2007 [1].", CONTRADICTED),
        ("5.25: Bank of Arcadia, Bank Rate, from 9 November 2006 to 10 January 2007 [1][2].", CONTRADICTED),
        ("Bank Rate was 5.00 from 9 November 2006 and 5.25 from 11 January 2007 [1][2].", SUPPORTED),
        ("Bank Rate was 5.25 from 9 November 2006 and 5.00 from 11 January 2007 [1][2].", CONTRADICTED),
        ("5.00: Union Bank, Bank Rate, from 9 November 2006 to 10 January 2007 [1].", UNSUPPORTED),
        # at the head of a line stands a time over which it held
        ("2015: -0.20: Bank of Arcadia, deposit rate, since 10 September 2014 [3].", SUPPORTED),
        ("In December 2006: 5.00: Bank of Arcadia, Bank Rate [1].", SUPPORTED),
        ("2013: -0.20: Bank of Arcadia, deposit rate, since 10 September 2014 [3].", CONTRADICTED),
        ("The deposit rate was -0.20 in 2015 [3].", UNSUPPORTED),
        # how long it was follows from its days, and no other length does
        ("Bank Rate 5.00: from 9 November 2006 to 10 January 2007, 62 days [1].", SUPPORTED),
        ("Bank Rate 5.00: from 9 November 2006 to 10 January 2007, 64 days [1].", UNSUPPORTED),
        # a beginning is no end
        ("Bank Rate began to be 5.00 on 10 January 2007 [1].", UNSUPPORTED),
        ("Bank Rate ended to be 5.00 on 10 January 2007 [1].", SUPPORTED),
    ],
)
def test_subject_value_and_date_stand_together_in_one_row(line: str, expected: Support) -> None:
    assert claim(line, *RATES) is expected


PRESIDENTS = rows(
    """Country,Role,Name,Start,End
France,President,François Hollande,2012-05-15,2017-05-14
France,President,Emmanuel Macron,2017-05-14,
United States,President,Bill Clinton,1993-01-20,2001-01-20
"""
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Emmanuel Macron was President of France: since 14 May 2017 [2].", SUPPORTED),
        ("The person who preceded Macron was President: since 14 May 2017 [2].", UNSUPPORTED),
        ("The President who took office after Bill Clinton: since 20 January 1993 [3].", UNSUPPORTED),
        ("The President of France before Macron: from 15 May 2012 to 14 May 2017 [1].", UNSUPPORTED),
        ("Bill Clinton took office: from 20 January 1993 to 20 January 2001 [3].", SUPPORTED),
        ("François Hollande was President of France: since 14 May 2017 [2].", UNSUPPORTED),
    ],
)
def test_what_is_said_of_an_event_of_the_question_is_checked_alike(line: str, expected: Support) -> None:
    assert claim(line, *PRESIDENTS) is expected


def test_a_sentence_that_tells_of_the_order_supports_it() -> None:
    told = passage("Macron succeeded François Hollande on 14 May 2017.")
    assert claim("Macron, preceded by François Hollande: 14 May 2017 [1].", told) is SUPPORTED


def test_clauses_with_citations_of_their_own_are_checked_apart() -> None:
    water = passage("Water went up to £24.", published="2023-04-09")
    roof = passage("The roof was mended at last.", published="2023-06-30", number=1)
    assert claim("£24 [1]; 30 June 2023 [2].", water, roof) is SUPPORTED
    assert claim("£24 [1]; 30 June 2022 [2].", water, roof) is CONTRADICTED
    assert claim("30 June 2023 [1]; £24 [2].", water, roof) is not SUPPORTED


def test_each_citation_stands_for_what_comes_before_it() -> None:
    ann = passage("Ann Alder led the club in 1998.", number=1)
    bob = passage("Bob Birch led the club in 2005.", number=2)
    both = checked("Ann Alder led the club in 1998 [1]. Bob Birch led the club in 2005 [2].", ann, bob)
    assert both.claims == (
        Claim("Ann Alder led the club in 1998. Bob Birch led the club in 2005.", SUPPORTED, False, (1, 2)),
    )
    assert [reference.citations for reference in both.references] == [(1,), (2,)]
    assert claim("Ann Alder led the club in 1998 [2]. Bob Birch led the club in 2005 [1].", ann, bob) is (
        UNSUPPORTED
    )
    assert claim("Ann Alder led the club in 1998 and Bob Birch in 2005 [1][2].", ann, bob) is SUPPORTED
    assert claim("Ann Alder led the club in 2005 [1][2].", ann, bob) is CONTRADICTED


def test_a_year_in_a_name_is_no_date() -> None:
    acts = rows("Country,Act,Start,End\nArcadia,Privacy Act 1974,1975-09-27,\n")
    assert claim("Privacy Act 1974: Arcadia, since 27 September 1975 [1].", *acts) is SUPPORTED
    assert claim("Privacy Act 1975: Arcadia, since 27 September 1975 [1].", *acts) is UNSUPPORTED


def test_a_heading_that_is_but_a_year_lends_its_date_to_nothing() -> None:
    headed = passage("1998.", "Ann Alder led FC Bern in 2001.")
    assert claim("Ann Alder led FC Bern in 1998 [1].", headed) is CONTRADICTED


def test_a_line_that_states_nothing_is_no_claim() -> None:
    assert checked("It is as follows:\n\nIn short, a lot has changed.").claims == ()
    draft = Draft(Status.PARTIAL, "Nothing was found for 1965 to 1970.\nNothing was found for 1975.")
    (left,) = check(draft, [year_interval(1965, 1970)]).claims
    assert left.text == "Nothing was found for 1975."


# What is worked out


def operand(value: str, hit: Hit, interval: Interval | None = None) -> Statement:
    return Statement("Bank Rate", "Percent", value, interval or hit.interval, hit, 1.0)


LINE = "Bank Rate rose by 0.25 between 9 November 2006 and 11 January 2007 [1][2]."


def test_a_derived_line_is_supported_when_its_operands_are() -> None:
    fine = Derived(LINE, (operand("5.00", RATES[0]), operand("5.25", RATES[1])))
    found = checked(LINE, *RATES, derived=(fine,))
    assert [(c.support, c.derived, c.citations) for c in found.claims] == [(SUPPORTED, True, (1, 2))]
    assert [reference.support for reference in found.references] == [SUPPORTED]
    assert checked(LINE, *RATES).claims[0].support is not SUPPORTED


@pytest.mark.parametrize(
    "second",
    [operand("5.75", RATES[1]), operand("5.25", RATES[1], year_interval(1999)), operand("5.25", RATES[0])],
)
def test_a_derived_line_is_unsupported_when_one_of_them_is_not(second: Statement) -> None:
    derived = Derived(LINE, (operand("5.00", RATES[0]), second))
    (found,) = checked(LINE, *RATES, derived=(derived,)).claims
    assert (found.support, found.derived) == (UNSUPPORTED, True)


def test_a_value_that_looks_like_a_year_is_no_time_of_a_derived_line() -> None:
    kit = rows("Item,Bought,Price\nOld press,2017-09-02,1320\nNew press,2019-12-03,1680\n")
    line = Derived("2019: 1680, against 1320 [1][2].", (operand("1320", kit[0]), operand("1680", kit[1])))
    found = checked(line.text, *kit, derived=(line,))
    assert [claim.support for claim in found.claims] == [SUPPORTED]
    assert [reference.text for reference in found.references] == ["2019"]


def test_an_operand_from_a_text_stands_in_its_own_sentence() -> None:
    text = "FC Bern had 12 points more in 2007 than in 2009 [1]."
    two = [
        Statement(
            "FC Bern", "points", value, year_interval(year), Hit(CLUB.chunk, Scores(), None, index), 0.9
        )
        for value, year, index in (("23", 2007, 3), ("11", 2009, 4))
    ]
    assert checked(text, CLUB, derived=(Derived(text, tuple(two)),)).claims[0].support is SUPPORTED
    astray = Statement("FC Bern", "points", "23", year_interval(2009), two[1].hit, 0.9)
    derived = Derived(text, (two[0], astray))
    assert checked(text, CLUB, derived=(derived,)).claims[0].support is UNSUPPORTED


def test_a_row_gives_a_derived_line_the_times_that_it_held_at() -> None:
    first, second = rows(
        "Bank,Rate,Start,End\nElm,5.25,1999-01-01,2007-09-18\nElm,0.50,2009-03-05,2016-08-04\n"
    )
    line = "Difference: −4.75, from 5.25 (2005) to 0.50 (2010) [1][2]."
    derived = Derived(line, (operand("5.25", first), operand("0.50", second)))
    found = checked(line, first, second, derived=(derived,))
    assert [reference.support for reference in found.references] == [SUPPORTED, SUPPORTED]
    elsewhere = Derived(line.replace("2010", "2018"), derived.operands)
    found = checked(elsewhere.text, first, second, derived=(elsewhere,))
    assert [reference.support for reference in found.references] == [SUPPORTED, UNSUPPORTED]


# What is no claim


def test_a_line_may_name_all_the_times_over_which_it_held() -> None:
    (row,) = rows("Bank,Rate,Start,End\nElm,5.25,1999-01-01,2007-09-18\n")
    told = "5.25: Elm, from 1 January 1999 to 18 September 2007 [1]."
    for names, support in (("2001", SUPPORTED), ("2001, 2003 and 2005", SUPPORTED)):
        found = checked(f"{names}: {told}", row)
        assert {claim.support for claim in found.claims} == {support}
        assert {reference.support for reference in found.references} == {support}
    assert checked(f"2001 and 2009: {told}", row).claims[0].support is not SUPPORTED


def test_what_names_the_nearest_passages_claims_nothing() -> None:
    near = Nearest(Citation(2, CLUB), None)
    text = "Eve Elm [1].\nNo clear statement was found for 1960. Nearest:\n2001: Ann Alder left in 1950. [2]"
    draft = Draft(Status.PARTIAL, text, (), (Citation(1, CLUB),), nearest=(near,))
    found = check(draft, missing=[year_interval(1960)])
    assert [claim.text for claim in found.claims] == ["Eve Elm."]
    assert found.references == ()


# Notes


def test_lines_in_doubt_are_noted_where_no_date_in_them_is() -> None:
    assert list(doubts(checked("Eve Elm [1].\nCy Cedar [1].", CLUB))) == [
        "the evidence cited for it does not state 2 lines of the answer as written"
    ]
    assert list(doubts(checked("Ann Alder led FC Bern in 2005 [1].", CLUB))) == [
        "the evidence cited for it contradicts what the answer says about 2005"
    ]
    assert list(doubts(checked("Ann Alder led FC Bern in 1998 [1].", CLUB))) == []


# Properties

NAMES = st.sampled_from(["Ann Alder", "Bob Birch", "Cy Cedar", "Dora Dogwood"])
VERBS = st.sampled_from(["led", "left", "sold", "praised"])
PLACES = st.sampled_from(["Bern", "Basel", "Uri"])
YEARS = st.integers(-300, 2020).filter(bool)


@st.composite
def sentences(draw: st.DrawFn) -> str:
    year = draw(YEARS)
    time = f"in {-year} BCE" if year < 0 else f"in AD {year}" if year < 1000 else f"on 5 May {year}"
    return f"{draw(NAMES)} {draw(VERBS)} {draw(PLACES)} {time}."


@given(st.lists(sentences(), min_size=1, max_size=5), st.data())
def test_a_quoted_sentence_with_the_date_of_its_own_event_is_always_supported(
    texts: list[str], data: st.DataObject
) -> None:
    hit = passage(*texts)
    event = data.draw(st.sampled_from(hit.chunk.events))
    found = checked(f"{phrase(event.interval)}: {texts[event.sentence]} [1]", hit)
    assert [one.support for one in found.claims] == [SUPPORTED]
    assert {reference.support for reference in found.references} == {SUPPORTED}


@given(st.lists(st.tuples(NAMES, VERBS, PLACES, st.integers(1000, 2020)), min_size=1, max_size=6), st.data())
def test_a_name_with_a_year_that_no_sentence_gives_it_is_never_supported(
    told: list[tuple[str, str, str, int]], data: st.DataObject
) -> None:
    hit = passage(*(f"{name} {verb} {place} on 5 May {year}." for name, verb, place, year in told))
    name, verb, place, _ = data.draw(st.sampled_from(told))
    year = data.draw(st.sampled_from([one[-1] for one in told]))
    is_told = any((name, year) == (who, when) for who, _, _, when in told)
    found = claim(f"{name} {verb} {place} in {year} [1].", hit)
    if (name, verb, place, year) in told:
        assert found is SUPPORTED
    elif not is_told:
        assert found is not SUPPORTED
