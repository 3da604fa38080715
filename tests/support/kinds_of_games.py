"""Random games of every kind, for tests that answer every finite game; no solver is used here."""

from __future__ import annotations

from copy import copy
from fractions import Fraction

from durak_widget.gametheory.game_properties import find_game_properties
from durak_widget.gametheory.tree import TERMINAL, ChanceNode, DecisionNode, TerminalNode, build_tree
from support.random_trees import hidden_tree, open_tree

MOST = 300
"""The limit of pure strategies of all players together, so that all can be tried."""


def _strategies(tree):
    """Return the number of pure strategies."""
    many = 1
    for infoset in tree.infosets:
        many *= len(infoset.actions)
    return many


def _drawn(rng, make, fits):
    """Return the first random game that fits and is small enough to try everything."""
    while True:
        tree = make(rng)
        if tree.infosets and _strategies(tree) <= MOST and fits(find_game_properties(tree)):
            return tree


def paying(tree, pay):
    """Return the same game with other payoffs for each of two players."""
    other = copy(tree)
    other.payoffs = [pay(*payoffs) for payoffs in tree.payoffs]
    return other


def in_the_open(rng):
    """Return a game of perfect information."""
    return _drawn(rng, lambda rng: open_tree(rng, most=3), lambda kind: kind.has_perfect_information)


def zero_sum_of_two(rng):
    """Return a zero-sum game of two, perhaps with hidden information."""
    return paying(
        _drawn(rng, lambda rng: hidden_tree(rng, most=3), lambda kind: kind.player_count == 2), lambda payoff, _: (payoff, -payoff)
    )


def constant_of_two(rng):
    """Return a constant-sum game of two."""
    pot = Fraction(rng.randint(1, 9))
    return paying(
        _drawn(rng, lambda rng: hidden_tree(rng, most=3), lambda kind: kind.player_count == 2 and not kind.has_observed_actions),
        lambda payoff, _: (payoff, pot - payoff),
    )


def general_of_two(rng):
    """Return a general game of two."""
    return _drawn(rng, lambda rng: hidden_tree(rng, most=3), lambda kind: kind.payoff_sum == "general" and not kind.has_observed_actions)


def of_three(rng):
    """Return a game of three with hidden information."""
    return _drawn(rng, lambda rng: hidden_tree(rng, seats=3, most=4), lambda kind: not kind.has_observed_actions)


def signals(rng):
    """Return a signalling game with one message and one answer."""
    types, messages, answers, most = rng.choice((2, 2, 3)), rng.choice((2, 2, 3)), 2, rng.choice((2, 5, 9))
    parts = [rng.randint(1, 4) for _ in range(types)]

    def look(where):
        if not where:
            return ChanceNode([(f"t{number}", Fraction(part, sum(parts)), (number,)) for number, part in enumerate(parts)])
        if len(where) == 1:
            return DecisionNode(0, f"t{where[0]}", [(f"m{number}", (*where, number)) for number in range(messages)])
        if len(where) == 2:
            return DecisionNode(1, f"sees m{where[1]}", [(f"a{number}", (*where, number)) for number in range(answers)])
        return TerminalNode((rng.randint(-most, most), rng.randint(-most, most)))

    return _drawn(rng, lambda _: build_tree((), look, player_count=2), lambda _: True)


def merged(tree, rng):
    """Return the game with two information sets of a player merged, or None if no two have the same number of moves."""
    pairs = [
        (first_number, second_number)
        for first_number, first in enumerate(tree.infosets)
        for second_number, second in enumerate(tree.infosets)
        if first_number < second_number and first.player == second.player and len(first.actions) == len(second.actions)
    ]
    if not pairs:
        return None
    kept, gone = rng.choice(pairs)

    def look(here):
        who, place, below = tree.actor[here], tree.infoset_of[here], tree.children(here)
        if who == TERMINAL:
            return TerminalNode(tree.payoffs[place])
        if who < 0:
            return ChanceNode(list(zip(tree.chance_moves[place].actions, tree.chance_moves[place].probabilities, below, strict=True)))
        return DecisionNode(
            who, kept if place == gone else place, list(zip(tree.infosets[kept if place == gone else place].actions, below, strict=True))
        )

    return build_tree(0, look, player_count=tree.player_count)


def _forgetting(rng, recall):
    """Return a game of imperfect recall of this kind."""

    def make(rng):
        tree = hidden_tree(rng, seats=rng.choice((1, 2, 2, 2, 3)), most=4)
        for _ in range(rng.choice((1, 1, 2))):
            tree = (merged(tree, rng) or tree) if tree.infosets else tree
        return tree

    return _drawn(rng, make, lambda kind: kind.recall == recall)


def of_imperfect_recall(rng):
    """Return a game in which a player forgets what they knew or did."""
    return _forgetting(rng, "imperfect")


def absent_minded(rng):
    """Return a game in which a player forgets that they have moved already."""
    return _forgetting(rng, "absent-minded")


def matrices(rng):
    """Return a matrix of payoff pairs, with few or many different numbers."""
    rows, columns, most = rng.randint(1, 4), rng.randint(1, 4), rng.choice((1, 2, 9, 99))
    return [[(rng.randint(0, most), rng.randint(0, most)) for _ in range(columns)] for _ in range(rows)]


KINDS = {
    "nothing hidden": in_the_open,
    "two, zero-sum": zero_sum_of_two,
    "two, constant sum": constant_of_two,
    "two, general sum": general_of_two,
    "three": of_three,
    "signals": signals,
    "imperfect recall": of_imperfect_recall,
    "absent-minded": absent_minded,
    "matrices": matrices,
}
