"""Writes drafts of answers from records, picks, values, sentences and events. Pure.

Each line states one thing, with its time and its citation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from timelens.answer.citation_numbers import cite, marks
from timelens.answer.draft import Citation, Derived, Draft, Nearest, Statement, Status, Value
from timelens.answer.hit_times import start_of, time_of
from timelens.answer.operations import (
    difference_told,
    length,
)
from timelens.answer.relevance import Topic
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of, unmarked
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.text.picked_spans import Pick
from timelens.answer.text.registers import RegisterLine, as_evidence
from timelens.answer.text.sentence_match import AnswerType, quoted
from timelens.answer.text.yes_no import Verdict, agrees
from timelens.answer.writing.refusals import nothing, sought
from timelens.config import CAUTIOUS_RISK
from timelens.documents import Hit
from timelens.question.names import names_in
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase, phrase_length

_AFTER_TIME = " .,:;–—-"
"""Signs between the day at the beginning of an entry and its text."""
MOST_NEAREST = 3
"""Maximum number of nearest passages of a refusal, and of sentences that tell yes or no."""
_MOST_COUNTED = 8
_CERTAIN = 1.0
_QUOTED = 0.5
"""Assumed probability that a quoted sentence states the answer."""


def from_records(records: Sequence[RegisterLine]) -> Draft:
    """A draft from register lines, each value before its line."""
    citations = tuple(_numbered(map(as_evidence, records)))
    lines = [f"{record.value}: {record.line} [{n}]" for n, record in enumerate(records, start=1)]
    values = tuple(
        _value(citation, record.value) for citation, record in zip(citations, records, strict=True)
    )
    statements = tuple(
        Statement(c.hit.chunk.title, "", record.value, record.interval, c.hit, _CERTAIN)
        for c, record in zip(citations, records, strict=True)
    )
    return Draft(Status.ANSWERED, "\n".join(lines), values, citations, statements, series=statements)


def from_order(parsed: ParsedQuestion, events: Sequence[DatedEvent]) -> Draft:
    """Which of the offered alternatives came first, or last: all with their days, the answer first."""
    pairs = list(zip(parsed.offered, events, strict=True))
    pairs.sort(key=lambda pair: pair[1].interval.bounds, reverse=parsed.ordinal == "last")
    answer, event = pairs[0]
    lines = [f"{thing}: {sentence_of(e.hit)} [{n}]" for n, (thing, e) in enumerate(pairs, start=1)]
    return Draft(
        Status.ANSWERED,
        "\n".join(lines),
        (Value(answer, event.interval.start, event.interval.end, (1,)),),
        tuple(_numbered(event.hit for _, event in pairs)),
    )


def with_events(draft: Draft, events: Sequence[DatedEvent]) -> Draft:
    """The draft with a line for each event that the question names: its days and its evidence."""
    if draft.status is Status.NO_ANSWER:
        return draft
    citations, lines = list(draft.citations), [draft.text]
    for event in events:
        number = cite(citations, event.hit)
        fact = event.hit.chunk.fact
        days = hedged(phrase(event.interval), event.probability) if fact is None else fact.period
        lines.append(f"{event.text[:1].upper()}{event.text[1:]}: {days} [{number}].")
    return replace(draft, text="\n".join(lines), citations=tuple(citations))


def with_difference(draft: Draft, statements: Sequence[Statement]) -> Draft:
    """The draft with the change of a number from the first to the last statement.

    The draft is returned unchanged unless it cites both, a cautious reader would assert both, and both are
    numbers of the same unit.
    """
    numbers = {c.hit.key: c.number for c in draft.citations}
    ends = [statements[0], statements[-1]] if statements else []
    cited = [numbers.get(one.hit.key) for one in ends]
    if not ends or None in cited or min(one.probability for one in ends) < 1 - CAUTIOUS_RISK:
        return draft
    first, last = ends
    days = length(first, last)
    if not days or first.interval is None or first.interval.start is None:
        return draft
    start = first.interval.start
    names = label(first.hit), label(last.hit)
    told = difference_told(first, last, names, phrase_length(start, start + days))
    if told is None:
        return draft
    line = Derived(f"{told} {marks(number for number in cited if number is not None)}.", (first, last))
    return replace(draft, text=f"{draft.text}\n{line.text}", derived=(*draft.derived, line))


def from_name(
    name: str,
    hits: Sequence[Hit],
    expected: AnswerType,
    topic: Topic,
    probability: float,
    *,
    planned: bool = False,
) -> Draft:
    """A draft that answers with a name, its probability (0..1) and quotes of ``hits``; the first names it.

    A sentence that two hits have in common is quoted once. What the hits only expect (``planned``) is hedged,
    however probable it is that they state it.
    """
    quotes: dict[tuple[str, int | None], Hit] = {}
    for hit in hits:
        quotes.setdefault(hit.key, hit)
    citations = tuple(_numbered(quotes.values()))
    lines = [f"{_dated(c.hit, quoted(c.hit, expected, topic))} [{c.number}]" for c in citations]
    lead = hedged(name, probability, planned=planned)
    text = "\n".join([f"{lead} [1].", *lines])
    statement = Statement(hits[0].chunk.title, "", name, time_of(hits[0]), hits[0], probability, planned)
    return Draft(Status.ANSWERED, text, (_value(citations[0], name),), citations, (statement,))


def from_neighbour(pair: tuple[Statement, Statement], expected: AnswerType, topic: Topic) -> Draft:
    """A draft that answers with the first of two neighbours, with the sentence that states each."""
    probability = min(one.probability for one in pair)
    draft = from_name(pair[0].value, [one.hit for one in pair], expected, topic, probability)
    return replace(draft, statements=pair, beside=pair[1], series=pair)


def from_ends(first: Statement, last: Statement, topic: Topic) -> Draft | None:
    """The length of time between two statements, with the sentences that state both.

    ``None`` if the last is not after the first.
    """
    days = length(first, last)
    if days is None or days <= 0 or first.interval is None or first.interval.start is None:
        return None
    length_told = phrase_length(first.interval.start, first.interval.start + days)
    probability = min(first.probability, last.probability)
    draft = from_name(length_told, [first.hit, last.hit], AnswerType.TIME, topic, probability)
    numbers = tuple(citation.number for citation in draft.citations)
    told = f"{hedged(f'{length_told} ({first.value} to {last.value})', probability)} {marks(numbers)}."
    return replace(
        draft,
        text="\n".join([told, *draft.text.split("\n")[1:]]),
        values=tuple(replace(value, citations=numbers) for value in draft.values),
        statements=(first, last),
        derived=(Derived(told, (first, last)),),
    )


def from_sentences(hits: Sequence[Hit], expected: AnswerType, topic: Topic, status: Status) -> Draft:
    """A draft of sentences in chronological order, each with its date; ``hits`` are best first."""
    told = [(cited, quoted(cited.hit, expected, topic), _QUOTED) for cited in _numbered(hits)]
    return _quoting(sorted(told, key=lambda one: start_of(one[0].hit)), status)


def from_telling(told: Verdict, found: Sequence[Pick], risk: float, topic: Topic) -> Draft:
    """A draft that says yes or no, with at most three sentences that tell it, likeliest first.

    ``told`` is what the first sentence says; of the others those are quoted that say the same and tell it
    with a probability of at least 1 - ``risk``.
    """
    best, *others = found[:MOST_NEAREST]
    same = [best, *(one for one in others if one.probability >= 1 - risk and agrees(one, told))]
    cited = zip(_numbered(one.hit for one in same), same, strict=True)
    lines = [(one, quoted(one.hit, AnswerType.ANY, topic), pick.probability) for one, pick in cited]
    draft = _quoting(lines, Status.ANSWERED)
    lead = hedged("Yes" if told.says_yes else "No", told.probability)
    return replace(draft, text=f"{lead} [1].\n{draft.text}")


def hedged(value: str, probability: float, *, planned: bool = False) -> str:
    """A value, with ", probably" if it was planned or a cautious reader would not assert it.

    ``probability``, 0..1, is that of the value.
    """
    return f"{value}, probably" if planned or probability < 1 - CAUTIOUS_RISK else value


def from_list(parsed: ParsedQuestion, hits: Sequence[Hit], topic: Topic) -> Draft:
    """A draft of sentences that tell one event each, in the order given, and their number if too few."""
    told = [(cited, _alone(cited.hit, topic), _QUOTED) for cited in _numbered(hits)]
    draft = _quoting(told, Status.ANSWERED)
    derived = fewer(parsed, draft.statements)
    text = "\n".join([draft.text, *(line.text for line in derived)])
    return replace(draft, text=text, derived=derived)


def _numbered(hits: Iterable[Hit]) -> list[Citation]:
    return [Citation(number, hit) for number, hit in enumerate(hits, start=1)]


def _quoting(told: Sequence[tuple[Citation, str, float]], status: Status) -> Draft:
    """A draft with a dated line for each (citation, text, probability 0..1), in the order given.

    A text with which another one of the same time begins is cited with that one.
    """
    in_order = sorted(told, key=lambda one: one[0].number)
    lines = _each_once([(cited.number, _dated(cited.hit, said)) for cited, said, _ in told])
    return Draft(
        status,
        "\n".join(f"{line} {marks(numbers)}" for numbers, line in lines),
        tuple(_value(cited, said) for cited, said, _ in in_order),
        tuple(cited for cited, _, _ in in_order),
        tuple(
            Statement(cited.hit.chunk.title, "", said, time_of(cited.hit), cited.hit, probability)
            for cited, said, probability in told
        ),
    )


def _each_once(lines: Sequence[tuple[int, str]]) -> list[tuple[list[int], str]]:
    """Dated lines with their citations, without those that begin another line; that one has their citations.

    A sentence that its successor refers back to stands at the beginning of the quotation of the successor.
    """
    kept: dict[str, list[int]] = {}
    for number, line in lines:
        longest = max((other for _, other in lines if other.startswith(line)), key=len)
        kept.setdefault(longest, []).append(number)
    return [(numbers, line) for line, numbers in kept.items()]


def fewer(parsed: ParsedQuestion, statements: Sequence[Statement]) -> tuple[Derived, ...]:
    """A line with the number of things found, if fewer than the question asks for."""
    found = len(statements)
    if not 0 < found < parsed.count:
        return ()
    return (Derived(f"Found: {found} of {parsed.count} {marks(range(1, found + 1))}.", tuple(statements)),)


def _alone(hit: Hit, topic: Topic) -> str:
    """The best sentence of a hit: alone if it contains a name, else with the context it refers back to."""
    chunk, index = hit.chunk, hit.sentence
    if index is None or not names_in(chunk.sentence(index)):
        return quoted(hit, AnswerType.ANY, topic)
    return unmarked(chunk.sentence(index))


def nearest(
    parsed: ParsedQuestion,
    hits: Sequence[Hit],
    topic: Topic,
    span: Interval | None,
    *,
    beside: bool = False,
    counted: bool = False,
) -> Draft:
    """A refusal with the nearest passages ``hits``, best first.

    With ``counted``, these name the things that the question asks to count, in the order of time.
    """
    if not hits:
        return nothing(parsed, span, beside=beside)
    passages = _numbered(hits[: _MOST_COUNTED if counted else MOST_NEAREST])
    head = "Named, perhaps not all" if counted else "Nearest"
    lines = [f"{_dated(c.hit, quoted(c.hit, AnswerType.ANY, topic))} [{c.number}]" for c in passages]
    return Draft(
        Status.NO_ANSWER,
        "\n".join([f"No clear statement was found{sought(parsed, beside=beside)}. {head}:", *lines]),
        nearest=tuple(Nearest(citation, parsed.window) for citation in passages),
    )


def _dated(hit: Hit, sentence: str) -> str:
    """The sentence of a hit with its time; a fact's sentence states it already, as an entry's day may."""
    if hit.chunk.fact is not None:
        return sentence
    time = label(hit)
    rest = sentence.removeprefix(time)
    is_repeated = rest != sentence and not rest[:1].isalnum() and any(map(str.isalnum, rest))
    return f"{time}: {rest.lstrip(_AFTER_TIME) if is_repeated else sentence}"


def _value(citation: Citation, sentence: str) -> Value:
    time = time_of(citation.hit)
    return Value(sentence, time.start if time else None, time.end if time else None, (citation.number,))
