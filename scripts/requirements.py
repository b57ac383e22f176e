"""Print what timelens needs to run, as pip reads it: the dependencies that pyproject.toml states."""

import tomllib
from pathlib import Path

project = tomllib.loads(
    (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
)
print("\n".join(project["project"]["dependencies"]))
