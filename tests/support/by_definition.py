"""What a subgame-perfect, a weak perfect Bayesian, a sequential equilibrium is, as the books define them: every plan is tried, no solver is asked."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from support.by_trying import gains
from support.hidden_trees import comes, gains_from

SHAKEN = Fraction(1, 10**9)
"""How small a tremble is where limits are tried; gains of more than `SEEN` would be seen."""
SEEN = Fraction(1, 1000)


def is_nash(tree, strategy):
    """Nobody gains by any other plan."""
    return not any(gains(tree, strategy))


def _below(tree, root):
    """The histories from one on."""
    found = {root}
    for here in range(root + 1, tree.history_count):
        if tree.parent[here] in found:
            found.add(here)
    return found


def _members(tree):
    """The histories of each information set."""
    found = {}
    for here, (who, place) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if who >= 0:
            found.setdefault(place, set()).add(here)
    return found


def _worth(tree, rows, here, seat):
    """What a history brings a seat."""
    who, place = tree.actor[here], tree.infoset_of[here]
    if who == TERMINAL:
        return tree.payoffs[place][seat]
    likely = tree.chance_moves[place].probabilities if who == CHANCE else rows[place]
    return sum(chance * _worth(tree, rows, child, seat) for chance, child in zip(likely, tree.children(here), strict=True) if chance)


def is_subgame_perfect(tree, strategy):
    """From each history that begins a subgame nobody gains by another plan for it: one that whoever acts there knows, and that no information set lies half below."""
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
    """At each information set there is a belief, that of Bayes where play comes, by which no way to go on is better."""
    for place, nodes in _members(tree).items():
        reach = [comes(tree, strategy, node) for node in sorted(nodes)]
        better = gains_from(tree, strategy, place)
        if sum(reach):
            if any(sum(likely * gain for likely, gain in zip(reach, one, strict=True)) > 0 for one in better):
                return False
        elif not some_belief(better):
            return False
    return True


def some_belief(better):
    """Whether there is a belief by which none of these gains at each history comes to more than nothing: if there is one, then at a corner of all such beliefs."""
    many = len(better[0])
    bounds = [list(one) for one in dict.fromkeys(map(tuple, better)) if max(one) > 0]
    bounds += [[-int(at == one) for at in range(many)] for one in range(many)]
    for tight in combinations(bounds, many - 1):
        belief = solved([*([*one, 0] for one in tight), [1] * (many + 1)])
        if belief is not None and all(sum(gain * likely for gain, likely in zip(one, belief, strict=True)) <= 0 for one in bounds):
            return True
    return False


def solved(equations):
    """The one solution of as many equations as unknowns, the last number of each being what it adds up to; None where there is not one."""
    rows = [[Fraction(one) for one in line] for line in equations]
    for at in range(len(rows)):
        pivot = next((row for row in range(at, len(rows)) if rows[row][at]), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [one / rows[at][at] for one in rows[at]]
        for row in range(len(rows)):
            if row != at and rows[row][at]:
                rows[row] = [one - rows[row][at] * other for one, other in zip(rows[row], rows[at], strict=True)]
    return [line[-1] for line in rows]


def trembles_lead(tree, strategy, trembles):
    """Whether by the beliefs of hands that tremble so little, nobody has anything to gain at any information set that would be seen."""
    rows = []
    for place, row in enumerate(strategy.rows):
        slips = {move: trembles[place, move] for move, likely in enumerate(row) if not likely}
        shaken = [slips[move].weight * SHAKEN ** slips[move].order if move in slips else likely for move, likely in enumerate(row)]
        rows.append(tuple([one / sum(shaken) for one in shaken]))
    shaking = Strategy(tree, rows)
    for place, nodes in _members(tree).items():
        reach = [comes(tree, shaking, node) for node in sorted(nodes)]
        if any(
            sum(likely * gain for likely, gain in zip(reach, one, strict=True)) > SEEN * sum(reach)
            for one in gains_from(tree, strategy, place)
        ):
            return False
    return True
