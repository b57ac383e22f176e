"""Language models on this machine, run by llama.cpp.

No other part of timelens imports llama_cpp. Requests to a model are in :mod:`timelens.answer.lm`.
"""

from timelens.answer.llama.library import BuildInfo, build_info
from timelens.answer.llama.llama_answerer import LlamaAnswerer
from timelens.answer.llama.llama_session import Session, configured_description
from timelens.answer.llama.measured_speed import keep_speed, known_speed
from timelens.answer.llama.remembered import remembered_models
from timelens.answer.llama.trial import known_trial
from timelens.answer.models.gguf_header import ModelDescription, describe_model

__all__ = [
    "BuildInfo",
    "LlamaAnswerer",
    "ModelDescription",
    "Session",
    "build_info",
    "configured_description",
    "describe_model",
    "keep_speed",
    "known_speed",
    "known_trial",
    "remembered_models",
]
