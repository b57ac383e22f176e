"""Writes answers with citations from evidence, and verifies their dates."""
