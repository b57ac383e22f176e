"""Shared by the trainers of the reader: trained weights, and runs that continue after a stop."""

import argparse
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor

from timelens.bert.learned_weights import DIFFERENCE, SCALE, LearnedWeights

_RISES = 0.06
"""The share of a run in which the learning rate rises to its maximum; then it falls to ``_LEAST`` of it."""
_LEAST = 0.02
_CHECKPOINT_SECONDS = 240
HAS_HALF = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()  # noqa: SLF001
"""Whether the processor computes in bfloat16; without that it takes nine times as long as in full."""
_REPORTED = 20
"""Number of steps between two lines of a run."""
_LEVELS, _DIFFERENCE_LEVELS = 127, 15
"""Largest whole number in which a matrix is stored, and a difference from another matrix."""

T = TypeVar("T")


def half() -> torch.autocast:
    """Computing in bfloat16, where the processor does."""
    return torch.autocast("cpu", torch.bfloat16, enabled=HAS_HALF)


class Learner:
    """Trained weights, the state of their optimizer, and the progress of the run."""

    def __init__(
        self, learned: Mapping[str, Tensor], rate_of: Callable[[str], float], arguments: argparse.Namespace
    ) -> None:
        """Start, or continue from the checkpoint in ``arguments.out``.

        ``learned`` has the weights by name, and ``rate_of`` gives the maximum learning rate of each. A
        checkpoint of a run with other arguments is an error.
        """
        self._file: Path = arguments.out / "checkpoint.pt"
        self._learned = {name: value.requires_grad_() for name, value in learned.items()}
        self._rates = sorted({rate_of(name) for name in learned})
        groups = [[v for n, v in self._learned.items() if rate_of(n) == rate] for rate in self._rates]
        self._optimizer = torch.optim.AdamW([{"params": group} for group in groups], weight_decay=0.01)
        asked = {name: str(value) for name, value in vars(arguments).items() if name != "threads"}
        self._run = json.dumps(asked, sort_keys=True)
        self._saved = time.monotonic()
        self.steps = 0
        self.seen = 0
        """Amount of data trained on, in the trainer's own units."""
        if self._file.exists():
            self._resume()

    def _resume(self) -> None:
        saved = torch.load(self._file, weights_only=True)
        if saved["run"] != self._run:
            raise SystemExit(f"{self._file} is of a run with other arguments; name another --out")
        self.steps, self.seen = saved["steps"], saved["seen"]
        self._optimizer.load_state_dict(saved["optimizer"])
        with torch.no_grad():
            for name, value in self._learned.items():
                value.copy_(saved["learned"][name])

    def learn(self, loss_of: Callable[[], Tensor], share: float) -> float:
        """One step at ``share`` of the run; returns its loss. The learning rate rises, then falls."""
        part = min(share / _RISES, max(_LEAST, (1 - share) / (1 - _RISES)))
        for group, rate in zip(self._optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * part
        torch.manual_seed(self.steps)
        loss = loss_of()
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(list(self._learned.values()), 1.0)
        self._optimizer.step()
        self.steps += 1
        return float(loss.detach())

    def run(
        self,
        kept: Sequence[T],
        length_of: Callable[[T], int],
        loss_of: Callable[[Sequence[T]], Tensor],
        arguments: argparse.Namespace,
    ) -> None:
        """Train on all examples ``passes`` times, from the last checkpoint, in batches of similar length."""
        size = arguments.batch
        total = arguments.passes * -(-len(kept) // size)
        print(f"{len(kept)} examples, {total} steps, {self.steps} done", flush=True)
        losses = []
        for number in range(arguments.passes):
            rng = random.Random(1000 + number)
            order = sorted(kept, key=lambda one: length_of(one) + rng.random() * 16)
            parts = [order[i : i + size] for i in range(0, len(order), size)]
            rng.shuffle(parts)
            for part in parts[max(0, self.steps - number * len(parts)) :]:
                losses.append(self.learn(partial(loss_of, part), self.steps / total))
                if self.steps % _REPORTED == 0:
                    print(f"{self.steps}/{total} loss {np.mean(losses[-_REPORTED:]):.3f}", flush=True)
                self.save()
        self.save(now=True)

    def save(self, *, now: bool = False) -> None:
        """Write the checkpoint atomically, if a few minutes have passed or ``now``."""
        if not now and time.monotonic() - self._saved < _CHECKPOINT_SECONDS:
            return
        part = self._file.with_suffix(".part")
        learned = {name: value.detach() for name, value in self._learned.items()}
        state = {"learned": learned, "optimizer": self._optimizer.state_dict(), "run": self._run}
        torch.save(state | {"steps": self.steps, "seen": self.seen}, part)
        part.replace(self._file)
        self._saved = time.monotonic()


def write(weights: Mapping[str, Tensor], file: Path, base: Mapping[str, Tensor] | None = None) -> None:
    """Write matrices as whole numbers with a scale for each row, the rest in half precision.

    Those of the encoder are written as differences from ``base``, if given. Such differences are small: 5
    bits keep them as precisely as 8 bits keep a whole matrix, and compress to two thirds of the size.
    """
    found = {}
    for name, weight in weights.items():
        value = weight.detach().cpu().contiguous()
        if value.dim() == 1:
            found[name] = value.half()
        elif base is not None and name.startswith("encoder."):
            found |= _whole_numbers(f"{name}{DIFFERENCE}", value - base[name], _DIFFERENCE_LEVELS)
        else:
            found |= _whole_numbers(name, value, _LEVELS)
    save_file(found, str(file))


def _whole_numbers(name: str, value: Tensor, levels: int) -> dict[str, Tensor]:
    """A matrix in whole numbers from ``-levels`` to ``levels``, and the scale of each row."""
    scale = (value.abs().amax(1, keepdim=True) / levels).half()
    # A difference may be so small that its scale is 0 in half precision.
    numbers = (value / scale.float()).nan_to_num(0, 0, 0).round().clamp(-levels, levels).to(torch.int8)
    return {name: numbers, f"{name}{SCALE}": scale}


def weights_in(file: Path, base: Mapping[str, Tensor] | None = None) -> dict[str, Tensor]:
    """Trained weights by name, in single precision; ``base`` is what differences in the file are from."""
    below = None if base is None else {name: value.numpy() for name, value in base.items()}
    arrays = LearnedWeights(file, "file").arrays(below)
    return {name: torch.from_numpy(value) for name, value in arrays.items()}
