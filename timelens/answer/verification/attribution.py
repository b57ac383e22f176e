"""Finds the evidence that supports an answer without citations. Pure."""

from collections.abc import Sequence

from timelens.answer.draft import Citation
from timelens.words import topic_words


def attributed(text: str, question: str, citations: Sequence[Citation]) -> Citation | None:
    """The piece of evidence that contains every word of the answer that is not in the question.

    If there are several, the best ranked (lowest number) is returned; if there is none, or if the answer has
    no such words (a bare yes or no), ``None``.

    Args:
        text: the answer.
        question: the question it answers.
        citations: the evidence shown to the model.
    """
    told = topic_words(text) - topic_words(question)
    if not told:
        return None
    ranked = sorted(citations, key=lambda citation: citation.number)
    holding = (one for one in ranked if told <= topic_words(f"{one.hit.chunk.title} {one.hit.chunk.text}"))
    return next(holding, None)
