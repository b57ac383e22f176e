"""The part of an answer that the chat saves, as JSON text, and its restoration. Pure."""

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from timelens import (
    Chunk,
    Citation,
    Claim,
    Event,
    EventSource,
    Fact,
    Hit,
    PeriodRole,
    Scores,
    Support,
    Timeline,
    TimeReference,
    Value,
)
from timelens.answer.hit_times import time_of
from timelens.answer.rendering.labels import heading
from timelens.answer.rendering.shown_evidence import AskedPeriod, ShownEvidence, by_number
from timelens.answer.sentences import sentence_of
from timelens.temporal import Day, Granularity, Interval, format_day, hull, parse_day

if TYPE_CHECKING:
    from timelens import Answer, Turn


@dataclass(frozen=True, slots=True)
class Kept:
    """A restored answer: the content of its JSON besides the text."""

    evidence: ShownEvidence | None
    references: tuple[TimeReference, ...]
    notes: tuple[str, ...]
    turn: "Turn | None" = None
    """The turn that a follow-up question may refer to."""
    claims: tuple[Claim, ...] = ()


def stored_json(answer: "Answer | None", evidence: ShownEvidence | None) -> str | None:
    """The contract of ``timelens ask --json``, with everything that the panels showed under ``evidence``.

    For a cancelled or failed question there is only the evidence, or ``None`` if there is none.
    """
    result: dict[str, Any] = {}
    if answer is not None:
        from timelens.contracts import answer_json

        result = answer_json(answer)
        result["turn"] = _turn_json(answer.turn)
    if evidence is not None:
        result["asked"] = _pair(hull(period.interval for period in evidence.asked))
        if answer is None:
            result["periods"] = [_asked_json(period) for period in evidence.asked]
        result["gaps"] = [_pair(gap) for gap in evidence.gaps]
        result["evidence"] = [_piece(citation) for citation in evidence.timeline.citations]
    return json.dumps(result) if result else None


