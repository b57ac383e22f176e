"""The history of typed lines: a position in it, and a search over it. No input or output."""

from collections.abc import Iterable


class PastLines:
    """The lines typed in this run and in earlier runs, with a current position.

    The position after the last line is that of the draft, which is being typed now.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._at = 0
        self._draft = ""

    def put_before(self, lines: Iterable[str]) -> None:
        """Insert the lines of earlier runs before those of this run."""
        earlier = list(lines)
        self._lines = earlier + self._lines
        self._at += len(earlier)

    def append(self, line: str) -> None:
        """Append a line, and move after it."""
        if self._lines[-1:] != [line]:
            self._lines.append(line)
        self._at = len(self._lines)

    def step(self, count: int, shown: str) -> str | None:
        """Move to an earlier or later line and return it; ``None`` if there is none.

        ``shown`` is the text in the prompt; after the last line it is stored as the draft to come back to.
        """
        at = self._at + count
        if not 0 <= at <= len(self._lines):
            return None
        if self._at == len(self._lines):
            self._draft = shown
        self._at = at
        return self._draft if at == len(self._lines) else self._lines[at]

    def search(self, words: str, most: int) -> list[str]:
        """Up to ``most`` lines that contain all words, ignoring case, without duplicates, newest first."""
        wanted = words.casefold().split()
        found: dict[str, None] = {}
        for line in reversed(self._lines):
            if len(found) == most:
                break
            folded = line.casefold()
            if all(word in folded for word in wanted):
                found.setdefault(line)
        return list(found)
