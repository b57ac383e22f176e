"""Answers without a language model: from facts by the solver, from texts by what is read in them."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from timelens.answer.course import dated_sentences
from timelens.answer.drafts import (
    from_ends,
    from_facts,
    from_list,
    from_neighbour,
    from_order,
    from_records,
    from_sentences,
    from_telling,
    nearest,
    nothing,
    with_difference,
    with_events,
)
from timelens.answer.events import DatedEvent
from timelens.answer.kinds import Match, fact_of
from timelens.answer.lists import begins_in, listed, share_told
from timelens.answer.model import Draft, Statement, Status
from timelens.answer.numbering import in_a_row
from timelens.answer.picking import Pick, is_sure, picks
from timelens.answer.points import from_pick, from_point, is_told
from timelens.answer.reading import Expected, Reading, expected_of, is_heading, read
from timelens.answer.records import Record, choose, records_of
from timelens.answer.solver import Solution, solve
from timelens.answer.topic import Topic, is_about, said_by, topic_of
from timelens.answer.values import neighbours, values_in, values_over_time
from timelens.answer.whether import telling
from timelens.config import RISK
from timelens.documents import Hit
from timelens.question.intent import asks_for_state, asks_whether, counts_distinct, subject_of
from timelens.question.model import Focus, Intent, ParsedQuestion, PeriodRole
from timelens.question.names import is_person
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.phrasing import phrase

_ON_TOPIC = 0.2
"""Cosine similarity below which evidence is not about the question."""
_ON_TOPIC_WITHOUT_WORDS = 0.4
"""The same for evidence that is known to share no word with the question."""
_MOST_TURNS = 12
"""Sentences that tell the course of a stretch of time."""
_BESIDE = 3
"""Sentences that tell one of several periods."""
_STATED_BEHIND, _POSSIBLY_BEHIND = 0.4, 0.1
"""How far facts may lag behind a text in the share of the question's words, by how well they match it."""
_SPEAKS = 0.45
"""The share of the question's words by which a sentence is taken to tell of a period or a course.

Of the questions of ``diachronic.jsonl`` to look at it parts the right answers from the wrong but for two.
"""
_LISTED = 0.8
"""The share of the question's words by which texts list what a table has no row of."""
_HOW_LONG = re.compile(
    r"\b(?:for )?how (?:long|many (?:\w+ )?(?:days|weeks|months|years|decades))\b(?: for\b)?"
    r"(?! (?:after|before|ago|until|till)\b)",
    re.IGNORECASE,
)
_NAME = 3
"""Words that a name has, by which one thing comes before or after another."""
_NAMED = (Expected.PERSON, Expected.NAME, Expected.ANY)
"""Kinds of answer that a text names."""
_BESIDE_OTHERS = 0.7
"""The log odds by which less is enough of what counts beside other values, or beside a sentence's words."""
_ENOUGH = 0.3
"""The share of the question's words that evidence needs to be about it."""


