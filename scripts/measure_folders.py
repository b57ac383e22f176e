"""Accuracy of answers on realistic folders of documents; some may be looked at, the others are only scored.

    python scripts/measure_folders.py [FOLDER …] [--part look] [--out answers.jsonl] [--risk 0.3]
        [--model FILE.gguf]

``scripts/folders/NAME`` holds ``documents``, ``questions.jsonl`` (about one time; graded by the first line of
the answer, or by the whole answer if the question says so) and ``diachronic.jsonl`` (about several times;
graded as in the suite ``diachronic``, where an answer about only some of the periods is wrong). People who do
not know the program wrote them. For a question without an answer only a refusal is right; *shown* is a
refusal that names a passage with the answer. The folder decides the part: nothing is fitted to, or chosen by,
folders of the part ``score``.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timelens.agent import Answer, Answerer
from timelens.answer.configured_answerer import answerer_of
from timelens.answer.draft import Status
from timelens.api import open_corpus
from timelens.bench import diachronic
from timelens.bench.diachronic_measures import Verdict, verdict
from timelens.bench.measures import Outcome, plain_words, states
from timelens.bench.predictions import without_citations
from timelens.bench.suite_data import read_records
from timelens.cli.model_options import with_model
from timelens.config import Settings
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

FOLDERS = Path(__file__).parent / "folders"
LOOKED_AT = (
    "allotments",
    "brewery",
    "choir",
    "estate",
    "ferries",
    "harbour",
    "household",
    "kitchen",
    "parish",
    "printers",
    "registers",
    "rowing",
)
_GRADES = ("right", "wrong", "shown", "refused")
_NOW = parse_day("2026-11-20")
_READ = 1500
"""Characters of a whole answer that are graded."""


@dataclass(frozen=True)
class Graded:
    """A question with its answer and grade."""

    folder: str
    id: str
    kind: str
    suite: str
    question: str
    answer: Answer
    grade: str

    @property
    def part(self) -> str:
        """``look`` or ``score``, by its folder."""
        return diachronic.PARTS[self.folder not in LOOKED_AT]

    def as_json(self) -> dict[str, Any]:
        """The question, answer and grade as JSON."""
        told = {"status": self.answer.status, "answer": self.answer.text, "grade": self.grade}
        return {"folder": self.folder, "id": self.id, "kind": self.kind, "question": self.question, **told}


def asked_of(folder: Path, settings: Settings, answerer: Answerer | None) -> Iterator[Graded]:
    """The questions of a folder with their answers."""
    with tempfile.TemporaryDirectory() as home:
        corpus = open_corpus(str(Path(home) / folder.name), settings)
        corpus.ingest([folder / "documents"])
        corpus.warm()
        yield from _of_one_time(folder, corpus, answerer)
        yield from _of_several(folder, corpus, answerer)


def _of_one_time(folder: Path, corpus: Corpus, answerer: Answerer | None) -> Iterator[Graded]:
    for row in read_records(folder / "questions.jsonl", "id", "kind", "question"):
        day = parse_day(row["as_of"]) if row.get("as_of") else _NOW
        answer = corpus.ask(row["question"], as_of=day, answerer=answerer)
        yield Graded(
            folder.name, row["id"], row["kind"], "point", row["question"], answer, grade(row, answer)
        )


def grade(row: Mapping[str, Any], answer: Answer) -> str:
    """The grade of an answer to a question about one time."""
    text = without_citations(answer.text).strip()
    lead = text.partition("\n")[0]
    if answer.status is Status.NO_ANSWER:
        if row["refuse"]:
            return "right"
        return "shown" if _says(text, row["accept"]) else "refused"
    if row["refuse"]:
        return "wrong"
    told = lead if row["where"] == "lead" else text[:_READ]
    return (
        "right"
        if _says(told, row["accept"]) and not any(states(lead, no) for no in row["reject"])
        else "wrong"
    )


def _says(text: str, accepted: Sequence[Sequence[str]]) -> bool:
    """Whether a text has all words of one of several answers; a bare yes or no must come first."""
    first = plain_words(text).partition(" ")[0]
    return any(
        first == words[0] if list(words) in (["yes"], ["no"]) else all(states(text, one) for one in words)
        for words in accepted
    )


def _of_several(folder: Path, corpus: Corpus, answerer: Answerer | None) -> Iterator[Graded]:
    data = diachronic.load(folder)
    for query in data.queries:
        answer = corpus.ask(query.text, as_of=query.as_of or _NOW, answerer=answerer)
        lines = tuple(without_citations(line) for line in answer.text.splitlines())
        refused = answer.status is Status.NO_ANSWER
        gold = data.gold[query.id]
        found = verdict(Outcome((), answer=answer.text, lines=lines, refused=refused), gold)
        told = str(found or Verdict.REFUSED)
        yield Graded(folder.name, query.id, str(gold.kind), "several", query.text, answer, told)


def table(graded: Sequence[Graded]) -> Iterator[str]:
    """The shares of each grade in percent, by part and by kind of question."""
    for part in diachronic.PARTS:
        for suite in ("point", "several"):
            own = [one for one in graded if one.part == part and one.suite == suite]
            if not own:
                continue
            yield f"{part} {suite}: {_shares(own)}"
            for kind in sorted({one.kind for one in own}):
                yield f"    {kind}: {_shares([one for one in own if one.kind == kind])}"


def _shares(graded: Sequence[Graded]) -> str:
    count = Counter(one.grade for one in graded)
    shares = ", ".join(f"{name} {100 * count[name] / len(graded):.1f}" for name in _GRADES)
    in_part = sum(one.grade == "wrong" and one.answer.status is Status.PARTIAL for one in graded)
    return f"{len(graded)} questions, {shares}; {in_part} of the wrong tell only a part"


def main() -> None:
    """Ask, grade and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    named = [path.name for path in sorted(FOLDERS.iterdir()) if path.is_dir()]
    parser.add_argument("folder", nargs="*", default=named, help="only these folders, by name")
    parser.add_argument(
        "--part", choices=diachronic.PARTS, help="only the folders that are looked at, or only scored"
    )
    parser.add_argument("--risk", type=float, help="as in the configuration")
    parser.add_argument("--model", help="a GGUF file; without one, answers come without a model")
    parser.add_argument("--out", type=Path, help="a file for the answers of the part that is looked at")
    arguments = parser.parse_args()
    settings = Settings.load()
    if arguments.risk is not None:
        settings = settings.model_copy(update={"risk": arguments.risk})
    answerer = answerer_of(with_model(settings, arguments.model))
    if unknown := set(arguments.folder) - set(named):
        parser.error(f"no such folder in {FOLDERS}: {', '.join(sorted(unknown))}")
    folders = [FOLDERS / name for name in arguments.folder]
    if arguments.part is not None:
        folders = [path for path in folders if (path.name in LOOKED_AT) == (arguments.part == "look")]
    graded = [one for folder in folders for one in asked_of(folder, settings, answerer)]
    print("\n".join(table(graded)))
    if arguments.out is not None:
        looked_at = (json.dumps(one.as_json(), ensure_ascii=False) for one in graded if one.part == "look")
        arguments.out.write_text("".join(f"{line}\n" for line in looked_at))


if __name__ == "__main__":
    main()
