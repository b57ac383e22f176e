"""Monthly articles on a series, from templates, without a model (TA-RAG, Section 5.1)."""

from collections.abc import Iterator

from timelens.bench.make.dated_series import Month, Series
from timelens.bench.make.made_folder import chance
from timelens.bench.make.phrasings import label
from timelens.bench.suite_data import Record
from timelens.temporal import Granularity, add_months, civil, format_day, phrase_day, phrase_granule

_OPENINGS = (
    "{name}: {month}. The {quantity} began the month at {first} on {first_day} and ended it at {last}.",
    "In {month} the {quantity} of {name} went from {first} to {last}, {change}.",
    "{month} took the {quantity} of {name} to {last}. On {first_day}, at first, it had been {first}.",
)
_MIDDLES = (
    "It was highest on {high_day}, at {high}, and lowest on {low_day}, at {low}.",
    "The range reached from {low} ({low_day}) to {high} ({high_day}).",
    "After a low of {low} on {low_day}, observers also noted {high} on {high_day} as the month's high.",
)
_ENDINGS = (
    "A month earlier it had stood at {before}.",
    "That compares with {before} at the end of the month before.",
    "The month before had ended at {before}.",
)


def article_id(series: Series, month: Month) -> str:
    """The id of a month's article: ``ABB-2013-05``."""
    return f"{series.name}-{format_day(month)[:7]}"


def articles(series: Series, seed: int) -> Iterator[Record]:
    """An article for each month that has a value, as records of a BEIR corpus."""
    for month, points in series.months.items():
        pick = chance(seed, "article", series.name, month)
        high, low = (of(points, key=lambda point: point[1]) for of in (max, min))
        first, last = points[0][1], points[-1][1]
        before = series.months.get(add_months(month, -1))
        facts = {
            "name": series.name,
            "quantity": label(series.quantity),
            "month": phrase_granule(month, Granularity.MONTH),
            "first": figure(first),
            "last": figure(last),
            "first_day": phrase_day(points[0][0]),
            "high": figure(high[1]),
            "high_day": phrase_day(high[0]),
            "low": figure(low[1]),
            "low_day": phrase_day(low[0]),
            "change": f"a change of {(last / first - 1) * 100:+.1f}%",
            "before": "" if before is None else figure(before[-1][1]),
        }
        parts = [pick.choice(_OPENINGS), pick.choice(_MIDDLES)] + ([pick.choice(_ENDINGS)] if before else [])
        year, number, _ = civil(month)
        yield {
            "_id": article_id(series, month),
            "title": f"{series.name} in {facts['month']}",
            "text": " ".join(part.format(**facts) for part in parts),
            "metadata": {
                "series": series.name,
                "period_start": f"{year:04d}-{number:02d}-01",
                "period_end": format_day(add_months(month, 1) - 1),
                "published": format_day(add_months(month, 1)),
            },
        }


def figure(value: float) -> str:
    """A value with two decimals, as articles write it."""
    return f"{value:.2f}"
