"""Test the exchange of trees and strategies with Gambit's Python package, in pygambit 16 and 17."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import NamedTuple

import pytest

from durak_widget import analysis, gametheory
from durak_widget.gametheory import StrategyError, TreeError
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from support.textbook import kuhn
from support.tree_games import SMALL, small

WRONG = small("econ431", ranks="67", hand=2, trump="none", attack_limit=1)
"""A game of 27 histories with the value 2/3, for which the `lp_solve` of Gambit 16.7 says 5/6, in fractions."""


class Node:
    """A minimal pygambit node: its children and its information set."""

    def __init__(self, tree, here=0):
        self.here, self.children = here, [Node(tree, child) for child in tree.children(here)]
        self.infoset = self
        place = tree.infoset_of[here]
        self.actions = (
            [] if tree.actor[here] in (CHANCE, TERMINAL) else [Action(place, *action) for action in enumerate(tree.infosets[place].actions)]
        )


class Action(NamedTuple):
    """A minimal pygambit action: its label."""

    place: int
    number: int
    label: str


class Profile:
    """A minimal profile of pygambit 16: its game, and the probability of each action."""

    def __init__(self, tree, rows):
        self.game, self.root, self.rows = self, Node(tree), rows

    def __getitem__(self, action):
        return self.rows[action.place][action.number]


class Paths:
    """A minimal profile of pygambit 17: nodes are selected by the labels of the actions that lead to them, and labels are unique."""

    class H:
        """The node selector of pygambit 17."""

        @staticmethod
        def path(*labels):
            """Select a node by the labels of the actions that lead to it."""
            return labels

    def __init__(self, tree, rows):
        self.game, self.tree, self.rows = self, tree, rows

    def _node(self, path):
        here = 0
        for label in path:
            here = self.tree.children(here)[self._labels(here).index(label)]
        return here

    def _labels(self, here):
        place, actor = self.tree.infoset_of[here], self.tree.actor[here]
        moves = () if actor == TERMINAL else self.tree.chance_moves[place].actions if actor == CHANCE else self.tree.infosets[place].actions
        return [move if moves.count(move) == 1 and move else f"{move}_{number}" for number, move in enumerate(moves, 1)]

    def get_actions(self, path):
        """Return the labels of the actions at a node."""
        return self._labels(self._node(path))

    def __getitem__(self, path):
        here = self._node(path)
        return dict(zip(self._labels(here), self.rows[self.tree.infoset_of[here]], strict=True))


@pytest.fixture(params=[Profile, Paths])
def profile_class(request, monkeypatch):
    """Return the profile class of each version of pygambit."""
    monkeypatch.setitem(sys.modules, "pygambit", Paths)
    return request.param


def test_a_profile_becomes_a_strategy(profile_class):
    """The probabilities are equal at each information set, exact if they were exact."""
    for number in (Fraction, float):
        tree = analysis.build_game_tree(SMALL["econ431"], dealer=1)
        strategy = gametheory.solve(tree).strategy
        found = gametheory.from_pygambit(tree, profile_class(tree, [[number(probability) for probability in row] for row in strategy]))
        assert found.exact == (number is Fraction)
        assert list(found) == [tuple(map(number, row)) for row in strategy]


def test_impossible_probabilities_are_refused(profile_class):
    """They do not add up to 1 at a node that the player itself reaches, or are below 0."""
    tree = analysis.build_game_tree(WRONG, dealer=1)
    rows = [list(row) for row in gametheory.Strategy.uniform(tree)]
    for wrong in ([Fraction(0), Fraction(0)], [Fraction(3, 2), Fraction(-1, 2)]):
        with pytest.raises(StrategyError, match=r"'seat 0 holds 6c 6d, table empty'.*probabilities"):
            gametheory.from_pygambit(tree, profile_class(tree, [wrong, *rows[1:]]))


def test_a_profile_of_another_game_of_the_same_shape_is_refused(profile_class):
    """Equal numbers of moves everywhere, with other labels."""
    trees = [
        gametheory.from_efg(f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "{move}" "r" }} 0 t "" 1 "" {{ 1 -1 }} t "" 2 "" {{ 0 0 }}')
        for move in "lm"
    ]
    with pytest.raises(TreeError, match="it has other moves at"):
        gametheory.from_pygambit(trees[0], profile_class(trees[1], [[Fraction(1), Fraction(0)]]))


def test_unreached_information_sets_may_be_empty(profile_class):
    """Gambit leaves them empty if the player's own moves never lead there; they do not change what the others gain against the strategy."""
    places = {"": ("a", "b"), "b": ("c", "d")}
    payoff_at = {"a": 1, "bc": 0, "bd": 2}

    def node_at(where):
        if where in payoff_at:
            return gametheory.TerminalNode((payoff_at[where], -payoff_at[where]))
        return gametheory.DecisionNode(0, where, [(move, where + move) for move in places[where]])

    tree = gametheory.build_tree("", node_at, player_count=2)
    found = gametheory.from_pygambit(tree, profile_class(tree, [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)]]))
    assert list(found) == [(1, 0), (Fraction(1, 2), Fraction(1, 2))]


