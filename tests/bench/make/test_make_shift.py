"""Copies of a passage in other years, and queries with and without their time."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import records, write_beir, write_lines
from bench.make.conftest import bytes_of

from timelens.bench import beir
from timelens.bench.make.check import check
from timelens.bench.make.made_folder import WrongError
from timelens.bench.make.shift import RELATIONS, Options, make
from timelens.bench.variants import VARIANTS
from timelens.errors import BadInputError, MissingError

PASSAGES = [
    {"_id": "pier", "title": "The pier", "text": "In 1912 Sten Holm became builder of the pier."},
    {"_id": "light", "title": "Keepers of 1931", "text": "On 5 May 1931 Anna Berg became keeper."},
    {"_id": "two", "title": "", "text": "Lamps came in 1920 and went in 1935."},
    {"_id": "code", "title": "", "text": "In 1950 lamp 4711 was lit."},
]
QUERIES: list[dict[str, Any]] = [
    {"_id": "q1", "text": "Who became builder of the pier in 1912?", "answers": ["Sten Holm"]},
    {"_id": "q2", "text": "Who was keeper of the lighthouse as of May 1931?", "kind": "as_of"},
    {"_id": "q3", "text": "When did lamps go after 1930?"},
    {"_id": "q4", "text": "Which lamp was lit in 1950?"},
    {"_id": "q5", "text": "Who is the harbour master?"},
]
QRELS = (("q1", "pier"), ("q2", "light"), ("q3", "two"), ("q4", "code"), ("q5", "pier"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "qrels").mkdir(parents=True)
    write_lines(folder / "corpus.jsonl", PASSAGES)
    write_lines(folder / "queries.jsonl", QUERIES)
    rows = "".join(f"{query}\t{document}\t1\n" for query, document in QRELS)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows)
    return folder


@pytest.fixture
def made(source: Path, tmp_path: Path) -> Path:
    made = make(Options(source, as_of=0, years=2), tmp_path / "out")
    assert made.notes == ("1 of 5 queries left out: they state no time that can be removed",)
    return tmp_path / "out"


def test_only_the_year_differs_and_the_judgements_follow_it(made: Path) -> None:
    data = beir.load(made / "shift")
    texts = data.texts or {}
    assert len(texts) == 2 * (2 * 2 + 1 + 1)  # the passages that speak of one year, and nothing like it
    assert len(data.queries) == 2 * len(RELATIONS)
    pier = next(query.id[:2] for query in data.queries if "pier" in query.text)
    assert texts[f"{pier}-2"].split() == "The pier In 1910 Sten Holm became builder of the pier.".split()
    assert texts[f"{pier}-undated"].split() == "The pier Sten Holm became builder of the pier.".split()
    asked = {query.id: query.text for query in data.queries}
    assert asked[f"{pier}-before"] == "Who became builder of the pier before 1912?"
    shifts = {name: set(data.gold[f"{pier}-{name}"].relevant) for name in RELATIONS}
    assert shifts == {
        "plain": {f"{pier}-undated", *(f"{pier}{shift:+d}" for shift in (-2, -1, 0, 1, 2))},
        "in": {f"{pier}+0"},
        "before": {f"{pier}-2", f"{pier}-1"},
        "after": {f"{pier}+1", f"{pier}+2"},
        "as_of": {f"{pier}-2", f"{pier}-1", f"{pier}+0"},
    }


def test_variants_are_the_same_queries_in_other_words(made: Path) -> None:
    queries = records(made / "variants" / "queries.jsonl")
    texts = {
        name: [record["text"] for record in queries if record["variant"] == name][:2] for name in VARIANTS
    }
    assert texts == {
        "baseline": [QUERIES[0]["text"], QUERIES[1]["text"]],
        "strip": ["Who became builder of the pier?", "Who was keeper of the lighthouse?"],
        "temporal-only": ["in 1912", "as of May 1931"],
        "normalised": [
            "Who became builder of the pier in 1912? [ANCHORS=[1912]]",
            "Who was keeper of the lighthouse as of May 1931? [ANCHORS=[May 1931]]",
        ],
    }
    gold = beir.load(made / "variants").gold
    for name in VARIANTS:
        own = gold[f"q1#{name}"]
        assert (own.answers, own.relevant, own.groups) == (("Sten Holm",), {"pier": 1}, {"variant": name})


def test_one_seed_one_folder(source: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1)):
        make(Options(source, as_of=0, seed=seed, limit=1), tmp_path / name)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    picked = set()
    for seed in range(8):
        make(Options(source, as_of=0, seed=seed, limit=1), tmp_path / f"s{seed}")
        picked.add(bytes_of(tmp_path / f"s{seed}")["shift/corpus.jsonl"])
    assert len(picked) == 2


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("shift/corpus.jsonl", "In 1911", "In 1913", "names the years"),
        ("shift/corpus.jsonl", "In 1911 Sten", "In 1911 Olaf", "more than the year"),
        ("shift/qrels/test.tsv", "-plain\t", "-in\t", "does not follow"),
        ("variants/queries.jsonl", "of the pier?", "of the pier in 1912?", "not taken out"),
        ("variants/queries.jsonl", '"in 1912', '"in 1913', "not taken out"),
        ("variants/queries.jsonl", "ANCHORS", "TIMES", "tags"),
        ("variants/qrels/test.tsv", "q1#strip\tpier\t1\n", "", "judged otherwise"),
    ],
)
def test_the_checker_sees_what_was_changed(
    file: str, old: str, new: str, message: str, made: Path, tmp_path: Path
) -> None:
    made = Path(shutil.copytree(made, tmp_path / "copy"))
    assert check(made) == ("shift", 4 * len(VARIANTS) + 2 * len(RELATIONS))
    text = (made / file).read_text()
    assert old in text
    (made / file).write_text(text.replace(old, new))
    with pytest.raises(WrongError, match=message):
        check(made)


def test_queries_without_time_and_a_folder_of_another_kind_are_refused(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "beir")
    timeless = [{"_id": "q1", "text": "Who built the pier?"}]
    (folder / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in timeless))
    with pytest.raises(BadInputError, match="states a time"):
        make(Options(folder, as_of=0), tmp_path / "out")
    with pytest.raises(MissingError):
        make(Options(tmp_path, as_of=0), tmp_path / "out")
