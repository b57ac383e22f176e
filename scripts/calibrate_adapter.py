"""Fit the probability that a reply of the reading adapter is right, to replies on what is held out.

    python scripts/calibrate_adapter.py PROMPTS.jsonl … --replies build/adapter/replies.jsonl

``PROMPTS.jsonl`` come from ``scripts/adapter_prompts.py``, ``replies.jsonl`` from
``scripts/train_adapter.py``. A reply is right if it has all words of one of the question's values, or only
words of one. Each figure is by a fit to the other collections. Prints the weights for
``timelens/answer/writing/reading_prompt.py``.
"""

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibrate_reader import calibration_error
from fits import Row, fit_weights, weights_as_code

from timelens.answer.citation_numbers import without_citations
from timelens.answer.scorecard import score_of
from timelens.answer.writing.answer_prompt import NO_ANSWER
from timelens.answer.writing.reading_prompt import features_of
from timelens.bench.measures import plain_words

CUTS = (0.3, 0.43, 0.5, 0.6, 0.7, 0.8, 0.9)
Told = tuple[Mapping[str, Any], Mapping[str, Any]]
"""(prompt, reply)."""


def is_right(prompt: Mapping[str, Any], text: str) -> bool:
    """Whether a reply has the words of a value of the question, or part of them."""
    said = set(plain_words(without_citations(text)).split())
    wanted = [prompt["reply"]] if prompt["kind"] == "yesno" else prompt["values"]
    values = (set(plain_words(without_citations(value)).split()) for value in wanted)
    return any(said and value and (said <= value or value <= said) for value in values)


def rows_of(told: Sequence[Told]) -> Iterator[Row]:
    """The features of each reply with values, and whether it is right."""
    for prompt, reply in told:
        features = features_of(reply["log_probability"], reply["log_refusal"])
        yield features, is_right(prompt, reply["text"])


def main() -> None:
    """Fit, and print calibration, outcomes at several cutoffs and weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prompts", type=Path, nargs="+")
    parser.add_argument("--replies", type=Path, required=True)
    options = parser.parse_args()
    prompts = {row["id"]: row for file in options.prompts for row in map(json.loads, file.open())}
    replies = {row["id"]: row for row in map(json.loads, options.replies.open()) if row["id"] in prompts}
    by_source: dict[str, list[Told]] = defaultdict(list)
    for id_, reply in replies.items():
        if prompts[id_]["kind"] not in ("course", "timeqa"):
            by_source[prompts[id_]["source"]].append((prompts[id_], reply))
    every = [one for told in by_source.values() for one in told]
    said = [one for one in every if not one[1]["text"].startswith(NO_ANSWER)]
    scored: list[tuple[float, bool]] = []
    for source, told in sorted(by_source.items()):
        weights = fit_weights(list(rows_of([one for one in said if one[0]["source"] != source])))
        own = [one for one in told if not one[1]["text"].startswith(NO_ANSWER)]
        scored += [(score_of(features, weights), right) for features, right in rows_of(own)]
    expected = calibration_error(scored)
    none = [one for one in every if one[0]["reply"] == NO_ANSWER]
    refused = sum(reply["text"].startswith(NO_ANSWER) for _, reply in none)
    print(
        f"{len(every)} questions, {len(none)} without an answer in the evidence, of these {refused} refused"
    )
    print(f"{len(said)} replies with values, calibration error {expected:.3f}")
    for cut in CUTS:
        sure = [right for score, right in scored if score >= math.log(cut / (1 - cut))]
        print(f"  at least {cut}: {len(sure)}, right {sum(sure)} ({sum(sure) / max(len(sure), 1):.1%})")
    print(weights_as_code(fit_weights(list(rows_of(said))), digits=3))


if __name__ == "__main__":
    main()
