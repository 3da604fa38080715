"""Test the tree editor: its actions, refusals, what is missing, undo and the result."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from durak_widget import editor, gametheory
from durak_widget.board.message_parsing import MessageError
from durak_widget.editor.tree_editor import TreeEditor
from durak_widget.editor.view_model import DraftViewModel
from durak_widget.errors import DurakError
from durak_widget.gametheory.tree import TreeError
from durak_widget.translated_errors import RefusedError
from support.spoken import english, english_text


def signalling_sketch() -> TreeEditor:
    """Return a sketch of two chance moves with two messages each, without sets and payoffs."""
    sketch = TreeEditor()
    sketch.add_chance_move(0)
    for node in sketch.draft.nodes[0].children:
        for message in ("beer", "quiche"):
            sketch.add_action(node, message, player=0)
    return sketch


def test_a_textbook_game_can_be_drawn() -> None:
    """The entry game drawn move by move equals the tree of `gametheory.build_tree`."""
    sketch = TreeEditor()
    for seat, name in enumerate(("Entrant", "Incumbent")):
        sketch.rename_player(seat, name)
    enters, out = sketch.add_action(0, "enters"), sketch.add_action(0, "stays out")
    yields, fights = sketch.add_action(enters, "yields"), sketch.add_action(enters, "fights")
    for node, payoffs in ((out, "0, 2"), (yields, "1 1"), (fights, "-1; −1")):
        sketch.set_payoffs(node, payoffs)
    places = {
        "": gametheory.DecisionNode(0, "", [("enters", "e"), ("stays out", "o")]),
        "e": gametheory.DecisionNode(1, "", [("yields", "y"), ("fights", "f")]),
        "o": gametheory.TerminalNode((0, 2)),
        "y": gametheory.TerminalNode((1, 1)),
        "f": gametheory.TerminalNode((-1, -1)),
    }
    assert sketch.tree == gametheory.build_tree("", places.__getitem__, player_count=2, names=("Entrant", "Incumbent"))
    assert sketch.missing_items == []


def test_the_next_player_is_guessed() -> None:
    """After one player the other moves; beside a node it is the same player as there."""
    sketch = TreeEditor()
    first, second = sketch.add_action(0), sketch.add_action(0)
    sketch.add_action(first)
    sketch.add_action(second)
    assert [sketch.draft.nodes[node].actor for node in (0, first, second)] == [0, 1, 1]


def test_an_action_on_a_set_changes_all_its_nodes() -> None:
    """Moves are added, named, shifted or removed everywhere."""
    sketch = signalling_sketch()
    strong, weak = sketch.draft.nodes[0].children
    sketch.join_infosets(strong, weak)
    sketch.add_action(strong, "tea")
    beer = sketch.draft.nodes[strong].children[0]
    sketch.rename_action(beer, "ale")
    sketch.shift_branch(beer, 1)
    assert sketch.draft.get_actions(weak) == ("quiche", "ale", "tea")
    sketch.remove_branch(sketch.draft.nodes[weak].children[0])
    assert sketch.draft.get_actions(strong) == ("ale", "tea")
    assert len(sketch.draft.nodes[strong].children) == len(sketch.draft.nodes[weak].children) == 2


def test_an_end_joined_to_a_set_gets_its_moves() -> None:
    """Both directions work. Moves in another order are reordered."""
    sketch = signalling_sketch()
    strong, weak = sketch.draft.nodes[0].children
    end = sketch.draft.nodes[strong].children[0]
    other = sketch.draft.nodes[weak].children[0]
    sketch.add_action(end, "duel", player=1)
    sketch.join_infosets(other, end)
    assert sketch.draft.get_actions(other) == ("duel",)
    assert sketch.draft.list_infoset_nodes(other) == sketch.draft.list_infoset_nodes(end)
    sketch.shift_branch(sketch.draft.nodes[weak].children[0], 1)
    sketch.join_infosets(strong, weak)
    assert [sketch.draft.get_action_to(node) for node in sketch.draft.nodes[weak].children] == ["beer", "quiche"]
    assert sketch.draft.nodes[sketch.draft.nodes[weak].children[0]].actor == 1


REFUSED = {
    "itself": (lambda sketch: sketch.join_infosets(1, 1), english("sketch.refused.itself")),
    "two ends": (lambda sketch: sketch.join_infosets(3, 6), english("sketch.refused.join_ends")),
    "chance": (lambda sketch: sketch.join_infosets(0, 1), english("sketch.refused.join_chance")),
    "twice joined": (
        lambda sketch: (sketch.join_infosets(1, 2), sketch.join_infosets(1, 2)),
        english("sketch.refused.joined"),
    ),
    "two players": (
        lambda sketch: (sketch.set_actor(2, 1), sketch.join_infosets(1, 2)),
        english("sketch.refused.join_players", player="Player 1", other="Player 2"),
    ),
    "other moves": (
        lambda sketch: (sketch.add_action(2, "tea"), sketch.join_infosets(1, 2)),
        english("sketch.refused.join_moves", player="Player 1", actions="beer, quiche", other="beer, quiche, tea"),
    ),
    "alone": (lambda sketch: sketch.split_infoset(1), english("sketch.refused.alone")),
    "a name twice": (lambda sketch: sketch.add_action(1, "beer"), english("sketch.refused.twice", move="beer")),
    "renamed twice": (
        lambda sketch: sketch.rename_action(sketch.draft.nodes[1].children[0], "quiche"),
        english("sketch.refused.twice", move="quiche"),
    ),
    "no name": (lambda sketch: sketch.add_action(1, "  "), english("sketch.refused.nameless")),
    "a long name": (lambda sketch: sketch.add_action(1, "x" * 81), english("sketch.refused.long", most="80")),
    "the root": (lambda sketch: sketch.rename_action(0, "x"), english("sketch.refused.root")),
    "no chance": (lambda sketch: sketch.set_probability(sketch.draft.nodes[1].children[0], "1/2"), english("sketch.refused.no_chance")),
    "no probability": (lambda sketch: sketch.set_probability(1, "3/2"), english("board.refused.probability", text="3/2")),
    "no number": (lambda sketch: sketch.set_probability(1, "often"), english("sketch.refused.number", text="often")),
    "no end": (lambda sketch: sketch.set_payoffs(1, "1, 0"), english("sketch.refused.no_end")),
    "one payoff": (lambda sketch: sketch.set_payoffs(sketch.draft.nodes[1].children[0], "1"), english("sketch.refused.payoffs", text="1")),
    "three payoffs": (lambda sketch: sketch.set_payoffs(sketch.draft.nodes[1].children[0], 1, 2, 3), english("sketch.refused.payoffs")),
    "no payoff": (
        lambda sketch: sketch.set_payoffs(sketch.draft.nodes[1].children[0], "1, much"),
        english("sketch.refused.number", text="much"),
    ),
    "nobody": (lambda sketch: sketch.set_actor(sketch.draft.nodes[1].children[0], 1), english("sketch.refused.nobody")),
    "nobody knows": (lambda sketch: sketch.set_label(0, "all"), english("sketch.refused.nobody")),
    "chance joined": (lambda sketch: (sketch.join_infosets(1, 2), sketch.set_actor(1, None)), english("sketch.refused.chance_joined")),
    "nothing copied": (lambda sketch: sketch.paste(sketch.draft.nodes[1].children[0]), english("sketch.refused.nothing_copied")),
    "no room": (lambda sketch: (sketch.copy(1), sketch.paste(2)), english("sketch.refused.no_room")),
    "no such player any more": (
        lambda sketch: (
            sketch.add_player(),
            sketch.set_actor(2, 2),
            sketch.copy(2),
            sketch.remove_branch(2),
            sketch.remove_player(2),
            sketch.paste(sketch.draft.nodes[1].children[0]),
        ),
        english("sketch.refused.players", count="3"),
    ),
    "a seventh": (lambda sketch: [sketch.add_player() for _ in range(5)], english("sketch.refused.most_players", count="6")),
    "who acts": (lambda sketch: sketch.remove_player(0), english("sketch.refused.acts", player="Player 1")),
    "the last": (lambda sketch: (sketch.remove_player(1), sketch.remove_player(0)), english("sketch.refused.last_player")),
}


def test_impossible_actions_are_refused_and_change_nothing() -> None:
    """Each message says why."""
    for does, says in REFUSED.values():
        sketch, steps = signalling_sketch(), []
        sketch.on_step = steps.append
        with pytest.raises(RefusedError, match=says):
            does(sketch)
        assert sketch.draft == (steps[-1].draft if steps else signalling_sketch().draft)
        assert {node.infoset for node in sketch.draft.nodes.values() if node.infoset >= 0} == {*sketch.draft.infosets}


@pytest.mark.parametrize(
    ("does", "message"),
    [
        (lambda sketch: sketch.add_action(99), "sketch; there are 0"),
        (lambda sketch: sketch.add_action("root"), "no node 'root'"),
        (lambda sketch: sketch.add_action(0, player=2), "0 to 1"),
        (lambda sketch: sketch.rename_player(-1, "Ann"), "no player -1"),
        (lambda sketch: sketch.shift_branch(0, "up"), "whole number"),
    ],
)
def test_errors_of_code_are_reported_in_english(does, message) -> None:
    """No page sends these."""
    with pytest.raises(MessageError, match=re.escape(message)):
        does(TreeEditor())


def test_missing_parts_are_listed_one_by_one() -> None:
    """Test an empty sketch, missing payoffs and chances that do not add up. In the end the list is empty."""
    sketch = TreeEditor()
    assert sketch.missing_items == [english_text("sketch.lacks.all")]
    sketch.add_chance_move(0)
    first, two = sketch.draft.nodes[0].children
    assert [item.partition(":")[0] for item in sketch.missing_items] == [
        english_text("sketch.lacks.payoff", way=way, example="1, 0").partition(":")[0] for way in ("a", "b")
    ]
    sketch.set_payoffs(first, 1, 0)
    sketch.set_payoffs(two, 0, 1)
    assert sketch.missing_items == []
    assert sketch.tree.chance_moves[0].probabilities == (Fraction(1, 2), Fraction(1, 2))
    sketch.set_probability(first, "2/3")
    assert sketch.tree.chance_moves[0].probabilities == (Fraction(2, 3), Fraction(1, 3))
    sketch.set_probability(two, "1/2")
    assert sketch.missing_items == [english_text("sketch.lacks.more.root", total="7/6")]
    sketch.set_probability(two, "1/4")
    assert sketch.missing_items == [english_text("sketch.lacks.less.root", total="11/12")]
    with pytest.raises(RefusedError, match=english("sketch.lacks.less.root", total="11/12")):
        _ = sketch.tree
    assert repr(sketch) == "<Sketch of 3 nodes; missing: 1>"


def test_an_unfinished_sketch_is_drawn_with_question_marks() -> None:
    """The picture shows what is there and what is missing."""
    sketch = signalling_sketch()
    first, second = sketch.draft.nodes[0].children
    sketch.set_probability(first, 1)
    sketch.set_probability(second, "1/2")
    sketch.set_payoffs(sketch.draft.nodes[first].children[0], 1, None)
    drawing = DraftViewModel(sketch.draft).drawing
    assert ["1", "?"] in drawing["payoffs"].values()
    assert [move["probability"] for move in drawing["chance_moves"]["0"]["moves"]] == ["1", "1/2"]
    assert DraftViewModel(sketch.draft).svg.count(">?<") == 7


def test_a_copied_subtree_has_its_own_sets_or_joins_the_old_ones() -> None:
    """Sets inside the copy are kept. On request, players can't distinguish copy and original."""
    for joined in (False, True):
        sketch = signalling_sketch()
        strong, weak = sketch.draft.nodes[0].children
        sketch.join_infosets(strong, weak)
        end = sketch.draft.nodes[strong].children[0]
        sketch.copy(0)
        sketch.paste(end, joined=joined)
        copies = sketch.draft.nodes[end].children
        assert len(sketch.draft.list_infoset_nodes(copies[0])) == (4 if joined else 2)
        assert {*copies} <= {*sketch.draft.list_infoset_nodes(copies[0])}


