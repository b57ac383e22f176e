"""What determines what in a table, on tables made by hand and on random ones against a slow definition."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.documents import Fact
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.dependencies import Dependency, columns_of, dependencies
from timelens.ingest.tables import read_table
from timelens.temporal.interval import Granularity

OFFICES = """office,holder,party,start,end
Mayor,Ann Lind,Green,1988-05-01,1992-05-01
Mayor,Bea Tann,Blue,1992-05-01,1996-05-01
Mayor,Cy Ober,Blue,1996-05-01,2001-05-01
Mayor,Dov Pell,Green,2001-05-01,
Clerk,Eve Rask,Blue,1987-01-01,1993-06-01
Clerk,Fay Sund,Green,1993-06-01,1999-06-01
Clerk,Gus Thal,Blue,1999-06-01,2005-06-01
Clerk,Ann Lind,Green,2005-06-01,
Warden,Ida Ulm,Blue,1990-01-01,1995-01-01
Warden,Jon Vey,Green,1995-01-01,2003-01-01
Warden,Kai West,Blue,2003-01-01,
"""


def of(text: str, *keys: Sequence[str]) -> tuple[list[Dependency], tuple[Fact, ...]]:
    facts = read_table(text, "t.csv", TableColumns()).facts
    return dependencies([name for name, _ in facts[0].fields], facts, keys), facts


def test_an_office_has_one_holder_at_any_day() -> None:
    found, _ = of(OFFICES)
    assert found == [Dependency(("office",), ("holder", "party"), declared=False, breaks=())]


@pytest.mark.parametrize(
    ("row", "breaks", "against"),
    [
        ("Mayor,Bo Falk,Blue,1990-01-01,1991-01-01", "Ann Lind", "Bo Falk"),  # ends within the other
        ("Warden,Lea Yon,Blue,1993-01-01,1995-01-01", "Lea Yon", "Ida Ulm"),
        ("Warden,Lea Yon,Blue,2010-01-01,", "Lea Yon", "Kai West"),
    ],
)
def test_a_row_that_breaks_it_is_told_with_one_that_it_contradicts(
    row: str, breaks: str, against: str
) -> None:
    found, facts = of(OFFICES + row + "\n")
    (holder,) = [each for each in found if "holder" in each.right]
    (broken,) = holder.breaks
    assert (holder.left, holder.declared) == (("office",), False)
    assert dict(facts[broken.row].fields)["holder"] == breaks
    assert dict(facts[broken.other].fields)["holder"] == against


def test_what_is_declared_is_told_however_many_rows_break_it_and_what_is_found_beside_it() -> None:
    found, _ = of(OFFICES, ["party"], ["office"], ["nothing"])
    told = [(each.left, each.right, each.declared, bool(each.breaks)) for each in found]
    assert told == [
        (("office",), ("holder", "party"), True, False),
        (("party",), ("office", "holder"), True, True),
    ]


def test_two_columns_together_determine_another() -> None:
    lands = [line.split(",", 1) for line in OFFICES.splitlines()[1:9]]
    rows = [f"{land},{office},{land}{rest}" for land in ("Ost", "West") for office, rest in lands]
    found, _ = of("land,office,holder,party,start,end\n" + "\n".join(rows) + "\n")
    told = [(each.left, each.right, each.breaks) for each in found]
    assert told == [(("office",), ("party",), ()), (("land", "office"), ("holder",), ())]


def test_one_course_of_values_needs_no_column() -> None:
    rows = "\n".join(f"{rate},{rate % 3},{2000 + rate},{2001 + rate}" for rate in range(8))
    found, _ = of("rate,board,start,end\n" + rows + "\n")
    assert found == [Dependency((), ("rate", "board"), declared=False, breaks=())]


@pytest.mark.parametrize(
    "text",
    [
        "name,team,start,end\n"
        + "".join(f"n{i},t{i},19{i},20{i}\n" for i in range(10, 40)),  # a key in every row
        "name,team,start,end\na,b,1990,1991\na,b,1991,1992\n",  # too few rows
        "name,team,start,end\n"
        + "".join(f"n,t,{year},{year + 1}\n" for year in range(1950, 1990)),  # one value
        "name,team,date\n"  # days far apart, of which nothing can be told
        + "".join(f"n{i % 5},t{i % 7},{1900 + i}-01-{1 + i % 28:02}\n" for i in range(60))
        + "".join(f"n{i % 4},t{i % 9},{1900 + i}-01-{1 + i % 28:02}\n" for i in range(60)),
    ],
)
def test_what_tells_nothing_is_not_found(text: str) -> None:
    assert of(text)[0] == []


def test_an_empty_cell_contradicts_nothing() -> None:
    found, _ = of(OFFICES + "Mayor,,Blue,1988-05-01,1992-05-01\n,Bo Falk,Green,1988-05-01,\n", ["office"])
    assert [(each.right, len(each.breaks)) for each in found] == [(("holder",), 0), (("party",), 1)]


def test_a_key_is_one_column_or_several_with_commas() -> None:
    columns = ["land", "office", "name, first"]
    assert columns_of("office", columns) == ("office",)
    assert columns_of("land , office", columns) == ("land", "office")
    assert columns_of("name, first", columns) == ("name, first",)
    assert columns_of("land, holder", columns) == ()
    assert columns_of("", columns) == ()


days = st.one_of(st.none(), st.integers(0, 12))


@st.composite
def facts_of(draw: st.DrawFn) -> list[Fact]:
    rows = draw(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz "), days, days), max_size=9))
    made = []
    for left, right, one, other in rows:
        start, end = (one, other) if one is None or other is None else (min(one, other), max(one, other))
        fields = (("left", left), ("right", right.strip()))
        made.append(Fact(fields, start, end, Granularity.DAY))
    return made


def contradict(one: Fact, other: Fact) -> bool:
    (a, x), (b, y) = ([value for _, value in fact.fields] for fact in (one, other))
    return a == b and x != y and bool(x and y) and one.validity.intersects(other.validity)


@given(facts_of())
def test_without_the_rows_that_break_it_a_declared_dependency_holds(facts: list[Fact]) -> None:
    (found,) = [each for each in dependencies(["left", "right"], facts, [["left"]]) if each.declared]
    assert all(contradict(facts[each.row], facts[each.other]) for each in found.breaks)
    out = {each.row for each in found.breaks}
    assert len(out) == len(found.breaks)
    kept = [fact for index, fact in enumerate(facts) if index not in out]
    assert not any(contradict(*pair) for pair in combinations(kept, 2))
    assert bool(out) == any(contradict(*pair) for pair in combinations(facts, 2))


@given(facts_of())
def test_of_rows_that_all_differ_as_few_as_possible_are_left_out(facts: list[Fact]) -> None:
    facts = [
        Fact((("left", "a"), ("right", str(index))), fact.start, fact.end, fact.granularity)
        for index, fact in enumerate(facts[:7])
    ]
    (found,) = [each for each in dependencies(["left", "right"], facts, [["left"]]) if each.declared]
    fewest = next(
        len(facts) - size
        for size in range(len(facts), -1, -1)
        for kept in combinations(facts, size)
        if not any(contradict(*pair) for pair in combinations(kept, 2))
    )
    assert len(found.breaks) == fewest


@given(facts_of())
def test_what_is_found_does_not_depend_on_the_names_of_values(facts: list[Fact]) -> None:
    def renamed(fact: Fact) -> Fact:
        fields = tuple((name, value and f"{value}-{name}") for name, value in fact.fields)
        return Fact(fields, fact.start, fact.end, fact.granularity)

    columns = ["left", "right"]
    assert dependencies(columns, facts) == dependencies(columns, [renamed(fact) for fact in facts])
