from dataclasses import dataclass

import pytest

from timelens.temporal.calendar import day_number
from timelens.temporal.conventions import USUAL
from timelens.temporal.phrasing import phrase
from timelens.tui.document_filter import DocumentFilter, read_filter

TODAY = day_number(2026, 11, 24)


@dataclass(frozen=True)
class Named:
    id: str
    title: str
    kind: str


@pytest.mark.parametrize(
    ("line", "times", "kinds", "words"),
    [
        ("", [], set(), ()),
        ("1998..2002", ["1998 to 2002"], set(), ()),
        ("1998 ... 2002", ["1998 to 2002"], set(), ()),
        ("2020-03-12..2020-04-01", ["12 March 2020 to 1 April 2020"], set(), ()),
        ("1990s", ["1990 to 1999"], set(), ()),
        ("1998..", ["since 1998"], set(), ()),
        ("..2002", ["before 2003"], set(), ()),
        ("last May", ["May 2026"], set(), ()),
        ("before 1990 Bank", ["before 1990"], set(), ("bank",)),
        ("Crisis 2001 and 2005 Rates", ["2001", "2005"], set(), ("crisis", "rates")),
        (".MD *.csv 1998", ["1998"], {"md", "csv"}, ()),
        ("Apollo 11", [], set(), ("apollo", "11")),
        ("44 BCE", ["44 BCE"], set(), ()),
        ("..", [], set(), ("..",)),
        ("[red] \\", [], set(), ("[red]", "\\")),
    ],
)
def test_a_line_is_read(line: str, times: list[str], kinds: set[str], words: tuple[str, ...]) -> None:
    sieve = read_filter(line, TODAY, USUAL)
    assert [phrase(one) for one in sieve.periods] == times
    assert (set(sieve.kinds), sieve.words) == (kinds, words)


def test_kind_and_words_are_looked_for() -> None:
    report = Named("Bank/2008-report.md", "The Crisis", "md")
    assert DocumentFilter().admits(report)
    assert DocumentFilter(kinds=frozenset({"md"}), words=("crisis", "bank")).admits(report)
    assert not DocumentFilter(kinds=frozenset({"csv"})).admits(report)
    assert not DocumentFilter(words=("crisis", "rates")).admits(report)
