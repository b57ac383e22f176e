"""Chats exported by WhatsApp: their shapes, the order of day and month, and what is no chat."""

from pathlib import Path

import pytest

from timelens.answer.sentences import joined, sender_of
from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest import messages
from timelens.ingest.annotate import annotate
from timelens.temporal.calendar import format_day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.phrasing import phrase

from .conftest import read


def days(documents: list[Document]) -> list[tuple[str, str]]:
    return [(format_day(int(one.published.bounds[0])), one.text) for one in documents if one.published]


ANDROID = """01/11/2020, 06:58 - Messages and calls are end-to-end encrypted. Tap to learn more.
01/11/2020, 06:58 - Anna created group "Boat: the sale"
02/11/2020, 10:33 - Anna: I think we should sell.
It costs too much.

And nobody has time.
02/11/2020, 10:35 - +44 7700 900123: <Media omitted>
02/11/2020, 10:36 - Ben Koster: IMG-20201102-WA0001.jpg (file attached)
The new sails
14/11/2020, 18:02 - Ben Koster: No way: never.
14/11/2020, 18:03 - Anna: This message was deleted
14/11/2020, 18:04 - Anna left
"""


def test_each_day_of_a_chat_is_a_document_of_what_people_wrote(tmp_path: Path) -> None:
    documents, failures = read(tmp_path / "WhatsApp Chat with Boat.txt", ANDROID)
    assert failures == []
    assert days(documents) == [
        (
            "2020-11-02",
            """Anna: I think we should sell.\nIt costs too much.\n\nAnd nobody has time.

Ben Koster: The new sails""",
        ),
        ("2020-11-14", "Ben Koster: No way: never."),
    ]
    first, second = documents
    assert (first.id, second.id) == (
        "WhatsApp Chat with Boat.txt#2020-11-02",
        "WhatsApp Chat with Boat.txt#2020-11-14",
    )
    assert (first.title, first.published_source) == ("WhatsApp Chat with Boat: 2 November 2020", "message")
    assert [mark.place for mark in first.places] == ["Anna, 10:33", "Ben Koster, 10:36"]
    assert first.uri == (tmp_path / "WhatsApp Chat with Boat.txt").as_posix()


IOS = """[2/11/23, 7:03:12\u202fPM] Choir: \u200eMessages and calls are end-to-end encrypted.
\u200e[2/11/23, 7:04:00\u202fPM] ~\u202fJoan: \u200eimage omitted
[2/12/23, 8:15:00\u202fAM] Priya: Hale retires
\u200e[2/12/23, 8:16:00\u202fAM] Priya: Two rooms \u200e<attached: 001-PHOTO.jpg>
[2/14/23, 8:15:00\u202fAM] \u202aMarcus Lee\u202c: Fine, @\u2068Priya\u2069 \u200e<This message was edited>
"""


