"""Test all equilibria of small matrices: each is correct, none is missing, and zero-sum values agree with another method."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.bimatrix_equilibria import find_dominating_mixture, find_pure_matrix_equilibria
from durak_widget.gametheory.exact_lp import max_vertex_count
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.strategic_form import matrix_from_payoffs, parse_payoff
from durak_widget.gametheory.tree import TreeError

F = Fraction
KUHN = from_efg((Path(__file__).parents[1] / "data" / "efg" / "kuhn.efg").read_text(encoding="utf-8"))

# Games with their equilibria from the literature: pairs of mixed strategies
TEXTBOOK = {
    "matching pennies": ([[1, -1], [-1, 1]], [((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2)))]),
    "battle of the sexes": (  # Luce and Raiffa (1957), with Osborne's (2004) payoffs
        [[(2, 1), (0, 0)], [(0, 0), (1, 2)]],
        [((1, 0), (1, 0)), ((0, 1), (0, 1)), ((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3)))],
    ),
    "chicken": (
        [[(6, 6), (2, 7)], [(7, 2), (0, 0)]],  # Aumann (1974)
        [((1, 0), (0, 1)), ((0, 1), (1, 0)), ((F(2, 3), F(1, 3)), (F(2, 3), F(1, 3)))],
    ),
    "prisoner's dilemma": ([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], [((0, 1), (0, 1))]),
    "rock, paper, scissors": ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], [((F(1, 3),) * 3, (F(1, 3),) * 3)]),
    "von Stengel's 3 × 2": (  # Handbook of Game Theory (2002), section 2.2
        [[(0, 1), (6, 0)], [(2, 0), (5, 2)], [(3, 4), (3, 3)]],
        [((0, 0, 1), (1, 0)), ((F(2, 3), F(1, 3), 0), (F(1, 3), F(2, 3))), ((0, F(1, 3), F(2, 3)), (F(2, 3), F(1, 3)))],
    ),
}


def random_table(seed):
    """Return a table of small payoff pairs, computed from a seed."""
    rows, columns, numbers, most = seed
    return [
        [(numbers[2 * (row * columns + column)] % most, numbers[2 * (row * columns + column) + 1] % most) for column in range(columns)]
        for row in range(rows)
    ]


GAMES = st.builds(
    lambda *seed: random_table(seed),
    st.integers(1, 4),
    st.integers(1, 4),
    st.lists(st.integers(0, 10**6), min_size=32, max_size=32),
    st.sampled_from([2, 3, 50]),
)


def expected_payoff(game, row, column, seat):
    """Return a player's payoff from two mixed strategies."""
    return sum(
        cell[seat] * probability * other
        for cells, probability in zip(game, row, strict=True)
        for cell, other in zip(cells, column, strict=True)
    )


def is_equilibrium(game, row, column):
    """Does no pure strategy of either player gain against the mixtures?"""
    return all(
        expected_payoff(game, [place == other for other in range(len(game))], column, 0) <= expected_payoff(game, row, column, 0)
        for place in range(len(game))
    ) and all(
        expected_payoff(game, row, [place == other for other in range(len(game[0]))], 1) <= expected_payoff(game, row, column, 1)
        for place in range(len(game[0]))
    )


def equilibria_by_support(game):
    """Return the equilibria of a matrix without ties by support enumeration, as with pencil and paper."""
    numpy = pytest.importorskip("numpy")
    row_payoffs, column_payoffs = (numpy.array([[float(cell[seat]) for cell in row] for row in game]) for seat in (0, 1))
    found = []
    for size in range(1, min(row_payoffs.shape) + 1):
        for rows, columns in product(combinations(range(len(game)), size), combinations(range(len(game[0])), size)):
            sides = []
            for payoffs in (column_payoffs[numpy.ix_(rows, columns)].T, row_payoffs[numpy.ix_(rows, columns)]):
                square = numpy.block([[payoffs, -numpy.ones((size, 1))], [numpy.ones((1, size)), numpy.zeros((1, 1))]])
                if abs(numpy.linalg.det(square)) < 1e-9:
                    break
                sides.append(numpy.linalg.solve(square, [0] * size + [1]))
            if len(sides) < 2 or min(min(side[:size]) for side in sides) < 1e-9:
                continue
            row, column = numpy.zeros(len(game)), numpy.zeros(len(game[0]))
            row[list(rows)], column[list(columns)] = sides[0][:size], sides[1][:size]
            if (
                max(row @ column_payoffs) <= row @ column_payoffs @ column + 1e-9
                and max(row_payoffs @ column) <= row @ row_payoffs @ column + 1e-9
            ):
                found.append((row, column))
    return found


def test_textbook_games_have_the_equilibria_of_the_books():
    """All of them, and no others."""
    for entry in TEXTBOOK.values():
        game, known = entry
        found = gametheory.equilibria(game)
        assert [(equilibrium.row, equilibrium.column) for equilibrium in found] == known
        assert (found.complete, found.is_infinite) == (True, False)


