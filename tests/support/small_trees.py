"""Two small trees for questions of lessons."""

from __future__ import annotations

from fractions import Fraction

from durak_widget import gametheory

PLACES = {
    "": gametheory.DecisionNode(0, "begins", [("stop", "s"), ("go", "g")]),
    "s": gametheory.TerminalNode((1, 0)),
    "g": gametheory.DecisionNode(1, "answers", [("take", "t"), ("share", "h")]),
    "t": gametheory.TerminalNode((0, 3)),
    "h": gametheory.TerminalNode((2, 2)),
}
ENTRY = gametheory.build_tree("", PLACES.__getitem__, player_count=2, names=("Ann", "Bob"))


def hidden_tree(seats=2):
    """Return a tree in which Ann gets a high or low card and bets or folds. Bob answers a bet without seeing it."""
    places = {"": gametheory.ChanceNode([("high", Fraction(1, 2), "h"), ("low", Fraction(1, 2), "l")])}
    for card in "hl":
        places[card] = gametheory.DecisionNode(0, card, [("bet", card + "b"), ("fold", card + "f")])
        places[card + "f"] = gametheory.TerminalNode((-1, 1))
        places[card + "b"] = gametheory.DecisionNode(1, "a bet", [("call", card + "bc"), ("fold", card + "bf")])
        places[card + "bf"] = gametheory.TerminalNode((1, -1))
        places[card + "bc"] = gametheory.TerminalNode((2, -2) if card == "h" else (-2, 2))
    return gametheory.build_tree(
        "",
        places.__getitem__,
        player_count=seats,
        names=("Ann", "Bob"),
        label_infoset=lambda _, knows: {"h": "high", "l": "low"}.get(knows, knows),
    )