def test_marks_of_ios_and_what_stands_behind_them_are_left_out(tmp_path: Path) -> None:
    documents, _ = read(tmp_path / "_chat.txt", IOS)
    assert days(documents) == [
        ("2023-02-12", "Priya: Hale retires\n\nPriya: Two rooms"),
        ("2023-02-14", "Marcus Lee: Fine, @Priya"),
    ]
    assert documents[0].title == "Choir: 12 February 2023"
    assert documents[0].places[0].place == "Priya, 8:15:00 AM"


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        pytest.param(["3/4/21", "5/4/21", "13/4/21"], "2021-04-03", id="a figure above 12 is a day"),
        pytest.param(["3/4/21", "3/5/21", "3/13/21"], "2021-03-04", id="as the second it is one too"),
        pytest.param(["9/4/2023", "2/5/2023", "3/6/2023"], "2023-04-09", id="days run on"),
        pytest.param(["04/09/2023", "05/02/2023", "06/03/2023"], "2023-04-09", id="days run on, month first"),
        pytest.param(["3/4/21", "4/4/21", "5/4/21"], "2021-04-03", id="messages are days apart, not months"),
        pytest.param(["4/3/21", "4/4/21", "4/5/21"], "2021-04-03", id="the same, month first"),
        pytest.param(["3.4.21", "4.5.21", "5.6.21"], "2021-04-03", id="before full stops the day is first"),
        pytest.param(["2021-04-03", "2021-04-04", "2021-04-05"], "2021-04-03", id="ISO"),
        pytest.param(["2021/4/3", "2021/4/4", "2021/4/5"], "2021-04-03", id="the year first"),
        pytest.param(["03-04-2021", "04-04-2021", "05-04-2021"], "2021-04-03", id="hyphens"),
    ],
)
@pytest.mark.parametrize("form", ["{}, 10:33 - A: x", "[{}, 10:33:12] A: x", "{}, 10:33 a.\u202fm. - A: x"])
def test_the_file_tells_the_order_of_day_and_month(
    tmp_path: Path, dates: list[str], expected: str, form: str
) -> None:
    documents, failures = read(tmp_path / "c.txt", "\n".join(form.format(date) for date in dates))
    assert failures == []
    assert days(documents)[0][0] == expected
    assert len(documents) == 3


@pytest.mark.parametrize("day_first", [False, True])
def test_what_the_file_leaves_open_is_read_by_the_convention(
    tmp_path: Path, hashed: Embedder, *, day_first: bool
) -> None:
    text = "3/4/21, 10:33 - A: One.\n3/4/21, 10:34 - B: Two.\n\nMore.\n4/4/21, 10:35 - A: Three.\n"
    documents, _ = read(tmp_path / "c.txt", text)
    assert [document.id for document in documents] == ["c.txt"]
    chunks = annotate(documents[0], hashed, Conventions(day_first=day_first)).chunks
    found = [phrase(chunk.published) for chunk in chunks if chunk.published]
    expected = ["3 April 2021", "4 April 2021"] if day_first else ["4 March 2021", "4 April 2021"]
    assert found == expected
    assert chunks[0].sentence(0) == "A: One."


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Notes.\n" + ANDROID, id="text before the first message"),
        pytest.param("03/05/2021, 10:33 - Anna: One.\nAnd so on.\nAnd on.\n", id="one such line"),
        pytest.param(
            "03/05/2021, 10:33 - milk\n04/05/2021, 10:33 - bread\n05/05/2021, 10:33 - salt\n"
            "06/05/2021, 10:33 - Note: eggs\n",
            id="no senders",
        ),
        pytest.param("[2023-04-09 10:33] started\n" * 4, id="a log, whose entries are read"),
        pytest.param("2023-04-09 10:33 - A: x\n" * 4, id="ISO dates without brackets"),
        pytest.param("10:33 - A: x\n" * 4, id="no dates"),
    ],
)
def test_what_only_holds_such_lines_is_plain_text(tmp_path: Path, text: str) -> None:
    documents, failures = read(tmp_path / "a.txt", text)
    assert failures == []
    assert [(document.id, document.text) for document in documents] == [("a.txt", text)]


def test_lines_with_iso_dates_and_senders_are_messages(tmp_path: Path) -> None:
    text = (
        "[2023-04-09 10:33] Ann: It leaks.\n[2023-04-09 10:40] Bo: Again?\n[2023-04-11 08:02] Ann: Mended.\n"
    )
    documents, _ = read(tmp_path / "chat.txt", text)
    assert days(documents) == [("2023-04-09", "Ann: It leaks.\n\nBo: Again?"), ("2023-04-11", "Ann: Mended.")]


