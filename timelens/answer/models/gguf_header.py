"""Reads the header of a GGUF file without native code: its metadata and the extent of its tensors.

Native readers of this format crash the process on some damaged files, so every file is read here first.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import os
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import BinaryIO

from timelens.errors import BadInputError, MissingError

Scalar = int | float | bool | str

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_LONGEST_KEY = 65_535
_LONGEST_VALUE = 4 << 20
_MOST_KEYS = 100_000
_MOST_TENSORS = 1_000_000
_MOST_DIMENSIONS = 4
_STRING, _ARRAY = 8, 9
_SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_TENSOR_TYPES = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34),
    9: ("Q8_1", 32, 40),
    10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176),
    14: ("Q6_K", 256, 210),
    15: ("Q8_K", 256, 292),
    16: ("IQ2_XXS", 256, 66),
    17: ("IQ2_XS", 256, 74),
    18: ("IQ3_XXS", 256, 98),
    19: ("IQ1_S", 256, 50),
    20: ("IQ4_NL", 32, 18),
    21: ("IQ3_S", 256, 110),
    22: ("IQ2_S", 256, 82),
    23: ("IQ4_XS", 256, 136),
    24: ("I8", 1, 1),
    25: ("I16", 1, 2),
    26: ("I32", 1, 4),
    27: ("I64", 1, 8),
    28: ("F64", 1, 8),
    29: ("IQ1_M", 256, 56),
    30: ("BF16", 1, 2),
    34: ("TQ1_0", 256, 54),
    35: ("TQ2_0", 256, 66),
    39: ("MXFP4", 32, 17),
    40: ("NVFP4", 64, 36),
    41: ("Q1_0", 128, 18),
}
"""Name, elements per block and bytes per block, by type number; the size of unknown types is not checked."""


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """A model file as its header describes it."""

    path: Path
    size: int
    """In bytes."""
    architecture: str
    """``llama``, ``qwen3``, ``gemma3`` …"""
    name: str | None
    family: str | None
    """Its basic name and size, such as ``Qwen2.5-Coder 1.5B``; ``None`` if the file does not state both."""
    parameters: int
    quantisation: str | None
    """The type of most weights; ``None`` if the type is unknown."""
    context_length: int | None
    """The context length that the model was trained with, in tokens."""
    has_chat_template: bool


@dataclass(frozen=True, slots=True)
class _Tensor:
    elements: int
    type_number: int
    offset: int

    @property
    def end(self) -> int:
        """Offset of its end in bytes; of its start, if its type is unknown."""
        _, block, block_bytes = _TENSOR_TYPES.get(self.type_number, ("", 1, 0))
        return self.offset + self.elements // block * block_bytes


def describe_model(path: Path) -> ModelDescription:
    """Read the header of a GGUF file and check that the file holds all of its tensors.

    Raises:
        MissingError: there is no such file.
        BadInputError: it is not a GGUF file, or is truncated, damaged or not readable.
    """
    if not path.exists():
        raise MissingError(
            f"there is no model file {path}",
            "give the path of a GGUF file on this machine: --model FILE, or llama.model",
        )
    if not path.is_file():
        raise BadInputError(f"{path} is not a file", "set llama.model to a GGUF file, not to its folder")
    try:
        with path.open("rb") as file:
            return _read(path, file)
    except OSError as error:
        raise BadInputError(
            f"the model file {path} cannot be read: {error.strerror}", "check the file's permissions"
        ) from error
    except (ValueError, struct.error) as error:
        raise BadInputError(f"the model file {path} {error}", "download it again, or name another") from error


def _read(path: Path, file: BinaryIO) -> ModelDescription:
    header = _Header(file)
    metadata = header.metadata()
    tensors = header.tensors()
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
        raise ValueError(f"is damaged: its alignment is {alignment!r}")
    data = -(-file.tell() // alignment) * alignment
    end = max((data + tensor.end for tensor in tensors), default=0)
    if end > header.size:
        raise ValueError(f"is truncated: it has {header.size:,} of {end:,} bytes")
    architecture = _text(metadata, "general.architecture")
    if architecture is None:
        raise ValueError("does not name an architecture")
    stored: Counter[int] = Counter()
    for tensor in tensors:
        stored[tensor.type_number] += tensor.elements
    common = stored.most_common(1)
    length = metadata.get(f"{architecture}.context_length")
    return ModelDescription(
        path=path,
        size=header.size,
        architecture=architecture,
        name=_text(metadata, "general.name"),
        family=_family(metadata),
        parameters=stored.total(),
        quantisation=_TENSOR_TYPES.get(common[0][0], (None,))[0] if common else None,
        context_length=length if isinstance(length, int) and length > 0 else None,
        has_chat_template=_text(metadata, "tokenizer.chat_template") is not None,
    )


def _family(metadata: Mapping[str, Scalar]) -> str | None:
    basename, size = _text(metadata, "general.basename"), _text(metadata, "general.size_label")
    return f"{basename} {size}" if basename and size else None


def _text(metadata: Mapping[str, Scalar], key: str) -> str | None:
    """A text of the metadata, safe to show on a terminal; ``None`` if it is missing or empty."""
    value = metadata.get(key)
    if not isinstance(value, str):
        return None
    return "".join(character if character.isprintable() else " " for character in value).strip() or None


class _Header:
    """Reads a header from front to back; lengths are checked against the size of the file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = os.fstat(file.fileno()).st_size
        if file.read(4) != _MAGIC:
            raise ValueError("is empty" if self.size == 0 else "is not a GGUF file")
        version = self._number("<I")
        if version not in _VERSIONS:
            raise ValueError(f"has version {version} of the GGUF format, which is not supported")
        self._tensor_count = self._bounded("<Q", _MOST_TENSORS, "tensors")
        self._key_count = self._bounded("<Q", _MOST_KEYS, "metadata keys")

    def metadata(self) -> dict[str, Scalar]:
        """The keys with a single value; arrays, such as the vocabulary, are skipped."""
        found: dict[str, Scalar] = {}
        for _ in range(self._key_count):
            key = self._string(_LONGEST_KEY)
            kind = self._number("<I")
            if kind == _ARRAY:
                self._skip_array()
            elif kind == _STRING:
                found[key] = self._string(_LONGEST_VALUE)
            else:
                found[key] = self._scalar(kind)
        return found

    def tensors(self) -> list[_Tensor]:
        """Element counts, types and offsets of the tensors, in the order of the file."""
        found = []
        for _ in range(self._tensor_count):
            self._string(_LONGEST_KEY)
            dimensions = self._bounded("<I", _MOST_DIMENSIONS, "dimensions")
            elements = prod(self._number("<Q") for _ in range(dimensions))
            kind, offset = self._number("<I"), self._number("<Q")
            found.append(_Tensor(elements, kind, offset))
        return found

    def _skip_array(self) -> None:
        kind, length = self._number("<I"), self._number("<Q")
        if kind == _STRING:
            if length > self.size // 8:
                raise ValueError("is damaged: an array is longer than the file")
            for _ in range(length):
                self._skip(self._number("<Q"))
        elif kind in _SCALARS:
            self._skip(length * struct.calcsize(_SCALARS[kind]))
        else:
            raise ValueError(f"is damaged: an array holds values of unknown type {kind}")

    def _scalar(self, kind: int) -> int | float | bool:
        if kind not in _SCALARS:
            raise ValueError(f"is damaged: a value has the unknown type {kind}")
        layout = _SCALARS[kind]
        value: int | float | bool = struct.unpack(layout, self._bytes(struct.calcsize(layout)))[0]
        return value

    def _number(self, layout: str) -> int:
        number: int = struct.unpack(layout, self._bytes(struct.calcsize(layout)))[0]
        return number

    def _bounded(self, layout: str, most: int, what: str) -> int:
        number = self._number(layout)
        if number > most:
            raise ValueError(f"is damaged: it claims {number:,} {what}")
        return number

    def _string(self, longest: int) -> str:
        return self._bytes(self._bounded("<Q", longest, "bytes of text")).decode("utf-8", errors="replace")

    def _bytes(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) != count:
            raise ValueError("is truncated: it ends within its header")
        return data

    def _skip(self, count: int) -> None:
        if count > self.size - self._file.tell():
            raise ValueError("is truncated: it ends within its header")
        self._file.seek(count, os.SEEK_CUR)
