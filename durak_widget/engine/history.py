"""Stores the history of a game: moves, ends of bouts, and cards drawn unseen.

It also defines the table as pairs of an attacking card and the card that beat it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.cards import SUITS, Card, CardSet, normalize_copies
from durak_widget.engine.state_transitions import MOVE_APPLIERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State


class BoutEnd(NamedTuple):
    """The end of a bout, as all players saw it; `Observation.bout_ends` returns them.

    >>> end = BoutEnd(1, 1, 0, 1, True, (Card("6c").code,), (-1,), None, ((0, 1),), (), ())
    >>> str(end.table), end.trump
    ('6c', None)
    """

    ply: int
    """The number of moves made before the bout ended."""
    bout: int
    """The number of the bout, counted from 1."""
    attacker: int
    """The seat that was the attacker at the end of the bout."""
    defender: int
    """The seat that was the defender at the end of the bout."""
    taken: bool
    """True if the defender took the cards."""
    attacks: tuple[int, ...]
    """The played codes of the attacking cards, in the order of play; see `table`."""
    beats: tuple[int, ...]
    """For each attacking card: the played code of the card that beat it, or -1."""
    trump_suit: int | None
    """The index in `SUITS` of the trump suit during the bout."""
    draw_counts: tuple[tuple[int, int], ...]
    """The seats that drew after the bout, in order, each with its number of cards."""
    turned_cards: tuple[str, ...]
    """The cards that were drawn or turned over face up."""
    seats_out: tuple[int, ...]
    """The seats that went out at the end of the bout."""
    own_draw_mask: int = 0
    """The mask of the cards that the observing seat drew; see `own_draw`."""

    @property
    def trump(self) -> str | None:
        """Return the trump suit during the bout as a letter of `cdhs`; None without trumps."""
        return None if self.trump_suit is None else SUITS[self.trump_suit]

    @property
    def own_draw(self) -> CardSet:
        """Return the cards that the observing seat drew, which no other seat saw."""
        return CardSet.from_mask(self.own_draw_mask)

    @property
    def table(self) -> Pairs:
        """Return the pairs that were on the table when the bout ended."""
        return Pairs.from_codes(self.attacks, self.beats)


DRAW_COUNTS_INDEX: Final = BoutEnd._fields.index("draw_counts")
BoutEnds = tuple[tuple[Any, ...], ...]
"""The type of a sequence of ends of bouts, each as the public fields of a `BoutEnd`."""
OwnDraws = tuple[tuple[int, int], ...]
"""The type of a seat's draws: pairs of the ply and the mask of the drawn cards."""


class GameHistory:
    """The moves so far with their seats, and a cache of what each seat could observe."""

    __slots__ = ("_seen_cache", "actors", "moves")

    actors: list[int]
    moves: list[Move]

    def __init__(self, seats: int) -> None:
        self.actors, self.moves = [], []
        self._seen_cache: tuple[BoutEnds, tuple[OwnDraws, ...], int] = (
            (),
            ((),) * seats,
            0,
        )  # The cached results of the last request: ends of bouts, draws, and the number of swaps

    def copy(self) -> GameHistory:
        """Return an independent copy of the history."""
        new = GameHistory.__new__(GameHistory)
        new.actors, new.moves, new._seen_cache = self.actors[:], self.moves[:], self._seen_cache
        return new

    def play(self, state: State, move: Move) -> None:
        """Apply a legal move to a state, and record it in the history."""
        self.actors.append(state.actor)  # type: ignore[arg-type]
        self.moves.append(move)
        MOVE_APPLIERS[move.kind](state, move)

    def get_ends_and_draws(self, state: State, seat: int) -> tuple[BoutEnds, OwnDraws]:
        """Return the public ends of the bouts so far, and the draws of one seat.

        The state is the one to which this history has led.
        """
        ends, draws_by_seat, swap_count = self._seen_cache
        if len(state.bout_ends) > len(ends) or len(state.swap_draws) > swap_count:
            new_ends, updated_draws = state.bout_ends[len(ends) :], list(draws_by_seat)
            ends += tuple(
                [
                    (
                        *end[:DRAW_COUNTS_INDEX],
                        tuple([(drawer, count) for drawer, count, _ in end[DRAW_COUNTS_INDEX]]),
                        *end[DRAW_COUNTS_INDEX + 1 :],
                    )
                    for end in new_ends
                ]
            )
            for ply, drawer, mask in sorted(
                [
                    *state.swap_draws[swap_count:],
                    *((end[0], drawer, mask) for end in new_ends for drawer, _, mask in end[DRAW_COUNTS_INDEX]),
                ]
            ):
                updated_draws[drawer] += ((ply, normalize_copies(mask)),)
            draws_by_seat = tuple(updated_draws)
            # This is a single assignment, so that threads never see a half-updated cache
            self._seen_cache = ends, draws_by_seat, len(state.swap_draws)
        return ends, draws_by_seat[seat]


Pair = tuple[Card, Card | None]
"""The type of a pair on the table: an attacking card, and the card that beat it or None."""


class Pairs(tuple[Pair, ...]):
    """The pairs on the table, each an attacking card and the card that beat it (or None).

    >>> table = Pairs([(Card("7d"), Card("9d")), (Card("6d=h"), None)])
    >>> str(table), table[0], table.unbeaten
    ('7d/9d 6d=h', (Card('7d'), Card('9d')), (Card('6d=h'),))
    """

    __slots__ = ()

    @classmethod
    def from_codes(cls, attacks: Iterable[int], beats: Iterable[int]) -> Pairs:
        """Return the pairs from the played codes of cards, with -1 where a card is not beaten."""
        return cls(
            (Card.from_code(attack), None if beat < 0 else Card.from_code(beat)) for attack, beat in zip(attacks, beats, strict=True)
        )

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """Return the attacking cards that are not yet beaten."""
        return tuple(attack for attack, beat in self if beat is None)

    def __str__(self) -> str:
        return " ".join(str(attack) if beat is None else f"{attack}/{beat}" for attack, beat in self)

    def __repr__(self) -> str:
        return f"Pairs({list(self)!r})"
