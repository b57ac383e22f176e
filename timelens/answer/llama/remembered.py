"""A cache of findings about model files, in the timelens home.

Lost or damaged entries are determined again.
"""

import json
import logging
from pathlib import Path
from typing import Any

from timelens.folders import home, write_atomically

_log = logging.getLogger(__name__)


def recall(model: Path, kind: str, circumstances: str) -> Any:  # noqa: ANN401 -- any JSON
    """The stored value about a model file; ``None`` if missing, or if file or circumstances have changed."""
    entry = _entries().get(str(model.resolve()))
    kept = entry.get(kind) if isinstance(entry, dict) else None
    if not isinstance(kept, dict) or kept.get("for") != [*_identity(model), circumstances]:
        return None
    return kept.get("value")


def remember(model: Path, kind: str, circumstances: str, value: object) -> None:
    """Store a value about a model file, replacing the old one. Entries of deleted files are removed."""
    entries = {path: entry for path, entry in _entries().items() if Path(path).exists()}
    own = entries.get(str(model.resolve()))
    kept = {"for": [*_identity(model), circumstances], "value": value}
    entries[str(model.resolve())] = {**(own if isinstance(own, dict) else {}), kind: kept}
    try:
        write_atomically(_file(), json.dumps(entries, indent=1))
    except OSError as error:
        _log.debug("%s cannot be written: %s", _file(), error)


def remembered_models() -> list[Path]:
    """The existing model files with stored values, sorted by path."""
    return sorted(path for path in map(Path, _entries()) if path.is_file())


def _file() -> Path:
    return home() / "models" / "remembered.json"


def _identity(model: Path) -> tuple[int, int]:
    """Size in bytes and modification time in nanoseconds; zeros for an unreadable file."""
    try:
        status = model.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _entries() -> dict[str, Any]:
    try:
        kept = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}
