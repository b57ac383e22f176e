"""Requests to a language model and the handling of its replies, independent of where it runs."""

from timelens.answer.lm.annotator import ModelAnnotator
from timelens.answer.lm.model_answerer import ModelAnswerer
from timelens.answer.lm.model_session import ModelSession
from timelens.answer.lm.parser import ModelParser
from timelens.answer.lm.speed import Speed

__all__ = ["ModelAnnotator", "ModelAnswerer", "ModelParser", "ModelSession", "Speed"]
