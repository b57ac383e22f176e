"""Lists the models of the catalogue and of this machine, and sets which one answers."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from timelens.answer.models import catalogue
from timelens.answer.models.catalogue import CatalogueModel, PullRecord, models_folder, part_file, read_record
from timelens.folders import user_path

if TYPE_CHECKING:
    from timelens.config import AnswererName, Settings


@dataclass(frozen=True, slots=True)
class Listed:
    """A model of the catalogue or of this machine."""

    name: str
    """Its name in the catalogue, else its file name."""
    path: Path
    """The path of its file, whether it exists or not."""
    here: bool
    used: bool
    model: CatalogueModel | None
    """Its catalogue entry, if any."""
    record: PullRecord | None
    """The record of its pull."""
    fetched: int
    """Bytes of an unfinished pull."""

    @property
    def gigabytes(self) -> float:
        """The size in GB of the file, or of the download, rounded to a tenth."""
        if self.model is None or self.here:
            return round(self.path.stat().st_size / 1e9, 1)
        return self.model.gigabytes

    @property
    def size_words(self) -> str:
        """The size, in words for the user."""
        exact = self.here or (self.model is not None and self.model.sha256 is not None)
        return f"{'' if exact else 'about '}{self.gigabytes} GB"


def inventory(used: Path | None) -> list[Listed]:
    """The models of the catalogue and of the models folder, and the ``used`` one from any folder.

    Raises:
        BadInputError: the record of a model is damaged.
    """
    used = user_path(used).resolve() if used else None
    folder = models_folder()
    listed = [_listed(folder / model.file, model, used) for model in catalogue.CATALOGUE]
    known = {model.path.resolve() for model in listed}
    others = sorted(folder.glob("*.gguf")) if folder.is_dir() else []
    if used is not None and used.is_file() and used not in {other.resolve() for other in others}:
        others.append(used)
    return listed + [_listed(other, None, used) for other in others if other.resolve() not in known]


def _listed(path: Path, model: CatalogueModel | None, used: Path | None) -> Listed:
    here = path.exists()
    part = part_file(path)
    return Listed(
        name=model.name if model else path.name,
        path=path,
        here=here,
        used=used is not None and path.resolve() == used,
        model=model,
        record=read_record(path) if here else None,
        fetched=part.stat().st_size if part.exists() and not here else 0,
    )


def label_of(path: Path) -> str:
    """The display name of a model file: its name in the catalogue if it was pulled, else its file name."""
    path = user_path(path).resolve()
    pulled = {(models_folder() / model.file).resolve(): model.name for model in catalogue.CATALOGUE}
    return pulled.get(path, path.name)


def choose_answerer(answerer: "AnswererName", model: Path | None = None) -> Path:
    """Set the answerer in the configuration; for ``llama``, also the file of a model.

    Returns:
        The configuration file.

    Raises:
        BadInputError: the configuration file cannot be changed.
    """
    from timelens.config import configure

    file = {} if model is None else {"llama.model": str(user_path(model).resolve())}
    return configure({"answerer": answerer, **file})


def is_undecided(settings: "Settings") -> bool:
    """Whether the user has not chosen: nothing is configured and no model is pulled, not even in part."""
    decided = "answerer" in settings.model_fields_set or settings.llama.model or settings.server.url
    return not decided and not any(models_folder().glob("*.gguf*"))
