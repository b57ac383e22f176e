"""The suite ``questions``: the times read from questions, compared with the window that their data states.

The fields of a record decide how it is measured: two dates (any pair of :data:`_WINDOWS`), the dates of its
as-of phrase (SituatedQA), or the conditions of its SQL (TDBench). A record without any of these is excluded
and counted.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from timelens import Constraint, MissingError, ParsedQuestion, Role, parse
from timelens.bench.reading_suites import ReadingCase, ReadingSet, written
from timelens.bench.suite_data import Record, hash_of, is_text, read_records, require
from timelens.ingest.metadata_dates import parse_date
from timelens.temporal import Day, Granularity, Interval, Relation, civil, day_number, granule, parse_day

LAYOUT = "questions.jsonl, questions_redated.jsonl or queries.jsonl, with a window of time in some records"
MEASURES = ("window", "core", "current", "role", "role contradicted")
_FILES = ("questions.jsonl", "questions_redated.jsonl", "queries.jsonl")
_WINDOWS = (
    ("asked_start", "asked_end"),
    ("window_start", "window_end"),
    ("gold_start", "gold_end"),
    ("date_start", "date_end"),
    ("scope_start", "scope_end"),
)
"""Pairs of fields with the first and the last date of a window, both inclusive; either may be empty."""

Scores = dict[str, float]


def load(folder: Path, as_of: Day) -> ReadingSet:
    """Read a folder of questions; ``as_of`` is the reference day for questions that state none.

    Measures, each over the questions that define it:
    - ``window``: the days asked about are right. See :func:`_right_window`, and :func:`_conditions` for SQL.
    - ``core``: the core query equals the undated question, ignoring case, white space and the final mark.
      (SituatedQA.)
    - ``current``: a question whose SQL asks for now is read as asking for the current or the latest value.
      (TDBench.)
    - ``role``: over the SQL conditions whose interval is found, the share that is read as being on the same
      end of the fact; ``role contradicted``: the share that is read as being on the other end, lower is
      better. A condition that is read as being on neither end counts in neither. (TDBench.)

    Raises:
        MissingError: the folder is missing, or has no questions.
        BadInputError: a file does not have the expected format.
    """
    require(folder, layout=LAYOUT)
    paths = [folder / name for name in _FILES if (folder / name).exists()]
    if not paths:
        raise MissingError(f"there are no questions in {folder}", f"the folder must hold {LAYOUT}")
    excluded: Counter[str] = Counter()
    cases: list[ReadingCase] = []
    for path in paths:
        for record in read_records(path):
            made = _cases(record, path.stem, as_of)
            if isinstance(made, str):
                excluded[made] += 1
            else:
                cases += made
    return ReadingSet(tuple(cases), MEASURES, hash_of(paths, folder), excluded)


def _cases(record: Record, source: str, as_of: Day) -> list[ReadingCase] | str:
    """The cases of a record, or the reason why it has none."""
    name = str(record.get("id") or record.get("_id"))
    if is_text(record.get("sql")):
        return _sql_cases(name, record, as_of)
    if is_text(record.get("dated_question")):
        return [ReadingCase(name, str(record.get("date_type")), partial(_read_dated, record, as_of))]
    question = record.get("question") or record.get("text")
    if not is_text(question):
        return "no question"
    for first, last in _WINDOWS:
        if is_text(record.get(first)) or is_text(record.get(last)):
            window = _window(record.get(first), record.get(last))
            if window is None:
                return "a window that is not two dates, or ends before it starts"
            kind = record.get("kind") or record.get("factor") or source
            return [ReadingCase(name, str(kind), partial(_read_window, str(question), window, as_of))]
    return "no window stated"


def _window(first: object, last: object) -> Interval | None:
    try:
        start = parse_date(str(first)) if is_text(first) else None
        end = parse_date(str(last)) if is_text(last) else None
        return Interval(
            None if start is None else start.start,
            None if end is None else end.end,
            (start or end or Interval(None, None)).granularity,
        )
    except ValueError:
        return None


def _read_window(question: str, window: Interval, as_of: Day) -> tuple[str, Scores]:
    parsed = parse(question, as_of)
    right = any(_right_window(constraint, window) for constraint in parsed.constraints)
    return _said(question, parsed, written(window)), {"window": float(right)}


def _right_window(constraint: Constraint, window: Interval) -> bool:
    """Whether one constraint of a question matches the window that the data states.

    It matches if the days are equal; if an "as of" ends at the end of the window, which is the date that it
    names; if the window is a part of a decade ("the late 1930s", whose bounds are convention) inside the part
    that was read, and that part is inside the decade; or if one end is open and the other is off by at most a
    day ("after" may or may not include the named day).
    """
    found = constraint.interval
    if found is None:
        return False
    if found.same_days(window):
        return True
    if constraint.relation is Relation.AS_OF:
        return found.end == window.end
    if found.granularity is Granularity.DECADE and window.start is not None:
        first = civil(window.start)[0] // 10 * 10
        decade = Interval(day_number(first), day_number(first + 10))
        return decade.contains(found) and found.contains(window)
    if window.start is None or window.end is None:
        return _near(found.start, window.start) and _near(found.end, window.end)
    return False


def _near(found: Day | None, wanted: Day | None, days: int = 1) -> bool:
    return found == wanted if found is None or wanted is None else abs(found - wanted) <= days


# ------------------------------------------------------------------------------------------------ SituatedQA


def _read_dated(record: Record, as_of: Day) -> tuple[str, Scores]:
    """A question with "as of" and a date: checks the date and the core query."""
    question = record["dated_question"]
    parsed = parse(question, as_of)
    window = _window(record.get("as_of_start"), record.get("as_of_end"))
    right = window is not None and any(
        constraint.relation is Relation.AS_OF
        and constraint.interval is not None
        and constraint.interval.end == window.end
        for constraint in parsed.constraints
    )
    core = _plain(parsed.core) == _plain(str(record.get("question")))
    said = f"{_said(question, parsed, written(window))}; core: {parsed.core}"
    return said, {"window": float(right), "core": float(core)}


def _plain(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip(" ?.")


# --------------------------------------------------------------------------------------------------- TDBench


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition in SQL on one end of a fact."""

    role: Role
    interval: Interval


