"""The script that measures what a model adds to the rules at each stage, with a model that is scripted."""

import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from bench.conftest import records, write_beir, write_lines

from timelens.answer.lm import ModelSession
from timelens.answer.lm.language_model import Ending, Reply
from timelens.answer.lm.stop import Stop
from timelens.answer.writing.answer_prompt import Prompt
from timelens.config import LlamaSettings

SCRIPT = Path(__file__).parents[2] / "scripts" / "measure_stages.py"


@dataclass
class Model:
    """Replies to a request with what stands under some words of it."""

    replies: dict[str, object]
    asked: list[str] = field(default_factory=list)
    context_tokens: int = 4096
    template_tokens: int = 0
    has_adapter: bool = False

    def read(self, prompt: Prompt, stop: Stop) -> Reply | None:
        raise AssertionError(f"there is no adapter to read {prompt} with, {stop}")

    def count(self, text: str) -> int:
        return len(text)

    def make_room(self, tokens: int) -> None:
        """There is always room."""

    def has_room(self, prompt: Prompt, most: int) -> bool:
        return bool(prompt.request) and most > 0

    def grammar_of(self, schema: Mapping[str, object]) -> object:
        return schema

    def generate(
        self, prompt: Prompt, most: int, stop: Stop, ending: Ending, grammar: object = None
    ) -> Iterator[str]:
        assert grammar
        assert most
        assert not stop
        assert ending.note is None
        self.asked.append(prompt.request)
        yield next((json.dumps(self.replies[words]) for words in self.replies if words in prompt.request), "")


class Session(ModelSession[LlamaSettings]):
    thread_name = "llama"
    model: Model

    def opened(self, stop: Stop) -> Model | None:
        return None if stop else self.model

    def release(self) -> None:
        """Nothing is held."""


Measure = Callable[..., dict[str, str]]


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure_stages", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def model() -> Model:
    return Model({})


