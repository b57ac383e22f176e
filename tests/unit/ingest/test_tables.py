from collections.abc import Sequence
from pathlib import Path

import pytest
from unit.ingest.conftest import NO_COLUMNS, day, read, read_one

from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.tables import read_table, verbalise
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.interval import Granularity, year_interval


def facts(content: str, columns: TableColumns = NO_COLUMNS) -> list[tuple[str, str | None, str | None]]:
    table = read_table(content, "t.csv", columns)
    assert table.failures == ()
    return [
        (
            dict(fact.fields)["Name"],
            None if fact.start is None else format_day(fact.start),
            None if fact.end is None else format_day(fact.end),
        )
        for fact in table.facts
    ]


ADA = ("Ada", "2010-01-02", "2012-03-04")


@pytest.mark.parametrize(
    "content",
    [
        "Name,Start,End\nAda,2010-01-02,2012-03-04\n",
        "Name;Start;End\nAda;2010-01-02;2012-03-04",
        "Name\tstart_date\tend-date\nAda\t2010-01-02\t2012-03-04",
        "Name|From|Until\nAda|2010-01-02|2012-03-04",
        '"Name","Valid From","Valid To"\n"Ada","2 January 2010","4 March 2012"\n',
        '"Name";"Note, long, very";"Start";"End"\nAda;x;2010-01-02;2012-03-04',
        " Name , START , END \n Ada , 2010-01-02 , 2012-03-04 \n",
        "\n\nName,Start,End\n\nAda,2010-01-02,2012-03-04\n,,\n",
    ],
)
def test_tables_in_all_their_forms(content: str) -> None:
    assert facts(content) == [ADA]


def test_quoted_cells_hold_delimiters_quotes_and_line_ends() -> None:
    table = read_table('Name,Note,Start,End\n"A, B","say ""x""\nhere",2010,2011\n', "t.csv", NO_COLUMNS)
    assert table.facts[0].fields == (("Name", "A, B"), ("Note", 'say "x"\nhere'))


def test_the_ends_of_a_fact_stand_as_recorded() -> None:
    rows = [
        "equal,2010-05-01,2010-05-01",
        "empty,2010-05-01,",
        "present,2010-05-01, Present ",
        "dash,2010-05-01,–",
        "years,2010,2012",
        "one year,2010,2010",
        "no start,,2012-01-01",
        "ancient,-0043-03-15,14-08-19",
    ]
    table = read_table("Name,Start,End\n" + "\n".join(rows[:-1]), "t", NO_COLUMNS)
    by_name = {dict(fact.fields)["Name"]: fact for fact in table.facts}
    first = day_number(2010, 5, 1)
    assert (by_name["equal"].start, by_name["equal"].end) == (first, first)
    assert by_name["equal"].validity == day(2010, 5, 1)
    for name in ("empty", "present", "dash"):
        assert (by_name[name].start, by_name[name].end) == (first, None)
    years = by_name["years"]
    assert (years.start, years.end) == (day_number(2010), day_number(2012))
    assert years.granularity is Granularity.YEAR
    assert by_name["one year"].validity == year_interval(2010)
    assert by_name["no start"].validity.start is None


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("Ada,2012-01-01,2010-01-01", "its End lies before its Start"),
        ("Ada,2010-02-30,2011-01-01", "not a date"),
        ("Ada,soon,", "not a date"),
        ("Ada,2010-01-01,until 2015", "not a date"),
        ("Ada", "no Start and no End"),
        ("Ada,2010-01-01,2011-01-01,extra", "4 cells, but the header has 3"),
    ],
)
def test_a_bad_row_is_reported_by_number_and_left_out(row: str, said: str) -> None:
    table = read_table(f"Name,Start,End\nBob,2000,2001\n{row}\nCy,2002,2003\n", "t.csv", NO_COLUMNS)
    assert [dict(fact.fields)["Name"] for fact in table.facts] == ["Bob", "Cy"]
    (failure,) = table.failures
    assert failure.path == "t.csv row 3"
    assert said in failure.error
    assert failure.partial


