"""Which sentences of a text speak to a question, and what of them is quoted."""

from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.ways import answer_from
from timelens.answer.relevance import Topic, topic_of
from timelens.answer.sentences import is_fragment, points_back, sentence_of, stating, unmarked
from timelens.answer.text.event_dates import date_event
from timelens.answer.text.sentence_match import AnswerType, answer_type_of, matched_sentences, quoted
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval
from timelens.words import topic_words

TODAY = day_number(2021, 5, 6)


def passage(*sentences: tuple[str, Interval], title: str = "", number: int = 0, best: int = 0) -> Hit:
    """A hit whose sentences each state one time."""
    spans, text = [], ""
    for sentence, _ in sentences:
        start = len(text) + bool(text)
        text = f"{text} {sentence}".strip()
        spans.append((start, len(text)))
    events = tuple(Event(time, n, EventSource.STATED, 1.0) for n, (_, time) in enumerate(sentences))
    chunk = Chunk(f"d{number}#0", f"d{number}", 0, "", title, text, None, tuple(spans), events)
    return Hit(chunk, Scores(0.6, 0.6, 1.0, 0.6), sentences[best][1], best)


def answer(question: str, *hits: Hit) -> Draft:
    return answer_from(parse(question, TODAY), hits, hits)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was mayor?", AnswerType.PERSON),
        ("Which ship sank?", AnswerType.NAME),
        ("When did it sink?", AnswerType.TIME),
        ("Since when is it closed?", AnswerType.TIME),
        ("How long did it last?", AnswerType.LENGTH),
        ("How many ships sank?", AnswerType.NUMBER),
        ("What was the rate?", AnswerType.NUMBER),
        ("What happened?", AnswerType.ANY),
    ],
)
def test_the_kind_of_thing_that_is_asked_for(question: str, expected: AnswerType) -> None:
    assert answer_type_of(question) is expected


Y = year_interval(1990)
BRIDGE = passage(
    ("The Elm Bridge was opened in 1990.", Y),
    ("Ada Birch was its architect.", Y),
    ("It took 14 months to build.", Y),
    ("It cost 20 million.", Y),
    title="A bridge",
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who was the architect of the Elm Bridge?", "Ada Birch"),
        ("How long did it take to build the Elm Bridge?", "14 months"),
        ("How much did the Elm Bridge cost?", "20 million"),
        ("When was the Elm Bridge opened?", "in 1990"),
    ],
)
def test_the_sentence_with_the_kind_of_thing_answers(question: str, said: str) -> None:
    draft = answer(question, BRIDGE)
    assert draft.status is Status.ANSWERED
    assert said in draft.text
    assert draft.text.endswith("[1]")


def test_a_sentence_outside_the_asked_time_is_not_read() -> None:
    hit = passage(
        ("Ada Elm was mayor in 1990.", year_interval(1990)), ("Bob Birch was in 2000.", year_interval(2000))
    )
    assert "Bob Birch" in answer("Who was mayor in 2000?", hit).text
    assert "Ada Elm" not in answer("Who was mayor in 2000?", hit).text


def test_a_sentence_that_denies_is_no_evidence() -> None:
    hit = passage(("No one has been mayor of Elmton since 1990.", Interval(Y.start, None)))
    assert answer("Who was mayor of Elmton in 2000?", hit).status is Status.NO_ANSWER


def test_a_question_is_no_evidence() -> None:
    hit = passage(("Was Ada Elm mayor of Elmton in 2000?", year_interval(2000)))
    assert answer("Who was mayor of Elmton in 2000?", hit).status is Status.NO_ANSWER


def test_a_name_that_the_corpus_does_not_know_has_no_answer() -> None:
    hit = passage(("Ada Elm was mayor of Elmton in 1990.", Y))
    assert answer("Who was mayor of Elmton in 1990?", hit).status is Status.ANSWERED
    assert answer("Who was mayor of Birchville in 1990?", hit).status is Status.NO_ANSWER


def test_a_quote_reaches_back_to_what_a_pronoun_means() -> None:
    hit = passage(("Ada Elm flew.", Y), ("She was the first woman to do so.", Y), ("It rained.", Y), best=1)
    topic = topic_of("Who was the first woman?", [hit])
    assert quoted(hit, AnswerType.PERSON, topic) == "Ada Elm flew. She was the first woman to do so."


def test_a_quote_reaches_back_to_a_name_over_what_lies_between() -> None:
    hit = passage(("Ada Elm flew.", Y), ("It rained.", Y), ("The flight was the first.", Y), best=2)
    topic = topic_of("Who made the first flight?", [hit])
    assert quoted(hit, AnswerType.PERSON, topic) == "Ada Elm flew. … The flight was the first."


