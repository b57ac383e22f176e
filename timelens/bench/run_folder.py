"""The folder of a run: configuration, results (one line per question), TREC run file, summary, timings.

Timings are in a separate file, so that all other files do not depend on interruptions.
"""

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Self

import timelens
from timelens import BadInputError, MissingError, StoreError
from timelens.bench.predictions import Prediction
from timelens.folders import file_sha256, hold

CONFIG, RESULTS, TREC, SUMMARY = "config.json", "results.jsonl", "run.trec", "summary.json"
TIMINGS = "timings.jsonl"
LOCK = "run.lock"
"""Lock file of the one process that writes into the folder."""

_SECONDS = "seconds"

_DECISIVE = (
    "suite",
    "strategy",
    "answerer",
    "k",
    "as_of",
    "dataset",
    "embedder",
    "model",
    "judge",
    "task",
    "query",
    "negatives",
    "evidence",
    "evidence_from",
    "version",
    "code",
)
"""Keys of the configuration that must be equal for a run to be resumed."""

_MAKES_A_CORPUS = (
    "ingest",
    "store",
    "temporal",
    "embedding",
    "bert",
    "documents.py",
    "encoder_hashes.py",
    "lexicon.py",
    "lexicon.toml",
    "printable.py",
    "words.py",
)
"""Parts of the package that decide what a corpus stores of a document."""

_HASHED = frozenset({".py", ".json", ".toml", ".safetensors", ".gguf"})
"""Suffixes of code, and of the tables and weights that it works with."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one question: everything that its scores are computed from, and the scores."""

    id: str
    kind: str | None
    ranking: tuple[str, ...] = ()
    stating: tuple[int, ...] = ()
    """Ranks of the pieces of evidence that state a gold answer, up to the largest cut-off."""
    answer: str | None = None
    """The text that the user sees."""
    written: str | None = None
    """The verbatim output of the model; ``None`` without a model."""
    prediction: Prediction | None = None
    """The scored prediction: the output of the model, or without a model the text that the user sees."""
    shown: Prediction | None = None
    """With a model, the prediction from the text that the user sees, which is scored too."""
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    """Elapsed time; stored in the file of timings."""
    failed: str | None = None
    """The step that failed, given as the reason for excluding the question."""
    error: str | None = None
    judged: Mapping[str, Any] | None = None
    """Verdicts on the best documents by the name of the judge, best document first.

    A verdict is a list: whether the document is relevant, then whether it covers each period; null if the
    judge failed.
    """
    periods: int = 0
    """Number of periods from which the question needs evidence, according to the judges."""
    ungraded: bool = False
    """Whether a judge failed to grade the answer."""
    coverage: tuple[float, ...] = ()
    """For each tenth of the asked period, the share of days with evidence."""
    times: tuple[tuple[str, str], ...] = ()
    """(label of the verifier, right label) of each time in the answer that the gold data knows."""

    def line(self) -> str:
        """A line of ``results.jsonl``."""
        record = {name: value for name, value in asdict(self).items() if name != _SECONDS}
        for name in _PREDICTIONS:
            said: Prediction | None = getattr(self, name)
            record[name] = None if said is None else said.as_json()
        return json.dumps(record, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, line: str) -> Self | None:
        """The result in a line of ``results.jsonl``; ``None`` for an incomplete line."""
        try:
            record = json.loads(line)
            tuples = {name: tuple(record.get(name, ())) for name in ("ranking", "stating", "coverage")}
            times = tuple((given, right) for given, right in record.get("times", ()))
            said = {
                name: Prediction.from_json(record[name]) if record.get(name) is not None else None
                for name in _PREDICTIONS
            }
            return cls(**{**record, **tuples, **said, "times": times})
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


_PREDICTIONS = ("prediction", "shown")


