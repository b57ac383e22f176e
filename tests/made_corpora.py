"""Corpora made of a few documents."""

from collections.abc import Mapping

import pytest

from timelens.api import open_corpus
from timelens.corpus import Corpus


def made_corpus(factory: pytest.TempPathFactory, documents: Mapping[str, str]) -> Corpus:
    """A corpus of documents, by file name."""
    folder = factory.mktemp("documents")
    for name, content in documents.items():
        (folder / name).write_text(content, encoding="utf-8")
    corpus = open_corpus(str(factory.mktemp("corpora") / "made"))
    corpus.ingest([folder])
    return corpus


def minutes(papers: Mapping[str, str]) -> dict[str, str]:
    """Documents with the title "Minutes", by file name; ``papers`` has their texts by day."""
    return {f"{day}.md": f"---\ntitle: Minutes\ndate: {day}\n---\n\n{text}\n" for day, text in papers.items()}