@dataclass(frozen=True)
class _Case:
    """A question about one time or none, with its evidence as the readers see it."""

    parsed: ParsedQuestion
    pool: Sequence[Hit]
    events: Sequence[DatedEvent]
    span: Interval | None
    beside: bool
    has_gaps: bool
    topic: Topic
    inside: Sequence[Hit]
    """Evidence on topic and in the asked time, to be quoted."""
    expected: Expected
    readings: Sequence[Reading]
    risk: float

    @cached_property
    def solution(self) -> Solution | None:
        """What the facts of tables say."""
        return solve(self.parsed, self.pool, [event.hit for event in self.events])

    @cached_property
    def records(self) -> Sequence[Record] | None:
        """The lines of a register that answer; empty if there are lines, and none of the time."""
        if not self.parsed.is_point or self.asks_whether or self.expected not in _NAMED:
            return None
        found = records_of(self.parsed, self.pool, self.events)
        return choose(self.parsed, found, self.events) if found else None

    @cached_property
    def listed(self) -> Sequence[Hit]:
        """The events of texts, where a list is asked for, oldest first."""
        return listed(self.parsed, self.topic, self.pool) if self.parsed.several else ()

    @cached_property
    def told(self) -> Sequence[Reading]:
        """The readings with enough of the question's words."""
        return [reading for reading in self.readings if reading.share >= _ENOUGH]

    @cached_property
    def picks(self) -> Sequence[Pick]:
        """What the reader reads in the texts, where no yes or no is asked for."""
        return () if self.asks_whether else picks(self.parsed, self.texts)

    @cached_property
    def telling(self) -> Sequence[Pick]:
        """The sentences that tell yes or no, the likeliest first, where that is asked for."""
        return telling(self.parsed, self.texts) if self.asks_whether else ()

    @cached_property
    def values(self) -> Sequence[Statement]:
        """Every value that the reader finds in the texts, at whatever time, however unlikely."""
        return values_in(self.parsed, self.texts)

    @cached_property
    def course(self) -> Sequence[Statement]:
        """The values of one kind that are surely stated in the asked time; empty unless there are several."""
        return (
            values_over_time(_inside_of(self.sure(self.values), self.parsed.window)) if self.is_read else ()
        )

    def sure(self, values: Sequence[Statement]) -> list[Statement]:
        """Those that are stated at the risk at hand."""
        return [one for one in values if one.probability >= 1 - self.risk]

    @property
    def likely(self) -> float:
        """The log odds from which what was read counts beside other values, or beside a sentence's words."""
        return math.log((1 - self.risk) / self.risk) - _BESIDE_OTHERS

    @property
    def asks_whether(self) -> bool:
        """Whether yes or no is asked for."""
        return asks_whether(self.parsed.core)

    @property
    def is_read(self) -> bool:
        """Whether it is for the reader to tell what the texts say, rather than a register or nobody."""
        known = self.records is None and not self.topic.unknown
        return known and bool(self.texts) and not self.asks_whether

    @property
    def is_one(self) -> bool:
        """Whether one thing at one time is asked for."""
        return (self.parsed.is_point or self.beside) and not self.parsed.several

    @property
    def texts(self) -> Sequence[Hit]:
        """The evidence that is no row of a table, best first."""
        return [hit for hit in self.pool if hit.chunk.fact is None]


def answer_from(
    parsed: ParsedQuestion,
    hits: Sequence[Hit],
    pool: Sequence[Hit],
    *,
    events: Sequence[DatedEvent] = (),
    gaps: Sequence[Interval] = (),
    span: Interval | None = None,
    beside: bool = False,
    risk: float = RISK,
) -> Draft:
    """An answer made of what the evidence says, word for word, to a question about one time or none.

    ``hits`` are there to be cited, best first; the solver looks at the whole ``pool``. ``events``
    are those that the question names, ``gaps`` the stretches of the asked time without evidence, and ``span``
    is that of the corpus. ``beside`` others, a period is told by sentences of its own time where it has some.
    Where no line can be made of texts that are on topic, the nearest passages are named. ``risk``, 0..1, is
    how likely what was read in a text may be wrong and still be given as the answer.
    """
    case = _case_of(parsed, hits, pool, events, span, beside=beside, has_gaps=bool(gaps), risk=risk)
    drafts = (way(case) for way in _WAYS)
    draft = next((draft for draft in drafts if draft is not None), None) or _unclear(case)
    if draft.status is Status.NO_ANSWER and parsed.count > 1 and parsed.window is None:
        # one text may tell them all: "the first two people on the Moon"
        alone = replace(parsed, count=1, several=False)
        return answer_from(alone, hits, pool, events=events, gaps=gaps, span=span, beside=beside, risk=risk)
    return draft


def _case_of(
    parsed: ParsedQuestion,
    hits: Sequence[Hit],
    pool: Sequence[Hit],
    events: Sequence[DatedEvent],
    span: Interval | None,
    *,
    beside: bool,
    has_gaps: bool,
    risk: float,
) -> _Case:
    """A question with its evidence, as :func:`answer_from` is given them."""
    # without a time to order by, the order is part of the topic: texts say of a thing that it was the first
    ordered = parsed.ordinal is not None and parsed.window is None and parsed.count == 1
    topic = topic_of(parsed.question if ordered else subject_of(parsed), pool)
    texts = [hit for hit in hits if hit.chunk.fact is None or not parsed.is_point]
    if not asks_for_state(parsed.core):  # what happened earlier did not happen then
        texts = [hit for hit in texts if "validity" not in hit.passed]
    inside = [hit for hit in texts if _on_topic(hit) and _inside(hit, parsed.window)]
    expected = expected_of(parsed.question)
    readings = read(parsed, topic, inside, expected)
    return _Case(parsed, pool, events, span, beside, has_gaps, topic, inside, expected, readings, risk)


