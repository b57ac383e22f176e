"""Checker of ``bench make shift``: reads the years from the texts and derives the judgements from them."""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from timelens.bench.make.made_folder import QRELS_HEADER, demand
from timelens.bench.suite_data import Record, read_records, read_text, require

LAYOUT = "shift/ and variants/, as timelens bench make shift writes them"
_VARIANTS = ("baseline", "strip", "temporal-only", "normalised")
_FOUR_FIGURES = re.compile(r"(?<!\d)\d{4}(?!\d)")
_RIGHT: Mapping[str, Callable[[int, int], bool]] = {
    "in": operator.eq,
    "before": operator.lt,
    "after": operator.gt,
    "as_of": operator.le,
}


def check(path: Path) -> int:
    """The number of queries, each judged in agreement with the texts.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a file does not have the expected format.
        WrongError: a judgement is wrong, copies differ in more than the year, or variants disagree.
    """
    require(path, *(f"{name}/queries.jsonl" for name in ("shift", "variants")), layout=LAYOUT)
    shifted = list(read_records(path / "shift" / "queries.jsonl", "_id", "text"))
    variants: dict[str, list[Record]] = {name: [] for name in _VARIANTS}
    for record in read_records(path / "variants" / "queries.jsonl", "_id", "text", "variant"):
        variants.setdefault(record["variant"], []).append(record)
    faults = [*_of_shift(path / "shift", shifted), *_of_variants(path, variants)]
    count = len(shifted) + sum(map(len, variants.values()))
    return demand([f"{path}: {fault}" for fault in faults], count)


def _of_shift(path: Path, queries: Sequence[Record]) -> Iterator[str]:
    passages = list(read_records(path / "corpus.jsonl", "_id"))
    bases: dict[int, list[tuple[str, int | None]]] = {}
    frames: dict[int, set[str]] = {}
    for passage in passages:
        base, year = passage["metadata"]["base"], passage["metadata"].get("year")
        text = f"{passage['title']}\n{passage['text']}"
        named = set(_FOUR_FIGURES.findall(text))
        frames.setdefault(base, set())
        if year is not None:
            frames[base].add(_FOUR_FIGURES.sub("YEAR", text))
        if named != (set() if year is None else {str(year)}):
            yield f"{passage['_id']} names the years {sorted(named)}, not {year}"
        bases.setdefault(base, []).append((passage["_id"], year))
    yield from (f"copies of {base} differ in more than the year" for base in frames if len(frames[base]) > 1)
    wanted = set()
    for query in queries:
        stated = [int(number) for number in _FOUR_FIGURES.findall(query["text"])]
        for name, year in bases[query["base"]]:
            if _is_right(query["kind"], year, stated):
                wanted.add(f"{query['_id']}\t{name}\t1")
    if set(_judged(path)) != wanted:
        yield "shift/qrels/test.tsv does not follow from the years in the texts"


def _is_right(relation: str, year: int | None, stated: Sequence[int]) -> bool:
    return relation == "plain" or (year is not None and _RIGHT[relation](year, stated[-1]))


def _of_variants(path: Path, variants: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    baseline = _bare_ids(variants["baseline"])
    judged = {name: _judged_as(path / "variants", name) for name in variants}
    for name, queries in variants.items():
        if _bare_ids(queries) != baseline:
            yield f"{name} has other queries than baseline"
            return
        if judged[name] != judged["baseline"]:
            yield f"{name} is judged otherwise than baseline"
    for query, stripped, timed, tagged in zip(*(variants[name] for name in _VARIANTS), strict=True):
        parts = timed["text"].split(", ")
        if stripped["text"] == query["text"] or any(part not in query["text"] for part in parts):
            yield f"{query['_id']}: its time was not taken out of it"
        if not tagged["text"].startswith(query["text"]) or "ANCHORS=[" not in tagged["text"]:
            yield f"{query['_id']}: its tags do not stand behind it"


def _bare_ids(queries: Sequence[Record]) -> list[str]:
    return [str(query["_id"]).rpartition("#")[0] for query in queries]


def _judged_as(path: Path, variant: str) -> list[str]:
    """The judgements of one variant, without the variant in the query id."""
    rows = (line.split("\t", 1) for line in _judged(path))
    return [
        f"{name.removesuffix(f'#{variant}')}\t{rest}" for name, rest in rows if name.endswith(f"#{variant}")
    ]


def _judged(path: Path) -> list[str]:
    return read_text(path / "qrels" / "test.tsv").removeprefix(QRELS_HEADER).splitlines()
