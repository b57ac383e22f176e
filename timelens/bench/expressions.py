"""The suite ``expressions``: temporal expressions found in texts, against what annotators say they stand for.

Four layouts are told apart by their files. What counts in each stands with the function that reads it.
Shared by all: days are compared at day granularity, a "part" (early, mid, late) is right anywhere inside the
whole that the annotation names, and whatever has no place on the calendar is left out and counted with its
reason.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from timelens.bench.data import Record, hash_of, read_records, require
from timelens.bench.reading import Case, Reading, written
from timelens.bench.timex import interval_of
from timelens.errors import MissingError
from timelens.ingest.chunking import split_sentences
from timelens.temporal.calendar import Day, parse_day
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Granularity, Interval, granule

LAYOUT = (
    "docs.jsonl and timexes.jsonl (WikiWars), expressions.jsonl (TempEval-3, Duckling) "
    "or model.jsonl (Recognizers)"
)
_LONGEST_SERVING = 80  # characters of an expression that may serve an annotated mention
_SEASON_TOLERANCE = 31  # days, either side: calendars of seasons differ by this much
_PLAIN_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")


def load(folder: Path, _as_of: Day) -> Reading:
    """Read a folder of annotated expressions; the data states its own days of reference.

    Raises:
        MissingError: the folder is not there, or holds none of the layouts.
        BadInputError: a file is not what its name says.
    """
    require(folder, layout=LAYOUT)
    if (folder / "timexes.jsonl").exists():
        return _running_text(folder)
    if (folder / "model.jsonl").exists():
        return _specifications(folder / "model.jsonl")
    if (folder / "expressions.jsonl").exists():
        return _lists(folder)
    raise MissingError(f"there are no expressions in {folder}", f"the folder must hold {LAYOUT}")


# --------------------------------------------------------------------------------------------- running text


@dataclass(frozen=True, slots=True)
class _Mention:
    """One annotated mention of a text."""

    id: str
    start: int
    end: int
    text: str
    interval: Interval | None
    part: bool


@dataclass(frozen=True, slots=True)
class _Matched:
    """What was found in a document and what it serves."""

    serving: Mapping[str, Expression]
    """The expression that serves a mention, by the mention's id."""
    judged: tuple[tuple[Expression, bool], ...]
    """Every expression that counts, and whether it serves some mention."""


def _running_text(folder: Path) -> Reading:
    """Documents with mentions at character offsets (WikiWars; Mazur and Dale 2010).

    - An expression serves the mention that it shares most characters with, at most two of them (a range over
      both its ends), and none if it is longer than 80 characters.
    - ``precision``: the share of the expressions found that serve a mention.
    - ``found``: the share of the datable mentions (those whose value has an interval in years, months, days,
      weeks or quarters) that are served.
    - ``interval``: the share of the datable mentions whose interval is right, those not found counting as
      wrong: equal to that of the value; a century from the year 00 or 01; one end equal, where the
      expression reaches beyond the mention or is open; inside it, where the mention is marked early, mid or
      late.
    - ``spurious/1000``: expressions that serve nothing, by a thousand sentences.
    - Left out: mentions that only knowledge of an event can date (``EC:EVENT-BASED``) with the expressions
      that touch no other mention, and mentions inside others.
    """
    require(folder, "docs.jsonl", "timexes.jsonl", layout=LAYOUT)
    paths = [folder / "docs.jsonl", folder / "timexes.jsonl"]
    documents = list(read_records(paths[0], "doc_id", "text"))
    annotated: dict[str, list[Record]] = {}
    for record in read_records(paths[1], "id", "doc_id"):
        annotated.setdefault(record["doc_id"], []).append(record)
    excluded: Counter[str] = Counter()
    cases = []
    for document in documents:
        records = annotated.get(document["doc_id"], [])
        of_events = [record for record in records if "EVENT-BASED" in str(record.get("comment"))]
        others = [record for record in records if record not in of_events]
        excluded["rests on knowledge of an event"] += len(of_events)
        excluded["inside another mention"] += sum(bool(record.get("nested")) for record in others)
        mentions = [_mention(record) for record in others if not record.get("nested")]
        set_aside = [(int(record["start"]), int(record["end"])) for record in of_events]
        match = cache(partial(_match, document["text"], _day(document.get("created")), mentions, set_aside))
        cases += [
            Case(mention.id, _class_of(mention.text), partial(_read_mention, mention, match))
            for mention in mentions
        ]
        cases += _of_document(document["doc_id"], document["text"], match())
    return Reading(
        tuple(cases), ("precision", "found", "interval", "spurious/1000"), hash_of(paths, folder), +excluded
    )


