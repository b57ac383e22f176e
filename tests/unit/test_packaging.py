import hashlib
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
import trove_classifiers
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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
    assert {f"timelens/tui/{sheet}.tcss" for sheet in ("chat", "corpora", "dialogs")} <= package
    bundled = {
        f"timelens/{path.relative_to(ROOT)}" for path in (ROOT / "corpora").rglob("*") if path.is_file()
    }
    assert "timelens/corpora/leaders/documents/leaders.csv" in bundled
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == package | bundled


def test_the_wheel_is_not_larger_than_an_index_takes(wheel: zipfile.ZipFile) -> None:
    assert Path(str(wheel.filename)).stat().st_size <= distributions().LARGEST_WHEEL


FIRST_RUN = """
import timelens
from timelens.tui.first_run import bundled_corpora

print(timelens.__file__)
bundled = bundled_corpora()
print(*bundled)
corpus = timelens.open_corpus("leaders")
corpus.ingest([bundled["leaders"]])
today = timelens.parse_day("2024-12-31")
print(corpus.ask("Who was Chancellor of Germany on 1 May 2010?", as_of=today).values[0].text)
"""


def test_the_first_run_after_an_install_has_something_to_ask(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    installed = tmp_path / "site-packages"
    wheel.extractall(installed)
    own = os.environ | {"PYTHONPATH": str(installed), "TIMELENS_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", FIRST_RUN],
        env=own,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    file, names, answer = done.stdout.splitlines()
    assert Path(file).is_relative_to(installed)
    assert names.split() == sorted(path.name for path in (ROOT / "corpora").iterdir())
    assert answer == "Angela Merkel"


def distributions() -> ModuleType:
    """The script that builds a release."""
    spec = importlib.util.spec_from_file_location("distributions", ROOT / "scripts" / "distributions.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_release_has_a_tag_and_a_section_of_its_version() -> None:
    problem, version = distributions().problem, timelens.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert problem(f"v{version}", changelog) is None
    assert problem("", "") is None
    assert "the tag is v9.9.9" in problem("v9.9.9", changelog)
    assert "has no section" in problem(f"v{version}", "## Unreleased")


def test_every_python_that_is_named_is_checked() -> None:
    workflow = (ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")
    tried = yaml.safe_load(workflow)["jobs"]["check"]["strategy"]["matrix"]["python"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert tried == named
    assert PROJECT["project"]["requires-python"] == f">={tried[0]}"


def test_a_release_is_checked_before_it_is_published_and_needs_no_password() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(workflow)["jobs"]
    assert jobs["check"]["uses"] == "./.github/workflows/check.yml"
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("check", "build")
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets" not in workflow


def test_the_classifiers_are_those_of_the_index() -> None:
    assert set(PROJECT["project"]["classifiers"]) <= trove_classifiers.classifiers


def test_the_wheel_carries_version_licence_and_command(wheel: zipfile.ZipFile) -> None:
    folder = f"timelens-{timelens.__version__}.dist-info"
    assert "timelens = timelens.__main__:main" in wheel.read(f"{folder}/entry_points.txt").decode()
    assert "Apache License" in wheel.read(f"{folder}/licenses/LICENSE").decode()
    assert "CC BY-SA 4.0" in wheel.read(f"{folder}/licenses/timelens/reader/WEIGHTS.md").decode()


def test_a_plain_install_needs_no_compiler(wheel: zipfile.ZipFile) -> None:
    metadata = wheel.read(f"timelens-{timelens.__version__}.dist-info/METADATA").decode()
    [llama] = re.findall(r"^Requires-Dist: (llama-cpp-python.*)$", metadata, re.MULTILINE)
    marker = Requirement(llama).marker
    assert marker is not None
    assert not marker.evaluate({"extra": ""})


def locked() -> dict[str, tuple[str, list[str]]]:
    """Version and hashes of each name in constraints.txt."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    entries = re.findall(
        r"^([a-z0-9-]+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})*)$", text, re.MULTILINE
    )
    return {name: (version, re.findall(r"sha256:(\w+)", hashes)) for name, version, hashes in entries}


def wanted() -> list[Requirement]:
    project = PROJECT["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    lists += PROJECT["dependency-groups"].values()
    return [Requirement(line) for line in sorted({line for lines in lists for line in lines})]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_every_requirement_is_locked_at_a_version_it_admits(requirement: Requirement) -> None:
    assert requirement.specifier.contains(locked()[requirement.name][0]), "run `make lock`"


def test_everything_is_locked_once_with_hashes_and_nothing_else_stands_in_the_lock() -> None:
    head, *lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert head.startswith("#")
    entries = locked()
    assert len(lines) == sum(1 + len(hashes) for _, hashes in entries.values())
    assert [name for name, (_, hashes) in entries.items() if not hashes] == [], "run `make lock`"


def test_the_lock_names_no_build_that_only_some_machines_have() -> None:
    assert "+" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


OF_A_GPU = ("cuda-", "nvidia-", "triton")


def test_all_that_is_installed_with_timelens_is_locked() -> None:
    entries, seen, left = locked(), set(), [("timelens", frozenset(["llama", "plots"]))]
    while left:
        name, extras = left.pop()
        for line in importlib.metadata.requires(name) or ():
            need = Requirement(line)
            marker = need.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in extras or {""}):
                continue
            key = canonicalize_name(need.name), frozenset(need.extras)
            if name == "torch" and key[0].startswith(OF_A_GPU):
                continue  # of a build for a GPU: in no lock, by scripts/install_torch.sh
            if key not in seen:
                seen.add(key)
                left.append(key)
    assert {name for name, _ in seen} - set(entries) == set(), "run `make lock`"


def test_pip_refuses_a_file_with_another_hash_than_the_lock_has(
    wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    file = Path(str(wheel.filename))
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--dry-run",
        "--no-deps",
        "--ignore-installed",
        "--no-index",
    ]
    for sha256, code in ((hashlib.sha256(file.read_bytes()).hexdigest(), 0), ("0" * 64, 1)):
        lock = f"timelens=={timelens.__version__} \\\n    --hash=sha256:{sha256}\n"
        (tmp_path / "lock.txt").write_text(lock, encoding="utf-8")
        hashed = ["--require-hashes", "-c", str(tmp_path / "lock.txt"), "--find-links", str(file.parent)]
        done = subprocess.run([*pip, *hashed, "timelens"], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert ("DO NOT MATCH THE HASHES" in done.stderr) == bool(code)


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
