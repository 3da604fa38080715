"""Loads small textbook games by name; each file names its source."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from durak_widget.errors import quoted
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

_SHELF: Final = files("durak_widget.gametheory") / "textbook"
_KIND: Final = ".efg"


@cache
def _names() -> tuple[str, ...]:
    """Return the names of all textbook games."""
    return tuple(sorted(file.name.removesuffix(_KIND) for file in _SHELF.iterdir() if file.name.endswith(_KIND)))


def textbook(name: str) -> Tree:
    """Return the tree of a textbook game.

    docs/textbook-games.md lists them with their sources.

    >>> textbook("kuhn")
    <Tree: 55 histories, 30 terminals, 6 + 6 information sets>
    >>> textbook("chess")
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: 'chess' is no game of the textbooks that is here; there are bayes, beer-quiche, centipede, chain-store, driver, entry, horse, kuhn, myerson, outside-option, pennies, spence, ultimatum
    """
    if not isinstance(name, str) or name not in _names():
        raise TreeError(f"{quoted(name)} is no game of the textbooks that is here; there are {', '.join(_names())}")
    return from_efg((_SHELF / f"{name}{_KIND}").read_text(encoding="utf-8"))