def _mention(record: Record) -> _Mention:
    interval = interval_of(record.get("value"))
    if interval is not None and interval.granularity in (Granularity.SEASON, Granularity.HALF):
        interval = None
    return _Mention(
        record["id"],
        int(record["start"]),
        int(record["end"]),
        record["text"],
        interval,
        bool(record.get("mod")),
    )


def _match(
    text: str, written_on: Day | None, mentions: Sequence[_Mention], set_aside: Sequence[tuple[int, int]]
) -> _Matched:
    found = [
        expression
        for expression in find_expressions(text, written_on)
        if any(_shared(expression, mention.start, mention.end) > 0 for mention in mentions)
        or not any(_shared(expression, *span) > 0 for span in set_aside)
    ]
    served = Counter[int]()
    serving = {}
    for mention in mentions:
        able = [
            (_shared(expression, mention.start, mention.end), -place)
            for place, expression in enumerate(found)
            if served[place] < 2 and expression.char_end - expression.char_start <= _LONGEST_SERVING
        ]
        shared, place = max(able, default=(0, 0))
        if shared > 0:
            served[-place] += 1
            serving[mention.id] = found[-place]
    return _Matched(serving, tuple((expression, served[place] > 0) for place, expression in enumerate(found)))


def _shared(expression: Expression, start: int, end: int) -> int:
    return min(expression.char_end, end) - max(expression.char_start, start)


def _read_mention(mention: _Mention, match: Any) -> tuple[str, dict[str, float]]:  # noqa: ANN401 -- a cached function
    expression: Expression | None = match().serving.get(mention.id)
    if mention.interval is None:
        return ("" if expression is None else written(expression.interval)), {}
    if expression is None:
        return f"missed: {mention.text}", {"found": 0.0, "interval": 0.0}
    said = f"{mention.text}: {written(expression.interval)}, annotated {written(mention.interval)}"
    right = expression.interval is not None and _right_mention(
        expression, expression.interval, mention, mention.interval
    )
    return said, {"found": 1.0, "interval": float(right)}


def _right_mention(expression: Expression, found: Interval, mention: _Mention, wanted: Interval) -> bool:
    if found.same_days(wanted) or _same_century(found, wanted):
        return True
    reaches_beyond = expression.char_end > mention.end + 1 or expression.char_start < mention.start - 1
    if (reaches_beyond or expression.open) and (found.start == wanted.start or found.end == wanted.end):
        return True
    return mention.part and wanted.contains(found)


def _same_century(found: Interval, wanted: Interval) -> bool:
    return (
        Granularity.CENTURY is found.granularity is wanted.granularity
        and abs(found.bounds[0] - wanted.bounds[0]) <= 366
        and abs(found.bounds[1] - wanted.bounds[1]) <= 366
    )


def _of_document(name: str, text: str, matched: _Matched) -> Iterator[Case]:
    for expression, serves in matched.judged:
        place = f"{name}:{expression.char_start}-{expression.char_end}"
        said = f"{'' if serves else 'spurious: '}{expression.text}"
        yield Case(place, "expression found", partial(_known, said, {"precision": float(serves)}))
    spurious = [expression.char_start for expression, serves in matched.judged if not serves]
    for start, end in split_sentences(text):
        count = sum(start <= place < end for place in spurious)
        # a mean in percent of ten times the count is a count by a thousand
        yield Case(f"{name}:{start}", "sentence", partial(_known, "", {"spurious/1000": 10.0 * count}))


def _known(said: str, scores: Mapping[str, float]) -> tuple[str, Mapping[str, float]]:
    return said, scores


_CLASSES = (
    ("before the era", r"\bb\.?c"),
    ("early, mid, late", r"\b(?:early|mid|middle|late|end|beginning|start|first half|second half)\b"),
    (
        "relative to the text",
        r"\b(?:later|earlier|following|next|previous|same|that|after|before|this|last|ago)\b",
    ),
    ("decade, century", r"[0-9]{2}s\b|centur"),
    ("season", r"\b(?:winter|spring|summer|autumn|fall)\b"),
    ("month or day with year", r"[a-z]{3}.*[0-9]{4}|[0-9]{4}.*[a-z]{3}"),
    ("year", r"^\W*(?:ad )?[0-9]{2,4}\W*$"),
    ("month or day without year", r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"),
    ("other", r""),
)


def _class_of(text: str) -> str:
    """A class of expression by its surface, for the analysis of errors."""
    return next(name for name, pattern in _CLASSES if re.search(pattern, text.lower()))


# ------------------------------------------------------------------------------------------ lists of phrases


def _lists(folder: Path) -> Reading:
    """Expressions alone, each with its day of reference: TempEval-3 values or Duckling's results."""
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
            Case(record["id"], "negative", partial(_read_negative, record["text"]))
            for record in read_records(paths[1], "id", "text")
        ]
    return Reading(tuple(cases), ("value", "negatives"), hash_of(paths, folder), excluded)


