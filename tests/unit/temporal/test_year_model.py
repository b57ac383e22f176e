import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_time import assert_linear
from numbers_in_text import FIGURES, YEARS

from timelens.temporal import year_model
from timelens.temporal.expressions import find_expressions
from timelens.temporal.year_model import features, log_odds

NUMBER = re.compile(r"[12][0-9]{3}")


def odds(text: str) -> float:
    number = NUMBER.search(text)
    assert number is not None
    return log_odds(text, number.start(), number.end())


def has_date(text: str) -> bool:
    return any(found.interval is not None for found in find_expressions(text))


def test_hardly_a_figure_is_a_year() -> None:
    taken = [text for text in FIGURES if has_date(text)]
    assert len(taken) <= 0.03 * len(FIGURES), taken


def test_hardly_a_year_is_lost() -> None:
    lost = [text for text in YEARS if not has_date(text)]
    assert len(lost) <= 0.03 * len(YEARS), lost


@pytest.mark.parametrize(
    ("year", "figure"),
    [
        ("He moved in 1950.", "He moved 1950 chairs."),
        ("They met in 2019 again.", "They met on port 2019 again."),
        ("the 1987 floods", "some 1987 homes"),
        ("Novak wrote it in 1984.", 'Novak wrote "1984" again.'),
        ("From 1500 to 1520 the mill stood idle.", "From 1500 to 1520 metres the air is thin."),
        ("She left after 1945.", "She left after 1945 rounds."),
        ("It stopped in 1603 for good.", "It stopped with error 1603 for good."),
        ("At Easter 2008 we drove home.", "At home we drove a Peugeot 2008."),
    ],
)
def test_the_neighbours_decide(year: str, figure: str) -> None:
    assert has_date(year)
    assert not has_date(figure)
    assert odds(year) > odds(figure)


@pytest.mark.parametrize("name", ["Blorvix", "Tamsel", "Quarndel"])
def test_names_that_were_never_seen_are_judged_by_their_shape(name: str) -> None:
    assert not has_date(f"She bought a {name} 2008 without looking.")
    assert has_date(f"The {name} family came in 2008.")


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("20th Century Fox paid for it.", False),
        ("Poets of the 20th Century Fox never read.", True),
        ("In 19th Century Britain coal was king.", True),
        ("It is a 20th century house.", True),
    ],
)
def test_a_century_that_begins_a_name(text: str, dated: bool) -> None:
    assert has_date(text) is dated


@given(st.text(), st.integers(1000, 2999), st.text())
def test_any_text_has_odds(before: str, number: int, after: str) -> None:
    text = f"{before}{number}{after}"
    assert isinstance(log_odds(text, len(before), len(before) + 4), float)


@given(st.text(alphabet="ab 1,.-\n", max_size=40), st.integers(1000, 2999))
def test_what_is_far_away_does_not_count(near: str, number: int) -> None:
    middle = f"{'x ' * 30}{near} {number} {near}{' x' * 30}"
    start = len("x " * 30) + len(near) + 1
    assert features(middle, start, start + 4) == features(f"zz {middle} zz", start + 3, start + 7)


def test_the_weights_are_few_and_readable() -> None:
    file = Path(year_model.__file__).with_name("year_model.json")
    weights = json.loads(file.read_text(encoding="utf-8"))
    assert file.stat().st_size < 450_000
    assert all(name.isprintable() or "\n" in name for name in weights)
    assert weights["l1 since"] > 0 > weights["k U"]


def test_time_is_linear_in_the_length_of_a_text() -> None:
    def found(count: int) -> None:
        find_expressions("In 1999 the 1200 men met at 1500 North Road. " * count)

    assert_linear(found, 100, 1000)
