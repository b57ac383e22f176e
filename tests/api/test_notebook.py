"""What notebooks show: HTML that is safe, self-contained, and readable in light and dark."""

import re
from dataclasses import replace
from xml.etree.ElementTree import fromstring

import pytest
from hostile import HOSTILE
from lxml import html

from timelens.agent import Answer
from timelens.answer.rendering.html import COLOURS, SHARE
from timelens.asking import SearchResult
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-01")
NASTY = "\"quoted\" 'single' &amp; &#60; ]]> --> \ufffe \x00 \ud800 </style><svg onload=x> \u202egnp.exe"


@pytest.fixture(scope="module")
def answer(board: Corpus) -> Answer:
    return board.ask("Who was Mayor between 2003 and 2010?", as_of=TODAY)


@pytest.fixture(scope="module")
def result(board: Corpus) -> SearchResult:
    return board.search("Who was Mayor between 2003 and 2010?", as_of=TODAY)


def read(output: str) -> html.HtmlElement:
    """The output as a browser reads it; as XML it has to be well-formed, too."""
    fromstring(output)
    return html.document_fromstring(output)


def texts(tree: html.HtmlElement, path: str) -> list[str]:
    return [element.text_content() for element in tree.xpath(path)]


def test_an_answer_shows_its_text_its_timeline_and_its_evidence(answer: Answer) -> None:
    tree = read(answer._repr_html_())
    assert texts(tree, "//h2") == [answer.question]
    assert "Ada Lind" in texts(tree, "//*[@class='answer']/p")[0]
    assert texts(tree, "//svg/g[@class='period']/text") == ["asked", "2003 to 2010"]
    assert [bar.get("class") for bar in tree.xpath("//svg/a")] == ["cited", "cited"]
    assert len(tree.xpath("//ol[@class='evidence']/li[@class='used']")) == 2
    names = set(tree.xpath("//@id"))
    links = tree.xpath("//@href")
    assert len(links) == 4
    assert {link.removeprefix("#") for link in links} <= names


def test_a_search_and_a_timeline_show_every_piece(result: SearchResult) -> None:
    tree = read(result._repr_html_())
    assert len(tree.xpath("//ol[@class='evidence']/li")) == len(result.hits)
    assert re.fullmatch(r"score 0\.\d\d", texts(tree, "//*[@class='detail']")[0])
    assert texts(tree, "//*[@class='under']") == [
        "timelens · as of 2024-06-01",
        "Time asked for: 2003 to 2010",
    ]
    alone = read(result.timeline._repr_html_())
    assert len(alone.xpath("//svg/a")) == len(result.hits)
    assert not alone.xpath("//h2")


def test_what_has_no_answer_is_shown_too(board: Corpus) -> None:
    refused = board.ask("Who was Mayor in 1600?", as_of=TODAY)
    tree = read(refused._repr_html_())
    assert "1600" in texts(tree, "//*[@class='answer']/p")[0]
    assert not tree.xpath("//*[@class='supported']")
    assert read(board.ask("What date is 90 days before 1 March 2020?", as_of=TODAY)._repr_html_()) is not None


@pytest.mark.parametrize("hostile", [*HOSTILE.values(), NASTY], ids=[*HOSTILE, "nasty"])
def test_nothing_of_a_document_becomes_markup(answer: Answer, result: SearchResult, hostile: str) -> None:
    [first, *_] = result.hits
    chunk = replace(
        first.chunk, title=hostile, text=hostile, uri=hostile, document_id=hostile, id=hostile, fact=None
    )
    chunk = replace(chunk, sentences=((0, len(hostile)),), places=((0, hostile),))
    hit = replace(first, chunk=chunk, sentence=0)
    citation = replace(answer.citations[0], hit=hit)
    changed = replace(
        answer,
        question=hostile,
        text=f"{hostile} [1]",
        read_as=hostile,
        citations=(citation,),
        notes=(hostile,),
    )
    found = replace(result, question=hostile, hits=(hit,), notes=(hostile,))
    plain = {element.tag for element in read(answer._repr_html_()).iter()} | {"ul", "li", "pattern"}
    for output in (changed._repr_html_(), found._repr_html_(), found.timeline._repr_html_()):
        tree = read(output)
        assert {element.tag for element in tree.iter()} <= plain
        assert len(tree.xpath("//style")) == 1
        assert not tree.xpath("//script | //@src | //@style | //@*[starts-with(name(), 'on')]")
        assert all(link.startswith("#") for link in tree.xpath("//@href"))
        assert set(re.findall(r"(?:href|src|xmlns)=\"([a-z]+:[^\"]*)\"", output)) <= {
            "http://www.w3.org/2000/svg"
        }
        assert not re.search(r"@import|url\((?!#)", output)
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", output)


def test_a_document_with_markup_is_shown_as_it_is_written(board: Corpus) -> None:
    output = board.ask("When did the lamp break?", as_of=TODAY)._repr_html_()
    tree = read(output)
    assert "<img src=x onerror=alert(1)>" in tree.text_content()
    assert not tree.xpath("//img")


def test_two_outputs_on_a_page_share_no_names(answer: Answer, result: SearchResult) -> None:
    names = [set(read(one._repr_html_()).xpath("//@id")) for one in (answer, result)]
    assert not names[0] & names[1]
    assert answer._repr_html_() == answer._repr_html_()


def brightness(colour: tuple[float, ...]) -> float:
    """Relative luminance (WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize(
    ("ink", "ground"), [(0x00, 0xFF), (0x21, 0xFF), (0xE0, 0x11), (0xCC, 0x1E), (0xFF, 0x38)], ids=hex
)
def test_marks_are_read_on_light_and_dark_grounds(ink: int, ground: int) -> None:
    behind = brightness((ground / 255,) * 3)
    for colour in COLOURS.values():
        parts = bytes.fromhex(colour[1:])
        mixed = brightness(tuple((part * SHARE + ink * (100 - SHARE)) / 25500 for part in parts))
        low, high = sorted((mixed, behind))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour
