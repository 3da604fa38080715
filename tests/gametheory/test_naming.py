"""Players and information sets are named in what is printed, and in files."""

from __future__ import annotations

from durak_widget import editor, gametheory
from durak_widget.gametheory import DecisionNode, TerminalNode, build_tree
from durak_widget.gametheory.infoset_labels import format_infoset


def unlabelled():
    """Two moves one after the other, nothing with a name."""

    def look(way):
        if len(way) == 2:
            return TerminalNode((len(set(way)), int(way[1])))
        return DecisionNode(len(way), way, [(one, way + one) for one in "12"])

    return build_tree("", look, player_count=2, label_infoset=lambda *_: "")


def test_a_set_without_a_label_is_named_by_the_moves_that_lead_there():
    """A player's only one by the player alone."""
    tree = unlabelled()
    assert [format_infoset(tree, place) for place in range(3)] == ["Player 1", "Player 2 (after 1)", "Player 2 (after 2)"]
    assert "(Player 1: 1; Player 2 (after 1): 2; Player 2 (after 2): 2)" in str(gametheory.solve(tree))


def test_two_sets_of_the_same_label_are_told_apart():
    """Of different players by the player; of the same by the moves that lead there."""
    places = {"": DecisionNode(0, "burns?", [("burn", "b"), ("keep", "k")])}
    for first in "bk":
        places[first] = DecisionNode(0, (first, "A"), [("A", first + "A"), ("B", first + "B")])
        for second in "AB":
            places[first + second] = DecisionNode(1, first, [("A", first + second + "A"), ("B", first + second + "B")])
            for third in "AB":
                places[first + second + third] = TerminalNode((3, 1) if second == third == "A" else (1, 3) if second == third else (0, 0))
    tree = build_tree("", places.__getitem__, player_count=2, label_infoset=lambda *_: "after burning")
    said = [format_infoset(tree, place) for place in range(len(tree.infosets))]
    assert len(set(said)) == len(said) == 5
    assert "Player 1 (after burning (after burn))" in said


def test_a_strategic_form_from_a_file_names_its_players():
    """Such a file has no information sets, and players may be called by their numbers."""
    tree = gametheory.tree_from_nfg('NFG 1 R "" { "1" "2" } { 2 2 } 3 3 0 5 5 0 1 1')
    assert str(gametheory.solve(tree)).startswith("Nash equilibrium, pays Player 1: 3, Player 2: 3 (Player 1: 1; Player 2: 1)")


def test_refusals_and_files_name_players():
    """Nobody is called a seat."""
    tree = unlabelled()
    assert 'EFG 2 R "" { "Player 1" "Player 2" }' in gametheory.to_efg(tree)
    assert gametheory.from_efg(gametheory.to_efg(tree)).names == ("Player 1", "Player 2")
    old = gametheory.from_efg('EFG 2 R "" { "seat 0" "seat 1" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 2 } t "" 2 "" { 2 1 }')
    assert "Player 1: 2, Player 2: 1" in str(gametheory.solve(old))


def test_a_sketch_exports_the_names_on_its_board():
    """They are "Player 1" and "Player 2" until somebody gives another."""
    sketch = editor.Sketch(unlabelled())
    shown = sketch.get_state()["drawing"]["seats"]
    assert shown == ["Player 1", "Player 2"]
    assert f'{{ "{shown[0]}" "{shown[1]}" }}' in gametheory.to_efg(sketch.tree)


def test_sets_to_which_moves_of_one_name_lead_have_names_of_their_own():
    """Nothing tells them from each other but their numbers; a solution is printed all the same."""
    for moves in (("x", "x"), ("2", " "), ("", "1"), ("a, b", "a, b")):
        places = {"": DecisionNode(0, "begins", [(moves[0], "l"), (moves[1], "r")])}
        places |= {side: DecisionNode(1, side, [("up", f"{side}u"), ("down", f"{side}d")]) for side in "lr"}
        places |= {f"{side}{way}": TerminalNode((1, int(way == "u"))) for side in "lr" for way in "ud"}
        tree = build_tree("", places.__getitem__, player_count=2, label_infoset=lambda *_: "")
        names = [format_infoset(tree, place) for place in range(len(tree.infosets))]
        assert len(set(names)) == len(names)
        for method in (None, "backward", "answer"):
            assert str(gametheory.solve(tree, method))
