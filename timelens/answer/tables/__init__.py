"""Answers from tables: which facts a question is about, and the solver that applies its constraints."""
