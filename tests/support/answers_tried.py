"""Random games answered by `gametheory.solve`, each answer checked by trying all strategies. `python -m benchmarks random_games` runs many.

The definitions in `by_definition.py` decide what is an equilibrium, in subgames, by beliefs and by trembles. No solver is used for that.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, islice, product
from random import Random

from durak_widget import gametheory
from durak_widget.gametheory.game_properties import find_game_properties
from durak_widget.gametheory.sequential_equilibrium import Tremble
from durak_widget.gametheory.solver_selection import GameAnswer, solve
from durak_widget.gametheory.strategy import Strategy, pure_row
from support.by_definition import is_nash, is_subgame_perfect, is_weakly_perfect, solved, trembles_lead
from support.by_trying import gains, payoffs, pure_strategies
from support.kinds_of_games import KINDS

NEAR = 1e-5
"""In an approximate equilibrium nobody gains more than this part of the payoff range."""


def reduce_strategy(tree, strategy):
    """Return a pure strategy without its choices at sets that its own moves never reach."""
    return frozenset((place, strategy.rows[place].index(1)) for place in _reached_sets(tree, strategy))


def pure_equilibria(tree):
    """Return all pure equilibria, without choices at unreached sets."""
    return {reduce_strategy(tree, strategy) for strategy in pure_strategies(tree) if is_nash(tree, strategy)}


def check(tree):
    """Answer a game, check the answer by the definitions, and return what was found, by name."""
    answer, kind = solve(tree), find_game_properties(tree)
    if kind.recall != "perfect":
        return _check_imperfect_recall(tree, answer, kind)
    if not isinstance(answer, GameAnswer):
        assert answer.exact
        assert is_nash(tree, answer.strategy)
        assert payoffs(tree, answer.strategy)[0] == answer.value
        if kind.has_perfect_information:
            assert is_subgame_perfect(tree, answer.strategy)
        return Counter({"value": 1})
    assert answer.equilibria
    if kind.payoff_sum == "constant":
        assert {sum(equilibrium.payoffs) for equilibrium in answer.equilibria} == {kind.constant_sum}
        assert kind.player_count > 2 or answer.value == answer.lower == answer.upper
    for equilibrium in answer.equilibria:
        _check_equilibrium(tree, equilibrium)
    if answer.complete:  # then exactly all pure equilibria are there
        assert pure_equilibria(tree) == {
            reduce_strategy(tree, equilibrium.strategy) for equilibrium in answer.equilibria if _is_pure_on_path(tree, equilibrium.strategy)
        }
    return Counter(equilibrium.name for equilibrium in answer.equilibria)


def _check_equilibrium(tree, equilibrium):
    """Check that an equilibrium is what its name says."""
    if equilibrium.total_gain:
        span = max(float(max(paid) - min(paid)) for paid in zip(*tree.payoffs, strict=True)) or 1.0
        assert max(map(float, gains(tree, equilibrium.strategy))) <= NEAR * span
        return
    assert is_nash(tree, equilibrium.strategy)
    assert payoffs(tree, equilibrium.strategy) == equilibrium.payoffs
    if equilibrium.classification is None:
        return
    assert equilibrium.classification.subgame_perfect is is_subgame_perfect(tree, equilibrium.strategy)
    if equilibrium.classification.weak_perfect_bayesian is not None:
        assert equilibrium.classification.weak_perfect_bayesian is is_weakly_perfect(tree, equilibrium.strategy)
    if equilibrium.sequential_result is not None and equilibrium.sequential_result.holds:
        assert trembles_lead(tree, equilibrium.strategy, equilibrium.sequential_result.trembles)
    if equilibrium.sequential_result is not None and equilibrium.sequential_result.holds is False:
        for other in _with_other_choices(tree, equilibrium.strategy):
            if is_subgame_perfect(tree, other) and is_weakly_perfect(tree, other):
                assert not any(trembles_lead(tree, other, _some_trembles(tree, other, lot)) for lot in range(10)), (
                    "filled so, it is sequential"
                )


def _with_other_choices(tree, strategy, most=16):
    """Yield the strategy with other pure choices at sets that its player's own moves never reach."""
    free = sorted(set(range(len(tree.infosets))) - _reached_sets(tree, strategy))
    for moves in islice(product(*(range(len(tree.infosets[place].actions)) for place in free)), most):
        rows = list(strategy.rows)
        for place, move in zip(free, moves, strict=True):
            rows[place] = pure_row(move, len(rows[place]))
        yield Strategy(tree, rows)


def _some_trembles(tree, strategy, lot):
    """Return random trembles; the first ones are all equal."""
    rng = Random(lot)
    idle = [(place, move) for place, row in enumerate(strategy.rows) for move, probability in enumerate(row) if not probability]
    return {slip: Tremble(Fraction(rng.choice((1, 2, 5)) if lot else 1), rng.choice((1, 1, 2, 3)) if lot else 1) for slip in idle}


def _is_pure_on_path(tree, strategy):
    """Return whether nobody mixes at sets that their own moves reach."""
    return all(1 in strategy.rows[place] for place in _reached_sets(tree, strategy))


def _reached_sets(tree, strategy):
    """Return the information sets that their player's own moves reach."""
    found = set()
    for here, who in enumerate(tree.actor):
        ahead, lost = here, who < 0
        while not lost and (before := tree.parent[ahead]) >= 0:
            lost = tree.actor[before] == who and not strategy.rows[tree.infoset_of[before]][ahead - tree.first_child[before]]
            ahead = before
        if not lost:
            found.add(tree.infoset_of[here])
    return found


