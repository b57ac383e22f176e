"""The reader's network: the bundled encoder (BERT, six layers) with a head for start and end of an answer."""

from collections.abc import Mapping

from torch import Tensor

from timelens.bert import hidden_of, linear

_NEVER = -1e4
HEAD, MARKS = "head", "marks"


def logits(
    weights: Mapping[str, Tensor], ids: Tensor, types: Tensor, *, dropout: float = 0.0
) -> tuple[Tensor, Tensor]:
    """What speaks for each token as the first and as the last of an answer.

    Args:
        weights: by their names in the encoder's own file; ``head.weight`` (2, width) and ``head.bias`` (2);
            ``marks`` (marks, width), what is added to the vectors of the tokens from 1 on.
        ids: token numbers, shape (inputs, tokens), 0 where an input is shorter.
        types: 0 for the question and 1 for the passage, of the same shape.
        dropout: the share of values left out, while training.

    Returns:
        Two of shape (inputs, tokens), as log odds up to a constant; the first token stands for "not here".
    """
    there, marks = ids != 0, weights[MARKS]
    is_mark = there & (ids <= len(marks))
    added = marks[(ids - 1).clamp(0, len(marks) - 1)] * is_mark[..., None]
    hidden = hidden_of(weights, ids, there, types=types, added=added, dropout=dropout)
    scores = linear(weights, HEAD, hidden).masked_fill(~there[..., None], _NEVER)
    return scores[..., 0], scores[..., 1]
