"""The conditions of the 13 relations, against Allen's algebra."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.bench.make.check_tdbench import _HOLDS
from timelens.bench.make.sql_conditions import Window, conditions_of, written_name
from timelens.bench.make.temporal_database import moment
from timelens.temporal.allen import Allen, allen
from timelens.temporal.calendar import add_months, day_number
from timelens.temporal.interval import Granularity, Interval, granule

LOOSE = {
    Allen.STARTED_BY: {Allen.STARTED_BY, Allen.START, Allen.EQUAL},  # the wording names the start alone
    Allen.FINISHED_BY: {Allen.FINISHED_BY, Allen.FINISH, Allen.EQUAL},  # the end alone
    Allen.OVERLAP: {Allen.OVERLAP, Allen.MEET, Allen.FINISHED_BY},  # BETWEEN has its edges, which are avoided
    Allen.OVERLAPPED_BY: {Allen.OVERLAPPED_BY, Allen.MET_BY, Allen.STARTED_BY},
}
UNITS = {Granularity.DAY: "day", Granularity.MONTH: "month", Granularity.YEAR: "year"}

spans = st.tuples(st.integers(0, 9), st.integers(1, 6)).map(lambda span: (span[0], span[0] + span[1]))


def at(place: int, unit: Granularity) -> int:
    """A day of the unit at a place of a scale of months, quarters of which are years for years."""
    first = day_number(1999, 11)
    return add_months(first, place * (12 if unit is Granularity.YEAR else 1))


@given(spans, spans, st.sampled_from(list(UNITS)), st.data())
def test_sql_is_allens_relation(
    a: tuple[int, int], b: tuple[int, int], unit: Granularity, data: st.DataObject
) -> None:
    start, end = (at(place, unit) for place in a)
    if unit is not Granularity.DAY:  # any day of the unit counts as the unit
        start, end = (
            data.draw(st.integers(whole.start or 0, (whole.end or 0) - 1))
            for whole in (granule(day, unit) for day in (start, end))
        )
    step = 12 if unit is Granularity.YEAR else 1
    first, last = (granule(at(place, unit), unit) for place in b)
    window = Window(first, last, (b[1] - b[0]) * step)
    truth = allen(Interval(*a), Interval(*b))
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (Start text, End text)")
    connection.execute("insert into t values (?, ?)", (moment(start), moment(end)))
    for relation in Allen:
        where = " and ".join(test.sql for test in conditions_of(relation, window))
        found = connection.execute(f"select count(*) from t where {where}").fetchone()[0]
        assert bool(found) == (truth in LOOSE.get(relation, {relation})), (relation, where)
    connection.close()


@given(spans, spans)
def test_what_the_checker_holds_is_allens_relation(a: tuple[int, int], b: tuple[int, int]) -> None:
    truth = allen(Interval(*a), Interval(*b))
    for relation in Allen:
        met = b[0] if relation is Allen.MEET else b[1]
        holds = _HOLDS[written_name(relation)]((a[0],), (a[1],), (b[0],), (b[1],), (met,))
        loose = (
            LOOSE.get(relation, {relation})
            if relation in {Allen.STARTED_BY, Allen.FINISHED_BY}
            else {relation}
        )
        assert holds == (truth in loose), relation


@pytest.mark.parametrize("relation", list(Allen))
def test_every_condition_is_in_the_forms_that_the_questions_suite_reads(relation: Allen) -> None:
    from timelens.bench.questions import _conditions

    first, last = (granule(day_number(2001, month), Granularity.MONTH) for month in (3, 9))
    tests = conditions_of(relation, Window(first, last, 6))
    assert len(list(_conditions(" and ".join(test.sql for test in tests)))) == len(tests)
