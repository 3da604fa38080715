"""Finds all equilibria of a small matrix, exactly, and the value of a zero-sum one.

An equilibrium is a mixed strategy for each player from which neither gains by deviating alone. Those of a small
matrix are pairs of vertices of the two best-response polytopes at which every pure strategy is either unplayed or a
best response (von Stengel, B. (2002): Computing equilibria for two-person games). A degenerate matrix may have
infinitely many. Then there are still finitely many such pairs, and all equilibria are mixtures of those that belong
to the same Nash subset (Avis, D., Rosenberg, G., Savani, R., von Stengel, B. (2010): Enumeration of Nash equilibria
for two-player games).
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
"""The default limit on the number of vertices of each player's mixed strategies.

Every matrix of 9 × 9, and of 2 × 64, has fewer.
"""
_GROUPS: Final = 500
"""The maximum number of Nash subsets that are distinguished."""

Mix = tuple[Fraction, ...]
"""The probability of each pure strategy of one player."""


class Equilibrium(NamedTuple):
    """A mixed strategy for each of two players, from which neither gains by deviating alone.

    >>> print(equilibria([[1, -1], [-1, 1]]).found[0])
    1/2 A + 1/2 B against 1/2 a + 1/2 b: worth 0, 0
    """

    row: Mix
    """The probability of each row."""
    column: Mix
    worth: tuple[Fraction, Fraction]
    """The payoff of each player."""
    said: str
    """The equilibrium as text."""

    @property
    def pure(self) -> bool:
        """Return whether both strategies are pure."""
        return max(self.row) == max(self.column) == 1

    def __str__(self) -> str:
        return self.said


@dataclass(frozen=True)
class Equilibria:
    """The equilibria that were found, with a note whether these are all.

    >>> found = equilibria([[(3, 2), (0, 0)], [(0, 0), (2, 3)]], rows=["opera", "match"], columns=["opera", "match"])
    >>> print(found)
    opera against opera: worth 3, 2
    match against match: worth 2, 3
    3/5 opera + 2/5 match against 2/5 opera + 3/5 match: worth 6/5, 6/5
    These are all equilibria.
    >>> [equilibrium.pure for equilibrium in found]
    [True, True, False]
    """

    matrix: Matrix
    found: tuple[Equilibrium, ...]
    """Pure equilibria first, then those with the fewest pure strategies."""
    complete: bool
    """Whether mixed equilibria were looked for too, and all were found: the vertices, if there are infinitely many."""
    together: tuple[tuple[int, ...], ...]
    """The Nash subsets, if there are infinitely many equilibria: indices into `found`.

    Within a subset, any mixture of the rows against any mixture of the columns is an equilibrium too.
    """
    value: Fraction | None
    """The value of a zero-sum matrix for the row player; None for others."""

    @property
    def infinite(self) -> bool:
        """Return whether there are infinitely many equilibria."""
        return bool(self.together)

    @property
    def note(self) -> str:
        """Return a sentence on how complete the list is."""
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
    """The value of a zero-sum matrix, and optimal strategies.

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
    """Return all equilibria of a small matrix.

    The argument is a matrix, a tree, or payoffs: rows of numbers (zero-sum) or of pairs. A larger game, with more than
    `limit` vertices, gets its pure equilibria, and a mixed one if it is zero-sum; `complete` and `note` say so.

    >>> print(equilibria([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], rows=["yield", "dare"], columns=["yield", "dare"]))
    yield against dare: worth 2, 7
    dare against yield: worth 7, 2
    2/3 yield + 1/3 dare against 2/3 yield + 1/3 dare: worth 14/3, 14/3
    These are all equilibria.
    """
    game = a_matrix(matrix, rows=rows, columns=columns, names=names)
    solution = minimax(game) if game.zero_sum else None
    reduced_game = _reduced(game)
    complete = _how_many(reduced_game) <= limit
    if complete:
        pairs = sorted(_meeting(reduced_game, game), key=_order)
    else:
        pairs = [(_pure(row, len(game.rows)), _pure(column, len(game.columns))) for row, column in pure_equilibria(game)]
        if solution and not pairs:
            pairs.append((solution.row, solution.column))
    nash_subsets = _groups(pairs) if complete else ()
    return Equilibria(game, tuple([_made(game, *pair) for pair in pairs]), complete, nash_subsets, solution and solution.value)


