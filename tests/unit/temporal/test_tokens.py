"""What is passed over while a text is scanned: nothing of it would have matched."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from timelens.temporal import range_ellipsis, tokens
from timelens.temporal.anchoring import Anchors
from timelens.temporal.conventions import Conventions
from timelens.temporal.expressions import ScannedText, read_expressions
from timelens.temporal.interval import day_interval
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules import RULES
from timelens.temporal.rules.bounds import (
    AND_NOW,
    LEADING,
    PREFIX,
    RANGE_BEFORE,
    THROUGH_END,
    TO_NOW,
    TRAILING,
    may_close,
    may_join,
    may_open,
)
from timelens.temporal.rules.modifiers import MODIFIERS
from timelens.temporal.rules.rule import Rule
from timelens.temporal.vocabulary import last_word

PHRASES = sorted(
    {example.text for rule in RULES for example in rule.examples}
    | {example.text for part in MODIFIERS for example in part.examples}
)
WORDS = (
    *(
        "3",
        "12",
        "45",
        "1999",
        "2015",
        "'94",
        "may",
        "March",
        "the",
        "in",
        "on",
        "since",
        "from",
        "until",
        "before",
    ),
    *(
        "after",
        "between",
        "and",
        "to",
        "two",
        "years",
        "days",
        "of",
        "next",
        "last",
        "week",
        "Monday",
        "first",
        "half",
    ),
    *(
        "early",
        "end of",
        "BC",
        "AD",
        "12%",
        "$5",
        "No. 5",
        "he",
        "10:33",
        "10 a.m.",
        "circa",
        "up to and incl., 5",
    ),
    *(
        "not later than",
        "w.e.f.",
        "a/o",
        "pre-",
        "post ",
        "through the",
        "on or after",
        "'til",
        "twelve",
        "season",
    ),
    *("10:33, ", "7ber", "or 15", "week 12", "fiscal year", "fl.", "ca.", "at the", "no older than"),
)
JOINTS = (
    " ",
    " ",
    " ",
    " ",
    ", ",
    ". ",
    "; ",
    " and ",
    " to ",
    "-",
    "\n",
    "\n\n",
    " (",
    ") ",
    "/",
    " – ",
    "\t",
    ": ",
    "",
)


def texts(count: int) -> Iterator[str]:
    """Phrases of time and words beside them, in any order."""
    chance = random.Random(20)
    for _ in range(count):
        pieces = (chance.choice(PHRASES if chance.random() < 0.6 else WORDS) for _ in range(8))
        yield "".join(piece + chance.choice(JOINTS) for piece in pieces)


def starts(text: str) -> Iterator[int]:
    return (token.start() for token in re.finditer(r"[0-9]+|[^\W\d_]+", text))


@cache
def unsettled(first: str) -> tuple[Rule, ...]:
    """All rules that may begin with a word, without what settles them."""
    return tuple(replace(rule, settled=None) for rule in tokens._RULES_BY_TOKEN.get(first, ()))


def test_the_rule_that_matches_most_is_tried_and_settled() -> None:
    settled = bare = 0
    for text in texts(2_000):
        for token in re.finditer(r"[0-9]+|[^\W\d_]+", text):
            rules = tokens._rules_at(text, token)
            first = "9" * len(token[0]) if token[0].isdigit() else token[0].lower()
            found, full = (tokens._longest(text, token.start(), tried) for tried in (rules, unsettled(first)))
            assert (found is None) == (full is None), (text, token)
            if found is not None and full is not None:
                assert (found.rule.name, found.end) == (full.rule.name, full.end), text
                settled += found.rule.settled is not None
                bare += found.rule.is_bare
    assert settled > 500
    assert bare > 500


def test_no_part_stands_before_a_date_but_behind_its_last_words() -> None:
    found = 0
    for text in texts(1_500):
        for start in starts(text):
            before = text[max(0, start - 64) : start]
            word, behind = last_word(before)
            words = set(re.findall("[a-z]+", before.lower()))
            tried = [
                part
                for part in tokens._parts_ending(word, has_colon=":" in behind)
                if not part.words or part.words & words
            ]
            matching = [part for part in MODIFIERS if part.pattern.search(before) is not None]
            assert set(map(id, matching)) <= set(map(id, tried)), before
            found += len(matching)
    assert found > 500


@pytest.mark.parametrize("pattern", [PREFIX, LEADING, RANGE_BEFORE, THROUGH_END])
def test_nothing_opens_a_date_but_its_last_words(pattern: Pattern) -> None:
    found = 0
    for text in texts(1_500):
        for start in starts(text):
            before = text[max(0, start - 48) : start]
            match = pattern.search(before)
            if match is not None:
                found += 1
                assert may_open(before), before
                alike = pattern.search(re.sub("[1-9]", "0", before))
                assert alike is not None
                assert (alike.span(), alike.lastgroup) == (match.span(), match.lastgroup)
    assert found


def test_nothing_joins_two_dates_but_its_last_words() -> None:
    found = 0
    for text in texts(1_500):
        for start in starts(text):
            before = text[max(0, start - 48) : start]
            if range_ellipsis._FIRST_END.search(before) is not None:
                found += 1
                assert may_join(before), before
    assert found > 100


def test_what_closes_a_date_begins_with_some_words() -> None:
    found = 0
    for text in texts(1_500):
        for end in (match.end() for match in re.finditer(r"\w+\.?", text)):
            if any(one.match(text, end) for one in (TO_NOW, TRAILING, AND_NOW)):
                found += 1
                assert may_close(text, end), text[end:]
    assert found > 100


class OnlyConventions:
    """Anchors of which nothing else may be looked at."""

    conventions = Conventions(day_first=True)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.stands_alone], ids=lambda rule: rule.name)
def test_a_rule_that_stands_alone_asks_no_anchor(rule: Rule) -> None:
    for example in rule.examples:
        match = rule.pattern.fullmatch(example.text)
        assert match is not None
        try:
            rule.build(match, OnlyConventions())  # type: ignore[arg-type]
        except ValueError:
            assert example.dates == ""


def test_a_text_that_is_read_again_is_read_as_the_first_time() -> None:
    anchors = [Anchors(18_000), Anchors(), Anchors(-9_000, day_interval(-8_000)), Anchors(18_000)]
    anchors += [replace(one, conventions=Conventions(day_first=True)) for one in anchors]
    for text in texts(600):
        scanned = ScannedText(text, Conventions(english=True))
        for anchor in anchors:
            once = read_expressions(text, anchor)[0]
            assert scanned._phrases.read(anchor)[0] == once
            assert scanned._phrases.unanchored(anchor.conventions) in (None, once)
