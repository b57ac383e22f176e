"""What the agent makes of what a model writes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
from evidence import hit, year

from timelens import agent
from timelens.agent import Answer, Answered, Answerer, Gathered, Parsed, Parser, Token
from timelens.answer.draft import Draft, Status, Support, Thought
from timelens.answer.llama import LlamaAnswerer
from timelens.answer.rendering.timeline import Timeline
from timelens.answer.writing.answer_prompt import NO_ANSWER, compose
from timelens.answer.writing.reading_prompt import ModelReading, reading_of, reading_prompt
from timelens.config import READING_MODES, RISK, LlamaSettings
from timelens.documents import Fact, Hit
from timelens.question.merge import Reading
from timelens.question.parse import parse
from timelens.question.parsed_question import ParsedQuestion
from timelens.retrieval.request import Request, Retrieved
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy
from timelens.temporal.calendar import Day, day_number
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Granularity, Interval

HITS = (hit("ann", ["Ann led the club in 1998."], 1998), hit("bob", ["Bob led the club in 1998."], 1998))


class Store:
    def span(self) -> Interval:
        return year(1998)


@dataclass
class FixedSearcher:
    store: Store = field(default_factory=Store)


@dataclass
class Scripted:
    """A model that writes what it is told to."""

    pieces: Sequence[str | Thought]
    notes: tuple[str, ...] = ()
    closed: bool = False

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        assert (parsed.question, len(timeline.citations), draft.status) == (QUESTION, 2, Status.ANSWERED)
        try:
            yield from self.pieces
        finally:
            self.closed = True

    def cancel(self) -> None:
        raise AssertionError("nobody cancels here")


QUESTION = "Who led the club in 1998?"


def events(
    answerer: Answerer | None, parser: Parser | None = None, question: str = QUESTION, risk: float = RISK
) -> Iterator[agent.AgentEvent]:
    def fixed(_request: Request, _searcher: Searcher) -> Retrieved:
        return Retrieved(HITS)

    return agent.run(
        question,
        reference_day=day_number(2026),
        searcher=cast("Searcher", FixedSearcher()),
        strategy=Strategy(fixed),
        k=10,
        answerer=answerer,
        parser=parser,
        risk=risk,
    )


def asked(answerer: Answerer) -> Answer:
    """The answer, after a look at whether the stream showed the same text."""
    seen = list(events(answerer))
    assert isinstance(seen[-1], Answered)
    answer = seen[-1].answer
    assert "".join(event.text for event in seen if isinstance(event, Token)) == answer.text
    return answer


@dataclass
class Reads(Scripted):
    """A model that reads values before anything is written."""

    reply: str = ""

    def read_values(self, parsed: ParsedQuestion, hits: Sequence[Hit]) -> ModelReading:
        prompt = reading_prompt(parsed, hits, count=len, most=10_000)
        return reading_of(prompt, self.reply, log_probability=-0.1, log_refusal=-5.0)

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        raise AssertionError(f"it has read: {parsed.question}, {timeline}, {draft}")


@pytest.mark.parametrize(
    ("reply", "status", "first"),
    [
        ("Bob [2]", Status.ANSWERED, "Bob [1]."),
        (NO_ANSWER, Status.NO_ANSWER, "No clear statement was found"),
        ("Zoe [2]", Status.NO_ANSWER, "No clear statement was found"),
    ],
)
def test_what_a_model_read_is_written_by_rules_and_its_words_are_kept(
    reply: str, status: Status, first: str
) -> None:
    answer = asked(Reads((), notes=("a remark",), reply=reply))
    assert answer.status is status
    assert answer.text.startswith(first)
    assert answer.written == reply
    assert "a remark" in answer.notes
    if status is Status.ANSWERED:
        assert [value.text for value in answer.values] == ["Bob"]
        assert {claim.support for claim in answer.claims} == {Support.SUPPORTED}


@dataclass
class FromMemory(Scripted):
    """A model that is given no evidence."""

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        assert (parsed.question, timeline.citations, draft.text) == (QUESTION, (), "")
        yield from self.pieces


@pytest.mark.parametrize(
    ("pieces", "status", "text", "times"),
    [
        (["Ann led it in 1998 [1]."], Status.ANSWERED, "Ann led it in 1998.", [Support.UNSUPPORTED]),
        ([NO_ANSWER], Status.NO_ANSWER, NO_ANSWER, []),
        ([], Status.NO_ANSWER, "", []),
    ],
)
def test_without_evidence_a_model_answers_from_memory(
    pieces: list[str], status: Status, text: str, times: list[Support]
) -> None:
    model = FromMemory(pieces)
    *_, last = agent.run_on(QUESTION, (), reference_day=day_number(2026), span=year(1998), answerer=model)
    assert isinstance(last, Answered)
    answer = last.answer
    assert (answer.status, answer.text, answer.citations) == (status, text, ())
    assert [reference.support for reference in answer.time_references] == times


def test_given_evidence_is_answered_from_and_nothing_else() -> None:
    chunks = [one.chunk for one in HITS]
    answers = [
        list(agent.run_on(QUESTION, given, reference_day=day_number(2026), span=year(1998)))[-1]
        for given in (chunks[:1], chunks[1:])
    ]
    texts = [one.answer.text for one in answers if isinstance(one, Answered)]
    assert [("Ann" in text, "Bob" in text) for text in texts] == [(True, False), (False, True)]
    with pytest.raises(ValueError, match="no evidence and no model to answer from"):
        list(agent.run_on(QUESTION, (), reference_day=day_number(2026), span=None))


def test_citations_and_times_of_a_models_text_are_checked() -> None:
    answer = asked(Scripted(["Ann led it in ", "1998 [1", "].\nBob led it in 1950 [2]."], ("a note",)))
    assert answer.text == "Ann led it in 1998 [1].\nBob led it in 1950 [2]."
    assert [citation.number for citation in answer.citations] == [1, 2]
    assert [(r.text, r.support) for r in answer.time_references] == [
        ("1998", Support.SUPPORTED),
        ("1950", Support.CONTRADICTED),
    ]
    assert answer.notes == ("a note", "the evidence cited for it contradicts what the answer says about 1950")


def test_a_time_that_is_contradicted_does_not_pass_for_a_fact_on_a_terminal_or_in_a_pipe(
    capfd: pytest.CaptureFixture[str],
) -> None:
    from timelens.cli.display import show_answer

    show_answer(asked(Scripted(["Ann led it in 1998 [1].\nBob led it in 1950 [2].\nEve led it in 1777."])))
    shown = capfd.readouterr()
    assert shown.out.startswith("Ann led it in 1998 [1].\nBob led it in 1950✗ [2].\nEve led it in 1777?.\n")
    assert "contradicted: 1950" in shown.err
    assert "unsupported: 1777" in shown.err
    assert "contradicts what the answer says about 1950" in shown.err


def test_a_line_that_no_evidence_states_does_not_pass_for_a_fact_either(
    capfd: pytest.CaptureFixture[str],
) -> None:
    from timelens.cli.display import show_answer

    answer = asked(Scripted(["Ann led the club [1].\nAnn sold the club for 3 million [1]."]))
    assert [(claim.text, claim.support) for claim in answer.claims] == [
        ("Ann led the club.", Support.SUPPORTED),
        ("Ann sold the club for 3 million.", Support.UNSUPPORTED),
    ]
    show_answer(answer)
    shown = capfd.readouterr()
    assert shown.out.startswith("Ann led the club [1].\nAnn sold the club for 3 million [1].?\n")
    assert "unsupported: Ann sold the club for 3 million [1]." in shown.err
    assert "does not state a line of the answer" in shown.err


def test_thoughts_come_before_the_answer_and_are_no_part_of_it() -> None:
    seen = list(events(Scripted([Thought("in 1950?"), "Ann [", "1", "] led it."])))
    thought = seen.index(Thought("in 1950?"))
    assert all(isinstance(event, Token | Answered) for event in seen[thought + 1 :])
    assert isinstance(seen[-1], Answered)
    assert seen[-1].answer.text == "Ann [1] led it."
    assert seen[-1].answer.time_references == ()


def test_citations_that_a_model_invents_are_taken_out() -> None:
    answer = asked(Scripted(["Ann led it [", "7], as did Bob [2, 3]."]))
    assert answer.text == "Ann led it, as did Bob [2]."
    assert [citation.number for citation in answer.citations] == [2]


def test_an_answer_without_citations_cites_what_bears_it_out() -> None:
    answer = asked(Scripted(["Bob ", "led it."]))
    assert answer.text == "Bob led it. [2]"
    assert [citation.number for citation in answer.citations] == [2]
    assert answer.notes == ()


ROWS = [
    hit(name, [f"mayor of Rome: {name}"], year_of, fact=Fact(
        (("office", "mayor"), ("city", "Rome"), ("name", name)),
        day_number(year_of), day_number(year_of + 2), Granularity.YEAR,
    ))
    for name, year_of in (("Ann", 1998), ("Bob", 2001))
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "text", "notes"),
    [
        ("The mayor was Ann [1].", "The mayor was Ann [1].", 0),
        ("It was Ann.", "It was Ann. [1]", 0),
        ("The mayor was Bob [2].", None, 1),
        (NO_ANSWER, None, 1),
    ],
)
def test_what_records_say_is_worded_by_a_model_and_not_changed(
    words: str, text: str | None, notes: int
) -> None:
    def stream(answerer: Answerer | None) -> list[agent.AgentEvent]:
        chunks = [row.chunk for row in ROWS]
        question = "Who was mayor of Rome in 1998?"
        return list(
            agent.run_on(question, chunks, reference_day=day_number(2026), span=None, answerer=answerer)
        )

    plain, seen = stream(None)[-1], stream(Wording([*words]))
    last = seen[-1]
    assert isinstance(plain, Answered)
    assert isinstance(last, Answered)
    assert [value.text for value in last.answer.values] == ["Ann"]
    assert last.answer.text == (text or plain.answer.text)
    assert "".join(event.text for event in seen if isinstance(event, Token)) == last.answer.text
    assert last.answer.written == words
    assert len(last.answer.notes) == notes


@dataclass
class Wording(Scripted):
    """A model that is given what rows of a table say."""

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        assert (len(timeline.citations), parsed.question[:3]) == (2, "Who")
        assert [value.text for value in draft.values] == ["Ann"]
        yield from self.pieces


def test_an_answer_that_nothing_bears_out_is_noted() -> None:
    answer = asked(Scripted(["Eve led it."]))
    assert answer.citations == ()
    assert answer.notes == ("the model's answer cites no evidence, so nothing in it could be checked",)


def test_a_model_that_finds_no_answer_gives_no_answer() -> None:
    answer = asked(Scripted([f"{NO_ANSWER}: it names Bob alone [2]."]))
    assert (answer.status, answer.values, answer.notes) == (Status.NO_ANSWER, (), ())
    assert [citation.number for citation in answer.citations] == [2]


@dataclass
class Unguided(Scripted):
    """A model that reads evidence in which no clear statement was found."""

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        assert (parsed.question, len(timeline.citations), draft.status) == (UNCLEAR, 2, Status.NO_ANSWER)
        yield from self.pieces


UNCLEAR = "Was Ann the best leader of the club in 1998?"


def unclear(pieces: Sequence[str]) -> Answer:
    """What becomes of a model's words where no clear statement was found; the stream shows the same text."""
    seen = list(events(Unguided(pieces), question=UNCLEAR, risk=0.01))
    assert isinstance(seen[-1], Answered)
    answer = seen[-1].answer
    assert "".join(event.text for event in seen if isinstance(event, Token)) == answer.text
    return answer


