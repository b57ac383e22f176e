"""The agent: answers a question as a stream of typed events, from parsing to the verified answer."""

from timelens.agent.answering import run, run_on
from timelens.agent.calendar_question import calculate
from timelens.agent.events import (
    AgentEvent,
    Answer,
    Answered,
    Answerer,
    Dated,
    Gathered,
    GatheredEvidence,
    GatherEvent,
    Parsed,
    Parser,
    Planned,
    Reworded,
    StepDone,
    Token,
)
from timelens.agent.gathering import gather
from timelens.agent.logged import logged

__all__ = [
    "AgentEvent",
    "Answer",
    "Answered",
    "Answerer",
    "Dated",
    "GatherEvent",
    "Gathered",
    "GatheredEvidence",
    "Parsed",
    "Parser",
    "Planned",
    "Reworded",
    "StepDone",
    "Token",
    "calculate",
    "gather",
    "logged",
    "run",
    "run_on",
]
