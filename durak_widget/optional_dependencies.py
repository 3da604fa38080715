"""Says which optional packages a feature needs, and what to do if one is missing."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Need(NamedTuple):
    """An optional package: what needs it, how to install it, what works without it."""

    needs: str
    packages: str
    """The names that pip knows."""
    extra: str
    """The requirement for pip: with our lowest versions, if an extra has them."""
    without: str
    in_browser: bool = True
    """True if Python in a browser can have it."""
    elsewhere: str = ""
    """What to do outside of a browser, if pip does not install it."""


_NUMBERS: Final = _Need(
    "this needs numpy and scipy",
    "numpy scipy",
    "'durak_widget[theory]'",
    "Without them there are worlds, endings, trees, best responses, certificates, learning on a board, and solve(tree) up to 20,000 histories",
)
_SPIEL: Final = _Need(
    "this needs OpenSpiel",
    "open_spiel",
    "'durak_widget[openspiel]'",
    "Without it any tree can be written for it: gametheory.to_efg(tree)",
    in_browser=False,
)
_ZOO: Final = _Need(
    "this needs PettingZoo", "pettingzoo", "'durak_widget[pettingzoo]'", "Without it a Game plays by game.view(seat) and game.play(move)"
)
_GAMBIT: Final = _Need(
    "this needs pygambit, which has to be compiled (half an hour)",
    "pygambit",
    "pygambit",
    "Without it any tree can be written for Gambit: gametheory.to_efg(tree)",
    in_browser=False,
)
_PAGE: Final = _Need(
    "a table or a tree in the notebook needs anywidget",
    "anywidget",
    "anywidget",
    "Without it there are games, bots, and trees with their solutions and their matrix",
)
_FILE: Final = _Need(
    "a tournament keeps its games by sqlite3, which this Python lacks",
    "sqlite3",
    "",
    "Without it bots.play plays single games",
    elsewhere="take a Python that was built with it",
)
_OF: Final = {
    **dict.fromkeys(("numpy", "scipy"), _NUMBERS),
    **dict.fromkeys(("pyspiel", "open_spiel"), _SPIEL),
    **dict.fromkeys(("pettingzoo", "gymnasium"), _ZOO),
    "pygambit": _GAMBIT,
    **dict.fromkeys(("sqlite3", "_sqlite3"), _FILE),
    **dict.fromkeys(("anywidget", "traitlets", "ipywidgets"), _PAGE),
}
"""Each requirement by the name of the package that is missing."""


class MissingError(DurakError, ImportError):
    """An error for a feature that needs a package that is not installed.

    >>> with needing():
    ...     raise ImportError(name="scipy")
    Traceback (most recent call last):
    durak_widget.optional_dependencies.MissingError: this needs numpy and scipy: ...install.... Without them there are ...
    """


def _helps(need: _Need) -> str:
    """Say what to do in this terminal, notebook or browser."""
    is_browser = sys.platform == "emscripten"
    shell = sys.modules.get("IPython")
    if need.elsewhere and not is_browser:
        return need.elsewhere
    is_notebook = shell is not None and shell.get_ipython() is not None
    if is_browser and not need.in_browser:
        return "Python in a browser cannot have it; elsewhere: pip install " + need.extra
    if is_notebook:
        return f"run %pip install {need.packages} in a cell of its own, and ask again"
    if is_browser:
        return f"await micropip.install({need.packages.split()})"
    return "pip install " + need.extra


@contextmanager
def needing() -> Iterator[None]:
    """Turn the error for a missing package into one that says what to install."""
    try:
        yield
    except ImportError as error:
        need = _OF.get((error.name or "").partition(".")[0])
        if need is None or isinstance(error, MissingError):
            raise
        raise MissingError(f"{need.needs}: {_helps(need)}. {need.without}") from error


def has_numpy_and_scipy() -> bool:
    """Return whether both can be imported now.

    Look again at each call, because a notebook may install them while it runs.
    """
    return is_there("numpy") and is_there("scipy")


def is_there(package: str) -> bool:
    """Return whether a package can be found, without importing it.

    >>> is_there("json"), is_there("no_such_package")
    (True, False)
    """
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # a finder refuses it, or another module is in its place
        return False
