"""The table as people read it: which card beats which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import Card

if TYPE_CHECKING:
    from collections.abc import Iterable

Pair = tuple[Card, Card | None]
"""An attacking card, and the card that beat it or None."""


class Table(tuple[Pair, ...]):
    """The table: pairs of an attacking card and the card that beat it, or None.

    >>> table = Table([(Card("7d"), Card("9d")), (Card("6d=h"), None)])
    >>> str(table), table[0], table.unbeaten
    ('7d/9d 6d=h', (Card('7d'), Card('9d')), (Card('6d=h'),))
    """

    __slots__ = ()

    @classmethod
    def of(cls, attacks: Iterable[int], beats: Iterable[int]) -> Table:
        """The table of some played codes, -1 where a card is not beaten."""
        return cls((Card.of(a), None if b < 0 else Card.of(b)) for a, b in zip(attacks, beats, strict=True))

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """The attacking cards that are not beaten."""
        return tuple(attack for attack, beat in self if beat is None)

    def __str__(self) -> str:
        return " ".join(str(attack) if beat is None else f"{attack}/{beat}" for attack, beat in self)

    def __repr__(self) -> str:
        return f"Table({list(self)!r})"
