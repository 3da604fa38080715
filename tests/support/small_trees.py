"""Two small trees about which lessons ask something."""

from __future__ import annotations

from fractions import Fraction

from durak_widget import gametheory

PLACES = {
    "": gametheory.Turn(0, "begins", [("stop", "s"), ("go", "g")]),
    "s": gametheory.End((1, 0)),
    "g": gametheory.Turn(1, "answers", [("take", "t"), ("share", "h")]),
    "t": gametheory.End((0, 3)),
    "h": gametheory.End((2, 2)),
}
ENTRY = gametheory.grow("", PLACES.__getitem__, seats=2, names=("Ann", "Bob"))


def hidden(seats=2):
    """Chance deals high or low to Ann, who bets or folds; Bob, who does not see it, is asked only then."""
    places = {"": gametheory.Draw([("high", Fraction(1, 2), "h"), ("low", Fraction(1, 2), "l")])}
    for one in "hl":
        places[one] = gametheory.Turn(0, one, [("bet", one + "b"), ("fold", one + "f")])
        places[one + "f"] = gametheory.End((-1, 1))
        places[one + "b"] = gametheory.Turn(1, "a bet", [("call", one + "bc"), ("fold", one + "bf")])
        places[one + "bf"] = gametheory.End((1, -1))
        places[one + "bc"] = gametheory.End((2, -2) if one == "h" else (-2, 2))
    return gametheory.grow(
        "", places.__getitem__, seats=seats, names=("Ann", "Bob"), say=lambda _, knows: {"h": "high", "l": "low"}.get(knows, knows)
    )
