"""Let a student's program import this package by the names that it had when the program was written.

Runs only in the process in which students' code runs. Nothing is imported before the program asks for it.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES: Final[Mapping[str, str]] = {}
"""Each former module, or former full name (module and name), and the module or full public name of today.

Write a row for each former module that had names, packages too. A row for a name wins over the row for its module.
"""

_ROOT: Final = Path(__file__).parents[2]
_names: dict[str, str] = {}
"""The tables that were installed."""
_modules: set[str] = set()
"""Former modules, and modules of today that had more names or more modules in them."""


def install(names: Mapping[str, str]) -> None:
    """Let this process import by the former names of a table too. A module that exists today is never replaced."""
    _names.update(names)
    _modules.update(former for former, today in names.items() if _exists(today))
    for former in names:
        _modules.update(accumulate(former.split(".")[:-1], "{}.{}".format))
    for name in _modules - sys.modules.keys():
        if not _exists(name):
            module = sys.modules[name] = _Module(name)
            module.__path__ = []
    _extend_loaded()


class _Module(ModuleType):
    """A former module, or a module of today that had more in it. It looks up in the table what it does not have."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever had that name
        full = f"{self.__name__}.{name}"
        if full in _names and full not in _modules:
            module, _, public = _names[full].rpartition(".")
            return getattr(import_module(module), public)
        if name.startswith("__") and name != "__all__":
            return super().__getattribute__(name)  # raises the usual error
        today = import_module(_names[self.__name__]) if self.__name__ in _names else None
        if name == "__all__" and today:
            return [*_public_names(today), *self._moved_names()]
        if today and name in getattr(today, "__all__", ()):  # before a module: a package may have a function that is called like a module
            return getattr(today, name)
        if full in _modules:
            return import_module(full)
        return getattr(today, name) if today and hasattr(today, name) else super().__getattribute__(name)

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute. Python does so as soon as it has loaded a module, in the package of that module."""
        super().__setattr__(name, value)
        if f"{self.__name__}.{name}" in _modules:
            _extend_loaded()

    def _moved_names(self) -> list[str]:
        """Return the names that this module had and that have rows of their own."""
        rows = (former.rpartition(".") for former in _names if former not in _modules)
        return [name for module, _, name in rows if module == self.__name__]


def _extend_loaded() -> None:
    """Let modules of today that are loaded look up what they had. A package may have loaded several."""
    for name in _modules & sys.modules.keys():
        sys.modules[name].__class__ = _Module


def _public_names(module: ModuleType) -> list[str]:
    """Return the names that `import *` brings."""
    return list(getattr(module, "__all__", ())) or [name for name in vars(module) if not name.startswith("_")]


def _exists(name: str) -> bool:
    """Return whether a module of this package exists today, without importing anything."""
    package, _, last = name.rpartition(".")
    files = _files(package)
    return f"{last}.py" in files or (last in files and "__init__.py" in _files(name))


@cache
def _files(package: str) -> frozenset[str]:
    """Return the names of the files of a package. This is faster than to look for each file."""
    above, _, last = package.rpartition(".")
    if above and last not in _files(above):
        return frozenset()
    return frozenset(os.listdir(_ROOT / package.replace(".", "/")))  # noqa: PTH208 - their names are enough
