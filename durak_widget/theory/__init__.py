"""What may be hidden, who wins, what is it worth.

>>> from durak_widget import Rules, theory
>>> theory.build(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
<Tree: 23 histories, 15 terminals, 0 + 7 information sets>

Each name is fetched from its module when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget.theory.building import build as build
    from durak_widget.theory.building import build_from as build_from
    from durak_widget.theory.building import histories as histories
    from durak_widget.theory.efg import from_efg as from_efg
    from durak_widget.theory.efg import to_efg as to_efg
    from durak_widget.theory.forms import matrix as matrix
    from durak_widget.theory.possible import Count as Count
    from durak_widget.theory.possible import Worlds as Worlds
    from durak_widget.theory.possible import worlds as worlds
    from durak_widget.theory.tree import TreeError as TreeError
    from durak_widget.theory.tree import forgets as forgets
    from durak_widget.theory.tree import grow as grow

_HOMES = {
    "Count": "possible",
    "TreeError": "tree",
    "Worlds": "possible",
    "build": "building",
    "build_from": "building",
    "forgets": "tree",
    "from_efg": "efg",
    "grow": "tree",
    "histories": "building",
    "matrix": "forms",
    "to_efg": "efg",
    "worlds": "possible",
}
"""Each public name and the module that it comes from."""

__all__ = sorted(_HOMES)  # noqa: PLE0605 - a list, worked out


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"durak_widget.theory has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    value = globals()[name] = getattr(import_module(f"durak_widget.theory.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return list(__all__)
