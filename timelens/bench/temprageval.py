"""The suite ``temprageval``: questions with perturbed times and unchanged answers (MRAG, Section 3).

Two layouts are read: the official one, ``test.csv`` beside Wikipedia in ATLAS passages (``id``, ``title``,
``section``, ``text``), of which a part is enough; and the BEIR layout with the same fields in its queries.

- A passage with one of a question's gold sentences (up to two) is gold. Sentences that no passage contains,
  for instance because they are split between two passages, are counted in the notes.
- Questions with an empty ``time_relation`` do not ask about time; they are excluded and counted.
- A question is *perturbed* unless it is marked ``exact``. The published tables cover only perturbed
  questions, which are the group ``perturbed`` of each source.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from timelens import BadInputError, MissingError
from timelens.bench import beir
from timelens.bench.measures import plain_words
from timelens.bench.official_sources import missing
from timelens.bench.record_files import file_named, list_of, records_of
from timelens.bench.suite_data import Dataset, Gold, Query, Record, hash_of, in_memory, read_records

LAYOUT = f"test.csv and text-list-100-sec.jsonl (TempRAGEval and ATLAS passages), or {beir.LAYOUT}"
UNTIMED = "no time relation"
_PASSAGES = ("text-list-100-sec", "passages")


def load(folder: Path) -> Dataset:
    """Read the test split with passages, or a BEIR folder.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a file does not have the expected format.
    """
    if (folder / "queries.jsonl").is_file():
        dataset = beir.load(folder)
        described = {str(record["_id"]): record for record in read_records(folder / "queries.jsonl", "_id")}
        return _timed(dataset, described)
    questions, passages = file_named(folder, "test", "data/test"), file_named(folder, *_PASSAGES)
    if questions is None:
        raise missing("temprageval", "test.csv", folder)
    if passages is None:
        error = missing("temprageval", f"{_PASSAGES[0]}.jsonl", folder)
        raise MissingError(error.message, f"{error.hint} --corpus, or put a part of it there")
    records = records_of(questions, "question")
    rows = [_beir_record(record) for record in records_of(passages, "id", "text")]
    if not records or not rows:
        raise BadInputError(
            f"{passages if records else questions} holds no records", f"a folder holds {LAYOUT}"
        )
    texts = {row["_id"]: f"{row['title']}\n{row['text']}" for row in rows}
    sentences = {
        f"q{n:04}": list_of(record.get("gold_evidences")) for n, record in enumerate(records, start=1)
    }
    holders, lost = holding(sentences, texts)
    pages = list(beir.pages(rows, passages))

    described = dict(zip(sentences, records, strict=True))
    dataset = Dataset(
        queries=tuple(Query(name, str(record["question"])) for name, record in described.items()),
        gold={
            name: Gold(dict.fromkeys(sorted(holders[name]), 1), list_of(record.get("answers")))
            for name, record in described.items()
        },
        ingest=in_memory(pages),
        documents_hash=hash_of([passages], folder),
        hash=hash_of([passages, questions], folder),
        texts=texts,
        notes=(f"{lost} gold sentences are in no passage",) if lost else (),
    )
    return _timed(dataset, described)


def holding(
    sentences: Mapping[str, Sequence[str]], texts: Mapping[str, str]
) -> tuple[dict[str, set[str]], int]:
    """The texts that contain a sentence of each question verbatim, and the number of sentences in no text.

    Case, accents, punctuation and articles are ignored. Only texts with the longest word of a sentence are
    searched for it.
    """
    wanted = {words for each in sentences.values() for text in each if (words := plain_words(text))}
    by_word: defaultdict[str, list[str]] = defaultdict(list)
    for words in sorted(wanted):
        by_word[max(words.split(), key=len)].append(words)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, text in texts.items():
        plain = plain_words(text)
        for word in by_word.keys() & set(plain.split()):
            for words in by_word[word]:
                if f" {words} " in f" {plain} ":
                    found[words].add(name)
    holders = {
        name: {holder for text in each for holder in found.get(plain_words(text), ())}
        for name, each in sentences.items()
    }
    return holders, sum(words not in found for words in wanted)


def _timed(dataset: Dataset, described: Mapping[str, Record]) -> Dataset:
    """The dataset without questions that do not ask about time, grouped by source and sort."""
    kept = [query for query in dataset.queries if str(described[query.id].get("time_relation") or "").strip()]
    if not kept:
        raise BadInputError("no question has a time_relation", f"a folder holds {LAYOUT}")
    left_out = Counter(dataset.excluded)
    if len(kept) < len(dataset.queries):
        left_out[UNTIMED] += len(dataset.queries) - len(kept)
    gold = {query.id: _grouped(dataset.gold[query.id], described[query.id]) for query in kept}
    return replace(dataset, queries=tuple(kept), gold=gold, excluded=dict(left_out))


def _grouped(gold: Gold, record: Record) -> Gold:
    sort = "original" if str(record.get("exact")).strip().lower() in {"1", "1.0", "true"} else "perturbed"
    source = str(record.get("source") or "").strip()
    relation = str(record["time_relation"]).strip()
    return replace(gold, kind=f"{source} {sort}".strip(), groups={**gold.groups, "time relation": relation})


def _beir_record(record: Record) -> Record:
    """An ATLAS passage as a BEIR record; passages with the same title are one page."""
    name, title = str(record["id"]), str(record.get("title") or "")
    metadata = {"section": str(record.get("section") or "")}
    if title:
        metadata["part_of"] = f"page {title}"
    return {"_id": name, "title": title, "text": str(record["text"]), "metadata": metadata}
