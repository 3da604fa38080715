"""A tree in Gambit's Python package, and what its solvers found back as a strategy that can be judged.

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
    """The tree as a `pygambit.Game`, by way of `.efg`, where pygambit is installed.

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
    """What a mixed behaviour profile of `to_pygambit(tree)` does, as a strategy of the tree, so that `exploitability` and `certify` can judge it.

    Probabilities that cannot be are refused, whatever solver gave them. Only where a seat's own moves never lead may they all be 0: there
    the strategy is uniform, since what a seat guarantees does not hang on it.

    >>> from durak_widget import gametheory
    >>> tree = gametheory.from_efg('EFG 2 R "" { "Ann" "Bob" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }')
    >>> found = to_pygambit(tree).mixed_behavior_profile(rational=True)  # doctest: +SKIP
    >>> gametheory.exploitability(tree, from_pygambit(tree, found))  # doctest: +SKIP
    Fraction(1, 4)
    """
    game = _ByNodes(profile) if hasattr(profile.game, "root") else _ByPaths(profile)

    def below(here: int, there: Any) -> list[Any]:  # noqa: ANN401 - a place in the game of pygambit
        children = game.below(there)
        if len(children) != tree.count[here]:
            raise TreeError(
                f"the profile is of another game than the tree: they differ after {', '.join(tree.moves_to(here)) or 'the start'}; "
                "give one of to_pygambit(tree)"
            )
        return children

    rows: list[tuple[Number, ...]] = [()] * len(tree.sets)
    for place, here, there in side_by_side(tree, game.root, below):
        below(here, there)
        if not _same_moves(tree.sets[place].moves, game.labels(there)):
            raise TreeError(
                f"the profile is of another game than the tree: it has other moves at {tree.sets[place].label!r}; give one of to_pygambit(tree)"
            )
        rows[place] = tuple(map(_number, game.probabilities(there)))
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


class _ByNodes:
    """Reads a profile of pygambit 16, in which a node has children and an information set."""

    def __init__(self, profile: Any) -> None:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
        self._profile = profile
        self.root = profile.game.root

    def below(self, node: Any) -> list[Any]:  # noqa: ANN401 - pygambit.Node
        """Return the nodes that follow a node."""
        return list(node.children)

    def labels(self, node: Any) -> list[str]:  # noqa: ANN401 - as above
        """Return what the actions of its information set are called."""
        return [action.label for action in node.infoset.actions]

    def probabilities(self, node: Any) -> list[Any]:  # noqa: ANN401 - as above
        """Return the probability of each action of its information set."""
        return [self._profile[action] for action in node.infoset.actions]


class _ByPaths:
    """Reads a profile of pygambit 17, in which a node is named by the actions that lead to it."""

    root: tuple[str, ...] = ()

    def __init__(self, profile: Any) -> None:  # noqa: ANN401 - pygambit.MixedBehaviorProfile
        with needing():
            from pygambit import H  # noqa: PLC0415 - only there from version 17 on
        self._profile, self._path = profile, H.path

    def below(self, path: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the paths that are one action longer."""
        return [(*path, label) for label in self.labels(path)]

    def labels(self, path: tuple[str, ...]) -> list[str]:
        """Return what the actions at the end of a path are called."""
        return list(self._profile.game.get_actions(self._path(*path)))

    def probabilities(self, path: tuple[str, ...]) -> list[Any]:
        """Return the probability of each action at the end of a path."""
        mixed = self._profile[self._path(*path)]
        return [mixed[label] for label in self.labels(path)]


def _same_moves(moves: Sequence[str], labels: Sequence[str]) -> bool:
    """Say whether these are the same moves; pygambit 17 gives moves without a name, or with the same name, names of its own."""
    return len(moves) == len(labels) and all(
        move == label or not move or moves.count(move) > 1 for move, label in zip(moves, labels, strict=True)
    )


def _number(probability: Any) -> Number:  # noqa: ANN401 - pygambit.Rational or float
    """A probability as one of ours."""
    return Fraction(probability) if isinstance(probability, Fraction) else float(probability)
