"""Documents are data: whatever they say, they stand in the prompt as one line of text each."""

import re
from pathlib import Path

import pytest
from evidence import hit, timeline
from hostile import HOSTILE
from tiny_gguf import CHAT_TEMPLATE, CONTROL_TOKENS, write_tiny_gguf

from timelens.answer.draft import Draft, Status
from timelens.answer.llama import LlamaAnswerer
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.models.gguf_header import describe_model
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.answer.writing.answer_prompt import Prompt, compose
from timelens.config import READING_MODES, LlamaSettings, ReadingMode
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number

QUESTION = parse("Who was the keeper of North Point in 2010?", day_number(2026))
DRAFT = Draft(Status.ANSWERED, "Ada Berg [1].")
TRUE = "Ada Berg was the keeper of North Point in 2010."
HEAD = "[2] (2010, in the time asked for)"
every_document = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)


def beside_the_truth(text: str) -> Timeline:
    """A hostile text with a title to match, and an honest one."""
    return make_timeline([hit("a", [TRUE], 2010), hit("b", [text], 2010, title=text[:80])])


def composed(evidence: Timeline) -> Prompt:
    prompt = compose(QUESTION, evidence, DRAFT, count=len, budget=1_000_000)
    assert prompt is not None
    return prompt


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 30
    assert len(set(HOSTILE.values())) == len(HOSTILE)


@every_document
def test_it_is_one_line_in_the_place_of_its_number(text: str) -> None:
    quiet = composed(beside_the_truth("The lamp was lit.")).request.splitlines()
    lines = composed(beside_the_truth(text)).request.splitlines()
    assert len(lines) == len(quiet)
    assert [line for line in lines if not line.startswith(HEAD)] == [
        line for line in quiet if not line.startswith(HEAD)
    ]


@every_document
def test_nothing_in_it_can_be_taken_for_a_citation_a_control_token_or_a_terminal_sequence(text: str) -> None:
    (line,) = (x for x in composed(beside_the_truth(text)).request.splitlines() if x.startswith("[2]"))
    content = line.removeprefix(HEAD)
    assert content.isprintable()
    assert not re.search(r"\[\s*\d+(?:\s*[,;]\s*\d+)*\s*\]", content)
    assert not re.search(r"<\|[^>]*\|>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>|<think>", content)


@every_document
def test_it_brings_no_control_token_in_even_as_it_stands(text: str, loaded: LoadedModel) -> None:
    """The tokeniser is the second line of defence: here it gets the text unescaped."""
    first_control = loaded._llama.n_vocab() - len(CONTROL_TOKENS)

    def controls(request: str) -> list[int]:
        tokens = loaded._tokens(Prompt("Rules.", request, frozenset()))
        return [token for token in tokens if token >= first_control]

    assert controls(text) == controls("The lamp was lit.")


@pytest.mark.parametrize("mode", READING_MODES)
def test_a_model_that_reads_all_of_them_writes_nothing_that_acts_on_a_terminal(
    mode: ReadingMode, tiny_model: Path
) -> None:
    settings = LlamaSettings(model=tiny_model, reading=mode, answer_tokens=16, context_tokens=4096, threads=1)
    answerer = LlamaAnswerer(settings)
    for texts in (list(HOSTILE.values())[start::12] for start in range(2)):
        pieces = list(answerer.write(QUESTION, timeline(TRUE, *texts), DRAFT))
        text = "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)
        assert text
        assert text.replace("\n", "").isprintable()
    answerer.close()


def test_a_template_that_documents_know_of_is_not_theirs_to_close(tmp_path: Path) -> None:
    """The whole prompt, back from its tokens, has each mark of a turn as often as the template puts it."""
    model = LoadedModel(
        describe_model(write_tiny_gguf(tmp_path / "m.gguf", template=CHAT_TEMPLATE)), LlamaSettings(threads=1)
    )
    prompt = composed(timeline(TRUE, *HOSTILE.values()))
    text = b"".join(model._bytes(token, special=True) for token in model._tokens(prompt)).decode()
    assert text.count("<|im_start|>") == 3
    assert text.count("<|im_end|>") == 2
    model.close()
