"""The strategic form: every plan against every plan, and the dominated ones by name."""

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


def read(name):
    """A game of the files."""
    return from_efg((DATA / f"{name}.efg").read_text(encoding="utf-8"))


def bimatrix(*rows):
    """A matrix of payoffs, its plans named by letters."""
    plans = [
        [PureStrategy(name, name, {0: place}) for place, name in enumerate(names)]
        for names in ("ABCDE"[: len(rows)], "abcde"[: len(rows[0])])
    ]
    return Matrix(("Ann", "Bob"), *plans, [[(Fraction(one), Fraction(other)) for one, other in row] for row in rows])


def worth(tree, plans, here=0):
    """What two plans are worth against each other, by going through the tree."""
    if tree.actor[here] == TERMINAL:
        return tree.payoffs[tree.infoset_of[here]]
    if tree.actor[here] == CHANCE:
        below = zip(
            tree.chance_moves[tree.infoset_of[here]].probabilities,
            (worth(tree, plans, child) for child in tree.children(here)),
            strict=True,
        )
        found = [(chance * one, chance * other) for chance, (one, other) in below]
        return sum(one for one, _ in found), sum(other for _, other in found)
    return worth(tree, plans, tree.children(here)[plans[tree.actor[here]][tree.infoset_of[here]]])


def full(tree, seat):
    """Every unreduced plan of a seat: a move for each of its information sets."""
    mine = [info for info, known in enumerate(tree.infosets) if known.player == seat]
    return [dict(zip(mine, moves, strict=True)) for moves in product(*(range(len(tree.infosets[info].actions)) for info in mine))]


GAMES = {
    "pennies": read("pennies"),
    "signal": read("signal"),
    "centipede": read("centipede"),
    "an ending": build_tree_from_position(ENDING, open_hands=True),
    "spades": build_game_tree(small("spades_by_spades", suits="ds", ranks="67", trump=None, deal="all_but_one"), 1),
    "aside": build_game_tree(SMALL["a turn-up aside"], 1),
}


def test_each_cell_is_what_its_plans_are_worth():
    """Payoffs are expectations over all that chance may do."""
    for known in GAMES.values():
        tree = known
        found = matrix(tree)
        for row, cells in list(zip(found.rows, found.payoffs, strict=True))[:8]:
            for column, cell in list(zip(found.columns, cells, strict=True))[:64]:
                assert cell == worth(tree, (row.actions, column.actions))


def test_reduced_plans_stand_for_all_plans():
    """Each full plan plays as one reduced plan does, and no two reduced ones are the same."""
    for name in ("pennies", "signal", "centipede", "an ending"):
        tree = GAMES[name]
        found = matrix(tree)
        for seat, plans in enumerate((found.rows, found.columns)):
            fitting = [sum(plan.actions.items() <= whole.items() for plan in plans) for whole in full(tree, seat)]
            assert set(fitting) == {1}
            assert len({str(plan) for plan in plans}) == len(plans)


def test_kuhn_poker_has_27_by_64_plans():
    """Of the first player's 64 plans many differ only where they never lead."""
    found = matrix(read("kuhn"))
    assert (len(found.rows), len(found.columns)) == (27, 64)
    assert found.is_zero_sum
    assert (
        found.rows[0].full_label
        == "J: check; Q: check; K: check; J after check and bet: fold; Q after check and bet: fold; K after check and bet: fold"
    )


def test_a_seat_without_a_choice_has_one_plan():
    """There is nothing to decide."""
    tree = build_tree(
        "",
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 0)), "b": TerminalNode((0, 1))}.__getitem__,
        player_count=2,
    )
    assert [str(plan) for plan in matrix(tree).columns] == ["nothing to decide"]


def test_who_forgets_has_plans_too():
    """Without perfect recall a plan is still a move for each information set that it may come to."""
    places = {"": DecisionNode(0, "?", [("on", "a"), ("off", "x")]), "a": DecisionNode(0, "?", [("on", "y"), ("off", "z")])}
    ends = {"x": TerminalNode((0, 0)), "y": TerminalNode((1, -1)), "z": TerminalNode((4, -4))}
    found = matrix(build_tree("", (places | ends).__getitem__, player_count=2))
    assert [(str(plan), cells[0][0]) for plan, cells in zip(found.rows, found.payoffs, strict=True)] == [("on", 1), ("off", 0)]


