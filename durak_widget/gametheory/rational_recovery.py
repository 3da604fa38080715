"""From a floating-point equilibrium to an exact one, where that can be had: nothing here is believed until its certificate has no gap.

First small denominators are tried. Then the equations that hold at the equilibrium are read off the floats (which moves are made, and
which of the other side's moves are as good as its best) and solved in fractions, by elimination that takes the shortest equation first.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from durak_widget.gametheory.certificate import Certificate, rounded
from durak_widget.gametheory.strategy import made

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.sequence_form import Floats, SequenceForm
    from durak_widget.gametheory.strategy import Strategy

    Equation = dict[int, Fraction]

DENOMINATORS: Final = (1, 12, 360, 10_000, 1_000_000)
"""How fine the probabilities may be that are tried, one after another."""
NEAR: Final = 1e-9
"""What floats tell apart."""
MOST: Final = 20_000
"""So many equations are solved; more are left."""
_NONE: Final = Fraction(0)
_ONE: Final = -1
"""The key of an equation's constant."""


def proved(form: SequenceForm, likely: Sequence[Floats]) -> Certificate:
    """The best certificate that can be had from an equilibrium in floats: without a gap if an exact one is found near it.

    >>> from durak_widget.gametheory.sequence_form import linear
    >>> from durak_widget.gametheory.sequence_form import SequenceForm
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> pennies = {"": Turn(0, "hides", [("h", "h"), ("t", "t")]), **{one: Turn(1, "?", [("h", one + "h"), ("t", one + "t")]) for one in "ht"}}
    >>> pennies |= {one + two: End((1, -1) if one == two else (-1, 1)) for one in "ht" for two in "ht"}
    >>> form = SequenceForm(grow("", pennies.__getitem__, seats=2))
    >>> proved(form, linear(form)).strategy["hides"]
    (Fraction(1, 2), Fraction(1, 2))
    """
    floats = form.strategy(likely)
    known = form.bounds([side.plan(one) for side, one in zip(form.sides, likely, strict=True)])
    for denominator in DENOMINATORS:
        simple = _simple(form, floats, denominator)
        if simple is not None and _promising(form, simple, known):
            found = certified(form, simple)
            if found.exact:
                return found
    plain = certified(form, floats)
    rows = list(plain.strategy.rows)
    for seat in (0, 1):
        for place, row in _solved(form, likely, seat).items():
            rows[place] = row
    solved = made(form.tree.sets, rows)
    found = certified(form, solved) if _promising(form, solved, known) else plain
    return min(found, plain, key=lambda one: one.gap)


def certified(form: SequenceForm, strategy: Strategy) -> Certificate:
    """What `gametheory.certify` says, from the sequence form and in whole numbers, many times as fast.

    >>> from durak_widget.gametheory import Strategy, certify
    >>> from durak_widget.gametheory.sequence_form import SequenceForm
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> certified(SequenceForm(tree), Strategy.uniform(tree)) == certify(tree, Strategy.uniform(tree))
    True
    """
    exact = rounded(form.tree, strategy)
    return Certificate(exact, -_most(form, exact, 1), _most(form, exact, 0))


