"""Test folding and unfolding of trees in any order, and where nodes are placed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.boards import TREES, deep, talon, wide
from durak_widget.board.tree_expansion import MAX_SHOWN, MAX_SHOWN_WHEN_UNFOLDING, TreeExpansion
from durak_widget.board.tree_layout import lay_out_nodes
from durak_widget.board.tree_view_model import build_drawing
from durak_widget.board.tree_wording import TreeWording
from durak_widget.translated_errors import RefusedError
from support.spoken import english
from support.textbook import zero_sum

DEEDS = st.lists(
    st.tuples(st.sampled_from(["toggle", "unfold", "fold", "show", "depth", "seat", "where", "first"]), st.integers(0, 10**6)), max_size=12
)


def do_action(unfolded, deed, number):
    """Do one action with a number as its argument, and return what is shown."""
    tree = unfolded.tree
    node = number % tree.history_count
    match deed:
        case "toggle" if unfolded.is_shown(node):
            unfolded.toggle(node)
        case "unfold":
            unfolded.unfold(node)
        case "fold":
            unfolded.fold(node)
        case "show":
            unfolded.reveal(node)
            assert unfolded.is_shown(node)
        case "depth":
            unfolded.unfold(node, depth=number % 4)
        case "seat":
            unfolded.unfold_player(number % tree.player_count)
        case "where":
            unfolded.unfold_where([node % 3 != number % 3 for node in range(tree.history_count)])
        case "first":
            return unfolded.limit_to(1 + number % 40)
    return unfolded


def check_shown(unfolded):
    """Check the rules for everything that is ever shown."""
    tree, shown_nodes = unfolded.tree, unfolded.shown_nodes
    places = {history: place for place, history in enumerate(shown_nodes)}
    assert len(places) == len(shown_nodes) == unfolded.shown_count
    assert shown_nodes[0] == 0
    assert all(tree.parent[history] in places for history in shown_nodes[1:])  # it is connected and contains the root
    assert all(places[tree.parent[history]] < place for history, place in places.items() if history)
    assert unfolded.open_nodes <= places.keys()
    assert all(set(tree.children(history)) <= places.keys() for history in unfolded.open_nodes)
    assert sum(map(unfolded.count_hidden, shown_nodes)) + len(shown_nodes) == tree.history_count
    assert all(unfolded.is_shown(history) == (history in places) for history in range(tree.history_count))
    layout = lay_out_nodes(unfolded)
    leaves = [place for place, history in enumerate(shown_nodes) if history not in unfolded.open_nodes]
    assert [layout.row[place] for place in leaves] == list(range(len(leaves)))  # one row each, from the top
    assert (layout.row_count, layout.level_count) == (len(leaves), max(layout.level) + 1)
    for place, history in enumerate(shown_nodes):
        assert layout.level[place] == len(tree.actions_from_root(history))
        if history in unfolded.open_nodes:
            rows = [layout.row[places[child]] for child in tree.children(history)]
            assert layout.row[place] == (rows[0] + rows[-1]) / 2
            assert rows == sorted(rows)
    drawing = build_drawing(unfolded, TreeWording(tree))
    nodes = drawing["nodes"]
    assert {len(column) for column in nodes.values()} == {len(shown_nodes)}
    assert drawing["size"] == {
        "histories": tree.history_count,
        "shown": len(shown_nodes),
        "levels": layout.level_count,
        "rows": layout.row_count,
    }
    for group in drawing["shared_infosets"]:
        assert len(group) > 1
        assert len({nodes["info"][place] for place in group}) == 1
        assert all(nodes["actor"][place] >= 0 for place in group)
    joined = [place for group in drawing["shared_infosets"] for place in group]
    assert len(joined) == len(set(joined))
    alone = [nodes["info"][place] for place in range(len(shown_nodes)) if nodes["actor"][place] >= 0 and place not in joined]
    assert len(alone) == len(set(alone))
    special_nodes = {-1: drawing["chance_moves"], -2: drawing["payoffs"]}
    assert all(str(known) in special_nodes.get(who, drawing["infosets"]) for who, known in zip(nodes["actor"], nodes["info"], strict=True))


@pytest.mark.parametrize("name", TREES)
@given(deeds=DEEDS)
def test_any_folding_shows_a_connected_tree(name, deeds):
    """Parents are centred on their leaves, information sets are joined, and hidden nodes are counted."""
    unfolded = TreeExpansion(TREES[name]())
    for deed in deeds:
        unfolded = do_action(unfolded, *deed)
    check_shown(unfolded)


@given(tree=zero_sum(), deeds=DEEDS)
def test_random_games_unfold_to_connected_trees(tree, deeds):
    """Hypothesis makes games with chance moves, forced moves and information sets on several levels."""
    unfolded = TreeExpansion(tree)
    for deed in deeds:
        unfolded = do_action(unfolded, *deed)
    check_shown(unfolded)


@given(st.lists(st.integers(0, 54), max_size=8), st.integers(1, 54))
def test_folding_and_unfolding_restores_the_same_view(opened, node):
    """A wrong click costs nothing."""
    unfolded = TreeExpansion(TREES["kuhn"]())
    for history in opened:
        unfolded.reveal(history)
    unfolded.reveal(node)
    before = list(unfolded.shown_nodes)
    if node in unfolded.open_nodes:
        unfolded.toggle(node)
        unfolded.toggle(node)
    assert unfolded.shown_nodes == before


def test_unfold_all_opens_5000_nodes_at_once_level_by_level():
    """The rest is counted, and opens step by step."""
    unfolded = TreeExpansion(talon(), 0)
    unfolded.unfold()
    assert MAX_SHOWN_WHEN_UNFOLDING - 10 < unfolded.shown_count <= MAX_SHOWN_WHEN_UNFOLDING
    tree = unfolded.tree
    deepest = {len(tree.actions_from_root(node)) for node in unfolded.open_nodes}
    closed = [node for node in unfolded.shown_nodes if node not in unfolded.open_nodes and tree.child_count[node]]
    assert min(len(tree.actions_from_root(node)) for node in closed) >= max(deepest) - 1
    node = closed[-1]
    unfolded.toggle(node)
    assert node in unfolded.open_nodes
    check_shown(unfolded)


@pytest.mark.slow
def test_unfolding_more_than_20000_nodes_is_refused():
    """A message says so, and nothing changes."""
    unfolded = TreeExpansion(wide(), 0)
    unfolded.unfold()
    assert unfolded.shown_nodes == [0]  # 6,000 moves are too many to open at once
    unfolded.toggle(0)
    assert unfolded.shown_count == 6001
    full = (MAX_SHOWN - 6001) // 4
    for node in range(1, full + 1):
        unfolded.reveal(wide().first_child[node])
    before = unfolded.shown_count
    with pytest.raises(RefusedError, match=english("board.refused.many", most="20,000")):
        unfolded.reveal(wide().first_child[full + 1])
    assert unfolded.shown_count == before <= MAX_SHOWN
    check_shown(unfolded)


def test_long_chains_are_drawn():
    """Three thousand levels are opened, placed and drawn."""
    unfolded = TreeExpansion(deep(), 0)
    unfolded.unfold()
    assert MAX_SHOWN_WHEN_UNFOLDING - 1 <= unfolded.shown_count <= MAX_SHOWN_WHEN_UNFOLDING
    assert lay_out_nodes(unfolded).level_count > 2000


def test_unfolding_by_player_opens_all_their_decisions():
    """Their moves are open, and everything after the last one is folded."""
    for name in TREES:
        tree = TREES[name]()
        for seat in range(tree.player_count):
            unfolded = TreeExpansion(tree)
            unfolded.unfold_player(seat)
            mine = {node for node in range(tree.history_count) if tree.actor[node] == seat}
            assert mine <= unfolded.open_nodes
            assert all(descendants(tree, node) & mine for node in unfolded.open_nodes - mine)


def descendants(tree, history):
    """Return all histories after a history."""
    found, waiting = set(), [history]
    while waiting:
        waiting += tree.children(waiting.pop())
        found |= set(waiting)
    return found