def _check_imperfect_recall(tree, answer, kind):
    """Check a game of imperfect recall: nobody gains by another strategy, and without absent-mindedness all pure equilibria are found."""
    assert isinstance(answer, GameAnswer)
    assert answer.equilibria or answer.mixed_equilibria is not None or answer.contents == "none"
    span = max(float(max(paid) - min(paid)) for paid in zip(*tree.payoffs, strict=True)) or 1.0
    for equilibrium in answer.equilibria:
        most = max(map(float, gains(tree, equilibrium.strategy)))
        assert most <= NEAR * span if equilibrium.total_gain else most == 0
        assert all(
            abs(float(had) - float(stated)) < NEAR * span
            for had, stated in zip(payoffs(tree, equilibrium.strategy), equilibrium.payoffs, strict=True)
        )
        if not equilibrium.total_gain and kind.recall == "absent-minded":
            assert not any(
                payoffs(tree, other)[seat] > equilibrium.payoffs[seat]
                for seat in range(tree.player_count)
                for other in _on_a_grid(tree, equilibrium.strategy, seat)
            )
    if kind.recall == "imperfect":
        known = pure_equilibria(tree)
        assert known == {
            reduce_strategy(tree, equilibrium.strategy) for equilibrium in answer.equilibria if _is_pure_on_path(tree, equilibrium.strategy)
        }
    for equilibrium in answer.mixed_equilibria or ():
        _check_matrix_equilibrium(answer.mixed_equilibria.matrix.payoffs, equilibrium)
    return Counter({answer.contents: 1})


def _on_a_grid(tree, strategy, seat, most=150):
    """Yield mixed and pure strategies of one player; the others keep theirs."""
    places = [place for place, infoset in enumerate(tree.infosets) if infoset.player == seat]
    sizes = [len(tree.infosets[place].actions) for place in places]
    rows = [
        [
            tuple([Fraction((move == first) * most_of + (move == second) * (4 - most_of), 4) for move in range(size)])
            for first, second in product(range(size), repeat=2)
            for most_of in (2, 3, 4)
        ]
        for size in sizes
    ]
    rows = [list(dict.fromkeys(some)) for some in rows]
    for chosen in islice(product(*rows), most):
        whole = list(strategy.rows)
        for place, row in zip(places, chosen, strict=True):
            whole[place] = row
        yield Strategy(tree, whole)


def _check_matrix_equilibrium(cells, equilibrium):
    """Check that neither player gains by another row or column."""
    rows = [sum(probability * cell[0] for probability, cell in zip(equilibrium.column, line, strict=True)) for line in cells]
    columns = [
        sum(probability * line[at][1] for probability, line in zip(equilibrium.row, cells, strict=True)) for at in range(len(cells[0]))
    ]
    assert max(rows) == equilibrium.payoffs[0] == sum(probability * has for probability, has in zip(equilibrium.row, rows, strict=True))
    assert (
        max(columns)
        == equilibrium.payoffs[1]
        == sum(probability * has for probability, has in zip(equilibrium.column, columns, strict=True))
    )


def equal_support_equilibria(cells):
    """Return equilibria of a matrix with equal supports, from one system of equations for each."""
    found = set()
    for many in range(1, min(len(cells), len(cells[0])) + 1):
        for rows, columns in product(combinations(range(len(cells)), many), combinations(range(len(cells[0])), many)):
            sides = [
                solved([[*(cells[row][column][0] for column in columns), -1, 0] for row in rows] + [[1] * many + [0, 1]]),
                solved([[*(cells[row][column][1] for row in rows), -1, 0] for column in columns] + [[1] * many + [0, 1]]),
            ]
            if any(side is None or min(side[:-1]) <= 0 for side in sides):
                continue
            mine, theirs = [Fraction(0)] * len(cells), [Fraction(0)] * len(cells[0])
            for row, probability in zip(rows, sides[1], strict=False):
                mine[row] = probability
            for column, probability in zip(columns, sides[0], strict=False):
                theirs[column] = probability
            has = [sum(probability * cell[0] for probability, cell in zip(theirs, line, strict=True)) for line in cells]
            have = [sum(probability * line[at][1] for probability, line in zip(mine, cells, strict=True)) for at in range(len(cells[0]))]
            if max(has) == sides[0][-1] and max(have) == sides[1][-1]:
                found.add((tuple(mine), tuple(theirs)))
    return found


def check_matrix(cells):
    """Check all equilibria of a matrix, and that those of equal supports are among them or between them."""
    found = gametheory.equilibria(cells)
    assert found.complete
    for equilibrium in found:
        _check_matrix_equilibrium(found.matrix.payoffs, equilibrium)
    listed = {(equilibrium.row, equilibrium.column) for equilibrium in found}
    known = equal_support_equilibria(cells)
    if not found.is_infinite:
        assert known <= listed
        if all(sum(map(bool, row)) == sum(map(bool, column)) for row, column in listed):
            assert known == listed
    return Counter({"corners": len(listed)})


def tried_of(kind, many, seed=1):
    """Return what was found in that many random games of a kind, and all errors with the number of the game."""
    rng, names, faults = Random(f"{kind} {seed}"), Counter(), []
    for number in range(many):
        game = KINDS[kind](rng)
        try:
            names += check_matrix(game) if kind == "matrices" else check(game)
        except Exception as error:  # noqa: BLE001 - every exception is a fault
            faults.append((number, f"{type(error).__name__}: {error}"[:200], game))
    return names, faults
