"""One sentence a convention: what is found, and the days it stands for (anchor: Tuesday, 15 June 2021)."""

import pytest

from timelens.temporal.calendar import format_day, parse_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval

ANCHOR = parse_day("2021-06-15")

PHRASES = [
    ("Japan declared war on 8 February 1904.", "8 February 1904", "1904-02-08 1904-02-09"),
    ("The act was signed on February 8, 1904, in Tokyo.", "February 8, 1904", "1904-02-08 1904-02-09"),
    ("She resigned on the 3rd of May 2019.", "the 3rd of May 2019", "2019-05-03 2019-05-04"),
    ("Snapshot taken 2019-05-03.", "2019-05-03", "2019-05-03 2019-05-04"),
    ("The towers fell on Tuesday, 11 September 2001.", "Tuesday, 11 September 2001", "2001-09-11 2001-09-12"),
    ("Filed 5 Sept. 2001 by the clerk.", "5 Sept. 2001", "2001-09-05 2001-09-06"),
    ("It opened in May 2015.", "May 2015", "2015-05-01 2015-06-01"),
    ("The picture was bought in Nov 1842.", "Nov 1842", "1842-11-01 1842-12-01"),
    ("The club was founded in 2011.", "2011", "2011-01-01 2012-01-01"),
    ("The eruption of AD 79 buried the town.", "AD 79", "0079-01-01 0080-01-01"),
    ("The battle was fought in 490 BC.", "490 BC", "-0489-01-01 -0488-01-01"),
    ("Caesar was killed on 15 March 44 BCE.", "15 March 44 BCE", "-0043-03-15 -0043-03-16"),
    ("The wars of 264\u2013146 BC ruined the city.", "264\u2013146 BC", "-0263-01-01 -0144-01-01"),
    ("Revenue fell in the second quarter of 2019.", "the second quarter of 2019", "2019-04-01 2019-07-01"),
    ("Guidance for Q3 2020 was cut.", "Q3 2020", "2020-07-01 2020-10-01"),
    ("Margins in 4Q18 were thin.", "4Q18", "2018-10-01 2019-01-01"),
    ("Sales doubled in the first half of 2017.", "the first half of 2017", "2017-01-01 2017-07-01"),
    ("Output shrank in H2 2008.", "H2 2008", "2008-07-01 2009-01-01"),
    ("Spending for fiscal year 2020 rose.", "fiscal year 2020", "2020-01-01 2021-01-01"),
    ("The games of summer 2012 were in London.", "summer 2012", "2012-06-01 2012-09-01"),
    ("They starved in the winter of 1941\u201342.", "the winter of 1941\u201342", "1941-12-01 1942-03-01"),
    ("Students rose in the spring of 1968.", "the spring of 1968", "1968-03-01 1968-06-01"),
    ("He won the league in the 2013\u201314 season.", "the 2013\u201314 season", "2013-07-01 2014-07-01"),
    ("Radio spread in the 1960s.", "the 1960s", "1960-01-01 1970-01-01"),
    ("Rents rose in the mid-1990s.", "the mid-1990s", "1993-01-01 1998-01-01"),
    ("It was common in the late \u201980s.", "the late \u201980s", "1986-01-01 1990-01-01"),
    ("Railways came in the 19th century.", "the 19th century", "1801-01-01 1901-01-01"),
    ("It flourished in the 5th century BC.", "the 5th century BC", "-0499-01-01 -0399-01-01"),
    (
        "Steam power of the late eighteenth century changed work.",
        "the late eighteenth century",
        "1767-01-01 1801-01-01",
    ),
    ("He left in early 2003.", "early 2003", "2003-01-01 2003-05-01"),
    ("The line opened in late May 2015.", "late May 2015", "2015-05-21 2015-06-01"),
    ("Prices peaked in mid-2008.", "mid-2008", "2008-05-01 2008-09-01"),
    ("The army was ready by the end of April 1904.", "by the end of April 1904", ".. 1904-05-01"),
    ("He served from May 2015 to January 2016.", "from May 2015 to January 2016", "2015-05-01 2016-02-01"),
    ("It was in use between 2012 and 2018.", "between 2012 and 2018", "2012-01-01 2019-01-01"),
    ("The drought of 2014\u201316 was severe.", "2014\u201316", "2014-01-01 2017-01-01"),
    ("Who owned the house from 1811 to 1827?", "from 1811 to 1827", "1811-01-01 1828-01-01"),
    ("Who owned it between Jul 1842 and Nov 1842?", "between Jul 1842 and Nov 1842", "1842-07-01 1842-12-01"),
    ("The hearing of March 4\u20137, 1989 was public.", "March 4\u20137, 1989", "1989-03-04 1989-03-08"),
    ("The crisis ran from 28 June to 3 July 1914.", "from 28 June to 3 July 1914", "1914-06-28 1914-07-04"),
    ("France fell in May\u2013June 1940.", "May\u2013June 1940", "1940-05-01 1940-07-01"),
    (
        "Fighting lasted November 1942 through February 1943.",
        "November 1942 through February 1943",
        "1942-11-01 1943-03-01",
    ),
    ("John Smith (1865\u20131936) was a writer.", "1865\u20131936", "1865-01-01 1937-01-01"),
    ("She has been chair since 2017.", "since 2017", "2017-01-01 .."),
    ("Who was president before the start of 2020?", "before the start of 2020", ".. 2020-01-01"),
    ("How many members as of 6 May 2021?", "as of 6 May 2021", ".. 2021-05-07"),
    ("It was rebuilt by 2011.", "by 2011", ".. 2012-01-01"),
    ("It was closed until March 2010.", "until March 2010", ".. 2010-04-01"),
    ("Who ruled after 1945?", "after 1945", "1946-01-01 .."),
    ("Laws prior to 1900 were harsh.", "prior to 1900", ".. 1900-01-01"),
    ("Fees apply from 1998 onwards.", "from 1998 onwards", "1998-01-01 .."),
    ("Apply no later than June 2005.", "no later than June 2005", ".. 2005-07-01"),
    ("Turnover grew over the last three years.", "the last three years", "2018-06-15 2021-06-15"),
    ("The shop opened three years ago.", "three years ago", "2018-01-01 2019-01-01"),
    ("It opened in October three years ago.", "October three years ago", "2018-10-01 2018-11-01"),
    ("It opened on 5 May, a year ago.", "5 May, a year ago", "2020-05-05 2020-05-06"),
    ("The lease was renewed on 3 March until August 2029.", "3 March", "2021-03-03 2021-03-04"),
    ("The lease was renewed on 3 March until August 2029.", "until August 2029", ".. 2029-09-01"),
    ("It ran on 3 March until 5 August 2019.", "3 March until 5 August 2019", "2019-03-03 2019-08-06"),
    ("It ran from 3 March until August 2019.", "from 3 March until August 2019", "2019-03-03 2019-09-01"),
    ("Prices jumped last month.", "last month", "2021-05-01 2021-06-01"),
    ("He spoke yesterday.", "yesterday", "2021-06-14 2021-06-15"),
    ("Two bills passed this year.", "this year", "2021-01-01 2022-01-01"),
    ("They met last summer.", "last summer", "2020-06-01 2020-09-01"),
    ("The minister resigned on Friday.", "Friday", "2021-06-11 2021-06-12"),
    ("The war began in 1954. A year later the port fell.", "A year later", "1955-01-01 1956-01-01"),
    (
        "They landed on 16 December 1899. Two weeks earlier the fort had burned.",
        "Two weeks earlier",
        "1899-12-02 1899-12-03",
    ),
    ("It was founded in 1872. The following year it moved.", "The following year", "1873-01-01 1874-01-01"),
    (
        "The front broke on 21 February 1916. On 8 March the attack resumed.",
        "8 March",
        "1916-03-08 1916-03-09",
    ),
    ("The coup came in July 1936. In October Franco took command.", "October", "1936-10-01 1936-11-01"),
    (
        "The truce was signed on 27 July 1953. The next day the guns were silent.",
        "The next day",
        "1953-07-28 1953-07-29",
    ),
]  # fmt: skip

