"""Joins the answers to a question that asks several things. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from timelens.answer.citation_numbers import in_a_row, without_citations
from timelens.answer.draft import Draft, Status
from timelens.answer.writing.drafts import hedged


def of_clauses(drafts: Sequence[Draft]) -> Draft:
    """One draft of the drafts for each thing asked, in order.

    If each begins with a short answer, these stand together in the first line: "Ada Lind [1]; £340 [2].".
    """
    whole = in_a_row(drafts)
    answered = [draft.status is not Status.NO_ANSWER for draft in drafts]
    status = Status.ANSWERED if all(answered) else Status.PARTIAL if any(answered) else Status.NO_ANSWER
    lines = whole.text.split("\n")
    first, leads = 0, list[int]()
    for draft in drafts:
        if _leads(draft):
            leads.append(first)
        first += len(draft.text.split("\n"))
    if len(leads) == len(drafts):
        lead = "; ".join(lines[number].removesuffix(".") for number in leads)
        evidence = dict.fromkeys(line for number, line in enumerate(lines) if number not in leads)
        text = "\n".join([f"{lead}.", *evidence])
    else:
        text = "\n".join(_together(lines, [value.text for value in whole.values]))
    decisions = tuple(decision for draft in drafts for decision in draft.decisions)
    return replace(whole, status=status, text=text, decisions=decisions)


def _together(lines: Sequence[str], values: Sequence[str]) -> list[str]:
    """The lines, each once, and those that tell different values of the same rows as one.

    "2000: Northgate: van [1]." and "2000: £38: van [1]." become "2000: Northgate, £38: van [1].".
    """
    told: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        split = ((*f": {line}".partition(f": {value}: "), value) for value in values)
        before, after, value = next(((b, a, value) for b, at, a, value in split if at), ("", line, ""))
        told.setdefault((before, after), []).append(value)
    return [
        f"{before}: {', '.join(dict.fromkeys(of_row))}: {after}".removeprefix(": ") if all(of_row) else after
        for (before, after), of_row in told.items()
    ]


def _leads(draft: Draft) -> bool:
    """Whether the first line of a draft is a short answer, not a sentence of the evidence."""
    first = without_citations(draft.text.partition("\n")[0]).removesuffix(".").strip()
    values = [*(value.text for value in draft.values[:1]), "Yes", "No"]
    return draft.status is not Status.NO_ANSWER and any(
        first in (value, hedged(value, 0.0)) for value in values
    )
