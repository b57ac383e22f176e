"""How fast a model file is read and written with on this machine, as far as that was measured."""

from dataclasses import asdict
from pathlib import Path

from timelens.answer.llama.remembered import recall, remember
from timelens.answer.llama.trial import circumstances
from timelens.answer.lm.speed import Speed
from timelens.config import LlamaSettings

_KIND = "speed"


def known_speed(model: Path, settings: LlamaSettings) -> Speed | None:
    """What was measured in the first answer; ``None`` where file, settings or machine have changed since."""
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
    """Keep what was measured, for the file as it is."""
    remember(model, _KIND, circumstances(settings), asdict(speed))
