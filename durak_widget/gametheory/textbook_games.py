"""Loads small textbook games by name; the file of each game names its source."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from durak_widget.errors import short_repr
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

_DIRECTORY: Final = files("durak_widget.gametheory") / "textbook"
_SUFFIX: Final = ".efg"


@cache
def _list_names() -> tuple[str, ...]:
    """Return the names of all textbook games that can be loaded."""
    return tuple(sorted(file.name.removesuffix(_SUFFIX) for file in _DIRECTORY.iterdir() if file.name.endswith(_SUFFIX)))


def textbook(name: str) -> Tree:
    """Return the game tree of a textbook game with a given name.

    docs/textbook-games.md lists them with their sources.

    >>> textbook("kuhn")
    <Tree: 55 histories, 30 terminals, 6 + 6 information sets>
    >>> textbook("chess")
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: there is no textbook game 'chess'; there are bayes, beer-quiche, centipede, chain-store, driver, entry, horse, kuhn, myerson, outside-option, pennies, spence, ultimatum
    """
    if not isinstance(name, str) or name not in _list_names():
        raise TreeError(f"there is no textbook game {short_repr(name)}; there are {', '.join(_list_names())}")
    return from_efg((_DIRECTORY / f"{name}{_SUFFIX}").read_text(encoding="utf-8"))
