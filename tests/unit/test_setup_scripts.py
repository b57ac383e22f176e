"""The set-up scripts, run in an environment whose python, pip and uv only note what they are asked to do."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKED = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
TORCH = LOCKED["torch"]

# Fails where its arguments match $FAILS; takes $SLOW seconds where pip is to install llama-cpp-python.
STUB = f"""#!/usr/bin/env bash
case "$*" in *fcntl*) exec {sys.executable} "$@" ;; esac
echo "$(basename "$0") CMAKE_ARGS=${{CMAKE_ARGS-}} $*" >>"$CALLS"
case "$*" in *llama-cpp-python) sleep "${{SLOW:-0}}" ;; esac
[[ -z ${{FAILS-}} || ! "$*" =~ $FAILS ]]
"""

Calls = Callable[[], list[str]]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    folder = tmp_path / "venv"
    (folder / "stamps").mkdir(parents=True)
    program(folder / "bin" / "python", STUB)
    program(folder / "bin" / "uv", STUB)
    return folder


@pytest.fixture
def run(tmp_path: Path, venv: Path) -> Run:
    path = tmp_path / "path"
    program(path / "nvidia-smi", "#!/bin/sh\nexit 9\n")
    program(path / "apt-get", '#!/bin/sh\necho "apt-get $*" >>"$CALLS"\n')
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("CMAKE", "LLAMA", "TORCH"))
    }

    def run(script: str, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        environment = inherited | {"VENV": str(venv), "CALLS": str(tmp_path / "calls")} | variables
        environment["PATH"] = f"{path}:{os.environ['PATH']}"
        command = [str(ROOT / "scripts" / script), *arguments]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, check=False
        )

    return run


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    def calls() -> list[str]:
        """Return what was asked for since the last time."""
        file = tmp_path / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    return calls


class TestNeed:
    def test_leaves_the_package_manager_alone_where_nothing_is_missing(self, run: Run, calls: Calls) -> None:
        assert run("need.sh", "command -v bash", "bash", "true", "other").returncode == 0
        assert calls() == []

    def test_installs_as_root_only_what_is_missing(self, run: Run, calls: Calls, tmp_path: Path) -> None:
        program(tmp_path / "path" / "id", "#!/bin/sh\necho 0\n")
        assert run("need.sh", "true", "present", "false", "one", "false", "two").returncode == 0
        update, install = calls()
        assert update.startswith("apt-get update")
        assert install.endswith(" one two")

    def test_names_the_command_to_anyone_else(self, run: Run, calls: Calls, tmp_path: Path) -> None:
        program(tmp_path / "path" / "id", "#!/bin/sh\necho 1000\n")
        done = run("need.sh", "false", "one", "false", "two")
        assert done.returncode == 1
        assert "sudo apt-get install one two\n" in done.stderr
        assert calls() == []


def test_a_python_that_is_too_old_is_named_with_its_version(run: Run, tmp_path: Path) -> None:
    program(tmp_path / "old", '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.12\n')
    done = run("check_python.sh", str(tmp_path / "old"))
    assert done.returncode == 1
    assert f"Python 3.11 or newer; {tmp_path / 'old'} is Python 3.10.12" in done.stderr
    assert run("check_python.sh", sys.executable).returncode == 0


class TestTorch:
    def installs(self, lines: list[str]) -> list[str]:
        return [line for line in lines if "torch==" in line]

    def test_pip_brings_the_cpu_build_where_a_source_has_it(self, run: Run, calls: Calls) -> None:
        assert run("install_torch.sh").returncode == 0
        [install] = calls()
        assert install.endswith(f"install -c constraints.txt --require-hashes torch=={TORCH}+cpu")

    def test_uv_brings_it_where_pip_finds_none_and_it_is_said_what_is_not_checked(
        self, run: Run, calls: Calls, venv: Path
    ) -> None:
        done = run("install_torch.sh", FAILS=r"\+cpu")
        assert done.returncode == 0
        assert "its hash is in no lock" in done.stdout
        made = calls()
        assert made[1].endswith("--require-hashes uv")
        _, install = self.installs(made)
        assert install.startswith("uv ")
        assert "--torch-backend=cpu" in install
        without = venv / "stamps" / "without-torch.txt"
        assert f"-c {without}" in install
        whole, left = (
            [line for line in file.read_text().splitlines() if line]
            for file in (ROOT / "constraints.txt", without)
        )
        first = whole.index(f"torch=={TORCH} \\")
        last = next(at for at in range(first, len(whole)) if not whole[at].endswith("\\"))
        assert left == whole[:first] + whole[last + 1 :]

    def test_the_large_build_comes_last_and_is_announced(self, run: Run, calls: Calls) -> None:
        done = run("install_torch.sh", FAILS=r"\+cpu|--torch-backend")
        assert done.returncode == 0
        assert "several GB" in done.stderr
        assert self.installs(calls())[-1].endswith(f" --no-require-hashes torch=={TORCH}")

    def test_a_gpu_gets_its_own_build(self, run: Run, calls: Calls, tmp_path: Path) -> None:
        program(tmp_path / "path" / "nvidia-smi", "#!/bin/sh\n")
        run("install_torch.sh")
        [install] = self.installs(calls())
        assert "--torch-backend=auto" in install

    def test_what_was_chosen_stays_until_another_is_named(self, run: Run, calls: Calls) -> None:
        run("install_torch.sh", TORCH_BACKEND="cu130")
        calls()
        run("install_torch.sh")
        assert calls() == []
        run("install_torch.sh", TORCH_BACKEND="cpu")
        assert len(calls()) == 1


class TestLlama:
    def test_a_second_run_does_nothing(self, run: Run, calls: Calls) -> None:
        assert run("install_llama.sh").returncode == 0
        hashed = "--require-hashes -c constraints.txt --build-constraint constraints.txt llama-cpp-python"
        assert any(line.endswith(f"install --disable-pip-version-check {hashed}") for line in calls())
        assert run("install_llama.sh").returncode == 0
        assert calls() == []

    def test_other_options_build_anew_and_are_remembered(self, run: Run, calls: Calls) -> None:
        run("install_llama.sh")
        calls()
        run("install_llama.sh", CMAKE_ARGS="-DGGML_CUDA=on")
        rebuilt = calls()[0]
        assert "CMAKE_ARGS=-DGGML_CUDA=on" in rebuilt
        assert "--no-cache-dir --force-reinstall" in rebuilt
        run("install_llama.sh")
        assert calls() == []

    def test_an_index_of_prebuilt_wheels_is_not_held_to_the_locked_version(
        self, run: Run, calls: Calls, venv: Path
    ) -> None:
        run("install_llama.sh", LLAMA_INDEX="file:///wheels")
        assert "--no-require-hashes --prefer-binary --extra-index-url file:///wheels" in calls()[0]
        constraints = (venv / "llama-constraints.txt").read_text()
        assert "llama-cpp-python" not in constraints
        assert f"torch=={TORCH}" in constraints
        assert constraints.count("--hash=") > 1000

    def test_a_failed_build_shows_its_log_and_is_tried_again_in_the_foreground_alone(
        self, run: Run, calls: Calls
    ) -> None:
        done = run("install_llama.sh", FAILS="llama-cpp-python$")
        assert done.returncode == 1
        assert "could not be built" in done.stderr
        calls()
        chat = run("install_llama.sh", "--background")
        assert chat.returncode == 0
        assert "'make setup' tries again" in chat.stderr
        assert calls() == []
        assert run("install_llama.sh").returncode == 0
        assert run("install_llama.sh", "--background").stderr == ""

    def test_a_build_in_the_background_is_the_only_one_and_the_foreground_waits_for_it(
        self, run: Run, calls: Calls, tmp_path: Path
    ) -> None:
        assert run("install_llama.sh", "--background", SLOW="3").returncode == 0
        begun = time.monotonic()
        while not (tmp_path / "calls").exists():
            assert time.monotonic() - begun < 30, "the build has not begun"
            time.sleep(0.05)
        assert run("install_llama.sh", "--background").returncode == 0
        done = run("install_llama.sh")
        assert "Waiting for the build" in done.stdout
        assert sum(line.endswith("llama-cpp-python") for line in calls()) == 1
