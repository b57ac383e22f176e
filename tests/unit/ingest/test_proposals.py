"""A model's proposals for ingest: only what the passage bears out counts."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hostile import HOSTILE

from timelens.answer.llama import Session
from timelens.answer.lm import ModelAnnotator
from timelens.config import LlamaSettings
from timelens.documents import Document, EventSource, QuotedTime
from timelens.embedding import Embedder
from timelens.ingest.annotate import AnnotatedDocument, annotate
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import ingest
from timelens.ingest.proposals import Tally, with_proposals
from timelens.store.corpus import CorpusStore
from timelens.temporal.interval import year_interval

TEXT = "The mill burnt down in 1890. A new one was built of stone. In 1899 it was sold."


class Proposing:
    """A model that proposes what it is told to."""

    def __init__(self, *statements: QuotedTime, fails: bool = False) -> None:
        self._statements = None if fails else statements

    def propose(self, title: str, text: str) -> Sequence[QuotedTime] | None:
        assert (title, text) == ("Mill", TEXT)
        return self._statements


def annotated(embedder: Embedder) -> AnnotatedDocument:
    return annotate(Document("mill", "/mill", "Mill", TEXT, "1"), embedder)


@pytest.mark.parametrize(
    ("statement", "known", "added", "refused"),
    [
        (QuotedTime("The mill burnt down", "in 1890"), 1, 0, 0),
        (QuotedTime("A new one was\n built", "1899"), 0, 1, 0),
        (QuotedTime("A new one was built of wood", "1899"), 0, 0, 1),  # other words
        (QuotedTime("A new one was built", "1895"), 0, 0, 1),  # a time that is not there
        (QuotedTime("A new one was built", "of stone"), 0, 0, 1),  # no time
        (QuotedTime("", "1899"), 0, 0, 1),
        (QuotedTime("A new one was built", ""), 0, 0, 1),
        (QuotedTime("mill burn", "1890"), 0, 0, 1),  # half a word
    ],
)
def test_a_proposal_counts_if_the_passage_holds_its_words_and_its_time(
    hashed: Embedder, statement: QuotedTime, known: int, added: int, refused: int
) -> None:
    tally = Tally()
    before = annotated(hashed)
    (chunk,) = with_proposals(before, Proposing(statement), tally).chunks
    assert (tally.known, tally.added, tally.refused, tally.fell_back) == (known, added, refused, 0)
    news = set(chunk.events) - set(before.chunks[0].events)
    assert len(news) == added
    for event in news:
        assert (event.sentence, event.source) == (1, EventSource.ANCHORED)
        assert event.interval.same_days(year_interval(1899))


def test_a_passage_of_which_nothing_can_be_had_falls_back_to_the_rules(hashed: Embedder) -> None:
    tally = Tally()
    assert with_proposals(annotated(hashed), Proposing(fails=True), tally) == annotated(hashed)
    assert (tally.passages, tally.fell_back) == (1, 1)
    assert "1 passages fell back to the rules" in tally.note()


def test_a_real_model_annotates_what_is_ingested_and_the_report_says_what_came_of_it(
    hashed: Embedder, tiny_model: Path, tmp_path: Path
) -> None:
    """It knows nothing, so nothing of what it proposes is borne out."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "mill.txt").write_text(TEXT)
    (folder / "hostile.txt").write_text(HOSTILE["ChatML"] + " It was 1890.")
    (folder / "facts.csv").write_text("who,start,end\nAnn,1990,1995\n")
    annotator = ModelAnnotator(Session(LlamaSettings(model=tiny_model, threads=1)))
    report = ingest(
        [folder], CorpusStore.create(tmp_path / "c", hashed.identity), hashed, Intake(annotator=annotator)
    )
    plain = ingest([folder], CorpusStore.create(tmp_path / "d", hashed.identity), hashed)
    annotator.close()
    assert (report.added, report.events) == (plain.added, plain.events) == (3, plain.events)
    (note,) = report.notes
    assert "for 2 passages: 0 were known to the rules, 0 were added" in note
    assert plain.notes == ()
