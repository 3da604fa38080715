"""Endings of a small deck, all of them: when to take, which rule is never wrong, and how many attacks win.

Endings that differ only by names of suits and gaps between ranks are of one kind, and one of each kind is solved.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget import Game, PositionError, Rules, analysis, gametheory
from durak_widget.analysis import endgame
from durak_widget.cards import SUIT_NAMES, card_from_bit
from durak_widget.engine.compiled_rules import compile_rules
from result import Result, Row, share

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from durak_widget.cards import Card

Hand = tuple["Card", ...]
_RANKS: Final = "23456789TJQKAX"


class Ending(NamedTuple):
    """A solved ending. The values are those of the player to move."""

    game: Game
    value: int
    moves: dict[str, int]
    """Its moves, and the value of each."""

    @property
    def best(self) -> int:
        """How many moves keep the value."""
        return sum(value == self.value for value in self.moves.values())


class Endings:
    """Endings of a small deck, in which seat 0 attacks. One of each kind is solved.

    >>> from durak_widget.cards import parse_cards
    >>> endings = Endings("econ431", "cdhs", "QKA", "h")
    >>> endings.solved(parse_cards("Qh Ks"), parse_cards("Kh Kc")).moves
    {'attack Qh': 1, 'attack Ks': -1}
    >>> endings.solved(parse_cards("Qh Kd"), parse_cards("Kh Ks")) is endings.solved(parse_cards("Qh Ks"), parse_cards("Kh Kc"))
    True
    """

    def __init__(self, rules: str, suits: str, ranks: str, trump: str) -> None:
        self.rules = Rules.preset(rules, suits=suits, ranks=ranks, trump=trump, hand_size=1, players=2)
        self.trump = None if trump == "none" else trump
        kit = compile_rules(self.rules)
        if kit.has_two_decks:
            raise PositionError("endings are counted with one deck; take rules with decks=1")
        self.cards: Hand = tuple(map(card_from_bit, kit.deck))
        trumps = f"{SUIT_NAMES[self.trump]} are trumps" if self.trump else "no trumps"
        self.description = f"{rules} without talon, {len(self.cards)} cards, {trumps}"
        self._alike = all(len(codes) == 1 for codes in kit.played_codes)
        self._beats = {(one, other): other in self.rules.beaters(one, self.trump) for one in self.cards for other in self.cards}
        self.known: dict[Hashable, Ending | None] = {}

    def splits(self, mine: int, theirs: int) -> Iterator[tuple[Hand, Hand]]:
        """Yield all ways to deal so many cards to the attacker and so many to the defender."""
        for one in combinations(self.cards, mine):
            rest = [card for card in self.cards if card not in one]
            for other in combinations(rest, theirs):
                yield one, other

    def beats(self, card: Card, attack: Card) -> bool:
        """Return whether a card beats another."""
        return self._beats[attack, card]

    def solved(self, mine: Hand, theirs: Hand) -> Ending:
        """Solve the position in which the first hand is to attack."""
        found = self.waiting(mine, theirs, None)
        assert found is not None  # noqa: S101 - with cards and the attack to make, the game goes on
        return found

    def waiting(self, mine: Hand, theirs: Hand, attack: Card | None) -> Ending | None:
        """Solve the position in which this card waits to be beaten; None if it has already ended the game."""
        kind = self.kind(mine, theirs, attack)
        if kind not in self.known:
            game = self.game(mine, theirs, str(attack) if attack else "")
            self.known[kind] = None if game.outcome is not None else _solved(game)
        return self.known[kind]

    def game(self, mine: Hand, theirs: Hand, table: str = "") -> Game:
        """Return the position as a game."""
        hands = [" ".join(map(str, hand)) for hand in (mine, theirs)]
        return Game.from_position(self.rules, hands=hands, trump=self.trump, table=table)

    def kind(self, mine: Hand, theirs: Hand, attack: Card | None) -> Hashable:
        """Return the kind of a position. Two positions of one kind differ only by the names of cards."""
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
        return sorted(hand, key=lambda card: (card.suit == self.trump, _RANKS.find(card.rank), card))


def _solved(game: Game) -> Ending:
    ending = endgame.solve_endgame(game)
    assert ending.value is not None  # noqa: S101 - no budget was given
    return Ending(game, ending.value, {str(move): value for move, value in ending.move_values.items()})


class Waiting(NamedTuple):
    """A card on the table that the defender could beat."""

    attacker: Hand
    """The cards that the attacker still holds."""
    attack: Card
    defender: Hand
    take: int
    """The value of taking to the defender: 1 it wins, 0 a tie, -1 it loses."""
    beat: int
    """The value of the best way to beat."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards in play."""
        return tuple(sorted((*self.attacker, self.attack, *self.defender)))

    def __str__(self) -> str:
        held, defender = (" ".join(map(str, hand)) for hand in (self.attacker, self.defender))
        return f"{self.attack} attacks, the attacker still holds {held or 'nothing'}, the defender {defender}"


