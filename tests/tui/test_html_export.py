"""A conversation as one HTML page."""

import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from xml.etree.ElementTree import fromstring

import pytest
from hostile import HOSTILE
from lxml import html
from scripted_chat import QUESTION, TODAY, script

from timelens.agent import Answered, Gathered
from timelens.answer.draft import Citation, Claim, Nearest, Support, TimeReference
from timelens.answer.rendering.shown_evidence import ShownEvidence, asked_of, nearest_of
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.history import KeptExchange
from timelens.temporal.interval import year_interval
from timelens.tui.export import exported
from timelens.tui.html_export import as_html
from timelens.tui.stored_answer import stored_json

NASTY = "\"quoted\" 'single' &amp; &#60; ]]> --> \ufffe \x00 \ud800 javascript:alert(1) <svg onload=x>"


def exchange(
    timeline: Timeline, text: str = "It was in 1961 [1].", nearest: Sequence[Nearest] = (), **changed: object
) -> KeptExchange:
    """A question that was answered, as the history has it."""
    *_, gathered, _, _, last = script(timeline, text, nearest=nearest)
    assert isinstance(gathered, Gathered)
    assert isinstance(last, Answered)
    answer = replace(last.answer, **changed)  # type: ignore[arg-type] # by name
    cited = frozenset(citation.number for citation in answer.citations)
    gaps = gathered.coverage.gaps
    evidence = ShownEvidence(timeline, asked_of(gathered.periods), cited, nearest_of(answer.nearest), gaps)
    asked = datetime(2024, 6, 1, 12, tzinfo=UTC)
    kept = stored_json(answer, evidence)
    return KeptExchange(QUESTION, "space", TODAY, "timelens", str(answer.status), text, kept, asked)


def read(page: str) -> html.HtmlElement:
    """The page as a browser reads it; as XML it has to be well-formed, too."""
    fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    return html.document_fromstring(page)


def texts(tree: html.HtmlElement, path: str) -> list[str]:
    return [element.text_content() for element in tree.xpath(path)]


def test_question_answer_evidence_and_timeline_are_on_the_page(timeline: Timeline) -> None:
    tree = read(exported("Flights", [exchange(timeline)], ".html"))
    assert texts(tree, "//h1") == ["Flights"]
    assert texts(tree, "//article/h2") == [QUESTION]
    assert "space" in texts(tree, "//*[@class='under']")[0]
    assert texts(tree, "//*[@class='answer']/p") == ["It was in 1961✗ [1]."]
    assert texts(tree, "//*[@class='contradicted']") == ["1961✗"]
    [cite] = tree.xpath("//a[@class='cite']")
    [target] = tree.xpath(f"//*[@id='{cite.get('href')[1:]}']")
    assert "12 April 1961 · First flight 0 · page 3" in target.text_content()
    assert target.get("class") == "used"
    assert len(tree.xpath("//ol[@class='evidence']/li")) == 3
    assert texts(tree, "//article/*[@class='note']")[0] == "dates: ✗ 1 contradicted"
    assert "note: the filter was widened" in texts(tree, "//article/*[@class='note']")
    bars = tree.xpath("//svg[@class='timeline']/a")
    assert [bar.get("href") for bar in bars] == ["#q1-e1", "#q1-e2", "#q1-e3"]
    assert [bar.get("class") for bar in bars] == ["cited", "quiet", "quiet"]
    assert texts(tree, "//svg/g[@class='period']/text") == ["asked", "1960 to 1999"]
    assert texts(tree, "//svg/rect[@class='gap']/title") == ["no evidence for 1970"]


def test_every_link_leads_somewhere_on_the_page(timeline: Timeline) -> None:
    one = exchange(timeline, "First [1]. Then [2], and [3]; not [4].")
    tree = read(as_html("Both", [one, one]))
    names = tree.xpath("//@id")
    assert len(names) == len(set(names))
    links = tree.xpath("//@href")
    assert len(links) == 2 + 2 * (3 + 3)
    assert all(link.removeprefix("#") in names for link in links)
    assert texts(tree, "//*[@id='q2']//a[@class='cite']") == ["[1]", "[2]", "[3]"]


