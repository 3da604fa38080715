"""The table as people read it: which card beats which, and how a bout ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.cards import SUITS, Card, CardSet

if TYPE_CHECKING:
    from collections.abc import Iterable

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
