"""Small tables and series that the tests make."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from cli.conftest import run

__all__ = ["run"]  # the fixture

RULERS = {
    "Arcadia": (("President", (1960, 1967, 1975, 1981, 1990, 2001, 2011)), ("Regent", (1955, 1978, 1999))),
    "Borealis": (("President", (1958, 1971, 1984, 1996, 2005, 2014)),),
    "Caldera": (("Doge", (1961, 1969, 1983, 1992, 2003)), ("President", (1963, 1977, 1988, 2009))),
}


def leaders() -> str:
    """A table of rulers, each from a day of the year that their predecessor left; the last still rule."""
    lines = ["Country,Role,Name,Start,End"]
    for number, (country, roles) in enumerate(RULERS.items()):
        for role, years in roles:
            days = [date(year, (year + number) % 12 + 1, year % 27 + 1) for year in years]
            for place, day in enumerate(days):
                end = days[place + 1].isoformat() if place + 1 < len(days) else ""
                lines.append(f"{country},{role},{role[:2]}{country[:2]} {place},{day.isoformat()},{end}")
    return "\n".join(lines) + "\n"


GAMES = "Game,Country,City,Start,End\n" + "".join(
    f"{city} {year},{country},{city},{year}-06-01,{year}-06-20\n"
    for year, city, country in (
        (1972, "Elmton", "Arcadia"),
        (1980, "Firth", "Borealis"),
        (1986, "Gorse", "Caldera"),
        (1998, "Elmton", "Arcadia"),
        (2008, "Hythe", "Caldera"),
    )
)


def prices(years: int = 6, *, steep: int = 40) -> str:
    """A close for every tenth day; it rises for two years, is level for two, and falls again."""
    lines = ["Date,Open,Close"]
    day, last = date(2010, 1, 4), date(2010 + years, 1, 1)
    while day < last:
        through = (day - date(2010, 1, 1)).days / 365
        height = min(through, 2) - max(0, through - 4)
        lines.append(f"{day.isoformat()},null,{100 + steep * height + (day.day % 3) / 2:.4f}")
        day += timedelta(days=10)
    return "\n".join(lines) + "\n"


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files(folder)}


def files(folder: Path) -> Iterator[Path]:
    yield from (path for path in sorted(folder.rglob("*")) if path.is_file())


def write_tables(below: Path) -> Path:
    folder = below / "tables"
    folder.mkdir()
    (folder / "leaders.csv").write_text(leaders())
    (folder / "games.csv").write_text(GAMES)
    return folder


def write_series(below: Path) -> Path:
    folder = below / "prices"
    folder.mkdir()
    (folder / "ACME.csv").write_text(prices())
    (folder / "BOLT.csv").write_text(prices(steep=-20))
    return folder


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    return write_tables(tmp_path)
