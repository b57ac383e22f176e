"""Which time an answer gives to a sentence: its own, or one it points back to, before its document's."""

import pytest
from made_corpora import made_corpus

from timelens import Answer, Corpus
from timelens.answer.draft import Support
from timelens.temporal.calendar import parse_day

NOW = parse_day("2024-01-01")
NOTES = (
    "The wall came down on 9 November 1989. People danced.\n\n"
    "Marathon was fought in 490 BC. The Greeks won it.\n"
)
PAGE = (
    "---\ndate: 2020-05-01\n---\n# History\n\n"
    "Constantinople fell in 1453. The Roman Empire ended with it.\n\n"
    "The merger should close on 31 December 2020.\n"
)
PRESS = "The Owl Press is a small printer in Dover. It prints hymn books. Ann Lee bought it in 1990.\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"notes.txt": NOTES, "page.md": PAGE, "press.txt": PRESS})


def lines_of(answer: Answer) -> list[str]:
    assert all(claim.support is Support.SUPPORTED for claim in answer.claims)
    return answer.text.splitlines()


def test_a_pronoun_takes_the_time_of_the_sentence_before(corpus: Corpus) -> None:
    *_, line = lines_of(corpus.ask("Who won at Marathon?", as_of=NOW))
    assert line == "490 BCE: Marathon was fought in 490 BC. The Greeks won it. [1]"


def test_the_day_of_a_page_is_not_that_of_what_it_tells(corpus: Corpus) -> None:
    *_, line = lines_of(corpus.ask("What ended with Constantinople?", as_of=NOW))
    assert line.startswith("1453: ")


def test_other_sentences_do_not_date_one(corpus: Corpus) -> None:
    *_, line = lines_of(corpus.ask("In which town is the Owl Press?", as_of=NOW))
    assert line == "undated: The Owl Press is a small printer in Dover. [1]"


def test_a_forecast_is_no_fact(corpus: Corpus) -> None:
    answer = corpus.ask("When did the merger close?", as_of=NOW)
    assert lines_of(answer)[0] == "31 December 2020, probably [1]."
    assert "the evidence describes a plan, not that it was carried out" in answer.notes
    assert not any("plan" in note for note in corpus.ask("When should the merger close?", as_of=NOW).notes)
