"""Defines behaviour strategies: action probabilities at each information set.

It also generates exact strategies near a given one, with larger and larger denominators. At each information set, the
probabilities have the smallest denominator that comes near enough.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isclose, sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

from durak_widget.errors import DurakError, short_repr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.tree import InfoSet, Tree

TOLERANCES: Final = (2e-3, 3e-4, 5e-5, 1e-5, 2e-6)
"""The tolerances to try in turn when probabilities are rounded to fractions; if coarse rounding gives no equilibrium,
finer rounding may.
"""
MAX_DENOMINATOR: Final = 2000
"""The maximum denominator to try when rounding probabilities."""
Number: TypeAlias = "Fraction | float"
"""A probability or a payoff: exact if it is a Fraction or an int, rounded if it is a float."""


class StrategyError(DurakError, ValueError):
    """An error for a strategy that is not valid, or that does not belong to a given tree.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> Strategy(tree, [(Fraction(1, 2), Fraction(1, 3))])
    Traceback (most recent call last):
    durak_widget.gametheory.strategy.StrategyError: at 'begins' the probabilities must be at least 0 and add up to 1, not 5/6
    """


def require_strategy(value: object) -> None:
    """Raise an error if a value is not a `Strategy`.

    >>> require_strategy(None)
    Traceback (most recent call last):
    durak_widget.gametheory.strategy.StrategyError: None is not a strategy; use solution.strategy, or make one with Strategy.from_mapping(tree, …)
    """
    if not isinstance(value, Strategy):
        raise StrategyError(
            f"{short_repr(value)} is not a strategy; use solution.strategy, or make one with Strategy.from_mapping(tree, …)"
        )


class Strategy:
    """A behaviour strategy of all players: action probabilities at each information set.

    The probabilities at an information set are in the order of its actions.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> strategy = Strategy.uniform(tree)
    >>> strategy["begins"], strategy[0], strategy.is_pure
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)), False)
    >>> Strategy.from_mapping(tree, {"begins": "r"}) == Strategy.from_choices(tree, [1])
    True
    """

    __slots__ = ("exact", "infosets", "rows", "sample_counts")

    def __init__(self, tree: Tree, rows: Sequence[Sequence[Number]]) -> None:
        self.infosets: Sequence[InfoSet] = tree.infosets
        self.rows: tuple[tuple[Number, ...], ...] = tuple([tuple(map(_parse_probability, row)) for row in rows])
        """The probabilities: one row for each information set, one probability for each action."""
        self.exact = _has_no_floats(self.rows)
        """True if all probabilities are exact, without any rounded float."""
        self.sample_counts: dict[int, int] = {}
        """For each information set whose probabilities are observed frequencies: the number of samples; see `convert_bot_to_strategy`."""
        if len(self.rows) != len(self.infosets):
            raise StrategyError(
                f"a strategy of this tree needs a row for each of its {len(self.infosets)} information sets, but has {len(self.rows)}"
            )
        for row, record in zip(self.rows, self.infosets, strict=True):
            if len(row) != len(record.actions):
                raise StrategyError(f"at {record.label!r} there are {len(record.actions)} moves, but the row has {len(row)} probabilities")
            total = sum(row)
            if min(row) < 0 or not (isclose(total, 1, abs_tol=1e-9) if isinstance(total, float) else total == 1):
                raise StrategyError(f"at {record.label!r} the probabilities must be at least 0 and add up to 1, not {total}")

    @classmethod
    def uniform(cls, tree: Tree) -> Strategy:
        """Return the strategy that plays all actions of an information set with equal probability."""
        return cls(tree, [(Fraction(1, len(record.actions)),) * len(record.actions) for record in tree.infosets])

    @classmethod
    def from_choices(cls, tree: Tree, choices: Sequence[int]) -> Strategy:
        """Return the pure strategy that plays a given action (by index) at each information set."""
        return cls(tree, [pure_row(choice, len(record.actions)) for choice, record in zip(choices, tree.infosets, strict=True)])

    @classmethod
    def from_mapping(cls, tree: Tree, choices: Mapping[int | str | tuple[int, str], str | Mapping[str, Number]]) -> Strategy:
        """Build a strategy from a dictionary of actions or probabilities by information set.

        A key is an index, a label, or a player and a label. A choice is an action, or a mapping of actions to
        probabilities. At an information set that is not a key, all actions are equally probable.
        """
        strategy = cls.uniform(tree)
        rows = list(strategy.rows)
        for key, choice in choices.items():
            infoset = strategy.find_infoset(key)
            actions, probabilities = tree.infosets[infoset].actions, {choice: Fraction(1)} if isinstance(choice, str) else choice
            if unknown := sorted(probabilities.keys() - set(actions)):
                raise StrategyError(
                    f"at {tree.infosets[infoset].label!r} there is no move {unknown[0]!r}; the moves are {', '.join(actions)}"
                )
            rows[infoset] = tuple([probabilities.get(action, Fraction(0)) for action in actions])
        return cls(tree, rows)

    def replace_player(self, player: int, other: Strategy) -> Strategy:
        """Return a copy of the strategy in which one player follows another strategy."""
        self.require_same_infosets(other.infosets)
        rows = [
            other_row if record.player == player else own_row
            for record, own_row, other_row in zip(self.infosets, self.rows, other.rows, strict=True)
        ]
        combined = build_unchecked_strategy(self.infosets, rows)
        for source in (self, other):
            combined.sample_counts |= {
                infoset: count
                for infoset, count in source.sample_counts.items()
                if (self.infosets[infoset].player == player) is (source is other)
            }
        return combined

    def standard_errors(self, key: int | str | tuple[int, str]) -> tuple[float, ...]:
        """Return the standard errors of the action probabilities at an information set.

        The error is 0 for a probability that is not estimated from samples.

        >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
        >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
        >>> strategy = Strategy(tree, [(0.8, 0.2)])
        >>> strategy.sample_counts[0] = 100
        >>> [round(error, 3) for error in strategy.standard_errors("begins")]
        [0.04, 0.04]
        """
        infoset = self.find_infoset(key)
        count = self.sample_counts.get(infoset)
        return tuple([sqrt(probability * (1 - probability) / count) if count else 0.0 for probability in self.rows[infoset]])

    def require_same_infosets(self, infosets: Sequence[InfoSet]) -> None:
        """Raise an error if the strategy belongs to a tree with other information sets."""
        if self.infosets is not infosets and list(self.infosets) != list(infosets):
            raise StrategyError("the strategy is for another tree, which has other information sets, players or moves")

    def find_infoset(self, key: int | str | tuple[int, str]) -> int:
        """Return the index of an information set, given by index, label, or player and label."""
        if isinstance(key, int):
            if not 0 <= key < len(self.infosets):
                raise StrategyError(f"there is no information set {key}; the numbers are 0 to {len(self.infosets) - 1}")
            return key
        matching_infosets = [
            infoset
            for infoset, record in enumerate(self.infosets)
            if (record.label == key if isinstance(key, str) else (record.player, record.label) == key)
        ]
        if not matching_infosets:
            raise StrategyError(f"there is no information set {key!r}; tree.infosets lists them all")
        if len(matching_infosets) > 1:
            numbers = ", ".join(map(str, matching_infosets[:5])) + (" …" if len(matching_infosets) > 5 else "")
            raise StrategyError(
                f"{len(matching_infosets)} information sets have the name {key!r}; give the number of one: {numbers} (analysis.describe_infoset_history(tree, {matching_infosets[0]}) shows what the player has seen before)"
            )
        return matching_infosets[0]

    def __getitem__(self, key: int | str | tuple[int, str]) -> tuple[Number, ...]:
        return self.rows[self.find_infoset(key)]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Number, ...]]:
        return iter(self.rows)

    @property
    def is_pure(self) -> bool:
        """Return whether the strategy takes one action for certain at each information set."""
        return all(max(row) == 1 for row in self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strategy):
            return NotImplemented
        return self.rows == other.rows and (self.infosets is other.infosets or list(self.infosets) == list(other.infosets))

    def __hash__(self) -> int:
        return hash(self.rows)

    def __reduce__(self) -> tuple[object, ...]:
        return build_unchecked_strategy, (self.infosets, self.rows, self.sample_counts)

    def __repr__(self) -> str:
        mixed_count = sum(max(row) != 1 for row in self.rows)
        estimated = f", {len(self.sample_counts):,} of them estimated" if self.sample_counts else ""
        return f"<Strategy: {len(self.rows):,} information sets, {mixed_count:,} of them mixed{estimated}>"


def build_unchecked_strategy(
    infosets: Sequence[InfoSet], rows: Sequence[tuple[Number, ...]], sample_counts: dict[int, int] | None = None
) -> Strategy:
    """Build a strategy from rows that are known to be valid, without checking them."""
    strategy = Strategy.__new__(Strategy)
    strategy.sample_counts = sample_counts or {}
    strategy.infosets, strategy.rows = infosets, tuple(rows)
    strategy.exact = _has_no_floats(strategy.rows)
    return strategy


def _parse_probability(value: object) -> Number:
    """Convert a number to a probability: exact for an int or a Fraction, otherwise a float."""
    if type(value) in {float, int, Fraction}:
        return value  # type: ignore[return-value]
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise StrategyError(f"a probability must be a number from 0 to 1, not {short_repr(value)}") from None


def _has_no_floats(rows: tuple[tuple[Number, ...], ...]) -> bool:
    """Return whether all probabilities of a strategy are exact (none is a float)."""
    return not any(isinstance(probability, float) for row in rows for probability in row)


@cache
def pure_row(choice: int, action_count: int) -> tuple[Fraction, ...]:
    """Return the action probabilities at an information set where one action is certain.

    >>> pure_row(1, 3)
    (Fraction(0, 1), Fraction(1, 1), Fraction(0, 1))
    """
    return tuple([Fraction(action == choice) for action in range(action_count)])


def generate_near_strategies(tree: Tree, strategy: Strategy) -> Iterator[Strategy]:
    """Generate exact strategies that approximate a given strategy more and more closely.

    Each information set gets the probabilities with the smallest denominator within the tolerance.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("pennies")
    >>> [str(near[0][0]) for near in generate_near_strategies(tree, Strategy(tree, [(0.3329, 0.6671), (0.5, 0.5)]))]
    ['1/3', '152/457', '230/691', '251/754', '255/766']
    """
    tried = set[Strategy]()
    for tolerance in TOLERANCES:
        rows = [_round_to_simplest(row, tolerance) for row in strategy.rows]
        simple_rows = [row for row in rows if row is not None]
        if len(simple_rows) == len(rows) and (near := build_unchecked_strategy(tree.infosets, simple_rows)) not in tried:
            tried.add(near)
            yield near


def _round_to_simplest(row: Sequence[Number], tolerance: float) -> tuple[Fraction, ...] | None:
    """Round probabilities to fractions with one small denominator; None if that is impossible."""
    for denominator in range(1, MAX_DENOMINATOR + 1):
        numerators = [round(float(probability) * denominator) for probability in row]
        if sum(numerators) == denominator and all(
            abs(float(probability) - numerator / denominator) <= tolerance for probability, numerator in zip(row, numerators, strict=True)
        ):
            return tuple([Fraction(numerator, denominator) for numerator in numerators])
    return None
