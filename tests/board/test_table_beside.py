"""The table beside a tree: the position of a history, in the same words and with the hands that are shown."""

from __future__ import annotations

import gc
import weakref

import pytest

from board.boards import ending, hidden
from durak_widget import DurakError, analysis, board
from durak_widget.board.card_table_panel import LineOfPlay
from support.textbook import kuhn


def test_a_click_lays_the_position():
    """It is the game that stands at the history, and what is looked at goes there."""
    view = board.Tree(hidden())
    view.handle_message({"kind": "table", "id": 26})
    assert str(view.table.game) == str(analysis.restore_game(hidden(), 26))
    assert view.table.game.ply == 6
    assert view.current_node == 26
    table = view.table
    view.open_on_table(1)
    assert view.table is table
    assert table.game.ply == 5


def test_a_move_at_the_table_leads_on_in_the_tree():
    """What is played there is looked at here, as long as it is the same game."""
    view = board.Tree(ending(), depth=1)
    view.open_on_table(0)
    view.table.play("attack 6c")
    assert (view.current_node, view.tree.last_action(view.current_node)) == (1, "attack 6c")
    view.table.play("take")
    assert view.tree.actions_from_root(view.current_node) == ("attack 6c", "take")
    view.table.play("attack 8d")  # forced: the tree has no branch for it
    assert view.tree.actions_from_root(view.current_node) == ("attack 6c", "take")
    view.table.game = analysis.restore_game(ending(), 2)
    view.table.play("take")
    assert view.tree.actions_from_root(view.current_node) == ("attack 6c", "take")  # it is another game now


def test_what_is_told_comes_in_one_piece():
    """The drawing and what the solution says of it reach the page together."""
    view, sent = board.Tree(ending(), depth=1), []
    view.solve()
    view.comm.send = lambda data=None, **_: sent.append(data)
    view.unfold()
    assert len(sent) == 1
    assert {"drawing", "solution"} <= sent[0]["state"].keys()


def test_the_hidden_cards_are_hidden_as_at_any_table():
    """The seat at the bottom sees its own hand; where `hands` says so, all lie open."""
    view = board.Tree(ending(), hands="own")
    view.open_on_table(1)
    assert view.table.hands == "own"
    assert view.table.seat == analysis.restore_game(ending(), 1).actor
    view.hands = "open"
    assert view.table.hands == "open"
    view.language = "ru"
    assert view.table.language == "ru"


def test_the_table_is_that_of_the_history_one_looks_at():
    """Asked for from code, without a word where; at a move of chance, of the first deal."""
    view = board.Tree(ending())
    view.go_to(2)
    assert view.table.game.ply == 1
    assert board.Tree(hidden()).table.game.ply == analysis.restore_game(hidden(), 1).ply


def test_they_stand_side_by_side_and_wrap():
    """The output holds the tree alone, and grows when the table is first asked for."""
    view = board.Tree(ending())
    data, _ = view._table_panel.build_live_bundle()
    assert list(data) == ["application/vnd.jupyter.widget-view+json"]
    box = view._table_panel._outer_box
    assert box.children == (view,)
    view.open_on_table(1)
    assert box.children == (view, view._table_panel._table_box)
    assert box.children[1].children == (view.table,)
    assert box.layout.flex_flow == "row wrap"


def test_a_line_is_laid_at_one_of_its_moments_and_taken_away():
    """Seen from its seat, with its sentence above the table; the rest of it is still ahead. The same line again is not laid anew, but said anew."""
    view = board.Tree(ending())
    view._table_panel.build_live_bundle()
    end = next(here for here in range(view.tree.history_count) if view.tree.actor[here] == -2)
    whole = analysis.restore_game(view.tree, end)
    view.show_line_on_table(LineOfPlay(end, 1, 1, "<Look>"))
    said, table = view._table_panel._table_box.children
    assert "&lt;Look&gt;" in said.value
    assert (table.game.ply, table.game.last_ply, table.seat, table.hands) == (1, whole.last_ply, 1, "own")
    assert table.scene["hand"] == [str(card) for card in table.game.view(1).hand]
    table.handle_message({"kind": "goto", "to": 0, "ply": 1, "game": table.scene["game"]})
    view.show_line_on_table(LineOfPlay(end, 1, 1, "Again"))
    assert (table.game.ply, "Again" in said.value) == (0, True)
    view.show_line_on_table(None)
    assert view._table_panel._outer_box.children == (view,)
    assert view._table_panel._card_table is None


def test_a_table_that_was_asked_for_stays_when_a_line_goes():
    """It then has the position that is looked at; a position laid by hand ends the line and its sentence."""
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


def test_a_tree_of_another_game_has_none():
    """That is said in a sentence, and nothing else changes."""
    view = board.Tree(kuhn())
    with pytest.raises(DurakError, match="This is no tree of Durak"):
        view.open_on_table(3)
    assert view._table_panel._card_table is None
    assert view.current_node == 0


def test_what_is_closed_is_gone():
    """The tree, its table and what holds both."""
    kept = []
    for _ in range(20):
        view = board.Tree(ending())
        view._table_panel.build_live_bundle()
        view.open_on_table(1)
        kept += [weakref.ref(view), weakref.ref(view.table), weakref.ref(view._table_panel._outer_box)]
        view.close()
        del view
    gc.collect()
    assert [one() for one in kept if one() is not None] == []
