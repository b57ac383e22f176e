"""The bundled reader and the networks over its layers, which are checked and loaded together."""

from timelens.reader.course_questions import bundled_course_questions
from timelens.reader.moment_reader import bundled_moment_reader
from timelens.reader.row_reader import bundled_row_reader
from timelens.reader.sentence_reader import bundled_sentence_reader
from timelens.reader.span_reader import Reader, bundled_reader
from timelens.reader.values_reader import bundled_values_reader
from timelens.reader.yes_no_reader import bundled_yes_no_reader


def bundled_networks() -> tuple[Reader, ...]:
    """The reader, and all networks that replace its upper layers."""
    return (
        bundled_reader(),
        bundled_yes_no_reader(),
        bundled_values_reader(),
        bundled_sentence_reader(),
        bundled_course_questions(),
        bundled_row_reader(),
        bundled_moment_reader(),
    )
