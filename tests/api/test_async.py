"""Questions from event loops, and many in a row."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from timelens.agent import Answer, Answerer
from timelens.answer.draft import Draft, Thought
from timelens.answer.rendering.timeline import Timeline
from timelens.corpus import Corpus
from timelens.errors import BadInputError, MissingError
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-01")
QUESTIONS = [
    "Who chaired the board in 2015?",
    "What was the rent in May 2017?",
    "When was Caesar killed?",
    "Who was Mayor in 2003?",
    "Who was Mayor in 2010?",
    "What date is 90 days before 1 March 2020?",
]
OPEN = "How did the rent change from 2014 to 2018?"
"""Something that is left to a model to write."""


class Endless(Answerer):
    """Writes until its stream is closed."""

    notes = ()

    def __init__(self) -> None:
        self.writing = threading.Event()
        self.closed = threading.Event()

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        del parsed, timeline, draft
        try:
            while True:
                self.writing.set()
                yield "on and "
        finally:
            self.closed.set()

    def cancel(self) -> None:
        raise AssertionError("others may write with it")


def essence(answer: Answer) -> tuple[str, ...]:
    return (answer.text, answer.status, *(one.hit.chunk.id for one in answer.citations))


async def test_tasks_and_a_thread_ask_one_corpus_at_once(board: Corpus, fresh: Corpus) -> None:
    alone = [essence(board.ask(question, as_of=TODAY)) for question in QUESTIONS]
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.005)
            beats += 1

    beating = asyncio.create_task(beat())
    thread = asyncio.to_thread(lambda: [fresh.ask(question, as_of=TODAY) for question in QUESTIONS])
    tasks = [fresh.ask_async(question, as_of=TODAY) for question in QUESTIONS * 3]
    found, beside = await asyncio.gather(asyncio.gather(*tasks), thread)
    beating.cancel()
    assert [essence(answer) for answer in found] == alone * 3
    assert [essence(answer) for answer in beside] == alone
    assert beats > 10


async def test_a_search_is_the_one_of_a_thread(board: Corpus) -> None:
    result = await board.search_async(QUESTIONS[0], as_of=TODAY, strategy="naive", k=2)
    assert result.hits == board.search(QUESTIONS[0], as_of=TODAY, strategy="naive", k=2).hits
    assert len(result.hits) == 2


async def test_errors_reach_the_task(fresh: Corpus) -> None:
    with pytest.raises(BadInputError, match="the question is empty"):
        await fresh.ask_async(" ", as_of=TODAY)
    with pytest.raises(BadInputError, match="0 pieces of evidence"):
        await fresh.search_async("Who?", as_of=TODAY, k=0)


async def test_cancelling_ends_what_runs_and_leaves_out_what_waits(board: Corpus) -> None:
    endless, never = Endless(), Endless()
    running = asyncio.create_task(board.ask_async(OPEN, as_of=TODAY, answerer=endless))
    waiting = asyncio.create_task(board.ask_async(OPEN, as_of=TODAY, answerer=never))
    last = asyncio.create_task(board.ask_async(QUESTIONS[0], as_of=TODAY))
    assert await asyncio.to_thread(endless.writing.wait, 20)
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await running
    assert running.cancelled()
    assert "Ruth Osei" in (await last).text
    assert endless.closed.is_set()
    assert not never.writing.is_set()


def test_each_of_many_questions_has_its_answer_or_its_error(board: Corpus) -> None:
    asked = [QUESTIONS[0], " ", *QUESTIONS[1:]]
    first, failed, *others = board.ask_many(asked, as_of=TODAY)
    assert isinstance(failed, BadInputError)
    answers = [one for one in (first, *others) if isinstance(one, Answer)]
    assert [essence(answer) for answer in answers] == [
        essence(board.ask(question, as_of=TODAY)) for question in QUESTIONS
    ]


def test_answers_come_as_they_are_taken_and_a_missing_corpus_is_told(board: Corpus) -> None:
    taken = []

    def questions() -> Iterator[str]:
        for question in QUESTIONS:
            taken.append(question)
            yield question

    next(board.ask_many(questions(), as_of=TODAY))
    assert taken == QUESTIONS[:1]
    with pytest.raises(BadInputError, match="there is no strategy 'best'"):
        next(board.ask_many(QUESTIONS, as_of=TODAY, strategy="best"))
    with pytest.raises(MissingError):
        next(Corpus(board.path.parent / "none", board.settings).ask_many(QUESTIONS, as_of=TODAY))  # type: ignore[union-attr]
