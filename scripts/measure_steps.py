"""Accuracy of answers that need two steps: lengths, counts, and things asked at the time of an event.

    python scripts/measure_steps.py [--part look] [--out answers.jsonl]

The questions are those of ``scripts/reading/collections/NAME.steps.jsonl``, in all their wordings, graded by
the first line of the answer. A length is right if it differs from the true one by at most a tenth or 45 days;
where the papers tell no start or no end, only a refusal is. The collections held out from training are the
part ``score``. It is also printed which share of the counted things the answer or refusal names by a sentence
that tells of them, how many events are dated, and how many of these rightly.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibrate_moments import days_of, is_right
from calibrate_reader import COLLECTIONS, NOW, opened
from reading_examples import held_out

from timelens.agent import Answered, Dated
from timelens.answer.draft import Status
from timelens.bench.diachronic import PARTS
from timelens.bench.measures import plain_words, states
from timelens.bench.predictions import without_citations
from timelens.corpus import Corpus
from timelens.lexicon import CARDINALS

_KINDS = ("length", "count", "event")
_GRADES = ("right", "wrong", "refused")
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25, "decade": 3652.5}
_LENGTH = re.compile(rf"(\d+|{'|'.join(CARDINALS)}) ({'|'.join(_DAYS)})s?\b")
_TOLERANCE, _SHARE = 45, 0.1
_BEGINNING = 40
"""Characters of a sentence that are looked for in a text."""


@dataclass(frozen=True)
class Graded:
    """A question with its answer and grade."""

    part: str
    collection: str
    kind: str
    question: str
    text: str
    grade: str
    dated: bool | None
    """Whether the event of the question was dated rightly; ``None`` if it was not dated, or there is none."""
    named: float
    """The share of the counted things, 0..1, whose sentences are in the text."""


def graded_in(file: Path) -> Iterator[Graded]:
    """The questions of a collection, each wording as one."""
    name = file.name.partition(".")[0]
    with opened(file.with_name(f"{name}.documents.jsonl")) as corpus:
        corpus.warm()
        for row in map(json.loads, file.open()):
            for question in (row["question"], *row["also"]):
                yield _graded(corpus, name, row, question)


def _graded(corpus: Corpus, name: str, row: Mapping[str, Any], question: str) -> Graded:
    events = list(corpus.stream(question, as_of=NOW))
    answer = next(event.answer for event in events if isinstance(event, Answered))
    lead = without_citations(answer.text).partition("\n")[0]
    refused = answer.status is Status.NO_ANSWER
    if row["kind"] == "length" and row["answer"] is None:
        grade = "right" if refused else "wrong"
    else:
        grade = "refused" if refused else "right" if _is_told(lead, row) else "wrong"
    days = [event.event.interval for event in events if isinstance(event, Dated)]
    is_dated = any(is_right(one, row["days"]["day"]) for one in days) if days and "days" in row else None
    part, text = PARTS[held_out(name, 5)], plain_words(answer.text)
    things = [plain_words(thing["quote"])[:_BEGINNING] in text for thing in row.get("things", ())]
    named = sum(things) / max(1, len(things))
    return Graded(part, name, row["kind"], question, answer.text, grade, is_dated, named)


def _is_told(lead: str, row: Mapping[str, Any]) -> bool:
    """Whether the first line of an answer tells the right length, number or value."""
    if row["kind"] == "event":
        return any(states(lead, one) for one in row["accept"])
    if row["kind"] == "count":
        return any(_number(word) == row["answer"] for word in plain_words(lead).split()[:1])
    true = (_first(row["end"]) - _first(row["start"])) or 1
    return any(abs(days - true) <= max(_TOLERANCE, _SHARE * true) for days in _lengths(lead))


def _first(place: Mapping[str, Any]) -> int:
    return int(days_of(place["day"]).bounds[0])


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() else CARDINALS.get(word)


def _lengths(text: str) -> Iterator[float]:
    """The lengths of time in a text, in days; adjoining ones are one: "5 years and 2 months"."""
    days, end = 0.0, -1
    for found in _LENGTH.finditer(text.casefold()):
        if days and not re.fullmatch(r",? (?:and )?", text[end : found.start()]):
            yield days
            days = 0.0
        days += (_number(found[1]) or 0) * _DAYS[found[2]]
        end = found.end()
    if days:
        yield days


def table(graded: Sequence[Graded]) -> Iterator[str]:
    """The shares of each grade in percent, by part and kind of question."""
    for part in PARTS:
        for kind in _KINDS:
            own = [one for one in graded if (one.part, one.kind) == (part, kind)]
            if not own:
                continue
            count = Counter(one.grade for one in own)
            shares = ", ".join(f"{name} {100 * count[name] / len(own):.1f}" for name in _GRADES)
            dated = [one.dated for one in own if one.dated is not None]
            beside = {
                "count": f"; things named {100 * sum(one.named for one in own) / len(own):.1f} %",
                "event": f"; {len(dated)} events dated, {sum(dated)} of them rightly",
            }
            yield f"{part} {kind}: {len(own)} questions, {shares}{beside.get(kind, '')}"


def main() -> None:
    """Ask, grade and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=PARTS, help="only the collections trained on, or held out")
    parser.add_argument("--out", type=Path, help="a file for the answers of the part that is looked at")
    arguments = parser.parse_args()
    files = sorted(COLLECTIONS.glob("*.steps.jsonl"))
    if arguments.part is not None:
        files = [file for file in files if PARTS[held_out(file.name.partition(".")[0], 5)] == arguments.part]
    graded = [one for file in files for one in graded_in(file)]
    print("\n".join(table(graded)))
    if arguments.out is not None:
        looked_at = (one for one in graded if one.part == PARTS[0])
        arguments.out.write_text(
            "".join(f"{json.dumps(one.__dict__, ensure_ascii=False)}\n" for one in looked_at)
        )


if __name__ == "__main__":
    main()
