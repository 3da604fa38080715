"""Tells the user which optional packages a feature needs, and how to install them."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Requirement(NamedTuple):
    """An optional package: what needs it, how to install it, and what works without it."""

    problem: str
    pip_names: str
    """The names of the packages to install with pip."""
    pip_requirement: str
    """The argument of `pip install`: an extra of durak_widget, or the package's name if there is no extra."""
    alternative: str
    works_in_browser: bool = True
    """True if the package can be installed in Python in a browser."""
    other_fix: str = ""
    """What the user can do if pip can't install the package, outside a browser."""


_NUMPY_AND_SCIPY: Final = _Requirement(
    "this needs numpy and scipy",
    "numpy scipy",
    "'durak_widget[theory]'",
    "Without them you have worlds, endings, trees, best responses, certificates, learning on a board, and solve(tree) up to 20,000 histories",
)
_OPENSPIEL: Final = _Requirement(
    "this needs OpenSpiel",
    "open_spiel",
    "'durak_widget[openspiel]'",
    "Without it you can write any tree in a format that it reads: gametheory.to_efg(tree)",
    works_in_browser=False,
)
_PETTINGZOO: Final = _Requirement(
    "this needs PettingZoo",
    "pettingzoo",
    "'durak_widget[pettingzoo]'",
    "Without it you can play a Game with game.view(seat) and game.play(move)",
)
_PYGAMBIT: Final = _Requirement(
    "this needs pygambit, which has to be compiled (half an hour)",
    "pygambit",
    "pygambit",
    "Without it you can write any tree for Gambit: gametheory.to_efg(tree)",
    works_in_browser=False,
)
_TORNADO_AND_SEGNO: Final = _Requirement(
    "a live class session needs tornado and segno",
    "tornado segno",
    "'durak_widget[live]'",
    "Without them you have the same games and exercises without phones",
    works_in_browser=False,
)
_PANDAS: Final = _Requirement(
    "this needs pandas",
    "pandas",
    "pandas",
    "Without it you have the same rows as dicts: room.rows()",
)
_ANYWIDGET: Final = _Requirement(
    "a table or a tree in the notebook needs anywidget",
    "anywidget",
    "anywidget",
    "Without it you have games, bots, and trees with their solutions and their matrix",
)
_SQLITE: Final = _Requirement(
    "a tournament stores its games with sqlite3, which this Python does not have",
    "sqlite3",
    "",
    "Without it you can play single games with bots.play",
    other_fix="use a Python that was built with it",
)
_REQUIREMENT_OF_PACKAGE: Final = {
    **dict.fromkeys(("numpy", "scipy"), _NUMPY_AND_SCIPY),
    **dict.fromkeys(("pyspiel", "open_spiel"), _OPENSPIEL),
    **dict.fromkeys(("pettingzoo", "gymnasium"), _PETTINGZOO),
    "pygambit": _PYGAMBIT,
    **dict.fromkeys(("tornado", "segno"), _TORNADO_AND_SEGNO),
    "pandas": _PANDAS,
    **dict.fromkeys(("sqlite3", "_sqlite3"), _SQLITE),
    **dict.fromkeys(("anywidget", "traitlets", "ipywidgets"), _ANYWIDGET),
}
"""For each optional package, by its name in an import statement: what the user has to know about it."""


class MissingPackageError(DurakError, ImportError):
    """The error for a feature whose optional package is not installed.

    >>> with explain_missing_packages():
    ...     raise ImportError(name="scipy")
    Traceback (most recent call last):
    durak_widget.optional_dependencies.MissingPackageError: this needs numpy and scipy: ...install.... Without them you have ...
    """


def _format_fix(requirement: _Requirement) -> str:
    """Return how to install a package in this environment: terminal, notebook or browser."""
    is_browser = sys.platform == "emscripten"
    shell = sys.modules.get("IPython")
    if requirement.other_fix and not is_browser:
        return requirement.other_fix
    is_notebook = shell is not None and shell.get_ipython() is not None
    if is_browser and not requirement.works_in_browser:
        return "Python in a browser cannot use it; elsewhere: pip install " + requirement.pip_requirement
    if is_notebook:
        return f"run %pip install {requirement.pip_names} in a separate cell, and try again"
    if is_browser:
        return f"await micropip.install({requirement.pip_names.split()})"
    return "pip install " + requirement.pip_requirement


@contextmanager
def explain_missing_packages() -> Iterator[None]:
    """If a `with` block lacks a package, raise an error that says how to install the package."""
    try:
        yield
    except ImportError as error:
        need = _REQUIREMENT_OF_PACKAGE.get((error.name or "").partition(".")[0])
        if need is None or isinstance(error, MissingPackageError):
            raise
        raise MissingPackageError(f"{need.problem}: {_format_fix(need)}. {need.alternative}") from error


def has_numpy_and_scipy() -> bool:
    """Return whether numpy and scipy are installed.

    The function checks this at each call, because the user may install them while the notebook runs.
    """
    return is_installed("numpy") and is_installed("scipy")


def is_installed(package: str) -> bool:
    """Return whether a package is installed, without importing it.

    >>> is_installed("json"), is_installed("no_such_package")
    (True, False)
    """
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # The name is invalid, or `sys.modules` has a module without a spec under this name.
        return False
