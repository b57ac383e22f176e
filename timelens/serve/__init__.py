"""timelens inside other programs: what a language model may ask of it, read-only."""
