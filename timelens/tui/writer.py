"""Who writes the answers of the chat, and how that is changed. Belongs to the thread of the worker."""

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from timelens import Answerer, Parser, Settings
    from timelens.answer.lm import ModelAnswerer, Speed


class Writer:
    """An answerer and a parser, which may share a model; without either, evidence and rules do.

    Any thread may call the methods whose names begin with ``cancel``.
    """

    def __init__(self, answerer: "Answerer | None", parser: "Parser | None") -> None:
        self.answerer = answerer
        self.parser = parser
        self._opening: ModelAnswerer | None = None

    def cancel(self) -> None:
        """End what is being written and read."""
        for user in (self.answerer, self.parser):
            if user is not None:
                user.cancel()

    def cancel_change(self) -> None:
        """End the opening of another model."""
        if (opening := self._opening) is not None:
            opening.cancel()

    def change(self, settings: "Settings", cancelled: threading.Event) -> bool:
        """Give back what the old model holds, and open that of other settings in its room.

        Where that fails or is cancelled the old one writes on; its next answer opens it again.

        Returns:
            Whether the new one writes now; false where it was cancelled.

        Raises:
            MissingError: the model or what runs it is not there.
            BadInputError: the model cannot be used.
        """
        from timelens.answer.configured import answerer_of, look_at_model
        from timelens.answer.lm import ModelParser

        look_at_model(settings)
        answerer = answerer_of(settings)
        self._release()
        if answerer is None:
            self.answerer = self.parser = None
            return True
        if not self._open(answerer, cancelled):
            return False
        self.answerer = answerer
        self.parser = ModelParser(answerer.session) if settings.parser == "llm" else None
        return True

    def take_speed(self) -> "Speed | None":
        """What the model read and wrote since this was last asked; ``None`` where nobody measures it."""
        if self.answerer is None:
            return None
        from timelens.answer.lm import ModelAnswerer

        return self.answerer.session.take_speed() if isinstance(self.answerer, ModelAnswerer) else None

    def _open(self, answerer: "ModelAnswerer", cancelled: threading.Event) -> bool:
        """Open a model; what it holds is given back unless that is done to the end."""
        self._opening = answerer
        opened = False
        try:
            opened = not cancelled.is_set() and answerer.session.open() and not cancelled.is_set()
        finally:
            self._opening = None
            if not opened:
                answerer.close()
        return opened

    def _release(self) -> None:
        from timelens.answer.lm import ModelAnswerer, ModelParser

        for user in (self.answerer, self.parser):
            if isinstance(user, ModelAnswerer | ModelParser):
                user.close()
