"""The engine in WebAssembly, for many games a second.

The rules stay in Python: the fast engine plays by an image made from them, and tests compare it with the Python engine move by move.
Without WebAssembly the Python engine is used, which is slower and gives the same answers. `which()` returns what runs the fast engine
here; `why_not(rules)` says which rules it can't play.

>>> from durak_widget import fast_engine
>>> fast_engine.games("podkidnoy", count=200, seed=1, policy=["careful", "random"]).won[0] > 150
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from durak_widget.fast_engine.game_simulation import WholeGames, games
from durak_widget.fast_engine.state_queries import legal_moves, played
from durak_widget.fast_engine.supported_rules import why_not
from durak_widget.fast_engine.wasm_host import which

if TYPE_CHECKING:
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.analysis.possible_worlds import playouts

__all__ = ["Playouts", "WholeGames", "games", "legal_moves", "played", "playouts", "which", "why_not"]

_ABOVE = {"Playouts": "analysis.monte_carlo_playouts", "playouts": "analysis.possible_worlds"}
"""Names from `analysis`, a higher layer: imported when they are first used."""


def __getattr__(name: str) -> object:
    if name not in _ABOVE:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"durak_widget.{_ABOVE[name]}"), name)


def __dir__() -> list[str]:
    return __all__
