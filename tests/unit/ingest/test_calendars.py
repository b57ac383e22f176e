from pathlib import Path

import pytest
from made_files import make_ics
from unit.ingest.conftest import read, read_one

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest import calendars
from timelens.ingest.annotate import annotate
from timelens.temporal.calendar import format_day


def days(document: Document) -> list[tuple[str, str, str]]:
    return [
        (dict(fact.fields)["event"], format_day(fact.start or 0), format_day(fact.end or 0))
        for fact in document.facts
    ]


BOARD = """UID:1
SUMMARY:Board\\, meeting
LOCATION:Hall
DTSTART;TZID=Europe/Berlin:20150504T233000
DTEND;TZID=Europe/Berlin:20150505T003000
ORGANIZER;CN=Ann Lind:mailto:ann@x.org
ATTENDEE;CN=Bob:mailto:bob@x.org
ATTENDEE:mailto:carl@x.org
DESCRIPTION:Fees\\nand rents"""


def test_events_are_facts(tmp_path: Path, hashed: Embedder) -> None:
    fair = "UID:2\nSUMMARY:Fair\nDTSTART;VALUE=DATE:20160701\nDTEND;VALUE=DATE:20160704"
    midnight = "UID:3\nSUMMARY:Ball\nDTSTART:20160801T200000\nDTEND:20160802T000000"
    content = make_ics(
        BOARD, fair, midnight, "UID:4\nDTSTART;VALUE=DATE:20170101", head="X-WR-CALNAME:Club\n"
    )
    document = read_one(tmp_path / "a.ics", content)
    assert document.title == "Club"
    assert days(document) == [
        ("Board, meeting", "2015-05-04", "2015-05-05"),
        ("Fair", "2016-07-01", "2016-07-03"),  # the end of a whole day is the day after
        ("Ball", "2016-08-01", "2016-08-01"),
        ("(no title)", "2017-01-01", "2017-01-01"),
    ]
    assert document.facts[0].fields == (
        ("event", "Board, meeting"),
        ("hours", "23:30 to 00:30"),
        ("place", "Hall"),
        ("organizer", "Ann Lind"),
        ("attendees", "Bob, carl@x.org"),
        ("about", "Fees and rents"),
    )
    chunk = annotate(document, hashed).chunks[1]
    assert (chunk.text, chunk.place(0)) == ("event Fair: from 1 July 2016 to 3 July 2016.", "event Fair")


def test_hours_are_those_of_where_the_calendar_is_kept(tmp_path: Path) -> None:
    late = "UID:1\nSUMMARY:Call\nDTSTART:20150504T233000Z\nDTEND:20150505T000000Z"
    document = read_one(tmp_path / "a.ics", make_ics(late, head="X-WR-TIMEZONE:Europe/Berlin\n"))
    assert days(document) == [("Call", "2015-05-05", "2015-05-05")]
    assert dict(document.facts[0].fields)["hours"] == "01:30 to 02:00"
    assert days(read_one(tmp_path / "b.ics", make_ics(late))) == [("Call", "2015-05-04", "2015-05-04")]


@pytest.mark.parametrize(
    ("rule", "expected", "told"),
    [
        ("FREQ=WEEKLY;COUNT=3", ["05-04", "05-11", "05-18"], False),
        ("FREQ=WEEKLY;UNTIL=20150518T090000Z", ["05-04", "05-11", "05-18"], False),
        ("FREQ=DAILY;INTERVAL=2;UNTIL=20150508", ["05-04", "05-06", "05-08"], False),
        ("FREQ=MONTHLY;BYDAY=1MO;COUNT=3", ["05-04", "06-01", "07-06"], False),
        ("FREQ=WEEKLY", ["05-04", "05-11", "05-18", "05-25"], False),
        ("FREQ=WEEKLY;COUNT=3\nEXDATE:20150511T100000", ["05-04", "05-18"], False),
        ("FREQ=WEEKLY;COUNT=1\nRDATE:20150520T100000", ["05-04", "05-20"], False),
        ("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", ["05-04"], True),
        ("FREQ=DAILY;INTERVAL=0", ["05-04"], True),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9", ["05-04"], False),
    ],
)
def test_what_repeats(tmp_path: Path, rule: str, expected: list[str], *, told: bool) -> None:
    event = f"UID:1\nSUMMARY:Choir\nDTSTART:20150504T100000\nRRULE:{rule}"
    last = "UID:2\nSUMMARY:Last\nDTSTAMP:20150526T000000Z\nDTSTART:20150525T100000"
    (document,), failures = read(tmp_path / "a.ics", make_ics(event, last))
    assert [first[5:] for name, first, _ in days(document) if name == "Choir"] == expected
    assert bool(failures) == told
    assert all(failure.partial for failure in failures)


