"""Exports with anything in any place: what comes is documents, failures and one-line errors."""

import json
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest.annotate import annotate
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.printable import is_unicode

from .conftest import NO_COLUMNS

SLACK = [
    {"type": "message", "ts": "1620043200.1", "user": "U1", "text": "<@U1> a", "user_profile": {"name": "x"}},
    {"type": "message", "ts": "1620043300.1", "thread_ts": "1620043200.1", "user": "U2", "text": "b"},
]
DISCORD = {
    "guild": {"name": "g"},
    "channel": {"name": "c"},
    "messages": [
        {"type": "Default", "timestamp": "2021-01-01T10:00:00Z", "content": "a", "author": {"name": "n"}}
    ],
}
OWN = [{"ID": 1, "Timestamp": "2021-01-01 10:00:00", "Contents": "a"}]
MESSAGE = {
    "author": {"role": "user"},
    "create_time": 1.6e9,
    "content": {"content_type": "text", "parts": ["a"]},
}
CHATGPT = [
    {
        "title": "t",
        "create_time": 1.6e9,
        "current_node": "a",
        "mapping": {"a": {"parent": None, "message": MESSAGE}},
    }
]
FEED = {
    "version": "https://jsonfeed.org/version/1",
    "title": "t",
    "items": [
        {"id": "1", "title": "t", "content_html": "<p>x", "date_published": "2021-01-01", "authors": [{}]}
    ],
}
RECORDS = [{"id": "1", "text": "a", "date": "2020"}, {"text": "b"}]

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["\ud800", "\0", "", " ", "9" * 400, 10**400, -1, 1e308, "\x1b[2J", "x" * 5000, [], {}, [[]]]
    ),
    st.lists(st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=3),
)


def damaged(value: object, chance: random.Random, values: list[object]) -> object:
    """The value with others in some of its places."""
    if chance.random() < 0.15:
        return chance.choice(values)
    if isinstance(value, dict):
        return {key: damaged(one, chance, values) for key, one in value.items() if chance.random() > 0.05}
    if isinstance(value, list):
        return [damaged(one, chance, values) for one in value * chance.choice((1, 1, 2))]
    return value


def read(name: str, content: bytes) -> tuple[list[Document], list[Failure]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            items = list(READERS[path.suffix](SourceFile(path, name), NO_COLUMNS))
        except BadInputError as error:
            items = [Failure(name, error.message, error.hint)]
    failures = [item for item in items if isinstance(item, Failure)]
    for failure in failures:
        assert failure.hint
        assert "\n" not in failure.error
        assert len(failure.error) < 300
    return [item for item in items if isinstance(item, Document)], failures


@pytest.mark.parametrize("export", [SLACK, DISCORD, OWN, CHATGPT, FEED, RECORDS])
@given(values=st.lists(VALUES, min_size=1, max_size=5), chance=st.randoms(use_true_random=False))
def test_wrong_types_in_any_field(export: object, values: list[object], chance: random.Random) -> None:
    content = json.dumps(
        [damaged(export, chance, values)] if chance.random() < 0.1 else damaged(export, chance, values)
    )
    documents, failures = read("a.json", content.encode())
    assert all(is_unicode(document.text + document.title + document.id) for document in documents)
    assert len(failures) <= 5


@pytest.mark.parametrize("export", [SLACK, DISCORD, OWN, CHATGPT, FEED, RECORDS])
def test_a_cut_off_file_is_told_of_at_any_place(export: object) -> None:
    whole = json.dumps(export).encode()
    for end in range(2, len(whole), 7):
        _, failures = read("a.json", whole[:end])
        assert [failure.partial for failure in failures if "not JSON" in failure.error] == [False]


WRITTEN = st.sampled_from(
    [
        "03/05/2021, 10:33 - Anna: x",
        "[03/05/2021, 10:33:12] Anna: \u200ex",
        "31/02/2021, 10:33 - Anna: x",
        "03/05/2021, 10:33 - Anna left",
        "commit 0123456789abcdef",
        "Author: A <a@b>",
        "Date:   Mon May 3 10:33:12 2021 +0200",
        "    text",
        "diff --git a b",
        "- [[a|b]]",
        "  id:: x",
        "  template:: x",
        "```",
        "\u202f~: \ud7ff",
        "",
    ]
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(WRITTEN, min_size=1, max_size=12))
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_lines_in_any_order(name: str, hashed: Embedder, lines: list[str]) -> None:
    documents, failures = read(name, "\n".join(lines).encode())
    assert documents or failures
    for document in documents:
        if document.text.strip():
            annotate(document, hashed)
