import re
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import timelens

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("wheel")
    [built] = WheelBuilder(str(ROOT)).build(directory=str(folder))
    return zipfile.ZipFile(built)


def test_the_wheel_holds_all_of_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    package = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "timelens").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"timelens/py.typed", "timelens/reader/weights.safetensors"} <= package
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == package


def test_the_wheel_carries_version_licence_and_command(wheel: zipfile.ZipFile) -> None:
    folder = f"timelens-{timelens.__version__}.dist-info"
    assert "timelens = timelens.cli:main" in wheel.read(f"{folder}/entry_points.txt").decode()
    assert "Apache License" in wheel.read(f"{folder}/licenses/LICENSE").decode()
    assert "CC BY-SA 4.0" in wheel.read(f"{folder}/licenses/timelens/reader/WEIGHTS.md").decode()


def test_a_plain_install_needs_no_compiler(wheel: zipfile.ZipFile) -> None:
    metadata = wheel.read(f"timelens-{timelens.__version__}.dist-info/METADATA").decode()
    [llama] = re.findall(r"^Requires-Dist: (llama-cpp-python.*)$", metadata, re.MULTILINE)
    marker = Requirement(llama).marker
    assert marker is not None
    assert not marker.evaluate({"extra": ""})


def wanted() -> list[Requirement]:
    project = PROJECT["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    lines = {*project["dependencies"], *extras, *PROJECT["dependency-groups"]["dev"]}
    return [Requirement(line) for line in sorted(lines)]


@pytest.mark.parametrize("requirement", wanted(), ids=lambda requirement: requirement.name)
def test_every_requirement_is_locked_at_a_version_it_admits(requirement: Requirement) -> None:
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    assert requirement.specifier.contains(locked[requirement.name]), "run `make lock`"


def test_the_lock_names_no_build_that_only_some_machines_have() -> None:
    assert "+" not in (ROOT / "constraints.txt").read_text()


def test_every_make_target_that_a_document_names_is_one_that_help_lists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    documents = [*ROOT.glob("*.md"), ROOT / ".ci" / "run", ROOT / ".pre-commit-config.yaml"]
    named = {
        (document.name, target)
        for document in documents
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", document.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert ("run", "check") in named
    assert {(name, target) for name, target in named if target not in listed} == set()


def test_a_file_named_like_a_make_target_does_not_stand_in_for_it() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    [phony] = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert listed <= set(phony.split())
