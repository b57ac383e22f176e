"""Periods in the cells of tables: their starts, their ends, and the words for them."""

import pytest
from unit.ingest.conftest import NO_COLUMNS

from timelens.ingest.date_columns import TableColumns
from timelens.ingest.tables import read_table


@pytest.mark.parametrize(
    ("content", "periods"),
    [
        (
            "Name,Period\nAda,2001-2005\nBo,2006–2010\nCy,2011-present\n",
            ["from 2001 to 2005", "from 2006 to 2010", "since 2011"],
        ),
        (
            "Name,In office\nAda,until May 2018\nBo,Jan 2019 – Mar 2020\nCy,since April 2020\n",
            ["until May 2018", "from January 2019 to March 2020", "since April 2020"],
        ),
        (
            "Dates;Tenant\n1 May 2010 to 3 June 2011;Ada\n4 June 2011 –;Bo\n",
            ["from 1 May 2010 to 3 June 2011", "since 4 June 2011"],
        ),
    ],
)
def test_one_column_of_periods_gives_starts_and_ends(content: str, periods: list[str]) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert ([fact.period for fact in table.facts], table.failures) == (periods, ())
    assert list(dict(table.facts[0].fields)) in (["Name"], ["Tenant"])


@pytest.mark.parametrize("name", ["Dates", "Date", "Shown on"])
@pytest.mark.parametrize(
    ("cells", "periods"),
    [
        (
            ("3 March 2014 – 28 March 2014", "1 April 2014 to 15 June 2014"),
            ["from 3 March 2014 to 28 March 2014", "from 1 April 2014 to 15 June 2014"],
        ),
        (("3–28 March 2014", "1 June 2014"), ["from 3 March 2014 to 28 March 2014", "on 1 June 2014"]),
        (
            ("3.3.2014–28.3.2014", "2014-04-01 – 2014-06-15"),
            ["from 3 March 2014 to 28 March 2014", "from 1 April 2014 to 15 June 2014"],
        ),
        (
            ("March 2014 – May 2014", "June–July 2014"),
            ["from March 2014 to May 2014", "from June 2014 to July 2014"],
        ),
        (
            ("01/04/2014 – 03/05/2014", "01/06/2014 – 15/06/2014"),  # the second shows that the day is first
            ["from 1 April 2014 to 3 May 2014", "from 1 June 2014 to 15 June 2014"],
        ),
        (
            ("Q1 2014 – Q3 2014", "2015–2016"),
            ["from 1 January 2014 to 30 September 2014", "from 2015 to 2016"],
        ),
        (
            ("3–28 March 2014", "since 1 June 2014"),
            ["from 3 March 2014 to 28 March 2014", "since 1 June 2014"],
        ),
    ],
)
def test_periods_of_days_and_months_have_their_ends(
    name: str, cells: tuple[str, str], periods: list[str]
) -> None:
    content = f"Show,{name}\n" + "".join(f"Glass,{cell}\n" for cell in cells)
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert ([fact.period for fact in table.facts], table.failures) == (periods, ())


def test_a_column_of_periods_that_the_user_names_has_their_ends() -> None:
    content = "Show,Set up,Open\nGlass,1–2 March 2014,3–28 March 2014\nMaps,2014,May–June 2014\n"
    table = read_table(content, "t.csv", TableColumns("Open"))
    assert [fact.period for fact in table.facts] == [
        "from 3 March 2014 to 28 March 2014",
        "from May 2014 to June 2014",
    ]


def test_two_columns_of_periods_are_no_start_and_end() -> None:
    content = "Show,Set up,Open\nGlass,1–2 March 2014,3–28 March 2014\nMaps,1–3 May 2014,4–9 June 2014\n"
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert (table.facts, len(table.rows)) == ((), 2)


def test_a_column_for_each_period_has_a_row_for_each_value() -> None:
    content = "Hall,March–May 2014,June–July 2014\nA,5,6\n"
    facts = read_table(content, "t.csv", NO_COLUMNS).facts
    assert [fact.period for fact in facts] == ["from March 2014 to May 2014", "from June 2014 to July 2014"]


@pytest.mark.parametrize(
    ("names", "periods"),
    [
        ("mar_2011,oct_2014", ["in March 2011", "in October 2014"]),
        ("2011-03,2014-10", ["in March 2011", "in October 2014"]),
        ("2011_03,2014_10", ["in March 2011", "in October 2014"]),
        ("03/2011,10/2014", ["in March 2011", "in October 2014"]),
        ("mar-2011,oct-2014", ["in March 2011", "in October 2014"]),
        ("1.4.2015,1.6.2016", ["on 1 April 2015", "on 1 June 2016"]),
        ("spring_2014,spring_2015", ["from March 2014 to May 2014", "from March 2015 to May 2015"]),
        ("from_2014,from_2016", ["from 2014 to 2016", "since 2016"]),
        ("since Oct 2014,since May 2016", ["from October 2014 to May 2016", "since May 2016"]),
        ("since_oct_2014,since_may_2016", ["from October 2014 to May 2016", "since May 2016"]),
    ],
)
def test_columns_that_are_named_after_dates_have_a_row_for_each_value(names: str, periods: list[str]) -> None:
    facts = read_table(f"item,{names}\nBun,5,6\n", "t.csv", NO_COLUMNS).facts
    assert [fact.period for fact in facts] == periods
    assert [fact.fields for fact in facts] == [
        (("item", "Bun"), ("Value", "5")),
        (("item", "Bun"), ("Value", "6")),
    ]