def _by_facts(case: _Case) -> Draft | None:
    """Rows of a table, by the solver."""
    solution = case.solution
    if solution is None or case.parsed.implicit:
        return None
    if not solution.chosen and _may_be_told_in_texts(case, solution):
        return None
    rivals = case.readings
    if solution.chosen:  # a row of the asked time comes before a text of another
        rivals = [reading for reading in rivals if "validity" not in reading.hit.passed]
    said = max(((reading.said, reading.share) for reading in rivals), key=sum, default=(0.0, 0.0))
    if not _may_answer(case.parsed, solution, said):
        return None
    draft = from_facts(case.parsed, solution, case.span)
    return with_events(in_a_row([*_before_facts(case, solution), draft]), case.events)


def _may_be_told_in_texts(case: _Case, solution: Solution) -> bool:
    """Whether the rows of a table that has no answer leave it to the texts.

    They do where each has one date, so that nothing says that they are all there is, where they are only
    possibly what is asked about, and where texts list what they do not.
    """
    if any(share_told(case.parsed, case.topic, hit) >= _LISTED for hit in case.listed):
        return True
    return bool(case.texts) and (solution.is_of_entries or solution.match is Match.POSSIBLE)


def _before_facts(case: _Case, solution: Solution) -> list[Draft]:
    """What texts tell of the part of a course that lies before the first row of a table."""
    window, first = case.parsed.window, solution.chosen[0] if solution.chosen else None
    if case.parsed.focus is not Focus.CHANGE_OVER_TIME or window is None or first is None:
        return []
    start = fact_of(first).start
    if window.start is None or start is None or start - window.start < 2 * Granularity.YEAR.days:
        return []
    untold = Interval(window.start, start, window.granularity)
    found = dated_sentences(case.topic, case.texts, untold, case.expected, _BESIDE)
    return [from_sentences(found, case.expected, case.topic, Status.ANSWERED)] if found else []


def _by_order(case: _Case) -> Draft | None:
    """The order of two things that are offered, by their days."""
    offered = case.parsed.offered
    return from_order(case.parsed, case.events) if offered and len(case.events) == len(offered) else None


def _by_time(case: _Case) -> Draft | None:
    """What texts tell of a time, where nothing but the time is asked about: "What happened in May 1990?"."""
    parsed = case.parsed
    is_asked = not case.topic.words and parsed.window is not None and parsed.ordinal is None
    if not is_asked or case.asks_whether or case.expected is not Expected.ANY:
        return None
    most = _BESIDE if case.beside else _MOST_TURNS
    found = dated_sentences(case.topic, case.texts, parsed.window, case.expected, most)
    if not found:
        return nothing(parsed, case.span)
    status = Status.ANSWERED if parsed.is_point or not case.has_gaps else Status.PARTIAL
    return from_sentences(found, case.expected, case.topic, status)


def _by_records(case: _Case) -> Draft | None:
    """Lines that read like a register."""
    return with_events(from_records(case.records), case.events) if case.records else None


def _by_neighbour(case: _Case) -> Draft | None:
    """Who or what came before or after another that the question names, in the order of what is read of all.

    "Who was treasurer before Ada Lind?" is read as "Who was treasurer?", whatever the time.
    """
    named = _beside_which(case) if case.is_read and case.parsed.is_point else None
    if named is None:
        return None
    name, relation, words = named
    core = " ".join(case.parsed.core.replace(words, " ").split())
    alone = replace(case.parsed, core=core, question=core, periods=(), implicit=())
    pair = neighbours(case.sure(values_in(alone, case.texts)), name, relation)
    return None if pair is None else from_neighbour(pair, case.expected, case.topic)


def _beside_which(case: _Case) -> tuple[str, Relation, str] | None:
    """What the question names to ask for what came before or after it, and its words for that.

    It may have been given the days of something that it shares a name with.
    """
    parsed = case.parsed
    named: tuple[str, Relation, str] | None = None
    if len(parsed.implicit) == 1 and not parsed.periods and not parsed.implicit[0].is_clause:
        time = parsed.implicit[0]
        named = time.text, time.relation, time.phrase
    elif len(parsed.periods) == 1 and len(case.events) == 1 and not parsed.implicit:
        period, relation = parsed.periods[0], parsed.periods[0].relation
        if period.role is PeriodRole.EVENT and isinstance(relation, Relation):
            named = case.events[0].text, relation, period.text
    if named is None or named[1] not in (Relation.BEFORE, Relation.AFTER):
        return None
    return named if len(named[0].split()) <= _NAME else None


