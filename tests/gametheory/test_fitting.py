"""What there is for a game: no refusal sends one to what refuses, too."""

from __future__ import annotations

import re
from itertools import product

import pytest
from test_foreign import SIZES

from durak_widget import gametheory
from durak_widget.gametheory import TreeError
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from durak_widget.gametheory.zero_sum_solver import METHODS
from support.textbook import tree_of


def three_firms():
    """Three firms choose at once how much to bring to market; the price falls with the sum."""
    places = {"": DecisionNode(0, "one", [("little", "1"), ("much", "2")])}
    for seat, name in ((1, "two"), (2, "three")):
        for before in product("12", repeat=seat):
            here = "".join(before)
            places[here] = DecisionNode(seat, name, [("little", here + "1"), ("much", here + "2")])
    for made in product("12", repeat=3):
        price = 8 - sum(map(int, made))
        places["".join(made)] = TerminalNode(tuple(int(one) * price for one in made))
    return tree_of(places, seats=3)


def who_forgets(*, zero_sum):
    """The first player chooses twice and forgets the first choice; between the two the other, who saw nothing, chooses."""
    places = {"": DecisionNode(0, "first", [("l", "l"), ("r", "r")])}
    for one in "lr":
        places[one] = DecisionNode(1, "other", [("l", one + "l"), ("r", one + "r")])
        for other in "lr":
            places[one + other] = DecisionNode(0, "again", [("l", one + other + "l"), ("r", one + other + "r")])
            for again in "lr":
                won = (one == other) + (other != again)
                places[one + other + again] = TerminalNode((won, -won) if zero_sum else (won, 1))
    return tree_of(places)


def alone():
    """One player, who cannot tell what chance did not do either: all its moves are its own, and it remembers."""
    return tree_of({"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1,)), "b": TerminalNode((2,))}, seats=1)


OWN = {
    "three firms": three_firms,
    "who forgets, zero-sum": lambda: who_forgets(zero_sum=True),
    "who forgets": lambda: who_forgets(zero_sum=False),
    "alone": alone,
    "too large payoffs, hidden": lambda: tree_of(
        {
            "": DecisionNode(0, "?", [("a", "a"), ("b", "b")]),
            **{one: DecisionNode(1, "!", [("a", one + "a"), ("b", one + "b")]) for one in "ab"},
            **{one + other: TerminalNode((10**400, -(10**400)) if one == other else (-1, 1)) for one in "ab" for other in "ab"},
        }
    ),
}
_NAMED = re.compile(r"gametheory\.\w+\([^)]*\)")


def a_game(name):
    """A game of the textbooks, or one of these."""
    return OWN[name]() if name in OWN else gametheory.textbook(name)


def refusal(tree, method):
    """What a method says where it does not take the game."""
    try:
        gametheory.solve(tree, method)
    except TreeError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", [*SIZES, *OWN])
@pytest.mark.sample(4)
def test_what_a_refusal_says_to_do_works(name):
    """Whichever method is asked: a refusal names nothing that refuses this game, and where a method takes the game, it names one that does."""
    tree = a_game(name)
    refused = {method: said for method in METHODS if (said := refusal(tree, method))}
    for said in refused.values():
        named = _NAMED.findall(said)
        assert bool(named) != ("perfect recall" in said), said
        for code in named:
            found = eval(code, {"gametheory": gametheory, "tree": tree, "strategy": gametheory.Strategy.uniform(tree), "seat": 0})  # noqa: S307 - what it says
            assert found is not None
        if len(refused) < len(METHODS):
            assert any("gametheory.solve" in code for code in named), said
        assert "takes any" not in said


def test_a_linear_program_says_what_there_is_instead():
    """Of three players, of general sums with secrets, of open moves, of who forgets."""
    for name, says in (
        *((name, "gametheory.solve(tree), without a method, answers it") for name in ("horse", "beer-quiche", "driver")),
        ("entry", "gametheory.solve(tree, 'backward') takes it"),
    ):
        with pytest.raises(TreeError, match=re.escape(says)):
            gametheory.solve(gametheory.textbook(name), "lp")