class RunFolder:
    """The folder of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Context in which only this process writes into the folder; the folder is created.

        Raises:
            StoreError: another process writes into it.
            BadInputError: it cannot be written.
        """
        taken = StoreError(
            f"another process is writing to the run in {self.path}",
            "wait until it has finished, or name another folder with --out",
        )
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            held = hold(self.path / LOCK, taken)
        except OSError as error:
            raise self._unwritable(error) from error
        with held:
            yield

    def begin(self, config: Mapping[str, Any], *, resume: bool) -> dict[str, Result]:
        """Begin a run, or resume the one in the folder. Returns the finished questions by id.

        Raises:
            BadInputError: there is a run and ``resume`` is false, or its configuration differs.
        """
        self.require_free(config, resume=resume)
        finished = self.results() if (self.path / CONFIG).exists() else {}
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            _replace(self.path / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")
            self._rewrite(list(finished.values()))
        except OSError as error:
            raise self._unwritable(error) from error
        return finished

    def require_free(self, config: Mapping[str, Any], *, resume: bool) -> None:
        """Check that the folder has no run, or one to resume whose configuration agrees with a part of one.

        Raises:
            BadInputError: there is a run and ``resume`` is false, or its configuration differs.
        """
        if not (self.path / CONFIG).exists():
            return
        if not resume:
            raise BadInputError(
                f"there is a run in {self.path} already",
                "add --resume to go on with it, or name another folder",
            )
        before = self.config()
        differing = [key for key in _DECISIVE if key in config and before.get(key) != config[key]]
        if differing:
            raise BadInputError(
                f"the run in {self.path} was made with a different {' and '.join(differing)}",
                "resume it with the same settings, or name another folder with --out",
            )

    def add(self, result: Result) -> None:
        """Append the result of a finished question, so that a resumed run does not ask it again."""
        for name, line in ((TIMINGS, _timing(result)), (RESULTS, result.line())):
            with (self.path / name).open("a", encoding="utf-8") as stream:
                stream.write(line)

    def finish(self, results: Sequence[Result], summary: Mapping[str, Any]) -> None:
        """Write the results in the order of the questions, their timings, the ranking and the summary."""
        self._rewrite(results)
        trec = (
            f"{plain_id(result.id)} Q0 {plain_id(name)} {rank} {len(result.ranking) - rank + 1} timelens\n"
            for result in results
            for rank, name in enumerate(result.ranking, start=1)
        )
        _replace(self.path / TREC, "".join(trec))
        write_summary(self.path, summary)

    @property
    def parts(self) -> list[Self]:
        """For several runs of one job, the folder of each in order; for a single run, this folder."""
        numbered = [path for path in self.path.glob("run-*") if path.name.removeprefix("run-").isdecimal()]
        ordered = sorted(numbered, key=lambda path: int(path.name.removeprefix("run-")))
        return [type(self)(path) for path in ordered] or [self]

    def scores(self) -> dict[str, dict[str, float]]:
        """The scores of each question by id; for several runs, means of the measures that all runs have."""
        runs = [
            {name: result.scores for name, result in part.results().items() if result.scores}
            for part in self.parts
        ]
        return {
            name: {
                measure: fmean(run[name][measure] for run in runs)
                for measure in scores
                if all(measure in run[name] for run in runs)
            }
            for name, scores in runs[0].items()
            if all(name in run for run in runs)
        }

    def results(self) -> dict[str, Result]:
        """The finished questions by id, without failed ones and incomplete lines."""
        try:
            lines = (self.path / RESULTS).read_text(encoding="utf-8", errors="replace").split("\n")
        except FileNotFoundError:
            return {}
        found = (Result.from_json(line) for line in lines if line.strip())
        seconds = self.timings()
        return {
            result.id: replace(result, seconds=seconds.get(result.id, 0.0))
            for result in found
            if result is not None and result.failed is None
        }

    def timings(self) -> dict[str, float]:
        """Elapsed seconds of each question by id, without incomplete lines."""
        try:
            lines = (self.path / TIMINGS).read_text(encoding="utf-8", errors="replace").split("\n")
        except FileNotFoundError:
            return {}
        found: dict[str, float] = {}
        for line in lines:
            try:
                record = json.loads(line)
                found[record["id"]] = float(record[_SECONDS])
            except (ValueError, TypeError, KeyError):
                continue
        return found

    def config(self) -> dict[str, Any]:
        """The configuration of the run; for several runs, of the first.

        Raises:
            MissingError: there is no run.
            BadInputError: the file is damaged.
        """
        return _read(self.parts[0].path / CONFIG)

    def summary(self) -> dict[str, Any]:
        """The summary of the run, with the total seconds of its questions.

        Raises:
            MissingError: there is no run, or it is not finished.
            BadInputError: the file is damaged.
        """
        summary = _read(self.path / SUMMARY)
        seconds = (each for part in self.parts for each in part.timings().values())
        if not all(isinstance(summary.get(key), dict) for key in ("metrics", "groups", "excluded")):
            raise BadInputError(f"{self.path / SUMMARY} is not the file that a run writes", "repeat the run")
        return {**summary, _SECONDS: round(sum(seconds), 3)}

    def recorded_day(self) -> str | None:
        """The reference day of the run in the folder, if there is one."""
        return self.config().get("as_of") if (self.path / CONFIG).exists() else None

    def _unwritable(self, error: OSError) -> BadInputError:
        return BadInputError(
            f"{self.path} cannot be written: {error.strerror}", "name another folder with --out"
        )

    def _rewrite(self, results: Sequence[Result]) -> None:
        _replace(self.path / TIMINGS, "".join(map(_timing, results)))
        _replace(self.path / RESULTS, "".join(result.line() for result in results))


def _read(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MissingError(
            f"there is no finished run in {path.parent} ({path.name} is missing)",
            "make one: timelens bench run SUITE --data DIR --out RUN, or finish it with --resume",
        ) from error
    except (ValueError, OSError) as error:
        raise BadInputError(f"{path} cannot be read: {error}", "repeat the run") from error
    if not isinstance(record, dict):
        raise BadInputError(f"{path} is not the file that a run writes", "repeat the run")
    return record


def code_hash(*parts: str) -> str:
    """SHA-256 of the source files, tables and weights of timelens, or of some of its parts.

    Runs of different code must not be mixed.
    """
    package = Path(timelens.__file__).parent
    roots = [package / part for part in parts] or [package]
    sources = {file for root in roots for file in (root.rglob("*") if root.is_dir() else [root])}
    files = {file for file in sources if file.suffix in _HASHED}
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(package).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 of a file.

    Raises:
        MissingError: it cannot be read.
    """
    try:
        return file_sha256(path)
    except OSError as error:
        raise MissingError(f"{path} cannot be read: {error.strerror}", "check the path") from error


def corpus_key(documents_hash: str, made_with: str) -> str:
    """The key of a corpus: the same documents, settings and code give the same key."""
    made_of = f"{documents_hash}\0{made_with}\0{code_hash(*_MAKES_A_CORPUS)}"
    return hashlib.sha256(made_of.encode()).hexdigest()[:16]


def git_state() -> dict[str, Any]:
    """Revision of the checkout, and whether it has uncommitted changes; nulls without a checkout."""
    checkout = Path(timelens.__file__).parents[1]
    if not (checkout / ".git").exists():
        return {"revision": None, "dirty": None}
    try:
        revision, status = (
            subprocess.run(  # noqa: S603 -- no part comes from outside
                ["git", "-C", str(checkout), *command],  # noqa: S607 -- wherever git is
                capture_output=True,
                text=True,
                check=True,
                timeout=30,
            ).stdout.strip()
            for command in (["rev-parse", "HEAD"], ["status", "--porcelain"])
        )
    except (OSError, subprocess.SubprocessError):
        return {"revision": None, "dirty": None}
    return {"revision": revision, "dirty": bool(status)}


def write_summary(folder: Path, summary: Mapping[str, Any]) -> None:
    """Write the summary of a run, or of several runs in subfolders, without its elapsed time."""
    untimed = {name: value for name, value in summary.items() if name != _SECONDS}
    _replace(folder / SUMMARY, json.dumps(untimed, indent=1, ensure_ascii=False) + "\n")


def _timing(result: Result) -> str:
    return json.dumps({"id": result.id, _SECONDS: result.seconds}) + "\n"


def plain_id(name: str) -> str:
    """An id with white space encoded, because it separates columns in a TREC run file."""
    return re.sub(r"\s", lambda space: f"%{ord(space[0]):02X}", name)


def _replace(path: Path, text: str) -> None:
    """Write a file atomically, for whom the user lets read the folder; only one process may write it.

    :func:`timelens.folders.write_atomically` makes the file private and syncs it to disk each time.
    """
    draft = path.with_name(f"{path.name}.part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
