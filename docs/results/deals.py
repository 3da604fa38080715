"""Finds small decks in which a player must mix, and probabilities of the classroom deal."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING

from durak_widget import Game, Rules, analysis, gametheory
from durak_widget.cards import card_from_bit, parse_cards
from durak_widget.engine.compiled_rules import compile_rules
from result import Result, Row, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.cards import Card
    from durak_widget.gametheory.tree import Tree


def mixing(
    *, rules: str = "econ431", cards: str = "Ah Tc Jc Qs Ks", trump: str = "h", mine: int = 2, theirs: int = 1, refill: int = 1
) -> Result:
    """Solve the game with only some cards, in mixed and in pure strategies.

    The attacker is dealt `mine` cards, the defender `theirs`; players draw up to `refill` cards.

    >>> print(mixing())
    econ431, Ah Tc Jc Qs Ks, h trump, 2 to the attacker, 1 to the defender, refilled to 1: 977 histories.
    It is worth -1/5 to the attacker. Without mixing the attacker loses 1/30 more, the defender 0.
    knows                            move       probability
    seat 0 holds Tc Qs, table empty  attack Tc  1/2
    seat 0 holds Tc Qs, table empty  attack Qs  1/2
    """
    deck = parse_cards(cards)
    tree = tree_of(rules, deck, trump, mine, theirs, refill)
    solution, pure = gametheory.solve(tree), gametheory.solve(tree, "pure")
    value = Fraction(solution.value)
    standings = gametheory.infoset_values(tree, solution.strategy)
    rows: list[Row] = [
        {"knows": infoset.label, "move": move, "probability": Fraction(probability)}
        for infoset, standing, row in zip(tree.infosets, standings, solution.strategy, strict=True)
        if standing.reach_probability and max(row) < 1
        for move, probability in zip(infoset.actions, row, strict=True)
    ]
    sentences = [
        f"{rules}, {' '.join(map(str, deck))}, {_dealt(trump, mine, theirs, refill)}: {tree.history_count:,} histories.",
        (
            f"It is worth {value} to the attacker. "
            f"Without mixing the attacker loses {value - pure.lower} more, the defender {pure.upper - value}."
        ),
    ]
    return Result(sentences, rows)


def mixers(
    *, rules: str = "econ431", cards: int = 5, suits: int = 4, trump: str = "h", mine: int = 2, theirs: int = 1, refill: int = 1
) -> Result:
    """Count the kinds of decks of a given size in which a player must mix.

    >>> print(mixers(cards=3, suits=2, mine=1))
    econ431, 3 cards, h trump, 1 to the attacker, 1 to the defender, refilled to 1: 12 kinds of decks.
    The attacker must mix in 0 of 12 (0.0 %), the defender in 0 of 12 (0.0 %).
    """
    decks = list(kinds_of_decks(cards, suits, trump))
    costs = [_costs(tree_of(rules, deck, trump, mine, theirs, refill)) for deck in decks]
    names = "attacker", "defender"
    counts = [[cost for cost in costs_of_player if cost] for costs_of_player in zip(*costs, strict=True)]
    rows: list[Row] = [
        {"who must mix": name, "without it loses": cost, "decks": lost.count(cost)}
        for name, lost in zip(names, counts, strict=True)
        for cost in sorted(set(lost))
    ]
    attacker, defender = (share(len(lost), len(decks)) for lost in counts)
    sentences = [
        f"{rules}, {cards} cards, {_dealt(trump, mine, theirs, refill)}: {len(decks):,} kinds of decks.",
        f"The attacker must mix in {attacker}, the defender in {defender}.",
    ]
    return Result(sentences, rows)


def _dealt(trump: str, mine: int, theirs: int, refill: int) -> str:
    return f"{trump} trump, {mine} to the attacker, {theirs} to the defender, refilled to {refill}"


def _costs(tree: Tree) -> tuple[Fraction, Fraction]:
    """Return what the attacker loses, and what the defender loses, if they may not mix."""
    pure = gametheory.solve(tree, "pure")
    if pure.exact:
        return Fraction(0), Fraction(0)
    value = Fraction(gametheory.solve(tree).value)
    return max(value - pure.lower, Fraction(0)), max(pure.upper - value, Fraction(0))


def tree_of(name: str, deck: tuple[Card, ...], trump: str, mine: int, theirs: int, refill: int) -> Tree:
    """Build the game tree over all deals of some cards."""
    rules = Rules.preset(name, hand_size=refill, trump=trump, ranks="6789TJQKA")
    discard = [card for card in map(card_from_bit, compile_rules(rules).deck) if card not in deck]
    hands, talon = [deck[:mine], deck[mine : mine + theirs]], deck[mine + theirs :]
    return analysis.build_tree_from_position(Game.from_position(rules, hands=hands, talon=talon, discard=discard, trump=trump))


def kinds_of_decks(cards: int, suits: int, trump: str) -> Iterator[tuple[Card, ...]]:
    """Yield one deck of each kind.

    Decks are of one kind if they differ only by names of plain suits and gaps between ranks.
    """
    plain = [suit for suit in "cdhs" if suit != trump][: suits - 1]
    ranks = "6789TJQKA"[-cards:]
    seen_kinds: set[tuple[str, ...]] = set()
    for deck in combinations([rank + suit for suit in (*plain, trump) for rank in ranks], cards):
        used = sorted({card[0] for card in deck}, key=ranks.find)
        names = dict(zip(used, ranks[-len(used) :], strict=True))
        kind = min(
            tuple(sorted(names[rank] + dict(zip(plain, order, strict=True)).get(suit, suit) for rank, suit in map(tuple, deck)))
            for order in permutations(plain)
        )
        if kind not in seen_kinds:
            seen_kinds.add(kind)
            yield parse_cards(sorted(kind))


def chances() -> Result:
    """Count some probabilities of the Econ 431 deal: 24 cards, hands of five, one turned up.

    >>> print(chances())
    Counted for a seat that holds Jd Kd 9h Th Qs, turned up Kh.
    what                                     exactly    about
    a hand holds a trump                     3583/4807  0.745
    the other holds a given unseen card      5/18       0.278
    I hold two trumps, the other none        143/408    0.35
    I hold two trumps, the other on average  5/6        0.833
    """
    deck = "9h Ac Th Tc Jd Jc Kd Qc Qs Ks As 9c 9d Td Qd Ad 9s Ts Js Kc Jh Qh Ah Kh"  # Seat 0 is dealt 9h Th Jd Kd Qs
    game = Game("econ431", deck=deck, dealer=1)
    worlds = analysis.worlds(game.view(0))
    exactly = {
        "a hand holds a trump": 1 - Fraction(comb(18, 5), comb(23, 5)),
        "the other holds a given unseen card": worlds.chance(1, "As"),
        "I hold two trumps, the other none": 1 - worlds.chance_to_beat(1, "Ad"),
        "I hold two trumps, the other on average": sum([worlds.chance(1, card) for card in ("Jh", "Qh", "Ah")], Fraction(0)),
    }
    rows: list[Row] = [{"what": what, "exactly": chance, "about": float(chance)} for what, chance in exactly.items()]
    return Result([f"Counted for a seat that holds {game.hands[0]}, turned up {game.turn_up}."], rows)
