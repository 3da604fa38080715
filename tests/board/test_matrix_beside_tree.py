"""Test the strategic form beside a tree: the histories of a cell, the strategies of a history, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from durak_widget import Game, Rules, analysis, board, gametheory
from durak_widget.board.strategic_form_panel import find_leading_strategies, find_reached_nodes
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.spoken import english, english_text

DATA = Path(__file__).parents[1] / "data" / "efg"
ENDING = analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True)


def read_file(name):
    """Return the game of a file."""
    return gametheory.from_efg((DATA / f"{name}.efg").read_text(encoding="utf-8"))


def walk_tree(tree, plans, here=0):
    """Return the histories that strategies reach, by walking through the tree."""
    if tree.actor[here] == TERMINAL:
        return {here}
    below = tree.children(here)
    if tree.actor[here] != CHANCE:
        below = [below[plans[tree.actor[here]].actions[tree.infoset_of[here]]]]
    return {here}.union(*(walk_tree(tree, plans, child) for child in below))


@pytest.mark.parametrize(
    "tree", [ENDING, read_file("pennies"), read_file("signal"), read_file("centipede")], ids=["ending", "pennies", "signal", "centipede"]
)
def test_a_cell_highlights_the_histories_that_its_strategies_reach(tree):
    """All chance moves are included. A strategy leads to a history if some strategy of the other does with it."""
    table = gametheory.matrix(tree)
    reached = {}
    for row, mine in enumerate(table.rows):
        for column, theirs in enumerate(table.columns):
            found = find_reached_nodes(tree, (mine, theirs), lambda _: True)
            assert set(found) == walk_tree(tree, (mine, theirs))
            assert len(set(found)) == len(found)
            for node in found:
                reached.setdefault(node, [set(), set()])[0].add(row)
                reached[node][1].add(column)
    for node, plans in reached.items():
        for seat, all_ in enumerate((table.rows, table.columns)):
            assert {place for place, leads in enumerate(find_leading_strategies(tree, node, seat, all_)) if leads} == plans[seat]


def test_folded_histories_are_not_highlighted():
    """A cell highlights what is open, and more after unfolding."""
    view = board.Tree(ENDING, depth=1)
    view.show_matrix(True)
    view.strategic_form.get_matrix_view_model().select_cell(1, 0)
    view.refresh("matrix")
    assert view.matrix_view["reached_nodes"] == [0, 2]
    view.unfold()
    lit = view.matrix_view["reached_nodes"]
    assert len(lit) > 2
    assert ENDING.actor[lit[-1]] == TERMINAL
    view.show_matrix(False)
    assert view.matrix_view == {}


def test_selecting_a_history_marks_the_strategies_that_reach_it():
    """At the root nothing is marked."""
    view = board.Tree(ENDING)
    view.show_matrix()
    assert view.matrix_view["leading_strategies"] is None
    view.go_to(1)
    assert view.matrix_view["leading_strategies"] == [[True, False], [True, True, True, True]]


def test_the_page_can_show_and_use_the_strategic_form():
    """It appears on first use, follows the language and works by messages."""
    view = board.Tree(ENDING)
    for message in (
        {"kind": "show_matrix", "on": True},
        {"kind": "select_cell", "row": 1, "column": 2},
        {"kind": "eliminate"},
        {"kind": "list_equilibria", "on": True},
    ):
        view.handle_message(message)
    matrix_message = view.matrix_view
    assert (matrix_message["selected"], matrix_message["eliminated"], matrix_message["equilibria"]["notes"][0]) == (
        [1, 2],
        [[0, 0]],
        english_text("matrix.value", name="Player 1", value="1"),
    )
    view.language = "ru"
    assert view.matrix_view["equilibria"]["notes"][0] == "Цена игры (Игрок 1): ровно 1."
    view.handle_message({"kind": "undo_elimination"})
    assert view.matrix_view["eliminated"] == []
    view.handle_message({"kind": "show_matrix", "on": False})
    assert view.matrix_view == {}


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (read_file("horse"), english("matrix.two.other", count="3")),
        (read_file("driver"), english("matrix.two.one", count="1")),
        (
            analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1),
            english("matrix.large"),
        ),
    ],
    ids=["three", "one", "large"],
)
def test_trees_without_a_strategic_form_are_refused_with_a_message(tree, message):
    """The message gives the size, and the tree stays."""
    view = board.Tree(tree)
    with pytest.raises(RefusedError, match=message):
        view.show_matrix(True)
    assert view.matrix_view == {}
    view.go_to(1)
    with pytest.raises(RefusedError, match=message):
        view.handle_message({"kind": "select_cell", "row": 0, "column": 0})


@pytest.mark.parametrize(
    ("name", "reduced"), [("outside-option", True), ("centipede", True), ("entry", False), ("beer-quiche", False), ("bayes", False)]
)
def test_reduced_strategies_are_announced(name, reduced):
    """The note appears in each language, only if a player may end the game before a second choice."""
    for language in ("en", "lt", "ru"):
        view = board.Tree(gametheory.textbook(name), language=language)
        view.show_matrix()
        assert view.matrix_view["reduction_note"] == (Translator(language).translate("matrix.reduced") if reduced else "")
    assert not board.Matrix([[1, -1], [-1, 1]]).matrix_view["reduction_note"]
