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
    from durak_widget.theory.building import build, build_from, histories
    from durak_widget.theory.efg import from_efg, to_efg
    from durak_widget.theory.forms import matrix
    from durak_widget.theory.tree import Tree, TreeError, forgets, grow

__all__ = [
    "Tree",
    "TreeError",
    "build",
    "build_from",
    "forgets",
    "from_efg",
    "grow",
    "histories",
    "matrix",
    "to_efg",
]

_HOMES = {
    **dict.fromkeys(("Tree", "TreeError", "forgets", "grow"), "tree"),
    **dict.fromkeys(("build", "build_from", "histories"), "building"),
    **dict.fromkeys(("from_efg", "to_efg"), "efg"),
    "matrix": "forms",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"durak_widget.theory has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    value = globals()[name] = getattr(import_module(f"durak_widget.theory.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__]
