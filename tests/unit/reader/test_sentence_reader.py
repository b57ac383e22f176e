"""The bundled reader of sentences: its weights, and what it tells."""

from pathlib import Path

import pytest

from timelens.errors import MissingError
from timelens.ingest.chunking import split_sentences
from timelens.reader.encoding import Passage
from timelens.reader.sentence_reader import SENTENCES_SHA256, SentenceReader, bundled_sentence_reader
from timelens.reader.span_reader import bundled_reader

QUESTION = "How did the ferry change hands?"
PASSAGES = [
    Passage("Letters", "Coffee was short. The lamp in the hall was mended by Ada Lind."),
    Passage(
        "Letters", "In 2004 Tidd and Sons sold the ferry to Holmlink. The weather was fair. Tea at four."
    ),
]


def odds_in(reader: SentenceReader, passages: list[Passage]) -> list[list[float]]:
    return reader.odds(QUESTION, passages, [split_sentences(one.text) for one in passages])


def test_the_sentence_that_tells_a_part_of_the_course_is_the_likeliest() -> None:
    first, second = odds_in(bundled_sentence_reader(), PASSAGES)
    assert (len(first), len(second)) == (2, 3)
    assert second[0] > max(*first, *second[1:]) + 1


def test_a_passage_without_text_has_no_sentence() -> None:
    assert bundled_sentence_reader().odds(QUESTION, [Passage("", "")], [[]]) == [[]]


def test_a_stretch_without_tokens_belongs_nowhere() -> None:
    (found,) = bundled_sentence_reader().odds(QUESTION, PASSAGES[:1], [[(17, 17), (0, 17)]])
    assert found[0] == float("-inf") < found[1]


def test_all_parts_of_a_long_passage_are_read() -> None:
    long = Passage("Letters", "Nothing was said of it. " * 120 + PASSAGES[1].text)
    (found,) = odds_in(bundled_sentence_reader(), [long])
    assert max(range(len(found)), key=found.__getitem__) == 120
    assert min(found) > float("-inf")


def test_it_tells_the_same_in_numpy_and_in_torch() -> None:
    file = Path(bundled_sentence_reader()._learned.file)
    cold, warm = (SentenceReader(bundled_reader(), file, SENTENCES_SHA256) for _ in range(2))
    warm.warm()
    for one, other in zip(odds_in(cold, PASSAGES), odds_in(warm, PASSAGES), strict=True):
        assert one == pytest.approx(other, abs=1e-3)


def test_another_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "sentences.safetensors"
    other.write_bytes(b"something else")
    with pytest.raises(MissingError, match="not those of this version"):
        odds_in(SentenceReader(bundled_reader(), other, SENTENCES_SHA256), PASSAGES)
