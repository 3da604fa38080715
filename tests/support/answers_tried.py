"""Random games answered by `gametheory.solve`, and every answer held against trying all plans of everybody; `python -m benchmarks random_games` does so with many.

What is an equilibrium, in each subgame, by some belief, by trembles is decided by the definitions in `by_definition.py`; no solver of ours is asked for that.
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
"""What is said to be near an equilibrium leaves nobody more to gain, as a part of all that is at stake."""


def reduced(tree, strategy):
    """A pure strategy without what it says where its own moves never lead."""
    return frozenset((place, strategy.rows[place].index(1)) for place in _led(tree, strategy))


def pure_by_trying(tree):
    """All equilibria in which nobody mixes, without what says nothing."""
    return {reduced(tree, one) for one in pure_strategies(tree) if is_nash(tree, one)}


def check(tree):
    """Answer a game, and hold the answer against the definitions; what was found, by its name."""
    answer, kind = solve(tree), find_game_properties(tree)
    if kind.recall != "perfect":
        return _forgetful(tree, answer, kind)
    if not isinstance(answer, GameAnswer):
        assert answer.exact
        assert is_nash(tree, answer.strategy)
        assert payoffs(tree, answer.strategy)[0] == answer.value
        if kind.has_perfect_information:
            assert is_subgame_perfect(tree, answer.strategy)
        return Counter({"value": 1})
    assert answer.equilibria
    if kind.payoff_sum == "constant":
        assert {sum(one.payoffs) for one in answer.equilibria} == {kind.constant_sum}
        assert kind.player_count > 2 or answer.value == answer.lower == answer.upper
    for one in answer.equilibria:
        _holds(tree, one)
    if answer.complete:  # then all in pure plans are there, and no others
        assert pure_by_trying(tree) == {reduced(tree, one.strategy) for one in answer.equilibria if _pure_where_led(tree, one.strategy)}
    return Counter(one.name for one in answer.equilibria)


def _holds(tree, one):
    """Whether an equilibrium is what it is said to be."""
    if one.total_gain:
        span = max(float(max(paid) - min(paid)) for paid in zip(*tree.payoffs, strict=True)) or 1.0
        assert max(map(float, gains(tree, one.strategy))) <= NEAR * span
        return
    assert is_nash(tree, one.strategy)
    assert payoffs(tree, one.strategy) == one.payoffs
    if one.classification is None:
        return
    assert one.classification.subgame_perfect is is_subgame_perfect(tree, one.strategy)
    if one.classification.weak_perfect_bayesian is not None:
        assert one.classification.weak_perfect_bayesian is is_weakly_perfect(tree, one.strategy)
    if one.sequential_result is not None and one.sequential_result.holds:
        assert trembles_lead(tree, one.strategy, one.sequential_result.trembles)
    if one.sequential_result is not None and one.sequential_result.holds is False:
        for other in _filled_otherwise(tree, one.strategy):
            if is_subgame_perfect(tree, other) and is_weakly_perfect(tree, other):
                assert not any(trembles_lead(tree, other, _some_trembles(tree, other, lot)) for lot in range(10)), (
                    "filled so, it is sequential"
                )


def _filled_otherwise(tree, strategy, most=16):
    """The same, but where the own moves of a seat never lead: some ways to fill that without mixing."""
    free = sorted(set(range(len(tree.infosets))) - _led(tree, strategy))
    for moves in islice(product(*(range(len(tree.infosets[place].actions)) for place in free)), most):
        rows = list(strategy.rows)
        for place, move in zip(free, moves, strict=True):
            rows[place] = pure_row(move, len(rows[place]))
        yield Strategy(tree, rows)


def _some_trembles(tree, strategy, lot):
    """Trembles by lot, the first of them all alike."""
    rng = Random(lot)
    idle = [(place, move) for place, row in enumerate(strategy.rows) for move, likely in enumerate(row) if not likely]
    return {slip: Tremble(Fraction(rng.choice((1, 2, 5)) if lot else 1), rng.choice((1, 1, 2, 3)) if lot else 1) for slip in idle}


def _pure_where_led(tree, strategy):
    """Whether nobody mixes where its own moves lead, so that it is an equilibrium of pure plans."""
    return all(1 in strategy.rows[place] for place in _led(tree, strategy))


def _led(tree, strategy):
    """The information sets to which the own moves of their seat lead."""
    found = set()
    for here, who in enumerate(tree.actor):
        ahead, lost = here, who < 0
        while not lost and (before := tree.parent[ahead]) >= 0:
            lost = tree.actor[before] == who and not strategy.rows[tree.infoset_of[before]][ahead - tree.first_child[before]]
            ahead = before
        if not lost:
            found.add(tree.infoset_of[here])
    return found


def _forgetful(tree, answer, kind):
    """Of a game in which somebody forgets: nobody gains by another plan; and where nobody is absent-minded, all equilibria in pure plans are there."""
    assert isinstance(answer, GameAnswer)
    assert answer.equilibria or answer.mixed_equilibria is not None or answer.contents == "none"
    span = max(float(max(paid) - min(paid)) for paid in zip(*tree.payoffs, strict=True)) or 1.0
    for one in answer.equilibria:
        most = max(map(float, gains(tree, one.strategy)))
        assert most <= NEAR * span if one.total_gain else most == 0
        assert all(abs(float(had) - float(said)) < NEAR * span for had, said in zip(payoffs(tree, one.strategy), one.payoffs, strict=True))
        if not one.total_gain and kind.recall == "absent-minded":
            assert not any(
                payoffs(tree, other)[seat] > one.payoffs[seat]
                for seat in range(tree.player_count)
                for other in _on_a_grid(tree, one.strategy, seat)
            )
    if kind.recall == "imperfect":
        known = pure_by_trying(tree)
        assert known == {reduced(tree, one.strategy) for one in answer.equilibria if _pure_where_led(tree, one.strategy)}
    for one in answer.mixed_equilibria or ():
        _mix_holds(answer.mixed_equilibria.matrix.payoffs, one)
    return Counter({answer.contents: 1})


def _on_a_grid(tree, strategy, seat, most=150):
    """Behaviours of one seat, mixed and not, the others doing what they do."""
    places = [place for place, one in enumerate(tree.infosets) if one.player == seat]
    sizes = [len(tree.infosets[place].actions) for place in places]
    rows = [
        [
            tuple([Fraction((move == one) * most_of + (move == other) * (4 - most_of), 4) for move in range(size)])
            for one, other in product(range(size), repeat=2)
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


def _mix_holds(cells, one):
    """Whether neither gains by another row or column."""
    rows = [sum(likely * cell[0] for likely, cell in zip(one.column, line, strict=True)) for line in cells]
    columns = [sum(likely * line[at][1] for likely, line in zip(one.row, cells, strict=True)) for at in range(len(cells[0]))]
    assert max(rows) == one.payoffs[0] == sum(likely * has for likely, has in zip(one.row, rows, strict=True))
    assert max(columns) == one.payoffs[1] == sum(likely * has for likely, has in zip(one.column, columns, strict=True))


def by_supports(cells):
    """Of a matrix: equilibria in which as many rows as columns are mixed, from one system of equations for each."""
    found = set()
    for many in range(1, min(len(cells), len(cells[0])) + 1):
        for rows, columns in product(combinations(range(len(cells)), many), combinations(range(len(cells[0])), many)):
            sides = [
                solved([[*(cells[row][column][0] for column in columns), -1, 0] for row in rows] + [[1] * many + [0, 1]]),
                solved([[*(cells[row][column][1] for row in rows), -1, 0] for column in columns] + [[1] * many + [0, 1]]),
            ]
            if any(one is None or min(one[:-1]) <= 0 for one in sides):
                continue
            mine, theirs = [Fraction(0)] * len(cells), [Fraction(0)] * len(cells[0])
            for row, likely in zip(rows, sides[1], strict=False):
                mine[row] = likely
            for column, likely in zip(columns, sides[0], strict=False):
                theirs[column] = likely
            has = [sum(likely * cell[0] for likely, cell in zip(theirs, line, strict=True)) for line in cells]
            have = [sum(likely * line[at][1] for likely, line in zip(mine, cells, strict=True)) for at in range(len(cells[0]))]
            if max(has) == sides[0][-1] and max(have) == sides[1][-1]:
                found.add((tuple(mine), tuple(theirs)))
    return found


def check_matrix(cells):
    """All equilibria of a matrix: each is one; and what equations of equal supports find is among them, or between some that stand together."""
    found = gametheory.equilibria(cells)
    assert found.complete
    for one in found:
        _mix_holds(found.matrix.payoffs, one)
    listed = {(one.row, one.column) for one in found}
    known = by_supports(cells)
    if not found.is_infinite:
        assert known <= listed
        if all(sum(map(bool, row)) == sum(map(bool, column)) for row, column in listed):
            assert known == listed
    return Counter({"corners": len(listed)})


def tried_of(kind, many, seed=1):
    """So many random games of a kind: what was found in them, and what was wrong, with the number of each game."""
    rng, names, faults = Random(f"{kind} {seed}"), Counter(), []
    for number in range(many):
        game = KINDS[kind](rng)
        try:
            names += check_matrix(game) if kind == "matrices" else check(game)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
            faults.append((number, f"{type(error).__name__}: {error}"[:200], game))
    return names, faults