def test_a_coordination_game_has_the_known_number_of_equilibria():
    """A coordination game with d places has 2^d − 1 equilibria (Quint and Shubik (1997))."""
    for size, many in ((2, 3), (3, 7), (4, 15), (5, 31), (6, 63)):
        found = gametheory.equilibria([[(int(row == column),) * 2 for column in range(size)] for row in range(size)])
        assert (len(found), found.is_infinite) == (many, False)


@given(GAMES)
def test_nobody_gains_from_any_listed_equilibrium(game):
    """Each listed equilibrium is one, with its right payoffs; there is always at least one."""
    found = gametheory.equilibria(game)
    assert len(found) > 0
    for equilibrium in found:
        assert sum(equilibrium.row) == sum(equilibrium.column) == 1
        assert is_equilibrium(game, equilibrium.row, equilibrium.column)
        assert equilibrium.payoffs == (
            expected_payoff(game, equilibrium.row, equilibrium.column, 0),
            expected_payoff(game, equilibrium.row, equilibrium.column, 1),
        )


@given(GAMES)
def test_mixtures_of_a_group_are_equilibria_too(game):
    """If there are infinitely many, the middle of each group is an equilibrium; and every pure one is in the list."""
    found = gametheory.equilibria(game)
    assert {(equilibrium.row.index(1), equilibrium.column.index(1)) for equilibrium in found if equilibrium.is_pure} == set(
        find_pure_matrix_equilibria(found.matrix)
    )
    for group in found.nash_subsets:
        rows, columns = (
            {pick(found.equilibria[place]) for place in group}
            for pick in (lambda equilibrium: equilibrium.row, lambda equilibrium: equilibrium.column)
        )
        assert len(rows) * len(columns) == len(group)
        middle = [[sum(each) / len(mixes) for each in zip(*mixes, strict=True)] for mixes in (rows, columns)]
        assert is_equilibrium(game, *middle)


@given(GAMES)
def test_no_equilibrium_is_missing(game):
    """The equilibria from support enumeration are in the list, or, if there are infinitely many, are mixtures of a group."""
    found = gametheory.equilibria(game)
    known = [[float(probability) for probability in (*pair.row, *pair.column)] for pair in found]
    for row, column in equilibria_by_support(game):
        near = any(max(abs(a - b) for a, b in zip([*row, *column], profile, strict=True)) < 1e-6 for profile in known)
        assert near or found.is_infinite


@given(st.integers(1, 5), st.integers(1, 5), st.lists(st.integers(-6, 6), min_size=25, max_size=25))
def test_a_zero_sum_matrix_has_the_value_of_the_linear_program(rows, columns, numbers):
    """Compared with scipy's floats; each mixed strategy guarantees the value exactly."""
    optimize = pytest.importorskip("scipy.optimize")
    game = [[F(numbers[row * 5 + column], 3) for column in range(columns)] for row in range(rows)]
    found = gametheory.minimax(game)
    above = [[-float(game[row][column]) for row in range(rows)] + [1] for column in range(columns)]
    solved = optimize.linprog(
        [0] * rows + [-1], A_ub=above, b_ub=[0] * columns, A_eq=[[1] * rows + [0]], b_eq=[1], bounds=[(0, None)] * rows + [(None, None)]
    )
    assert abs(-solved.fun - float(found.value)) < 1e-7
    assert all(sum(game[row][column] * found.row[row] for row in range(rows)) >= found.value for column in range(columns))
    assert all(sum(game[row][column] * found.column[column] for column in range(columns)) <= found.value for row in range(rows))
    assert {equilibrium.payoffs[0] for equilibrium in gametheory.equilibria(game)} == {found.value}


def test_kuhn_poker_has_the_known_value():
    """−1/18 for the first player, from a matrix of 27 × 64; it has too many equilibria to list, and the note says so."""
    found = gametheory.equilibria(KUHN)
    assert found.equilibria == gametheory.equilibria(gametheory.matrix(KUHN)).equilibria
    assert (found.value, len(found), found.complete) == (F(-1, 18), 1, False)
    assert found.equilibria[0].payoffs == (F(-1, 18), F(1, 18))
    assert "27 × 64" in found.note


def test_a_large_matrix_lists_pure_equilibria_and_says_so():
    """The note says what was not searched for; strictly dominated strategies do not count for the size."""
    wide = [[(int(row == column), (7 * row + 3 * column) % 10) for column in range(12)] for row in range(12)]
    found = gametheory.equilibria(wide)
    assert all(equilibrium.is_pure for equilibrium in found)
    assert "12 × 12" in found.note
    below = [[(1, 0), (0, 1), *[(0, -1)] * 20], [(0, 1), (1, 0), *[(0, -1)] * 20], *[[(-1, 0)] * 22] * 20]
    small = gametheory.equilibria(below)
    assert (small.complete, [equilibrium.row[:2] for equilibrium in small]) == (True, [(F(1, 2), F(1, 2))])


