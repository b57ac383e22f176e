"""Local models: streaming compared with llama.cpp's own loop, follow-up questions, and layers on the GPU.

Models with random weights stand in for real ones of the same shape: the computation is the same, the output
is meaningless. Real models are measured from their files. End-of-text tokens are ignored, so that all loops
write equally many tokens. Budgets: tokens/s at least 0.95 of llama.cpp's own loop; the first token of a
follow-up on the same evidence after at most 0.5 of the time of the first question. ``benchmarks/gpu.md`` has
commands and figures.

    python benchmarks/llama.py                    # the shapes for this machine
    python benchmarks/llama.py --shapes 1b 8b     # others; the files are kept in --folder for the next time
    python benchmarks/llama.py --models a.gguf    # real models
"""

import argparse
import logging
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import llama_cpp
import numpy as np

from timelens.answer.draft import Draft, Status
from timelens.answer.llama import LlamaAnswerer, Session, build_info
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.lm.language_model import Ending, LanguageModel
from timelens.answer.lm.stop import Stop
from timelens.answer.models.gguf_header import describe_model
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.answer.writing.answer_prompt import Prompt
from timelens.config import LlamaSettings
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval

ROUNDS = 5
PIECES, WORDS = 8, 60
"""Pieces of evidence for the follow-up, and words in each: more than a thousand tokens."""
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a model, in the terms of Llama."""

    layers: int
    embedding: int
    feed_forward: int
    heads: int
    kv_heads: int
    vocabulary: int


SHAPES = {
    "tiny": Shape(2, 64, 128, 4, 2, 512),
    "100m": Shape(12, 768, 2048, 12, 4, 32_000),
    "1b": Shape(16, 2048, 8192, 32, 8, 128_000),
    "8b": Shape(32, 4096, 14336, 32, 8, 128_000),
}


def write_model(path: Path, shape: Shape) -> Path:
    """A model of random 4-bit weights (Q4_0); tensors of one shape are equal, to save memory."""
    tokens = [*_bytes(), "an", "in"]
    tokens += [f"w{number}" for number in range(shape.vocabulary - len(tokens) - len(CONTROL))]
    tokens += CONTROL
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_vocab_size(len(tokens))
    writer.add_context_length(32_768)
    writer.add_embedding_length(shape.embedding)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(shape.embedding // shape.heads)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    kinds = [gguf.TokenType.NORMAL] * (len(tokens) - len(CONTROL)) + [gguf.TokenType.CONTROL] * len(CONTROL)
    writer.add_token_types(kinds)
    writer.add_token_merges(["a n", "i n"])
    writer.add_bos_token_id(len(tokens) - 3)
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    random = np.random.default_rng(7)
    known: dict[tuple[int, int], np.ndarray[Any, Any]] = {}

    def add(name: str, rows: int, columns: int) -> None:
        if (rows, columns) not in known:
            blocks = random.integers(0, 256, (rows, columns // 32, 18), dtype=np.uint8)
            scale = np.array([0.3 / np.sqrt(columns)], np.float16).view(np.uint8)
            blocks[:, :, :2] = scale  # each block is a scale and 32 numbers of 4 bits
            known[rows, columns] = blocks.reshape(rows, -1)
        writer.add_tensor(name, known[rows, columns], raw_dtype=gguf.GGMLQuantizationType.Q4_0)

    ones = np.ones(shape.embedding, dtype=np.float32)
    kv_size = shape.embedding // shape.heads * shape.kv_heads
    add("token_embd.weight", len(tokens), shape.embedding)
    writer.add_tensor("output_norm.weight", ones)
    add("output.weight", len(tokens), shape.embedding)
    for layer in range(shape.layers):
        for name, rows, columns in (
            ("attn_q", shape.embedding, shape.embedding),
            ("attn_k", kv_size, shape.embedding),
            ("attn_v", kv_size, shape.embedding),
            ("attn_output", shape.embedding, shape.embedding),
            ("ffn_gate", shape.feed_forward, shape.embedding),
            ("ffn_up", shape.feed_forward, shape.embedding),
            ("ffn_down", shape.embedding, shape.feed_forward),
        ):
            add(f"blk.{layer}.{name}.weight", rows, columns)
        writer.add_tensor(f"blk.{layer}.attn_norm.weight", ones)
        writer.add_tensor(f"blk.{layer}.ffn_norm.weight", ones)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _bytes() -> list[str]:
    """The character for each byte in GPT-2's vocabulary."""
    shown = {*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = iter(range(256, 512))
    return [chr(byte) if byte in shown else chr(next(hidden)) for byte in range(256)]


def own_loop(model: LoadedModel, tokens: list[int], count: int) -> float:
    """Tokens/s of llama.cpp's own loop: decode a token, choose the most likely next one, repeat."""
    context = model._llama.ctx
    llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(context), True)
    sampler = llama_cpp.llama_sampler_init_greedy()
    size = model._llama.n_batch
    for start in range(0, len(tokens), size):
        _decode(context, tokens[start : start + size])
    token = llama_cpp.llama_sampler_sample(sampler, context, -1)
    started = time.perf_counter()
    for _ in range(count):
        _decode(context, [token])
        token = llama_cpp.llama_sampler_sample(sampler, context, -1)
    spent = time.perf_counter() - started
    llama_cpp.llama_sampler_free(sampler)
    model._llama.reset()
    return count / spent


