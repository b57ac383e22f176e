"""The reader's network: the bundled encoder (BERT, six layers) with a head for start and end of an answer."""

from collections.abc import Mapping

from timelens.bert.network import Array, Operations, hidden_of, linear

_NEVER = -1e4
HEAD, MARKS = "head", "marks"


def logits(
    operations: Operations[Array], weights: Mapping[str, Array], ids: Array, types: Array
) -> tuple[Array, Array]:
    """Scores of each token as the first and as the last token of an answer.

    Args:
        operations: the backend.
        weights: by name: those of the encoder's file; ``head.weight`` (2, width) and ``head.bias`` (2);
            ``marks`` (marks, width), added to the embeddings of the tokens from 1 on.
        ids: token numbers, shape (inputs, tokens), padded with 0.
        types: 0 for the question and 1 for the passage, of the same shape.

    Returns:
        Two arrays of shape (inputs, tokens), log odds up to a constant; the first token means "no answer
        here".
    """
    return scores_of(operations, weights, vectors(operations, weights, ids, types), ids != 0)


def vectors(operations: Operations[Array], weights: Mapping[str, Array], ids: Array, types: Array) -> Array:
    """The vectors of the last layer that ``weights`` contain, shape (inputs, tokens, width)."""
    there, marks = ids != 0, weights[MARKS]
    is_mark = there & (ids <= len(marks))
    added = marks[(ids - 1).clip(0, len(marks) - 1)] * is_mark[..., None]
    return hidden_of(operations, weights, ids, there, types=types, added=added)


def scores_of(
    operations: Operations[Array], weights: Mapping[str, Array], hidden: Array, there: Array
) -> tuple[Array, Array]:
    """The two outputs of the head for each token, shape (inputs, tokens); padding gets a very low score."""
    scores = operations.where(there[..., None], linear(operations, weights, HEAD, hidden), _NEVER)
    return scores[..., 0], scores[..., 1]
