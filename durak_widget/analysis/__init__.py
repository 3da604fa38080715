"""Durak analyzed: possible worlds, endgames, Durak as a tree, evaluation of bots, OpenSpiel and PettingZoo.

>>> from durak_widget import Rules, analysis
>>> tree = analysis.build(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
>>> tree
<Tree: 23 histories, 15 terminals, 0 + 7 information sets>

Each name is fetched from its module when it is first asked for: most need nothing but Python, some numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget import gametheory
from durak_widget.gametheory.optional_dependencies import is_there, needing

if TYPE_CHECKING:
    from durak_widget.analysis import endgame
    from durak_widget.analysis import openspiel_bridge as openspiel_bridge
    from durak_widget.analysis import pettingzoo_env as pettingzoo_env
    from durak_widget.analysis.bot_strategy_conversion import bot_of, strategy_of
    from durak_widget.analysis.double_dummy_solver import Opened, open_hands
    from durak_widget.analysis.durak_tree import build, build_from, histories, look_of
    from durak_widget.analysis.game_at_node import game_of, told, view_of
    from durak_widget.analysis.possible_worlds import Count, Worlds, worlds
    from durak_widget.analysis.strategy_evaluation import Judged, Judgement, Leak, judge
    from durak_widget.analysis.value_of_information import Secret, secret
    from durak_widget.board.matrix_widget import Matrix as Matrix
    from durak_widget.board.static_export import picture as picture
    from durak_widget.board.static_export import tabular as tabular
    from durak_widget.board.static_export import tikz as tikz
    from durak_widget.board.tree_widget import Tree as Tree
    from durak_widget.editor.matrix_editor_widget import MatrixSketch as MatrixSketch
    from durak_widget.editor.tree_editor_widget import Sketch as Sketch
    from durak_widget.gametheory.backward_induction_solver import Backward, backward_induction
    from durak_widget.gametheory.beliefs import bayes, belief_bounds, weakly_perfect
    from durak_widget.gametheory.best_responses import Response, Standing, best_response, exploitability, nash_conv, value, values
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria, Equilibrium, Minimax, equilibria, minimax
    from durak_widget.gametheory.certificate import Certificate, certify
    from durak_widget.gametheory.certificate_checker import CertificateError, check
    from durak_widget.gametheory.cfr_plus import CFR as CFR
    from durak_widget.gametheory.dominance import Undominated, dominated_plans, undominated_plans
    from durak_widget.gametheory.gambit_files import EfgError, NfgError, from_efg, from_nfg, to_efg, to_nfg, tree_of_nfg
    from durak_widget.gametheory.optional_dependencies import MissingError
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
    "GameAnswer",
    "InfoSet",
    "Judged",
    "Judgement",
    "Leak",
    "Minimax",
    "MissingError",
    "NfgError",
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
    "Undominated",
    "Worlds",
    "backward_induction",
    "bayes",
    "belief_bounds",
    "best_response",
    "bot_of",
    "build",
    "build_from",
    "certify",
    "check",
    "dominated_plans",
    "endgame",
    "equilibria",
    "exploitability",
    "forgets",
    "from_efg",
    "from_nfg",
    "from_pygambit",
    "game_of",
    "grow",
    "histories",
    "intuitively_refuted",
    "judge",
    "look_of",
    "matrix",
    "minimax",
    "nash_conv",
    "open_hands",
    "pure_ones",
    "secret",
    "sequential",
    "solve",
    "strategy_of",
    "subgame_perfect",
    "textbook",
    "to_efg",
    "to_nfg",
    "to_pygambit",
    "told",
    "tree_of_nfg",
    "undominated_plans",
    "value",
    "values",
    "view_of",
    "weakly_perfect",
    "worlds",
]

_ROOMS: Final = {"endgame": "endgame", "openspiel": "openspiel_bridge", "pettingzoo": "pettingzoo_env"}
"""The public names that are modules of their own, and where each stands."""

_HOMES: Final = {
    **dict.fromkeys(("bot_of", "strategy_of"), "bot_strategy_conversion"),
    **dict.fromkeys(("build", "build_from", "histories"), "durak_tree"),
    "look_of": "durak_tree",
    **dict.fromkeys(("Judged", "Judgement", "Leak", "judge"), "strategy_evaluation"),
    **dict.fromkeys(("game_of", "told", "view_of"), "game_at_node"),
    **dict.fromkeys(("Opened", "open_hands"), "double_dummy_solver"),
    **dict.fromkeys(("Count", "Worlds", "worlds"), "possible_worlds"),
    **dict.fromkeys(("Secret", "secret"), "value_of_information"),
}
"""Where each public name is at home, but for those of `gametheory`, which has what knows no card."""

_ABOVE: Final = {
    "Tree": "durak_widget.board.tree_widget",
    "Matrix": "durak_widget.board.matrix_widget",
    **dict.fromkeys(("picture", "tabular", "tikz"), "durak_widget.board.static_export"),
    "MatrixSketch": "durak_widget.editor.matrix_editor_widget",
    "Sketch": "durak_widget.editor.tree_editor_widget",
}
"""What stands above this package and is fetched through it all the same: whoever has a tree looks here for what shows it."""

_NEEDS: Final = {
    **gametheory.NEEDS,
    "openspiel": ("pyspiel", "numpy"),
    "pettingzoo": ("pettingzoo", "gymnasium", "numpy"),
    **dict.fromkeys(_ABOVE, ("anywidget",)),
}
"""The public names that are nothing without other packages: in `dir`, and so in `help`, where these are found; never in `import *`."""


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        with needing():
            return import_module(f"durak_widget.analysis.{_ROOMS[name]}")
    if name in gametheory.__all__ or name in gametheory.NEEDS:
        value: object = getattr(gametheory, name)
    elif name in _HOMES or name in _ABOVE:
        with needing():
            home = import_module(_ABOVE.get(name) or f"durak_widget.analysis.{_HOMES[name]}")
        value = getattr(home, name)
    else:
        listed = "" if name.startswith("_") else f"; it has {', '.join(__dir__())}"  # tools ask for many private names
        msg = f"durak_widget.analysis has no {name!r}{listed}"
        raise AttributeError(msg)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name, packages in _NEEDS.items() if all(map(is_there, packages)))])