@pytest.fixture
def measure(
    script: ModuleType,
    model: Model,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Measure:
    """What the script prints: the figures of a measure by its name."""
    session = Session(LlamaSettings())
    session.model = model
    monkeypatch.setattr(script, "make_session", lambda *_: session)
    (tmp_path / "model.gguf").write_bytes(b"a model")

    def measured(*arguments: object) -> dict[str, str]:
        fixed = ("--model", tmp_path / "model.gguf", "--out", tmp_path / "out.jsonl")
        script.main([str(argument) for argument in (*fixed, *arguments)])
        told = (line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines())
        return {name: " ".join(figures.split()) for _, name, figures in told}

    return measured


def question(name: str, text: str, *accept: list[str | None], **more: object) -> dict[str, Any]:
    core = {"core_must_contain": ["club"], "core_must_not_contain": ["1998"]}
    return {"id": name, "text": text, "as_of": None, "accept": accept, **core, **more}


def proposal(topic: str, words: str, relation: str) -> dict[str, object]:
    times = [{"words": words, "relation": relation}]
    return {
        "topic": topic,
        "times": times,
        "events": [],
        "order": "none",
        "order_words": "",
        "intent": "none",
    }


def test_questions_are_read_by_the_rules_and_with_the_model(
    measure: Measure, model: Model, tmp_path: Path
) -> None:
    year: list[str | None] = ["1998-01-01", "1999-01-01"]
    asked = [
        question("a", "Who led the club in 1998?", year),
        question("b", "Who led the club?"),
        question("c", "Who led the club in 1998 and who in 2003?", ["1901-01-01", "1902-01-01"]),
        question("d", "Who led the club, 1998 vs 2003?", compare=[year, ["2003-01-01", "2004-01-01"]]),
    ]
    write_lines(tmp_path / "questions.jsonl", asked)
    model.replies = {"Who led": proposal("Who led the moon?", "in 1998", "in")}
    told = measure("--questions", tmp_path / "questions.jsonl")
    assert told == {
        "interval": "rules 75.0 on 4 model 75.0 on 4",
        "core": "rules 100.0 on 4 model 100.0 on 4",
        "changed": "rules – on 0 model 0.0 on 4",
    }


def test_what_a_model_adds_to_a_question_counts_for_it_alone(
    measure: Measure, model: Model, tmp_path: Path
) -> None:
    """The rules take the number for that of a page; the model, for a year."""
    year: list[str | None] = ["1998-01-01", "1999-01-01"]
    asked = [question("a", "Who is on the page 1998 of the club?", year)]
    write_lines(tmp_path / "questions.jsonl", asked)
    model.replies = {"page 1998": proposal("Who is on the page of the club?", "1998", "in")}
    assert measure("--questions", tmp_path / "questions.jsonl") == {
        "interval": "rules 0.0 on 1 model 100.0 on 1",
        "core": "rules 0.0 on 1 model 100.0 on 1",
        "changed": "rules – on 0 model 100.0 on 1",
    }


def test_what_is_measured_is_not_measured_again_until_the_model_is_another(
    measure: Measure, model: Model, tmp_path: Path
) -> None:
    asked = [question(name, f"Who led the club in 1998, {name}?") for name in "abc"]
    write_lines(tmp_path / "questions.jsonl", asked)
    measure("--questions", tmp_path / "questions.jsonl", "--every", 2, "--limit", 2)
    assert [record["id"] for record in records(tmp_path / "out.jsonl")] == ["a", "c"]
    assert len(model.asked) == 2
    first = measure("--questions", tmp_path / "questions.jsonl")
    assert len(model.asked) == 3
    assert [record["id"] for record in records(tmp_path / "out.jsonl")] == ["a", "c", "b"]
    assert measure("--questions", tmp_path / "questions.jsonl") == first
    assert len(model.asked) == 3
    (tmp_path / "model.gguf").write_bytes(b"another model")
    measure("--questions", tmp_path / "questions.jsonl")
    assert len(model.asked) == 6


def test_times_of_passages_by_the_rules_and_with_proposals(
    measure: Measure, model: Model, tmp_path: Path
) -> None:
    """The third sentence has its time from the first, which the rules do not see; the model is wrong once."""
    text = (
        "The mill burnt down on 3 May 1890. The owner was back in 1895. Since that fire the ruin was guarded."
    )
    dates = (("3 May 1890", "1890-05-03"), ("1895", "1895"), ("that fire", "1890-05-03"))
    mentions = [
        {"doc_id": "mill", "nested": False, "start": text.index(words), "value": value}
        for words, value in dates
    ]
    folder = tmp_path / "texts"
    folder.mkdir()
    record = {"doc_id": "mill", "title": "", "text": text, "created": "2009-12-19T17:00:00"}
    write_lines(folder / "docs.jsonl", [record])
    write_lines(folder / "timexes.jsonl", mentions)
    said = [(words, "3 May 1890") for words in ("the ruin was guarded", "The owner was back")]
    model.replies = {"The mill": {"statements": [{"quote": quote, "time": time} for quote, time in said]}}
    assert measure("--documents", folder) == {
        "found": "rules 66.7 on 1 model 100.0 on 1",
        "right": "rules 100.0 on 1 model 50.0 on 1",
    }


@pytest.mark.parametrize(
    ("says", "gold", "other"), [(True, 100.0, 0.0), (False, 0.0, 100.0), (None, 0.0, 100.0)]
)
def test_a_judge_is_right_about_a_gold_document_and_about_another(
    measure: Measure, model: Model, tmp_path: Path, says: bool | None, gold: float, other: float
) -> None:
    """One that gives no judgement takes nothing to be relevant."""
    if says is not None:
        model.replies = {"QUESTION": {"reason": "", "relevant": says}}
    told = measure("--evidence", write_beir(tmp_path / "beir"))
    assert {name: figures.split(" model ")[1] for name, figures in told.items()} == {
        "gold": f"{gold} on 2",
        "other": f"{other} on 2",
    }


def test_a_grader_is_held_against_grades_that_are_there(
    measure: Measure, model: Model, tmp_path: Path
) -> None:
    def graded(name: str, answer: str, grade: str, status: str = "answered") -> dict[str, object]:
        return {
            "id": name,
            "question": "Who?",
            "gold": "Ann Lee",
            "answer": answer,
            "grade": grade,
            "status": status,
        }

    lines = [
        graded("a", "It was Ann Lee.", "right"),
        graded("b", "It was Ms Lee.", "right"),
        graded("c", "It was Bob.", "wrong"),
        graded("d", "No answer", "right", "no_answer"),
        graded("e", "Perhaps Ann Lee", "shown"),
    ]
    write_lines(tmp_path / "graded.jsonl", lines)
    model.replies = {"Lee.": {"reason": "", "tenths": 9}, "Bob": {"reason": "", "tenths": 5}}
    told = measure("--answers", tmp_path / "graded.jsonl")
    assert told == {"alike": "rules 66.7 on 3 model 66.7 on 3"}


def test_bad_input_is_one_line(measure: Measure, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="nowhere"):
        measure("--questions", tmp_path / "nowhere")
