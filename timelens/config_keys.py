"""The keys of the settings: what is said of a wrong one, and which variables and values are refused."""

import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from timelens.errors import BadInputError

PREFIX = "TIMELENS_"
"""The beginning of the name of every variable of timelens."""
_OTHER_VARIABLES = ("TIMELENS_HOME", "TIMELENS_SERVE_TOKEN", "TIMELENS_SERVER_KEY")
"""Variables that are read in other places."""
_OF_TESTS = "TIMELENS_TEST_"

Fields = Mapping[str, FieldInfo]
"""The fields of the settings, by their names."""


def key_error(error: ValidationError, where: str = "") -> BadInputError:
    """The first fault of settings."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    wrong = "unknown key" if first["type"] == "extra_forbidden" else first["msg"]
    return BadInputError(
        f"configuration key {key}: {wrong}{where}",
        "correct or remove it; docs/configuration.md lists the keys",
    )


def require_known_variables(fields: Fields, key_env: str) -> None:
    """Refuse a variable that begins like those of timelens and is none of them.

    The names of keys in tables are checked with their values.

    Args:
        fields: the fields of the settings.
        key_env: the variable that holds the key of a server.

    Raises:
        BadInputError: there is one.
    """
    tables = tuple(f"{PREFIX}{name.upper()}__" for name, field in fields.items() if _table_of(field))
    known = {*_variables(fields), *_OTHER_VARIABLES, key_env}
    for name in sorted(os.environ):
        read = name.upper()
        if not read.startswith(PREFIX) or read.startswith((_OF_TESTS, *tables)) or read in known:
            continue
        keys = [one.removeprefix(PREFIX) for one in known]
        near = get_close_matches(read.removeprefix(PREFIX), keys, n=1)
        meant = f"did you mean {PREFIX}{near[0]}? " if near else ""
        raise BadInputError(
            f"environment variable {name}: unknown key",
            f"{meant}correct or unset it; docs/configuration.md lists the keys",
        )


def require_valid(fields: Fields, key: str, value: Any) -> None:  # noqa: ANN401 -- any value of TOML
    """Refuse a setting that would be refused when settings with these fields are loaded.

    Raises:
        BadInputError: the key is unknown, or the value is not one of its values.
    """
    name, _, below = key.partition(".")
    given = {name: {below: value} if below else value}
    known: dict[str, Any] = {name: (fields[name].annotation, fields[name])} if name in fields else {}
    try:
        create_model("Given", __config__=ConfigDict(extra="forbid"), **known).model_validate(given)
    except ValidationError as error:
        raise key_error(error) from error


def _table_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a setting that is a table."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _variables(fields: Fields) -> Iterator[str]:
    """The names of all variables of settings."""
    for name, field in fields.items():
        yield f"{PREFIX}{name.upper()}"
        if table := _table_of(field):
            yield from (f"{PREFIX}{name.upper()}__{key.upper()}" for key in table.model_fields)
