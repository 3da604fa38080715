"""Follows the path of logit (quantal response) equilibria, for any number of players.

For two moves of an information set, the difference of log-probabilities is λ times the difference of their expected
payoffs, with beliefs by Bayes' rule. The path starts at λ = 0, where all moves are equally likely. As λ grows without
end it leads to a sequential equilibrium (McKelvey, R. D. and Palfrey, T. R. (1998): Quantal response equilibria for
extensive form games. Experimental Economics 1, 9-41). It is followed in logarithms by tangent and Newton steps
(Turocy, T. L. (2010): Computing sequential equilibria using agent quantal response equilibria. Economic Theory 42,
255-269). At a fold, the sign of a determinant gives the direction; where paths cross, the path has to go straight on.
Both rules are tried, and then payoffs that are perturbed by 1e-7. Plain Python is enough, because numpy would only
halve the time.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import exp, inf, isfinite, log, sqrt
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import list_infoset_nodes
from durak_widget.gametheory.best_responses import action_offsets, best_response, convert_payoffs_to_floats, value
from durak_widget.gametheory.game_properties import normalize_payoffs, payoffs_fit_floats
from durak_widget.gametheory.strategy import build_unchecked_strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, describe_imperfect_recall, require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    Floats = list[float]

MAX_RATIONALITY: Final = 1e8
"""The precision λ (rationality) at which the path of logit equilibria ends, for payoffs scaled to a range of 1."""
MIN_RATIONALITY: Final = 20.0
"""The smallest precision λ at which the path may end. An equilibrium before it may be left again, because another
path can cross there.
"""
_STEPS_BETWEEN_CHECKS: Final = 5
"""The number of steps along the path after which the program checks how close the path is to an equilibrium."""
_MAX_NEWTON_STEPS: Final = 8
_NEWTON_TOLERANCE: Final = 1e-8
_ROUNDING_ERROR: Final = 4e-16
"""The relative rounding error to expect in λ and in the logarithms of the probabilities."""
_MIN_TANGENT_COSINE: Final = 0.9
"""The smallest allowed cosine of the angle between two successive tangents of the path."""
_MAX_CORRECTION: Final = 0.3
"""The largest allowed correction by Newton steps, relative to the step length; if it is larger, the step is shortened."""
MAX_EVALUATIONS: Final = 2000
"""The maximum number of evaluations of the logit equations, over all attempts to follow the path."""
MAX_FACTORS: Final = 60_000_000
"""The maximum number of factors that all evaluations of the logit equations multiply together; a deep tree allows
fewer evaluations.
"""
ACCEPTED_ERROR: Final = 1e-6
"""If the error of the equilibrium is below this limit, the search makes no further attempt with another path."""
_TARGET_ERROR: Final = 1e-7
"""If the error of the equilibrium is below this limit, the search stops following the path."""
_PERTURBATION: Final = 1e-7
"""The size of the random change of payoffs, relative to the range of the payoffs."""
MAX_EQUATIONS: Final = 150
"""The maximum number of logit equations. Solving 150 equations takes 1/30 of a second, and following a path needs
hundreds of solutions.
"""


class LogitEvaluation(NamedTuple):
    """The results of evaluating the logit equations at given action probabilities."""

    action_values: Floats
    """The value of each action at its information set."""
    gradients: list[Floats]
    """The derivatives of the action values with respect to the logarithm of each probability."""
    beliefs: list[Floats]
    """The belief at each information set: the probability of each of its histories."""


class _NodeReach(NamedTuple):
    """The actions and chance moves on the path to a history."""

    actions: tuple[int, ...] = ()
    """The actions of all players on the path; an action that occurs twice is listed twice."""
    log_chance: float = 0.0
    """The logarithm of the product of all positive chance probabilities on the path."""
    impossible_chance_moves: int = 0


class _TerminalReach(NamedTuple):
    """A terminal history: the moves that lead to it, and its payoffs."""

    reach: _NodeReach
    payoff_terms: list[tuple[int, int, float]]
    """For each action on the path whose value depends on the payoffs: the action, its information set, and the payoff
    of the player who acts there.
    """


class LogitEquations:
    """The logit equations of a game tree, and the functions that evaluate them.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> field = LogitEquations(tree, [[0.0, 1.0], [2.0, 2.0], [1.0, 0.0]])
    >>> field.action_counts, field.evaluate([log(0.5)] * 4).action_values
    ([2, 2], [1.5, 0.0, 2.0, 0.0])
    """

    def __init__(self, tree: Tree, payoffs: Sequence[Sequence[float]]) -> None:
        """Build the logit equations of a tree; `payoffs` lists each terminal history's payoffs."""
        self.action_counts = [len(record.actions) for record in tree.infosets]
        self.action_offsets = action_offsets(tree)[:-1]
        """The index of the first action of each information set."""
        self.action_count = sum(self.action_counts)
        ranges = [(max(payoffs_of_player) - min(payoffs_of_player)) or 1.0 for payoffs_of_player in zip(*payoffs, strict=True)]
        self.payoff_ranges = [ranges[record.player] for record in tree.infosets]
        """For each information set: the difference between its player's highest and lowest payoff."""
        infoset_of_action = [index for index, size in enumerate(self.action_counts) for _ in range(size)]
        reaches = [_NodeReach()] * tree.history_count
        for node, (actor, index) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
            actions, log_chance, impossible = reaches[node]
            for action, child in enumerate(tree.children(node)):
                if actor == CHANCE:
                    probability = float(tree.chance_moves[index].probabilities[action])
                    reaches[child] = _NodeReach(actions, log_chance + log(probability or 1.0), impossible + (not probability))
                else:
                    reaches[child] = _NodeReach((*actions, self.action_offsets[index] + action), log_chance, impossible)
        set_reaches = [[reaches[node] for node in nodes] for nodes in list_infoset_nodes(tree)]
        min_impossible = [min(reach.impossible_chance_moves for reach in set_reach) for set_reach in set_reaches]
        self.infoset_reaches = [
            [(reach, reach.impossible_chance_moves == fewest) for reach in set_reach]
            for set_reach, fewest in zip(set_reaches, min_impossible, strict=True)
        ]
        """For each information set: how its histories are reached, and whether each history can have a positive belief.

        A history cannot if its path has more chance moves of probability 0 than the path of another history.
        """
        self.terminals = list[_TerminalReach]()
        dependencies = [{action_index for reach in set_reach for action_index in reach.actions} for set_reach in set_reaches]
        terminal_nodes = (node for node, actor in enumerate(tree.actor) if actor == TERMINAL)
        for node, payoffs_here in zip(terminal_nodes, payoffs, strict=True):
            affected = [
                action_index
                for action_index in reaches[node].actions
                if reaches[node].impossible_chance_moves == min_impossible[infoset_of_action[action_index]]
            ]
            for action_index in affected:
                dependencies[infoset_of_action[action_index]].update(reaches[node].actions)
            self.terminals.append(
                _TerminalReach(
                    reaches[node],
                    [
                        (action_index, infoset_of_action[action_index], payoffs_here[tree.infosets[infoset_of_action[action_index]].player])
                        for action_index in affected
                    ],
                )
            )

        self.factor_count = sum(len(terminal.reach.actions) * (1 + len(terminal.payoff_terms)) for terminal in self.terminals)
        """The number of factors that are multiplied in each evaluation of the equations."""
        self.dependencies = [
            sorted(indices | set(range(start, start + size)))
            for indices, start, size in zip(dependencies, self.action_offsets, self.action_counts, strict=True)
        ]
        """For each information set: the actions whose probabilities affect the values of the actions there."""

    def evaluate(self, log_probabilities: Floats) -> LogitEvaluation:
        """Return the value of every action, given the logarithms of all action probabilities."""
        beliefs, log_totals, action_beliefs = list[list[float]](), list[float](), list[dict[int, float]]()
        for histories in self.infoset_reaches:
            log_reaches = [
                reach.log_chance + sum([log_probabilities[index] for index in reach.actions]) if is_possible else -inf
                for reach, is_possible in histories
            ]
            largest = max(log_reaches)
            weights = [exp(log_reach - largest) for log_reach in log_reaches]
            total = sum(weights)
            beliefs.append([weight / total for weight in weights])
            log_totals.append(largest + log(total))
            belief_of: dict[int, float] = {}
            for (reach, _), belief in zip(histories, beliefs[-1], strict=True):
                for index in reach.actions if belief else ():
                    belief_of[index] = belief_of.get(index, 0.0) + belief
            action_beliefs.append(belief_of)
        values, gradients = [0.0] * self.action_count, [[0.0] * self.action_count for _ in range(self.action_count)]
        for (actions, log_chance, _), payoff_terms in self.terminals:
            log_reach = log_chance + sum([log_probabilities[index] for index in actions])
            for index, infoset, payoff in payoff_terms:
                if share := exp(log_reach - log_probabilities[index] - log_totals[infoset]) * payoff:
                    values[index] += share
                    gradient = gradients[index]
                    for other_index in actions:
                        gradient[other_index] += share
        for start, size, belief_of in zip(self.action_offsets, self.action_counts, action_beliefs, strict=True):
            for index in range(start, start + size):
                own_value, gradient = values[index], gradients[index]
                for other_index, belief in belief_of.items():
                    gradient[other_index] -= own_value * belief
                gradient[index] -= own_value
        return LogitEvaluation(values, gradients, beliefs)

    def to_probabilities(self, log_probabilities: Floats) -> tuple[tuple[float, ...], ...]:
        """Convert logarithms to probabilities that add up to 1 at each information set."""
        rows = []
        for start, size in zip(self.action_offsets, self.action_counts, strict=True):
            weights = [exp(log_weight) for log_weight in log_probabilities[start : start + size]]
            rows.append(tuple([weight / sum(weights) for weight in weights]))
        return tuple(rows)

    def compute_max_regret(self, log_probabilities: Floats) -> float:
        """Return the most that a player gains by one change of action, under the player's beliefs.

        The gain is relative to the payoff range of the player.
        """
        values, largest = self.evaluate(log_probabilities).action_values, -inf
        for start, row, payoff_range in zip(self.action_offsets, self.to_probabilities(log_probabilities), self.payoff_ranges, strict=True):
            own_values = values[start : start + len(row)]
            largest = max(
                largest,
                (max(own_values) - sum([probability * own_value for probability, own_value in zip(row, own_values, strict=True)]))
                / payoff_range,
            )
        return largest

    def compute_residuals_and_jacobian(self, point: Floats) -> tuple[Floats, list[Floats]]:
        """Return the residuals and the Jacobian matrix of the logit equations at a point.

        A point has the logarithms of the probabilities, and λ.
        """
        logs, rationality = point[:-1], point[-1]
        values, gradients, _ = self.evaluate(logs)
        residuals, jacobian = list[float](), list[list[float]]()
        for start, size, dependencies in zip(self.action_offsets, self.action_counts, self.dependencies, strict=True):
            weights = [exp(log_weight) for log_weight in logs[start : start + size]]
            residuals.append(sum(weights) - 1)
            jacobian.append([0.0] * start + weights + [0.0] * (self.action_count - start - size + 1))
            for index in range(start + 1, start + size):
                difference = values[index] - values[start]
                residuals.append(logs[index] - logs[start] - rationality * difference)
                jacobian_row, own_gradient, first_gradient = [0.0] * (self.action_count + 1), gradients[index], gradients[start]
                for other_index in dependencies:
                    jacobian_row[other_index] = -rationality * (own_gradient[other_index] - first_gradient[other_index])
                jacobian_row[index] += 1
                jacobian_row[start] -= 1
                jacobian_row[-1] = -difference
                jacobian.append(jacobian_row)
        return residuals, jacobian


