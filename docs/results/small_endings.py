"""Solves all endgames of a small deck: when to take, which rule holds, which attacks win.

Endgames that differ only by the names of suits and by gaps between ranks are of one kind, and one of each kind is
solved.
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
    """A solved endgame, with values for the player to move."""

    game: Game
    value: int
    moves: dict[str, int]
    """The value of each legal move."""

    @property
    def best(self) -> int:
        """Return how many moves keep the value of the position."""
        return sum(value == self.value for value in self.moves.values())


class Endings:
    """Solves the endgames of a small deck, in which seat 0 attacks.

    One of each kind is solved.

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
        compiled_rules = compile_rules(self.rules)
        if compiled_rules.has_two_decks:
            raise PositionError("endings are counted with one deck; take rules with decks=1")
        self.cards: Hand = tuple(map(card_from_bit, compiled_rules.deck))
        trumps = f"{SUIT_NAMES[self.trump]} are trumps" if self.trump else "no trumps"
        self.description = f"{rules} without talon, {len(self.cards)} cards, {trumps}"
        self._alike = all(len(codes) == 1 for codes in compiled_rules.played_codes)
        self._beats = {(card, beater): beater in self.rules.beaters(card, self.trump) for card in self.cards for beater in self.cards}
        self.known: dict[Hashable, Ending | None] = {}

    def splits(self, mine: int, theirs: int) -> Iterator[tuple[Hand, Hand]]:
        """Yield all ways to deal cards to the attacker and the defender, given the sizes of hands."""
        for hand in combinations(self.cards, mine):
            rest = [card for card in self.cards if card not in hand]
            for other in combinations(rest, theirs):
                yield hand, other

    def beats(self, card: Card, attack: Card) -> bool:
        """Return whether a card beats an attacking card."""
        return self._beats[attack, card]

    def solved(self, mine: Hand, theirs: Hand) -> Ending:
        """Solve the position in which a player attacks with one hand against another hand."""
        ending = self.waiting(mine, theirs, None)
        assert ending is not None  # noqa: S101 - with cards and the attack to make, the game goes on
        return ending

    def waiting(self, mine: Hand, theirs: Hand, attack: Card | None) -> Ending | None:
        """Solve a position with one card to beat; return None if the game is already over."""
        kind = self.kind(mine, theirs, attack)
        if kind not in self.known:
            game = self.game(mine, theirs, str(attack) if attack else "")
            self.known[kind] = None if game.outcome is not None else _solved(game)
        return self.known[kind]

    def game(self, mine: Hand, theirs: Hand, table: str = "") -> Game:
        """Build a game from the hands and the table of a position."""
        hands = [" ".join(map(str, hand)) for hand in (mine, theirs)]
        return Game.from_position(self.rules, hands=hands, trump=self.trump, table=table)

    def kind(self, mine: Hand, theirs: Hand, attack: Card | None) -> Hashable:
        """Return a key that is equal for positions that differ only by the names of cards."""
        order = [*self._sorted(mine), *self._sorted(theirs), *([attack] if attack else [])]
        if not self._alike:
            return (len(mine), *order)
        beats, relation = self._beats, 0
        for card in order:
            for other_card in order:
                relation = relation << 2 | beats[card, other_card] << 1 | (card.rank == other_card.rank)
            relation = relation << 1 | (card.suit == self.trump)
        return len(mine), len(theirs), relation

    def _sorted(self, hand: Hand) -> list[Card]:
        return sorted(hand, key=lambda card: (card.suit == self.trump, _RANKS.find(card.rank), card))


def _solved(game: Game) -> Ending:
    ending = endgame.solve_endgame(game)
    assert ending.value is not None  # noqa: S101 - no budget was given
    return Ending(game, ending.value, {str(move): value for move, value in ending.move_values.items()})