def test_a_copy_does_not_follow_later_changes() -> None:
    """The original may change without it."""
    sketch = signalling_sketch()
    first, _second = sketch.draft.nodes[0].children
    sketch.copy(first)
    sketch.remove_children(first)
    sketch.paste(first)
    assert sketch.draft.get_actions(first) == ("beer", "quiche")


def test_every_action_can_be_undone_and_redone() -> None:
    """The selection moves to the changed place."""
    sketch = signalling_sketch()
    first = sketch.draft.nodes[0].children[0]
    end = sketch.add_action(first, "tea")
    sketch.set_payoffs(end, 1, 2)
    seen = []
    sketch.on_step = seen.append
    assert sketch.undo()
    assert seen[-1].node == end
    assert sketch.undo()
    assert (end in sketch.draft.nodes, seen[-1].node) == (False, first)
    assert sketch.redo()
    assert sketch.redo()
    assert not sketch.redo()
    assert sketch.draft.nodes[end].payoffs == (1, 2)


def test_actions_without_effect_cannot_be_undone() -> None:
    """Giving a node its own name again is not a step."""
    sketch = signalling_sketch()
    steps = sketch.history.undo_count
    first = sketch.draft.nodes[0].children[0]
    sketch.set_actor(first, 0)
    sketch.rename_action(sketch.draft.nodes[first].children[0], "beer")
    assert sketch.history.undo_count == steps