_DATE = r"'(\d{4}-\d{2}-\d{2})[^']*'"
_CONDITION = re.compile(
    rf"\b(?P<role>Start|End) (?:(?P<sign>[<>]) {_DATE}|between {_DATE} and {_DATE})"
    rf"|\bdate\((?P<moved>Start|End)\) = date\({_DATE}, '(?P<count>[+-]\d+) (?P<unit>month|year)'\)"
)


def _sql_cases(name: str, record: Record, as_of: Day) -> list[ReadingCase] | str:
    if record.get("reversed_range"):
        return "a range in the SQL ends before it starts"
    asked = [question for question in record.get("questions") or [] if is_text(question)]
    if record.get("qtype") == "now":
        return [
            ReadingCase(f"{name}.{n}", "now", partial(_read_now, text, as_of))
            for n, text in enumerate(asked, 1)
        ]
    conditions = list(_conditions(record["sql"]))
    if not conditions:
        return "no dates in the SQL"
    kind = str(record.get("relation"))
    return [
        ReadingCase(f"{name}.{n}", kind, partial(_read_conditions, text, conditions, as_of))
        for n, text in enumerate(asked, 1)
    ]


def _read_now(question: str, as_of: Day) -> tuple[str, Scores]:
    parsed = parse(question, as_of)
    return _said(question, parsed, "now"), {"current": float(parsed.current or parsed.ordinal == "last")}


def _conditions(sql: str) -> Iterator[_Condition]:
    """The days that SQL admits for the start and the end of a fact."""
    for match in _CONDITION.finditer(sql):
        role = Role.START if "Start" in (match["role"], match["moved"]) else Role.END
        days = [parse_day(day) for day in re.findall(_DATE, match[0])]
        if match["sign"] == "<":
            yield _Condition(role, Interval(None, days[0]))
        elif match["sign"] == ">":
            yield _Condition(role, Interval(days[0] + 1, None))
        elif match["count"]:
            months = int(match["count"]) * (12 if match["unit"] == "year" else 1)
            day = _moved(days[0], months)
            yield _Condition(role, Interval(day, day + 1))
        else:
            yield _Condition(role, Interval(days[0], days[1] + 1))


