"""Tries models in other processes, because llama.cpp crashes with some files and on some processors."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from timelens.answer.llama.library import INSTALL_AGAIN, build_version, llama_cpp_library, load
from timelens.answer.llama.parameters import Caution, Parameters, ladder, parameters_for
from timelens.answer.llama.remembered import recall, remember
from timelens.answer.lm.stop import POLL_SECONDS, Stop
from timelens.answer.models.gguf_header import ModelDescription, describe_model
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError, TimelensError
from timelens.processes import ending_signal, own_command, own_environment

_KIND = "trial"
_PROMPT_TOKENS = 48
"""Enough tokens for llama.cpp to use the matrix multiplication of long prompts."""
_CRASHES = frozenset({"SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGKILL"})


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of trying a model."""

    caution: Caution
    """The level of caution that it runs with."""
    crashes: Mapping[Caution, str]
    """The levels that crashed, each with the signal that ended the process."""

    @property
    def words(self) -> str:
        """The result in words for the user."""
        why = "; ".join(f"llama.cpp crashed {caution.words} ({by})" for caution, by in self.crashes.items())
        return f"runs {self.caution.words}" + (f": {why}" if why else "")


def try_out(description: ModelDescription, settings: LlamaSettings, context: int, stop: Stop) -> Caution:
    """The first level of caution that a model runs with: another process loads it and decodes some tokens.

    The result is stored for the file, so the trial runs once. A stop ends it, and nothing is stored.

    Args:
        description: the model.
        settings: the user's settings.
        context: the context to load it with, in tokens.
        stop: ends the trial.

    Raises:
        MissingError: llama-cpp-python is missing, or was built for another processor.
        BadInputError: the other process crashed at all levels.
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
    """The stored result of a trial; ``None`` if missing, or if file, settings or machine have changed."""
    kept = recall(model, _KIND, circumstances(settings))
    try:
        crashes = {Caution(caution): str(by) for caution, by in kept["crashes"].items()}
        return Trial(Caution(kept["caution"]), crashes)
    except (TypeError, ValueError, KeyError, AttributeError):
        return None


def circumstances(settings: LlamaSettings) -> str:
    """A hash of everything but the file that affects results: llama.cpp, machine, threads and layers."""
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
    """The signal that ended another process while it used a model; ``None`` without a crash or on a stop."""
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
    """Decode some tokens with the model and the parameters given on the command line.

    Only a crash is a negative result. If the model cannot be loaded, the next loading reports the reason.
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
