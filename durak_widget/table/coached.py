"""A word after a move that cost much, at any table where a coach is wanted: found out beside the table, once for each move of whoever sits there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from durak_widget.engine.game import Game
    from durak_widget.table.costly import Word
    from durak_widget.widgets.background_jobs import Works


class Coached:
    """What there is to say of the last move of one seat.

    >>> def at_once(work, heard):
    ...     heard(work())
    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> coached = Coached(at_once, found=lambda: print("found"))
    >>> coached.seek("a move", game, 0)
    found
    >>> print(coached.at("a move").said())
    That gives the win away. What wins: attack with the 7 of diamonds.
    >>> coached.at("another") is None
    True
    """

    def __init__(self, works: Works, found: Callable[[], object]) -> None:
        """Whoever is told hears it once it is found."""
        self._works, self._found = works, found
        self._key: Hashable = None
        self._word: Word | None = None

    def seek(self, key: Hashable, game: Game | None, ply: int) -> None:
        """Find out about the move after so many others, if it is another than before; without a game, all is forgotten."""
        if key == self._key:
            return
        self._key, self._word = key, None
        if game is not None:
            from durak_widget.table.costly import word_on  # noqa: PLC0415 - who wants no coach loads none of it

            before = game.copy()
            self._works(lambda: word_on(before, ply), self._heard)

    def at(self, key: Hashable) -> Word | None:
        """What there is to say of that move, if it is known."""
        return self._word if key == self._key else None

    def _heard(self, word: Word | None) -> None:
        self._word = word
        self._found()
