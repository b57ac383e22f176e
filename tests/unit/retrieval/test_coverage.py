from itertools import pairwise

import pytest
from evidence import event_arrays
from hypothesis import given
from hypothesis import strategies as st

from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.retrieval.coverage import bins_of, by_turns, clamp, measure, spread
from timelens.retrieval.scoring import (
    UNDATED,
    counts_from_end,
    order_factors,
    reciprocal_rank_fusion,
    temporal_fits,
)
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, month_interval, year_interval

bounded = st.builds(
    lambda start, length: Interval(start, start + length), st.integers(-9000, 9000), st.integers(1, 4000)
)
intervals = st.one_of(
    bounded,
    st.builds(Interval, st.integers(-9000, 9000), st.none()),
    st.builds(Interval, st.none(), st.integers(-9000, 9000)),
    st.just(Interval(None, None)),
)
times = st.lists(st.one_of(st.none(), intervals), max_size=30)


def hit(number: int, *events: Interval | None, sentence: int = 0) -> Hit:
    """A hit whose time is that of its first event."""
    dated = tuple(Event(time, sentence, EventSource.STATED, 1.0) for time in events if time is not None)
    chunk = Chunk(f"c#{number}", "c", number, "/c", "", "Text.", None, ((0, 5),), dated)
    return Hit(chunk, Scores(final=1 / (number + 1)), events[0] if events else None, 0)


def hits_at(found: list[Interval | None]) -> list[Hit]:
    return [hit(number, time) for number, time in enumerate(found)]


@given(
    st.builds(
        lambda start, length: Interval(start, start + length),
        st.integers(-900_000, 900_000),
        st.integers(1, 2_000_000),
    )
)
def test_the_parts_of_a_window_make_it_up_without_gap_or_overlap(window: Interval) -> None:
    parts = bins_of(window)
    assert (parts[0].start, parts[-1].end) == (window.start, window.end)
    assert all(part.end == following.start for part, following in pairwise(parts))
    assert len(parts) <= 402


@pytest.mark.parametrize(
    ("window", "number"),
    [
        (year_interval(2010, 2014), 5),
        (year_interval(2010, 2011), 2),
        (year_interval(2010), 12),
        (month_interval(2010, 2), 1),
        (Interval(day_number(2010, 1, 1), day_number(2010, 3, 1)), 2),
        (Interval(day_number(2010, 7, 1), day_number(2012, 7, 1)), 3),
        (day_interval(0), 1),
    ],
)
def test_a_window_is_looked_at_one_step_finer(window: Interval, number: int) -> None:
    assert len(bins_of(window)) == number


@pytest.mark.parametrize("window", [Interval(0, None), Interval(None, 0), Interval(None, None)])
def test_an_unbounded_window_has_no_parts(window: Interval) -> None:
    with pytest.raises(ValueError, match="bounded"):
        bins_of(window)


@given(times, bounded, st.integers(1, 12))
def test_more_evidence_goes_on_where_less_ended(
    found: list[Interval | None], window: Interval, k: int
) -> None:
    hits = hits_at(found)
    fewer, more = spread(hits, window, k), spread(hits, window, k + 1)
    assert len(fewer) == min(k, len(hits))
    assert more[: len(fewer)] == fewer
    assert len({h.chunk.id for h in more}) == len(more)
    assert sorted(h.chunk.id for h in spread(hits, window, 1000)) == sorted(h.chunk.id for h in hits)


@given(times, bounded, st.integers(1, 12))
def test_no_part_has_two_before_every_part_with_evidence_has_one(
    found: list[Interval | None], window: Interval, k: int
) -> None:
    parts = bins_of(window)

    def part_of(hit: Hit) -> int:
        time = hit.interval
        return next((n for n, part in enumerate(parts) if time is not None and part.intersects(time)), -1)

    hits = hits_at(found)
    chosen = [part_of(h) for h in spread(hits, window, k)]
    reachable = {part_of(h) for h in hits}
    if len(set(chosen)) < len(chosen):
        assert set(chosen) == reachable
    first_of_each = {part: next(h for h in hits if part_of(h) == part) for part in reachable}
    for h in spread(hits, window, len(reachable)):
        assert first_of_each[part_of(h)] is h


def test_neither_end_of_a_window_is_favoured() -> None:
    years = [2010 + n % 5 for n in range(50)]
    chosen = spread(hits_at([year_interval(year) for year in years]), year_interval(2010, 2014), 5)
    assert sorted(h.interval.start for h in chosen if h.interval and h.interval.start) == [
        day_number(year) for year in range(2010, 2015)
    ]


def test_rankings_by_turns_starve_none() -> None:
    first = [hit(n, year_interval(2010)) for n in range(5)]
    second = [hit(n, year_interval(2015)) for n in (7, 1)]
    merged = by_turns([first, second, []])
    assert [int(one.chunk.id[2:]) for one in merged] == [0, 7, 1, 2, 3, 4]


