"""The llama_cpp package: whether it is there, its messages, and models loaded with it."""

import ctypes
import logging
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING, Any

from timelens.answer.gguf_header import ModelDescription
from timelens.answer.lm.stop import POLL_SECONDS, Stop
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError

if TYPE_CHECKING:
    from llama_cpp import Llama

_log = logging.getLogger(__name__)
_CRASHES = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE)
_ERROR = 4  # ggml's GGML_LOG_LEVEL_ERROR
_INSTALL_AGAIN = "install it again: pip install --force-reinstall --no-cache-dir llama-cpp-python"


@dataclass(frozen=True, slots=True)
class BuildInfo:
    """What is known of llama.cpp on this machine."""

    version: str | None
    """Of llama-cpp-python; ``None`` where it is not installed."""
    loads: bool
    """Whether its native library can be loaded."""
    gpu: bool
    """Whether it was built to put layers on a GPU."""


def build_info() -> BuildInfo:
    """Whether models can be run here, and on what. Loads the native library, but no model."""
    try:
        version = metadata.version("llama-cpp-python")
    except metadata.PackageNotFoundError:
        return BuildInfo(None, loads=False, gpu=False)
    try:
        llama_cpp = llama_cpp_library()
    except MissingError:
        return BuildInfo(version, loads=False, gpu=False)
    return BuildInfo(version, loads=True, gpu=bool(llama_cpp.llama_supports_gpu_offload()))


def llama_cpp_library() -> ModuleType:
    """The llama_cpp package, its messages sent to the log instead of the terminal.

    Raises:
        MissingError: it is not installed, or its native library does not load.
    """
    try:
        import llama_cpp
    except ModuleNotFoundError as error:
        raise MissingError(
            "llama-cpp-python is not installed", 'pip install "timelens[llama]", or in a clone: make setup'
        ) from error
    except (ImportError, OSError, RuntimeError) as error:
        raise MissingError(
            f"llama-cpp-python cannot be loaded: {error}",
            _INSTALL_AGAIN,
        ) from error
    module: ModuleType = llama_cpp
    _messages.listen(module)
    return module


class _Messages:
    """Takes llama.cpp's messages, which would otherwise be written over the screen."""

    def __init__(self) -> None:
        self._callback: Any = None
        self.first_error = ""

    def listen(self, llama_cpp: ModuleType) -> None:
        """Be told of every message from now on."""
        if self._callback is None:
            # Native code keeps no reference to it.
            self._callback = llama_cpp.llama_log_callback(self._take)
            llama_cpp.llama_log_set(self._callback, ctypes.c_void_p(0))

    def _take(self, level: int, text: bytes, _data: object) -> None:
        decoded = text.decode(errors="replace").strip()
        message = "".join(character if character.isprintable() else " " for character in decoded)
        if level == _ERROR and not self.first_error:
            self.first_error = message
        _log.debug("%s", message)


_messages = _Messages()


def try_out(description: ModelDescription, stop: Stop) -> None:
    """Load a model in another process first.

    Some damage, such as a vocabulary that names a token twice, makes llama.cpp end the process it runs in.
    The trial reads the file's structure and not its weights, so it takes little more than starting Python.

    Raises:
        MissingError: llama-cpp-python is not there.
        BadInputError: the other process died of it.
    """
    llama_cpp_library()
    # -P: nothing is imported from the folder the program happens to stand in.
    command = [sys.executable, "-P", "-c", f"from {__name__} import load_and_forget; load_and_forget()"]
    trial = subprocess.Popen(  # noqa: S603 -- this very program
        [*command, str(description.path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with trial:
        while not stop:
            try:
                ended = -trial.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            if ended == signal.SIGILL:
                raise MissingError("llama-cpp-python was built for another processor", _INSTALL_AGAIN)
            if ended in _CRASHES:
                raise BadInputError(
                    f"the model {description.path} is damaged: llama.cpp crashes on it",
                    "download it again, or name another",
                )
            return
        trial.kill()


def load_and_forget() -> None:
    """Load the model file named on the command line, and do nothing with it. A crash is an answer."""
    api = llama_cpp_library()
    api.llama_backend_init()
    parameters = api.llama_model_default_params()
    parameters.n_gpu_layers = 0
    parameters.use_extra_bufts = False
    model = api.llama_model_load_from_file(os.fsencode(sys.argv[1]), parameters)
    if model:
        context = api.llama_context_default_params()
        context.n_ctx = 64
        api.llama_init_from_model(model, context)
    os._exit(0)


def load(api: ModuleType, description: ModelDescription, context: int, settings: LlamaSettings) -> "Llama":
    """A ``llama_cpp.Llama``, with as much of it on the GPU as is configured and possible.

    Raises:
        BadInputError: llama.cpp cannot use the file, or not with so large a context.
    """
    from jinja2 import TemplateError

    threads = settings.threads or _threads()
    _messages.first_error = ""
    try:
        return api.Llama(
            model_path=str(description.path),
            n_ctx=context,
            n_gpu_layers=settings.gpu_layers,
            seed=settings.seed,
            n_threads=threads,
            n_threads_batch=threads,
            verbose=False,
        )
    except (ValueError, RuntimeError, OSError, AssertionError, MemoryError, TemplateError) as error:
        reason = _messages.first_error or str(error)
        raise BadInputError(
            f"the model {description.path} ({description.architecture}) cannot be loaded: {reason}",
            "it may be damaged or of a kind unknown to this llama.cpp, or its context may not fit into "
            "memory: then lower llama.context_tokens",
        ) from error


def _threads() -> int:
    """Threads to compute with: all processors, but on larger machines without their hyper-threaded twins."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(min(usable, 4), usable // 2)
