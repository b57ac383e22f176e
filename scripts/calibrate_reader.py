"""Fit the probability that a span read by the reader is right, on documents held out from its training.

    python scripts/calibrate_reader.py FOLDER

``FOLDER`` is in the BEIR layout with answers (TimeQA). Only questions about its held-out pages are asked, and
those about the held-out collections of ``scripts/reading/collections``. A scorecard over the spans that were
read is printed for ``answer/text/answer_selection.py``. It uses the probabilities of the values reader:
calibrate that one first. The printed figures are cross-validated over pages and collections.
"""

import argparse
import json
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

import numpy as np
from collection_examples import papers_asked_about
from fits import fit_scorecard, scorecard_as_code
from reading_examples import held_out

from timelens.answer.scorecard import Features, Scorecard
from timelens.answer.text.answer_selection import span_candidates
from timelens.answer.text.picked_spans import PASSAGES, Pick
from timelens.answer.text.value_statements import values_in
from timelens.api import open_corpus
from timelens.bench import beir, runner
from timelens.bench.measures import states
from timelens.config import Settings
from timelens.corpus import Corpus
from timelens.documents import Hit
from timelens.question.parse import parse
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.span_reader import bundled_reader
from timelens.reader.values_reader import bundled_values_reader
from timelens.temporal.calendar import parse_day

T = TypeVar("T")
COLLECTIONS = Path(__file__).parent / "reading" / "collections"
NOW = parse_day("2026-11-20")
_PARTS = 5
_CUTOFFS = (-2.0, -1.5, -1.0, -0.75, -0.5, -0.3, 0.0, 0.25, 0.5, 1.0)
_TAKEN = 8
"""Number of spans of each question that are used in the fit."""
K = 10


@dataclass(frozen=True)
class Found:
    """A question with its retrieved evidence."""

    group: str
    """The page or the collection, which is left out as a whole."""
    source: str
    answers: Sequence[str]
    """The right answers; empty if there is no answer."""
    parsed: ParsedQuestion
    pool: Sequence[Hit]


@dataclass(frozen=True)
class Read:
    """The spans read for a question, with their features and whether they are right."""

    group: str
    source: str
    unanswerable: bool
    picks: Sequence[tuple[Pick, Features, bool]]

    def likeliest(self, card: Scorecard) -> tuple[float, bool]:
        """The score of the likeliest span, the first by the reader among equals, and whether it is right."""
        scored = ((card.score(features), pick.score, right) for pick, features, right in self.picks)
        score, _, right = max(scored, default=(-99.0, 0.0, False))
        return score, right


def from_beir(folder: Path) -> Iterator[Found]:
    """Questions about pages that the reader was not trained on."""
    dataset = beir.load(folder)
    corpus = runner.corpus_of(dataset, Settings.load())
    runner.ingest(dataset, corpus)
    for query in dataset.queries:
        page = query.id.partition("#")[0]
        if held_out(page, 5):
            gold = dataset.gold[query.id]
            answers = [] if gold.unanswerable else [str(answer) for answer in gold.answers]
            found = corpus.search(query.text, as_of=NOW, strategy="timelens", k=K)
            parsed = replace(parse(query.text, NOW), periods=found.periods)
            yield Found(page, "timeqa", answers, parsed, found.pool)


def from_collections(folder: Path) -> Iterator[Found]:
    """Questions about collections of papers that the reader was not trained on."""
    for file in papers_asked_about(folder):
        name = file.name.partition(".")[0]
        if not held_out(name, 5):
            continue
        with opened(file) as corpus:
            yield from _asked_of(corpus, name, file.with_name(f"{name}.questions.jsonl"))


def evidence(folder: Path, collections: Path, cache: Path) -> list[Found]:
    """The evidence for the questions of both, cached in a pickle that only the same script can load."""
    return kept(cache, lambda: chain(from_beir(folder), from_collections(collections)))


def kept(cache: Path, find: Callable[[], Iterable[T]]) -> list[T]:
    """The content of a cache file, or else the result of ``find``, which is cached."""
    if not cache.exists():
        found = list(find())
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_bytes(pickle.dumps(found))
    read_back: list[T] = pickle.loads(cache.read_bytes())
    return read_back


@contextmanager
def opened(file: Path) -> Iterator[Corpus]:
    """The papers in ``file`` as a corpus."""
    with tempfile.TemporaryDirectory() as home:
        corpus = open_corpus(str(Path(home) / file.name.partition(".")[0]))
        corpus.ingest([_written(file, Path(home))])
        yield corpus


