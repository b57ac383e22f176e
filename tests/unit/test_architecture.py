"""What ARCHITECTURE.md says of the tree is so."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "timelens"
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
WALK = re.findall(r"`([a-z_/]+\.py)`", PAGE.split("## A newcomer's walk")[1].split("\n## ")[0])


def tree() -> list[Path]:
    """The folders and files of the tree, each below the last one that is indented less."""
    above: list[tuple[int, Path]] = []
    found = []
    for line in PAGE.split("```text\ntimelens/\n")[1].split("```")[0].splitlines():
        indent = len(line) - len(line.lstrip())
        names = re.split(r"\s{3,}", line.strip())[0].split()
        while above and above[-1][0] >= indent:
            above.pop()
        parent = above[-1][1] if above else PACKAGE
        found += [parent / name for name in names]
        above.append((indent, found[-1]))
    return found


def test_every_folder_and_file_of_the_tree_is_there() -> None:
    assert [path for path in tree() if not path.exists()] == []


def test_every_package_of_the_top_stands_in_the_tree() -> None:
    packages = {path.parent for path in PACKAGE.glob("*/__init__.py")}
    packages |= {
        path.parent for path in PACKAGE.glob("*/*/__init__.py") if path.parts[-3] in {"answer", "question"}
    }
    assert packages - set(tree()) == set()


def test_the_walk_names_files_that_are_there_each_once() -> None:
    assert [name for name in WALK if not (PACKAGE / name).is_file()] == []
    assert len(WALK) == len(set(WALK)) > 40


def test_every_path_of_the_page_is_there() -> None:
    paths = re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", PAGE)
    missing = [path for path in paths if not any((base / path).exists() for base in (ROOT, PACKAGE))]
    assert missing == []
