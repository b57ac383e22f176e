"""Corpora made of a few documents, and large ones that several tests ask."""

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path

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


def corpus_of_all(factory: pytest.TempPathFactory, name: str, *paths: Path) -> Corpus:
    """A large corpus that may only be asked, warm; the first worker that needs it ingests it for all."""
    base = factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "corpora-of-all"
    place.mkdir(exist_ok=True)
    corpus = open_corpus(str(place / name))
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not corpus.exists():
            corpus.ingest(paths)
    corpus.warm()  # answers are a seventh faster, as in the chat
    return corpus


def lines_of(corpus: Corpus, question: str) -> list[str]:
    """The lines of an answer as of :data:`TODAY`."""
    return corpus.ask(question, as_of=TODAY).text.splitlines()


def minutes(papers: Mapping[str, str]) -> dict[str, str]:
    """Documents with the title "Minutes", by file name; ``papers`` has their texts by day."""
    return {f"{day}.md": f"---\ntitle: Minutes\ndate: {day}\n---\n\n{text}\n" for day, text in papers.items()}
