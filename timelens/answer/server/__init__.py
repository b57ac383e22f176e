"""A server with an OpenAI-compatible API in place of a model on this machine.

No other part of timelens imports httpx2. What is asked of a model stands in :mod:`timelens.answer.lm`.
"""

from timelens.answer.server.endpoint import Endpoint, endpoint_of
from timelens.answer.server.session import ServerAnswerer, ServerSession, models_at

__all__ = ["Endpoint", "ServerAnswerer", "ServerSession", "endpoint_of", "models_at"]
