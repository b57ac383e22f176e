"""``bench make shift``: the controlled date-shift experiment, and variants of queries.

Date shift (MRAG, Appendix A): copies of one passage that differ only in their year are searched with one
question under several relations. A strategy that understands time ranks the copies by the relation. A
strategy that does not ranks them by the distance of their date from the date in the question, or ignores it.

Variants (:mod:`timelens.bench.variants`): each query unchanged, without its time, with only its time, and
with its time added as tags, all in one folder and distinguished by ``variant``.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from timelens import BadInputError, ParsedQuestion, parse
from timelens.bench.beir import LAYOUT
from timelens.bench.make import made_folder
from timelens.bench.make.check_shift import check
from timelens.bench.suite_data import Record, as_of, read_records, read_text, require
from timelens.bench.variants import VARIANTS, times_of, varied
from timelens.temporal import Day, find_expressions

RELATIONS = {
    "plain": "",
    "in": "in {year}",
    "before": "before {year}",
    "after": "after {year}",
    "as_of": "as of {year}",
}
_LONGEST_PASSAGE = 1_500
"""Maximum number of characters; a copy should be one chunk."""
_FOUR_FIGURES = re.compile(r"(?<!\d)\d{4}(?!\d)")
_PREPOSITION = re.compile(r"\s*\b(?:in|on|since|by|of|from|during|until|at)\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)\d\d(?![\d,]|\.\d)")


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the generator."""

    data: Path
    as_of: Day
    years: int = 5
    """Maximum shift of the copies in either direction, in years."""
    seed: int = 0
    limit: int = 20
    """Maximum number of passages that are shifted."""


@dataclass(frozen=True, slots=True)
class _Base:
    """A question and the one passage that answers it, which names only one year."""

    core: str
    passage: Record
    year: int


def make(options: Options, out: Path) -> made_folder.Made:
    """Write two BEIR folders: ``shift/``, and ``variants/`` with every query in each of :data:`VARIANTS`.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: it is not a BEIR folder, no query in it states a time, or ``out`` cannot be written.
    """
    made_folder.refuse_full(out)
    names = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
    require(options.data, *names, layout=LAYOUT)
    passages = {record["_id"]: record for record in read_records(options.data / names[0], "_id")}
    queries = list(read_records(options.data / names[1], "_id", "text"))
    qrels = read_text(options.data / names[2])
    parsed = {query["_id"]: _parsed(query, options.as_of) for query in queries}
    timed = [query for query in queries if _is_timed(query["text"], parsed[query["_id"]])]
    if not timed:
        raise BadInputError(
            f"no query in {options.data} states a time", "use queries that name dates, years or periods"
        )
    notes = []
    if len(timed) < len(queries):
        left = len(queries) - len(timed)
        notes.append(f"{left} of {len(queries)} queries left out: they state no time that can be removed")
    ids = {query["_id"] for query in timed}
    kept = [row for row in _rows(qrels) if row[0] in ids]
    files = made_folder.below("variants", _in_variants(timed, parsed, passages, kept))
    bases = [base for base in _bases(timed, parsed, passages, kept) if base.year - options.years >= 1000]
    made_folder.chance(options.seed, "bases").shuffle(bases)
    chosen = bases[: options.limit]
    files |= made_folder.below("shift", _shifted(chosen, options.years))
    if not chosen:
        notes.append("no query has one short passage about one year, so shift/ is empty")
    said = {"seed": options.seed, "limit": options.limit, "years": options.years, "passages": len(chosen)}
    made_folder.write(out, files, "shift", said, check)
    counts = {variant: len(timed) for variant in VARIANTS}
    return made_folder.Made(out, {**counts, "shift": len(chosen) * len(RELATIONS)}, tuple(notes))


def _in_variants(
    queries: Sequence[Record],
    parsed: Mapping[str, ParsedQuestion],
    passages: Mapping[str, Record],
    qrels: Sequence[tuple[str, str, str]],
) -> dict[str, str]:
    """A BEIR folder of the passages with every query in each variant."""
    worded = [
        {
            **query,
            "_id": f"{query['_id']}#{variant}",
            "text": varied(variant, query["text"], parsed[query["_id"]]),
            "variant": variant,
        }
        for variant in VARIANTS
        for query in queries
    ]
    judged = [
        (f"{name}#{variant}", document, grade) for variant in VARIANTS for name, document, grade in qrels
    ]
    return {
        "corpus.jsonl": made_folder.lines(passages.values()),
        "queries.jsonl": made_folder.lines(worded),
        "qrels/test.tsv": _rows_written(judged),
    }


