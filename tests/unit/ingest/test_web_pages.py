import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.ingest.conftest import read, read_one

from timelens.documents import Mark
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest import web_pages
from timelens.ingest.pipeline import ingest
from timelens.ingest.web_pages import decode_page, read_page
from timelens.store.corpus import CorpusStore
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import day_interval, month_interval

MAY_4 = day_interval(day_number(2015, 5, 4))

PAGE = """<!DOCTYPE html>
<html lang="en"><head>
<meta charset="utf-8"><title> Ferry fares
 raised | Harbour News </title>
<style>p { color: red }</style><script>var text = "<p>not read</p>";</script>
</head><body>
<nav><ul><li>Home<li>Archive 1999</ul></nav>
<div role="navigation">Menu</div>
<main>
<h1>Ferry fares raised</h1>
<p>The council <b>raised</b>
   the fare&nbsp;&mdash; again.<br>It was Monday.
<h2>What <i>follows</i></h2>
<ul><li>First point.<li>Second point.</ul>
<table><tr><th>Stop<th>Fare<tr><td>Quay<td>2.40</table>
<pre>kept   as
  it is</pre>
<aside>Read also</aside><button>Share</button><p hidden>Hidden.</p><svg><text>drawn</text></svg>
</main>
<footer>Copyright 2020</footer>
</body></html>"""


def test_the_text_of_a_page_without_what_is_clicked(tmp_path: Path) -> None:
    document = read_one(tmp_path / "a.html", PAGE)
    assert document.text.split("\n\n") == [
        "Ferry fares raised",
        "The council raised the fare — again.\nIt was Monday.",
        "What follows",
        "First point.",
        "Second point.",
        "Stop | Fare",
        "Quay | 2.40",
        "kept as\nit is",
    ]
    assert document.title == "Ferry fares raised | Harbour News"
    assert (document.published, document.published_source) == (None, None)
    assert document.places == (Mark(0, ""), Mark(document.text.index("What follows"), "What follows"))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>One<article>Two</article>", "Two"),
        ("<p>One<article>Two<article>Comment</article></article>", "Two\n\nComment"),
        ("<article>One</article><article>Two</article>", "One\n\nTwo"),
        ("<div role=main>One</div>Two", "One"),
        ("<main><nav>Only this</nav></main><p>Two", "Two"),
        ("<header><h1>One</h1></header>Two", "One\n\nTwo"),
        ("<form><p>One<input value=x><select><option>no</select></form>", "One"),
        ("<p>a<span>b</span> <em>c</em>\n d</p>tail", "ab c d\n\ntail"),
        ("<p>One<!-- no --> two<script>no</script> three</p><noscript>no</noscript>", "One two three"),
        ("<p>1 &lt; 2 &amp; &#8364; &zzz; &#xD800;", "1 < 2 & € &zzz; �"),
        ("<div>One<p>Two</div></b></p>Three<", "One\n\nTwo\n\nThree<"),
        ("<dl><dt>Term<dd>What it is</dl>", "Term\n\nWhat it is"),
        ("<p><script><p>", None),
        ("", None),
        ("<nav>Only navigation</nav>", None),
        ("<div id=app></div><script>render()</script>", None),
    ],
)
def test_which_text_is_read(tmp_path: Path, body: str, text: str | None) -> None:
    if text is None:
        with pytest.raises(BadInputError, match="holds no text except navigation") as caught:
            read(tmp_path / "a.htm", f"<title>T</title>{body}")
        assert caught.value.hint
        return
    assert read_one(tmp_path / "a.htm", body).text == text


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("<title>Stated</title><meta property=og:title content=Shared><h1>Head</h1>", "Stated"),
        ("<title> </title><meta property=og:title content='Shared &amp; so'><h1>Head</h1>", "Shared & so"),
        ("<h2>Head</h2><p>Text.", "Head"),
        ("<p>Text.", "a"),
        ("<p>Text.<svg><title>Drawing</title></svg>", "a"),
    ],
)
def test_the_title_of_a_page(tmp_path: Path, content: str, title: str) -> None:
    assert read_one(tmp_path / "a.html", f"{content}<p>Text.").title == title


def linked(data: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(data)}</script>"


