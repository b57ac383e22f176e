"""The sentences of the evidence that tell yes or no to a question, as the reader finds them.

Yes or no itself is not said: ``docs/answers.md`` has the figures.
"""

from collections.abc import Sequence

from timelens.answer.picking import PASSAGES, passage_of, pick_of, times_in
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion
from timelens.reader.model import Reading
from timelens.reader.whether import bundled_whether_reader


def telling(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Hit]:
    """The evidence by the sentence of each piece that is likeliest to tell, with its time; likeliest first.

    ``hits`` are of text, best first; so many are looked at as are read for other questions.
    """
    read = hits[:PASSAGES]
    times = [times_in(hit.chunk) for hit in read]
    passages = [passage_of(hit.chunk, stated) for hit, stated in zip(read, times, strict=True)]
    found = bundled_whether_reader().tell(parsed.core, parsed.window, passages)
    return [
        pick_of(
            Reading(one.passage, one.at, one.at + 1, one.score),
            read[one.passage],
            times[one.passage],
            parsed.window,
        ).hit
        for one in found
    ]
