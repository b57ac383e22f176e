"""The bundled classifier of questions for a course."""

from pathlib import Path

import pytest

from timelens.errors import MissingError
from timelens.reader.course_questions import COURSES_SHA256, CourseQuestions, course_odds
from timelens.reader.span_reader import bundled_reader


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("Into whose hands has the mill passed?", "Who bought the mill in 1931?"),
        ("what became of the old lifeboat", "what is the lifeboat called"),
        ("Walk me through the rows about the hedge.", "Why did they row about the hedge in May?"),
        ("Everyone who has kept the bees since the fire", "Who kept the bees when the fire broke out?"),
    ],
)
def test_the_meaning_decides_and_not_a_word(several: str, one: str) -> None:
    assert course_odds(several) > 2 > -2 > course_odds(one)


@pytest.mark.parametrize("question", ["?", "a", "rent " * 500, "[MASK] [PAD]", "誰が"])
def test_any_text_has_odds(question: str) -> None:
    assert -50 < course_odds(question) < 50


def test_another_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "courses.safetensors"
    other.write_bytes(b"something else")
    with pytest.raises(MissingError, match="not those of this version"):
        CourseQuestions(bundled_reader(), other, COURSES_SHA256).log_odds("Who?")