def pure_equilibria(matrix: Matrix) -> list[tuple[int, int]]:
    """Return the cells at which both pure strategies are best responses to each other.

    >>> pure_equilibria(matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]]))
    [(1, 1)]
    """
    best_row_payoffs = [max(cell[0] for cell in column) for column in zip(*matrix.payoffs, strict=True)]
    best_column_payoffs = [max(cell[1] for cell in row) for row in matrix.payoffs]
    return [
        (row, column)
        for row, cells in enumerate(matrix.payoffs)
        for column, cell in enumerate(cells)
        if cell[0] == best_row_payoffs[column] and cell[1] == best_column_payoffs[row]
    ]


def minimax(matrix: object) -> Minimax:
    """Return the value of a zero-sum matrix for the row player, with optimal strategies.

    It solves one exact linear program.

    >>> minimax([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    Minimax(value=Fraction(0, 1), row=(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)), column=(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)))
    """
    game = a_matrix(matrix)
    if not game.zero_sum:
        raise TreeError("what a matrix is worth needs a zero-sum one, in which one wins what the other loses; equilibria(matrix) takes any")
    return _minimax(_won(game, 0))


def _minimax(won: Sequence[Sequence[Fraction]]) -> Minimax:
    integers, shift, scale = _positive(won)
    tableau = Tableau(integers)
    column = tableau.best().weights
    row = tableau.prices()
    total = sum(column, Fraction(0))
    return Minimax((1 / total + shift) / scale, tuple([weight / sum(row) for weight in row]), tuple([weight / total for weight in column]))


def better_mix(matrix: Matrix, seat: int, place: int) -> Mix | None:
    """Return a mixture of a player's other pure strategies that strictly dominates this one.

    Return None if there is none.

    >>> matrix = matrix_of([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]])
    >>> matrix.dominated(weak=False), better_mix(matrix, 0, 2)
    ((), (Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)))
    """
    payoffs = _won(matrix, seat)
    if len(payoffs) == 1:
        return None
    gains = [
        [payoff - own_payoff for payoff, own_payoff in zip(row, payoffs[place], strict=True)]
        for row_index, row in enumerate(payoffs)
        if row_index != place
    ]
    solution = _minimax(gains)
    return (*solution.row[:place], Fraction(0), *solution.row[place:]) if solution.value > 0 else None


def a_matrix(
    what: object, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ("Row", "Column")
) -> Matrix:
    """Return a matrix as it is, or build one from a tree or from payoffs.

    >>> a_matrix([[1, 2]])
    <Matrix: 1 × 2>
    """
    if isinstance(what, Tree):
        return matrix(what)
    return what if isinstance(what, Matrix) else matrix_of(what, rows=rows, columns=columns, names=names)


def _won(game: Matrix, seat: int) -> list[list[Fraction]]:
    """Return a player's payoffs, with a row for each own pure strategy."""
    cells_by_strategy = game.payoffs if seat == 0 else zip(*game.payoffs, strict=True)
    return [[cell[seat] for cell in cells] for cells in cells_by_strategy]


def _positive(won: Sequence[Sequence[Fraction]]) -> tuple[list[list[int]], int, int]:
    """Scale and shift a matrix to positive whole numbers.

    Return it with the shift and the scale.
    """
    scale = lcm(*(payoff.denominator for row in won for payoff in row))
    numbers = [[int(payoff * scale) for payoff in row] for row in won]
    shift = min(map(min, numbers)) - 1
    return [[number - shift for number in row] for row in numbers], shift, scale


def _how_many(game: Matrix) -> int:
    """Return an upper bound on the number of vertices for either player."""
    sizes = len(game.rows), len(game.columns)
    return max(most_corners(size, sum(sizes)) for size in sizes)


def _reduced(game: Matrix) -> Matrix:
    """Return the matrix without strictly dominated pure strategies, which no equilibrium has."""
    return game.eliminate().left


