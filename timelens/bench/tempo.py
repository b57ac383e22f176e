"""The suite ``tempo``: questions whose evidence requires temporal reasoning (TEMPO).

Two layouts are read. The official one has the folders ``examples``, ``documents`` and ``steps``, each with
one file per split (domain); every split has its own corpus. The BEIR layout has the same data in optional
fields.
"""

from collections.abc import Sequence
from pathlib import Path

from timelens import BadInputError, Document
from timelens.bench import beir
from timelens.bench.official_sources import missing
from timelens.bench.record_files import ENDINGS, file_named, list_of, records_of
from timelens.bench.suite_data import Dataset, Gold, Query, Record, RetrievalStep, as_of, hash_of, in_memory

LAYOUT = f"examples/, documents/ and steps/ with a file a split (TEMPO), or {beir.LAYOUT}"


def load(folder: Path, split: str | None = None) -> Dataset:
    """Read one split, or a BEIR folder.

    Documents have no date in the official layout. The steps of a split are read if they are present.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: there are several splits and none is named, or a file does not have the expected
            format.
    """
    if (folder / "queries.jsonl").is_file():
        if split is not None:
            raise BadInputError(f"{folder} is a BEIR folder, without splits", "leave out --split")
        return beir.load(folder)
    chosen = _split(folder, split)
    paths = {part: file_named(folder / part, chosen) for part in ("examples", "documents", "steps")}
    for part in ("examples", "documents"):
        if paths[part] is None:
            raise missing("tempo", f"{part}/{chosen}.parquet", folder, chosen)
    examples, corpus, planned = paths["examples"], paths["documents"], paths["steps"]
    assert examples is not None and corpus is not None  # noqa: S101, PT018 -- raised above
    texts = {str(record["id"]): str(record["content"]) for record in records_of(corpus, "id", "content")}
    steps, guided = _steps([] if planned is None else records_of(planned, "step"))
    records = records_of(examples, "id", "query")
    if not records or not texts:
        raise BadInputError(f"{examples if texts else corpus} holds no records", "fetch it again")
    pages = [_document(name, text, corpus) for name, text in texts.items()]

    gold = {
        str(record["id"]): _gold(
            record, chosen, steps.get(str(record["id"]), ()), guided.get(str(record["id"]))
        )
        for record in records
    }
    return Dataset(
        queries=tuple(
            Query(str(record["id"]), str(record["query"]), as_of(record, f"{examples} {record['id']}"))
            for record in records
        ),
        gold=gold,
        ingest=in_memory(pages),
        documents_hash=hash_of([corpus], folder),
        hash=hash_of([path for path in paths.values() if path is not None], folder),
        texts=texts,
    )


def _split(folder: Path, split: str | None) -> str:
    if split is not None:
        return split
    there = sorted({path.stem for path in (folder / "examples").glob("*") if path.suffix in ENDINGS})
    if len(there) == 1:
        return there[0]
    if there:
        raise BadInputError(
            f"{folder} holds several splits, each with a corpus of its own",
            f"add --split: {', '.join(there)}",
        )
    raise missing("tempo", "examples/", folder, "NAME")


def _document(name: str, text: str, path: Path) -> Document:
    return Document(
        id=name,
        uri=path.resolve().as_posix(),
        title="",
        text=text,
        content_hash=beir.content_hash([{"id": name, "text": text}]),
    )


def _steps(records: Sequence[Record]) -> tuple[dict[str, tuple[RetrievalStep, ...]], dict[str, Record]]:
    """The steps of each query, and the first step record of each query, which also describes the query."""
    steps: dict[str, tuple[RetrievalStep, ...]] = {}
    of_query: dict[str, Record] = {}
    for record in records:
        query = str(record.get("q_id") or record.get("id"))
        before = steps.get(query, ())
        name = f"{query}#{record.get('step_id') or len(before) + 1}"
        step = RetrievalStep(name, str(record["step"]), dict.fromkeys(list_of(record.get("gold_ids")), 1))
        steps[query] = (*before, step)
        of_query.setdefault(query, record)
    return steps, of_query


def _gold(record: Record, split: str, steps: tuple[RetrievalStep, ...], planned: Record | None) -> Gold:
    described = {**(planned or {}), **{name: value for name, value in record.items() if value is not None}}
    guidance = beir.guidance_of(described.get("query_guidance"))
    groups = {"domain": split}
    if guidance.reasoning_class:
        groups["reasoning class"] = guidance.reasoning_class
    return Gold(
        relevant=dict.fromkeys(list_of(record.get("gold_ids")), 1),
        answers=(),
        reference=beir.reference_of(described),
        steps=steps,
        barred=beir.barred_of(described),
        periods=beir.periods_of(record),
        guidance=guidance,
        groups=groups,
    )
