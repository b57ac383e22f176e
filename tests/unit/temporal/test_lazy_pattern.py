import re

import pytest

from timelens.temporal.lazy_pattern import Pattern


def test_a_pattern_is_compiled_when_it_is_used() -> None:
    damaged = Pattern("May(")
    with pytest.raises(re.error, match="unterminated"):
        damaged.search("May")


def test_it_finds_what_the_compiled_one_does() -> None:
    source = r"\b(?P<month>may|june)\b"
    ours, compiled = Pattern(source), re.compile(source, re.ASCII | re.IGNORECASE)
    for text in ("May", "in June", "maybe", "Mayé", ""):
        for name in ("match", "fullmatch", "search"):
            assert repr(getattr(ours, name)(text)) == repr(getattr(compiled, name)(text))
    assert repr(ours.match("in May", 3)) == repr(compiled.match("in May", 3))
    assert ours.pattern == compiled.pattern
