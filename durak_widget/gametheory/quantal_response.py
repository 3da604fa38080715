"""Follows the path of logit (quantal response) equilibria, for any number of players.

For two moves of an information set, the difference of log-probabilities is λ times the difference of their
expected payoffs, with beliefs by Bayes' rule. The path starts at λ = 0, where all moves are equally likely.
As λ grows without end it leads to a sequential equilibrium (McKelvey, R. D. and Palfrey, T. R. (1998):
Quantal response equilibria for extensive form games. Experimental Economics 1, 9-41). It is followed in
logarithms by tangent and Newton steps (Turocy, T. L. (2010): Computing sequential equilibria using agent
quantal response equilibria. Economic Theory 42, 255-269). At a fold the sign of a determinant gives the
direction; where paths cross, only straight on works. Both are tried, then payoffs perturbed by 1e-7. Plain
Python is enough: numpy only halves the time.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import exp, inf, isfinite, log, sqrt
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import members
from durak_widget.gametheory.best_responses import best_response, edges, in_floats, value
from durak_widget.gametheory.game_properties import in_decimals, measured
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    Floats = list[float]

FARTHEST: Final = 1e8
"""The λ at which the path ends, if 1 is the range of the payoffs."""
NEAREST: Final = 20.0
"""The path is followed at least to this λ, even if it is an equilibrium already: another path may still cross it."""
_LOOKED: Final = 5
"""The number of steps between two checks of the error."""
_NEWTON: Final = 8
_EXACT: Final = 1e-8
_ROUNDED: Final = 4e-16
"""The relative rounding error of λ and of the logarithms."""
_STRAIGHT: Final = 0.9
"""The smallest cosine of the angle between two successive tangents."""
_MOVED: Final = 0.3
"""The largest correction by Newton steps, relative to the step length; otherwise the step is shortened."""
STEPS: Final = 2000
"""The largest number of evaluations of the equations, over all attempts."""
WORK: Final = 60_000_000
"""The largest number of factors multiplied over all evaluations: deep trees get fewer evaluations."""
NEAR: Final = 1e-6
"""If the error is smaller, no other attempt is made."""
_ENOUGH: Final = 1e-7
"""If the error is smaller, the path is not followed further."""
_NUDGE: Final = 1e-7
"""The size of a perturbation, relative to the range of the payoffs."""
LARGEST: Final = 150
"""The largest number of equations: a system of 150 takes 1/30 of a second, and a path needs hundreds."""


class LogitWorth(NamedTuple):
    """The values of the actions, given the probabilities of all actions."""

    moves: Floats
    """The value of each action at its information set."""
    slopes: list[Floats]
    """The derivatives with respect to the logarithm of each probability."""
    beliefs: list[Floats]
    """The beliefs about the histories of each information set."""


class _Come(NamedTuple):
    """The actions and chance moves that lead to a history."""

    way: tuple[int, ...] = ()
    """The actions of all players on the way, each as often as it occurs."""
    drawn: float = 0.0
    """The logarithm of the chance probability; chance moves of probability 0 are counted in `never`."""
    never: int = 0


class _Ended(NamedTuple):
    """A terminal history of the tree."""

    come: _Come
    pays: list[tuple[int, int, float]]
    """For each action on the way that it matters for: the action, its information set and its player's payoff."""


