"""Trees to draw: of textbooks and of Durak, small and large."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

from durak_widget import Game, Rules, analysis, gametheory
from support.textbook import kuhn

EFG = Path(__file__).parents[1] / "data" / "efg"


def of_file(name):
    """A game of a Gambit file."""
    return gametheory.from_efg((EFG / f"{name}.efg").read_text(encoding="utf-8"))


@cache
def ending():
    """An ending with open hands, lost for who begins."""
    return analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c 9h"], trump="h"), open_hands=True)


@cache
def hidden():
    """A small game of Durak over all its deals, with hidden hands."""
    return analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)


@cache
def talon():
    """A position from which sixty deals are thought of."""
    game = Game.from_position("suits=c, ranks=6789TJ, hand_size=2", hands=["7c Jc", "8c"], trump="c", talon="9c Tc", discard="6c")
    return analysis.build_tree_from_position(game)


@cache
def drawing_cards():
    """Open hands: what is hidden is the talon, and chance draws from it."""
    rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    return analysis.build_game_tree(rules, dealer=1, open_hands=True)


@cache
def wide():
    """A root with 6,000 moves, each followed by four ends: more than is shown at once."""
    half = Fraction(1, 6000)

    def look(where):
        if not where:
            return gametheory.ChanceNode([(f"way {one}", half, (one,)) for one in range(6000)])
        if len(where) == 1:
            return gametheory.DecisionNode(0, where[0] % 7, [(f"{one}", (*where, one)) for one in range(4)])
        return gametheory.TerminalNode((Fraction(where[0], 7), -1, 0))

    return gametheory.build_tree((), look, player_count=3, title="a wide game", names=("Ann", "", "Cid"))


@cache
def deep():
    """A chain of 3,000 moves, at each of which one may stop."""

    def look(where):
        if where < 0 or where == 3000:
            return gametheory.TerminalNode((where, -where))
        return gametheory.DecisionNode(where % 2, where, [("stop", -where - 1), ("go on", where + 1)])

    return gametheory.build_tree(0, look, player_count=2)


TREES = {
    "kuhn": kuhn,
    "horse": lambda: of_file("horse"),
    "centipede": lambda: of_file("centipede"),
    "signal": lambda: of_file("signal"),
    "ending": ending,
    "hidden": hidden,
    "drawing cards": drawing_cards,
}
"""What every property is tried on."""
