"""Language models of a server with an OpenAI-compatible API.

No other part of timelens imports httpx2. Requests to a model are in :mod:`timelens.answer.lm`.
"""

from timelens.answer.server.endpoint import Endpoint, endpoint_of
from timelens.answer.server.server_session import ServerAnswerer, ServerSession, models_at

__all__ = ["Endpoint", "ServerAnswerer", "ServerSession", "endpoint_of", "models_at"]
