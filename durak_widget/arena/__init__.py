"""Tournaments of bots, their ratings and reports.

>>> from durak_widget import arena
>>> ranking = arena.play(["careful", "random", "first"], games=60)
>>> ranking.played, ranking.names[ranking.standing.order[0]]
(60, 'careful')
"""

TYPE_CHECKING = False  # as in `durak_widget`: the command looks at the path before it imports anything

if TYPE_CHECKING:
    from durak_widget.arena.bot_entrants import Entrant
    from durak_widget.arena.ranking import ArenaGame, Forfeit, Ranking
    from durak_widget.arena.tournament_file import KeptFileError
    from durak_widget.arena.tournament_runner import Run, load, play
    from durak_widget.sandbox.code_runner import Limits
    from durak_widget.tournament_widget.widget import Tournament

__all__ = ["ArenaGame", "Entrant", "Forfeit", "KeptFileError", "Limits", "Ranking", "Run", "Tournament", "load", "play"]

_HOMES = {
    "Entrant": "arena.bot_entrants",
    "KeptFileError": "arena.tournament_file",
    **dict.fromkeys(("Run", "load", "play"), "arena.tournament_runner"),
    **dict.fromkeys(("ArenaGame", "Forfeit", "Ranking"), "arena.ranking"),
    "Limits": "sandbox.code_runner",
    "Tournament": "tournament_widget.widget",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"durak_widget.arena has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    from durak_widget.optional_dependencies import needing  # noqa: PLC0415 - it says what to install

    with needing():
        return getattr(__import__(f"durak_widget.{_HOMES[name]}", fromlist=[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
