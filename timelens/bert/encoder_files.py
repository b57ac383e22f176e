"""Reads the files of the bundled encoder: its tokenizer, and its weights as arrays."""

import json
import mmap
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS = "model.safetensors"
_TYPES = {"F16": np.float16, "F32": np.float32, "I8": np.int8, "I64": np.int64}
_LENGTH_BYTES = 8
"""Size of the first number of the file, which is the length of its JSON header."""


def tokenizer_of(folder: Path) -> "Tokenizer":
    """The tokenizer of the encoder in a folder, without truncation and padding.

    Raises:
        OSError: it cannot be read.
    """
    from tokenizers import Tokenizer

    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # avoids a warning when a process is started
    tokenizer: Tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def arrays_of(file: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a safetensors file by name. The file is memory-mapped: only used parts are read.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is damaged.
        KeyError: the file holds arrays of another type.
    """
    with file.open("rb") as stream:
        content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    begin = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
    arrays = {}
    for name, entry in json.loads(content[_LENGTH_BYTES:begin]).items():
        if name != "__metadata__":
            count, offset = int(np.prod(entry["shape"])), begin + entry["data_offsets"][0]
            flat = np.frombuffer(content, _TYPES[entry["dtype"]], count, offset)
            arrays[name] = flat.reshape(entry["shape"])
    return arrays
