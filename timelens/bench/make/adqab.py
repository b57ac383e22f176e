"""``bench make adqab``: questions on the course of dated series, with four choices (TA-RAG, Section 5).

There are seven sub-types (Table 4). The wrong choices are one with the opposite trend, one that is true of
another period, and one that is made up (Section 5.2). Each choice states its figures, so that a checker can
verify that exactly one is true.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from timelens import BadInputError
from timelens.bench.make import made_folder
from timelens.bench.make.articles import article_id, articles, figure
from timelens.bench.make.check_adqab import check
from timelens.bench.make.dated_series import STILL, Course, Month, Series, read_series
from timelens.bench.make.phrasings import label
from timelens.bench.suite_data import Record
from timelens.temporal import Granularity, add_months, civil, day_number, format_day, phrase_granule

_LEAST_MONTHS = 3
"""Minimum number of months of a period before or after a time."""
_LONGEST_MONTHS = 18
"""Maximum number of months of a range of months."""
_CLEARLY_OTHER = 3.0
"""Minimum difference, in percentage points, between the changes of two periods."""
_WORDINGS: Mapping[str, tuple[str, ...]] = {
    "year": (
        "How did the {quantity} of {name} develop in {first_year}?",
        "Over the course of {first_year}, which way did the {quantity} of {name} go?",
        "What was the overall course of the {quantity} of {name} during {first_year}?",
    ),
    "before_year": (
        "How had the {quantity} of {name} developed before {next_year}?",
        "Up to the beginning of {next_year}, what course had the {quantity} of {name} taken?",
        "Before {next_year} began, how did the {quantity} of {name} develop?",
    ),
    "before_month": (
        "How had the {quantity} of {name} developed before {next_month}?",
        "Up to the beginning of {next_month}, what course had the {quantity} of {name} taken?",
        "Before {next_month}, which way did the {quantity} of {name} go?",
    ),
    "after_year": (
        "How did the {quantity} of {name} develop after {previous_year}?",
        "Once {previous_year} was over, what course did the {quantity} of {name} take?",
        "After {previous_year}, which way did the {quantity} of {name} go?",
    ),
    "after_month": (
        "How did the {quantity} of {name} develop after {previous_month}?",
        "What course did the {quantity} of {name} take in the time after {previous_month}?",
        "After {previous_month}, which way did the {quantity} of {name} go?",
    ),
    "years": (
        "How did the {quantity} of {name} develop from {first_year} to {last_year}?",
        "Between {first_year} and {last_year}, what course did the {quantity} of {name} take?",
        "Over the years from {first_year} to {last_year}, which way did the {quantity} of {name} go?",
    ),
    "months": (
        "How did the {quantity} of {name} develop from {first_month} to {last_month}?",
        "Between {first_month} and {last_month}, what course did the {quantity} of {name} take?",
        "From {first_month} to {last_month}, which way did the {quantity} of {name} go?",
    ),
}
KINDS = tuple(_WORDINGS)


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the generator."""

    data: Sequence[Path]
    date_column: str | None = None
    value_column: str | None = None
    per_type: int = 75
    seed: int = 0
    with_articles: bool = True


@dataclass(frozen=True, slots=True)
class _Period:
    series: Series
    first: Month
    last: Month
    course: Course


def make(options: Options, out: Path) -> made_folder.Made:
    """Write a BEIR folder, the questions in ADQAB's own file, and the series that the checker reads.

    Without articles, only ``queries.jsonl``, ADQAB's file and the series are written.

    Raises:
        MissingError: a path does not exist.
        BadInputError: there is no series, no question can be made, or the folder cannot be written.
    """
    made_folder.refuse_full(out)
    series, notes = read_series(options.data, options.date_column, options.value_column)
    asked = [
        question for kind in KINDS for question in _of_kind(kind, series, options.per_type, options.seed)
    ]
    if not asked:
        raise BadInputError(
            "no question can be asked about a period of these series",
            "use longer series with a value in every month, or other columns with --value-col",
        )
    counts = Counter(record["kind"] for record in asked)
    for kind in KINDS:
        if counts[kind] < options.per_type:
            notes.append(f"{kind}: only {counts[kind]} questions of {options.per_type} could be made")
    files = {f"series/{one.name}.csv": one.csv_text for one in series}
    corpus = [record for one in series for record in articles(one, options.seed)]
    if options.with_articles:
        pairs = [(record["_id"], name) for record in asked for name in record["gold_documents"]]
        files |= made_folder.beir(corpus, asked, pairs)
    else:
        files["queries.jsonl"] = made_folder.lines(asked)
    files["DQABench/dqabench_MCQA.json"] = _official(asked)
    said = {
        "seed": options.seed,
        "per_type": options.per_type,
        "articles": options.with_articles,
        "quantities": sorted({one.quantity for one in series}),
    }
    made_folder.write(out, files, "adqab", said, check)
    return made_folder.Made(out, {kind: counts[kind] for kind in KINDS}, tuple(notes))


def _of_kind(kind: str, series: Sequence[Series], count: int, seed: int) -> list[Record]:
    """Questions of a sub-type, balanced over the trends and spread over the series."""
    chance = made_folder.chance(seed, kind)
    strata: dict[str, list[_Period]] = defaultdict(list)
    every = [
        _Period(one, first, last, course)
        for one in series
        for first, last in _periods(kind, one)
        if (course := one.course(first, last)) is not None
    ]
    chance.shuffle(every)
    for period in every:
        if period.course.trend is not None:
            strata[period.course.trend].append(period)
    records: list[Record] = []
    place = 0
    while len(records) < count and any(place < len(members) for members in strata.values()):
        for trend in sorted(strata):
            if place < len(strata[trend]) and len(records) < count:
                record = _question(kind, strata[trend][place], every, chance)
                if record is not None:
                    records.append(record)
        place += 1
    return records