def test_chance_and_player_nodes_can_be_exchanged() -> None:
    """The branches stay."""
    sketch = signalling_sketch()
    first = sketch.draft.nodes[0].children[0]
    sketch.set_actor(first, None)
    assert sketch.draft.compute_chance_probabilities(first) == [Fraction(1, 2), Fraction(1, 2)]
    sketch.set_actor(first, 1)
    assert (sketch.draft.nodes[first].actor, sketch.draft.get_actions(first)) == (1, ("beer", "quiche"))


def test_a_node_can_be_joined_with_its_own_successor() -> None:
    """The player has imperfect recall. After removal both nodes are valid."""
    sketch = TreeEditor()
    on = sketch.add_action(0, "on")
    sketch.add_action(0, "off")
    sketch.join_infosets(on, 0)
    assert sketch.draft.list_infoset_nodes(on) == [0, on]
    sketch.add_action(0, "back")
    assert len(sketch.draft.nodes) == 7
    sketch.remove_branch(sketch.draft.nodes[0].children[1])
    assert sketch.draft.get_actions(on) == ("on", "back")
    sketch.remove_branch(on)
    assert sketch.draft.get_actions(0) == ("back",)


def test_large_trees_are_refused() -> None:
    """The message appears when loading or drawing too much."""
    wide = gametheory.build_tree(
        0,
        lambda at: (
            gametheory.TerminalNode((at,)) if at else gametheory.DecisionNode(0, "", [(str(number), number) for number in range(1, 2001)])
        ),
        player_count=1,
    )
    with pytest.raises(RefusedError, match=english("sketch.refused.large", count="2,001", most="2,000")):
        TreeEditor(wide)
    with pytest.raises(TreeError, match="not a game tree"):
        TreeEditor("kuhn")
    sketch = TreeEditor(
        gametheory.build_tree(
            0,
            lambda at: (
                gametheory.TerminalNode((at,))
                if at
                else gametheory.DecisionNode(0, "", [(str(number), number) for number in range(1, 2000)])
            ),
            player_count=1,
        )
    )
    with pytest.raises(RefusedError, match=english("sketch.refused.many", most="2,000")):
        sketch.add_action(0, "one more")


def test_file_format_follows_the_file_name(tmp_path) -> None:
    """Test a Gambit file of the same tree, Python code and a picture."""
    sketch = editor.Sketch(gametheory.textbook("beer-quiche"))
    for ending in ("efg", "py", "tex", "svg"):
        sketch.save(tmp_path / f"quiche.{ending}")
    assert gametheory.from_efg((tmp_path / "quiche.efg").read_text("utf-8")) == gametheory.textbook("beer-quiche")
    namespace: dict[str, object] = {}
    exec((tmp_path / "quiche.py").read_text("utf-8"), namespace)  # noqa: S102 - our own
    assert namespace["tree"] == gametheory.textbook("beer-quiche")
    assert (tmp_path / "quiche.svg").read_text("utf-8") == sketch.svg()
    assert r"\begin{tikzpicture}" in (tmp_path / "quiche.tex").read_text("utf-8")
    with pytest.raises(DurakError, match=r"'quiche\.doc'"):
        sketch.save("quiche.doc")
    with pytest.raises(RefusedError, match=english("sketch.lacks.all")):
        editor.Sketch().save(tmp_path / "nothing.efg")
    assert not (tmp_path / "nothing.efg").exists()