def test_names_in_snake_case_are_read_as_words() -> None:
    (fact,) = read_table("year,birds_ringed,Lead_Mg,pb_2_5\n2012,5,6,7\n", "t.csv", NO_COLUMNS).facts
    assert [name for name, _ in fact.fields] == ["birds ringed", "Lead_Mg", "pb 2-5"]


def test_a_column_that_the_user_names_keeps_its_name() -> None:
    (fact,) = read_table("sown_on,bed_no\n2012-03-01,5\n", "t.csv", TableColumns("sown_on")).facts
    assert (fact.period, fact.fields) == ("on 1 March 2012", (("bed no", "5"),))


def test_a_period_that_cannot_be_read_is_a_failure() -> None:
    table = read_table(
        "Name,Period\n" + "".join(f"N{n},200{n}-200{n + 1}\n" for n in range(9)) + "Ada,2009-?\n",
        "t.csv",
        NO_COLUMNS,
    )
    assert (len(table.facts), [each.path for each in table.failures]) == (9, ["t.csv row 11"])


def test_a_row_without_a_header_is_one_though_a_period_below_it_cannot_be_read() -> None:
    rows = "".join(f"200{n}-200{n + 1},N{n}\n" for n in range(9))
    table = read_table(f"1998-1999,Ann\n{rows}199?-2003,Bob\n", "t.csv", NO_COLUMNS)
    assert (table.facts, len(table.rows)) == ((), 11)


@pytest.mark.parametrize(
    ("name", "cell", "period"),
    [
        ("School year", "2015/16", "from 1 September 2015 to 31 August 2016"),
        ("Academic_Year", "2015-2016", "from 1 September 2015 to 31 August 2016"),
        ("Financial year", "2001/02", "from 1 April 2001 to 31 March 2002"),
        ("Season", "1998-99", "from 1 July 1998 to 30 June 1999"),
        ("Year", "2015/16", "from 2015 to 2016"),
        ("Tax year", "2001-02", "from 1 April 2001 to 31 March 2002"),
    ],
)
def test_a_year_across_two_calendar_years_lasts_as_in_text(name: str, cell: str, period: str) -> None:
    (fact,) = read_table(f"{name},Class\n{cell},5a\n", "t.csv", NO_COLUMNS).facts
    assert fact.period == period
    assert fact.fields == ((name, cell), ("Class", "5a"))


def test_years_across_two_calendar_years_are_no_periods_of_two_years() -> None:
    rows = "2019/20,5a\n2020/21,5b\n2021/22,5c\n"
    facts = read_table(f"Season,Class\n{rows}", "t.csv", NO_COLUMNS).facts
    assert [fact.fields[0][1] for fact in facts] == ["2019/20", "2020/21", "2021/22"]
    assert facts[1].period == "from 1 July 2020 to 30 June 2021"


@pytest.mark.parametrize(
    ("start", "end", "period"),
    [
        ("1977-05-03", "1990", "from 3 May 1977 to 31 December 1990"),
        ("1990-05-03", "1990", "from 3 May 1990 to 31 December 1990"),
        ("1977-05-03", "June 1990", "from 3 May 1977 to 30 June 1990"),
        ("May 1977", "1990", "from May 1977 to December 1990"),
        ("2010-01-01", "Q2 2011", "from 1 January 2010 to 30 June 2011"),
        ("1991", "c. 2012", "from 1991 to 2012"),
        ("c. 1991", "2012-05-03", "from 1 January 1991 to 3 May 2012"),
        ("1990", "1990-03-01", "from 1 January 1990 to 1 March 1990"),
        ("1990", "1992", "from 1990 to 1992"),
    ],
)
def test_all_of_a_year_or_month_at_an_end_belongs_to_the_row(start: str, end: str, period: str) -> None:
    (fact,) = read_table(f"Warden,From,To\nSue Bark,{start},{end}\n", "t.csv", NO_COLUMNS).facts
    assert fact.period == period


@pytest.mark.parametrize(
    ("cell", "period"),
    [
        ("weekend of 3 May 2014", "from 3 May 2014 to 4 May 2014"),
        ("first week of May 2014", "from 1 May 2014 to 7 May 2014"),
        ("c. 2012", "in 2012"),
        ("late 2014", "in 2014"),
    ],
)
def test_a_single_time_has_all_its_days(cell: str, period: str) -> None:
    (fact,) = read_table(f"Show,Date\nGlass,{cell}\n", "t.csv", NO_COLUMNS).facts
    assert fact.period == period


@pytest.mark.parametrize(
    ("cell", "period"),
    [
        ("Q2 2019", "from April 2019 to June 2019"),
        ("H2 2019", "from July 2019 to December 2019"),
        ("winter 2019/20", "from December 2019 to February 2020"),
        ("2019-W10", "from 4 March 2019 to 10 March 2019"),
        ("2019-06", "in June 2019"),
        ("the 1990s", "from 1990 to 1999"),
    ],
)
def test_a_unit_without_a_name_is_told_by_its_months_days_or_years(cell: str, period: str) -> None:
    fact, second = read_table(f"Date,Eggs\n{cell},5\n{cell},6\n", "t.csv", NO_COLUMNS).facts
    assert (fact.period, fact.start, fact.validity) == (period, fact.end, second.recorded)


def test_quarters_of_a_start_and_an_end_are_told_by_their_months() -> None:
    content = "Name,From,To\nA,Q1 2019,Q3 2019\nB,Q4 2019,\nC,,Q3 2018\n"
    facts = read_table(content, "t.csv", NO_COLUMNS).facts
    periods = ["from January 2019 to September 2019", "since October 2019", "until September 2018"]
    assert [fact.period for fact in facts] == periods