def _parsed(query: Record, now: Day) -> ParsedQuestion:
    day = as_of(query, str(query["_id"]))
    return parse(query["text"], now if day is None else day)


def _is_timed(text: str, parsed: ParsedQuestion) -> bool:
    """Whether the time of a query can be removed and leaves text."""
    return bool(times_of(parsed)) and parsed.core != text and bool(parsed.core.strip(" ?."))


def _rows(qrels: str) -> Iterator[tuple[str, str, str]]:
    for line in qrels.splitlines():
        cells = line.split("\t")
        if len(cells) == 3:
            yield cells[0], cells[1], cells[2]


def _rows_written(rows: Iterable[tuple[str, str, str]]) -> str:
    return made_folder.QRELS_HEADER + "".join("\t".join(row) + "\n" for row in rows)


def _bases(
    queries: Sequence[Record],
    parsed: Mapping[str, ParsedQuestion],
    passages: Mapping[str, Record],
    qrels: Sequence[tuple[str, str, str]],
) -> list[_Base]:
    """The queries whose only gold passage is short and names only one year; each passage once."""
    gold: Mapping[str, list[str]] = defaultdict(list)
    for name, document, grade in qrels:
        if grade.strip() != "0":
            gold[name].append(document)
    bases: dict[str, _Base] = {}
    for query in queries:
        documents = gold[query["_id"]]
        passage = passages.get(documents[0]) if len(documents) == 1 else None
        if passage is None or len(_whole(passage)) > _LONGEST_PASSAGE:
            continue
        years = _YEAR.findall(_whole(passage))
        core = parsed[query["_id"]].core
        if len(set(years)) == 1 and years == _FOUR_FIGURES.findall(_whole(passage)) and _is_bare(core):
            bases.setdefault(passage["_id"], _Base(core, passage, int(years[0])))
    return list(bases.values())


def _is_bare(core: str) -> bool:
    return not find_expressions(core) and not _FOUR_FIGURES.search(core)


def _whole(passage: Record) -> str:
    return f"{passage.get('title') or ''}\n{passage.get('text') or ''}"


def _shifted(bases: Sequence[_Base], years: int) -> dict[str, str]:
    corpus: list[Record] = []
    queries: list[Record] = []
    pairs: list[tuple[str, str]] = []
    for number, base in enumerate(bases):
        shifts = range(-years, years + 1)
        corpus += [_copy(base, number, shift) for shift in shifts]
        corpus.append(_undated(base, number))
        for relation, words in RELATIONS.items():
            name = f"b{number}-{relation}"
            text = base.core.rstrip(" ?.")
            time = f" {words.format(year=base.year)}" if words else ""
            queries.append(
                {
                    "_id": name,
                    "text": f"{text}{time}?",
                    "kind": relation,
                    "base": number,
                    "year": base.year,
                }
            )
            pairs += [(name, _copy_id(number, shift)) for shift in shifts if _admits(relation, shift)]
            if relation == "plain":
                pairs.append((name, _undated_id(number)))
    return made_folder.beir(corpus, queries, pairs)


def _admits(relation: str, shift: int) -> bool:
    """Whether a copy shifted by some years satisfies the relation to the question's year."""
    return {
        "plain": True,
        "in": shift == 0,
        "before": shift < 0,
        "after": shift > 0,
        "as_of": shift <= 0,
    }[relation]


def _copy_id(number: int, shift: int) -> str:
    return f"b{number}{shift:+d}"


def _undated_id(number: int) -> str:
    return f"b{number}-undated"


def _copy(base: _Base, number: int, shift: int) -> Record:
    title, text = (
        _YEAR.sub(str(base.year + shift), str(base.passage.get(part) or "")) for part in ("title", "text")
    )
    return {
        "_id": _copy_id(number, shift),
        "title": title,
        "text": text,
        "metadata": {"base": number, "shift": shift, "year": base.year + shift},
    }


def _undated(base: _Base, number: int) -> Record:
    """A copy without dates: all temporal expressions are removed."""
    title, text = (_without(str(base.passage.get(part) or "")) for part in ("title", "text"))
    return {"_id": _undated_id(number), "title": title, "text": text, "metadata": {"base": number}}


def _without(text: str) -> str:
    for found in reversed(find_expressions(text)):
        before = _PREPOSITION.sub(" ", text[: found.char_start])
        text = before + text[found.char_end :]
    return re.sub(r"[^\S\n]{2,}", " ", _YEAR.sub("", text)).strip()
