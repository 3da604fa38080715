"""What is game theory in a notebook, no cards needed: trees, Gambit's files, matrices, solvers, and proofs of what they say? What it says of Durak is asked in `theory`.

>>> from durak_widget import games
>>> poker = games.textbook("kuhn")
>>> games.solve(poker).value
Fraction(-1, 18)

Nothing here knows a card. Each name is fetched from its module when it is first asked for: most need nothing but Python, some numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget.games.kit.needed import is_there, needing

if TYPE_CHECKING:
    from durak_widget.games.answers.answer import GameAnswer, solve
    from durak_widget.games.bridges.gambit import from_pygambit, to_pygambit
    from durak_widget.games.kit.needed import MissingError
    from durak_widget.games.matrices.dominance import Undominated, dominated_plans, undominated_plans
    from durak_widget.games.matrices.equilibrium import Equilibria, Equilibrium, Minimax, equilibria, minimax
    from durak_widget.games.matrices.forms import matrix
    from durak_widget.games.matrices.nfg import NfgError, from_nfg, to_nfg, tree_of_nfg
    from durak_widget.games.nash.beliefs import bayes, belief_bounds, weakly_perfect
    from durak_widget.games.nash.from_below import subgame_perfect
    from durak_widget.games.nash.pure_ones import pure_ones
    from durak_widget.games.nash.signals import intuitively_refuted
    from durak_widget.games.nash.trembles import sequential
    from durak_widget.games.solving.backward import Backward, backward_induction
    from durak_widget.games.solving.certificate import Certificate, certify
    from durak_widget.games.solving.cfr import CFR as CFR
    from durak_widget.games.solving.checker import CertificateError, check
    from durak_widget.games.solving.responses import Response, Standing, best_response, exploitability, nash_conv, value, values
    from durak_widget.games.solving.sampling import OutcomeSampling
    from durak_widget.games.solving.solution import Solution
    from durak_widget.games.solving.strategy import Strategy, StrategyError
    from durak_widget.games.trees.books import textbook
    from durak_widget.games.trees.efg import EfgError, from_efg, to_efg
    from durak_widget.games.trees.tree import Draw, End, InfoSet, TreeError, Turn, forgets, grow

__all__ = [
    "Backward",
    "Certificate",
    "CertificateError",
    "Draw",
    "EfgError",
    "End",
    "Equilibria",
    "Equilibrium",
    "GameAnswer",
    "InfoSet",
    "Minimax",
    "MissingError",
    "NfgError",
    "OutcomeSampling",
    "Response",
    "Solution",
    "Standing",
    "Strategy",
    "StrategyError",
    "TreeError",
    "Turn",
    "Undominated",
    "backward_induction",
    "bayes",
    "belief_bounds",
    "best_response",
    "certify",
    "check",
    "dominated_plans",
    "equilibria",
    "exploitability",
    "forgets",
    "from_efg",
    "from_nfg",
    "from_pygambit",
    "grow",
    "intuitively_refuted",
    "matrix",
    "minimax",
    "nash_conv",
    "pure_ones",
    "sequential",
    "solve",
    "subgame_perfect",
    "textbook",
    "to_efg",
    "to_nfg",
    "to_pygambit",
    "tree_of_nfg",
    "undominated_plans",
    "value",
    "values",
    "weakly_perfect",
]

_HOMES: Final = {
    "textbook": "trees.books",
    **dict.fromkeys(("EfgError", "from_efg", "to_efg"), "trees.efg"),
    "MissingError": "kit.needed",
    **dict.fromkeys(("Draw", "End", "InfoSet", "TreeError", "Turn", "forgets", "grow"), "trees.tree"),
    **dict.fromkeys(("Equilibria", "Equilibrium", "Minimax", "equilibria", "minimax"), "matrices.equilibrium"),
    **dict.fromkeys(("Undominated", "dominated_plans", "undominated_plans"), "matrices.dominance"),
    "matrix": "matrices.forms",
    **dict.fromkeys(("NfgError", "from_nfg", "to_nfg", "tree_of_nfg"), "matrices.nfg"),
    **dict.fromkeys(("bayes", "belief_bounds", "weakly_perfect"), "nash.beliefs"),
    "subgame_perfect": "nash.from_below",
    "pure_ones": "nash.pure_ones",
    "intuitively_refuted": "nash.signals",
    "sequential": "nash.trembles",
    **dict.fromkeys(("Backward", "backward_induction"), "solving.backward"),
    "CFR": "solving.cfr",
    **dict.fromkeys(("Certificate", "certify"), "solving.certificate"),
    **dict.fromkeys(("CertificateError", "check"), "solving.checker"),
    **dict.fromkeys(("from_pygambit", "to_pygambit"), "bridges.gambit"),
    **dict.fromkeys(("Response", "Standing", "best_response", "exploitability", "nash_conv", "value", "values"), "solving.responses"),
    "OutcomeSampling": "solving.sampling",
    "Solution": "solving.solution",
    **dict.fromkeys(("GameAnswer", "solve"), "answers.answer"),
    **dict.fromkeys(("Strategy", "StrategyError"), "solving.strategy"),
}
"""Where each public name is at home."""

NEEDS: Final = {"CFR": ("numpy", "scipy")}
"""The public names that are nothing without other packages: in `dir`, and so in `help`, where these are found; never in `import *`."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        listed = "" if name.startswith("_") else f"; it has {', '.join(__dir__())}"  # tools ask for many private names
        msg = f"durak_widget.games has no {name!r}{listed}"
        raise AttributeError(msg)
    with needing():
        home = import_module(f"durak_widget.games.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name, packages in NEEDS.items() if all(map(is_there, packages)))])
