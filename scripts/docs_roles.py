"""Show the roles of docstrings (``:func:`parse` ``) as code, because mkdocstrings reads Markdown."""

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod):`([^`]+)`")


class Roles(griffe.Extension):
    """Replaces each role with its name."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401 -- the signature of griffe
        """Rewrite the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = _ROLE.sub(r"`\1`", obj.docstring.value)
