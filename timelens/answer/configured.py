"""The language model that settings name, wherever it runs."""

from typing import TYPE_CHECKING

from timelens.config import Settings

if TYPE_CHECKING:
    from timelens.answer.lm import ModelAnswerer


def answerer_of(settings: Settings) -> "ModelAnswerer | None":
    """Who writes answers by the settings; ``None`` where no model does. Nothing is opened yet."""
    match settings.answerer:
        case "extractive":
            return None
        case "server":
            from timelens.answer.server import ServerAnswerer

            return ServerAnswerer(settings.server)
        case "llama":
            from timelens.answer.llama import LlamaAnswerer

            return LlamaAnswerer(settings.llama)


def look_at_model(settings: Settings) -> None:
    """Look at the model as far as that can be done without opening it: the header of its file.

    Of a server, whether it is configured and its key can be used; nothing is sent to it.

    Raises:
        MissingError: no model or no server is configured, or the file is not there.
        BadInputError: the file is no usable model, or the key cannot be used.
    """
    match settings.answerer:
        case "extractive":
            return
        case "server":
            from timelens.answer.server import endpoint_of

            endpoint_of(settings.server)
        case "llama":
            from timelens.answer.llama import described

            described(settings.llama)
