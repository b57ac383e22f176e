"""Dated entries: which lines head them, what they own, and what only looks like them."""

from itertools import islice, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_time import assert_linear

from timelens.answer.sentences import is_fragment
from timelens.documents import Document, Mark
from timelens.embedding import Embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.entries import entries
from timelens.temporal.conventions import USUAL
from timelens.temporal.phrasing import phrase

from .conftest import read_one

Told = list[tuple[str, str]]


def told(text: str, title: str = "") -> Told:
    found = entries(Document("d", "/d", title, text, "hash"), USUAL)
    return [(phrase(entry.time), " ".join(text[entry.body : entry.end].split())) for entry in found]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        pytest.param(
            "Diary",
            "5/9/19 Drove again.\n4/10/19 Fridge is loud\n20/12/19 Pym shuts the garage for good\n",
            [
                ("5 September 2019", "Drove again."),
                ("4 October 2019", "Fridge is loud"),
                ("20 December 2019", "Pym shuts the garage for good"),
            ],
            id="short dates in figures, whatever word follows",
        ),
        pytest.param(
            "Log",
            "14.7.15  Leak at deep end.\n20.7.15  Found it.\n2.8.15   Open again.\n1.3.17   New boss.\n",
            [
                ("14 July 2015", "Leak at deep end."),
                ("20 July 2015", "Found it."),
                ("2 August 2015", "Open again."),
                ("1 March 2017", "New boss."),
            ],
            id="days in points with a short year",
        ),
        pytest.param(
            "Log",
            "3.1.17\nWalked to the mill.\n\n4.1.17\nSnow.\n\n2.2.17\nThaw.\n",
            [
                ("3 January 2017", "Walked to the mill."),
                ("4 January 2017", "Snow."),
                ("2 February 2017", "Thaw."),
            ],
            id="such days in lines of their own",
        ),
        pytest.param(
            "Changes",
            "1.4.2 fixes a leak.\n1.4.1 fixes another.\n1.3.12 first release.\n1.2.11 beta.\n",
            [],
            id="versions in points, which count down",
        ),
        pytest.param(
            "Log",
            "Mon 14.5.18: server died.\nThu 17.5.18: server back.\nWed 2.1.19: first day.\n",
            [
                ("14 May 2018", "server died."),
                ("17 May 2018", "server back."),
                ("2 January 2019", "first day."),
            ],
            id="days in points behind their weekdays",
        ),
        pytest.param(
            "Log",
            "Tue 31/1/17: wet.\nMon 6/3/17: moved!\nWed 2/1/19: first day.\n",
            [("31 January 2017", "wet."), ("6 March 2017", "moved!"), ("2 January 2019", "first day.")],
            id="days in figures behind weekdays, which tell their order",
        ),
        pytest.param(
            "Log",
            "09/02/2018  Builders.\n30/06/2019  Open day.\n08/06/2020  Practice.\n04/11/2021  Fire.\n",
            [
                ("9 February 2018", "Builders."),
                ("30 June 2019", "Open day."),
                ("8 June 2020", "Practice."),
                ("4 November 2021", "Fire."),
            ],
            id="one date that shows the day first tells the order of all",
        ),
        pytest.param(
            "Messages",
            "[2023-10-31 17:20] Dad: I keep to daylight\n[2023-10-31 17:24] Ann: Please do\n"
            "[2024-03-17 20:00] Ann: So that is me in\n",
            [
                ("31 October 2023", "Dad: I keep to daylight"),
                ("31 October 2023", "Ann: Please do"),
                ("17 March 2024", "Ann: So that is me in"),
            ],
            id="a line in brackets begins anew, whatever word is above",
        ),
        pytest.param(
            "Diary",
            "# Diary 2011\n\n### Mon 3 Oct\nRain all day.\n\n### Wed 5 Oct\nMore rain.\n\nStill.\n",
            [("3 October 2011", "Rain all day."), ("5 October 2011", "More rain. Still.")],
            id="headings take the year of the heading above",
        ),
        pytest.param(
            "Register",
            "No. 7   22 July 1798   From the consul: fever.\nNo. 8   29 July 1798   To the consul: wait.\n"
            "No. 9   11 August 1798   From the consul: better.\n",
            [
                ("22 July 1798", "From the consul: fever."),
                ("29 July 1798", "To the consul: wait."),
                ("11 August 1798", "From the consul: better."),
            ],
            id="a column of numbers stands before that of days",
        ),
        pytest.param(
            "",
            "4.2, released the 9th of October 2017\n=====================================\n\nFaster.\n\n"
            "4.1, released the 28th of June 2017\n===================================\n\nWelsh.\n",
            [("9 October 2017", "Faster."), ("28 June 2017", "Welsh.")],
            id="a line of signs makes the line above a heading",
        ),
        pytest.param(
            "Pump",
            "Book of station 4, 2 pumps\n\n=== 2023-02-11 ===\n06:12  A running\n\n=== 2023-02-12 ===\n"
            "06:00  both idle\n\n=== 2023-02-13 ===\n00:31  alarm\n",
            [
                ("11 February 2023", "06:12 A running"),
                ("12 February 2023", "06:00 both idle"),
                ("13 February 2023", "00:31 alarm"),
            ],
            id="lines with the same signs before them are of one shape",
        ),
        pytest.param(
            "",
            "lamp (2.4)\n\n  * Rebuild.\n\n -- M. Quill  Mon, 09 May 2022 21:14:05 +0200\n\n"
            "lamp (2.3)\n\n  * New version.\n\n -- O. Brandt  Sun, 17 Apr 2022 10:02:44 +0200\n\n"
            "lamp (2.2)\n\n  * First.\n\n -- M. Quill  Mon, 03 Aug 2020 13:13:13 +0200\n",
            [
                ("9 May 2022", "lamp (2.4) * Rebuild. -- M. Quill Mon, 09 May 2022 21:14:05 +0200"),
                ("17 April 2022", "lamp (2.3) * New version. -- O. Brandt Sun, 17 Apr 2022 10:02:44 +0200"),
                ("3 August 2020", "lamp (2.2) * First. -- M. Quill Mon, 03 Aug 2020 13:13:13 +0200"),
            ],
            id="a signature with a date closes the entry above",
        ),
        pytest.param(
            "",
            "Rent book\nDATE      RECEIVED\n--------  --------\n3/14/58   cash, by hand\n"
            "3/21/58   cash, short\n4/18/58   from the sister\n",
            [
                ("14 March 1958", "cash, by hand"),
                ("21 March 1958", "cash, short"),
                ("18 April 1958", "from the sister"),
            ],
            id="a column of days follows a line of signs",
        ),
        pytest.param(
            "",
            "No. 211.  3 Feb. 1811.  Thomas Gell.\nNo. 212.  19 Feb. 1811.  An infant.\n"
            "No. 213.  2 March 1811.  Mary Orchard.\n",
            [
                ("3 February 1811", "Thomas Gell."),
                ("19 February 1811", "An infant."),
                ("2 March 1811", "Mary Orchard."),
            ],
            id="a column may end with a full stop",
        ),
        pytest.param(
            "",
            "# Card payments\n\n**Date:** 19 July 2024\n\n- 20:58 First refusals.\n"
            "- 23:44 It is not the bank.\n- 00:12 Somebody looks.\n- 00:40 Mended.\n",
            [
                ("19 July 2024", "First refusals."),
                ("19 July 2024", "It is not the bank."),
                ("20 July 2024", "Somebody looks."),
                ("20 July 2024", "Mended."),
            ],
            id="times of a day pass midnight",
        ),
        pytest.param(
            "",
            "## Thursday 3 December 2015\n\n**18.45** That is all.\n\n**12.00** Dogs welcome.\n\n"
            "### Earlier: Wednesday 2 December 2015\n\n**22.05** Red.\n\n**16.40** We start.\n",
            [
                ("3 December 2015", "That is all."),
                ("3 December 2015", "Dogs welcome."),
                ("2 December 2015", "Red."),
                ("2 December 2015", "We start."),
            ],
            id="times of a day, the newest first",
        ),
        pytest.param(
            "",
            "## Monday 3 May 2021\nEggs.\n\n## Tuesday\nBread.\n\n## Friday\nCheese.\n\n"
            "## Monday 10 May\nYeast.\n",
            [
                ("3 May 2021", "Eggs."),
                ("4 May 2021", "Bread."),
                ("7 May 2021", "Cheese."),
                ("10 May 2021", "Yeast."),
            ],
            id="a weekday alone is the next one",
        ),
        pytest.param(
            "Training 2022",
            "### Week 27\nThree runs.\n\n### Week 28\nToo hot.\n\n### Week 30\nBack.\n",
            [
                ("4 July 2022 to 10 July 2022", "Three runs."),
                ("11 July 2022 to 17 July 2022", "Too hot."),
                ("25 July 2022 to 31 July 2022", "Back."),
            ],
            id="weeks are of the year of the title",
        ),
        pytest.param(
            "",
            "### Day 1 \u2013 Thursday 4 August 2016, Lisbon\nFerry.\n\n### Day 2 \u2013 to Sines\nSand.\n\n"
            "### Day 6 \u2013 Sagres\nWind.\n",
            [("4 August 2016", "Ferry."), ("5 August 2016", "Sand."), ("9 August 2016", "Wind.")],
            id="the number of a day is no part of its date",
        ),
        pytest.param(
            "February 1911",
            "26th, Sun.  Wind.\n27th, Mon.  Baked.\n28th, Tues. A steamer.\n",
            [
                ("26 February 1911", "Wind."),
                ("27 February 1911", "Baked."),
                ("28 February 1911", "A steamer."),
            ],
            id="a weekday behind the number of a day",
        ),
        pytest.param(
            "Comet",
            "1986 Jan. 5, 19h20m UT   Found it.\n1986 Jan. 9, 19h05m UT   Brighter.\n"
            "1986 Jan. 13, 18h50m UT   Cloud.\n",
            [("5 January 1986", "Found it."), ("9 January 1986", "Brighter."), ("13 January 1986", "Cloud.")],
            id="a time in hours and minutes stands behind the day",
        ),
        pytest.param(
            "log 2018",
            "Meeting of 4 December\nAll came.\n\nMeeting of 8 January\n"
            "Nobody came.\n\nMeeting of 5 March\nTea.\n",
            [("4 December 2018", "All came."), ("8 January 2019", "Nobody came."), ("5 March 2019", "Tea.")],
            id="lines by themselves run on into the next year",
        ),
        pytest.param(
            "",
            "## 2.1 (2020-05-04)\n- Fixed a leak.\n\n## 2.0 - 2020-01-02\n- Faster.\n\n## Licence\nFree.\n",
            [("4 May 2020", "- Fixed a leak."), ("2 January 2020", "- Faster.")],
            id="a heading without a date ends the last entry",
        ),
        pytest.param(
            "",
            "[2023-04-09 10:33] Ann: It leaks.\n[2023-04-09 10:40] Bo: Again?\n"
            "[2023-04-11 08:02] Ann: Mended.\n",
            [
                ("9 April 2023", "Ann: It leaks."),
                ("9 April 2023", "Bo: Again?"),
                ("11 April 2023", "Ann: Mended."),
            ],
            id="messages",
        ),
        pytest.param(
            "",
            "09/04/2023, 10:33 - Ann: It leaks.\n11/04/2023, 08:02 - Bo: Mended.\n"
            "21/04/2023, 09:00 - Ann: Thanks.\n",
            [
                ("9 April 2023", "Ann: It leaks."),
                ("11 April 2023", "Bo: Mended."),
                ("21 April 2023", "Ann: Thanks."),
            ],
            id="figures are read day first where only that is a date",
        ),
        pytest.param(
            "",
            "09/04/2023, 10:33 - Ann: It leaks.\n02/05/2023, 08:02 - Bo: Mended.\n"
            "03/06/2023, 09:00 - Ann: Thanks.\n",
            [
                ("9 April 2023", "Ann: It leaks."),
                ("2 May 2023", "Bo: Mended."),
                ("3 June 2023", "Ann: Thanks."),
            ],
            id="figures are read day first where only that is in order",
        ),
        pytest.param(
            "Log of the pond",
            "20 May 2015\nNo rain.\n\n4/6/2015\nFirst newts.\n\n11 July 2015\nDry.\n\n9 Oct 2015\nFull.\n",
            [
                ("20 May 2015", "No rain."),
                ("4 June 2015", "First newts."),
                ("11 July 2015", "Dry."),
                ("9 October 2015", "Full."),
            ],
            id="one date in figures is read day first where only that is in order with the others",
        ),
        pytest.param(
            "Log of the pond",
            "20 May 2015\nNo rain.\n\n6/4/2015\nFirst newts.\n\n11 July 2015\nDry.\n\n9 Oct 2015\nFull.\n",
            [
                ("20 May 2015", "No rain."),
                ("4 June 2015", "First newts."),
                ("11 July 2015", "Dry."),
                ("9 October 2015", "Full."),
            ],
            id="and month first where both are",
        ),
        pytest.param(
            "journal 2014",
            "17/1  Snow.\n28/2  Meeting.\n12/5  New laptop.\n",
            [("17 January 2014", "Snow."), ("28 February 2014", "Meeting."), ("12 May 2014", "New laptop.")],
            id="day and month in figures",
        ),
        pytest.param(
            "The mill",
            "Some dates.\n\n- 1894: The mill was built.\n- 1911: It burnt.\n"
            "- 1913: Built again.\n\nIt stands.\n",
            [("1894", "The mill was built."), ("1911", "It burnt."), ("1913", "Built again.")],
            id="a list of years, which the next paragraph ends",
        ),
        pytest.param(
            "notes 2012",
            "14 Jan. First night.\n\n2 Feb. Meeting.\n\n21 Mar. Shutter stuck.\nIt is not the rope.\n",
            [
                ("14 January 2012", "First night."),
                ("2 February 2012", "Meeting."),
                ("21 March 2012", "Shutter stuck. It is not the rope."),
            ],
            id="a day and a full stop",
        ),
        pytest.param(
            "Letters",
            "5/17 June 1878  Sailed.\n6/18 June 1878  Calm.\n7/19 June 1878  Land.\n",
            [("17 June 1878", "Sailed."), ("18 June 1878", "Calm."), ("19 June 1878", "Land.")],
            id="days of two calendars",
        ),
    ],
)
def test_a_dated_line_owns_what_follows(title: str, text: str, expected: Told) -> None:
    assert told(text, title) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("THE POST\n\nThursday 25 June 2020\n\nA ship came in.\n", id="a letterhead"),
        pytest.param("1.1 Aims\n1.2 Means\n1.3 Ends\n2.1 More\n", id="numbered sections"),
        pytest.param(
            "# Report 2014\n\n## 1.1. Aims\nText.\n\n## 1.2. Means\nText.\n", id="numbered headings"
        ),
        pytest.param(
            "In 1990 it began.\n\nIn 1995 it went on.\n\nIn 2000 it ended.\n",
            id="paragraphs that begin with a year",
        ),
        pytest.param(
            "- 1955: A\n- 1990: B\n- 1920: C\n- 1999: D\n- 1901: E\n- 1950: F\n", id="years without order"
        ),
        pytest.param("10:15 Bus\n11:15 Train\n12:15 Ferry\n", id="a timetable"),
        pytest.param(
            "3 October\n\n4 October\n\n5 October\n\nAll without a year.\n", id="days without a year"
        ),
        pytest.param(
            "Report of 2023\n\n"
            "We moved over the weekend of 16 and\n17 September. He did his last round on 30\n"
            "October. The chair died at the\nbeginning of November. He had sat\nthere for years.\n",
            id="sentences over two lines",
        ),
        pytest.param("", id="nothing"),
    ],
)
def test_what_only_looks_like_entries_is_none(text: str) -> None:
    assert told(text) == []


