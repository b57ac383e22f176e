"""Train what the reader needs to find what tells yes or no: its upper layers anew, and a head.

    python scripts/train_whether.py --out build/whether

The questions are those of ``scripts/reading/collections``: the ones of yes or no in each of their wordings,
and others put as such, with their answer (yes) or with another one of the same kind (no). Those of
``scripts/reading/whether.txt`` come with sentences that tell. A question is learned beside passages that
tell and passages that do not. The lower layers stay as they are, and what they give is computed once. The
collections that the reader's training left out, and every sixth of the other questions, are left out here as
well and scored in the end. On two cores it takes a quarter of an hour; a run that was stopped goes on from
its last checkpoint.
"""

import argparse
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from additions import AT_ONCE, Additions, Prepared, begun, parser_of, scores_in, wanted_in
from reading_examples import Asked, Example, Maker, asked_of, held_out, nearest
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, inputs_of, worded

from timelens.ingest.chunking import split_sentences
from timelens.reader.encoding import Passage
from timelens.reader.network import HEAD
from timelens.temporal.interval import Granularity, Interval, granule

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


def shares_of(scores: Tensor) -> Tensor:
    """The log of how likely each token is chosen by each output, shape (inputs, tokens, 2)."""
    return functional.log_softmax(scores.flatten(1), -1).view_as(scores)


def loss_of(scores: Tensor, batch: Sequence[Prepared[Case]]) -> Tensor:
    """How unlikely the wanted tokens are among all that may be chosen, by either output."""
    wanted = wanted_in(batch, scores.shape[1])
    return -torch.logsumexp(shares_of(scores).masked_fill(~wanted, -1e4).flatten(1), -1).mean()


def head_of(base: Mapping[str, Tensor]) -> Tensor:
    """What the two outputs begin with: what tells is found as an answer is."""
    middle = base[f"{HEAD}.weight"].mean(0)
    apart = torch.randn(len(middle), generator=torch.Generator().manual_seed(17)) * 0.02
    return torch.stack([middle + apart, middle - apart])


@torch.inference_mode()
def score(weights: Mapping[str, Tensor], inputs: Sequence[Prepared[Case]]) -> None:
    """Print how yes, no and neither are told apart in the passages that tell and in those that do not."""
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


def train(arguments: argparse.Namespace) -> None:
    """Train, with a checkpoint every few minutes, and score."""

    def made(tokenizer: Tokenizer) -> Iterator[tuple[Case, Input]]:
        maker, rng = Maker(tokenizer), random.Random(17)
        files = sorted(arguments.collections.glob("*.documents.jsonl"))
        cases = [case for file in files for case in cases_of(file, maker, rng)]
        hosts = [c.example.passage for c in cases if not c.example.answers and not c.example.held_out]
        cases += from_sentences(arguments.sentences, hosts, maker, rng)
        rng = random.Random(5)
        for case in cases:
            typed = replace(case, example=worded([case.example], rng)[0])
            yield from ((typed, each) for each in inputs_of_case(typed, tokenizer))

    base, everything = begun(arguments, made)
    learned = [one for one in everything if not one.about.example.held_out]
    kept = [
        one for one in learned for _ in range(arguments.often if one.about.example.source == "whether" else 1)
    ]
    additions = Additions(base, head_of(base), arguments)
    additions.train(kept, loss_of, arguments, arguments.out / "whether.safetensors")
    score(additions.weights(), [one for one in everything if one.about.example.held_out])


def main() -> None:
    """Read the arguments and train."""
    parser = parser_of(__doc__, Path("build/whether"), passes=2, rate=1.5e-4)
    parser.add_argument("--sentences", type=Path, default=Path(__file__).parent / "reading" / "whether.txt")
    parser.add_argument(
        "--often", type=int, default=2, help="how often a pass has the questions of yes or no"
    )
    train(parser.parse_args())


if __name__ == "__main__":
    main()
