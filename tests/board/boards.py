"""Trees for the board tests: textbook games and Durak, small and large."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

from durak_widget import Game, Rules, analysis, gametheory
from support.textbook import kuhn

EFG = Path(__file__).parents[1] / "data" / "efg"


def load_file(name):
    """Return the tree of a Gambit file."""
    return gametheory.from_efg((EFG / f"{name}.efg").read_text(encoding="utf-8"))


@cache
def ending():
    """Return a Durak ending with open hands that the first player loses."""
    return analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c 9h"], trump="h"), open_hands=True)


@cache
def hidden():
    """Return a small Durak game with hidden hands, over all its deals."""
    return analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)


@cache
def talon():
    """Return a position with a talon and sixty possible deals."""
    game = Game.from_position("suits=c, ranks=6789TJ, hand_size=2", hands=["7c Jc", "8c"], trump="c", talon="9c Tc", discard="6c")
    return analysis.build_tree_from_position(game)


@cache
def drawing_cards():
    """Return a game with open hands: only the talon is hidden, and chance moves pick cards from it."""
    rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    return analysis.build_game_tree(rules, dealer=1, open_hands=True)


@cache
def wide():
    """Return a root with 6,000 moves and four ends after each: more than the board shows at once."""
    half = Fraction(1, 6000)

    def look(where):
        if not where:
            return gametheory.ChanceNode([(f"way {move}", half, (move,)) for move in range(6000)])
        if len(where) == 1:
            return gametheory.DecisionNode(0, where[0] % 7, [(f"{move}", (*where, move)) for move in range(4)])
        return gametheory.TerminalNode((Fraction(where[0], 7), -1, 0))

    return gametheory.build_tree((), look, player_count=3, title="a wide game", names=("Ann", "", "Cid"))


@cache
def deep():
    """Return a chain of 3,000 moves; each player may stop at any of them."""

    def look(where):
        if where < 0 or where == 3000:
            return gametheory.TerminalNode((where, -where))
        return gametheory.DecisionNode(where % 2, where, [("stop", -where - 1), ("go on", where + 1)])

    return gametheory.build_tree(0, look, player_count=2)


TREES = {
    "kuhn": kuhn,
    "horse": lambda: load_file("horse"),
    "centipede": lambda: load_file("centipede"),
    "signal": lambda: load_file("signal"),
    "ending": ending,
    "hidden": hidden,
    "drawing cards": drawing_cards,
}
"""The trees on which every property is tested."""
