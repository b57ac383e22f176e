"""A question of a conversation is quoted with its reply, which is nearer to what is asked."""

from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.sentences import sentence_of, stating

ASKED, REPLY = "Ida: When does the ferry sail?", "Bo Ek: At six on weekdays."


@pytest.mark.parametrize(
    ("messages", "best", "quoted"),
    [
        ([ASKED, REPLY], 0, f"{ASKED} {REPLY}"),
        ([ASKED, REPLY], 1, f"{ASKED} {REPLY}"),
        ([ASKED, "Bo Ek: Which one?"], 0, ASKED),
        ([ASKED, "Ida: I mean the small one."], 0, ASKED),
        (["When does the ferry sail?", "At six on weekdays."], 1, "At six on weekdays."),
        ([ASKED, "Bo Ek: Which one?", "Ida: The small one.", REPLY], 3, REPLY),
        ([ASKED], 0, ASKED),
    ],
)
def test_a_question_is_quoted_with_its_reply(messages: list[str], best: int, quoted: str) -> None:
    (found,) = stating([hit("c", messages, 2012, best=best)])
    assert sentence_of(found) == quoted


def test_another_sentence_of_the_passage_comes_before_the_reply_to_a_question() -> None:
    talk = hit("c", [ASKED, REPLY, "Cy: The ferry sails at five now."], 2012, best=0)
    (found,) = stating([talk, replace(talk, sentence=2)])
    assert found.sentence == 2