MORE_PHRASES = [
    ("It was sold before the end of 1991.", "before the end of 1991", ".. 1992-01-01"),
    ("It has stood since the start of 2020.", "since the start of 2020", "2020-01-01 .."),
    ("They fought in May and June 1940.", "May and June 1940", "1940-05-01 1940-07-01"),
    ("They fought in May and August 1940.", "May", "1940-05-01 1940-06-01"),
    ("They met on 8, 9 and 10 May 1945.", "9 and 10 May 1945", "1945-05-09 1945-05-11"),
    ("They sat on 2, 3 and 8 June 1931.", "2", "1931-06-02 1931-06-03"),
    ("They sat on 2, 3 and 8 June 1931.", "3", "1931-06-03 1931-06-04"),
    ("They sat on 2, 3 and 8 June 1931.", "8 June 1931", "1931-06-08 1931-06-09"),
    ("It froze on the 7th, 9th, 10th and 12th of May 1902.", "9th", "1902-05-09 1902-05-10"),
    ("Paid on 7 and 9 June 1931.", "7", "1931-06-07 1931-06-08"),
    ("It ran between 7 and 9 June 1931.", "between 7 and 9 June 1931", "1931-06-07 1931-06-10"),
    ("Wars of the 11th, 12th and 14th centuries.", "12th", "1101-01-01 1201-01-01"),
    ("Bonuses for Q1, Q2 and Q4 2019.", "Q1", "2019-01-01 2019-04-01"),
    ("It rained in March, April and May 1931.", "March", "1931-03-01 1931-04-01"),
    ("Hats of the 1920s, 30s and 50s.", "30s", "1930-01-01 1940-01-01"),
    ("Hats of the 1920s, 30s and 40s.", "30s and 40s", "1930-01-01 1950-01-01"),
    ("He reigned from 44 BC to AD 14.", "from 44 BC to AD 14", "-0043-01-01 0015-01-01"),
    ("Chair, 2010\u2013present.", "2010\u2013present", "2010-01-01 .."),
    ("It ran from November to February 1943.", "from November to February 1943", "1942-11-01 1943-03-01"),
    ("It opened four months before 1 May 2019.", "four months before 1 May 2019", "2019-01-01 2019-01-02"),
    ("The first three months of 1915 were calm.", "The first three months of 1915", "1915-01-01 1915-04-01"),
    ("She died in 833.", "833", "0833-01-01 0834-01-01"),
    ("In 854, two towns were united.", "854", "0854-01-01 0855-01-01"),
    ("In the year 814 he died.", "the year 814", "0814-01-01 0815-01-01"),
    ("From 887 to 899, what title had he?", "From 887 to 899", "0887-01-01 0900-01-01"),
    ("A map of circa 1450 shows it.", "circa 1450", "1449-01-01 1452-01-01"),
    ("Pre-1914 borders were restored.", "Pre-1914", ".. 1914-01-01"),
    ("It closed on 2021-03-04T10:00.", "2021-03-04T10:00", "2021-03-04 2021-03-05"),
    ("The 5th millennium BC saw it.", "The 5th millennium BC", "-4999-01-01 -3999-01-01"),
    ("In July 1936 it began; in August of the following year it ended.",
     "August of the following year", "1937-08-01 1937-09-01"),
    ("It was signed on 11 November 1918. The day before, nobody knew.",
     "The day before", "1918-11-10 1918-11-11"),
    ("It fell in May 1940. It lasted from October to the following March.",
     "from October to the following March", "1940-10-01 1941-04-01"),
    ("In December 1941 they struck. In January they landed.", "January", "1942-01-01 1942-02-01"),
    ("Before the fall, in 493 BC, it held. In 492 it fell.", "492", "-0491-01-01 -0490-01-01"),
    ("It was announced on 5 May 2020, and on the 14th it failed.", "the 14th", "2020-05-14 2020-05-15"),
]  # fmt: skip

