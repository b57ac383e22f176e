"""List the packages locked in constraints.txt with the licences that each distribution states.

Fails if one states no licence, or one that is not in PERMITTED: read its terms before you add it there.
"""

import re
import sys
from collections.abc import Iterator
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parent.parent
PERMITTED = frozenset(
    (
        *("0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD", "BSD-2-Clause", "BSD-3-Clause"),
        *("BSL-1.0", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "Zlib"),
        "LicenseRef-PDFium",  # of FreeType, libjpeg, libtiff, ICU and others in PDFium: each permissive
        "MPL-2.0",  # requires only changes to its own files to be published
    )
)
IDENTIFIERS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD License": "BSD",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0 AND LicenseRef-PDFium",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT Licence": "MIT",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""SPDX identifiers for the names that older distributions use, or begin the text of a licence with; "BSD"
does not say how many clauses."""


def stated(about: Message) -> list[str]:
    """Return the licences in metadata, from the newest field that is filled."""
    if expression := about.get("License-Expression"):
        return parts(expression)
    text = (about.get("License") or "").strip().removeprefix("UNKNOWN")
    heading, *more = text.split("\n")
    if heading in IDENTIFIERS or (heading and not more):
        return parts(IDENTIFIERS.get(heading, heading))
    classifiers = [line.split(" :: ") for line in about.get_all("Classifier", [])]
    return [IDENTIFIERS.get(line[-1], line[-1]) for line in classifiers if line[0] == "License"]


def parts(expression: str) -> list[str]:
    """Return the licences in an SPDX expression."""
    return [part for part in re.split(r"[()\s]*\b(?:AND|OR)\b[()\s]*|[()]", expression) if part]


def listed() -> Iterator[tuple[str, str, list[str]]]:
    """Name, version and licences of all locked packages that are installed."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE):
        try:
            about = cast("Message", metadata.distribution(name).metadata)  # its protocol lacks `get`
            yield name, version, stated(about)
        except metadata.PackageNotFoundError:
            print(f"{name} {version} is not installed here", file=sys.stderr)


def main() -> None:
    """Print the list."""
    refused = []
    for name, version, licences in listed():
        print(f"{name:32} {version:18} {', '.join(licences) or 'none stated'}")
        if not licences or set(licences) - PERMITTED:
            refused.append(name)
    if refused:
        raise SystemExit(f"not on the list of {Path(__file__).name}: {', '.join(refused)}")


if __name__ == "__main__":
    main()
