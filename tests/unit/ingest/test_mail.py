from email.message import EmailMessage
from pathlib import Path

import pytest
from linear_time import assert_linear
from made_files import make_docx, make_ics, zipped
from unit.ingest.conftest import NO_COLUMNS, day, read, read_one, refused

from timelens.documents import Document
from timelens.ingest import mail
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.temporal.calendar import format_day

HEAD = (
    "From: =?utf-8?q?Ann_L=C3=ADnd?= <ann@x.org>\nTo: Bob <bob@x.org>,\n carl@x.org\n"
    "Subject: =?utf-8?b?RsOpZXM=?= for\n 2015\nDate: Mon, 4 May 2015 23:30:00 -0700\nMessage-ID: <1@x>\n"
)


def own(document: Document) -> str:
    """The text without the lines that say who wrote to whom."""
    return document.text.partition("\n\n")[2]


def test_a_message(tmp_path: Path) -> None:
    document = read_one(tmp_path / "2020-01-01.eml", f"{HEAD}\nThe fee is 5.\n")
    assert (document.id, document.title) == ("2020-01-01.eml", "Fées for 2015")
    assert document.text == ("From: Ann Línd <ann@x.org>\nTo: Bob <bob@x.org>, carl@x.org\n\nThe fee is 5.")
    assert (document.published, document.published_source) == (day(2015, 5, 4), "Date header")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Yes.\n\nOn Mon, 4 May 2015 at 10:00, Bob <b@x.org> wrote:\n> Is it 5?\n> Bob", "Yes."),
        ("Yes.\n\nOn Mon, 4 May 2015 at 10:00, Bob\n<b@x.org> wrote:\n\n> Is it 5?\n\nAnn", "Yes.\n\nAnn"),
        ("> Is it 5?\nYes.\n> And 6?\nNo.", "Yes.\nNo."),
        ("Yes.\n\nOn 4 May 2015 Bob wrote:\nIs it 5?", "Yes."),
        ("Ja.\n\nAm 04.05.2015 um 10:00 schrieb Bob:\n> Fünf?", "Ja."),
        ("Yes.\n\n-----Original Message-----\nFrom: Bob\nSent: Monday\nSubject: x\n\nIs it 5?", "Yes."),
        (
            "Yes.\n\n________\nFrom: Bob <b@x>\nSent: 4 May 2015\nTo: Ann\nSubject: x\n\nIs it 5?",
            "Yes.\n\n________",
        ),
        ("From: the hill we saw it.\nIt was 2015.", "From: the hill we saw it.\nIt was 2015."),
        ("As Bob wrote: it is 5.", "As Bob wrote: it is 5."),
    ],
)
def test_what_a_message_quotes_is_left_out(tmp_path: Path, text: str, kept: str) -> None:
    assert own(read_one(tmp_path / "a.eml", f"{HEAD}\n{text}\n")) == kept


def test_a_forwarded_message_is_a_document_of_its_own_day(tmp_path: Path) -> None:
    text = (
        "See below.\n\n---------- Forwarded message ---------\nFrom: Bob <b@x.org>\n"
        "Date: Mon, 3 Feb 2014 at 10:30\nSubject: Rent\nTo: Ann <ann@x.org>\n\nThe rent is 7.\n"
    )
    (document, inner), failures = read(tmp_path / "a.eml", f"{HEAD}\n{text}")
    assert failures == []
    assert own(document) == "See below."
    assert (inner.id, inner.title, own(inner)) == ("a.eml/forwarded", "Rent", "The rent is 7.")
    assert (inner.published, inner.published_source) == (day(2014, 2, 3), "forwarded head")
    outlook = (
        "FYI\n\nFrom: Bob\nSent: Monday, February 3, 2014 10:30 AM\nTo: Ann\nSubject: Rent\n\nThe rent is 7."
    )
    head = HEAD.replace("Subject: ", "Subject: FW: ")
    (document, inner), _ = read(tmp_path / "b.eml", f"{head}\n{outlook}")
    assert (own(document), own(inner), inner.published) == ("FYI", "The rent is 7.", day(2014, 2, 3))
    (document,), (failure,) = read(tmp_path / "c.eml", f"{HEAD}\n{text.replace('3 Feb 2014', 'once')}")
    assert failure.partial
    assert "a forwarded message was left out" in failure.error


