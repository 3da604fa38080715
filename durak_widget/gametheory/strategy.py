"""Defines behaviour strategies: move probabilities at each information set, for all players.

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
"""No further off may the probabilities be that are tried, one after another: a coarser one may be another equilibrium, with other beliefs."""
FINEST: Final = 2000
"""No denominator is larger."""
Number: TypeAlias = "Fraction | float"
"""A probability or a value: exact where it is a Fraction or an int, a rounded float otherwise."""


class StrategyError(DurakError, ValueError):
    """A strategy that cannot be, or that belongs to another tree.

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
    """What every seat would do: for each information set of a tree the probabilities of its moves, in the order of the moves.

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
        """The probabilities themselves; the first of a row is that of the first move of its information set."""
        self.exact = _exact(self.rows)
        """Whether no probability is a rounded float."""
        self.samples: dict[int, int] = {}
        """Where the probabilities are frequencies: of so many times that somebody was asked there; see `strategy_of`."""
        if len(self.rows) != len(self.sets):
            raise StrategyError(
                f"a strategy of this tree has a row for each of its {len(self.sets)} information sets, not {len(self.rows)}"
            )
        for row, one in zip(self.rows, self.sets, strict=True):
            if len(row) != len(one.moves):
                raise StrategyError(f"at {one.label!r} there are {len(one.moves)} moves, and the row has {len(row)} probabilities")
            total = sum(row)
            if min(row) < 0 or not (isclose(total, 1, abs_tol=1e-9) if isinstance(total, float) else total == 1):
                raise StrategyError(f"at {one.label!r} the probabilities must be at least 0 and add up to 1, not {total}")

    @classmethod
    def uniform(cls, tree: Tree) -> Strategy:
        """Every move is as likely as the others."""
        return cls(tree, [(Fraction(1, len(one.moves)),) * len(one.moves) for one in tree.sets])

    @classmethod
    def choosing(cls, tree: Tree, choices: Sequence[int]) -> Strategy:
        """The pure strategy that makes, at each information set, the move with this place."""
        return cls(tree, [pure_row(choice, len(one.moves)) for choice, one in zip(choices, tree.sets, strict=True)])

    @classmethod
    def of(cls, tree: Tree, chosen: Mapping[int | str | tuple[int, str], str | Mapping[str, Number]]) -> Strategy:
        """What is chosen where, said by labels and moves: a move, or probabilities of some; an information set not named is uniform."""
        strategy = cls.uniform(tree)
        rows = list(strategy.rows)
        for key, choice in chosen.items():
            place = strategy.place(key)
            moves, likely = tree.sets[place].moves, {choice: Fraction(1)} if isinstance(choice, str) else choice
            if unknown := sorted(likely.keys() - set(moves)):
                raise StrategyError(f"at {tree.sets[place].label!r} there is no move {unknown[0]!r}; there are {', '.join(moves)}")
            rows[place] = tuple([likely.get(move, Fraction(0)) for move in moves])
        return cls(tree, rows)

    def replaced(self, seat: int, other: Strategy) -> Strategy:
        """This strategy, but that one seat plays as it does in another."""
        self.require_sets(other.sets)
        rows = [theirs if one.seat == seat else ours for one, ours, theirs in zip(self.sets, self.rows, other.rows, strict=True)]
        mixed = made(self.sets, rows)
        for whose in (self, other):
            mixed.samples |= {place: times for place, times in whose.samples.items() if (self.sets[place].seat == seat) is (whose is other)}
        return mixed

    def errors(self, key: int | str | tuple[int, str]) -> tuple[float, ...]:
        """The standard error of each probability at an information set: 0 where it is no estimate.

        >>> from durak_widget.gametheory.tree import End, Turn, grow
        >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
        >>> strategy = Strategy(tree, [(0.8, 0.2)])
        >>> strategy.samples[0] = 100
        >>> [round(error, 3) for error in strategy.errors("begins")]
        [0.04, 0.04]
        """
        place = self.place(key)
        times = self.samples.get(place)
        return tuple([sqrt(one * (1 - one) / times) if times else 0.0 for one in self.rows[place]])

    def require_sets(self, sets: Sequence[InfoSet]) -> None:
        """Refuse another tree's information sets."""
        if self.sets is not sets and list(self.sets) != list(sets):
            raise StrategyError("the strategy belongs to another tree: it has other information sets, seats or moves")

    def place(self, key: int | str | tuple[int, str]) -> int:
        """The number of an information set, by its number, its label, or its seat and label."""
        if isinstance(key, int):
            if not 0 <= key < len(self.sets):
                raise StrategyError(f"there is no information set {key}; they are numbered from 0 to {len(self.sets) - 1}")
            return key
        found = [
            place for place, one in enumerate(self.sets) if (one.label == key if isinstance(key, str) else (one.seat, one.label) == key)
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
        """Whether nothing is left to chance: one move at each information set."""
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
        mixed = sum(max(row) != 1 for row in self.rows)
        guessed = f", {len(self.samples):,} of them estimated" if self.samples else ""
        return f"<Strategy: {len(self.rows):,} information sets, {mixed:,} of them mixed{guessed}>"


def made(sets: Sequence[InfoSet], rows: Sequence[tuple[Number, ...]], samples: dict[int, int] | None = None) -> Strategy:
    """A strategy whose rows are known to be right."""
    strategy = Strategy.__new__(Strategy)
    strategy.samples = samples or {}
    strategy.sets, strategy.rows = sets, tuple(rows)
    strategy.exact = _exact(strategy.rows)
    return strategy


def _number(one: object) -> Number:
    """A probability: exact if it is an int or a Fraction, and a float whatever else it is a number of."""
    if type(one) in {float, int, Fraction}:
        return one  # type: ignore[return-value]
    try:
        return float(one)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise StrategyError(f"a probability is a number from 0 to 1, not {quoted(one)}") from None


def _exact(rows: tuple[tuple[Number, ...], ...]) -> bool:
    """Whether no number is a float."""
    return not any(isinstance(one, float) for row in rows for one in row)


@cache
def pure_row(choice: int, moves: int) -> tuple[Fraction, ...]:
    """The probabilities where one of so many moves is certain.

    >>> pure_row(1, 3)
    (Fraction(0, 1), Fraction(1, 1), Fraction(0, 1))
    """
    return tuple([Fraction(place == choice) for place in range(moves)])


def near_strategies(tree: Tree, strategy: Strategy) -> Iterator[Strategy]:
    """Strategies ever nearer to this one, each once: at each information set that of the smallest denominator.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("pennies")
    >>> [str(one[0][0]) for one in near_strategies(tree, Strategy(tree, [(0.3329, 0.6671), (0.5, 0.5)]))]
    ['1/3', '152/457', '230/691', '251/754', '255/766']
    """
    seen = set[Strategy]()
    for off in NEARNESS:
        rows = [_simplest(row, off) for row in strategy.rows]
        found = [row for row in rows if row is not None]
        if len(found) == len(rows) and (one := made(tree.sets, found)) not in seen:
            seen.add(one)
            yield one


def _simplest(row: Sequence[Number], off: float) -> tuple[Fraction, ...] | None:
    """The probabilities of the smallest denominator that are no further off."""
    for parts in range(1, FINEST + 1):
        cut = [round(float(one) * parts) for one in row]
        if sum(cut) == parts and all(abs(float(one) - share / parts) <= off for one, share in zip(row, cut, strict=True)):
            return tuple([Fraction(share, parts) for share in cut])
    return None
