"""Corpora made of a few documents."""

from collections.abc import Mapping

import pytest

from timelens.api import open_corpus
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2024, 6, 1)
"""The day that questions over made corpora count from."""


def made_corpus(factory: pytest.TempPathFactory, documents: Mapping[str, str]) -> Corpus:
    """A corpus of documents, by file name."""
    folder = factory.mktemp("documents")
    for name, content in documents.items():
        (folder / name).write_text(content, encoding="utf-8")
    corpus = open_corpus(str(factory.mktemp("corpora") / "made"))
    corpus.ingest([folder])
    return corpus


def lines_of(corpus: Corpus, question: str) -> list[str]:
    """The lines of an answer as of :data:`TODAY`."""
    return corpus.ask(question, as_of=TODAY).text.splitlines()


def minutes(papers: Mapping[str, str]) -> dict[str, str]:
    """Documents with the title "Minutes", by file name; ``papers`` has their texts by day."""
    return {f"{day}.md": f"---\ntitle: Minutes\ndate: {day}\n---\n\n{text}\n" for day, text in papers.items()}
