"""Train the reading adapter: low-rank weights that make one model answer reading prompts.

    python scripts/train_adapter.py PROMPTS.jsonl … --model FILE.gguf --out build/adapter [--minutes 6]

``PROMPTS.jsonl`` come from ``scripts/adapter_prompts.py``; lines that are held out are not trained on. The
weights of the model are those of the file, with its quantisation, and do not change (Dettmers et al. 2023,
"QLoRA"). It needs a GPU with 80 GB, or patience, and ``pip install gguf``. The learning rate falls to almost
zero over the given minutes. Then the held-out prompts are answered, and ``replies.jsonl`` is written for
``scripts/calibrate_adapter.py``.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
import torch
from adapter_prompts import Tokens
from torch import Tensor, nn
from torch.nn import functional

from timelens.answer.writing.reading_prompt import INSTRUCTIONS

RANK, ALPHA = 8, 16.0
RATE, WARMING = 3e-4, 20
STEP_TOKENS = 16_000
SORTED = 512
"""Prompts that are sorted by length together, so that those of one step are about equally long."""
MOST_REPLY = 40
LINEAR = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TYPE = torch.bfloat16 if torch.cuda.is_available() else torch.float32


@dataclass(frozen=True)
class Row:
    """A prompt with its reply, as tokens."""

    id: str
    prompt: list[int]
    reply: list[int]

    def __len__(self) -> int:
        return len(self.prompt) + len(self.reply)


class Weights:
    """The tensors of a GGUF file of the architecture qwen2."""

    def __init__(self, file: Path) -> None:
        reader = gguf.GGUFReader(file)
        self._tensors = {tensor.name: tensor for tensor in reader.tensors}

        def setting(name: str) -> float:
            value: float = reader.fields[f"qwen2.{name}"].contents()
            return value

        self.layers, self.width = int(setting("block_count")), int(setting("embedding_length"))
        self.heads, self.shared = (
            int(setting("attention.head_count")),
            int(setting("attention.head_count_kv")),
        )
        self.epsilon, self.base = setting("attention.layer_norm_rms_epsilon"), setting("rope.freq_base")

    def find(self, name: str) -> Tensor | None:
        """A tensor, dequantised; ``None`` if there is none of the name."""
        return self.get(name) if name in self._tensors else None

    def get(self, name: str) -> Tensor:
        """A tensor that the file has, dequantised."""
        tensor = self._tensors[name]
        whole = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        return torch.from_numpy(np.ascontiguousarray(whole)).to(DEVICE, TYPE)


class Adapted(nn.Module):
    """A linear layer with fixed weights and a low-rank addition that is learned."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.weight, self.bias = weight, bias
        self.down = nn.Parameter(torch.empty(RANK, weight.shape[1], device=DEVICE))
        self.up = nn.Parameter(torch.zeros(weight.shape[0], RANK, device=DEVICE))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        """``x``: (…, width in) to (…, width out)."""
        added = functional.linear(functional.linear(x, self.down.to(x.dtype)), self.up.to(x.dtype))
        return functional.linear(x, self.weight, self.bias) + added * (ALPHA / RANK)


class Layer(nn.Module):
    """A layer of qwen2."""

    def __init__(self, weights: Weights, number: int) -> None:
        super().__init__()
        own = f"blk.{number}."
        self.linear = nn.ModuleDict(
            {
                name: Adapted(weights.get(f"{own}{name}.weight"), weights.find(f"{own}{name}.bias"))
                for name in LINEAR
            }
        )
        self.norms = [weights.get(f"{own}{name}.weight") for name in ("attn_norm", "ffn_norm")]
        self.heads, self.shared, self.epsilon = weights.heads, weights.shared, weights.epsilon

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        """``x``: (batch, tokens, width)."""
        batch, length, width = x.shape
        linear = self.linear
        normed = functional.rms_norm(x, (width,), self.norms[0], self.epsilon)

        def split(name: str, heads: int) -> Tensor:
            apart: Tensor = linear[name](normed).view(batch, length, heads, -1)
            return apart.transpose(1, 2)

        query, key = turned(split("attn_q", self.heads), turn), turned(split("attn_k", self.shared), turn)
        value, each = split("attn_v", self.shared), self.heads // self.shared
        read = functional.scaled_dot_product_attention(
            query, key.repeat_interleave(each, 1), value.repeat_interleave(each, 1), is_causal=True
        )
        x = x + linear["attn_output"](read.transpose(1, 2).reshape(batch, length, width))
        normed = functional.rms_norm(x, (width,), self.norms[1], self.epsilon)
        opened: Tensor = functional.silu(linear["ffn_gate"](normed)) * linear["ffn_up"](normed)
        added: Tensor = linear["ffn_down"](opened)
        return x + added


def turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary positions (Su et al. 2021) on ``x``: (batch, heads, tokens, width of a head)."""
    first, second = x.chunk(2, -1)
    return x * turn[0] + torch.cat([-second, first], -1) * turn[1]


class Network(nn.Module):
    """A model with an adapter."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.embedding, self.norm = weights.get("token_embd.weight"), weights.get("output_norm.weight")
        head = weights.find("output.weight")
        self.head = self.embedding if head is None else head
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(weights.layers))
        self.epsilon, size = weights.epsilon, weights.width // weights.heads
        speeds = weights.base ** -(torch.arange(0, size, 2, device=DEVICE) / size)
        angles = torch.arange(4096, device=DEVICE)[:, None] * speeds.repeat(2)[None]
        self.turn = angles.cos().to(TYPE), angles.sin().to(TYPE)

    def hidden(self, ids: Tensor) -> Tensor:
        """(batch, tokens) to (batch, tokens, width). Padding comes last; no token sees what is after it."""
        x = functional.embedding(ids, self.embedding)
        turn = self.turn[0][: ids.shape[1]], self.turn[1][: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, turn)
        return functional.rms_norm(x, (x.shape[-1],), self.norm, self.epsilon)

    def scores(self, hidden: Tensor) -> Tensor:
        """The logits of each token after ``hidden``: (n, width) to (n, vocabulary)."""
        return functional.linear(hidden, self.head).float()


