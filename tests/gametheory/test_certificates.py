"""Test that a certificate proves its bounds, and that a wrong one is detected."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory import CertificateError, Strategy, StrategyError
from durak_widget.gametheory.certificate import round_strategy
from durak_widget.gametheory.rational_recovery import certify_in_sequence_form, solve_exactly
from durak_widget.gametheory.sequence_form import SequenceForm
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, TreeError
from support.textbook import HALF, kuhn, leduc, matching_pennies, signalling, tree_of, zero_sum


@given(zero_sum(3), st.randoms(use_true_random=False))
def test_guarantees_hold_against_every_pure_strategy(tree, random):
    """No pure strategy of player 1 brings player 0 below `lower`, and one brings it there; the same for `upper`."""
    sizes = [len(infoset.actions) for infoset in tree.infosets]
    if len(sizes) > 8:
        return
    rows = [[random.random() + 0.01 for _ in range(size)] for size in sizes]
    certificate = gametheory.certify(tree, Strategy(tree, [[probability / sum(row) for probability in row] for row in rows]))
    for seat, bound, pick in ((1, certificate.lower, min), (0, certificate.upper, max)):
        ways = [range(size) if infoset.player == seat else (0,) for size, infoset in zip(sizes, tree.infosets, strict=True)]
        met = [
            gametheory.value(tree, certificate.strategy.replace_player(seat, Strategy.from_choices(tree, choices)))
            for choices in list(product(*ways))[:400]
        ]
        if len(list(product(*ways))) <= 400:
            assert pick(met) == bound
    assert gametheory.check_certificate(tree, certificate) == certificate.gap


@given(zero_sum(), st.randoms(use_true_random=False), st.sampled_from([10, 1000, 1 << 48]))
def test_rounded_strategies_add_up_to_one(tree, random, parts):
    """Fractions that add up to exactly 1, close to the floats if the player itself reaches the node; at any depth, with one denominator."""
    rows = [[random.random() ** 4 + 1e-9 for _ in infoset.actions] for infoset in tree.infosets]
    strategy = Strategy(tree, [[probability / sum(row) for probability in row] for row in rows])
    exact = round_strategy(tree, strategy, parts)
    assert exact.exact
    assert all(sum(row) == 1 and min(row) >= 0 for row in exact)
    for seat in (0, 1):
        alone = Strategy.uniform(tree).replace_player(seat, exact)
        assert all(isinstance(probability, (int, Fraction)) for row in alone for probability in row)
    if parts == 1 << 48:
        assert gametheory.value(tree, exact) == pytest.approx(gametheory.value(tree, strategy), abs=1e-9)


@given(zero_sum(), st.randoms(use_true_random=False))
def test_sequence_form_certificates_equal_tree_certificates(tree, random):
    """With integers on the sequence form, or with fractions along the tree: the same strategies and the same bounds."""
    rows = [[random.random() ** 4 + 1e-9 for _ in infoset.actions] for infoset in tree.infosets]
    strategy = Strategy(tree, [[probability / sum(row) for probability in row] for row in rows])
    assert certify_in_sequence_form(SequenceForm(tree), strategy) == gametheory.certify(tree, strategy)


def wrong_certificates(tree):
    """Yield certificates with an error that a solver could make."""
    good = gametheory.solve(tree).certificate
    rows = list(good.strategy.rows)
    place = next(place for place, row in enumerate(rows) if max(row) < 1)

    def with_row(row):
        bad = Strategy.uniform(tree)
        bad.rows = (*rows[:place], row, *rows[place + 1 :])
        return good._replace(strategy=bad)

    yield good._replace(lower=good.lower + Fraction(1, 10**20)), "guarantees"
    yield good._replace(upper=good.upper - Fraction(1, 10**20)), "claims upper = .* player 0"
    yield good._replace(strategy=Strategy.uniform(tree)), "guarantees"
    yield with_row(tuple(map(float, rows[place]))), "exact probabilities"
    yield with_row((Fraction(22, 45), Fraction(22, 45))), "add up to 1"
    yield with_row((Fraction(-1, 2), Fraction(3, 2))), "at least 0"
    yield with_row((Fraction(1),)), "another tree"
    yield gametheory.solve(matching_pennies()).certificate, "another tree"


def test_a_wrong_certificate_is_detected():
    """A bound too good, a strategy that does not guarantee it, invalid probabilities, floats, another tree."""
    tree = kuhn()
    for certificate, words in wrong_certificates(tree):
        with pytest.raises(CertificateError, match=words):
            gametheory.check_certificate(tree, certificate)


def test_only_two_player_zero_sum_games_have_a_certificate():
    """In other games a guarantee for one player says nothing about the other."""
    tree = tree_of({"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 1)), "b": TerminalNode((0, 3))})
    with pytest.raises(TreeError, match="a certificate needs a zero-sum game"):
        gametheory.certify(tree, Strategy.uniform(tree))
    with pytest.raises(CertificateError, match="wins what the other"):
        gametheory.check_certificate(tree, gametheory.solve(kuhn()).certificate)


def test_a_rounded_value_is_never_called_exact():
    """The value of CFR+ is a float between two fractions, and so is that of a linear program with `exact=False`."""
    for solution in (gametheory.solve(kuhn(), "cfr+"), gametheory.solve(leduc(), exact=False)):
        assert not solution.exact
        assert isinstance(solution.value, float)
        assert solution.lower < solution.upper
        assert "exactly" not in str(solution)
        assert str(solution.certificate).startswith("the value")


def test_a_value_with_a_large_denominator_is_found():
    """A probability of 1/1000003 is beyond the small denominators tried; the equations give it."""
    large = 1_000_003
    pays = {"hh": large - 1, "tt": 1, "ht": 0, "th": 0}
    places = {"": DecisionNode(0, "hides", [("h", "h"), ("t", "t")])}
    for move in "ht":
        places[move] = DecisionNode(1, "guesses", [("h", move + "h"), ("t", move + "t")])
        for other in "ht":
            places[move + other] = TerminalNode((pays[move + other], -pays[move + other]))
    solution = gametheory.solve(tree_of(places))
    assert solution.value == Fraction(large - 1, large)
    assert solution.strategy["hides"] == (Fraction(1, large), Fraction(large - 1, large))


@given(st.integers(1, 5), st.randoms(use_true_random=False))
def test_equations_are_solved_exactly(size, random):
    """Equations with a known unique solution, in any order and some of them twice, give it back."""
    known = [Fraction(random.randrange(-5, 6), random.randrange(1, 5)) for _ in range(size)]
    equations = []
    for number in range(size):  # a triangle: one solution
        factors = {key: Fraction(random.randrange(-3, 4)) for key in range(number)} | {number: Fraction(random.choice((-2, 1, 3)))}
        equations.append({**factors, -1: sum(factor * known[key] for key, factor in factors.items())})
    equations += [{key: 2 * factor for key, factor in equation.items()} for equation in equations[: size // 2]]
    random.shuffle(equations)
    assert solve_exactly(equations, [0.0] * size) == known


def test_contradicting_equations_have_no_solution():
    """An equation with more than one solution gives the one near the guess."""
    unit = Fraction(1)
    assert solve_exactly([{0: unit, -1: unit}, {0: unit, -1: 2 * unit}], [1.0]) is None
    assert solve_exactly([{0: unit, 1: unit, -1: unit}], [0.25, 0.75]) == [Fraction(1, 4), Fraction(3, 4)]


def test_strategies_are_immutable_values():
    """They are compared, pickled, and indexed by number, by label, or by player and label."""
    tree = signalling()
    strategy = Strategy.from_mapping(tree, {"high": "bet", (1, "bet"): {"fold": Fraction(1, 3), "call": Fraction(2, 3)}})
    assert strategy["low"] == (HALF, HALF)
    assert strategy[(1, "bet")] == strategy["bet"] == (Fraction(1, 3), Fraction(2, 3))
    assert pickle.loads(pickle.dumps(strategy)) == strategy != Strategy.uniform(tree)
    assert hash(strategy) == hash(Strategy(tree, strategy.rows))
    assert (strategy.is_pure, strategy.exact, len(strategy)) == (False, True, 3)
    assert not Strategy(tree, [(0.5, 0.5)] * 3).exact
    assert Strategy.from_choices(tree, [0, 1, 0]).is_pure
    assert "1 of them mixed" in repr(Strategy.from_mapping(tree, {"high": "bet", "low": "fold"}))


def test_an_invalid_strategy_is_refused():
    """The error says what is wrong, and what would be right."""
    for call, words in (
        (lambda tree: Strategy(tree, [(1, 0)]), "3.*1"),
        (lambda tree: Strategy(tree, [(1,), (1, 0), (1, 0)]), "2.*1"),
        (lambda tree: Strategy(tree, [(0.5, 0.6), (1, 0), (1, 0)]), "add up to 1, not 1.1"),
        (lambda tree: Strategy(tree, [(2, -1), (1, 0), (1, 0)]), "at least 0"),
        (lambda tree: Strategy.from_mapping(tree, {"high": "raise"}), "'raise'"),
        (lambda tree: Strategy.uniform(tree)["middle"], "no information set 'middle'"),
        (lambda tree: Strategy.uniform(tree)[3], "3.*0 to 2"),
        (lambda tree: gametheory.value(kuhn(), Strategy.uniform(tree)), "another tree"),
    ):
        with pytest.raises(StrategyError, match=words):
            call(signalling())


def test_an_ambiguous_infoset_label_needs_the_player():
    """Two players may use the same label; then the player must be given too."""
    tree = tree_of({"": DecisionNode(0, "?", [("a", "a")]), "a": DecisionNode(1, "?", [("b", "b"), ("c", "b")]), "b": TerminalNode((0, 0))})
    with pytest.raises(StrategyError, match="2 information sets"):
        _ = Strategy.uniform(tree)["?"]
    assert Strategy.uniform(tree)[(1, "?")] == (HALF, HALF)


def test_backward_induction_is_exact_and_lists_ties():
    """The best move at every node, also where play never comes; a chance move that nobody sees is averaged."""
    places = {
        "": ChanceNode([("sun", Fraction(1, 3), "s"), ("rain", Fraction(2, 3), "r")]),
        **{day: DecisionNode(0, "morning", [("out", day + "o"), ("in", day + "i")]) for day in "sr"},
        **{day + "o": DecisionNode(1, "out", [("follow", day + "of"), ("stay", day + "os")]) for day in "sr"},
        "so" + "f": TerminalNode((3, -3)),
        "ro" + "f": TerminalNode((0, 0)),
        **{day + "os": TerminalNode((1, -1)) for day in "sr"},
        **{day + "i": TerminalNode((1, -1)) for day in "sr"},
    }
    tree = tree_of(places)
    solution = gametheory.solve(tree, "backward")
    assert solution.value == 1
    assert solution.certificate.exact
    assert {tie.label: tie.actions for tie in solution.backward_induction.ties} == {"morning": ("out", "in"), "out": ("follow", "stay")}
    assert solution.backward_induction.line_of_play == ("rain", "out", "follow")
    assert "ties: at 2 information sets" in str(solution)


@given(zero_sum(open_moves=True))
def test_backward_induction_agrees_with_the_linear_program(tree):
    """With perfect information the two values are equal, and the certificate proves it."""
    solution = gametheory.solve(tree, "backward")
    assert solution.value == gametheory.solve(tree).value
    assert gametheory.check_certificate(tree, solution.certificate) == 0


def test_backward_induction_refuses_hidden_moves():
    """The error names another method."""
    with pytest.raises(TreeError, match=r"gametheory\.solve\(tree\)"):
        gametheory.solve(matching_pennies(), "backward")
