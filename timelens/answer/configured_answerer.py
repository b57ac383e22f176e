"""Creates the answerer that the settings name: llama.cpp, a server, or none."""

from typing import TYPE_CHECKING

from timelens.config import Settings

if TYPE_CHECKING:
    from timelens.answer.lm import ModelAnswerer


def answerer_of(settings: Settings) -> "ModelAnswerer | None":
    """The model answerer of the settings; ``None`` if they use no model. Nothing is opened yet."""
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
    """Check the configured model without opening it: the header of its file.

    For a server, check that it is configured and its key is usable; nothing is sent to it.

    Raises:
        MissingError: no model or no server is configured, or the file is not there.
        BadInputError: the file is not a usable model, or the key cannot be used.
    """
    match settings.answerer:
        case "extractive":
            return
        case "server":
            from timelens.answer.server import endpoint_of

            endpoint_of(settings.server)
        case "llama":
            from timelens.answer.llama import configured_description

            configured_description(settings.llama)
