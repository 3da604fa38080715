"""What a strategy is worth, and what each seat could gain, by walking a tree and trying every pure strategy: no solver is asked."""

from __future__ import annotations

from itertools import product

from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL


def payoffs(tree, strategy):
    """What all seats have, walked through from the root."""

    def below(here):
        who, place = tree.actor[here], tree.infoset_of[here]
        if who == TERMINAL:
            return tree.payoffs[place]
        likely = tree.chance_moves[place].probabilities if who == CHANCE else strategy.rows[place]
        each = [(chance, below(child)) for chance, child in zip(likely, tree.children(here), strict=True) if chance]
        return tuple(sum(chance * worth[seat] for chance, worth in each) for seat in range(tree.player_count))

    return below(0)


def gains(tree, strategy):
    """The most that each seat alone could win by another pure strategy: all of them are tried."""
    found = []
    for seat in range(tree.player_count):
        mine = [place for place, one in enumerate(tree.infosets) if one.player == seat]
        have = best = payoffs(tree, strategy)[seat]
        for choice in product(*(range(len(tree.infosets[place].actions)) for place in mine)):
            rows = list(strategy.rows)
            for place, move in zip(mine, choice, strict=True):
                rows[place] = pure_row(move, len(tree.infosets[place].actions))
            best = max(best, payoffs(tree, Strategy(tree, rows))[seat])
        found.append(best - have)
    return found


def pure_strategies(tree):
    """Every choice of one move at each information set of everybody."""
    for choices in product(*(range(len(one.actions)) for one in tree.infosets)):
        yield Strategy.from_choices(tree, choices)


def how_many_strategies(tree, seat=None):
    """How many pure strategies a seat has, or all together: every move with every other, wherever it leads."""
    many = 1
    for one in tree.infosets:
        if seat is None or one.player == seat:
            many *= len(one.actions)
    return many