def test_a_later_sentence_of_a_message_is_shown_with_its_sender(tmp_path: Path, hashed: Embedder) -> None:
    text = "".join(
        f"[2023-04-0{day} 10:33] Ann: Hello to everybody who has been away for the whole of the long winter. "
        f"I joined the rowing club yesterday. It was cold there.\n[2023-04-0{day} 10:34] Bo: Well done.\n"
        for day in (7, 9)
    )
    documents, _ = read(tmp_path / "chat.txt", text)
    (chunk,) = annotate(documents[0], hashed, USUAL).chunks
    shown = [joined(chunk, [index]) for index in range(len(chunk.sentences))]
    assert shown[1:] == [
        "Ann: I joined the rowing club yesterday.",
        "Ann: It was cold there.",
        "Bo: Well done.",
    ]
    assert [sender_of(chunk, index) for index in range(4)] == ["", "Ann", "Ann", ""]


def test_the_style_of_the_first_message_is_that_of_all(tmp_path: Path) -> None:
    quoted = ANDROID + "15/11/2020, 09:00 - Anna: She wrote\n[16/11/2020, 09:00:00] Ruth: no\n"
    documents, _ = read(tmp_path / "a.txt", quoted)
    assert days(documents)[-1] == ("2020-11-15", "Anna: She wrote\n[16/11/2020, 09:00:00] Ruth: no")


def test_messages_of_days_that_do_not_exist_are_told_of_once(tmp_path: Path) -> None:
    text = "".join(f"{day}/02/2021, 10:33 - A: x{day}\n" for day in (13, 27, 28, 30, 31))
    documents, failures = read(tmp_path / "a.txt", text)
    assert [text for _, text in days(documents)] == ["A: x13", "A: x27", "A: x28"]
    assert [(failure.path, failure.error, failure.partial) for failure in failures] == [
        ("a.txt", "messages without a readable time: 2, the first is line 4 ('30/2/2021')", True)
    ]


def test_every_sentence_of_a_short_message_has_its_sender_and_its_day(
    tmp_path: Path, hashed: Embedder
) -> None:
    long = "Long story. " * 30
    text = (
        "13/05/2021, 10:33 - Anna: I looked at it. The boat is sold!\nOn 3 June 2021 it goes.\n"
        "13/05/2021, 10:34 - Ben: Why? - 1 May 2020: paid.\n- 2 May 2020: paid.\n- 3 May 2020: paid.\n"
        f"14/05/2021, 10:34 - Ben: {long}\n"
    )
    documents, _ = read(tmp_path / "a.txt", text)
    (chunk,) = annotate(documents[0], hashed, USUAL).chunks
    sentences = [chunk.sentence(number) for number in range(len(chunk.sentences))]
    assert [sentence.partition(":")[0] for sentence in sentences] == ["Anna", "Ben"]
    assert [chunk.place(number) for number in range(2)] == ["Anna, 10:33", "Ben, 10:34"]
    of_first = [phrase(event.interval) for event in chunk.events if event.sentence == 0]
    assert of_first == ["3 June 2021", "13 May 2021"]
    assert "13 May 2021" in [phrase(event.interval) for event in chunk.events if event.sentence == 1]
    story = annotate(documents[1], hashed, USUAL).chunks
    assert sum(len(chunk.sentences) for chunk in story) == 30
    assert {chunk.place(0) for chunk in story} == {"Ben, 10:34"}


def test_a_grown_export_changes_its_last_day_alone(tmp_path: Path) -> None:
    before, _ = read(tmp_path / "a.txt", ANDROID)
    after, _ = read(tmp_path / "a.txt", ANDROID + "14/11/2020, 20:00 - Ben: Well.\n")
    assert [one.id for one in before] == [one.id for one in after]
    same = [a.content_hash == b.content_hash for a, b in zip(before, after, strict=True)]
    assert same == [True, False]


def test_a_chat_of_too_many_messages_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LARGEST", 300)
    with pytest.raises(BadInputError, match="it is larger than") as caught:
        read(tmp_path / "a.txt", ANDROID)
    assert caught.value.hint
    assert len(read(tmp_path / "a.txt", "Prose. " * 100)[0]) == 1