NO_TIME = [
    "About 1500 people may march in the sun.",
    "See page 1984 of the record.",
    "Flight 1549 landed safely.",
    "It cost $2000 in cash.",
    "Room 1905 was empty.",
    "The second man fired first.",
    "He shifted into second gear, and the car moved.",
    "The division lost 1,914 men.",
    "Blade Runner 2049 is a film.",
    "Mark said the fall was hard.",
    "An august body of 12 men sat.",
    "Chapter 11 applies, item 7.",
    "May I ask whether they may march?",
    "It may be that may not work.",
    "The March on Rome failed.",
    "Call 555-1914 or +44 1932 567890.",
    "It grew in 300 cases, from 120 to 150 km, until 400 men and in 500,000 more came.",
    "Version 2.0.2019 was tagged, build 1999.",
    "They won 21-19 and lost 1999:2001.",
    "The bridge is 1850 metres long and weighs 2000 tons.",
    "He butchered 1400 victims.",
    "The only works that fall under history painting.",
    "We saw the sun set in the sat nav.",
    "",
]


def written(interval: Interval | None) -> str:
    if interval is None:
        return ""
    ends = (interval.start, interval.end)
    return " ".join(".." if day is None else format_day(day) for day in ends)


@pytest.mark.parametrize(("text", "span", "days"), PHRASES + MORE_PHRASES)
def test_phrase(text: str, span: str, days: str) -> None:
    found = {expression.text: written(expression.interval) for expression in find_expressions(text, ANCHOR)}
    assert found.get(span) == days, found


@pytest.mark.parametrize("text", NO_TIME)
def test_no_interval_where_no_time_is_meant(text: str) -> None:
    assert [expression for expression in find_expressions(text, ANCHOR) if expression.interval] == []