def test_a_table_is_read_by_people():
    """Zero-sum games show what the rows win, other games both payoffs; HTML says the same, and each plan in full."""
    assert str(matrix(GAMES["pennies"])).splitlines() == [
        "Even \\ Odd | heads | tails",
        "heads      | 1     | -1",
        "tails      | -1    | 1",
    ]
    assert str(bimatrix([(1, 2), (3, 4)])).splitlines() == ["Ann \\ Bob | a    | b", "A         | 1, 2 | 3, 4"]
    shown = matrix(GAMES["pennies"])._repr_html_()
    assert "<caption>What Even wins</caption>" in shown
    assert '<th scope="row" title="Even: tails">tails</th><td>-1</td><td>1</td>' in shown
    sharp = Matrix(("<A>", "B"), [PureStrategy("<a>", '"a"', {})], [PureStrategy("b", "b", {})], [[(Fraction(1), Fraction(1))]])
    assert "&lt;a&gt;" in sharp._repr_html_()
    assert "<a>" not in sharp._repr_html_()
    assert repr(sharp) == "<Matrix: 1 × 1>"


def test_dominated_plans_are_named_with_who_dominates_them():
    """Strictly where there is such a plan, else weakly; equal plans dominate nobody."""
    found = bimatrix([(3, 0), (2, 1)], [(2, 0), (1, 5)], [(3, 3), (1, 3)], [(3, 0), (2, 1)])
    assert found.dominated_strategies() == (
        DominatedStrategy(0, "Ann", "B", "A", is_strict=True),
        DominatedStrategy(0, "Ann", "C", "A", is_strict=False),
        DominatedStrategy(1, "Bob", "a", "b", is_strict=False),
    )
    assert [str(one) for one in found.dominated_strategies(weak=False)] == ["Ann: B is strictly dominated by A"]


def test_removal_goes_step_by_step():
    """A removed plan may make another dominated that was not; the game that is left has none."""
    found = bimatrix([(1, 0), (1, 2), (0, 1)], [(0, 3), (0, 1), (2, 0)])
    done = found.eliminate_dominated()
    assert [str(step) for step in done.steps] == [
        "Bob: c is strictly dominated by b",
        "Ann: B is strictly dominated by A",
        "Bob: a is strictly dominated by b",
    ]
    assert str(done).endswith("Ann \\ Bob | b\nA         | 1, 2")
    assert not done.remaining.dominated_strategies()


def test_weak_removal_is_asked_for():
    """Without it weakly dominated plans stay."""
    found = bimatrix([(1, 1), (1, 1)], [(1, 1), (0, 0)])
    assert found.eliminate_dominated().steps == ()
    assert [str(step) for step in found.eliminate_dominated(weak=True).steps] == ["Ann: B is weakly dominated by A"]


def test_attacking_with_the_card_that_cannot_be_beaten():
    """In an ending seen by both, the sure attack weakly dominates the other, and taking never beats beating."""
    steps = [str(step) for step in matrix(GAMES["an ending"]).eliminate_dominated(weak=True).steps]
    assert steps == ["Player 1: attack 6c is weakly dominated by attack 8d"]


def test_what_is_too_large_or_not_for_two_is_refused_with_its_size():
    """The size is told before any plan is written down."""
    for tree, limit, says in (
        (read("horse"), 100, "this one has 3 players"),
        (read("driver"), 100, "this one has 1 player$"),
        (read("kuhn"), 1000, "the matrix would have 27 × 64 cells, and the limit is 1,000"),
        (build_game_tree(SMALL["a turn-up below"], 1), 1000, "4,194,304 × 42,998,169,600 cells"),
        (build_game_tree(SMALL["swaps"], 1), 1000, r"10\^66 × 10\^44 cells"),
    ):
        with pytest.raises(TreeError, match=says):
            matrix(tree, limit=limit)


def test_plans_without_recall_are_refused_too_when_there_are_too_many():
    """There the size is not known beforehand, and it says so."""
    chance = ChanceNode([(str(place), Fraction(1, 8), place) for place in range(8)])
    again = {place: DecisionNode(0, place, [("a", (place, 0)), ("b", (place, 1))]) for place in range(8)}
    forgot = {(place, move): DecisionNode(0, "same", [("a", "end"), ("b", "end")]) for place in range(8) for move in (0, 1)}
    tree = build_tree("", ({"": chance, "end": TerminalNode((0, 0))} | again | forgot).__getitem__, player_count=2)
    with pytest.raises(TreeError, match="Player 1 has more than 100 pure strategies"):
        matrix(tree, limit=100)
    assert len(matrix(tree, limit=512).rows) == 512
