"""Answers and their evidence as every interface shows them: timeline, labels, HTML, Arrow."""
