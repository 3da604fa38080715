"""Two small trees about which lessons ask something."""

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


def hidden(seats=2):
    """Chance deals high or low to Ann, who bets or folds; Bob, who does not see it, is asked only then."""
    places = {"": gametheory.ChanceNode([("high", Fraction(1, 2), "h"), ("low", Fraction(1, 2), "l")])}
    for one in "hl":
        places[one] = gametheory.DecisionNode(0, one, [("bet", one + "b"), ("fold", one + "f")])
        places[one + "f"] = gametheory.TerminalNode((-1, 1))
        places[one + "b"] = gametheory.DecisionNode(1, "a bet", [("call", one + "bc"), ("fold", one + "bf")])
        places[one + "bf"] = gametheory.TerminalNode((1, -1))
        places[one + "bc"] = gametheory.TerminalNode((2, -2) if one == "h" else (-2, 2))
    return gametheory.build_tree(
        "",
        places.__getitem__,
        player_count=seats,
        names=("Ann", "Bob"),
        label_infoset=lambda _, knows: {"h": "high", "l": "low"}.get(knows, knows),
    )
