"""Answers written and questions read by a local language model with llama.cpp.

No other part of timelens imports llama_cpp.
"""

from timelens.answer.gguf_header import ModelDescription, describe_model
from timelens.answer.llama.annotator import LlamaAnnotator
from timelens.answer.llama.answerer import LlamaAnswerer
from timelens.answer.llama.library import BuildInfo, build_info
from timelens.answer.llama.parser import LlamaParser
from timelens.answer.llama.remembered import remembered_models
from timelens.answer.llama.session import Session, described
from timelens.answer.llama.trial import known_trial

__all__ = [
    "BuildInfo",
    "LlamaAnnotator",
    "LlamaAnswerer",
    "LlamaParser",
    "ModelDescription",
    "Session",
    "build_info",
    "describe_model",
    "described",
    "known_trial",
    "remembered_models",
]
