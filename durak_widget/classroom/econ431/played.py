"""Moments of the classroom game as it is played by lots: whatever is asked of them has arisen in play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.game.game import Game
from durak_widget.rules.book import Rules
from durak_widget.words import Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from durak_widget.cards import Card

RULES: Final = Rules.preset("econ431")
_PATIENCE: Final = 5000
"""So many games are played at most; a moment is found within the first hundred or so."""


def played(lots: Random, wanted: Callable[[Game], bool]) -> Game:
    """A game played by lots up to the first moment that is wanted.

    >>> from random import Random
    >>> game = played(Random(1), lambda game: len(game.table) == 2)
    >>> len(game.table), game.rules == RULES
    (2, True)
    """
    for _ in range(_PATIENCE):
        game = Game(RULES, dealer=lots.randrange(2), seed=lots.getrandbits(32))
        while game.outcome is None:
            if wanted(game):
                return game
            game.play(lots.choice(game.legal_moves()))
    raise AssertionError("no such moment was found")


def laid(game: Game) -> Game:
    """The same position as somebody finds it who comes to the table now: what lies there is known, how it came is not.

    >>> from random import Random
    >>> game = played(Random(1), lambda game: game.bout > 2)
    >>> laid(game).moves, laid(game).hands == game.hands
    ((), True)
    """
    return Game.from_position(
        game.rules, hands=list(game.hands), trump=None if game.trump is None else str(game.trump), attacker=game.attacker,
        table=str(game.table), talon=game.talon, turn_up=game.turn_up, discard=game.discard, bout=game.bout,
    )  # fmt: skip


def signs(cards: Iterable[Card]) -> str:
    """Cards as they are written on a blackboard, the same in every language.

    >>> from durak_widget import Card
    >>> print(ascii(signs([Card("9c"), Card("Kh")])))
    '9\\u2663\\ufe0e K\\u2665\\ufe0e'
    """
    return " ".join(map(Voice(cards="signs").name, cards))
