"""Answers without a language model: a list of ways, tried in order."""
