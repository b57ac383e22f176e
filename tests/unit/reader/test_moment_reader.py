"""The bundled reader of moments: its weights, and what it tells."""

from pathlib import Path

import pytest

from timelens.errors import MissingError
from timelens.ingest.chunking import split_sentences
from timelens.reader.encoding import Passage
from timelens.reader.moment_reader import MOMENTS_SHA256, MomentReader, bundled_moment_reader
from timelens.reader.span_reader import bundled_reader
from timelens.temporal.expressions import find_expressions

QUESTION = "When did Nils give up the ferry?"
PASSAGES = [
    Passage("Log of the ferry", "Coffee was short. Nils painted the rudder. Ada mended the lamp."),
    Passage(
        "Log of the ferry",
        "Nils took the ferry over on 4 May 2003. He gave the ferry up on 12 June 2009, as he had promised"
        " on 1 March. Tea at four.",
    ),
]


def odds_in(reader: MomentReader, passages: list[Passage]) -> list[tuple[list[float], list[float]]]:
    times = [[(one.char_start, one.char_end) for one in find_expressions(p.text)] for p in passages]
    return reader.odds(QUESTION, passages, [split_sentences(one.text) for one in passages], times)


def test_the_sentence_that_tells_the_moment_is_the_likeliest() -> None:
    (first, _), (second, _) = odds_in(bundled_moment_reader(), PASSAGES)
    assert (len(first), len(second)) == (3, 3)
    assert second[1] > max(*first, second[0], second[2]) + 1


def test_the_date_of_the_moment_is_the_likeliest_in_its_sentence() -> None:
    _, (_, times) = odds_in(bundled_moment_reader(), PASSAGES)
    _, left, promised = times
    assert left > max(0, promised)


def test_a_passage_without_text_has_no_sentence() -> None:
    assert bundled_moment_reader().odds(QUESTION, [Passage("", "")], [[]], [[]]) == [([], [])]


def test_it_tells_the_same_in_numpy_and_in_torch() -> None:
    file = Path(bundled_moment_reader()._learned.file)
    cold, warm = (MomentReader(bundled_reader(), file, MOMENTS_SHA256) for _ in range(2))
    warm.warm()
    for one, other in zip(odds_in(cold, PASSAGES), odds_in(warm, PASSAGES), strict=True):
        assert one[0] == pytest.approx(other[0], abs=1e-3)
        assert one[1] == pytest.approx(other[1], abs=1e-3)


def test_another_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "moments.safetensors"
    other.write_bytes(b"something else")
    with pytest.raises(MissingError, match="not those of this version"):
        odds_in(MomentReader(bundled_reader(), other, MOMENTS_SHA256), PASSAGES)
