"""A GGUF model that is loaded for its first job."""

from timelens.answer.llama.loaded_model import LoadedModel, first_context
from timelens.answer.llama.trial import try_out
from timelens.answer.lm.model_session import ModelSession
from timelens.answer.lm.speed import Speed
from timelens.answer.lm.stop import Stop
from timelens.answer.models.gguf_header import ModelDescription, describe_model
from timelens.config import LlamaSettings
from timelens.errors import MissingError
from timelens.folders import user_path


class Session(ModelSession[LlamaSettings]):
    """One loaded model for all jobs."""

    thread_name = "llama"
    _model: LoadedModel | None = None

    def opened(self, stop: Stop) -> LoadedModel | None:
        """The model, loaded for the first job; ``None`` if loading was stopped.

        Raises:
            MissingError: llama-cpp-python or the model file is missing.
            BadInputError: the file is not a usable model.
        """
        if self._model is None:
            description = configured_description(self.settings)
            context = first_context(description, self.settings)
            caution = try_out(description, self.settings, context, stop)
            if stop:
                return None
            self._model = LoadedModel(description, self.settings, caution)
        return self._model

    def release(self) -> None:
        """Free the model's memory."""
        if self._model is not None:
            self._model.close()
            self._model = None

    def take_speed(self) -> Speed | None:
        """The speed since the last call; ``None`` without a loaded model."""
        return None if self._model is None else self._model.take_speed()


def configured_description(settings: LlamaSettings) -> ModelDescription:
    """The configured model as the header of its file describes it.

    Raises:
        MissingError: no model is configured, or its file is missing.
        BadInputError: the file is not a usable model.
    """
    if settings.model is None:
        raise MissingError(
            "no language model is configured", "set llama.model to a GGUF file, or use --answerer extractive"
        )
    return describe_model(user_path(settings.model))