@pytest.mark.parametrize("hostile", [*HOSTILE.values(), NASTY], ids=[*HOSTILE, "nasty"])
def test_nothing_of_a_document_becomes_markup(timeline_of: Callable[..., Timeline], hostile: str) -> None:
    timeline = timeline_of(year_interval(1961), title=hostile, text=hostile)
    one = exchange(timeline, f"{hostile} [1]", notes=(hostile,))
    page = exported(hostile, [replace(one, question=hostile, corpus=hostile)], ".html")
    tree = read(page)
    plain = read(exported("x", [exchange(timeline_of(year_interval(1961)))], ".html"))
    assert {element.tag for element in tree.iter()} <= {element.tag for element in plain.iter()} | {
        "ul",
        "li",
    }
    assert not tree.xpath("//script | //@src | //@style | //@*[starts-with(name(), 'on')]")
    assert all(link.startswith("#") for link in tree.xpath("//@href"))
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", page)


def test_the_page_allows_no_script_and_loads_nothing(timeline: Timeline) -> None:
    page = as_html("x", [exchange(timeline)])
    tree = read(page)
    [policy] = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    [style] = tree.xpath("//style/text()")
    allowed = b64encode(sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    )
    assert set(re.findall(r"[a-z]+://[^\s\"']+", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\((?!#)", page)
    assert "prefers-color-scheme: dark" in style


def test_lines_and_their_marks_stand_where_the_answer_has_them(timeline: Timeline) -> None:
    text = "Two things:\n- one in 1961 [1]\n- two [2]\n\nThe end."
    claims = (Claim("- two", Support.UNSUPPORTED, False, (2,)),)
    references = (TimeReference("1961", year_interval(1961), Support.SUPPORTED, (1,)),)
    tree = read(as_html("x", [exchange(timeline, text, claims=claims, time_references=references)]))
    assert texts(tree, "//*[@class='answer']/p") == ["Two things:", "The end."]
    assert texts(tree, "//*[@class='answer']/ul/li") == ["one in 1961 [1]", "two [2]?"]
    assert texts(tree, "//*[@class='supported']") == ["1961"]


def test_an_answer_that_names_the_nearest_says_so(timeline: Timeline) -> None:
    near = [Nearest(timeline.citations[0], year_interval(1961))]
    tree = read(as_html("x", [exchange(timeline, "Nothing answers it; nearest: [1].", nearest=near)]))
    assert texts(tree, "//li[@class='used']/*[@class='detail']") == ["nearest passage (1961)"]
    assert not tree.xpath("//*[@class='answer']//span")


def test_a_question_without_an_answer_or_with_damaged_evidence_is_shown(timeline: Timeline) -> None:
    whole = exchange(timeline)
    tree = read(as_html("x", [replace(whole, status="cancelled", result=None), replace(whole, result="{")]))
    assert texts(tree, "//*[@id='q1']/*[@class='note']") == ["cancelled"]
    assert "cannot be read" in texts(tree, "//*[@id='q2']/*[@class='note']")[0]
    assert not tree.xpath("//svg")


def test_undated_evidence_alone_has_no_timeline(timeline_of: Callable[..., Timeline]) -> None:
    [hit] = timeline_of(None).hits
    timeline = make_timeline([hit])
    evidence = ShownEvidence(timeline, cited=frozenset({1}))
    one = replace(exchange(timeline), result=stored_json(None, evidence), status="failed")
    tree = read(as_html("x", [one]))
    assert isinstance(timeline.citations[0], Citation)
    assert texts(tree, "//*[@class='evidence']//strong") == ["[1] undated"]
    assert not tree.xpath("//svg")
