"""A question is read in the words of a corpus: its names, slips of the pen, short forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.question.normalise.spelling import SpellingCorrector, Vocabulary, closest, edits

TEXTS = (
    "In 1999 the European Central Bank met in Frankfurt. The Federal Reserve met too.",
    "It said that the Federal Reserve of the United States cut, and the Federal Reserve said why.",
    "It is of note that the European Central Bank and the Federal Reserve did not.",
    "The law of Japan and of Brazil protects the data of banks.",
    "A privacy shield was one plan, the Privacy Shield came.",
    "In May the Group met.",
)
ROWS = (("Germany", "Chancellor", "Angela Merkel"), ("United Kingdom", "Prime Minister", "Tony Blair"))
COMMON = frozenset(
    "charge fed boss group kenya party rates was law data of met plan cut blow compare".split()
)


def mended(question: str, *unknown: str) -> tuple[str, dict[str, str]]:
    mender = SpellingCorrector(Vocabulary(TEXTS, ROWS), dict.fromkeys(unknown, ()), COMMON.__contains__)
    result = mender.mend(question)
    return result.text, dict(result.read)


@pytest.mark.parametrize(
    ("question", "unknown", "text", "read"),
    [
        ("who was chancelor", ["chancelor"], "who was chancellor", {"chancelor": "chancellor"}),
        ("when did angela merkle start", ["merkle"], "when did Angela Merkel start", {"merkle": "Merkel"}),
        ("was it in the ninties", ["ninties"], "was it in the nineties", {"ninties": "nineties"}),
        ("what did the ecb do", ["ecb"], "what did the European Central Bank do",
         {"ecb": "European Central Bank"}),
        ("how did data in 1999 compare with 2001", ["compare"], "how did data in 1999 compare with 2001", {}),
        ("what did the fed do", ["fed"], "what did the Federal Reserve do", {"fed": "Federal Reserve"}),
        ("who was pm of the uk", ["pm", "uk"], "who was Prime Minister of the United Kingdom",
         {"pm": "Prime Minister", "uk": "United Kingdom"}),
        ("what of the us", [], "what of the United States", {"us": "United States"}),
        ("who led germany", [], "who led Germany", {}),
        ("when did japans law begin", [], "when did Japan's law begin", {}),
        ("when did the privacy shield fall", [], "when did the Privacy Shield fall", {}),
        ("who led the group", [], "who led the group", {}),
        ("who led kenya", ["kenya"], "who led kenya", {}),
        ("who was president of kenya", ["kenya"], "who was president of Kenya", {}),
        ("who was in charge of banks", ["charge"], "who was in charge of banks", {}),
        ("when did buran fly", ["buran"], "when did Buran fly", {}),
        ("why were pictures blurry", ["blurry"], "why were pictures blurry", {}),
        ("What did Angela Merkel say of Kenya?", ["Kenya"], "What did Angela Merkel say of Kenya?", {}),
    ],
)  # fmt: skip
def test_a_question_is_read_in_the_words_of_the_corpus(
    question: str, unknown: list[str], text: str, read: dict[str, str]
) -> None:
    assert mended(question, *unknown) == (text, read)


VERBS = frozenset("clean park green john was does".split())


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("who parks the vans these days", "who parks the vans these days"),
        ("which firm cleans stairs", "which firm cleans stairs"),
        ("what does it take when she cleans up", "what does it take when she cleans up"),
        ("who will clean the hall", "who will clean the hall"),
        ("what did clean & green cost", "what did Clean & Green cost"),
        ("where was johns van", "where was John's van"),
        ("when did john leave", "when did John leave"),
    ],
)
def test_a_verb_that_looks_like_a_name_of_the_corpus_is_no_name(question: str, text: str) -> None:
    rows = (("Clean & Green", "John Park"), ("Clean & Green", "John Park"))
    mender = SpellingCorrector(Vocabulary([], rows), {}, VERBS.__contains__)
    assert mender.mend(question).text == text


def test_a_name_does_not_go_on_behind_a_blank_line() -> None:
    minutes = "Annual Meeting\n\nHeld in the Long\nRoom."
    assert set(Vocabulary([minutes]).names) == {"Annual Meeting", "Long Room"}


@pytest.mark.parametrize("word", ["fed", "party", "boss"])
def test_a_common_word_is_never_a_slip(word: str) -> None:
    mender = SpellingCorrector(Vocabulary(["The red path led to a loss."]), {word: ()}, COMMON.__contains__)
    assert mender.mend(f"what of this {word} then").read == ()


def test_a_capital_at_the_beginning_of_an_entry_makes_no_name() -> None:
    log = "**1 April** — Overnight rate £13. Moored.\n- Overnight: three boats, and Sedge Cove was full."
    vocabulary = Vocabulary([log])
    assert vocabulary.written("overnight") is None
    assert vocabulary.written("sedge") == "Sedge"


@pytest.mark.parametrize(
    ("word", "candidates", "found"),
    [
        ("austrailia", ["Austria", "Australia"], "australia"),
        ("goverment", ["governments", "government"], "government"),
        ("sheild", ["shield", "shelf"], "shield"),
        ("buran", ["burn"], None),
        ("whn", ["when", "who"], "when"),
        ("cat", ["hat"], None),
    ],
)
def test_the_closest_word_is_found_if_it_is_close(
    word: str, candidates: list[str], found: str | None
) -> None:
    assert closest(word, candidates) == found


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0),
        ("ab", "ba", 1),
        ("abc", "ac", 1),
        ("abc", "abd", 1),
        ("abc", "abcd", 1),
        ("kitten", "sitting", 3),
    ],
)
def test_edits_are_counted(one: str, other: str, distance: int) -> None:
    assert edits(one, other, 5) == distance


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edits_are_the_same_both_ways_and_bounded(one: str, other: str) -> None:
    distance = edits(one, other, 9)
    assert distance == edits(other, one, 9)
    assert abs(len(one) - len(other)) <= distance <= max(len(one), len(other))
    assert (distance == 0) == (one == other)


def test_the_capital_of_a_phrase_in_a_cell_makes_no_name_of_its_first_word() -> None:
    words = Vocabulary([], [("Bike hire", "Ada Lind"), ("Marigold", "Ada Lind")])
    assert words.written("bike") is None
    assert (words.written("ada"), words.written("marigold")) == ("Ada", "Marigold")
