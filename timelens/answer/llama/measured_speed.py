"""The measured speed of a model file on this machine."""

from dataclasses import asdict
from pathlib import Path

from timelens.answer.llama.remembered import recall, remember
from timelens.answer.llama.trial import circumstances
from timelens.answer.lm.speed import Speed
from timelens.config import LlamaSettings

_KIND = "speed"


def known_speed(model: Path, settings: LlamaSettings) -> Speed | None:
    """The stored speed; ``None`` if there is none, or file, settings or machine have changed since."""
    kept = recall(model, _KIND, circumstances(settings))
    try:
        return Speed(
            int(kept["read"]),
            float(kept["read_seconds"]),
            int(kept["written"]),
            float(kept["written_seconds"]),
        )
    except (TypeError, ValueError, KeyError):
        return None


def keep_speed(model: Path, settings: LlamaSettings, speed: Speed) -> None:
    """Store a measured speed for the current state of the file."""
    remember(model, _KIND, circumstances(settings), asdict(speed))
