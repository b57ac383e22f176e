"""Which processes a process has started."""

from pathlib import Path


def descendants(pid: int) -> list[int]:
    """Ids of the processes that a process started, and those that these started."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(place.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        if parent == pid:
            child = int(place.parent.name)
            found += [child, *descendants(child)]
    return found
