"""Train the reader to find sentences that answer a yes-or-no question: its upper layers, and a new head.

    python scripts/train_yes_no.py --out build/yes_no

The questions are those of ``scripts/reading/collections``: yes-or-no questions in all their wordings, and
other questions converted to yes-or-no questions with their answer (yes) or with another answer of the same
type (no). Those of ``scripts/reading/yes_no.txt`` come with sentences that answer them. A question is
trained with passages that answer it and passages that do not. The lower layers are frozen, and their output
is computed once. The collections held out from the reader's training, and every sixth of the other questions,
are held out here too and scored at the end. It takes a quarter of an hour on two cores; a stopped run
continues from its last checkpoint.
"""

import argparse
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from additions import AT_ONCE, Additions, Prepared, begun, parser_of, scores_in, wanted_in
from collection_examples import Asked, asked_of, papers_asked_about
from reading_examples import Example, Maker, Shape, held_out, nearest
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, inputs_of, worded

from timelens.ingest.chunking import split_sentences
from timelens.reader.encoding import Passage
from timelens.reader.network import HEAD
from timelens.temporal.interval import Granularity, Interval, granule

_RIVALS = 4
"""Number of similar questions of the same type, one of whose answers replaces the right one."""
_MOST_YEARS = 4
"""Maximum shift of a date in years, to ask about a time that is wrong."""
_TIMES, _SILENT = 5, 0.3
"""Passages that each sentence is inserted into, and the share that also occur without it."""
_WITHOUT = 2
"""Maximum number of nearest passages that do not answer a yes-or-no question."""
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
_PUT = 0.25
"""Share of the other questions that are converted to yes-or-no questions."""


@dataclass(frozen=True)
class Case:
    """A yes-or-no question with a passage; ``example.answers`` are the spans that answer it."""

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
"""Patterns of questions, and their form as a yes-or-no question with a possible answer."""
_WHEN = re.compile(rf"(?:since |until )?when {_ANY} {_REST}", re.IGNORECASE)


def put_as_whether(core: str, answer: str) -> str | None:
    """A question with an answer as a yes-or-no question; ``None`` if no pattern matches."""
    plain = core.strip(" ?")
    for pattern, form in _FORMS:
        if match := pattern.fullmatch(plain):
            made = form.format(answer=answer, **match.groupdict())
            return made[0].upper() + made[1:] + "?"
    return None


def cases_of(file: Path, maker: Maker, rng: random.Random) -> Iterator[Case]:
    """The questions of a collection as cases, each with all passages that answer it and some that do not."""
    asked = list(asked_of(file, maker))
    others = [one for one in asked if one.row["type"] != "yesno" and one.telling]
    near = nearest([one.core for one in others], [one.core for one in others], len(others))
    for one in asked:
        if one.row["type"] == "yesno":
            for core, window in ((one.core, one.window), *one.also):
                yield from _cases(one, core, window, yes=one.row["yes"])
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
    """Questions whether a dated event happened at all, at its time, and at another time."""
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
    """Questions with sentences that answer yes or no, each inserted at some place of some passages."""
    for number, block in enumerate(file.read_text().split("\n\n")[1:]):
        question, *sentences = block.splitlines()
        shape: Shape = {
            "group": f"sentences-{number}",
            "source": "sentences",
            "held_out": held_out(question, 6),
        }
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
    """The inputs of a case: the output of its answer, yes or no, should choose the answering span."""
    found = []
    for one in inputs_of(case.example, tokenizer):
        if not case.example.answers:
            found.append(one)
            continue
        tokens = tuple(i for a, b in zip(one.starts, one.ends, strict=True) for i in range(a, b + 1))
        found.append(Input(one.encoded, tokens, ()) if case.yes else Input(one.encoded, (), tokens))
    return found


# -- training ------------------------------------------------------------------------------------------------


