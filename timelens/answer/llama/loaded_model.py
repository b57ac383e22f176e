"""A loaded model: counts tokens and continues a prompt."""

import codecs
import ctypes
import json
import logging
import math
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING

from timelens.answer.llama.chat_template import INSTRUCTIONS_MARK, PLAIN_FRAME, REQUEST_MARK, frame_of
from timelens.answer.llama.library import llama_cpp_library, load
from timelens.answer.llama.parameters import Caution, parameters_for
from timelens.answer.llama.reading_adapter import ReadingAdapter, fits
from timelens.answer.lm.language_model import CANCELLED, Ending, Reply, visible
from timelens.answer.lm.speed import Speed
from timelens.answer.lm.stop import Stop
from timelens.answer.models.gguf_header import ModelDescription
from timelens.answer.writing.answer_prompt import NO_ANSWER, Prompt
from timelens.answer.writing.reading_prompt import MOST_REPLY
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, TimelensError

if TYPE_CHECKING:
    import numpy as np
    from llama_cpp.llama_grammar import LlamaGrammar

_log = logging.getLogger(__name__)
_CHARACTER_RULE = re.compile(r"^char ::= .*$", re.MULTILINE)
_CHARACTERS = r'char ::= [^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]'
_NEVER = Stop()
_FIRST_CONTEXT = 4096
"""Tokens of the first context, and the step by which it grows."""


def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)


def most_context(description: ModelDescription, settings: LlamaSettings) -> int:
    """The largest allowed context of a model, in tokens."""
    return min(settings.context_tokens, description.context_length or settings.context_tokens)


def first_context(description: ModelDescription, settings: LlamaSettings) -> int:
    """The context of a newly loaded model, in tokens."""
    return min(_FIRST_CONTEXT, most_context(description, settings))


