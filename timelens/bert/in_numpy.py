"""The operations of the network in numpy, which loads quickly. For few texts, on one core."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_EPSILON = np.float32(1e-12)
_ERFC_SLOPE = 0.3275911
_ERFC = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
"""erfc(z) = t (… (1.06 t - 1.45) t …) exp(-z²), t = 1 / (1 + 0.33 z), z ≥ 0, within 1.5e-7 (Hastings)."""

_ROWS_AT_ONCE = 32
"""Rows whose intermediate values stay in the processor's cache: GELU takes less than half the time."""

Values = NDArray[Any]


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit numpy to one thread within the context: on a busy machine several threads wait for each other."""
    with _pools().limit(limits=1, user_api="blas"):
        yield


@cache
def _pools() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


class NumpyOperations:
    """The operations on arrays of 32-bit floats."""

    def linear(self, values: Values, weight: Values, bias: Values) -> Values:
        """``values`` × ``weight`` transposed + ``bias``."""
        product: Values = values @ weight.T
        product += bias
        return product

    def normalised(self, values: Values, weight: Values, bias: Values) -> Values:
        """Layer normalisation over the last axis: mean 0 and variance 1, × ``weight`` + ``bias``."""
        centred: Values = values - values.mean(-1, keepdims=True)
        variance = np.einsum("...i,...i->...", centred, centred)[..., None] / np.float32(values.shape[-1])
        centred /= np.sqrt(variance + _EPSILON)
        centred *= weight
        centred += bias
        return centred

    def gelu(self, values: Values) -> Values:
        """GELU, x Φ(x) for each value x; ``values`` may be overwritten."""
        rows = values.reshape(-1, values.shape[-1])
        for first in range(0, len(rows), _ROWS_AT_ONCE):
            _gelu_in_place(rows[first : first + _ROWS_AT_ONCE])
        return rows.reshape(values.shape)

    def attention(self, query: Values, key: Values, value: Values, seen: Values) -> Values:
        """Scaled dot-product attention; ``seen`` is false for masked keys."""
        scores: Values = (query * np.float32(query.shape[-1] ** -0.5)) @ key.swapaxes(-1, -2)
        if not seen.all():
            scores = np.where(seen, scores, np.float32(-np.inf))
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        totals = scores.sum(-1, keepdims=True)
        context: Values = scores @ value
        context /= totals
        return context

    def dropout(self, values: Values) -> Values:
        """The values unchanged: numpy is not used for training."""
        return values

    def where(self, condition: Values, values: Values, other: float) -> Values:
        """``values`` where the condition holds, else ``other``."""
        return np.where(condition, values, np.float32(other))


def _gelu_in_place(values: Values) -> None:
    size = np.abs(values)
    scaled = size * np.float32(0.5**0.5)
    share = np.reciprocal(scaled * np.float32(_ERFC_SLOPE) + np.float32(1))
    below = share * np.float32(_ERFC[0])
    for factor in _ERFC[1:]:
        below += np.float32(factor)
        below *= share
    scaled *= scaled
    np.negative(scaled, out=scaled)
    below *= np.exp(scaled, out=scaled)
    below *= size
    below *= np.float32(0.5)  # |x| erfc(|x| / √2) / 2
    np.maximum(values, 0, out=values)
    values -= below
