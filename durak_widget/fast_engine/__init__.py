"""The fast engine: a game engine in WebAssembly that plays many games per second.

The rules are defined only in Python, which encodes them as tables for the fast engine. Tests compare both engines move by move. Without
WebAssembly, the slower Python engine gives the same answers. `describe_host()` says what runs the fast engine on this computer, and
`explain_unsupported_rules(rules)` says which rules it can't play.

>>> from durak_widget import fast_engine
>>> fast_engine.simulate_games("podkidnoy", count=200, seed=1, policy=["careful", "random"]).wins[0] > 150
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from durak_widget.fast_engine.game_simulation import SimulationResult, simulate_games
from durak_widget.fast_engine.state_queries import legal_moves, position_after
from durak_widget.fast_engine.supported_rules import explain_unsupported_rules
from durak_widget.fast_engine.wasm_host import describe_host

if TYPE_CHECKING:
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.analysis.possible_worlds import playouts

__all__ = [
    "Playouts",
    "SimulationResult",
    "describe_host",
    "explain_unsupported_rules",
    "legal_moves",
    "playouts",
    "position_after",
    "simulate_games",
]

_HIGHER_LAYER_NAMES = {"Playouts": "analysis.monte_carlo_playouts", "playouts": "analysis.possible_worlds"}
"""The names that come from the package `analysis`; they are imported when first used, to avoid an import cycle."""


def __getattr__(name: str) -> object:
    if name not in _HIGHER_LAYER_NAMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"durak_widget.{_HIGHER_LAYER_NAMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
