"""Times of a question in another language: parsed in English, told in the words of the question. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from timelens.question.parsed_question import ParsedQuestion


def in_own_words(parsed: ParsedQuestion, text: str, times: Sequence[tuple[str, str]]) -> ParsedQuestion:
    """The question with the English words of its times replaced by the original words in ``text``.

    ``times`` are pairs (English, original). A time that was translated in parts gets the words of its first
    part.
    """

    def own(words: str) -> str:
        for english, said in sorted(times, key=lambda time: -len(time[0])):
            plain = said.replace("\\", r"\\")
            words = re.sub(rf"(?<!\w){re.escape(english)}(?!\w)", plain, words)
        return words

    def own_time(words: str) -> str:
        said = own(words)
        return said if said in text else next((said for time, said in times if time in words), times[0][1])

    constraints = {one: replace(one, text=own_time(one.text)) for one in parsed.constraints}
    return replace(
        parsed,
        core=own(parsed.core),
        constraints=tuple(constraints.values()),
        periods=tuple(
            replace(
                period,
                text=own_time(period.text),
                constraints=tuple(constraints.get(one, one) for one in period.constraints),
            )
            for period in parsed.periods
        ),
        signals=tuple(map(own, parsed.signals)),
    )