@pytest.mark.parametrize(
    ("pieces", "begins", "cited"),
    [
        (["Ann led it", " in 1998 [1]."], "Perhaps: Ann led it in 1998 [1].\nNo clear statement was", [1]),
        (["No ", "answer is sure."], "Perhaps: No answer is sure.\nNo clear statement was found on", []),
        (["No ans", f"{NO_ANSWER[6:]}: none."], f"{NO_ANSWER}: none.", []),
        ([], "No clear statement was found on “Was Ann the best leader of the club?” for 1998. Nearest:", []),
        (
            ["[2]", "."],
            "No clear statement was found on “Was Ann the best leader of the club?” for 1998. Nearest:",
            [],
        ),
    ],
)
def test_a_models_words_are_a_guess_where_no_clear_statement_was_found(
    pieces: list[str], begins: str, cited: list[int]
) -> None:
    answer = unclear(pieces)
    assert answer.status is Status.NO_ANSWER
    assert answer.text.startswith(begins)
    assert [citation.number for citation in answer.citations] == cited
    assert (answer.time_references, answer.claims) == ((), ())
    assert answer.nearest
    assert all(near.citation.number not in cited for near in answer.nearest)


def test_a_model_is_not_asked_when_an_event_was() -> None:
    *_, last = events(Unguided(["It was Eve."]), question="Who led the club when Zed became pope?")
    assert isinstance(last, Answered)
    assert (last.answer.status, last.answer.nearest) == (Status.NO_ANSWER, ())
    assert "It was Eve" not in last.answer.text


