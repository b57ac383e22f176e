"""Fit the probability that a sentence tells the moment asked for, on collections held out from training.

    python scripts/calibrate_moments.py

The questions are those of ``scripts/reading/collections/NAME.moments.jsonl``, in all wordings, over the
evidence retrieved for them. A sentence is right if its time is that of the moment. A logistic regression over
the sentences that were read gives the weights of ``answer/text/moments.py``. The printed figures are
cross-validated over collections.
"""

from collections.abc import Iterator
from pathlib import Path

from calibration import Found, evidence, left_out_in_turn, report, untimed_in
from fits import Row

from timelens.answer.text.moments import moment_candidates
from timelens.answer.text.scorecard import probability_of
from timelens.reader.moment_reader import bundled_moment_reader
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval

_CUTOFFS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
_MONTH = 31
"""Maximum number of days of a right time that is less precise than the moment."""


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection; each wording is a separate question, its places are the days."""
    return untimed_in(file, lambda row: [(f"{one['document']}.md", one["day"]) for one in row["tells"]])


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
    report(asked, rows, "sentences", _CUTOFFS)
    in_turn = [(one, own) for one, own in zip(asked, left_out_in_turn(asked, rows), strict=True)]
    best = [(max(own, default=(-9.0, False)), bool(one.places)) for one, own in in_turn]
    print(f"likeliest right: {sum(right for (_, right), told in best if told)} of {sum(t for _, t in best)}")
    for risk in (0.3, 0.4, 0.5, 0.6):
        sure = [(right, told) for (score, right), told in best if probability_of(score) >= 1 - risk]
        print(f"risk {risk}: {len(sure)} told, {sum(right for right, _ in sure)} right")


if __name__ == "__main__":
    main()
