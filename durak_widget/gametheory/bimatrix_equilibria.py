"""Finds all equilibria of a small matrix game exactly, and the value of a zero-sum matrix.

An equilibrium is a mixed strategy for each player from which neither gains by deviating alone. The equilibria of a
small matrix are pairs of vertices of the two best-response polytopes at which every pure strategy is either unplayed
or a best response (von Stengel, B. (2002): Computing equilibria for two-person games). A degenerate matrix may have
infinitely many. Then there are still finitely many such pairs, and all equilibria are mixtures of those that belong
to the same Nash subset (Avis, D., Rosenberg, G., Savani, R., von Stengel, B. (2010): Enumeration of Nash equilibria
for two-player games).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.exact_lp import Tableau, enumerate_vertices, max_vertex_count
from durak_widget.gametheory.strategic_form import Matrix, matrix, matrix_from_payoffs
from durak_widget.gametheory.tree import Tree, TreeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.gametheory.exact_lp import Vertex

MAX_VERTICES: Final = 1500
"""The default limit on the number of vertices of each player's polytope of mixed strategies.

Every polytope of a 9 × 9 or a 2 × 64 matrix has fewer vertices.
"""
_MAX_GROUPS: Final = 500
"""The maximum number of Nash subsets; if there are more, the search for them stops."""

MixtureProbabilities = tuple[Fraction, ...]
"""A probability for each pure strategy of one player."""


class Equilibrium(NamedTuple):
    """A mixed strategy for each of two players; neither player gains by deviating alone.

    >>> print(equilibria([[1, -1], [-1, 1]]).equilibria[0])
    1/2 A + 1/2 B against 1/2 a + 1/2 b: pays 0, 0
    """

    row: MixtureProbabilities
    """The probability of each row of the matrix in the row player's mixed strategy."""
    column: MixtureProbabilities
    payoffs: tuple[Fraction, Fraction]
    """The payoff of each player."""
    text: str
    """The equilibrium as text: the played strategies with their probabilities."""

    @property
    def is_pure(self) -> bool:
        """Return whether both players' strategies are pure."""
        return max(self.row) == max(self.column) == 1

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Equilibria:
    """The equilibria found in a matrix, with a note that says whether the list is complete.

    >>> found = equilibria([[(3, 2), (0, 0)], [(0, 0), (2, 3)]], rows=["opera", "match"], columns=["opera", "match"])
    >>> print(found)
    opera against opera: pays 3, 2
    match against match: pays 2, 3
    3/5 opera + 2/5 match against 2/5 opera + 3/5 match: pays 6/5, 6/5
    These are all equilibria.
    >>> [equilibrium.is_pure for equilibrium in found]
    [True, True, False]
    """

    matrix: Matrix
    equilibria: tuple[Equilibrium, ...]
    """The equilibria: pure ones first, then mixed ones, in increasing order of the number of pure strategies played."""
    complete: bool
    """True if the list has all equilibria, or all extreme ones (vertices) if there are infinitely many."""
    nash_subsets: tuple[tuple[int, ...], ...]
    """The Nash subsets, as indices into `equilibria`, if there are infinitely many equilibria;
    otherwise empty.

    Within a subset, any mixture of its row strategies and any mixture of its column strategies form an equilibrium
    too.
    """
    value: Fraction | None
    """The value of a zero-sum matrix for the row player; None for other matrices."""

    @property
    def is_infinite(self) -> bool:
        """Return whether the matrix has infinitely many equilibria."""
        return bool(self.nash_subsets)

    @property
    def note(self) -> str:
        """Return a sentence that says whether the list of equilibria is complete."""
        if not self.complete:
            size = f"{len(self.matrix.rows)} × {len(self.matrix.columns)}"
            if self.value is not None:
                return f"A matrix of {size} has too many mixed equilibria to find them all. This list has one of them, and all pure equilibria."
            return f"A matrix of {size} is too large for a search for mixed equilibria. This list has all pure equilibria."
        if self.is_infinite:
            return "There are infinitely many equilibria. This list has the corners (extreme equilibria) of each set; mixtures of corners of one set are equilibria too."
        return "These are all equilibria." if len(self.equilibria) > 1 else "This is the only equilibrium."

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.equilibria)

    def __len__(self) -> int:
        return len(self.equilibria)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.equilibria), self.note])


class Minimax(NamedTuple):
    """The solution of a zero-sum matrix: its value, and optimal strategies of both players.

    >>> minimax([[3, -1], [-2, 1]]).value
    Fraction(1, 7)
    """

    value: Fraction
    row: MixtureProbabilities
    column: MixtureProbabilities


