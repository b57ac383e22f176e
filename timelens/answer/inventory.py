"""Models of the catalogue and of this machine: which there are, and which one answers."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from timelens.answer import catalogue
from timelens.answer.catalogue import CatalogueModel, Record, models_folder, part_file, read_record
from timelens.folders import user_path

if TYPE_CHECKING:
    from timelens.config import AnswererName, Settings


@dataclass(frozen=True, slots=True)
class Listed:
    """A model of the catalogue or of this machine."""

    name: str
    """In the catalogue, else that of its file."""
    path: Path
    """Where it is, or would be."""
    here: bool
    used: bool
    model: CatalogueModel | None
    """Of the catalogue, if it is there."""
    record: Record | None
    """What is kept of its pull."""
    fetched: int
    """Bytes that an unfinished pull of it left."""

    @property
    def gigabytes(self) -> float:
        """The size of the file, or of what can be fetched, to a tenth."""
        if self.model is None or self.here:
            return round(self.path.stat().st_size / 1e9, 1)
        return self.model.gigabytes

    @property
    def size_words(self) -> str:
        """The size, as it is said to the user."""
        exact = self.here or (self.model is not None and self.model.sha256 is not None)
        return f"{'' if exact else 'about '}{self.gigabytes} GB"


def inventory(used: Path | None) -> list[Listed]:
    """The models of the catalogue and of the models folder, and the ``used`` one wherever it is.

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
    """How the user calls a model file: by its name in the catalogue, if it was pulled from there."""
    path = user_path(path).resolve()
    pulled = {(models_folder() / model.file).resolve(): model.name for model in catalogue.CATALOGUE}
    return pulled.get(path, path.name)


def choose(answerer: "AnswererName", model: Path | None = None) -> Path:
    """Have somebody else write answers from now on; with ``llama`` goes the file of a model.

    Returns:
        The configuration file, which says so.

    Raises:
        BadInputError: it cannot be changed.
    """
    from timelens.config import configure

    file = {} if model is None else {"llama.model": str(user_path(model).resolve())}
    return configure({"answerer": answerer, **file})


def is_undecided(settings: "Settings") -> bool:
    """Whether nobody chose a model or none yet: nothing is configured, and none is here, not even in part."""
    decided = "answerer" in settings.model_fields_set or settings.llama.model or settings.server.url
    return not decided and not any(models_folder().glob("*.gguf*"))