def taking(*, rules: str = "econ431", cards: int = 5, suits: str = "cdh", ranks: str = "QKA", trump: str = "h") -> Result:
    """Find all endings with so many cards in which it is better to take a card than to beat it.

    >>> print(taking(cards=3))
    3 cards in play: econ431 without talon, 9 cards, hearts are trumps.
    Taking is better than every way to beat in 0 of 189 (0.0 %).
    attacker  defender  could beat  taking is better  as good  worse
    2         1         189         0                 0        189
    """
    endings = Endings(rules, suits, ranks, trump)
    waiting = list(_waiting(endings, cards))
    better = [one for one in waiting if one.take > one.beat]
    sentences = [
        f"{cards} cards in play: {endings.description}.",
        f"Taking is better than every way to beat in {share(len(better), len(waiting))}.",
    ]
    if better:
        decks = _one_of_each_kind({one.deck for one in waiting}, len(ranks), trump)
        counted = [one for one in waiting if one.deck in decks]
        first = endings.game((*better[0].attacker, better[0].attack), better[0].defender)
        first.play(f"attack {better[0].attack}")
        line = ", ".join(map(str, endgame.solve_endgame(first).best_line))
        sentences += [
            f"One deck of each kind in which every rank occurs: {share(sum(one in better for one in counted), len(counted))}.",
            f"For example: {better[0]}. Best play: {line}.",
        ]
    rows: list[Row] = []
    for attacker, defender in sorted({(len(one.attacker) + 1, len(one.defender)) for one in waiting}):
        gains = [one.take - one.beat for one in waiting if (len(one.attacker) + 1, len(one.defender)) == (attacker, defender)]
        rows.append(
            {
                "attacker": attacker,
                "defender": defender,
                "could beat": len(gains),
                "taking is better": sum(gain > 0 for gain in gains),
                "as good": sum(gain == 0 for gain in gains),
                "worse": sum(gain < 0 for gain in gains),
            }
        )
    return Result(sentences, rows)


def _waiting(endings: Endings, cards: int) -> Iterator[Waiting]:
    """Yield every position of so many cards in which one card waits and the defender could beat it."""
    for mine in range(1, cards):
        for hand, defender in endings.splits(mine, cards - mine):
            for attack in hand:
                rest = tuple([card for card in hand if card is not attack])
                found = endings.waiting(rest, defender, attack)
                beats = [value for move, value in found.moves.items() if move.startswith("beat")] if found else []
                if found and beats:
                    yield Waiting(rest, attack, defender, found.moves["take"], max(beats))


def _one_of_each_kind(decks: set[tuple[Card, ...]], ranks: int, trump: str) -> set[tuple[Card, ...]]:
    """Return the decks in which every rank occurs; of decks that differ only by names of plain suits, one."""
    kept, seen = set(), set()
    for deck in sorted(decks):
        names = frozenset(map(str, deck))
        if len({card.rank for card in deck}) == ranks and names not in seen:
            kept.add(deck)
            seen |= _renamed(deck, trump)
    return kept


def _renamed(deck: tuple[Card, ...], trump: str) -> set[frozenset[str]]:
    """Return the deck with its plain suits exchanged in every way."""
    plain = sorted({card.suit for card in deck if card.suit} - {trump})
    others = [suit for suit in "cdhs" if suit != trump]
    ways = [dict(zip(plain, names, strict=True)) for names in permutations(others, len(plain))]
    return {frozenset(card.rank + way.get(card.suit or "", card.suit or "") for card in deck) for way in ways}


