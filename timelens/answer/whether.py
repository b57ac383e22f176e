"""The sentences of the evidence that tell yes or no to a question, as the reader finds them.

Yes or no itself is not said: ``docs/answers.md`` has the figures.
"""

from collections.abc import Sequence

from timelens.answer.picking import passages_of, pick_of
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion
from timelens.reader.model import Reading
from timelens.reader.whether import bundled_whether_reader


def telling(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Hit]:
    """The evidence by the sentence of each piece that is likeliest to tell, with its time; likeliest first.

    ``hits`` are of text, best first; so many are looked at as are read for other questions.
    """
    times, passages = passages_of(hits)
    found = bundled_whether_reader().tell(parsed.core, parsed.window, passages)
    return [
        pick_of(
            Reading(one.passage, one.at, one.at + 1, one.score),
            hits[one.passage],
            times[one.passage],
            parsed.window,
        ).hit
        for one in found
    ]