def _by_length(case: _Case) -> Draft | None:
    """How long something was so, from the days since when and until when it is read to have been."""
    parsed = case.parsed
    asks = case.expected is Expected.LENGTH and parsed.is_point and not parsed.implicit
    if not asks or not case.is_read or case.beside or is_sure(case.picks, case.risk):
        return None
    ends = []
    for words in ("since when", "until when"):
        core, asked = _HOW_LONG.subn(words, parsed.core, count=1)
        found = picks(replace(parsed, core=core, question=core), case.texts) if asked else []
        if not is_sure(found, case.risk) or found[0].days is None:
            return None
        ends.append(found[0])
    first, last = (
        Statement(pick.hit.chunk.title, "", phrase(pick.days), pick.days, pick.hit, pick.probability)
        for pick in ends
        if pick.days is not None
    )
    return from_ends(first, last, case.topic)


def _inside_of(statements: Sequence[Statement], window: Interval | None) -> list[Statement]:
    """Those of a time that meets the window."""
    if window is None:
        return list(statements)
    return [one for one in statements if one.interval is not None and one.interval.intersects(window)]


def _by_nothing(case: _Case) -> Draft | None:
    """That there is no answer: a register has none of the time, or nothing has enough of the words."""
    if case.records is None and not case.topic.unknown and case.told:
        return None
    in_other_words = not case.parsed.is_point and not case.beside and case.course
    return None if in_other_words else _unclear(case)


def _by_reading(case: _Case) -> Draft | None:
    """What the reader reads, with the sentences that tell it."""
    if not case.is_one or not case.is_read or not is_sure(case.picks, case.risk):
        return None
    draft = from_pick(case.picks, case.topic, case.expected, case.parsed)
    if case.beside:  # each period is told by its dated sentences
        draft = replace(draft, text=draft.text.partition("\n")[2])
    return with_events(draft, case.events)


def _by_telling(case: _Case) -> Draft | None:
    """The sentences that surely tell yes or no."""
    if case.beside or case.topic.unknown or not is_sure(case.telling, case.risk):
        return None
    return with_events(from_telling(case.telling, case.risk, case.topic), case.events)


def _by_list(case: _Case) -> Draft | None:
    """The events that texts tell of, a line each."""
    if not case.listed:
        return None
    return with_events(from_list(case.parsed, case.listed, case.topic), case.events)


def _by_own_sentences(case: _Case) -> Draft | None:
    """Sentences with a date in the period, which is one of several."""
    if not case.beside or case.parsed.ordinal is not None:
        return None
    own = dated_sentences(case.topic, case.inside, case.parsed.window, case.expected, _BESIDE)
    if not own:
        return None
    if not _speak_enough(case.topic, own):
        return _unclear(case)
    return with_events(from_sentences(own, case.expected, case.topic, Status.ANSWERED), case.events)


def _by_sentence(case: _Case) -> Draft | None:
    """The sentence with most of the words, where it is the one of its time or the reader too answers from it.

    It says neither yes nor no. At less than the usual risk its time is not enough.
    """
    is_asked = case.parsed.is_point and not case.asks_whether
    if not is_asked or not is_told(case.told[0], case.topic, case.parsed):
        return None
    by_time = case.risk >= RISK and _time_tells(case)
    if not by_time and not _is_read_in(case.told[0].hit, case.picks, case.likely):
        return None
    draft = from_point(case.told, case.expected, case.topic, case.parsed.ordinal)
    return with_events(draft, case.events)


def _time_tells(case: _Case) -> bool:
    """Whether the asked time leaves few texts on a topic: a month at most, or beside a named day or month.

    The days of an event, or of someone's predecessor, are not named.
    """
    window, parsed = case.parsed.window, case.parsed
    if window is None or parsed.current:
        return False
    is_named = window.granularity.days <= Granularity.MONTH.days and not (parsed.implicit or case.events)
    return window.days <= Granularity.MONTH.days or (parsed.ordinal is not None and is_named)


def _is_read_in(hit: Hit, found: Sequence[Pick], least: float) -> bool:
    """Whether the likeliest answer, the first, stands in the best sentence of a hit; ``least`` log odds."""
    return bool(found) and found[0].score >= least and found[0].stands_in(hit)


