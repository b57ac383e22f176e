"""The parameters that models are loaded with, from the usual ones to ever safer ones."""

from dataclasses import dataclass, replace
from enum import StrEnum

from timelens.answer.llama.cores import compute_threads
from timelens.config import LlamaSettings


class Caution(StrEnum):
    """What is done without, because llama.cpp crashed with it. Each includes those before it."""

    NONE = "none"
    NO_EXTRA_BUFFERS = "no-extra-buffers"
    """Weights are not repacked for instructions that only some processors have, such as AMX."""
    NO_GPU = "no-gpu"
    ONE_THREAD = "one-thread"

    @property
    def words(self) -> str:
        """As it is said to the user."""
        return _WORDS[self]

    def includes(self, other: "Caution") -> bool:
        """Whether it does without all that another does without."""
        order = list(Caution)
        return order.index(self) >= order.index(other)


_WORDS = {
    Caution.NONE: "with the usual parameters",
    Caution.NO_EXTRA_BUFFERS: "without extra buffers",
    Caution.NO_GPU: "without extra buffers and on the CPU alone",
    Caution.ONE_THREAD: "without extra buffers, on the CPU alone and with one thread",
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a model is loaded."""

    context: int
    """Tokens."""
    seed: int
    threads: int
    gpu_layers: int
    """-1 is all of them."""
    extra_buffers: bool
    """Whether weights are repacked for the processor's own instructions, where llama.cpp can do that."""


def parameters_for(settings: LlamaSettings, context: int, caution: Caution) -> Parameters:
    """Those of the settings, with a context of so many tokens. Threads that the user sets stay."""
    threads = 1 if caution.includes(Caution.ONE_THREAD) else compute_threads()
    return Parameters(
        context=context,
        seed=settings.seed,
        threads=settings.threads or threads,
        gpu_layers=0 if caution.includes(Caution.NO_GPU) else settings.gpu_layers,
        extra_buffers=not caution.includes(Caution.NO_EXTRA_BUFFERS),
    )


def ladder(settings: LlamaSettings, *, gpu: bool) -> list[Caution]:
    """What to try, the usual parameters first, without steps that change none of them.

    Args:
        settings: of the user.
        gpu: whether llama.cpp was built for a GPU.
    """
    steps: dict[Parameters, Caution] = {}
    for caution in Caution:
        if gpu or caution is not Caution.NO_GPU:
            parameters = parameters_for(settings, 0, caution)
            steps.setdefault(parameters if gpu else replace(parameters, gpu_layers=0), caution)
    return list(steps.values())
