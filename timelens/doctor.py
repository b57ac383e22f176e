"""Checks what works on this machine, with remedies for what does not."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata

from timelens import __version__
from timelens.answer.llama import build_info, known_trial, remembered_models
from timelens.answer.models.gguf_header import describe_model
from timelens.answer.server import endpoint_of, models_at
from timelens.api import list_corpora
from timelens.config import Settings, config_file
from timelens.embedding import load_embedder
from timelens.errors import TimelensError
from timelens.folders import home, user_path
from timelens.printable import counted
from timelens.reader.bundled_networks import bundled_networks
from timelens.retrieval.strategies import strategy_named
from timelens.temporal import year_network

_SMALLEST_TERMINAL = (80, 24)
_PATIENCE_SECONDS = 3.0
_MOST_NAMED = 5
_NOT_LIMITED = {
    "darwin": "macOS does not enforce ingest.memory_mib, the memory for reading a document",
    "win32": "Windows does not enforce [ingest], the time and memory for reading a document",
}
_PACKAGES = ("lancedb", "sentence-transformers", "torch", "spacy", "textual")


class Health(StrEnum):
    """State of one component."""

    FINE = "fine"
    MISSING = "missing"
    """An optional component is missing; everything else works without it."""
    BROKEN = "broken"
    """A required component does not work."""


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check."""

    name: str
    health: Health
    detail: str
    remedy: str = ""


def examine() -> list[Check]:
    """Check all required and optional components."""
    checks: list[Check] = [_program()]
    for examination in (_limits, _home, _settings, _embedder, _reader, _llama, _model, _server, _terminal):
        try:
            checks += filter(None, [examination()])
        except TimelensError as error:
            name = examination.__name__.removeprefix("_")
            checks.append(Check(name, Health.BROKEN, error.message, error.hint))
    return [*checks, *_other_models(), *_corpora()]


def _program() -> Check:
    versions = ", ".join(f"{package} {metadata.version(package)}" for package in _PACKAGES)
    detail = f"timelens {__version__}, Python {platform.python_version()}, {versions}"
    return Check("program", Health.FINE, detail)


def _limits() -> Check | None:
    """What the system does not limit."""
    lacks = _NOT_LIMITED.get(sys.platform)
    return (
        None if lacks is None else Check("limits", Health.MISSING, lacks, "ingest only files that you trust")
    )


def _home() -> Check:
    folder = home()
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        return Check(
            "home", Health.BROKEN, f"{folder} cannot be written", "set TIMELENS_HOME to another folder"
        )
    free = shutil.disk_usage(nearest).free / 1e9
    return Check("home", Health.FINE, f"{folder}, {free:,.1f} GB free")


def _settings() -> Check:
    strategy_named(Settings.load().strategy)
    return Check("settings", Health.FINE, str(config_file()) if config_file().exists() else "the defaults")


def _embedder() -> Check:
    identity = load_embedder(Settings.load().embedder).identity
    detail = f"{identity.name}, {identity.dimension} dimensions, weights {identity.weights_sha256[:12]}…"
    return Check("embedder", Health.FINE, detail)


def _reader() -> Check:
    found = *(network.check() for network in bundled_networks()), year_network.bundled_weights().check()
    weights = ", ".join(f"{sha256[:12]}…" for sha256 in found)
    return Check("reader", Health.FINE, f"bundled, weights {weights}")


def _llama() -> Check:
    info = build_info()
    remedy = 'in a clone: make setup; elsewhere: pip install "timelens[llama]"'
    if info.version is None:
        detail = "not installed, or still being built: answers come without a language model"
        return Check("llama.cpp", Health.MISSING, detail, remedy)
    if not info.loads:
        return Check("llama.cpp", Health.BROKEN, f"llama-cpp-python {info.version} does not load", remedy)
    runs_on = "GPU" if info.gpu else "CPU"
    return Check("llama.cpp", Health.FINE, f"llama-cpp-python {info.version}, built for the {runs_on}")


def _model() -> Check:
    configured = Settings.load()
    settings = configured.llama
    if settings.model is None and configured.answerer == "server":
        return Check("model", Health.FINE, "none on this machine; a server answers")
    if settings.model is None:
        detail = "none configured; answers come from the evidence itself"
        return Check("model", Health.MISSING, detail, "choose one: timelens model list")
    path = user_path(settings.model)
    description = describe_model(path)
    trial = known_trial(path, settings)
    runs = trial.words if trial else "not tried here yet; the first question tries it"
    detail = f"{description.name or path.name}, {description.size / 1e9:.1f} GB, {runs}"
    return Check("model", Health.FINE, detail)


def _other_models() -> Iterator[Check]:
    """Checks of models that were tried out, other than the configured one."""
    try:
        settings = Settings.load().llama
    except TimelensError:
        return  # already reported
    used = user_path(settings.model).resolve() if settings.model else None
    for path in remembered_models():
        trial = known_trial(path, settings)
        if trial is not None and path != used:
            yield Check(f"model {path.name}", Health.FINE, f"{path}, {trial.words}")


def _server() -> Check | None:
    """Check of the model server, only if one is configured, because this is the only network access."""
    settings = Settings.load()
    if settings.server.url is None and settings.answerer != "server":
        return None
    unusable = Health.BROKEN if settings.answerer == "server" else Health.MISSING
    try:
        endpoint = endpoint_of(settings.server, patience=_PATIENCE_SECONDS)
        names = models_at(endpoint)
    except TimelensError as error:
        return Check("server", unusable, error.message, error.hint)
    wanted = settings.server.model
    has = f"{endpoint.url} has {', '.join(map(endpoint.quoted, names[:_MOST_NAMED])) or 'no model'}"
    has += f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    if wanted not in names and (wanted is not None or len(names) != 1):
        lacks = f"{has}, and not {wanted}" if wanted else has
        return Check("server", unusable, lacks, "name one of them as server.model")
    return Check("server", Health.FINE, "; ".join(filter(None, (has, endpoint.warning))))


def _terminal() -> Check:
    if not sys.stdout.isatty():
        return Check("terminal", Health.FINE, "output is not a terminal")
    size = shutil.get_terminal_size()
    detail = f"{size.columns}×{size.lines}"
    if size.columns < _SMALLEST_TERMINAL[0] or size.lines < _SMALLEST_TERMINAL[1]:
        return Check("terminal", Health.MISSING, f"{detail} is small", "the chat needs about 80×24")
    return Check("terminal", Health.FINE, detail)


def _corpora() -> Iterator[Check]:
    try:
        corpora = list_corpora()
    except TimelensError:
        return  # the settings are broken, which is already reported
    for corpus in corpora:
        try:
            summary = corpus.summary()
            detail = (
                f"{counted(summary.documents, 'document')}, {counted(summary.chunks, 'passage')}, "
                f"embedder {summary.embedder.name}"
            )
            yield Check(f"corpus {corpus.name}", Health.FINE, detail)
        except TimelensError as error:
            yield Check(f"corpus {corpus.name}", Health.BROKEN, error.message, error.hint)
