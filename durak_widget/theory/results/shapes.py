"""Endings that are the same but for the names of suits and the gaps between ranks: one of each kind is solved.

Without a talon a position is wholly given by who holds how many cards, which card beats which, which are of one rank, and which are trumps.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.cards import SUIT_NAMES, card_of
from durak_widget.errors import PositionError
from durak_widget.game.game import Game
from durak_widget.game.play.kit import kit_of
from durak_widget.rules.book import Rules
from durak_widget.theory.endings import endgame
from durak_widget.work.sharing import every_value

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from durak_widget.cards import Card

Hand = tuple["Card", ...]


class KindSolved(NamedTuple):
    """What is known of all positions of one kind: the values are those of the seat to act."""

    game: Game
    """One of them."""
    value: int
    moves: dict[str, int]
    """Its moves, and what each is worth."""

    @property
    def best(self) -> int:
        """How many moves keep the value."""
        return sum(one == self.value for one in self.moves.values())


class Shapes:
    """Endings of a small deck, seat 0 the attacker, each kind of them solved once.

    >>> from durak_widget.cards import read_cards
    >>> shapes = Shapes("econ431", "cdhs", "QKA", "h")
    >>> shapes.solved(read_cards("Qh Ks"), read_cards("Kh Kc")).moves
    {'attack Qh': 1, 'attack Ks': -1}
    >>> shapes.solved(read_cards("Qh Kd"), read_cards("Kh Ks")) is shapes.solved(read_cards("Qh Ks"), read_cards("Kh Kc"))
    True
    """

    def __init__(self, rules: Rules | str, suits: str, ranks: str, trump: str) -> None:
        self.rules = Rules.of(rules).replace(suits=suits, ranks=ranks, trump=trump, hand_size=1, players=2)
        self.name, self.trump = str(rules), None if trump == "none" else trump
        kit = kit_of(self.rules)
        if kit.twins:
            raise PositionError("endings are counted here with one deck, in which every card is another; take rules with decks=1")
        self.cards: Hand = tuple(map(card_of, kit.deck))
        self._alike = all(len(codes) == 1 for codes in kit.plays)
        self._beats = {(one, other): other in self.rules.beaters(one, self.trump) for one in self.cards for other in self.cards}
        self._known: dict[Hashable, KindSolved | None] = {}

    @property
    def told(self) -> str:
        """The rules and the deck, in words."""
        trumps = f"{SUIT_NAMES[self.trump]} are trumps" if self.trump else "no trumps"
        return f"{self.name} without talon, {len(self.cards)} cards, {trumps}"

    @property
    def kinds(self) -> int:
        """How many kinds of positions were solved so far."""
        return len(self._known)

    def splits(self, mine: int, theirs: int) -> Iterator[tuple[Hand, Hand]]:
        """All ways to deal so many cards to the attacker and so many to the defender."""
        for one in combinations(self.cards, mine):
            rest = [card for card in self.cards if card not in one]
            for other in combinations(rest, theirs):
                yield one, other

    def solved(self, mine: Hand, theirs: Hand) -> KindSolved:
        """The position in which these hands are held and the first is to attack."""
        found = self.waiting(mine, theirs, None)
        assert found is not None  # noqa: S101 - who holds cards and is to attack is in a game that goes on
        return found

    def beats(self, card: Card, attack: Card) -> bool:
        """Whether a card beats another."""
        return self._beats[attack, card]

    def waiting(self, mine: Hand, theirs: Hand, attack: Card | None) -> KindSolved | None:
        """What hands are worth while this card waits to be beaten; None where that ends the game, as a last card does under some rules."""
        kind = self.kind(mine, theirs, attack)
        if kind not in self._known:
            self._known[kind] = _of_kind((self.rules, self.trump), (mine, theirs, attack))
        return self._known[kind]

    def solve_all(self, positions: Iterable[tuple[Hand, Hand, Card | None]], executor: object) -> None:
        """Solve every kind of these positions beforehand, by whoever works; `solved` and `waiting` then know them. With nobody, each is solved when it is asked for."""
        if executor is None:
            return
        first: dict[Hashable, tuple[Hand, Hand, Card | None]] = {}
        for one in positions:
            kind = self.kind(*one)
            if kind not in self._known:
                first.setdefault(kind, one)
        found = every_value(_of_kind, first.values(), executor=executor, common=(self.rules, self.trump))
        self._known |= dict(zip(first, found, strict=True))

    def kind(self, mine: Hand, theirs: Hand, attack: Card | None) -> Hashable:
        """Equal for two positions only where one is the other with its cards renamed."""
        order = [*self._sorted(mine), *self._sorted(theirs), *([attack] if attack else [])]
        if not self._alike:
            return (len(mine), *order)
        beats, relation = self._beats, 0
        for one in order:
            for other in order:
                relation = relation << 2 | beats[one, other] << 1 | (one.rank == other.rank)
            relation = relation << 1 | (one.suit == self.trump)
        return len(mine), len(theirs), relation

    def _sorted(self, hand: Hand) -> list[Card]:
        """A hand in an order that does not depend on the names of its suits more than need be."""
        return sorted(hand, key=lambda card: (card.suit == self.trump, _RANKS.find(card.rank), card))


def _of_kind(dealt: tuple[Rules, str | None], position: tuple[Hand, Hand, Card | None]) -> KindSolved | None:
    (rules, trump), (mine, theirs, attack) = dealt, position
    hands = [" ".join(map(str, hand)) for hand in (mine, theirs)]
    game = Game.from_position(rules, hands=hands, trump=trump, table=str(attack) if attack else "")
    return None if game.outcome is not None else _solved(game)


def _solved(game: Game) -> KindSolved:
    ending = endgame.solve(game)
    assert ending.value is not None  # noqa: S101 - no budget was given
    return KindSolved(game, ending.value, {str(move): value for move, value in ending.moves.items()})


_RANKS = "23456789TJQKAX"
