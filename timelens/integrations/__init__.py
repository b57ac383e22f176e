"""Corpora as retrievers of other libraries: one module for each, which needs the extra of its name."""
