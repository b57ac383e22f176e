"""Build the source distribution and the wheel of a version into dist/, after a check of what they state.

python scripts/distributions.py [TAG]

With a tag, ``v`` and the version must be that tag, and CHANGELOG.md must have a section of the version.
"""

import re
import shutil
import sys
from pathlib import Path

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

import timelens

ROOT = Path(__file__).resolve().parent.parent
LARGEST_WHEEL = 60 * 10**6  # bytes


def main(tag: str = "") -> None:
    """Build both, or say in one line what is wrong."""
    if wrong := problem(tag, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
        raise SystemExit(wrong)
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    for builder in (SdistBuilder, WheelBuilder):
        [built] = builder(str(ROOT)).build(directory=str(ROOT / "dist"), versions=["standard"])
        size = Path(built).stat().st_size
        print(f"{Path(built).name}  {size / 1e6:.1f} MB")
        if size > LARGEST_WHEEL:
            raise SystemExit(f"{Path(built).name} is larger than {LARGEST_WHEEL // 10**6} MB")


def problem(tag: str, changelog: str) -> str | None:
    """What keeps this version from being released under a tag; ``None`` if nothing does."""
    version = timelens.__version__
    if not tag:
        return None
    if tag != f"v{version}":
        return f"the tag is {tag}, the version is {version}: change one of them"
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d{{2}}-\d{{2}}$", changelog, re.MULTILINE):
        return f"CHANGELOG.md has no section '## {version} - YYYY-MM-DD': write it"
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
