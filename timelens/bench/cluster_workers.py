"""Questions asked by the workers of a cluster; each worker opens the corpus and its models itself."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from timelens import Corpus
from timelens.bench.run_folder import Result
from timelens.bench.suite_data import Query
from timelens.bench.workers import Ask, Work, without_documents
from timelens.cluster import Stage, joined


def ask_on_ray(address: str | None, work: Work, queries: Sequence[Query]) -> Iterator[Result]:
    """Ask questions on a Ray cluster, and yield the results in the order of the questions.

    Args:
        address: the cluster, as in :func:`timelens.cluster.joined`.
        work: the inputs of each worker. All workers must be able to read the corpus at its path.
        queries: each core of the cluster asks one at a time.

    Raises:
        MissingError: the cluster cannot be joined or is lost; a node lacks timelens or the corpus.
    """
    if not queries:
        return
    with joined(address) as cluster:
        cluster.require([work.corpus] if isinstance(work.corpus, Path) else [])
        stage = Stage(_MakeAsking(without_documents(work)), cpus=1)
        with closing(cluster.stream(queries, [stage])) as results:
            yield from results


@dataclass(frozen=True, slots=True)
class _MakeAsking:
    work: Work

    def __call__(self) -> "_Asking":
        return _Asking(self.work.make(self.work.dataset, Corpus(self.work.corpus, self.work.settings)))


@dataclass(frozen=True, slots=True)
class _Asking:
    ask: Ask

    def __call__(self, query: Query) -> Iterator[Result]:
        yield self.ask(query)
