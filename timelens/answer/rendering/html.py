"""An answer, or evidence without one, as self-contained HTML without scripts. Pure.

It is built from elements, so text of a document cannot become markup, and is valid XML as well.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from xml.etree.ElementTree import Element, SubElement, tostring

from timelens import drawing
from timelens.answer.draft import Citation, Claim, Support, TimeReference
from timelens.answer.hit_times import time_of
from timelens.answer.rendering.labels import (
    CITED_NUMBER,
    SUPPORT_MARKS,
    SupportMark,
    date_marks,
    dates_line,
    heading,
    line_marks,
    periods_words,
    use_words,
)
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of
from timelens.drawing import Piece, Span, draw_timeline
from timelens.printable import printable, printable_line, xml_text

_LIST = re.compile(r"[-*•] ")
_SAYS = {
    Support.SUPPORTED: "the cited evidence says so",
    Support.CONTRADICTED: "the cited evidence says otherwise",
    Support.UNSUPPORTED: "the cited evidence does not say so",
}

STYLE = (
    """
.timelens { overflow-wrap: anywhere; line-height: 1.5; }
.timelens * { box-sizing: border-box; }
.timelens h2 { font-size: 1.2em; margin: 0; }
.timelens a { color: var(--accent); }
.timelens figure { margin: 1em 0; padding: 0.6em; background: var(--panel); border-radius: 6px;
  overflow-x: auto; }
.timelens figure svg.timeline { min-width: 672px; }
.timelens .under, .timelens .note, .timelens .detail { color: var(--muted); font-size: 0.875em;
  margin: 0.2em 0; }
.timelens .answer p { margin: 0.6em 0; }
.timelens .cite { font-weight: 600; text-decoration: none; }
.timelens .supported { color: var(--right); }
.timelens .contradicted { color: var(--wrong); font-weight: 600; }
.timelens .unsupported { color: var(--asked); }
.timelens .evidence { list-style: none; padding: 0; margin: 0; }
.timelens .evidence li { padding: 0.4em 0.6em; border-left: 3px solid transparent; margin: 0; }
.timelens .evidence li.used { border-left-color: var(--accent); }
.timelens .evidence li:target { background: var(--panel); outline: 2px solid var(--accent); }
.timelens .evidence p { margin: 0.2em 0; }
"""
    + drawing.STYLE
)
"""The style of elements inside the class ``timelens``; the page defines the colours as custom properties."""

COLOURS = {"accent": "#0b6fd8", "asked": "#b87000", "right": "#138a3c", "wrong": "#d92d20"}
"""Colours of marks in a notebook, before they are mixed with the text colour."""
SHARE = 55
"""Per cent of a mark's own colour; the rest is the text colour, so it is visible on light and dark pages."""

_IN_NOTEBOOK = (
    ".timelens { --ink: currentColor; "
    "--muted: color-mix(in srgb, currentColor 70%, transparent); "
    "--panel: color-mix(in srgb, currentColor 6%, transparent); "
    + " ".join(
        f"--{name}: color-mix(in srgb, {colour} {SHARE}%, currentColor);" for name, colour in COLOURS.items()
    )
    + " } .timelens svg a { color: inherit; }\n"
)
"""Colours derived from the text colour, because a notebook does not state whether it is light or dark."""


@dataclass(frozen=True, slots=True)
class Article:
    """The content shown for a question."""

    evidence: ShownEvidence | None
    question: str = ""
    under: str = ""
    """A line below the question."""
    text: str = ""
    """The answer."""
    references: tuple[TimeReference, ...] = ()
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    """Lines below the answer."""
    details: Mapping[int, str] = field(default_factory=dict)
    """A remark on pieces of evidence, by number."""


def as_output(article: Article) -> str:
    """The HTML that a notebook shows for a value: one element with its own styles."""
    seed = "\n".join([article.question, article.text, *_ids(article)])
    name = f"timelens-{sha256(seed.encode(errors='replace')).hexdigest()[:12]}"
    whole = Element("div", {"class": "timelens"})
    SubElement(whole, "style").text = _IN_NOTEBOOK + STYLE
    whole.append(as_element(article, name))
    return tostring(whole, encoding="unicode", short_empty_elements=False)


def as_element(article: Article, name: str) -> Element:
    """An ``article``: question, answer with marks of support, timeline and evidence.

    Args:
        article: the content.
        name: its id, unique on the page; the ids inside begin with it.
    """
    shown = Element("article", {"id": name})
    if article.question:
        add(shown, "h2", article.question)
    if article.under:
        add(shown, "p", article.under, kind="under")
    evidence = article.evidence
    if evidence is not None and evidence.asked:
        add(shown, "p", f"Time asked for: {periods_words(evidence.asked)}", kind="under")
    if article.text:
        _answer(shown, name, article)
    for note in article.notes:
        add(shown, "p", note, kind="note")
    if evidence is not None and evidence.timeline.citations:
        if (svg := _timeline(evidence, name)) is not None:
            figure = add(shown, "figure")
            figure.append(svg)
            if words := _caption(evidence):
                add(figure, "figcaption", words, kind="note")
        _evidence(shown, article, evidence, name)
    return shown


