"""``bench make``: benchmarks from the user's own data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from timelens.cli.options import JsonOption, day_of, print_json
from timelens.folders import user_path

if TYPE_CHECKING:
    from timelens.bench.make.made_folder import Made
    from timelens.bench.make.temporal_dependencies import Options

app = typer.Typer(
    help="Make a benchmark from your data. The same seed gives the same bytes; every answer is worked out "
    "a second time, by other means, before the folder appears.",
    no_args_is_help=True,
)

TablesOption = Annotated[
    list[Path],
    typer.Option(
        "--data", metavar="PATH", help="Tables with a start and an end, or folders of them; repeatable."
    ),
]
OutOption = Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder.")]
SeedOption = Annotated[int, typer.Option("--seed", help="The seed of all random choices.")]
DependencyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--dependency",
        metavar="TEXT",
        help='Which columns determine which over time, as "leaders: Country, Role -> Name"; repeatable '
        "(default: those that are found).",
    ),
]
StartOption = Annotated[
    str | None, typer.Option("--start-col", metavar="NAME", help="The column of starts, if not detected.")
]
EndOption = Annotated[
    str | None, typer.Option("--end-col", metavar="NAME", help="The column of ends, if not detected.")
]
NowOption = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DAY",
        help="The day that counts as today, YYYY-MM-DD (default: the day after the last recorded one).",
    ),
]


@app.command()
def tdbench(
    data: TablesOption,
    out: OutOption,
    *,
    seed: SeedOption = 0,
    limit: Annotated[int, typer.Option("--limit", min=1, help="The largest number of questions.")] = 500,
    dependency: DependencyOption = None,
    start_col: StartOption = None,
    end_col: EndOption = None,
    as_of: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Questions over any temporal database: 13 relations, now, temporal joins; answers from SQL (TDBench)."""
    from timelens.bench.make import tdbench as generator

    options = _of_tables(data, (start_col, end_col), dependency, as_of, seed=seed, limit=limit)
    _tell(generator.make(options, user_path(out)), as_json=as_json)


@app.command()
def adqab(
    data: Annotated[
        list[Path],
        typer.Option("--data", metavar="PATH", help="CSV files, one dated series each, or folders of them."),
    ],
    out: OutOption,
    *,
    seed: SeedOption = 0,
    per_type: Annotated[
        int, typer.Option("--per-type", min=1, help="The number of questions of each of the 7 sub-types.")
    ] = 75,
    date_col: Annotated[
        str | None, typer.Option("--date-col", metavar="NAME", help="The column of dates.")
    ] = None,
    value_col: Annotated[
        str | None, typer.Option("--value-col", metavar="NAME", help="The column of numbers.")
    ] = None,
    articles: Annotated[
        bool, typer.Option("--articles/--no-articles", help="Write monthly articles as the corpus.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Four-choice questions on the course of dated series, with monthly articles to find (ADQAB)."""
    from timelens.bench.make import adqab as generator

    options = generator.Options(
        data=_expanded(data),
        date_column=date_col,
        value_column=value_col,
        per_type=per_type,
        seed=seed,
        with_articles=articles,
    )
    _tell(generator.make(options, user_path(out)), as_json=as_json)


@app.command()
def temprageval(
    data: TablesOption,
    out: OutOption,
    *,
    seed: SeedOption = 0,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="The largest number of perturbed questions.")
    ] = 500,
    dependency: DependencyOption = None,
    start_col: StartOption = None,
    end_col: EndOption = None,
    as_of: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Questions perturbed in time, 11 relations x 5 conditions, answers proven unchanged (TempRAGEval)."""
    from timelens.bench.make import temprageval as generator

    options = _of_tables(data, (start_col, end_col), dependency, as_of, seed=seed, limit=limit)
    _tell(generator.make(options, user_path(out)), as_json=as_json)


@app.command()
def shift(
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="A BEIR folder with dated queries.")],
    out: OutOption,
    *,
    seed: SeedOption = 0,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="The largest number of passages to shift.")
    ] = 20,
    years: Annotated[
        int, typer.Option("--years", min=1, max=100, help="The largest shift, earlier or later.")
    ] = 5,
    as_of: Annotated[
        str,
        typer.Option("--as-of", metavar="DAY", help="The day that counts as today, for queries without one."),
    ] = "2000-01-01",
    as_json: JsonOption = False,
) -> None:
    """A passage in copies of other years; queries without, with only, and with tagged time (MRAG, TEMPO)."""
    from timelens.bench.make import shift as generator

    options = generator.Options(
        data=user_path(data), as_of=day_of(as_of), years=years, seed=seed, limit=limit
    )
    _tell(generator.make(options, user_path(out)), as_json=as_json)


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that bench make wrote.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Compute every answer of a made folder again, by other means."""
    from timelens.bench.make.check import check as check_folder

    kind, count = check_folder(user_path(folder))
    if as_json:
        print_json({"folder": str(folder), "kind": kind, "questions": count})
    else:
        typer.echo(f"{count} questions of {kind}: every answer is that of the data")


def _of_tables(
    data: list[Path],
    dates: tuple[str | None, str | None],
    dependency: list[str] | None,
    as_of: str | None,
    *,
    seed: int,
    limit: int,
) -> "Options":
    """The options common to the generators over tables."""
    from timelens import TableColumns
    from timelens.bench.make.temporal_dependencies import Options

    return Options(
        data=_expanded(data),
        columns=TableColumns(*dates),
        dependencies=dependency or (),
        as_of=None if as_of is None else day_of(as_of),
        seed=seed,
        limit=limit,
    )


def _expanded(paths: list[Path]) -> list[Path]:
    return [user_path(path) for path in paths]


def _tell(made: "Made", *, as_json: bool) -> None:
    """Print the counts on standard output, and notes on excluded data on standard error."""
    from timelens.printable import printable_line

    for note in made.notes:
        typer.echo(printable_line(note), err=True)
    if as_json:
        counts, notes = dict(made.counts), list(made.notes)
        print_json({"folder": str(made.path), "questions": counts, "notes": notes})
    else:
        for kind, count in made.counts.items():
            typer.echo(f"{count:6} {kind}")
        typer.echo(printable_line(f"written to {made.path}; every answer was checked"))
