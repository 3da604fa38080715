"""Bots that do not think: something to be better than."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View


def at_random(view: View, rng: Random) -> Move:
    """Any legal move, each with the same chance.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> at_random(Game(seed=7).view(0), Random(1))
    Move('attack 9d')
    """
    return rng.choice(view.legal_moves())


def first(view: View, rng: Random) -> Move:  # noqa: ARG001 - a bot is handed its chance, whether it takes it or not
    """The first legal move in the order of the rule book: the same game every time.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> first(Game(seed=7).view(0), Random(1))
    Move('attack Jc')
    """
    return view.legal_moves()[0]
