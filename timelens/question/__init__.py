"""Parses questions into topic, time, order and plan."""
