"""A tree in Gambit's Python package, and what its solvers found back as a strategy that can be judged.

Gambit: R. Savani and T. L. Turocy, *Gambit: The package for computation in game theory*, https://www.gambit-project.org.
"""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, Any

from durak_widget.games.kit.needed import needing
from durak_widget.games.solving.responses import edges, order_of
from durak_widget.games.solving.strategy import Strategy
from durak_widget.games.trees.efg import to_efg
from durak_widget.games.trees.meeting import side_by_side
from durak_widget.games.trees.tree import TreeError

if TYPE_CHECKING:
    from durak_widget.games.solving.strategy import Number
    from durak_widget.games.trees.tree import Tree


def to_pygambit(tree: Tree) -> Any:  # noqa: ANN401 - pygambit.Game, which need not be installed
    """The tree as a `pygambit.Game`, by way of `.efg`, where pygambit is installed.

    >>> from durak_widget import Rules, theory
    >>> tree = theory.build(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
    >>> game = to_pygambit(tree)  # doctest: +SKIP
    >>> len(game.infosets)  # doctest: +SKIP
    7
    """
    with needing():
        import pygambit  # noqa: PLC0415 - only when asked for
    return pygambit.read_efg(BytesIO(to_efg(tree).encode()))


def from_pygambit(tree: Tree, profile: Any) -> Strategy:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
    """What a mixed behaviour profile of `to_pygambit(tree)` does, as a strategy of the tree, so that `exploitability` and `certify` can judge it.

    Probabilities that cannot be are refused, whatever solver gave them. Only where a seat's own moves never lead may they all be 0: there
    the strategy is uniform, since what a seat guarantees does not hang on it.

    >>> from durak_widget import theory
    >>> tree = theory.from_efg('EFG 2 R "" { "Ann" "Bob" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }')
    >>> found = to_pygambit(tree).mixed_behavior_profile(rational=True)  # doctest: +SKIP
    >>> theory.exploitability(tree, from_pygambit(tree, found))  # doctest: +SKIP
    Fraction(1, 4)
    """

    def below(here: int, node: Any) -> list[Any]:  # noqa: ANN401 - pygambit.Node
        children = list(node.children)
        if len(children) != tree.count[here]:
            raise TreeError(
                f"the profile is of another game than the tree: they differ after {', '.join(tree.moves_to(here)) or 'the start'}; "
                "give one of to_pygambit(tree)"
            )
        return children

    rows: list[tuple[Number, ...]] = [()] * len(tree.sets)
    for place, here, node in side_by_side(tree, profile.game.root, below):
        below(here, node)
        if [action.label for action in node.infoset.actions] != list(tree.sets[place].moves):
            raise TreeError(
                f"the profile is of another game than the tree: it has other moves at {tree.sets[place].label!r}; give one of to_pygambit(tree)"
            )
        rows[place] = tuple([_number(profile[action]) for action in node.infoset.actions])
    starts = edges(tree)
    for seat in range(tree.seats):
        led = {0}
        for place, before in order_of(tree, seat).items():
            row = rows[place]
            if before in led:
                led |= {move for move, likely in enumerate(row, starts[place] + 1) if likely}
            elif not any(row):
                rows[place] = (Fraction(1, len(row)),) * len(row)
    return Strategy(tree, rows)


def _number(probability: Any) -> Number:  # noqa: ANN401 - pygambit.Rational or float
    """A probability as one of ours."""
    return Fraction(probability) if isinstance(probability, Fraction) else float(probability)