def test_the_order_that_entries_show_holds_for_the_whole_document(hashed: Embedder) -> None:
    text = (
        "20 May 2015\nNo rain.\n\n4/6/2015\nFirst newts.\n\n11 July 2015\nThe sluice was last mended"
        " on 3/5/2009.\n"
    )
    for day, mended in (("4/6/2015", "3 May 2009"), ("6/4/2015", "5 March 2009")):
        own = Document("d", "/d", "Log", text.replace("4/6/2015", day), "hash")
        last = annotate(own, hashed).chunks[-1]
        assert mended in {phrase(event.interval) for event in last.events}, day


@given(st.lists(st.sampled_from(["## 3 May 2019", "1 May 2020: it", "text", "", "- 1990: a", "# B", " "])))
def test_entries_are_in_order_and_apart(lines: list[str]) -> None:
    text = "\n".join(lines)
    position = 0
    for entry in entries(Document("d", "/d", "", text, "hash"), USUAL):
        assert position <= entry.start <= entry.body < entry.end <= len(text)
        assert text[entry.body : entry.end].strip()
        position = entry.end


def test_lines_of_many_shapes_take_linear_time() -> None:
    words = ["".join(letters) for letters in islice(product("abcdefghij", repeat=5), 8000)]
    lines = [f"{word} 5 May 1999: x" for word in words]

    def read(count: int) -> None:
        assert told("\n".join(lines[:count])) == []

    assert_linear(read, 800, 8000)


