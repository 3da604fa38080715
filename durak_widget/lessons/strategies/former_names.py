"""Former names: a program in a receipt may import what has another name today.

The receipt keeps its text. Marking replaces the names in a copy, and runs that.
"""

from __future__ import annotations

import ast
import warnings
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES: Final[Mapping[str, str]] = {}
"""Each former name, and the public name of today: `"durak_widget.games.nash.bayes.bayes": "durak_widget.games.bayes"`. Both may be names of modules."""


def with_present_names(code: str) -> str:
    """Return the program with the names of today in its imports; every line keeps its number.

    >>> with_present_names("from durak_widget import Card")
    'from durak_widget import Card'
    """
    if not NAMES or not isinstance(code, str) or "durak_widget" not in code:
        return code
    text = code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the style of the program
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code  # the sandbox reports the error
    lines = text.encode().split(b"\n")
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in sorted(imports, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if today := _import_today(node, "\n" * (last - first)):
            whole = lines[first][: node.col_offset] + today.encode() + lines[last][node.end_col_offset :]
            lines[first : last + 1] = whole.split(b"\n")
    return b"\n".join(lines).decode()


def _import_today(node: ast.Import | ast.ImportFrom, ends: str) -> str:
    """Return the import with the names of today, and line ends that keep its length; nothing where no name is a former one."""
    if isinstance(node, ast.ImportFrom):
        named = [] if node.level else [(f"{node.module}.{alias.name}", alias.asname or alias.name) for alias in node.names]
        kept = [alias for alias, (name, _) in zip(node.names, named, strict=False) if not _is_former(name)]
        rest = [f"from {node.module} import {', '.join(map(ast.unparse, kept))}"] if kept else []
    else:
        top = "durak_widget"
        named = [(alias.name, alias.asname) if alias.asname else (top, top) for alias in node.names if alias.name.partition(".")[0] == top]
        kept = [alias for alias in node.names if alias.name.partition(".")[0] != top or (alias.asname and not _is_former(alias.name))]
        rest = [f"import {', '.join(map(ast.unparse, kept))}"] if kept else []
    former = [_former_import(name, called) for name, called in dict.fromkeys(named) if _is_former(name)]
    return "; ".join([*rest, *former])[:-1] + f"{ends})" if former else ""


def _former_import(name: str, called: str) -> str:
    """Return the statements, with a closing bracket at the end, after which `called` means what had a former name."""
    if _has_former_parts(name):
        return f"from {__name__} import former_module as {called}; {called} = {called}({name!r})"
    package, _, present = _present(name).rpartition(".")
    return f"from {package} import ({present} as {called})"


def _is_former(name: str) -> bool:
    return not name.endswith(".*") and (_present(name) != name or _has_former_parts(name))


def _has_former_parts(name: str) -> bool:
    """Return whether that is a module, or a package, of which something has another name today."""
    return any(former.startswith(f"{name}.") for former in NAMES)


def _present(name: str) -> str:
    """Return the name of today; the names in a module that has another name follow from that."""
    whole, rest = name, ""
    while whole and whole not in NAMES:
        whole, _, last = whole.rpartition(".")
        rest = f".{last}{rest}"
    return NAMES[whole] + rest if whole else name


@cache
def former_module(name: str) -> ModuleType:
    """Return an object with the names that a module had, for programs that use it by its former name."""
    return _FormerModule(name)


class _FormerModule(ModuleType):
    """A module as it was: each name of it is found where it is today."""

    def __getattr__(self, name: str) -> object:
        whole = f"{self.__name__}.{name}"
        if _has_former_parts(whole):
            return former_module(whole)
        module, _, last = _present(whole).rpartition(".")
        try:
            home = import_module(module)
            value = getattr(home, last) if hasattr(home, last) else import_module(f"{module}.{last}")
        except ModuleNotFoundError as error:
            if not f"{error.name}".startswith("durak_widget"):  # a package that is not installed
                raise
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None
        setattr(self, name, value)
        return value
