"""A small real model through llama.cpp: it streams, is cancelled, refuses and cites.

What such a model says is mostly wrong, so that nothing here rests on its words: what is tested holds of any
words, or a grammar leaves the model no others. Its file is the one that TIMELENS_TEST_MODEL names, else
SmolLM2-135M where ``MODEL`` has it.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cli.conftest import harbour, harbour_home
from tiny_llama import threads

from timelens.agent import AgentEvent, Answer, Answered, Gathered, Token
from timelens.answer.citation_numbers import numbers_cited
from timelens.answer.draft import Status, Support
from timelens.answer.llama import LlamaAnswerer
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.lm.language_model import Ending
from timelens.answer.lm.stop import Stop
from timelens.answer.writing.answer_prompt import NO_ANSWER, Prompt
from timelens.api import open_corpus
from timelens.config import LlamaSettings, ReadingMode
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

__all__ = ["harbour", "harbour_home"]  # fixtures
pytestmark = pytest.mark.long

NAMED_BY = "TIMELENS_TEST_MODEL"
MODEL = Path("~/.cache/timelens-models/smollm2-135m.gguf")
AS_OF = day_number(2024)
PIECES = 4
"""Of evidence: reading them takes most of the time."""
OPEN = "How did the ferry fare change?"
"""The documents answer it, so that a model words the answer freely."""
LINE = 'words ::= [A-Z] [a-z]{2,9} (" " [a-z]{2,9}){2,6}'
"""A few words, in the grammar of llama.cpp."""


@pytest.fixture(scope="module")
def path() -> Path:
    named = os.environ.get(NAMED_BY)
    file = Path(named or MODEL).expanduser()
    if named and not file.is_file():
        pytest.fail(f"{NAMED_BY} names {named}, which is no file")
    if not file.is_file():
        pytest.skip(f"there is no real model: {MODEL} is missing, and {NAMED_BY} names no other GGUF file")
    return file


def answering(path: Path, reading: ReadingMode = "direct") -> LlamaAnswerer:
    settings = LlamaSettings(model=path, reading=reading, evidence_tokens=320, answer_tokens=96, threads=1)
    return LlamaAnswerer(settings)


@pytest.fixture
def answerer(path: Path) -> Iterator[LlamaAnswerer]:
    made = answering(path)
    yield made
    made.close()


@pytest.fixture
def corpus(harbour: str) -> Corpus:
    return open_corpus(harbour)


@dataclass
class Watched:
    """What a model was asked, and how much it wrote."""

    prompts: list[str] = field(default_factory=list)
    tokens: int = 0
    tokens_at_stop: list[int] = field(default_factory=list)
    """How many were written when each stop was requested."""
    rules: str | None = None
    """The grammar of all that is written."""
    schema: dict[str, object] = field(default_factory=dict)
    """What takes the place of properties of the JSON that is asked for."""


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    seen = Watched()
    text_of, generate, grammar_of = LoadedModel._bytes, LoadedModel.generate, LoadedModel.grammar_of
    stop_it = Stop.set

    def counted(self: LoadedModel, token: int, *, special: bool = False) -> bytes:
        seen.tokens += not special
        return text_of(self, token, special=special)

    def asked(
        self: LoadedModel, prompt: Prompt, most: int, stop: Stop, ending: Ending, grammar: object = None
    ) -> Iterator[str]:
        from llama_cpp.llama_grammar import LlamaGrammar

        seen.prompts.append(prompt.request)
        forced = None if seen.rules is None else LlamaGrammar.from_string(seen.rules, verbose=False)
        return generate(self, prompt, most, stop, ending, forced or grammar)

    def narrowed(self: LoadedModel, schema: dict[str, dict[str, object]]) -> object:
        return grammar_of(self, {**schema, "properties": {**schema["properties"], **seen.schema}})

    def stopped(self: Stop) -> None:
        stop_it(self)
        seen.tokens_at_stop.append(seen.tokens)

    monkeypatch.setattr(LoadedModel, "_bytes", counted)
    monkeypatch.setattr(LoadedModel, "generate", asked)
    monkeypatch.setattr(LoadedModel, "grammar_of", narrowed)
    monkeypatch.setattr(Stop, "set", stopped)
    return seen


def last(events: list[AgentEvent]) -> Answer:
    assert isinstance(events[-1], Answered)
    return events[-1].answer


def ask(corpus: Corpus, question: str, answerer: LlamaAnswerer) -> Answer:
    return corpus.ask(question, as_of=AS_OF, k=PIECES, answerer=answerer)


def test_an_answer_is_shown_while_it_is_being_written(
    corpus: Corpus, answerer: LlamaAnswerer, watched: Watched
) -> None:
    written_at: list[int] = []
    events = []
    for event in corpus.stream(OPEN, as_of=AS_OF, k=PIECES, answerer=answerer):
        events.append(event)
        if isinstance(event, Token):
            written_at.append(watched.tokens)
    assert len(written_at) > 3
    assert written_at[1] < watched.tokens, "the second piece came when all was written"
    answer = last(events)
    assert answer.text == "".join(event.text for event in events if isinstance(event, Token))
    assert answer.written is not None
    assert answer.written.strip()


@pytest.mark.parametrize("how", ["cancel", "close"])
def test_a_cancelled_answer_ends_within_a_token_and_another_can_be_asked_for(
    corpus: Corpus, answerer: LlamaAnswerer, watched: Watched, how: str
) -> None:
    ask(corpus, OPEN, answerer)
    whole, watched.tokens = watched.tokens, 0
    watched.tokens_at_stop.clear()
    stream = corpus.stream(OPEN, as_of=AS_OF, k=PIECES, answerer=answerer)
    pieces = (event for event in stream if isinstance(event, Token))
    begun = [next(pieces).text, next(pieces).text]
    if how == "cancel":
        answerer.cancel()
        *_, event = stream
        assert isinstance(event, Answered)
        assert event.answer.text.startswith("".join(begun))
        assert "the answer was cancelled before it was complete" in event.answer.notes
    else:
        stream.close()  # type: ignore[attr-defined]
    for thread in threads():
        thread.join()
    assert len(begun) <= watched.tokens <= watched.tokens_at_stop[0] + 1
    assert watched.tokens < whole, "nothing was left to be cancelled"

    watched.tokens = 0
    answer = ask(corpus, "What did the council decide in 2016?", answerer)
    assert watched.tokens > 2
    assert answer.written
    assert not any("cancelled" in note for note in answer.notes)


def test_a_model_is_asked_about_rows_that_are_there_and_not_about_rows_that_are_not(
    corpus: Corpus, answerer: LlamaAnswerer, watched: Watched
) -> None:
    absent = ask(corpus, "Who was the keeper of North Point in 1900?", answerer)
    assert (absent.status, absent.written, watched.prompts) == (Status.NO_ANSWER, None, [])
    assert answerer.session._model is None, "the model was loaded for a question that it is not asked"
    present = ask(corpus, "Who was the keeper of North Point in 2010?", answerer)
    assert present.status is Status.ANSWERED
    assert present.written
    assert [value.text for value in present.values] == ["Jonas Berg"]
    assert "Jonas Berg" in present.text, "whatever the model makes of it, the row is shown"


def test_a_reply_that_begins_with_the_phrase_for_it_is_a_refusal(
    corpus: Corpus, answerer: LlamaAnswerer, watched: Watched
) -> None:
    """The grammar alone makes the model refuse; that it comes in tokens of its own is what is tested."""
    watched.rules = f'root ::= "{NO_ANSWER}: " words "."\n{LINE}'
    events = list(corpus.stream(OPEN, as_of=AS_OF, k=PIECES, answerer=answerer))
    answer = last(events)
    assert sum(isinstance(event, Token) for event in events) > 3
    assert answer.status is Status.NO_ANSWER
    assert answer.text == answer.written
    assert answer.text.startswith(f"{NO_ANSWER}: ")
    assert (answer.values, answer.claims, answer.time_references) == ((), (), ())
    watched.rules = f'root ::= "It is not so. " "{NO_ANSWER}."'
    assert ask(corpus, OPEN, answerer).status is not Status.NO_ANSWER


@pytest.mark.parametrize("helps", [False, True])
def test_an_answer_is_asked_for_where_some_piece_was_judged_to_help(
    corpus: Corpus, path: Path, watched: Watched, helps: bool
) -> None:
    answerer = answering(path, "self-rag")
    watched.schema = {"helps": {"const": helps}, "says": {"const": ""}}
    events = list(corpus.stream(OPEN, as_of=AS_OF, k=PIECES, answerer=answerer))
    answerer.close()
    pieces = next(len(event.timeline.citations) for event in events if isinstance(event, Gathered))
    assert pieces > 1
    assert len(watched.prompts) == pieces + helps
    refused = f"{NO_ANSWER}: none of its pieces, read one by one, answers the question."
    assert (last(events).text == refused) is not helps
    assert (last(events).status is Status.NO_ANSWER) or helps


@pytest.mark.parametrize("reading", ["direct", "cot", "time-cot"])
def test_what_is_cited_is_evidence_and_nothing_uncited_counts_as_supported(
    corpus: Corpus, path: Path, reading: ReadingMode
) -> None:
    answerer = answering(path, reading)
    events = list(corpus.stream(OPEN, as_of=AS_OF, k=PIECES, answerer=answerer))
    answerer.close()
    answer = last(events)
    evidence = next(event.timeline for event in events if isinstance(event, Gathered))
    cited = {citation.number for citation in answer.citations}
    assert set(numbers_cited(answer.text)) == cited
    assert cited <= {citation.number for citation in evidence.citations}
    if answer.status is not Status.NO_ANSWER:
        citing = [line for line in answer.text.splitlines() if numbers_cited(line)]
        assert len(citing) == sum(bool(claim.citations) for claim in answer.claims), "a cited line is a claim"
        assert citing or any("cites no evidence" in note for note in answer.notes)
    for claim in answer.claims:
        assert set(claim.citations) <= cited
        assert claim.citations or claim.support is not Support.SUPPORTED


def test_each_line_is_checked_against_what_it_cites(
    corpus: Corpus, answerer: LlamaAnswerer, watched: Watched
) -> None:
    """The grammar gives the citations and a line that the evidence states; other words are the model's."""
    events = corpus.stream(OPEN, as_of=AS_OF, k=PIECES)
    timeline = next(event.timeline for event in events if isinstance(event, Gathered))
    best = next(citation.hit.chunk for citation in timeline.citations if citation.number == 1)
    quoted = best.sentence(0).rstrip(".")
    lines = [f'"{quoted} [1].\\n"', 'words " [99].\\n"', 'words " in 1887 [1]."']
    watched.rules = f"root ::= {' '.join(lines)}\n{LINE}"
    answer = ask(corpus, OPEN, answerer)
    assert answer.written is not None
    assert "[1]" in answer.written
    assert [citation.number for citation in answer.citations] == [1]
    assert [claim.citations for claim in answer.claims if claim.citations] == [(1,), (1,)]
    assert [line.count("[") for line in answer.text.splitlines()] == [1, 0, 1], "there is no piece 99"
    supported = [claim.text for claim in answer.claims if claim.support is Support.SUPPORTED]
    assert supported == [f"{quoted}."]
    assert [(one.text, one.support is Support.SUPPORTED) for one in answer.time_references][-1] == (
        "1887",
        False,
    )
