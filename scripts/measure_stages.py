"""Effect of a language model beside the rules at each stage around the answer, on data with gold.

    python scripts/measure_stages.py --model a.gguf --out stages.jsonl --limit 50 --questions questions.jsonl

prints a line for each measure of each named stage, in percent: by the rules and with the model, each with its
number of items. Results are appended to ``--out``: the same command continues from there, and measures again
if the model's file or the code has changed.

- ``--questions FILE``: JSON Lines with ``id``, ``text``, ``as_of``, ``accept`` (pairs of half-open ISO days,
  any of which is right; empty if no time is stated), ``compare`` or ``compare_accept`` (periods that must all
  be found), and the words that the core query must and must not contain. ``changed``: readings that the model
  changes.
- ``--documents FOLDER``: annotated texts (WikiWars). ``found``: the share of the dated mentions, including
  those that only knowledge of an event can date, whose interval is among the times of its sentence.
  ``right``: the share of the times found in sentences with a mention that are annotated there; for the model,
  of the times that it adds.
- ``--evidence FOLDER``: in the BEIR layout. A judge sees a gold document of each question, which it should
  judge relevant (``gold``), and the next document of the corpus, which it should not (``other``).
- ``--answers FILE``: JSON Lines with ``id``, ``question``, ``gold``, ``answer``, ``status`` and ``grade``
  (right or wrong): the share that the model grades alike. The rules grade an answer as right if it states the
  gold answer in whole words.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from timelens.answer.draft import Status
from timelens.answer.lm import ModelAnnotator, ModelParser, ModelSession
from timelens.bench import beir
from timelens.bench.judge_llm import ModelJudge
from timelens.bench.judge_rules import RulesJudge
from timelens.bench.judge_task import LONGEST_DOCUMENT, Need, need_of
from timelens.bench.measures import states
from timelens.bench.run_folder import code_hash, file_hash
from timelens.bench.suite_data import Record, read_records
from timelens.bench.timex import interval_of
from timelens.cli.model_options import make_session, with_model
from timelens.config import EmbedderSettings, ModelSettings, Settings
from timelens.contracts import question_json
from timelens.documents import Document, Event, EventSource
from timelens.embedding import load_embedder
from timelens.errors import TimelensError
from timelens.ingest.annotate import AnnotatedDocument, annotate
from timelens.ingest.metadata_dates import parse_date
from timelens.ingest.proposals import Tally, with_proposals
from timelens.question.merge import Reading
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.interval import Interval

AS_OF = day_number(2026, 1, 1)
"""Reference day for items that state none, fixed so that figures are reproducible."""
Session = ModelSession[ModelSettings]
Pair = tuple[float | None, float | None]
"""Scores in 0..1 by the rules and with the model; ``None`` if undefined for an item."""
Scores = Mapping[str, Pair]
Times = Mapping[int, Sequence[Interval]]
"""The annotated times of sentences, by their number."""
Item = tuple[str, Callable[[Session], Scores]]
"""The id of an item, and the function that measures it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, metavar="FILE", help="a GGUF model")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="what is measured, kept")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th item alone")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first of these, of each stage")
    for name in STAGES:
        parser.add_argument(f"--{name}", type=Path, metavar="DATA")
    chosen = parser.parse_args(arguments)
    named = {name: path for name in STAGES if (path := getattr(chosen, name)) is not None}
    try:
        session = make_session(with_model(Settings.load(), str(chosen.model)), "this script")
        made_with = f"{file_hash(chosen.model)} {code_hash()}"
        for name, path in named.items():
            items = islice(islice(STAGES[name](path), 0, None, chosen.every), chosen.limit)
            print("\n".join(lines(name, list(measured(name, items, session, chosen.out, made_with)))))
        session.close()
    except TimelensError as error:
        raise SystemExit(f"{error.message}\n  {error.hint}") from error


def measured(
    stage: str, items: Iterator[Item], session: Session, out: Path, made_with: str
) -> Iterator[Scores]:
    """The scores of each item, from the file or else measured and appended to it at once."""
    known = _kept(out, stage, made_with)
    for name, measure in items:
        if name not in known:
            known[name] = measure(session)
            record = {"stage": stage, "id": name, "with": made_with, "scores": known[name]}
            with out.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(record) + "\n")
        yield known[name]


def _kept(out: Path, stage: str, made_with: str) -> dict[str, Scores]:
    records = read_records(out) if out.exists() else ()
    kept = (record for record in records if (record["stage"], record["with"]) == (stage, made_with))
    return {record["id"]: record["scores"] for record in kept}


def lines(stage: str, scores: Sequence[Scores]) -> Iterator[str]:
    """A line for each measure, in percent."""
    for name in dict.fromkeys(name for each in scores for name in each):
        pairs = [each[name] for each in scores if name in each]
        rules, model = ([one for one in side if one is not None] for side in zip(*pairs, strict=True))
        told = (f"{_percent(of)} on {len(of)}" for of in (rules, model))
        yield f"{stage:10} {name:9} rules {next(told)}   model {next(told)}"


def _percent(scores: Sequence[float]) -> str:
    return f"{100 * fmean(scores):5.1f}" if scores else "    –"


def questions(path: Path) -> Iterator[Item]:
    """Questions with their expected intervals and core queries."""
    for record in read_records(path, "id", "text"):
        yield (record["id"], partial(_read, record))


