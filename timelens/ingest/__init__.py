"""Ingestion: reads files, and writes annotated, embedded chunks into a corpus."""