def test_each_entry_has_chunks_and_a_day_of_its_own(tmp_path: Path, hashed: Embedder) -> None:
    text = (
        "# Diary 2011\n\nMy notes.\n\n## 3 October\n\n"
        "The pump broke yesterday.\n\n## 5 October\n\nAnn mended it.\n"
    )
    found = annotate(read_one(tmp_path / "diary.md", text), hashed)
    assert found.document.published is None
    assert [(chunk.title, chunk.text) for chunk in found.chunks] == [
        ("Diary 2011", "# Diary 2011\n\nMy notes."),
        ("Diary 2011: 3 October", "## 3 October\n\nThe pump broke yesterday."),
        ("Diary 2011: 5 October", "## 5 October\n\nAnn mended it."),
    ]
    assert [found.chunks[1].sentence(0), found.chunks[2].sentence(0)] == [
        "The pump broke yesterday.",
        "Ann mended it.",
    ]
    days = [chunk.published and phrase(chunk.published) for chunk in found.chunks]
    assert days == [None, "3 October 2011", "5 October 2011"]
    stated = [phrase(event.interval) for event in found.chunks[1].events]
    assert stated == ["2 October 2011", "3 October 2011"]
    assert all(chunk.place(0) == "" for chunk in found.chunks)


@pytest.mark.parametrize(
    ("above", "title"),
    [
        ("", "yard log: 3 May 2019"),
        ("Copied for Bo\n\n", "yard log, Copied for Bo: 3 May 2019"),
        ("THE YARD LOG of Garrow\n\n", "THE YARD LOG of Garrow: 3 May 2019"),
    ],
)
def test_an_entry_is_named_after_its_file_and_the_line_above_all(
    tmp_path: Path, hashed: Embedder, above: str, title: str
) -> None:
    text = "3 May 2019\n\nIt leaked.\n\n9 May 2019\n\nIt was mended.\n\n1 June 2019\n\nIt rained.\n"
    chunks = annotate(read_one(tmp_path / "yard log.txt", above + text), hashed).chunks
    assert next(chunk.title for chunk in chunks if chunk.published) == title


