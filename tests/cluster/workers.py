"""What workers are given in tests; they import it by this name."""

import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unit.conftest import HashedEmbedder

from timelens.embedding import Embedder, EncodedDocuments, Span


class MortalEmbedder(HashedEmbedder):
    """Ends its process in the midst of its second batch, as the first one to get there."""

    def __init__(self, note: Path) -> None:
        super().__init__()
        self._note = note
        self._calls = 0

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        self._calls += 1
        if self._calls == 2:
            try:
                self._note.touch(exist_ok=False)
            except FileExistsError:
                return super().encode_documents(texts, spans)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode_documents(texts, spans)


@dataclass(frozen=True, slots=True)
class Mortal:
    note: Path

    def __call__(self) -> Embedder:
        return MortalEmbedder(self.note)


class Doubling:
    """Makes an item of each item; what is no number it cannot do."""

    def __call__(self, item: int) -> Iterator[int]:
        yield item * 2
