"""Corpora as retrievers of the real LangChain and LlamaIndex."""

import asyncio
import json
import subprocess
import sys

import pytest
from langchain_core.runnables import RunnablePassthrough
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode

from timelens.corpus import Corpus
from timelens.errors import BadInputError
from timelens.integrations import langchain, llama_index
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-01")
QUESTION = "Who was Mayor in 2003?"


async def test_langchain_invokes_batches_and_chains(board: Corpus) -> None:
    retriever = langchain.TimelensRetriever(corpus=board, as_of=TODAY, k=2)
    documents = retriever.invoke(QUESTION)
    hits = board.search(QUESTION, as_of=TODAY, k=2).hits
    assert [document.page_content for document in documents] == [hit.chunk.text for hit in hits]
    assert [document.id for document in documents] == [hit.chunk.id for hit in hits]
    first = documents[0].metadata
    assert (first["start"], first["end"]) == ("2001-05-01", "2005-05-02")
    assert (first["time_source"], first["relation"]) == ("recorded", "contain")
    assert (first["source"], first["as_of"]) == (hits[0].chunk.uri, "2024-06-01")
    assert first["source"].endswith("office.csv")
    assert json.loads(json.dumps(first)) == first
    assert type(first["score"]) is float
    assert await retriever.ainvoke(QUESTION) == documents
    both = await asyncio.gather(
        *(retriever.ainvoke(question) for question in (QUESTION, "When was Caesar killed?"))
    )
    assert both == retriever.batch([QUESTION, "When was Caesar killed?"])
    caesar = next(one for one in both[1] if one.metadata["doc_id"] == "caesar.md")
    assert caesar.metadata["start"] == "-0043-03-15"
    chain = {"context": retriever, "question": RunnablePassthrough()} | RunnablePassthrough()
    assert chain.invoke(QUESTION)["context"] == documents


async def test_llama_index_retrieves_and_fuses(board: Corpus) -> None:
    retriever = llama_index.TimelensRetriever(board, as_of=TODAY, k=2)
    nodes = retriever.retrieve(QUESTION)
    hits = board.search(QUESTION, as_of=TODAY, k=2).hits
    assert [node.node.node_id for node in nodes] == [hit.chunk.id for hit in hits]
    assert [node.score for node in nodes] == [hit.scores.final for hit in hits]
    assert nodes[0].node.metadata["relation"] == "contain"
    shown = nodes[0].node.get_content(MetadataMode.LLM)
    assert "when: from 1 May 2001 to 1 May 2005" in shown
    assert "doc_id" not in shown
    assert nodes[0].node.get_content(MetadataMode.EMBED) == hits[0].chunk.text
    assert [node.node.node_id for node in await retriever.aretrieve(QUESTION)] == [
        hit.chunk.id for hit in hits
    ]
    fused = QueryFusionRetriever(
        [retriever, llama_index.TimelensRetriever(board, as_of=TODAY, strategy="bm25")],
        llm=MockLLM(),
        num_queries=1,
        similarity_top_k=3,
        use_async=False,
    )
    assert hits[0].chunk.id in [node.node.node_id for node in fused.retrieve(QUESTION)]


def test_strategy_and_count_reach_the_search(board: Corpus) -> None:
    for options in ({"strategy": "best"}, {"k": 0}):
        with pytest.raises(BadInputError):
            langchain.TimelensRetriever(corpus=board, **options).invoke(QUESTION)
        with pytest.raises(BadInputError):
            llama_index.TimelensRetriever(board, **options).retrieve(QUESTION)


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [("langchain", "langchain_core", "langchain"), ("llama_index", "llama_index", "llamaindex")],
)
def test_without_the_package_the_remedy_is_one_line(module: str, package: str, extra: str) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from timelens.errors import MissingError\n"
        f"try: import timelens.integrations.{module}\n"
        "except MissingError as error: print(error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == f'install it: pip install "timelens[{extra}]"', done.stderr