@pytest.mark.parametrize("row", ["Ada,2010-01-01", "Ada,2010-01-01,", "Ada,2010-01-01,,"])
def test_last_cells_that_are_missing_are_empty(row: str) -> None:
    content = f"Name,Start,End,Note\nBob,2000-01-01,2001-01-01,x\n{row}\n"
    assert facts(content)[1:] == [("Ada", "2010-01-01", None)]


def test_a_row_that_ends_before_its_period_has_none() -> None:
    table = read_table("Name,Note,Period\nBob,x,2001–2005\nCy,y,2006–\nAda\n", "t.csv", NO_COLUMNS)
    assert [fact.period for fact in table.facts] == ["from 2001 to 2005", "since 2006"]
    assert [failure.path for failure in table.failures] == ["t.csv row 4"]


def test_a_single_day_column_dates_rows_of_one_day() -> None:
    table = read_table("Name,Date\nAda,2010-01-02\nBob,\n", "t", NO_COLUMNS)
    assert [(fact.start, fact.end) for fact in table.facts] == [(day_number(2010, 1, 2),) * 2]
    assert [failure.error for failure in table.failures] == ["its Date is empty"]


@pytest.mark.parametrize("name", ["year", "Financial year", "month", "School_year"])
def test_a_column_of_a_unit_of_time_dates_rows(name: str) -> None:
    table = read_table(f"place,{name},people\nOakham,2012,3412\nBrill,2015,790\n", "t.csv", NO_COLUMNS)
    assert [(fact.fields, fact.validity) for fact in table.facts] == [
        ((("place", "Oakham"), ("people", "3412")), year_interval(2012)),
        ((("place", "Brill"), ("people", "790")), year_interval(2015)),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "item,year\nlamp,1998\nTotal,\n",
        "item,year\nlamp,1998\nchair,unknown\n",
        "item,birth year\nAnn,1998\nBo,1999\n",
        "from,to,fare\nOakham,Brill,2.10\nOakham,Thame,3.00\n",
    ],
)
def test_no_row_is_lost_to_a_column_that_does_not_date_every_row(content: str) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert (table.facts, table.failures, len(table.rows)) == ((), (), 2)