def test_the_lines_of_a_day_in_a_log_are_one_chunk(tmp_path: Path, hashed: Embedder) -> None:
    text = "[2023-04-09 10:33] It leaks.\n[2023-04-09 10:40] Again?\n[2023-04-11 08:02] Mended.\n"
    first, second = annotate(read_one(tmp_path / "log.txt", text), hashed).chunks
    assert [first.sentence(index) for index in range(len(first.sentences))] == ["It leaks.", "Again?"]
    assert (first.title, second.title) == ("log: 9 April 2023", "log: 11 April 2023")


@pytest.mark.parametrize("name", ["SKELBY GAZETTE, Friday", "The Quay Echo,"])
def test_two_lines_of_one_name_head_entries(name: str, tmp_path: Path, hashed: Embedder) -> None:
    text = f"{name} 9 May 2025\nIt opened on Wednesday.\n\n{name} 13 March 2026\nIt shut on Monday.\n"
    chunks = annotate(read_one(tmp_path / "cuttings.txt", text), hashed).chunks
    assert [phrase(chunk.events[0].interval) for chunk in chunks] == ["7 May 2025", "9 March 2026"]


def test_two_lines_of_different_names_head_no_entries(tmp_path: Path, hashed: Embedder) -> None:
    text = "Signed at the hall, 9 May 2025\nIt opened.\n\nPrinted in Brill, 13 March 2026\nIt shut.\n"
    assert len(annotate(read_one(tmp_path / "a.txt", text), hashed).chunks) == 1


