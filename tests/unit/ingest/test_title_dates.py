"""Days and months that titles, headers of pages and names of files give their documents."""

from pathlib import Path

import pytest
from unit.ingest.conftest import day, read_one

from timelens.documents import Document, EventSource
from timelens.ingest.dating import DatedDocument, date_document
from timelens.ingest.title_dates import date_of_title, time_in_name
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, month_interval

SEPTEMBER = month_interval(2011, 9)
AUGUST_AND_SEPTEMBER = Interval(day_number(2011, 8), day_number(2011, 10), Granularity.MONTH)
STRAY = "Wilf came here in 1991. A pint is £2.40."


def dated(path: Path, content: str) -> DatedDocument:
    return date_document(read_one(path, content))


def published(path: Path, content: str) -> tuple[Interval | None, str | None]:
    document = dated(path, content).document
    return document.published, document.published_source


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2011-09-news", SEPTEMBER),
        ("2011_09 minutes", SEPTEMBER),
        ("news-sept-2011", SEPTEMBER),
        ("Newsletter_2011_Sept", SEPTEMBER),
        ("sep2011", SEPTEMBER),
        ("Bell September 2011 final", SEPTEMBER),
        ("Minutes 12 March 2014", day(2014, 3, 12)),
        ("12mar2014 minutes", day(2014, 3, 12)),
        ("minutes-2008-12-16", day(2008, 12, 16)),
        ("2011-12-minutes", month_interval(2011, 12)),
        ("2011-12-season", None),
        ("accounts-2011-12", None),
        ("2008-12_16", None),
        ("2011-09 to 2012-03", None),
        ("history-of-1848", None),
        ("The fire of 12 March 1904", None),
        ("the-may-1997-election-night", None),
        ("may-1968-in-france", None),
        ("march-2011-to-may-2015", None),
        ("marching 2011", None),
        ("IMG_201109", None),
    ],
)
def test_times_in_file_names(name: str, expected: Interval | None) -> None:
    assert time_in_name(name) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The Bell - September 2011", SEPTEMBER),
        ("Parish News, September 2011", SEPTEMBER),
        ("September 2011 newsletter", SEPTEMBER),
        ("September 2011: harvest and hedges", SEPTEMBER),
        ("Newsletter for September 2011", SEPTEMBER),
        ("Issue 42 · September 2011", SEPTEMBER),
        ("Minutes of the meeting held on 12 March 2014", day(2014, 3, 12)),
        ("Council | 12 March 2014 | Home", day(2014, 3, 12)),
        ("The Bell, August/September 2011", AUGUST_AND_SEPTEMBER),
        ("The election of May 1997", None),
        ("The May 1997 election", None),
        ("May 1968 in France", None),
        ("Report on the floods of May 2007", None),
        ("Est. 12 May 1887", None),
        ("History of 1848", None),
        ("1 May 1914 – 11 November 1918", None),
        ("Letters from 3 May 1916 and 5 June 1917", None),
    ],
)
def test_titles_with_a_day_of_issue_and_without(title: str, expected: Interval | None) -> None:
    assert date_of_title(title) == expected


def test_a_line_of_its_own_needs_a_sign_beside_its_date() -> None:
    assert date_of_title("Harvest supper 17 September 2011") == day(2011, 9, 17)
    assert date_of_title("Harvest supper 17 September 2011", apart=True) is None
    assert date_of_title("Harvest supper, 17 September 2011", apart=True) == day(2011, 9, 17)
    assert date_of_title("Harvest supper, 17 September 2011.", apart=True) == day(2011, 9, 17)
    assert date_of_title("Ann Lee, 'The breach', Quarterly 14 (March 1987), pp. 201-219.", apart=True) is None


@pytest.mark.parametrize(
    ("head", "source"),
    [
        ("<title>The Bell - September 2011</title><body>", "title"),
        ("<body><h1>The Bell, September 2011</h1>", "title"),
        ("<title>The Bell</title><body><h2>September 2011</h2>", "first sentences"),
        ("<title>The Bell</title><body><header>No. 42 · September 2011</header>", "first sentences"),
        ("<title>The Bell</title><body><header>No. 42<p>September 2011</header><main>", "page header"),
        ("<title>The Bell</title><body><div role=banner>September 2011</div>", "page header"),
        ("<title>The Bell</title><body><h1>The Bell, September 2011</h1><main>", "page header"),
    ],
)
def test_a_page_is_of_the_month_at_its_top(tmp_path: Path, head: str, source: str) -> None:
    assert published(tmp_path / "a.html", f"<html>{head}<p>{STRAY}</p>") == (SEPTEMBER, source)