def test_columns_named_by_the_user_win() -> None:
    content = "Name,Start,End,Took office,Left\nAda,1900,1901,2010-01-02,2012-03-04\n"
    assert facts(content, TableColumns("Took office", "Left")) == [ADA]
    assert facts("Name,When\nAda,2010-01-02", TableColumns("When")) == [("Ada", "2010-01-02", "2010-01-02")]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (TableColumns(start="Nope"), "no column 'Nope'"),
        (TableColumns("Name", "nope"), "no column 'nope'"),
        (TableColumns(end="Left"), "no start column beside 'Left'"),
    ],
)
def test_a_named_column_that_does_not_exist_is_refused(columns: TableColumns, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        read_table("Name,Left\nAda,2010\n", "t", columns)


@pytest.mark.parametrize("content", ["", "\n\n", "a,a\n1,2", " a,a \n1,2"])
def test_a_table_without_distinct_names_of_columns_is_refused(content: str) -> None:
    with pytest.raises(BadInputError, match="does not name its columns"):
        read_table(content, "t", NO_COLUMNS)


def test_a_table_without_dates_of_its_own_is_text(tmp_path: Path) -> None:
    document = read_one(tmp_path / "big_cities.csv", "City,Country,Note\nRome,Italy,\nOslo,Norway,cold\n")
    assert document.facts == ()
    assert document.text == "City: Rome; Country: Italy.\nCity: Oslo; Country: Norway; Note: cold"
    assert document.title == "big cities"


def test_other_columns_make_other_content(tmp_path: Path) -> None:
    content = "Name,Start,End,Left\nAda,2010,2012,2011\n"
    hashes = {
        read(tmp_path / "a.csv", content, columns)[0][0].content_hash
        for columns in (NO_COLUMNS, TableColumns("Start", "Left"))
    }
    assert len(hashes) == 2


def test_a_fact_is_a_sentence_with_its_dates() -> None:
    content = (
        "Role,Name,Start,End\nMayor,Ada,2010-01-02,2012-03-04\nMayor,Bob,2012-03-04,\nMayor,Cy,2012,2012\n"
    )
    sentences = [verbalise(fact) for fact in read_table(content, "t", NO_COLUMNS).facts]
    assert sentences == [
        "Role Mayor, Name Ada: from 2 January 2010 to 4 March 2012.",
        "Role Mayor, Name Bob: since 4 March 2012.",
        "Role Mayor, Name Cy: in 2012.",
    ]


@pytest.mark.parametrize(
    "content",
    [
        "Name,Took office,Left office\nAda,2010-01-02,2012-03-04\n",
        "Arrived,Departed,Name\n2010-01-02,2012-03-04,Ada\n",
        "Name,Effective,Until\nAda,2 January 2010,4 March 2012\n",
        "Name,From,Ceased\nAda,2010-01-02,2012-03-04\n",
        "Name,Age,In post since,Stepped down\nAda,31,2010-01-02,2012-03-04\n",
    ],
)
def test_columns_are_found_by_the_dates_in_them(content: str) -> None:
    assert facts(content) == [ADA]


@pytest.mark.parametrize(
    ("header", "names", "said"),
    [
        ("Tree,Planted,Felled", ("Planted", "Felled"), "Tree Oak, Planted 3 May 1820, Felled 1 June 1987."),
        ("Tree,Planted on,End", ("Planted on", ""), "Tree Oak: from 3 May 1820 to 1 June 1987."),
        ("Tree,Start date,End date", ("", ""), "Tree Oak: from 3 May 1820 to 1 June 1987."),
        ("Tree,from,TO", ("", ""), "Tree Oak: from 3 May 1820 to 1 June 1987."),
    ],
)
def test_names_that_tell_what_happened_are_kept(header: str, names: tuple[str, str], said: str) -> None:
    (fact,) = read_table(f"{header}\nOak,1820-05-03,1987-06-01\n", "t", NO_COLUMNS).facts
    assert fact.date_names == names
    assert verbalise(fact) == said


@pytest.mark.parametrize(
    ("name", "said"), [("Opened", "Shop Hat, Opened 3 May 1920."), ("Date", "Shop Hat: on 3 May 1920.")]
)
def test_the_name_of_a_single_date_is_kept(name: str, said: str) -> None:
    (fact,) = read_table(f"Shop,{name}\nHat,1920-05-03\nCap,1921-06-04\n", "t", NO_COLUMNS).facts[:1]
    assert verbalise(fact) == said


def test_a_date_of_birth_is_no_end_of_an_interval() -> None:
    table = read_table("Name,Born,Joined,Left\nAda,1980-01-02,2010-01-02,2012-03-04\n", "t.csv", NO_COLUMNS)
    assert [(fact.fields, fact.period) for fact in table.facts] == [
        ((("Name", "Ada"), ("Born", "1980-01-02")), "from 2 January 2010 to 4 March 2012")
    ]


@pytest.mark.parametrize(
    ("content", "periods"),
    [
        ("Lamp,Fitted,Removed\nOil,1898,1911\nGas,1911,\n", ["from 1898 to 1911", "since 1911"]),
        ("FY,Branch,Staff\n2017,North,7\n2018,North,8\n2018,South,5\n", ["in 2017", "in 2018", "in 2018"]),
        ("Jahr / Year,Fires\n2002,11\n2003,14\n2004,9\n", ["in 2002", "in 2003", "in 2004"]),
        ("As at 31 Dec,Beds\n1988,238\n1987,240\n1986,240\n", ["in 1988", "in 1987", "in 1986"]),
        ("Del. date,Item\n07.01.19,malt\n22.01.19,hops\n", ["on 7 January 2019", "on 22 January 2019"]),
        ("bought on,yarn\n11-Jan-23,moss\n9-Feb-23,peat\n", ["on 11 January 2023", "on 9 February 2023"]),
        ("When,Book\nJan 21,A\nJan 21,B\nMay 22,C\n", ["in January 2021", "in January 2021", "in May 2022"]),
        ("Valid from,Rye\n2014-03-01,2.90\n2015-09-01,3\n", ["on 1 March 2014", "on 1 September 2015"]),
    ],
)
def test_columns_of_other_names_date_the_rows_by_their_cells(content: str, periods: list[str]) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert ([fact.period for fact in table.facts], table.failures) == (periods, ())


@pytest.mark.parametrize(
    "content",
    [
        "Lamp,Range\nA,1200-1500\nB,1300-1400\n",
        "Lamp,Watts\nA,10-20\nB,20-30\n",
        "Model,Watts\n1200,90\n1500,80\n1900,70\n",  # numbers far from each other
        "Book,Began\nEmma,Jan 21\nSanditon,Mar 3\nLady Susan,Jan 4\n",  # days of a month
        "Part,Version\na,1.2.19\nb,14.2.1\nc,2.30.5\n",
        "Town,Founded,People\nA,1850,1900\nB,1911,1205\nC,1902,2010\n",
    ],
)
def test_numbers_are_no_dates_of_rows(content: str) -> None:
    assert read_table(content, "t.csv", NO_COLUMNS).facts == ()


def test_an_end_that_is_missing_in_many_rows_is_an_end_all_the_same() -> None:
    content = "Name,Moved in,Moved out\nAda,2010-01-02,2012-03-04\nBo,2012-03-05,\nCy,2013-01-01,present\n"
    assert facts(content) == [ADA, ("Bo", "2012-03-05", None), ("Cy", "2013-01-01", None)]


@pytest.mark.parametrize(
    "content",
    [
        "Name,Low,High\nAda,1200,1500\nBo,1300,1900\n",  # numbers that might be years
        "Name,Interest,Income\nAda,1200,1500\nBo,1300,1900\n",
        "Name,Ordered,Packed,Sent\nAda,1980-01-02,2010-01-02,2012-03-04\n",  # three of them
        "Name,Born,Note\nAda,1980-01-02,tall\n",
        "Name,Bought,Sold\nAda,2010-01-02,2009-01-01\nBo,2010-01-02,2012-03-04\nCy,2013-01-02,2012-03-04\n",
        "Name,Seen,Weight\nAda,2010-01-02,about 3 kg\n",
    ],
)
def test_other_columns_are_not_taken_for_an_interval(content: str) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert table.facts == ()
    assert "Ada" in table.text


def test_bare_years_are_dates_under_a_name_of_time() -> None:
    table = read_table("Name,First year,Last year\nAda,1931,1951\n", "t.csv", NO_COLUMNS)
    assert [fact.fields for fact in table.facts] == [(("Name", "Ada"),)]


def test_dates_with_the_day_first_are_recognised_as_times_by_their_content() -> None:
    rows = "On hire,Off hire,What\n10/02/2014,28/11/2014,Dumper\n12/05/2014,10/10/2014,Roller\n"
    table = read_table(rows, "hire.csv", TableColumns())
    assert [(fact.period, fact.fields) for fact in table.facts][1] == (
        "from 12 May 2014 to 10 October 2014",
        (("What", "Roller"),),
    )


def test_a_date_that_shows_the_day_first_tells_the_order_of_all() -> None:
    rows = "Post,Start,End\nChair,01/04/2004,31/03/2009\nChair,01/04/2009,ongoing\n"
    first, second = read_table(rows, "posts.csv", NO_COLUMNS).facts
    assert (first.start, first.end) == (day_number(2004, 4, 1), day_number(2009, 3, 31))
    assert (second.start, second.end) == (day_number(2009, 4, 1), None)


@pytest.mark.parametrize(
    ("dates", "first"),
    [
        (("01/04/2015", "01/09/2016", "01/04/2018"), day_number(2015, 4, 1)),  # the first of a month
        (("04/01/2015", "09/01/2016", "04/01/2018"), day_number(2015, 4, 1)),
        (("05/06/2015", "02/07/2015", "11/07/2015"), day_number(2015, 6, 5)),  # in order
        (("11/07/2015", "02/07/2015", "05/06/2015"), day_number(2015, 7, 11)),
        (("06/05/2015", "07/02/2015", "07/11/2015"), day_number(2015, 6, 5)),
        (("05/06/2015", "06/07/2015", "07/08/2015"), day_number(2015, 5, 6)),  # in both orders
        (("05/06/2015", "03/04/2015", "06/05/2015"), day_number(2015, 5, 6)),  # in none
        (("01/04/2015", "01/09/2016"), day_number(2015, 1, 4)),  # too few
    ],
)
def test_the_order_of_the_rows_tells_whether_the_day_is_first(dates: Sequence[str], first: int) -> None:
    rows = "Date,Fee\n" + "".join(f"{date},{number}\n" for number, date in enumerate(dates))
    assert read_table(rows, "fees.csv", NO_COLUMNS).facts[0].start == first


def test_before_points_the_day_is_first_whatever_the_other_dates_show() -> None:
    rows = "Hirer,Start,End\nChoir,01.09.2004,31.08.2009\n"
    (fact,) = read_table(rows, "hire.csv", NO_COLUMNS).facts
    assert (fact.start, fact.end) == (day_number(2004, 9, 1), day_number(2009, 8, 31))


def test_the_only_word_in_an_end_column_says_that_a_row_still_holds() -> None:
    rows = "Press,In use from,In use to\nA,Feb 2001,Jul 2006\nB,Aug 2006,Still here\nC,May 2008,still here\n"
    facts = read_table(rows, "presses.csv", NO_COLUMNS).facts
    assert [fact.end is None for fact in facts] == [False, True, True]


@pytest.mark.parametrize("ends", [("unknown", "never"), ("31.13.2009", "31.13.2009")])
def test_other_ends_that_are_no_dates_are_failures(ends: tuple[str, str]) -> None:
    rows = f"Press,Start,End\nA,2001-02-03,2004-05-06\nB,2004-05-07,{ends[0]}\nC,2004-05-07,{ends[1]}\n"
    table = read_table(rows, "presses.csv", NO_COLUMNS)
    assert (len(table.facts), len(table.failures)) == (1, 2)


@pytest.mark.parametrize("other", ["04/05/2011", "04/13/2011"])
def test_without_such_a_date_or_with_the_opposite_the_month_is_first(other: str) -> None:
    rows = f"Post,Start,End\nChair,01/04/2004,{other}\n"
    (fact,) = read_table(rows, "posts.csv", NO_COLUMNS).facts
    assert fact.start == day_number(2004, 1, 4)


@pytest.mark.parametrize(
    ("content", "period"),
    [
        ("Event,Mark,Set on\n100 m,11.2,14 June 1979\n100 m,10.94,2 July 1988\n", "on 14 June 1979"),
        (
            "Price list of;Product;Founded\n15.01.2018;Flour;1950\n15.01.2018;Butter;1960\n",
            "on 15 January 2018",
        ),
        ("Signed,Who\n04/03/2019,Ann\n25/03/2019,Bo\n", "on 4 March 2019"),
    ],
)
def test_the_only_column_of_full_dates_dates_the_rows_whatever_its_name(content: str, period: str) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert (table.facts[0].period, len(table.facts), table.failures) == (period, 2, ())


@pytest.mark.parametrize(
    "content",
    [
        "Name,Date of birth\nAda,14 June 1979\nBo,2 July 1988\n",
        "Name,Founded\nAda,1979\nBo,1988\n",
        "Name,Year built\nAda,1979\nBo,1988\n",
        "Name,Ordered,Paid\nAda,2010-01-02,2010-01-01\nBo,2010-01-02,2010-01-03\n",
        "Name,Cancelled on\nAda,\nBo,2010-01-02\nCy,2010-01-03\n",
        "Name,Since\nAda,2010-01-02\nBo,2010-01-03\n",
    ],
)
def test_other_columns_do_not_date_the_rows_by_themselves(content: str) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert (table.facts, table.failures) == ((), ())
    assert "Ada" in table.text


def test_a_row_without_start_and_end_is_left_out() -> None:
    content = "Item,Start,End,Cost\nA,2001,2002,5\nB,,2003,6\nTotal,,,11\nNow,,present,1\n"
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert [fact.period for fact in table.facts] == ["from 2001 to 2002", "until 2003"]
    assert [(failure.path, failure.error, failure.partial) for failure in table.failures] == [
        ("t.csv row 4", "it has no Start and no End", True),
        ("t.csv row 5", "it has no Start and no End", True),
    ]


@pytest.mark.parametrize(
    ("content", "first"),
    [
        (
            "Mayor,Ann,2001-02-03,2005-06-07\nMayor,Bob,2005-06-07,2009-01-01\n",
            "Mayor; Ann; 2001-02-03; 2005-06-07",
        ),
        ("flour,0.62\nbutter,5.90\n", "flour; 0.62"),
        ("Ann,1801,1850\nBob,1805,1861\n", "Ann; 1801; 1850"),
        ("1998-2003,Ann\n2003-2007,Bob\n", "1998-2003; Ann"),
        ("Ann\tsince May 2015\nBob\tMay 2007 - Dec 2014\n", "Ann; since May 2015"),
        ("3–28 March 2014,Glass\n1 April 2014,Maps\n", "3–28 March 2014; Glass"),
        ("c. 2014,Glass\n2015,Maps\n", "c. 2014; Glass"),
    ],
)
def test_no_row_is_lost_to_a_header_that_is_not_there(content: str, first: str) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert (table.facts, table.text.split(".\n")[0], len(table.rows)) == ((), first, 2)
    (failure,) = table.failures
    assert (failure.path, failure.error, failure.partial) == (
        "t.csv",
        "its first row does not name its columns",
        True,
    )


@pytest.mark.parametrize(
    "content",
    [
        "Country,2001,2002,2003\nItaly,5,6,7\n",
        "Country,1990,2000\nItaly,5,2000\n",
        "Country,2003,2002\nItaly,5,6\n",
        "Country,Code,Jan 2001,March 2001\nItaly,IT,5,6\n",
    ],
)
def test_a_table_with_a_column_for_each_date_has_a_row_for_each_value(content: str) -> None:
    header, row = (line.split(",") for line in content.splitlines())
    table = read_table(content, "t.csv", NO_COLUMNS)
    labels = tuple((name, value) for name, value in zip(header, row, strict=True) if name.isalpha())
    values = [(name, value) for name, value in zip(header, row, strict=True) if not name.isalpha()]
    months = {"Jan 2001": "January 2001"}
    assert table.failures == ()
    assert [(fact.fields, fact.period) for fact in table.facts] == [
        ((*labels, ("Value", value)), f"in {months.get(name, name)}") for name, value in values
    ]
    assert [mark.place for mark in table.rows] == ["row 2"] * len(values)


def test_school_years_name_columns_and_dashes_are_no_values() -> None:
    content = "Post,2018/19,2019/20,Notes\nChair,Ann,–,paid\nClerk,,Bo,\n"
    facts = read_table(content, "t.csv", NO_COLUMNS).facts
    assert [(fact.fields, fact.period) for fact in facts] == [
        (
            (("Post", "Chair"), ("Notes", "paid"), ("Value", "Ann"), ("Year", "2018/19")),
            "from 2018 to 2019",
        ),
        ((("Post", "Clerk"), ("Notes", ""), ("Value", "Bo"), ("Year", "2019/20")), "from 2019 to 2020"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "Team,1,2,3\nReds,5,6,7\n",
        "Tariff,1000,2000\nReds,5,6\n",
        "Tariff,1500,1600,1700\nReds,5,6,7\n",
        "Tariff,2001,2005,2003\nReds,5,6,7\n",
        "Tariff,2001,Price\nReds,5,6\n",
    ],
)
def test_numbers_may_be_names_of_columns(content: str) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert (table.failures, table.facts, len(table.rows)) == ((), (), 1)
    assert ": 5; " in table.text


@pytest.mark.parametrize(
    ("content", "lead"),
    [
        ("sep=;\nName;Start;End\nAda;2010-01-02;2012-03-04\n", ""),
        (
            "Officers,,\nPrinted 2024,,\n,,\nName,Start,End\nAda,2010-01-02,2012-03-04\n",
            "Officers Printed 2024",
        ),
        ("Officers\n\nName;Start;End\nAda;2010-01-02;2012-03-04\n", "Officers"),
        ("Name,Start,End,,\nAda,2010-01-02,2012-03-04,,\n", ""),
        ("Name,Start,End,Note,Note,,\nAda,2010-01-02,2012-03-04,x,y,,z\n", ""),
    ],
)
def test_what_programs_write_around_a_table_does_not_hide_it(content: str, lead: str) -> None:
    assert facts(content) == [ADA]
    assert read_table(content, "t.csv", NO_COLUMNS).lead == lead


def test_columns_of_one_name_are_told_apart() -> None:
    content = "Name,Name,,Name 2,,Start,End\nA,B,C,D,E,2001,2002\n"
    (fact,) = read_table(content, "t.csv", NO_COLUMNS).facts
    assert [name for name, _ in fact.fields] == ["Name", "Name 3", "column 3", "Name 2", "column 5"]


def test_a_table_of_one_column_has_no_title() -> None:
    assert read_table("Name\nAda\nBo, Cy\n", "t.csv", NO_COLUMNS).lead == ""


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("Straße,Start,End\r\nKönig – 1,2001,2002\r\n", "cp1252"),
        ("Fee,Start,End\r\n£15,2001,2002\r\n", "cp1252"),
        ("Wiek,Start,End\r\nŁódź,2001,2002\r\n", "utf-16"),
        ("\ufeffWiek\tStart\tEnd\r\nŁódź\t2001\t2002\r\n", "utf-16-be"),
    ],
)
def test_encodings_of_spreadsheets_are_read_where_they_are_sure(
    tmp_path: Path, content: str, encoding: str
) -> None:
    (fact,) = read_one(tmp_path / "a.csv", content.encode(encoding)).facts
    name, value = fact.fields[0]
    assert content.lstrip("\ufeff").startswith(name)
    assert f"\n{value}" in content


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("Wiek,Start\nŁódź,2001\n", "cp1250"),
        ("Имя,Start\nЮлия,2001\n", "cp1251"),
        ("Nom,Début\nHélène,2001\n", "cp1252"),
    ],
)
def test_a_table_in_an_encoding_that_is_not_sure_is_refused(
    tmp_path: Path, content: str, encoding: str
) -> None:
    with pytest.raises(BadInputError, match="not UTF-8"):
        read(tmp_path / "a.csv", content.encode(encoding))


