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

Corpora
    open_corpus, open_all, open_to_ask, list_corpora and remove_corpus; Corpus and AllCorpora, which are
    Askable; what they hold (Document, Chunk, Event, Fact, Histogram …)
Questions
    parse, STRATEGIES; how a question is read (ParsedQuestion, Period, Plan, Turn …) and what is found for it
    (SearchResult, Hit, Coverage …)
Answers
    Answer and its parts (Status, Value, Citation, Claim …); calculate; the events of a stream (Gathered,
    Dated, Token, Answered …)
Ingest
    IngestReport, IngestProgress, Selection, TableColumns, Verification …
Settings and errors
    Settings and its tables; TimelensError and its kinds, ExitCode

Calendar arithmetic is in :mod:`timelens.temporal`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

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
    from timelens.answer.draft import (
        Candidate,
        Citation,
        Claim,
        Decision,
        Derived,
        Draft,
        Nearest,
        Statement,
        Status,
        Support,
        Thought,
        TimeReference,
        Value,
    )
    from timelens.answer.rendering.timeline import Timeline
    from timelens.answer.text.event_dates import DatedEvent
    from timelens.api import list_corpora, open_all, open_corpus, open_to_ask, remove_corpus
    from timelens.asking import Askable, SearchResult, calculate
    from timelens.config import (
        ANSWERERS,
        READING_MODES,
        AnswererName,
        ChatSettings,
        EmbedderSettings,
        HistorySettings,
        IngestSettings,
        LlamaSettings,
        ModelSettings,
        ReadingMode,
        RerankerSettings,
        ServerSettings,
        Settings,
        StorageSettings,
        TableSettings,
        TimeSettings,
        configure,
    )
    from timelens.corpus import Corpus
    from timelens.documents import (
        Chunk,
        Document,
        Event,
        EventSource,
        Fact,
        Hit,
        Mark,
        Part,
        QuotedTime,
        Scores,
    )
    from timelens.embedding.base import EmbedderIdentity
    from timelens.errors import BadInputError, ExitCode, MissingError, OutputError, StoreError, TimelensError
    from timelens.ingest.date_columns import TableColumns
    from timelens.ingest.dependencies import Break, Dependency
    from timelens.ingest.dependent import DependentTable
    from timelens.ingest.failures import Failure
    from timelens.ingest.patterns import ALL_FILES, USUAL_FILES, Selection
    from timelens.ingest.pipeline import Changes, IngestReport
    from timelens.ingest.progress import IngestProgress
    from timelens.ingest.proposals import Annotator
    from timelens.ingest.repair import Lost, Repair, Verification
    from timelens.ingest.sources import SourceFile
    from timelens.ingest.sync_removals import MostlyGoneError
    from timelens.question.distances import Distance, Reach
    from timelens.question.followup.conversation import AnsweredValue, Turn
    from timelens.question.implicit_times import ImplicitTime
    from timelens.question.merge import Reading
    from timelens.question.parse import parse
    from timelens.question.parsed_question import (
        Constraint,
        Focus,
        Intent,
        Ordinal,
        ParsedQuestion,
        Period,
        PeriodRole,
        Plan,
        ReasoningClass,
        Step,
        StepKind,
        Window,
    )
    from timelens.question.roles import Role
    from timelens.retrieval.request import Coverage, Covered, Summariser, summariser_in
    from timelens.retrieval.strategies import STRATEGIES
    from timelens.store.file_list import FileFault
    from timelens.store.histogram import Histogram
    from timelens.store.inspection import Inspection, OnStep, Suspect
    from timelens.store.location import Location
    from timelens.store.overview import CorpusSummary, DocumentOverview, Outlying
    from timelens.store.rows import StoredDocument, StoredTable
    from timelens.temporal import (
        Conventions,
        Expression,
        Granularity,
        Interval,
        find_expressions,
        format_day,
        parse_day,
    )

