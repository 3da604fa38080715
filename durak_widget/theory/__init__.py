"""What may be hidden, who wins, what is it worth.

>>> from durak_widget import Rules, theory
>>> tree = theory.build(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
>>> tree
<Tree: 23 histories, 15 terminals, 0 + 7 information sets>

Each name is fetched from its module when it is first asked for: most need nothing but Python, some numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from durak_widget.theory.needed import needing

if TYPE_CHECKING:
    from durak_widget.theory import endgame, openspiel, pettingzoo, results
    from durak_widget.theory.asking import bot_of, strategy_of
    from durak_widget.theory.backward import Backward, backward_induction
    from durak_widget.theory.building import build, build_from, histories
    from durak_widget.theory.certificate import Certificate, certify
    from durak_widget.theory.cfr import CFR
    from durak_widget.theory.checker import CertificateError, check
    from durak_widget.theory.efg import from_efg, to_efg
    from durak_widget.theory.forms import matrix
    from durak_widget.theory.gambit import from_pygambit, to_pygambit
    from durak_widget.theory.judging import Judged, Judgement, Leak, judge
    from durak_widget.theory.moments import game_of, told, view_of
    from durak_widget.theory.possible import Count, Worlds, worlds
    from durak_widget.theory.responses import Response, Standing, best_response, exploitability, nash_conv, value, values
    from durak_widget.theory.sampling import OutcomeSampling
    from durak_widget.theory.secrecy import Secret, secret
    from durak_widget.theory.solution import Solution, solve
    from durak_widget.theory.strategy import Strategy, StrategyError
    from durak_widget.theory.tree import TreeError, forgets, grow
    from durak_widget.theory.unbuilt import look_of

__all__ = [
    "CFR",
    "Backward",
    "Certificate",
    "CertificateError",
    "Count",
    "Judged",
    "Judgement",
    "Leak",
    "OutcomeSampling",
    "Response",
    "Secret",
    "Solution",
    "Standing",
    "Strategy",
    "StrategyError",
    "TreeError",
    "Worlds",
    "backward_induction",
    "best_response",
    "bot_of",
    "build",
    "build_from",
    "certify",
    "check",
    "endgame",
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
    "nash_conv",
    "openspiel",
    "pettingzoo",
    "results",
    "secret",
    "solve",
    "strategy_of",
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
    **dict.fromkeys(("build", "build_from", "histories"), "building"),
    "CFR": "cfr",
    **dict.fromkeys(("Certificate", "certify"), "certificate"),
    **dict.fromkeys(("CertificateError", "check"), "checker"),
    **dict.fromkeys(("from_efg", "to_efg"), "efg"),
    "look_of": "unbuilt",
    "matrix": "forms",
    **dict.fromkeys(("Judged", "Judgement", "Leak", "judge"), "judging"),
    **dict.fromkeys(("game_of", "told", "view_of"), "moments"),
    **dict.fromkeys(("from_pygambit", "to_pygambit"), "gambit"),
    "OutcomeSampling": "sampling",
    **dict.fromkeys(("Count", "Worlds", "worlds"), "possible"),
    **dict.fromkeys(("Response", "Standing", "best_response", "exploitability", "nash_conv", "value", "values"), "responses"),
    **dict.fromkeys(("Secret", "secret"), "secrecy"),
    **dict.fromkeys(("Solution", "solve"), "solution"),
    **dict.fromkeys(("Strategy", "StrategyError"), "strategy"),
    **dict.fromkeys(("TreeError", "forgets", "grow"), "tree"),
}
"""Where each public name is at home."""


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        with needing():
            return import_module(f"durak_widget.theory.{name}")
    if name not in _HOMES:
        msg = f"durak_widget.theory has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    with needing():
        home = import_module(f"durak_widget.theory.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return __all__[:]
