"""Descriptions in a question that stand for somebody or something."""
