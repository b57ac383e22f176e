"""The reading of a text or a question for people: times coloured in place, and drawn on an axis."""

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from timelens import Reading, Step
from timelens.cli.console import show
from timelens.printable import printable, printable_line, shortened
from timelens.question.plan import first_plan
from timelens.temporal import Expression, Interval, phrase
from timelens.tui.timeline.axis import Axis

_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")
_UNDATED = "dim underline"
_AXIS_WIDTH = 32
_MOST_LETTERS = 40
_LABEL_WIDTH = 13  # of the longest relation


def show_expressions(text: str, found: Sequence[Expression]) -> None:
    """The text with its expressions coloured, then the time of each, drawn on one axis."""
    colours = [_colour(number, expression.interval) for number, expression in enumerate(found)]
    marked = Text()
    position = 0
    for expression, colour in zip(found, colours, strict=True):
        marked.append(printable(text[position : expression.char_start]))
        marked.append(printable(expression.text), colour)
        position = expression.char_end
    marked.append(printable(text[position:]))
    show(marked)
    if not found:
        return
    axis = _axis(expression.interval for expression in found)
    table = Table.grid(padding=(0, 2))
    for expression, colour in zip(found, colours, strict=True):
        time = phrase(expression.interval) if expression.interval else "no interval"
        bar = _bar(expression.interval, axis)
        table.add_row(
            Text(f"  {_shortened(expression.text)}", colour),
            Text(bar, colour),
            Text(f"{time}  ({expression.kind}, {expression.confidence:.2f})"),
        )
    _print_with_axis(table, axis)


def show_question(reading: Reading) -> None:
    """The reading of a question: topic, times on one axis, events, intent, plan and notes."""
    parsed = reading.parsed
    show(_labelled([("topic", parsed.core)]))
    periods = [period.interval for period in parsed.periods]
    axis = _axis([*periods, *(constraint.interval for constraint in parsed.constraints)])
    drawn = _grid()
    for number, period in enumerate(parsed.periods):
        said = f"{phrase(period.interval)}   \u2190 {printable_line(period.text)}"
        bar = Text(_bar(period.interval, axis), _colour(number, period.interval))
        drawn.add_row(Text(str(period.role)), bar, Text(said))
    for number, constraint in enumerate(parsed.constraints):
        colour = _colour(number, constraint.interval)
        time = phrase(constraint.interval) if constraint.interval else "any time"
        order = f", {constraint.ordinal}" if constraint.ordinal is not None else ""
        said = f"{time} ({constraint.role}{order})   \u2190 {printable_line(constraint.text)}"
        relation = str(constraint.relation or "order")
        drawn.add_row(Text(relation), Text(_bar(constraint.interval, axis), colour), Text(said))
    if parsed.constraints:
        _print_with_axis(drawn, axis)
    rows = [("event", event.text) for event in parsed.implicit]
    rows.append(("asks for", f"{parsed.intent}, {parsed.focus}, {parsed.reasoning_class}"))
    rows += [(f"step {step.number}", _step(step)) for step in first_plan(parsed).steps]
    rows += [("note", note) for note in reading.notes]
    show(_labelled(rows))


def _step(step: Step) -> str:
    """The query of a step, its window, its purpose, its kind, and the steps it depends on."""
    when = phrase(step.window) if step.window else "any time"
    after = f", after {', '.join(map(str, step.needs))}" if step.needs else ""
    return f"{step.query}  [{when}]  {step.purpose} ({step.kind}{after})"


def _labelled(rows: Sequence[tuple[str, str]]) -> Table:
    table = _grid()
    for label, value in rows:
        table.add_row(Text(label), Text(printable_line(value)))
    return table


def _grid() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", min_width=_LABEL_WIDTH)
    return table


def _print_with_axis(table: Table, axis: Axis | None) -> None:
    if axis is not None:
        table.add_row(Text(), Text(axis.labels(), "dim"), Text())
    show(table)


def _axis(times: Iterable[Interval | None]) -> Axis | None:
    return Axis.over([time for time in times if time is not None], _AXIS_WIDTH)


def _bar(time: Interval | None, axis: Axis | None) -> str:
    """A time on the axis: ``━━━``, ``●`` if it is shorter than a column, an arrow at an open end."""
    if time is None or axis is None:
        return ""
    columns = axis.columns(time)
    drawn = ["●"] if len(columns) == 1 else ["━"] * len(columns)
    if time.start is None:
        drawn[0] = "◀"
    if time.end is None:
        drawn[-1] = "▶"
    return " " * columns.start + "".join(drawn)


def _colour(number: int, interval: Interval | None) -> str:
    return _UNDATED if interval is None else f"bold {_COLOURS[number % len(_COLOURS)]}"


def _shortened(text: str) -> str:
    return shortened(printable_line(text), _MOST_LETTERS)