def _moved(day: Day, months: int) -> Day:
    """A day shifted by some months as SQLite does: 31 April becomes 1 May."""
    year, month, day_of_month = civil(day)
    years, index = divmod(month - 1 + months, 12)
    return day_number(year + years, index + 1) + day_of_month - 1


def _read_conditions(question: str, conditions: Sequence[_Condition], as_of: Day) -> tuple[str, Scores]:
    """Whether every condition of the SQL is found in a question, and on which end of the fact.

    A condition is found if a constraint admits its days. The paraphrases are looser than the SQL, so a bound
    may be off by a day, and the bound of an open constraint may be either end of the named unit ("after
    August 2008" for ``End > '2008-08-01'``). A condition on the start and one on the end are also found
    together if one constraint runs from the start of the first to the end of the second, within two days
    ("served from 2012 to 2020" for ``Start > '2012-01-01' and End < '2020-12-30'``). If the range on the end
    starts at the bound on the start, it is found by its own end ("started before 2003 and continued until
    2011"). "Until X" matches an end inside X, because the fact has to reach X.
    """
    parsed = parse(question, as_of)
    matched = [_matching(condition, parsed.constraints) for condition in conditions]
    merged = _merged(conditions, parsed)
    known = [(condition.role, found) for condition, found in zip(conditions, matched, strict=True) if found]
    scores: Scores = {"window": float(all(matched) or merged)}
    if known:
        scores["role"] = sum(role in roles for role, roles in known) / len(known)
        against = sum(not roles & {role, Role.HELD} for role, roles in known)
        scores["role contradicted"] = against / len(known)
    wanted = ", ".join(f"{condition.role} {written(condition.interval)}" for condition in conditions)
    return _said(question, parsed, wanted), scores


def _matching(condition: _Condition, constraints: Sequence[Constraint]) -> set[Role]:
    return {
        constraint.role
        for constraint in constraints
        if constraint.interval is not None and _nearly(_named(constraint, condition.role), condition.interval)
    }


def _named(constraint: Constraint, role: Role) -> Interval:
    """The days admitted; for "until X" and the end of a fact, X itself, because the fact has to reach X."""
    interval = constraint.interval or Interval(None, None)
    if constraint.relation is Relation.UNTIL and role is Role.END and interval.end is not None:
        return granule(interval.end - 1, interval.granularity)
    return interval


def _merged(conditions: Sequence[_Condition], parsed: ParsedQuestion) -> bool:
    by_role: Mapping[Role, Interval] = {condition.role: condition.interval for condition in conditions}
    if len(conditions) != 2 or len(by_role) != 2:
        return False
    start, end = by_role[Role.START], by_role[Role.END]
    if start.start is None and end.start is not None and _near(start.end, end.start):
        return all(
            _matching(_Condition(Role.HELD, Interval(None, bound)), parsed.constraints)
            for bound in (start.end, end.end)
        )
    if start.start is None or end.end is None:
        return False
    found = [*(period.interval for period in parsed.periods), *(one.interval for one in parsed.constraints)]
    return any(
        one is not None and _near(one.start, start.start, 2) and _near(one.end, end.end, 2) for one in found
    )


def _nearly(found: Interval, wanted: Interval) -> bool:
    starts, ends = [found.start], [found.end]
    if found.start is not None and found.end is None:
        starts.append(granule(found.start - 1, found.granularity).start)
    elif found.end is not None and found.start is None:
        ends.append(granule(found.end, found.granularity).end)
    return any(_near(start, wanted.start) for start in starts) and any(_near(end, wanted.end) for end in ends)


def _said(question: str, parsed: ParsedQuestion, wanted: str) -> str:
    read = ", ".join(f"{item.relation} {item.role} {written(item.interval)}" for item in parsed.constraints)
    return f"{question}: {read or 'no time'}; stated: {wanted}"
