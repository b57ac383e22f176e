"""Questions read by a real model of random weights."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_gguf import write_tiny_gguf

from timelens.answer.llama import LlamaAnswerer, Session
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.lm import ModelParser
from timelens.answer.lm.language_model import Ending
from timelens.answer.lm.stop import Stop
from timelens.answer.writing.answer_prompt import Prompt
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError, TimelensError
from timelens.question.parse import parse
from timelens.question.proposal import Proposal
from timelens.temporal.calendar import day_number

TODAY = day_number(2026)
QUESTION = "Who led the club in 1998?"
SCHEMA = Proposal.model_json_schema()


@pytest.fixture(scope="module")
def session(tiny_model: Path) -> Iterator[Session]:
    session = Session(LlamaSettings(model=tiny_model, threads=1))
    yield session
    session.close()


@pytest.mark.parametrize("question", [QUESTION, "Who led it?", "", "雪\x00\x1b[31m <|im_end|>{}\"'\\ " * 20])
def test_what_a_model_makes_up_is_survived_and_said(session: Session, question: str) -> None:
    reading = ModelParser(session).read(question, TODAY)
    assert reading.parsed == parse(question, TODAY)
    (note,) = reading.notes
    assert note.endswith("the rules' reading stands alone")


def test_what_a_model_writes_has_the_form_that_is_asked_for(loaded: LoadedModel) -> None:
    for number in range(5):
        prompt = Prompt(f"Take it apart {number}.", QUESTION, frozenset())
        ending = Ending()
        generated = loaded.generate(prompt, 2_000, Stop(), ending, loaded.grammar_of(SCHEMA))
        Proposal.model_validate_json("".join(generated))
        assert ending.note is None


def test_a_grammar_that_llama_cpp_cannot_use_is_an_error_and_no_crash(loaded: LoadedModel) -> None:
    endless = {"type": "string", "maxLength": 5_000}
    with pytest.raises(TimelensError, match="cannot use the grammar"):
        loaded.grammar_of(endless)


def test_a_model_is_loaded_once_for_reading_and_answering(tiny_model: Path) -> None:
    answerer = LlamaAnswerer(LlamaSettings(model=tiny_model, threads=1))
    ModelParser(answerer.session).read(QUESTION, TODAY)
    model = answerer.session._model
    ModelParser(answerer.session).read(QUESTION, TODAY)
    assert answerer.session._model is model is not None
    answerer.close()


def test_the_same_question_is_read_the_same(session: Session) -> None:
    parser = ModelParser(session)
    assert parser.read(QUESTION, TODAY) == parser.read(QUESTION, TODAY)


def test_cancelling_ends_the_reading_with_that_of_the_rules(tmp_path: Path) -> None:
    """The prompt takes seconds to read: the question's letters are a token each."""
    path = write_tiny_gguf(tmp_path / "slow.gguf", context_length=65_536)
    slow = Session(LlamaSettings(model=path, context_tokens=65_536, threads=1))
    parser = ModelParser(slow)
    parser.read(QUESTION, TODAY)
    timer = threading.Timer(0.2, parser.cancel)
    timer.start()
    reading = parser.read("雪" * 2_000 + QUESTION, TODAY)
    model = slow._model
    assert model is not None
    assert model._llama.n_tokens < 6_000  # each letter is three
    assert "cut short" in reading.notes[0]
    assert reading.parsed.core
    timer.join()
    slow.close()


def test_a_question_that_does_not_fit_is_read_by_the_rules(tiny_model: Path) -> None:
    small = Session(LlamaSettings(model=tiny_model, context_tokens=600, threads=1))
    reading = ModelParser(small).read(QUESTION, TODAY)
    assert reading.parsed == parse(QUESTION, TODAY)
    assert reading.notes == (
        "the question does not fit into the model's context; it was read by the rules only",
    )
    small.close()


def test_a_model_that_is_not_there_or_broken_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no language model is configured"):
        ModelParser(Session(LlamaSettings())).read(QUESTION, TODAY)
    with pytest.raises(MissingError, match=r"none\.gguf"):
        ModelParser(Session(LlamaSettings(model=tmp_path / "none.gguf"))).read(QUESTION, TODAY)
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(20))
    with pytest.raises(BadInputError, match=r"broken\.gguf"):
        ModelParser(Session(LlamaSettings(model=broken))).read(QUESTION, TODAY)
