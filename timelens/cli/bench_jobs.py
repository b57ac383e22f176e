"""What ``bench run`` is asked for, as a job: its answerer, its judge, its cut-offs and its folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from timelens.errors import BadInputError, MissingError

if TYPE_CHECKING:
    from timelens.agent import Answerer
    from timelens.bench.judging import Judge
    from timelens.bench.runner import Job
    from timelens.config import Settings


def named_data(suite: str, data: Path | None) -> Path:
    """The folder to read.

    Raises:
        MissingError: none is named.
    """
    from timelens.bench.sources import FETCHED

    if data is not None:
        return data
    fetch_it = (
        f"fetch it once: timelens bench fetch {suite}{' --split NAME' * (suite == 'tempo')} --out DIR, then "
    )
    raise MissingError(
        f"the suite {suite} needs data",
        f"{fetch_it * (suite in FETCHED)}name its folder with --data DIR (see: timelens bench list)",
    )


def make_job(
    settings: "Settings",
    *,
    answerer: str,
    model: str | None,
    reading: str | None,
    judge: str,
    judge_model: str | None,
    **what: Any,  # noqa: ANN401
) -> "Job":
    """The job with its answerer and its judge.

    Raises:
        BadInputError: there is no such answerer or judge.
        MissingError: there is no such model.
    """
    from timelens.bench.runner import NO_ANSWERER, Job
    from timelens.cli.questions import make_answerer

    if answerer not in {NO_ANSWERER, "extractive", "llama"}:
        raise BadInputError(f"there is no answerer {answerer!r}", "choose none, extractive or llama")
    for option, value in (("--model", model), ("--reading", reading)):
        if answerer != "llama" and value is not None:
            raise BadInputError(f"{option} does not go with --answerer {answerer}", "add --answerer llama")
    writer = None if answerer == NO_ANSWERER else make_answerer(settings, answerer, model=model)
    judging, judging_model = _judge(settings, judge, judge_model, writer)
    return Job(
        answerer=answerer,
        writer=writer,
        model=None if writer is None else _described_model(settings, model),
        judge=judging,
        judge_model=judging_model,
        **{**what, "data": str(what["data"])},
    )


def _judge(
    settings: "Settings", name: str, model: str | None, writer: "Answerer | None"
) -> tuple["Judge | None", dict[str, str] | None]:
    """The judge of a name, and what its model is. It shares an answerer's model unless it has one."""
    from timelens.bench.judging import JUDGES

    if name not in JUDGES:
        raise BadInputError(f"there is no judge {name!r}", f"choose one of {', '.join(JUDGES)}")
    if name != "llm":
        from timelens.bench.judge_rules import RulesJudge

        if model is not None:
            raise BadInputError(f"--judge-model does not go with --judge {name}", "add --judge llm")
        return (RulesJudge() if name == "rules" else None), None
    from timelens.answer.llama import LlamaAnswerer, Session
    from timelens.bench.judge_llm import LlamaJudge

    if model is None and isinstance(writer, LlamaAnswerer):
        path = writer.session.settings.model
        own = None if path is None else str(path)
        return LlamaJudge(writer.session), _described_model(settings, own)
    described = _described_model(settings, model)
    if described is None:
        raise MissingError(
            "the judge llm needs a language model",
            "add --judge-model FILE.gguf, or set llama.model in config.toml",
        )
    return LlamaJudge(
        Session(settings.llama.model_copy(update={"model": Path(described["path"])}))
    ), described


def _described_model(settings: "Settings", model: str | None) -> dict[str, str] | None:
    """The model file with its hash and settings; ``None`` where none is named or configured."""
    from timelens.bench.runs import file_hash

    path = Path(model).expanduser() if model else settings.llama.model
    if path is None:
        return None
    kept = settings.llama.model_dump(mode="json", exclude={"model", "gpu_layers"})
    return {"path": str(path), "sha256": file_hash(path), **{n: str(v) for n, v in kept.items()}}


def refuse_evidence(evidence_from: str, answerer: str, reading: str, number: int | None) -> None:
    """Refuse what does not go with evidence that is not retrieved.

    Raises:
        BadInputError: nothing is answered, there is nothing to answer from, or an option has no meaning.
    """
    asked = f"--evidence-from {evidence_from}"
    if answerer == "none":
        raise BadInputError(f"{asked} needs an answer to be written", "add --answerer extractive or llama")
    if number is not None:
        raise BadInputError(
            f"--evidence does not go with {asked}", "leave it out: nothing is retrieved for it"
        )
    if evidence_from == "none" and answerer == "extractive":
        raise BadInputError(
            "the extractive answerer has nothing but evidence to answer from",
            "add --answerer llama: a model answers from what it knows",
        )
    if evidence_from == "none" and reading != "direct":
        raise BadInputError(f"--reading {reading} does not go with {asked}", "add --reading direct")


def cut_offs(text: str) -> tuple[int, ...]:
    """The cut-offs that a list of numbers names.

    Raises:
        BadInputError: it is no such list.
    """
    try:
        ks = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError as error:
        raise BadInputError(f"--k {text!r} is no list of numbers", "write --k 1,5,10,20") from error
    if ks[0] < 1 or ks[-1] > 1000:
        raise BadInputError(f"--k {text!r} is out of range", "cut-offs are from 1 to 1000")
    return ks


def run_folder(out: Path | None, suite: str, data: Path, *made_with: str, resume: bool) -> Path:
    """The folder named, or a new one under the timelens home."""
    if out is not None:
        return out.expanduser()
    if resume:
        raise BadInputError("no run is named to go on with", "add --out RUN")
    from datetime import datetime

    from timelens.config import home

    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    name = "-".join((suite, data.expanduser().resolve().name, *made_with, stamp))
    return home() / "bench" / "runs" / name
