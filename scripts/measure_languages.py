"""Accuracy of reading times in languages other than English, in sentences and in questions.

    python scripts/measure_languages.py

reads ``languages/sentences.jsonl`` (``text``, the day it was ``written``, and all its ``times`` as half-open
ISO days, null for an open side) and ``languages/questions.jsonl`` (``text``, ``as_of``, the asked
``periods``, and the words that the core query must lack and must have). Writers who did not know the program
wrote both. One half of each file (``part``) could be looked at while the language tables were made, the other
is only scored. A line for each language and half gives, in percent: times whose days are found, sentences
without a time in which one is found, questions whose periods are found exactly, and right core queries; and
the number of times found that are not annotated.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from timelens.question.parse import parse
from timelens.temporal.calendar import Day, parse_day
from timelens.temporal.expressions import find_expressions

FOLDER = Path(__file__).parent / "languages"
_WITH_A_TABLE = frozenset("de fr es it pt nl".split())
_WORD = re.compile(r"\w+")
Days = tuple[Day | None, Day | None]


def main() -> None:
    """Read and print."""
    counts = measured()
    for part, language in sorted(counts):
        print(line(f"{part:5} {language:5}", counts[part, language]))
    for part in ("look", "score"):
        whole = sum((each for (of, _), each in counts.items() if of == part), Counter[str]())
        print(line(f"{part:5} all  ", whole))


def measured() -> dict[tuple[str, str], Counter[str]]:
    """The counts, by half and language; languages without a table are counted together."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for name, count in (("sentences", of_sentence), ("questions", of_question)):
        with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as stream:
            for row in map(json.loads, stream):
                language = row["lang"] if row["lang"] in _WITH_A_TABLE else "other"
                counts[row["part"], language] += count(row)
    return dict(counts)


def of_sentence(row: Mapping[str, Any]) -> Counter[str]:
    """The counts of a sentence."""
    gold = {_days(time["start"], time["end"]) for time in row["times"]}
    expressions = find_expressions(row["text"], parse_day(row["written"]))
    found = {(one.interval.start, one.interval.end) for one in expressions if one.interval is not None}
    return Counter(
        times=len(gold),
        found=len(gold & found),
        false=len(found - gold),
        traps=not gold,
        trapped=not gold and bool(found),
    )


def of_question(row: Mapping[str, Any]) -> Counter[str]:
    """The counts of a question."""
    parsed = parse(row["text"], parse_day(row["as_of"]))
    asked = sorted((_days(*period) for period in row["periods"]), key=str)
    periods = sorted(((one.interval.start, one.interval.end) for one in parsed.periods), key=str)
    core = parsed.core.lower()
    words = set(_WORD.findall(core))
    keeps = any(
        said.lower() in core and words.issuperset(_WORD.findall(said.lower())) for said in row["core_lacks"]
    )
    lacks = any(said.lower() not in core for said in row["core_has"])
    return Counter(questions=1, asked=periods == asked, cores=not keeps and not lacks)


def line(name: str, count: Mapping[str, int]) -> str:
    """The printed line for some counts."""

    def share(right: str, of: str) -> str:
        return f"{100 * count[right] / count[of]:.1f} of {count[of]}" if count[of] else "-"

    told = {
        "times": share("found", "times"),
        "false": str(count["false"]),
        "trapped": share("trapped", "traps"),
        "periods": share("asked", "questions"),
        "cores": share("cores", "questions"),
    }
    return f"{name}: {', '.join(f'{what} {figure}' for what, figure in told.items())}"


def _days(start: str | None, end: str | None) -> Days:
    first, last = (None if day is None else parse_day(day) for day in (start, end))
    return first, last


if __name__ == "__main__":
    main()