def _decode(context: object, tokens: list[int]) -> None:
    array = (llama_cpp.llama_token * len(tokens))(*tokens)
    if llama_cpp.llama_decode(context, llama_cpp.llama_batch_get_one(array, len(tokens))):
        raise RuntimeError("llama_decode failed")


@contextmanager
def endless() -> Iterator[None]:
    """No token ends the text: the end-of-text check is called as usual, but its result is ignored."""
    asked = llama_cpp.llama_vocab_is_eog
    llama_cpp.llama_vocab_is_eog = lambda vocabulary, token: bool(asked(vocabulary, token)) and False
    try:
        yield
    finally:
        llama_cpp.llama_vocab_is_eog = asked


def our_streaming(session: Session, prompt: Prompt, count: int) -> float:
    """Tokens/s that a reader of the stream sees, after the first token."""
    times: list[float] = []

    def job(model: LanguageModel, stop: Stop) -> Iterator[str]:
        assert isinstance(model, LoadedModel)
        model._llama.reset()
        text_of = model._bytes

        def timed(token: int, *, special: bool = False) -> bytes:
            times.append(time.perf_counter())
            return text_of(token, special=special)

        model._bytes = timed  # type: ignore[method-assign]
        try:
            yield from model.generate(prompt, count + 1, stop, Ending())
        finally:
            model._bytes = text_of  # type: ignore[method-assign]

    for _ in session.stream(job):
        pass
    spent = time.perf_counter() - times[0]
    if len(times) != count + 1:
        raise RuntimeError(f"{len(times)} tokens were written in place of {count + 1}")
    return count / spent