class LogitPathFollower:
    """An object that follows the path of logit equilibria from equal probabilities on.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> branch = LogitPathFollower(LogitEquations(textbook("entry"), [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]), keeps_sign=False)
    >>> branch.follow(1000, lambda logs: False)
    False
    >>> branch.points[-1][-1] > 100
    True
    """

    def __init__(self, equations: LogitEquations, *, keeps_sign: bool) -> None:
        """Start a path of logit equilibria, with equal probabilities for all actions.

        `keeps_sign` chooses how the path finds its direction. If it is True, the determinant keeps the sign that it
        has at the start. Otherwise, the path goes straight on at every step.
        """
        self.equations, self.keeps_sign = equations, keeps_sign
        self.points = [[-log(size) for size in equations.action_counts for _ in range(size)] + [0.0]]
        """The points of the path: the logarithms of the probabilities, and λ last."""
        self.bifurcations: list[float] = []
        """The values of λ at bifurcations, where the sign of the determinant changed and the path went straight on."""
        self.evaluation_count = 0
        """The number of evaluations of the logit equations so far."""

    def follow(self, max_evaluations: int, is_near_end: Callable[[Floats], bool]) -> bool:
        """Follow the path to its end; return whether the end is close to an equilibrium.

        The search stops early after `max_evaluations` evaluations, or if no next point is found.
        """
        system, point = self.equations, self.points[-1]
        self.evaluation_count += 1
        jacobian = system.compute_residuals_and_jacobian(point)[1]
        direction = [0.0] * system.action_count + [1.0]
        direction, sign = self._compute_tangent(LinearSystem([*jacobian, direction]), direction, None)
        step_length, step_count = 0.03, 0
        while self.evaluation_count < max_evaluations:
            result = self._take_step(point, direction, step_length, sign)
            if result is None:
                step_length /= 2
                if step_length < 1e-10 * (1 + _max_norm(point)):
                    break
                continue
            next_point, direction, new_sign = result
            if not self.keeps_sign and new_sign != sign:
                sign = new_sign
                self.bifurcations.append((point[-1] + next_point[-1]) / 2)
            point, step_length, step_count = next_point, step_length * 1.5, step_count + 1
            self.points.append(point)
            if step_count % _STEPS_BETWEEN_CHECKS == 0 and point[-1] >= MIN_RATIONALITY and is_near_end(point[:-1]):
                return True
            if not -0.01 <= point[-1] <= MAX_RATIONALITY:
                break
        return bool(system.action_count) and is_near_end(point[:-1])

    def _take_step(self, point: Floats, direction: Floats, step: float, sign: float) -> tuple[Floats, Floats, float] | None:
        """Find the path's next point, with the tangent and the determinant's sign at this point.

        Return None if the Newton steps find no such point nearby.
        """
        guess = [coordinate + step * slope_ for coordinate, slope_ in zip(point, direction, strict=True)]
        candidate, last_size = guess, inf
        for _ in range(_MAX_NEWTON_STEPS):
            self.evaluation_count += 1
            try:
                residuals, jacobian = self.equations.compute_residuals_and_jacobian(candidate)
            except OverflowError:  # The logarithms are too large to compute the probabilities as floats
                return None
            residual_size = _max_norm(residuals)
            if not isfinite(residual_size + sum(map(sum, jacobian))):
                return None
            linear_system = LinearSystem([*jacobian, direction])
            if residual_size < _NEWTON_TOLERANCE * (1 + abs(candidate[-1]) * 1e-3) + _ROUNDING_ERROR * abs(candidate[-1]) * _max_norm(
                candidate
            ):
                tangent, new_sign = self._compute_tangent(linear_system, direction, sign if self.keeps_sign else None)
                is_straight = (
                    _dot(tangent, direction) > _MIN_TANGENT_COSINE
                    and _max_norm(_subtract(candidate, guess)) < _MAX_CORRECTION * step + 1e-9
                )
                return (candidate, tangent, new_sign) if is_straight else None
            if residual_size > 2 * last_size:
                return None
            last_size = residual_size
            correction = linear_system.solve([*residuals, _dot(direction, _subtract(candidate, point)) - step])
            if correction is None:
                return None
            candidate = _subtract(candidate, correction)
        return None

    def _compute_tangent(self, system: LinearSystem, direction: Floats, sign: float | None) -> tuple[Floats, float]:
        """Return the path's tangent at a point, and the sign of the linear system's determinant.

        If `sign` is given, the tangent has the direction with that sign of the determinant. Otherwise, or exactly at
        a crossing, it goes straight on.
        """
        tangent = system.solve([0.0] * (len(direction) - 1) + [1.0])
        if tangent is None:
            return direction, sign or 1.0
        length = sqrt(_dot(tangent, tangent))
        is_backward = (
            _dot(tangent, direction) < 0 if sign is None else system.determinant_sign != sign
        )  # If a sign of the determinant is given, this sign decides the direction; if none is given, the path goes straight on
        return (
            ([-coordinate / length for coordinate in tangent], -system.determinant_sign)
            if is_backward
            else ([coordinate / length for coordinate in tangent], system.determinant_sign)
        )


