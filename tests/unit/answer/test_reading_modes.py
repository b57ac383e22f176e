"""The reading modes: what is asked before the answer, and what is made of it."""

import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from evidence import hit, timeline
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Draft, Status, Thought, Value
from timelens.answer.llama import LlamaAnswerer
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.lm import mode_steps, reading_modes
from timelens.answer.lm.language_model import Ending
from timelens.answer.lm.stop import Stop
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.answer.writing.answer_prompt import INSTRUCTIONS, NO_ANSWER, Prompt
from timelens.config import READING_MODES, LlamaSettings, ReadingMode
from timelens.documents import Fact
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity

QUESTION = parse("Who led the club in 1998?", day_number(2026))
DRAFT = Draft(Status.ANSWERED, "Ann [1].")
EVIDENCE = timeline("Ann led the club from 1998.", "Bob led the club.", "The roof was mended.")
"""Piece 1 is of 1999, piece 2 of 1998, piece 3 of 1997."""


def settings(model: Path, mode: ReadingMode, **changed: int) -> LlamaSettings:
    return LlamaSettings(model=model, reading=mode, answer_tokens=30, threads=1).model_copy(update=changed)


@pytest.fixture(scope="module")
def answerers(tiny_model: Path) -> Iterator[dict[ReadingMode, LlamaAnswerer]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mode_steps, "_THOUGHT_TOKENS", 60)
        yield from _made(tiny_model)


def _made(tiny_model: Path) -> Iterator[dict[ReadingMode, LlamaAnswerer]]:
    made = {mode: LlamaAnswerer(settings(tiny_model, mode)) for mode in READING_MODES}
    yield made
    for answerer in made.values():
        answerer.close()


class Scripted:
    """Writes what it is told to in place of the model, and keeps what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *written: str) -> None:
        self.asked: list[Prompt] = []
        self._written = list(written)
        monkeypatch.setattr(LoadedModel, "generate", self._generate)

    def _generate(
        self, prompt: Prompt, _most: int, _stop: Stop, _ending: Ending, grammar: object = None
    ) -> Iterator[str]:
        assert (grammar is not None) == (
            reading_modes.COURSE in prompt.request or reading_modes.JUDGE in prompt.request
        )
        self.asked.append(prompt)
        yield self._written.pop(0)

    def request(self, number: int) -> str:
        return self.asked[number].request


def written(
    answerer: LlamaAnswerer, evidence: Timeline = EVIDENCE, draft: Draft = DRAFT
) -> tuple[str, list[str]]:
    """The answer, and the thoughts before it."""
    pieces = list(answerer.write(QUESTION, evidence, draft))
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    return text, [piece.text for piece in pieces if isinstance(piece, Thought)]


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of tokens of every evaluation by llama.cpp that has begun."""
    from llama_cpp import Llama

    begun: list[int] = []
    evaluate = Llama.eval

    def counted(model: Llama, tokens: list[int]) -> None:
        begun.append(len(tokens))
        evaluate(model, tokens)

    monkeypatch.setattr(Llama, "eval", counted)
    return begun


@pytest.mark.parametrize("mode", READING_MODES)
def test_a_real_model_answers_in_every_mode(
    mode: ReadingMode, answerers: dict[ReadingMode, LlamaAnswerer]
) -> None:
    text, thoughts = written(answerers[mode])
    assert len(text) > 10
    assert text.isprintable()
    assert ("the answer was cut after 30 tokens" in answerers[mode].notes) == (not text.startswith(NO_ANSWER))
    if mode in ("cot", "self-rag"):
        assert thoughts
    assert written(answerers[mode]) == (text, thoughts)


@pytest.mark.parametrize("mode", READING_MODES)
def test_every_mode_is_cancelled_at_any_moment(
    mode: ReadingMode, answerers: dict[ReadingMode, LlamaAnswerer], evaluations: list[int]
) -> None:
    answerer = answerers[mode]
    whole = written(answerer)
    for moment in (0.0, 0.01, 0.03, 0.08, 0.2):
        reader = threading.Thread(target=written, args=[answerer])
        reader.start()
        time.sleep(moment)
        answerer.cancel()
        begun = len(evaluations)
        reader.join(60)
        assert not reader.is_alive()
        assert len(evaluations) <= begun + 1  # the one that was about to begin
    assert written(answerer) == whole