def _ids(article: Article) -> Iterator[str]:
    if article.evidence is not None:
        yield from (citation.hit.chunk.id for citation in article.evidence.timeline.citations)


def _caption(evidence: ShownEvidence) -> str:
    """The meaning of the bars and the background of a timeline."""
    bars = ["filled bars are cited, the others are not"] if evidence.cited else []
    shaded = ["the shaded days are the time asked for"] if evidence.asked else []
    hatched = ", and the hatched ones have no evidence" if evidence.gaps else ""
    words = "; ".join([*bars, *shaded]) + hatched
    return words and f"{words[0].upper()}{words[1:]}."


def _answer(shown: Element, name: str, article: Article) -> None:
    text = printable(article.text)
    evidence = article.evidence
    dates, marks = _marks(text, article)
    numbers = set() if evidence is None else {one.number for one in evidence.timeline.citations}
    block = add(shown, "div", kind="answer")
    items: Element | None = None
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        listed = _LIST.match(line)
        if listed is not None:
            items = add(block, "ul") if items is None else items
        elif line.strip():
            items = None
        if line.strip():
            place = add(block, "p") if items is None else add(items, "li")
            first = start if listed is None else start + listed.end()
            own = [(m.start - first, m.end - first, m.support) for m in marks if first <= m.start <= end]
            _line(place, text[first:end], own, (name, numbers))
        start = end + 1
    if told := dates_line(dates):
        add(shown, "p", told, kind="note")


def _marks(text: str, article: Article) -> tuple[list[SupportMark], list[SupportMark]]:
    """The marks of the times stated in an answer, and all marks of times and lines, in order."""
    periods = () if article.evidence is None else article.evidence.asked
    dates = date_marks(text, article.references, [period.interval for period in periods])
    lines = line_marks(text, article.claims, dates)
    return dates, sorted([*dates, *lines], key=lambda mark: (mark.start, mark.end))


def _line(
    place: Element, text: str, marks: Sequence[tuple[int, int, Support]], links: tuple[str, set[int]]
) -> None:
    """Append a line with its citations as links and its stated times marked by their support."""
    position = 0
    for start, end, support in marks:
        _cited(place, text[position:start], *links)
        sign = "" if support is Support.SUPPORTED else SUPPORT_MARKS[support]
        add(place, "span", text[start:end] + sign, kind=str(support), title=_SAYS[support])
        position = end
    _cited(place, text[position:], *links)


def _cited(place: Element, text: str, name: str, numbers: set[int]) -> None:
    position = 0
    for match in CITED_NUMBER.finditer(text):
        if int(match[1]) in numbers:
            _append(place, text[position : match.start()])
            add(place, "a", match[0], kind="cite", href=f"#{name}-e{int(match[1])}")
            position = match.end()
    _append(place, text[position:])


def _timeline(evidence: ShownEvidence, name: str) -> Element | None:
    pieces = [
        Piece(
            citation.number,
            time_of(citation.hit),
            label(citation.hit),
            heading(citation.hit),
            citation.number in evidence.cited,
            f"#{name}-e{citation.number}",
        )
        for citation in evidence.timeline.citations
    ]
    spans = [Span(period.interval, str(period.role)) for period in evidence.asked]
    return draw_timeline(pieces, spans, evidence.gaps, name=name)


def _evidence(shown: Element, article: Article, evidence: ShownEvidence, name: str) -> None:
    """Append every piece of evidence by number; those that the answer uses are highlighted."""
    listed = add(shown, "ol", kind="evidence")
    for citation in sorted(evidence.timeline.citations, key=lambda citation: citation.number):
        use = use_words(citation.number, evidence)
        item = add(listed, "li", kind="used" if use else None, id=f"{name}-e{citation.number}")
        head = add(item, "p")
        add(head, "strong", f"[{citation.number}] {label(citation.hit)}")
        _append(head, "".join(f" · {part}" for part in _names(citation)))
        add(item, "p", sentence_of(citation.hit))
        if detail := use or article.details.get(citation.number, ""):
            add(item, "p", detail, kind="detail")


def _names(citation: Citation) -> Iterator[str]:
    yield heading(citation.hit)
    if citation.hit.place:
        yield printable_line(citation.hit.place)


def add(
    parent: Element,
    tag: str,
    text: str = "",
    *,
    kind: str | None = None,
    label: str | None = None,
    **attributes: str,
) -> Element:
    """Append an element to another, with its class (``kind``) and its text, which may be anything."""
    named = {"class": kind, "aria-label": label}
    given = {name: value for name, value in named.items() if value is not None}
    element = SubElement(parent, tag, {**given, **attributes})
    if text:
        element.text = _plain(text)
        if tag in {"h1", "h2", "p", "a", "span", "strong"}:
            element.set("dir", "auto")
    return element


def _append(element: Element, text: str) -> None:
    """Append text to the content of an element."""
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + _plain(text)
    else:
        element.text = (element.text or "") + _plain(text)


def _plain(text: str) -> str:
    """Printable text, with characters that XML does not allow replaced."""
    return xml_text(printable(text))
