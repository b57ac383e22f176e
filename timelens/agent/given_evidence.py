"""Evidence that the caller gives in place of retrieved one."""

from collections.abc import Generator, Iterator, Sequence

from timelens.agent.events import PeriodEvidence, StepDone
from timelens.answer.text.event_dates import DatedEvent, date_event
from timelens.documents import Chunk, Hit, Scores
from timelens.question.parsed_question import ParsedQuestion, Plan, Step
from timelens.question.periods import at
from timelens.question.plan import whole_question
from timelens.temporal.interval import Interval
from timelens.words import topic_words

_CERTAIN = Scores(semantic=1.0, final=1.0)


class GivenEvidence:
    """Given chunks as hits, best first: all of them for each event and each period of a question."""

    def __init__(self, parsed: ParsedQuestion, chunks: Sequence[Chunk], span: Interval | None) -> None:
        self.span = span
        """The interval from the first to the last day of the corpus."""
        self._chunks = chunks
        self._hits = self._about(parsed)

    def plan(self, parsed: ParsedQuestion, before: Sequence[Step]) -> Plan:  # noqa: ARG002
        """The question as it is: nothing is searched for."""
        return whole_question(parsed)

    def date(self, step: Step, about: ParsedQuestion) -> Generator[StepDone, None, DatedEvent | None]:  # noqa: ARG002
        """The event of a step, if the chunks date it; ``about`` is its name or clause."""
        yield from ()
        return date_event(about, self._about(about))

    def search(self, parsed: ParsedQuestion, steps: Sequence[Step]) -> Iterator[StepDone]:  # noqa: ARG002
        """No step is done."""
        return iter(())

    def chosen(self, parsed: ParsedQuestion) -> tuple[Sequence[PeriodEvidence], Sequence[Hit], Sequence[Hit]]:
        """The hits for each period, or for the whole question, and all of them twice."""
        asked = [at(parsed, period) for period in parsed.periods] or [parsed]
        return [PeriodEvidence(one, self._hits, self._hits) for one in asked], self._hits, self._hits

    def _about(self, parsed: ParsedQuestion) -> tuple[Hit, ...]:
        topic = topic_words(parsed.core)
        return tuple(_hit(chunk, topic) for chunk in self._chunks)


def _hit(chunk: Chunk, topic: frozenset[str]) -> Hit:
    """A chunk as a hit that counts as on topic.

    Its best sentence is the first with most words of the topic.
    """
    shared = [len(topic & topic_words(chunk.sentence(number))) for number in range(len(chunk.sentences))]
    best = shared.index(max(shared)) if shared else None
    return Hit(chunk, _CERTAIN, chunk.envelope or chunk.published, best)
