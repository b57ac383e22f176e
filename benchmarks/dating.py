"""Processor time to split and date 1 MB of text that consists almost only of times, by shape of text.

Takes the names of shapes (default: all). With ``--growth`` it also prints the exponent with which the time
grows from a quarter of the length. Budgets: 5 s for each shape, and an exponent of 1.1.
"""

import gc
import math
import random
import sys
import time
from collections.abc import Callable, Iterator

from timelens.documents import Document
from timelens.ingest.dating import date_document
from timelens.ingest.worker import OBJECTS_BETWEEN_COLLECTIONS
from timelens.temporal.calendar import civil, day_number, weekday
from timelens.temporal.phrasing import MONTH_NAMES

SIZE = 1_000_000
BUDGET = 5.0
STEEPEST = 1.1
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOLD = ("We went to the mill.", "Rain all day, and the river rose.", "A letter came from Anna at last.")

Date = tuple[int, int, int]


def _log(day: Date, chance: random.Random) -> str:
    year, month, of_month = day
    clock = f"{chance.randrange(24):02}:{chance.randrange(60):02}:{chance.randrange(60):02}"
    return f"{year}-{month:02}-{of_month:02}T{clock}Z request {chance.randrange(10_000)} served\n"


def _clock(chance: random.Random) -> str:
    return f"{chance.randrange(24):02}:{chance.randrange(60):02}"


def _name(month: int) -> str:
    return MONTH_NAMES[month - 1]


def _weekday(day: Date) -> str:
    return _WEEKDAYS[weekday(day_number(*day))]


_GERMAN = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
_FRENCH = (
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
)  # fmt: skip
SHAPES: dict[str, Callable[[Date, random.Random], str]] = {
    "ISO log": _log,
    "ISO days": lambda day, _: f"{day[0]}-{day[1]:02}-{day[2]:02}\n",
    "ISO days in a row": lambda day, _: f"{day[0]}-{day[1]:02}-{day[2]:02} ",
    "days with commas": lambda day, _: f"{day[2]} {_name(day[1])} {day[0]}, ",
    "lines of days": lambda day, _: f"{day[2]} {_name(day[1])} {day[0]}\n",
    "American days": lambda day, _: f"{_name(day[1])} {day[2]}, {day[0]}. ",
    "days in figures": lambda day, _: f"{day[2]}/{day[1]}/{day[0]}, ",
    "days in points": lambda day, _: f"{day[2]:02}.{day[1]:02}.{day[0]}\n",
    "days with weekdays": lambda day, _: f"{_weekday(day)}, {day[2]} {_name(day[1])} {day[0]}. ",
    "days without a year": lambda day, _: f"{day[2]} {_name(day[1])}, ",
    "months": lambda day, _: f"{_name(day[1])} {day[0]}, ",
    "years": lambda day, _: f"{day[0]}, ",
    "lines of years": lambda day, _: f"{day[0]}\n",
    "sentences of years": lambda day, _: f"In {day[0]}. ",
    "ranges": lambda day, _: f"from {day[2] % 14 + 1} to {day[2] % 14 + 15} {_name(day[1])} {day[0]}; ",
    "ranges of years": lambda day, _: f"{day[0]}-{day[0] + day[2]}, ",
    "weekdays": lambda day, _: f"{_weekday(day)} ",
    "relative": lambda day, _: (
        f"{('yesterday', 'last week', f'{day[2]} days ago', 'next month')[day[2] % 4]}, "
    ),
    "lengths before": lambda day, _: f"{day[2]} years before ",
    "relations": lambda day, _: (
        f"{('since', 'until', 'before', 'after')[day[2] % 4]} {_name(day[1])} {day[0]}, "
    ),
    "decades": lambda day, _: f"the {day[0] // 10 * 10}s and the {day[0] // 100}th century, ",
    "parts": lambda day, _: f"early {day[0]}, the end of {_name(day[1])} {day[0]}, ",
    "chat": lambda day, chance: (
        f"{day[2]:02}/{day[1]:02}/{day[0]}, {_clock(chance)} - Anna: {chance.choice(_TOLD)}\n"
    ),
    "system log": lambda day, chance: (
        f"{_name(day[1])[:3]} {day[2]:2} {_clock(chance)}:00 host cron[{chance.randrange(9999)}]: done\n"
    ),
    "diary": lambda day, chance: f"{day[2]} {_name(day[1])} {day[0]}\n{chance.choice(_TOLD)}\n\n",
    "table": lambda day, chance: f"{day[0]}-{day[1]:02}-{day[2]:02}\t{chance.random():.3f}\t{day[0]}\n",
    "German days": lambda day, _: f"am {day[2]}. {_GERMAN[day[1] - 1]} {day[0]} und ",
    "French days": lambda day, _: f"le {day[2]} {_FRENCH[day[1] - 1]} {day[0]}, ",
    "numbers": lambda _, chance: f"{chance.randrange(1000)} ",
    "numbers with words": lambda _, chance: f"{chance.randrange(3000)} men and ",
    "decimals": lambda _, chance: f"{chance.random():.3f}, ",
    "clocks": lambda _, chance: f"{_clock(chance)} ",
    "rulers": lambda _, __: f"{'=' * 99}\n",
    "one ruler": lambda _, __: "=",
    "words before": lambda _, __: "two years before ",
    "the end of": lambda _, __: "the end of ",
    "bounds": lambda day, _: f"not later than {day[0]}, on or after {_name(day[1])}, ",
    "changes": lambda day, chance: (
        f"## {chance.randrange(9)}.{day[2]}.0 - {day[0]}-{day[1]:02}-{day[2]:02}\n\n- The mill grinds.\n\n"
    ),
    "prose": lambda day, chance: (
        f"On {day[2]} {_name(day[1])} {day[0]} the council met again, and the mayor told of what had been "
        f"done since the flood. {chance.choice(_TOLD)} Nobody had seen the like of it before, they said. "
    ),
}


