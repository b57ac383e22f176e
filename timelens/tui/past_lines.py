"""The lines that were typed before: a place in them, and a search over them. No input or output."""

from collections.abc import Iterable


class PastLines:
    """What was typed before, of this run and of earlier ones, with a place in it.

    The place after the last line is that of what is being typed now, the draft.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._at = 0
        self._draft = ""

    def put_before(self, lines: Iterable[str]) -> None:
        """Put lines of earlier runs before those of this one."""
        earlier = list(lines)
        self._lines = earlier + self._lines
        self._at += len(earlier)

    def append(self, line: str) -> None:
        """Put a line at the end, and be after it."""
        if self._lines[-1:] != [line]:
            self._lines.append(line)
        self._at = len(self._lines)

    def step(self, count: int, shown: str) -> str | None:
        """Go to an earlier or a later line and return it; ``None`` if there is none.

        ``shown`` is what stands in the prompt: after the last line, the draft to come back to.
        """
        at = self._at + count
        if not 0 <= at <= len(self._lines):
            return None
        if self._at == len(self._lines):
            self._draft = shown
        self._at = at
        return self._draft if at == len(self._lines) else self._lines[at]

    def search(self, words: str, most: int) -> list[str]:
        """The lines that hold all of the words in any case, each once, the newest first, at most so many."""
        wanted = words.casefold().split()
        found: dict[str, None] = {}
        for line in reversed(self._lines):
            if len(found) == most:
                break
            folded = line.casefold()
            if all(word in folded for word in wanted):
                found.setdefault(line)
        return list(found)
