"""Which results are worth teaching? Each is one function and one command, with what proves it; nothing else stands on them.

>>> from durak_widget.theory import results
>>> print(results.two_against_two(ranks="KA"))
Two cards against two, nothing left to draw: who wins, and how carefully must one attack?
420 positions: econ431 without talon, 8 cards, hearts are trumps, of 96 kinds
the attacker wins 137/140 of them, 97.9%
exactly one attack wins in 102 of 420 (24.3 %)
such as Kc Ac against Kd Kh
value to the attacker  attacks  that keep it  positions
1                      2        2             309
1                      2        1             102
-1                     2        2             9

`python -m durak_widget.theory.results` lists them, and with a name shows one; `--plot FILE.svg` draws it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget.games.kit.needed import needing

if TYPE_CHECKING:
    from durak_widget.theory.results.attack import FirstAttack, first_attack
    from durak_widget.theory.results.deal import Chances, chances
    from durak_widget.theory.results.large import Largest, largest
    from durak_widget.theory.results.miniature import Miniature, Worth, worth
    from durak_widget.theory.results.mixes import Mixers, Mixing, mixers, mixing
    from durak_widget.theory.results.pairs import TwoAgainstTwo, two_against_two
    from durak_widget.theory.results.remembers import Contest, Memory, Naive, memory, naive
    from durak_widget.theory.results.result import Result
    from durak_widget.theory.results.sees import Seeing, seeing
    from durak_widget.theory.results.solved import Miniatures, miniatures
    from durak_widget.theory.results.static import StaticRule, all_but_one
    from durak_widget.theory.results.takes import Taking, taking

RESULTS: Final = (
    "first_attack",
    "taking",
    "all_but_one",
    "memory",
    "seeing",
    "mixing",
    "mixers",
    "two_against_two",
    "naive",
    "chances",
    "miniatures",
    "largest",
)
"""The functions that are a question each; each is a command too."""

__all__ = [
    "RESULTS",
    "Chances",
    "Contest",
    "FirstAttack",
    "Largest",
    "Memory",
    "Miniature",
    "Miniatures",
    "Mixers",
    "Mixing",
    "Naive",
    "Result",
    "Seeing",
    "StaticRule",
    "Taking",
    "TwoAgainstTwo",
    "Worth",
    "all_but_one",
    "chances",
    "first_attack",
    "largest",
    "memory",
    "miniatures",
    "mixers",
    "mixing",
    "naive",
    "seeing",
    "taking",
    "two_against_two",
    "worth",
]

_HOMES = {
    **dict.fromkeys(("FirstAttack", "first_attack"), "attack"),
    **dict.fromkeys(("Chances", "chances"), "deal"),
    **dict.fromkeys(("Largest", "largest"), "large"),
    **dict.fromkeys(("Miniature", "Worth", "worth"), "miniature"),
    **dict.fromkeys(("Mixers", "Mixing", "mixers", "mixing"), "mixes"),
    **dict.fromkeys(("TwoAgainstTwo", "two_against_two"), "pairs"),
    **dict.fromkeys(("Contest", "Memory", "Naive", "memory", "naive"), "remembers"),
    "Result": "result",
    **dict.fromkeys(("Seeing", "seeing"), "sees"),
    **dict.fromkeys(("Miniatures", "miniatures"), "solved"),
    **dict.fromkeys(("StaticRule", "all_but_one"), "static"),
    **dict.fromkeys(("Taking", "taking"), "takes"),
}
"""Where each public name is at home."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"durak_widget.theory.results has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    with needing():
        home = import_module(f"durak_widget.theory.results.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return __all__[:]
