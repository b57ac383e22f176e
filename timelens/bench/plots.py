"""Charts drawn as PNG and SVG; the only module that uses matplotlib, which is optional."""

from pathlib import Path
from typing import Any

from timelens import BadInputError, MissingError
from timelens.bench.report import Chart
from timelens.printable import printable_line, shortened

_WIDTH, _HEIGHT = 8.0, 4.5  # inches
_LONGEST = 40
_STYLE = {"svg.hashsalt": "timelens", "font.size": 9, "text.parse_math": False}
"""Makes the files reproducible, and shows a dollar sign in a name as it is."""


def draw(chart: Chart, path: Path) -> list[Path]:
    """Draw a chart, and return its two files.

    Args:
        chart: the chart.
        path: the path of the files without suffix.

    Raises:
        MissingError: matplotlib is not installed.
        BadInputError: the files cannot be written.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingError(
            "plots need matplotlib, which is not installed", "pip install 'timelens[plots]'"
        ) from error
    with rc_context(_STYLE):
        sheet = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
        axes = sheet.subplots()
        if all(isinstance(place, float) for place in chart.places):
            _curves(axes, chart)
        else:
            _bars(axes, chart)
        axes.set_title(_shown(chart.title, 2 * _LONGEST))
        axes.set_xlabel(_shown(chart.along))
        axes.set_ylabel("percent")
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", alpha=0.3)
        if len(chart.series) > 1:
            sheet.legend(loc="outside lower center", ncols=3)
        files = [path.with_name(f"{path.name}.{kind}") for kind in ("png", "svg")]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            sheet.savefig(files[0], dpi=150)
            sheet.savefig(files[1], metadata={"Date": None})
        except OSError as error:
            raise BadInputError(f"{path} cannot be drawn: {error.strerror}", "name another place") from error
    return files


def _curves(axes: Any, chart: Chart) -> None:  # noqa: ANN401 -- matplotlib is not imported here
    for name, values in chart.series.items():
        known = [
            (place, value) for place, value in zip(chart.places, values, strict=True) if value is not None
        ]
        axes.plot(
            [place for place, _ in known], [value for _, value in known], marker="o", label=_shown(name)
        )


def _bars(axes: Any, chart: Chart) -> None:  # noqa: ANN401 -- matplotlib is not imported here
    width = 0.8 / len(chart.series)
    for number, (name, values) in enumerate(chart.series.items()):
        left = [place - 0.4 + width * (number + 0.5) for place in range(len(values))]
        known = [(place, value) for place, value in zip(left, values, strict=True) if value is not None]
        axes.bar([place for place, _ in known], [value for _, value in known], width, label=_shown(name))
    for place, (interval, value) in enumerate(zip(chart.intervals, *chart.series.values(), strict=False)):
        if interval is not None and value is not None:
            axes.vlines(place, *interval, color="black")
    names = [_shown(str(place)) for place in chart.places]
    crowded = sum(map(len, names)) > 80
    axes.set_xticks(
        range(len(names)), names, rotation=40 if crowded else 0, ha="right" if crowded else "center"
    )


def _shown(text: str, longest: int = _LONGEST) -> str:
    return shortened(printable_line(text), longest)
