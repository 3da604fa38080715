"""Payoffs and gains of strategies, by walking a tree and trying every pure strategy, without a solver."""

from __future__ import annotations

from itertools import product

from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL


def payoffs(tree, strategy):
    """Return all players' payoffs, by walking from the root."""

    def below(here):
        who, place = tree.actor[here], tree.infoset_of[here]
        if who == TERMINAL:
            return tree.payoffs[place]
        probabilities = tree.chance_moves[place].probabilities if who == CHANCE else strategy.rows[place]
        each = [(chance, below(child)) for chance, child in zip(probabilities, tree.children(here), strict=True) if chance]
        return tuple(sum(chance * payoff[seat] for chance, payoff in each) for seat in range(tree.player_count))

    return below(0)


def gains(tree, strategy):
    """Return each player's largest gain by another pure strategy; all are tried."""
    found = []
    for seat in range(tree.player_count):
        mine = [place for place, infoset in enumerate(tree.infosets) if infoset.player == seat]
        have = best = payoffs(tree, strategy)[seat]
        for choice in product(*(range(len(tree.infosets[place].actions)) for place in mine)):
            rows = list(strategy.rows)
            for place, move in zip(mine, choice, strict=True):
                rows[place] = pure_row(move, len(tree.infosets[place].actions))
            best = max(best, payoffs(tree, Strategy(tree, rows))[seat])
        found.append(best - have)
    return found


def pure_strategies(tree):
    """Yield every choice of one move at each information set."""
    for choices in product(*(range(len(infoset.actions)) for infoset in tree.infosets)):
        yield Strategy.from_choices(tree, choices)


def how_many_strategies(tree, seat=None):
    """Return the number of pure strategies of a player, or of all together, including unreached choices."""
    many = 1
    for infoset in tree.infosets:
        if seat is None or infoset.player == seat:
            many *= len(infoset.actions)
    return many
