"""Zero-sum games without numpy: plan by plan, exactly; and learned, number by number as with it."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from durak_widget import Game, Rules, theory
from durak_widget.games.solving import solution
from durak_widget.games.solving.cfr import CFR
from durak_widget.games.solving.plainly import PlainCFR, by_plans
from durak_widget.games.trees.tree import Draw, End, Turn, grow
from sizes import tried

SIX = Rules.preset("podkidnoy", suits="cdh", ranks="67", hand_size=1, trump="none", attack_limit=1, first_attacker="left_of_dealer")
KING_OR_ACE = (
    "econ431, suits=cdh, hand_size=1: Kc Ac | Kd; attacker 1; table Qc; talon Ad; turn-up 9h; seen Kc Ac |; "
    "discard 9c Tc Jc 9d Td Jd Qd Th Jh Qh Kh Ah"
)


def hidden_tree(rng: Random):
    """A small zero-sum game in which each sees its own moves and signals, and not all of the other's."""
    depth, among = rng.randint(2, 4), [Fraction(n, d) for n in range(-3, 4) for d in (1, 2, 3)]
    hides = [rng.random() < 0.6 for _ in range(depth)]
    ways = [rng.choice((2, 2, 3)) for _ in range(depth)]
    acts = [rng.randrange(2) for _ in range(depth)]

    def look(where):
        if not where:
            return Draw([(one, Fraction(part, 6), one) for one, part in zip("xyz", (1, 2, 3), strict=True)])
        at = len(where) - 1
        if at == depth:
            worth = rng.choice(among)
            return End((worth, -worth))
        seen = "".join(move if acts[turn] == acts[at] or not hides[turn] else "?" for turn, move in enumerate(where[1:]))
        signal = where[0] if acts[at] == 0 else "-"
        return Turn(acts[at], f"{signal}{seen}", [(move, where + move) for move in "abc"[: ways[at]]])

    return grow("", look, seats=2)


def same(tree):
    """Solved both ways: the same value, and a certificate without a gap."""
    found = theory.solve(tree, "plans")
    assert found.exact
    assert found.exploitability == 0
    assert found.value == theory.solve(tree).value
    return found


def test_small_games_of_cards_are_worth_the_same():
    """Those of the lessons among them."""
    assert same(theory.build(SIX, dealer=1)).value == Fraction(-1, 5)
    assert same(theory.build_from(Game.at(KING_OR_ACE))).value == 0
    assert same(theory.textbook("kuhn")).value == Fraction(-1, 18)


def test_random_games_are_worth_the_same():
    """With chance, with what one side sees and the other does not, with ties."""
    rng = Random(5)
    for _ in range(tried(40, 300)):
        same(hidden_tree(rng))


def test_the_best_pure_strategies_guarantee_the_same(monkeypatch):
    """Found by holding a side to one move after the other where it mixes, and by a program for whole numbers."""
    rng = Random(6)
    trees = [theory.textbook("kuhn"), theory.textbook("pennies"), *(hidden_tree(rng) for _ in range(tried(25, 200)))]
    known = [theory.solve(tree, "pure") for tree in trees]
    monkeypatch.setattr(solution, "is_there", lambda _: False)
    for tree, one in zip(trees, known, strict=True):
        found = theory.solve(tree, "pure")
        assert (found.lower, found.upper) == (one.lower, one.upper)
        assert all(set(row) <= {0, 1} for row in found.strategy.rows)


def test_what_is_learned_is_the_same_number_by_number():
    """As far as floats go, whatever was added up first."""
    for tree in (theory.textbook("kuhn"), theory.build_from(Game.at(KING_OR_ACE)), hidden_tree(Random(8))):
        with_numpy, plainly = CFR(tree), PlainCFR(tree)
        for many in (1, 7, 92):
            with_numpy.run(many)
            plainly.run(many)
            assert plainly.iterations == with_numpy.iterations
            assert plainly.exploitability() == pytest.approx(with_numpy.exploitability(), abs=1e-9)
            for one, other in zip(plainly.strategy().rows, with_numpy.strategy().rows, strict=True):
                assert one == pytest.approx(other, abs=1e-7)


def test_without_numpy_a_game_is_solved_all_the_same(monkeypatch):
    """`solve` says by which way; what is too large for that says what it needs, and so does what floats are needed for."""
    monkeypatch.setattr(solution, "is_there", lambda _: False)
    tree = theory.textbook("kuhn")
    found = theory.solve(tree)
    assert (found.method, found.value) == ("plans", Fraction(-1, 18))
    assert "found by: exact linear programs of a few plans at a time" in str(found)
    assert by_plans(tree).rows == found.strategy.rows
    view = theory.Tree(tree)
    monkeypatch.setattr("durak_widget.board.play.strategies.is_there", lambda _: False)
    monkeypatch.setattr("durak_widget.board.play.learning.is_there", lambda _: False)
    view.solve()
    assert (view.solution.method, view.solution.value) == ("plans", Fraction(-1, 18))
    assert view.learn().step(50).iterations == 50
