"""A corpus as a retriever of LlamaIndex."""

from timelens import Askable, MissingError, SearchResult
from timelens.integrations.found import day_or_today, metadata_of
from timelens.temporal import Day

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    raise MissingError(
        "the package llama-index-core is not installed", 'install it: pip install "timelens[llamaindex]"'
    ) from error

_FOR_MODELS = {"title", "when", "published"}
"""Metadata that a language model sees beside the text."""


class TimelensRetriever(BaseRetriever):  # type: ignore[misc] # its types are not followed
    """Finds passages that match the topic and the time, best first.

    The metadata of a node are those of :class:`timelens.integrations.langchain.TimelensRetriever`. A language
    model sees only the title, the time in words and the day of publication.
    """

    def __init__(
        self, corpus: Askable, as_of: Day | None = None, strategy: str | None = None, k: int | None = None
    ) -> None:
        """Prepare the retriever; nothing is opened yet.

        Args:
            corpus: the corpus to search.
            as_of: the reference day ("now"); ``None`` is today.
            strategy: the strategy; ``None`` is the configured one.
            k: maximum number of nodes; ``None`` uses the configured number.
        """
        self.corpus = corpus
        self.as_of = as_of
        self.strategy = strategy
        self.k = k
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        as_of = day_or_today(self.as_of)
        question = query_bundle.query_str
        return _nodes(self.corpus.search(question, as_of=as_of, strategy=self.strategy, k=self.k))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        as_of = day_or_today(self.as_of)
        question = query_bundle.query_str
        return _nodes(await self.corpus.search_async(question, as_of=as_of, strategy=self.strategy, k=self.k))


def _nodes(result: SearchResult) -> list[NodeWithScore]:
    nodes = []
    for hit in result.hits:
        metadata = metadata_of(hit, result)
        node = TextNode(
            id_=hit.chunk.id,
            text=hit.chunk.text,
            metadata=metadata,
            excluded_llm_metadata_keys=[name for name in metadata if name not in _FOR_MODELS],
            excluded_embed_metadata_keys=list(metadata),
        )
        nodes.append(NodeWithScore(node=node, score=hit.scores.final))
    return nodes
