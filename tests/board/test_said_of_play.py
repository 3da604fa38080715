"""What is said of how a tree is played: each sentence where it is true, and nowhere else."""

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
from support.textbook import HALF, kuhn, matching_pennies, tree_of

if TYPE_CHECKING:
    from fractions import Fraction

    from durak_widget.gametheory.best_responses import BestResponseSet
    from durak_widget.gametheory.tree import Tree


def chosen(left: tuple[int, int], right: tuple[int, int]) -> Tree:
    """One player chooses, and both get something."""
    return tree_of({"": DecisionNode(0, "chooses", [("left", "l"), ("right", "r")]), "l": TerminalNode(left), "r": TerminalNode(right)})


def own(tree: Tree, *first: Fraction | int) -> board.Tree:
    """A view on which the first player's own strategy is shown; the others play everything alike."""
    view = board.Tree(tree)
    view.strategy = Strategy(tree, [first, *Strategy.uniform(tree).rows[1:]])
    return view


@pytest.mark.parametrize(
    ("tree", "first", "said"),
    [
        (matching_pennies(), (HALF, HALF), "Player 1 gives nothing away: sure of 0, all that the game is worth"),
        (matching_pennies(), (1, 0), "Player 1 gives away 1: sure of −1, where the game is worth 0"),
        (matching_pennies(), (0, 1), "Player 1 gives away 1: sure of −1, where the game is worth 0"),
        (chosen((1, -1), (0, 0)), (1, 0), "Player 1 gives nothing away: sure of 1, all that the game is worth"),
        (chosen((1, -1), (0, 0)), (0, 1), "Player 1 gives away 1: sure of 0, where the game is worth 1"),
        (chosen((1, -1), (0, 0)), (HALF, HALF), "Player 1 gives away 1/2: sure of 1/2, where the game is worth 1"),
        (chosen((1, 1), (0, 0)), (1, 0), "Player 1 has 1, and could not have more by playing otherwise"),
        (chosen((1, 1), (0, 0)), (0, 1), "Player 1 has 0, and could have 1 more by playing otherwise"),
        (chosen((1, 1), (0, 0)), (HALF, HALF), "Player 1 has 1/2, and could have 1/2 more by playing otherwise"),
    ],
)
def test_a_strategy_gives_away_what_is_said(tree: Tree, first: tuple[Fraction, ...], said: str) -> None:
    """Nothing where it is one of the best, and else how much; who plays against nobody's loss is told of gains."""
    assert own(tree, *first).told_solution["said"][0] == said


ANSWERS = best_response_set(matching_pennies(), Strategy.uniform(matching_pennies()), 0)
"""A best response; which, is of no account here."""


@pytest.mark.parametrize(
    ("tree", "held", "by", "said"),
    [
        (matching_pennies(), Guarantee(1, 2, 2, responder=0), ANSWERS, "Player 2 gives nothing away: sure of 2, all that the game is worth"),
        (matching_pennies(), Guarantee(1, 2, 2.25, responder=0), ANSWERS, "Player 2 gives away ≈0.25: sure of 2, where the game is worth ≈2.25"),
        (matching_pennies(), Guarantee(1, 2, None, responder=0), ANSWERS, "Player 2 is sure of 2; what the game is worth was not found here"),
        (
            matching_pennies(),
            Guarantee(1, 2, 3, responder=0), None,
            "Player 2 has 2; what more could be had is not known, since a player forgets what it did",
        ),
        (chosen((1, 1), (0, 0)), Guarantee(1, 2, 2, responder=1), ANSWERS, "Player 2 has 2, and could not have more by playing otherwise"),
        (chosen((1, 1), (0, 0)), Guarantee(1, -2, 1, responder=1), ANSWERS, "Player 2 has −2, and could have 3 more by playing otherwise"),
        (chosen((1, 1), (0, 0)), Guarantee(1, 2, None, responder=1), None, "Player 2 has 2; what more could be had is not known, since a player forgets what it did"),
    ],
)  # fmt: skip
def test_each_judgement_has_its_sentence(tree: Tree, held: Guarantee, by: BestResponseSet | None, said: str) -> None:
    """What is known decides what is said, in a game of pure conflict and in any other, of either seat."""
    plays = StrategyState(tree)
    plays.own_strategy = Strategy.uniform(tree)
    plays.own_results.own_guarantee = held
    if by is not None:
        plays.own_results.best_responses[held.responder] = by
    told = strategy_view_model.strategy_to_message(plays, [0], names=("Player 1", "Player 2"))["own"]
    assert told["said"] == said
    known = [
        "" if number is None else strategy_view_model.format_short_number(number)
        for number in (held.loss, held.guaranteed_value, held.best_value if is_zero_sum(tree) else None)
    ]
    assert [told["exploitability"], told["value"], told["worth"], told["by"]] == [*known, held.responder]


@pytest.mark.parametrize(
    ("tree", "method", "said"),
    [
        (kuhn(), "lp", ["value to Player 1: −1/18, exactly", "found by a linear program"]),
        (kuhn(), "pure", ["with pure strategies at least −1/6, at most 1/6 for Player 1", "found by the best pure strategies", "exploitability: 1/6"]),
        (matching_pennies(), "cfr+", ["value to Player 1: 0, exactly", "found by CFR+"]),
        (kuhn(), "cfr+", ["value to Player 1: ≈−0.056 (between ≈−0.056 and ≈−0.056)", "found by CFR+", "exploitability: ≈8.7·10⁻⁵"]),
        (chosen((1, -1), (0, 0)), "backward", ["value to Player 1: 1, exactly", "found by backward induction"]),
        (chosen((1, -1), (1, -1)), "backward", ["value to Player 1: 1, exactly", "found by backward induction", "other moves are as good in places"]),
        (chosen((1, 2), (0, 0)), "backward", ["Player 1: 1 · Player 2: 2", "found by backward induction"]),
        (chosen((1, 2), (1, 0)), "backward", [
            "Subgame-perfect equilibria in pure strategies pay: Player 1: 1, Player 2: 0; Player 1: 1, Player 2: 2", "shown here: Player 1: 1, Player 2: 2",
            "Player 1 (chooses) has equally good moves: left, right", "found by backward induction",
        ]),
    ],
)  # fmt: skip
def test_each_solution_has_its_lines(tree: Tree, method: str, said: list[str]) -> None:
    """Its value as it is known (exactly, between two bounds, by pure strategies alone, to each player), by what it was found, what is left, and whether moves tie."""
    view = board.Tree(tree)
    view.solve(method)
    assert view.told_solution["said"] == said
