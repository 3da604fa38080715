"""Analyze Durak: possible worlds, endgames, game trees, bots, OpenSpiel and PettingZoo.

Each name is imported from its module when it is first used. Most need only Python, some need numpy and scipy.

>>> from durak_widget import Rules, analysis
>>> tree = analysis.build(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
>>> tree
<Tree: 23 histories, 15 terminals, 0 + 7 information sets>

Each name is fetched from its module when it is first asked for: most need nothing but Python, some numpy and scipy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import lazy_names

if TYPE_CHECKING:
    from durak_widget.analysis import endgame
    from durak_widget.analysis import openspiel_bridge as openspiel  # noqa: F401 - a public name
    from durak_widget.analysis import pettingzoo_env as pettingzoo  # noqa: F401 - as above
    from durak_widget.analysis.bot_strategy_conversion import bot_of, strategy_of
    from durak_widget.analysis.double_dummy_solver import Opened, open_hands
    from durak_widget.analysis.durak_tree import build, build_from, histories, look_of
    from durak_widget.analysis.game_at_node import game_of, told, view_of
    from durak_widget.analysis.possible_worlds import Count, Worlds, worlds
    from durak_widget.analysis.strategy_evaluation import Judged, Judgement, Leak, judge
    from durak_widget.analysis.value_of_information import Secret, secret

__all__ = [
    "Count",
    "Judged",
    "Judgement",
    "Leak",
    "Opened",
    "Secret",
    "Worlds",
    "bot_of",
    "build",
    "build_from",
    "endgame",
    "game_of",
    "histories",
    "judge",
    "look_of",
    "open_hands",
    "secret",
    "strategy_of",
    "told",
    "view_of",
    "worlds",
]

_MODULES: Final = {
    **dict.fromkeys(("bot_of", "strategy_of"), "bot_strategy_conversion"),
    **dict.fromkeys(("build", "build_from", "histories"), "durak_tree"),
    "look_of": "durak_tree",
    **dict.fromkeys(("Judged", "Judgement", "Leak", "judge"), "strategy_evaluation"),
    **dict.fromkeys(("game_of", "told", "view_of"), "game_at_node"),
    **dict.fromkeys(("Opened", "open_hands"), "double_dummy_solver"),
    **dict.fromkeys(("Count", "Worlds", "worlds"), "possible_worlds"),
    **dict.fromkeys(("Secret", "secret"), "value_of_information"),
}
"""Module of each public name."""

_SUBMODULES: Final = {"endgame": "endgame", "openspiel": "openspiel_bridge", "pettingzoo": "pettingzoo_env"}
"""Public names that are modules, with their names in this package."""

_NEEDS: Final = {
    "openspiel": ("pyspiel", "numpy"),
    "pettingzoo": ("pettingzoo", "gymnasium", "numpy"),
}
"""Public names that need other packages. `dir` and `help` show them if these are installed; `import *` never does."""

__getattr__, __dir__ = lazy_names(__name__, _MODULES, _SUBMODULES, _NEEDS)