@pytest.mark.parametrize("pieces", [[], [" ", "\n"]])
def test_the_evidence_speaks_when_a_model_says_nothing(pieces: list[str]) -> None:
    *_, last = events(Scripted(pieces))
    assert isinstance(last, Answered)
    assert "Ann led the club in 1998. [1]" in last.answer.text
    assert last.answer.notes == ("the model wrote nothing; the answer shown is that of the evidence",)


def test_closing_the_stream_closes_the_models() -> None:
    model = Scripted(["Ann", " led", " it."])
    stream = events(model)
    next(event for event in stream if isinstance(event, Token))
    stream.close()  # type: ignore[attr-defined]
    assert model.closed


def test_a_question_is_answered_by_a_real_model_end_to_end(tiny_model: Path) -> None:
    answerer = LlamaAnswerer(LlamaSettings(model=tiny_model, answer_tokens=30, threads=1))
    seen = list(events(answerer))
    answerer.close()
    assert any(isinstance(event, Gathered) for event in seen)
    assert isinstance(seen[-1], Answered)
    answer = seen[-1].answer
    assert answer.text == "".join(event.text for event in seen if isinstance(event, Token))
    assert len(answer.text) > 10
    assert "the answer was cut after 30 tokens" in answer.notes


@dataclass
class OfPeriods(Scripted):
    """A model that is asked about several periods, and sees what was found for them."""

    seen: list[tuple[ParsedQuestion, Timeline, Draft]] = field(default_factory=list)

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        self.seen.append((parsed, timeline, draft))
        yield from self.pieces


