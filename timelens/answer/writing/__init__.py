"""Statements and passages written down: as the draft of an answer, and as a prompt."""