def _dot(left: Floats, right: Floats) -> float:
    """Return the dot product of two vectors."""
    return sum([first * second for first, second in zip(left, right, strict=True)])


def _subtract(left: Floats, right: Floats) -> Floats:
    """Return the difference of two vectors."""
    return [first - second for first, second in zip(left, right, strict=True)]


def _max_norm(vector: Floats) -> float:
    """Return the largest absolute value in a vector; infinity if an entry is not finite."""
    return max(map(abs, vector)) if all(map(isfinite, vector)) else inf


ProbabilityRows = tuple[tuple[float, ...], ...]


class LogitPoint(NamedTuple):
    """A point on the path of logit equilibria."""

    rationality: float
    """The precision parameter λ of the logit equilibrium, per unit of payoff."""
    rows: ProbabilityRows
    """The probability of each action, in one row for each information set."""


class LogitPathResult(NamedTuple):
    """The result of following a path of logit equilibria."""

    strategy: Strategy
    """The strategy at the end of the path, with float probabilities."""
    beliefs: ProbabilityRows
    """The belief at each information set about which of its histories was played."""
    rationality: float
    """The precision parameter λ at the end of the path, per unit of payoff."""
    error: float
    """The largest gain of any player from deviating, relative to the range of the player's payoffs.

    The deviation starts at the root, or at an information set under its beliefs; with imperfect recall only the latter.
    """
    path: tuple[LogitPoint, ...]
    """The points of the path, beginning with equal probabilities of all actions."""
    bifurcations: tuple[float, ...]
    """The values of λ near which another path crosses this one. The path goes straight on there, so it follows only
    one of several branches.
    """
    is_perturbed: bool
    """True if payoffs were changed at random, by 1e-7 of their range, so that paths do not cross; the followed branch
    is then random.
    """


