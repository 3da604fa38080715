"""Test the table beside a tree: it shows the position of the selected history, with the same cards open."""

from __future__ import annotations

import gc
import weakref

import pytest

from board.boards import ending, hidden
from durak_widget import DurakError, analysis, board
from durak_widget.board.card_table_panel import LineOfPlay
from support.spoken import english
from support.textbook import kuhn


def test_a_click_shows_the_position_on_the_table():
    """The game is that of the history, and the selection moves there."""
    view = board.Tree(hidden())
    view.handle_message({"kind": "open_table", "id": 26})
    assert str(view.table.game) == str(analysis.restore_game(hidden(), 26))
    assert view.table.game.ply == 6
    assert view.current_node == 26
    table = view.table
    view.open_on_table(1)
    assert view.table is table
    assert table.game.ply == 5


def test_a_move_at_the_table_moves_on_in_the_tree():
    """The tree follows as long as it is the same game."""
    view = board.Tree(ending(), depth=1)
    view.open_on_table(0)
    view.table.play("attack 6c")
    assert (view.current_node, view.tree.last_action(view.current_node)) == (1, "attack 6c")
    view.table.play("take")
    assert view.tree.actions_from_root(view.current_node) == ("attack 6c", "take")
    view.table.play("attack 8d")  # a forced move, without a branch in the tree
    assert view.tree.actions_from_root(view.current_node) == ("attack 6c", "take")
    view.table.game = analysis.restore_game(ending(), 2)
    view.table.play("take")
    assert view.tree.actions_from_root(view.current_node) == ("attack 6c", "take")  # it is another game now


def test_drawing_and_solution_reach_the_page_in_one_message():
    """They are never sent separately."""
    view, sent = board.Tree(ending(), depth=1), []
    view.solve()
    view.comm.send = lambda data=None, **_: sent.append(data)
    view.unfold()
    assert len(sent) == 1
    assert {"drawing_view", "solution_view"} <= sent[0]["state"].keys()


def test_hidden_cards_stay_hidden_on_the_table():
    """The player at the bottom sees their own hand; `hands` can open all."""
    view = board.Tree(ending(), hands="own")
    view.open_on_table(1)
    assert view.table.hands == "own"
    assert view.table.seat == analysis.restore_game(ending(), 1).actor
    view.hands = "open"
    assert view.table.hands == "open"
    view.language = "ru"
    assert view.table.language == "ru"


def test_table_shows_the_selected_history():
    """Code can ask for it without a history. At a chance move it shows the first deal."""
    view = board.Tree(ending())
    view.go_to(2)
    assert view.table.game.ply == 1
    assert board.Tree(hidden()).table.game.ply == analysis.restore_game(hidden(), 1).ply


def test_tree_and_table_are_side_by_side_and_wrap():
    """The output has only the tree until the table is first asked for."""
    view = board.Tree(ending())
    data, _ = view._table_panel.build_live_bundle()
    assert list(data) == ["application/vnd.jupyter.widget-view+json"]
    box = view._table_panel._outer_box
    assert box.children == (view,)
    view.open_on_table(1)
    assert box.children == (view, view._table_panel._table_box)
    assert box.children[1].children == (view.table,)
    assert box.layout.flex_flow == "row wrap"


def test_a_line_of_play_is_shown_on_the_table_and_removed():
    """It is seen by its player, with its sentence. The same line again changes only the sentence."""
    view = board.Tree(ending())
    view._table_panel.build_live_bundle()
    end = next(here for here in range(view.tree.history_count) if view.tree.actor[here] == -2)
    whole = analysis.restore_game(view.tree, end)
    view.show_line_on_table(LineOfPlay(end, 1, 1, "<Look>"))
    caption, table = view._table_panel._table_box.children
    assert "&lt;Look&gt;" in caption.value
    assert (table.game.ply, table.game.last_ply, table.seat, table.hands) == (1, whole.last_ply, 1, "own")
    assert table.scene["hand"] == [str(card) for card in table.game.view(1).hand]
    table.handle_message({"kind": "goto", "to_ply": 0, "ply": 1, "game": table.scene["game"]})
    view.show_line_on_table(LineOfPlay(end, 1, 1, "Again"))
    assert (table.game.ply, "Again" in caption.value) == (0, True)
    view.show_line_on_table(None)
    assert view._table_panel._outer_box.children == (view,)
    assert view._table_panel._card_table is None


def test_a_requested_table_stays_when_a_line_of_play_is_removed():
    """It shows the selected position. Setting a position by hand ends the line."""
    view = board.Tree(ending())
    view.open_on_table(1)
    table, end = view.table, max(range(view.tree.history_count), key=lambda here: len(view.tree.actions_from_root(here)))
    view.show_line_on_table(LineOfPlay(end, 1, 0, "So it goes"))
    assert view.table is table
    view.go_to(2)
    view.show_line_on_table(None)
    assert view.table is table
    assert str(table.game) == str(analysis.restore_game(view.tree, 2))
    view.show_line_on_table(LineOfPlay(end, 1, 0, "So it goes"))
    view.open_on_table(1)
    assert (view._table_panel._sentence, view._table_panel._line) == (None, None)
    view.show_line_on_table(None)
    assert str(table.game) == str(analysis.restore_game(view.tree, 1))


def test_a_tree_of_another_game_has_no_table():
    """A message says so, and nothing else changes."""
    view = board.Tree(kuhn())
    with pytest.raises(DurakError, match=english("board.refused.no_table")):
        view.open_on_table(3)
    assert view._table_panel._card_table is None
    assert view.current_node == 0


def test_closed_tree_and_table_are_garbage_collected():
    """Their container is collected too."""
    references = []
    for _ in range(20):
        view = board.Tree(ending())
        view._table_panel.build_live_bundle()
        view.open_on_table(1)
        references += [weakref.ref(view), weakref.ref(view.table), weakref.ref(view._table_panel._outer_box)]
        view.close()
        del view
    gc.collect()
    assert [reference() for reference in references if reference() is not None] == []
