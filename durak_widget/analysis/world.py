"""A world as a game that is played up to its moment only when somebody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.engine.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable


class World(Game):
    """A game like any other. That it has just been drawn costs little: how it came about is played when it is first asked for.

    >>> world = World(lambda: Game(seed=7))
    >>> world.trump == Game(seed=7).trump, isinstance(world, Game)
    (True, True)
    """

    __slots__ = ("_unfold",)

    def __init__(self, unfold: Callable[[], Game]) -> None:
        self._unfold = unfold

    def __getattr__(self, name: str) -> object:
        """What is not there yet: then all of it is made."""
        if name not in Game.__slots__:
            msg = f"a game has no {name!r}"
            raise AttributeError(msg)
        game = self._unfold()
        for slot in Game.__slots__:
            setattr(self, slot, getattr(game, slot))
        return getattr(game, name)

    def __reduce__(self) -> tuple[object, ...]:
        return _as_it_is, (Game.copy(self),)


def _as_it_is(game: Game) -> Game:
    return game
