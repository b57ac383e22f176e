import pytest

from timelens.reader.time_marks import TimeMark, time_mark_of
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, month_interval, year_interval

MAY_2016 = month_interval(2016, 5)
FROM_2014_TO_2016 = year_interval(2014, 2016)


@pytest.mark.parametrize(
    ("time", "window", "mark"),
    [
        (year_interval(2016), None, TimeMark.DATED),
        (year_interval(2016), MAY_2016, TimeMark.COVERS),
        (MAY_2016, MAY_2016, TimeMark.COVERS),
        (day_interval(day_number(2016, 5, 9)), MAY_2016, TimeMark.STARTS),
        (year_interval(2014), FROM_2014_TO_2016, TimeMark.STARTS),
        (year_interval(2015), FROM_2014_TO_2016, TimeMark.INSIDE),
        (year_interval(2012, 2015), FROM_2014_TO_2016, TimeMark.ENDS),
        (year_interval(2015, 2018), FROM_2014_TO_2016, TimeMark.BEGINS),
        (month_interval(2016, 3), MAY_2016, TimeMark.BEFORE),
        (year_interval(2012), MAY_2016, TimeMark.LONG_BEFORE),
        (month_interval(2016, 6), MAY_2016, TimeMark.AFTER),
        (year_interval(2021), MAY_2016, TimeMark.LONG_AFTER),
        (Interval(day_number(2010), None, Granularity.YEAR), MAY_2016, TimeMark.COVERS),
        (Interval(None, day_number(2010), Granularity.YEAR), MAY_2016, TimeMark.LONG_BEFORE),
        (year_interval(1900), Interval(None, day_number(2010), Granularity.YEAR), TimeMark.INSIDE),
    ],
)
def test_a_mark_says_how_a_time_lies_to_the_asked_one(
    time: Interval, window: Interval | None, mark: TimeMark
) -> None:
    assert time_mark_of(time, window) is mark
