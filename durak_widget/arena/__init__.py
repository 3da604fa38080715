"""Tournaments of bots, their ratings and reports.

>>> from durak_widget import arena
>>> ranking = arena.play(["careful", "random", "first"], games=60)
>>> ranking.played, ranking.names[ranking.standing.order[0]]
(60, 'careful')
"""

from durak_widget.lazy_imports import lazy_names

TYPE_CHECKING = False  # as in `durak_widget`: the command looks at the path before it imports anything

if TYPE_CHECKING:
    from durak_widget.arena.bot_entrants import Entrant
    from durak_widget.arena.ranking import ArenaGame, Forfeit, Ranking
    from durak_widget.arena.tournament_file import KeptFileError
    from durak_widget.arena.tournament_runner import Run, load, play
    from durak_widget.sandbox.code_runner import Limits
    from durak_widget.tournament_widget.widget import Tournament

__all__ = ["ArenaGame", "Entrant", "Forfeit", "KeptFileError", "Limits", "Ranking", "Run", "Tournament", "load", "play"]

_MODULES = {
    "Entrant": "bot_entrants",
    "KeptFileError": "tournament_file",
    **dict.fromkeys(("Run", "load", "play"), "tournament_runner"),
    **dict.fromkeys(("ArenaGame", "Forfeit", "Ranking"), "ranking"),
    "Limits": "durak_widget.sandbox.code_runner",
    "Tournament": "durak_widget.tournament_widget.widget",
}
"""The module of each public name."""

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
