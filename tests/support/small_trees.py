"""Two small trees about which lessons ask something."""

from __future__ import annotations

from fractions import Fraction

from durak_widget import analysis

PLACES = {
    "": analysis.Turn(0, "begins", [("stop", "s"), ("go", "g")]),
    "s": analysis.End((1, 0)),
    "g": analysis.Turn(1, "answers", [("take", "t"), ("share", "h")]),
    "t": analysis.End((0, 3)),
    "h": analysis.End((2, 2)),
}
ENTRY = analysis.grow("", PLACES.__getitem__, seats=2, names=("Ann", "Bob"))


def hidden(seats=2):
    """Chance deals high or low to Ann, who bets or folds; Bob, who does not see it, is asked only then."""
    places = {"": analysis.Draw([("high", Fraction(1, 2), "h"), ("low", Fraction(1, 2), "l")])}
    for one in "hl":
        places[one] = analysis.Turn(0, one, [("bet", one + "b"), ("fold", one + "f")])
        places[one + "f"] = analysis.End((-1, 1))
        places[one + "b"] = analysis.Turn(1, "a bet", [("call", one + "bc"), ("fold", one + "bf")])
        places[one + "bf"] = analysis.End((1, -1))
        places[one + "bc"] = analysis.End((2, -2) if one == "h" else (-2, 2))
    return analysis.grow(
        "", places.__getitem__, seats=seats, names=("Ann", "Bob"), say=lambda _, knows: {"h": "high", "l": "low"}.get(knows, knows)
    )
