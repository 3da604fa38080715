"""Where in a game something may be drawn, by the names that a teacher gives such places: payoffs at the ends, chances at the draws."""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.custom_games.numbers_drawn import Lot
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.gametheory.tree import CHANCE, OVER, Chance

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from durak_widget.gametheory.tree import Tree

START: Final = "the start"
_SHOWN: Final = 6
"""So many names are told where one is not known."""


class Spot(NamedTuple):
    """Where one number stands: a payoff of a seat at an end, or the chance of a move at a draw."""

    history: int
    place: int
    """The seat; of a draw, the move."""


class Named(NamedTuple):
    """What a name stands for."""

    chance: bool
    spots: tuple[Spot, ...]
    """Each payoff is drawn by itself; the same move of chance is as likely wherever it may come, so that it is drawn once."""
    each: bool = False
    """Whether no player is named: of a game in which one wins what the other loses, the first player's payoffs are meant."""


class Places:
    """All that may be drawn in a game, by its names.

    >>> from durak_widget.analysis import textbook
    >>> places = Places(textbook("entry"))
    >>> sorted(places.known)[:3]
    ['payoff', 'payoff at enter, fight', 'payoff at enter, fight of chain store']
    >>> places.of("payoff at Enter, fight of Entrant").spots
    (Spot(history=4, place=0),)
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.known: dict[str, Named] = {}
        self.said: dict[str, str] = {}
        """The names as they are written."""
        self._twice: set[str] = set()
        ends = [here for here in range(tree.histories) if tree.actor[here] == OVER]
        seats = range(tree.seats)
        self._put("payoffs", Named(chance=False, spots=tuple([Spot(end, seat) for end in ends for seat in seats]), each=True))
        for seat in seats:
            self._put(f"payoffs of {tree.names[seat]}", Named(chance=False, spots=tuple([Spot(end, seat) for end in ends])))
        for end in ends:
            way = self.way(end)
            self._put(f"payoffs at {way}", Named(chance=False, spots=tuple([Spot(end, seat) for seat in seats]), each=True))
            for seat in seats:
                self._put(f"payoff at {way} of {tree.names[seat]}", Named(chance=False, spots=(Spot(end, seat),)))
        moves: dict[str, list[Spot]] = {}
        for here in range(tree.histories):
            if tree.actor[here] == CHANCE:
                for place, move in enumerate(tree.chances[tree.info[here]].moves):
                    self._put(f"chance of {move} at {self.way(here)}", Named(chance=True, spots=(Spot(here, place),)))
                    moves.setdefault(move, []).append(Spot(here, place))
        for move, spots in moves.items():
            self._put(f"chance of {move}", Named(chance=True, spots=tuple(spots)))

    def way(self, history: int) -> str:
        """How a history is named: by the moves that lead there."""
        return ", ".join(self.tree.moves_to(history)) or START

    def _put(self, name: str, what: Named) -> None:
        plain = plain_place(name)
        if plain in self.known and self.known[plain] != what:
            self._twice.add(plain)
        self.known[plain], self.said[plain] = what, name

    def of(self, name: object) -> Named:
        """What that name stands for."""
        plain = plain_place(name) if isinstance(name, str) else ""
        if plain in self._twice:
            raise DurakError(f"{quoted(name)} may be two places of this game: give its moves, or its players, different names")
        if plain not in self.known:
            some = [self.said[one] for one in sorted(self.known, key=lambda one: (-len(self.known[one].spots), one))]
            more = ", …" if len(some) > _SHOWN else ""
            raise DurakError(
                f"nothing that could be drawn is called {quoted(name)}; there are {', '.join(map(quoted, some[:_SHOWN]))}{more}."
                f"{nearest(str(name)[:200], some)}"
            )
        return self.known[plain]


def plain_place(name: str) -> str:
    """A name of a place however it is spaced, large or small, of one payoff or of several.

    >>> plain_place("Payoffs at  In,Fight of Two")
    'payoff at in, fight of two'
    """
    words = " ".join(name.replace(",", ", ").casefold().split())
    return f"payoff{words[7:]}" if words.startswith("payoffs") else words


class Lots(NamedTuple):
    """What is drawn in a game, each number from which lot; general names first, so that a particular one has the last word."""

    payoffs: tuple[tuple[Spot, Lot], ...]
    chances: tuple[tuple[tuple[Spot, ...], Lot], ...]

    @classmethod
    def of(cls, tree: Tree, lots: Mapping[str, Lot], *, zero_sum: bool) -> Lots:
        """By the names that somebody gave; in a game that is to stay zero-sum the second player's payoffs follow from the first's."""
        if not hasattr(lots, "items"):
            raise DurakError(f"lots are given by their places, as in {{'payoffs': between(1, 9)}}, not as {quoted(lots)}")
        places, named = Places(tree), []
        for name, lot in lots.items():
            if not isinstance(lot, Lot):
                raise DurakError(f"lots[{quoted(name)}] is what is drawn there, such as lessons.between(1, 9), not {quoted(lot)}")
            named.append((places.of(name), lot))
        named.sort(key=lambda one: -len(one[0].spots))
        payoffs = {
            spot: lot for one, lot in named if not one.chance for spot in one.spots if not (zero_sum and one.each and spot.place)
        }  # fmt: skip
        if zero_sum and (twice := next((spot.history for spot in payoffs if spot.place and Spot(spot.history, 0) in payoffs), None)):
            raise DurakError(
                f"what one wins the other loses here, so that of the payoffs at {places.way(twice)} one is drawn and the other follows; "
                "say zero_sum=False to draw both"
            )
        return cls(tuple(payoffs.items()), tuple((one.spots, lot) for one, lot in named if one.chance))

    def drawn(self, tree: Tree, rng: Random, *, zero_sum: bool) -> Tree | None:
        """The game with what is drawn; None where chances come to more than 1, or to less."""
        worths = {here: list(tree.payoffs[tree.info[here]]) for here in range(tree.histories) if tree.actor[here] == OVER}
        for spot, lot in self.payoffs:
            worths[spot.history][spot.place] = lot.drawn(rng)
            if zero_sum:
                worths[spot.history][1 - spot.place] = -worths[spot.history][spot.place]
        told: dict[int, dict[int, Fraction]] = {}
        for spots, lot in self.chances:
            likely = lot.drawn(rng)
            for spot in spots:
                told.setdefault(spot.history, {})[spot.place] = likely
        rows = {}
        for here in range(tree.histories):
            if tree.actor[here] == CHANCE:
                row = _completed(tree.chances[tree.info[here]], told.get(here, {}))
                if row is None:
                    return None
                rows[here] = row
        return _told_anew(tree, {here: tuple(worth) for here, worth in worths.items()}, rows)


def _completed(draw: Chance, told: Mapping[int, Fraction]) -> Chance | None:
    """The chances of a draw of which some are told: the others share what is left, as they did before."""
    left = 1 - sum(told.values(), Fraction(0))
    others = sum([one for place, one in enumerate(draw.probabilities) if place not in told], Fraction(0))
    if min(told.values(), default=Fraction(0)) < 0 or (left <= 0 if others else left):
        return None
    return Chance(
        draw.moves, tuple([told[place] if place in told else one * left / others for place, one in enumerate(draw.probabilities)])
    )


def _told_anew(tree: Tree, worths: Mapping[int, tuple[Fraction, ...]], draws: Mapping[int, Chance]) -> Tree:
    """A tree with other payoffs and other chances, and the same otherwise."""
    new = copy(tree)
    new.info = tree.info[:]
    payoffs: dict[tuple[Fraction, ...], int] = {}
    chances: dict[Chance, int] = {}
    for here, worth in worths.items():
        new.info[here] = payoffs.setdefault(worth, len(payoffs))
    for here, draw in draws.items():
        new.info[here] = chances.setdefault(draw, len(chances))
    new.payoffs, new.chances = list(payoffs), list(chances)
    return new
