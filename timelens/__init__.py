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
    from timelens.agent import (
        AgentEvent,
        Answer,
        Answered,
        Answerer,
        Dated,
        Gathered,
        Parsed,
        Parser,
        Planned,
        Reworded,
        StepDone,
        Token,
    )
    from timelens.all_corpora import AllCorpora
    from timelens.answer.model import Citation, Claim, Draft, Nearest, Status, Thought, TimeReference, Value
    from timelens.answer.timeline import Timeline
    from timelens.api import Corpus, list_corpora, open_all, open_corpus, remove_corpus
    from timelens.asking import SearchResult, calculate
    from timelens.config import Settings
    from timelens.documents import Chunk, Document, Event, Fact, Hit, QuotedTime, Scores
    from timelens.errors import BadInputError, MissingError, StoreError, TimelensError
    from timelens.ingest.dependent import DependentTable
    from timelens.ingest.failures import Failure
    from timelens.ingest.patterns import Selection
    from timelens.ingest.pipeline import IngestReport
    from timelens.ingest.progress import IngestProgress
    from timelens.ingest.proposals import Annotator
    from timelens.ingest.repair import Lost, Verification
    from timelens.ingest.sources import SourceFile
    from timelens.ingest.tables import TableColumns
    from timelens.question.conversation import Turn
    from timelens.question.merge import Reading
    from timelens.question.model import ParsedQuestion, Period, Plan
    from timelens.question.parse import parse
    from timelens.retrieval.model import Coverage, Summariser
    from timelens.retrieval.strategies import STRATEGIES
    from timelens.store.corpus import CorpusSummary
    from timelens.store.histogram import Histogram
    from timelens.store.overview import DocumentOverview
    from timelens.store.rows import StoredDocument
    from timelens.temporal.calendar import format_day, parse_day
    from timelens.temporal.conventions import Conventions
    from timelens.temporal.expressions import Expression, find_expressions
    from timelens.temporal.interval import Granularity, Interval

__all__ = [
    "STRATEGIES",
    "AgentEvent",
    "AllCorpora",
    "Annotator",
    "Answer",
    "Answered",
    "Answerer",
    "BadInputError",
    "Chunk",
    "Citation",
    "Claim",
    "Conventions",
    "Corpus",
    "CorpusSummary",
    "Coverage",
    "Dated",
    "DependentTable",
    "Document",
    "DocumentOverview",
    "Draft",
    "Event",
    "Expression",
    "Fact",
    "Failure",
    "Gathered",
    "Granularity",
    "Histogram",
    "Hit",
    "IngestProgress",
    "IngestReport",
    "Interval",
    "Lost",
    "MissingError",
    "Nearest",
    "Parsed",
    "ParsedQuestion",
    "Parser",
    "Period",
    "Plan",
    "Planned",
    "QuotedTime",
    "Reading",
    "Reworded",
    "Scores",
    "SearchResult",
    "Selection",
    "Settings",
    "SourceFile",
    "Status",
    "StepDone",
    "StoreError",
    "StoredDocument",
    "Summariser",
    "TableColumns",
    "Thought",
    "TimeReference",
    "TimelensError",
    "Timeline",
    "Token",
    "Turn",
    "Value",
    "Verification",
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

_NAMES = {
    "agent": "AgentEvent Answer Answered Answerer Dated Gathered Parsed"
    " Parser Planned Reworded StepDone Token",
    "all_corpora": "AllCorpora",
    "answer.model": "Citation Claim Draft Nearest Status Thought TimeReference Value",
    "answer.timeline": "Timeline",
    "api": "Corpus list_corpora open_all open_corpus remove_corpus",
    "asking": "SearchResult calculate",
    "config": "Settings",
    "documents": "Chunk Document Event Fact Hit QuotedTime Scores",
    "errors": "BadInputError MissingError StoreError TimelensError",
    "ingest.dependent": "DependentTable",
    "ingest.failures": "Failure",
    "ingest.patterns": "Selection",
    "ingest.pipeline": "IngestReport",
    "ingest.progress": "IngestProgress",
    "ingest.proposals": "Annotator",
    "ingest.repair": "Lost Verification",
    "ingest.sources": "SourceFile",
    "ingest.tables": "TableColumns",
    "question.conversation": "Turn",
    "question.merge": "Reading",
    "question.model": "ParsedQuestion Period Plan",
    "question.parse": "parse",
    "retrieval.model": "Coverage Summariser",
    "retrieval.strategies": "STRATEGIES",
    "store.corpus": "CorpusSummary",
    "store.histogram": "Histogram",
    "store.overview": "DocumentOverview",
    "store.rows": "StoredDocument",
    "temporal.calendar": "format_day parse_day",
    "temporal.conventions": "Conventions",
    "temporal.expressions": "Expression find_expressions",
    "temporal.interval": "Granularity Interval",
}
"""The names of the API by the module that each comes from."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:  # noqa: ANN401 -- the type of each name stands above
    """Load a name of the API (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
