"""Effect of the entities of a trained spaCy pipeline, compared with the rules for times and with the reader.

    python scripts/measure_entities.py PIPELINE --wikiwars FOLDER --timeqa FOLDER

``PIPELINE`` is a name or a folder for ``spacy.load`` (``en_core_web_sm``). ``--wikiwars`` compares the
pipeline's DATE entities with the rules: the share of the annotated times of WikiWars that each finds, and the
share of its findings that is annotated. ``--timeqa`` asks the questions of ``calibrate_reader.py`` and
measures how well the decision on spans separates right from wrong, with and without a feature for the entity
label of a span, by answer type. All figures are cross-validated over pages and collections.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from calibrate_reader import COLLECTIONS, Found, Read, decisions, evidence, read
from spacy.language import Language

from timelens.answer.text.sentence_match import answer_type_of
from timelens.reader.span_reader import bundled_reader
from timelens.temporal.expressions import find_expressions

_FIRST = (100, 200, 300, 400)
"""Numbers of most likely answers for which accuracy is printed."""
_NONE = "none"
Span = tuple[int, int]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pipeline")
    parser.add_argument("--wikiwars", type=Path, metavar="FOLDER")
    parser.add_argument("--timeqa", type=Path, metavar="FOLDER")
    parser.add_argument("--cache", type=Path, default=Path("build/entities.pickle"), help="the evidence")
    arguments = parser.parse_args()
    pipeline = spacy.load(arguments.pipeline, exclude=["lemmatizer"])
    if arguments.wikiwars is not None:
        print("\n".join(of_times(arguments.wikiwars, pipeline)))
    if arguments.timeqa is not None:
        found = evidence(arguments.timeqa, COLLECTIONS, arguments.cache)
        bundled_reader().warm()
        print("\n".join(of_decisions(found, pipeline)))


def of_times(folder: Path, pipeline: Language) -> Iterator[str]:
    """A line for DATE entities and one for the rules."""
    gold: defaultdict[str, list[Span]] = defaultdict(list)
    for time in _rows(folder / "timexes.jsonl"):
        gold[time["doc_id"]].append((time["start"], time["end"]))
    documents = [(gold[row["doc_id"]], row["text"]) for row in _rows(folder / "docs.jsonl")]
    entities = [
        [(one.start_char, one.end_char) for one in pipeline(text).ents if one.label_ == "DATE"]
        for _, text in documents
    ]
    rules = [[(one.char_start, one.char_end) for one in find_expressions(text)] for _, text in documents]
    for name, found in (("entities", entities), ("rules", rules)):
        pairs = list(zip([times for times, _ in documents], found, strict=True))
        met = np.mean([_meets(one, spans) for times, spans in pairs for one in times])
        right = np.mean([_meets(one, times) for times, spans in pairs for one in spans])
        yield f"{name:8} meet {100 * met:.1f} % of the annotated times; {100 * right:.1f} % are annotated"


def of_decisions(found: Sequence[Found], pipeline: Language) -> Iterator[str]:
    """For each source, a line for the present decision and one with entities."""

    @cache
    def entities(text: str) -> list[tuple[int, int, str]]:
        return [(one.start_char, one.end_char, one.label_) for one in pipeline(text).ents]

    def label(text: str, stretch: str) -> str:
        start = text.find(stretch)
        inside = [one for one in entities(text) if one[0] < start + len(stretch) and start < one[1]]
        return inside[0][2] if start >= 0 and inside else _NONE

    def with_entities(one: Found, each: Read) -> Read:
        asked = answer_type_of(one.parsed.question).name
        picks = [
            (pick, {**features, f"{asked} {label(pick.hit.chunk.text, pick.text)}": 1.0}, right)
            for pick, features, right in each.picks
        ]
        return replace(each, picks=picks)

    both = [(one, each) for one in found if (each := read(one)) is not None]
    asked = [each for _, each in both]
    for name, variant in (("as it is", asked), ("entities", [with_entities(*pair) for pair in both])):
        for source, told in decisions(variant).items():
            first = np.mean([right for _, right, unanswerable in told if not unanswerable])
            order = [right for _, right, _ in sorted(told, reverse=True)]
            sure = ", ".join(f"{100 * np.mean(order[:n]):.1f} of {n}" for n in _FIRST if n <= len(order))
            yield f"{source:12} {name}: right first {100 * first:.1f} %; of the likeliest {sure} are right"


def _meets(one: Span, others: Sequence[Span]) -> bool:
    return any(one[0] < end and start < one[1] for start, end in others)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


if __name__ == "__main__":
    main()
