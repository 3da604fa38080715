"""Test the classification of equilibria: many at once, refuted only by trembles, and none."""

from __future__ import annotations

from fractions import Fraction

from durak_widget import board, gametheory
from durak_widget.gametheory import ChanceNode, DecisionNode, TerminalNode
from support.spoken import english, english_text


def half_hidden_card_game():
    """Return a game: one player sees a card and may stay out or ask one of two questions; the other answers without seeing it."""
    half = Fraction(1, 2)
    places: dict[object, object] = {"": ChanceNode([("red", half, "r"), ("black", half, "b")])}
    for card in "rb":
        places[card] = DecisionNode(0, "A", [("out", card + "o"), ("i", card + "i"), ("j", card + "j")])
        places[card + "o"] = TerminalNode((2, 2))
        places[card + "i"] = DecisionNode(1, "X", [("u", card + "iu"), ("d", card + "id")])
        places[card + "iu"], places[card + "id"] = TerminalNode((0, 1 if card == "r" else -3)), TerminalNode((3, 0))
        places[card + "j"] = DecisionNode(1, "Y", [("bad", card + "jb"), ("good", card + "jg")])
        places[card + "jb"], places[card + "jg"] = TerminalNode((0, 0)), TerminalNode((3, 1))
    return gametheory.build_tree("", places.__getitem__, player_count=2)


def test_the_information_set_that_no_belief_supports_is_named():
    """It is not the one at which some belief supports the move, although no trembles lead to that belief."""
    view = board.Tree(half_hidden_card_game())
    view.solve("answer")
    lines = {entry["strategy"]: entry["reasons"] for entry in view.answer_view["equilibria"]}
    assert lines["Player 1 (A): out; Player 2 (X): u; Player 2 (Y): bad"][0] == english_text(
        "board.answer.not.sequential", knows="Y", name="Player 2"
    )
    assert english("board.answer.not.consistent", knows="X", name="Player 2").match(
        lines["Player 1 (A): j; Player 2 (X): u; Player 2 (Y): good"][0]
    )


def test_simultaneous_games_have_no_sequential_classification():
    """An equilibrium in weakly dominated strategies is called Nash equilibrium, and nothing more."""
    nodes = {"": DecisionNode(0, "One", [("a", "a"), ("b", "b")])}
    nodes |= {move: DecisionNode(1, "Two", [("c", move + "c"), ("d", move + "d")]) for move in "ab"}
    nodes |= {move + two: TerminalNode((1, 1) if move + two == "ac" else (0, 0)) for move in "ab" for two in "cd"}
    view = board.Tree(gametheory.build_tree("", nodes.__getitem__, player_count=2))
    view.solve("answer")
    assert {(entry["title"], tuple(entry["reasons"][:-1])) for entry in view.answer_view["equilibria"]} == {
        (english_text("board.answer.called.nash"), ())
    }


def test_all_equilibria_of_a_perfect_information_game_are_classified():
    """The ultimatum has 33 pure equilibria, two of them subgame-perfect, in both lists."""
    for method in (None, "answer"):
        found = gametheory.solve(gametheory.textbook("ultimatum"), method).equilibria
        assert [equilibrium.name for equilibrium in found].count(english_text("board.answer.called.perfect")) == 2
        assert {equilibrium.name for equilibrium in found} == {
            english_text("board.answer.called.perfect"),
            "Nash equilibrium, not subgame-perfect",
        }
