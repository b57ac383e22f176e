"""Print the dependencies of timelens in pyproject.toml, in pip's format."""

import tomllib
from pathlib import Path

project = tomllib.loads(
    (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
)
print("\n".join(project["project"]["dependencies"]))
