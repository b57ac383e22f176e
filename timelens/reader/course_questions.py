"""Tells questions about a course from questions about one thing: a development, holders, a list, a story.

The answer to such a question consists of several dated statements. The network has the lower layers of the
reader and its own upper layers, and reads the whole question.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from timelens.bert.in_numpy import NumpyOperations, one_thread
from timelens.bert.network import hidden_of, linear
from timelens.reader.derived_reader import DerivedReader
from timelens.reader.network import HEAD
from timelens.reader.span_reader import bundled_reader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from timelens.bert.network import Array, Operations

COURSES_SHA256 = "16ea58f141ebf4b636434cd6a59f222d6ed11c2484f46bf553b51fdc999c861d"
"""SHA-256 of the bundled file; ``WEIGHTS.md`` lists its training data."""
_LONGEST = 64
"""Most tokens of a question."""


class CourseQuestions(DerivedReader):
    """The classifier of questions. It always computes in numpy: it reads one question, not many passages."""

    def warm(self) -> None:
        """Load the weights.

        Raises:
            MissingError: the weights are missing, or are not the bundled ones.
        """
        self.log_odds("warm")

    def log_odds(self, question: str) -> float:
        """Log odds that a question asks for several dated statements.

        Raises:
            MissingError: the weights are missing, or are not the bundled ones.
        """
        ids = np.asarray([self.tokenizer.encode(question).ids[:_LONGEST]])
        with one_thread():
            return float(output(NumpyOperations(), self.arrays, ids)[0])


def output(operations: "Operations[Array]", weights: "Mapping[str, Array]", ids: "Array") -> "Array":
    """The log odds of questions for a course.

    Args:
        operations: the backend.
        weights: by name: those of the reader, with the trained layers and ``head`` (1, width) in place.
        ids: token numbers with ``[CLS]`` first, shape (inputs, tokens), padded with 0.

    Returns:
        Shape (inputs,).
    """
    first = ids[:, 0] * 0
    last = operations.dropout(hidden_of(operations, weights, ids, ids != 0, at=first))
    odds: Array = linear(operations, weights, HEAD, last[:, 0])
    return odds[:, 0]


@lru_cache(maxsize=1024)
def course_odds(question: str) -> float:
    """Log odds that a question asks for several dated statements, by the bundled network.

    Raises:
        MissingError: the weights are missing, or are not the bundled ones.
    """
    return bundled_course_questions().log_odds(question)


@cache
def bundled_course_questions() -> CourseQuestions:
    """The bundled classifier."""
    return CourseQuestions(bundled_reader(), Path(__file__).parent / "courses.safetensors", COURSES_SHA256)