def _by_course(case: _Case) -> Draft | None:
    """Dated sentences over a stretch of time, which do not tell how many things or times there were in it."""
    if case.parsed.is_point or case.parsed.count > 1 or counts_distinct(case.parsed.question):
        return None
    hits = [hit for hit in case.pool if not case.parsed.several or begins_in(hit, case.parsed)]
    values = case.values if case.is_read else ()
    found = dated_sentences(case.topic, hits, case.parsed.window, case.expected, _MOST_TURNS, values=values)
    status = Status.PARTIAL if case.has_gaps and not case.parsed.several else Status.ANSWERED
    if not _speak_enough(case.topic, found) and not case.course:
        return None
    draft = from_sentences(found, case.expected, case.topic, status)
    return with_difference(draft, case.course)


def _speak_enough(topic: Topic, sentences: Sequence[Hit]) -> bool:
    """Whether one of some sentences, with its title, says enough of what is asked to answer it."""
    return max((topic.share(said_by(hit)) for hit in sentences), default=0.0) >= _SPEAKS


_WAYS: tuple[Callable[[_Case], Draft | None], ...] = (
    _by_facts,
    _by_order,
    _by_time,
    _by_records,
    _by_neighbour,
    _by_length,
    _by_reading,
    _by_telling,
    _by_nothing,
    _by_list,
    _by_own_sentences,
    _by_sentence,
    _by_course,
)
"""How an answer is found, tried in order; the first that gives one decides."""


def _unclear(case: _Case) -> Draft:
    """That no clear statement was found, with the texts on topic that come nearest.

    Those in which the reader reads an answer, or which it takes to tell yes or no, come by turns with those
    of the asked time that have most of the words; then others as they were found. A heading is none.
    """
    read = case.picks if case.is_one and case.is_read else case.telling
    by_reader, by_words = ([one.hit for one in found] for found in (read, case.readings))
    turns = zip_longest(by_reader, by_words)
    ranked = [*(hit for turn in turns for hit in turn if hit is not None), *case.texts]
    first: dict[str, Hit] = {}
    for hit in ranked:
        if is_about(case.topic, hit) and not is_heading(hit):
            first.setdefault(hit.chunk.id, hit)
    near = list(first.values())
    return nearest(case.parsed, near, case.topic, case.span)


def _may_answer(parsed: ParsedQuestion, solution: Solution, said: tuple[float, float]) -> bool:
    """Whether facts answer rather than text: ``said`` is what its sentence and its passage have of the words.

    Facts that hold what is asked for may lag behind the text; others must not. A fact without an end has no
    length but up to now.
    """
    if expected_of(parsed.question) is Expected.REASON:
        return False  # facts have no reasons
    if solution.kind.column is None and not solution.subject:
        return False
    if asks_whether(parsed.core) and not solution.is_of_numbers:
        return False  # a name says neither yes nor no, nor more or less
    lasting = parsed.intent is Intent.DURATION and not parsed.current
    if lasting and all(fact_of(hit).end is None for hit in solution.chosen):
        return False
    match solution.match:
        case Match.NONE:
            return False
        case Match.POSSIBLE if not solution.chosen or _names_no_person(parsed, solution):
            return solution.kind.fit >= max(_ENOUGH, *said)
        case Match.POSSIBLE:
            return solution.kind.fit >= max(_ENOUGH, sum(said) / 2 - _POSSIBLY_BEHIND)
        case Match.STATED:
            return solution.kind.fit >= max(said) - _STATED_BEHIND


def _names_no_person(parsed: ParsedQuestion, solution: Solution) -> bool:
    """Whether a person is asked for, and the values that answer do not look like one."""
    if expected_of(parsed.question) is not Expected.PERSON or solution.kind.column is None:
        return False
    values = (dict(fact_of(hit).fields).get(solution.kind.column, "") for hit in solution.chosen)
    return not any(map(is_person, values))


def _on_topic(hit: Hit) -> bool:
    if hit.scores.keyword:
        return True
    enough = _ON_TOPIC if hit.scores.keyword is None else _ON_TOPIC_WITHOUT_WORDS
    return (hit.scores.semantic or 0.0) >= enough


def _inside(hit: Hit, window: Interval | None) -> bool:
    if window is None or "validity" in hit.passed:
        return True
    return any(event.interval.intersects(window) for event in hit.chunk.events)