def all_but_one(*, rules: str = "econ431", cards: int = 5, suits: str = "cdh", ranks: str = "QKA", trump: str = "h") -> Result:
    """Check a rule: an attacker wins if at most one of their cards can be beaten.

    Each position with up to so many cards is solved as a tree. The solver of endings uses the rule, so it is not asked.

    >>> print(all_but_one(cards=3, ranks="KA"))
    econ431 without talon, 6 cards, hearts are trumps.
    0 exceptions in 134 positions. The rule finds 134 of 134 (100.0 %) of all won positions.
    attacker  defender  positions  won  the rule speaks  exceptions
    1         1         30         30   30               0
    1         2         60         60   60               0
    2         1         60         44   44               0
    """
    endings = Endings(rules, suits, ranks, trump)
    known: dict[Hashable, bool] = {}
    rows: list[Row] = []
    total: Counter[str] = Counter()
    for count in range(2, cards + 1):
        for mine in range(1, count):
            row = dict.fromkeys(("positions", "won", "the rule speaks", "exceptions"), 0)
            for hand, other in endings.splits(mine, count - mine):
                kind = endings.kind(hand, other, None)
                if kind not in known:
                    known[kind] = (
                        gametheory.solve(analysis.build_tree_from_position(endings.game(hand, other), open_hands=True), "backward").value
                        == 1
                    )
                speaks = sum(any(endings.beats(card, attack) for card in other) for attack in hand) <= 1
                row["positions"] += 1
                row["won"] += known[kind]
                row["the rule speaks"] += speaks
                row["exceptions"] += speaks and not known[kind]
            total.update(row)
            rows.append({"attacker": mine, "defender": count - mine, **row})
    right = total["the rule speaks"] - total["exceptions"]
    sentences = [
        f"{endings.description}.",
        (
            f"{total['exceptions']} exceptions in {total['the rule speaks']:,} positions. "
            f"The rule finds {share(right, total['won'])} of all won positions."
        ),
    ]
    return Result(sentences, rows)


def two_against_two(
    *, rules: str = "econ431", suits: str = "cdhs", ranks: str = "9TJQKA", trump: str = "h", mine: int = 2, theirs: int = 2
) -> Result:
    """Solve all endings with two cards each, or with as many as you say.

    >>> print(two_against_two(ranks="KA"))
    420 positions: econ431 without talon, 8 cards, hearts are trumps, of 96 kinds.
    The attacker wins 137/140 of them (97.9 %), and 0 are tied.
    Exactly one attack wins in 102 of 420 (24.3 %), for example Kc Ac against Kd Kh.
    value to the attacker  attacks  that keep it  positions
    1                      2        2             309
    1                      2        1             102
    -1                     2        2             9
    """
    endings = Endings(rules, suits, ranks, trump)
    counts: Counter[tuple[int, int, int]] = Counter()
    example = ""
    for hand, other in endings.splits(mine, theirs):
        found = endings.solved(hand, other)
        counts[found.value, found.best, len(found.moves)] += 1
        if not example and found.value == 1 and found.best == 1 < len(found.moves):
            example = f", for example {found.game.hands[0]} against {found.game.hands[1]}"
    positions = counts.total()
    won, tied = (Fraction(sum(many for (value, *_), many in counts.items() if value == worth), positions) for worth in (1, 0))
    single = sum(many for (value, best, _), many in counts.items() if (value, best) == (1, 1))
    sentences = [
        f"{positions:,} positions: {endings.description}, of {len(endings.known):,} kinds.",
        f"The attacker wins {won} of them ({100 * float(won):.1f} %), and {tied} are tied.",
        f"Exactly one attack wins in {share(single, positions)}{example}.",
    ]
    rows: list[Row] = [
        {"value to the attacker": value, "attacks": attacks, "that keep it": best, "positions": many}
        for (value, best, attacks), many in sorted(counts.items(), reverse=True)
    ]
    return Result(sentences, rows)
