import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from unit.ingest.conftest import NO_COLUMNS, day, read, read_one

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest.metadata_dates import date_in_name, parse_date
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.temporal.calendar import format_day
from timelens.temporal.interval import Interval, month_interval, year_interval

# Text and Markdown


def test_plain_text_is_named_by_its_file(tmp_path: Path) -> None:
    document = read_one(tmp_path / "notes.txt", "Füße.\r\nTwo\rthree.\n")
    assert (document.id, document.title, document.text) == ("notes.txt", "notes", "Füße.\nTwo\nthree.\n")
    assert document.uri == (tmp_path / "notes.txt").as_posix()
    assert (document.published, document.published_source, document.facts) == (None, None, ())


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    assert read_one(tmp_path / "a.txt", b"\xef\xbb\xbfHello.").text == "Hello."
    marked = read_one(tmp_path / "a.md", b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\nHello.")
    assert (marked.title, marked.text) == ("T", "Hello.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b" \n\t\r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"caf\xe9", "not UTF-8 text (byte 3)"),
        ("text".encode("utf-16"), "not UTF-8"),
        (b"PK\x03\x04\0\0", "binary"),
    ],
)
@pytest.mark.parametrize("suffix", [".txt", ".md", ".csv", ".tsv"])
def test_what_is_no_text_is_refused_with_the_reason(
    tmp_path: Path, suffix: str, content: bytes, said: str
) -> None:
    with pytest.raises(BadInputError) as caught:
        read(tmp_path / f"a{suffix}", content)
    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("suffix", sorted(READERS))
def test_a_file_that_vanished_is_refused(tmp_path: Path, suffix: str) -> None:
    reader = READERS[suffix]
    with pytest.raises(BadInputError, match="cannot be read: No such file"):
        list(reader(SourceFile(tmp_path / f"gone{suffix}", "gone"), NO_COLUMNS))


@pytest.mark.parametrize(
    ("content", "title", "text"),
    [
        ("---\ntitle: Stated\n---\n\n# Heading\nText.", "Stated", "# Heading\nText."),
        ("---\ndate: 2020\n---\n# Heading\nText.", "Heading", "# Heading\nText."),
        ("Before.\n\n# Heading #1\nText.", "Heading #1", "Before.\n\n# Heading #1\nText."),
        ("## Only a lesser heading\n", "a", "## Only a lesser heading\n"),
        ("Text.\n---\ntitle: no\n---\n", "a", "Text.\n---\ntitle: no\n---\n"),
        ("---\n---\nText.", "a", "Text."),
        ("---\ntitle: x\n...\nText.", "x", "Text."),
        ("--- \ntitle: x\n---\t\nText.", "x", "Text."),
        ("---\ntitle: x\n---", "x", ""),
        ("---\ntitle: x\nText without an end.", "a", "---\ntitle: x\nText without an end."),
        ("---\nA text between rules.\n---\nMore.", "a", "---\nA text between rules.\n---\nMore."),
        ("---\ntitle: [a, b]\n---\nText.", "a", "Text."),
        ("---\ntitle: ''\n---\nText.", "a", "Text."),
        ("---\nnote: |\n  a\n  ---\n  b\ntitle: x\n---\nText.", "x", "Text."),
        ("---\ntitle: x\n----\nsubtitle: y\n---\nText.", "a", None),
    ],
)
def test_front_matter_and_headings(tmp_path: Path, content: str, title: str, text: str | None) -> None:
    if text is None:
        with pytest.raises(BadInputError, match="front matter is not YAML"):
            read(tmp_path / "a.md", content)
        return
    document = read_one(tmp_path / "a.md", content)
    assert (document.title, document.text) == (title, text)


def test_the_headings_of_markdown_are_places(tmp_path: Path) -> None:
    lines = [
        "Before.",
        "# The title",
        "Text.",
        "## *Findings* ##",
        "```sh",
        "# a comment",
        "~~~",
        "```",
        "   ### C#",
        "    # code",
        "#no heading",
        "#",
        "####### seven",
        "# " + "long " * 99,
    ]
    document = read_one(tmp_path / "a.md", "---\ndate: 2020\n---\n" + "\u2028\n".join(lines))
    plain = read_one(tmp_path / "b.md", "---\ndate: 2020\n---\n" + "\n".join(lines))
    found = [(mark.place[:9], plain.text[mark.offset :].split("\n")[0][:12]) for mark in plain.places]
    assert found == [
        ("", "# The title"),
        ("Findings", "## *Findings"),
        ("C#", "   ### C#"),
        ("long long", "# long long "),
    ]
    assert max(len(mark.place) for mark in plain.places) <= 120
    assert len(document.places) == len(plain.places)


