"""The question that the chat asks once, at its first start: whether to pull a model."""

import json
import logging
from pathlib import Path

from timelens.folders import home, write_atomically

_log = logging.getLogger(__name__)

REPLIES = {"yes": "yes", "y": "yes", "no": "no", "n": "no", "later": "later"}
"""Accepted replies and their meaning."""


def was_asked() -> bool:
    """Whether the question was asked before, whatever the reply was."""
    return _file().exists()


def keep_reply(model: str, reply: str) -> bool:
    """Store the reply for a model; false if it cannot be stored."""
    try:
        write_atomically(_file(), json.dumps({"model": model, "reply": reply}))
    except OSError as error:
        _log.warning("%s cannot be written: %s", _file(), error)
        return False
    return True


def _file() -> Path:
    return home() / "models" / "asked.json"
