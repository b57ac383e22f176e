"""Fit the weights of ``timelens/answer/picking.py`` to a BEIR folder whose queries state answers.

    python scripts/fit_spans.py FOLDER --features 90 --false-refusal 0.2

A softmax over all stretches of the evidence and "no answer" gives the stretches that match a gold answer
(or "no answer") as much weight as it can, under an L2 penalty; features that weigh least are dropped and
the rest fitted again. What it prints was measured on pages left out of the fit and of the choice of features
(five parts), and so was the score below which there is no answer.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize
from scipy.special import logsumexp

from timelens.answer.features import candidates_of
from timelens.answer.picking import PASSAGES
from timelens.answer.topic import topic_of
from timelens.answer.wanted import wanted_by
from timelens.bench import beir, runner
from timelens.bench.data import Gold, Query
from timelens.bench.measures import EXACT_MATCH, TOKEN_F1, Outcome
from timelens.config import Settings
from timelens.question.parse import parse
from timelens.temporal.calendar import parse_day

_NOW = parse_day("2026-11-20")
_LEAST_QUESTIONS = 30
_PARTS = 5
_L2 = 5.0


def read(folder: Path) -> list[dict]:
    """For each question the features of every stretch, and how well each matches a gold answer."""
    dataset = beir.load(folder)
    corpus = runner.corpus_of(dataset, Settings.load())
    runner.ingest(dataset, corpus)
    return [_question(corpus, query, dataset.gold[query.id]) for query in dataset.queries]


def _question(corpus: runner.Corpus, query: Query, gold: Gold) -> dict:
    found = corpus.search(query.text, as_of=_NOW, strategy="timelens", k=10)
    parsed = parse(query.text, _NOW)
    hits = [hit for hit in found.pool if hit.chunk.fact is None][:PASSAGES]
    candidates = candidates_of(parsed, wanted_by(query.text), topic_of(parsed.core, found.pool), hits)
    scores = [_match(candidate.span.text, gold) for candidate in candidates]
    return {
        "page": query.id.partition("#")[0],
        "unanswerable": bool(gold.unanswerable),
        "features": [candidate.features for candidate in candidates],
        "match": np.array([0.6 * em + 0.4 * f1 * (f1 >= 0.5) for em, f1 in scores]),
        "scores": scores,
    }


def _match(text: str, gold: Gold) -> tuple[float, float]:
    outcome = Outcome((), (), text)
    return EXACT_MATCH.score(outcome, gold) or 0.0, TOKEN_F1.score(outcome, gold) or 0.0


def fit(questions: list[dict]) -> np.ndarray:
    """Weights, and last the score of "no answer"."""
    kept = [q for q in questions if len(q["match"]) and (q["unanswerable"] or q["match"].max() > 0)]
    none = np.array([q["unanswerable"] for q in kept])
    rows, match = sp.vstack([q["rows"] for q in kept]).tocsr(), np.concatenate([q["match"] for q in kept])
    lengths = np.array([len(q["match"]) for q in kept])
    starts, width = np.cumsum([0, *lengths])[:-1], rows.shape[1]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = rows @ weights[:width]
        top = np.maximum(np.maximum.reduceat(scores, starts), weights[width])
        mass, of_none = np.exp(scores - np.repeat(top, lengths)), np.exp(weights[width] - top)
        total = np.add.reduceat(mass, starts) + of_none
        shares = mass / np.repeat(total, lengths)
        right = np.where(none, of_none / total, np.add.reduceat(shares * match, starts)) + 1e-300
        wanted = np.where(np.repeat(none, lengths), 0.0, shares * match / np.repeat(right, lengths))
        slope = rows.T @ (shares - wanted) + _L2 * weights[:width]
        penalty = _L2 / 2 * float(weights[:width] @ weights[:width])
        return penalty - float(np.log(right).sum()), np.append(slope, (of_none / total - none).sum())

    return minimize(loss, np.zeros(width + 1), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x


def _lay_out(questions: list[dict], names: list[str]) -> None:
    """Set the rows of each question: a column a name."""
    column = {name: index for index, name in enumerate(names)}
    for q in questions:
        cells = [
            (row, column[name], value)
            for row, features in enumerate(q["features"])
            for name, value in features.items()
            if name in column and value
        ]
        row, col, value = zip(*cells, strict=True) if cells else ((), (), ())
        q["rows"] = sp.csr_matrix((value, (row, col)), shape=(len(q["features"]), len(names)))


def choose(questions: list[dict], names: list[str], count: int) -> list[str]:
    """The features that weigh most in a fit of all, by weight times spread."""
    _lay_out(questions, names)
    rows = sp.vstack([q["rows"] for q in questions])
    spread = np.sqrt(np.maximum(rows.multiply(rows).mean(0).A1 - rows.mean(0).A1 ** 2, 0))
    weight = np.abs(fit(questions)[:-1]) * spread
    return sorted(names[index] for index in np.argsort(-weight)[:count])


def measure(questions: list[dict], names: list[str], count: int, false_refusal: float) -> tuple[float, str]:
    """How far "no answer" must lead all stretches together, and what the parts left out then score."""
    parts = {page: n % _PARTS for n, page in enumerate(sorted({q["page"] for q in questions}))}
    outcomes = []
    for part in range(_PARTS):
        others = [q for q in questions if parts[q["page"]] != part]
        _lay_out(questions, choose(others, names, count))
        weights = fit(others)
        for q in (q for q in questions if parts[q["page"]] == part):
            scores = q["rows"] @ weights[:-1]
            best = int(np.argmax(scores)) if len(scores) else None
            lead = weights[-1] - logsumexp(scores) if len(scores) else np.inf
            outcomes.append((q["unanswerable"], lead, *((0.0, 0.0) if best is None else q["scores"][best])))
    none, lead, em, f1 = (np.array(column) for column in zip(*outcomes, strict=True))
    limit = float(np.quantile(lead[~none], 1 - false_refusal))
    said = (lead <= limit)[~none]
    figures = [
        100 * x for x in ((em[~none] * said).mean(), (f1[~none] * said).mean(), (lead[none] > limit).mean())
    ]
    return limit, "EM {:.1f} F1 {:.1f} refusal {:.1f}".format(*figures)


def main() -> None:
    """Fit, and print the weights as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--features", type=int, default=90)
    parser.add_argument("--false-refusal", type=float, default=0.2)
    options = parser.parse_args()
    questions = read(options.folder)
    seen = Counter(name for q in questions for name in {n for f in q["features"] for n in f})
    names = sorted(name for name, count in seen.items() if count >= _LEAST_QUESTIONS)
    limit, figures = measure(questions, names, options.features, options.false_refusal)
    names = choose(questions, names, options.features)
    _lay_out(questions, names)
    weights = fit(questions)
    print(figures)
    print("no answer below", round(float(weights[-1]) - limit, 2))
    print(json.dumps({name: round(float(w), 2) for name, w in zip(names, weights, strict=False)}, indent=1))


if __name__ == "__main__":
    main()
