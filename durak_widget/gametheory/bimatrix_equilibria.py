"""All equilibria of a small matrix, in exact fractions; what a zero-sum one is worth; plans that a mix of others beats.

An equilibrium is a mix for each player from which neither gains by going away alone. Those of a small matrix are pairs of corners of the two
best-response polytopes at which every plan is either not played or a best answer (von Stengel, B. (2002): Computing equilibria for two-person
games). A degenerate matrix may have infinitely many: then these corners are still finitely many, and all equilibria are the mixes of
those that stand together (Avis, D., Rosenberg, G., Savani, R., von Stengel, B. (2010): Enumeration of Nash equilibria for two-player games).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.exact_lp import Tableau, corners, most_corners
from durak_widget.gametheory.strategic_form import Matrix, matrix, matrix_of
from durak_widget.gametheory.tree import Tree, TreeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.gametheory.exact_lp import Corner

CORNERS: Final = 1500
"""So many corners may each player's mixes have, unless one says so: those of every matrix of 9 × 9, and of 2 × 64, have fewer."""
_GROUPS: Final = 500
"""No more groups of equilibria that stand together are told apart."""

Mix = tuple[Fraction, ...]
"""How likely each plan of one player is."""


class Equilibrium(NamedTuple):
    """A mix for each of the two, from which neither gains by going away alone.

    >>> print(equilibria([[1, -1], [-1, 1]]).found[0])
    1/2 A + 1/2 B against 1/2 a + 1/2 b: worth 0, 0
    """

    row: Mix
    """How likely each row is."""
    column: Mix
    worth: tuple[Fraction, Fraction]
    """What it is worth to each."""
    said: str
    """In words."""

    @property
    def pure(self) -> bool:
        """Whether nothing is left to chance."""
        return max(self.row) == max(self.column) == 1

    def __str__(self) -> str:
        return self.said


@dataclass(frozen=True)
class Equilibria:
    """What equilibria were found, and whether those are all.

    >>> found = equilibria([[(3, 2), (0, 0)], [(0, 0), (2, 3)]], rows=["opera", "match"], columns=["opera", "match"])
    >>> print(found)
    opera against opera: worth 3, 2
    match against match: worth 2, 3
    3/5 opera + 2/5 match against 2/5 opera + 3/5 match: worth 6/5, 6/5
    These are all equilibria.
    >>> [one.pure for one in found]
    [True, True, False]
    """

    matrix: Matrix
    found: tuple[Equilibrium, ...]
    """Pure ones first, then those with the fewest plans."""
    complete: bool
    """Whether mixed ones were looked for too, and all were found: the corners, where there are infinitely many."""
    together: tuple[tuple[int, ...], ...]
    """Where there are infinitely many: places in `found` that stand together; any mix of their rows against any mix of their columns is one too."""
    value: Fraction | None
    """What a zero-sum matrix is worth to the rows; None for others."""

    @property
    def infinite(self) -> bool:
        """Whether there are more than those that are written down."""
        return bool(self.together)

    @property
    def note(self) -> str:
        """What is to be known of the list, in a sentence."""
        if not self.complete:
            size = f"{len(self.matrix.rows)} × {len(self.matrix.columns)}"
            if self.value is not None:
                return f"Mixed equilibria of a matrix of {size} are too many to look for all; one is shown, with every pure one."
            return f"A matrix of {size} is too large to look for mixed equilibria; these are the pure ones."
        if self.infinite:
            return "There are infinitely many: these are the corners, and mixes of those that stand together are equilibria too."
        return "These are all equilibria." if len(self.found) > 1 else "This is the only equilibrium."

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.found), self.note])


class Minimax(NamedTuple):
    """What a zero-sum matrix is worth, and how each makes sure of it.

    >>> minimax([[3, -1], [-2, 1]]).value
    Fraction(1, 7)
    """

    value: Fraction
    row: Mix
    column: Mix


