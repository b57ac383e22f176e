"""Which evidence bears out an answer that cites none. Pure."""

from collections.abc import Sequence

from timelens.answer.model import Citation
from timelens.words import topic_words


def attributed(text: str, question: str, citations: Sequence[Citation]) -> Citation | None:
    """The piece that holds every word of an answer that the question does not have.

    Of several that is the one of the best rank (the lowest number). A bare yes or no, and words that no piece
    has, are borne out by none.

    Args:
        text: the answer.
        question: what it answers.
        citations: what the model was shown.
    """
    told = topic_words(text) - topic_words(question)
    if not told:
        return None
    ranked = sorted(citations, key=lambda citation: citation.number)
    holding = (one for one in ranked if told <= topic_words(f"{one.hit.chunk.title} {one.hit.chunk.text}"))
    return next(holding, None)
