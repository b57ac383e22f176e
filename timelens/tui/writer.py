"""The answerer and parser of the chat, and their change. Used on the worker's thread."""

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from timelens import Answerer, Parser, Settings
    from timelens.answer.lm import ModelAnswerer, Speed


class Writer:
    """An answerer and a parser, which may share a model; without them, evidence and rules are used.

    Methods whose names begin with ``cancel`` may be called on any thread.
    """

    def __init__(self, answerer: "Answerer | None", parser: "Parser | None") -> None:
        self.answerer = answerer
        self.parser = parser
        self._opening: ModelAnswerer | None = None

    def cancel(self) -> None:
        """Stop writing and reading."""
        for user in (self.answerer, self.parser):
            if user is not None:
                user.cancel()

    def cancel_change(self) -> None:
        """Cancel the opening of another model."""
        if (opening := self._opening) is not None:
            opening.cancel()

    def change(self, settings: "Settings", cancelled: threading.Event) -> bool:
        """Release the old model, then open the model of other settings.

        If that fails or is cancelled, the old model stays in use; its next answer opens it again.

        Returns:
            Whether the new model is in use; false if the change was cancelled.

        Raises:
            MissingError: the model or its runtime is missing.
            BadInputError: the model cannot be used.
        """
        from timelens.answer.configured_answerer import answerer_of, look_at_model
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
        """The reading and writing speed of the model since the last call; ``None`` if it is not measured."""
        if self.answerer is None:
            return None
        from timelens.answer.lm import ModelAnswerer

        return self.answerer.session.take_speed() if isinstance(self.answerer, ModelAnswerer) else None

    def _open(self, answerer: "ModelAnswerer", cancelled: threading.Event) -> bool:
        """Open a model; it is released again unless it was opened completely."""
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
