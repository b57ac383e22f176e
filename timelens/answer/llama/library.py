"""The llama_cpp package: its presence, its log messages, and loading models with it."""

import ctypes
import logging
from dataclasses import dataclass
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING, Any

from timelens.answer.llama.parameters import Parameters
from timelens.answer.models.gguf_header import ModelDescription
from timelens.errors import BadInputError, MissingError

if TYPE_CHECKING:
    from llama_cpp import Llama

_log = logging.getLogger(__name__)
_TEMPLATE = "tokenizer.chat_template"
_ERROR = 4  # ggml's GGML_LOG_LEVEL_ERROR
INSTALL_AGAIN = "install it again: pip install --force-reinstall --no-cache-dir llama-cpp-python"


@dataclass(frozen=True, slots=True)
class BuildInfo:
    """The llama.cpp of this machine."""

    version: str | None
    """The version of llama-cpp-python; ``None`` if it is not installed."""
    loads: bool
    """Whether its native library can be loaded."""
    gpu: bool
    """Whether it was built with GPU offload."""


def build_info() -> BuildInfo:
    """Whether models can run here, and on a GPU. Loads the native library, but no model."""
    version = build_version()
    if version is None:
        return BuildInfo(None, loads=False, gpu=False)
    try:
        llama_cpp = llama_cpp_library()
    except MissingError:
        return BuildInfo(version, loads=False, gpu=False)
    return BuildInfo(version, loads=True, gpu=bool(llama_cpp.llama_supports_gpu_offload()))


def build_version() -> str | None:
    """The version of llama-cpp-python; ``None`` if it is not installed."""
    try:
        return metadata.version("llama-cpp-python")
    except metadata.PackageNotFoundError:
        return None


def llama_cpp_library() -> ModuleType:
    """The llama_cpp package, with its messages redirected to the log.

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
            INSTALL_AGAIN,
        ) from error
    module: ModuleType = llama_cpp
    _messages.listen(module)
    return module


class _Messages:
    """Logs llama.cpp's messages, which would otherwise be written over the screen."""

    def __init__(self) -> None:
        self._callback: Any = None
        self.first_error = ""

    def listen(self, llama_cpp: ModuleType) -> None:
        """Receive every message from now on."""
        if self._callback is None:
            # Native code keeps no reference to the callback.
            self._callback = llama_cpp.llama_log_callback(self._take)
            llama_cpp.llama_log_set(self._callback, ctypes.c_void_p(0))

    def _take(self, level: int, text: bytes, _data: object) -> None:
        decoded = text.decode(errors="replace").strip()
        message = "".join(character if character.isprintable() else " " for character in decoded)
        if level == _ERROR and not self.first_error:
            self.first_error = message
        _log.debug("%s", message)


_messages = _Messages()


def load(api: ModuleType, description: ModelDescription, parameters: Parameters) -> "Llama":
    """A loaded ``llama_cpp.Llama``, with its chat template uncompiled in the attribute ``chat_template``.

    Raises:
        BadInputError: llama.cpp cannot use the file, or not with this context size.
    """
    _messages.first_error = ""
    try:
        return _wrapper(api, parameters)(
            model_path=str(description.path),
            n_ctx=parameters.context,
            n_gpu_layers=parameters.gpu_layers,
            seed=parameters.seed,
            n_threads=parameters.threads,
            n_threads_batch=parameters.threads,
            verbose=False,
        )
    except (ValueError, RuntimeError, OSError, AssertionError, MemoryError) as error:
        reason = _messages.first_error or str(error)
        raise BadInputError(
            f"the model {description.path} ({description.architecture}) cannot be loaded: {reason}",
            "it may be damaged or of a kind unknown to this llama.cpp, or its context may not fit into "
            "memory: then lower llama.context_tokens",
        ) from error


def _wrapper(api: ModuleType, parameters: Parameters) -> "type[Llama]":
    """A subclass of ``llama_cpp.Llama`` for settings without a constructor argument."""

    class Wrapper(api.Llama):  # type: ignore[misc, name-defined]
        chat_template: str | None = None

        def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401 -- as the base class has it
            if name == "model_params":
                value.use_extra_bufts = parameters.extra_buffers
            elif name == "metadata":  # the constructor would compile its templates, which may be hostile
                self.chat_template = value.get(_TEMPLATE)
                value = {key: text for key, text in value.items() if not key.startswith(_TEMPLATE)}
            super().__setattr__(name, value)

    return Wrapper
