"""Answers from texts: which sentences and values of the evidence answer a question, and their dates."""