def test_a_page_without_what_it_quotes(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Date"] = "ann@x.org", "Mon, 4 May 2015 10:00:00 +0200"
    page = (
        "<html><body><p>Yes, caf\xe9.</p><div>On 3 May 2015 Bob wrote:</div>"
        '<blockquote type="cite"><p>Is it 5?</p></blockquote><p>Ann</p></body></html>'
    )
    message.set_content(page, subtype="html", charset="iso-8859-1")
    document = read_one(tmp_path / "a.eml", message.as_bytes())
    assert own(document) == "Yes, café.\n\nAnn"
    assert document.title == "(no subject)"


def test_a_table_in_a_page_is_a_document_of_facts(tmp_path: Path) -> None:
    table = "<table><tr><th>Year</th><th>Fee</th></tr><tr><td>2014</td><td>12</td></tr>"
    table += "<tr><td>2015</td><td>13</td></tr></table>"
    message = EmailMessage()
    message["From"], message["Subject"], message["Date"] = "a@x.org", "Fees", "Mon, 4 May 2015 10:00:00 +0000"
    quoted = f'<blockquote type="cite">{table.replace("13", "99")}</blockquote>'
    message.set_content(f"<p>Here they are.</p>{table}<p>Ann</p>{quoted}", subtype="html")
    (facts, text), failures = read(tmp_path / "a.eml", message.as_bytes())
    assert failures == []
    assert (facts.id, facts.title) == ("a.eml#table-1", "Fees")
    assert [(fact.period, fact.fields) for fact in facts.facts] == [
        ("in 2014", (("Fee", "12"),)),
        ("in 2015", (("Fee", "13"),)),
    ]
    assert text.id == "a.eml"
    assert text.text.split("\n\n") == ["From: a@x.org", "Here they are.", "Ann"]


def test_a_table_in_plain_text_is_a_document_of_facts(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Subject"], message["Date"] = "a@x.org", "Fees", "Mon, 4 May 2015 10:00:00 +0000"
    message.set_content("Here they are.\n\nYear  Fee\n2014  12\n2015  13\n\nAnn\n")
    (facts, text), failures = read(tmp_path / "a.eml", message.as_bytes())
    assert failures == []
    assert [fact.period for fact in facts.facts] == ["in 2014", "in 2015"]
    assert "2014" not in text.text


def test_the_plain_form_counts_before_the_page_and_attachments_are_read(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@x.org", "Minutes"
    message["Date"] = "Mon, 4 May 2015 10:00:00 +0200"
    message.set_content("Plain.")
    message.add_alternative("<p>Page.</p>", subtype="html")
    docx = make_docx([("", "The board met.")], created="2014-01-02T00:00:00Z")
    message.add_attachment(docx, maintype="application", subtype="x", filename="mínutes.docx")
    message.add_attachment(b"x", maintype="image", subtype="png", filename="a.png")
    message.add_attachment(zipped({"a.txt": "b"}), maintype="application", subtype="zip", filename="a.zip")
    message.add_attachment(b"broken", maintype="application", subtype="pdf", filename="../../b.pdf")
    inner = EmailMessage()
    inner["From"], inner["Subject"], inner["Date"] = "bob@x.org", "Inner", "Mon, 3 Feb 2014 10:00:00 +0000"
    inner.set_content("Inner text.")
    message.add_attachment(inner)
    documents, failures = read(tmp_path / "a.eml", message.as_bytes())
    assert [(d.id, d.text.split("\n\n")[-1], d.published) for d in documents] == [
        ("a.eml", "Plain.", day(2015, 5, 4)),
        ("a.eml/message 1", "Inner text.", day(2014, 2, 3)),
        ("a.eml/mínutes.docx", "The board met.", day(2014, 1, 2)),
    ]
    assert {document.uri for document in documents} == {(tmp_path / "a.eml").as_posix()}
    assert [(failure.path, failure.partial) for failure in failures] == [
        ("a.eml/../../b.pdf", False),
        ("a.eml", True),
        ("a.eml", True),
    ]
    assert "a.png" in failures[1].error
    assert "a.zip" in failures[2].error


def test_an_invitation_is_read(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Date"] = "ann@x.org", "Mon, 4 May 2015 10:00:00 +0200"
    message.set_content("Come.")
    event = make_ics("UID:1\nSUMMARY:Fair\nDTSTART;VALUE=DATE:20150701").decode()
    message.add_alternative(event, subtype="calendar")
    _, fair = read(tmp_path / "a.eml", message.as_bytes())[0]
    assert (fair.id, len(fair.facts)) == ("a.eml/invitation.ics", 1)


@pytest.mark.parametrize(
    ("head", "published", "source"),
    [
        ("Date: 4 May 15 10:00 GMT", "2015-05-04", "Date header"),
        ("Date: Thu, 4 Jun 2015 00:10:00 +1200 (NZST)", "2015-06-04", "Date header"),
        ("Received: by a; Tue, 5 May 2015 10:00:00 +0000\nReceived: by b; Mon, 4 May 2015 10:00:00 +0000",
         "2015-05-04", "Received header"),
        ("X: y", None, None),
    ],
)  # fmt: skip
def test_days_of_messages(tmp_path: Path, head: str, published: str | None, source: str | None) -> None:
    document = read_one(tmp_path / "a.eml", f"From: a@x\n{head}\n\nText.")
    assert (document.published and format_day(document.published.start or 0)) == published
    assert document.published_source == source


def test_a_day_that_is_none_is_reported_and_the_text_kept(tmp_path: Path) -> None:
    (document,), (failure,) = read(tmp_path / "a.eml", "From: a@x\nDate: 31 Feb 2015 10:00:00 +0000\n\nText.")
    assert own(document) == "Text."
    assert failure.partial
    assert "Date header" in failure.error


# Mailboxes


def box(*messages: str, head: str = "From ann@x.org Mon May  4 10:00:00 2015") -> str:
    return "".join(f"{head}\n{message}\n\n" for message in messages)


def test_the_messages_of_a_mailbox_are_documents(tmp_path: Path) -> None:
    text = "From here on:\n\nFrom 2015 it is 6.\n>From x"
    second = f"From: bob@x\nSubject: Two\nDate: Tue, 5 May 2015 10:00:00 +0000\n\n{text}"
    third = HEAD.replace("<1@x>", "<3@x>") + "\nThree."
    documents, failures = read(tmp_path / "a.mbox", box(f"{HEAD}\nOne.", second, third))
    assert failures == []
    assert [(d.id, own(d)) for d in documents] == [
        ("a.mbox#1@x", "One."),
        ("a.mbox#2", "From here on:\n\nFrom 2015 it is 6.\nFrom x"),
        ("a.mbox#3@x", "Three."),
    ]
    assert documents[1].published == day(2015, 5, 5)


def test_the_same_message_twice_is_one_and_another_of_its_id_is_kept(tmp_path: Path) -> None:
    documents, failures = read(tmp_path / "a.mbox", box(f"{HEAD}\nOne.", f"{HEAD}\nOne.", f"{HEAD}\nTwo."))
    assert failures == []
    assert [d.id for d in documents] == ["a.mbox#1@x", "a.mbox#1@x", "a.mbox#1@x#3"]
    assert documents[0].content_hash == documents[1].content_hash


def test_a_broken_message_is_listed_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "_LARGEST", 10_000)
    large = "From: x@y\n\n" + "x" * 60 + "\n" * 20_000
    content = box(
        f"{HEAD}\nOne.", "X-Nothing: 1\n\nNo headers.", large, f"{HEAD.replace('1@x', '4@x')}\nFour."
    )
    documents, failures = read(tmp_path / "a.mbox", content)
    assert [d.id for d in documents] == ["a.mbox#1@x", "a.mbox#4@x"]
    assert [f.path for f in failures] == ["a.mbox message 2", "a.mbox message 3"]
    assert not any(failure.partial for failure in failures)


def test_a_mailbox_is_read_message_by_message(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    path.write_text(box(*(f"{HEAD.replace('1@x', f'{n}@x')}\nText {n}." for n in range(3_000))))
    items = READERS[".mbox"](SourceFile(path, "a.mbox"), NO_COLUMNS)
    next(items)
    path.write_text("")  # had it been read whole, the rest would still come
    assert len(list(items)) < 2_999


# What is no message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"no message at all", "not a message"),
        (b"\x00\xff\xfe" * 99, "not a message"),
        (b"From: a@x\n" + b"X: y\n" * 100_000 + b"\nx", "its headers are larger"),
    ],
)
def test_what_is_no_message_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    assert said in refused(tmp_path / "a.eml", content).message


@pytest.mark.parametrize("content", [b"no mailbox", b"\x00\xff" * 99, b"From nobody\n"])
def test_what_is_no_mailbox_is_refused(tmp_path: Path, content: bytes) -> None:
    assert "not an mbox file" in refused(tmp_path / "a.mbox", content).message


@pytest.mark.parametrize(
    "head",
    [
        "To: " + "(" * 19_000,
        "To: " + "<" * 19_000,
        "To: " + "a@b, " * 20_000,
        "Subject: " + "=?" * 20_000,
        "Subject: " + "=?utf-8?q?a?= " * 9_000,
        "Subject: =?nonsense?q?a?= =?utf-8?b?!!!?=",
        "Content-Type: text/plain; " + "a*0*=x;" * 20_000,
        "Content-Type: text/plain; charset=nonsense",
        "Content-Type: multipart/mixed; boundary=x",
        "Content-Transfer-Encoding: base64",
        "Date: " + "9" * 10_000,
        "Subject: \udcff\udcfe",
        "Message-ID: <" + "x" * 9_000 + "\x1b[31m>",
    ],
)
def test_odd_headers_stop_nothing(tmp_path: Path, head: str) -> None:
    raw = f"From: a@x\n{head}\n\nText.".encode(errors="surrogateescape")
    (document,), _ = read(tmp_path / "a.eml", raw)
    assert document.text.encode()
    assert document.title.encode()


def test_parts_in_parts_without_end_are_refused(tmp_path: Path) -> None:
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(200))
    assert "nested too deep" in refused(tmp_path / "a.eml", f"From: a@x\n{nested}\nx".encode()).message
    many = "From: a@x\nContent-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 3_000
    assert "too many" in refused(tmp_path / "a.eml", many.encode()).message


@pytest.mark.parametrize("unit", ["On ", "On x\n", "From: a\n", ">", "-", "x wrote"])
def test_odd_bodies_are_read_in_linear_time(tmp_path: Path, unit: str) -> None:
    def read_body(length: int) -> None:
        text = unit * (length // len(unit))
        document = read_one(tmp_path / "a.eml", f"{HEAD}\n{text}\n")
        assert own(document) == ("" if unit == ">" else text.rstrip())

    assert_linear(read_body, 30_000, 300_000)
