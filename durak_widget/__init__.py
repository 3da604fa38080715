"""The card game Durak for notebooks and classrooms: rules, tables, bots and game theory.

>>> from durak_widget import Game, Rules
>>> game = Game(Rules(players=3), seed=1)
>>> game.play(game.legal_moves()[0])

The package imports each name from its module when the name is first used, so `import durak_widget` is fast.
"""

import sys

TYPE_CHECKING = False  # Type checkers treat this name as `typing.TYPE_CHECKING`; the module can't import that, as it may import only `sys`.

if TYPE_CHECKING:
    from durak_widget import analysis, arena, board, bots, editor, fast_engine, gametheory, lessons, live, review
    from durak_widget.cards import Card, CardSet
    from durak_widget.engine.game import Game
    from durak_widget.engine.history import BoutEnd, Pairs
    from durak_widget.engine.match import Match, Tally
    from durak_widget.engine.moves import IllegalMove, Move, Refusal
    from durak_widget.engine.observation import Memory, Observation, PlayedMove
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
    "Observation",
    "Outcome",
    "Pairs",
    "Picture",
    "PlayedMove",
    "PositionError",
    "Refusal",
    "Rules",
    "RulesError",
    "Table",
    "Tally",
    "analysis",
    "arena",
    "board",
    "bots",
    "defaults",
    "editor",
    "fast_engine",
    "gametheory",
    "lessons",
    "live",
    "review",
]

_PUBLIC_PACKAGES = {"analysis", "arena", "board", "bots", "editor", "fast_engine", "gametheory", "lessons", "live", "review"}
"""The public names of durak_widget that are packages; all other public names are classes or functions."""
_MODULE_OF_NAME = {
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
    **dict.fromkeys(("Memory", "PlayedMove", "Observation"), "engine.observation"),
    **dict.fromkeys(("BoutEnd", "Pairs"), "engine.history"),
    "Picture": "engine.table_svg",
}
"""For each public class and function of durak_widget, the module that defines it."""


def __getattr__(name: str) -> object:
    """Import a public name of durak_widget when a program uses this name for the first time."""
    if name not in _PUBLIC_PACKAGES and name not in _MODULE_OF_NAME:
        msg = f"durak_widget has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    if name in _PUBLIC_PACKAGES:
        return _import_module(name)
    try:
        module = _import_module(_MODULE_OF_NAME[name])
    except ImportError:
        from durak_widget.optional_dependencies import explain_missing_packages  # noqa: PLC0415 - it says what to install

        with explain_missing_packages():
            raise
    value = globals()[name] = getattr(module, name)
    return value


def _import_module(name: str) -> object:
    """Import a module of durak_widget by its name, and return the module."""
    full_name = f"{__name__}.{name}"
    __import__(full_name)
    return sys.modules[full_name]


def __dir__() -> list[str]:
    """Return the public names of durak_widget."""
    return [*__all__, "__version__"]