def equilibria(
    matrix: object,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    names: Sequence[str] = ("Row", "Column"),
    limit: int = MAX_VERTICES,
) -> Equilibria:
    """Return all equilibria of a small matrix.

    The argument is a matrix, a tree, or payoffs: rows of numbers (zero-sum) or of pairs. For a larger game, with more
    than `limit` vertices, only the pure equilibria are returned, and one mixed equilibrium if it is zero-sum;
    `complete` and `note` say so.

    >>> print(equilibria([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], rows=["yield", "dare"], columns=["yield", "dare"]))
    yield against dare: pays 2, 7
    dare against yield: pays 7, 2
    2/3 yield + 1/3 dare against 2/3 yield + 1/3 dare: pays 14/3, 14/3
    These are all equilibria.
    """
    game = to_matrix(matrix, rows=rows, columns=columns, names=names)
    solution = minimax(game) if game.is_zero_sum else None
    reduced_game = _eliminate_dominated(game)
    complete = _max_vertices_per_player(reduced_game) <= limit
    if complete:
        pairs = sorted(_match_vertices(reduced_game, game), key=_build_sort_key)
    else:
        pairs = [
            (_build_pure_mixture(row, len(game.rows)), _build_pure_mixture(column, len(game.columns)))
            for row, column in find_pure_matrix_equilibria(game)
        ]
        if solution and not pairs:
            pairs.append((solution.row, solution.column))
    nash_subsets = _find_nash_subsets(pairs) if complete else ()
    return Equilibria(game, tuple([_build_equilibrium(game, *pair) for pair in pairs]), complete, nash_subsets, solution and solution.value)


def find_pure_matrix_equilibria(matrix: Matrix) -> list[tuple[int, int]]:
    """Return the cells of a matrix in which the row and the column are mutual best responses.

    >>> find_pure_matrix_equilibria(matrix_from_payoffs([[(3, 3), (0, 5)], [(5, 0), (1, 1)]]))
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
    game = to_matrix(matrix)
    if not game.is_zero_sum:
        raise TreeError("only a zero-sum matrix has a value: one player wins what the other loses. equilibria(matrix) works for any matrix")
    return _solve_zero_sum(_build_payoff_table(game, 0))


def _solve_zero_sum(payoffs: Sequence[Sequence[Fraction]]) -> Minimax:
    """Solve a zero-sum matrix by the simplex method, in exact fractions."""
    integers, shift, scale = _scale_to_positive_integers(payoffs)
    tableau = Tableau(integers)
    column = tableau.maximize().weights
    row = tableau.dual_prices()
    total = sum(column, Fraction(0))
    return Minimax((1 / total + shift) / scale, tuple([weight / sum(row) for weight in row]), tuple([weight / total for weight in column]))


def find_dominating_mixture(matrix: Matrix, player: int, index: int) -> MixtureProbabilities | None:
    """Return a mixed strategy that strictly dominates a given pure strategy, or None.

    >>> matrix = matrix_from_payoffs([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]])
    >>> matrix.dominated_strategies(weak=False), find_dominating_mixture(matrix, 0, 2)
    ((), (Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)))
    """
    payoffs = _build_payoff_table(matrix, player)
    if len(payoffs) == 1:
        return None
    gains = [
        [payoff - own_payoff for payoff, own_payoff in zip(row, payoffs[index], strict=True)]
        for row_index, row in enumerate(payoffs)
        if row_index != index
    ]
    solution = _solve_zero_sum(gains)
    return (*solution.row[:index], Fraction(0), *solution.row[index:]) if solution.value > 0 else None


def to_matrix(
    game: object, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ("Row", "Column")
) -> Matrix:
    """Return a matrix unchanged, or build one from a tree or from payoffs.

    >>> to_matrix([[1, 2]])
    <Matrix: 1 × 2>
    """
    if isinstance(game, Tree):
        return matrix(game)
    return game if isinstance(game, Matrix) else matrix_from_payoffs(game, rows=rows, columns=columns, names=names)


def _build_payoff_table(game: Matrix, player: int) -> list[list[Fraction]]:
    """Return one player's payoffs as a table with a row for each pure strategy of the player."""
    cells_by_strategy = game.payoffs if player == 0 else zip(*game.payoffs, strict=True)
    return [[cell[player] for cell in cells] for cells in cells_by_strategy]


def _scale_to_positive_integers(payoffs: Sequence[Sequence[Fraction]]) -> tuple[list[list[int]], int, int]:
    """Scale and shift a matrix so that all entries are positive whole numbers.

    Return the new matrix with the shift and the scale factor.
    """
    scale = lcm(*(payoff.denominator for row in payoffs for payoff in row))
    numbers = [[int(payoff * scale) for payoff in row] for row in payoffs]
    shift = min(map(min, numbers)) - 1
    return [[number - shift for number in row] for row in numbers], shift, scale


def _max_vertices_per_player(game: Matrix) -> int:
    """Return the maximum number of vertices that either player's polytope can have."""
    sizes = len(game.rows), len(game.columns)
    return max(max_vertex_count(size, sum(sizes)) for size in sizes)


def _eliminate_dominated(game: Matrix) -> Matrix:
    """Return a matrix without its strictly dominated strategies, which no equilibrium plays."""
    return game.eliminate_dominated().remaining


