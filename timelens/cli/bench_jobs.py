"""The options of ``bench run`` as a job: answerer, judge, cut-offs and folder."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from timelens import BadInputError, MissingError
from timelens.folders import home, user_path

if TYPE_CHECKING:
    from timelens import Answerer, Settings
    from timelens.bench.job import Job
    from timelens.bench.judge_task import Judge
    from timelens.cli.bench_options import RunOptions

_BY_MODEL = {"llama", "server"}
_ADD_ANSWERER = "add --answerer extractive, llama or server"


def named_data(suite: str, data: Path | None) -> Path:
    """The folder with the data.

    Raises:
        MissingError: no folder is named.
    """
    from timelens.bench.official_sources import FETCHED

    if data is not None:
        return data
    fetch_it = (
        f"fetch it once: timelens bench fetch {suite}{' --split NAME' * (suite == 'tempo')} --out DIR, then "
    )
    raise MissingError(
        f"the suite {suite} needs data",
        f"{fetch_it * (suite in FETCHED)}name its folder with --data DIR (see: timelens bench list)",
    )


def check_together(
    job: "Job", asked: "RunOptions", settings: "Settings", judge: str, *, spreads: bool
) -> None:
    """Refuse unknown names and options that exclude each other.

    Raises:
        BadInputError: names the option and the remedy.
    """
    from timelens import ANSWERERS
    from timelens.bench.evidence_source import RETRIEVED
    from timelens.bench.job import NO_ANSWERER
    from timelens.bench.judge_task import JUDGES

    if job.answerer not in {NO_ANSWERER, *ANSWERERS}:
        choices = ", ".join((NO_ANSWERER, *ANSWERERS))
        raise BadInputError(f"there is no answerer {job.answerer!r}", f"choose {choices}")
    if judge not in JUDGES:
        raise BadInputError(f"there is no judge {judge!r}", f"choose one of {', '.join(JUDGES)}")
    of_model = {"--model": asked.model, "--reading": asked.reading, "--temperature": asked.temperature}
    for option, value in of_model.items():
        if job.answerer not in _BY_MODEL and value is not None:
            raise BadInputError(
                f"{option} does not go with --answerer {job.answerer}", "add --answerer llama or server"
            )
    if judge != "llm" and asked.judge_model is not None:
        raise BadInputError(f"--judge-model does not go with --judge {judge}", "add --judge llm")
    if job.evidence is not None and job.answerer == NO_ANSWERER:
        raise BadInputError("--evidence needs an answer to be written", _ADD_ANSWERER)
    if job.evidence_from != RETRIEVED:
        table = settings.server if job.answerer == "server" else settings.llama
        _check_evidence(job, table.reading)
    if job.query != "baseline" and job.task == "step-only":
        raise BadInputError(
            "--query does not go with --task step-only", "leave it out: steps are asked as they are worded"
        )
    if spreads and (job.answerer in _BY_MODEL or judge == "llm"):
        spread_by = "--jobs" if asked.jobs > 1 else "--engine"
        raise BadInputError(
            f"{spread_by} does not go with a model", "leave it out: a model uses all cores for one question"
        )


def _check_evidence(job: "Job", reading: str) -> None:
    """Refuse options that need retrieved evidence, if the evidence is not retrieved."""
    asked = f"--evidence-from {job.evidence_from}"
    if job.answerer == "none":
        raise BadInputError(f"{asked} needs an answer to be written", _ADD_ANSWERER)
    if job.evidence is not None:
        raise BadInputError(f"--evidence does not go with {asked}", "leave it out: nothing is retrieved")
    if job.evidence_from == "none" and job.answerer == "extractive":
        raise BadInputError(
            "the extractive answerer answers from evidence only",
            "add --answerer llama or server: a model can answer from what it knows",
        )
    if job.evidence_from == "none" and reading not in ("adapter", "direct"):
        raise BadInputError(f"--reading {reading} does not go with {asked}", "add --reading direct")


def sampling(settings: "Settings", answerer: str, temperature: float | None, run: int) -> "Settings":
    """The settings for the sampling of a run's answerer; each of several runs has its own seed.

    Args:
        settings: the configured settings, with the seed of the first run.
        answerer: the name of the answerer.
        temperature: replaces the configured temperature.
        run: index of the run, from 0.

    Raises:
        BadInputError: the temperature is out of range.
    """
    if temperature is not None and not 0 <= temperature <= 2:
        raise BadInputError(f"--temperature {temperature} is out of range", "choose a number from 0 to 2")
    table = settings.server if answerer == "server" else settings.llama
    chosen = table.temperature if temperature is None else temperature
    update = {"temperature": chosen, "seed": table.seed + (run if chosen > 0 else 0)}
    return settings.model_copy(update={table.table: table.model_copy(update=update)})


def with_models(job: "Job", asked: "RunOptions", settings: "Settings", judge: str) -> "Job":
    """The job with its answerer, its judge and what their models are.

    Raises:
        MissingError: there is no such model.
    """
    from timelens.bench.job import NO_ANSWERER
    from timelens.cli.model_options import make_answerer

    writer = None if job.answerer == NO_ANSWERER else make_answerer(settings, job.answerer, model=asked.model)
    judging, judging_model = _judge(settings, judge, asked.judge_model, writer, job.answerer)
    return replace(
        job,
        writer=writer,
        model=None if writer is None else _described_model(settings, job.answerer, asked.model),
        judge=judging,
        judge_model=judging_model,
    )


def _judge(
    settings: "Settings", name: str, model: str | None, writer: "Answerer | None", answerer: str
) -> tuple["Judge | None", dict[str, str] | None]:
    """A judge and the description of its model. Without its own model it shares that of the answerer."""
    if name != "llm":
        from timelens.bench.judge_rules import RulesJudge

        return (RulesJudge() if name == "rules" else None), None
    from timelens.answer.lm import ModelAnswerer
    from timelens.bench.judge_llm import ModelJudge
    from timelens.cli.model_options import make_session, warn_of_open_server, with_model

    if model is None and isinstance(writer, ModelAnswerer):
        if writer.session.settings.temperature > 0:
            raise BadInputError(
                "the judge would share the answerer's model, which samples; a judge does not sample",
                "name another model for the judge: --judge-model FILE",
            )
        return ModelJudge(writer.session), _described_model(settings, answerer)
    judging = with_model(_greedy(settings), model)
    session = make_session(judging, "the judge llm", "--judge-model")
    warn_of_open_server(judging)
    return ModelJudge(session), _described_model(judging, judging.answerer)


def _greedy(settings: "Settings") -> "Settings":
    """Settings with which no model samples."""
    update = {
        table.table: table.model_copy(update={"temperature": 0.0})
        for table in (settings.llama, settings.server)
    }
    return settings.model_copy(update=update)


def _described_model(settings: "Settings", answerer: str, model: str | None = None) -> dict[str, str] | None:
    """The model of an answerer with its settings, and the hash of a local file; ``None`` without a model.

    The address of a server is omitted, because it is meaningless elsewhere.

    Raises:
        MissingError: the server's model is not named, but a run must record it.
    """
    if answerer == "server":
        if settings.server.model is None:
            raise MissingError(
                "no model of the server is named, and a run records which model answered",
                "add --model NAME, or set server.model in config.toml",
            )
        kept = settings.server.model_dump(mode="json", exclude={"url", "key_env", "timeout_seconds"})
        return {name: str(value) for name, value in kept.items()}
    from timelens.bench.run_folder import file_hash

    path = user_path(model) if model else settings.llama.model
    if path is None:
        return None
    kept = settings.llama.model_dump(mode="json", exclude={"model", "gpu_layers"})
    return {"path": str(path), "sha256": file_hash(path), **{n: str(v) for n, v in kept.items()}}


def run_folder(out: Path | None, suite: str, data: Path, *made_with: str, resume: bool) -> Path:
    """The named folder, or a new one under the timelens home."""
    if out is not None:
        return user_path(out)
    if resume:
        raise BadInputError("--resume needs the folder of a run", "add --out RUN")
    from datetime import datetime

    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    name = "-".join((suite, user_path(data).resolve().name, *made_with, stamp))
    return home() / "bench" / "runs" / name
