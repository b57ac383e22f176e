"""Lazy loading of packages: the code of a package runs on the first access to one of its names."""

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


class _OnDemand(ModuleType):
    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- any name of any package
        self.__class__ = ModuleType  # type: ignore[assignment]
        if self.__spec__ is not None and self.__spec__.loader is not None:
            self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def load_on_demand(package: str) -> None:
    """Load a top-level package lazily, on the first access to one of its names.

    Its modules can be imported before that. Nothing happens if it is already loaded or not installed.
    """
    spec = None if package in sys.modules else find_spec(package)
    if spec is not None:
        module = module_from_spec(spec)
        module.__class__ = _OnDemand
        sys.modules[package] = module
