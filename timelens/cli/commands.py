"""Commands whose arguments and options are the fields of a dataclass, which checks that they go together."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import TypeVar

_Options = TypeVar("_Options")


def command_of(options: type[_Options]) -> Callable[[Callable[[_Options], None]], Callable[..., None]]:
    """Make a command for Typer of a function of such a dataclass. Its help is the function's docstring."""

    def decorate(run: Callable[[_Options], None]) -> Callable[..., None]:
        @wraps(run)
        def command(**values: object) -> None:
            run(options(**values))

        command.__signature__ = signature(options).replace(return_annotation=None)  # type: ignore[attr-defined]
        command.__annotations__ = {}  # those of the signature count
        return command

    return decorate
