"""What a strategy can guarantee in worlds that look the same, found by playing games to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget import Game


class TooMuchError(Exception):
    """The limit of games was reached, or a position was repeated."""


class Plain:
    """Guaranteed results in worlds that look the same, by games and their moves alone."""

    def __init__(self, seat: int, open_hands: Iterable[int], most: int = 1_000_000) -> None:
        """Set the player, whose hands they see, and a limit of moves to try."""
        self.seat, self.open_hands = seat, tuple(open_hands)
        self.plans: dict[tuple[frozenset[Any], int], bool | None] = {}
        self.open: dict[Any, int | None] = {}
        self.left = most

    def has(self, games: Sequence[Game], result: int) -> bool:
        """Return whether one strategy, which depends on what the player sees, gets this result in each game."""
        apart: dict[Any, list[Game]] = {}
        for game in games:
            in_view = game.view(self.seat).data.moves, game.actor, game.bout, tuple(map(len, game.hands)), len(game.talon)
            apart.setdefault((in_view, tuple(str(game.hands[seat]) for seat in self.open_hands)), []).append(game)
        return all(self.plan(some, result) for some in apart.values())

    def plan(self, games: list[Game], result: int) -> bool:
        """Return the same for games that all look the same."""
        first = games[0]
        if first.outcome is not None:
            return all(own_value(game, self.seat) >= result for game in games)
        key = frozenset(game.state.key() for game in games), result
        if key not in self.plans:
            self.plans[key] = None
            if first.actor == self.seat:
                found = any(self.has([self.then(game, move) for game in games], result) for move in first.legal_moves())
            else:
                found = self.has([self.then(game, move) for game in games for move in game.legal_moves()], result)
            self.plans[key] = found
        return self.known(self.plans[key])

    def value(self, game: Game) -> int:
        """Return the value of a game with open cards."""
        if game.outcome is not None:
            return own_value(game, self.seat)
        key = game.state.key()
        if key not in self.open:
            self.open[key] = None
            self.open[key] = (max if game.actor == self.seat else min)(self.value(self.then(game, move)) for move in game.legal_moves())
        return self.known(self.open[key])

    def then(self, game: Game, move: object) -> Game:
        """Return the game one move later, within the limit of moves."""
        self.left -= 1
        if self.left < 0:
            raise TooMuchError
        return then(game, move)

    @staticmethod
    def known(found: Any) -> Any:
        """Return a known result; if it isn't ready, the position was repeated."""
        if found is None:
            raise TooMuchError
        return found


def own_value(game: Game, seat: int) -> int:
    """Return a player's result of a finished game."""
    return (seat in game.outcome.winners) - (seat in game.outcome.losers)


def then(game: Game, move: object) -> Game:
    """Return the game one move later."""
    after = game.copy()
    after.play(move)
    return after
