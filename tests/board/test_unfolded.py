"""What is shown of a tree, whatever is opened and folded in whatever order; and where it lies."""

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
from support.textbook import zero_sum

DEEDS = st.lists(
    st.tuples(st.sampled_from(["toggle", "unfold", "fold", "show", "depth", "seat", "where", "first"]), st.integers(0, 10**6)), max_size=12
)


def done(unfolded, deed, number):
    """Do one of them, with whatever the number means there; what is shown then."""
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
            unfolded.unfold_where([one % 3 != number % 3 for one in range(tree.history_count)])
        case "first":
            return unfolded.limit_to(1 + number % 40)
    return unfolded


def well(unfolded):
    """What holds of all that is ever shown."""
    tree, shown = unfolded.tree, unfolded.shown_nodes
    places = {history: place for place, history in enumerate(shown)}
    assert len(places) == len(shown) == unfolded.shown_count
    assert shown[0] == 0
    assert all(tree.parent[history] in places for history in shown[1:])  # a connected part, the root in it
    assert all(places[tree.parent[history]] < place for history, place in places.items() if history)
    assert unfolded.open_nodes <= places.keys()
    assert all(set(tree.children(history)) <= places.keys() for history in unfolded.open_nodes)
    assert sum(map(unfolded.count_hidden, shown)) + len(shown) == tree.history_count
    assert all(unfolded.is_shown(history) == (history in places) for history in range(tree.history_count))
    laid = lay_out_nodes(unfolded)
    leaves = [place for place, history in enumerate(shown) if history not in unfolded.open_nodes]
    assert [laid.row[place] for place in leaves] == list(range(len(leaves)))  # a row each, from the top
    assert (laid.row_count, laid.level_count) == (len(leaves), max(laid.level) + 1)
    for place, history in enumerate(shown):
        assert laid.level[place] == len(tree.actions_from_root(history))
        if history in unfolded.open_nodes:
            rows = [laid.row[places[child]] for child in tree.children(history)]
            assert laid.row[place] == (rows[0] + rows[-1]) / 2
            assert rows == sorted(rows)
    drawn = build_drawing(unfolded, TreeWording(tree))
    nodes = drawn["nodes"]
    assert {len(column) for column in nodes.values()} == {len(shown)}
    assert drawn["size"] == {"histories": tree.history_count, "shown": len(shown), "levels": laid.level_count, "rows": laid.row_count}
    for group in drawn["joined"]:
        assert len(group) > 1
        assert len({nodes["info"][place] for place in group}) == 1
        assert all(nodes["actor"][place] >= 0 for place in group)
    joined = [place for group in drawn["joined"] for place in group]
    assert len(joined) == len(set(joined))
    alone = [nodes["info"][place] for place in range(len(shown)) if nodes["actor"][place] >= 0 and place not in joined]
    assert len(alone) == len(set(alone))
    told = {-1: drawn["chances"], -2: drawn["ends"]}
    assert all(str(known) in told.get(who, drawn["sets"]) for who, known in zip(nodes["actor"], nodes["info"], strict=True))


@pytest.mark.parametrize("name", TREES)
@given(deeds=DEEDS)
def test_whatever_is_opened_and_folded_what_is_shown_is_a_tree(name, deeds):
    """The root and a connected part; a row for each leaf, parents in the middle, information sets joined; what is not shown is counted."""
    unfolded = TreeExpansion(TREES[name]())
    for deed in deeds:
        unfolded = done(unfolded, *deed)
    well(unfolded)


@given(tree=zero_sum(), deeds=DEEDS)
def test_of_any_game(tree, deeds):
    """The same of games that Hypothesis invents, with moves of chance, forced moves and information sets across levels."""
    unfolded = TreeExpansion(tree)
    for deed in deeds:
        unfolded = done(unfolded, *deed)
    well(unfolded)


@given(st.lists(st.integers(0, 54), max_size=8), st.integers(1, 54))
def test_what_is_folded_opens_again_as_it_was(opened, node):
    """A click too many costs nothing."""
    unfolded = TreeExpansion(TREES["kuhn"]())
    for one in opened:
        unfolded.reveal(one)
    unfolded.reveal(node)
    before = list(unfolded.shown_nodes)
    if node in unfolded.open_nodes:
        unfolded.toggle(node)
        unfolded.toggle(node)
    assert unfolded.shown_nodes == before


def test_all_is_5000_at_once_level_by_level():
    """What goes beyond stands behind its number, and opens as one goes on."""
    unfolded = TreeExpansion(talon(), 0)
    unfolded.unfold()
    assert MAX_SHOWN_WHEN_UNFOLDING - 10 < unfolded.shown_count <= MAX_SHOWN_WHEN_UNFOLDING
    tree = unfolded.tree
    deepest = {len(tree.actions_from_root(one)) for one in unfolded.open_nodes}
    closed = [one for one in unfolded.shown_nodes if one not in unfolded.open_nodes and tree.child_count[one]]
    assert min(len(tree.actions_from_root(one)) for one in closed) >= max(deepest) - 1
    one = closed[-1]
    unfolded.toggle(one)
    assert one in unfolded.open_nodes
    well(unfolded)


@pytest.mark.slow
def test_20000_is_the_most_and_said():
    """However it is opened, more is refused in a sentence, and nothing has changed."""
    unfolded = TreeExpansion(wide(), 0)
    unfolded.unfold()
    assert unfolded.shown_nodes == [0]  # its 6,000 moves are more than is opened at once
    unfolded.toggle(0)
    assert unfolded.shown_count == 6001
    full = (MAX_SHOWN - 6001) // 4
    for one in range(1, full + 1):
        unfolded.reveal(wide().first_child[one])
    before = unfolded.shown_count
    with pytest.raises(RefusedError, match=r"That would show 20,\d\d\d places at once, and 20,000 is the most: fold something first"):
        unfolded.reveal(wide().first_child[full + 1])
    assert unfolded.shown_count == before <= MAX_SHOWN
    well(unfolded)


def test_a_long_chain_is_no_trouble():
    """Three thousand levels are opened, laid and drawn."""
    unfolded = TreeExpansion(deep(), 0)
    unfolded.unfold()
    assert MAX_SHOWN_WHEN_UNFOLDING - 1 <= unfolded.shown_count <= MAX_SHOWN_WHEN_UNFOLDING
    assert lay_out_nodes(unfolded).level_count > 2000


def test_by_player():
    """Every history at which the seat acts is reached with its moves, and what comes after its last move is folded."""
    for name in TREES:
        tree = TREES[name]()
        for seat in range(tree.player_count):
            unfolded = TreeExpansion(tree)
            unfolded.unfold_player(seat)
            mine = {one for one in range(tree.history_count) if tree.actor[one] == seat}
            assert mine <= unfolded.open_nodes
            assert all(below(tree, one) & mine for one in unfolded.open_nodes - mine)


def below(tree, history):
    """All that follows a history."""
    found, waiting = set(), [history]
    while waiting:
        waiting += tree.children(waiting.pop())
        found |= set(waiting)
    return found
