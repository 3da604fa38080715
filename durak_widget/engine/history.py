"""Stores the history of a game: its moves, how each bout ended, and who drew which cards.

The module also defines `Pairs`: the attacking cards on the table, each with the card that beat it.
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
    """How a bout ended: what all players saw, and the cards that the observing seat drew.

    >>> end = BoutEnd(1, 1, 0, 1, True, (Card("6c").code,), (-1,), None, ((0, 1),), (), ())
    >>> str(end.table), end.trump
    ('6c', None)
    """

    ply: int
    """The number of moves in the game before the bout ended."""
    bout: int
    """The number of the bout, counted from 1."""
    attacker: int
    """The seat that was the attacker at the end of the bout."""
    defender: int
    """The seat that was the defender at the end of the bout."""
    taken: bool
    """True if the defender took the cards; False if the defender beat all of them."""
    attacks: tuple[int, ...]
    """The codes of the attacking cards, in the order in which they were played."""
    beats: tuple[int, ...]
    """The code of the card that beat each attacking card; -1 if no card beat it."""
    trump_suit: int | None
    """The trump suit during the bout, as an index in `SUITS`; None if there were no trumps."""
    draw_counts: tuple[tuple[int, int], ...]
    """The seats that drew cards after the bout, in the order of drawing, each with the number of cards it drew."""
    turned_cards: tuple[str, ...]
    """The face-up trump card if a player drew it after the bout, and the hidden card that was under it."""
    seats_out: tuple[int, ...]
    """The seats that left the game at the end of the bout."""
    own_draw_mask: int = 0
    """The bit mask of the cards that the observing seat drew after the bout."""

    @property
    def trump(self) -> str | None:
        """Return the trump suit during the bout: `c`, `d`, `h` or `s`, or None without trumps."""
        return None if self.trump_suit is None else SUITS[self.trump_suit]

    @property
    def own_draw(self) -> CardSet:
        """Return the cards that the observing seat drew after the bout, unseen by other seats."""
        return CardSet.from_mask(self.own_draw_mask)

    @property
    def table(self) -> Pairs:
        """Return the final table of the bout: each attacking card with the card that beat it."""
        return Pairs.from_codes(self.attacks, self.beats)


DRAW_COUNTS_INDEX: Final = BoutEnd._fields.index("draw_counts")
BoutEnds = tuple[tuple[Any, ...], ...]
"""The type of a sequence of finished bouts, each as a tuple with the public fields of a `BoutEnd`."""
OwnDraws = tuple[tuple[int, int], ...]
"""The type of one seat's draws: pairs of a ply and the bit mask of the cards drawn at this ply."""


class GameHistory:
    """The moves of a game, the seat that made each move, and a cache of what each seat saw."""

    __slots__ = ("_seen_cache", "actors", "moves")

    actors: list[int]
    moves: list[Move]

    def __init__(self, seats: int) -> None:
        self.actors, self.moves = [], []
        # The cache: how each finished bout ended, what each seat drew, and how many of these draws were swaps with the talon.
        self._seen_cache: tuple[BoutEnds, tuple[OwnDraws, ...], int] = ((), ((),) * seats, 0)

    def copy(self) -> GameHistory:
        """Return a copy of the history that can change independently."""
        new = GameHistory.__new__(GameHistory)
        new.actors, new.moves, new._seen_cache = self.actors[:], self.moves[:], self._seen_cache
        return new

    def play(self, state: State, move: Move) -> None:
        """Apply a legal move to a state, and add the move to this history."""
        self.actors.append(state.actor)  # type: ignore[arg-type]
        self.moves.append(move)
        MOVE_APPLIERS[move.kind](state, move)

    def get_ends_and_draws(self, state: State, seat: int) -> tuple[BoutEnds, OwnDraws]:
        """Return the public facts about how each bout ended, and the cards that a given seat drew.

        `state` must be the state after the moves of this history.
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
            # Assign all three parts of the cache in one step, so that other threads never see a partly updated cache.
            self._seen_cache = ends, draws_by_seat, len(state.swap_draws)
        return ends, draws_by_seat[seat]


Pair = tuple[Card, Card | None]
"""The type of a pair on the table: an attacking card, and the card that beat it (or None)."""


class Pairs(tuple[Pair, ...]):
    """The cards on the table as pairs: an attacking card, and the card that beat it (or None).

    >>> table = Pairs([(Card("7d"), Card("9d")), (Card("6d=h"), None)])
    >>> str(table), table[0], table.unbeaten
    ('7d/9d 6d=h', (Card('7d'), Card('9d')), (Card('6d=h'),))
    """

    __slots__ = ()

    @classmethod
    def from_codes(cls, attacks: Iterable[int], beats: Iterable[int]) -> Pairs:
        """Build a `Pairs` object from card codes; -1 in `beats` marks an unbeaten attacking card."""
        return cls(
            (Card.from_code(attack), None if beat < 0 else Card.from_code(beat)) for attack, beat in zip(attacks, beats, strict=True)
        )

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """Return the attacking cards that no card has beaten yet."""
        return tuple(attack for attack, beat in self if beat is None)

    def __str__(self) -> str:
        return " ".join(str(attack) if beat is None else f"{attack}/{beat}" for attack, beat in self)

    def __repr__(self) -> str:
        return f"Pairs({list(self)!r})"
