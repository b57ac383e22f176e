"""An upper bound of token counts for unknown tokenizers. Pure."""

import re

_PIECE = re.compile(r"[a-z]{1,4}|[A-Z]|[^\W_]|[^\w\s]|_|\s(?=\s)")


def most_tokens(text: str) -> int:
    """An estimated upper bound: one for each four small letters, capital, digit, mark or byte beyond ASCII.

    Over 3,000 lines of the bundled corpora, it was 1.33 times the count of SmolLM2's tokenizer and 1.37 times
    that of Qwen2.5's, and at least 1.17 times over any ten lines.
    """
    return sum(1 if piece.isascii() else len(piece.encode()) for piece in _PIECE.findall(text))
