"""Retrieves evidence that fits a parsed question in topic and time."""
