"""Proves bounds on the value of a two-player zero-sum game.

A certificate has an exact strategy for each player, and the payoff that each strategy guarantees.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import action_offsets, best_response, find_previous_actions, require_two_player_zero_sum
from durak_widget.gametheory.strategy import build_unchecked_strategy, require_strategy
from durak_widget.gametheory.tree import require_tree

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

ROUNDING_DENOMINATOR: Final = 1 << 48
"""The common denominator of a player's rounded probabilities; it is so large that rounding hardly
changes a floating-point probability.
"""


class Certificate(NamedTuple):
    """Exact bounds on the value of a two-player zero-sum game, for the first player.

    The first player's strategy guarantees at least `lower`. The second player's strategy allows at most `upper`.
    """

    strategy: Strategy
    lower: Fraction
    """The expected payoff that the first player's strategy guarantees against every strategy of the second player."""
    upper: Fraction
    """The highest expected payoff that the first player can get against the second player's
    strategy.
    """

    @property
    def gap(self) -> Fraction:
        """Return the difference between the upper and the lower bound; 0 if the value is exact.

        Half of it is the exploitability of the strategy.
        """
        return self.upper - self.lower

    @property
    def exact(self) -> bool:
        """Return whether the certificate proves the exact value: its two bounds are equal."""
        return self.lower == self.upper

    @property
    def value(self) -> Number:
        """Return the game's exact value if it is proved, else the middle of the two bounds."""
        return self.lower if self.exact else float((self.lower + self.upper) / 2)

    def __str__(self) -> str:
        if self.exact:
            return f"the value is exactly {self.lower}: each player can guarantee it"
        return f"the value is between {float(self.lower):.12g} and {float(self.upper):.12g} (gap {float(self.gap):.2g})"

    def __repr__(self) -> str:
        return f"<Certificate: {self}>"


def certify(tree: Tree, strategy: Strategy) -> Certificate:
    """Return a certificate: bounds on the game's value that a strategy in fractions proves.

    Floats are rounded to fractions first, so that they add up to 1.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> certify(tree, Strategy.uniform(tree)), certify(tree, Strategy.from_mapping(tree, {"begins": "l"}))
    (<Certificate: the value is between 0.5 and 1 (gap 0.5)>, <Certificate: the value is exactly 1: each player can guarantee it>)
    """
    require_tree(tree)
    require_strategy(strategy)
    require_two_player_zero_sum(tree, "a certificate")
    exact = round_strategy(tree, strategy)
    upper, lower = best_response(tree, exact, 0).value, -best_response(tree, exact, 1).value
    return Certificate(exact, Fraction(lower), Fraction(upper))


def round_strategy(tree: Tree, strategy: Strategy, denominator: int = ROUNDING_DENOMINATOR) -> Strategy:
    """Return a strategy with its probabilities rounded to fractions that add up to exactly 1.

    All realization weights of a player are multiples of 1/`denominator`. So products of probabilities along a long
    path keep this common denominator.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> round_strategy(tree, Strategy(tree, [(0.1, 0.9)]), 1000)["begins"]
    (Fraction(1, 10), Fraction(9, 10))
    """
    if strategy.exact:
        return strategy
    rows = list(strategy.rows)
    offsets = action_offsets(tree)
    for player in range(tree.player_count):
        weights = [denominator] * (offsets[-1] + 1)
        for infoset, previous_action in find_previous_actions(tree, player).items():
            weight, row = weights[previous_action], rows[infoset]
            # If the weight is 0, the player's own choices never lead here, so the probabilities here change no payoff
            divisor = weight or denominator
            shares = [int(divisor * probability) for probability in row]
            shares[max(range(len(row)), key=row.__getitem__)] += divisor - sum(shares)
            rows[infoset] = tuple([Fraction(share, divisor) for share in shares])
            weights[offsets[infoset] + 1 : offsets[infoset + 1] + 1] = shares if weight else [0] * len(shares)
    return build_unchecked_strategy(tree.infosets, rows)
