"""Notes of Obsidian and Logseq: what of them is text, what dates them, and what belongs to the program."""

from pathlib import Path

import pytest

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile, discover

from .conftest import NO_COLUMNS, day, read, read_one

UUID = "6040a1b2-0000-4000-8000-000000000001"


def text(tmp_path: Path, content: str) -> str:
    return read_one(tmp_path / "note.md", content).text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("The [[Allotment|plot]] by [[Dr. Osei]].", "The plot by Dr. Osei."),
        (
            "See [[Boat#Hull]], [[#Sails]], [[Boat#^a1b2c3|there]], [[Boat^x]].",
            "See Boat Hull, Sails, there, Boat^x.",
        ),
        ("On [[2020-04-10]] we sold it. ^a1b2c3", "On 2020-04-10 we sold it."),
        ("Before ![[plot.png|300]] after.", "Before  after."),
        ("![[plot.png]]\nText.", "Text."),
        ("> [!warning]- Mind the step\n> Really.", "> Mind the step\n> Really."),
        ("Sold. %%ask Ruth%%", "Sold."),
        ("Paid [price:: 6,400] in cash.", "Paid price: 6,400 in cash."),
        ("Status:: open", "Status: open"),
        ("#daily #boat/sale\nSold the #boat.", "#daily #boat/sale\n\nSold the #boat."),
        ("A `[[link]]` in code, ![[x]]`![[y]]`.", "A `[[link]]` in code, `![[y]]`."),
        ("```\n[[a]] ((x))\nid:: 3\n```\n[[a]]", "```\n[[a]] ((x))\nid:: 3\n```\na"),
        ("[[1]](https://x.example.org) and x ^2", "[[1]](https://x.example.org) and x ^2"),
        ("# C# and F#\n\nstd::vector is fine.", "# C# and F#\n\nstd::vector is fine."),
        ("[[unfinished and ((half", "[[unfinished and ((half"),
    ],
)
def test_what_a_reader_sees_is_the_text(tmp_path: Path, written: str, shown: str) -> None:
    assert text(tmp_path, f"Intro.\n{written}") == f"Intro.\n{shown}"


LOGSEQ = f"""title:: The boat
date:: [[Mar 14th, 2021]]
tags:: boats

- Called [[Ruth]] about it
  id:: {UUID}
  collapsed:: true
\t- She offers 6,200 (({UUID}))
\t  price:: 6,200
\t- (({UUID}))
\t- {{{{embed (({UUID}))}}}}
\t-
- TODO #[[call back]] [her]((({UUID})))
  :LOGBOOK:
  CLOCK: [2021-03-14 Sun 10:00:00]--[2021-03-14 Sun 10:05:00] =>  00:05:00
  :END:
- # Meeting
  template:: meeting
  template-including-parent:: false
\t- Agenda
\t\t- Points
- Done
"""


def test_the_blocks_of_logseq_are_read_without_what_it_keeps_of_them(tmp_path: Path) -> None:
    document = read_one(tmp_path / "x.md", LOGSEQ)
    assert (document.title, document.published) == ("The boat", day(2021, 3, 14))
    assert document.text == (
        "tags: boats\n\n"
        "- Called Ruth about it\n\t- She offers 6,200\n\t  price: 6,200\n- TODO call back her\n- Done\n"
    )


def test_journals_are_dated_by_their_names(tmp_path: Path) -> None:
    for name in ("2021_03_14.md", "2021-03-14.md"):
        document = read_one(tmp_path / name, "- Called the vet\n")
        assert (document.published, document.published_source) == (day(2021, 3, 14), "file name")


@pytest.mark.parametrize(
    ("name", "title"), [("Boat___Sale.md", "Boat/Sale"), ("Boat%2FSale.md", "Boat/Sale"), ("a_b.md", "a_b")]
)
def test_pages_are_called_as_logseq_shows_them(tmp_path: Path, name: str, title: str) -> None:
    assert read_one(tmp_path / name, "Text.").title == title


def test_front_matter_goes_before_properties(tmp_path: Path) -> None:
    document = read_one(
        tmp_path / "a.md", "---\ndate: 2020-01-02\n---\ndate:: 2019-01-01\ntitle:: T\n\nText."
    )
    assert (document.title, document.published, document.text) == ("T", day(2020, 1, 2), "\nText.")


def items(root: Path, path: str, content: str) -> list[Document | Failure]:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)
    return list(READERS[".md"](SourceFile(file, path), NO_COLUMNS))


def test_templates_are_listed_and_notes_beside_them_are_read(tmp_path: Path) -> None:
    (failure,) = items(tmp_path, "_Templates/daily.md", "# {{date}}\n## Agenda\n")
    assert isinstance(failure, Failure)
    assert (failure.error, failure.partial) == ("a template of notes", True)
    (failure,) = items(tmp_path, "Templates/day.md", "<% tp.date.now() %>\n")
    assert isinstance(failure, Failure)
    for path, content in (("Templates/how.md", "How to write one."), ("notes/a.md", "It says {{date}}.")):
        (document,) = items(tmp_path, path, content)
        assert isinstance(document, Document)


def test_what_the_programs_keep_for_themselves_is_not_read(tmp_path: Path) -> None:
    for folder in (".obsidian", ".trash", "logseq/bak/journals", "logseq/version-files/local", "bak"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.md").write_text("- Old")
    found = [
        source.id
        for source in discover([tmp_path], READERS).sources
        if list(READERS[".md"](source, NO_COLUMNS))
    ]
    assert found == ["bak/a.md"]


@pytest.mark.parametrize(
    "unit",
    [
        "[[",
        "![[",
        "((",
        "{{embed ",
        "%% ",
        "`",
        "#a ",
        "a:: ",
        "- template:: x\n",
        "  a:: b\n",
        "^abc ",
        "[a::",
        "<%",
    ],
)
def test_odd_notes_take_no_time(tmp_path: Path, unit: str) -> None:
    assert items(tmp_path, "template/a.md", "x\n" + unit * (200_000 // len(unit)))


def test_ordinary_markdown_stays_as_it_is(tmp_path: Path) -> None:
    ordinary = (Path(__file__).parents[3] / "README.md").read_text()
    (document,), _ = read(tmp_path / "a.md", ordinary)
    assert document.text == ordinary
