"""The question that the chat asks once, at its first start: whether a model is wanted."""

import json
import logging
from pathlib import Path

from timelens.folders import home, write_whole

_log = logging.getLogger(__name__)

REPLIES = {"yes": "yes", "y": "yes", "no": "no", "n": "no", "later": "later"}
"""What counts as a reply, and what it means."""


def was_asked() -> bool:
    """Whether it was asked before, whatever was replied."""
    return _file().exists()


def keep_reply(model: str, reply: str) -> bool:
    """Keep what was replied of a model; false where that cannot be kept."""
    try:
        write_whole(_file(), json.dumps({"model": model, "reply": reply}))
    except OSError as error:
        _log.warning("%s cannot be written: %s", _file(), error)
        return False
    return True


def _file() -> Path:
    return home() / "models" / "asked.json"
