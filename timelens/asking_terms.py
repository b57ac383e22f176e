"""The terms on which questions are asked: their day, strategy, evidence, previous turn and models."""

import operator
from dataclasses import KW_ONLY, dataclass

from timelens.agent import Answerer, Parser
from timelens.config import MOST_EVIDENCE, Settings
from timelens.errors import BadInputError
from timelens.question.followup.conversation import Turn
from timelens.retrieval.request import Summariser
from timelens.retrieval.strategies import Strategy, strategy_named
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions


@dataclass(frozen=True)
class AskingTerms:
    """The terms of a search or a question, checked when they are made.

    The settings fill in what is not named.

    Raises:
        BadInputError: there is no such strategy, ``most`` is not in 1 to 1000, or ``as_of`` is not a day
            number.
    """

    settings: Settings
    as_of: Day
    """The reference day, "now" for the question."""
    named: str | None
    """The strategy by its name; ``None`` for the configured one."""
    most: int | None
    """The number of hits; ``None`` for the configured number."""
    _: KW_ONLY
    after: Turn | None = None
    """The previous turn of the conversation."""
    answerer: Answerer | None = None
    parser: Parser | None = None
    summariser: Summariser | None = None

    def __post_init__(self) -> None:
        require_day(self.as_of)
        strategy_named(self.strategy_name)
        if self.most is not None and not 1 <= self.most <= MOST_EVIDENCE:
            raise BadInputError(
                f"{self.most} pieces of evidence cannot be asked for", f"ask for 1 to {MOST_EVIDENCE:,}"
            )

    @property
    def strategy_name(self) -> str:
        """The name of the strategy that is used."""
        return self.settings.strategy if self.named is None else self.named

    @property
    def strategy(self) -> Strategy:
        """The strategy that is used."""
        return strategy_named(self.strategy_name)

    @property
    def k(self) -> int:
        """The number of hits, 1 to 1000."""
        return self.settings.k if self.most is None else self.most

    @property
    def conventions(self) -> Conventions:
        """How dates are read."""
        return self.settings.time.conventions


def require_day(as_of: Day) -> None:
    """Refuse a reference day that is not a day number, such as a text.

    Raises:
        BadInputError: it is not a whole number.
    """
    try:
        operator.index(as_of)
    except TypeError:
        raise BadInputError(
            f"as_of is a day number, not {as_of!r}", 'write as_of=timelens.parse_day("2024-06-01")'
        ) from None
