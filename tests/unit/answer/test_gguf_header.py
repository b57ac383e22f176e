import random
import struct
from contextlib import suppress
from pathlib import Path

import pytest

from timelens.answer.llama import describe_model
from timelens.errors import BadInputError, MissingError


def test_a_model_is_described_by_its_header(tiny_model: Path) -> None:
    description = describe_model(tiny_model)
    assert description.path == tiny_model
    assert description.size == tiny_model.stat().st_size
    assert description.architecture == "llama"
    assert description.name == "tiny random llama"
    assert description.parameters == 108_224
    assert description.quantisation == "F16"
    assert description.context_length == 4096
    assert description.has_chat_template


def test_the_sizes_of_tensor_types_are_those_of_the_format() -> None:
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

    from timelens.answer.models.gguf_header import _TENSOR_TYPES

    known = {int(kind): (kind.name, *GGML_QUANT_SIZES[kind]) for kind in GGMLQuantizationType}
    assert {number: known[number] for number in _TENSOR_TYPES if number in known} == {
        number: entry for number, entry in _TENSOR_TYPES.items() if number in known
    }


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"none\.gguf"):
        describe_model(tmp_path / "none.gguf")


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="is not a file"):
        describe_model(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"GG", "not a GGUF file"),
        (b"Once upon a time there was a model.", "not a GGUF file"),
        (b"GGUF", "truncated"),
        (b"GGUF" + struct.pack("<I", 1), "version 1"),
        (b"GGUF" + struct.pack("<I", 0x03000000), "version 50331648"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**63, 1), "claims 9,223,372,036,854,775,808 tensors"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**64 - 1), "metadata keys"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**40), "bytes of text"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<I", 77), "unknown type 77"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 8, 2**62), "longer than"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 9, 1), "unknown type 9"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 4, 2**62), "truncated"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "does not name an architecture"),
    ],
)
def test_what_is_no_model_is_refused_by_name(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=message) as error:
        describe_model(path)
    assert "broken.gguf" in error.value.message


@pytest.mark.parametrize("kept", [5, 24, 100, 3_000, 8_000, 20_000, 223_100])
def test_a_truncated_model_is_refused(tiny_model: Path, tmp_path: Path, kept: int) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(tiny_model.read_bytes()[:kept])
    with pytest.raises(BadInputError, match="truncated"):
        describe_model(path)


def test_damage_anywhere_in_the_header_is_refused_or_read_over(tiny_model: Path, tmp_path: Path) -> None:
    dice = random.Random(1)
    path = tmp_path / "damaged.gguf"
    good = tiny_model.read_bytes()
    for _ in range(300):
        damaged = bytearray(good)
        for _ in range(dice.choice([1, 8])):
            damaged[dice.randrange(9_000)] = dice.randrange(256)
        path.write_bytes(damaged)
        with suppress(BadInputError):
            describe_model(path)
