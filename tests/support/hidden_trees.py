"""Random games of hidden information with perfect recall, and strategies in them, for tests of beliefs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from durak_widget.gametheory.beliefs import list_infoset_nodes
from durak_widget.gametheory.best_responses import node_values
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import CHANCE, ChanceNode, DecisionNode, TerminalNode, build_tree

if TYPE_CHECKING:
    from random import Random

    from durak_widget.gametheory.tree import Tree


def hidden_tree(rng: Random, *, seats: int = 2, deep: int = 3, cards: int = 2, most: int = 3) -> Tree:
    """Return a game in which each player may get a private card. They move in turn and see all or none of the others' moves."""
    dealt, seen = rng.random() < 0.6, rng.random() < 0.5

    def look(where: tuple[tuple[int, ...], tuple[int, ...]]) -> object:
        hand, made = where
        if dealt and not hand:
            every = list(product(range(cards), repeat=seats))
            return ChanceNode([(str(deal), Fraction(1, len(every)), (deal, ())) for deal in every])
        if len(made) == deep or (len(made) > 1 and rng_of(where) % 5 == 0):
            return TerminalNode(tuple((rng_of((where, seat)) % (2 * most + 1)) - most for seat in range(seats)))
        seat = len(made) % seats
        knows = hand[seat : seat + 1], made if seen else (len(made), made[seat::seats])
        return DecisionNode(seat, knows, [(move, (hand, (*made, number))) for number, move in enumerate("ab")])

    salt = rng.random()

    def rng_of(key: object) -> int:
        from random import Random as Lots  # noqa: PLC0415 - a random generator for each node

        return Lots(str((salt, key))).randrange(10**6)

    return build_tree(((), ()), look, player_count=seats)


def some_strategy(rng: Random, tree: Tree) -> Strategy:
    """Return a strategy that mixes sometimes."""
    rows = []
    for infoset in tree.infosets:
        parts = [rng.choice((0, 0, 1, 2)) for _ in infoset.actions]
        if not any(parts) or rng.random() < 0.6:
            parts = [int(move == 0) for move in range(len(infoset.actions))]
            rng.shuffle(parts)
        rows.append([Fraction(part, sum(parts)) for part in parts])
    return Strategy(tree, rows)


def settled(rng: Random, tree: Tree, strategy: Strategy, rounds: int = 30) -> Strategy:
    """Return a strategy after players repeatedly changed to something better under some belief; it is often an equilibrium."""
    rows, sets = list(strategy.rows), list_infoset_nodes(tree)
    for _ in range(rounds):
        place = rng.randrange(len(rows))
        values = node_values(tree, Strategy(tree, rows), tree.infosets[place].player)
        node = rng.choice(sets[place])
        has = [values[child] for child in tree.children(node)]
        rows[place] = tuple([Fraction(int(move == has.index(max(has)))) for move in range(len(has))])
    return Strategy(tree, rows)


def plans_from(tree: Tree, strategy: Strategy, place: int) -> list[Strategy]:
    """Return all pure strategies of a set's player at that set and below; the others keep theirs."""
    seat, nodes = tree.infosets[place].player, list_infoset_nodes(tree)
    below = set(nodes[place])
    for here in range(tree.history_count):
        if tree.parent[here] in below:
            below.add(here)
    own = [own_place for own_place, info in enumerate(tree.infosets) if info.player == seat and below.intersection(nodes[own_place])]
    strategies = []
    for moves in product(*(range(len(tree.infosets[own_place].actions)) for own_place in own)):
        rows = list(strategy.rows)
        for own_place, move in zip(own, moves, strict=True):
            rows[own_place] = tuple([Fraction(int(number == move)) for number in range(len(rows[own_place]))])
        strategies.append(Strategy(tree, rows))
    return strategies


def gains_from(tree: Tree, strategy: Strategy, place: int) -> list[list[Fraction]]:
    """Return each such strategy's gain at each history of the set, by the definition."""
    seat, nodes = tree.infosets[place].player, list_infoset_nodes(tree)[place]
    now = node_values(tree, strategy, seat)
    return [
        [after[node] - now[node] for node in nodes]
        for deviation in plans_from(tree, strategy, place)
        if (after := node_values(tree, deviation, seat))
    ]


def comes(tree: Tree, strategy: Strategy, here: int) -> Fraction:
    """Return the probability of reaching a history, step by step back to the root."""
    probability = Fraction(1)
    while (before := tree.parent[here]) >= 0:
        move, place = here - tree.first_child[before], tree.infoset_of[before]
        probability *= tree.chance_moves[place].probabilities[move] if tree.actor[before] == CHANCE else strategy.rows[place][move]
        here = before
    return probability
