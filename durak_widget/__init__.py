"""Durak, the card game: rules for every variant, for notebooks, bots and classrooms.

>>> from durak_widget import Game, Rules
>>> game = Game(Rules(players=3), seed=1)
>>> game.play(game.legal_moves()[0])

Each name is fetched from its module when it is first asked for, so that importing the package costs next to nothing.
"""

import sys

TYPE_CHECKING = False  # type checkers take it for `typing`'s; importing this package imports nothing but `sys`

if TYPE_CHECKING:
    from durak_widget import analysis, arena, board, bots, editor, fast_engine, gametheory, lessons, review
    from durak_widget.cards import Card, CardSet
    from durak_widget.engine.game import Game
    from durak_widget.engine.history import BoutEnd, Pairs
    from durak_widget.engine.match import Match, Tally
    from durak_widget.engine.moves import IllegalMove, Move, Refusal
    from durak_widget.engine.observation import Memory, Played, View
    from durak_widget.engine.table_svg import Picture
    from durak_widget.errors import BotError, CardError, DurakError, GameTextError, PositionError, RulesError
    from durak_widget.rules.ruleset import Rules
    from durak_widget.rules.scoring import Outcome
    from durak_widget.table.table_widget import Table
    from durak_widget.widgets.user_defaults import defaults

__version__ = "0.1.0"

__all__ = [
    "BotError",
    "BoutEnd",
    "Card",
    "CardError",
    "CardSet",
    "DurakError",
    "Game",
    "GameTextError",
    "IllegalMove",
    "Match",
    "Memory",
    "Move",
    "Outcome",
    "Pairs",
    "Picture",
    "Played",
    "PositionError",
    "Refusal",
    "Rules",
    "RulesError",
    "Table",
    "Tally",
    "View",
    "analysis",
    "arena",
    "board",
    "bots",
    "defaults",
    "editor",
    "fast_engine",
    "gametheory",
    "lessons",
    "review",
]

_PACKAGES = {"analysis", "arena", "board", "bots", "editor", "fast_engine", "gametheory", "lessons", "review"}
"""The public names that are packages."""
_MODULES = {
    **dict.fromkeys(("Card", "CardSet"), "cards"),
    **dict.fromkeys(("BotError", "CardError", "DurakError", "GameTextError", "PositionError", "RulesError"), "errors"),
    "Game": "engine.game",
    **dict.fromkeys(("Match", "Tally"), "engine.match"),
    "Move": "engine.moves",
    "Outcome": "rules.scoring",
    **dict.fromkeys(("IllegalMove", "Refusal"), "engine.moves"),
    "Rules": "rules.ruleset",
    "Table": "table.table_widget",
    "defaults": "widgets.user_defaults",
    **dict.fromkeys(("Memory", "Played", "View"), "engine.observation"),
    **dict.fromkeys(("BoutEnd", "Pairs"), "engine.history"),
    "Picture": "engine.table_svg",
}
"""Which module has each other public name."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _PACKAGES and name not in _MODULES:
        msg = f"durak_widget has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    if name in _PACKAGES:
        return _module(name)
    try:
        home = _module(_MODULES[name])
    except ImportError:
        from durak_widget.optional_dependencies import needing  # noqa: PLC0415 - it says what to install

        with needing():
            raise
    value = globals()[name] = getattr(home, name)
    return value


def _module(name: str) -> object:
    """Import a module of this package."""
    full_name = f"{__name__}.{name}"
    __import__(full_name)
    return sys.modules[full_name]


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__version__"]
