"""Sentences per second of the tagger on one core, compared with ``dateparser.search.search_dates``.

Takes text files (default: the bundled spaceflight documents). Budgets: at least 5,000 sentences per second,
and ten times dateparser on the same text, which is limited to English, with relative dates from the same day.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from timelens.ingest.chunking import split_sentences
from timelens.temporal import year_model, year_network
from timelens.temporal.calendar import day_number
from timelens.temporal.expressions import find_expressions

ROUNDS = 5
SENTENCES = 2_000
REFERENCE_SENTENCES = 100
"""Enough for dateparser to run a few seconds; its rate does not depend on the number."""
BUNDLED = Path(__file__).parents[1] / "corpora" / "spaceflight" / "documents"
WRITTEN = datetime(2021, 6, 15, tzinfo=UTC)


def sentences_a_second(read: Callable[[str], object], sentences: Sequence[str], rounds: int) -> float:
    """Median rate over several rounds, each without what the last one remembered of numbers."""
    rates = []
    for _ in range(rounds):
        for model in (year_model, year_network):
            model._log_odds.cache_clear()
        started = time.perf_counter()
        for sentence in sentences:
            read(sentence)
        rates.append(len(sentences) / (time.perf_counter() - started))
    return statistics.median(rates)


def main() -> None:
    """Print both rates and their ratio."""
    from dateparser.search import search_dates

    files = [Path(name) for name in sys.argv[1:]] or sorted(BUNDLED.glob("*.md"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    sentences = [text[start:end] for text in texts for start, end in split_sentences(text)][:SENTENCES]
    anchor = day_number(WRITTEN.year, WRITTEN.month, WRITTEN.day)
    options = {"RELATIVE_BASE": WRITTEN.replace(tzinfo=None)}
    ours = sentences_a_second(lambda text: find_expressions(text, anchor), sentences, ROUNDS)
    theirs = sentences_a_second(
        lambda text: search_dates(text, languages=["en"], settings=options),
        sentences[:REFERENCE_SENTENCES],
        1,
    )
    rates = f"{ours:,.0f} sentences/s against {theirs:,.0f}"
    print(f"tagging      {rates}: {ours / theirs:.0f} × (budgets 5,000 and 10)")


if __name__ == "__main__":
    main()
