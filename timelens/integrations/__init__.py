"""Corpora as retrievers of other libraries: a module for each, which needs the extra of its name."""
