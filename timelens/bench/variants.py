"""Other wordings of a dataset's questions: variants by their time (TEMPO, Appendix D.2), and reformulations.

Variants are made by rule: ``baseline`` is the question unchanged, ``strip`` is the question without its time,
``temporal-only`` only its time, and ``normalised`` the question with its time added as tags. Reformulations
are written by a model beforehand and read from a folder of their name.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from timelens import BadInputError, Intent, MissingError, ParsedQuestion, parse
from timelens.bench.record_files import file_named, records_of
from timelens.bench.suite_data import Dataset, reached
from timelens.temporal import Day

VARIANTS = ("baseline", "strip", "temporal-only", "normalised")

TIMELESS = "states no time"
NOTHING_ELSE = "nothing is left without its time"


def varied(variant: str, text: str, parsed: ParsedQuestion) -> str:
    """A question as one of :data:`VARIANTS`; empty if nothing is left of it. Pure."""
    match variant:
        case "strip":
            return parsed.core if parsed.core.strip(" ?.") else ""
        case "temporal-only":
            return ", ".join(times_of(parsed))
        case "normalised":
            intent = "" if parsed.intent is Intent.NONE else f"TEMPORAL_INTENT={parsed.intent}; "
            return f"{text} [{intent}ANCHORS=[{', '.join(parsed.anchors)}]]"
        case _:
            return text


def times_of(parsed: ParsedQuestion) -> list[str]:
    """The phrases of a question that state its time."""
    return [one.text for one in parsed.constraints if one.text.strip() and one.text in parsed.question]


def in_words_of(
    dataset: Dataset,
    name: str,
    folder: Path,
    split: str | None,
    now: Day,
    *,
    every: int = 1,
    limit: int | None = None,
) -> Dataset:
    """A dataset with the questions in a variant or a reformulation.

    Questions that are empty in a variant, or missing in a reformulation, are excluded and counted: if a run
    asks only every n-th question, or the first of them, down to the last one that is asked. ``now`` is the
    reference day of questions that state none.

    Raises:
        BadInputError: no question is left, or the file of a reformulation does not have the expected format.
        MissingError: there is neither a variant nor a reformulation of that name.
    """
    if name == VARIANTS[0]:
        return dataset
    if name in VARIANTS:
        texts: Mapping[str, str] = {
            query.id: varied(name, query.text, parse(query.text, now if query.as_of is None else query.as_of))
            for query in dataset.queries
        }
        reason, made_from = (TIMELESS if name == "temporal-only" else NOTHING_ELSE), name
    else:
        path = _file_of(folder, name, split)
        texts = _reformulated(path)
        reason = f"no reformulation {name}"
        made_from = hashlib.sha256(path.read_bytes()).hexdigest()
    kept = tuple(
        replace(query, text=text, original=query.text)
        for query in dataset.queries
        if (text := texts.get(query.id, "")).strip()
    )
    if not kept:
        raise BadInputError(f"--query {name} leaves no questions: {reason}", "leave it out")
    asked = {query.id for query in kept}
    left = sum(query.id not in asked for query in reached(dataset.queries, kept, every=every, limit=limit))
    return replace(
        dataset,
        queries=kept,
        hash=hashlib.sha256(f"{dataset.hash}\0{made_from}".encode()).hexdigest(),
        excluded={**dataset.excluded, **({reason: left} if left else {})},
    )


def _file_of(folder: Path, name: str, split: str | None) -> Path:
    """The file of reformulations: ``NAME/SPLIT`` in TEMPO's layout, ``NAME/queries`` in a BEIR folder."""
    below = folder / name
    own = folder != below and Path(name).name == name and below.is_dir()
    stem = "queries" if (folder / "queries.jsonl").is_file() else split
    alone = sorted({path.stem for path in below.iterdir()}) if own and stem is None else ()
    if len(alone) == 1:
        stem = alone[0]
    path = file_named(below, stem) if own and stem is not None else None
    if path is None:
        raise MissingError(
            f"there is no query variant {name!r}, nor reformulations {name}/{stem or 'SPLIT'} in {folder}",
            f"choose one of {', '.join(VARIANTS)}, or put the file there (.parquet, .jsonl, .json or .csv)",
        )
    return path


def _reformulated(path: Path) -> Mapping[str, str]:
    found = {}
    for number, record in enumerate(records_of(path), start=1):
        name, text = record.get("id", record.get("_id")), record.get("query", record.get("text"))
        if name is None or not isinstance(text, str):
            raise BadInputError(f"{path} record {number} has no id or no query", "it needs id and query")
        found[str(name)] = text
    return found