def test_the_title_stands_before_a_quote_that_lacks_a_name() -> None:
    hit = passage(("The probe was launched on 19 January 2006.", Y), title="New Horizons passes Pluto")
    topic = topic_of("Which probe passed Pluto?", [hit])
    assert quoted(hit, AnswerType.ANY, topic).startswith("New Horizons passes Pluto: The probe")


def test_the_second_is_counted_among_what_comes_close() -> None:
    hits = [
        passage((f"The bank of Elmton raised its rate in {year}.", year_interval(year)), number=year)
        for year in (2005, 1999, 2003)
    ]
    assert (
        "2003" in answer("When did the bank of Elmton raise its rate the second time after 1990?", *hits).text
    )


def test_two_things_offered_are_set_in_order_by_their_own_evidence() -> None:
    spirit = passage(("Spirit landed on 4 January 2004.", day_interval(parse_day("2004-01-04"))), number=1)
    other = passage(
        ("Opportunity landed on 25 January 2004.", day_interval(parse_day("2004-01-25"))), number=2
    )
    parsed = parse("Which landed later, Spirit or Opportunity?", TODAY)
    events = [date_event(parse(f"{name} landed", TODAY), [spirit, other]) for name in parsed.offered]
    assert all(events)
    draft = answer_from(parsed, [spirit, other], [spirit, other], events=[event for event in events if event])
    assert [value.text for value in draft.values] == ["Opportunity"]
    assert [citation.hit.chunk.id for citation in draft.citations] == ["d2#0", "d1#0"]


# When an event was


def test_the_day_is_taken_from_evidence_that_is_close_and_more_precise() -> None:
    month = passage(("The Elm Act was signed in August 1996.", month_interval(1996, 8)), number=1)
    day = passage(
        ("On 21 August 1996 the Elm Act was signed at last.", day_interval(parse_day("1996-08-21"))), number=2
    )
    event = date_event(parse("the Elm Act was signed", TODAY), [month, day])
    assert event is not None
    assert event.interval == day_interval(parse_day("1996-08-21"))
    assert event.hit.chunk.id == "d2#0"


def test_an_event_that_no_evidence_tells_of_has_no_days() -> None:
    hit = passage(("The Elm Act was signed in August 1996.", month_interval(1996, 8)))
    assert date_event(parse("the Birch Act was signed", TODAY), [hit]) is None
    assert date_event(parse("the Elm Act was signed", TODAY), []) is None


# Topic


def test_rare_words_and_names_weigh_more() -> None:
    evidence = [topic_words(text) for text in ("the bank of elmton", "the bank of birchville", "the bank")]
    topic = Topic("Which bank is in Elmton?", evidence)
    assert topic.share(topic_words("Elmton")) > topic.share(topic_words("bank")) > 0
    assert topic.share(topic_words("bank in Elmton")) == pytest.approx(1)
    assert topic.missing(topic_words("the bank")) == ("Elmton",)
    assert topic.missing(topic_words("Elmton")) == ()


@pytest.mark.parametrize(
    ("typed", "written"), [("Sokolowsko", "Sokołowsko"), ("Tromso", "Tromsø"), ("Aeroskobing", "Ærøskøbing")]
)
def test_a_name_is_known_without_its_letters_of_another_alphabet(typed: str, written: str) -> None:
    topic = Topic(f"Which country did {typed} belong to?", [topic_words(f"{written} was Prussian.")])
    assert topic.unknown == ()


def test_half_of_a_name_speaks_of_it_if_it_is_the_telling_half() -> None:
    evidence = [topic_words(text) for text in ("Angela Merkel", "the national bank", "a national park")]
    topic = Topic("What did Angela Merkel say to the Swiss National Bank?", evidence)
    assert topic.missing(topic_words("Merkel at the national bank")) == ("Swiss National Bank",)


def test_the_stem_of_a_longer_word_is_no_short_form() -> None:
    topic = Topic("What did the flat white cost?", [topic_words("Mrs Whitlock paid.")])
    assert topic.words == topic_words("flat white cost")
    topic = Topic("How many sales reps were there?", [topic_words("A sales representative left.")])
    assert "rep" not in topic.words


def test_a_post_is_the_topic_of_a_question_without_other_words() -> None:
    assert Topic("What was her position?", []).words == topic_words("position")
    assert Topic("What was her position at the mill?", []).words == topic_words("mill")
    assert Topic("Who held the post?", []).words == frozenset()


def test_nothing_is_shared_with_nothing() -> None:
    topic = Topic("", [])
    assert topic.share(frozenset()) == 0
    assert topic.missing(frozenset()) == ()
    assert matched_sentences(parse("Who?", TODAY), topic, [], AnswerType.PERSON) == []


