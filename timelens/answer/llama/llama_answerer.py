"""Answers written by a model on this machine."""

from timelens.answer.llama.llama_session import Session
from timelens.answer.lm.model_answerer import ModelAnswerer
from timelens.config import LlamaSettings


class LlamaAnswerer(ModelAnswerer):
    """Writes answers with a GGUF model, which is loaded for the first answer."""

    session: Session

    def __init__(self, settings: LlamaSettings) -> None:
        super().__init__(Session(settings))
