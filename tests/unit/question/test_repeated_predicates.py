"""Follow-ups that deny the earlier question, repeat its predicate, or ask for what came next to its thing."""

from collections.abc import Sequence

import pytest

from timelens.question.followup.conversation import AnsweredValue, Context, Turn, slots_of
from timelens.question.followup.resolve import resolve, told_already
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity, Interval

TODAY = parse_day("2024-12-31")


def held(text: str, start: str, end: str | None = None) -> AnsweredValue:
    days = parse_day(start), None if end is None else parse_day(end)
    return AnsweredValue(text, Interval(*days, Granularity.DAY), held=True)


def stated(text: str, day: str) -> AnsweredValue:
    return AnsweredValue(text, Interval(parse_day(day), parse_day(day) + 1, Granularity.DAY), held=False)


def read(talk: Sequence[str | Turn], last: str) -> str | None:
    """The reading of the last text, after questions of which each may be a follow-up."""
    before: Turn | None = None
    for one in talk:
        turn = Turn(one) if isinstance(one, str) else one
        asked = None if before is None else resolve(turn.question, before, TODAY)
        before = Turn(asked or turn.question, turn.told, shown=turn.shown).after(before)
    assert before is not None
    return resolve(last, before, TODAY)


@pytest.mark.parametrize(
    ("first", "last", "question"),
    [
        (
            "When will the new ferry sail?",
            "why not in 2024?",
            "Why will the new ferry not sail in 2024?",
        ),
        ("Did the mill reopen in 2019?", "why not?", "Why did the mill not reopen in 2019?"),
        (
            "Did the roof of the mill leak in May?",
            "why not?",
            "Why did the roof of the mill not leak in May?",
        ),
        ("When did they start?", "but why not earlier?", "Why did they not start earlier?"),
        (
            "When was the lock repaired?",
            "and why not before 2010?",
            "Why was the lock not repaired before 2010?",
        ),
        ("When will the new ferry sail?", "why not the old one?", None),
        ("How much was the toll?", "why not?", None),
    ],
)
def test_why_not_denies_the_earlier_question(first: str, last: str, question: str | None) -> None:
    assert read([first], last) == question


def test_a_denied_holder_is_the_one_who_was_told() -> None:
    turn = Turn("Who was organist in 2012?", (held("Ada Lind", "2010-01-01", "2014-01-01"),))
    assert resolve("why not in 2016?", turn, TODAY) == "Why was Ada Lind not organist in 2016?"


@pytest.mark.parametrize(
    ("last", "question"),
    [
        ("when was it ordered?", "When was the new ferry ordered?"),
        ("and why not in 2023?", "Why will the new ferry not sail in 2023?"),
        ("what will it cost?", "What will the new ferry cost?"),
    ],
)
def test_not_is_no_thing_that_pronouns_mean(last: str, question: str) -> None:
    assert read(["When will the new ferry sail?", "why not in 2024?"], last) == question


@pytest.mark.parametrize(
    ("clause", "phrases"),
    [
        ("Why will the ferry not sail", ["ferry"]),
        ("Why didn't the old pump start", ["old pump"]),
        ("When will the new bus shelter be built", ["new bus shelter", "built"]),
        ("what can the parish hall hold", ["parish hall"]),
    ],
)
def test_words_that_deny_and_verbs_are_no_things(clause: str, phrases: Sequence[str]) -> None:
    assert [clause[start:end] for start, end in slots_of(clause)] == phrases


def test_they_may_be_whom_the_question_asks_for() -> None:
    assert read(["Who was the printer?"], "why did they stop?") == "Why did the printer stop?"


GARDENER = Turn("Who swept the yard in 2012?", (held("Bo Ek", "2010-03-01", "2014-06-01"),))