@given(st.lists(st.lists(st.integers(0, 15), unique=True, max_size=8), max_size=6))
def test_by_turns_every_chunk_comes_once_and_the_best_of_each_ranking_first(
    rankings: list[list[int]],
) -> None:
    merged = by_turns([[hit(number) for number in ranking] for ranking in rankings])
    numbers = [int(one.chunk.id[2:]) for one in merged]
    assert sorted(numbers) == sorted({number for ranking in rankings for number in ranking})
    firsts = {ranking[0] for ranking in rankings if ranking}
    assert set(numbers[: len(rankings)]) >= firsts


@given(times, st.lists(intervals, max_size=4), st.one_of(st.none(), bounded))
def test_periods_are_covered_alike_alone_and_together(
    found: list[Interval | None], asked: list[Interval], span: Interval | None
) -> None:
    hits = hits_at(found)
    together = measure(hits, asked, span)
    assert together.periods == tuple(measure(hits, [one], span).periods[0] for one in asked)
    assert together.share is None or 0 <= together.share <= 1
    assert together.asked is None or all(together.asked.contains(one) for one in asked)


# How far evidence reaches


def test_coverage_is_the_share_of_parts_with_evidence_and_names_the_rest() -> None:
    hits = [hit(0, year_interval(2010)), hit(1, month_interval(2013, 5), year_interval(2014))]
    coverage = measure(hits, [year_interval(2010, 2014)], year_interval(2000, 2020))
    assert coverage.asked == year_interval(2010, 2014)
    assert coverage.share == pytest.approx(3 / 5)
    assert [(gap.start, gap.end) for gap in coverage.gaps] == [(day_number(2011), day_number(2013))]


def test_where_no_time_is_asked_nothing_is_covered() -> None:
    coverage = measure([hit(0, year_interval(2010))], [], year_interval(2010))
    assert (coverage.asked, coverage.share, coverage.gaps) == (None, None, ())


def test_each_period_is_covered_for_itself() -> None:
    hits = [hit(0, year_interval(2010)), hit(1, year_interval(2015))]
    asked = [year_interval(2010), year_interval(2014, 2015)]
    coverage = measure(hits, asked, year_interval(2000, 2020))
    assert [covered.share for covered in coverage.periods] == [1.0, 0.5]
    assert coverage.share == pytest.approx(0.75)
    assert coverage.gaps == (year_interval(2014),)  # what lies between the periods is not asked about
    assert coverage.asked == year_interval(2010, 2015)


@pytest.mark.parametrize("span", [None, year_interval(1990, 1999)])
def test_a_time_that_the_corpus_does_not_reach_is_one_gap(span: Interval | None) -> None:
    asked = year_interval(2010, 2012)
    coverage = measure([], [asked], span)
    assert coverage.share == 0
    assert [(gap.start, gap.end) for gap in coverage.gaps] == [(asked.start, asked.end)]


def test_what_lies_beyond_the_corpus_is_a_gap_too() -> None:
    hits = [hit(n, year_interval(2008 + n)) for n in range(3)]
    coverage = measure(hits, [year_interval(2008, 2013)], year_interval(2000, 2010))
    assert coverage.share == pytest.approx(1 / 2)
    assert [(gap.start, gap.end) for gap in coverage.gaps] == [(day_number(2011), day_number(2014))]


def test_an_open_end_of_what_is_asked_reaches_as_far_as_the_corpus() -> None:
    hits = [hit(0, year_interval(2009)), hit(1, year_interval(2010))]
    asked = Interval(day_number(2009), None, Granularity.YEAR)
    assert measure(hits, [asked], year_interval(2000, 2010)).share == 1
    assert measure(hits, [asked], year_interval(2000, 2012)).share == pytest.approx(1 / 2)
    until = Interval(None, day_number(2011), Granularity.YEAR)
    assert measure(hits, [until], year_interval(2007, 2020)).share == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    "asked", [year_interval(2023), Interval(day_number(2022), None), day_interval(day_number(2030))]
)
def test_a_fact_that_still_holds_covers_what_comes_after_the_last_date(asked: Interval) -> None:
    since = Interval(day_number(2021, 12, 8), None)
    coverage = measure([hit(0, since)], [asked], Interval(day_number(2000), day_number(2021, 12, 9)))
    assert (coverage.share, coverage.gaps) == (1, ())


@given(times, intervals, st.one_of(st.none(), bounded))
def test_gaps_lie_inside_what_is_asked_and_hold_no_evidence(
    found: list[Interval | None], asked: Interval, span: Interval | None
) -> None:
    hits = hits_at(found)
    coverage = measure(hits, [asked], span)
    assert coverage.share is not None
    assert 0 <= coverage.share <= 1
    assert (coverage.share == 1) == (not coverage.gaps)
    for gap in coverage.gaps:
        assert asked.contains(gap)
        assert not any(event.interval.intersects(gap) for h in hits for event in h.chunk.events)
    assert all(one.bounds[1] < other.bounds[0] for one, other in pairwise(coverage.gaps))


