"""The suite ``expressions``: temporal expressions found in texts, compared with their annotations.

The four layouts are told apart by their files. The rules of scoring are documented at the function that reads
the layout; for running text, in :mod:`timelens.bench.running_text`.
Shared by all: days are compared at day granularity, a "part" (early, mid, late) is right anywhere inside the
whole that the annotation names, and anything that has no place on the calendar is excluded and counted with
its reason.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from timelens import MissingError
from timelens.bench import running_text
from timelens.bench.annotations import class_of, day_of, overlap, same_century
from timelens.bench.reading_suites import ReadingCase, ReadingSet, written
from timelens.bench.suite_data import Record, hash_of, read_records, require
from timelens.bench.timex import interval_of
from timelens.temporal import Day, Expression, Granularity, Interval, find_expressions, granule

LAYOUT = f"{running_text.LAYOUT}, expressions.jsonl (TempEval-3, Duckling) or model.jsonl (Recognizers)"
_SEASON_TOLERANCE = 31  # days at either end: definitions of seasons differ by this much
_PLAIN_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")


def load(folder: Path, _as_of: Day) -> ReadingSet:
    """Read a folder of annotated expressions; the data states its own reference days.

    Raises:
        MissingError: the folder is missing, or has none of the layouts.
        BadInputError: a file does not have the expected format.
    """
    require(folder, layout=LAYOUT)
    if (folder / "timexes.jsonl").exists():
        return running_text.load(folder)
    if (folder / "model.jsonl").exists():
        return _specifications(folder / "model.jsonl")
    if (folder / "expressions.jsonl").exists():
        return _lists(folder)
    raise MissingError(f"there are no expressions in {folder}", f"the folder must hold {LAYOUT}")


# ------------------------------------------------------------------------------------------ lists of phrases


def _lists(folder: Path) -> ReadingSet:
    """Isolated expressions, each with its reference day: TempEval-3 values or Duckling's results."""
    path = folder / "expressions.jsonl"
    records = list(read_records(path, "id", "expression"))
    excluded: Counter[str] = Counter()
    cases = []
    for record in records:
        made = _timex_case(record) if "value" in record else _duckling_case(record)
        if isinstance(made, str):
            excluded[made] += 1
        else:
            cases.append(made)
    paths = [path]
    if (folder / "negatives.jsonl").exists():
        paths.append(folder / "negatives.jsonl")
        cases += [
            ReadingCase(record["id"], "negative", partial(_read_negative, record["text"]))
            for record in read_records(paths[1], "id", "text")
        ]
    return ReadingSet(tuple(cases), ("value", "negatives"), hash_of(paths, folder), excluded)


def _timex_case(record: Record) -> ReadingCase | str:
    """A TIMEX3 expression: ``value`` is the share of dates read right from the expression and the day alone.

    Excluded: durations, sets and times of day; references to the present, past or future; values with unknown
    parts. Seasons may differ by 31 days at either end.
    """
    if record.get("type") != "DATE":
        return f"type {record.get('type')}"
    wanted = interval_of(record["value"])
    if wanted is None:
        return "no place on the calendar"
    part = bool(record.get("mod")) and record["mod"] != "APPROX"
    anchor = day_of(record.get("reference_date"))
    return ReadingCase(
        record["id"],
        class_of(record["expression"]),
        partial(_read_alone, record["expression"], anchor, [wanted], part=part),
    )


def _duckling_case(record: Record) -> ReadingCase | str:
    """A Duckling expression of a day or coarser: ``value`` is the share that is read right.

    An instant stands for the whole unit that it starts. An open interval is right if its bound is either end
    of the named unit: whether "after 2014" counts from its start or its end is a convention. The kinds
    separate expressions with a year, with a year and a holiday's name, and without a year; the last are
    relative to the reference day, and an assistant means the next such day, but a document often the last.
    Excluded: minutes, hours and seconds.
    """
    grain = str(record.get("grain"))
    if grain in ("second", "minute", "hour"):
        return f"grain {grain}"
    start, unit = day_of(record.get("start")), Granularity(grain)
    if start is None:
        return "no start"
    named = Interval(start, granule(start, unit).end, unit)
    wanted = [named]
    if record.get("kind") == "interval":
        wanted = [Interval(start, day_of(record.get("end")), unit)]
    elif record.get("kind") == "open_interval":
        after = record.get("direction") == "after"
        wanted = [
            Interval(bound, None) if after else Interval(None, bound) for bound in (named.start, named.end)
        ]
    with_year = _PLAIN_YEAR.search(record["expression"]) or record["expression"].startswith("2018Q")
    kind = ("year, holiday" if record.get("holiday") else "year") if with_year else "no year"
    anchor = day_of(record.get("reference_datetime"))
    return ReadingCase(record["id"], kind, partial(_read_alone, record["expression"], anchor, wanted))


