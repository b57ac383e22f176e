"""The days that a relation and its dates admit (MRAG, Appendix C; ``docs/temporal.md``)."""

from enum import StrEnum

from timelens.temporal.interval import Interval


class Relation(StrEnum):
    """MRAG's 11 temporal relations between an event and the dates of a question."""

    AS_OF = "as_of"
    FROM_TO = "from_to"
    UNTIL = "until"
    BEFORE = "before"
    AFTER = "after"
    AROUND = "around"
    BETWEEN = "between"
    BY = "by"
    IN = "in"
    ON = "on"
    SINCE = "since"

    @property
    def takes_two_dates(self) -> bool:
        """Whether the relation names a first and a last date."""
        return self in (Relation.FROM_TO, Relation.BETWEEN)


def admitted(relation: Relation, date: Interval, last: Interval | None = None) -> Interval:
    """The days that a relation admits.

    With ``date`` = [s, e) and ``last`` = [s2, e2): *as of*, *by* and *until* give (…, e); *before* (…, s);
    *after* [e, …); *since* [s, …); *in* and *on* [s, e); *around* from one granule of the date before s to
    one after e; *between* and *from-to* [s, e2). Callers must also check that a fact *until* a date reaches
    the date, and take the latest fact for *as of*.

    Raises:
        ValueError: the second date is missing, or is before the first.
    """
    start, end = date.start, date.end
    match relation:
        case Relation.AS_OF | Relation.BY | Relation.UNTIL:
            return Interval(None, end, date.granularity)
        case Relation.BEFORE:
            return Interval(None, start, date.granularity)
        case Relation.AFTER:
            return Interval(end, None, date.granularity)
        case Relation.SINCE:
            return Interval(start, None, date.granularity)
        case Relation.AROUND:
            return date.widened()
        case Relation.FROM_TO | Relation.BETWEEN:
            if last is None:
                raise ValueError(f"{relation} needs two dates")
            return Interval(start, last.end, date.granularity)
        case Relation.IN | Relation.ON:
            return date
