"""Records how a game reached its state: the moves, how bouts ended, and cards picked up unseen.

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
    """How a bout ended, as everybody at the table saw it; `View.ends` gives them.

    >>> end = BoutEnd(1, 1, 0, 1, True, (Card("6c").code,), (-1,), None, ((0, 1),), (), ())
    >>> str(end.table), end.trump
    ('6c', None)
    """

    ply: int
    """How many moves had been made."""
    bout: int
    """Which bout of the game it was, from 1."""
    attacker: int
    """The seat that attacked last."""
    defender: int
    """The seat that defended last."""
    taken: bool
    """Whether the defender took."""
    attacks: tuple[int, ...]
    """The attacking cards as played codes, in the order played; see `table`."""
    beats: tuple[int, ...]
    """The card that beat each, or -1."""
    suit: int | None
    """The trump suit of the bout, by its place in `SUITS`."""
    drew: tuple[tuple[int, int], ...]
    """Who drew how many cards, in order."""
    turned: tuple[str, ...]
    """The cards drawn or turned over face up."""
    out: tuple[int, ...]
    """The seats that went out when the bout was over."""
    mine: int = 0
    """The mask of the cards that the viewer drew; see `drawn`."""

    @property
    def trump(self) -> str | None:
        """The trump suit of the bout, one of `cdhs`."""
        return None if self.suit is None else SUITS[self.suit]

    @property
    def drawn(self) -> CardSet:
        """The cards that the viewer drew, which nobody else saw."""
        return CardSet.of(self.mine)

    @property
    def table(self) -> Pairs:
        """The pairs that lay on the table."""
        return Pairs.of(self.attacks, self.beats)


DREW: Final = BoutEnd._fields.index("drew")
Ends = tuple[tuple[Any, ...], ...]
"""How bouts ended, each the fields of a `BoutEnd` that everybody sees."""
Drew = tuple[tuple[int, int], ...]
"""After how many moves a seat drew, and the mask of what."""


class Story:
    """The moves so far and who made them; and of what the state notes as it goes, what everybody saw and what each seat drew."""

    __slots__ = ("_looked", "actors", "moves")

    actors: list[int]
    moves: list[Move]

    def __init__(self, seats: int) -> None:
        self.actors, self.moves = [], []
        self._looked: tuple[Ends, tuple[Drew, ...], int] = (), ((),) * seats, 0  # as far as anybody has asked: ends, draws, swaps

    def copy(self) -> Story:
        """Another story that began alike and goes its own way."""
        new = Story.__new__(Story)
        new.actors, new.moves, new._looked = self.actors[:], self.moves[:], self._looked
        return new

    def play(self, state: State, move: Move) -> None:
        """Carry out a legal move, and write it down."""
        self.actors.append(state.actor)  # type: ignore[arg-type]
        self.moves.append(move)
        PLAYS[move.kind](state, move)

    def seen_by(self, state: State, seat: int) -> tuple[Ends, Drew]:
        """How the bouts ended as everybody saw it, and what this seat drew, in the state to which the story has led."""
        ends, drew, swaps = self._looked
        if len(state.ends) > len(ends) or len(state.brought) > swaps:
            fresh, cards = state.ends[len(ends) :], list(drew)
            ends += tuple([(*end[:DREW], tuple([(who, count) for who, count, _ in end[DREW]]), *end[DREW + 1 :]) for end in fresh])
            for ply, who, mask in sorted([*state.brought[swaps:], *((end[0], who, mask) for end in fresh for who, _, mask in end[DREW])]):
                cards[who] += ((ply, plainly(mask)),)
            drew = tuple(cards)
            self._looked = ends, drew, len(state.brought)  # in one step, so that two who ask at once read the same
        return ends, drew[seat]


Pair = tuple[Card, Card | None]
"""An attacking card, and the card that beat it or None."""


class Pairs(tuple[Pair, ...]):
    """The table: pairs of an attacking card and the card that beat it, or None.

    >>> table = Pairs([(Card("7d"), Card("9d")), (Card("6d=h"), None)])
    >>> str(table), table[0], table.unbeaten
    ('7d/9d 6d=h', (Card('7d'), Card('9d')), (Card('6d=h'),))
    """

    __slots__ = ()

    @classmethod
    def of(cls, attacks: Iterable[int], beats: Iterable[int]) -> Pairs:
        """The table of some played codes, -1 where a card is not beaten."""
        return cls((Card.of(a), None if b < 0 else Card.of(b)) for a, b in zip(attacks, beats, strict=True))

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """The attacking cards that are not beaten."""
        return tuple(attack for attack, beat in self if beat is None)

    def __str__(self) -> str:
        return " ".join(str(attack) if beat is None else f"{attack}/{beat}" for attack, beat in self)

    def __repr__(self) -> str:
        return f"Pairs({list(self)!r})"