def _timex_case(record: Record) -> Case | str:
    """A TIMEX3 expression: ``value`` is the share of dates read right from the expression and the day alone.

    Left out: durations, sets and times of day; references to the present, past or future; values with parts
    unknown. Seasons may differ by 31 days at either end.
    """
    if record.get("type") != "DATE":
        return f"type {record.get('type')}"
    wanted = interval_of(record["value"])
    if wanted is None:
        return "no place on the calendar"
    part = bool(record.get("mod")) and record["mod"] != "APPROX"
    anchor = _day(record.get("reference_date"))
    return Case(
        record["id"],
        _class_of(record["expression"]),
        partial(_read_alone, record["expression"], anchor, [wanted], part=part),
    )


def _duckling_case(record: Record) -> Case | str:
    """A Duckling expression of a day or coarser: ``value`` is the share that is read right.

    An instant is the unit that it starts. An open interval is right if its bound is either end of the unit
    that it names: "after 2014" from its start or its end is convention. The kinds tell apart expressions
    with a year, with a year and a holiday's name, and those that point from the day of reference, where an
    assistant means the next such day and a document often the last. Left out: minutes, hours and seconds.
    """
    grain = str(record.get("grain"))
    if grain in ("second", "minute", "hour"):
        return f"grain {grain}"
    start, unit = _day(record.get("start")), Granularity(grain)
    if start is None:
        return "no start"
    named = Interval(start, granule(start, unit).end, unit)
    wanted = [named]
    if record.get("kind") == "interval":
        wanted = [Interval(start, _day(record.get("end")), unit)]
    elif record.get("kind") == "open_interval":
        after = record.get("direction") == "after"
        wanted = [
            Interval(bound, None) if after else Interval(None, bound) for bound in (named.start, named.end)
        ]
    with_year = _PLAIN_YEAR.search(record["expression"]) or record["expression"].startswith("2018Q")
    kind = ("year, holiday" if record.get("holiday") else "year") if with_year else "no year"
    anchor = _day(record.get("reference_datetime"))
    return Case(record["id"], kind, partial(_read_alone, record["expression"], anchor, wanted))


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
    if interval.same_days(wanted) or _same_century(interval, wanted) or (part and wanted.contains(interval)):
        return True
    if interval.granularity is wanted.granularity is Granularity.SEASON:
        apart = [abs(a - b) for a, b in zip(interval.bounds, wanted.bounds, strict=True)]
        return max(apart) <= _SEASON_TOLERANCE
    return False


def _read_negative(text: str) -> tuple[str, dict[str, float]]:
    dated = [expression for expression in find_expressions(text) if expression.interval is not None]
    return f"{text}: {', '.join(item.text for item in dated)}", {"negatives": float(not dated)}


# -------------------------------------------------------------------------------------------- specifications


def _specifications(path: Path) -> Reading:
    """Sentences with expected results (Recognizers-Text, its default mode ``DateTimeModel``).

    ``value`` is the share of the expected results that the expression sharing most characters with them
    gives: equal to one of the values; ranges are also right with their last unit included where the source
    ends before it ("2014-2018" with or without 2018), and open ones where it ends with the day of reference
    ("to now"); a bound is right for "before" and "after". The kinds tell apart results with a year written
    in four figures and those without. Left out: sentences with results of other types (times, sets,
    durations), the source's other modes, and results that the source itself leaves without a value.
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
            anchor = _day(record.get("reference_datetime"))
            read = partial(
                _read_result, record["input"], anchor, (int(result["start"]), int(result["end"])), wanted
            )
            cases.append(Case(f"{record['id']}.{index}", kind, read))
    return Reading(tuple(cases), ("value",), hash_of([path], path.parent), excluded)


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
        single, start, end = (_day(value.get(name)) for name in ("value", "start", "end"))
        if single is not None:
            yield Interval(single, single + 1)
        elif (start, end) != (None, None) and (start is None or end is None or start < end):
            yield Interval(start, end)


def _read_result(
    text: str, anchor: Day | None, span: tuple[int, int], wanted: Sequence[Interval]
) -> tuple[str, dict[str, float]]:
    found = max(find_expressions(text, anchor), key=lambda item: _shared(item, *span), default=None)
    if found is None or _shared(found, *span) <= 0:
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


def _day(stated: object) -> Day | None:
    """The day of an ISO date or time, ``None`` for anything else."""
    match = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(stated or ""))
    try:
        return None if match is None else parse_day(match[0])
    except ValueError:
        return None