def shares_of(scores: Tensor) -> Tensor:
    """The log probability that each output chooses each token, shape (inputs, tokens, 2)."""
    return functional.log_softmax(scores.flatten(1), -1).view_as(scores)


def loss_of(scores: Tensor, batch: Sequence[Prepared[Case]]) -> Tensor:
    """Negative log likelihood of the wanted tokens, over all tokens that may be chosen by either output."""
    wanted = wanted_in(batch)
    return -torch.logsumexp(shares_of(scores).masked_fill(~wanted, -1e4).flatten(1), -1).mean()


def head_of(base: Mapping[str, Tensor]) -> Tensor:
    """The initial head: both outputs start from the mean of the reader's head, with opposite noise."""
    middle = base[f"{HEAD}.weight"].mean(0)
    apart = torch.randn(len(middle), generator=torch.Generator().manual_seed(17)) * 0.02
    return torch.stack([middle + apart, middle - apart])


@torch.inference_mode()
def score(weights: Mapping[str, Tensor], inputs: Sequence[Prepared[Case]]) -> None:
    """Print how well yes, no and neither are distinguished, with and without an answering passage."""
    for source in ("whether", "put", "sentences"):
        kept = [one for one in inputs if one.about.example.source == source]
        told = []
        for first in range(0, len(kept), AT_ONCE):
            part = kept[first : first + AT_ONCE]
            for one, shares in zip(part, shares_of(scores_in(weights, part)).exp(), strict=True):
                said = bool(shares[1:, 0].sum() > shares[1:, 1].sum())
                told.append((one.about, float(shares[0].sum()), said))
        telling = sorted((none, yes == case.yes) for case, none, yes in told if case.example.answers)
        right = [is_right for _, is_right in telling]
        silent = np.mean([none > 0.5 for case, none, _ in told if not case.example.answers])
        print(
            f"{source}: yes or no right {np.mean(right):.3f} of {len(right)} passages that tell, "
            f"{np.mean(right[: len(right) // 2]):.3f} of the surer half; taken to tell neither "
            f"{np.mean([none > 0.5 for none, _ in telling]):.3f} of these, {silent:.3f} of those that do not",
            flush=True,
        )


def made(collections: Path, sentences: Path, tokenizer: Tokenizer) -> Iterator[tuple[Case, Input]]:
    """The cases of the collections and of the sentences, with their inputs."""
    maker, rng = Maker(tokenizer), random.Random(17)
    cases = [case for file in papers_asked_about(collections) for case in cases_of(file, maker, rng)]
    hosts = [c.example.passage for c in cases if not c.example.answers and not c.example.held_out]
    cases += from_sentences(sentences, hosts, maker, rng)
    rng = random.Random(5)
    for case in cases:
        typed = replace(case, example=worded([case.example], rng)[0])
        yield from ((typed, each) for each in inputs_of_case(typed, tokenizer))


def train(arguments: argparse.Namespace) -> None:
    """Train, with a checkpoint every few minutes, and score."""
    reader, everything = begun(arguments, partial(made, arguments.collections, arguments.sentences))
    learned = [one for one in everything if not one.about.example.held_out]
    kept = [
        one for one in learned for _ in range(arguments.often if one.about.example.source == "whether" else 1)
    ]
    additions = Additions(reader, head_of(reader), arguments, reader=reader)
    additions.train(kept, loss_of, arguments, arguments.out / "yes_no.safetensors")
    score(additions.weights(), [one for one in everything if one.about.example.held_out])


def main() -> None:
    """Read the arguments and train."""
    parser = parser_of(__doc__, Path("build/yes_no"), passes=2, rate=1.5e-4)
    parser.add_argument("--sentences", type=Path, default=Path(__file__).parent / "reading" / "yes_no.txt")
    parser.add_argument(
        "--often", type=int, default=2, help="how often a pass has the questions of yes or no"
    )
    train(parser.parse_args())


if __name__ == "__main__":
    main()