def test_the_head_of_a_message_belongs_to_it(tmp_path: Path, hashed: Embedder) -> None:
    heads = (
        ("ann@example.org", "2 June 2025"),
        ("bo@example.org", "1 October 2025"),
        ("cy@example.org", "9 May 2026"),
    )
    text = "\n---\n".join(
        f"From: {sender}\nTo: all\nDate: {day}\nSubject: the lift\n\nIt was mended.\n"
        for sender, day in heads
    )
    chunks = annotate(read_one(tmp_path / "mails.txt", text), hashed).chunks
    assert [phrase(chunk.published) for chunk in chunks if chunk.published] == [day for _, day in heads]
    assert [chunk.title for chunk in chunks] == [
        f"mails: From: {sender}, To: all, Date: {day}" for sender, day in heads
    ]
    assert [chunk.text.partition("\n")[0] for chunk in chunks] == [f"From: {sender}" for sender, _ in heads]
    assert all(is_fragment(chunk, 0) for chunk in chunks)


def test_records_without_a_line_between_them_are_entries_apart(tmp_path: Path) -> None:
    days = ("2 June 2025", "1 October 2025", "9 May 2026")
    text = "".join(f"Keeper: Ann\nDate: {day}\nIt was mended.\n" for day in days)
    document = read_one(tmp_path / "records.txt", text)
    found = entries(document, USUAL)
    assert [document.text[one.start : one.end].strip() for one in found] == [
        f"Keeper: Ann\nDate: {day}\nIt was mended." for day in days
    ]


def test_where_a_page_begins_is_no_heading() -> None:
    days = ("4 May 2020", "2 June 2020", "2 July 2020")
    text = "\n\n".join(f"Meeting of {day}\n\nFees rose." for day in days)
    document = Document("d", "/d", "", text, "hash", places=(Mark(0, "page 1"),))
    assert len(entries(document, USUAL)) == 3
