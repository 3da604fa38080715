"""Test the strategic form: every pure strategy against every other, and dominated ones by name."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from durak_widget import Game
from durak_widget.analysis.durak_tree import build_game_tree, build_tree_from_position
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.strategic_form import DominatedStrategy, Matrix, PureStrategy, matrix
from durak_widget.gametheory.tree import CHANCE, TERMINAL, ChanceNode, DecisionNode, TerminalNode, TreeError, build_tree
from support.tree_games import SMALL, small

DATA = Path(__file__).parents[1] / "data" / "efg"
ENDING = Game.from_position(hands=["6c 8d", "7c"])


def read_game(name):
    """Return a game of the files."""
    return from_efg((DATA / f"{name}.efg").read_text(encoding="utf-8"))


def bimatrix(*rows):
    """Return a matrix of payoffs with strategies named by letters."""
    plans = [
        [PureStrategy(name, name, {0: place}) for place, name in enumerate(names)]
        for names in ("ABCDE"[: len(rows)], "abcde"[: len(rows[0])])
    ]
    return Matrix(("Ann", "Bob"), *plans, [[(Fraction(payoff), Fraction(other)) for payoff, other in row] for row in rows])


def payoffs_of(tree, plans, here=0):
    """Return the payoffs of two pure strategies, by walking through the tree."""
    if tree.actor[here] == TERMINAL:
        return tree.payoffs[tree.infoset_of[here]]
    if tree.actor[here] == CHANCE:
        below = zip(
            tree.chance_moves[tree.infoset_of[here]].probabilities,
            (payoffs_of(tree, plans, child) for child in tree.children(here)),
            strict=True,
        )
        found = [(chance * payoff, chance * other) for chance, (payoff, other) in below]
        return sum(payoff for payoff, _ in found), sum(other for _, other in found)
    return payoffs_of(tree, plans, tree.children(here)[plans[tree.actor[here]][tree.infoset_of[here]]])


def unreduced_strategies(tree, seat):
    """Return every unreduced pure strategy of a player: a move for each information set."""
    mine = [info for info, known in enumerate(tree.infosets) if known.player == seat]
    return [dict(zip(mine, moves, strict=True)) for moves in product(*(range(len(tree.infosets[info].actions)) for info in mine))]


GAMES = {
    "pennies": read_game("pennies"),
    "signal": read_game("signal"),
    "centipede": read_game("centipede"),
    "an ending": build_tree_from_position(ENDING, open_hands=True),
    "spades": build_game_tree(small("spades_by_spades", suits="ds", ranks="67", trump=None, deal="all_but_one"), 1),
    "aside": build_game_tree(SMALL["a turn-up aside"], 1),
}


def test_each_cell_has_the_expected_payoffs():
    """Payoffs are expectations over all chance moves."""
    for known in GAMES.values():
        tree = known
        found = matrix(tree)
        for row, cells in list(zip(found.rows, found.payoffs, strict=True))[:8]:
            for column, cell in list(zip(found.columns, cells, strict=True))[:64]:
                assert cell == payoffs_of(tree, (row.actions, column.actions))


def test_reduced_strategies_represent_all_strategies():
    """Each unreduced strategy plays like exactly one reduced one, and no two reduced ones are the same."""
    for name in ("pennies", "signal", "centipede", "an ending"):
        tree = GAMES[name]
        found = matrix(tree)
        for seat, plans in enumerate((found.rows, found.columns)):
            fitting = [sum(plan.actions.items() <= whole.items() for plan in plans) for whole in unreduced_strategies(tree, seat)]
            assert set(fitting) == {1}
            assert len({str(plan) for plan in plans}) == len(plans)


def test_kuhn_poker_has_27_by_64_strategies():
    """Many of the first player's 64 strategies differ only at nodes that they never reach."""
    found = matrix(read_game("kuhn"))
    assert (len(found.rows), len(found.columns)) == (27, 64)
    assert found.is_zero_sum
    assert (
        found.rows[0].full_label
        == "J: check; Q: check; K: check; J after check and bet: fold; Q after check and bet: fold; K after check and bet: fold"
    )


def test_a_player_without_a_choice_has_one_strategy():
    """There is nothing to decide."""
    tree = build_tree(
        "",
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 0)), "b": TerminalNode((0, 1))}.__getitem__,
        player_count=2,
    )
    assert [str(plan) for plan in matrix(tree).columns] == ["nothing to decide"]


def test_imperfect_recall_still_has_strategies():
    """Without perfect recall a pure strategy is still a move for each information set that it can reach."""
    places = {"": DecisionNode(0, "?", [("on", "a"), ("off", "x")]), "a": DecisionNode(0, "?", [("on", "y"), ("off", "z")])}
    ends = {"x": TerminalNode((0, 0)), "y": TerminalNode((1, -1)), "z": TerminalNode((4, -4))}
    found = matrix(build_tree("", (places | ends).__getitem__, player_count=2))
    assert [(str(plan), cells[0][0]) for plan, cells in zip(found.rows, found.payoffs, strict=True)] == [("on", 1), ("off", 0)]


