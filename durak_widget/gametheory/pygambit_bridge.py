"""Converts trees to games of Gambit's Python package, and Gambit's results to strategies.

Gambit: R. Savani and T. L. Turocy, *Gambit: The package for computation in game theory*, https://www.gambit-project.org.
"""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, Any

from durak_widget.gametheory.best_responses import action_offsets, find_previous_actions
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import TreeError, walk_in_parallel
from durak_widget.optional_dependencies import explain_missing_packages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree


def to_pygambit(tree: Tree) -> Any:  # noqa: ANN401 - pygambit.Game, which need not be installed
    """Convert a tree to a `pygambit.Game`; this needs the package pygambit.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build_game_tree(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
    >>> game = to_pygambit(tree)  # doctest: +SKIP
    >>> len(game.infosets)  # doctest: +SKIP
    7
    """
    with explain_missing_packages():
        import pygambit  # noqa: PLC0415 - an optional package
    return pygambit.read_efg(BytesIO(to_efg(tree).encode()))


def from_pygambit(tree: Tree, profile: Any) -> Strategy:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
    """Convert a mixed behaviour profile of the game `to_pygambit(tree)` to a strategy.

    `exploitability` and `certify` can then check it. Invalid probabilities raise an error, whichever solver they come
    from. Only at information sets that a player's own actions never reach may they all be 0. The strategy is then
    uniform there, because the guaranteed payoff does not depend on it.

    >>> from durak_widget import gametheory
    >>> tree = gametheory.from_efg('EFG 2 R "" { "Ann" "Bob" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }')
    >>> profile = to_pygambit(tree).mixed_behavior_profile(rational=True)  # doctest: +SKIP
    >>> gametheory.exploitability(tree, from_pygambit(tree, profile))  # doctest: +SKIP
    Fraction(1, 4)
    """
    reader = _NodeProfileReader(profile) if hasattr(profile.game, "root") else _PathProfileReader(profile)

    def children_of(node: int, other_node: Any) -> list[Any]:  # noqa: ANN401 - a node in a form that depends on the version of pygambit
        """Return a pygambit node's children; raise an error if their number differs in the tree."""
        children = reader.children(other_node)
        if len(children) != tree.child_count[node]:
            raise TreeError(
                f"the profile is for another game than the tree: they differ after {', '.join(tree.actions_from_root(node)) or 'the start'}; give a profile of to_pygambit(tree)"
            )
        return children

    rows: list[tuple[Number, ...]] = [()] * len(tree.infosets)
    for infoset, node, other_node in walk_in_parallel(tree, reader.root, children_of):
        children_of(node, other_node)
        if not _have_same_actions(tree.infosets[infoset].actions, reader.action_labels(other_node)):
            raise TreeError(
                f"the profile is for another game than the tree: it has other moves at {tree.infosets[infoset].label!r}; give a profile of to_pygambit(tree)"
            )
        rows[infoset] = tuple(map(_convert_probability, reader.action_probabilities(other_node)))
    offsets = action_offsets(tree)
    for player in range(tree.player_count):
        played_actions = {0}
        for infoset, last_action in find_previous_actions(tree, player).items():
            row = rows[infoset]
            if last_action in played_actions:
                played_actions |= {action for action, probability in enumerate(row, offsets[infoset] + 1) if probability}
            elif not any(row):
                rows[infoset] = (Fraction(1, len(row)),) * len(row)
    return Strategy(tree, rows)


class _NodeProfileReader:
    """A reader of strategy profiles for pygambit 16, where nodes are objects with children."""

    def __init__(self, profile: Any) -> None:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
        self._profile = profile
        self.root = profile.game.root

    def children(self, node: Any) -> list[Any]:  # noqa: ANN401 - pygambit.Node
        """Return the children of a node."""
        return list(node.children)

    def action_labels(self, node: Any) -> list[str]:  # noqa: ANN401 - pygambit.Node
        """Return the labels of the actions at a node."""
        return [action.label for action in node.infoset.actions]

    def action_probabilities(self, node: Any) -> list[Any]:  # noqa: ANN401 - pygambit.Node
        """Return the probability of each action at a node."""
        return [self._profile[action] for action in node.infoset.actions]


class _PathProfileReader:
    """A reader of strategy profiles for pygambit 17, where paths of actions identify nodes."""

    root: tuple[str, ...] = ()

    def __init__(self, profile: Any) -> None:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
        with explain_missing_packages():
            from pygambit import H  # noqa: PLC0415 - exists from version 17 on
        self._profile, self._make_history = profile, H.path

    def children(self, path: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the paths that continue a path by one action."""
        return [(*path, label) for label in self.action_labels(path)]

    def action_labels(self, path: tuple[str, ...]) -> list[str]:
        """Return the labels of the actions at the node at the end of a path."""
        return list(self._profile.game.get_actions(self._make_history(*path)))

    def action_probabilities(self, path: tuple[str, ...]) -> list[Any]:
        """Return the probability of each action at the node at the end of a path."""
        probability_of = self._profile[self._make_history(*path)]
        return [probability_of[label] for label in self.action_labels(path)]


def _have_same_actions(actions: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether two lists of action labels have the same actions, in any order.

    Pygambit 17 renames actions that have no label, or the same label as another.
    """
    return len(actions) == len(labels) and all(
        action == label or not action or actions.count(action) > 1 for action, label in zip(actions, labels, strict=True)
    )


def _convert_probability(probability: Any) -> Number:  # noqa: ANN401 - pygambit.Rational or float
    """Convert a probability to a Fraction or a float."""
    return Fraction(probability) if isinstance(probability, Fraction) else float(probability)