def _written(file: Path, home: Path) -> Path:
    """Write the papers of a collection as files into a folder in ``home``."""
    papers = home / "papers"
    papers.mkdir()
    for row in map(json.loads, file.open()):
        day = f"date: {row['date']}\n" if row["date"] else ""
        head = f"---\ntitle: {json.dumps(row['title'], ensure_ascii=False)}\n{day}---\n"
        (papers / f"{row['id']}.md").write_text(head + row["text"])
    return papers


def _asked_of(corpus: Corpus, name: str, questions: Path) -> Iterator[Found]:
    for row in map(json.loads, questions.open()):
        if row["type"] == "yesno":
            continue
        found = corpus.search(row["question"], as_of=NOW, strategy="timelens", k=K)
        parsed = replace(parse(row["question"], NOW), periods=found.periods)
        answers = [answer["answer"] for answer in row["answers"]]
        yield Found(name, "collections", answers, parsed, found.pool)


def read(one: Found) -> Read | None:
    """The spans read for a question about one time; ``None`` for several periods or without texts."""
    texts = [hit for hit in one.pool if hit.chunk.fact is None]
    if len(one.parsed.periods) > 1 or not texts:
        return None
    values = values_in(one.parsed, texts[:PASSAGES])
    picks = [
        (pick, features, any(is_same(pick.text, answer) for answer in one.answers))
        for pick, features in span_candidates(one.parsed, texts, values)
    ]
    return Read(one.group, one.source, not one.answers, picks)


def is_same(text: str, answer: str) -> bool:
    """Whether a span equals a gold answer, apart from words at its edges."""
    return (states(text, answer) and len(text) <= 2 * len(answer) + 8) or (
        states(answer, text) and 2 * len(text) >= len(answer)
    )


def fit_picks(asked: Sequence[Read]) -> Scorecard:
    """Fit a scorecard to the most likely spans of each question."""
    likely = (sorted(one.picks, key=lambda entry: -entry[0].score)[:_TAKEN] for one in asked)
    return fit_scorecard([(features, right) for each in likely for _, features, right in each])


def calibration_error(told: Sequence[tuple[float, bool]]) -> float:
    """The expected calibration error of log odds; prints it by bin."""
    expected = 0.0
    for low in np.arange(0, 1, 0.1):
        inside = [(p, right) for s, right in told if low <= (p := 1 / (1 + np.exp(-s))) < low + 0.1]
        if inside:
            mean, share = (float(np.mean([one[i] for one in inside])) for i in (0, 1))
            expected += abs(mean - share) * len(inside) / len(told)
            print(f"  {low:.1f}..{low + 0.1:.1f}: {len(inside):4} said {mean:.2f}, right {share:.2f}")
    return expected


def report(source: str, told: Sequence[tuple[float, bool, bool]]) -> None:
    """Print the scores of one source: calibration, and the outcomes at several cutoffs."""
    expected = calibration_error([(score, right) for score, right, _ in told])
    answerable = [(score, right) for score, right, unanswerable in told if not unanswerable]
    none = [score for score, _, unanswerable in told if unanswerable]
    print(f"{source}: {len(told)} questions, {len(none)} without an answer, calibration error {expected:.3f}")
    for cut in _CUTOFFS:
        said = [right for score, right, _ in told if score >= cut]
        right = np.mean([right and score >= cut for score, right in answerable])
        refused, false = (np.mean([s < cut for s in those]) for those in (none, [s for s, _ in answerable]))
        print(
            f"  cut {cut:5}: right {right:.2f}, of what is answered {np.mean(said) if said else 0:.2f}; "
            f"refused {refused:.2f} of those without an answer, {false:.2f} of the others"
        )


def main() -> None:
    """Read, fit and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--collections", type=Path, default=COLLECTIONS)
    parser.add_argument("--cache", type=Path, default=Path("build/calibration.pickle"), help="the evidence")
    arguments = parser.parse_args()
    found = evidence(arguments.folder, arguments.collections, arguments.cache)
    bundled_reader().warm()
    bundled_values_reader().warm()
    asked = [one for each in found if (one := read(each)) is not None]
    for name, rows in decisions(asked).items():
        report(name, rows)
    print(scorecard_as_code(fit_picks(asked)))


def decisions(asked: Sequence[Read]) -> dict[str, list[tuple[float, bool, bool]]]:
    """(score, right, unanswerable) of each question, by source, with weights fitted without its group."""
    groups = sorted({one.group for one in asked})
    parts = [set(groups[part::_PARTS]) for part in range(_PARTS)]
    found: dict[str, list[tuple[float, bool, bool]]] = {}
    for out in parts:
        picking = fit_picks([one for one in asked if one.group not in out])
        for one in asked:
            if one.group in out:
                found.setdefault(one.source, []).append((*one.likeliest(picking), one.unanswerable))
    return dict(sorted(found.items()))


if __name__ == "__main__":
    main()