def equilibria(
    matrix: object,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    names: Sequence[str] = ("Row", "Column"),
    limit: int = CORNERS,
) -> Equilibria:
    """All equilibria of a small matrix, of a tree, of `gametheory.matrix(tree)`, or of payoffs: rows of numbers (zero-sum) or of pairs.

    Of a larger one (more than `limit` corners) the pure ones, and one that is mixed if it is zero-sum; `complete` and `note` say so.

    >>> print(equilibria([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], rows=["yield", "dare"], columns=["yield", "dare"]))
    yield against dare: worth 2, 7
    dare against yield: worth 7, 2
    2/3 yield + 1/3 dare against 2/3 yield + 1/3 dare: worth 14/3, 14/3
    These are all equilibria.
    """
    game = a_matrix(matrix, rows=rows, columns=columns, names=names)
    best = minimax(game) if game.zero_sum else None
    left = _reduced(game)
    complete = _how_many(left) <= limit
    if complete:
        found = sorted(_meeting(left, game), key=_order)
    else:
        found = [(_pure(row, len(game.rows)), _pure(column, len(game.columns))) for row, column in pure_equilibria(game)]
        if best and not found:
            found.append((best.row, best.column))
    together = _groups(found) if complete else ()
    return Equilibria(game, tuple([_made(game, *pair) for pair in found]), complete, together, best and best.value)


def pure_equilibria(matrix: Matrix) -> list[tuple[int, int]]:
    """The cells at which each plan is a best answer to the other.

    >>> pure_equilibria(matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]]))
    [(1, 1)]
    """
    tops = [max(cell[0] for cell in column) for column in zip(*matrix.payoffs, strict=True)]
    bests = [max(cell[1] for cell in row) for row in matrix.payoffs]
    return [
        (row, column)
        for row, cells in enumerate(matrix.payoffs)
        for column, cell in enumerate(cells)
        if cell[0] == tops[column] and cell[1] == bests[row]
    ]


def minimax(matrix: object) -> Minimax:
    """What a zero-sum matrix is worth to the rows, with a mix for each that makes sure of it, from one exact linear program.

    >>> minimax([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    Minimax(value=Fraction(0, 1), row=(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)), column=(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)))
    """
    game = a_matrix(matrix)
    if not game.zero_sum:
        raise TreeError("what a matrix is worth needs a zero-sum one, in which one wins what the other loses; equilibria(matrix) takes any")
    return _minimax(_won(game, 0))


def _minimax(won: Sequence[Sequence[Fraction]]) -> Minimax:
    shape, shift, scale = _positive(won)
    table = Tableau(shape)
    column = table.best().weights
    row = table.prices()
    total = sum(column, Fraction(0))
    return Minimax((1 / total + shift) / scale, tuple([one / sum(row) for one in row]), tuple([one / total for one in column]))


def better_mix(matrix: Matrix, seat: int, place: int) -> Mix | None:
    """A mix of the other plans of a seat that is better than this one whatever is played against it; None where there is none.

    >>> table = matrix_of([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]])
    >>> table.dominated(weak=False), better_mix(table, 0, 2)
    ((), (Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)))
    """
    won = _won(matrix, seat)
    if len(won) == 1:
        return None
    rest = [[one - mine for one, mine in zip(other, won[place], strict=True)] for at, other in enumerate(won) if at != place]
    best = _minimax(rest)
    return (*best.row[:place], Fraction(0), *best.row[place:]) if best.value > 0 else None


def a_matrix(
    what: object, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ("Row", "Column")
) -> Matrix:
    """A matrix of what is one, or can be one.

    >>> a_matrix([[1, 2]])
    <Matrix: 1 × 2>
    """
    if isinstance(what, Tree):
        return matrix(what)
    return what if isinstance(what, Matrix) else matrix_of(what, rows=rows, columns=columns, names=names)


def _won(game: Matrix, seat: int) -> list[list[Fraction]]:
    """For each plan of a seat, for each of the other: what it wins."""
    table = game.payoffs if seat == 0 else zip(*game.payoffs, strict=True)
    return [[cell[seat] for cell in line] for line in table]


def _positive(won: Sequence[Sequence[Fraction]]) -> tuple[list[list[int]], int, int]:
    """A matrix in positive whole numbers, and by what its numbers were multiplied and then lessened."""
    scale = lcm(*(one.denominator for line in won for one in line))
    whole = [[int(one * scale) for one in line] for line in won]
    shift = min(map(min, whole)) - 1
    return [[one - shift for one in line] for line in whole], shift, scale


def _how_many(game: Matrix) -> int:
    """How many corners the mixes of either player can have."""
    sides = len(game.rows), len(game.columns)
    return max(most_corners(side, sum(sides)) for side in sides)


