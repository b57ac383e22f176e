"""Answers written by a local language model with llama.cpp. The only module that imports llama_cpp."""

import codecs
import ctypes
import logging
import os
import queue
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from types import ModuleType
from typing import Any

from timelens.answer.gguf_header import ModelDescription, describe_model
from timelens.answer.model import Draft
from timelens.answer.prompt import Prompt, compose, keep_citations
from timelens.answer.timeline import Timeline
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError, TimelensError
from timelens.question.model import ParsedQuestion

_log = logging.getLogger(__name__)
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_INSTRUCTIONS_MARK, _REQUEST_MARK = "\ue000instructions\ue000", "\ue000request\ue000"
_LOCK_POLL_SECONDS = 0.02


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
        llama_cpp = _llama_cpp()
    except MissingError:
        return BuildInfo(version, loads=False, gpu=False)
    return BuildInfo(version, loads=True, gpu=bool(llama_cpp.llama_supports_gpu_offload()))


class LlamaAnswerer:
    """Writes answers with a GGUF model, which is loaded when the first answer is asked for.

    May be shared by threads: one answer is written at a time, others wait. Closing the stream of an answer
    ends its generation at once, reading of the prompt included; :meth:`cancel` does so from any thread.
    """

    def __init__(self, settings: LlamaSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._model: _Model | None = None
        self._notes: tuple[str, ...] = ()
        self._running: set[_Stop] = set()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of the last answer, such as evidence that did not fit."""
        return self._notes

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str]:
        """The answer, piece by piece. Citations are of evidence that the model was shown.

        Raises:
            MissingError: llama-cpp-python or the model file is not there.
            BadInputError: the file is no usable model, or the question does not fit into its context.
        """
        stop = _Stop()
        pieces: queue.SimpleQueue[str | Exception | None] = queue.SimpleQueue()
        # In a thread of its own, so that Ctrl-C and close() are heard while native code reads the prompt.
        writer = threading.Thread(
            target=self._write, args=(parsed, timeline, draft, stop, pieces.put), name="llama"
        )
        self._running.add(stop)
        writer.start()
        try:
            while (piece := pieces.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            stop.set()
            writer.join()
            self._running.discard(stop)

    def cancel(self) -> None:
        """End all answers that are being written, from any thread; their streams end early, with a note."""
        for stop in tuple(self._running):
            stop.set()

    def close(self) -> None:
        """Cancel, and give the model's memory back. A later answer loads it again."""
        self.cancel()
        with self._lock:
            if self._model is not None:
                self._model.close()
                self._model = None

    def _write(
        self,
        parsed: ParsedQuestion,
        timeline: Timeline,
        draft: Draft,
        stop: "_Stop",
        put: Callable[[str | Exception | None], None],
    ) -> None:
        """Write an answer into a queue: its pieces, then what went wrong, then ``None``."""
        while not self._lock.acquire(timeout=_LOCK_POLL_SECONDS):
            if stop:
                put(None)
                return
        try:
            self._notes = ()
            if self._model is None:
                self._model = _Model(self._settings)
            prompt = self._prompt(self._model, parsed, timeline, draft)
            self._notes = _notes_on(prompt, timeline, self._model.context_tokens)
            ending = _Ending()
            generated = self._model.generate(prompt, self._settings.answer_tokens, stop, ending)
            for piece in keep_citations(generated, prompt.shown):
                put(piece)
            if ending.note:
                self._notes = (*self._notes, ending.note)
        except Exception as error:  # noqa: BLE001 -- it is raised again in the thread that reads
            put(error)
        finally:
            self._lock.release()
            put(None)

    def _prompt(self, model: "_Model", parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Prompt:
        answer = self._settings.answer_tokens
        budget = model.context_tokens - model.template_tokens - answer
        prompt = compose(parsed, timeline, draft, count=model.count, budget=budget)
        if prompt is None:
            asked = self._settings.context_tokens
            remedy = "raise llama.context_tokens" if model.context_tokens == asked else "use another model"
            raise BadInputError(
                f"the question and its evidence do not fit into the model's context of "
                f"{model.context_tokens} tokens, {answer} of them for the answer",
                f"ask more briefly, lower llama.answer_tokens, or {remedy}",
            )
        return prompt


def _notes_on(prompt: Prompt, timeline: Timeline, context_tokens: int) -> tuple[str, ...]:
    total = len(timeline.citations)
    context = f"the model's context of {context_tokens} tokens"
    if prompt.shortened:
        left_out = f", and {total - 1} others not at all" if total > 1 else ""
        return (f"the best piece of evidence fits into {context} only in part{left_out}",)
    if len(prompt.shown) < total:
        return (f"{total - len(prompt.shown)} of {total} pieces of evidence did not fit into {context}",)
    return ()


class _Stop:
    """A request to stop that native code reads without a call into Python.

    llama.cpp asks its abort callback at every node of its graph, hundreds of times a token. A callback in
    Python would wait for the interpreter lock each time; C's ``strlen`` on a text that is empty until the
    request comes answers the same question.
    """

    def __init__(self) -> None:
        self._flag = ctypes.create_string_buffer(2)

    def set(self) -> None:
        """Request it."""
        self._flag[0] = b"!"

    def __bool__(self) -> bool:
        return self._flag[0] != b"\0"

    @property
    def address(self) -> ctypes.c_void_p:
        """Of the text."""
        return ctypes.c_void_p(ctypes.addressof(self._flag))


@dataclass(slots=True)
class _Ending:
    """How a generation ended."""

    note: str | None = None


class _Model:
    """A loaded model. Not for several threads at once."""

    def __init__(self, settings: LlamaSettings) -> None:
        description = _described(settings)
        self._api = _llama_cpp()
        context = min(settings.context_tokens, description.context_length or settings.context_tokens)
        self._llama = _load(self._api, description, context, settings)
        self._vocabulary = self._api.llama_model_get_vocab(self._llama.model)
        self._abort = ctypes.cast(ctypes.CDLL(None).strlen, self._api.ggml_abort_callback)
        self._frame = self._frame_of(description)
        self.context_tokens: int = self._llama.n_ctx()
        self.template_tokens = len(self._tokens(Prompt("", "", frozenset())))

    def close(self) -> None:
        """Free it."""
        self._llama.close()

    def count(self, text: str) -> int:
        """How many tokens a text is."""
        return len(self._content(text))

    def generate(self, prompt: Prompt, most: int, stop: _Stop, ending: _Ending) -> Iterator[str]:
        """The model's answer, greedily decoded, without characters that act on a terminal."""
        tokens = self._tokens(prompt)
        most = min(most, self.context_tokens - len(tokens))
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._api.llama_set_abort_callback(self._llama.ctx, self._abort, stop.address)
        written = 0
        started = False
        try:
            for token in self._llama.generate(tokens, temp=0.0):
                if stop or self._api.llama_vocab_is_eog(self._vocabulary, token):
                    break
                text = _UNSEEN.sub("", decoder.decode(self._bytes(token)))
                text = text if started else text.lstrip()
                started = started or bool(text)
                if text:
                    yield text
                written += 1
                if written >= most:
                    ending.note = f"the answer was cut after {most} tokens"
                    break
        except RuntimeError as error:
            self._llama.reset()
            if not stop:
                raise TimelensError(
                    f"llama.cpp failed: {error}", "lower llama.context_tokens or llama.gpu_layers"
                ) from error
        finally:
            self._api.llama_set_abort_callback(self._llama.ctx, self._abort, _NEVER.address)
        if stop:
            ending.note = "the answer was cancelled before it was complete"

    def _frame_of(self, description: ModelDescription) -> list[str]:
        """The model's chat template around two marks, split at them; the marks are kept."""
        template = self._llama.metadata.get("tokenizer.chat_template")
        if template is None:
            return [_INSTRUCTIONS_MARK, "\n\n", _REQUEST_MARK, "\n\nANSWER:"]
        as_system = [
            {"role": "system", "content": _INSTRUCTIONS_MARK},
            {"role": "user", "content": _REQUEST_MARK},
        ]
        as_user = [{"role": "user", "content": f"{_INSTRUCTIONS_MARK}\n\n{_REQUEST_MARK}"}]
        for messages in (as_system, as_user):
            rendered = self._rendered(template, messages)
            if rendered.count(_INSTRUCTIONS_MARK) == 1 and rendered.count(_REQUEST_MARK) == 1:
                return re.split(f"({_INSTRUCTIONS_MARK}|{_REQUEST_MARK})", rendered)
        raise BadInputError(
            f"the chat template of the model {description.path} cannot be used", "use another model"
        )

    def _rendered(self, template: str, messages: Sequence[dict[str, str]]) -> str:
        """The template with messages, or nothing where it does not take them: some know no system."""
        from jinja2 import TemplateError
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        try:
            formatter = Jinja2ChatFormatter(
                template, self._special(self._llama.token_eos()), self._special(self._llama.token_bos())
            )
            rendered: str = formatter(messages=messages, enable_thinking=False).prompt
        except (TemplateError, ValueError, TypeError, ArithmeticError, LookupError) as error:
            _log.debug("chat template: %s", error)
            return ""
        return rendered

    def _tokens(self, prompt: Prompt) -> list[int]:
        """The prompt in the model's template. Only the template can bring control tokens in."""
        contents = {_INSTRUCTIONS_MARK: prompt.instructions, _REQUEST_MARK: prompt.request}
        tokens: list[int] = []
        for part in self._frame:
            tokens += self._content(contents[part]) if part in contents else self._template(part)
        bos = self._llama.token_bos()
        if self._api.llama_vocab_get_add_bos(self._vocabulary) and tokens[:1] != [bos]:
            tokens.insert(0, bos)
        return tokens

    def _content(self, text: str) -> list[int]:
        tokens: list[int] = self._llama.tokenize(text.encode(), add_bos=False, special=False)
        return tokens

    def _template(self, text: str) -> list[int]:
        tokens: list[int] = self._llama.tokenize(text.encode(), add_bos=False, special=True)
        return tokens

    def _special(self, token: int) -> str:
        return "" if token < 0 else self._bytes(token, special=True).decode(errors="replace")

    def _bytes(self, token: int, *, special: bool = False) -> bytes:
        """What a token stands for. (Llama.detokenize loses tokens of more than 32 bytes.)"""
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            length: int = self._api.llama_token_to_piece(self._vocabulary, token, buffer, room, 0, special)
            if length >= 0:
                return buffer.raw[:length]
            room = -length


_NEVER = _Stop()


def _described(settings: LlamaSettings) -> ModelDescription:
    if settings.model is None:
        raise MissingError(
            "no language model is configured", "set llama.model to a GGUF file, or use --answerer extractive"
        )
    return describe_model(settings.model.expanduser())


def _llama_cpp() -> ModuleType:
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
            'install it again: pip install --force-reinstall --no-cache-dir "timelens[llama]"',
        ) from error
    _messages.listen(llama_cpp)
    return llama_cpp


class _Messages:
    """Takes llama.cpp's messages, which would otherwise be written over the screen."""

    def __init__(self) -> None:
        self._callback: Any = None
        self.last_error = ""

    def listen(self, llama_cpp: ModuleType) -> None:
        """Be told of every message from now on."""
        if self._callback is None:
            # Native code keeps no reference to it.
            self._callback = llama_cpp.llama_log_callback(self._take)
            llama_cpp.llama_log_set(self._callback, ctypes.c_void_p(0))

    def _take(self, level: int, text: bytes, _data: object) -> None:
        message = text.decode(errors="replace").strip()
        if level == 3:
            self.last_error = message
        _log.debug("%s", message)


_messages = _Messages()


def _load(api: ModuleType, description: ModelDescription, context: int, settings: LlamaSettings) -> Any:
    """A ``llama_cpp.Llama``, with as much of it on the GPU as is configured and possible.

    Raises:
        BadInputError: llama.cpp cannot use the file, or not with so large a context.
    """
    from jinja2 import TemplateError

    threads = _threads()
    _messages.last_error = ""
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
        reason = _messages.last_error or str(error)
        raise BadInputError(
            f"the model {description.path} ({description.architecture}) cannot be loaded: {reason}",
            "it may be damaged, or of a kind that this llama.cpp does not know, or its context may not fit into "
            "memory (lower llama.context_tokens)",
        ) from error


def _threads() -> int:
    """Threads to compute with: the processors this process may use, without their twins on larger machines."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(min(usable, 4), usable // 2)
