"""What can be had from worlds that look alike: by nothing but games, which are played to their ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget import Game


class Plain:
    """What can be had from worlds that look alike, by nothing but games and their moves."""

    def __init__(self, seat: int, open_hands: Iterable[int]) -> None:
        """Whose it is, and whose hands it sees."""
        self.seat, self.open_hands = seat, tuple(open_hands)
        self.plans: dict[tuple[frozenset[Any], int], bool] = {}
        self.open: dict[Any, int] = {}

    def has(self, games: Sequence[Game], worth: int) -> bool:
        """Whether one plan brings so much in each of these, which it tells apart by what it sees."""
        apart: dict[Any, list[Game]] = {}
        for game in games:
            in_view = game.moves, game.actor, game.bout, tuple(map(len, game.hands)), len(game.talon)
            apart.setdefault((in_view, tuple(str(game.hands[seat]) for seat in self.open_hands)), []).append(game)
        return all(self.plan(some, worth) for some in apart.values())

    def plan(self, games: list[Game], worth: int) -> bool:
        """The same where all of these look alike."""
        first = games[0]
        if first.outcome is not None:
            return all(own_worth(game, self.seat) >= worth for game in games)
        key = frozenset(game.state.key() for game in games), worth
        if key not in self.plans:
            if first.actor == self.seat:
                found = any(self.has([then(game, move) for game in games], worth) for move in first.legal_moves())
            else:
                found = self.has([then(game, move) for game in games for move in game.legal_moves()], worth)
            self.plans[key] = found
        return self.plans[key]

    def worth(self, game: Game) -> int:
        """What a game is worth where all lies open."""
        if game.outcome is not None:
            return own_worth(game, self.seat)
        key = game.state.key()
        if key not in self.open:
            self.open[key] = (max if game.actor == self.seat else min)(self.worth(then(game, move)) for move in game.legal_moves())
        return self.open[key]


def own_worth(game: Game, seat: int) -> int:
    """What a game that is over brought to a seat."""
    return (seat in game.outcome.winners) - (seat in game.outcome.losers)


def then(game: Game, move: object) -> Game:
    """The game one move later."""
    after = game.copy()
    after.play(move)
    return after