def follow_logit_path(tree: Tree, *, max_evaluations: int = MAX_EVALUATIONS) -> LogitPathResult:
    """Follow the path of logit equilibria, starting at equal probabilities for all actions.

    The game may have any number of players. The search stops after `max_evaluations` evaluations. A game with many
    actions takes a long time; see `can_follow_logit_path`.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> result = follow_logit_path(textbook("horse"))
    >>> [tuple(round(number, 3) for number in row) for row in result.strategy]
    [(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)]
    >>> [round(number, 2) for number in result.beliefs[1]], result.error < 1e-6, result.bifurcations
    ([0.33, 0.67], True, ())
    """
    require_tree(tree)
    if not tree.infosets:
        return LogitPathResult(build_unchecked_strategy(tree.infosets, ()), (), 0.0, 0.0, (LogitPoint(0.0, ()),), (), is_perturbed=False)
    payoffs, span = _scale_payoffs(tree)
    unperturbed, scaled_tree = LogitEquations(tree, payoffs), normalize_payoffs(tree)
    attempts, evaluations_left = (
        list[tuple[float, LogitPathFollower, bool]](),
        min(max_evaluations, max(1, MAX_FACTORS // unperturbed.factor_count)),
    )
    for perturbation, keeps_sign in ((0.0, False), (0.0, True), (_PERTURBATION, False), (_PERTURBATION, True)):
        rng = Random(1)
        equations = (
            LogitEquations(tree, [[payoff + perturbation * rng.random() for payoff in payoffs_here] for payoffs_here in payoffs])
            if perturbation
            else unperturbed
        )
        follower = LogitPathFollower(equations, keeps_sign=keeps_sign)
        follower.follow(evaluations_left, partial(_is_error_below, scaled_tree, unperturbed, _TARGET_ERROR + 1.5 * perturbation))
        error = _compute_error(scaled_tree, unperturbed, follower.points[-1][:-1])
        attempts.append((error, follower, bool(perturbation)))
        evaluations_left -= follower.evaluation_count
        if error < ACCEPTED_ERROR or evaluations_left <= 0:
            break
    error, follower, is_perturbed = min(attempts, key=itemgetter(0))
    return _build_result(tree, unperturbed, follower, error, span, is_perturbed=is_perturbed)


def can_follow_logit_path(tree: Tree) -> bool:
    """Return whether the path of logit equilibria of a game can be followed in a short time.

    All payoffs must fit into floats, and the game may have at most 149 actions.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> can_follow_logit_path(textbook("horse"))
    True
    """
    return sum(len(record.actions) for record in tree.infosets) < MAX_EQUATIONS and payoffs_fit_floats(tree)


def _build_result(
    tree: Tree, equations: LogitEquations, branch: LogitPathFollower, error: float, span: float, *, is_perturbed: bool
) -> LogitPathResult:
    """Return the result of following a path of logit equilibria."""
    path = tuple([LogitPoint(max(0.0, point[-1]) / span, equations.to_probabilities(point[:-1])) for point in branch.points])
    beliefs = equations.evaluate(branch.points[-1][:-1]).beliefs
    return LogitPathResult(
        build_unchecked_strategy(tree.infosets, path[-1].rows),
        tuple(map(tuple, beliefs)),
        path[-1].rationality,
        error,
        path,
        tuple([rationality / span for rationality in branch.bifurcations]),
        is_perturbed,
    )


def _scale_payoffs(tree: Tree) -> tuple[list[list[float]], float]:
    """Scale the payoffs of a tree to a range of 1; also return the range before scaling."""
    payoff_vectors = [tree.payoffs[tree.infoset_of[node]] for node, actor in enumerate(tree.actor) if actor == TERMINAL]
    minimums = list(map(min, zip(*payoff_vectors, strict=True)))
    span = max(
        map(
            max,
            zip(
                *([payoff - minimum for payoff, minimum in zip(payoffs, minimums, strict=True)] for payoffs in payoff_vectors), strict=True
            ),
        )
    ) or Fraction(1)
    [float_span] = map(float, convert_payoffs_to_floats([span], tree))
    return [
        [float(Fraction(payoff - minimum) / span) for payoff, minimum in zip(payoffs, minimums, strict=True)] for payoffs in payoff_vectors
    ], float_span or 1.0


def _is_error_below(scaled_tree: Tree, equations: LogitEquations, limit: float, log_probabilities: Floats) -> bool:
    """Return whether every player's relative gain from deviating is below a limit."""
    return _compute_error(scaled_tree, equations, log_probabilities, limit) < limit


def _compute_error(scaled_tree: Tree, equations: LogitEquations, log_probabilities: Floats, limit: float = inf) -> float:
    """Return the largest gain of any player by deviating, relative to the payoff range.

    The deviation starts at an information set or at the root. If the first gain is not below `limit`, the second is not
    computed.
    """
    regret = equations.compute_max_regret(log_probabilities)
    if not regret < limit or describe_imperfect_recall(scaled_tree):
        return regret
    strategy = build_unchecked_strategy(scaled_tree.infosets, equations.to_probabilities(log_probabilities))
    gains = [
        float(best_response(scaled_tree, strategy, player).value - value(scaled_tree, strategy, player))
        for player in range(scaled_tree.player_count)
    ]
    return max(regret, *gains)


class LinearSystem:
    """A system of linear equations, decomposed by Gaussian elimination with partial pivoting.

    >>> system = LinearSystem([[0.0, 2.0], [1.0, 1.0]])
    >>> system.determinant_sign, system.solve([4.0, 5.0])
    (-1.0, [3.0, 2.0])
    >>> LinearSystem([[1.0, 1.0], [2.0, 2.0]]).solve([1.0, 2.0]) is None
    True
    """

    def __init__(self, coefficients: Sequence[Sequence[float]]) -> None:
        rows, self.determinant_sign = [list(row_entries) for row_entries in coefficients], 1.0
        """The sign of the system's determinant; 0 if the equations have no solution or more than one."""
        self.row_order = list(range(len(rows)))
        """For each row after pivoting: the index of its original equation."""
        for column in range(len(rows)):
            pivot_row = max(range(column, len(rows)), key=lambda row_entries: abs(rows[row_entries][column]))
            if pivot_row != column:
                rows[column], rows[pivot_row], self.determinant_sign = rows[pivot_row], rows[column], -self.determinant_sign
                self.row_order[column], self.row_order[pivot_row] = self.row_order[pivot_row], self.row_order[column]
            pivot, rest = rows[column][column], rows[column][column + 1 :]
            if not pivot:
                self.determinant_sign = 0.0
                break
            if pivot < 0:
                self.determinant_sign = -self.determinant_sign
            for row_entries in rows[column + 1 :]:
                if row_entries[column]:
                    factor = row_entries[column] / pivot
                    row_entries[column:] = [
                        factor,
                        *[entry - factor * pivot_entry for entry, pivot_entry in zip(row_entries[column + 1 :], rest, strict=True)],
                    ]
        self.lu_rows = rows

    def solve(self, right_sides: Sequence[float]) -> list[float] | None:
        """Return the solution for given right-hand sides, or None if the determinant is 0."""
        if not self.determinant_sign:
            return None
        unknowns = list[float]()
        for row, equation in zip(self.lu_rows, self.row_order, strict=True):
            unknowns.append(right_sides[equation] - sum([factor * unknown for factor, unknown in zip(row, unknowns, strict=False)]))
        for index in reversed(range(len(unknowns))):
            row = self.lu_rows[index]
            unknowns[index] = (
                unknowns[index] - sum([factor * unknown for factor, unknown in zip(row[index + 1 :], unknowns[index + 1 :], strict=True)])
            ) / row[index]
        return unknowns
