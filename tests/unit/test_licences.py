"""The licences of what timelens needs, as ``make licences`` lists them."""

import runpy
import subprocess
import sys
from email.message import Message
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def test_every_dependency_states_a_licence_that_is_permitted() -> None:
    command = [sys.executable, str(SCRIPTS / "licences.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert lines["certifi"].endswith("MPL-2.0")
    assert lines["scipy"].endswith("BSD")
    assert {"torch", "lancedb", "pytest"} <= set(lines)


@pytest.mark.parametrize(
    ("fields", "licences", "permitted"),
    [
        ([], [], False),
        ([("License-Expression", "MIT")], ["MIT"], True),
        ([("License-Expression", "MIT OR (GPL-3.0-only AND 0BSD)")], ["MIT", "GPL-3.0-only", "0BSD"], False),
        ([("License-Expression", "Elastic-2.0")], ["Elastic-2.0"], False),
        (
            [("License-Expression", "Apache-2.0 WITH LLVM-exception AND MIT")],
            ["Apache-2.0 WITH LLVM-exception", "MIT"],
            True,
        ),
        ([("License-Expression", "LGPL-2.1-only"), ("License", "MIT")], ["LGPL-2.1-only"], False),
        ([("License", "MPL-2.0 AND MIT")], ["MPL-2.0", "MIT"], True),
        ([("License", "Apache 2.0")], ["Apache-2.0"], True),
        ([("License", "as you like")], ["as you like"], False),
        (
            [
                ("License", "Copyright\nand a text"),
                ("Classifier", "Topic :: MIT"),
                ("Classifier", "License :: OSI Approved :: BSD License"),
            ],
            ["BSD"],
            True,
        ),
        ([("License", "UNKNOWN"), ("Classifier", "License :: OSI Approved :: MIT License")], ["MIT"], True),
        ([("License", "a text\nof its own")], [], False),
        ([("License", "MIT License\n\nCopyright\nand a text")], ["MIT"], True),
    ],
)
def test_what_a_distribution_states(
    fields: list[tuple[str, str]], licences: list[str], permitted: bool
) -> None:
    script = runpy.run_path(str(SCRIPTS / "licences.py"))
    about = Message()
    for name, value in fields:
        about[name] = value
    assert script["stated"](about) == licences
    assert (bool(licences) and set(licences) <= script["PERMITTED"]) == permitted
