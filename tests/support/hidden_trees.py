"""Random games in which something is hidden and nobody forgets, and strategies in them: for whoever asks what may be believed."""

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
    """Each seat may be dealt a card that it alone sees; they move in turn, and each sees, of the others' moves, all or none."""
    dealt, seen = rng.random() < 0.6, rng.random() < 0.5

    def look(where: tuple[tuple[int, ...], tuple[int, ...]]) -> object:
        hand, made = where
        if dealt and not hand:
            every = list(product(range(cards), repeat=seats))
            return ChanceNode([(str(one), Fraction(1, len(every)), (one, ())) for one in every])
        if len(made) == deep or (len(made) > 1 and rng_of(where) % 5 == 0):
            return TerminalNode(tuple((rng_of((where, seat)) % (2 * most + 1)) - most for seat in range(seats)))
        seat = len(made) % seats
        knows = hand[seat : seat + 1], made if seen else (len(made), made[seat::seats])
        return DecisionNode(seat, knows, [(move, (hand, (*made, number))) for number, move in enumerate("ab")])

    salt = rng.random()

    def rng_of(key: object) -> int:
        from random import Random as Lots  # noqa: PLC0415 - a lot for each place, whenever it is looked at

        return Lots(str((salt, key))).randrange(10**6)

    return build_tree(((), ()), look, player_count=seats)


def some_strategy(rng: Random, tree: Tree) -> Strategy:
    """A strategy that mixes now and then."""
    rows = []
    for one in tree.infosets:
        parts = [rng.choice((0, 0, 1, 2)) for _ in one.actions]
        if not any(parts) or rng.random() < 0.6:
            parts = [int(move == 0) for move in range(len(one.actions))]
            rng.shuffle(parts)
        rows.append([Fraction(part, sum(parts)) for part in parts])
    return Strategy(tree, rows)


def settled(rng: Random, tree: Tree, strategy: Strategy, rounds: int = 30) -> Strategy:
    """Seats leave for what is better at some information set, by some belief, again and again: what is left is often an equilibrium."""
    rows, sets = list(strategy.rows), list_infoset_nodes(tree)
    for _ in range(rounds):
        place = rng.randrange(len(rows))
        worth = node_values(tree, Strategy(tree, rows), tree.infosets[place].player)
        node = rng.choice(sets[place])
        has = [worth[child] for child in tree.children(node)]
        rows[place] = tuple([Fraction(int(move == has.index(max(has)))) for move in range(len(has))])
    return Strategy(tree, rows)


def plans_from(tree: Tree, strategy: Strategy, place: int) -> list[Strategy]:
    """All that the seat of an information set may do at those of its sets that lie at it or below, without mixing; the others as they do."""
    seat, nodes = tree.infosets[place].player, list_infoset_nodes(tree)
    below = set(nodes[place])
    for here in range(tree.history_count):
        if tree.parent[here] in below:
            below.add(here)
    own = [one for one, info in enumerate(tree.infosets) if info.player == seat and below.intersection(nodes[one])]
    made = []
    for moves in product(*(range(len(tree.infosets[one].actions)) for one in own)):
        rows = list(strategy.rows)
        for one, move in zip(own, moves, strict=True):
            rows[one] = tuple([Fraction(int(number == move)) for number in range(len(rows[one]))])
        made.append(Strategy(tree, rows))
    return made


def gains_from(tree: Tree, strategy: Strategy, place: int) -> list[list[Fraction]]:
    """Of each of those, what it brings the seat at each history of the set more than the strategy: by the definition, from end to end."""
    seat, nodes = tree.infosets[place].player, list_infoset_nodes(tree)[place]
    now = node_values(tree, strategy, seat)
    return [
        [after[node] - now[node] for node in nodes] for one in plans_from(tree, strategy, place) if (after := node_values(tree, one, seat))
    ]


def comes(tree: Tree, strategy: Strategy, here: int) -> Fraction:
    """How likely play comes to a history, step by step back to the root."""
    likely = Fraction(1)
    while (before := tree.parent[here]) >= 0:
        move, place = here - tree.first_child[before], tree.infoset_of[before]
        likely *= tree.chance_moves[place].probabilities[move] if tree.actor[before] == CHANCE else strategy.rows[place][move]
        here = before
    return likely
