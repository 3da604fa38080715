"""Converts a tree to Gambit's Python package, and solver results back to strategies.

Gambit: R. Savani and T. L. Turocy, *Gambit: The package for computation in game theory*, https://www.gambit-project.org.
"""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, Any

from durak_widget.gametheory.best_responses import edges, order_of
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import TreeError, side_by_side
from durak_widget.optional_dependencies import needing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree


def to_pygambit(tree: Tree) -> Any:  # noqa: ANN401 - pygambit.Game, which need not be installed
    """Convert a tree to a `pygambit.Game`, by way of `.efg`; needs pygambit.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
    >>> game = to_pygambit(tree)  # doctest: +SKIP
    >>> len(game.infosets)  # doctest: +SKIP
    7
    """
    with needing():
        import pygambit  # noqa: PLC0415 - only when asked for
    return pygambit.read_efg(BytesIO(to_efg(tree).encode()))


def from_pygambit(tree: Tree, profile: Any) -> Strategy:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
    """Convert a mixed behaviour profile of `to_pygambit(tree)` to a strategy of the tree.

    `exploitability` and `certify` can then check it. Invalid probabilities are refused, whatever solver they come from.
    Only where a player's own actions never lead may they all be 0. There the strategy is uniform, since the payoff that
    the player guarantees does not depend on it.

    >>> from durak_widget import gametheory
    >>> tree = gametheory.from_efg('EFG 2 R "" { "Ann" "Bob" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }')
    >>> profile = to_pygambit(tree).mixed_behavior_profile(rational=True)  # doctest: +SKIP
    >>> gametheory.exploitability(tree, from_pygambit(tree, profile))  # doctest: +SKIP
    Fraction(1, 4)
    """
    reader = _ByNodes(profile) if hasattr(profile.game, "root") else _ByPaths(profile)

    def children_of(node: int, other_node: Any) -> list[Any]:  # noqa: ANN401 - a place in the game of pygambit
        children = reader.below(other_node)
        if len(children) != tree.count[node]:
            raise TreeError(
                f"the profile is of another game than the tree: they differ after {', '.join(tree.moves_to(node)) or 'the start'}; "
                "give one of to_pygambit(tree)"
            )
        return children

    rows: list[tuple[Number, ...]] = [()] * len(tree.sets)
    for infoset, node, other_node in side_by_side(tree, reader.root, children_of):
        children_of(node, other_node)
        if not _same_moves(tree.sets[infoset].moves, reader.labels(other_node)):
            raise TreeError(
                f"the profile is of another game than the tree: it has other moves at {tree.sets[infoset].label!r}; give one of to_pygambit(tree)"
            )
        rows[infoset] = tuple(map(_number, reader.probabilities(other_node)))
    offsets = edges(tree)
    for player in range(tree.seats):
        played_actions = {0}
        for infoset, last_action in order_of(tree, player).items():
            row = rows[infoset]
            if last_action in played_actions:
                played_actions |= {action for action, probability in enumerate(row, offsets[infoset] + 1) if probability}
            elif not any(row):
                rows[infoset] = (Fraction(1, len(row)),) * len(row)
    return Strategy(tree, rows)


class _ByNodes:
    """A reader of profiles of pygambit 16, where a node has children and an information set."""

    def __init__(self, profile: Any) -> None:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
        self._profile = profile
        self.root = profile.game.root

    def below(self, node: Any) -> list[Any]:  # noqa: ANN401 - pygambit.Node
        """Return the children of a node."""
        return list(node.children)

    def labels(self, node: Any) -> list[str]:  # noqa: ANN401 - as above
        """Return the labels of the actions at a node."""
        return [action.label for action in node.infoset.actions]

    def probabilities(self, node: Any) -> list[Any]:  # noqa: ANN401 - as above
        """Return the probability of each action at a node."""
        return [self._profile[action] for action in node.infoset.actions]


class _ByPaths:
    """A reader of profiles of pygambit 17, where a node is named by the actions up to it."""

    root: tuple[str, ...] = ()

    def __init__(self, profile: Any) -> None:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
        with needing():
            from pygambit import H  # noqa: PLC0415 - only there from version 17 on
        self._profile, self._path = profile, H.path

    def below(self, path: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the paths that are one action longer."""
        return [(*path, label) for label in self.labels(path)]

    def labels(self, path: tuple[str, ...]) -> list[str]:
        """Return the labels of the actions at the end of a path."""
        return list(self._profile.game.get_actions(self._path(*path)))

    def probabilities(self, path: tuple[str, ...]) -> list[Any]:
        """Return the probability of each action at the end of a path."""
        probability_of = self._profile[self._path(*path)]
        return [probability_of[label] for label in self.labels(path)]


def _same_moves(moves: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether these are the same actions.

    Pygambit 17 renames actions that have no label, or the same label as another.
    """
    return len(moves) == len(labels) and all(
        action == label or not action or moves.count(action) > 1 for action, label in zip(moves, labels, strict=True)
    )


def _number(probability: Any) -> Number:  # noqa: ANN401 - pygambit.Rational or float
    """Convert a probability to a Fraction or a float."""
    return Fraction(probability) if isinstance(probability, Fraction) else float(probability)
