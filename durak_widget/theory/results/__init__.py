"""Results worth teaching: each one function and one command, with what proves it.

>>> from durak_widget.theory import results
>>> print(results.two_against_two(ranks="KA"))
Two cards against two, nothing left to draw: who wins, and how carefully must one attack?
420 positions: econ431 without talon, hearts trump, 8 cards, of 107 kinds ...

`python -m durak_widget.theory.results` lists them, and with a name shows one; `--plot FILE.svg` draws it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from durak_widget.theory.needed import needing_numbers

if TYPE_CHECKING:
    from durak_widget.theory.results.pairs import TwoAgainstTwo, two_against_two

__all__ = ["TwoAgainstTwo", "two_against_two"]

_HOMES = {
    **dict.fromkeys(("TwoAgainstTwo", "two_against_two"), "pairs"),
}
"""Where each public name is at home."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"durak_widget.theory.results has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    with needing_numbers():
        home = import_module(f"durak_widget.theory.results.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return __all__[:]
