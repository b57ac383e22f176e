"""A loaded model: counts tokens and continues a prompt."""

import codecs
import ctypes
import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING

from timelens.answer.gguf_header import ModelDescription
from timelens.answer.llama.frame import INSTRUCTIONS_MARK, PLAIN_FRAME, REQUEST_MARK, frame_of
from timelens.answer.llama.library import llama_cpp_library, load
from timelens.answer.llama.parameters import Caution, parameters_for
from timelens.answer.lm.model import Ending, visible
from timelens.answer.lm.speed import Speed
from timelens.answer.lm.stop import Stop
from timelens.answer.prompt import Prompt
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, TimelensError

if TYPE_CHECKING:
    from llama_cpp.llama_grammar import LlamaGrammar

_log = logging.getLogger(__name__)
_CHARACTER_RULE = re.compile(r"^char ::= .*$", re.MULTILINE)
_CHARACTERS = r'char ::= [^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]'
_NEVER = Stop()
_FIRST_CONTEXT = 4096
"""Tokens that the context has until more are needed; it grows in whole steps of this size."""


def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)


def most_context(description: ModelDescription, settings: LlamaSettings) -> int:
    """The largest context that a model may have, in tokens."""
    return min(settings.context_tokens, description.context_length or settings.context_tokens)


def first_context(description: ModelDescription, settings: LlamaSettings) -> int:
    """The context that a model is first loaded with, in tokens."""
    return min(_FIRST_CONTEXT, most_context(description, settings))


class LoadedModel:
    """A loaded model. Not for several threads at once."""

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
        """Free it."""
        self._llama.close()

    def take_speed(self) -> Speed:
        """What was read and written since this was last asked."""
        speed, self._speed = self._speed, Speed()
        return speed

    def make_room(self, tokens: int) -> None:
        """Enlarge the context for a prompt and its answer, as far as the model and the settings let it grow.

        The model is loaded again for it, and nothing of earlier prompts is remembered. Where memory does not
        hold the larger context the smaller one stays.
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
        """Whether a prompt fits with so many tokens of an answer; the context grows for them, as it may."""
        needed = self.template_tokens + self.count(prompt.instructions) + self.count(prompt.request) + most
        self.make_room(needed)
        return needed <= self.context_tokens

    def _load(self, context: int) -> None:
        parameters = parameters_for(self._settings, context, self._caution)
        self._llama = load(self._api, self._description, parameters)
        self._llama.set_seed(self._settings.seed)  # given 0 when it is made, it takes a seed of chance
        self._vocabulary = self._api.llama_model_get_vocab(self._llama.model)
        # llama.cpp rounds a context up, its Python wrapper does not.
        self.context_tokens: int = min(context, self._llama.n_ctx())
        _log.info("loaded: %s, context %d tokens", self._description.path.name, self.context_tokens)

    def count(self, text: str) -> int:
        """How many tokens a text is."""
        return len(self._content(text))

    def grammar_of(self, schema: Mapping[str, object]) -> "LlamaGrammar":
        """The grammar of JSON that fits a schema, whose texts and lists are bounded.

        llama.cpp's own lets control characters into strings, which no reader of JSON takes. One that it
        cannot use is found out here, because generation would crash on it.

        Raises:
            TimelensError: llama.cpp cannot use it.
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
        """The model's answer, at the temperature of the settings, without characters that act on a terminal.

        With a ``grammar`` of :meth:`grammar_of` it writes nothing else, though it may be cut.
        """
        tokens = self._tokens(prompt)
        most = min(most, self.context_tokens - len(tokens))
        if most < 1:
            raise BadInputError(
                f"a prompt of {len(tokens)} tokens leaves no room in the model's context of "
                f"{self.context_tokens}",
                "shorten the question, or raise llama.context_tokens",
            )
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._api.llama_set_abort_callback(self._llama.ctx, self._abort, stop.address)
        self._api.llama_perf_context_reset(self._llama.ctx)
        written = 0
        started = False
        try:
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
        except RuntimeError as error:
            if not stop:  # what was read before a stop is kept; the wrapper has not counted what came after
                self._llama.reset()
                raise TimelensError(
                    f"llama.cpp failed: {error}", "lower llama.context_tokens or llama.gpu_layers"
                ) from error
        finally:
            self._api.llama_set_abort_callback(self._llama.ctx, self._abort, _NEVER.address)
            self._speed += self._measured()
        if stop:
            ending.note = "the answer was cancelled before it was complete"

    def _measured(self) -> Speed:
        """What llama.cpp counted since its clock was set back. It counts one where there was none."""
        counted = self._api.llama_perf_context(self._llama.ctx)
        read = counted.n_p_eval if counted.t_p_eval_ms else 0
        written = counted.n_eval if counted.t_eval_ms else 0
        return Speed(read, counted.t_p_eval_ms / 1000, written, counted.t_eval_ms / 1000)

    def _read(self, tokens: list[int], stop: Stop) -> None:
        """Take a prompt in, batch by batch but for its last, from where it differs from the one before.

        The abort callback ends computation on the CPU alone; this way a GPU stops after a batch.
        """
        known = zip(self._llama.input_ids[: self._llama.n_tokens].tolist(), tokens, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], known))
        for end in range(same + self._llama.n_batch, len(tokens), self._llama.n_batch):
            if stop:
                return
            next(self._llama.generate(tokens[:end], temp=0.0))

    def _frame_of(self, description: ModelDescription) -> tuple[str, ...]:
        """The model's chat template around two marks, split at them; the marks are kept."""
        template = self._llama.chat_template
        if template is None:
            return PLAIN_FRAME
        eos, bos = self._special(self._llama.token_eos()), self._special(self._llama.token_bos())
        return frame_of(description.path, template, eos=eos, bos=bos)

    def _tokens(self, prompt: Prompt) -> list[int]:
        """The prompt in the model's template. Only the template can bring control tokens in."""
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
        """What a token stands for. ``Llama.detokenize`` loses tokens of more than 32 bytes."""
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            length: int = self._api.llama_token_to_piece(self._vocabulary, token, buffer, room, 0, special)
            if length >= 0:
                return buffer.raw[:length]
            room = -length