def test_a_matrix_is_printed_as_a_table():
    """Zero-sum games show the row player's payoff, other games both; the HTML has the same, and each strategy in full."""
    assert str(matrix(GAMES["pennies"])).splitlines() == [
        "Even \\ Odd | heads | tails",
        "heads      | 1     | -1",
        "tails      | -1    | 1",
    ]
    assert str(bimatrix([(1, 2), (3, 4)])).splitlines() == ["Ann \\ Bob | a    | b", "A         | 1, 2 | 3, 4"]
    html = matrix(GAMES["pennies"])._repr_html_()
    assert "<caption>What Even wins</caption>" in html
    assert '<th scope="row" title="Even: tails">tails</th><td>-1</td><td>1</td>' in html
    sharp = Matrix(("<A>", "B"), [PureStrategy("<a>", '"a"', {})], [PureStrategy("b", "b", {})], [[(Fraction(1), Fraction(1))]])
    assert "&lt;a&gt;" in sharp._repr_html_()
    assert "<a>" not in sharp._repr_html_()
    assert repr(sharp) == "<Matrix: 1 × 1>"


def test_dominated_strategies_are_named_with_their_dominators():
    """Strictly if there is such a strategy, else weakly; equal strategies dominate nothing."""
    found = bimatrix([(3, 0), (2, 1)], [(2, 0), (1, 5)], [(3, 3), (1, 3)], [(3, 0), (2, 1)])
    assert found.dominated_strategies() == (
        DominatedStrategy(0, "Ann", "B", "A", is_strict=True),
        DominatedStrategy(0, "Ann", "C", "A", is_strict=False),
        DominatedStrategy(1, "Bob", "a", "b", is_strict=False),
    )
    assert [dominated.strategy for dominated in found.dominated_strategies(weak=False)] == ["B"]


def test_iterated_elimination_lists_its_steps():
    """Eliminating one strategy may make another dominated; the remaining game has none."""
    found = bimatrix([(1, 0), (1, 2), (0, 1)], [(0, 3), (0, 1), (2, 0)])
    done = found.eliminate_dominated()
    assert list(done.steps) == [
        DominatedStrategy(1, "Bob", "c", "b", is_strict=True),
        DominatedStrategy(0, "Ann", "B", "A", is_strict=True),
        DominatedStrategy(1, "Bob", "a", "b", is_strict=True),
    ]
    assert str(done).endswith("Ann \\ Bob | b\nA         | 1, 2")
    assert not done.remaining.dominated_strategies()


def test_weak_elimination_is_optional():
    """By default weakly dominated strategies stay."""
    found = bimatrix([(1, 1), (1, 1)], [(1, 1), (0, 0)])
    assert found.eliminate_dominated().steps == ()
    assert list(found.eliminate_dominated(weak=True).steps) == [DominatedStrategy(0, "Ann", "B", "A", is_strict=False)]


def test_attacking_with_an_unbeatable_card_is_weakly_dominant():
    """In an ending with open hands, the sure attack weakly dominates the other, and taking never beats beating."""
    steps = matrix(GAMES["an ending"]).eliminate_dominated(weak=True).steps
    assert list(steps) == [DominatedStrategy(0, "Player 1", "attack 6c", "attack 8d", is_strict=False)]


def test_games_too_large_or_not_for_two_are_refused():
    """The error names the size before any strategy is built."""
    for tree, limit, says in (
        (read_game("horse"), 100, "this one has 3 players"),
        (read_game("driver"), 100, "this one has 1 player$"),
        (read_game("kuhn"), 1000, "the matrix would have 27 × 64 cells, and the limit is 1,000"),
        (build_game_tree(SMALL["a turn-up below"], 1), 1000, "4,194,304 × 42,998,169,600 cells"),
        (build_game_tree(SMALL["swaps"], 1), 1000, r"10\^66 × 10\^44 cells"),
    ):
        with pytest.raises(TreeError, match=says):
            matrix(tree, limit=limit)


def test_too_many_strategies_with_imperfect_recall_are_refused():
    """There the size is not known in advance, and the error says so."""
    chance = ChanceNode([(str(place), Fraction(1, 8), place) for place in range(8)])
    again = {place: DecisionNode(0, place, [("a", (place, 0)), ("b", (place, 1))]) for place in range(8)}
    forgot = {(place, move): DecisionNode(0, "same", [("a", "end"), ("b", "end")]) for place in range(8) for move in (0, 1)}
    tree = build_tree("", ({"": chance, "end": TerminalNode((0, 0))} | again | forgot).__getitem__, player_count=2)
    with pytest.raises(TreeError, match="Player 1 has more than 100 pure strategies"):
        matrix(tree, limit=100)
    assert len(matrix(tree, limit=512).rows) == 512