__all__ = [
    "ALL_FILES",
    "ANSWERERS",
    "READING_MODES",
    "STRATEGIES",
    "USUAL_FILES",
    "AgentEvent",
    "AllCorpora",
    "Annotator",
    "Answer",
    "Answered",
    "AnsweredValue",
    "Answerer",
    "AnswererName",
    "Askable",
    "BadInputError",
    "Break",
    "Candidate",
    "Changes",
    "ChatSettings",
    "Chunk",
    "Citation",
    "Claim",
    "Constraint",
    "Conventions",
    "Corpus",
    "CorpusSummary",
    "Coverage",
    "Covered",
    "Dated",
    "DatedEvent",
    "Decision",
    "Dependency",
    "DependentTable",
    "Derived",
    "Distance",
    "Document",
    "DocumentOverview",
    "Draft",
    "EmbedderIdentity",
    "EmbedderSettings",
    "Event",
    "EventSource",
    "ExitCode",
    "Expression",
    "Fact",
    "Failure",
    "FileFault",
    "Focus",
    "Gathered",
    "Granularity",
    "Histogram",
    "HistorySettings",
    "Hit",
    "ImplicitTime",
    "IngestProgress",
    "IngestReport",
    "IngestSettings",
    "Inspection",
    "Intent",
    "Interval",
    "LlamaSettings",
    "Location",
    "Lost",
    "Mark",
    "MissingError",
    "ModelSettings",
    "MostlyGoneError",
    "Nearest",
    "OnStep",
    "Ordinal",
    "Outlying",
    "OutputError",
    "Parsed",
    "ParsedQuestion",
    "Parser",
    "Part",
    "Period",
    "PeriodRole",
    "Plan",
    "Planned",
    "QuotedTime",
    "Reach",
    "Reading",
    "ReadingMode",
    "ReasoningClass",
    "Repair",
    "RerankerSettings",
    "Reworded",
    "Role",
    "Scores",
    "SearchResult",
    "Selection",
    "ServerSettings",
    "Settings",
    "SourceFile",
    "Statement",
    "Status",
    "Step",
    "StepDone",
    "StepKind",
    "StorageSettings",
    "StoreError",
    "StoredDocument",
    "StoredTable",
    "Summariser",
    "Support",
    "Suspect",
    "TableColumns",
    "TableSettings",
    "Thought",
    "TimeReference",
    "TimeSettings",
    "TimelensError",
    "Timeline",
    "Token",
    "Turn",
    "Value",
    "Verification",
    "Window",
    "calculate",
    "configure",
    "find_expressions",
    "format_day",
    "list_corpora",
    "open_all",
    "open_corpus",
    "open_to_ask",
    "parse",
    "parse_day",
    "remove_corpus",
    "summariser_in",
]

_NAMES = {
    "agent": "AgentEvent Answer Answered Answerer Dated Gathered Parsed Parser Planned Reworded "
    "StepDone Token",
    "all_corpora": "AllCorpora",
    "answer.text.event_dates": "DatedEvent",
    "answer.draft": "Candidate Citation Claim Decision Derived Draft Nearest Statement Status Support "
    "Thought TimeReference Value",
    "answer.rendering.timeline": "Timeline",
    "api": "list_corpora open_all open_corpus open_to_ask remove_corpus",
    "asking": "Askable SearchResult calculate",
    "corpus": "Corpus",
    "config": "ANSWERERS READING_MODES AnswererName ChatSettings EmbedderSettings HistorySettings "
    "IngestSettings LlamaSettings ModelSettings ReadingMode RerankerSettings "
    "ServerSettings Settings StorageSettings TableSettings TimeSettings configure",
    "documents": "Chunk Document Event EventSource Fact Hit Mark Part QuotedTime Scores",
    "embedding.base": "EmbedderIdentity",
    "errors": "BadInputError ExitCode MissingError OutputError StoreError TimelensError",
    "ingest.dependencies": "Break Dependency",
    "ingest.dependent": "DependentTable",
    "ingest.failures": "Failure",
    "ingest.patterns": "ALL_FILES USUAL_FILES Selection",
    "ingest.pipeline": "Changes IngestReport",
    "ingest.sync_removals": "MostlyGoneError",
    "ingest.progress": "IngestProgress",
    "ingest.proposals": "Annotator",
    "ingest.repair": "Lost Repair Verification",
    "ingest.sources": "SourceFile",
    "ingest.date_columns": "TableColumns",
    "question.distances": "Distance Reach",
    "question.followup.conversation": "AnsweredValue Turn",
    "question.implicit_times": "ImplicitTime",
    "question.merge": "Reading",
    "question.parsed_question": "Constraint Focus Intent Ordinal ParsedQuestion Period PeriodRole Plan "
    "ReasoningClass "
    "Step StepKind Window",
    "question.parse": "parse",
    "question.roles": "Role",
    "retrieval.request": "Coverage Covered Summariser summariser_in",
    "retrieval.strategies": "STRATEGIES",
    "store.file_list": "FileFault",
    "store.histogram": "Histogram",
    "store.inspection": "Inspection OnStep Suspect",
    "store.location": "Location",
    "store.overview": "CorpusSummary DocumentOverview Outlying",
    "store.rows": "StoredDocument StoredTable",
    "temporal": "Conventions Expression Granularity Interval find_expressions format_day parse_day",
}
"""The names by the module that each comes from."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:  # noqa: ANN401 -- the type of each name stands above
    """Load a name of the API (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