def padded(rows: Sequence[list[int]]) -> Tensor:
    """Rows of tokens as one tensor, with zeros after them."""
    ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
    return ids.to(DEVICE)


def loss_of(network: Network, rows: Sequence[Row]) -> Tensor:
    """The mean loss over the tokens of the replies."""
    ids = padded([row.prompt + row.reply for row in rows])
    length = ids.shape[1]
    places = [
        number * length + len(row.prompt) - 1 + index
        for number, row in enumerate(rows)
        for index in range(len(row.reply))
    ]
    hidden = network.hidden(ids).flatten(0, 1)[torch.tensor(places, device=DEVICE)]
    wanted = torch.tensor([token for row in rows for token in row.reply], device=DEVICE)
    return functional.cross_entropy(network.scores(hidden), wanted)


def steps(rows: list[Row]) -> Iterator[list[Row]]:
    """Rows for each step, without end: shuffled, and about equally long within a step."""
    while True:
        random.shuffle(rows)
        for begin in range(0, len(rows), SORTED):
            cut = list(batches(rows[begin : begin + SORTED]))
            random.shuffle(cut)
            yield from cut


def batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows in order of length, in batches of at most ``STEP_TOKENS`` padded tokens."""
    batch: list[Row] = []
    for row in sorted(rows, key=len):
        if batch and len(row) * (len(batch) + 1) > STEP_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def train(network: Network, rows: list[Row], seconds: float) -> None:
    """Train for a time; the learning rate rises over the first steps and then falls with the time."""
    learned = list(network.parameters())
    optimizer = torch.optim.AdamW(learned, weight_decay=0.01, betas=(0.9, 0.98))
    began = time.monotonic()
    for number, batch in enumerate(steps(rows)):
        passed = (time.monotonic() - began) / seconds
        if passed >= 1:
            return
        falling = 0.05 + 0.475 * (1 + math.cos(math.pi * passed))
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (number + 1) / WARMING) * falling
        loss = loss_of(network, batch)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if number % 25 == 0:
            print(f"{passed:.0%} step {number}: loss {loss.item():.3f}", flush=True)


def write(network: Network, file: Path) -> None:
    """The adapter as a GGUF file for llama.cpp, in half precision."""
    out = gguf.GGUFWriter(file, "qwen2")
    out.add_type("adapter")
    out.add_string("adapter.type", "lora")
    out.add_float32("adapter.lora.alpha", ALPHA)
    out.add_name("timelens reading adapter")
    for number, layer in enumerate(network.layers):
        assert isinstance(layer, Layer)
        for name in LINEAR:
            adapted = layer.linear[name]
            assert isinstance(adapted, Adapted)
            for part, weight in (("a", adapted.down), ("b", adapted.up)):
                whole = weight.detach().half().cpu().numpy()
                out.add_tensor(f"blk.{number}.{name}.weight.lora_{part}", whole)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


@torch.no_grad()
def replies(
    network: Network, rows: Sequence[Row], refusal: int
) -> Iterator[tuple[str, list[int], float, float]]:
    """(id, reply, its log probability, that of a refusal) for each row: always the likeliest token."""
    for batch in batches(rows):
        written: list[list[int]] = [[] for _ in batch]
        total, refused = [0.0] * len(batch), [0.0] * len(batch)
        going = list(range(len(batch)))
        for step in range(MOST_REPLY):
            ids = padded([batch[index].prompt + written[index] for index in going])
            last = torch.tensor([len(batch[i].prompt) + len(written[i]) - 1 for i in going], device=DEVICE)
            hidden = network.hidden(ids)[torch.arange(len(going), device=DEVICE), last]
            chances = network.scores(hidden).log_softmax(-1)
            best = chances.max(-1)
            for place, index in enumerate(going):
                if step == 0:
                    refused[index] = float(chances[place, refusal])
                written[index].append(int(best.indices[place]))
                total[index] += float(best.values[place])
            going = [index for index in going if written[index][-1] != batch[index].reply[-1]]
            if not going:
                break
        for row, reply, sure, no in zip(batch, written, total, refused, strict=True):
            yield row.id, reply, sure, no


def main() -> None:
    """Train, write the adapter, and reply to what is held out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prompts", type=Path, nargs="+")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=6.0)
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    tokens = Tokens(options.model)
    made = [json.loads(line) for file in options.prompts for line in file.open()]
    rows = {
        row["id"]: Row(row["id"], tokens.prompt(INSTRUCTIONS, row["request"]), tokens.reply(row["reply"]))
        for row in made
    }
    held = [rows[row["id"]] for row in made if row["held_out"]]
    network = Network(Weights(options.model))
    train(network, [rows[row["id"]] for row in made if not row["held_out"]], 60 * options.minutes)
    options.out.mkdir(parents=True, exist_ok=True)
    write(network, options.out / "reading_adapter.gguf")
    with (options.out / "replies.jsonl").open("w") as out:
        for id_, reply, sure, refused in replies(network, held, tokens.refusal):
            told = {"id": id_, "text": tokens.text(reply), "log_probability": sure, "log_refusal": refused}
            out.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
