"""Test that an error for one solution method names another that accepts the game."""

from __future__ import annotations

import re
from itertools import product

import pytest
from test_textbook_games import SIZES

from durak_widget import gametheory
from durak_widget.gametheory import TreeError
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from durak_widget.gametheory.zero_sum_solver import METHODS
from support.textbook import tree_of


def three_firms():
    """Return a game: three firms choose at once how much to bring to market; the price falls with the sum."""
    places = {"": DecisionNode(0, "one", [("little", "1"), ("much", "2")])}
    for seat, name in ((1, "two"), (2, "three")):
        for before in product("12", repeat=seat):
            here = "".join(before)
            places[here] = DecisionNode(seat, name, [("little", here + "1"), ("much", here + "2")])
    for made in product("12", repeat=3):
        price = 8 - sum(map(int, made))
        places["".join(made)] = TerminalNode(tuple(int(amount) * price for amount in made))
    return tree_of(places, seats=3)


def forgetful_player_game(*, zero_sum):
    """Return a game: the first player chooses twice and forgets the first choice; the other chooses in between without seeing anything."""
    places = {"": DecisionNode(0, "first", [("l", "l"), ("r", "r")])}
    for move in "lr":
        places[move] = DecisionNode(1, "other", [("l", move + "l"), ("r", move + "r")])
        for other in "lr":
            places[move + other] = DecisionNode(0, "again", [("l", move + other + "l"), ("r", move + other + "r")])
            for again in "lr":
                won = (move == other) + (other != again)
                places[move + other + again] = TerminalNode((won, -won) if zero_sum else (won, 1))
    return tree_of(places)


def one_player_game():
    """Return a game of one player, who remembers its moves."""
    return tree_of({"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1,)), "b": TerminalNode((2,))}, seats=1)


OWN = {
    "three firms": three_firms,
    "who forgets, zero-sum": lambda: forgetful_player_game(zero_sum=True),
    "who forgets": lambda: forgetful_player_game(zero_sum=False),
    "alone": one_player_game,
    "too large payoffs, hidden": lambda: tree_of(
        {
            "": DecisionNode(0, "?", [("a", "a"), ("b", "b")]),
            **{move: DecisionNode(1, "!", [("a", move + "a"), ("b", move + "b")]) for move in "ab"},
            **{move + other: TerminalNode((10**400, -(10**400)) if move == other else (-1, 1)) for move in "ab" for other in "ab"},
        }
    ),
}
_NAMED = re.compile(r"gametheory\.\w+\([^)]*\)")


def example_game(name):
    """Return a textbook game, or one of these."""
    return OWN[name]() if name in OWN else gametheory.textbook(name)


def refusal_message(tree, method):
    """Return the error of a method that does not accept the game, or an empty text."""
    try:
        gametheory.solve(tree, method)
    except TreeError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", [*SIZES, *OWN])
@pytest.mark.sample(4)
def test_methods_named_in_an_error_accept_the_game(name):
    """An error names nothing that refuses this game; if a method accepts the game, the error names one that does."""
    tree = example_game(name)
    refused = {method: message for method in METHODS if (message := refusal_message(tree, method))}
    for message in refused.values():
        named = _NAMED.findall(message)
        assert bool(named) != ("perfect recall" in message), message
        for code in named:
            found = eval(code, {"gametheory": gametheory, "tree": tree, "strategy": gametheory.Strategy.uniform(tree), "seat": 0})  # noqa: S307 - what it says
            assert found is not None
        if len(refused) < len(METHODS):
            assert any("gametheory.solve" in code for code in named), message
        assert "takes any" not in message


def test_the_linear_program_names_another_method():
    """For three players, hidden information with general sums, imperfect recall, and perfect information."""
    for name, says in (
        *((name, "gametheory.solve(tree)") for name in ("horse", "beer-quiche", "driver")),
        ("entry", "gametheory.solve(tree, 'backward')"),
    ):
        with pytest.raises(TreeError, match=re.escape(says)):
            gametheory.solve(gametheory.textbook(name), "lp")
