"""Game trees, payoff matrices, solvers for games, and proofs of the solvers' results.

>>> from durak_widget import gametheory
>>> poker = gametheory.textbook("kuhn")
>>> gametheory.solve(poker).value
Fraction(-1, 18)

The package does not depend on the card engine. Each name is imported from its module when it is first used.
Most names need only Python; some need numpy and scipy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import make_lazy_attributes

if TYPE_CHECKING:
    from durak_widget.gametheory.backward_induction_solver import BackwardInductionResult, backward_induction
    from durak_widget.gametheory.beliefs import bayesian_beliefs, belief_bounds, evaluate_weak_perfect_bayesian
    from durak_widget.gametheory.best_responses import (
        BestResponse,
        InfosetValues,
        best_response,
        exploitability,
        infoset_values,
        nash_conv,
        value,
    )
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria, Equilibrium, Minimax, equilibria, minimax
    from durak_widget.gametheory.certificate import Certificate, certify
    from durak_widget.gametheory.certificate_checker import CertificateError, check_certificate
    from durak_widget.gametheory.cfr_plus import CFR as CFR
    from durak_widget.gametheory.dominance import IteratedElimination, eliminate_dominated_strategies, find_dominated_strategies
    from durak_widget.gametheory.gambit_files import EfgError, NfgError, from_efg, from_nfg, to_efg, to_nfg, tree_from_nfg
    from durak_widget.gametheory.outcome_sampling_mccfr import OutcomeSampling
    from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
    from durak_widget.gametheory.pygambit_bridge import from_pygambit, to_pygambit
    from durak_widget.gametheory.sequential_equilibrium import verify_sequential_equilibrium
    from durak_widget.gametheory.signalling_games import find_intuitive_refutations
    from durak_widget.gametheory.solver_selection import GameAnswer, solve
    from durak_widget.gametheory.strategic_form import matrix
    from durak_widget.gametheory.strategy import Strategy, StrategyError
    from durak_widget.gametheory.subgame_perfection import find_subgame_perfect_equilibria
    from durak_widget.gametheory.textbook_games import textbook
    from durak_widget.gametheory.tree import (
        ChanceNode,
        DecisionNode,
        InfoSet,
        TerminalNode,
        TreeError,
        build_tree,
        describe_imperfect_recall,
    )
    from durak_widget.gametheory.zero_sum_solver import Solution
    from durak_widget.optional_dependencies import MissingPackageError

__all__ = [
    "BackwardInductionResult",
    "BestResponse",
    "Certificate",
    "CertificateError",
    "ChanceNode",
    "DecisionNode",
    "EfgError",
    "Equilibria",
    "Equilibrium",
    "GameAnswer",
    "InfoSet",
    "InfosetValues",
    "IteratedElimination",
    "Minimax",
    "MissingPackageError",
    "NfgError",
    "OutcomeSampling",
    "Solution",
    "Strategy",
    "StrategyError",
    "TerminalNode",
    "TreeError",
    "backward_induction",
    "bayesian_beliefs",
    "belief_bounds",
    "best_response",
    "build_tree",
    "certify",
    "check_certificate",
    "describe_imperfect_recall",
    "eliminate_dominated_strategies",
    "equilibria",
    "evaluate_weak_perfect_bayesian",
    "exploitability",
    "find_dominated_strategies",
    "find_intuitive_refutations",
    "find_pure_equilibria",
    "find_subgame_perfect_equilibria",
    "from_efg",
    "from_nfg",
    "from_pygambit",
    "infoset_values",
    "matrix",
    "minimax",
    "nash_conv",
    "solve",
    "textbook",
    "to_efg",
    "to_nfg",
    "to_pygambit",
    "tree_from_nfg",
    "value",
    "verify_sequential_equilibrium",
]

_MODULE_OF_NAME: Final = {
    "MissingPackageError": "durak_widget.optional_dependencies",
    "textbook": "textbook_games",
    **dict.fromkeys(("EfgError", "from_efg", "to_efg"), "gambit_files"),
    **dict.fromkeys(
        ("ChanceNode", "TerminalNode", "InfoSet", "TreeError", "DecisionNode", "describe_imperfect_recall", "build_tree"), "tree"
    ),
    **dict.fromkeys(("Equilibria", "Equilibrium", "Minimax", "equilibria", "minimax"), "bimatrix_equilibria"),
    **dict.fromkeys(("IteratedElimination", "find_dominated_strategies", "eliminate_dominated_strategies"), "dominance"),
    "matrix": "strategic_form",
    **dict.fromkeys(("NfgError", "from_nfg", "to_nfg", "tree_from_nfg"), "gambit_files"),
    **dict.fromkeys(("bayesian_beliefs", "belief_bounds", "evaluate_weak_perfect_bayesian"), "beliefs"),
    "find_subgame_perfect_equilibria": "subgame_perfection",
    "find_pure_equilibria": "pure_nash_equilibria",
    "find_intuitive_refutations": "signalling_games",
    "verify_sequential_equilibrium": "sequential_equilibrium",
    **dict.fromkeys(("BackwardInductionResult", "backward_induction"), "backward_induction_solver"),
    "CFR": "cfr_plus",
    **dict.fromkeys(("Certificate", "certify"), "certificate"),
    **dict.fromkeys(("CertificateError", "check_certificate"), "certificate_checker"),
    **dict.fromkeys(("from_pygambit", "to_pygambit"), "pygambit_bridge"),
    **dict.fromkeys(
        ("BestResponse", "InfosetValues", "best_response", "exploitability", "nash_conv", "value", "infoset_values"), "best_responses"
    ),
    "OutcomeSampling": "outcome_sampling_mccfr",
    "Solution": "zero_sum_solver",
    **dict.fromkeys(("GameAnswer", "solve"), "solver_selection"),
    **dict.fromkeys(("Strategy", "StrategyError"), "strategy"),
}
"""The name of the module that defines each public name of this package."""

_REQUIRED_PACKAGES: Final = {"CFR": ("numpy", "scipy")}
"""For each public name that needs optional packages: the names of these packages.

`dir` and `help` list such a name only if its packages are installed; `import *` never imports it.
"""

__getattr__, __dir__ = make_lazy_attributes(__name__, _MODULE_OF_NAME, needs=_REQUIRED_PACKAGES)
