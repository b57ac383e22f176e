"""Whatever a table holds, what is made of it stands up to its checker, or the reason why not is said."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from timelens.bench.make import tdbench, temprageval
from timelens.bench.make.made_folder import Made
from timelens.bench.make.temporal_dependencies import Options
from timelens.errors import BadInputError
from timelens.temporal.calendar import format_day

names = st.sampled_from(
    ["Ada", "Bo b", "O'Hara", 'She "X"', "a,b", "Zoë\u2028", "two\nlines", "{0}", "%s", ""]
)
dates = st.one_of(
    st.integers(-20_000, 19_000).map(format_day),
    st.integers(1900, 2020).map(str),
    st.integers(1900, 2020).map(lambda year: f"{year}-0{year % 9 + 1}"),
    st.sampled_from(["", "present", "-0043-03-15", "soon", "1999-02-30", "12000"]),
)
places = st.sampled_from(["Oak", "O'Hara", "two\nlines"])
rows = st.lists(st.tuples(places, st.sampled_from(["King", "Duke"]), names, dates, dates), max_size=20)


AT_THE_EDGE = [
    ("Oak", "King", "Ada", "1970-01-01", "1970-01-01"),
    ("Oak", "King", "Ada", "1969-11-13", "1970-01-01"),
]
"""The day after the year that follows 1968, a leap year."""


def quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


@pytest.mark.parametrize("kind", ["tdbench", "temprageval"])
@settings(max_examples=25)
@example([AT_THE_EDGE[0]] * 4 + AT_THE_EDGE[1:], ("Place, Role -> Name",), 0)
@given(rows, st.sampled_from([(), ("Place, Role -> Name",)]), st.integers(0, 3))
def test_what_is_made_of_any_table_stands_up(
    kind: str, table: list[tuple[str, ...]], dependencies: tuple[str, ...], seed: int
) -> None:
    makers: dict[str, Callable[[Path, Path], Made]] = {
        "tdbench": lambda data, out: tdbench.make(
            Options([data], dependencies=dependencies, seed=seed, limit=60), out
        ),
        "temprageval": lambda data, out: temprageval.make(
            Options([data], dependencies=dependencies, seed=seed, limit=60), out
        ),
    }
    with tempfile.TemporaryDirectory() as place:
        data, out = Path(place) / "table.csv", Path(place) / "out"
        lines = [",".join(map(quoted, row)) for row in table]
        data.write_text("\n".join(["Place,Role,Name,Start,End", *lines]) + "\n", encoding="utf-8", newline="")
        try:
            made = makers[kind](data, out)
        except BadInputError:
            assert not out.exists()
        else:
            assert sum(made.counts.values()) > 0