class LogitField:
    """The logit equations of a tree: the values of its actions, and their derivatives.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> field = LogitField(tree, [[0.0, 1.0], [2.0, 2.0], [1.0, 0.0]])
    >>> field.sizes, field.at([log(0.5)] * 4).moves
    ([2, 2], [1.5, 0.0, 2.0, 0.0])
    """

    def __init__(self, tree: Tree, pay: Sequence[Sequence[float]]) -> None:
        """Build the equations; `pay` has the payoffs of each terminal history, in order."""
        self.sizes = [len(record.moves) for record in tree.sets]
        self.starts = edges(tree)[:-1]
        """The index of the first action of each information set."""
        self.count = sum(self.sizes)
        ranges = [(max(payoffs_of_player) - min(payoffs_of_player)) or 1.0 for payoffs_of_player in zip(*pay, strict=True)]
        self.stakes = [ranges[record.seat] for record in tree.sets]
        """For each information set: the payoff range of its player."""
        infoset_of_action = [index for index, size in enumerate(self.sizes) for _ in range(size)]
        reaches = [_Come()] * tree.histories
        for node, (actor, index) in enumerate(zip(tree.actor, tree.info, strict=True)):
            actions, log_chance, impossible = reaches[node]
            for action, child in enumerate(tree.children(node)):
                if actor == CHANCE:
                    probability = float(tree.chances[index].probabilities[action])
                    reaches[child] = _Come(actions, log_chance + log(probability or 1.0), impossible + (not probability))
                else:
                    reaches[child] = _Come((*actions, self.starts[index] + action), log_chance, impossible)
        set_reaches = [[reaches[node] for node in nodes] for nodes in members(tree)]
        min_impossible = [min(reach.never for reach in set_reach) for set_reach in set_reaches]
        self.sets = [
            [(reach, reach.never == fewest) for reach in set_reach] for set_reach, fewest in zip(set_reaches, min_impossible, strict=True)
        ]
        """For each information set: how its histories are reached, and whether a history can have a positive belief.

        It cannot if it needs more chance moves of probability 0 than another history."""
        self.ends = list[_Ended]()
        dependencies = [{action_index for reach in set_reach for action_index in reach.way} for set_reach in set_reaches]
        terminal_nodes = (node for node, actor in enumerate(tree.actor) if actor == OVER)
        for node, payoffs_here in zip(terminal_nodes, pay, strict=True):
            affected = [
                action_index for action_index in reaches[node].way if reaches[node].never == min_impossible[infoset_of_action[action_index]]
            ]
            for action_index in affected:
                dependencies[infoset_of_action[action_index]].update(reaches[node].way)
            self.ends.append(
                _Ended(
                    reaches[node],
                    [
                        (action_index, infoset_of_action[action_index], payoffs_here[tree.sets[infoset_of_action[action_index]].seat])
                        for action_index in affected
                    ],
                )
            )

        self.work = sum(len(terminal.come.way) * (1 + len(terminal.pays)) for terminal in self.ends)
        """The number of factors multiplied in each evaluation."""
        self.close = [
            sorted(indices | set(range(start, start + size)))
            for indices, start, size in zip(dependencies, self.starts, self.sizes, strict=True)
        ]
        """For each information set: the actions whose probabilities affect the values of its own actions."""

    def at(self, logs: Floats) -> LogitWorth:
        """Return the values of the actions at these logarithms of their probabilities."""
        beliefs, log_totals, action_beliefs = list[list[float]](), list[float](), list[dict[int, float]]()
        for histories in self.sets:
            log_reaches = [
                reach.drawn + sum([logs[index] for index in reach.way]) if is_possible else -inf for reach, is_possible in histories
            ]
            largest = max(log_reaches)
            weights = [exp(log_reach - largest) for log_reach in log_reaches]
            total = sum(weights)
            beliefs.append([weight / total for weight in weights])
            log_totals.append(largest + log(total))
            belief_of: dict[int, float] = {}
            for (reach, _), belief in zip(histories, beliefs[-1], strict=True):
                for index in reach.way if belief else ():
                    belief_of[index] = belief_of.get(index, 0.0) + belief
            action_beliefs.append(belief_of)
        values, gradients = [0.0] * self.count, [[0.0] * self.count for _ in range(self.count)]
        for (actions, log_chance, _), payoff_terms in self.ends:
            log_reach = log_chance + sum([logs[index] for index in actions])
            for index, infoset, payoff in payoff_terms:
                if share := exp(log_reach - logs[index] - log_totals[infoset]) * payoff:
                    values[index] += share
                    gradient = gradients[index]
                    for other_index in actions:
                        gradient[other_index] += share
        for start, size, belief_of in zip(self.starts, self.sizes, action_beliefs, strict=True):
            for index in range(start, start + size):
                own_value, gradient = values[index], gradients[index]
                for other_index, belief in belief_of.items():
                    gradient[other_index] -= own_value * belief
                gradient[index] -= own_value
        return LogitWorth(values, gradients, beliefs)

    def chances(self, logs: Floats) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities at each information set; they add up to 1."""
        rows = []
        for start, size in zip(self.starts, self.sizes, strict=True):
            weights = [exp(log_weight) for log_weight in logs[start : start + size]]
            rows.append(tuple([weight / sum(weights) for weight in weights]))
        return tuple(rows)

    def regret(self, logs: Floats) -> float:
        """Return the largest gain at an information set under its beliefs.

        It is relative to the payoff range of the player.
        """
        values, largest = self.at(logs).moves, -inf
        for start, row, payoff_range in zip(self.starts, self.chances(logs), self.stakes, strict=True):
            own_values = values[start : start + len(row)]
            largest = max(
                largest,
                (max(own_values) - sum([probability * own_value for probability, own_value in zip(row, own_values, strict=True)]))
                / payoff_range,
            )
        return largest

    def equations(self, point: Floats) -> tuple[Floats, list[Floats]]:
        """Return the residuals of the equations at a point, and their Jacobian.

        A point has the logarithms of the probabilities, and λ.
        """
        logs, rationality = point[:-1], point[-1]
        values, gradients, _ = self.at(logs)
        residuals, jacobian = list[float](), list[list[float]]()
        for start, size, dependencies in zip(self.starts, self.sizes, self.close, strict=True):
            weights = [exp(log_weight) for log_weight in logs[start : start + size]]
            residuals.append(sum(weights) - 1)
            jacobian.append([0.0] * start + weights + [0.0] * (self.count - start - size + 1))
            for index in range(start + 1, start + size):
                difference = values[index] - values[start]
                residuals.append(logs[index] - logs[start] - rationality * difference)
                jacobian_row, own_gradient, first_gradient = [0.0] * (self.count + 1), gradients[index], gradients[start]
                for other_index in dependencies:
                    jacobian_row[other_index] = -rationality * (own_gradient[other_index] - first_gradient[other_index])
                jacobian_row[index] += 1
                jacobian_row[start] -= 1
                jacobian_row[-1] = -difference
                jacobian.append(jacobian_row)
        return residuals, jacobian


class LogitBranch:
    """A path of solutions that starts where all actions are equally likely.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> branch = LogitBranch(LogitField(textbook("entry"), [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]), kept=False)
    >>> branch.follow(1000, lambda logs: False)
    False
    >>> branch.points[-1][-1] > 100
    True
    """

    def __init__(self, field: LogitField, *, kept: bool) -> None:
        """Start a path; if `kept`, the initial sign of the determinant gives the direction.

        Otherwise the path goes straight on.
        """
        self.field, self.kept = field, kept
        self.points = [[-log(size) for size in field.sizes for _ in range(size)] + [0.0]]
        """The points of the path: the logarithms of the probabilities, and λ."""
        self.forks: list[float] = []
        """The values of λ where the sign of the determinant changed and the path went straight on: another path crosses there."""
        self.looks = 0
        """The number of evaluations of the equations."""

    def follow(self, looks: int, near: Callable[[Floats], bool]) -> bool:
        """Follow the path; return whether the end is near.

        It stops early after `looks` evaluations, or if there is no way on.
        """
        system, point = self.field, self.points[-1]
        self.looks += 1
        jacobian = system.equations(point)[1]
        direction = [0.0] * system.count + [1.0]
        direction, sign = self._tangent(LinearSystem([*jacobian, direction]), direction, None)
        step_length, step_count = 0.03, 0
        while self.looks < looks:
            result = self._step(point, direction, step_length, sign)
            if result is None:
                step_length /= 2
                if step_length < 1e-10 * (1 + _size(point)):
                    break
                continue
            next_point, direction, new_sign = result
            if not self.kept and new_sign != sign:
                sign = new_sign
                self.forks.append((point[-1] + next_point[-1]) / 2)
            point, step_length, step_count = next_point, step_length * 1.5, step_count + 1
            self.points.append(point)
            if step_count % _LOOKED == 0 and point[-1] >= NEAREST and near(point[:-1]):
                return True
            if not -0.01 <= point[-1] <= FARTHEST:
                break
        return bool(system.count) and near(point[:-1])

    def _step(self, here: Floats, ahead: Floats, step: float, sign: float) -> tuple[Floats, Floats, float] | None:
        """Return the next point, the tangent there and the sign there.

        Return None if the Newton steps don't find it near by.
        """
        guess = [coordinate + step * slope_ for coordinate, slope_ in zip(here, ahead, strict=True)]
        candidate, last_size = guess, inf
        for _ in range(_NEWTON):
            self.looks += 1
            try:
                residuals, jacobian = self.field.equations(candidate)
            except OverflowError:  # far from any probability
                return None
            residual_size = _size(residuals)
            if not isfinite(residual_size + sum(map(sum, jacobian))):
                return None
            linear_system = LinearSystem([*jacobian, ahead])
            if residual_size < _EXACT * (1 + abs(candidate[-1]) * 1e-3) + _ROUNDED * abs(candidate[-1]) * _size(candidate):
                tangent, new_sign = self._tangent(linear_system, ahead, sign if self.kept else None)
                is_straight = _dot(tangent, ahead) > _STRAIGHT and _size(_less(candidate, guess)) < _MOVED * step + 1e-9
                return (candidate, tangent, new_sign) if is_straight else None
            if residual_size > 2 * last_size:
                return None
            last_size = residual_size
            correction = linear_system.solved([*residuals, _dot(ahead, _less(candidate, here)) - step])
            if correction is None:
                return None
            candidate = _less(candidate, correction)
        return None

    def _tangent(self, system: LinearSystem, ahead: Floats, sign: float | None) -> tuple[Floats, float]:
        """Return the tangent and the sign of the determinant with it.

        If `sign` is given, the direction keeps that sign; otherwise it goes straight on. Exactly at a crossing it goes
        straight on.
        """
        tangent = system.solved([0.0] * (len(ahead) - 1) + [1.0])
        if tangent is None:
            return ahead, sign or 1.0
        length = sqrt(_dot(tangent, tangent))
        is_backward = (
            _dot(tangent, ahead) < 0 if sign is None else system.sign != sign
        )  # the sign is the same with the new direction as with the last
        return (
            ([-coordinate / length for coordinate in tangent], -system.sign)
            if is_backward
            else ([coordinate / length for coordinate in tangent], system.sign)
        )


def _dot(ones: Floats, others: Floats) -> float:
    return sum([first * second for first, second in zip(ones, others, strict=True)])


def _less(ones: Floats, others: Floats) -> Floats:
    return [first - second for first, second in zip(ones, others, strict=True)]


def _size(ones: Floats) -> float:
    """Return the largest absolute value; infinity if a number is not finite."""
    return max(map(abs, ones)) if all(map(isfinite, ones)) else inf


Rows = tuple[tuple[float, ...], ...]


class LogitPoint(NamedTuple):
    """A point on the path: a logit equilibrium."""

    rationality: float
    """The parameter λ, for one unit of the payoffs."""
    rows: Rows
    """The probability of each action, by information sets."""


class Logit(NamedTuple):
    """The result of following a path of logit equilibria."""

    strategy: Strategy
    """The strategy at the end of the path, in floats."""
    beliefs: Rows
    """The beliefs of the player at each information set."""
    rationality: float
    """The parameter λ at the end of the path, for one unit of the payoffs."""
    error: float
    """The largest gain of a player by deviating, relative to their payoff range.

    The deviation starts at the root, or at an information set under its beliefs; with imperfect recall only the latter."""
    path: tuple[LogitPoint, ...]
    """The points of the path, from where all actions are equally likely."""
    forks: tuple[float, ...]
    """The values of λ near which another path crosses. The path goes straight on there, and its end is that of this branch alone."""
    nudged: bool
    """True if payoffs had to be perturbed, by 1e-7 of their range: then no path crosses, and the branch was chosen at random."""


def logit_path(tree: Tree, *, steps: int = STEPS) -> Logit:
    """Follow the path of logit equilibria from where all actions are equally likely.

    It takes any game with any number of players, and stops after `steps` evaluations. A game with many actions takes
    long (`followable`).

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> result = logit_path(textbook("horse"))
    >>> [tuple(round(number, 3) for number in row) for row in result.strategy]
    [(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)]
    >>> [round(number, 2) for number in result.beliefs[1]], result.error < 1e-6, result.forks
    ([0.33, 0.67], True, ())
    """
    require_tree(tree)
    if not tree.sets:
        return Logit(made(tree.sets, ()), (), 0.0, 0.0, (LogitPoint(0.0, ()),), (), nudged=False)
    payoffs, span = _payoffs(tree)
    unperturbed, scaled_tree = LogitField(tree, payoffs), measured(tree)
    attempts, evaluations_left = list[tuple[float, LogitBranch, bool]](), min(steps, max(1, WORK // unperturbed.work))
    for perturbation, keeps_sign in ((0.0, False), (0.0, True), (_NUDGE, False), (_NUDGE, True)):
        rng = Random(1)
        equations = (
            LogitField(tree, [[payoff + perturbation * rng.random() for payoff in payoffs_here] for payoffs_here in payoffs])
            if perturbation
            else unperturbed
        )
        follower = LogitBranch(equations, kept=keeps_sign)
        follower.follow(evaluations_left, partial(_is_near, scaled_tree, unperturbed, _ENOUGH + 1.5 * perturbation))
        error = _error(scaled_tree, unperturbed, follower.points[-1][:-1])
        attempts.append((error, follower, bool(perturbation)))
        evaluations_left -= follower.looks
        if error < NEAR or evaluations_left <= 0:
            break
    error, follower, is_perturbed = min(attempts, key=itemgetter(0))
    return _told(tree, unperturbed, follower, error, span, nudged=is_perturbed)


def followable(tree: Tree) -> bool:
    """Return whether the path of a game can be followed in a short time.

    Floats must hold its payoffs, and it may have at most 149 actions.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> followable(textbook("horse"))
    True
    """
    return sum(len(record.moves) for record in tree.sets) < LARGEST and in_decimals(tree)


def _told(tree: Tree, field: LogitField, branch: LogitBranch, error: float, span: float, *, nudged: bool) -> Logit:
    """Return the result of following a path."""
    path = tuple([LogitPoint(max(0.0, point[-1]) / span, field.chances(point[:-1])) for point in branch.points])
    beliefs = field.at(branch.points[-1][:-1]).beliefs
    return Logit(
        made(tree.sets, path[-1].rows),
        tuple(map(tuple, beliefs)),
        path[-1].rationality,
        error,
        path,
        tuple([rationality / span for rationality in branch.forks]),
        nudged,
    )


def _payoffs(tree: Tree) -> tuple[list[list[float]], float]:
    """Scale the payoffs of each terminal history to the range of all; return it too."""
    payoff_vectors = [tree.payoffs[tree.info[node]] for node, actor in enumerate(tree.actor) if actor == OVER]
    minimums = list(map(min, zip(*payoff_vectors, strict=True)))
    span = max(
        map(
            max,
            zip(
                *([payoff - minimum for payoff, minimum in zip(payoffs, minimums, strict=True)] for payoffs in payoff_vectors), strict=True
            ),
        )
    ) or Fraction(1)
    [float_span] = map(float, in_floats([span], tree))
    return [
        [float(Fraction(payoff - minimum) / span) for payoff, minimum in zip(payoffs, minimums, strict=True)] for payoffs in payoff_vectors
    ], float_span or 1.0


def _is_near(own: Tree, field: LogitField, most: float, logs: Floats) -> bool:
    """Return whether the error is below the limit."""
    return _error(own, field, logs, most) < most


def _error(own: Tree, field: LogitField, logs: Floats, most: float = inf) -> float:
    """Return the largest gain by deviating, relative to the player's own payoff range.

    The deviation starts at an information set or at the root. If the first gain is not below `most`, the second is not
    computed.
    """
    regret = field.regret(logs)
    if not regret < most or forgets(own):
        return regret
    strategy = made(own.sets, field.chances(logs))
    gains = [float(best_response(own, strategy, player).value - value(own, strategy, player)) for player in range(own.seats)]
    return max(regret, *gains)


class LinearSystem:
    """Linear equations, decomposed into triangular factors with partial pivoting.

    >>> system = LinearSystem([[0.0, 2.0], [1.0, 1.0]])
    >>> system.sign, system.solved([4.0, 5.0])
    (-1.0, [3.0, 2.0])
    >>> LinearSystem([[1.0, 1.0], [2.0, 2.0]]).solved([1.0, 2.0]) is None
    True
    """

    def __init__(self, lines: Sequence[Sequence[float]]) -> None:
        rows, self.sign = [list(row_entries) for row_entries in lines], 1.0
        """The sign of the determinant; 0 if there is no solution, or more than one."""
        self.order = list(range(len(rows)))
        """The index of the equation in each row."""
        for column in range(len(rows)):
            pivot_row = max(range(column, len(rows)), key=lambda row_entries: abs(rows[row_entries][column]))
            if pivot_row != column:
                rows[column], rows[pivot_row], self.sign = rows[pivot_row], rows[column], -self.sign
                self.order[column], self.order[pivot_row] = self.order[pivot_row], self.order[column]
            pivot, rest = rows[column][column], rows[column][column + 1 :]
            if not pivot:
                self.sign = 0.0
                break
            if pivot < 0:
                self.sign = -self.sign
            for row_entries in rows[column + 1 :]:
                if row_entries[column]:
                    factor = row_entries[column] / pivot
                    row_entries[column:] = [
                        factor,
                        *[entry - factor * pivot_entry for entry, pivot_entry in zip(row_entries[column + 1 :], rest, strict=True)],
                    ]
        self.rows = rows

    def solved(self, right: Sequence[float]) -> list[float] | None:
        """Return the unknowns for these right sides, or None if the determinant is 0."""
        if not self.sign:
            return None
        unknowns = list[float]()
        for row, equation in zip(self.rows, self.order, strict=True):
            unknowns.append(right[equation] - sum([factor * unknown for factor, unknown in zip(row, unknowns, strict=False)]))
        for index in reversed(range(len(unknowns))):
            row = self.rows[index]
            unknowns[index] = (
                unknowns[index] - sum([factor * unknown for factor, unknown in zip(row[index + 1 :], unknowns[index + 1 :], strict=True)])
            ) / row[index]
        return unknowns