def _periods(kind: str, series: Series) -> Iterator[tuple[Month, Month]]:
    """All periods of a sub-type, as first and last month."""
    months = list(series.months)
    first, last = months[0], months[-1]
    years = range(civil(first)[0], civil(last)[0] + 1)
    match kind:
        case "year":
            yield from ((day_number(year), day_number(year, 12)) for year in years)
        case "before_year":
            ends = (add_months(day_number(year), -1) for year in years)
            yield from ((first, end) for end in ends if _months(first, end) >= _LEAST_MONTHS)
        case "after_year":
            starts = (day_number(year + 1) for year in years)
            yield from ((start, last) for start in starts if _months(start, last) >= _LEAST_MONTHS)
        case "before_month":
            yield from ((first, end) for end in months if _months(first, end) >= _LEAST_MONTHS)
        case "after_month":
            yield from ((start, last) for start in months if _months(start, last) >= _LEAST_MONTHS)
        case "years":
            pairs = ((a, b) for a in years for b in years if a < b)
            yield from ((day_number(a), day_number(b, 12)) for a, b in pairs)
        case _:
            for start in months:
                for length in range(_LEAST_MONTHS, _LONGEST_MONTHS + 1):
                    yield start, add_months(start, length - 1)


def _months(first: Month, last: Month) -> int:
    (a, b, _), (c, d, _) = civil(first), civil(last)
    return (c - a) * 12 + d - b + 1


def _question(kind: str, period: _Period, every: Sequence[_Period], chance: Random) -> Record | None:
    choices = _choices(period, every, chance)
    if choices is None:
        return None
    names = {
        "name": period.series.name,
        "quantity": label(period.series.quantity),
        "first_year": civil(period.first)[0],
        "last_year": civil(period.last)[0],
        "next_year": civil(period.last)[0] + 1,
        "previous_year": civil(period.first)[0] - 1,
        "first_month": _named(period.first),
        "last_month": _named(period.last),
        "next_month": _named(add_months(period.last, 1)),
        "previous_month": _named(add_months(period.first, -1)),
    }
    months = [month for month in period.series.months if period.first <= month <= period.last]
    right = next(text for sort, text in choices if sort == "right")
    span = f"{format_day(period.first)[:7]}-{format_day(period.last)[:7]}"
    after_all = add_months(max(period.series.months), 1)
    return {
        "_id": f"{period.series.name}-{kind}-{span}",
        "text": chance.choice(_WORDINGS[kind]).format(**names),
        "as_of": format_day(after_all),
        "answers": [right],
        "unanswerable": False,
        "kind": kind,
        "choices": [text for _, text in choices],
        "choice_kinds": [sort for sort, _ in choices],
        "trend": period.course.trend,
        "series": period.series.name,
        "gold_start": format_day(period.first),
        "gold_end": format_day(add_months(period.last, 1) - 1),
        "gold_documents": [article_id(period.series, month) for month in months],
    }


def _choices(period: _Period, every: Sequence[_Period], chance: Random) -> list[tuple[str, str]] | None:
    """(kind, text) of the four choices, shuffled; ``None`` if no other period is suitable."""
    here = period.course
    others = [
        other
        for other in every
        if other.series is period.series
        and other.course.trend is not None
        and abs(other.course.percent - here.percent) >= _CLEARLY_OTHER
        and (figure(other.course.first), figure(other.course.last)) != (figure(here.first), figure(here.last))
    ]
    if not others:
        return None
    alike = [other for other in others if other.course.trend == here.trend]
    other = chance.choice(alike if alike and chance.random() < 0.5 else others)
    first = here.first
    contrary = (
        Course(first, first * (1 + chance.choice((-30, 35)) / 100))
        if here.trend == "little changed"
        else Course(here.last, here.first)
    )
    inventions = [
        (f"It doubled, from {figure(first)} to {figure(2 * first)}.", 100.0),
        (f"It halved, from {figure(first)} to {figure(first / 2)}.", -50.0),
        (f"It moved up and down and ended where it had begun, at {figure(first)}.", 0.0),
    ]
    false = [text for text, percent in inventions if abs(percent - here.percent) > STILL]
    choices = [
        ("right", _said(here)),
        ("contrary", _said(contrary)),
        ("other period", _said(other.course)),
        ("made up", chance.choice(false)),
    ]
    chance.shuffle(choices)
    return choices if len({text for _, text in choices}) == len(choices) else None


def _said(course: Course) -> str:
    ends = f"from {figure(course.first)} to {figure(course.last)}"
    if course.trend == "little changed":
        return f"It changed little, {ends}."
    return f"It {'rose' if course.percent > 0 else 'fell'} by about {abs(course.percent):.0f}%, {ends}."


def _named(month: Month) -> str:
    return phrase_granule(month, Granularity.MONTH)


def _official(asked: Sequence[Record]) -> str:
    """ADQAB's own file: a list of questions with the choices A to D."""
    keys = "ABCD"
    official = [
        {
            "id": record["_id"],
            "question": record["text"],
            "choices": dict(zip(keys, record["choices"], strict=True)),
            "correct_answer_key": keys[record["choice_kinds"].index("right")],
            "query_type_info": {"id": record["kind"]},
        }
        for record in asked
    ]
    return "[\n" + ",\n".join(made_folder.json_text(record).rstrip("\n") for record in official) + "\n]\n"
