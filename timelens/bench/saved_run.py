"""A finished run as a report reads it: from its folder, or from one small file that can be shared."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from timelens import BadInputError, MissingError
from timelens.bench.run_folder import RunFolder
from timelens.bench.statistics import Scored

_OF_CONFIG = ("version", "git", "code", "dataset", "embedder", "model", "k", "every", "limit", "as_of")
_NOT_OF_THE_FIGURES = {"--json", "-q", "--quiet", "--resume"}
_NOT_OF_THE_FIGURES_WITH_VALUE = {"--out", "--jobs", "-j"}
_ELSEWHERE = re.compile(r"[/~]|.*\.\./|[A-Za-z]:[\\/]")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run, without paths of the machine that it was made on."""

    name: str
    command: str
    """The command that repeats the run; empty if it was not made from the command line."""
    config: Mapping[str, Any]
    """The settings that determine its figures: version, revision, hashes, cut-offs, reference day."""
    questions: int
    """The number of questions asked."""
    summary: Mapping[str, Any]
    scores: Scored
    """Scores by question: all measures from a folder, one measure from a file."""

    @property
    def metrics(self) -> Mapping[str, float | None]:
        """Metrics of the run, in percent."""
        return self.summary["metrics"]  # type: ignore[no-any-return]


def read_run(path: Path) -> KeptRun:
    """Read a run from its folder, or from a file that :func:`keep` wrote.

    Raises:
        MissingError: the run is missing or not finished.
        BadInputError: the run is broken.
    """
    if path.is_dir() or path.suffix != ".json":
        return _from_folder(RunFolder(path))
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        summary = record["summary"]
        scores = {name: dict(of_one) for name, of_one in record["scores"].items()}
        named = {key: record[key] for key in ("name", "command", "config", "questions")}
        for key in ("metrics", "groups", "excluded"):
            summary[key].items()
    except FileNotFoundError as error:
        raise MissingError(f"there is no file {path}", "name a run, or a file that --keep wrote") from error
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInputError(
            f"{path} is not a kept run: {error}", "keep it again: timelens bench report RUN --keep DIR"
        ) from error
    return KeptRun(**named, summary=summary, scores=scores)


def keep(run: KeptRun, metric: str, folder: Path) -> Path:
    """Write a run as one file, with the scores of one measure by question, and return its path.

    Raises:
        BadInputError: the file cannot be written.
    """
    scores = {name: {metric: of_one[metric]} for name, of_one in run.scores.items() if metric in of_one}
    whole = {name: getattr(run, name) for name in ("name", "command", "config", "questions", "summary")}
    path = folder / f"{run.name}.json"
    write(path, json.dumps({**whole, "scores": scores}, indent=1, ensure_ascii=False) + "\n")
    return path


def write(path: Path, text: str) -> None:
    """Write a file of a report.

    Raises:
        BadInputError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{path} cannot be written: {error.strerror}", "name another place") from error


def _from_folder(folder: RunFolder) -> KeptRun:
    summary, config = folder.summary(), folder.config()
    run = KeptRun(
        folder.path.resolve().name,
        portable_command(config.get("command") or ()),
        {name: portable(config[name]) for name in _OF_CONFIG if name in config},
        len(config.get("questions", ())),
        {name: portable(value) for name, value in summary.items() if name != "run"},
        folder.scores(),
    )
    # group names are data, not paths
    return replace(run, summary={**run.summary, "groups": summary["groups"]})


def portable(value: Any) -> Any:  # noqa: ANN401 -- any JSON value
    """A JSON value in which paths specific to one machine are cut to their last part."""
    if isinstance(value, dict):
        return {name: portable(one) for name, one in value.items()}
    if isinstance(value, list):
        return [portable(one) for one in value]
    if isinstance(value, str) and _ELSEWHERE.match(value):
        return PurePath(value).name
    return value


def portable_command(arguments: Sequence[str]) -> str:
    """A command line without options that do not affect the figures, with paths cut by :func:`portable`."""
    kept: list[str] = []
    dropped = False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if dropped or argument in _NOT_OF_THE_FIGURES:
            dropped = False
        elif name in _NOT_OF_THE_FIGURES_WITH_VALUE:
            dropped = not equals
        else:
            kept.append(f"{name}={portable(value)}" if equals else portable(argument))
    return shlex.join(("timelens", *kept)) if kept else ""
