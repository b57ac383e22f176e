"""Answers written by a local language model with llama.cpp. No other part of timelens imports llama_cpp."""

from timelens.answer.gguf_header import ModelDescription, describe_model
from timelens.answer.llama.answerer import LlamaAnswerer
from timelens.answer.llama.library import BuildInfo, build_info

__all__ = ["BuildInfo", "LlamaAnswerer", "ModelDescription", "build_info", "describe_model"]
