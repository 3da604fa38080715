"""What may be hidden, who wins, what is it worth.

>>> from durak_widget import Rules, theory
>>> tree = theory.build(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
>>> tree
<Tree: 23 histories, 15 terminals, 0 + 7 information sets>

Each name is fetched from its module when it is first asked for: most need nothing but Python, some numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget.theory.needed import is_there, needing

if TYPE_CHECKING:
    from durak_widget.board.matrix import Matrix as Matrix
    from durak_widget.board.tree import Tree as Tree
    from durak_widget.theory import endgame, results
    from durak_widget.theory import openspiel as openspiel
    from durak_widget.theory import pettingzoo as pettingzoo
    from durak_widget.theory.asking import bot_of, strategy_of
    from durak_widget.theory.backward import Backward, backward_induction
    from durak_widget.theory.books import textbook
    from durak_widget.theory.building import build, build_from, histories
    from durak_widget.theory.certificate import Certificate, certify
    from durak_widget.theory.cfr import CFR as CFR
    from durak_widget.theory.checker import CertificateError, check
    from durak_widget.theory.efg import EfgError, from_efg, to_efg
    from durak_widget.theory.equilibrium import Equilibria, Equilibrium, Minimax, equilibria, minimax
    from durak_widget.theory.forms import matrix
    from durak_widget.theory.gambit import from_pygambit, to_pygambit
    from durak_widget.theory.judging import Judged, Judgement, Leak, judge
    from durak_widget.theory.moments import game_of, told, view_of
    from durak_widget.theory.needed import MissingError
    from durak_widget.theory.opened import Opened, open_hands
    from durak_widget.theory.possible import Count, Worlds, worlds
    from durak_widget.theory.responses import Response, Standing, best_response, exploitability, nash_conv, value, values
    from durak_widget.theory.sampling import OutcomeSampling
    from durak_widget.theory.secrecy import Secret, secret
    from durak_widget.theory.solution import Solution, solve
    from durak_widget.theory.strategy import Strategy, StrategyError
    from durak_widget.theory.tree import Draw, End, InfoSet, TreeError, Turn, forgets, grow
    from durak_widget.theory.unbuilt import look_of

__all__ = [
    "Backward",
    "Certificate",
    "CertificateError",
    "Count",
    "Draw",
    "EfgError",
    "End",
    "Equilibria",
    "Equilibrium",
    "InfoSet",
    "Judged",
    "Judgement",
    "Leak",
    "Minimax",
    "MissingError",
    "Opened",
    "OutcomeSampling",
    "Response",
    "Secret",
    "Solution",
    "Standing",
    "Strategy",
    "StrategyError",
    "TreeError",
    "Turn",
    "Worlds",
    "backward_induction",
    "best_response",
    "bot_of",
    "build",
    "build_from",
    "certify",
    "check",
    "endgame",
    "equilibria",
    "exploitability",
    "forgets",
    "from_efg",
    "from_pygambit",
    "game_of",
    "grow",
    "histories",
    "judge",
    "look_of",
    "matrix",
    "minimax",
    "nash_conv",
    "open_hands",
    "results",
    "secret",
    "solve",
    "strategy_of",
    "textbook",
    "to_efg",
    "to_pygambit",
    "told",
    "value",
    "values",
    "view_of",
    "worlds",
]

_ROOMS = {"endgame", "openspiel", "pettingzoo", "results"}
"""The public names that are modules of their own."""

_HOMES = {
    **dict.fromkeys(("bot_of", "strategy_of"), "asking"),
    **dict.fromkeys(("Backward", "backward_induction"), "backward"),
    "textbook": "books",
    **dict.fromkeys(("build", "build_from", "histories"), "building"),
    "CFR": "cfr",
    **dict.fromkeys(("Certificate", "certify"), "certificate"),
    **dict.fromkeys(("CertificateError", "check"), "checker"),
    **dict.fromkeys(("EfgError", "from_efg", "to_efg"), "efg"),
    **dict.fromkeys(("Equilibria", "Equilibrium", "Minimax", "equilibria", "minimax"), "equilibrium"),
    "look_of": "unbuilt",
    "matrix": "forms",
    **dict.fromkeys(("Judged", "Judgement", "Leak", "judge"), "judging"),
    **dict.fromkeys(("game_of", "told", "view_of"), "moments"),
    **dict.fromkeys(("from_pygambit", "to_pygambit"), "gambit"),
    "MissingError": "needed",
    **dict.fromkeys(("Opened", "open_hands"), "opened"),
    "OutcomeSampling": "sampling",
    **dict.fromkeys(("Count", "Worlds", "worlds"), "possible"),
    **dict.fromkeys(("Response", "Standing", "best_response", "exploitability", "nash_conv", "value", "values"), "responses"),
    **dict.fromkeys(("Secret", "secret"), "secrecy"),
    **dict.fromkeys(("Solution", "solve"), "solution"),
    **dict.fromkeys(("Strategy", "StrategyError"), "strategy"),
    **dict.fromkeys(("Draw", "End", "InfoSet", "TreeError", "Turn", "forgets", "grow"), "tree"),
}
"""Where each public name is at home."""

_ABOVE: Final = {"Tree": "durak_widget.board.tree", "Matrix": "durak_widget.board.matrix"}
"""What stands above theory and is fetched through it all the same: whoever has a tree looks here for what shows it."""

_NEEDS: Final = {
    "CFR": ("numpy", "scipy"),
    "openspiel": ("pyspiel", "numpy"),
    "pettingzoo": ("pettingzoo", "gymnasium", "numpy"),
    **dict.fromkeys(_ABOVE, ("anywidget",)),
}
"""The public names that are nothing without other packages: in `dir`, and so in `help`, where these are found; never in `import *`."""


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        with needing():
            return import_module(f"durak_widget.theory.{name}")
    if name not in _HOMES and name not in _ABOVE:
        msg = f"durak_widget.theory has no {name!r}; it has {', '.join(__dir__())}"
        raise AttributeError(msg)
    with needing():
        home = import_module(_ABOVE.get(name) or f"durak_widget.theory.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name, packages in _NEEDS.items() if all(map(is_there, packages)))])