def evidence(subject: str) -> Timeline:
    """Pieces of evidence that differ from those about another subject."""

    def piece(number: int) -> Hit:
        year = Interval(day_number(1990 + number), day_number(1991 + number), Granularity.YEAR)
        text = f"In {1990 + number} {subject} was told of at length in the town. " * (WORDS // 12)
        events = (Event(year, 0, EventSource.STATED, 1.0),)
        chunk = Chunk(
            f"{subject}{number}", subject, number, subject, "", text, year, ((0, len(text)),), events
        )
        return Hit(chunk, Scores(1.0, 1.0, 1.0, 1.0), year, 0)

    return make_timeline([piece(number) for number in range(PIECES)])


def first_token(answerer: LlamaAnswerer, question: str, timeline: Timeline) -> float:
    """Seconds from a question to the first piece of its answer."""
    parsed = parse(question, day_number(2026))
    started = time.perf_counter()
    stream = answerer.write(parsed, timeline, Draft(Status.ANSWERED, ""))
    next(stream)
    spent = time.perf_counter() - started
    for _ in stream:
        pass
    return spent


class Offloaded(logging.Handler):
    """Records llama.cpp's message about the number of layers on the GPU."""

    said = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the number of layers in the message."""
        if match := re.search(r"offloaded (\d+/\d+) layers to GPU", record.getMessage()):
            self.said = match.group(1)


def measure(name: str, path: Path, tokens: int, threads: int | None) -> None:
    """Print the figures of one model."""
    settings = LlamaSettings(model=path, answer_tokens=16, threads=threads)
    ears = Offloaded()
    log = logging.getLogger("timelens.answer.llama.library")
    log.addHandler(ears)
    log.setLevel(logging.DEBUG)
    description = describe_model(path)
    answerer = LlamaAnswerer(settings)
    session = answerer.session
    prompt = Prompt("Answer.", "Who led it? " * 40, frozenset())
    our_streaming(session, prompt, 1)  # loads the model
    model = session._model
    if model is None:
        raise RuntimeError("the model was not loaded")
    ratios, ours, own = [], [], []
    for _ in range(ROUNDS):
        own.append(own_loop(model, model._tokens(prompt), tokens))
        ours.append(our_streaming(session, prompt, tokens))
        ratios.append(ours[-1] / own[-1])
    size = f"{description.parameters / 1e6:,.0f}M parameters, {path.stat().st_size / 1e6:,.0f} MB"
    print(f"{name} ({size})")
    middle = statistics.median(ratios)
    print(
        f"  streaming     {statistics.median(ours):9.1f} tokens/s against {statistics.median(own):.1f}: "
        f"{middle:.2f} × (budget: at least 0.95)"
    )
    first_token(answerer, "Who led the club in 1995?", evidence("the mill"))  # makes room in its context
    firsts, nexts, others = [], [], []
    for number in range(ROUNDS):
        about = evidence(f"the bridge number {number}")
        firsts.append(first_token(answerer, "Who built it in 1995?", about))
        nexts.append(first_token(answerer, "What did it cost in 1995?", about))
        others.append(first_token(answerer, "When was it mended between 1991 and 1996?", about))
    answerer.close()
    first = statistics.median(firsts)
    for what, spent in (("follow-up", nexts), ("another time", others)):
        following = statistics.median(spent)
        print(
            f"  {what:13} {following:9.3f} s to the first token against {first:.3f} s: "
            f"{following / first:.2f} × (budget: at most 0.5)"
        )
    nothing = "none was reported" if build_info().gpu else "none: llama.cpp is built for the CPU"
    print(f"  layers on GPU {ears.said or nothing}")


def main() -> None:
    """Measure each model."""
    gpu = build_info().gpu
    arguments = argparse.ArgumentParser(description="Measure local models.")
    arguments.add_argument("--shapes", nargs="+", choices=SHAPES, help="of random weights")
    arguments.add_argument(
        "--models", nargs="+", type=Path, default=[], metavar="FILE", help="real ones, GGUF"
    )
    arguments.add_argument("--tokens", type=int, default=128, help="to generate in each round")
    arguments.add_argument(
        "--folder", type=Path, help="where the models are kept; a temporary one without it"
    )
    arguments.add_argument("--threads", type=int, help="as llama.threads; 1 where others use the machine")
    given = arguments.parse_args()
    usual = [] if given.models else ["1b", "8b"] if gpu else ["tiny", "100m"]
    with endless(), tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in given.shapes or usual:
            path = folder / f"random-{name}.gguf"
            if not path.exists():
                write_model(path, SHAPES[name])
            measure(name, path, given.tokens, given.threads)
        for path in given.models:
            measure(path.name, path, given.tokens, given.threads)


if __name__ == "__main__":
    main()