@pytest.mark.parametrize(
    ("head", "source"),
    [
        (
            "<meta property='article:published_time' content='2015-05-04T10:30:00+02:00'>",
            "meta article:published_time",
        ),
        ("<meta name=Date content='Mon, 04 May 2015 10:00:00 GMT'>", "meta date"),
        ("<meta name='DC.date' content=2015-05-04>", "meta dc.date"),
        ("<meta name=DC.Date.Issued content=20150504>", "meta dc.date.issued"),
        ("<meta name=citation_publication_date content=2015/05/04>", "meta citation_publication_date"),
        ("<meta itemprop=datePublished content='May 4, 2015 10:30 am'>", "meta datepublished"),
        ("<meta name=pubdate content=20150504103000>", "meta pubdate"),
        ("<meta name=date content='4 May 2015, 10:30'>", "meta date"),
        (linked({"@type": "NewsArticle", "datePublished": "2015-05-04T10:30Z"}), "JSON-LD datePublished"),
        (linked([{"@graph": [{"a": 1}, {"datePublished": "2015-05-04"}]}]), "JSON-LD datePublished"),
        (
            linked({"comment": {"datePublished": "2001"}, "datePublished": "2015-05-04"}),
            "JSON-LD datePublished",
        ),
        (linked({"comment": {"datePublished": "2001"}}), None),
        ("<p><time datetime=2015-05-04>4 May</time>", "time element"),
        (f"<p>{'Text. ' * 99}<time datetime=2001-05-04>once</time>", None),
        (f"<p>{'Text. ' * 99}<time itemprop=datePublished datetime=2015-05-04>then</time>", "time element"),
        (f"<p>{'Text. ' * 99}<time pubdate datetime=2015-05-04>then</time>", "time element"),
        ("<footer><time datetime=2001>then</time></footer>", None),
        ("<meta name=last-modified content=2001-01-01>", None),
        (
            "<script type='application/ld+json'>{broken</script><meta name=date content=2015-05-04>",
            "meta date",
        ),
        (
            f"<script type='application/ld+json'>{'[' * 100_000}</script><meta name=date content=2015-05-04>",
            "meta date",
        ),
        (linked({"datePublished": {"@value": "2001"}}), None),
    ],
)
def test_where_a_page_states_its_date(tmp_path: Path, head: str, source: str | None) -> None:
    document = read_one(tmp_path / "a.html", f"<html>{head}<p>Text.")
    assert document.published == (MAY_4 if source else None)
    assert document.published_source == source


def test_the_best_date_that_is_one_counts(tmp_path: Path) -> None:
    stated = [
        "<time datetime=2001>",
        "<meta name=date content=2002>",
        linked({"datePublished": "2015-05"}),
        "<meta property=article:published_time content=soon>",
    ]
    document = read_one(tmp_path / "2009-01-01.html", "".join(stated) + "<p>Text.")
    assert document.published == month_interval(2015, 5)
    assert document.published_source == "JSON-LD datePublished"


@pytest.mark.parametrize("stated", ["2015-02-31", "31 February 2015", "soon", "1430735400"])
def test_an_impossible_date_is_reported_and_the_text_kept(tmp_path: Path, stated: str) -> None:
    (document,), (failure,) = read(tmp_path / "a.html", f"<meta name=date content='{stated}'><p>Text.")
    assert (document.text, document.published) == ("Text.", None)
    assert failure.partial
    assert "meta date" in failure.error
    assert stated in failure.error


@pytest.mark.parametrize(
    "raw",
    [
        "<p>Füße – 5 €".encode(),
        b"\xef\xbb\xbf" + "<meta charset=latin1><p>Füße – 5 €".encode(),
        "\ufeff<p>Füße – 5 €".encode("utf-16-le"),
        "\ufeff<meta charset=utf-8><p>Füße – 5 €".encode("utf-16-be"),
        "<p>Füße – 5 €".encode("cp1252"),
        "<meta charset='ISO-8859-1'><p>Füße – 5 €".encode("cp1252"),
        "<META CHARSET=us-ascii><p>Füße – 5 €".encode("cp1252"),
        "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-15'><p>Füße – 5 €".encode(
            "iso8859-15", errors="replace"
        ).replace(b"?", "–".encode("ascii", errors="xmlcharrefreplace")),
        "<?xml version='1.0' encoding='windows-1252'?><p>Füße – 5 €".encode("cp1252"),
        "<meta charset=utf-16><p>Füße – 5 €".encode(),
        "<meta charset=zlib><p>Füße – 5 €".encode(),
        "<meta charset=punycode><p>Füße – 5 €".encode(),
        "<meta charset=nonsense><p>Füße – 5 €".encode(),
        b"<!--" + b" " * 2000 + b"--><meta charset=cp1252><p>" + "Füße – 5 €".encode("cp1252"),
    ],
)
def test_charsets_are_honoured(tmp_path: Path, raw: bytes) -> None:
    assert read_one(tmp_path / "a.html", raw).text == "Füße – 5 €"


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("shift_jis", "cp932", "港の料金①"),
        ("x-sjis", "cp932", "港の料金"),
        ("EUC-JP", "euc_jp", "港の料金"),
        ("gb2312", "gb18030", "渡轮票价镕"),
        ("big5", "big5hkscs", "渡輪票價"),
        ("euc-kr", "cp949", "여객선 요금"),
        ("windows-949", "cp949", "여객선 요금"),
        ("windows-31j", "cp932", "港の料金①"),
        ("windows-874", "cp874", "ค่าโดยสาร"),
        ("iso88592", "iso8859_2", "Přístav"),
        ("windows-1251", "cp1251", "Паром"),
        ("koi8-r", "koi8_r", "Паром"),
        ("iso-8859-2", "iso8859_2", "Přístav"),
        ("iso-8859-9", "cp1254", "İskele’de"),
    ],
)
def test_charsets_of_the_world(label: str, codec: str, text: str) -> None:
    raw = f"<meta charset={label}><p>".encode() + text.encode(codec)
    assert read_page(decode_page(raw)).text == text


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\x89PNG\r\n\0\0", "binary"),
        (b"<meta charset=utf-8><p>" + bytes(range(128, 256)) * 9, "not text in its charset, utf-8"),
        ("<p>Text.".encode("utf-16-le"), "binary"),
    ],
)
def test_what_is_no_page_is_refused(tmp_path: Path, raw: bytes, said: str) -> None:
    with pytest.raises(BadInputError) as caught:
        read(tmp_path / "a.html", raw)
    assert said in caught.value.message
    assert caught.value.hint


