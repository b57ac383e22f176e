import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc

from timelens.ingest import chunking
from timelens.ingest.chunking import joined_within, pack, split_sentences

words = st.text(st.characters(codec="utf-8"), max_size=12)
prose = st.lists(
    st.one_of(words, st.sampled_from([". ", "3. ", "Mai ", "\n", "\n\n", " \n \n", "! ", "? ", " ", "U.S. "]))
)
sizes = st.lists(st.integers(1, 30), max_size=40)


@given(prose.map("".join))
def test_sentences_are_the_text_without_the_space_between_them(text: str) -> None:
    spans = split_sentences(text)
    position = 0
    for start, end in spans:
        assert start >= position
        assert not text[position:start].strip()
        sentence = text[start:end]
        assert sentence
        assert sentence == sentence.strip()
        position = end
    assert not text[position:].strip()


@given(sizes, st.integers(1, 60))
def test_chunks_are_whole_sentences_in_order_and_as_long_as_fits(tokens: list[int], limit: int) -> None:
    spans = [(index, index + 1) for index in range(len(tokens))]
    packed = pack(spans, tokens, limit)
    assert [span for chunk in packed for span in chunk] == spans
    lengths = [sum(tokens[start] for start, _ in chunk) for chunk in packed]
    assert all(length <= limit or len(chunk) == 1 for chunk, length in zip(packed, lengths, strict=True))
    for length, following in zip(lengths, packed[1:], strict=False):
        assert length + tokens[following[0][0]] > limit


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Heading\n\nText of it.", ["Heading", "Text of it."]),
        ("A line\nthat goes on. Next.", ["A line\nthat goes on.", "Next."]),
        ("No end\n \t\nafter a blank line", ["No end", "after a blank line"]),
        ("It cost 3.5 million. Yes.", ["It cost 3.5 million.", "Yes."]),
        ("  \n\n ", []),
        ("Sie kam am 3. März 1990. Er kam am 4.", ["Sie kam am 3. März 1990.", "Er kam am 4."]),
        ("Der Rat tagt vom 3. bis 5. Mai. Ende.", ["Der Rat tagt vom 3. bis 5. Mai.", "Ende."]),
        ("Er wurde Nummer 12. Danach ging er.", ["Er wurde Nummer 12.", "Danach ging er."]),
        # headings and items of lists end one
        ("Bring:\n- a hat\n- a coat that\n  is warm", ["Bring:", "- a hat", "- a coat that\n  is warm"]),
        ("# Hats\nAll sizes.\nAnd colours\n2) later", ["# Hats", "All sizes.", "And colours", "2) later"]),
        ("a\n-b and 1990.\n5 more", ["a\n-b and 1990.", "5 more"]),
        # and so do rows of tables
        (
            "| Post | Name |\n|---|:--|\n| Chair | Ann. Bo went. |\n  | Clerk | - |\nAll were there. | x",
            [
                "| Post | Name |\n|---|:--|",
                "| Chair | Ann. Bo went. |",
                "| Clerk | - |",
                "All were there.",
                "| x",
            ],
        ),
        ("| quoted text. More\n| of it", ["| quoted text.", "More\n| of it"]),
        # brackets belong to one
        ("We left. (He stayed.) It rained.", ["We left.", "(He stayed.)", "It rained."]),
        ("Miss M. Fitch (Hon. Sec.) wrote it. Good.", ["Miss M. Fitch (Hon. Sec.) wrote it.", "Good."]),
        ("It is dear (approx. 6,800 euro). Yes.", ["It is dear (approx. 6,800 euro).", "Yes."]),
        ("Sad :( No. And so on :)", ["Sad :( No.", "And so on :)"]),
        ("One (two. Three is never closed. Four.", ["One (two.", "Three is never closed.", "Four."]),
        ("Points. (", ["Points. ("]),
    ],
)
def test_where_sentences_end(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


def test_a_long_paragraph_is_read_in_pieces_that_cut_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [f"Sentence {number} is about {'something ' * (number % 7)}else." for number in range(200)]
    text = " ".join(sentences)
    monkeypatch.setattr(chunking, "_LONGEST_PARSED", 300)
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


def test_what_never_ends_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunking, "_LONGEST_PARSED", 300)
    text = "word " * 1000
    spans = split_sentences(text)
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == "word" * 1000


@pytest.mark.parametrize("text", ["\n \n" * 50_000, "\n" * 300_000, " " * 300_000, ("a" + "\n" * 50) * 5_000])
def test_white_space_without_end_takes_no_time(text: str) -> None:
    assert len(split_sentences(text + "x")) == text.count("a") + 1


@pytest.mark.parametrize("unit", ["=", "))", "((a. b) ", "http://", "a.b", "x;", "!"])
def test_what_has_no_words_is_split_in_linear_time(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    longest: list[int] = []
    split = type(chunking._splitter()).__call__

    def spied(splitter: Language, text: str) -> Doc:
        longest.extend(len(run) for run in re.findall(r"[^\w\s]+", text))
        return split(splitter, text)

    monkeypatch.setattr(type(chunking._splitter()), "__call__", spied)
    text = f"Before. {unit * (50_000 // len(unit))}. After it."
    assert [text[start:end] for start, end in split_sentences(text)][-1] == "After it."
    assert max(longest) < 20


@pytest.mark.parametrize(
    ("units", "joined"),
    [
        ((), [(0, 3), (4, 7), (8, 11), (12, 15)]),
        (((0, 7),), [(0, 7), (8, 11), (12, 15)]),
        (((0, 7), (8, 15)), [(0, 7), (8, 15)]),
        (((4, 11),), [(0, 3), (4, 11), (12, 15)]),
        (((0, 2), (6, 15)), [(0, 3), (4, 7), (8, 15)]),
        (((20, 30),), [(0, 3), (4, 7), (8, 11), (12, 15)]),
    ],
)
def test_sentences_within_a_unit_are_one(
    units: tuple[tuple[int, int], ...], joined: list[tuple[int, int]]
) -> None:
    assert joined_within([(0, 3), (4, 7), (8, 11), (12, 15)], units) == joined


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Skating to stay\nThe council voted on Monday to keep its grant.", "Skating to stay"),
        (
            "The council voted on Monday to keep\nIts old grant to the rink.",
            "The council voted on Monday to keep\nIts old grant to the rink.",
        ),
        ("Ann Holt\nThe Quay", "Ann Holt\nThe Quay"),
        (
            "They met\nand voted on Monday to keep the grant.",
            "They met\nand voted on Monday to keep the grant.",
        ),
    ],
)
def test_a_title_above_a_text_is_no_part_of_its_first_sentence(text: str, first: str) -> None:
    start, end = split_sentences(text)[0]
    assert text[start:end] == first
