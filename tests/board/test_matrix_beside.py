"""The strategic form beside a tree: where a cell leads, which plans lead to a history, and what is too large for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from durak_widget import Game, Rules, analysis, board, gametheory
from durak_widget.board.strategic_form_panel import find_leading_strategies, find_reached_nodes
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.translated_errors import RefusedError

DATA = Path(__file__).parents[1] / "data" / "efg"
ENDING = analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True)


def read(name):
    """A game of the files."""
    return gametheory.from_efg((DATA / f"{name}.efg").read_text(encoding="utf-8"))


def walked(tree, plans, here=0):
    """The histories to which plans lead, going through the tree."""
    if tree.actor[here] == TERMINAL:
        return {here}
    below = tree.children(here)
    if tree.actor[here] != CHANCE:
        below = [below[plans[tree.actor[here]].actions[tree.infoset_of[here]]]]
    return {here}.union(*(walked(tree, plans, child) for child in below))


@pytest.mark.parametrize(
    "tree", [ENDING, read("pennies"), read("signal"), read("centipede")], ids=["ending", "pennies", "signal", "centipede"]
)
def test_a_cell_leads_where_its_plans_lead(tree):
    """All that chance may do among it; and a plan is said to lead to a history if with some plan of the other it does."""
    table = gametheory.matrix(tree)
    reached = {}
    for row, mine in enumerate(table.rows):
        for column, theirs in enumerate(table.columns):
            found = find_reached_nodes(tree, (mine, theirs), lambda _: True)
            assert set(found) == walked(tree, (mine, theirs))
            assert len(set(found)) == len(found)
            for node in found:
                reached.setdefault(node, [set(), set()])[0].add(row)
                reached[node][1].add(column)
    for node, plans in reached.items():
        for seat, all_ in enumerate((table.rows, table.columns)):
            assert {place for place, leads in enumerate(find_leading_strategies(tree, node, seat, all_)) if leads} == plans[seat]


def test_what_is_folded_is_not_lit():
    """A cell lights what is shown of its way; when more is opened, more of it."""
    view = board.Tree(ENDING, depth=1)
    view.show_matrix(True)
    view.strategic_form.get_grid().select_cell(1, 0)
    view.refresh("matrix")
    assert view.told_matrix["paths"] == [0, 2]
    view.unfold()
    lit = view.told_matrix["paths"]
    assert len(lit) > 2
    assert ENDING.actor[lit[-1]] == TERMINAL
    view.show_matrix(False)
    assert view.told_matrix == {}


def test_looking_at_a_history_marks_the_plans_that_lead_there():
    """At the root nothing is marked: all lead there."""
    view = board.Tree(ENDING)
    view.show_matrix()
    assert view.told_matrix["leads"] is None
    view.go_to(1)
    assert view.told_matrix["leads"] == [[True, False], [True, True, True, True]]


def test_the_page_asks_for_it_and_works_in_it():
    """All by messages; another language says it in that; it comes when something is done in it."""
    view = board.Tree(ENDING)
    for message in (
        {"kind": "matrix", "on": True},
        {"kind": "cell", "row": 1, "column": 2},
        {"kind": "strike"},
        {"kind": "equilibria", "on": True},
    ):
        view.handle_message(message)
    told = view.told_matrix
    assert (told["selected"], told["struck"], told["found"]["note"][0]) == ([1, 2], [[0, 0]], "Value to Player 1: 1, exactly.")
    view.language = "ru"
    assert view.told_matrix["found"]["note"][0] == "Цена игры (Игрок 1): 1, точно."
    view.handle_message({"kind": "unstrike"})
    assert view.told_matrix["struck"] == []
    view.handle_message({"kind": "matrix", "on": False})
    assert view.told_matrix == {}


@pytest.mark.parametrize(
    ("tree", "says"),
    [
        (read("horse"), "it is of a game for two players, and this one has 3"),
        (read("driver"), "it is of a game for two players, and this one has 1"),
        (
            analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1),
            "up to 64 × 64 are shown",
        ),
    ],
    ids=["three", "one", "large"],
)
def test_what_has_no_such_form_is_refused_and_the_tree_stays(tree, says):
    """In a sentence, with its size."""
    view = board.Tree(tree)
    with pytest.raises(RefusedError, match=says):
        view.show_matrix(True)
    assert view.told_matrix == {}
    view.go_to(1)
    with pytest.raises(RefusedError, match=says):
        view.handle_message({"kind": "cell", "row": 0, "column": 0})


@pytest.mark.parametrize(
    ("name", "reduced"), [("outside-option", True), ("centipede", True), ("entry", False), ("beer-quiche", False), ("bayes", False)]
)
def test_where_plans_are_reduced_that_is_said(name, reduced):
    """Of who may end the game before a second choice, in each language; not where every plan says all."""
    for language, word in (("en", "Reduced plans:"), ("lt", "Redukuoti planai:"), ("ru", "Сокращённые планы:")):
        view = board.Tree(gametheory.textbook(name), language=language)
        view.show_matrix()
        assert view.told_matrix["reduced"].startswith(word) == reduced
        assert bool(view.told_matrix["reduced"]) == reduced
    assert not board.Matrix([[1, -1], [-1, 1]]).told_matrix["reduced"]
