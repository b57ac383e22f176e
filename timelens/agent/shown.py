"""The evidence that an answer shows first, which may name whom a follow-up question means."""

from collections.abc import Sequence

from timelens.answer.draft import Citation, Nearest, Value
from timelens.answer.sentences import sentence_of


def shown_first(values: Sequence[Value], citations: Sequence[Citation], nearest: Sequence[Nearest]) -> str:
    """The sentence or the values of the row that the answer cites first; of a refusal, those of a row only.

    Empty if there is none.
    """
    cited = {citation.number: citation.hit for citation in citations}
    numbers = [number for value in values for number in value.citations if number in cited] or list(cited)
    if numbers:
        hit = cited[numbers[0]]
    elif nearest and nearest[0].citation.hit.chunk.fact is not None:
        hit = nearest[0].citation.hit
    else:
        return ""
    fact = hit.chunk.fact
    return sentence_of(hit) if fact is None else ", ".join(value for _, value in fact.fields)