@pytest.mark.parametrize(
    "head",
    ["a: [", "a: b: c", "\tx: 1", "a: 'x", "a: " + "[" * 5000, "a: *nobody"],
    ids=lambda head: head[:8],
)
def test_front_matter_that_is_not_yaml_is_refused(tmp_path: Path, head: str) -> None:
    with pytest.raises(BadInputError, match="its front matter is not YAML") as caught:
        read(tmp_path / "a.md", f"---\n{head}\n---\nText.")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("line", ["# " + " " * 200_000 + "x", "#" * 200_000, "# #" + " #" * 100_000])
def test_odd_headings_take_no_time(tmp_path: Path, line: str) -> None:
    assert len(read_one(tmp_path / "a.md", line).places) <= 1


def test_front_matter_makes_no_objects_and_does_not_explode(tmp_path: Path) -> None:
    levels = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 12))
    bomb = f"l0: &l0 [x, x]\n{levels}\ntitle: *l11\ndate: *l11\nid: !!python/object:os.system [ls]"
    document = read_one(tmp_path / "a.md", f"---\n{bomb}\n---\nText.")
    assert (document.title, document.published, document.text) == ("a", None, "Text.")


@pytest.mark.parametrize(
    ("stated", "published"),
    [
        ("date: 2020-05-04", day(2020, 5, 4)),
        ("date: 2020-05-04T10:30:00+02:00", day(2020, 5, 4)),
        ("published: '4 May 2020'", day(2020, 5, 4)),
        ("created: 2020-05", month_interval(2020, 5)),
        ("date: 1998", year_interval(1998)),
        ("date: -0043-03-15", day(-43, 3, 15)),
        ("date: 20200504", day(2020, 5, 4)),
        ("created: 2001\ndate: 2002", year_interval(2002)),
        ("date: ''\ncreated: 2001", year_interval(2001)),
    ],
)
def test_front_matter_states_when_it_was_published(tmp_path: Path, stated: str, published: Interval) -> None:
    document = read_one(tmp_path / "1999-01-01 a.md", f"---\n{stated}\n---\nText.")
    assert document.published == published
    assert document.published_source == "front matter"


@pytest.mark.parametrize(
    "stated", ["2020-02-31", "31 February 2020", "2020-13-01", "soon", "2020-00-15", "1577836800"]
)
def test_an_impossible_date_is_reported_and_the_text_kept(tmp_path: Path, stated: str) -> None:
    documents, failures = read(tmp_path / "a.md", f"---\ndate: {stated}\ntitle: T\n---\nText.")
    assert [(d.title, d.text, d.published) for d in documents] == [("T", "Text.", None)]
    (failure,) = failures
    assert failure.path == "a.md"
    assert stated in failure.error
    assert failure.partial


def test_a_file_name_dates_what_states_nothing(tmp_path: Path) -> None:
    document = read_one(tmp_path / "minutes-2008-12-16.txt", "Text.")
    assert (document.published, document.published_source) == (day(2008, 12, 16), "file name")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2008-12-16", "2008-12-16"),
        ("fomc20081216a", "2008-12-16"),
        ("2008_12_16", "2008-12-16"),
        ("2008.12.16.final", "2008-12-16"),
        ("2008-12_16", None),
        ("2008-02-30", None),
        ("120081216", None),
        ("200812161", None),
        ("2008-12", None),
    ],
)
def test_days_in_file_names(name: str, expected: str | None) -> None:
    found = date_in_name(name)
    assert (found and format_day(found.start or 0)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "43831",
        "1577836800000",
        "202001",
        "99",
        "yesterday",
        "Monday",
        "in March",
        "since 2010",
        "until 2015",
        "before 1999",
        "three years",
        "2010 and 2012",
        "May",
        "٢٠٢٠",
    ],
)
def test_what_is_no_single_date_is_no_date(text: str) -> None:
    with pytest.raises(ValueError, match="not a date"):
        parse_date(text)


def test_a_date_with_unknown_parts_is_as_coarse_as_it_is_known() -> None:
    assert parse_date("2020-05-00") == month_interval(2020, 5)
    assert parse_date("2020-00-00") == year_interval(2020)
    assert parse_date("+12021-12-31") == parse_date("12021-12-31") == day(12021, 12, 31)
    assert parse_date(" ") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 października 1990", day(1990, 10, 3)),
        ("1 сентября 2004", day(2004, 9, 1)),
        ("12 Ekim 1998", day(1998, 10, 12)),
        ("2020年5月4日", day(2020, 5, 4)),
        ("lokakuu 1990", month_interval(1990, 10)),
    ],
)
def test_dates_are_read_in_other_languages(text: str, expected: Interval) -> None:
    assert parse_date(text) == expected


