"""Plays tournaments between bots, rates the bots, and reports the results.

>>> from durak_widget import arena
>>> ranking = arena.play(["careful", "random", "first"], games=60)
>>> ranking.games_played, ranking.names[ranking.standings.order[0]]
(60, 'careful')
"""

from durak_widget.lazy_imports import make_lazy_attributes

TYPE_CHECKING = False  # Do not import `typing` here; the command must first remove unsafe folders from `sys.path`

if TYPE_CHECKING:
    from durak_widget.arena.bot_entrants import Entrant
    from durak_widget.arena.ranking import ArenaGame, Forfeit, Ranking
    from durak_widget.arena.tournament_file import TournamentFileError
    from durak_widget.arena.tournament_runner import Run, load, play
    from durak_widget.sandbox.code_runner import Limits
    from durak_widget.tournament_widget.widget import Tournament

__all__ = ["ArenaGame", "Entrant", "Forfeit", "Limits", "Ranking", "Run", "Tournament", "TournamentFileError", "load", "play"]

_MODULE_OF_NAME = {
    "Entrant": "bot_entrants",
    "TournamentFileError": "tournament_file",
    **dict.fromkeys(("Run", "load", "play"), "tournament_runner"),
    **dict.fromkeys(("ArenaGame", "Forfeit", "Ranking"), "ranking"),
    "Limits": "durak_widget.sandbox.code_runner",
    "Tournament": "durak_widget.tournament_widget.widget",
}
"""The name of the module that defines each public name of this package."""

__getattr__, __dir__ = make_lazy_attributes(__name__, _MODULE_OF_NAME)
