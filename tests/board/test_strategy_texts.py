"""Test the sentences on strategies and solutions: each appears exactly where it is true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from durak_widget import board
from durak_widget.board import strategy_view_model
from durak_widget.board.strategy_state import StrategyState
from durak_widget.gametheory import Strategy
from durak_widget.gametheory.best_responses import Guarantee, best_response_set
from durak_widget.gametheory.game_properties import is_zero_sum
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from support.spoken import english_text
from support.textbook import HALF, kuhn, matching_pennies, tree_of

if TYPE_CHECKING:
    from fractions import Fraction

    from durak_widget.gametheory.best_responses import BestResponseSet
    from durak_widget.gametheory.tree import Tree


def one_choice(left: tuple[int, int], right: tuple[int, int]) -> Tree:
    """Return a game in which one player chooses and both get payoffs."""
    return tree_of({"": DecisionNode(0, "chooses", [("left", "l"), ("right", "r")]), "l": TerminalNode(left), "r": TerminalNode(right)})


def view_of_own_strategy(tree: Tree, *first: Fraction | int) -> board.Tree:
    """Return a view with the first player's own strategy; the others play uniformly."""
    view = board.Tree(tree)
    view.strategy = Strategy(tree, [first, *Strategy.uniform(tree).rows[1:]])
    return view


@pytest.mark.parametrize(
    ("tree", "first", "sentence"),
    [
        (matching_pennies(), (HALF, HALF), english_text("board.own.nothing", name="Player 1", sure="0")),
        (matching_pennies(), (1, 0), english_text("board.own.lost", name="Player 1", lost="1", sure="−1", value="0")),
        (matching_pennies(), (0, 1), english_text("board.own.lost", name="Player 1", lost="1", sure="−1", value="0")),
        (one_choice((1, -1), (0, 0)), (1, 0), english_text("board.own.nothing", name="Player 1", sure="1")),
        (one_choice((1, -1), (0, 0)), (0, 1), english_text("board.own.lost", name="Player 1", lost="1", sure="0", value="1")),
        (one_choice((1, -1), (0, 0)), (HALF, HALF), english_text("board.own.lost", name="Player 1", lost="1/2", sure="1/2", value="1")),
        (one_choice((1, 1), (0, 0)), (1, 0), english_text("board.own.no_gain", name="Player 1", sure="1")),
        (one_choice((1, 1), (0, 0)), (0, 1), english_text("board.own.gain", name="Player 1", sure="0", lost="1")),
        (one_choice((1, 1), (0, 0)), (HALF, HALF), english_text("board.own.gain", name="Player 1", sure="1/2", lost="1/2")),
    ],
)
def test_exploitability_of_a_strategy_is_described(tree: Tree, first: tuple[Fraction, ...], sentence: str) -> None:
    """The text says nothing is lost, or how much. Where games are not zero-sum it says gains."""
    assert view_of_own_strategy(tree, *first).solution_view["sentences"][0] == sentence


ANSWERS = best_response_set(matching_pennies(), Strategy.uniform(matching_pennies()), 0)
"""Any best response."""


@pytest.mark.parametrize(
    ("tree", "guarantee", "by", "sentence"),
    [
        (matching_pennies(), Guarantee(1, 2, 2, responder=0), ANSWERS, english_text("board.own.nothing", name="Player 2", sure="2")),
        (matching_pennies(), Guarantee(1, 2, 2.25, responder=0), ANSWERS, english_text("board.own.lost", name="Player 2", lost="≈0.25", sure="2", value="≈2.25")),
        (matching_pennies(), Guarantee(1, 2, None, responder=0), ANSWERS, english_text("board.own.unknown", name="Player 2", sure="2")),
        (
            matching_pennies(),
            Guarantee(1, 2, 3, responder=0), None,
            english_text("board.own.forgets", name="Player 2", sure="2"),
        ),
        (one_choice((1, 1), (0, 0)), Guarantee(1, 2, 2, responder=1), ANSWERS, english_text("board.own.no_gain", name="Player 2", sure="2")),
        (one_choice((1, 1), (0, 0)), Guarantee(1, -2, 1, responder=1), ANSWERS, english_text("board.own.gain", name="Player 2", sure="−2", lost="3")),
        (one_choice((1, 1), (0, 0)), Guarantee(1, 2, None, responder=1), None, english_text("board.own.forgets", name="Player 2", sure="2")),
    ],
)  # fmt: skip
def test_each_verdict_on_a_strategy_has_its_sentence(tree: Tree, guarantee: Guarantee, by: BestResponseSet | None, sentence: str) -> None:
    """It depends on what is known, on the player, and on whether the game is zero-sum."""
    plays = StrategyState(tree)
    plays.own_strategy = Strategy.uniform(tree)
    plays.own_results.own_guarantee = guarantee
    if by is not None:
        plays.own_results.best_responses[guarantee.responder] = by
    verdict = strategy_view_model.strategy_to_message(plays, [0], names=("Player 1", "Player 2"))["own_guarantee"]
    assert verdict["text"] == sentence
    known = [
        "" if number is None else strategy_view_model.format_short_number(number)
        for number in (guarantee.loss, guarantee.guaranteed_value, guarantee.best_value if is_zero_sum(tree) else None)
    ]
    assert [verdict["exploitability"], verdict["value"], verdict["best_value"], verdict["responder"]] == [*known, guarantee.responder]


@pytest.mark.parametrize(
    ("tree", "method", "sentence"),
    [
        (kuhn(), "lp", [english_text("board.solved.exact", name="Player 1", value="−1/18"), english_text("board.solved.by", method=english_text("board.method.lp"))]),
        (kuhn(), "pure", [english_text("board.solved.pure", lower="−1/6", upper="1/6", name="Player 1"), english_text("board.solved.by", method=english_text("board.method.pure")), "exploitability: 1/6"]),
        (matching_pennies(), "cfr+", [english_text("board.solved.exact", name="Player 1", value="0"), "found by CFR+"]),
        (kuhn(), "cfr+", [english_text("board.solved.between", name="Player 1", value="≈−0.056", lower="≈−0.056", upper="≈−0.056"), "found by CFR+", "exploitability: ≈8.7·10⁻⁵"]),
        (one_choice((1, -1), (0, 0)), "backward", [english_text("board.solved.exact", name="Player 1", value="1"), english_text("board.solved.by", method=english_text("board.method.backward"))]),
        (one_choice((1, -1), (1, -1)), "backward", [english_text("board.solved.exact", name="Player 1", value="1"), english_text("board.solved.by", method=english_text("board.method.backward")), english_text("board.solved.ties")]),
        (one_choice((1, 2), (0, 0)), "backward", ["Player 1: 1 · Player 2: 2", english_text("board.solved.by", method=english_text("board.method.backward"))]),
        (one_choice((1, 2), (1, 0)), "backward", [
            english_text("board.solved.perfect", payoffs="(Player 1: 1; Player 2: 0), (Player 1: 1; Player 2: 2)"), english_text("board.solved.shown", payoffs="Player 1: 1; Player 2: 2"),
            english_text("board.solved.tie", name="Player 1", knows="chooses", moves="left, right"), english_text("board.solved.by", method=english_text("board.method.backward")),
        ]),
    ],
)  # fmt: skip
def test_each_solution_has_its_lines(tree: Tree, method: str, sentence: list[str]) -> None:
    """They give the value (exact, bounds, pure or per player), the method, what is left, and ties."""
    view = board.Tree(tree)
    view.solve(method)
    assert view.solution_view["sentences"] == sentence