def text_of(shape: str, size: int = SIZE) -> str:
    """A text of one shape; its days advance with gaps, and few occur twice."""
    chance = random.Random(shape)
    make = SHAPES[shape]
    parts, length = [], 0
    for day in _days(chance):
        parts.append(make(day, chance))
        length += len(parts[-1])
        if length >= size:
            return "".join(parts)[:size]
    return "".join(parts)


def _days(chance: random.Random) -> Iterator[Date]:
    day = day_number(1700)
    while True:
        yield civil(day)
        day += chance.randrange(1, 4)
        if day > day_number(2030):
            day = day_number(1700)


def seconds_to_date(text: str) -> float:
    """Processor time of dating a text once."""
    document = Document("notes.txt", "notes.txt", "notes", text, "notes.txt")
    started = time.process_time()
    date_document(document)
    return time.process_time() - started


def main() -> None:
    """Print the time of each shape."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    seconds_to_date(text_of("prose", 10_000))  # compiles the patterns
    names = [argument for argument in sys.argv[1:] if argument != "--growth"] or list(SHAPES)
    taken, exponents = [], []
    for shape in names:
        seconds = seconds_to_date(text_of(shape))
        growth = ""
        if "--growth" in sys.argv:
            exponents.append(math.log(seconds / seconds_to_date(text_of(shape, SIZE // 4)), 4))
            growth = f", exponent {exponents[-1]:.2f}"
        taken.append(seconds)
        print(f"{shape:22}{seconds:6.1f} s a MB{growth}", flush=True)
    steepest = f", exponent {max(exponents):.2f} (budget {STEEPEST})" if exponents else ""
    print(f"dating       {max(taken):.1f} s at most (budget {BUDGET:.0f}){steepest}")


if __name__ == "__main__":
    main()
