"""A corpus as a retriever of LangChain."""

from timelens import Askable, MissingError, SearchResult
from timelens.integrations.found import day_or_today, metadata_of
from timelens.temporal import Day

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ModuleNotFoundError as error:
    raise MissingError(
        "the package langchain-core is not installed", 'install it: pip install "timelens[langchain]"'
    ) from error


class TimelensRetriever(BaseRetriever):  # type: ignore[misc] # its types are not followed
    """Finds passages that match the topic and the time, best first.

    The metadata of a document have its time (``start``, ``end``, ``when``), the source of that time
    (``time_source``), its relation to the asked time (``relation``), and otherwise the names of
    :data:`timelens.answer.rendering.arrow.EVIDENCE`; ``source`` is its file.

    Raises:
        TimelensError: as :meth:`timelens.Corpus.search`, when it is invoked.
    """

    corpus: Askable
    as_of: Day | None = None
    """The reference day ("now"); ``None`` is today."""
    strategy: str | None = None
    k: int | None = None
    """Maximum number of documents; ``None`` uses the configured number."""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 -- nothing to report
    ) -> list[Document]:
        as_of = day_or_today(self.as_of)
        return _documents(self.corpus.search(query, as_of=as_of, strategy=self.strategy, k=self.k))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 -- nothing to report
    ) -> list[Document]:
        as_of = day_or_today(self.as_of)
        return _documents(
            await self.corpus.search_async(query, as_of=as_of, strategy=self.strategy, k=self.k)
        )


def _documents(result: SearchResult) -> list[Document]:
    return [
        Document(id=hit.chunk.id, page_content=hit.chunk.text, metadata=metadata_of(hit, result))
        for hit in result.hits
    ]