PERIODS = "Who led the club in 1998 and in 2005?"


def test_a_model_is_asked_about_every_period_and_what_lacks_an_answer_keeps_its_nearest() -> None:
    model = OfPeriods(["Ann led it in 1998 [1]."])
    *_, gathered, _, last = events(model, question=PERIODS)
    assert isinstance(gathered, Gathered)
    assert isinstance(last, Answered)
    [(parsed, timeline, draft)] = model.seen
    assert [period.text for period in parsed.periods] == ["in 1998", "in 2005"]
    assert gathered.periods == last.answer.periods == parsed.periods
    prompt = compose(parsed, timeline, draft, count=len, budget=100_000)
    assert prompt is not None
    assert "TIME ASKED FOR: 1998; 2005\n" in prompt.request
    cited = {citation.number for citation in last.answer.citations}
    assert cited == {1}
    assert all(near.citation.number not in cited for near in last.answer.nearest)
    assert {near.citation.number for near in draft.nearest} <= {
        *cited,
        *(near.citation.number for near in last.answer.nearest),
    }


@pytest.mark.parametrize("mode", READING_MODES)
def test_several_periods_are_answered_by_a_real_model_in_every_reading_mode(
    tiny_model: Path, mode: str
) -> None:
    settings = LlamaSettings(model=tiny_model, answer_tokens=30, threads=1)
    answerer = LlamaAnswerer(settings.model_copy(update={"reading": mode}))
    seen = list(events(answerer, question=PERIODS))
    answerer.close()
    assert isinstance(seen[-1], Answered)
    answer = seen[-1].answer
    assert [period.text for period in answer.periods] == ["in 1998", "in 2005"]
    assert [covered.period for covered in answer.coverage.periods] == [p.interval for p in answer.periods]
    assert answer.text == "".join(event.text for event in seen if isinstance(event, Token))
    assert answer.text


class Doubtful:
    """A parser that reads as the rules do and has something to say."""

    def read(self, question: str, reference_day: Day, conventions: Conventions) -> Reading:
        return Reading(parse(f"{question} Or before 1998?", reference_day, conventions), ("read otherwise",))

    def cancel(self) -> None:
        raise AssertionError("nobody cancels here")


def test_a_parsers_reading_is_what_is_answered_and_its_notes_are_in_the_stream() -> None:
    first, *_, last = events(None, Doubtful())
    assert isinstance(first, Parsed)
    assert isinstance(last, Answered)
    assert first.parsed.question == f"{QUESTION} Or before 1998?"
    assert first.notes == ("read otherwise",)
    assert last.answer.notes[0] == "read otherwise"


def test_without_a_parser_the_rules_read_and_say_nothing() -> None:
    first, *_, last = events(None)
    assert isinstance(first, Parsed)
    assert isinstance(last, Answered)
    assert (first.parsed, first.notes, last.answer.notes) == (parse(QUESTION, day_number(2026)), (), ())
