"""Finds files with the same content, which are stored once."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress

from timelens.folders import file_sha256
from timelens.ingest.failures import some_of
from timelens.ingest.sources import Listing, SourceFile
from timelens.printable import counted

_MARK_OF_COPY = re.compile(r"(?:[\s_-]*\(\d{1,2}\)|[\s_-]+copy(?:[\s_-]?\d{1,2})?)+$", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


def copies_in(listing: Listing, known: Mapping[str, str]) -> dict[str, str]:
    """The ids of files whose content another one has, with the id of that one.

    Of several, those that are stored already stay, else the first. Names and folders with numbers may
    state days ("2021/03-14.md"): if they differ, both stay, except for marks of copies ("minutes (1).txt").
    """
    by_size: dict[int, list[SourceFile]] = defaultdict(list)
    for source in (*listing.unread, *listing.sources):
        with suppress(OSError):
            by_size[source.path.stat().st_size].append(source)
    read = set(listing.sources)
    copies: dict[SourceFile, str] = {}
    for size, sources in by_size.items():
        if size and len(sources) > 1 and not read.isdisjoint(sources):
            copies |= _copies(sources, known)
    met = Counter(source.id for source in (*listing.unread, *listing.sources))  # of several roots
    return {source.id: first for source, first in copies.items() if source in read and met[source.id] == 1}


def note_of(copies: Mapping[str, str]) -> list[str]:
    """The note that names files, each with the one that has the same content."""
    if not copies:
        return []
    told = some_of([f"{copy} (as {first})" for copy, first in copies.items()])
    same = (
        "it has the same content as another" if len(copies) == 1 else "they have the same content as others"
    )
    return [f"{counted(len(copies), 'file')} not stored again, because {same}: {told}"]


def _copies(sources: Collection[SourceFile], known: Mapping[str, str]) -> dict[SourceFile, str]:
    """The id of the first file by each file that is a copy of it, or a link to it."""
    firsts: dict[tuple[str, ...], str] = {}
    copies: dict[SourceFile, str] = {}
    for source in sorted(sources, key=lambda one: (one.id not in known, one.path.is_symlink())):
        name = _MARK_OF_COPY.sub("", source.id.removesuffix(source.path.suffix))
        numbered = name if _DIGIT.search(name) else ""
        with suppress(OSError):
            content = file_sha256(source.path), source.path.suffix.lower(), numbered
            first = firsts.get((source.uri,)) or firsts.setdefault(content, source.id)
            firsts.setdefault((source.uri,), first)
            if first != source.id and source.id not in known:
                copies[source] = first
    return copies
