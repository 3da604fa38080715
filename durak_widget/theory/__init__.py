"""Durak as game theory: what may be hidden, exactly.

>>> from durak_widget import Game, theory
>>> theory.worlds(Game(seed=7).view(0)).chance(1, "Ah")
Fraction(6, 29)

Each name is fetched from its module when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget.theory.possible import Count as Count
    from durak_widget.theory.possible import Worlds as Worlds
    from durak_widget.theory.possible import worlds as worlds

_HOMES = {
    "Count": "possible",
    "Worlds": "possible",
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
