"""Defines behaviour strategies: action probabilities at each information set.

It also lists strategies near a given one, with ever larger denominators. At each information set they use the
probabilities with the smallest denominator that are near enough.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isclose, sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.tree import InfoSet, Tree

NEARNESS: Final = (2e-3, 3e-4, 5e-5, 1e-5, 2e-6)
"""The tolerances to try, one after another: a coarser approximation may be another equilibrium, with other beliefs."""
FINEST: Final = 2000
"""The largest denominator to try."""
Number: TypeAlias = "Fraction | float"
"""A probability or a value: exact if it is a Fraction or an int, else a rounded float."""


class StrategyError(DurakError, ValueError):
    """A strategy that is not valid, or that belongs to another tree.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> Strategy(tree, [(Fraction(1, 2), Fraction(1, 3))])
    Traceback (most recent call last):
    durak_widget.gametheory.strategy.StrategyError: at 'begins' the probabilities must be at least 0 and add up to 1, not 5/6
    """


def require_strategy(what: object) -> None:
    """Refuse anything but a `Strategy`.

    >>> require_strategy(None)
    Traceback (most recent call last):
    durak_widget.gametheory.strategy.StrategyError: None is no strategy; a solution has one, solution.strategy, and Strategy.of(tree, …) makes one
    """
    if not isinstance(what, Strategy):
        raise StrategyError(f"{quoted(what)} is no strategy; a solution has one, solution.strategy, and Strategy.of(tree, …) makes one")


class Strategy:
    """A behaviour strategy of all players.

    For each information set of a tree it has the probabilities of the actions, in the order of the actions.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> strategy = Strategy.uniform(tree)
    >>> strategy["begins"], strategy[0], strategy.pure
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)), False)
    >>> Strategy.of(tree, {"begins": "r"}) == Strategy.choosing(tree, [1])
    True
    """

    __slots__ = ("exact", "rows", "samples", "sets")

    def __init__(self, tree: Tree, rows: Sequence[Sequence[Number]]) -> None:
        self.sets: Sequence[InfoSet] = tree.sets
        self.rows: tuple[tuple[Number, ...], ...] = tuple([tuple(map(_number, row)) for row in rows])
        """The probabilities: one row for each information set, one probability for each action."""
        self.exact = _exact(self.rows)
        """True if no probability is a rounded float."""
        self.samples: dict[int, int] = {}
        """The number of samples behind a row of observed frequencies, by information set; see `strategy_of`."""
        if len(self.rows) != len(self.sets):
            raise StrategyError(
                f"a strategy of this tree has a row for each of its {len(self.sets)} information sets, not {len(self.rows)}"
            )
        for row, record in zip(self.rows, self.sets, strict=True):
            if len(row) != len(record.moves):
                raise StrategyError(f"at {record.label!r} there are {len(record.moves)} moves, and the row has {len(row)} probabilities")
            total = sum(row)
            if min(row) < 0 or not (isclose(total, 1, abs_tol=1e-9) if isinstance(total, float) else total == 1):
                raise StrategyError(f"at {record.label!r} the probabilities must be at least 0 and add up to 1, not {total}")

    @classmethod
    def uniform(cls, tree: Tree) -> Strategy:
        """Return the strategy that plays every action with the same probability."""
        return cls(tree, [(Fraction(1, len(record.moves)),) * len(record.moves) for record in tree.sets])

    @classmethod
    def choosing(cls, tree: Tree, choices: Sequence[int]) -> Strategy:
        """Return the pure strategy that plays the action with this index at each information set."""
        return cls(tree, [pure_row(choice, len(record.moves)) for choice, record in zip(choices, tree.sets, strict=True)])

    @classmethod
    def of(cls, tree: Tree, chosen: Mapping[int | str | tuple[int, str], str | Mapping[str, Number]]) -> Strategy:
        """Build a strategy from choices by information set.

        A key is an index, a label, or a player and a label. A choice is an action, or a mapping of actions to
        probabilities. An information set that is not named is uniform.
        """
        strategy = cls.uniform(tree)
        rows = list(strategy.rows)
        for key, choice in chosen.items():
            infoset = strategy.place(key)
            actions, probabilities = tree.sets[infoset].moves, {choice: Fraction(1)} if isinstance(choice, str) else choice
            if unknown := sorted(probabilities.keys() - set(actions)):
                raise StrategyError(f"at {tree.sets[infoset].label!r} there is no move {unknown[0]!r}; there are {', '.join(actions)}")
            rows[infoset] = tuple([probabilities.get(action, Fraction(0)) for action in actions])
        return cls(tree, rows)

    def replaced(self, seat: int, other: Strategy) -> Strategy:
        """Return this strategy, except that one player plays as in another strategy."""
        self.require_sets(other.sets)
        rows = [
            other_row if record.seat == seat else own_row
            for record, own_row, other_row in zip(self.sets, self.rows, other.rows, strict=True)
        ]
        combined = made(self.sets, rows)
        for source in (self, other):
            combined.samples |= {
                infoset: count for infoset, count in source.samples.items() if (self.sets[infoset].seat == seat) is (source is other)
            }
        return combined

    def errors(self, key: int | str | tuple[int, str]) -> tuple[float, ...]:
        """Return the standard error of each probability at an information set.

        It is 0 where the probability is not an estimate.

        >>> from durak_widget.gametheory.tree import End, Turn, grow
        >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
        >>> strategy = Strategy(tree, [(0.8, 0.2)])
        >>> strategy.samples[0] = 100
        >>> [round(error, 3) for error in strategy.errors("begins")]
        [0.04, 0.04]
        """
        infoset = self.place(key)
        count = self.samples.get(infoset)
        return tuple([sqrt(probability * (1 - probability) / count) if count else 0.0 for probability in self.rows[infoset]])

    def require_sets(self, sets: Sequence[InfoSet]) -> None:
        """Refuse the information sets of another tree."""
        if self.sets is not sets and list(self.sets) != list(sets):
            raise StrategyError("the strategy belongs to another tree: it has other information sets, seats or moves")

    def place(self, key: int | str | tuple[int, str]) -> int:
        """Return the index of an information set, given its index, its label, or player and label."""
        if isinstance(key, int):
            if not 0 <= key < len(self.sets):
                raise StrategyError(f"there is no information set {key}; they are numbered from 0 to {len(self.sets) - 1}")
            return key
        found = [
            infoset
            for infoset, record in enumerate(self.sets)
            if (record.label == key if isinstance(key, str) else (record.seat, record.label) == key)
        ]
        if not found:
            raise StrategyError(f"there is no information set {key!r}; those that there are stand in tree.sets")
        if len(found) > 1:
            numbers = ", ".join(map(str, found[:5])) + (" …" if len(found) > 5 else "")
            raise StrategyError(
                f"{len(found)} information sets are called {key!r}: say which by its number: {numbers} "
                f"(analysis.told(tree, {found[0]}) says what the seat has seen before)"
            )
        return found[0]

    def __getitem__(self, key: int | str | tuple[int, str]) -> tuple[Number, ...]:
        return self.rows[self.place(key)]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Number, ...]]:
        return iter(self.rows)

    @property
    def pure(self) -> bool:
        """Return whether one action is certain at each information set."""
        return all(max(row) == 1 for row in self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strategy):
            return NotImplemented
        return self.rows == other.rows and (self.sets is other.sets or list(self.sets) == list(other.sets))

    def __hash__(self) -> int:
        return hash(self.rows)

    def __reduce__(self) -> tuple[object, ...]:
        return made, (self.sets, self.rows, self.samples)

    def __repr__(self) -> str:
        mixed_count = sum(max(row) != 1 for row in self.rows)
        estimated = f", {len(self.samples):,} of them estimated" if self.samples else ""
        return f"<Strategy: {len(self.rows):,} information sets, {mixed_count:,} of them mixed{estimated}>"


def made(sets: Sequence[InfoSet], rows: Sequence[tuple[Number, ...]], samples: dict[int, int] | None = None) -> Strategy:
    """Build a strategy from rows that are known to be valid, without checking them."""
    strategy = Strategy.__new__(Strategy)
    strategy.samples = samples or {}
    strategy.sets, strategy.rows = sets, tuple(rows)
    strategy.exact = _exact(strategy.rows)
    return strategy


def _number(one: object) -> Number:
    """Return a probability: exact if it is an int or a Fraction, else a float."""
    if type(one) in {float, int, Fraction}:
        return one  # type: ignore[return-value]
    try:
        return float(one)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise StrategyError(f"a probability is a number from 0 to 1, not {quoted(one)}") from None


def _exact(rows: tuple[tuple[Number, ...], ...]) -> bool:
    """Return whether no probability is a float."""
    return not any(isinstance(probability, float) for row in rows for probability in row)


@cache
def pure_row(choice: int, moves: int) -> tuple[Fraction, ...]:
    """Return the probabilities of an information set where one action is certain.

    >>> pure_row(1, 3)
    (Fraction(0, 1), Fraction(1, 1), Fraction(0, 1))
    """
    return tuple([Fraction(action == choice) for action in range(moves)])


def near_strategies(tree: Tree, strategy: Strategy) -> Iterator[Strategy]:
    """Generate strategies ever nearer to this one, each once.

    Each information set gets the probabilities with the smallest denominator within the tolerance.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("pennies")
    >>> [str(near[0][0]) for near in near_strategies(tree, Strategy(tree, [(0.3329, 0.6671), (0.5, 0.5)]))]
    ['1/3', '152/457', '230/691', '251/754', '255/766']
    """
    tried = set[Strategy]()
    for tolerance in NEARNESS:
        rows = [_simplest(row, tolerance) for row in strategy.rows]
        simple_rows = [row for row in rows if row is not None]
        if len(simple_rows) == len(rows) and (near := made(tree.sets, simple_rows)) not in tried:
            tried.add(near)
            yield near


def _simplest(row: Sequence[Number], off: float) -> tuple[Fraction, ...] | None:
    """Return the probabilities with the smallest denominator within the tolerance, or None."""
    for denominator in range(1, FINEST + 1):
        numerators = [round(float(probability) * denominator) for probability in row]
        if sum(numerators) == denominator and all(
            abs(float(probability) - numerator / denominator) <= off for probability, numerator in zip(row, numerators, strict=True)
        ):
            return tuple([Fraction(numerator, denominator) for numerator in numerators])
    return None
