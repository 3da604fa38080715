"""Durak, the card game: a rules model for every variant, for notebooks, bots and classrooms.

>>> from durak_widget import Game, Rules
>>> game = Game(Rules(players=3), seed=1)
>>> game.play(game.legal_moves()[0])
"""

from __future__ import annotations

from durak_widget.cards import Card, CardSet
from durak_widget.errors import CardError, DurakError, GameTextError, IllegalMove, PositionError, RulesError
from durak_widget.game.game import Game
from durak_widget.game.match import Match
from durak_widget.game.moves import Move
from durak_widget.game.refusal import Refusal
from durak_widget.game.view import View
from durak_widget.rules.book import Rules
from durak_widget.rules.scoring import Outcome

__version__ = "0.1.0"

__all__ = [
    "Card",
    "CardError",
    "CardSet",
    "DurakError",
    "Game",
    "GameTextError",
    "IllegalMove",
    "Match",
    "Move",
    "Outcome",
    "PositionError",
    "Refusal",
    "Rules",
    "RulesError",
    "View",
    "__version__",
]
