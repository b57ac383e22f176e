"""The corpus that was asked last, stored in the timelens home."""

import json
import logging
from pathlib import Path

from timelens.folders import home, write_atomically

_log = logging.getLogger(__name__)


def last_corpus() -> str | None:
    """The name or path of the corpus that the chat asked last; ``None`` if unknown."""
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
        address = kept["corpus"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return address if isinstance(address, str) else None


def keep_last_corpus(address: str) -> None:
    """Store the corpus that is being asked; a failure is only logged."""
    try:
        write_atomically(_file(), json.dumps({"corpus": address}))
    except OSError as error:
        _log.warning("%s cannot be written: %s", _file(), error)


def _file() -> Path:
    return home() / "chat.json"
