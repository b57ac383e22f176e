"""The parameters for loading models, from the usual to increasingly safe ones."""

from dataclasses import dataclass, replace
from enum import StrEnum

from timelens.answer.llama.cores import compute_threads
from timelens.config import LlamaSettings


class Caution(StrEnum):
    """Features disabled because llama.cpp crashed with them. Each level includes those before it."""

    NONE = "none"
    NO_EXTRA_BUFFERS = "no-extra-buffers"
    """Weights are not repacked for special processor instructions, such as AMX."""
    NO_GPU = "no-gpu"
    ONE_THREAD = "one-thread"

    @property
    def words(self) -> str:
        """The level in words for the user."""
        return _WORDS[self]

    def includes(self, other: "Caution") -> bool:
        """Whether it disables everything that another level disables."""
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
    """The parameters for loading a model."""

    context: int
    """In tokens."""
    seed: int
    threads: int
    gpu_layers: int
    """-1 for all layers."""
    extra_buffers: bool
    """Whether weights are repacked for special processor instructions, if llama.cpp supports it."""


def parameters_for(settings: LlamaSettings, context: int, caution: Caution) -> Parameters:
    """The parameters of the settings at a level of caution. Threads set by the user are kept."""
    threads = 1 if caution.includes(Caution.ONE_THREAD) else compute_threads()
    return Parameters(
        context=context,
        seed=settings.seed,
        threads=settings.threads or threads,
        gpu_layers=0 if caution.includes(Caution.NO_GPU) else settings.gpu_layers,
        extra_buffers=not caution.includes(Caution.NO_EXTRA_BUFFERS),
    )


def ladder(settings: LlamaSettings, *, gpu: bool) -> list[Caution]:
    """The levels to try, the usual parameters first, without levels that change nothing.

    Args:
        settings: the user's settings.
        gpu: whether llama.cpp was built with GPU offload.
    """
    steps: dict[Parameters, Caution] = {}
    for caution in Caution:
        if gpu or caution is not Caution.NO_GPU:
            parameters = parameters_for(settings, 0, caution)
            steps.setdefault(parameters if gpu else replace(parameters, gpu_layers=0), caution)
    return list(steps.values())
