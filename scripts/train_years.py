"""Train the model that distinguishes years from other numbers (``timelens/temporal/year_model.py``).

    python scripts/train_years.py FOLDER --out timelens/temporal/year_model.json

``FOLDER`` holds ``timeqa``, ``timeqa_templates``, ``tempreason``, ``infobox_qa``, ``wikiwars``, ``fomc``,
``reading`` (SQuAD), ``recencyqa``, ``recognizers_datetime`` and ``duckling_time_en``; the texts and
questions of ``scripts/reading`` were written for the reader. Numbers in these texts are labelled as years,
except at the places listed in ``scripts/years/figures.jsonl``. In ``scripts/years/sentences`` each is
labelled by itself. Further sentences are generated from ``scripts/years/frames.txt`` and ``words.txt``. A
tenth of the documents, sentences, frames and words is held out by a hash of their names, never trained on,
and scored at the end. It takes a minute.
"""

import argparse
import hashlib
import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from timelens.temporal.false_positives import LEAST_ODDS
from timelens.temporal.year_model import features

_HERE = Path(__file__).parent
_NUMBER = re.compile(
    r"(?<![\w.,:/$\u00a3\u20ac#@+=\\])(?<![^a-zA-Z]-)[12][0-9]{3}"
    r"(?:[ \t]?[-\u2010-\u2015/][ \t]?(?:[0-9]{4}|[0-9]{2}))?(?![\w]|[.,:/=*+-][0-9]|%)"
)
_IN_DATE = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s(?:of\s)?"
    r"(?:[0-9]{1,2}(?:st|nd|rd|th)?\s?,?\s)?\Z",
    re.IGNORECASE,
)
"""A month or a day before a number; other rules read these."""
_SLOT = re.compile(r"\{([A-Za-z0-9]+)\}")
_IN_CONTEXT = 3
"""Factor for the number of sentences generated from a phrase with varying contexts."""
_REAL, _HARD = 5, 0.5
"""Weights of a number in a real text and in a sentence of ``scripts/years/sentences``, relative to one in a
generated sentence. Most of the sentences are hard on purpose: with more weight, plain years are lost."""
_FEWEST = 3
"""Minimum number of documents or frames in which a feature must occur."""
_SMALLEST = 0.12
"""Weights below are left out: they are most, and change little."""
_HELD_OUT = 10
"""One in so many documents, frames and words is held out."""


@dataclass(frozen=True)
class Example:
    """A number in a text, whether it is a year, and its document or frame."""

    text: str
    start: int
    end: int
    is_year: bool
    group: str
    weight: float = 1