@pytest.mark.parametrize(
    ("talk", "last", "question"),
    [
        # the same predicate at another time
        ([GARDENER], "and who does it now?", "Who swept the yard now?"),
        ([GARDENER, "how much did he get?"], "and who does it today?", "Who swept the yard now?"),
        ([GARDENER, "how much did he get?"], "who did it in 2016?", "Who swept the yard in 2016?"),
        (["When was the mill built?"], "and who does it now?", None),
        # it is a thing of the question, not the figure that was told
        (
            [Turn("What did Harbour Ale cost in 2012?", (held("£3.20", "2011-01-01"),))],
            "was it ever dearer?",
            "Was Harbour Ale ever dearer?",
        ),
        (
            [Turn("What was the toll in 2012?", (held("EUR 4", "2011-01-01"),))],
            "was it ever lower?",
            "Was the toll ever lower?",
        ),
        # what came next to a thing, behind a question about something else of it
        (["When was the Kestrel sold?", "for how much?"], "what replaced it?", "What replaced the Kestrel?"),
        (["Why was the old press scrapped?"], "and what came after it?", "What came after the old press?"),
        (["When was the Kestrel bought?"], "what came before it?", "What came before the Kestrel?"),
        # and to a person whom only the evidence names
        (
            [
                "Who was treasurer when the mill burnt?",
                Turn(
                    "why did she stop?",
                    (stated("her eyes", "2012-04-03"),),
                    shown="Mrs Moor gave up the books because of her eyes.",
                ),
            ],
            "who came after her?",
            "Who was treasurer immediately after Mrs Moor?",
        ),
        (["When did Jo retire?"], "who replaced her?", "Who succeeded Jo?"),
        (["When did Rex die?"], "which dog came after him?", "Which dog came after Rex?"),
        (["When was the Kestrel sold?"], "what boat replaced it?", "What boat replaced the Kestrel?"),
        (
            [
                Turn("Who printed the news in 2010?", shown="Cy Fox, Printer, 2000"),
                "when did he leave?",
            ],
            "who replaced him?",
            "Who succeeded Cy Fox?",
        ),
        ([Turn("Who printed the news in 2010?", shown="Cy Fox, Miller, 2000")], "when did he leave?", None),
        (
            [Turn("Who printed the news in 2010?", shown="Cy Fox and Ann Orr, printers")],
            "when did he leave?",
            None,
        ),
        # to the holder of a post whose end alone was told
        (
            [
                "Who was warden of the locks in 2010?",
                Turn("until when?", (stated("3 May 2014", "2014-05-03"),)),
            ],
            "who was next?",
            "Who was warden of the locks first after 2 May 2014?",
        ),
        (
            [
                "Who was warden of the locks in 2010?",
                Turn("until when?", (stated("3 May 2014", "2014-05-03"),), shown="Ann Orr leaves on 3 May."),
            ],
            "who was next?",
            "Who was warden of the locks immediately after Ann Orr?",
        ),
        # a firm is not "he"
        (
            [GARDENER, Turn("and before him?", (held("Green & Sons", "2005-01-01", "2010-03-01"),))],
            "how much did he get?",
            "How much did Bo Ek get?",
        ),
        # the time with the most or the fewest of what was counted
        (
            ["how many swans in 2012?", "and in 2014?"],
            "and the fewest?",
            "Which year had the fewest swans?",
        ),
        (
            ["How many loaves did Norwich sell in 2012?", "and in 2014?"],
            "and the most?",
            "In which year did Norwich sell the most loaves?",
        ),
        (
            ["How many swans did we have in May 2012?"],
            "and the most?",
            "Which month had the most swans?",
        ),
        (["how many swans?"], "and the fewest?", None),
        (
            ["How many loaves were sold in the first quarter of 2012?"],
            "and the most?",
            "In which quarter were the most loaves sold?",
        ),
        (["What was the toll in 2012?"], "and the lowest?", "In which year was the toll the lowest?"),
        (
            ["What was the toll in 2012?", "was it ever lower?"],
            "and the highest?",
            "In which year was the toll the highest?",
        ),
        # behind a refusal: the post, or the one whose neighbour was not found
        (["Who was the printer?"], "why were they sacked?", "Why was the printer sacked?"),
        (
            [GARDENER, "and before him?"],
            "what did they charge?",
            "What did Bo Ek charge?",
        ),
        (
            [GARDENER, "and who does it now?"],
            "who did it before him?",
            "Who swept the yard last before 1 March 2010?",
        ),
        # a verb is no part of the thing, and "we" may have done something with it
        (["When was the drone bought?"], "what did it cost?", "What did the drone cost?"),
        (["When was the drone bought?"], "how much was it?", "For how much was the drone bought?"),
        (["When was the boat built?"], "and what did we pay for it?", "What did we pay for the boat?"),
        (["When was the boat built?"], "when did we sell it?", "When did we sell the boat?"),
        # all of a thing is replaced by one with "of"
        (["Who is president of the band?"], "and the chair of the choir?", "Who is the chair of the choir?"),
        # a correction
        (
            ["Who was warden in 2010?"],
            "of the north lock, I mean",
            "Who was warden in 2010 of the north lock?",
        ),
    ],
)
def test_a_follow_up_goes_on_from_the_question(
    talk: Sequence[str | Turn], last: str, question: str | None
) -> None:
    assert read(talk, last) == question


@pytest.mark.parametrize(
    "text",
    [
        "Why not mend the roof in 2012?",
        "Who did it cost most?",
        "Why was the mill not sold in 2012?",
        "Who does the accounts now?",
        "Which year had the fewest swans?",
        "What replaced the gas lamps?",
        "Who came after Mrs Moor?",
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(text: str) -> None:
    assert resolve(text, GARDENER, TODAY) is None


def test_the_one_before_is_not_the_one_who_was_told() -> None:
    assert told_already("and before him?", GARDENER, TODAY) == "Bo Ek"
    assert told_already("and in 2016?", GARDENER, TODAY) is None
    after = Turn("How much did Bo Ek get?", (stated("£20", "2012-01-01"),)).after(GARDENER)
    assert told_already("and before him?", after, TODAY) == "Bo Ek"


def test_a_person_is_not_meant_where_evidence_names_several() -> None:
    turn = Turn("Who mended it?", (stated("glue", "2012-01-01"),), shown="Ann Orr and Cy Fox used glue.")
    assert Context(turn, TODAY).shown_person is None
