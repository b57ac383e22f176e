"""From evidence to an answer with citations, and the check of every date it states."""