def test_a_profile_of_another_game_is_refused(profile_class):
    """The error names the first difference."""
    tree, other = analysis.build_game_tree(SMALL["econ431"], dealer=1), kuhn()
    with pytest.raises(TreeError, match=r"profile.*another game than the tree"):
        gametheory.from_pygambit(tree, profile_class(other, gametheory.Strategy.uniform(other).rows))


def test_moves_with_the_same_label_are_read(profile_class):
    """Version 17 gives such moves distinct labels."""
    for moves in ("", "l"):
        text = f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "{moves}" "{moves}" }} 0 t "" 1 "" {{ 1 -1 }} t "" 2 "" {{ 0 0 }}'
        tree = gametheory.from_efg(text)
        row = (Fraction(1, 3), Fraction(2, 3))
        assert gametheory.from_pygambit(tree, profile_class(tree, [row])).rows == (row,)


def test_without_pygambit_the_error_names_a_way_out():
    """One sentence, with another way to exchange the game."""
    code = """
import sys
sys.modules["pygambit"] = None
from durak_widget import gametheory
tree = gametheory.from_efg('EFG 2 R "" { "Ann" "Bob" } t "" 1 "" { 1 -1 }')
try:
    gametheory.to_pygambit(tree)
except ImportError as error:
    assert "pip install pygambit" in str(error) and "gametheory.to_efg(tree)" in str(error), error
else:
    raise SystemExit("imported")
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def gambit():
    """Return pygambit, or skip the test if it is not installed."""
    return pytest.importorskip("pygambit")


def gambit_payoff(profile, player):
    """Return a player's payoff in a profile, in either version of pygambit."""
    return profile.payoffs[player] if hasattr(profile, "payoffs") else profile.payoff(player)


def gambit_lp_profile(gambit, tree, *, rational):
    """Return the result of Gambit's linear program, in either version."""
    found = gambit.nash.lp_solve(gametheory.to_pygambit(tree), rational=rational)
    return found.equilibrium if hasattr(found, "equilibrium") else found.equilibria[0]


def test_gambit_reads_our_trees(gambit):
    """The numbers of nodes and information sets are equal, and so are the payoffs of random play."""
    for name in SMALL.keys() - {"transfer", "two decks", "swaps"}:  # which are large
        tree = analysis.build_game_tree(SMALL[name], dealer=1)
        game = gametheory.to_pygambit(tree)
        uniform = game.mixed_behavior_profile(rational=True)
        strategy = gametheory.from_pygambit(tree, uniform)
        assert strategy == gametheory.Strategy.uniform(tree)
        if tree.history_count < 1000:
            assert gambit_payoff(uniform, tree.names[0]) == gametheory.value(tree, strategy)


def test_a_gambit_solution_is_verified(gambit):
    """Its linear program, in floats, on Kuhn poker: an equilibrium, by our own best responses."""
    tree = kuhn()
    strategy = gametheory.from_pygambit(tree, gambit_lp_profile(gambit, tree, rational=False))
    assert gametheory.value(tree, strategy) == pytest.approx(-1 / 18)
    assert gametheory.exploitability(tree, strategy) == pytest.approx(0, abs=1e-9)


def test_a_wrong_gambit_solution_is_refused(gambit):
    """Gambit's exact solver gives too high a value here; its probabilities are impossible, and the conversion refuses them."""
    tree = analysis.build_game_tree(WRONG, dealer=1)
    value = gametheory.solve(tree).value
    assert value == Fraction(2, 3)
    found = gambit_lp_profile(gambit, tree, rational=True)
    if gambit_payoff(found, tree.names[0]) == value:  # a later version of Gambit may have fixed this
        assert gametheory.exploitability(tree, gametheory.from_pygambit(tree, found)) == 0
    else:
        with pytest.raises(StrategyError, match="probabilities"):
            gametheory.from_pygambit(tree, found)