def test_a_degenerate_matrix_lists_extreme_equilibria_and_says_so():
    """One player is indifferent: all mixtures between two extreme equilibria are equilibria."""
    found = gametheory.equilibria([[(1, 1), (0, 0)], [(1, 0), (2, 1)], [(0, 5), (1, 5)]])
    assert found.is_infinite
    assert str(found).endswith(found.note)
    all_the_same = gametheory.equilibria([[0, 0], [0, 0]])
    assert (len(all_the_same), all_the_same.nash_subsets) == (4, ((0, 1, 2, 3),))


def test_a_mixture_may_dominate_where_no_pure_strategy_does():
    """Half up and half down beats the middle; the dominated strategy is played in no equilibrium."""
    found = matrix_from_payoffs([[(4, 0), (0, 1)], [(1, 1), (1, 0)], [(0, 3), (4, 2)]])
    assert found.dominated_strategies(weak=False) == ()
    assert find_dominating_mixture(found, 0, 1) == (F(1, 2), 0, F(1, 2))
    assert [find_dominating_mixture(found, 0, place) for place in (0, 2)] == [None, None]
    assert find_dominating_mixture(matrix_from_payoffs([[1, 2]]), 0, 0) is None
    assert {equilibrium.row[1] for equilibrium in gametheory.equilibria(found)} == {0}


@given(GAMES)
def test_every_dominating_mixture_is_better(game):
    """If a pure strategy dominates, so does a mixture; and every mixture found is better against everything."""
    found = matrix_from_payoffs(game)
    beaten = {(dominated.player, dominated.strategy) for dominated in found.dominated_strategies(weak=False)}
    for seat, plans in enumerate((found.rows, found.columns)):
        won = [[cell[seat] for cell in line] for line in (game if seat == 0 else zip(*game, strict=True))]
        for place, plan in enumerate(plans):
            mix = find_dominating_mixture(found, seat, place)
            assert mix is not None or (seat, plan.short_label) not in beaten
            if mix is not None:
                against = [sum(probability * line[at] for probability, line in zip(mix, won, strict=True)) for at in range(len(won[0]))]
                assert all(mine < theirs for mine, theirs in zip(won[place], against, strict=True))


def test_the_vertex_bound_is_an_upper_bound():
    """A cube, an octahedron's dual, and the largest polytope of ten dimensions that is searched."""
    assert [max_vertex_count(1, 2), max_vertex_count(2, 9), max_vertex_count(3, 6), max_vertex_count(10, 20)] == [2, 9, 8, 4004]


@pytest.mark.parametrize(
    ("payoffs", "more", "says"),
    [
        (7, {}, r"\[\[1, -1\], \[-1, 1\]\], or with a pair in each cell, not 7"),
        ("12", {}, "payoffs.*list of rows"),
        ([], {}, "this one is empty"),
        ([[]], {}, "this one is empty"),
        ([[1], [1, 2]], {}, "1, 2"),
        ([[(1, 2, 3)]], {}, r"a pair of numbers, not \(1, 2, 3\)"),
        ([[None]], {}, "None"),
        ([["x"]], {}, "3, -1 or '1/2', not 'x'"),
        ([[float("nan")]], {}, "not nan"),
        ([[True]], {}, "not True"),
        ([["1e999999999"]], {}, "payoff.*number"),
        ([[1, 2]], {"columns": ["one"]}, "2.*1"),
        ([[1, 2]], {"columns": ["one", "one"]}, "2 columns.* 1 .*one, one"),
        ([[1]], {"names": ["Ann"]}, "there are 2 players"),
        ([[(1, 2)]], {"names": 7}, "players.*list of names"),
    ],
)
def test_invalid_payoffs_are_refused(payoffs, more, says):
    """The error says what a matrix is."""
    with pytest.raises(TreeError, match=says):
        gametheory.equilibria(payoffs, **more)


def test_a_general_sum_matrix_has_no_value():
    """The error names the method that solves it."""
    with pytest.raises(TreeError, match=r"equilibria\(matrix\)"):
        gametheory.minimax([[(1, 1)]])


def test_decimals_are_read_exactly():
    """A decimal is exactly what it looks like; numpy's numbers are accepted."""
    numpy = pytest.importorskip("numpy")
    assert [parse_payoff(number) for number in (0.1, "1/3", " −2 ", numpy.float64(0.25), numpy.int64(3))] == [
        F(1, 10),
        F(1, 3),
        -2,
        F(1, 4),
        3,
    ]
    assert str(matrix_from_payoffs([[0] * 30]).columns[29]) == "c30"
