"""Accuracy of values that hold now, for questions that say "now" or are in the present tense.

    python scripts/measure_present.py

The questions are those of ``scripts/reading/collections/NAME.now.jsonl`` over collections held out from
training, in one wording, asked a month after the last paper: as they are, with "now", and with "at the
moment". For each it prints how many are answered right and wrong at the usual risk by the likeliest value in
force (:func:`timelens.answer.text.value_statements.standing_picks`), and by the likeliest span of any time.
"""

import json
from collections import Counter
from pathlib import Path

from calibrate_reader import COLLECTIONS, K, is_same, opened
from calibrate_standing import asked_on
from reading_examples import held_out

from timelens.answer.text.answer_selection import picks
from timelens.answer.text.picked_spans import PASSAGES, is_sure
from timelens.answer.text.value_statements import standing_picks, values_in
from timelens.question.parse import parse
from timelens.reader.span_reader import bundled_reader
from timelens.reader.values_reader import bundled_values_reader

_ENDINGS = ("", " now", " at the moment")


def results_of(file: Path) -> Counter[tuple[str, str, str]]:
    """How many questions of a collection are answered (ending, way, right or wrong)."""
    name = file.name.partition(".")[0]
    documents = file.with_name(f"{name}.documents.jsonl")
    today = asked_on(documents)
    found: Counter[tuple[str, str, str]] = Counter()
    with opened(documents) as corpus:
        for row in map(json.loads, file.open()):
            for ending in _ENDINGS:
                question = f"{row['question'].rstrip(' ?.')}{ending}?"
                parsed = parse(question, today)
                pool = corpus.search(question, as_of=today, strategy="timelens", k=K).pool
                texts = [hit for hit in pool if hit.chunk.fact is None]
                spans = picks(parsed, texts, values_in(parsed, texts[:PASSAGES]))
                for way, told in (("in force", standing_picks(parsed, texts)), ("any time", spans)):
                    if is_sure(told):
                        right = any(is_same(told[0].text, one["answer"]) for one in row["answers"])
                        found[ending, way, "right" if right else "wrong"] += 1
                found[ending, "", "asked"] += 1
    return found


def main() -> None:
    """Ask and print."""
    bundled_reader().warm()
    bundled_values_reader().warm()
    files = sorted(COLLECTIONS.glob("*.now.jsonl"))
    total: Counter[tuple[str, str, str]] = Counter()
    for file in files:
        if held_out(file.name.partition(".")[0], 5):
            total += results_of(file)
    for ending in _ENDINGS:
        print(f"{total[ending, '', 'asked']} questions with “{ending.strip() or 'no word of time'}”")
        for way in ("in force", "any time"):
            print(f"  {way}: right {total[ending, way, 'right']}, wrong {total[ending, way, 'wrong']}")


if __name__ == "__main__":
    main()
