"""Results as the JSON that scripts read. Keys may be added, never renamed.

Days are ISO 8601 with astronomical years, intervals start inclusive and end exclusive, ``null`` unbounded.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from timelens.answer.draft import Citation, Nearest, Value
from timelens.answer.hit_times import time_of
from timelens.documents import Hit
from timelens.errors import TimelensError
from timelens.question.merge import Reading
from timelens.question.parsed_question import Period, Plan
from timelens.question.plan import first_plan
from timelens.retrieval.request import Coverage
from timelens.temporal.calendar import Day, format_day
from timelens.temporal.expressions import Expression
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from timelens.agent import Answer
    from timelens.answer.models.gguf_header import ModelDescription
    from timelens.asking import SearchResult
    from timelens.corpus import Corpus
    from timelens.doctor import Check
    from timelens.ingest.dependencies import Dependency
    from timelens.ingest.dependent import DependentTable
    from timelens.ingest.failures import Failure
    from timelens.ingest.pipeline import IngestReport
    from timelens.ingest.repair import Verification
    from timelens.store.histogram import Histogram
    from timelens.store.inspection import Suspect
    from timelens.store.overview import CorpusSummary

Json = dict[str, Any]
_MOST_SHOWN = 20
"""Limit for tables of a corpus, dependencies of a table and rows that break one; the counts are of all."""
_SCORES = ("semantic", "keyword", "temporal", "final")


def expression_json(expression: Expression) -> Json:
    """One line of ``timelens tag --json``."""
    return {
        "text": expression.text,
        "char_start": expression.char_start,
        "char_end": expression.char_end,
        "dated": expression.interval is not None,
        **_bounds(expression.interval),
        "granularity": _name(expression.granularity),
        "kind": str(expression.kind),
        "open": expression.open,
        "confidence": round(expression.confidence, 3),
    }


def question_json(reading: Reading) -> Json:
    """``timelens parse --json``."""
    parsed = reading.parsed
    return {
        "question": parsed.question,
        "core": parsed.core,
        "constraints": [
            {
                "relation": _name(constraint.relation),
                "ordinal": constraint.ordinal,
                "role": str(constraint.role),
                **_bounds(constraint.interval),
                "granularity": _name(constraint.interval.granularity if constraint.interval else None),
                "text": constraint.text,
            }
            for constraint in parsed.constraints
        ],
        "periods": [_period(period) for period in parsed.periods],
        "count": parsed.count,
        "current": parsed.current,
        "comparison": [_pair(interval) for interval in parsed.comparison],
        "anchors": list(parsed.anchors),
        "expected_granularity": _name(parsed.expected_granularity),
        "intent": str(parsed.intent),
        "focus": str(parsed.focus),
        "reasoning_class": str(parsed.reasoning_class),
        "signals": list(parsed.signals),
        "events": [event.text for event in parsed.implicit],
        "plan": _plan(first_plan(parsed)),
        "notes": list(reading.notes),
    }


def ingest_json(report: "IngestReport") -> Json:
    """``timelens ingest --json``."""
    return {
        "corpus": report.corpus,
        "documents": {
            "added": report.added,
            "updated": report.updated,
            "unchanged": report.unchanged,
            "removed": report.removed,
            "failed": report.failed,
        },
        "chunks": report.chunks,
        "events": report.events,
        "failures": [_failure(failure) for failure in report.failures if not failure.skipped],
        "skipped": [_failure(failure) for failure in report.failures if failure.skipped],
        "notes": list(report.notes),
        "seconds": round(report.seconds, 3),
        "chunks_per_second": round(report.chunks / report.seconds, 2) if report.chunks else None,
        "planned": None if report.planned is None else asdict(report.planned),
    }


def verification_json(verification: "Verification") -> Json:
    """``timelens corpora verify --json``."""
    found, repair = verification.found, verification.repair
    return {
        "corpus": verification.corpus,
        "fine": verification.is_fine,
        "documents": found.documents,
        "chunks": found.chunks,
        "files": found.checked,
        "has_checksums": found.has_checksums,
        "interrupted": found.interrupted,
        "damaged": {
            "files": [asdict(fault) for fault in found.files],
            "documents": [_suspect(one) for one in found.damaged],
        },
        "unfinished": [_suspect(one) for one in found.unfinished],
        "repair": None
        if repair is None
        else {
            "read_again": list(repair.read_again),
            "changed": list(repair.changed),
            "kept": list(repair.kept),
            "removed": list(repair.removed),
            "failures": [_failure(failure) for failure in repair.failures],
        },
        "seconds": round(verification.seconds, 3),
    }


def compaction_json(name: str, before: int, after: int) -> Json:
    """``timelens corpora compact --json``."""
    return {"corpus": name, "bytes_before": before, "bytes_after": after}


def search_json(result: "SearchResult") -> Json:
    """``timelens search --json``."""
    return {
        "question": result.question,
        "strategy": result.strategy,
        "as_of": format_day(result.as_of),
        "periods": [_period(period) for period in result.periods],
        "hits": [_hit(rank, hit) for rank, hit in enumerate(result.hits, start=1)],
        "coverage": _coverage(result.coverage),
        "notes": list(result.notes),
        "timings_ms": dict(result.timings_ms),
    }


def answer_json(answer: "Answer") -> Json:
    """``timelens ask --json``."""
    return {
        "question": answer.question,
        "status": str(answer.status),
        "answer": answer.text,
        "values": [_value(value) for value in answer.values],
        "series": [_value(value) for value in answer.series],
        "citations": [_citation(citation) for citation in answer.citations],
        "nearest": [_nearest(near) for near in answer.nearest],
        "time_references": [
            {
                "text": reference.text,
                **_bounds(reference.interval),
                "status": str(reference.support),
                "citations": list(reference.citations),
            }
            for reference in answer.time_references
        ],
        "claims": [
            {
                "text": claim.text,
                "status": str(claim.support),
                "derived": claim.derived,
                "citations": list(claim.citations),
            }
            for claim in answer.claims
        ],
        "periods": [_period(period) for period in answer.periods],
        "plan": _plan(answer.plan),
        "notes": list(answer.notes),
        "timings_ms": dict(answer.timings_ms),
    }


def corpus_json(corpus: "Corpus", summary: "CorpusSummary | None", error: TimelensError | None) -> Json:
    """One corpus of ``timelens corpora list --json``; values that cannot be read are null, see ``health``."""
    span = summary.span if summary else None
    return {
        "name": corpus.name,
        "path": str(corpus.path),
        "documents": summary.documents if summary else None,
        "chunks": summary.chunks if summary else None,
        "events": summary.events if summary else None,
        **_bounds(span),
        "last": format_day(span.end - 1) if span is not None and span.end is not None else None,
        "outlying": [
            {"doc_id": one.document_id, **_bounds(one.time), "text": one.sentence}
            for one in (summary.outlying if summary else ())
        ],
        "embedder": summary.embedder.name if summary else None,
        "health": "fine" if error is None else error.message,
    }


def histogram_json(histogram: "Histogram") -> Json:
    """The histogram of events of ``timelens corpora show --json``."""
    counted = zip(histogram.stretches, histogram.counts, strict=True)
    bins = [{**_bounds(stretch), "events": count} for stretch, count in counted]
    left_out = {"before": histogram.before, "after": histogram.after}
    return {"histogram": {"unit": str(histogram.unit), "units": histogram.units, **left_out, "bins": bins}}


def tables_json(tables: "Sequence[DependentTable]") -> Json:
    """The tables of ``timelens corpora show --json``: the first of them, and counts of all."""
    return {
        "tables_count": len(tables),
        "tables": [
            {
                "doc_id": one.table.document_id,
                "uri": one.table.uri,
                "columns": list(one.table.columns),
                "rows": len(one.table.facts),
                "dependencies_count": len(one.dependencies),
                "dependencies": [_dependency(one, each) for each in one.dependencies[:_MOST_SHOWN]],
            }
            for one in tables[:_MOST_SHOWN]
        ],
    }


def _dependency(one: "DependentTable", dependency: "Dependency") -> Json:
    return {
        "left": list(dependency.left),
        "right": list(dependency.right),
        "declared": dependency.declared,
        "broken_count": len(dependency.breaks),
        "broken": [
            {**_row(one, found.row), "contradicts": _row(one, found.other)}
            for found in dependency.breaks[:_MOST_SHOWN]
        ],
    }


def _row(one: "DependentTable", index: int) -> Json:
    fact = one.table.facts[index]
    return {
        "chunk_id": one.table.chunk_ids[index],
        "fields": dict(fact.fields),
        "start": _day(fact.start),
        "end": _day(fact.end),
        "period": fact.period,
    }


def check_json(check: "Check") -> Json:
    """One check of ``timelens doctor --json``."""
    return {
        "name": check.name,
        "health": str(check.health),
        "detail": check.detail,
        "remedy": check.remedy or None,
    }


def model_json(model: "ModelDescription") -> Json:
    """``timelens model show --json``."""
    return {
        "path": str(model.path),
        "size": model.size,
        "name": model.name,
        "architecture": model.architecture,
        "parameters": model.parameters,
        "quantisation": model.quantisation,
        "context_length": model.context_length,
        "has_chat_template": model.has_chat_template,
    }


def _failure(failure: "Failure") -> Json:
    return {"path": failure.path, "error": failure.error, "hint": failure.hint}


def _suspect(suspect: "Suspect") -> Json:
    return {"id": suspect.id, "uris": list(suspect.uris), "fault": suspect.fault}


def _hit(rank: int, hit: Hit) -> Json:
    time = time_of(hit)
    return {
        "rank": rank,
        **_chunk(hit),
        "dated": time is not None,
        **_bounds(time),
        "published": _day(hit.chunk.published.start) if hit.chunk.published else None,
        "scores": {name: _score(getattr(hit.scores, name)) for name in _SCORES},
        "passed": list(hit.passed),
    }


def _value(value: Value) -> Json:
    return {
        "text": value.text,
        "start": _day(value.start),
        "end": _day(value.end),
        "citations": list(value.citations),
    }


def _citation(citation: Citation) -> Json:
    return {"n": citation.number, **_chunk(citation.hit), **_bounds(time_of(citation.hit))}


def _nearest(near: Nearest) -> Json:
    return {**_citation(near.citation), "period": None if near.period is None else _bounds(near.period)}


def _period(period: Period) -> Json:
    return {
        **_bounds(period.interval),
        "granularity": _name(period.interval.granularity),
        "relation": _name(period.relation),
        "role": str(period.role),
        "text": period.text,
    }


def _coverage(coverage: Coverage) -> Json:
    return {
        "asked": _pair(coverage.asked) if coverage.asked else None,
        "share": _score(coverage.share),
        "gaps": [_pair(gap) for gap in coverage.gaps],
        "periods": [
            {
                **_bounds(covered.period),
                "share": _score(covered.share),
                "gaps": [_pair(gap) for gap in covered.gaps],
            }
            for covered in coverage.periods
        ],
    }


def _chunk(hit: Hit) -> Json:
    chunk = hit.chunk
    return {
        **({"corpus": chunk.corpus} if chunk.corpus else {}),
        "doc_id": chunk.document_id,
        "chunk_id": chunk.id,
        "title": chunk.title,
        "place": hit.place or None,
        "text": chunk.text,
        "uri": chunk.uri,
    }


def _plan(plan: Plan) -> Sequence[Json]:
    return [
        {
            "step": step.number,
            "kind": str(step.kind),
            "needs": list(step.needs),
            "query": step.query,
            **_bounds(step.window),
            "purpose": step.purpose,
        }
        for step in plan.steps
    ]


def _bounds(interval: Interval | None) -> Json:
    start, end = _pair(interval)
    return {"start": start, "end": end}


def _pair(interval: Interval | None) -> list[str | None]:
    return [None, None] if interval is None else [_day(interval.start), _day(interval.end)]


def _day(day: Day | None) -> str | None:
    return None if day is None else format_day(day)


def _score(score: float | None) -> float | None:
    return None if score is None else round(score, 4)


def _name(member: object) -> str | None:
    return None if member is None else str(member)
