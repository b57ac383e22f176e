"""Candidate chunks as arrays, with their relevance to the topic and their temporal fit."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from timelens.embedding import Vectors
from timelens.retrieval.keywords import keywords
from timelens.retrieval.scoring import UNDATED
from timelens.store.arrays import ChunkArrays, Floats, Indexes, Mask, owners_of
from timelens.temporal.interval import Interval
from timelens.words import topic_words, word_id

# Weights of relevance: cosine similarity of the sentence and of its chunk, shared words of the sentence,
# share of the document's name in the question, and full-text score of the chunk.
_SENTENCE, _CHUNK, _WORDS, _NAME, _MATCH = 0.28, 0.37, 0.07, 0.09, 0.19


@dataclass(slots=True)
class Candidates:
    """The scores of c chunks with s sentences and e events."""

    chunks: ChunkArrays
    matches: Floats
    """(c,) contribution of the full-text score to the relevance of a chunk."""
    semantic: Floats
    """(c,) cosine similarity."""
    keyword: Floats
    """(c,) weighted share of the question's words in title and text."""
    relevances: Floats
    """(s,) relevance of each sentence."""
    sentences: Indexes
    """(c,) the best sentence, as an index into all sentences; by topic alone until times are set."""
    temporal: Floats
    """(c,) temporal fit of the best sentence."""
    events: Indexes
    """(c,) the event of this time, as an index into all events; -1 for none."""

    @property
    def relevance(self) -> Floats:
        """(c,) relevance of the best sentence."""
        return np.asarray(self.relevances[self.sentences])

    @property
    def scores(self) -> Floats:
        """(c,) final scores: topic x time."""
        return np.asarray((self.relevance + self.matches) * self.temporal)

    def time(self, chunk: int) -> Interval | None:
        """The time of a chunk's best sentence; ``None`` if it has none."""
        event = self.events[chunk]
        return None if event < 0 else self.chunks.events.interval(event)

    def set_times(self, fits: Floats) -> None:
        """Set the best sentence of each chunk by topic x time.

        Args:
            fits: (e,) temporal fit of each event.
        """
        owners = self.chunks.event_owners
        sentences = self.chunks.sentence_edges[owners] + self.chunks.events.sentences
        order = np.lexsort((-fits, sentences))
        firsts = order[np.flatnonzero(np.diff(sentences[order], prepend=-1))]
        of_sentences = np.full(len(self.relevances), UNDATED)
        of_sentences[sentences[firsts]] = fits[firsts]
        events = np.full(len(self.relevances), -1)
        events[sentences[firsts]] = firsts
        topics = self.relevances + self.matches[self.chunks.sentence_owners]
        self.sentences = best_of_each(topics * of_sentences, self.chunks.sentence_edges)
        self.temporal = of_sentences[self.sentences]
        self.events = events[self.sentences]

    def place_by_day(self) -> None:
        """Set the time of each chunk to that of its best sentence, else the day of its document.

        Its temporal fit stays the same.
        """
        events, owners = self.chunks.events, self.chunks.event_owners
        of_best = self.chunks.sentence_edges[owners] + events.sentences == self.sentences[owners]
        for chosen in (events.published, of_best):  # the second takes precedence
            places = np.flatnonzero(chosen)[::-1]
            self.events[owners[places]] = places


def weigh(
    chunks: ChunkArrays,
    matched: Sequence[float],
    text: str,
    query: Vectors,
    without: AbstractSet[str] = frozenset(),
) -> Candidates:
    """Score chunks by their relevance to a topic, sentence by sentence.

    Args:
        chunks: the candidates.
        matched: their BM25 scores.
        text: the core query.
        query: its vector.
        without: stages to leave out.
    """
    wanted = keywords(text)
    best_match = max(matched, default=0.0) or 1.0
    owners = chunks.sentence_owners
    semantic = (chunks.vectors @ query).astype(np.float64)
    whole = np.maximum(semantic, 0.0)[owners]
    meaning = whole
    if "sentence" not in without:
        meaning = np.maximum(chunks.sentence_vectors.astype(np.float32) @ query, 0.0).astype(np.float64)
    present = _present(chunks, list(wanted))
    weights = np.asarray(list(wanted.values())) / (sum(wanted.values()) or 1.0)
    relevances = _SENTENCE * meaning + _CHUNK * whole
    if "keyword" not in without:
        relevances += _WORDS * (present @ weights)
    if "name" not in without:
        relevances += _NAME * _named(chunks, wanted)[owners]
    return Candidates(
        chunks,
        matches=_MATCH * np.asarray(matched, dtype=np.float64) / best_match,
        semantic=semantic,
        keyword=_present_in_chunks(chunks, present, list(wanted)) @ weights,
        relevances=relevances,
        sentences=best_of_each(relevances, chunks.sentence_edges),
        temporal=np.ones(len(chunks)),
        events=np.full(len(chunks), -1),
    )


def best_of_each(values: Floats, edges: Indexes) -> Indexes:
    """The index of the first greatest value in each group; ``edges`` are the borders of the groups."""
    if len(edges) < 2:
        return np.zeros(0, dtype=np.int64)
    greatest = np.repeat(np.maximum.reduceat(values, edges[:-1]), np.diff(edges))
    where = np.flatnonzero(values == greatest)
    return np.asarray(where[np.searchsorted(where, edges[:-1])])


def _present(chunks: ChunkArrays, wanted: Sequence[str]) -> Mask:
    """(s, w) whether each sentence contains each wanted word."""
    ids = np.asarray([word_id(word) for word in wanted], dtype=np.uint32)
    order = np.argsort(ids)
    present = np.zeros((len(chunks.word_edges) - 1, len(wanted)), dtype=np.bool_)
    if len(wanted):
        nearest = order[np.minimum(np.searchsorted(ids, chunks.words, sorter=order), len(ids) - 1)]
        found = np.flatnonzero(ids[nearest] == chunks.words)
        present[owners_of(chunks.word_edges)[found], nearest[found]] = True
    return present


def _present_in_chunks(chunks: ChunkArrays, present: Mask, wanted: Sequence[str]) -> Mask:
    """(c, w) whether each chunk contains each wanted word in its text or title."""
    in_titles = np.asarray([[word in _title_words(title) for word in wanted] for title in chunks.titles])
    if not in_titles.size:
        return np.zeros((len(chunks), len(wanted)), dtype=np.bool_)
    return np.asarray(in_titles | np.logical_or.reduceat(present, chunks.sentence_edges[:-1]))


def _named(chunks: ChunkArrays, wanted: Mapping[str, float]) -> Floats:
    """(c,) weight of the question's words in the document's name, relative to the name's length + 1.

    The name is the words that the titles of its chunks share. The + 1 lowers short names, which may occur by
    chance.
    """
    names: dict[str, AbstractSet[str]] = {}
    for document, title in zip(chunks.documents, chunks.titles, strict=True):
        words = _title_words(title)
        names[document] = names.get(document, words) & words
    shares = {
        document: sum(wanted.get(word, 0.0) for word in name) / (len(name) + 1)
        for document, name in names.items()
    }
    return np.asarray([shares[document] for document in chunks.documents])


@lru_cache(maxsize=16_384)
def _title_words(title: str) -> frozenset[str]:
    return topic_words(title)
