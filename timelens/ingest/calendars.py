"""Calendars (ICS): each event, and each occurrence of a recurring event, is a fact with its days."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from timelens.documents import Document, Fact, Mark
from timelens.errors import BadInputError, on_one_line
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.reader_tools import make_document, read_bytes, require_at_most
from timelens.ingest.sources import SourceFile
from timelens.temporal.calendar import Day, day_number
from timelens.temporal.interval import Granularity

if TYPE_CHECKING:
    from icalendar import Component

_LARGEST = 64 * 2**20  # bytes of a file
_MOST_EVENTS = 100_000  # of a file, including recurrences
_MOST_TIMES = 1_000  # occurrences of one recurring event
_MOST_SKIPPED = 20_000  # days after the first in which recurrences are searched
_LONGEST = 500  # letters of a field


@dataclass(slots=True)
class _Calendar:
    """The content read from a file so far."""

    facts: list[tuple[Fact, str]] = field(default_factory=list)
    """Each with the title of its event, for citations."""
    failures: list[Failure] = field(default_factory=list)
    zone: tzinfo | None = None
    """The time zone of the calendar, if stated."""
    horizon: date = date.min
    """The last day that the calendar states."""
    moved: dict[str, set[date]] = field(default_factory=dict)
    """Original days of overridden occurrences (RECURRENCE-ID), by event id."""
    others: int = 0
    """Number of tasks and notes, which are not read."""


def read_calendar(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """Read a calendar. An endless recurrence is read up to the last day that the calendar states."""
    raw = read_bytes(source)
    require_at_most(len(raw), _LARGEST, "export a shorter time")
    calendars = _parsed(raw)
    read = _Calendar()
    name = ""
    for calendar in calendars:
        name = name or _text(calendar, "X-WR-CALNAME")
        _read(calendar, source, read)
    yield from read.failures
    if read.others:
        hint = "export them in another form to have them read"
        yield Failure(
            source.id, f"only events are read; tasks and notes left out: {read.others}", hint, partial=True
        )
    if not read.facts:
        raise BadInputError("it holds no events", "export the calendar again")
    yield make_document(
        source,
        source.id,
        "",
        title=name or source.path.stem,
        facts=tuple(fact for fact, _ in read.facts),
        hashed=hashlib.sha256(raw).hexdigest(),
        places=tuple(Mark(index, f"event {title}"[:120]) for index, (_, title) in enumerate(read.facts)),
    )


def _parsed(raw: bytes) -> "list[Component]":
    from icalendar import Calendar

    if b"BEGIN:VCALENDAR" not in raw.upper():
        raise BadInputError("it is not a calendar", "export it again as ICS")
    try:
        return list(Calendar.from_ical(raw.decode("utf-8-sig", "replace"), multiple=True))
    except Exception as error:  # what a broken file makes the library raise is without end
        said = f"it is not a readable calendar: {on_one_line(error)}"
        raise BadInputError(said, "export it again as ICS") from error


def _read(calendar: "Component", source: SourceFile, read: _Calendar) -> None:
    """Add the events of a calendar to ``read``, as facts."""
    read.zone = _zone(_text(calendar, "X-WR-TIMEZONE"))
    events = list(calendar.walk("VEVENT"))
    read.others += sum(len(calendar.walk(kind)) for kind in ("VTODO", "VJOURNAL"))
    for event in events:
        for name in ("DTSTART", "DTSTAMP", "LAST-MODIFIED", "CREATED"):
            day = _local_day(_value(event, name), read.zone)
            read.horizon = max(read.horizon, day or date.min)
        if (instead := _local_day(_value(event, "RECURRENCE-ID"), read.zone)) is not None:
            read.moved.setdefault(_text(event, "UID"), set()).add(instead)
    for number, event in enumerate(events, start=1):
        where = f"{source.id} event {number}"
        if len(read.facts) >= _MOST_EVENTS:
            raise BadInputError(f"it has more than {_MOST_EVENTS:,} events", "export a shorter time")
        try:
            _add(event, read, where)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
            said = f"it cannot be read: {on_one_line(error)}"
            read.failures.append(Failure(where, said, "correct or remove it", partial=True))


def _add(event: "Component", read: _Calendar, where: str) -> None:
    """Add an event, or each occurrence of a recurring one.

    Raises:
        ValueError: it states no day, or an invalid one.
    """
    start = _value(event, "DTSTART")
    first = _local_day(start, read.zone)
    if first is None:
        raise ValueError("it has no start")
    length = _length(event, start, read.zone)
    rule = event.get("RRULE")
    is_moved = event.get("RECURRENCE-ID") is not None
    days = [first]
    if rule is not None and not is_moved:
        days, more = _times(rule, first, read.horizon)
        if more:
            read.failures.append(_not_all(where, days))
        days += [day for value in _listed(event, "RDATE") if (day := _local_day(value, read.zone))]
        left_out = {day for value in _listed(event, "EXDATE") if (day := _local_day(value, read.zone))}
        left_out |= read.moved.get(_text(event, "UID"), set())
        days = sorted(set(days) - left_out)
    title = _text(event, "SUMMARY") or "(no title)"
    fields = _fields(event, title, start, read.zone)
    for day in days:
        last = day + length
        fact = Fact(fields, _number(day), _number(last), Granularity.DAY)
        read.facts.append((fact, title))


def _fields(
    event: "Component", title: str, start: object, zone: tzinfo | None
) -> tuple[tuple[str, str], ...]:
    hours = ""
    if isinstance(start, datetime):
        end = _in_zone(event.end, zone)
        begin = _in_zone(start, zone)
        same_day = isinstance(end, datetime) and end != begin
        hours = f"{begin:%H:%M} to {end:%H:%M}" if same_day else f"{begin:%H:%M}"
    people = event.get("ATTENDEE", [])
    attendees = [_person(person) for person in (people if isinstance(people, list) else [people])[:20]]
    rule = event.get("RRULE")
    stated = (
        ("event", title),
        ("hours", hours),
        ("place", _text(event, "LOCATION")),
        ("organizer", _person(event["ORGANIZER"]) if "ORGANIZER" in event else ""),
        ("attendees", ", ".join(attendees)),
        ("status", _text(event, "STATUS").lower() if _text(event, "STATUS") == "CANCELLED" else ""),
        ("repeats", str(rule["FREQ"][0]).lower() if rule is not None and rule.get("FREQ") else ""),
        ("about", _text(event, "DESCRIPTION")),
    )
    return tuple((name, value) for name, value in stated if value)


def _person(value: Any) -> str:  # noqa: ANN401 -- any value of the file
    name = getattr(value, "params", {}).get("CN")
    return _line(str(name) if name else str(value).removeprefix("mailto:").removeprefix("MAILTO:"))


def _length(event: "Component", start: object, zone: tzinfo | None) -> timedelta:
    """The time from the first day of an event to its last. An end without hours is exclusive."""
    end = _in_zone(event.end, zone)
    begin = _in_zone(start, zone)
    last = end.date() if isinstance(end, datetime) else end
    first = begin.date() if isinstance(begin, datetime) else begin
    ends_at_midnight = not isinstance(end, datetime) or (end.hour, end.minute, end.second) == (0, 0, 0)
    if last > first and ends_at_midnight:
        last -= timedelta(days=1)
    return max(last - first, timedelta(0))


def _times(rule: Any, first: date, horizon: date) -> tuple[list[date], bool]:  # noqa: ANN401 -- a rule as parsed
    """The days of a recurring event, and whether there are more than are read."""
    from dateutil.rrule import rrulestr

    frequency = str((rule.get("FREQ") or [""])[0]).upper()
    interval = int((rule.get("INTERVAL") or [1])[0])
    if frequency not in {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"} or interval < 1:
        return [first], True
    until = (rule.get("UNTIL") or [None])[0]
    count = (rule.get("COUNT") or [None])[0]
    ends = until.date() if isinstance(until, datetime) else until
    last = ends or (first + timedelta(days=_MOST_SKIPPED) if count else max(horizon, first))
    last = min(last, first + timedelta(days=_MOST_SKIPPED)) if last > first else first
    kept = rule.copy()
    for name in ("UNTIL", "COUNT", "BYHOUR", "BYMINUTE", "BYSECOND"):
        kept.pop(name, None)
    text = f"{kept.to_ical().decode()};UNTIL={last:%Y%m%d}T235959"
    most = min(int(count), _MOST_TIMES) if count else _MOST_TIMES
    begin = datetime(first.year, first.month, first.day)  # noqa: DTZ001 -- a day, of whatever zone
    days = [time.date() for time in islice(rrulestr(text, dtstart=begin), most + 1)]
    more = (len(days) > most and not (count and int(count) == most)) or (bool(ends) and last < ends)
    return days[:most] or [first], more


def _not_all(where: str, days: Sequence[date]) -> Failure:
    said = f"its repetition is read up to {max(days).isoformat()}"
    return Failure(where, said, "export a shorter time, or each date by itself", partial=True)


def _value(event: "Component", name: str) -> Any:  # noqa: ANN401 -- a day or an hour, or whatever the file holds
    """The value of a property; ``None`` if it is missing or broken."""
    held = event.get(name)
    try:
        return None if held is None else getattr(held, "dt", None)
    except ValueError:
        return None


def _listed(event: "Component", name: str) -> list[Any]:
    """The days and times that a property lists; the property may occur several times."""
    held = event.get(name, [])
    return [
        each.dt for one in (held if isinstance(held, list) else [held]) for each in getattr(one, "dts", [])
    ]


def _in_zone(value: Any, zone: tzinfo | None) -> Any:  # noqa: ANN401 -- a day or an hour
    """A time stated in UTC, converted to the zone of the calendar; other values unchanged."""
    is_universal = (
        isinstance(value, datetime) and value.tzinfo is not None and value.utcoffset() == timedelta(0)
    )
    return value.astimezone(zone) if is_universal and zone is not None else value


def _local_day(value: Any, zone: tzinfo | None) -> date | None:  # noqa: ANN401 -- a day or an hour
    value = _in_zone(value, zone)
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name and name not in {"UTC", str(UTC)} else None
    except (ValueError, OSError, KeyError):
        return None


def _text(component: "Component", name: str) -> str:
    held = component.get(name)
    return _line(str(held[0] if isinstance(held, list) else held)) if held else ""


def _line(text: str) -> str:
    return " ".join(text.encode(errors="replace").decode().split())[:_LONGEST]


def _number(day: date) -> Day:
    return day_number(day.year, day.month, day.day)
