"""A conversation as one self-contained HTML page without scripts. Pure.

The page is built from elements, so that no text of a document can become markup; it is also valid XML.
"""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from xml.etree.ElementTree import Element, SubElement, tostring

from timelens import Status
from timelens.answer.rendering import html
from timelens.answer.rendering.html import Article, add, as_element
from timelens.history import KeptExchange
from timelens.tui.export import STOPPED
from timelens.tui.stored_answer import read_stored_json
from timelens.tui.wording import asked_line

_STYLE = (
    """
:root { color-scheme: light dark; --ink: #1b1b1b; --ground: #ffffff; --panel: #f3f3f1; --muted: #5c5c5c;
  --accent: #0b57a8; --asked: #8a5300; --right: #17692f; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --ground: #161616; --panel: #222222;
  --muted: #a8a8a8; --accent: #7db8ff; --asked: #f0b45a; --right: #7fd18f; --wrong: #ff8a80; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; }
article { border-top: 1px solid var(--muted); padding: 1.2rem 0; }
.timelens .evidence li:not(.used) { color: var(--muted); }
"""
    + html.STYLE
)


def as_html(title: str, exchanges: Sequence[KeptExchange]) -> str:
    """The page: each question with its answer, support marks, timeline and evidence."""
    page = Element("html", {"lang": "en"})
    _head(page, title)
    main = add(add(page, "body"), "main", kind="timelens")
    add(main, "h1", title)
    if len(exchanges) > 1:
        contents = add(add(main, "nav", label="questions"), "ol")
        for number, exchange in enumerate(exchanges, start=1):
            add(add(contents, "li"), "a", exchange.question, href=f"#q{number}")
    for number, exchange in enumerate(exchanges, start=1):
        main.append(as_element(_article(exchange), f"q{number}"))
    return f"<!DOCTYPE html>\n{tostring(page, encoding='unicode')}\n"


def _head(page: Element, title: str) -> None:
    style = b64encode(sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'"
    head = add(page, "head")
    add(head, "meta", charset="utf-8")
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    add(head, "meta", name="referrer", content="no-referrer")
    add(head, "title", title or "A conversation")
    SubElement(head, "style").text = _STYLE


def _article(exchange: KeptExchange) -> Article:
    known = read_stored_json(exchange.result)
    answered = exchange.status != Status.NO_ANSWER
    stopped = (STOPPED[exchange.status],) if exchange.status in STOPPED else ()
    return Article(
        known.evidence,
        exchange.question,
        asked_line(f"{exchange.asked:%Y-%m-%d %H:%M} UTC", exchange),
        exchange.answer,
        known.references if answered else (),
        known.claims if answered else (),
        (*stopped, *(f"note: {note}" for note in known.notes)),
    )
