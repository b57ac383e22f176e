"""Examples for ``train_years.py``: numbers that are or are no years, in real and in generated texts."""

import hashlib
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

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


def is_held_out(name: str) -> bool:
    """Whether a document, frame or word is kept for scoring."""
    return hashlib.sha256(name.encode()).digest()[0] % _HELD_OUT == 0


def kind_of(example: Example) -> str:
    """The kind of a frame, or the folder of a document."""
    return example.group.partition("\t")[0]


def divided(examples: Sequence[Example], without: str) -> tuple[list[Example], list[Example]]:
    """The examples to train on, and those to score.

    ``without`` names kinds to leave out of training, by commas; if there are some, only these are scored.
    """
    apart = set(without.split(",")) - {""}
    kept = [e for e in examples if kind_of(e) not in apart and not is_held_out(e.group)]
    if apart:
        return kept, [e for e in examples if kind_of(e) in apart]
    return kept, [e for e in examples if is_held_out(e.group)]


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
_CODAS: Sequence[str] = ["", *"nrslmxo", *"ck ton son ley man berg ski ix on ard".split()]


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