def test_a_time_that_was_moved_is_told_once(tmp_path: Path) -> None:
    event = "UID:1\nSUMMARY:Choir\nDTSTART:20150504T100000\nRRULE:FREQ=WEEKLY;COUNT=3"
    moved = "UID:1\nSUMMARY:Choir in the hall\nRECURRENCE-ID:20150511T100000\nDTSTART:20150513T100000"
    assert sorted(days(read_one(tmp_path / "a.ics", make_ics(event, moved)))) == [
        ("Choir", "2015-05-04", "2015-05-04"),
        ("Choir", "2015-05-18", "2015-05-18"),
        ("Choir in the hall", "2015-05-13", "2015-05-13"),
    ]


def test_what_repeats_too_often_is_read_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    event = "UID:1\nSUMMARY:Choir\nDTSTART:20150504T100000\nRRULE:FREQ=DAILY;COUNT=5000"
    (document,), (failure,) = read(tmp_path / "a.ics", make_ics(event))
    assert len(document.facts) == 1_000
    assert "is read up to 2018-01-27" in failure.error
    monkeypatch.setattr(calendars, "_MOST_EVENTS", 1)
    with pytest.raises(BadInputError, match="more than 1 events"):
        read(tmp_path / "a.ics", make_ics(event, event))


def test_a_broken_event_is_listed_and_the_others_are_read(tmp_path: Path) -> None:
    bad = [
        "SUMMARY:x\nDTSTART:garbage",
        "SUMMARY:y",
        "SUMMARY:z\nDTSTART:20150504\nRRULE:FREQ=WEEKLY;UNTIL=x",
    ]
    (document,), failures = read(tmp_path / "a.ics", make_ics(*bad, BOARD))
    assert [name for name, _, _ in days(document)][-1] == "Board, meeting"
    assert [failure.path for failure in failures][:2] == ["a.ics event 1", "a.ics event 2"]


def test_tasks_are_listed(tmp_path: Path) -> None:
    content = make_ics(BOARD).replace(
        b"END:VCALENDAR", b"BEGIN:VTODO\r\nSUMMARY:x\r\nEND:VTODO\r\nEND:VCALENDAR"
    )
    _, (failure,) = read(tmp_path / "a.ics", content)
    assert failure.error == "only events are read; tasks and notes left out: 1"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"x", "not a calendar"),
        (b"\xff\x00" * 99, "not a calendar"),
        (make_ics(), "no events"),
        (b"BEGIN:VCALENDAR\r\n" + b"BEGIN:VEVENT\r\n" * 3000, "no events"),
        (b"BEGIN:VCALENDAR\r\n" + b"x" * 100_000, "not a readable calendar"),
    ],
)
def test_what_is_no_calendar_is_refused(
    tmp_path: Path, content: bytes, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInputError) as caught:
        read(tmp_path / "a.ics", content)
    assert said in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint
    assert capfd.readouterr() == ("", "")


def test_damage_anywhere_stops_nothing(tmp_path: Path) -> None:
    whole = make_ics(BOARD, "UID:1\nSUMMARY:Choir\nDTSTART:20150504T100000\nRRULE:FREQ=WEEKLY;COUNT=3")
    for place in range(0, len(whole), 5):
        try:
            read(tmp_path / "a.ics", whole[:place] + b"\xff;:=" + whole[place + 4 :])
        except BadInputError as error:
            assert error.hint  # noqa: PT017 -- either is right
