import pytest

from timelens.bench.coverage_tenths import summed, tenths
from timelens.bench.run_folder import Result
from timelens.retrieval.request import Coverage, Covered
from timelens.temporal.interval import Interval, month_interval, year_interval

DAYS = Interval(0, 1000)


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        ((), (1.0,) * 10),
        ((DAYS,), (0.0,) * 10),
        ((Interval(0, 100),), (0.0, *(1.0,) * 9)),
        ((Interval(150, 320), Interval(990, 1000)), (1.0, 0.5, 0.0, 0.8, *(1.0,) * 5, 0.9)),
        ((Interval(-500, 50), Interval(950, 4000)), (0.5, *(1.0,) * 8, 0.5)),
    ],
)
def test_the_share_of_days_with_evidence(gaps: tuple[Interval, ...], expected: tuple[float, ...]) -> None:
    assert tenths(Coverage((Covered(DAYS, 0.5, gaps),))) == expected


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        (None, 0),
        (Interval(None, 100), 0),
        (Interval(100, None), 0),
        (Interval(None, None), 0),
        (Interval(3, 4), 0),
        (month_interval(2020, 5), 0),
        (year_interval(2020), 10),
    ],
)
def test_only_a_period_has_parts(asked: Interval | None, parts: int) -> None:
    assert len(tenths(Coverage(() if asked is None else (Covered(asked, 1.0, ()),)))) == parts


def test_a_summary_is_over_the_questions_about_periods() -> None:
    half, whole = (1.0,) * 5 + (0.0,) * 5, (1.0,) * 10
    results = [Result("a", None, coverage=half), Result("b", None), Result("c", None, coverage=whole)]
    assert summed(results) == {"coverage": {"n": 2, "tenths": [100.0] * 5 + [50.0] * 5}}
    assert summed([Result("b", None)]) == {}
