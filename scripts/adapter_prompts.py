"""Prompts to train the reading adapter on: questions, with the evidence that timelens finds for them.

    python scripts/adapter_prompts.py FOLDER --model FILE.gguf --out build/adapter/prompts.jsonl

Each collection of ``scripts/reading/collections`` is ingested as a corpus, and so are the documents of each
file of ``scripts/reading`` and groups of pages of TimeQA (``FOLDER/timeqa``). Each line of the output has a
prompt, the reply that follows from the evidence in it, and whether it is held out: as for the bundled reader,
by a hash of its collection, document or page. ``--part 0/2`` writes every second corpus, so that several
processes can share the work.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from collection_examples import papers_asked_about, questions_of, values_in_force
from reading_examples import held_out, spans_of

from timelens.answer.citation_numbers import marks
from timelens.answer.draft import Citation
from timelens.answer.llama.library import llama_cpp_library
from timelens.answer.writing.answer_prompt import NO_ANSWER
from timelens.answer.writing.reading_prompt import ReadingPrompt, reading_prompt
from timelens.api import open_corpus
from timelens.config import Settings
from timelens.question.parse import parse
from timelens.temporal.calendar import Day, parse_day

READING = Path(__file__).parent / "reading"
NOW = parse_day("2024-06-30")
HITS = 10
MOST_CITED = 3
"""Maximum number of pieces that a reply cites for one value."""
ASKED_DOCUMENTS = 0.5
"""Share of the questions about single documents that are used."""
PAGES, TOGETHER, ASKED_PAGE = 160, 20, 5
"""Pages of TimeQA in all and in one corpus, and the questions about one page."""
Place = tuple[str, int, str]
"""(id of a document, offset in its text, value)."""
Row = dict[str, Any]


class Tokens:
    """The tokenizer and the template of a GGUF file of a model with ChatML."""

    def __init__(self, file: Path) -> None:
        self._llama = llama_cpp_library().Llama(model_path=str(file), vocab_only=True, verbose=False)

    def count(self, text: str) -> int:
        """The number of tokens of a text."""
        return len(self._content(text))

    def prompt(self, instructions: str, request: str) -> list[int]:
        """The tokens of a prompt."""
        return [
            *self._content("<|im_start|>system\n", special=True),
            *self._content(instructions),
            *self._content("<|im_end|>\n<|im_start|>user\n", special=True),
            *self._content(request),
            *self._content("<|im_end|>\n<|im_start|>assistant\n", special=True),
        ]

    def reply(self, text: str) -> list[int]:
        """The tokens of a reply with its end."""
        return [*self._content(text), *self._content("<|im_end|>", special=True)]

    @property
    def refusal(self) -> int:
        """The first token of a refusal."""
        return self._content(NO_ANSWER)[0]

    def text(self, reply: Sequence[int]) -> str:
        """The text of a reply, without its end."""
        text: bytes = self._llama.detokenize(list(reply))
        return text.decode(errors="replace")

    def _content(self, text: str, *, special: bool = False) -> list[int]:
        tokens: list[int] = self._llama.tokenize(text.encode(), add_bos=False, special=special)
        return tokens


class Papers:
    """Documents as a corpus, with the places of answers in them."""

    def __init__(self, rows: Sequence[Row], home: Path, tokens: Tokens) -> None:
        file = home / "papers.jsonl"
        kept = ({key: row[key] for key in ("id", "title", "text", "date") if row.get(key)} for row in rows)
        file.write_text("".join(f"{json.dumps(row)}\n" for row in kept))
        self._texts = {row["id"]: row["text"] for row in rows}
        self._corpus = open_corpus(str(home / "corpus"), Settings())
        self._corpus.ingest([file])
        self._tokens = tokens
        self._starts: dict[str, int] = {}

    def ask(self, question: str, day: Day = NOW) -> ReadingPrompt:
        """The prompt of a question, with the evidence that the default strategy finds."""
        found = self._corpus.search(question, as_of=day, k=HITS)
        parsed = replace(parse(question, day), periods=found.periods)
        return reading_prompt(parsed, found.hits, count=self._tokens.count)

    def places(self, answers: Iterable[Row], key: str = "answer") -> list[Place]:
        """The places of answers, each the words of ``key`` in their context."""
        found = []
        for one in answers:
            start = self._texts[one["document"]].index(one["context"])
            found.append((one["document"], start + one["context"].index(one[key]), one[key]))
        return found

    def reply(self, prompt: ReadingPrompt, places: Sequence[Place], *, several: bool = False) -> str:
        """The values at ``places`` that the prompt contains, each with the pieces that state it.

        If not ``several``, it is the value that most pieces state, with all pieces.
        """
        stated: dict[str, list[int]] = {}
        for citation in prompt.citations:
            for value in dict.fromkeys(self._stated(citation, places)):
                stated.setdefault(value, []).append(citation.number)
        if not stated:
            return NO_ANSWER
        if several:
            return "; ".join(f"{value} {marks(numbers)}" for value, numbers in stated.items())
        best = max(stated, key=lambda value: (len(stated[value]), len(value)))
        others = sorted({number for numbers in stated.values() for number in numbers} - set(stated[best]))
        return f"{best} {marks(sorted([*stated[best], *others][:MOST_CITED]))}"

    def _stated(self, citation: Citation, places: Iterable[Place]) -> Iterator[str]:
        chunk = citation.hit.chunk
        document = next(id_ for id_ in self._texts if _is_of(chunk.document_id, id_))
        if chunk.id not in self._starts:
            self._starts[chunk.id] = self._texts[document].find(chunk.text)
        start = self._starts[chunk.id]
        for other, offset, value in places:
            if other == document and start <= offset < start + len(chunk.text):
                yield value


def _is_of(document: str, id_: str) -> bool:
    """Whether a document is the one with an id, or an entry of it."""
    return document == id_ or document.startswith((f"{id_}#", f"{id_}/"))


def named(values: Sequence[Row]) -> Iterator[Row]:
    """Values of a course in order of time; differently worded ones that ended together get one name."""
    longest: dict[str, str] = {}
    for one in values:
        key = one.get("until") or one["value"].casefold()
        longest[key] = max(longest.get(key, ""), one["value"], key=len)
    for one in sorted(values, key=lambda one: str(one.get("from") or "")):
        yield {**one, "name": longest[one.get("until") or one["value"].casefold()]}


def of_collection(file: Path, tokens: Tokens) -> Iterator[Row]:
    """The questions about a collection, in all their wordings."""
    name = file.name.partition(".")[0]
    shape = {"source": name, "held_out": held_out(name, 5)}
    with tempfile.TemporaryDirectory() as home:
        papers = Papers(_lines(file), Path(home), tokens)
        for number, row in enumerate(questions_of(file)):
            places = papers.places(row["answers"])
            if row["type"] == "yesno" and row.get("yes") is not None:
                places = [(document, at, "Yes" if row["yes"] else "No") for document, at, _ in places]
            for which, question in enumerate((row["question"], *row.get("also", ()))):
                prompt = papers.ask(question)
                own = {"id": f"{name}-{number}-{which}", "kind": row["type"]}
                yield {**own, **_told(prompt, papers.reply(prompt, places), places), **shape}
        timelines = file.with_name(f"{name}.timelines.jsonl")
        for number, row in enumerate(_lines(timelines) if timelines.exists() else ()):
            values = list(named(values_in_force(row)))
            found = zip(values, papers.places(values, "value"), strict=True)
            places = [(document, at, value["name"]) for value, (document, at, _) in found]
            for which, question in enumerate((row["question"], *row.get("also", ()))):
                prompt = papers.ask(question)
                reply = papers.reply(prompt, places, several=True)
                own = {"id": f"{name}-course-{number}-{which}", "kind": "course"}
                yield {**own, **_told(prompt, reply, places), **shape}


def of_documents(file: Path, tokens: Tokens) -> Iterator[Row]:
    """Questions about single documents, among all documents of a file."""
    rows, name = _lines(file), file.name.partition(".")[0]
    days = {row["id"]: row["date"] for row in rows}
    chosen = random.Random(name)
    with tempfile.TemporaryDirectory() as home:
        papers = Papers(rows, Path(home), tokens)
        for number, row in enumerate(_lines(file.with_name(f"{name}.questions.jsonl"))):
            if chosen.random() > ASKED_DOCUMENTS or row["type"] == "yesno":
                continue
            day = days[row["document"]]
            places = papers.places([row]) if row["answer"] else []
            prompt = papers.ask(row["question"], parse_day(day) if day else NOW)
            own = {"id": f"{name}-{number}", "kind": row["type"], "source": name}
            held = held_out(f"{file.name}-{row['document']}", 8)
            yield {**own, **_told(prompt, papers.reply(prompt, places), places), "held_out": held}


def of_pages(
    pages: Sequence[Row], asked: Mapping[str, Sequence[tuple[Row, Row]]], tokens: Tokens
) -> Iterator[Row]:
    """Questions about pages of TimeQA, which are found among each other."""
    texts: list[Row] = []
    starts: dict[tuple[str, int], int] = {}
    for page in pages:
        offset = 0
        for number, text in enumerate(page["paragraphs"]):
            starts[page["doc_id"], number] = offset
            offset += len(text) + 2
        texts.append({"id": page["doc_id"], "title": page["title"], "text": "\n\n".join(page["paragraphs"])})
    chosen = random.Random(pages[0]["doc_id"])
    with tempfile.TemporaryDirectory() as home:
        papers = Papers(texts, Path(home), tokens)
        for page in pages:
            every = asked.get(page["doc_id"], ())
            for row, base in chosen.sample(every, min(ASKED_PAGE, len(every))):
                spans = {} if row["unanswerable"] else spans_of(base)
                places = [
                    (
                        page["doc_id"],
                        starts[page["doc_id"], number] + start,
                        page["paragraphs"][number][start:end],
                    )
                    for number, found in spans.items()
                    for start, end in found
                ]
                prompt = papers.ask(row["question"])
                own = {"id": row["id"], "kind": "timeqa", "source": "timeqa"}
                held = held_out(page["doc_id"], 5)
                yield {**own, **_told(prompt, papers.reply(prompt, places), places), "held_out": held}


def groups(folder: Path, tokens: Tokens) -> Iterator[Iterator[Row]]:
    """The rows of each corpus."""
    for file in papers_asked_about(READING / "collections"):
        yield of_collection(file, tokens)
    for file in sorted(READING.glob("*.documents.jsonl")):
        yield of_documents(file, tokens)
    gold = {row["id"]: row for row in _lines(folder / "timeqa" / "questions.jsonl")}
    asked: dict[str, list[tuple[Row, Row]]] = {}
    for name in ("questions", "questions_redated", "questions_hard"):
        for row in _lines(folder / "timeqa" / f"{name}.jsonl"):
            base = gold[row.get("base_id", row["id"])]
            asked.setdefault(base["doc_id"], []).append((row, base))
    pages = _lines(folder / "timeqa" / "docs.jsonl")
    random.Random(7).shuffle(pages)
    for begin in range(0, PAGES, TOGETHER):
        yield of_pages(pages[begin : begin + TOGETHER], asked, tokens)


def _told(prompt: ReadingPrompt, reply: str, places: Iterable[Place]) -> Row:
    return {
        "request": prompt.prompt.request,
        "reply": reply,
        "values": sorted({value for *_, value in places}),
    }


def _lines(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.open()]


def main() -> None:
    """Write the prompts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--part", default="0/1")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with options.out.open("w") as out:
        for number, rows in enumerate(groups(options.folder, Tokens(options.model))):
            if number % parts == part:
                out.writelines(f"{json.dumps(row)}\n" for row in rows)
                out.flush()


if __name__ == "__main__":
    main()
