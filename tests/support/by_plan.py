"""What can be had from worlds that look alike: by nothing but games, which are played to their ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget import Game


class TooMuchError(Exception):
    """More games than are played here, or one that comes to the same moment twice."""


class Plain:
    """What can be had from worlds that look alike, by nothing but games and their moves."""

    def __init__(self, seat: int, open_hands: Iterable[int], most: int = 1_000_000) -> None:
        """Whose it is, and whose hands it sees; at most so many moves are tried."""
        self.seat, self.open_hands = seat, tuple(open_hands)
        self.plans: dict[tuple[frozenset[Any], int], bool | None] = {}
        self.open: dict[Any, int | None] = {}
        self.left = most

    def has(self, games: Sequence[Game], worth: int) -> bool:
        """Whether one plan brings so much in each of these, which it tells apart by what it sees."""
        apart: dict[Any, list[Game]] = {}
        for game in games:
            in_view = game.view(self.seat).data.moves, game.actor, game.bout, tuple(map(len, game.hands)), len(game.talon)
            apart.setdefault((in_view, tuple(str(game.hands[seat]) for seat in self.open_hands)), []).append(game)
        return all(self.plan(some, worth) for some in apart.values())

    def plan(self, games: list[Game], worth: int) -> bool:
        """The same where all of these look alike."""
        first = games[0]
        if first.outcome is not None:
            return all(own_worth(game, self.seat) >= worth for game in games)
        key = frozenset(game.state.key() for game in games), worth
        if key not in self.plans:
            self.plans[key] = None
            if first.actor == self.seat:
                found = any(self.has([self.then(game, move) for game in games], worth) for move in first.legal_moves())
            else:
                found = self.has([self.then(game, move) for game in games for move in game.legal_moves()], worth)
            self.plans[key] = found
        return self.known(self.plans[key])

    def worth(self, game: Game) -> int:
        """What a game is worth where all lies open."""
        if game.outcome is not None:
            return own_worth(game, self.seat)
        key = game.state.key()
        if key not in self.open:
            self.open[key] = None
            self.open[key] = (max if game.actor == self.seat else min)(self.worth(self.then(game, move)) for move in game.legal_moves())
        return self.known(self.open[key])

    def then(self, game: Game, move: object) -> Game:
        """The game one move later, as long as not too many were tried."""
        self.left -= 1
        if self.left < 0:
            raise TooMuchError
        return then(game, move)

    @staticmethod
    def known(found: Any) -> Any:
        """What was found; where it is not yet, the same moment has come again."""
        if found is None:
            raise TooMuchError
        return found


def own_worth(game: Game, seat: int) -> int:
    """What a game that is over brought to a seat."""
    return (seat in game.outcome.winners) - (seat in game.outcome.losers)


def then(game: Game, move: object) -> Game:
    """The game one move later."""
    after = game.copy()
    after.play(move)
    return after