@pytest.mark.parametrize(
    ("content", "periods"),
    [
        ("Year,Month,Day,Rain\n2001,2,3,12\n2001,7,14,13\n", ["on 3 February 2001", "on 14 July 2001"]),
        ("Day;Month;Year;Rain\n3;Feb;2001;12\n14;July;2001;13\n", ["on 3 February 2001", "on 14 July 2001"]),
        ("Rain,Month,Year\n12,2,2001\n13,,2002\n", ["in February 2001", "in 2002"]),
        ("Year,Date,Rain\n2001,14 April,12\n2002,8 Dec.,13\n", ["on 14 April 2001", "on 8 December 2002"]),
        ("Date,Rain,Year\n3 May,12,2001\n,13,2002\n", ["on 3 May 2001", "in 2002"]),
        ("Year,Date,Rain\n2001,14 April,12\n,8 December,13\n", ["on 14 April 2001", "on 8 December 2001"]),
        ("Month,Rain\nJan-01,12\nDec-98,13\n", ["in January 2001", "in December 1998"]),
        ("Month,Rain\nJan 2001,12\nFebruary 2001,13\n", ["in January 2001", "in February 2001"]),
    ],
)
def test_a_date_in_parts_is_one_date(content: str, periods: list[str]) -> None:
    table = read_table(content, "t.csv", NO_COLUMNS)
    assert [fact.period for fact in table.facts] == periods
    assert [fact.fields for fact in table.facts] == [(("Rain", "12"),), (("Rain", "13"),)]
    assert table.failures == ()


