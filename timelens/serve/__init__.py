"""timelens inside other programs: read-only tools for language models."""