class LoadedModel:
    """A loaded model. Not thread-safe."""

    def __init__(
        self, description: ModelDescription, settings: LlamaSettings, caution: Caution = Caution.NONE
    ) -> None:
        self._api = llama_cpp_library()
        self._description, self._settings, self._caution = description, settings, caution
        self._most = most_context(description, settings)
        self._load(first_context(description, settings))
        self._speed = Speed()
        self._abort = ctypes.cast(_c_library().strlen, self._api.ggml_abort_callback)
        self._frame = self._frame_of(description)
        self.template_tokens = len(self._tokens(Prompt("", "", frozenset())))

    def close(self) -> None:
        """Free the model."""
        self._llama.close()

    def take_speed(self) -> Speed:
        """The speed since the last call."""
        speed, self._speed = self._speed, Speed()
        return speed

    def make_room(self, tokens: int) -> None:
        """Enlarge the context for a prompt and its answer, up to the limit of the model and the settings.

        The model is loaded again, and its cache of earlier prompts is lost. If memory does not suffice, the
        context stays as it is.
        """
        wanted = min(-(-tokens // _FIRST_CONTEXT) * _FIRST_CONTEXT, self._most)
        had = self.context_tokens
        if wanted <= had:
            return
        self._llama.close()
        try:
            self._load(wanted)
        except BadInputError as error:
            _log.warning("the context stays at %d tokens: %s", had, error)
            self._load(had)
            self._most = had

    def has_room(self, prompt: Prompt, most: int) -> bool:
        """Whether a prompt and ``most`` tokens of an answer fit; the context is enlarged if possible."""
        needed = self.template_tokens + self.count(prompt.instructions) + self.count(prompt.request) + most
        self.make_room(needed)
        return needed <= self.context_tokens

    def _load(self, context: int) -> None:
        parameters = parameters_for(self._settings, context, self._caution)
        self._llama = load(self._api, self._description, parameters)
        self._llama.set_seed(self._settings.seed)  # a seed of 0 in the constructor means a random one
        self._vocabulary = self._api.llama_model_get_vocab(self._llama.model)
        self._adapter: ReadingAdapter | None = None
        self._adapted = False
        # llama.cpp rounds a context up, its Python wrapper does not.
        self.context_tokens: int = min(context, self._llama.n_ctx())
        _log.info("loaded: %s, context %d tokens", self._description.path.name, self.context_tokens)

    @property
    def has_adapter(self) -> bool:
        """Whether a reading adapter for this model is installed."""
        return fits(self._description)

    def read(self, prompt: Prompt, stop: Stop) -> Reply | None:
        """The likeliest reply of the model with its reading adapter; ``None`` if it was stopped.

        Raises:
            MissingError: the adapter cannot be used.
        """
        self._adapt(on=True)
        tokens = self._tokens(prompt)
        refusal = self._content(NO_ANSWER)[0]
        refused, total = -math.inf, 0.0
        reply: list[int] = []
        with self._stoppable(stop):
            self._read(tokens, stop)
            for token in self._llama.generate(tokens, temp=0.0) if not stop else ():
                chances = self._log_probabilities()
                refused = refused if reply else float(chances[refusal])
                total += float(chances[token])
                if self._api.llama_vocab_is_eog(self._vocabulary, token) or len(reply) >= MOST_REPLY:
                    break
                reply.append(token)
                if stop:
                    break
        if stop:
            return None
        text = b"".join(map(self._bytes, reply)).decode(errors="replace")
        return Reply(visible(text).strip(), total, refused)

    def _adapt(self, *, on: bool) -> None:
        """Use the reading adapter, or no longer; a change empties the cache."""
        if on == self._adapted:
            return
        if self._adapter is None:
            self._adapter = ReadingAdapter(self._api, self._llama.model)
        self._adapter.switch(self._llama.ctx, on=on)
        self._llama.reset()
        self._adapted = on

    def _log_probabilities(self) -> "np.ndarray":
        """The log probability of each token, by the logits of the last one evaluated."""
        import numpy as np

        size = self._llama.n_vocab()
        logits = np.ctypeslib.as_array(self._api.llama_get_logits_ith(self._llama.ctx, -1), (size,))
        shifted = logits.astype(np.float64) - logits.max()
        chances: np.ndarray = shifted - np.log(np.exp(shifted).sum())
        return chances

    def count(self, text: str) -> int:
        """The number of tokens of a text."""
        return len(self._content(text))

    def grammar_of(self, schema: Mapping[str, object]) -> "LlamaGrammar":
        """The grammar of JSON for a schema, whose texts and lists must be bounded.

        llama.cpp's rule for characters is replaced, because it allows control characters in strings, which is
        invalid JSON. The grammar is tried here, because generation would crash on an unusable one.

        Raises:
            TimelensError: llama.cpp cannot use the grammar.
        """
        from llama_cpp.llama_grammar import LlamaGrammar, json_schema_to_gbnf

        rules = _CHARACTER_RULE.sub(lambda _: _CHARACTERS, json_schema_to_gbnf(json.dumps(schema)))
        sampler = self._api.llama_sampler_init_grammar(self._vocabulary, rules.encode(), b"root")
        if not sampler:
            raise TimelensError(
                "llama.cpp cannot use the grammar",
                'use another model, or none: parser = "rules", reading = "direct"',
            )
        self._api.llama_sampler_free(sampler)
        return LlamaGrammar.from_string(rules, verbose=False)

    def generate(
        self, prompt: Prompt, most: int, stop: Stop, ending: Ending, grammar: "LlamaGrammar | None" = None
    ) -> Iterator[str]:
        """The model's answer, at the temperature of the settings, without terminal control characters.

        With a ``grammar`` from :meth:`grammar_of`, the text conforms to it, but may be cut.
        """
        tokens = self._tokens(prompt)
        most = min(most, self.context_tokens - len(tokens))
        if most < 1:
            raise BadInputError(
                f"a prompt of {len(tokens)} tokens leaves no room in the model's context of "
                f"{self.context_tokens}",
                "shorten the question, or raise llama.context_tokens",
            )
        self._adapt(on=False)
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        written = 0
        started = False
        with self._stoppable(stop):
            self._read(tokens, stop)
            temperature = self._settings.temperature
            for token in self._llama.generate(tokens, temp=temperature, grammar=grammar) if not stop else ():
                if stop or self._api.llama_vocab_is_eog(self._vocabulary, token):
                    break
                text = visible(decoder.decode(self._bytes(token)))
                text = text if started else text.lstrip()
                started = started or bool(text)
                if text:
                    yield text
                written += 1
                if written >= most:
                    ending.note = f"the answer was cut after {most} tokens"
                    break
        if stop:
            ending.note = CANCELLED

    @contextmanager
    def _stoppable(self, stop: Stop) -> Iterator[None]:
        """A block that computes with llama.cpp, which a stop ends; its speed is measured.

        Raises:
            TimelensError: llama.cpp fails.
        """
        self._api.llama_set_abort_callback(self._llama.ctx, self._abort, stop.address)
        self._api.llama_perf_context_reset(self._llama.ctx)
        try:
            yield
        except RuntimeError as error:
            if not stop:  # after a stop, the wrapper's cache is still valid
                self._llama.reset()
                raise TimelensError(
                    f"llama.cpp failed: {error}", "lower llama.context_tokens or llama.gpu_layers"
                ) from error
        finally:
            self._api.llama_set_abort_callback(self._llama.ctx, self._abort, _NEVER.address)
            self._speed += self._measured()

    def _measured(self) -> Speed:
        """The speed since llama.cpp's counters were reset; they are 1 instead of 0 without any token."""
        counted = self._api.llama_perf_context(self._llama.ctx)
        read = counted.n_p_eval if counted.t_p_eval_ms else 0
        written = counted.n_eval if counted.t_eval_ms else 0
        return Speed(read, counted.t_p_eval_ms / 1000, written, counted.t_eval_ms / 1000)

    def _read(self, tokens: list[int], stop: Stop) -> None:
        """Evaluate a prompt after its common prefix with the cache, in batches, except the last batch.

        The abort callback works only on the CPU; between batches, computation on a GPU can be stopped too.
        """
        known = zip(self._llama.input_ids[: self._llama.n_tokens].tolist(), tokens, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], known))
        for end in range(same + self._llama.n_batch, len(tokens), self._llama.n_batch):
            if stop:
                return
            next(self._llama.generate(tokens[:end], temp=0.0))

    def _frame_of(self, description: ModelDescription) -> tuple[str, ...]:
        """The model's chat template around two marks, split at them; the marks are among the pieces."""
        template = self._llama.chat_template
        if template is None:
            return PLAIN_FRAME
        eos, bos = self._special(self._llama.token_eos()), self._special(self._llama.token_bos())
        return frame_of(description.path, template, eos=eos, bos=bos)

    def _tokens(self, prompt: Prompt) -> list[int]:
        """The tokens of a prompt in the model's template. Only the template can contain control tokens."""
        contents = {INSTRUCTIONS_MARK: prompt.instructions, REQUEST_MARK: prompt.request}
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
        """The bytes of a token. ``Llama.detokenize`` drops tokens of more than 32 bytes."""
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            length: int = self._api.llama_token_to_piece(self._vocabulary, token, buffer, room, 0, special)
            if length >= 0:
                return buffer.raw[:length]
            room = -length