def _reduced(game: Matrix) -> Matrix:
    """A matrix without strictly dominated plans, which no equilibrium has."""
    return game.eliminate().left


def _meeting(left: Matrix, game: Matrix) -> list[tuple[Mix, Mix]]:
    """The pairs of corners at which every plan is either not played or a best answer, as mixes of all plans of the game."""
    mine, theirs = (corners(_positive(_won(left, seat))[0]) for seat in (1, 0))  # what the columns win limits what the rows mix
    full = (1 << len(theirs)) - 1
    idle, tight = (
        [_having(theirs, kind, many) for many in range(size)] for kind, size in (("idle", len(left.columns)), ("tight", len(left.rows)))
    )
    rows, columns = ([places.index(plan) for plan in plans] for plans, places in ((left.rows, game.rows), (left.columns, game.columns)))
    found = []
    for one in mine:
        fitting = full
        for row in range(len(left.rows)):
            if row not in one.idle:
                fitting &= tight[row]
        for column in range(len(left.columns)):
            if column not in one.tight:
                fitting &= idle[column]
        found += [
            (_spread(one, rows, len(game.rows)), _spread(other, columns, len(game.columns)))
            for place, other in enumerate(theirs)
            if fitting >> place & 1
        ]
    return found


def _having(all_: Sequence[Corner], kind: str, plan: int) -> int:
    """Which corners have this plan idle or tight, a bit for each."""
    return sum(1 << place for place, corner in enumerate(all_) if plan in getattr(corner, kind))


def _spread(corner: Corner, places: Sequence[int], many: int) -> Mix:
    """The mix at a corner, with nothing for the plans that were left out."""
    mix, total = [Fraction(0)] * many, sum(corner.weights)
    for place, weight in zip(places, corner.weights, strict=True):
        mix[place] = weight / total
    return tuple(mix)


def _order(pair: tuple[Mix, Mix]) -> tuple[object, ...]:
    """Pure ones first, then those with the fewest plans, then from the top left."""
    played = [[place for place, likely in enumerate(mix) if likely] for mix in pair]
    return max(map(len, played)), sum(map(len, played)), played, tuple(-one for mix in pair for one in mix)


def _groups(found: Sequence[tuple[Mix, Mix]]) -> tuple[tuple[int, ...], ...]:
    """Equilibria that stand together: the largest sets of rows' mixes and of columns' mixes that are all equilibria with one another."""
    beside: dict[Mix, set[Mix]] = {}
    for row, column in found:
        beside.setdefault(row, set()).add(column)
    closed = {frozenset(columns) for columns in beside.values()}
    waiting = list(closed)
    for one in waiting:
        for columns in beside.values():
            both = one & columns
            if both and both not in closed and len(closed) < _GROUPS:
                closed.add(both)
                waiting.append(both)
    groups = [tuple([place for place, (row, column) in enumerate(found) if column in one and one <= beside[row]]) for one in closed]
    return tuple(sorted(group for group in groups if len(group) > 1))


def _pure(place: int, many: int) -> Mix:
    """One plan alone."""
    return tuple([Fraction(place == other) for other in range(many)])


def _made(game: Matrix, row: Mix, column: Mix) -> Equilibrium:
    """An equilibrium with what it is worth, and in words."""
    worth = tuple(
        sum(
            (
                cells[at][seat] * likely * other
                for cells, likely in zip(game.payoffs, row, strict=True)
                if likely
                for at, other in enumerate(column)
                if other
            ),
            Fraction(0),
        )
        for seat in (0, 1)
    )
    said = " against ".join(mix_said(mix, plans) for mix, plans in ((row, game.rows), (column, game.columns)))
    return Equilibrium(row, column, (worth[0], worth[1]), f"{said}: worth {worth[0]}, {worth[1]}")


def mix_said(mix: Mix, plans: Sequence[object]) -> str:
    """A mix in words: what is played, and how likely.

    >>> mix_said((Fraction(1, 3), Fraction(0), Fraction(2, 3)), ["up", "middle", "down"])
    '1/3 up + 2/3 down'
    """
    played = [(likely, str(plan)) for likely, plan in zip(mix, plans, strict=True) if likely]
    return " + ".join(plan if likely == 1 else f"{likely} {plan}" for likely, plan in played)
