"""Models tried out in other processes: some files, and some processors, make llama.cpp end its process."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from timelens.answer.gguf_header import ModelDescription, describe_model
from timelens.answer.llama.library import INSTALL_AGAIN, build_version, llama_cpp_library, load
from timelens.answer.llama.parameters import Caution, Parameters, ladder, parameters_for
from timelens.answer.llama.remembered import recall, remember
from timelens.answer.lm.stop import POLL_SECONDS, Stop
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError, TimelensError
from timelens.processes import ending_signal, own_command, own_environment

_KIND = "trial"
_PROMPT_TOKENS = 48
"""Enough that llama.cpp multiplies matrices as it does for long prompts."""
_CRASHES = frozenset({"SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGKILL"})


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a model out."""

    caution: Caution
    """What it runs with."""
    crashes: Mapping[Caution, str]
    """What it did not run with, and the signal that ended the process."""

    @property
    def words(self) -> str:
        """As it is said to the user."""
        why = "; ".join(f"llama.cpp crashed {caution.words} ({by})" for caution, by in self.crashes.items())
        return f"runs {self.caution.words}" + (f": {why}" if why else "")


def try_out(description: ModelDescription, settings: LlamaSettings, context: int, stop: Stop) -> Caution:
    """The first parameters that a model runs with: it is loaded and decodes some tokens in another process.

    What works is kept for the file, so that this is done once. A stop ends it without a result.

    Args:
        description: of the model.
        settings: of the user.
        context: in tokens, as the model is loaded with.
        stop: when it is no longer wanted.

    Raises:
        MissingError: llama-cpp-python is not there, or was built for another processor.
        BadInputError: the other process died with all parameters.
    """
    known = known_trial(description.path, settings)
    if known is not None:
        return known.caution
    crashes: dict[Caution, str] = {}
    for caution in ladder(settings, gpu=bool(llama_cpp_library().llama_supports_gpu_offload())):
        ended = _run(description.path, parameters_for(settings, context, caution), stop)
        if stop:
            return caution
        if ended is None:
            value = {"caution": caution, "crashes": crashes}
            remember(description.path, _KIND, circumstances(settings), value)
            return caution
        crashes[caution] = ended
    raise _unusable(description.path, crashes)


def known_trial(model: Path, settings: LlamaSettings) -> Trial | None:
    """What came of trying a model out before; ``None`` where file, settings or machine have changed since."""
    kept = recall(model, _KIND, circumstances(settings))
    try:
        crashes = {Caution(caution): str(by) for caution, by in kept["crashes"].items()}
        return Trial(Caution(kept["caution"]), crashes)
    except (TypeError, ValueError, KeyError, AttributeError):
        return None


def circumstances(settings: LlamaSettings) -> str:
    """All that decides what works and how fast, beside the file: llama.cpp, machine, threads and layers."""
    try:
        processor = Path("/proc/cpuinfo").read_text().partition("\n\n")[0]
    except OSError:
        processor = platform.processor()
    kind = [line for line in processor.splitlines() if line.startswith(("model name", "flags", "Features"))]
    usual = parameters_for(settings, 0, Caution.NONE)
    decisive = [
        build_version(),
        *(platform.system(), platform.release(), platform.machine(), *kind),
        *(usual.threads, usual.gpu_layers),
    ]
    return sha256(json.dumps(decisive).encode()).hexdigest()


def _run(model: Path, parameters: Parameters, stop: Stop) -> str | None:
    """The signal that another process died of while it used a model; ``None`` if it lived, or was stopped."""
    command = own_command(__name__, "decode_and_forget")
    trial = subprocess.Popen(  # noqa: S603 -- this very program
        [*command, str(model), json.dumps(asdict(parameters))],
        env=own_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with trial:
        while not stop:
            try:
                code = trial.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            return ended if (ended := ending_signal(code)) in _CRASHES else None
        trial.kill()
    return None


def decode_and_forget() -> None:
    """Decode some tokens with the model and the parameters named on the command line. A crash is an answer.

    That the model cannot be loaded is none: who loads it next is told why.
    """
    try:
        parameters = Parameters(**json.loads(sys.argv[2]))
        model = load(llama_cpp_library(), describe_model(Path(sys.argv[1])), parameters)
        tokens = list(range(min(_PROMPT_TOKENS, model.n_vocab())))
        for batch in (tokens, tokens[:1], tokens[:1]):
            model.eval(batch)
    except (TimelensError, RuntimeError):
        os._exit(1)
    os._exit(0)


def _unusable(model: Path, crashes: Mapping[Caution, str]) -> TimelensError:
    signals = sorted(set(crashes.values()))
    if signals == ["SIGILL"]:
        return MissingError("llama-cpp-python was built for another processor", INSTALL_AGAIN)
    if "SIGKILL" in signals:
        return BadInputError(
            f"the system ended llama.cpp when it tried the model {model}, probably for lack of memory",
            "choose a smaller model, or lower llama.context_tokens",
        )
    return BadInputError(
        f"llama.cpp crashes on the model {model}, with every setting that was tried ({', '.join(signals)})",
        "the file may be damaged: download it again, or name another; if other models crash too, "
        f"{INSTALL_AGAIN}",
    )
