"""Test the names of players and information sets in printed results and in files."""

from __future__ import annotations

from durak_widget import editor, gametheory
from durak_widget.gametheory import DecisionNode, TerminalNode, build_tree
from durak_widget.gametheory.infoset_labels import format_infoset


def unlabelled_game():
    """Return a game of two moves in turn, without any labels."""

    def node_at(way):
        if len(way) == 2:
            return TerminalNode((len(set(way)), int(way[1])))
        return DecisionNode(len(way), way, [(move, way + move) for move in "12"])

    return build_tree("", node_at, player_count=2, label_infoset=lambda *_: "")


def test_an_unlabelled_information_set_is_named_by_its_moves():
    """A player's only information set is named by the player alone."""
    tree = unlabelled_game()
    assert [format_infoset(tree, place) for place in range(3)] == ["Player 1", "Player 2 (after 1)", "Player 2 (after 2)"]
    assert "(Player 1: 1; Player 2 (after 1): 2; Player 2 (after 2): 2)" in str(gametheory.solve(tree))


def test_two_sets_with_the_same_label_have_different_names():
    """Sets of different players are named with the player; sets of one player with the moves that lead there."""
    places = {"": DecisionNode(0, "burns?", [("burn", "b"), ("keep", "k")])}
    for first in "bk":
        places[first] = DecisionNode(0, (first, "A"), [("A", first + "A"), ("B", first + "B")])
        for second in "AB":
            places[first + second] = DecisionNode(1, first, [("A", first + second + "A"), ("B", first + second + "B")])
            for third in "AB":
                places[first + second + third] = TerminalNode((3, 1) if second == third == "A" else (1, 3) if second == third else (0, 0))
    tree = build_tree("", places.__getitem__, player_count=2, label_infoset=lambda *_: "after burning")
    set_names = [format_infoset(tree, place) for place in range(len(tree.infosets))]
    assert len(set(set_names)) == len(set_names) == 5
    assert "Player 1 (after burning (after burn))" in set_names


def test_a_strategic_form_from_a_file_names_its_players():
    """Such a file has no information sets, and players may have numbers as names."""
    tree = gametheory.tree_from_nfg('NFG 1 R "" { "1" "2" } { 2 2 } 3 3 0 5 5 0 1 1')
    assert str(gametheory.solve(tree)).startswith("Nash equilibrium, pays Player 1: 3; Player 2: 3 (Player 1: 1; Player 2: 1)")


def test_errors_and_files_name_players():
    """The word seat does not appear."""
    tree = unlabelled_game()
    assert 'EFG 2 R "" { "Player 1" "Player 2" }' in gametheory.to_efg(tree)
    assert gametheory.from_efg(gametheory.to_efg(tree)).names == ("Player 1", "Player 2")
    old = gametheory.from_efg('EFG 2 R "" { "seat 0" "seat 1" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 2 } t "" 2 "" { 2 1 }')
    assert "Player 1: 2; Player 2: 1" in str(gametheory.solve(old))


def test_a_sketch_exports_the_names_on_its_board():
    """They are "Player 1" and "Player 2" until the user renames them."""
    sketch = editor.Sketch(unlabelled_game())
    names = sketch.get_state()["drawing_view"]["players"]
    assert names == ["Player 1", "Player 2"]
    assert f'{{ "{names[0]}" "{names[1]}" }}' in gametheory.to_efg(sketch.tree)


def test_sets_after_moves_of_the_same_name_have_their_own_names():
    """Only numbers distinguish them; a solution is printed all the same."""
    for moves in (("x", "x"), ("2", " "), ("", "1"), ("a, b", "a, b")):
        places = {"": DecisionNode(0, "begins", [(moves[0], "l"), (moves[1], "r")])}
        places |= {side: DecisionNode(1, side, [("up", f"{side}u"), ("down", f"{side}d")]) for side in "lr"}
        places |= {f"{side}{way}": TerminalNode((1, int(way == "u"))) for side in "lr" for way in "ud"}
        tree = build_tree("", places.__getitem__, player_count=2, label_infoset=lambda *_: "")
        names = [format_infoset(tree, place) for place in range(len(tree.infosets))]
        assert len(set(names)) == len(names)
        for method in (None, "backward", "answer"):
            assert str(gametheory.solve(tree, method))
