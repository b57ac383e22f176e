"""An answer that cites nothing is given the evidence that bears it out."""

import pytest
from evidence import hit

from timelens.answer.rendering.timeline import make_timeline
from timelens.answer.verification.attribution import attributed

EVIDENCE = make_timeline(
    [
        hit("a", ["Ann led the club. The rent was £40."], 1998),
        hit("b", ["Bob Lund led it, from a room above the mill."], 1999, title="Rowing club"),
        hit("c", ["Bob Lund led the club again."], 2003),
    ]
).citations


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It was Ann.", 1),
        ("The rent was £40.", 1),
        ("The rent was £45.", None),
        ("Bob Lund led the rowing club.", 2),
        ("Bob Lund", 2),
        ("Ann and Bob Lund", None),
        ("Yes.", None),
        ("", None),
    ],
)
def test_the_piece_that_holds_every_word_is_cited(text: str, number: int | None) -> None:
    citation = attributed(text, "Who led the club, and what was the rent?", EVIDENCE)
    assert (citation and citation.number) == number
