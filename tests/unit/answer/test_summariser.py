import json
from pathlib import Path

import pytest
from hostile import HOSTILE

from timelens.answer.llama import LlamaAnswerer
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.writing.answer_prompt import Prompt
from timelens.config import LlamaSettings
from timelens.retrieval.request import summariser_in


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (json.dumps({"speaks": True, "sentence": "It was <s> in 1998 [3]."}), "It was {s} in 1998 (3)."),
        (json.dumps({"speaks": False, "sentence": "It was."}), None),
        (json.dumps({"speaks": True, "sentence": " "}), None),
        ('{"speaks": true, "sent', None),
    ],
)
def test_what_a_model_says_of_each_passage(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch, written: str, sentence: str | None
) -> None:
    asked: list[Prompt] = []

    def generate(_self: LoadedModel, prompt: Prompt, *_: object) -> list[str]:
        asked.append(prompt)
        return [written[:9], written[9:]]

    monkeypatch.setattr(LoadedModel, "generate", generate)
    answerer = LlamaAnswerer(LlamaSettings(model=tiny_model, threads=1))
    assert answerer.summarise("Who\nled it?", ["One\npassage.", "Another."]) == [sentence] * 2
    assert asked[0].request == "Question: Who led it?\nPassage: One passage."
    answerer.close()


def test_a_real_model_is_asked_about_each_passage_also_one_that_is_too_long(tiny_model: Path) -> None:
    answerer = LlamaAnswerer(LlamaSettings(model=tiny_model, context_tokens=4096, threads=1))
    passages = [*list(HOSTILE.values())[::15], "long " * 3000]
    summaries = answerer.summarise("Who led it?", passages)
    assert len(summaries) == len(passages)
    assert all(summary is None or summary.isprintable() for summary in summaries)
    assert summaries[-1] is None
    answerer.close()


def test_only_what_summarises_is_a_summariser(tiny_model: Path) -> None:
    answerer = LlamaAnswerer(LlamaSettings(model=tiny_model))
    assert summariser_in(answerer) is answerer
    assert summariser_in(object()) is None
    assert summariser_in(None) is None
