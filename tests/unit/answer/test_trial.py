"""Models tried out in other processes, some of which die."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny_gguf import write_tiny_gguf
from tiny_llama import SETTINGS, settings, stream

from timelens.answer.llama import LlamaAnswerer, trial
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.llama.parameters import Caution, Parameters, ladder, parameters_for
from timelens.answer.llama.trial import Trial, known_trial, try_out
from timelens.answer.lm.stop import Stop
from timelens.answer.models.gguf_header import describe_model
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError

Crash = Callable[..., None]


@pytest.fixture(autouse=True)
def _own_home(home: Path) -> None:
    """Nothing is known of any model."""


@pytest.fixture
def crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Crash:
    """Makes llama.cpp's decoding end a trial's process by a signal, while a condition on the model holds.

    The condition is Python over ``model``; Python reads ``sitecustomize`` when the process starts.
    """

    def crash_where(condition: str, by: signal.Signals = signal.SIGSEGV) -> None:
        folder = tmp_path / "custom"
        folder.mkdir(exist_ok=True)
        (folder / "sitecustomize.py").write_text(
            "import os, llama_cpp\n"
            "evaluate = llama_cpp.Llama.eval\n"
            "def dying(model, tokens):\n"
            f"    if {condition}: os.kill(os.getpid(), {int(by)})\n"
            "    evaluate(model, tokens)\n"
            "llama_cpp.Llama.eval = dying\n"
        )
        monkeypatch.syspath_prepend(folder)

    return crash_where


def tried(model: Path, chosen: LlamaSettings = SETTINGS) -> Caution:
    return try_out(describe_model(model), chosen, 4096, Stop())


def test_what_decodes_is_run_as_usual(tiny_model: Path) -> None:
    assert known_trial(tiny_model, SETTINGS) is None
    assert tried(tiny_model) is Caution.NONE
    assert known_trial(tiny_model, SETTINGS) == Trial(Caution.NONE, {})


def test_where_decoding_dies_the_next_safer_parameters_are_tried_kept_and_used(
    tiny_model: Path, crash: Crash
) -> None:
    crash("model.model_params.use_extra_bufts")
    answerer = LlamaAnswerer(settings(tiny_model))
    assert len(list(stream(answerer))) > 10
    assert answerer.session._model is not None
    assert not answerer.session._model._llama.model_params.use_extra_bufts
    answerer.close()
    known = known_trial(tiny_model, SETTINGS)
    assert known == Trial(Caution.NO_EXTRA_BUFFERS, {Caution.NONE: "SIGSEGV"})
    assert known.words == (
        "runs without extra buffers: llama.cpp crashed with the usual parameters (SIGSEGV)"
    )


def test_fewer_threads_are_the_last_resort(
    tiny_model: Path, crash: Crash, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("timelens.answer.llama.parameters.compute_threads", lambda: 2)
    crash("model.n_threads > 1", signal.SIGABRT)
    assert tried(tiny_model, LlamaSettings()) is Caution.ONE_THREAD
    known = known_trial(tiny_model, LlamaSettings())
    assert known is not None
    assert known.crashes == {Caution.NONE: "SIGABRT", Caution.NO_EXTRA_BUFFERS: "SIGABRT"}


def test_a_trial_is_made_once_until_file_or_settings_change(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "m.gguf"
    model.write_bytes(tiny_model.read_bytes())
    runs: list[object] = []
    run = trial._run

    def counted(model: Path, parameters: Parameters, stop: Stop) -> str | None:
        runs.append(parameters)
        return run(model, parameters, stop)

    monkeypatch.setattr(trial, "_run", counted)
    for _ in range(2):
        tried(model)
    assert len(runs) == 1
    tried(model, SETTINGS.model_copy(update={"threads": 2}))
    assert len(runs) == 2
    write_tiny_gguf(model, context_length=512)
    tried(model)
    assert len(runs) == 3


def test_damage_to_what_is_kept_costs_another_trial(tiny_model: Path, home: Path) -> None:
    tried(tiny_model)
    kept = home / "models" / "remembered.json"
    for damage in ("", "[]", "{", '{"PATH": 3}', '{"PATH": {"trial": {"for": 1}}}', "[" * 9999):
        kept.write_text(damage.replace("PATH", str(tiny_model)))
        assert known_trial(tiny_model, SETTINGS) is None, damage
        assert tried(tiny_model) is Caution.NONE, damage
        assert known_trial(tiny_model, SETTINGS) is not None, damage
        assert [path.name for path in kept.parent.iterdir()] == [kept.name], damage


def test_a_value_of_another_version_is_not_known(tiny_model: Path, home: Path) -> None:
    tried(tiny_model)
    path = home / "models" / "remembered.json"
    kept = json.loads(path.read_text())
    values: list[object] = [3, {}, {"caution": "none"}, {"caution": "gone", "crashes": {}}]
    for value in values:
        kept[str(tiny_model)]["trial"]["value"] = value
        path.write_text(json.dumps(kept))
        assert known_trial(tiny_model, SETTINGS) is None, value


def test_files_that_are_gone_are_forgotten(tiny_model: Path, tmp_path: Path, home: Path) -> None:
    model = tmp_path / "m.gguf"
    model.write_bytes(tiny_model.read_bytes())
    tried(model)
    model.unlink()
    tried(tiny_model)
    assert list(json.loads((home / "models" / "remembered.json").read_text())) == [str(tiny_model)]


def test_a_home_that_cannot_be_written_does_no_harm(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "file"))
    assert tried(tiny_model) is Caution.NONE


@pytest.mark.parametrize(
    ("by", "error", "said"),
    [
        (
            signal.SIGSEGV,
            BadInputError,
            "crashes on the model .* with every setting that was tried \\(SIGSEGV\\)",
        ),
        (signal.SIGILL, MissingError, "built for another processor"),
        (signal.SIGKILL, BadInputError, "probably for lack of memory"),
    ],
)
def test_what_nothing_helps_against_is_said(
    tiny_model: Path, crash: Crash, by: signal.Signals, error: type[Exception], said: str
) -> None:
    crash("True", by)
    with pytest.raises(error, match=said):
        tried(tiny_model)
    assert known_trial(tiny_model, SETTINGS) is None


def test_a_trial_can_be_stopped_and_says_nothing(tiny_model: Path) -> None:
    stop = Stop()
    stop.set()
    try_out(describe_model(tiny_model), SETTINGS, 4096, stop)
    assert known_trial(tiny_model, SETTINGS) is None


def test_a_trial_leaves_reasons_to_who_loads_the_model(tiny_model: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.gguf"
    odd.write_bytes(tiny_model.read_bytes().replace(b"llama", b"xxxxx"))
    assert tried(odd) is Caution.NONE
    with pytest.raises(BadInputError, match="cannot be loaded"):
        LoadedModel(describe_model(odd), SETTINGS)


def test_steps_that_change_nothing_are_not_tried() -> None:
    usual, layers = LlamaSettings(threads=4), LlamaSettings(threads=4, gpu_layers=0)
    assert ladder(usual, gpu=True) == [Caution.NONE, Caution.NO_EXTRA_BUFFERS, Caution.NO_GPU]
    assert ladder(usual, gpu=False) == [Caution.NONE, Caution.NO_EXTRA_BUFFERS]
    assert ladder(layers, gpu=True) == [Caution.NONE, Caution.NO_EXTRA_BUFFERS]


def test_the_users_threads_stay() -> None:
    assert {parameters_for(LlamaSettings(threads=3), 512, caution).threads for caution in Caution} == {3}
    assert parameters_for(LlamaSettings(), 512, Caution.ONE_THREAD).threads == 1


def test_a_trial_leaves_no_process_behind(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], **options: Any) -> None:  # noqa: ANN401 -- as Popen
            super().__init__(command, **options)
            begun.append(self)

    monkeypatch.setattr("timelens.answer.llama.trial.subprocess.Popen", Recorded)
    tried(tiny_model)
    assert [process.returncode for process in begun] == [0]
