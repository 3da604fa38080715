from fractions import Fraction
from durak_widget import theory

tree = theory.grow("", {
    "": theory.Draw([("heads", Fraction(1, 3), "heads"), ("tails", Fraction(2, 3), "tails")]),
    "heads": theory.Turn(0, "sees heads", [("bet", "heads, bet"), ("pass", "heads, pass")]),
    "heads, bet": theory.Turn(1, "hears a bet", [("call", "heads, bet, call"), ("fold", "heads, bet, fold")]),
    "heads, bet, call": theory.End((3, -3)),
    "heads, bet, fold": theory.End((1, -1)),
    "heads, pass": theory.End((0, 0)),
    "tails": theory.Turn(0, "sees tails", [("bet", "tails, bet"), ("pass", "tails, pass")]),
    "tails, bet": theory.Turn(1, "hears a bet", [("call", "tails, bet, call"), ("fold", "tails, bet, fold")]),
    "tails, bet, call": theory.End((-2, 2)),
    "tails, bet, fold": theory.End((1, -1)),
    "tails, pass": theory.End((0, 0)),
}.__getitem__, seats=2, title="A coin and a guess", names=("Ann", "Bob"))
