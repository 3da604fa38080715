"""Game trees, matrices, solvers and proofs.

>>> from durak_widget import gametheory
>>> poker = gametheory.textbook("kuhn")
>>> gametheory.solve(poker).value
Fraction(-1, 18)

The package does not depend on the card engine. Each name is imported from its module when it is first used.
Most names need only Python; some need numpy and scipy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import lazy_names

if TYPE_CHECKING:
    from durak_widget.gametheory.backward_induction_solver import Backward, backward_induction
    from durak_widget.gametheory.beliefs import bayes, belief_bounds, weakly_perfect
    from durak_widget.gametheory.best_responses import Response, Standing, best_response, exploitability, nash_conv, value, values
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria, Equilibrium, Minimax, equilibria, minimax
    from durak_widget.gametheory.certificate import Certificate, certify
    from durak_widget.gametheory.certificate_checker import CertificateError, check
    from durak_widget.gametheory.cfr_plus import CFR as CFR
    from durak_widget.gametheory.dominance import Undominated, dominated_plans, undominated_plans
    from durak_widget.gametheory.gambit_files import EfgError, NfgError, from_efg, from_nfg, to_efg, to_nfg, tree_of_nfg
    from durak_widget.gametheory.outcome_sampling_mccfr import OutcomeSampling
    from durak_widget.gametheory.pure_nash_equilibria import pure_ones
    from durak_widget.gametheory.pygambit_bridge import from_pygambit, to_pygambit
    from durak_widget.gametheory.sequential_equilibrium import sequential
    from durak_widget.gametheory.signalling_games import intuitively_refuted
    from durak_widget.gametheory.solver_selection import GameAnswer, solve
    from durak_widget.gametheory.strategic_form import matrix
    from durak_widget.gametheory.strategy import Strategy, StrategyError
    from durak_widget.gametheory.subgame_perfection import subgame_perfect
    from durak_widget.gametheory.textbook_games import textbook
    from durak_widget.gametheory.tree import Draw, End, InfoSet, TreeError, Turn, forgets, grow
    from durak_widget.gametheory.zero_sum_solver import Solution
    from durak_widget.optional_dependencies import MissingError

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

_MODULES: Final = {
    "MissingError": "durak_widget.optional_dependencies",
    "textbook": "textbook_games",
    **dict.fromkeys(("EfgError", "from_efg", "to_efg"), "gambit_files"),
    **dict.fromkeys(("Draw", "End", "InfoSet", "TreeError", "Turn", "forgets", "grow"), "tree"),
    **dict.fromkeys(("Equilibria", "Equilibrium", "Minimax", "equilibria", "minimax"), "bimatrix_equilibria"),
    **dict.fromkeys(("Undominated", "dominated_plans", "undominated_plans"), "dominance"),
    "matrix": "strategic_form",
    **dict.fromkeys(("NfgError", "from_nfg", "to_nfg", "tree_of_nfg"), "gambit_files"),
    **dict.fromkeys(("bayes", "belief_bounds", "weakly_perfect"), "beliefs"),
    "subgame_perfect": "subgame_perfection",
    "pure_ones": "pure_nash_equilibria",
    "intuitively_refuted": "signalling_games",
    "sequential": "sequential_equilibrium",
    **dict.fromkeys(("Backward", "backward_induction"), "backward_induction_solver"),
    "CFR": "cfr_plus",
    **dict.fromkeys(("Certificate", "certify"), "certificate"),
    **dict.fromkeys(("CertificateError", "check"), "certificate_checker"),
    **dict.fromkeys(("from_pygambit", "to_pygambit"), "pygambit_bridge"),
    **dict.fromkeys(("Response", "Standing", "best_response", "exploitability", "nash_conv", "value", "values"), "best_responses"),
    "OutcomeSampling": "outcome_sampling_mccfr",
    "Solution": "zero_sum_solver",
    **dict.fromkeys(("GameAnswer", "solve"), "solver_selection"),
    **dict.fromkeys(("Strategy", "StrategyError"), "strategy"),
}
"""The module of each public name."""

_NEEDS: Final = {"CFR": ("numpy", "scipy")}
"""Public names that need other packages; `dir` and `help` list them if these are installed, `import *` never does."""

__getattr__, __dir__ = lazy_names(__name__, _MODULES, needs=_NEEDS)
