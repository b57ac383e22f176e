"""Spreads evidence over the asked time, and measures its coverage. Pure."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, pairwise, zip_longest

from timelens.documents import Hit
from timelens.retrieval.request import Coverage, Covered
from timelens.temporal.interval import Granularity, Interval, granule

_MOST_BINS = 400
_ON_COURSE = 0.6
"""Minimum score, as a share of the best, of evidence that is spread over a course; the rest is off topic."""


def bins_of(window: Interval) -> list[Interval]:
    """The parts of a bounded window that evidence should cover: its years or months, or the window itself.

    They are one step finer than the window, as TA-RAG samples its anchors (Section 4.3): years for two years
    or more, months for two months or more, else the window itself. A window of very many units is divided
    into ``_MOST_BINS`` equal parts.

    Raises:
        ValueError: the window is unbounded.
    """
    if window.start is None or window.end is None:
        raise ValueError("only a bounded window has parts")
    if window.days >= 2 * Granularity.YEAR.days - 2:
        unit = Granularity.YEAR
    elif window.days >= 2 * Granularity.MONTH.days - 3:
        unit = Granularity.MONTH
    else:
        return [window]
    if window.days / unit.days > _MOST_BINS:
        edges = [window.start + round(window.days * i / _MOST_BINS) for i in range(_MOST_BINS + 1)]
        return [Interval(start, end, unit) for start, end in pairwise(edges)]
    bins = []
    day = window.start
    while day < window.end:
        part = granule(day, unit).intersection(window)
        if part is None or part.end is None:
            raise AssertionError("the granule of a day of the window meets the window")
        bins.append(part)
        day = part.end
    return bins


def clamp(window: Interval, span: Interval | None) -> Interval | None:
    """The intersection of a window with the span of the corpus; ``None`` if empty or without a span."""
    return None if span is None else window.intersection(span)


def spread(hits: Sequence[Hit], window: Interval, k: int) -> list[Hit]:
    """At most k hits, spread over the window.

    Each round takes the best remaining hit of every part of the window, so no part gets a second hit before
    the others had a chance for a first. Neither end is favoured.
    """
    parts = bins_of(window)
    waiting = list(hits)
    rounds: list[list[Hit]] = []
    while waiting and sum(map(len, rounds)) < k:
        served: set[int] = set()
        taken = []
        for hit in waiting:
            home = _home(hit, parts)
            if home not in served:
                served.add(home)
                taken.append(hit)
        rounds.append(taken)
        chosen = {id(hit) for hit in taken}
        waiting = [hit for hit in waiting if id(hit) not in chosen]
    return [hit for taken in rounds for hit in taken][:k]


def select(
    steps: Sequence[Sequence[Hit]],
    main: Sequence[Hit],
    window: Interval | None,
    span: Interval | None,
    k: int,
) -> list[Hit]:
    """At most k hits, best first: the best hit of each earlier step, then the ``main`` hits.

    With a ``window``, the main hits are spread over it, and hits with a score far below the best are left
    out; otherwise they keep their ranking.
    """
    heads = [hits[0] for hits in steps if hits]
    ranked = list(main)
    if steps or window:
        ranked = sorted(distinct(main), key=_rank)
    bounded = None if window is None else clamp(window, span)
    if bounded is not None:
        floor = _ON_COURSE * max((hit.scores.final or 0.0 for hit in ranked), default=0.0)
        ranked = spread([hit for hit in ranked if (hit.scores.final or 0.0) >= floor], bounded, k)
    chosen = distinct((*heads, *ranked))[:k]
    return sorted(chosen, key=_rank) if heads else chosen


def distinct(hits: Iterable[Hit]) -> list[Hit]:
    """The first hit of each chunk."""
    found: dict[str, Hit] = {}
    for hit in hits:
        found.setdefault(hit.chunk.id, hit)
    return list(found.values())


def measure(hits: Sequence[Hit], asked: Sequence[Interval], span: Interval | None) -> Coverage:
    """The share of each asked period's parts with evidence, and the gaps.

    ``hits`` are on topic; ``span`` is the span of the corpus.
    """
    times = {event.interval for hit in hits for event in hit.chunk.events}
    return Coverage(tuple(_covered(period, times, span) for period in asked))


def measure_state(hits: Sequence[Hit], day: Interval) -> Covered:
    """The coverage of a state as of a day, which any evidence from before the end of that day tells.

    ``hits`` are as in :func:`measure`.
    """
    until = Interval(None, day.end, day.granularity)
    is_told = any(event.interval.intersects(until) for hit in hits for event in hit.chunk.events)
    return Covered(day, float(is_told), () if is_told else (day,))


def by_turns(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Interleave rankings: the first of each, then the second of each, every chunk once.

    The first k hits contain the best hit of each of n ≤ k rankings.
    """
    turns = chain.from_iterable(zip_longest(*rankings))
    return distinct(hit for hit in turns if hit is not None)


def _rank(hit: Hit) -> tuple[float, str]:
    return -(hit.scores.final or 0.0), hit.chunk.id


def _covered(asked: Interval, times: AbstractSet[Interval], span: Interval | None) -> Covered:
    parts = _asked_parts(asked, span)
    empty = [part for part in parts if not any(part.intersects(time) for time in times)]
    return Covered(asked, 1 - len(empty) / len(parts), tuple(_joined(empty)))


def _asked_parts(asked: Interval, span: Interval | None) -> list[Interval]:
    """The parts of an asked time, with unbounded sides replaced by those of the corpus.

    Bounded sides are kept, so that parts beyond the corpus count as gaps. A time that is unbounded away from
    the corpus is a single part.
    """
    start, end = asked.start, asked.end
    if span is not None:
        start = span.start if start is None else start
        end = span.end if end is None else end
    if start is None or end is None or end <= start:
        return [asked]
    return bins_of(Interval(start, end, asked.granularity))


def _home(hit: Hit, parts: Sequence[Interval]) -> int:
    """The index of the first part of the window that a hit intersects; -1 if there is none."""
    time = hit.interval
    if time is None:
        return -1
    return next((index for index, part in enumerate(parts) if part.intersects(time)), -1)


def _joined(intervals: Sequence[Interval]) -> list[Interval]:
    """The intervals with adjacent ones merged."""
    joined: list[Interval] = []
    for interval in intervals:
        if joined and joined[-1].end == interval.start:
            joined[-1] = Interval(joined[-1].start, interval.end, interval.granularity)
        else:
            joined.append(interval)
    return joined