def _read(record: Record, session: Session) -> Scores:
    day = parse_day(record["as_of"]) if record.get("as_of") else AS_OF
    readings = (Reading(parse(record["text"], day)), ModelParser(session).read(record["text"], day))
    rules, model = map(question_json, readings)
    return {
        "interval": (_right_days(record, rules), _right_days(record, model)),
        "core": (_right_core(record, rules), _right_core(record, model)),
        "changed": (None, float(readings[0].parsed != readings[1].parsed)),
    }


def _right_days(record: Record, read: Mapping[str, Any]) -> float:
    found = [[one["start"], one["end"]] for one in read["constraints"]] + list(read["comparison"])
    dated = [pair for pair in found if pair != [None, None]]
    if record.get("compare"):
        sides = record.get("compare_accept") or [[side] for side in record["compare"]]
        return float(all(any(pair in found for pair in side) for side in sides))
    may_be_undated = not record["accept"] or record.get("no_constraint_ok")
    return float(any(pair in found for pair in record["accept"]) or (bool(may_be_undated) and not dated))


def _right_core(record: Record, read: Mapping[str, Any]) -> float:
    kept = all(words in read["core"] for words in record["core_must_contain"])
    return float(kept and not any(words in read["core"] for words in record["core_must_not_contain"]))


def documents(folder: Path) -> Iterator[Item]:
    """Passages of annotated texts that have a dated mention."""
    embedder = load_embedder(EmbedderSettings())
    mentions = [one for one in read_records(folder / "timexes.jsonl", "doc_id") if not one["nested"]]
    for record in read_records(folder / "docs.jsonl", "doc_id", "text"):
        text, name = record["text"], record["doc_id"]
        published = parse_date(str(record["created"])[:10]) if record.get("created") else None
        document = Document(name, name, record["title"], text, name, published, "metadata")
        annotated = annotate(document, embedder)
        dated = [(one["start"], interval_of(one["value"])) for one in mentions if one["doc_id"] == name]
        place = 0
        for chunk in annotated.chunks:
            gold: dict[int, list[Interval]] = {}
            for number in range(len(chunk.sentences)):
                begin = text.index(chunk.sentence(number), place)
                place = begin + len(chunk.sentence(number))
                gold[number] = [time for start, time in dated if time is not None and begin <= start < place]
            if any(gold.values()):
                yield (chunk.id, partial(_annotated, AnnotatedDocument(document, (chunk,)), gold))


def _annotated(by_rule: AnnotatedDocument, gold: Times, session: Session) -> Scores:
    both = with_proposals(by_rule, ModelAnnotator(session), Tally())
    events = [one.chunks[0].events for one in (by_rule, both)]
    rules, model = ({one for one in of if one.source is not EventSource.PUBLISHED} for of in events)
    return {
        "found": (_found(rules, gold), _found(model, gold)),
        "right": (_right(rules, gold), _right(model - rules, gold)),
    }


def _found(events: Iterable[Event], gold: Times) -> float:
    """The share of the annotated times that are among the events of their sentences."""
    wanted = [(number, time) for number, times in gold.items() for time in times]
    return fmean(
        any(event.sentence == number and event.interval.same_days(time) for event in events)
        for number, time in wanted
    )


def _right(events: Iterable[Event], gold: Times) -> float | None:
    """The share of the events in sentences with annotated times that are annotated."""
    judged = [(event.interval, gold[event.sentence]) for event in events if gold[event.sentence]]
    right = [any(time.same_days(interval) for time in times) for interval, times in judged]
    return fmean(right) if right else None


def evidence(folder: Path) -> Iterator[Item]:
    """Questions with temporal intent, each with a gold document and the next document that is not gold."""
    dataset = beir.load(folder)
    texts = dataset.texts or {}
    following = dict(pairwise(texts))
    for query in dataset.queries:
        gold = dataset.gold[query.id]
        relevant = next((name for name, grade in gold.relevant.items() if grade > 0), "")
        other = following.get(relevant)
        while gold.relevant.get(other or "", 0) > 0:
            other = following.get(other or "")
        need = need_of(query.text, gold.guidance, AS_OF if query.as_of is None else query.as_of)
        if other is not None and need is not None:
            shown = [texts[name][:LONGEST_DOCUMENT] for name in (relevant, other)]
            yield (query.id, partial(_judged, need, shown))


def _judged(need: Need, shown: Sequence[str], session: Session) -> Scores:
    rules, model = RulesJudge().judge(need, shown), ModelJudge(session).judge(need, shown)
    taken = [[one is not None and one.relevant for one in said] for said in zip(rules, model, strict=True)]
    (gold, other) = ((float(by_rules), float(by_model)) for by_rules, by_model in taken)
    return {"gold": gold, "other": (1 - other[0], 1 - other[1])}


def answers(path: Path) -> Iterator[Item]:
    """Answers that were graded as right or wrong."""
    for record in read_records(path, "id", "question", "grade"):
        answered = record.get("status") != Status.NO_ANSWER and record.get("gold")
        if answered and record["grade"] in {"right", "wrong"}:
            yield (record["id"], partial(_graded, record))


def _graded(record: Record, session: Session) -> Scores:
    grade = ModelJudge(session).grade(record["question"], record["answer"], record["gold"])
    right = record["grade"] == "right"
    by_model = grade is not None and (grade >= 0.5) == right
    return {"alike": (float(states(record["answer"], record["gold"]) == right), float(by_model))}


STAGES = {stage.__name__: stage for stage in (questions, documents, evidence, answers)}


if __name__ == "__main__":
    main(sys.argv[1:])
