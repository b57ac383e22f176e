"""Checks every answer of a generated folder by recomputing it independently of the generator."""

from collections.abc import Callable
from pathlib import Path

from timelens import BadInputError, MissingError
from timelens.bench.make import check_adqab, check_shift, check_tdbench, check_temprageval
from timelens.bench.make.made_folder import made_by

CHECKS: dict[str, Callable[[Path], int]] = {
    "tdbench": check_tdbench.check,
    "adqab": check_adqab.check,
    "temprageval": check_temprageval.check,
    "shift": check_shift.check,
}


def check(path: Path) -> tuple[str, int]:
    """The generator of a folder, and its number of questions, all of which have the right answer.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: the folder was not generated, or a record lacks a field.
        WrongError: an answer does not follow from the data.
    """
    if not path.is_dir():
        raise MissingError(f"there is no folder {path}", "name a folder that timelens bench make wrote")
    kind = str(made_by(path)["kind"])
    if kind not in CHECKS:
        raise BadInputError(f"{path} was made by {kind!r}", f"this command checks {', '.join(CHECKS)}")
    try:
        return kind, CHECKS[kind](path)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise BadInputError(
            f"a record in {path} differs from what was made: {type(error).__name__} {error}", "make it again"
        ) from error
