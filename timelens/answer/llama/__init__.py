"""Language models on this machine, run by llama.cpp.

No other part of timelens imports llama_cpp. Requests to a model are in :mod:`timelens.answer.lm`.
"""

from timelens.answer.gguf_header import ModelDescription, describe_model
from timelens.answer.llama.answerer import LlamaAnswerer
from timelens.answer.llama.library import BuildInfo, build_info
from timelens.answer.llama.remembered import remembered_models
from timelens.answer.llama.session import Session, described
from timelens.answer.llama.speed import keep_speed, known_speed
from timelens.answer.llama.trial import known_trial

__all__ = [
    "BuildInfo",
    "LlamaAnswerer",
    "ModelDescription",
    "Session",
    "build_info",
    "describe_model",
    "described",
    "keep_speed",
    "known_speed",
    "known_trial",
    "remembered_models",
]
