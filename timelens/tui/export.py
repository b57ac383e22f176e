"""A conversation as a file for others to read. Pure, except :func:`write_new`."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from timelens import BadInputError
from timelens.answer.rendering.labels import heading_beside, nearest_words, periods_words
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import label
from timelens.errors import reason_of
from timelens.folders import user_path
from timelens.history import RUNNING, KeptExchange
from timelens.printable import markdown_line, printable, printable_line
from timelens.temporal import format_day
from timelens.tui.stored_answer import read_stored_json
from timelens.tui.wording import asked_line

STOPPED = {"cancelled": "cancelled", "failed": "failed", RUNNING: "ended before the answer"}


def exported(title: str, exchanges: Sequence[KeptExchange], suffix: str) -> str:
    """The conversation as Markdown, JSON or HTML, by the suffix of the target file.

    Raises:
        BadInputError: the suffix is not supported.
    """
    from timelens.tui.html_export import as_html

    formats = {".md": as_markdown, ".json": as_json, ".html": as_html}
    if suffix.lower() not in formats:
        raise BadInputError(
            f"a conversation cannot be exported as {suffix or 'a file without a suffix'}",
            "write /export NAME.md, /export NAME.html or /export NAME.json",
        )
    return formats[suffix.lower()](title, exchanges)


def as_json(title: str, exchanges: Sequence[KeptExchange]) -> str:
    """One JSON document; ``result`` is as in ``timelens ask --json``, with all the evidence."""
    turns = [
        {
            "question": exchange.question,
            "asked": exchange.asked.isoformat(),
            "corpus": exchange.corpus,
            "as_of": format_day(exchange.as_of),
            "strategy": exchange.strategy,
            "status": exchange.status,
            "answer": exchange.answer,
            "result": _result(exchange.result),
        }
        for exchange in exchanges
    ]
    return json.dumps({"title": title, "exchanges": turns}, indent=2) + "\n"


def as_markdown(title: str, exchanges: Sequence[KeptExchange]) -> str:
    """A heading for each question, the answer, and the evidence it cites; all text is escaped."""
    parts = [f"# {markdown_line(title)}"]
    for exchange in exchanges:
        asked = asked_line(f"{exchange.asked:%Y-%m-%d %H:%M} UTC", exchange)
        known = read_stored_json(exchange.result)
        evidence = known.evidence
        parts += [f"## {markdown_line(exchange.question)}", f"*{markdown_line(asked)}*"]
        if evidence is not None and evidence.asked:
            parts.append(f"*Time asked for: {markdown_line(periods_words(evidence.asked))}*")
        parts += filter(None, map(markdown_line, printable(exchange.answer).split("\n")))
        if exchange.status in STOPPED:
            parts.append(f"*{STOPPED[exchange.status]}*")
        parts += [f"*{markdown_line(_noted(note))}*" for note in dict.fromkeys(known.notes)]
        lines = [] if evidence is None else list(_used(evidence))
        parts += ["\n".join(f"- {markdown_line(line)}" for line in lines)] if lines else []
    return "\n\n".join(parts) + "\n"


def _noted(note: str) -> str:
    return note if note.startswith("read as:") else f"note: {note}"


def _used(evidence: ShownEvidence) -> Iterator[str]:
    """The evidence that an answer cites, or names as nearest because it found no answer, by number."""
    for citation in sorted(evidence.timeline.citations, key=lambda citation: citation.number):
        where = citation.hit.chunk.uri or citation.hit.chunk.document_id
        named = ": ".join(filter(None, (label(citation.hit), heading_beside(citation.hit))))
        line = f"[{citation.number}] {named} · {printable_line(where)}"
        if citation.number in evidence.cited:
            yield line
        elif citation.number in evidence.nearest:
            yield f"{line} · {nearest_words(evidence.nearest[citation.number])}"


def write_new(name: str, text: str) -> Path:
    """Write a file that does not exist yet, completely or not at all. Returns its absolute path.

    ``~`` is the user's home.

    Raises:
        BadInputError: the file exists, or cannot be written.
    """
    try:
        path = user_path(name).absolute()
        with path.open("x", encoding="utf-8") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                path.unlink()
                raise
    except FileExistsError as error:
        raise BadInputError(f"{path} already exists", "name another file, or remove this one") from error
    except OSError as error:
        raise BadInputError(f"{name} cannot be written: {reason_of(error)}", "name another place") from error
    return path


def _result(text: str | None) -> object:
    """The saved JSON, or its text if it is not valid JSON."""
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return text
