"""Where the log of a command goes: standard error, a file, or nowhere."""

import logging
import os
from pathlib import Path

from timelens import BadInputError

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _OneLine(logging.Formatter):
    """A record on one line, whatever stands in the texts that it quotes."""

    def format(self, record: logging.LogRecord) -> str:
        from timelens.printable import printable_line

        return printable_line(super().format(record))


def keep_log(*, shown: bool, file: Path | None, texts: bool) -> None:
    """Have what timelens logs written to standard error, to a file that only the user can read, or to both.

    ``texts`` are those of questions, passages and answers; without it none of them is written.

    Raises:
        BadInputError: the file cannot be written.
    """
    handlers: list[logging.Handler] = [logging.StreamHandler()] if shown else []
    if file is not None:
        from timelens.folders import open_log

        try:
            path = file.expanduser()
            os.close(open_log(path))  # which only the user can read from now on
            handlers.append(logging.FileHandler(path, encoding="utf-8", errors="backslashreplace"))
        except (OSError, RuntimeError) as error:
            raise BadInputError(f"the log {file} cannot be written: {error}", "name another file") from None
    if not handlers:
        return
    log = logging.getLogger("timelens")
    log.setLevel(logging.DEBUG if texts else logging.INFO)
    log.propagate = False
    for handler in handlers:
        handler.setFormatter(_OneLine(_FORM))
        log.addHandler(handler)