def main() -> None:
    """Train, print the results on the held-out part, write the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--sentences", type=int, default=120, help="made of each frame")
    parser.add_argument("--strength", type=float, default=1.0, help="inverse of the L2 penalty")
    parser.add_argument(
        "--without", default="", help="kinds of frames to leave out of training and score, by commas"
    )
    parser.add_argument("--list", action="store_true", help="print what is judged otherwise than its label")
    options = parser.parse_args()
    examples = [
        *read(options.folder),
        *written(),
        *made(random.Random(options.seed), options.sentences),
    ]
    apart = set(options.without.split(",")) - {""}
    held_out = (
        [e for e in examples if kind_of(e) in apart]
        if apart
        else [e for e in examples if is_held_out(e.group)]
    )
    train = [e for e in examples if kind_of(e) not in apart and not is_held_out(e.group)]
    weights = fitted(train, options.strength, options.seed)
    print(f"{len(train)} examples, {len(weights)} weights")
    report("train", train, weights)
    report("held out", held_out, weights, by_kind=True)
    if options.list:
        listed(examples, weights)
    options.out.write_text(json.dumps(weights, ensure_ascii=False, separators=(",", ":"), indent=0) + "\n")


def kind_of(example: Example) -> str:
    """The kind of a frame, or the folder of a document."""
    return example.group.partition("\t")[0]


def is_held_out(name: str) -> bool:
    """Whether a document, frame or word is kept for scoring."""
    return hashlib.sha256(name.encode()).digest()[0] % _HELD_OUT == 0


def read(folder: Path) -> Iterator[Example]:
    """The numbers in real texts."""
    figures = {
        (row["source"], row["doc"]): row
        for row in map(json.loads, (_HERE / "years" / "figures.jsonl").read_text().splitlines())
    }
    for source, name, text in texts(folder):
        marked = figures.get((source, name), {})
        for number in _NUMBER.finditer(text):
            if _IN_DATE.search(text[max(0, number.start() - 25) : number.start()]) is not None:
                continue
            if number.start() in marked.get("unsure", ()):
                continue
            is_year = number.start() not in marked.get("figures", ())
            yield Example(text, number.start(), number.end(), is_year, f"{source}\t{name}", _REAL)


def written() -> Iterator[Example]:
    """The numbers in braces in the hand-written sentences; each line is independent."""
    for file in sorted((_HERE / "years" / "sentences").glob("*.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            sign, _, marked = line.partition("\t")
            parts = re.split(r"[{}]", marked)
            text = "".join(parts)
            at = 0
            for number, part in enumerate(parts):
                if number % 2:
                    yield Example(text, at, at + len(part), sign == "+", f"{file.stem}\t{line}", _HARD)
                at += len(part)


def texts(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Source, name and text of each document, and those of :func:`questions`."""
    for row in rows(folder / "timeqa" / "docs.jsonl"):
        yield "timeqa", row["doc_id"], "\n".join(row["paragraphs"])
    for source, name in (
        ("timeqa_templates", "docs"),
        ("tempreason", "docs"),
        ("infobox_qa", "docs"),
        ("wikiwars", "docs"),
        ("fomc", "docs"),
    ):
        for row in rows(folder / source / f"{name}.jsonl"):
            yield source, row["doc_id"], row["text"]
    for row in rows(folder / "reading" / "passages.jsonl"):
        yield "squad", row["id"], row["text"]
    for file in sorted((_HERE / "reading").glob("*.documents.jsonl")):
        for row in rows(file):
            yield "written", f"{file.name.partition('.')[0]}/{row['id']}", row["text"]
    yield from questions(folder)