def test_a_date_in_parts_that_does_not_exist_is_a_failure() -> None:
    rows = "".join(f"2001,3,{day},x\n" for day in range(1, 20))
    table = read_table(f"Year,Month,Day,What\n{rows}2001,2,30,y\nTotal,,,z\n", "t.csv", NO_COLUMNS)
    assert len(table.facts) == 19
    assert [failure.path for failure in table.failures] == ["t.csv row 21", "t.csv row 22"]


@pytest.mark.parametrize(
    "content",
    [
        "Name,Start,End,Year,Month\nAda,2010-01-02,2012-03-04,2001,2\n",
        "Name,Date,Year,Month,Day\nAda,2010-01-02,2001,2,3\n",
    ],
)
def test_columns_of_parts_beside_other_dates_are_values(content: str) -> None:
    (fact,) = read_table(content, "t.csv", NO_COLUMNS).facts
    assert fact.start == day_number(2010, 1, 2)
    assert ("Month", "2") in fact.fields


@pytest.mark.parametrize("unknown", ["unknown", "n/a", "?", "TBC", "Not known"])
def test_an_end_that_is_not_known_is_not_open(unknown: str) -> None:
    rows = f"Press,Start,End\nA,2001,2004\nB,2004,{unknown}\nC,2004,still here\nD,2005,present\n"
    table = read_table(rows, "presses.csv", NO_COLUMNS)
    assert [fact.period for fact in table.facts] == ["from 2001 to 2004", "since 2004", "since 2005"]
    (failure,) = table.failures
    assert (failure.path, failure.error) == ("presses.csv row 3", f"its End is not known: {unknown}")


@pytest.mark.parametrize(
    "far", ["9999-12-31", "31/12/9999", "31.12.2999", "12/31/9999", "9999", "9999-12-31 00:00"]
)
def test_the_last_day_of_databases_is_an_open_end(far: str) -> None:
    rows = f"Press,Start,End\nA,2001-02-03,{far}\nB,2001-02-03,2004-05-06\n"
    first, second = read_table(rows, "presses.csv", NO_COLUMNS).facts
    assert (first.end, second.end) == (None, day_number(2004, 5, 6))


def test_dates_that_contradict_each_other_in_their_order_are_reported() -> None:
    rows = "Post,Start,End\nChair,13/02/2001,04/05/2005\nChair,04/05/2005,12/31/2009\n"
    table = read_table(rows, "posts.csv", NO_COLUMNS)
    assert [fact.start for fact in table.facts] == [day_number(2001, 2, 13), day_number(2005, 4, 5)]
    (failure,) = table.failures
    assert failure.error == (
        "its dates are not all in one order: the day is first in 13/02/2001, the month in 12/31/2009"
    )
    assert failure.partial
