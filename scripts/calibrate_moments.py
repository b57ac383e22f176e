"""Fit the probability that a sentence tells the moment asked for, on collections held out from training.

    python scripts/calibrate_moments.py

The questions are those of ``scripts/reading/collections/NAME.moments.jsonl``, in two wordings, over the
evidence retrieved for them. A sentence is right if its time is that of the moment. A logistic regression over
the sentences that were read gives the weights of ``answer/text/moments.py``. The printed figures are
cross-validated over collections.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from calibration import Found, evidence, report, report_answers, untimed_in
from fits import Row

from timelens.answer.text.moments import moment_candidates
from timelens.reader.moment_reader import bundled_moment_reader
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval

_CUTOFFS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
_WORDINGS = 2
_MONTH = 31
"""Maximum number of days of a right time that is less precise than the moment."""


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection; each of two wordings is a separate question, its places are the days."""

    def places_of(row: dict[str, Any]) -> list[tuple[str, str]]:
        return [(f"{one['document']}.md", one["day"]) for one in row["tells"]]

    return untimed_in(file, places_of, _WORDINGS)


@cache
def days_of(day: str) -> Interval:
    """The interval of a day, a month or a year."""
    (found,) = find_expressions(day)
    if found.interval is None:
        raise ValueError(day)
    return found.interval


def is_right(told: Interval | None, day: str) -> bool:
    """Whether a time is that of a moment: inside it, or not much longer."""
    meant = days_of(day)
    return told is not None and (meant.contains(told) or (told.days <= _MONTH and told.contains(meant)))


def rows_of(one: Found) -> list[Row]:
    """The sentences read for a question, and whether the time of each is right."""
    return [
        (features, any(is_right(pick.days, day) for _, day in one.places))
        for pick, features in moment_candidates(one.parsed, one.texts)
    ]


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "moments", Path("build/moments.pickle"), found_in)
    bundled_moment_reader().warm()
    rows = [rows_of(one) for one in asked]
    report_answers(asked, report(asked, rows, "sentences", _CUTOFFS))


if __name__ == "__main__":
    main()