def _meeting(left: Matrix, game: Matrix) -> list[tuple[Mix, Mix]]:
    """Return the pairs of vertices that are equilibria, as mixed strategies of the whole game.

    At such a pair every pure strategy is either unplayed or a best response.
    """
    # the column player's payoffs limit the row player's mixtures
    row_vertices, column_vertices = (corners(_positive(_won(left, player))[0]) for player in (1, 0))
    all_columns = (1 << len(column_vertices)) - 1
    idle_in, tight_in = (
        [_having(column_vertices, field, index) for index in range(size)]
        for field, size in (("idle", len(left.columns)), ("tight", len(left.rows)))
    )
    row_positions, column_positions = (
        [all_strategies.index(pure_strategy) for pure_strategy in strategies]
        for strategies, all_strategies in ((left.rows, game.rows), (left.columns, game.columns))
    )
    pairs = []
    for vertex in row_vertices:
        matching = all_columns
        for row in range(len(left.rows)):
            if row not in vertex.idle:
                matching &= tight_in[row]
        for column in range(len(left.columns)):
            if column not in vertex.tight:
                matching &= idle_in[column]
        pairs += [
            (_spread(vertex, row_positions, len(game.rows)), _spread(other_vertex, column_positions, len(game.columns)))
            for index, other_vertex in enumerate(column_vertices)
            if matching >> index & 1
        ]
    return pairs


def _having(all_: Sequence[Corner], kind: str, plan: int) -> int:
    """Return the vertices that have this pure strategy idle or tight, as bits of a number."""
    return sum(1 << position for position, vertex in enumerate(all_) if plan in getattr(vertex, kind))


def _spread(corner: Corner, places: Sequence[int], many: int) -> Mix:
    """Return the mixed strategy at a vertex, with 0 for the strategies that were eliminated."""
    mixture, total = [Fraction(0)] * many, sum(corner.weights)
    for position, weight in zip(places, corner.weights, strict=True):
        mixture[position] = weight / total
    return tuple(mixture)


def _order(pair: tuple[Mix, Mix]) -> tuple[object, ...]:
    """Return the key that sorts pure equilibria first, then those with the fewest strategies.

    Among these, it sorts from the top left.
    """
    supports = [[index for index, probability in enumerate(mixture) if probability] for mixture in pair]
    return max(map(len, supports)), sum(map(len, supports)), supports, tuple(-probability for mixture in pair for probability in mixture)


def _groups(found: Sequence[tuple[Mix, Mix]]) -> tuple[tuple[int, ...], ...]:
    """Return the Nash subsets of a list of equilibria.

    These are the largest sets of rows and of columns that are all equilibria with one another.
    """
    columns_of: dict[Mix, set[Mix]] = {}
    for row, column in found:
        columns_of.setdefault(row, set()).add(column)
    closed = {frozenset(columns) for columns in columns_of.values()}
    waiting = list(closed)
    for column_set in waiting:
        for columns in columns_of.values():
            common = column_set & columns
            if common and common not in closed and len(closed) < _GROUPS:
                closed.add(common)
                waiting.append(common)
    subsets = [
        tuple([index for index, (row, column) in enumerate(found) if column in column_set and column_set <= columns_of[row]])
        for column_set in closed
    ]
    return tuple(sorted(subset for subset in subsets if len(subset) > 1))


def _pure(place: int, many: int) -> Mix:
    """Return the mixed strategy that plays one pure strategy for certain."""
    return tuple([Fraction(place == position) for position in range(many)])


def _made(game: Matrix, row: Mix, column: Mix) -> Equilibrium:
    """Return an equilibrium with its payoffs and its text."""
    payoffs = tuple(
        sum(
            (
                cells[index][player] * row_probability * column_probability
                for cells, row_probability in zip(game.payoffs, row, strict=True)
                if row_probability
                for index, column_probability in enumerate(column)
                if column_probability
            ),
            Fraction(0),
        )
        for player in (0, 1)
    )
    profile_text = " against ".join(mix_said(mixture, strategies) for mixture, strategies in ((row, game.rows), (column, game.columns)))
    return Equilibrium(row, column, (payoffs[0], payoffs[1]), f"{profile_text}: worth {payoffs[0]}, {payoffs[1]}")


def mix_said(mix: Mix, plans: Sequence[object]) -> str:
    """Format a mixed strategy: the pure strategies that are played, with their probabilities.

    >>> mix_said((Fraction(1, 3), Fraction(0), Fraction(2, 3)), ["up", "middle", "down"])
    '1/3 up + 2/3 down'
    """
    played = [(probability, str(label)) for probability, label in zip(mix, plans, strict=True) if probability]
    return " + ".join(label if probability == 1 else f"{probability} {label}" for probability, label in played)
