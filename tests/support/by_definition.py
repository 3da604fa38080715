"""Definitions of equilibrium concepts (subgame-perfect, weak perfect Bayesian, sequential), checked without a solver."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from support.by_trying import gains
from support.hidden_trees import comes, gains_from

SHAKEN = Fraction(1, 10**9)
"""The size of a tremble when limits are tested. Gains of more than `SEEN` count."""
SEEN = Fraction(1, 1000)


def is_nash(tree, strategy):
    """Return whether nobody gains by another strategy."""
    return not any(gains(tree, strategy))


def _below(tree, root):
    """Return the histories from one on."""
    found = {root}
    for here in range(root + 1, tree.history_count):
        if tree.parent[here] in found:
            found.add(here)
    return found


def _members(tree):
    """Return the histories of each information set."""
    found = {}
    for here, (who, place) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if who >= 0:
            found.setdefault(place, set()).add(here)
    return found


def _worth(tree, rows, here, seat):
    """Return a player's payoff at a history."""
    who, place = tree.actor[here], tree.infoset_of[here]
    if who == TERMINAL:
        return tree.payoffs[place][seat]
    probabilities = tree.chance_moves[place].probabilities if who == CHANCE else rows[place]
    return sum(chance * _worth(tree, rows, child, seat) for chance, child in zip(probabilities, tree.children(here), strict=True) if chance)


def is_subgame_perfect(tree, strategy):
    """Return whether nobody gains by another strategy in any subgame. A subgame starts at a set of one history and cuts no information set."""
    sets = _members(tree)
    for root in range(tree.history_count):
        below = _below(tree, root)
        if tree.actor[root] == TERMINAL or any(nodes & below and not nodes <= below for nodes in sets.values()):
            continue
        if root and tree.actor[root] >= 0 and len(sets[tree.infoset_of[root]]) > 1:
            continue
        for seat in range(tree.player_count):
            mine = [place for place, nodes in sets.items() if tree.infosets[place].player == seat and nodes <= below]
            now = _worth(tree, strategy.rows, root, seat)
            for moves in product(*(range(len(tree.infosets[place].actions)) for place in mine)):
                rows = list(strategy.rows)
                for place, move in zip(mine, moves, strict=True):
                    rows[place] = pure_row(move, len(rows[place]))
                if _worth(tree, rows, root, seat) > now:
                    return False
    return True


def is_weakly_perfect(tree, strategy):
    """Return whether each information set has beliefs, by Bayes' rule where it is reached, under which no other strategy is better."""
    for place, nodes in _members(tree).items():
        reach = [comes(tree, strategy, node) for node in sorted(nodes)]
        better = gains_from(tree, strategy, place)
        if sum(reach):
            if any(sum(probability * gain for probability, gain in zip(reach, gains_row, strict=True)) > 0 for gains_row in better):
                return False
        elif not some_belief(better):
            return False
    return True


def some_belief(better):
    """Return whether some belief makes none of these gains positive. If one exists, a corner of all such beliefs does."""
    many = len(better[0])
    bounds = [list(bound) for bound in dict.fromkeys(map(tuple, better)) if max(bound) > 0]
    bounds += [[-int(at == number) for at in range(many)] for number in range(many)]
    for tight in combinations(bounds, many - 1):
        belief = solved([*([*bound, 0] for bound in tight), [1] * (many + 1)])
        if belief is not None and all(
            sum(gain * probability for gain, probability in zip(bound, belief, strict=True)) <= 0 for bound in bounds
        ):
            return True
    return False


def solved(equations):
    """Return the unique solution of linear equations (the last number is the right-hand side), or None."""
    rows = [[Fraction(number) for number in line] for line in equations]
    for at in range(len(rows)):
        pivot = next((row for row in range(at, len(rows)) if rows[row][at]), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [number / rows[at][at] for number in rows[at]]
        for row in range(len(rows)):
            if row != at and rows[row][at]:
                rows[row] = [number - rows[row][at] * other for number, other in zip(rows[row], rows[at], strict=True)]
    return [line[-1] for line in rows]


def trembles_lead(tree, strategy, trembles):
    """Return whether nobody gains at any information set, by the beliefs that these small trembles give."""
    rows = []
    for place, row in enumerate(strategy.rows):
        slips = {move: trembles[place, move] for move, probability in enumerate(row) if not probability}
        shaken = [
            slips[move].weight * SHAKEN ** slips[move].order if move in slips else probability for move, probability in enumerate(row)
        ]
        rows.append(tuple([gain_row / sum(shaken) for gain_row in shaken]))
    shaking = Strategy(tree, rows)
    for place, nodes in _members(tree).items():
        reach = [comes(tree, shaking, node) for node in sorted(nodes)]
        if any(
            sum(probability * gain for probability, gain in zip(reach, gain_row, strict=True)) > SEEN * sum(reach)
            for gain_row in gains_from(tree, strategy, place)
        ):
            return False
    return True
