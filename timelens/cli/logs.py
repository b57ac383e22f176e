"""Destination of a command's log: standard error, a file, or neither."""

import logging
import os
from pathlib import Path

from timelens import BadInputError

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _OneLine(logging.Formatter):
    """A record on one line, even if the texts it quotes have line breaks."""

    def format(self, record: logging.LogRecord) -> str:
        from timelens.printable import printable_line

        return printable_line(super().format(record))


def keep_log(*, shown: bool, file: Path | None, texts: bool) -> None:
    """Write the log of timelens to standard error, to a file that only the user can read, or to both.

    With ``texts``, the log includes the texts of questions, passages and answers; otherwise none of them.

    Raises:
        BadInputError: the file cannot be written.
    """
    handlers: list[logging.Handler] = [logging.StreamHandler()] if shown else []
    if file is not None:
        from timelens.folders import open_log

        try:
            path = file.expanduser()
            os.close(open_log(path))  # from now on only the user can read it
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
