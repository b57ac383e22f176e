"""A language model of some 200 kB with random weights, written with the `gguf` package: real to llama.cpp."""

from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float16]

EMBEDDING = 64
FEED_FORWARD = 128
HEADS = 4
KV_HEADS = 2
LAYERS = 2
CONTROL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_MERGES = ("t h", "i n", "a n", "e r", "th e", "o n", "r e", "Ġ t")


def write_tiny_gguf(
    path: Path,
    *,
    context_length: int = 4096,
    template: str | None = CHAT_TEMPLATE,
    printable: bool = True,
    end_bias: float = -1.0,
) -> Path:
    """Write the model; the same arguments give the same bytes.

    Its vocabulary is all bytes, a few merges and ChatML's control tokens. `printable` keeps its output to
    printable ASCII: one channel of the residual stream is constant, and the output layer subtracts it from
    every other token. `end_bias` is what it adds to the end-of-turn token by the same means.
    """
    tokens = [*_byte_characters(), *(merge.replace(" ", "") for merge in _MERGES), *CONTROL_TOKENS]
    end_of_text, _, end_of_turn = range(len(tokens) - 3, len(tokens))
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny random llama")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_vocab_size(len(tokens))
    writer.add_context_length(context_length)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(EMBEDDING // HEADS)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    control = [gguf.TokenType.CONTROL] * len(CONTROL_TOKENS)
    writer.add_token_types([*([gguf.TokenType.NORMAL] * (len(tokens) - len(control))), *control])
    writer.add_token_merges(list(_MERGES))
    writer.add_bos_token_id(end_of_text)
    writer.add_eos_token_id(end_of_turn)
    writer.add_add_bos_token(False)
    if template is not None:
        writer.add_chat_template(template)
    bias = np.zeros(len(tokens))
    if printable:
        bias[:] = [0.0 if _is_printable(token) else -8.0 for token in tokens]
    bias[end_of_turn] = end_bias
    _add_tensors(writer, bias)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_tensors(writer: gguf.GGUFWriter, bias: NDArray[np.float64]) -> None:
    random = np.random.default_rng(7)

    def matrix(rows: int, columns: int) -> Weights:
        weights: Weights = (random.standard_normal((rows, columns)) / np.sqrt(columns)).astype(np.float16)
        return weights

    def silent(rows: int, columns: int) -> Weights:
        """Leaves the constant channel as it is."""
        weights = matrix(rows, columns)
        weights[0] = 0
        return weights

    ones = np.ones(EMBEDDING, dtype=np.float32)
    embedding = matrix(len(bias), EMBEDDING) * 8
    embedding[:, 0] = 6
    output = matrix(len(bias), EMBEDDING) * 3
    output[:, 0] = bias
    writer.add_tensor("token_embd.weight", embedding.astype(np.float16))
    writer.add_tensor("output_norm.weight", ones)
    writer.add_tensor("output.weight", output.astype(np.float16))
    kv_size = EMBEDDING // HEADS * KV_HEADS
    for layer in range(LAYERS):
        tensors = {
            "attn_norm": ones,
            "attn_q": matrix(EMBEDDING, EMBEDDING),
            "attn_k": matrix(kv_size, EMBEDDING),
            "attn_v": matrix(kv_size, EMBEDDING),
            "attn_output": silent(EMBEDDING, EMBEDDING),
            "ffn_norm": ones,
            "ffn_gate": matrix(FEED_FORWARD, EMBEDDING),
            "ffn_up": matrix(FEED_FORWARD, EMBEDDING),
            "ffn_down": silent(EMBEDDING, FEED_FORWARD),
        }
        for name, weights in tensors.items():
            writer.add_tensor(f"blk.{layer}.{name}.weight", weights)


def _byte_characters() -> list[str]:
    """The character that stands for each byte in GPT-2's vocabulary, by byte."""
    shown = {*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = iter(range(256, 512))
    return [chr(byte) if byte in shown else chr(next(hidden)) for byte in range(256)]


def _is_printable(token: str) -> bool:
    return token.replace("Ġ", " ").isascii() and token not in CONTROL_TOKENS