def _read_alone(
    text: str, anchor: Day | None, wanted: Sequence[Interval], *, part: bool = False
) -> tuple[str, dict[str, float]]:
    found = max(
        find_expressions(text, anchor),
        key=lambda expression: (expression.interval is not None, len(expression.text)),
        default=None,
    )
    said = f"{text}: {written(found.interval) if found else 'missed'}, annotated {written(wanted[0])}"
    return said, {"value": float(found is not None and any(_right(found, one, part=part) for one in wanted))}


def _right(found: Expression, wanted: Interval, *, part: bool) -> bool:
    interval = found.interval
    if interval is None:
        return False
    if interval.same_days(wanted) or same_century(interval, wanted) or (part and wanted.contains(interval)):
        return True
    if interval.granularity is wanted.granularity is Granularity.SEASON:
        apart = [abs(a - b) for a, b in zip(interval.bounds, wanted.bounds, strict=True)]
        return max(apart) <= _SEASON_TOLERANCE
    return False


def _read_negative(text: str) -> tuple[str, dict[str, float]]:
    dated = [expression for expression in find_expressions(text) if expression.interval is not None]
    return f"{text}: {', '.join(item.text for item in dated)}", {"negatives": float(not dated)}


# -------------------------------------------------------------------------------------------- specifications


def _specifications(path: Path) -> ReadingSet:
    """Sentences with expected results (Recognizers-Text, its default mode ``DateTimeModel``).

    ``value`` is the share of the expected results that are read right, by the expression that shares most
    characters with the result. A reading is right if it equals one of the values. A range is also right if it
    includes its last unit and the source excludes it ("2014-2018" with or without 2018). An open range is
    also right if the source ends it at the reference day ("to now"). "Before" and "after" are compared by
    their bound. The kinds separate results with a year in four digits from those without. Excluded: sentences
    with results of other types (times, sets, durations), the source's other modes, and results without a
    value in the source.
    """
    excluded: Counter[str] = Counter()
    cases = []
    for record in read_records(path, "id", "input"):
        results = record.get("results") or []
        reason = _unused(record, results)
        if reason is not None:
            excluded[reason] += 1
            continue
        for index, result in enumerate(results):
            wanted = list(_values(result))
            if not wanted:
                excluded["a result without a value"] += 1
                continue
            kind = "year" if _PLAIN_YEAR.search(result["text"]) else "no year"
            anchor = day_of(record.get("reference_datetime"))
            read = partial(
                _read_result, record["input"], anchor, (int(result["start"]), int(result["end"])), wanted
            )
            cases.append(ReadingCase(f"{record['id']}.{index}", kind, read))
    return ReadingSet(tuple(cases), ("value",), hash_of([path], path.parent), excluded)


def _unused(record: Record, results: Sequence[Record]) -> str | None:
    if record.get("spec") != "DateTimeModel":
        return "another mode"
    if not results:
        return "nothing expected"
    if not all(result.get("type") in ("date", "daterange") for result in results):
        return "results of other types"
    return None


def _values(result: Record) -> Iterable[Interval]:
    for value in result.get("values") or []:
        single, start, end = (day_of(value.get(name)) for name in ("value", "start", "end"))
        if single is not None:
            yield Interval(single, single + 1)
        elif (start, end) != (None, None) and (start is None or end is None or start < end):
            yield Interval(start, end)


def _read_result(
    text: str, anchor: Day | None, span: tuple[int, int], wanted: Sequence[Interval]
) -> tuple[str, dict[str, float]]:
    found = max(find_expressions(text, anchor), key=lambda item: overlap(item, *span), default=None)
    if found is None or overlap(found, *span) <= 0:
        return f"{text}: missed", {"value": 0.0}
    said = f"{text}: {found.text}: {written(found.interval)}, annotated {written(wanted[0])}"
    return said, {"value": float(any(_right_range(found, one, anchor) for one in wanted))}


def _right_range(found: Expression, wanted: Interval, anchor: Day | None) -> bool:
    interval = found.interval
    if interval is None:
        return False
    if interval.same_days(wanted):
        return True
    if found.open == "end" and interval.start == wanted.start and wanted.end == anchor:
        return True
    last = found.dates[-1] if found.dates else interval
    return len(found.dates) == 2 and interval.start == wanted.start and last.start == wanted.end
