"""The options of ``bench run``."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from timelens import BadInputError
from timelens.cli.model_options import ReadingOption
from timelens.cli.options import (
    AddressOption,
    AsOfOption,
    EngineOption,
    JsonOption,
    QuietOption,
    StrategyOption,
)

SuiteArgument = Annotated[
    str, typer.Argument(metavar="SUITE", help="A suite: see timelens bench list.", show_default=False)
]
SplitOption = Annotated[
    str | None,
    typer.Option("--split", metavar="NAME", help="A split of data that has several (TEMPO's domains)."),
]
DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="The folder with documents and questions.", show_default=False
    ),
]
AnswererOption = Annotated[
    str | None,
    typer.Option(
        "--answerer", help="none (only evidence, the default), extractive, llama (a GGUF model) or server."
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", metavar="FILE", help="A GGUF model to answer with; for server, its name there."),
]
CutOffsOption = Annotated[str, typer.Option("--k", metavar="N,N…", help="Cut-offs.")]
CUT_OFFS = "1,5,10,20"

_JOBS = (
    "Ask with N processes; worth it for hundreds of questions on many cores. Each process loads the "
    "embedder for itself (seconds, and about 700 MB). The results are the same as with one process. Not "
    "with a model."
)


def cut_offs(k: str) -> tuple[int, ...]:
    """The ranks of ``--k``, ascending.

    Raises:
        BadInputError: ``k`` is no list of such numbers.
    """
    try:
        ks = tuple(sorted({int(part) for part in k.split(",")}))
    except ValueError as error:
        raise BadInputError(f"--k {k!r} is not a list of numbers", f"write --k {CUT_OFFS}") from error
    if ks[0] < 1 or ks[-1] > 1000:
        raise BadInputError(f"--k {k!r} is out of range", "choose cut-offs from 1 to 1000")
    return ks


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The arguments and options of ``bench run``."""

    context: typer.Context
    suite: SuiteArgument
    data: DataOption = None
    split: SplitOption = None
    task: Annotated[
        str,
        typer.Option(
            "--task", metavar="NAME", help="documents, or by steps: step-only, query+step, query+all."
        ),
    ] = "documents"
    query: Annotated[
        str,
        typer.Option(
            "--query",
            metavar="NAME",
            help="How questions are worded: baseline, strip (without their time), temporal-only, normalised "
            "(time in tags), or a folder of reformulations in DIR (TEMPO's gpt4o_reason).",
        ),
    ] = "baseline"
    without_negatives: Annotated[
        bool,
        typer.Option("--without-negatives", help="Take negative_ids and excluded_ids out of the rankings."),
    ] = False
    strategy: StrategyOption = None
    answerer: AnswererOption = None
    model: ModelOption = None
    reading: ReadingOption = None
    k: CutOffsOption = CUT_OFFS
    evidence: Annotated[
        int | None,
        typer.Option("--evidence", min=1, max=1000, help="How many pieces of evidence are answered from."),
    ] = None
    evidence_from: Annotated[
        str,
        typer.Option(
            "--evidence-from",
            metavar="NAME",
            help="What answers are based on: retrieved, oracle (the gold passages) or none (what a "
            "model knows).",
        ),
    ] = "retrieved"
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="NAME",
            help="What judges evidence by its time: none, rules or llm (default for tempo: rules).",
        ),
    ] = None
    judge_model: Annotated[
        str | None, typer.Option("--judge-model", metavar="FILE", help="The GGUF model of the judge llm.")
    ] = None
    runs: Annotated[
        int,
        typer.Option(
            "--runs", min=1, max=100, help="The number of runs; mean and standard deviation are reported."
        ),
    ] = 1
    temperature: Annotated[
        float | None,
        typer.Option(
            "--temperature",
            metavar="T",
            help="Sample a model's answers, 0 to 2; each of several --runs has a seed of its own.",
        ),
    ] = None
    every: Annotated[
        int,
        typer.Option(
            "--every", min=1, metavar="N", help="Ask only every N-th question; every kind of question stays."
        ),
    ] = 1
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="Ask only the first N questions, in the wording of --query."),
    ] = None
    as_of: AsOfOption = None
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RUN", help="A new folder for the run.", show_default=False),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that is in RUN.")] = False
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, metavar="N", help=_JOBS)] = 1
    engine: EngineOption = "local"
    address: AddressOption = None
    quiet: QuietOption = False
    as_json: JsonOption = False

    @property
    def cut_offs(self) -> tuple[int, ...]:
        """The ranks at which rankings are scored, ascending.

        Raises:
            BadInputError: ``k`` is no list of such numbers.
        """
        return cut_offs(self.k)

    @property
    def unusual(self) -> list[str]:
        """The parts of the name of a run folder in addition to suite, strategy and answerer."""
        return [one for one in (self.query, self.evidence_from) if one not in {"baseline", "retrieved"}]
