"""Wordings of times, and what looks like one and is none: the data of tests/phrasings.toml and traps.toml."""

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent

PHRASINGS: list[tuple[str, str, list[str]]] = [
    (days, written, texts)
    for days, written, texts in tomllib.loads((FOLDER / "phrasings.toml").read_text("utf-8"))["phrasings"]
]
"""(days, day of writing, texts); the last date of each text is those days."""
TRAPS: list[str] = tomllib.loads((FOLDER / "traps.toml").read_text("utf-8"))["traps"]
"""Texts without a time."""
