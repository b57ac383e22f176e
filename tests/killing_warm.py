"""Loads what every process of :mod:`killing` takes, so that they start as copies of one that has it."""

from killing import EMBEDDER

from timelens.documents import Document
from timelens.ingest.annotate import annotate

annotate(Document("a", "/a", "", "It was built on 3 May 1901. It was quiet.", ""), EMBEDDER)
