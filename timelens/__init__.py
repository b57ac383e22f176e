"""timelens: answers to questions about time, from your own documents, on your own machine.

The whole Python API, each name loaded when it is first used:

>>> import timelens
>>> corpus = timelens.open_corpus("leaders")
>>> corpus.ingest(["corpora/leaders/documents"]).added
1
>>> answer = corpus.ask(
...     "Who was Prime Minister of Japan on 1 May 2010?", as_of=timelens.parse_day("2024-06-01")
... )
>>> print(answer.text)
Yukio Hatoyama: Japan, Prime Minister, from 16 September 2009 to 8 June 2010 [1].
>>> answer.citations[0].hit.chunk.document_id
'leaders.csv'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from timelens.agent import AgentEvent, Answer
    from timelens.all_corpora import AllCorpora
    from timelens.answer.timeline import Timeline
    from timelens.api import Corpus, list_corpora, open_all, open_corpus, remove_corpus
    from timelens.asking import SearchResult, calculate
    from timelens.config import Settings
    from timelens.errors import BadInputError, MissingError, StoreError, TimelensError
    from timelens.question.parse import parse
    from timelens.temporal.calendar import format_day, parse_day
    from timelens.temporal.expressions import find_expressions

__all__ = [
    "AgentEvent",
    "AllCorpora",
    "Answer",
    "BadInputError",
    "Corpus",
    "MissingError",
    "SearchResult",
    "Settings",
    "StoreError",
    "TimelensError",
    "Timeline",
    "calculate",
    "find_expressions",
    "format_day",
    "list_corpora",
    "open_all",
    "open_corpus",
    "parse",
    "parse_day",
    "remove_corpus",
]

_HOMES = {
    "AgentEvent": "agent",
    "AllCorpora": "all_corpora",
    "Answer": "agent",
    "BadInputError": "errors",
    "Corpus": "api",
    "MissingError": "errors",
    "SearchResult": "asking",
    "Settings": "config",
    "StoreError": "errors",
    "Timeline": "answer.timeline",
    "TimelensError": "errors",
    "calculate": "asking",
    "find_expressions": "temporal.expressions",
    "format_day": "temporal.calendar",
    "list_corpora": "api",
    "open_all": "api",
    "open_corpus": "api",
    "parse": "question.parse",
    "parse_day": "temporal.calendar",
    "remove_corpus": "api",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 -- the type of each name stands above
    """Load a name of the API (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
