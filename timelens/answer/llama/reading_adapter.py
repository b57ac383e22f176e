"""The bundled adapter that makes a small model read evidence: low-rank weights for one family of models.

Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models". Trained by ``scripts/train_adapter.py``
on prompts of ``scripts/adapter_prompts.py``; ``ADAPTER.md`` beside this file states data and licence.
"""

import ctypes
from pathlib import Path
from types import ModuleType
from typing import Any

from timelens.answer.models.gguf_header import ModelDescription
from timelens.errors import MissingError
from timelens.folders import file_sha256

FAMILY = "Qwen2.5-Coder 1.5B"
FILE = Path(__file__).with_name("reading_adapter.gguf")
SHA256 = "02ae3ee08e4bff0360abb58fbb6ed059d2f943fd39345ba3ff4d5def124f4e4d"
_ARCHITECTURE = "qwen2"


def fits(description: ModelDescription) -> bool:
    """Whether the adapter was trained on a model, whatever the quantisation of its file."""
    return description.architecture == _ARCHITECTURE and description.family == FAMILY


class ReadingAdapter:
    """The adapter, loaded for one loaded model. It is not in use until it is switched on."""

    def __init__(self, api: ModuleType, model: Any) -> None:  # noqa: ANN401 -- a pointer of llama.cpp
        """Load it.

        Raises:
            MissingError: the bundled file is damaged, or llama.cpp cannot use it.
        """
        self._api = api
        whole = file_sha256(FILE) == SHA256
        self._adapter = api.llama_adapter_lora_init(model, str(FILE).encode()) if whole else None
        if not self._adapter:
            raise MissingError(
                f"the reading adapter {FILE} cannot be used",
                'install timelens again, or set reading = "direct"',
            )

    def switch(self, context: Any, *, on: bool) -> None:  # noqa: ANN401 -- a pointer of llama.cpp
        """Use the adapter in a context, or no longer. What the context has cached is then not valid."""
        adapters = (self._api.llama_adapter_lora_p_ctypes * 1)(self._adapter)
        scales = (ctypes.c_float * 1)(1.0)
        self._api.llama_set_adapters_lora(context, adapters, int(on), scales)