def test_a_window_is_cut_to_what_the_corpus_spans() -> None:
    span = year_interval(2000, 2010)
    assert clamp(Interval(day_number(2005), None), span) == Interval(day_number(2005), span.end)
    assert clamp(year_interval(2020), span) is None
    assert clamp(year_interval(2020), None) is None


# Scores


@given(st.lists(st.lists(st.integers(0, 20), unique=True, max_size=15), max_size=4))
def test_fusion_counts_every_ranking_and_prefers_what_stands_higher(rankings: list[list[int]]) -> None:
    fused = reciprocal_rank_fusion(rankings)
    assert set(fused) == {key for ranking in rankings for key in ranking}
    assert fused == pytest.approx(reciprocal_rank_fusion(rankings[::-1]))
    assert all(0 < score <= len(rankings) / 61 + 1e-12 for score in fused.values())
    for ranking in rankings:
        alone = reciprocal_rank_fusion([ranking])
        assert sorted(ranking, key=lambda key: -alone[key]) == ranking


def test_fusion_by_hand() -> None:
    assert reciprocal_rank_fusion([["a", "b"], ["b"]]) == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61})


def temporal_fit(time: Interval, window: Interval) -> float:
    return float(temporal_fits(event_arrays([time]), window)[0])


@given(intervals, intervals)
def test_a_time_fits_between_outside_and_fully(time: Interval, window: Interval) -> None:
    fit = temporal_fit(time, window)
    assert UNDATED <= fit <= 1
    if window.contains(time):
        assert fit == 1
    elif not time.intersects(window):
        assert fit == UNDATED
    elif time.days < 100 * 365:
        assert fit > UNDATED


def test_a_life_says_less_about_one_of_its_years_than_a_term_of_office() -> None:
    asked = year_interval(1950)
    term, life = (temporal_fit(year_interval(*years), asked) for years in ((1948, 1953), (1900, 1980)))
    assert UNDATED < life < term < 1


@given(bounded, st.integers(1, 3999))
def test_the_more_of_a_time_lies_inside_the_better_it_fits(window: Interval, length: int) -> None:
    assert window.start is not None
    fits = [
        temporal_fit(Interval(start, start + length), window)
        for start in (
            window.start - length - 1,
            window.start - length + 1,
            window.start - length // 2,
            window.start,
        )
    ]
    assert fits == sorted(fits)


@given(
    st.lists(st.one_of(st.none(), bounded), max_size=12), st.sampled_from(["first", "last", 1, 2, 3, -1, -2])
)
def test_factors_of_order_lie_in_bounds_and_undated_evidence_never_leads(
    found: list[Interval | None], ordinal: str | int
) -> None:
    factors = order_factors(found, [1.0] * len(found), ordinal, None)
    assert len(factors) == len(found)
    assert all(0 < factor <= 1 for factor in factors)
    dated = [factor for time, factor in zip(found, factors, strict=True) if time is not None]
    for time, factor in zip(found, factors, strict=True):
        if time is None:
            assert all(factor <= other for other in dated)


YEARS = [year_interval(year) for year in (2003, 2001, 2005, 2002, 2004)]


@pytest.mark.parametrize(
    ("ordinal", "year"),
    [("first", 2001), ("last", 2005), (1, 2001), (2, 2002), (5, 2005), (-1, 2005), (-2, 2004)],
)
def test_the_place_that_is_asked_for_has_the_whole_factor(ordinal: str | int, year: int) -> None:
    factors = order_factors(YEARS, [1.0] * 5, ordinal, None)
    assert factors[YEARS.index(year_interval(year))] == 1
    assert sorted(factors)[-2] < 1
    assert counts_from_end(ordinal) == (ordinal in ("last", -1, -2))


def test_factors_fall_with_the_distance_in_time() -> None:
    factors = order_factors(YEARS, [1.0] * 5, "first", None)
    by_year = [factor for _, factor in sorted(zip([y.start for y in YEARS], factors, strict=True))]
    assert by_year == sorted(by_year, reverse=True)


def test_evidence_of_one_day_shares_a_place() -> None:
    found = [day_interval(5), day_interval(5), day_interval(9)]
    assert order_factors(found, [1.0, 1.0, 1.0], 2, None)[2] == 1
    first = order_factors(found, [1.0, 1.0, 1.0], "first", None)
    assert first[0] == first[1] == 1


def test_what_is_off_topic_takes_no_place() -> None:
    found = [day_interval(1), day_interval(2), day_interval(3)]
    factors = order_factors(found, [0.1, 1.0, 1.0], "first", None)
    assert factors[1] == 1
    assert factors[0] == min(factors)


def test_what_began_before_the_window_comes_after_what_began_in_it() -> None:
    window = Interval(100, None)
    found = [Interval(50, 150), Interval(110, 120), Interval(130, 140)]
    assert order_factors(found, [1.0] * 3, "first", window)[1] == 1
    assert order_factors(found, [1.0] * 3, "last", window)[2] == 1
    assert order_factors([], [], "first", window) == []