def test_a_few_wrong_bytes_do_not_refuse_a_page(tmp_path: Path) -> None:
    raw = b"<meta charset=utf-8><p>" + b"Much text. " * 99 + b"caf\xe9"
    assert read_one(tmp_path / "a.html", raw).text.endswith("caf�")


@pytest.mark.parametrize(
    "content",
    [
        "<div>" * 200_000 + "x",
        "<b>" * 200_000 + "x",
        "<table><tr><td>" * 50_000 + "x",
        "<main>" * 100_000 + "x" + "</main>" * 100_000,
    ],
    ids=["div", "b", "table", "main"],
)
def test_tags_nested_without_end_are_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadInputError, match="nested too deep"):
        read(tmp_path / "a.html", content)


@pytest.mark.parametrize(
    "content",
    [
        "<a name=x>" * 500 + "x",
        "<p>x" * 50_000,
        "<li>x<br>" * 50_000,
        "<table><tr>" + "<td>x" * 100_000,
        "<p " + "a=1 " * 50_000 + ">x",
        "<" * 100_000,
    ],
    ids=["unclosed", "paragraphs", "breaks", "cells", "attributes", "brackets"],
)
def test_odd_pages_are_read(tmp_path: Path, content: str) -> None:
    assert read_one(tmp_path / "a.html", content).text


def test_a_page_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_pages, "_LARGEST", 2**20)
    with pytest.raises(BadInputError, match="larger than 1 MB"):
        read(tmp_path / "a.html", "<p>" + "x" * 2**20)


tags = st.sampled_from(
    "<p> </p> <div> </div> <h1> </h1> <h2> </h2> <main> </main> <table> <tr> <td> </table> <script> "
    "</script> <!-- --> <br> <pre> </pre> <a <li> <article> </article> & &lt; <![CDATA[ ]]> </ <nav> "
    "</nav>".split()
)


@given(st.lists(st.one_of(tags, st.text(max_size=9)), max_size=30))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_page_is_read_and_its_headings_stand_where_they_are_said_to(parts: Sequence[str]) -> None:
    page = read_page("".join(parts))
    for mark in page.headings:
        said = " ".join(page.text[mark.offset :].split())
        assert said.startswith(mark.place)
        assert mark.place
    assert page.text == page.text.strip()


def test_a_broken_page_never_stops_the_rest(tmp_path: Path, hashed: Embedder) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.html").write_bytes(b"\0\0")
    (folder / "b.html").write_text("<div>" * 100_000)
    (folder / "c.html").write_text(PAGE)
    (folder / "d.HTM").write_text("<h1>One</h1><p>It began in 2010.<h2>Two</h2><p>It ended.")
    store = CorpusStore.create(tmp_path / "corpus", hashed.identity)
    report = ingest([folder], store, hashed)
    assert (report.added, report.failed) == (2, 2)
    assert [failure.path for failure in report.failures] == ["a.html", "b.html"]
    found = {hit.chunk.id: hit.chunk for hit in store.dense(hashed.encode_queries(["x"])[0], 9)}
    chunk = found["d.HTM#0"]
    assert chunk.places == ((2, "Two"),)
    assert [chunk.place(index) for index in range(4)] == ["", "", "Two", "Two"]