def _match_vertices(reduced_game: Matrix, game: Matrix) -> list[tuple[MixtureProbabilities, MixtureProbabilities]]:
    """Return the pairs of polytope vertices, one for each player, that form equilibria.

    In such an equilibrium every pure strategy is either unplayed or a best response.
    """
    # The rows' vertices come first: the polytope of player 0's mixed strategies is defined by player 1's payoffs
    row_vertices, column_vertices = (
        enumerate_vertices(_scale_to_positive_integers(_build_payoff_table(reduced_game, player))[0]) for player in (1, 0)
    )
    all_columns = (1 << len(column_vertices)) - 1
    idle_in, tight_in = (
        [_build_vertex_bitmask(column_vertices, field, index) for index in range(size)]
        for field, size in (("zero_variables", len(reduced_game.columns)), ("binding_constraints", len(reduced_game.rows)))
    )
    row_positions, column_positions = (
        [all_strategies.index(pure_strategy) for pure_strategy in strategies]
        for strategies, all_strategies in ((reduced_game.rows, game.rows), (reduced_game.columns, game.columns))
    )
    pairs = []
    for vertex in row_vertices:
        matching = all_columns
        for row in range(len(reduced_game.rows)):
            if row not in vertex.zero_variables:
                matching &= tight_in[row]
        for column in range(len(reduced_game.columns)):
            if column not in vertex.binding_constraints:
                matching &= idle_in[column]
        pairs += [
            (_expand_mixture(vertex, row_positions, len(game.rows)), _expand_mixture(other_vertex, column_positions, len(game.columns)))
            for index, other_vertex in enumerate(column_vertices)
            if matching >> index & 1
        ]
    return pairs


def _build_vertex_bitmask(vertices: Sequence[Vertex], field: str, index: int) -> int:
    """Return a bitmask of the vertices that have a given pure strategy in their list `field`.

    The field is `zero_variables` or `binding_constraints`.
    """
    return sum(1 << position for position, vertex in enumerate(vertices) if index in getattr(vertex, field))


def _expand_mixture(vertex: Vertex, positions: Sequence[int], size: int) -> MixtureProbabilities:
    """Convert a polytope vertex to a mixed strategy.

    Eliminated pure strategies get probability 0.
    """
    mixture, total = [Fraction(0)] * size, sum(vertex.weights)
    for position, weight in zip(positions, vertex.weights, strict=True):
        mixture[position] = weight / total
    return tuple(mixture)


def _build_sort_key(pair: tuple[MixtureProbabilities, MixtureProbabilities]) -> tuple[object, ...]:
    """Return a sort key that puts equilibria with few played pure strategies first.

    Among equilibria with equally many, the order is from the top left of the matrix.
    """
    supports = [[index for index, probability in enumerate(mixture) if probability] for mixture in pair]
    return max(map(len, supports)), sum(map(len, supports)), supports, tuple(-probability for mixture in pair for probability in mixture)


def _find_nash_subsets(equilibria: Sequence[tuple[MixtureProbabilities, MixtureProbabilities]]) -> tuple[tuple[int, ...], ...]:
    """Group equilibria into Nash subsets: maximal sets of interchangeable equilibria.

    These are the largest sets of rows and of columns that are all equilibria with one another.
    """
    columns_of: dict[MixtureProbabilities, set[MixtureProbabilities]] = {}
    for row, column in equilibria:
        columns_of.setdefault(row, set()).add(column)
    closed = {frozenset(columns) for columns in columns_of.values()}
    waiting = list(closed)
    for column_set in waiting:
        for columns in columns_of.values():
            common = column_set & columns
            if common and common not in closed and len(closed) < _MAX_GROUPS:
                closed.add(common)
                waiting.append(common)
    subsets = [
        tuple([index for index, (row, column) in enumerate(equilibria) if column in column_set and column_set <= columns_of[row]])
        for column_set in closed
    ]
    return tuple(sorted(subset for subset in subsets if len(subset) > 1))


def _build_pure_mixture(index: int, size: int) -> MixtureProbabilities:
    """Return the mixed strategy that plays a given pure strategy with probability 1."""
    return tuple([Fraction(index == position) for position in range(size)])


def _build_equilibrium(game: Matrix, row: MixtureProbabilities, column: MixtureProbabilities) -> Equilibrium:
    """Build an `Equilibrium`, with its payoffs and its description, from two mixed strategies."""
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
    profile_text = " against ".join(
        format_mixture(mixture, strategies) for mixture, strategies in ((row, game.rows), (column, game.columns))
    )
    return Equilibrium(row, column, (payoffs[0], payoffs[1]), f"{profile_text}: pays {payoffs[0]}, {payoffs[1]}")


def format_mixture(mixture: MixtureProbabilities, pure_strategies: Sequence[object]) -> str:
    """Format a mixed strategy as a list of the played pure strategies and their probabilities.

    >>> format_mixture((Fraction(1, 3), Fraction(0), Fraction(2, 3)), ["up", "middle", "down"])
    '1/3 up + 2/3 down'
    """
    played = [(probability, str(label)) for probability, label in zip(mixture, pure_strategies, strict=True) if probability]
    return " + ".join(label if probability == 1 else f"{probability} {label}" for probability, label in played)
