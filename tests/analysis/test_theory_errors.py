"""Test errors for wrong arguments, and that a rounded number is never treated as exact."""

from __future__ import annotations

import signal
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from durak_widget import Game, Rules, analysis, gametheory
from durak_widget.analysis import endgame
from durak_widget.errors import BotError, PositionError

RULES = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
TREE = analysis.build_game_tree(RULES, dealer=1)


def test_floats_of_any_type_are_rounded() -> None:
    """Strategies from other tools are evaluated and certified as usual, and are not called exact."""
    for kind in (np.float16, np.float32, np.float64, np.longdouble, Decimal):
        quarter = kind(0.25)
        strategy = gametheory.Strategy(
            TREE, [[*[quarter] * (len(infoset.actions) - 1), kind(1) - quarter * (len(infoset.actions) - 1)] for infoset in TREE.infosets]
        )
        exact = gametheory.Strategy(
            TREE, [[*[Fraction(1, 4)] * (len(infoset.actions) - 1), 1 - Fraction(len(infoset.actions) - 1, 4)] for infoset in TREE.infosets]
        )
        assert not strategy.exact
        certificate = gametheory.certify(TREE, strategy)
        assert gametheory.check_certificate(TREE, certificate) == gametheory.check_certificate(TREE, gametheory.certify(TREE, exact)) > 0
        assert analysis.evaluate_strategy(TREE, strategy, max_leaks=1).exploitability == pytest.approx(
            float(gametheory.exploitability(TREE, exact))
        )


def test_integer_overflow_gives_no_valid_probabilities() -> None:
    """200 and 57 do not add up to 1 modulo 256."""
    rows = [(np.uint8(200), np.uint8(57), *[np.uint8(0)] * (len(infoset.actions) - 2)) for infoset in TREE.infosets]
    with pytest.raises(gametheory.StrategyError, match="add up to 1, not 257"):
        gametheory.Strategy(TREE, rows)


def test_an_argument_that_is_not_a_tree_is_refused() -> None:
    """For rules, a name or None, the error says how to build a tree."""
    for ask in (
        gametheory.solve,
        gametheory.matrix,
        gametheory.to_efg,
        gametheory.backward_induction,
        lambda tree: analysis.evaluate_strategy(tree, None),
        lambda tree: analysis.convert_bot_to_strategy(tree, None),
        lambda tree: gametheory.value(tree, None),
    ):
        for given in (RULES, "podkidnoy", None):
            with pytest.raises(gametheory.TreeError, match=r"analysis\.build_game_tree\(rules\)"):
                ask(given)


def test_an_argument_that_is_not_a_strategy_is_refused() -> None:
    """The error says that a solution has one."""
    for ask in (
        gametheory.value,
        gametheory.exploitability,
        gametheory.nash_conv,
        gametheory.infoset_values,
        gametheory.certify,
        lambda tree, strategy: gametheory.best_response(tree, strategy, 0),
    ):
        with pytest.raises(gametheory.StrategyError, match="strategy"):
            ask(TREE, gametheory.solve(TREE))


def test_other_invalid_arguments_are_refused() -> None:
    """The solution of another game, a value that is not a number, too large numbers, zero samples."""
    uniform = gametheory.Strategy.uniform(TREE)
    with pytest.raises(gametheory.TreeError, match=r"solution.*another game"):
        analysis.evaluate_strategy(TREE, uniform, solution=gametheory.solve(analysis.build_game_tree(RULES, dealer=0)))
    with pytest.raises(gametheory.StrategyError, match="0 to 1, not 'x'"):
        gametheory.Strategy(TREE, [("x",) * len(infoset.actions) for infoset in TREE.infosets])
    with pytest.raises(ValueError, match=r"payoff.*number"):
        gametheory.from_efg('EFG 2 R "p" { "E" "O" } p "" 1 1 "E" { "a" } 0 t "" 1 "" { 1e9999 -1e9999 }')
    with pytest.raises(BotError, match=r"samples .*0"):
        analysis.convert_bot_to_strategy(TREE, lambda view, rng: view.legal_moves()[rng.random() < 0.5], samples=0)
    game = Game.from_position(hands=["6c", "7d"])
    for wrong in ({"budget": "5"}, {"budget": -1}, {"budget": 1.5}, {"epaulettes": 7}):
        with pytest.raises(PositionError, match=f"^{next(iter(wrong))} must be"):
            endgame.solve_endgame(game, **wrong)


def test_a_bot_that_seeds_its_random_numbers_is_sampled() -> None:
    """It is not mistaken for a bot that chooses uniformly."""

    def reseeding_bot(view, rng):
        rng.seed(0)
        return rng.choice(view.legal_moves())

    found = analysis.convert_bot_to_strategy(TREE, reseeding_bot, samples=5)
    assert len(found.sample_counts) == len(TREE.infosets)
    assert found.is_pure


@pytest.mark.slow
def test_a_certificate_too_deep_for_python_is_refused() -> None:
    """A player moves 800 times: one error, and no partial proof."""
    nodes = "".join(f'p "" {1 + i % 2} {i // 2 + 1} "" {{ "a" "b" }} 0 t "" 1 "" {{ 1 -1 }} ' for i in range(2400))
    tree = gametheory.from_efg(f'EFG 2 R "" {{ "A" "B" }} {nodes}t "" 2 "" {{ 0 0 }}')
    with pytest.raises(gametheory.CertificateError, match="recursion limit"):
        gametheory.check_certificate(tree, gametheory.certify(tree, gametheory.Strategy.from_choices(tree, [1] * len(tree.infosets))))


def test_an_interrupt_finishes_the_iteration(monkeypatch) -> None:
    """At whatever point the interrupt comes, the iteration is finished first; later iterations are bit-identical to an uninterrupted run."""
    whole = gametheory.CFR(TREE).run(40)
    stopped = gametheory.CFR(TREE)
    iterate, pressed = gametheory.CFR._iterate, []

    def interrupting_iterate(self) -> None:
        plan = self.sequence_form.sides[0].to_realization_plan
        if self.iterations == 20 and not pressed:
            pressed.append(signal.raise_signal(signal.SIGINT))
        iterate(self)
        assert plan is not None

    monkeypatch.setattr(gametheory.CFR, "_iterate", interrupting_iterate)
    stopped.run(40)
    assert (stopped.interrupted, stopped.iterations) == (True, 21)
    stopped.run(19)
    assert stopped.strategy() == whole.strategy()


def test_an_interrupted_solution_computes_its_moves_again(monkeypatch) -> None:
    """A later call computes all moves anew."""
    game = Game.from_position(hands=["Kc 9h Th", "Tc Qc Jd"], trump="h")
    ending, calls = endgame.solve_endgame(game), []
    original_value_for = endgame.EndgameSolution._value_for

    def interrupting_value_for(self, state, seat):
        calls.append(seat)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return original_value_for(self, state, seat)

    monkeypatch.setattr(endgame.EndgameSolution, "_value_for", interrupting_value_for)
    with pytest.raises(KeyboardInterrupt):
        _ = ending.move_values
    assert ending.move_values == endgame.solve_endgame(game).move_values
    assert ending.is_fully_solved