def read_stored_json(text: str | None) -> Kept:
    """Restore what :func:`stored_json` wrote. If the text is unreadable, a note says so."""
    if text is None:
        return Kept(None, (), ())
    try:
        return _read(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Kept(None, (), ("the evidence kept for this answer cannot be read",))


def _read(result: dict[str, Any]) -> Kept:
    evidence = None
    if "evidence" in result:
        evidence = ShownEvidence(
            Timeline(tuple(_citation(piece) for piece in result["evidence"])),
            _asked(result),
            frozenset(int(citation["n"]) for citation in result.get("citations", ())),
            by_number(map(_near, result.get("nearest", ()))),
            tuple(_bounded(gap) for gap in result.get("gaps", ())),
            tuple(map(_value, result.get("series", ()))),
        )
    references = tuple(_reference(reference) for reference in result.get("time_references", ()))
    turn = _turn(result["turn"]) if "turn" in result else None
    notes = tuple(str(note) for note in result.get("notes", ()))
    return Kept(evidence, references, notes, turn, tuple(map(_claim, result.get("claims", ()))))


def _asked_json(period: AskedPeriod) -> dict[str, Any]:
    start, end = _pair(period.interval) or (None, None)
    granularity = str(period.interval.granularity)
    return {"start": start, "end": end, "granularity": granularity, "role": str(period.role)}


def _asked(result: dict[str, Any]) -> tuple[AskedPeriod, ...]:
    """The asked periods; older records have only one time."""
    if "periods" not in result:
        time = _interval(result["asked"])
        return () if time is None else (AskedPeriod(time),)
    return tuple(
        AskedPeriod(
            _bounded([period["start"], period["end"]], period["granularity"]),
            PeriodRole(period["role"]),
        )
        for period in result["periods"]
    )


def _near(near: dict[str, Any]) -> tuple[int, Interval | None]:
    period = near["period"]
    return int(near["n"]), None if period is None else _bounded([period["start"], period["end"]])


def _value(value: dict[str, Any]) -> Value:
    start, end = (None if day is None else parse_day(day) for day in (value["start"], value["end"]))
    return Value(str(value["text"]), start, end, tuple(int(number) for number in value["citations"]))


def _turn_json(turn: "Turn") -> dict[str, Any]:
    told = [{"text": t.text, "time": _pair(t.interval), "held": t.held} for t in turn.told]
    before = None if turn.before is None else _turn_json(turn.before)
    return {"question": turn.question, "told": told, "before": before, "shown": turn.shown}


def _turn(turn: dict[str, Any]) -> "Turn":
    from timelens import AnsweredValue, Turn

    told = (
        AnsweredValue(str(told["text"]), _interval(told["time"]), bool(told["held"])) for told in turn["told"]
    )
    before, shown = turn.get("before"), turn.get("shown", "")  # older records lack them
    return Turn(str(turn["question"]), tuple(told), None if before is None else _turn(before), str(shown))


def _piece(citation: Citation) -> dict[str, Any]:
    hit = citation.hit
    time, fact = time_of(hit), hit.chunk.fact
    return {
        "n": citation.number,
        "doc_id": hit.chunk.document_id,
        "chunk": hit.chunk.id,
        "uri": hit.chunk.uri,
        "title": heading(hit),
        "place": hit.place,
        "text": sentence_of(hit),
        "time": None if time is None else _pair(time),
        "recorded": None if fact is None else [_day(fact.start), _day(fact.end), fact.granularity],
        "fields": None if fact is None else fact.fields,
        "scores": asdict(hit.scores),
    }


def _citation(piece: dict[str, Any]) -> Citation:
    text = str(piece["text"])
    time = None if piece["time"] is None else _interval(piece["time"])
    chunk = Chunk(
        id=str(piece.get("chunk", piece["doc_id"])),
        document_id=str(piece["doc_id"]),
        ordinal=0,
        uri=str(piece.get("uri", "")),
        title=str(piece["title"]),
        text=text,
        published=None,
        sentences=((0, len(text)),),
        events=() if time is None else (Event(time, 0, EventSource.STATED, 1.0),),
        places=((0, str(piece["place"])),),
        fact=_fact(piece),
    )
    stored = ((field.name, piece["scores"][field.name]) for field in fields(Scores))
    scores = Scores(**{name: None if score is None else float(score) for name, score in stored})
    return Citation(int(piece["n"]), Hit(chunk, scores, time, 0))


def _fact(piece: dict[str, Any]) -> Fact | None:
    """A row of a table; older records have no values, so the title is used."""
    if piece.get("recorded") is None:
        return None
    start, end, granularity = piece["recorded"]
    first, last = (None if day is None else parse_day(day) for day in (start, end))
    fields = piece.get("fields") or [("", piece["title"])]
    return Fact(
        tuple((str(name), str(value)) for name, value in fields), first, last, Granularity(granularity)
    )


def _reference(reference: dict[str, Any]) -> TimeReference:
    return TimeReference(
        str(reference["text"]),
        _interval([reference["start"], reference["end"]]),
        Support(reference["status"]),
        tuple(int(number) for number in reference["citations"]),
    )


def _claim(claim: dict[str, Any]) -> Claim:
    return Claim(
        str(claim["text"]),
        Support(claim["status"]),
        bool(claim["derived"]),
        tuple(int(number) for number in claim["citations"]),
    )


def _pair(interval: Interval | None) -> list[str | None] | None:
    if interval is None:
        return None
    return [_day(day) for day in (interval.start, interval.end)]


def _day(day: Day | None) -> str | None:
    return None if day is None else format_day(day)


def _interval(pair: list[str | None] | None) -> Interval | None:
    return None if pair is None else _bounded(pair)


def _bounded(pair: list[str | None], granularity: str = Granularity.DAY) -> Interval:
    start, end = (None if day is None else parse_day(day) for day in pair)
    return Interval(start, end, Granularity(granularity))
