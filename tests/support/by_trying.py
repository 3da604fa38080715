"""What a strategy is worth, and what each seat could gain, by walking a tree and trying every pure strategy: no solver is asked."""

from __future__ import annotations

from itertools import product

from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER


def payoffs(tree, strategy):
    """What all seats have, walked through from the root."""

    def below(here):
        who, place = tree.actor[here], tree.info[here]
        if who == OVER:
            return tree.payoffs[place]
        likely = tree.chances[place].probabilities if who == CHANCE else strategy.rows[place]
        each = [(chance, below(child)) for chance, child in zip(likely, tree.children(here), strict=True) if chance]
        return tuple(sum(chance * worth[seat] for chance, worth in each) for seat in range(tree.seats))

    return below(0)


def gains(tree, strategy):
    """The most that each seat alone could win by another pure strategy: all of them are tried."""
    found = []
    for seat in range(tree.seats):
        mine = [place for place, one in enumerate(tree.sets) if one.seat == seat]
        have = best = payoffs(tree, strategy)[seat]
        for choice in product(*(range(len(tree.sets[place].moves)) for place in mine)):
            rows = list(strategy.rows)
            for place, move in zip(mine, choice, strict=True):
                rows[place] = pure_row(move, len(tree.sets[place].moves))
            best = max(best, payoffs(tree, Strategy(tree, rows))[seat])
        found.append(best - have)
    return found


def pure_strategies(tree):
    """Every choice of one move at each information set of everybody."""
    for choices in product(*(range(len(one.moves)) for one in tree.sets)):
        yield Strategy.choosing(tree, choices)


def how_many_strategies(tree, seat=None):
    """How many pure strategies a seat has, or all together: every move with every other, wherever it leads."""
    many = 1
    for one in tree.sets:
        if seat is None or one.seat == seat:
            many *= len(one.moves)
    return many
