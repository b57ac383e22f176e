"""The chat's knowledge and messages about language models. It opens none."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from timelens import BadInputError, MissingError
from timelens.answer.models.catalogue import (
    CatalogueModel,
    Source,
    local_model,
    models_folder,
    named,
    part_file,
    source_of,
)
from timelens.answer.models.inventory import Listed, inventory, label_of
from timelens.printable import printable_line

if TYPE_CHECKING:
    from timelens import AnswererName, Settings
    from timelens.answer.models.incoming_file import Offer

_MUCH_LARGER = 1.25
"""Ratio of a file's size to its size in the catalogue above which the pull is declined."""
CHANGE = "/model NAME, /model FILE.gguf, or /model none"


@dataclass(frozen=True, slots=True)
class Question:
    """The question before a model is pulled."""

    text: str
    details: tuple[str, ...]


def wanted_model(name: str, settings: "Settings") -> "Settings | Source":
    """The settings with the named model, or the source that it must be pulled from first.

    Args:
        name: a name in the catalogue or of a pulled file, the path of a file, ``none``, or ``server`` for the
            configured server.
        settings: the settings of the chat.

    Raises:
        MissingError: there is no such model, or no server is configured.
    """
    if name == "none":
        return settings_with(settings, "extractive")
    if name == "server":
        if settings.server.url is None:
            raise MissingError("no server is configured", "set server.url in config.toml: docs/models.md")
        return settings_with(settings, "server")
    model = named(name)
    if model is not None and not (models_folder() / model.file).is_file():
        return source_of(name, settings.llama.hub)
    return settings_with(settings, "llama", local_model(name).resolve())


def settings_with(settings: "Settings", answerer: "AnswererName", model: Path | None = None) -> "Settings":
    """The settings with another answerer; for ``llama``, also with the model file."""
    llama = settings.llama if model is None else settings.llama.model_copy(update={"model": model})
    return settings.model_copy(update={"answerer": answerer, "llama": llama})


def in_use(settings: "Settings") -> str | None:
    """The name of the model that writes answers; ``None`` if none does."""
    match settings.answerer:
        case "extractive":
            return None
        case "server":
            return settings.server.model or "server"
        case "llama":
            return label_of(settings.llama.model) if settings.llama.model else "no model file"


def in_use_words(settings: "Settings") -> str:
    """A sentence about what writes answers."""
    match settings.answerer:
        case "extractive":
            said = "Answers come without a language model."
        case "server":
            model = f", model {settings.server.model}" if settings.server.model else ""
            said = f"Answers are written by a server: {settings.server.url}{model}."
        case "llama":
            said = f"Answers are written by {in_use(settings)}, on this machine."
    return printable_line(said)


def list_lines(settings: "Settings") -> list[str]:
    """The models of this machine and of the catalogue, one per line.

    Raises:
        BadInputError: the record of a model is damaged.
    """
    used = settings.llama.model if settings.answerer == "llama" else None
    listed = inventory(used)
    here = _lines((model, _speed_words(model, settings)) for model in listed if model.here)
    away = _lines((model, _purpose(model)) for model in listed if not model.here)
    server = ", or /model server" if settings.server.url else ""
    return [
        in_use_words(settings),
        *(["On this machine:", *here] if here else []),
        *(["In the catalogue, with what each suits; none is pulled unless you ask:", *away] if away else []),
        f"To change: {CHANGE}{server}",
    ]


def names(settings: "Settings") -> list[str]:
    """The names that ``/model`` accepts, besides file paths.

    Raises:
        BadInputError: the record of a model is damaged.
    """
    server = ["server"] if settings.server.url else []
    return [*(model.name for model in inventory(None)), *server, "none"]


def _lines(models: Iterable[tuple[Listed, str]]) -> list[str]:
    """A line for each model, with its description."""
    said = [
        (printable_line(model.name), "; ".join(filter(None, [_about(model), more]))) for model, more in models
    ]
    width = max((len(name) for name, _ in said), default=0)
    return [f"  {name:<{width}}  {about}" for name, about in said]


def _about(model: Listed) -> str:
    licence = model.model.licence if model.model else ""
    return ", ".join(filter(None, [model.size_words, licence, "in use" if model.used else ""]))


def _purpose(model: Listed) -> str:
    left = f"; {model.fetched / 1e6:,.1f} MB of it here" if model.fetched else ""
    return f"{model.model.good_for if model.model else ''}{left}"


def _speed_words(model: Listed, settings: "Settings") -> str:
    from timelens.answer.llama import known_speed

    speed = known_speed(model.path, settings.llama)
    return f"{speed.words} here" if speed else ""


def fetch_question(source: Source) -> Question:
    """The question before a model of the catalogue is pulled."""
    return Question("Pull this model?", _offer_lines(_model_of(source), source))


def first_question(source: Source) -> str:
    """The question that is asked once, if no model was ever chosen."""
    model = _model_of(source)
    offer = "\n".join(f"  {line}" for line in _offer_lines(model, source))
    return (
        "Answers quote your documents. A model on this machine could write answers:\n"
        f"{offer}\n"
        "Pull it? Type yes, no or later (/model asks again). You are asked only once."
    )


def _offer_lines(model: CatalogueModel, source: Source) -> tuple[str, ...]:
    size = f"{'' if model.sha256 else 'about '}{model.gigabytes} GB"
    part = part_file(source.target)
    here = f" ({part.stat().st_size / 1e6:,.1f} MB of it are here already)" if part.exists() else ""
    return (
        f"{model.name}: {size}{here}, licence {model.licence}; for {model.good_for}",
        f"from {urlsplit(str(source.origin)).netloc}, {model.repository}",
        *_without_llama(),
    )


def _without_llama() -> list[str]:
    from timelens.answer.llama.library import build_version

    if build_version() is not None:
        return []
    return ["llama-cpp-python, which runs it, is not installed yet: pip install timelens[llama]"]


def _model_of(source: Source) -> CatalogueModel:
    if source.model is None:
        raise BadInputError(f"{source.origin} is not in the catalogue", "pull it: timelens model pull")
    return source.model


def refuse_much_larger(source: Source, offer: "Offer") -> None:
    """Decline a file that is much larger than what the user agreed to.

    Raises:
        BadInputError: the file is much larger.
    """
    model = _model_of(source)
    if offer.size > _MUCH_LARGER * model.size:
        raise BadInputError(
            f"{source.origin} is {offer.size / 1e9:,.1f} GB, not about {model.gigabytes} GB as the "
            "catalogue states",
            f"if this size is right: timelens model pull {model.name}",
        )
