"""RSS and Atom files; XML that is none, and that is made to harm."""

import resource
from pathlib import Path

import pytest

from timelens.errors import BadInputError

from .conftest import day, read

RSS = """<?xml version="1.0" encoding="ISO-8859-1"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Village &amp; news</title><atom:link href="https://v.example.org/rss" rel="self"/>
<item><title>Bridge closed</title><link>https://v.example.org/1</link><guid isPermaLink="false">a1</guid>
<pubDate>Mon, 04 Oct 2021 23:30:00 +0200</pubDate><dc:creator>Ann</dc:creator>
<description>short</description>
<content:encoded><![CDATA[<h2>Why</h2><p>Cracks in <b>two</b> piers.</p><script>alert(1)</script>]]>
</content:encoded></item>
<item><title>Caf\xe9 &lt;b&gt;opens&lt;/b&gt;</title><link>https://v.example.org/2</link>
<dc:date>2022-05-05T20:00:00Z</dc:date><description>It&amp;#8217;s open.</description></item>
<item><title>Caf\xe9 again</title><link>https://v.example.org/2</link>
<description>the same link</description></item>
<item><title>Only a title</title><pubDate>sometime</pubDate></item>
<item><link>https://v.example.org/3</link></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title>
<entry><id>tag:x,2020:1</id><title type="html">Third &amp;amp; last</title>
<link rel="edit" href="https://x.example.org/e"/><link href="https://x.example.org/1"/>
<updated>2021-01-02T00:00:00Z</updated><published>2020-12-31T22:00:00-05:00</published>
<author><name>Bo</name></author>
<content type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml"><p>A <em>new</em> start.</p><p>Really.</p></div>
</content></entry>
<entry><id>2</id><title>Plain</title><updated>2021-03-04T00:00:00Z</updated>
<summary>Is 3 &lt; 4?</summary></entry>
</feed>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Old</title></channel>
<item><title>One</title><link>https://o.example.org/1</link><dc:date>2004-02-29</dc:date>
<description>x</description></item>
</rdf:RDF>"""


def test_items_of_rss_are_documents_of_their_day(tmp_path: Path) -> None:
    documents, failures = read(tmp_path / "n.rss", RSS.encode("latin-1"))
    assert [(one.id, one.title, one.text, one.published, one.published_source) for one in documents] == [
        (
            "n.rss#a1",
            "Village & news: Bridge closed",
            "By Ann.\n\nWhy\n\nCracks in two piers.",
            day(2021, 10, 4),
            "pubDate",
        ),
        (
            "n.rss#https://v.example.org/2",
            "Village & news: Café opens",
            "It’s open.",
            day(2022, 5, 5),
            "date",
        ),
        (documents[2].id, "Village & news: Café again", "the same link", None, None),
        (documents[3].id, "Village & news: Only a title", "Only a title", None, None),
    ]
    assert [mark.place for mark in documents[0].places] == ["https://v.example.org/1"]
    assert [(one.path, one.partial) for one in failures] == [("n.rss item 4", True), ("n.rss item 5", True)]
    assert "its date (pubDate): 'sometime' is not a date" in failures[0].error
    assert failures[1].error == "it has neither title nor text"


@pytest.mark.parametrize("suffix", [".atom", ".xml"])
def test_atom_is_dated_by_publication_before_change(tmp_path: Path, suffix: str) -> None:
    documents, failures = read(tmp_path / f"b{suffix}", ATOM)
    assert failures == []
    assert [(one.title, one.text, one.published) for one in documents] == [
        ("Blog: Third & last", "By Bo.\n\nA new start.\n\nReally.", day(2020, 12, 31)),
        ("Blog: Plain", "Is 3 < 4?", day(2021, 3, 4)),
    ]
    assert documents[0].places[0].place == "https://x.example.org/1"


def test_old_rss(tmp_path: Path) -> None:
    ((document,), failures) = read(tmp_path / "o.xml", RDF)
    assert failures == []
    assert (document.title, document.published) == ("Old: One", day(2004, 2, 29))


def test_items_of_one_link_are_kept_apart_and_an_item_that_comes_twice_is_read_once(tmp_path: Path) -> None:
    item = "<item><title>{}</title><link>https://v.example.org</link></item>"
    items = "".join(map(item.format, ("One", "Two", "One", "Two")))
    documents, failures = read(tmp_path / "a.rss", f"<rss><channel>{items}</channel></rss>")
    assert failures == []
    assert [document.text for document in documents] == ["One", "Two"]
    assert documents[0].id == "a.rss#https://v.example.org"
    assert documents[1].id.startswith("a.rss#https://v.example.org#")


def test_an_item_is_known_again_when_others_come(tmp_path: Path) -> None:
    before, _ = read(tmp_path / "n.rss", RSS.encode("latin-1"))
    new = "<item><title>New</title></item><item><title>Bridge closed"
    after, _ = read(tmp_path / "n.rss", RSS.replace("<item><title>Bridge closed", new).encode("latin-1"))
    hashes = {one.id: one.content_hash for one in after}
    assert all(hashes[one.id] == one.content_hash for one in before)


@pytest.mark.parametrize("content", ["<svg/>", "<plist><dict/></plist>", "<RDF/>", '<x:feeds xmlns:x="y"/>'])
def test_other_xml_is_listed_in_one_line(tmp_path: Path, content: str) -> None:
    documents, (failure,) = read(tmp_path / "a.xml", content)
    assert documents == []
    assert failure.error.startswith("XML of a kind that is not read (its root is ")
    assert failure.partial


def test_a_feed_without_items_is_listed(tmp_path: Path) -> None:
    documents, (failure,) = read(tmp_path / "a.rss", "<rss><channel/></rss>")
    assert (documents, failure.error) == ([], "a feed without items")


def test_entities_and_other_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("SECRET")
    uri = (tmp_path / "secret").as_uri()
    head = f'<!DOCTYPE rss [<!ENTITY f SYSTEM "{uri}"><!ENTITY e "EXPANDED">]>'
    feed = f"{head}<rss><channel><item><title>a &f; &e; b</title></item></channel></rss>"
    ((document,), _) = read(tmp_path / "a.rss", feed)
    assert "SECRET" not in document.title + document.text
    assert "EXPANDED" not in document.title + document.text


def test_entities_do_not_explode(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    feed = (
        f'<!DOCTYPE rss [<!ENTITY l0 "ha">{levels}]><rss><channel><item><title a="&l11;">x &l11;</title>'
        "</item></channel></rss>"
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInputError, match="not well-formed XML"):
        read(tmp_path / "a.rss", feed)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.parametrize(
    "content",
    [
        b"<rss><channel><item><title>cut",
        b"no xml",
        b"<a>" * 100_000,
        b"\xff\xfe<",
        b"<rss>\0</rss>",
        b"<?xml version='1.0' encoding='nonsense'?><rss/>",
        b"<rss>&undefined;</rss>",
    ],
)
def test_what_is_no_xml_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BadInputError, match="it is not well-formed XML: ") as caught:
        read(tmp_path / "a.xml", content)
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_an_item_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    deep = "&lt;b&gt;" * 5000
    items = f"<item><title>a</title><description>{deep}</description></item><item><title>b</title></item>"
    documents, (failure,) = read(tmp_path / "a.rss", f"<rss><channel>{items}</channel></rss>")
    assert [document.text for document in documents] == ["b"]
    assert (failure.path, failure.error) == ("a.rss item 1", "its tags are nested too deep")
