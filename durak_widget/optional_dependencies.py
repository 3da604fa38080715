"""What other packages are needed for, and what to do where one is missing."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Need(NamedTuple):
    """What is needed, what brings it, and what there is without it."""

    needs: str
    packages: str
    """By the names that pip knows."""
    extra: str
    """As a requirement: with our lowest versions, where an extra has them."""
    without: str
    in_browser: bool = True
    """Whether Python in a browser can have it."""
    elsewhere: str = ""
    """What to do outside of a browser, where pip does not bring it."""


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
"""By the package that is missing."""


class MissingError(DurakError, ImportError):
    """Something was asked for that needs a package that is not installed.

    >>> with needing():
    ...     raise ImportError(name="scipy")
    Traceback (most recent call last):
    durak_widget.optional_dependencies.MissingError: this needs numpy and scipy: ...install.... Without them there are ...
    """


def _helps(need: _Need) -> str:
    """What to do, where this Python runs: in a terminal, in a notebook, or in a browser."""
    browser = sys.platform == "emscripten"
    shell = sys.modules.get("IPython")
    if need.elsewhere and not browser:
        return need.elsewhere
    notebook = shell is not None and shell.get_ipython() is not None
    if browser and not need.in_browser:
        return "Python in a browser cannot have it; elsewhere: pip install " + need.extra
    if notebook:
        return f"run %pip install {need.packages} in a cell of its own, and ask again"
    if browser:
        return f"await micropip.install({need.packages.split()})"
    return "pip install " + need.extra


@contextmanager
def needing() -> Iterator[None]:
    """What is imported in here may need a package that is not installed; one sentence then says what to do, there where it runs."""
    try:
        yield
    except ImportError as error:
        need = _OF.get((error.name or "").partition(".")[0])
        if need is None or isinstance(error, MissingError):
            raise
        raise MissingError(f"{need.needs}: {_helps(need)}. {need.without}") from error


def has_numpy_and_scipy() -> bool:
    """Say whether both can be imported now; look again at each call, because a notebook may install them while it runs."""
    return is_there("numpy") and is_there("scipy")


def is_there(package: str) -> bool:
    """Whether a package can be found, without importing it.

    >>> is_there("json"), is_there("no_such_package")
    (True, False)
    """
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # a finder that refuses it; a module that was put in its place
        return False