def test_a_capital_at_the_beginning_makes_no_name() -> None:
    known = [frozenset({"fee", "rent"})]
    assert Topic("Membership fee", known).unknown == ()
    assert Topic("Fee of Zanzibar", known).unknown == ("Zanzibar",)
    assert Topic("Ada Lind", known).unknown == ("Ada Lind",)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("## Kiln, **2014**", "Kiln, 2014"),
        ("- lit on *Monday*.\n- put out on Friday", "lit on Monday. put out on Friday"),
        ("> * said so", "said so"),
        ("| Chair | Ada *Lind* |\n|:--|---|", "Chair: Ada Lind"),
        ("| Fee | £5 | £6 |\nA | b", "Fee: £5, £6 A | b"),
        ('<small>Six <b>boards</b></small>, <span class="x">H<sub>2</sub>O</span>', "Six boards, H2O"),
        ("a <b and c> d, List<T>, <mill@fen.example>", "a <b and c> d, List<T>, <mill@fen.example>"),
        ("-0.25 percent at 2 * 3, #4, __init__ and x**2", "-0.25 percent at 2 * 3, #4, __init__ and x**2"),
    ],
)
def test_a_text_is_shown_without_the_marks_of_markdown(text: str, shown: str) -> None:
    assert unmarked(text) == shown


def test_a_heading_is_no_nearest_passage() -> None:
    heading = passage(("# The kiln of Elmton", Y), ("It stands.", Y), number=1)
    told = passage(("The kiln of Elmton was cold.", Y), number=2)
    draft = answer("Was the kiln of Elmton lit?", heading, told)
    assert draft.status is Status.NO_ANSWER
    assert [near.citation.hit.said for near in draft.nearest] == [
        "It stands.",
        "The kiln of Elmton was cold.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# Kiln 4",
        "From: Ada Lind <a@b.example>\nTo: The kiln group <k@b.example>",
        "Dear all,",
        "**The kiln.**",
        "Kiln report.**",
        "Ada",
        "Best wishes,\nAda Lind\nElmton Potteries",
        "ELMTON TO CLOSE ITS KILN",
        "Elmton, 8 January 2020",
        "Tuesday the 5th of May 2020",
        "The Quay, 8.1.2020",
    ],
)
def test_a_fragment_states_nothing_alone(text: str) -> None:
    assert is_fragment(hit("c", [text], 2004).chunk, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Lit.",
        "Ada left.",
        "**2004.** Ada left.",
        "It was **lit**.",
        "Clerk: Ada Lind",
        "Ada Lind 2004–2009",
        "Opened 3 May 2014",
        "Ruth Holt, chair, May 2015",
        "Elmton is to close its kiln",
        "2004年に窯が閉鎖された",
        "窯は閉鎖された",
    ],
)
def test_a_short_statement_is_no_fragment(text: str) -> None:
    assert not is_fragment(hit("c", [text], 2004, title="Elmton").chunk, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**Roof.** Mended in May.", "Roof. Mended in May."),
        ("**Roof.**\nMended in May.", "Roof. Mended in May."),
        ("**Roof.**\n\nMended in May.", "Mended in May."),
        ("Roof.** Mended in May.", "Roof. Mended in May."),
        ("Roof. Mended in May.", "Mended in May."),
    ],
)
def test_a_heading_in_bold_type_belongs_to_the_sentence_after_it(text: str, said: str) -> None:
    chunk = hit("c", ["x"], 2004).chunk
    at = text.index("Mended")
    head = text[:at].rstrip()
    chunk = replace(chunk, text=text, sentences=((0, len(head)), (at, len(text))))
    assert sentence_of(replace(hit("c", ["x"], 2004), chunk=chunk, sentence=1)) == said


def test_a_marked_heading_is_a_fragment() -> None:
    chunk = hit("c", ["The kiln in 2004", "It was cold in 2004."], 2004).chunk
    assert not is_fragment(chunk, 0)
    assert is_fragment(replace(chunk, places=((0, "The kiln in 2004"),)), 0)
    assert is_fragment(replace(chunk, places=((0, "The kiln in 2004, page 3"),)), 0)
    assert is_fragment(replace(chunk, title="The kiln in 2004"), 0)
    assert not is_fragment(replace(chunk, places=((0, "The kiln in 2004"),)), 1)


def test_pronouns_refer_to_no_fragment() -> None:
    chunk = hit("c", ["Dear all,", "It was cold."], 2004).chunk
    assert [points_back(chunk, 1), points_back(hit("c", ["Ada left.", "It was cold."], 2004).chunk, 1)] == [
        1,
        0,
    ]


def test_a_passage_is_told_by_a_sentence_that_states_something() -> None:
    headed = hit("c1", ["THE KILN OF ELMTON", "It was cold."], 2004)
    told = hit("c2", ["Ada", "She lit the kiln."], 2004, best=1)
    assert stating([headed, replace(told, sentence=0), told]) == [replace(headed, sentence=1), told]
    assert stating([hit("c3", ["Dear all,", "Ada"], 2004), replace(told, sentence=None)]) == [
        replace(told, sentence=None)
    ]
