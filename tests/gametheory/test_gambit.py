"""Trees in Gambit's Python package, and back: what its solvers found is judged, and refused where it cannot be."""

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
"""A game of 27 histories, worth 2/3, for which the `lp_solve` of Gambit 16.7 says 5/6, in fractions."""


class Node:
    """What of a node of pygambit is asked: what follows it, and whose information set it is in."""

    def __init__(self, tree, here=0):
        self.here, self.children = here, [Node(tree, child) for child in tree.children(here)]
        self.infoset = self
        place = tree.infoset_of[here]
        self.actions = (
            [] if tree.actor[here] in (CHANCE, TERMINAL) else [Action(place, *one) for one in enumerate(tree.infosets[place].actions)]
        )


class Action(NamedTuple):
    """What of an action of pygambit is asked: what it is called."""

    place: int
    number: int
    label: str


class Profile:
    """What of a profile of pygambit 16 is asked: its game, and how likely each action is."""

    def __init__(self, tree, rows):
        self.game, self.root, self.rows = self, Node(tree), rows

    def __getitem__(self, action):
        return self.rows[action.place][action.number]


class Paths:
    """What of a profile of pygambit 17 is asked: nodes are selected by the labels of the actions that lead to them, and labels are unique."""

    class H:
        """How pygambit 17 selects a node."""

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
def profile(request, monkeypatch):
    """A profile as each version of pygambit has it."""
    monkeypatch.setitem(sys.modules, "pygambit", Paths)
    return request.param


def test_a_profile_becomes_a_strategy(profile):
    """Set by set the same probabilities, exact where they were."""
    for number in (Fraction, float):
        tree = analysis.build_game_tree(SMALL["econ431"], dealer=1)
        strategy = gametheory.solve(tree).strategy
        found = gametheory.from_pygambit(tree, profile(tree, [[number(one) for one in row] for row in strategy]))
        assert found.exact == (number is Fraction)
        assert list(found) == [tuple(map(number, row)) for row in strategy]


def test_impossible_probabilities_are_refused(profile):
    """They do not add up to 1 where the seat's own moves lead, or are below 0."""
    tree = analysis.build_game_tree(WRONG, dealer=1)
    rows = [list(row) for row in gametheory.Strategy.uniform(tree)]
    for wrong in ([Fraction(0), Fraction(0)], [Fraction(3, 2), Fraction(-1, 2)]):
        with pytest.raises(
            StrategyError, match="at 'seat 0 holds 6c 6d, table empty' the probabilities must be at least 0 and add up to 1"
        ):
            gametheory.from_pygambit(tree, profile(tree, [wrong, *rows[1:]]))


def test_a_profile_of_another_game_of_the_same_shape_is_refused(profile):
    """As many moves everywhere, and other ones."""
    trees = [
        gametheory.from_efg(f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "{one}" "r" }} 0 t "" 1 "" {{ 1 -1 }} t "" 2 "" {{ 0 0 }}')
        for one in "lm"
    ]
    with pytest.raises(TreeError, match="it has other moves at"):
        gametheory.from_pygambit(trees[0], profile(trees[1], [[Fraction(1), Fraction(0)]]))


def test_where_a_seat_never_leads_itself_nothing_need_be_said(profile):
    """Gambit leaves such sets empty; what the others gain against the strategy does not hang on them."""
    places = {"": ("a", "b"), "b": ("c", "d")}
    worth = {"a": 1, "bc": 0, "bd": 2}

    def look(where):
        if where in worth:
            return gametheory.TerminalNode((worth[where], -worth[where]))
        return gametheory.DecisionNode(0, where, [(move, where + move) for move in places[where]])

    tree = gametheory.build_tree("", look, player_count=2)
    found = gametheory.from_pygambit(tree, profile(tree, [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)]]))
    assert list(found) == [(1, 0), (Fraction(1, 2), Fraction(1, 2))]


def test_a_profile_of_another_game_is_refused(profile):
    """Where the two part is said."""
    tree, other = analysis.build_game_tree(SMALL["econ431"], dealer=1), kuhn()
    with pytest.raises(TreeError, match="the profile is of another game than the tree: they differ after the start"):
        gametheory.from_pygambit(tree, profile(other, gametheory.Strategy.uniform(other).rows))


def test_moves_that_share_a_name_are_read(profile):
    """Version 17 gives such moves names of its own."""
    for moves in ("", "l"):
        text = f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "{moves}" "{moves}" }} 0 t "" 1 "" {{ 1 -1 }} t "" 2 "" {{ 0 0 }}'
        tree = gametheory.from_efg(text)
        row = (Fraction(1, 3), Fraction(2, 3))
        assert gametheory.from_pygambit(tree, profile(tree, [row])).rows == (row,)


def test_without_pygambit_it_says_what_to_do():
    """One sentence, and the way round it."""
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
    """Where it is installed; nothing else here needs it."""
    return pytest.importorskip("pygambit")


def paid(profile, player):
    """What a profile pays a player, in either version of pygambit."""
    return profile.payoffs[player] if hasattr(profile, "payoffs") else profile.payoff(player)


def solved(gambit, tree, *, rational):
    """What the linear program of Gambit finds, in either version."""
    found = gambit.nash.lp_solve(gametheory.to_pygambit(tree), rational=rational)
    return found.equilibrium if hasattr(found, "equilibrium") else found.equilibria[0]


def test_gambit_reads_our_trees(gambit):
    """As many nodes and information sets, and playing at random is worth the same."""
    for name in SMALL.keys() - {"transfer", "two decks", "swaps"}:  # which are large
        tree = analysis.build_game_tree(SMALL[name], dealer=1)
        game = gametheory.to_pygambit(tree)
        uniform = game.mixed_behavior_profile(rational=True)
        strategy = gametheory.from_pygambit(tree, uniform)
        assert strategy == gametheory.Strategy.uniform(tree)
        if tree.history_count < 1000:
            assert paid(uniform, tree.names[0]) == gametheory.value(tree, strategy)


def test_what_gambit_solves_is_judged(gambit):
    """Its linear program, in floats, on Kuhn poker: an equilibrium, by our own best responses."""
    tree = kuhn()
    strategy = gametheory.from_pygambit(tree, solved(gambit, tree, rational=False))
    assert gametheory.value(tree, strategy) == pytest.approx(-1 / 18)
    assert gametheory.exploitability(tree, strategy) == pytest.approx(0, abs=1e-9)


def test_a_wrong_answer_is_found_out(gambit):
    """Where Gambit's exact solver says more than the game is worth, its probabilities cannot be, and nobody is told that they can."""
    tree = analysis.build_game_tree(WRONG, dealer=1)
    value = gametheory.solve(tree).value
    assert value == Fraction(2, 3)
    found = solved(gambit, tree, rational=True)
    if paid(found, tree.names[0]) == value:  # a later Gambit may have mended it
        assert gametheory.exploitability(tree, gametheory.from_pygambit(tree, found)) == 0
    else:
        with pytest.raises(StrategyError, match="must be at least 0 and add up to 1"):
            gametheory.from_pygambit(tree, found)