def test_a_day_in_a_header_dates_the_page(tmp_path: Path) -> None:
    page = "<title>The Bell</title><body><header>5 September 2011<nav>6 May 2001</nav></header><main>"
    found = published(tmp_path / "a.html", f"<html>{page}<p>{STRAY}</p></main>")
    assert found == (day(2011, 9, 5), "page header")


def test_metadata_and_the_name_of_the_file_come_before_titles(tmp_path: Path) -> None:
    meta = '<head><title>The flood, August 1952</title><meta name="date" content="2017-06-04"></head>'
    page = f"<html>{meta}<body><header>May 2001</header><main>{STRAY}</main>"
    assert published(tmp_path / "a.html", page) == (day(2017, 6, 4), "meta date")
    page = f"<html><title>The flood, August 1952</title><body>{STRAY}"
    assert published(tmp_path / "2011-09.html", page) == (SEPTEMBER, "file name")
    note = f"---\ndate: 2017-06-04\ntitle: The Bell, September 2011\n---\n{STRAY}"
    assert published(tmp_path / "2011-09 news.md", note) == (day(2017, 6, 4), "front matter")


@pytest.mark.parametrize(
    "text",
    [
        f"---\ntitle: The Bell, September 2011\n---\n{STRAY}",
        f"# The Bell, September 2011\n\n{STRAY}",
        f"# The Bell\n\n*September 2011*\n\n{STRAY}",
        f"# The Bell, September 2011\n\nThe lease runs to 3 March 2032. {STRAY}",
    ],
)
def test_no_sentence_of_a_dated_issue_takes_a_year_from_another(tmp_path: Path, text: str) -> None:
    found = dated(tmp_path / "a.md", text)
    assert found.document.published == SEPTEMBER
    assert [(time.interval, time.source) for time in found.times[-1]] == [(SEPTEMBER, EventSource.PUBLISHED)]


def test_a_day_within_the_month_of_issue_is_more_exact(tmp_path: Path) -> None:
    text = f"# The Bell, September 2011\n\nPrinted on 5 September 2011.\n\n{STRAY}"
    assert published(tmp_path / "a.md", text) == (day(2011, 9, 5), "first sentences")
    text = f"The committee met on 5 September 2011. {STRAY}"
    assert published(tmp_path / "2011-09 minutes.txt", text) == (day(2011, 9, 5), "first sentences")


def test_a_title_names_what_a_later_text_is_about(tmp_path: Path) -> None:
    text = f"# The flood, August 1952\n\nBy Ann Lee, 4 June 2017\n\n{STRAY}"
    assert published(tmp_path / "a.md", text) == (day(2017, 6, 4), "first sentences")
    text = "It rained. In 1953 they built the wall, in 1961 the bridge. In 1990 both fell."
    assert published(tmp_path / "flood-august-1952.txt", text) == (None, None)
    assert published(tmp_path / "history-of-1848.txt", "In 1848 the king fled.") == (None, None)


def test_an_issue_with_dated_entries_keeps_its_month_and_a_diary_has_none(tmp_path: Path) -> None:
    events = "## Saturday 3 September\n\nTea.\n\n## Saturday 17 September\n\nSupper.\n\n# Other\n\n" + STRAY
    found = dated(tmp_path / "a.md", f"# The Bell, September 2011\n\n{events}")
    assert [entry.time for entry in found.entries] == [day(2011, 9, 3), day(2011, 9, 17)]
    assert found.document.published == SEPTEMBER
    diary = "## 3 September 2011\n\nTea.\n\n## 4 May 2012\n\nSupper.\n\n## 2 June 2014\n\nRain."
    found = dated(tmp_path / "2011-09 diary.md", diary)
    assert (len(found.entries), found.document.published) == (3, None)


def test_a_title_of_any_document_counts() -> None:
    bare = Document("d", "/d", "The Bell, September 2011", STRAY, "hash")
    assert date_document(bare).document.published == SEPTEMBER
