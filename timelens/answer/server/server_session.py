"""A model on a server that is contacted for its first job."""

from timelens.answer.lm.model_answerer import ModelAnswerer
from timelens.answer.lm.model_session import ModelSession
from timelens.answer.lm.stop import Stop
from timelens.answer.server.client import StoppedError, list_models
from timelens.answer.server.endpoint import Endpoint, endpoint_of
from timelens.answer.server.server_model import ServerModel
from timelens.config import ServerSettings
from timelens.errors import MissingError

_MOST_NAMED = 8


class ServerSession(ModelSession[ServerSettings]):
    """One model on a server for all jobs."""

    thread_name = "server"

    def __init__(self, settings: ServerSettings) -> None:
        super().__init__(settings)
        self._model: ServerModel | None = None
        self._remarks: list[str] = []

    def opened(self, stop: Stop) -> ServerModel | None:
        """The configured model, else the server's only one; ``None`` if it was stopped.

        Raises:
            MissingError: no server is configured, it cannot be reached, it has no model, or it has several
                and none is configured.
            BadInputError: the key cannot be used, or it is not an OpenAI-compatible server.
        """
        if self._model is None:
            endpoint = endpoint_of(self.settings)
            try:
                name = self.settings.model or _only(endpoint, list_models(endpoint, stop))
            except StoppedError:
                return None
            self._remarks += filter(None, [endpoint.warning])
            self._model = ServerModel(endpoint, name, self.settings, self._remarks.append)
        return self._model

    def release(self) -> None:
        """Forget the model and the key."""
        self._model = None

    def take_remarks(self) -> tuple[str, ...]:
        """New remarks for the user on the server; each is returned once."""
        remarks, self._remarks[:] = tuple(self._remarks), []
        return remarks


class ServerAnswerer(ModelAnswerer):
    """Writes answers with a model on a server, which is contacted for the first answer."""

    session: ServerSession

    def __init__(self, settings: ServerSettings) -> None:
        super().__init__(ServerSession(settings))


def models_at(endpoint: Endpoint) -> list[str]:
    """The names of a server's models, without retries.

    Raises:
        MissingError: it cannot be reached, is silent, or has no list.
        BadInputError: it refuses the key, or is not an OpenAI-compatible server.
    """
    return list_models(endpoint, Stop(), attempts=1)


def _only(endpoint: Endpoint, names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    if not names:
        raise MissingError(f"{endpoint.url} has no model", "load a model there, or name it as server.model")
    shown = ", ".join(map(endpoint.quoted, names[:_MOST_NAMED])) + ", …" * (len(names) > _MOST_NAMED)
    raise MissingError(f"{endpoint.url} has several models: {shown}", "choose one with server.model")