# JSON Lines


def test_json_lines_are_documents_of_their_own(tmp_path: Path) -> None:
    records = [
        {"_id": 7, "text": "One\u2028still one.\u0085", "title": "T", "date": "2020-05-04"},
        {"content": "Two."},
        {"id": "x", "text": "", "body": "Three."},
    ]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    documents, failures = read(
        tmp_path / "a.jsonl", "\ufeff" + lines[0] + "\r\n\n  \n" + "\n".join(lines[1:])
    )
    assert failures == []
    assert [(d.id, d.title, d.text) for d in documents] == [
        ("7", "T", "One\u2028still one.\u0085"),
        ("a.jsonl#4", "", "Two."),
        ("x", "", "Three."),
    ]
    assert documents[0].published == day(2020, 5, 4)
    assert documents[0].published_source == "record field"
    assert documents[1].published is None


def test_a_bad_line_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    bad = [
        (b"{", "not JSON"),
        (b"[1]", "no text"),
        (b'"text"', "no text"),
        (b"{}", "no text"),
        (b'{"text": "  "}', "no text"),
        (b'{"text": {"a": 1}}', "no text"),
        (b'{"text": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b'{"text": ' + b"9" * 5000 + b"}", "not JSON"),
    ]
    good = [json.dumps({"id": f"d{n}", "text": "Fine."}).encode() for n in range(len(bad) + 1)]
    content = b"\n".join(
        line for pair in zip(good, [line for line, _ in bad] + [b""], strict=True) for line in pair
    )
    documents, failures = read(tmp_path / "a.jsonl", content)
    assert [d.id for d in documents] == [f"d{n}" for n in range(len(good))]
    assert [f.path for f in failures] == [f"a.jsonl line {2 * n + 2}" for n in range(len(bad))]
    for failure, (_, said) in zip(failures, bad, strict=True):
        assert said in failure.error
        assert not failure.partial


def test_half_a_surrogate_pair_does_not_stop_the_rest(tmp_path: Path) -> None:
    document = read_one(
        tmp_path / "a.jsonl", r'{"id": "\udc00", "text": "One \ud800 two.", "title": "\ud83d"}'
    )
    for text in (document.id, document.text, document.title):
        assert text.encode()
    assert document.text == "One ? two."


def test_json_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "First."}\n' + b'{"text": "Next."}\n' * 100_000)
    items = READERS[".jsonl"](SourceFile(path, "a.jsonl"), NO_COLUMNS)
    first = next(items)
    assert isinstance(first, Document)
    assert first.text == "First."
    path.write_bytes(b"")  # had it been read whole, the rest would still come
    assert len(list(items)) < 100_000
    assert isinstance(items, Iterator)


@pytest.mark.parametrize(
    ("content", "said"), [(b"", "empty"), (b"\n \n", "empty"), (b'{"text": "\0"}', "binary")]
)
def test_a_file_of_no_json_lines_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        read(tmp_path / "a.jsonl", content)


@pytest.mark.parametrize(
    ("date", "published"),
    [
        (1551657600, day(2019, 3, 4)),
        (1551657600000, day(2019, 3, 4)),
        (1551657600.5, day(2019, 3, 4)),
        ("Mon Mar 04 10:00:00 +0000 2019", day(2019, 3, 4)),
        (20190304, day(2019, 3, 4)),
        (2019, year_interval(2019)),
    ],
)
def test_stamps_of_records_are_days(tmp_path: Path, date: object, published: Interval) -> None:
    line = json.dumps({"Created": "1999", "text": "One.", "date": date})
    assert read_one(tmp_path / "a.jsonl", line).published == published


def test_names_of_front_matter_may_have_capital_letters(tmp_path: Path) -> None:
    document = read_one(tmp_path / "a.md", "---\nTitle: T\nDATE: 1999\nDate: 2019-03-04\n---\nText.")
    assert (document.title, document.published) == ("T", day(2019, 3, 4))


def test_a_date_of_zeros_is_reported(tmp_path: Path) -> None:
    (document,), (failure,) = read(tmp_path / "a.md", "---\ndate: 0000-00-00\n---\nText.")
    assert (document.published, failure.error) == (None, "its date: '0000-00-00' is not a date that exists")
