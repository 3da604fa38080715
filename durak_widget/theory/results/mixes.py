"""The smallest deal whose equilibrium must mix: a few cards, all ways to deal them, and what a seat loses that never tosses a coin."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING, ClassVar

from durak_widget.cards import card_of, read_cards
from durak_widget.game.game import Game
from durak_widget.game.play.kit import kit_of
from durak_widget.games.solving.responses import values
from durak_widget.games.solving.solution import Solution, solve
from durak_widget.rules.book import Rules
from durak_widget.theory.results.result import Result, Row, as_share
from durak_widget.theory.trees.building import build_from
from durak_widget.work.sharing import every_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from durak_widget.cards import Card
    from durak_widget.games.trees.tree import Tree


@dataclass(frozen=True)
class Mixing(Result):
    """What `mixing` finds."""

    question: ClassVar[str] = "Must one toss a coin? A small deck, dealt in every way, solved with mixing and without."

    what: str
    """The rules, the deck and how it is dealt, in words."""
    solution: Solution
    """The equilibrium, with its certificate."""
    pure: Solution
    """The best that either side can do without mixing."""

    @property
    def tree(self) -> Tree:
        """The game: all deals, one as likely as the other."""
        return self.solution.tree

    @property
    def value(self) -> Fraction:
        """What it is worth to the attacker."""
        return Fraction(self.solution.value)

    @property
    def costs(self) -> tuple[Fraction, Fraction]:
        """What the attacker loses if it may not mix, and what the defender does."""
        return self.value - self.pure.lower, self.pure.upper - self.value

    @property
    def mixed(self) -> dict[int, tuple[Fraction, ...]]:
        """The information sets that play comes to and at which a seat mixes, with the probabilities of its moves."""
        found: dict[int, tuple[Fraction, ...]] = {}
        for place, (one, row) in enumerate(zip(values(self.tree, self.solution.strategy), self.solution.strategy, strict=True)):
            if one.reach and max(row) < 1:
                found[place] = tuple([Fraction(likely) for likely in row])
        return found

    def said(self) -> list[str]:
        """The answer in sentences."""
        mine, theirs = self.costs
        return [
            f"{self.what}: {self.tree.histories:,} histories",
            f"worth {self.value} to the attacker; without mixing the attacker loses {mine} more, the defender {theirs}",
        ]

    def table(self) -> list[Row]:
        """Where the equilibrium that was found mixes, and how."""
        sets = self.tree.sets
        return [
            {"seat": sets[place].seat, "knows": sets[place].label, "move": move, "probability": likely}
            for place, row in self.mixed.items()
            for move, likely in zip(sets[place].moves, row, strict=True)
        ]


@dataclass(frozen=True)
class Mixers(Result):
    """What `mixers` finds."""

    question: ClassVar[str] = "Of all decks of so many cards, in how many must a seat mix?"

    what: str
    decks: int
    """How many decks there are that differ by more than names of plain suits and gaps between ranks."""
    attacker: Mapping[tuple[Card, ...], Fraction]
    """Those in which the attacker loses something if it may not mix, and what."""
    defender: Mapping[tuple[Card, ...], Fraction]
    """The same of the defender."""

    def said(self) -> list[str]:
        """The answer in sentences."""
        return [
            f"{self.what}: {self.decks:,} kinds of decks",
            f"the attacker must mix in {as_share(len(self.attacker), self.decks)}, the defender in {as_share(len(self.defender), self.decks)}",
        ]

    def table(self) -> list[Row]:
        """How many decks cost how much."""
        rows: list[Row] = []
        for name, costs in (("attacker", self.attacker), ("defender", self.defender)):
            rows += [
                {"who must mix": name, "without it loses": cost, "decks": list(costs.values()).count(cost)}
                for cost in sorted({*costs.values()})
            ]
        return rows


def mixing(
    *, rules: str = "econ431", cards: str = "Ah Tc Jc Qs Ks", trump: str = "h", mine: int = 2, theirs: int = 1, refill: int = 1
) -> Mixing:
    """These cards alone, `mine` dealt to the attacker, `theirs` to the defender, the rest to draw from, hands filled up to `refill`: solved with mixing and without.

    >>> found = mixing()
    >>> found.value, found.costs
    (Fraction(-1, 5), (Fraction(1, 30), Fraction(0, 1)))
    >>> {likely for row in found.mixed.values() for likely in row} == {Fraction(1, 2)}
    True
    """
    deck = read_cards(cards)
    tree = _tree(_rules(rules, refill, trump), deck, mine, theirs, trump)
    what = f"{rules}, {' '.join(map(str, deck))}, {trump} trump, {mine} to the attacker, {theirs} to the defender, refilled to {refill}"
    return Mixing(what, solve(tree), solve(tree, "pure"))


def mixers(
    *,
    rules: str = "econ431",
    cards: int = 5,
    suits: int = 4,
    trump: str = "h",
    mine: int = 2,
    theirs: int = 1,
    refill: int = 1,
    executor: object = None,
) -> Mixers:
    """All decks of so many cards (of at most so many suits), dealt so: in how many an equilibrium must mix.

    An `executor` is who works at them, as `work.sharing.share` takes it; what is found is the same.

    >>> found = mixers(cards=3, suits=2, mine=1)
    >>> found.decks, len(found.attacker), len(found.defender)
    (12, 0, 0)
    """
    small = _rules(rules, refill, trump)
    attacker: dict[tuple[Card, ...], Fraction] = {}
    defender: dict[tuple[Card, ...], Fraction] = {}
    decks = list(_decks(cards, suits, trump))
    costs = every_value(_mixing_saves, decks, executor=executor, common=(small, mine, theirs, trump))
    for deck, (first, second) in zip(decks, costs, strict=True):
        attacker |= {deck: first} if first else {}
        defender |= {deck: second} if second else {}
    what = f"{rules}, {cards} cards, {trump} trump, {mine} to the attacker, {theirs} to the defender, refilled to {refill}"
    return Mixers(what, len(decks), attacker, defender)


def _mixing_saves(dealt: tuple[Rules, int, int, str], deck: tuple[Card, ...]) -> tuple[Fraction, Fraction]:
    """What the attacker loses with that deck if it may not mix, and what the defender does."""
    rules, mine, theirs, trump = dealt
    tree = _tree(rules, deck, mine, theirs, trump)
    pure = solve(tree, "pure")
    if pure.exact:
        return Fraction(0), Fraction(0)
    value = Fraction(solve(tree).value)
    return max(value - pure.lower, Fraction(0)), max(pure.upper - value, Fraction(0))


def _rules(rules: str, refill: int, trump: str) -> Rules:
    return Rules.of(rules).replace(hand_size=refill, trump=trump, ranks="6789TJQKA")


def _tree(rules: Rules, deck: tuple[Card, ...], mine: int, theirs: int, trump: str) -> Tree:
    """All ways to deal a deck of a few cards, of which everybody knows what they are."""
    gone = [card for card in map(card_of, kit_of(rules).deck) if card not in deck]
    hands, talon = [deck[:mine], deck[mine : mine + theirs]], deck[mine + theirs :]
    return build_from(Game.from_position(rules, hands=hands, talon=talon, discard=gone, trump=trump))


def _decks(cards: int, suits: int, trump: str) -> Iterator[tuple[Card, ...]]:
    """One deck of each kind: the ranks without a gap from the ace down, the plain suits named in the order that comes first."""
    plain = [suit for suit in "cdhs" if suit != trump][: suits - 1]
    ranks = "6789TJQKA"[-cards:]
    seen: set[tuple[str, ...]] = set()
    for deck in combinations([rank + suit for suit in (*plain, trump) for rank in ranks], cards):
        used = sorted({card[0] for card in deck}, key=ranks.find)
        names = dict(zip(used, ranks[-len(used) :], strict=True))
        kind = min(
            tuple(sorted(names[rank] + dict(zip(plain, order, strict=True)).get(suit, suit) for rank, suit in map(tuple, deck)))
            for order in permutations(plain)
        )
        if kind not in seen:
            seen.add(kind)
            yield read_cards(sorted(kind))
