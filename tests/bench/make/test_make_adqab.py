"""Questions on dated series: sub-types, choices of which one is true, articles."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from bench.conftest import records
from bench.make.conftest import bytes_of, prices, write_series

from timelens.bench import beir
from timelens.bench.make.adqab import KINDS, Options, make
from timelens.bench.make.check import check
from timelens.bench.make.made_folder import WrongError
from timelens.errors import BadInputError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adqab")
    make(Options([write_series(folder)], per_type=4), folder / "out")
    return folder / "out"


def test_each_sub_type_has_its_number_and_each_question_its_four_choices(made: Path) -> None:
    asked = records(made / "queries.jsonl")
    assert Counter(record["kind"] for record in asked) == dict.fromkeys(KINDS, 4)
    assert {record["trend"] for record in asked} == {"rose", "fell", "little changed"}
    places = {record["choice_kinds"].index("right") for record in asked}
    assert len(places) > 1
    assert all(len(set(record["choices"])) == 4 for record in asked)


def test_it_is_a_beir_folder_with_an_article_for_each_month(made: Path) -> None:
    data = beir.load(made)
    assert len(data.texts or {}) == 2 * 6 * 12
    for record in records(made / "queries.jsonl"):
        gold = data.gold[record["_id"]]
        months = int(record["gold_end"][:4]) * 12 + int(record["gold_end"][5:7])
        months -= int(record["gold_start"][:4]) * 12 + int(record["gold_start"][5:7])
        assert len(gold.relevant) == months + 1
        assert gold.answers[0] in gold.choices
    article = (data.texts or {})["ACME-2010-03"]
    assert all(words in article for words in ("ACME", "close", "March 2010"))


def test_adqabs_own_file_says_the_same(made: Path) -> None:
    official = json.loads((made / "DQABench" / "dqabench_MCQA.json").read_text())
    asked = records(made / "queries.jsonl")
    for item, record in zip(official, asked, strict=True):
        assert item["question"] == record["text"]
        assert item["choices"][item["correct_answer_key"]] == record["answers"][0]
        assert list(item["choices"]) == ["A", "B", "C", "D"]


def test_one_seed_one_folder(tmp_path: Path) -> None:
    source = write_series(tmp_path)
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        make(Options([source], per_type=2, seed=seed), tmp_path / name)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    assert bytes_of(tmp_path / "a")["queries.jsonl"] != bytes_of(tmp_path / "c")["queries.jsonl"]


def test_without_articles_there_is_no_corpus(tmp_path: Path) -> None:
    make(Options([write_series(tmp_path)], per_type=1, with_articles=False), tmp_path / "out")
    assert not (tmp_path / "out" / "corpus.jsonl").exists()
    assert check(tmp_path / "out") == ("adqab", 7)


@pytest.mark.parametrize("kind", ["contrary", "other period", "made up"])
def test_the_checker_sees_another_choice_called_right(kind: str, made: Path, tmp_path: Path) -> None:
    made = Path(shutil.copytree(made, tmp_path / "copy"))
    assert check(made) == ("adqab", 28)
    asked = records(made / "queries.jsonl")
    asked[0]["answers"] = [asked[0]["choices"][asked[0]["choice_kinds"].index(kind)]]
    (made / "queries.jsonl").write_text("".join(json.dumps(record) + "\n" for record in asked))
    with pytest.raises(WrongError, match="true choices"):
        check(made)


def test_the_checker_sees_a_judgement_that_is_gone(made: Path, tmp_path: Path) -> None:
    made = Path(shutil.copytree(made, tmp_path / "copy"))
    qrels = made / "qrels" / "test.tsv"
    qrels.write_text(qrels.read_text().rsplit("\n", 2)[0] + "\n")
    with pytest.raises(WrongError, match="articles of the periods"):
        check(made)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not name its columns"),
        ("Date,Close\n", "no row with a date"),
        ("Date,Close\n2010-01-04,100\n", "no question can be asked about a period of these series"),
        ("Date,Close\n2010-01-04,high\n", "no column of numbers"),
        ("Name,Close\nAda,3\n", "no row with a date"),
        (
            "Date,Close\n" + "".join(f"{year}-01-04,{year}\n" for year in range(1990, 2020)),
            "no question can be asked",
        ),
    ],
)
def test_what_cannot_be_asked_is_said(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(BadInputError, match=message):
        make(Options([tmp_path / "x.csv"]), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_shortage_and_rows_without_a_number_are_said(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(prices(3) + "2012-12-30,null,null\n")
    made = make(Options([tmp_path / "x.csv"], per_type=50), tmp_path / "out")
    assert any(note.startswith("x.csv: 1 rows left out") for note in made.notes)
    assert any(note.startswith("year: only") for note in made.notes)
