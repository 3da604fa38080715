"""The history of a game: the moves, the ends of bouts, and cards drawn unseen.

It also defines the table as pairs of an attacking card and the card that beat it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.cards import SUITS, Card, CardSet, plainly
from durak_widget.engine.state_transitions import PLAYS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State


class BoutEnd(NamedTuple):
    """The end of a bout, as everyone at the table saw it; `View.ends` returns them.

    >>> end = BoutEnd(1, 1, 0, 1, True, (Card("6c").code,), (-1,), None, ((0, 1),), (), ())
    >>> str(end.table), end.trump
    ('6c', None)
    """

    ply: int
    """The number of moves made before the end of the bout."""
    bout: int
    """The number of the bout, from 1."""
    attacker: int
    """The seat that attacked last."""
    defender: int
    """The seat that defended last."""
    taken: bool
    """True if the defender took."""
    attacks: tuple[int, ...]
    """The played codes of the attacking cards, in the order played; see `table`."""
    beats: tuple[int, ...]
    """The played code of the card that beat each, or -1."""
    suit: int | None
    """The index of the bout's trump suit in `SUITS`."""
    drew: tuple[tuple[int, int], ...]
    """The seats that drew, each with how many cards, in order."""
    turned: tuple[str, ...]
    """The cards that were drawn or turned over face up."""
    out: tuple[int, ...]
    """The seats that went out at the end of the bout."""
    mine: int = 0
    """The mask of the cards that the viewer drew; see `drawn`."""

    @property
    def trump(self) -> str | None:
        """Return the trump suit of the bout, one of `cdhs`."""
        return None if self.suit is None else SUITS[self.suit]

    @property
    def drawn(self) -> CardSet:
        """Return the cards that the viewer drew, which no other seat saw."""
        return CardSet.of(self.mine)

    @property
    def table(self) -> Pairs:
        """Return the pairs that were on the table."""
        return Pairs.of(self.attacks, self.beats)


DREW: Final = BoutEnd._fields.index("drew")
Ends = tuple[tuple[Any, ...], ...]
"""The type of the ends of bouts: the public fields of each `BoutEnd`."""
Drew = tuple[tuple[int, int], ...]
"""The type of the draws of one seat: ply and mask."""


class Story:
    """The moves so far with their seats, and a cache of what each seat could observe."""

    __slots__ = ("_looked", "actors", "moves")

    actors: list[int]
    moves: list[Move]

    def __init__(self, seats: int) -> None:
        self.actors, self.moves = [], []
        self._looked: tuple[Ends, tuple[Drew, ...], int] = (), ((),) * seats, 0  # up to the last request: ends, draws, swap count

    def copy(self) -> Story:
        """Return an independent copy of the history."""
        new = Story.__new__(Story)
        new.actors, new.moves, new._looked = self.actors[:], self.moves[:], self._looked
        return new

    def play(self, state: State, move: Move) -> None:
        """Apply a legal move to the state, and record it."""
        self.actors.append(state.actor)  # type: ignore[arg-type]
        self.moves.append(move)
        PLAYS[move.kind](state, move)

    def seen_by(self, state: State, seat: int) -> tuple[Ends, Drew]:
        """Return the public ends of the bouts, and the draws of this seat.

        The state is the one to which this history has led.
        """
        ends, draws_by_seat, swap_count = self._looked
        if len(state.ends) > len(ends) or len(state.brought) > swap_count:
            new_ends, updated_draws = state.ends[len(ends) :], list(draws_by_seat)
            ends += tuple([(*end[:DREW], tuple([(drawer, count) for drawer, count, _ in end[DREW]]), *end[DREW + 1 :]) for end in new_ends])
            for ply, drawer, mask in sorted(
                [*state.brought[swap_count:], *((end[0], drawer, mask) for end in new_ends for drawer, _, mask in end[DREW])]
            ):
                updated_draws[drawer] += ((ply, plainly(mask)),)
            draws_by_seat = tuple(updated_draws)
            self._looked = ends, draws_by_seat, len(state.brought)  # one assignment, so that two threads read the same
        return ends, draws_by_seat[seat]


Pair = tuple[Card, Card | None]
"""The type of a pair: an attacking card, and the card that beat it or None."""


class Pairs(tuple[Pair, ...]):
    """The pairs on the table: each an attacking card and the card that beat it, or None.

    >>> table = Pairs([(Card("7d"), Card("9d")), (Card("6d=h"), None)])
    >>> str(table), table[0], table.unbeaten
    ('7d/9d 6d=h', (Card('7d'), Card('9d')), (Card('6d=h'),))
    """

    __slots__ = ()

    @classmethod
    def of(cls, attacks: Iterable[int], beats: Iterable[int]) -> Pairs:
        """Return the pairs of these played codes, with -1 where a card is not beaten."""
        return cls((Card.of(attack), None if beat < 0 else Card.of(beat)) for attack, beat in zip(attacks, beats, strict=True))

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """Return the attacking cards that are not beaten."""
        return tuple(attack for attack, beat in self if beat is None)

    def __str__(self) -> str:
        return " ".join(str(attack) if beat is None else f"{attack}/{beat}" for attack, beat in self)

    def __repr__(self) -> str:
        return f"Pairs({list(self)!r})"