def questions(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Source, name and text of each question and expression."""
    for source, file_name, field in (
        ("timeqa", "questions", "question"),
        ("timeqa", "questions_hard", "question"),
        ("timeqa_templates", "questions", "question"),
        ("tempreason", "questions", "question"),
        ("recencyqa", "questions", "question"),
        ("recognizers_datetime", "model", "input"),
        ("duckling_time_en", "expressions", "expression"),
    ):
        for row in rows(folder / source / f"{file_name}.jsonl"):
            yield f"{source} {file_name}", row["id"], row[field]
    for file in sorted((_HERE / "reading" / "collections").glob("*.jsonl")):
        for row in rows(file):
            for question in (row["question"], *row.get("also", ())) if "question" in row else ():
                yield "asked", f"{file.name.partition('.')[0]}/{question}", question


def rows(file: Path) -> list[dict[str, str]]:
    """The records of a JSON Lines file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def made(rng: random.Random, sentences: int) -> Iterator[Example]:
    """Sentences generated from frames and words; held-out frames get held-out words."""
    words = lists_of_words()
    for line in (_HERE / "years" / "frames.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("# "):
            continue
        kind, _, frame = line.partition("\t")
        held_out = is_held_out(line)
        usable = {
            slot: [w for w in of_slot if is_held_out(w) == held_out or len(of_slot) < 60]
            for slot, of_slot in words.items()
        }
        contexts = usable.get(f"{kind[1:]}context", ["@"])
        for _ in range(sentences if len(contexts) == 1 else _IN_CONTEXT * sentences):
            whole = rng.choice(contexts).replace("@", frame).replace("\\t", "\t")
            yield from filled(whole, f"{kind}\t{line}", usable, rng)


def lists_of_words() -> dict[str, list[str]]:
    """The words for each slot."""
    lists = {}
    for line in (_HERE / "years" / "words.txt").read_text(encoding="utf-8").splitlines():
        slot, _, listed_words = line.partition(": ")
        lists[slot] = [word for word in listed_words.split(" | ") if word]
    for slot in ("unit", "plural"):
        lists[f"{slot}1"] = sorted({word.removesuffix("s") for word in lists[slot] if word.isalpha()})
    return lists


def filled(
    frame: str, group: str, words: Mapping[str, Sequence[str]], rng: random.Random
) -> Iterator[Example]:
    """One sentence of a frame, with an example for each number in it that is judged."""
    is_year = group[0] == "+"
    first = a_year(rng) if is_year else a_figure(rng)
    numbers = {
        "N": str(first),
        "M": str(a_figure(rng, first)),
        "Y": str(first),
        "Z": str(first + rng.choice((1, 2, 4, 7, 15, 40, 99))),
        "F": str(rng.randint(2025, 2100)),
    }
    places: list[int] = []
    text = rng.choice(_BEFORE) if rng.random() < 0.3 else ""
    begin = len(text)
    pending = frame
    while (slot := _SLOT.search(pending)) is not None:
        text += pending[: slot.start()]
        pending = pending[slot.end() :]
        if (number := numbers.get(slot[1])) is not None:
            places.append(len(text))
            text += number
        elif slot[1] == "yy":
            text += f"{(first + 1) % 100:02}"
        else:
            pending = filler(slot[1], words, rng) + pending
    text = text[:begin] + in_letters(text[begin:] + pending, rng)
    judged = 0
    for place in places:
        match = _NUMBER.match(text, place)
        if match is not None and place >= judged:
            judged = match.end()
            yield Example(text, place, judged, is_year, group)


def in_letters(text: str, rng: random.Random) -> str:
    """A sentence as it is typed: usually capitalised, sometimes all in lower case."""
    if rng.random() < 0.08:
        return text.lower()
    return text[:1].upper() + text[1:] if rng.random() < 0.6 else text


_BEFORE = (
    "The rest is as it was. ",
    "We met twice.\n",
    "- ",
    "Well, ",
    "Note: ",
    "He said that ",
    "> ",
    "Done?\n\n",
    "and ",
)


def filler(slot: str, words: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    """The filler of a slot, which may have slots itself."""
    if slot == "N9":
        return rng.choice((str(rng.randint(2, 999)), f"{rng.randint(1, 90)},{rng.randint(100, 999)}"))
    if slot == "Y9":
        return str(a_year(rng))
    if slot == "mm":
        return f"{rng.randint(1, 12):02}"
    if slot == "Label":
        return rng.choice(words["label"]).capitalize()
    if slot == "ABBR":
        return "".join(rng.choices("ABCDEFGHIKLMNOPRSTUVWZ", k=rng.choice((1, 2, 2, 3, 3, 3, 4, 5))))
    if slot in {"Name", "Coined"}:
        syllables = rng.choices(_SYLLABLES, k=rng.choice((1, 2, 2, 3)))
        return "".join(syllables).capitalize() + rng.choice(_CODAS)
    return rng.choice(words[slot])


_SYLLABLES = [onset + vowel for onset in (*"bcdfghklmnprstvwz", "br", "gr", "st", "") for vowel in "aeiou"]
_CODAS = ["", *"nrslmxo", *"ck ton son ley man berg ski ix on ard".split()]


def a_year(rng: random.Random) -> int:
    """A random year; late years are more frequent."""
    return rng.choice(
        (
            rng.randint(1900, 2029),
            rng.randint(1960, 2028),
            rng.randint(1000, 1899),
            rng.randint(1700, 2100),
            rng.choice((rng.randint(10, 20) * 100, rng.randint(100, 203) * 10)),
        )
    )


def a_figure(rng: random.Random, above: int = 1000) -> int:
    """A random number: usually like a year, sometimes round like a count."""
    if above > 1000:
        return min(above + rng.choice((1, 3, 50, 100, 200, 500, rng.randint(2, 400))), 2999)
    return rng.choice(
        (
            a_year(rng),
            a_year(rng),
            rng.randint(1000, 2999),
            rng.randint(10, 29) * 100,
            rng.randint(100, 299) * 10,
        )
    )


def fitted(train: Sequence[Example], strength: float, seed: int) -> dict[str, float]:
    """The rounded weights of features, without those below ``_SMALLEST``."""
    found = [features(e.text, e.start, e.end) for e in train]
    groups: dict[str, set[str]] = defaultdict(set)
    for example, names in zip(train, found, strict=True):
        for name in names:
            if len(groups[name]) < _FEWEST:
                groups[name].add(example.group)
    index = {name: i for i, name in enumerate(sorted(n for n, of in groups.items() if len(of) >= _FEWEST))}
    indices = [[index[name] for name in names if name in index] for names in found]
    ends = np.cumsum([0, *map(len, indices)])
    flat = np.concatenate([np.array(row, dtype=np.int32) for row in indices])
    matrix = csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(train), len(index)))
    labels: NDArray[np.bool_] = np.array([e.is_year for e in train])
    sizes: dict[tuple[str, bool], int] = defaultdict(int)
    for e in train:
        sizes[e.group, e.is_year] += 1
    # frequent examples of one document or frame count by the square root of their number
    scale = np.array([e.weight / math.sqrt(sizes[e.group, e.is_year]) for e in train])
    model = LogisticRegression(
        l1_ratio=0, C=strength, solver="liblinear", random_state=seed, fit_intercept=False, max_iter=300
    )
    model.fit(matrix, labels, sample_weight=scale)
    return {name: round(float(w), 2) for name, i in index.items() if abs(w := model.coef_[0, i]) >= _SMALLEST}


def odds(example: Example, weights: Mapping[str, float]) -> float:
    """The model's log odds for a year."""
    return sum(weights.get(name, 0.0) for name in features(example.text, example.start, example.end))


def report(
    title: str, examples: Sequence[Example], weights: Mapping[str, float], *, by_kind: bool = False
) -> None:
    """Print the shares of years found and of figures taken for years at several log odds; errors by kind."""
    scores = np.array([odds(e, weights) for e in examples])
    labels = np.array([e.is_year for e in examples])
    real = np.array([e.group[0] not in "+-" for e in examples])
    for threshold in (-1.0, 0.0, 0.5, 0.8, 1.1, 1.5):
        said = scores > threshold
        print(
            f"{title}, above {threshold:+.1f}: years found in real texts {rate(said[labels & real])},"
            f" in made ones {rate(said[labels & ~real])}; figures taken for years in real texts"
            f" {rate(said[~labels & real])}, in made ones {rate(said[~labels & ~real])}"
        )
    if by_kind:
        wrong: dict[str, list[bool]] = defaultdict(list)
        for example, score in zip(examples, scores, strict=True):
            wrong[f"{kind_of(example)} {'years' if example.is_year else 'figures'}"].append(
                (score > LEAST_ODDS) != example.is_year
            )
        for kind, faults in sorted(wrong.items()):
            print(f"  {kind}: {sum(faults)} wrong of {len(faults)}")


def rate(values: NDArray[np.bool_]) -> str:
    """A share in per cent, with its total."""
    return f"{100 * values.mean():.2f} % of {len(values)}" if len(values) else "none"


def listed(examples: Sequence[Example], weights: Mapping[str, float]) -> None:
    """Print the misjudged numbers: their count for each document or frame, and one example."""
    faults: dict[str, list[str]] = defaultdict(list)
    for example in examples:
        score = odds(example, weights)
        if (score > LEAST_ODDS) != example.is_year:
            left = example.text[max(0, example.start - 50) : example.start]
            right = example.text[example.end : example.end + 40]
            number = example.text[example.start : example.end]
            faults[example.group].append(f"{score:+.1f} {example.start} {left!r} [{number}] {right!r}")
    for group, found in sorted(faults.items(), key=lambda item: -len(item[1])):
        print(f"{'held out ' if is_held_out(group) else ''}{group!r}: {len(found)}, {found[0]}")


if __name__ == "__main__":
    main()
