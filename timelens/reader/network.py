"""The reader's network: the bundled encoder (BERT, six layers) with a head for start and end of an answer."""

from collections.abc import Mapping

from timelens.bert.network import Array, Operations, hidden_of, linear

_NEVER = -1e4
HEAD, MARKS = "head", "marks"


def logits(
    operations: Operations[Array], weights: Mapping[str, Array], ids: Array, types: Array
) -> tuple[Array, Array]:
    """What speaks for each token as the first and as the last of an answer.

    Args:
        operations: what computes.
        weights: by their names in the encoder's own file; ``head.weight`` (2, width) and ``head.bias`` (2);
            ``marks`` (marks, width), what is added to the vectors of the tokens from 1 on.
        ids: token numbers, shape (inputs, tokens), 0 where an input is shorter.
        types: 0 for the question and 1 for the passage, of the same shape.

    Returns:
        Two of shape (inputs, tokens), as log odds up to a constant; the first token stands for "not here".
    """
    return scores_of(operations, weights, vectors(operations, weights, ids, types), ids != 0)


def vectors(operations: Operations[Array], weights: Mapping[str, Array], ids: Array, types: Array) -> Array:
    """The vectors of the last layer that there are weights of, with what the marks add."""
    there, marks = ids != 0, weights[MARKS]
    is_mark = there & (ids <= len(marks))
    added = marks[(ids - 1).clip(0, len(marks) - 1)] * is_mark[..., None]
    return hidden_of(operations, weights, ids, there, types=types, added=added)


def scores_of(
    operations: Operations[Array], weights: Mapping[str, Array], hidden: Array, there: Array
) -> tuple[Array, Array]:
    """The two outputs of the head for each token that is there."""
    scores = operations.where(there[..., None], linear(operations, weights, HEAD, hidden), _NEVER)
    return scores[..., 0], scores[..., 1]
