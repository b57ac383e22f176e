"""A conversation as one HTML page that needs no script and nothing from elsewhere. Pure.

The page is built of elements, so that no text of a document can become markup, and is XML as well.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from xml.etree.ElementTree import Element, SubElement, tostring

from timelens import drawing
from timelens.answer.model import Citation, Status, Support
from timelens.answer.sentences import sentence_of
from timelens.answer.timeline import label, time_of
from timelens.drawing import Piece, Span, draw_timeline
from timelens.history import KeptExchange
from timelens.printable import printable, printable_line
from timelens.temporal.calendar import format_day
from timelens.tui import wording
from timelens.tui.export import STOPPED
from timelens.tui.kept import Evidence, Kept, read_kept
from timelens.tui.wording import Mark, heading, nearest_words

_CITED = re.compile(r"\[(\d{1,9})\]")
_LIST = re.compile(r"[-*•] ")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_SAYS = {
    Support.SUPPORTED: "the cited evidence says so",
    Support.CONTRADICTED: "the cited evidence says otherwise",
    Support.UNSUPPORTED: "the cited evidence does not say so",
}
_STYLE = (
    """
:root { color-scheme: light dark; --ink: #1b1b1b; --ground: #ffffff; --panel: #f3f3f1; --muted: #5c5c5c;
  --accent: #0b57a8; --asked: #8a5300; --right: #17692f; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --ground: #161616; --panel: #222222;
  --muted: #a8a8a8; --accent: #7db8ff; --asked: #f0b45a; --right: #7fd18f; --wrong: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 0; }
a { color: var(--accent); }
article { border-top: 1px solid var(--muted); padding: 1.2rem 0; }
figure { margin: 1rem 0; padding: 0.6rem; background: var(--panel); border-radius: 6px; overflow-x: auto; }
figure svg.timeline { min-width: 42rem; }
.under, .note, .detail { color: var(--muted); font-size: 0.875rem; margin: 0.2rem 0; }
.answer p { margin: 0.6rem 0; }
.cite { font-weight: 600; text-decoration: none; }
.supported { color: var(--right); }
.contradicted { color: var(--wrong); font-weight: 600; }
.unsupported { color: var(--asked); }
.evidence { list-style: none; padding: 0; }
.evidence li { padding: 0.4rem 0.6rem; border-left: 3px solid transparent; color: var(--muted); }
.evidence li.used { border-left-color: var(--accent); color: var(--ink); }
.evidence li:target { background: var(--panel); outline: 2px solid var(--accent); }
.evidence p { margin: 0.2rem 0; }
"""
    + drawing.STYLE
)


def as_html(title: str, exchanges: Sequence[KeptExchange]) -> str:
    """The page: each question with its answer, marks of support, timeline and evidence."""
    page = Element("html", {"lang": "en"})
    _head(page, title)
    main = _add(_add(page, "body"), "main")
    _add(main, "h1", title)
    if len(exchanges) > 1:
        contents = _add(_add(main, "nav", label="questions"), "ol")
        for number, exchange in enumerate(exchanges, start=1):
            _add(_add(contents, "li"), "a", exchange.question, href=f"#q{number}")
    for number, exchange in enumerate(exchanges, start=1):
        _exchange(main, f"q{number}", exchange)
    return f"<!DOCTYPE html>\n{tostring(page, encoding='unicode')}\n"


def _head(page: Element, title: str) -> None:
    style = b64encode(sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'"
    head = _add(page, "head")
    _add(head, "meta", charset="utf-8")
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    _add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    _add(head, "meta", name="referrer", content="no-referrer")
    _add(head, "title", title or "A conversation")
    SubElement(head, "style").text = _STYLE


def _exchange(main: Element, name: str, exchange: KeptExchange) -> None:
    article = _add(main, "article", id=name)
    _add(article, "h2", exchange.question)
    under = (f"{exchange.asked:%Y-%m-%d %H:%M} UTC", exchange.corpus, exchange.strategy)
    _add(article, "p", " · ".join([*under, f"as of {format_day(exchange.as_of)}"]), kind="under")
    known = read_kept(exchange.result)
    evidence = known.evidence
    if evidence is not None and evidence.asked:
        _add(article, "p", f"Time asked for: {wording.periods_words(evidence.asked)}", kind="under")
    _answer(article, name, exchange, known)
    if evidence is not None and evidence.timeline.citations:
        if (svg := _timeline(evidence, name)) is not None:
            figure = _add(article, "figure")
            figure.append(svg)
            shaded = "; the shaded days are the time asked for" if evidence.asked else ""
            hatched = ", and the hatched ones have no evidence" if evidence.gaps else ""
            words = f"Filled bars are cited, the others are not{shaded}{hatched}."
            _add(figure, "figcaption", words, kind="note")
        _evidence(article, evidence, name)


def _answer(article: Element, name: str, exchange: KeptExchange, known: Kept) -> None:
    text = printable(exchange.answer)
    dates, marks = _marks(text, exchange.status, known)
    numbers = set() if known.evidence is None else {c.number for c in known.evidence.timeline.citations}
    block = _add(article, "div", kind="answer")
    items: Element | None = None
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        listed = _LIST.match(line)
        if listed is not None:
            items = _add(block, "ul") if items is None else items
        elif line.strip():
            items = None
        if line.strip():
            place = _add(block, "p") if items is None else _add(items, "li")
            first = start if listed is None else start + listed.end()
            own = [(m.start - first, m.end - first, m.support) for m in marks if first <= m.start <= end]
            _line(place, text[first:end], own, (name, numbers))
        start = end + 1
    told = wording.dates_line(dates)
    stopped = [STOPPED[exchange.status]] if exchange.status in STOPPED else []
    for note in [*stopped, *([told] if told else []), *(f"note: {note}" for note in known.notes)]:
        _add(article, "p", note, kind="note")


def _marks(text: str, status: str, known: Kept) -> tuple[list[Mark], list[Mark]]:
    """The stated times of an answer, and all that is marked in it, in order."""
    if status == Status.NO_ANSWER:
        return [], []
    periods = () if known.evidence is None else known.evidence.asked
    dates = wording.date_marks(text, known.references, [period.interval for period in periods])
    lines = wording.line_marks(text, known.claims, dates)
    return dates, sorted([*dates, *lines], key=lambda mark: (mark.start, mark.end))


def _line(
    place: Element, text: str, marks: Sequence[tuple[int, int, Support]], links: tuple[str, set[int]]
) -> None:
    """A line with its citations as links, and its stated times marked with what the evidence says of them."""
    position = 0
    for start, end, support in marks:
        _cited(place, text[position:start], *links)
        sign = "" if support is Support.SUPPORTED else wording.SUPPORT_MARKS[support]
        _add(place, "span", text[start:end] + sign, kind=str(support), title=_SAYS[support])
        position = end
    _cited(place, text[position:], *links)


def _cited(place: Element, text: str, name: str, numbers: set[int]) -> None:
    position = 0
    for match in _CITED.finditer(text):
        if int(match[1]) in numbers:
            _append(place, text[position : match.start()])
            _add(place, "a", match[0], kind="cite", href=f"#{name}-e{int(match[1])}")
            position = match.end()
    _append(place, text[position:])


def _timeline(evidence: Evidence, name: str) -> Element | None:
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


def _evidence(article: Element, evidence: Evidence, name: str) -> None:
    """Every piece by number; what the answer uses is set off."""
    listed = _add(article, "ol", kind="evidence")
    for citation in sorted(evidence.timeline.citations, key=lambda citation: citation.number):
        use = _use(citation.number, evidence)
        item = _add(listed, "li", kind="used" if use else None, id=f"{name}-e{citation.number}")
        head = _add(item, "p")
        _add(head, "strong", f"[{citation.number}] {label(citation.hit)}")
        _append(head, "".join(f" · {part}" for part in _names(citation)))
        _add(item, "p", sentence_of(citation.hit))
        if use:
            _add(item, "p", use, kind="detail")


def _use(number: int, evidence: Evidence) -> str:
    if number in evidence.cited:
        return "cited"
    return nearest_words(evidence.nearest[number]) if number in evidence.nearest else ""


def _names(citation: Citation) -> Iterator[str]:
    yield heading(citation.hit)
    if citation.hit.place:
        yield printable_line(citation.hit.place)


def _add(
    parent: Element,
    tag: str,
    text: str = "",
    *,
    kind: str | None = None,
    label: str | None = None,
    **attributes: str,
) -> Element:
    """An element at the end of another, with its class and its text, which may be anything."""
    named = {"class": kind, "aria-label": label}
    given = {name: value for name, value in named.items() if value is not None}
    element = SubElement(parent, tag, {**given, **attributes})
    if text:
        element.text = _plain(text)
        if tag in {"h1", "h2", "p", "a", "span", "strong"}:
            element.set("dir", "auto")
    return element


def _append(element: Element, text: str) -> None:
    """Text after all that an element holds."""
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + _plain(text)
    else:
        element.text = (element.text or "") + _plain(text)


def _plain(text: str) -> str:
    """What may be shown, without what no XML may hold."""
    return _NOT_IN_XML.sub("�", printable(text))