def _most(form: SequenceForm, strategy: Strategy, seat: int) -> Fraction:
    """The most that a seat can get against the other's strategy."""
    own, other = form.sides[seat], form.sides[1 - seat]
    plan = [Fraction(1)]
    for place, before in zip(other.places.tolist(), other.before.tolist(), strict=True):
        weight = plan[before]
        plan += [weight * one if weight and one else _NONE for one in strategy.rows[place]]
    whole = lcm(*{one.denominator for one in plan})
    weights = [one.numerator * (whole // one.denominator) for one in plan]
    parts = lcm(*{one.denominator for one in form.worth})
    worth = [(1 - 2 * seat) * one.numerator * (parts // one.denominator) for one in form.worth]
    gains = [0] * own.size
    for mine, theirs, kind in zip(form.cells[seat].tolist(), form.cells[1 - seat].tolist(), form.cells[2].tolist(), strict=True):
        if weights[theirs]:
            gains[mine] += weights[theirs] * worth[kind]
    for begin, width, before in zip(own.begins.tolist()[::-1], own.widths.tolist()[::-1], own.before.tolist()[::-1], strict=True):
        gains[before] += max(gains[1 + begin : 1 + begin + width])
    return Fraction(gains[0], whole * parts)


def _promising(form: SequenceForm, strategy: Strategy, known: tuple[float, float]) -> bool:
    """Whether in floats it guarantees as much as what is known: only then is it worth the time to look exactly."""
    lower, upper = form.bounds([side.plan(one) for side, one in zip(form.sides, form.likely(strategy), strict=True)])
    slack = NEAR * max(1.0, abs(known[0]), abs(known[1]))
    return lower > known[0] - slack and upper < known[1] + slack


def _simple(form: SequenceForm, strategy: Strategy, denominator: int) -> Strategy | None:
    """The strategy with small denominators; None where they do not add up."""
    known = {row: _near(row, denominator) for row in dict.fromkeys(strategy.rows)}  # most rows are pure, and alike
    rows = [row for one in strategy.rows if (row := known[one]) is not None]
    return made(form.tree.sets, rows) if len(rows) == len(strategy.rows) else None


def _near(row: Sequence[float | Fraction], denominator: int) -> tuple[Fraction, ...] | None:
    """The nearest probabilities with denominators that are not larger; the largest takes up what is missing."""
    near = [Fraction(one).limit_denominator(denominator) for one in row]
    largest = max(range(len(row)), key=row.__getitem__)
    near[largest] += 1 - sum(near)
    return tuple(near) if near[largest] >= 0 else None


def _solved(form: SequenceForm, likely: Sequence[Floats], seat: int) -> dict[int, tuple[Fraction, ...]]:
    """A seat's exact probabilities, by information set of the tree, where it comes by its own play; none where they are not found."""
    own, other = form.sides[seat], form.sides[1 - seat]
    plan = own.plan(likely[seat])
    made = plan > NEAR
    unknown = np.full(own.size, -1)
    unknown[made] = np.arange(int(made.sum()))
    count = int(made.sum())
    equations: list[Equation] = [{0: Fraction(1), _ONE: Fraction(1)}]  # the empty sequence weighs 1
    for begin, width, before in zip(own.begins.tolist(), own.widths.tolist(), own.before.tolist(), strict=True):
        if made[before]:
            moves = [int(unknown[1 + move]) for move in range(begin, begin + width) if made[1 + move]]
            equations.append({**dict.fromkeys(moves, Fraction(1)), int(unknown[before]): Fraction(-1)})
    tight, worth = _tight(form, 1 - seat, plan)
    if len(tight) + len(equations) > MOST:
        return {}
    answers: dict[int, Equation] = {move: {count + int(other.owner[move]): Fraction(1)} for move in tight}
    for place, before in enumerate(other.before.tolist()):
        if before and before - 1 in answers:
            answers[before - 1][count + place] = Fraction(-1)
    _add_payoffs(form, seat, unknown, answers)
    guess = np.concatenate((plan[made], worth))
    found = solved_exactly([*equations, *answers.values()], guess)
    if found is None:
        return {}
    weights = [found[one] if one >= 0 else Fraction(0) for one in unknown.tolist()]
    if min(weights) < 0:
        return {}
    rows = {}
    for place, begin, width, before in zip(own.places.tolist(), own.begins.tolist(), own.widths.tolist(), own.before.tolist(), strict=True):
        if weights[before]:
            row = tuple([one / weights[before] for one in weights[1 + begin : 1 + begin + width]])
            if sum(row) != 1:
                return {}
            rows[place] = row
    return rows


def _tight(form: SequenceForm, seat: int, plan: Floats) -> tuple[list[int], Floats]:
    """The moves of a seat that are as good as its best against the other's plan, and what its information sets are worth to it."""
    side, gains = form.sides[seat], form.gains(seat, plan)
    moves, most = gains[1:], np.zeros(len(side.places))
    for level in reversed(side.levels):
        best = np.maximum.reduceat(moves[level.moves], level.begins)
        most[side.owner[level.moves][level.begins]] = best
        gains[level.parents] += np.add.reduceat(best, level.groups)
    return np.flatnonzero(moves > most[side.owner] - NEAR).tolist(), most


def _add_payoffs(form: SequenceForm, seat: int, unknown: Floats, answers: dict[int, Equation]) -> None:
    """What the other side's moves bring it at once, by the weights of the seat's sequences, put into the equations of those moves."""
    mine, theirs, kinds = (form.cells[seat], form.cells[1 - seat], form.cells[2])
    sign = -1 if seat == 0 else 1  # the other's gain is what the seat loses; it is brought to the left side
    wanted = np.zeros(form.sides[1 - seat].size, dtype=bool)
    wanted[[1 + move for move in answers]] = True
    kept = np.flatnonzero(wanted[theirs] & (unknown[mine] >= 0))
    for own, their, kind in zip(unknown[mine[kept]].tolist(), theirs[kept].tolist(), kinds[kept].tolist(), strict=True):
        equation = answers[their - 1]
        equation[own] = equation.get(own, Fraction(0)) - sign * form.worth[kind]


def solved_exactly(equations: Sequence[Equation], guess: Sequence[float] | Floats) -> list[Fraction] | None:
    """The unknowns of linear equations in fractions; one that is left open is taken near its guess; None where they contradict each other.

    Each equation says that the sum of its unknowns, each times its factor, is its constant, which has the key -1.

    >>> solved_exactly([{0: Fraction(1), 1: Fraction(1), -1: Fraction(1)}, {0: Fraction(1), 1: Fraction(-2)}], [0.6, 0.3])
    [Fraction(2, 3), Fraction(1, 3)]
    """
    rows = [{key: factor for key, factor in one.items() if factor} for one in equations]
    holders: dict[int, set[int]] = {}
    for number, row in enumerate(rows):
        for key in row:
            holders.setdefault(key, set()).add(number)
    waiting = [(len(row), number) for number, row in enumerate(rows)]
    heapify(waiting)
    done, used = [], set()
    while waiting:
        long, number = heappop(waiting)
        row = rows[number]
        if number in used or long != len(row):
            continue
        used.add(number)
        keys = [key for key in row if key != _ONE]
        if not keys:
            if row:
                return None
            continue
        pivot = min(keys, key=lambda key: len(holders[key]))
        for key in row:
            holders[key].discard(number)
        done.append((pivot, row))
        for other in list(holders[pivot]):
            _eliminate(rows[other], row, pivot, other, holders)
            heappush(waiting, (len(rows[other]), other))
    found: list[Fraction | None] = [None] * len(guess)
    for pivot, row in reversed(done):
        total = row.get(_ONE, Fraction(0))
        for key, factor in row.items():
            if key not in {pivot, _ONE}:
                total -= factor * _value(found, key, guess)
        found[pivot] = total / row[pivot]
    return [_value(found, key, guess) for key in range(len(guess))]


def _eliminate(row: Equation, by: Equation, pivot: int, number: int, holders: dict[int, set[int]]) -> None:
    """Take so much of an equation off another that the pivot is gone from it."""
    times = row[pivot] / by[pivot]
    for key, factor in by.items():
        left = row.get(key, 0) - times * factor
        if left:
            row[key] = left
            holders.setdefault(key, set()).add(number)
        elif key in row:
            del row[key]
            holders[key].discard(number)


def _value(found: list[Fraction | None], key: int, guess: Sequence[float] | Floats) -> Fraction:
    """What an unknown is; where nothing says so, a simple number near its guess."""
    value = found[key]
    if value is None:
        value = found[key] = Fraction(float(guess[key])).limit_denominator(1000)
    return value
