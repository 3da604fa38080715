"""Analyzes Durak: possible worlds, endgames, trees, bots, and bridges to other packages.

Each name is imported from its module when it is first used. Most need only Python, some need numpy and scipy.

>>> from durak_widget import Rules, analysis
>>> tree = analysis.build_game_tree(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
>>> tree
<Tree: 23 histories, 15 terminals, 0 + 7 information sets>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import make_lazy_attributes

if TYPE_CHECKING:
    from durak_widget.analysis import endgame
    from durak_widget.analysis import openspiel_bridge as openspiel  # noqa: F401 - a public name
    from durak_widget.analysis import pettingzoo_env as pettingzoo  # noqa: F401 - as above
    from durak_widget.analysis.bot_strategy_conversion import convert_bot_to_strategy, convert_strategy_to_bot
    from durak_widget.analysis.double_dummy_solver import DoubleDummyResult, solve_double_dummy
    from durak_widget.analysis.durak_tree import build_game_tree, build_tree_from_position, count_histories, make_implicit_game
    from durak_widget.analysis.game_at_node import describe_infoset_history, restore_game, restore_view
    from durak_widget.analysis.possible_worlds import WorldCount, Worlds, worlds
    from durak_widget.analysis.strategy_evaluation import Leak, PlayerEvaluation, StrategyEvaluation, evaluate_strategy
    from durak_widget.analysis.value_of_information import InformationValues, compute_information_values

__all__ = [
    "DoubleDummyResult",
    "InformationValues",
    "Leak",
    "PlayerEvaluation",
    "StrategyEvaluation",
    "WorldCount",
    "Worlds",
    "build_game_tree",
    "build_tree_from_position",
    "compute_information_values",
    "convert_bot_to_strategy",
    "convert_strategy_to_bot",
    "count_histories",
    "describe_infoset_history",
    "endgame",
    "evaluate_strategy",
    "make_implicit_game",
    "restore_game",
    "restore_view",
    "solve_double_dummy",
    "worlds",
]

_MODULE_OF_NAME: Final = {
    **dict.fromkeys(("convert_strategy_to_bot", "convert_bot_to_strategy"), "bot_strategy_conversion"),
    **dict.fromkeys(("build_game_tree", "build_tree_from_position", "count_histories"), "durak_tree"),
    "make_implicit_game": "durak_tree",
    **dict.fromkeys(("PlayerEvaluation", "StrategyEvaluation", "Leak", "evaluate_strategy"), "strategy_evaluation"),
    **dict.fromkeys(("restore_game", "describe_infoset_history", "restore_view"), "game_at_node"),
    **dict.fromkeys(("DoubleDummyResult", "solve_double_dummy"), "double_dummy_solver"),
    **dict.fromkeys(("WorldCount", "Worlds", "worlds"), "possible_worlds"),
    **dict.fromkeys(("InformationValues", "compute_information_values"), "value_of_information"),
}
"""The name of the module that defines each public name of this package."""

_SUBMODULE_BY_NAME: Final = {"endgame": "endgame", "openspiel": "openspiel_bridge", "pettingzoo": "pettingzoo_env"}
"""The public names that are modules of this package, and the module that each name stands for."""

_REQUIRED_PACKAGES: Final = {
    "openspiel": ("pyspiel", "numpy"),
    "pettingzoo": ("pettingzoo", "gymnasium", "numpy"),
}
"""Public names that need other packages: `dir` and `help` list them if these packages are installed, `import *` never imports them."""

__getattr__, __dir__ = make_lazy_attributes(__name__, _MODULE_OF_NAME, _SUBMODULE_BY_NAME, _REQUIRED_PACKAGES)