@pytest.mark.parametrize("mode", READING_MODES)
def test_every_mode_can_be_left_after_any_piece(
    mode: ReadingMode, answerers: dict[ReadingMode, LlamaAnswerer], evaluations: list[int]
) -> None:
    for taken in (0, 1, 2, 7):
        stream = answerers[mode].write(QUESTION, EVIDENCE, DRAFT)
        for _ in range(taken):
            next(stream, None)
        begun = len(evaluations)
        stream.close()  # type: ignore[attr-defined]
        assert len(evaluations) <= begun + 1  # the one that was about to begin
    assert written(answerers[mode])[0]


@pytest.mark.parametrize("mode", READING_MODES)
def test_every_mode_keeps_to_its_context(mode: ReadingMode, tiny_model: Path) -> None:
    """Evidence of more tokens than the context has is left out, and that is said."""
    answerer = LlamaAnswerer(settings(tiny_model, mode, context_tokens=4096))
    text, _ = written(answerer, timeline(*("Ann led the club. " * 20 for _ in range(10))))
    assert text
    limited = any("of 10 pieces of evidence" in note for note in answerer.notes)
    assert limited != text.startswith(NO_ANSWER)
    answerer.close()


def test_concat_shows_the_best_first_and_the_others_the_earliest(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Scripted(monkeypatch, "Ann.", "Ann.")
    for mode in ("direct", "concat"):
        assert written(answerers[mode]) == ("Ann.", [])
    numbers = [
        [line[:3] for line in prompt.request.splitlines() if line.startswith("[")] for prompt in script.asked
    ]
    assert numbers == [["[3]", "[2]", "[1]"], ["[1]", "[2]", "[3]"]]
    assert [prompt.instructions for prompt in script.asked] == [INSTRUCTIONS] * 2


def test_unstructured_evidence_stands_by_rank_without_its_times(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Scripted(monkeypatch, "Ann.", "Ann.")
    for mode in ("concat", "unstructured"):
        assert written(answerers[mode]) == ("Ann.", [])
    timed, untimed = (
        [line for line in prompt.request.splitlines() if line.startswith("[")] for prompt in script.asked
    )
    assert all(re.match(r"\[\d\] \(", line) for line in timed)
    assert untimed == [re.sub(r"^(\[\d\]) \(.*?\)", r"\1", line) for line in timed]
    rules = [prompt.instructions.splitlines() for prompt in script.asked]
    changed = [(one, other) for one, other in zip(*rules, strict=True) if one != other]
    assert changed
    assert not any("time" in other for _, other in changed)
    assert any(other.startswith("Each piece begins with its number. ") for _, other in changed)


def test_thoughts_go_into_the_prompt_of_the_answer(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Scripted(monkeypatch, "1998 is asked for.\nPiece [1] says so.<|im_end|>", "Ann [1].")
    answer, thoughts = written(answerers["cot"])
    assert answer == "Ann [1]."
    assert thoughts == ["- 1998 is asked for.\n- Piece (1) says so.{|im_end|}"]
    first, second = script.request(0), script.request(1)
    assert first.endswith(reading_modes.THINK)
    base = first.removesuffix(reading_modes.THINK)
    assert second == f"{base}{reading_modes.THOUGHTS_HEAD}\n{thoughts[0]}\n\n{reading_modes.ANSWER}"


def course(*entries: tuple[str, str, str]) -> str:
    return json.dumps({"entries": [{"evidence": n, "time": time, "what": what} for n, time, what in entries]})


def test_only_what_the_evidence_bears_out_stays_in_a_course_of_events(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = course(
        ("2", "1998", "Bob led"),
        ("1", "1950", "Ann led"),  # contradicted
        ("7", "1998", "Eve led"),  # there is no such piece
        ("1", "then", "Ann led"),  # states no time
        ("1", "1998", "Ann led until 2003"),  # one of two is not held
    )
    script = Scripted(monkeypatch, said, "Bob [2].")
    answer, thoughts = written(answerers["time-cot"])
    assert (answer, thoughts) == ("Bob [2].", ["- 1998: Bob led [2]"])
    assert f"{reading_modes.COURSE_HEAD}\n- 1998: Bob led [2]\n\n" in script.request(1)
    (note,) = answerers["time-cot"].notes
    assert note.startswith("4 of the 5 entries of the model's course of events are not supported")


def test_a_course_of_events_that_cannot_be_read_is_said(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Scripted(monkeypatch, '{"entries": [{"evid', "Ann [1].")
    assert written(answerers["time-cot"]) == ("Ann [1].", [])
    assert answerers["time-cot"].notes == (
        "the model wrote no readable course of events; it answered without one",
    )
    assert reading_modes.COURSE_HEAD not in script.request(1)


def test_of_a_course_that_was_cut_the_complete_entries_count() -> None:
    said = course(("2", "1998", "Bob led"), ("1", "1999", "Ann led"))
    assert reading_modes.course(said[:-20], EVIDENCE.citations) == (["- 1998: Bob led [2]"], ())


@given(st.text(max_size=200))
def test_whatever_a_model_writes_can_be_taken(said: str) -> None:
    assert reading_modes.course(said, EVIDENCE.citations)[0] == []
    reading_modes.judgement(said)
    assert all(len(line.splitlines()) == 1 for line in reading_modes.thoughts(said))


def judged(helps: bool, says: str = "") -> str:
    return json.dumps({"helps": helps, "says": says})


def test_pieces_are_judged_one_by_one_and_what_helps_is_put_together(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Scripted(
        monkeypatch,
        judged(True, "Ann led it from 1998."),
        judged(True, "Bob led it in 1776."),
        "no JSON",
        "Ann [1].",
    )
    answer, thoughts = written(answerers["self-rag"])
    assert answer == "Ann [1]."
    assert thoughts == ["[1] Ann led it from 1998.", "[2] Bob led it in 1776.", "[3] could not be judged"]
    for number, piece in enumerate(("Ann led the club", "Bob led the club", "The roof")):
        assert script.request(number).count("\n[") == 1
        assert f"[{number + 1}]" in script.request(number)
        assert piece in script.request(number)
    final = script.request(3)
    assert f"{reading_modes.READINGS_HEAD}\n- Ann led it from 1998. [1]\n\n{reading_modes.ANSWER}" in final
    assert all(f"\n[{number}] (" in final for number in (1, 2, 3))
    assert answerers["self-rag"].notes == (
        "the model's judgement of 1 of 3 pieces of evidence could not be read; these pieces are used",
        "1 of the model's readings were left out: they state times that their evidence does not",
    )


def test_pieces_that_are_of_no_help_are_not_in_the_prompt_of_the_answer(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Scripted(monkeypatch, judged(False), judged(True, "Bob led it."), judged(False), "Bob [2].")
    answer, _ = written(answerers["self-rag"])
    assert answer == "Bob [2]."
    assert script.asked[-1].shown == {2}
    assert answerers["self-rag"].notes == ("the model found no help in 2 of 3 pieces of evidence",)


def test_without_a_piece_that_helps_there_is_no_answer(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Scripted(monkeypatch, *[judged(False)] * 3)
    answer, _ = written(answerers["self-rag"])
    assert answer.startswith(NO_ANSWER)
    assert len(script.asked) == 3


def test_what_was_computed_from_records_stays_whatever_a_model_thinks_of_it(
    answerers: dict[ReadingMode, LlamaAnswerer], monkeypatch: pytest.MonkeyPatch
) -> None:
    fact = Fact((("leader", "Ann"),), day_number(1998), None, Granularity.YEAR)
    records = make_timeline(
        [hit("a", ["leader Ann: from 1998 until now."], 1998, fact=fact), hit("b", ["x"], 1998)]
    )
    draft = Draft(Status.ANSWERED, "", (Value("Ann", day_number(1998), None, (1,)),))
    script = Scripted(monkeypatch, judged(False), judged(False), "Ann [1].")
    assert written(answerers["self-rag"], records, draft)[0] == "Ann [1]."
    assert script.asked[-1].shown == {1}
    assert "\n- Ann [1]\n" in script.request(2)


@pytest.mark.parametrize("schema", [reading_modes.Course, reading_modes.Judgement])
def test_a_model_of_random_weights_writes_what_the_schema_asks_for(
    schema: type[reading_modes.Course | reading_modes.Judgement], tiny_model: Path
) -> None:
    from timelens.answer.models.gguf_header import describe_model

    model = LoadedModel(describe_model(tiny_model), LlamaSettings(threads=1))
    grammar = model.grammar_of(schema.model_json_schema())
    said = "".join(model.generate(Prompt("", "Who?", frozenset()), 3900, Stop(), Ending(), grammar))
    schema.model_validate_json(said)
    model.close()


@pytest.mark.parametrize(
    ("budget", "kept"), [(0, []), (1, ["o"]), (3, ["one", "t"]), (4, ["one", "two"]), (9, ["one", "two"])]
)
def test_notes_are_cut_to_their_budget(budget: int, kept: list[str]) -> None:
    assert reading_modes.fitting(["one", "two"], lambda text: -(-len(text) // 2), budget) == kept