class Waiting(NamedTuple):
    """A position with an attacking card that the defender can beat, and the values of replies."""

    attacker: Hand
    """The cards that the attacker has left."""
    attack: Card
    defender: Hand
    take: int
    """The value of taking for the defender: 1 won, 0 tied, -1 lost."""
    beat: int
    """The value of the best move that beats, for the defender."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """Return all cards of the position."""
        return tuple(sorted((*self.attacker, self.attack, *self.defender)))

    def __str__(self) -> str:
        held, defender = (" ".join(map(str, hand)) for hand in (self.attacker, self.defender))
        return f"{self.attack} attacks, the attacker still holds {held or 'nothing'}, the defender {defender}"


def taking(*, rules: str = "econ431", cards: int = 5, suits: str = "cdh", ranks: str = "QKA", trump: str = "h") -> Result:
    """Find all endgames of a given size in which taking a card is better than beating it.

    >>> print(taking(cards=3))
    3 cards in play: econ431 without talon, 9 cards, hearts are trumps.
    Taking is better than every way to beat in 0 of 189 (0.0 %).
    attacker  defender  could beat  taking is better  as good  worse
    2         1         189         0                 0        189
    """
    endings = Endings(rules, suits, ranks, trump)
    waiting = list(_waiting(endings, cards))
    better = [position for position in waiting if position.take > position.beat]
    sentences = [
        f"{cards} cards in play: {endings.description}.",
        f"Taking is better than every way to beat in {share(len(better), len(waiting))}.",
    ]
    if better:
        decks = _one_of_each_kind({position.deck for position in waiting}, len(ranks), trump)
        counted = [position for position in waiting if position.deck in decks]
        first = endings.game((*better[0].attacker, better[0].attack), better[0].defender)
        first.play(f"attack {better[0].attack}")
        line = ", ".join(map(str, endgame.solve_endgame(first).best_line))
        sentences += [
            f"One deck of each kind in which every rank occurs: {share(sum(position in better for position in counted), len(counted))}.",
            f"For example: {better[0]}. Best play: {line}.",
        ]
    rows: list[Row] = []
    for attacker, defender in sorted({(len(position.attacker) + 1, len(position.defender)) for position in waiting}):
        gains = [
            position.take - position.beat
            for position in waiting
            if (len(position.attacker) + 1, len(position.defender)) == (attacker, defender)
        ]
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
    """Yield every position of a given size with a card on the table that can be beaten."""
    for mine in range(1, cards):
        for hand, defender in endings.splits(mine, cards - mine):
            for attack in hand:
                rest = tuple([card for card in hand if card is not attack])
                ending = endings.waiting(rest, defender, attack)
                beats = [value for move, value in ending.moves.items() if move.startswith("beat")] if ending else []
                if ending and beats:
                    yield Waiting(rest, attack, defender, ending.moves["take"], max(beats))


def _one_of_each_kind(decks: set[tuple[Card, ...]], ranks: int, trump: str) -> set[tuple[Card, ...]]:
    """Return one deck of each kind among decks that contain every rank.

    Decks are of one kind if they differ only by the names of plain suits.
    """
    kept_decks, seen_decks = set(), set()
    for deck in sorted(decks):
        names = frozenset(map(str, deck))
        if len({card.rank for card in deck}) == ranks and names not in seen_decks:
            kept_decks.add(deck)
            seen_decks |= _renamed(deck, trump)
    return kept_decks


def _renamed(deck: tuple[Card, ...], trump: str) -> set[frozenset[str]]:
    """Return all decks that result from renaming the plain suits of a deck."""
    plain = sorted({card.suit for card in deck if card.suit} - {trump})
    plain_suits = [suit for suit in "cdhs" if suit != trump]
    renamings = [dict(zip(plain, names, strict=True)) for names in permutations(plain_suits, len(plain))]
    return {frozenset(card.rank + renaming.get(card.suit or "", card.suit or "") for card in deck) for renaming in renamings}


def all_but_one(*, rules: str = "econ431", cards: int = 5, suits: str = "cdh", ranks: str = "QKA", trump: str = "h") -> Result:
    """Check the rule that an attacker wins if at most one of their cards can be beaten.

    Each position up to a given number of cards is solved as a tree, and not by the endgame solver, because that
    solver uses the rule.

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
    """Solve all endgames with two cards in each hand, or with other sizes of hands.

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
        ending = endings.solved(hand, other)
        counts[ending.value, ending.best, len(ending.moves)] += 1
        if not example and ending.value == 1 and ending.best == 1 < len(ending.moves):
            example = f", for example {ending.game.hands[0]} against {ending.game.hands[1]}"
    positions = counts.total()
    won, tied = (
        Fraction(sum(position_count for (value, *_), position_count in counts.items() if value == wanted_value), positions)
        for wanted_value in (1, 0)
    )
    single = sum(position_count for (value, best, _), position_count in counts.items() if (value, best) == (1, 1))
    sentences = [
        f"{positions:,} positions: {endings.description}, of {len(endings.known):,} kinds.",
        f"The attacker wins {won} of them ({100 * float(won):.1f} %), and {tied} are tied.",
        f"Exactly one attack wins in {share(single, positions)}{example}.",
    ]
    rows: list[Row] = [
        {"value to the attacker": value, "attacks": attacks, "that keep it": best, "positions": position_count}
        for (value, best, attacks), position_count in sorted(counts.items(), reverse=True)
    ]
    return Result(sentences, rows)
