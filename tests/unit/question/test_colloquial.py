"""What people type is put plainly, and what is plain stays as it is."""

import pytest

from timelens.question.normalise.colloquial import plainly
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-12-31")


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("whos king of spain right now pls", "who is king of spain right now"),
        ("hey, could you please tell me what's Bank Rate, thanks!", "what is Bank Rate!"),
        ("im wondering how long Mir stayed up", "how long Mir stayed up"),
        ("do you know when Mir fell?", "when Mir fell?"),
        ("wen did Mir fall", "when did Mir fall"),
        ("hwo long and wich way was it", "hwo long and wich way was it"),
        ("Wich chip did we use?", "which chip did we use?"),
        ("who was running spain in 1999", "who was the leader of spain in 1999"),
        ("who's the boss of the bank", "who is the boss of the bank"),
        ("can you walk me through who has cleaned the mill?", "who has cleaned the mill?"),
        ("who was in charge of france in 1999", "who was the leader of france in 1999"),
        ("who had the top job in france", "who was the leader of france"),
        (
            "who came right before Sunak as Prime Minister?",
            "who was Prime Minister immediately before Sunak?",
        ),
        ("who took over from Blair as PM", "who was PM immediately after Blair"),
        ("who was PM again, please?", "who was PM?"),
        ("since when has Ada done the napkins again?", "since when has Ada done the napkins again?"),
        ("how many boats did we own in 2013, launches included", "how many boats did we own in 2013"),
        ("who has paid, counting the new ones, since 2013?", "who has paid, since 2013?"),
        ("who has paid, not counting the new ones?", "who has paid, not counting the new ones?"),
        (
            "Was there a time when Ada and Bo were both on the board?",
            "were Ada and Bo both on the board?",
        ),
        ("was there ever a year when we owned two dogs", "did we owned two dogs"),
        ("Was there a time limit?", "Was there a time limit?"),
        ("who succeeded Blair as PM?", "who was PM immediately after Blair?"),
        ("when Reagan was President, who was pope?", "who was pope when Reagan was President?"),
        ("Merkel - when did she start?", "When did Merkel start?"),
        ("What was going on in July 1969?", "what happened in July 1969?"),
        ("Which important events took place in Norway in 1994?", "what happened in Norway in 1994?"),
        ("anything of note in May 1973?", "what happened in May 1973?"),
        ("did anything happen to the roof in 2013?", "what happened to the roof in 2013?"),
        ("list all the events of 1973", "what happened in 1973"),
        ("What developments were there in 1999?", "what happened in 1999?"),
        (
            "i was in norway in 1994, who was in charge there back then",
            "who was the leader of norway in 1994?",
        ),
    ],
)
def test_a_question_is_put_plainly(typed: str, plain: str) -> None:
    assert plainly(typed, TODAY).casefold() == plain.casefold()


@pytest.mark.parametrize(
    "question",
    [
        "Who was Prime Minister of the United Kingdom in 2017?",
        "Which landed first on Mars, Spirit or Opportunity?",
        "What was running through the valley in 1990?",
        "Who ran for office in 1990?",
        "In 1999, who was President of France?",
        "How did rates change from 2015 to 2020?",
        "Who followed the Pied Piper?",
        "Who was pope when Reagan was in the White House?",
        "Which event was first?",
        "What events led to the war of 1973?",
        "Things to do in 2014?",
        "Is anything known of Bob in 2014?",
    ],
)
def test_a_plain_question_stays_as_it_is(question: str) -> None:
    assert plainly(question, TODAY) == question
