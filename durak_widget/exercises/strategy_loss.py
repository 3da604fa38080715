"""Measures what a strategy loses.

It is judged for one player against a best response or known strategies, or for all players together.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.analysis.game_at_node import game_of
from durak_widget.analysis.strategy_evaluation import side_of
from durak_widget.errors import DurakError
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.best_responses import Held, best_response, reaches, value, values
from durak_widget.gametheory.game_properties import moves_are_seen, zero_sum
from durak_widget.gametheory.solver_selection import solve as answered
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError
from durak_widget.gametheory.zero_sum_solver import solve
from durak_widget.optional_dependencies import MissingError

if TYPE_CHECKING:
    from durak_widget.engine.game import Game
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree
    from durak_widget.gametheory.zero_sum_solver import Solution


class Loss(NamedTuple):
    """The loss of a strategy, and the play that shows it."""

    held: Held
    """The guaranteed value of the player that loses, and the value that was possible."""
    profile: Strategy
    """The strategies in the play that shows the loss: with the best response, or the one that would have gained."""
    place: int = -1
    """The information set at which most is lost; -1 if no single one loses."""
    move: int = -1
    """The better action there."""
    end: int = -1
    """The terminal node of the costliest path of that play."""

    @property
    def lost(self) -> Number:
        """Return how much is lost; 0 if the possible value is unknown."""
        return self.held.lost or 0


def slip(tree: Tree, found: Loss) -> int:
    """Return the node of the play at which most is lost.

    If no single node loses, it is the terminal node.
    """
    node = found.end
    while node >= 0 and (tree.actor[node] < 0 or tree.info[node] != found.place):
        node = tree.parent[node]
    return node if node >= 0 else found.end


def taken(tree: Tree, found: Loss, *, answered: bool) -> int:
    """Return the node after the move by which the loss happens.

    If `answered`, that is the first move of another player after the mistake, or else the last one before it. Otherwise it is the mistake
    itself.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> def look(where):
    ...     return End((1, -1) if where[0] == where[1] else (-1, 1)) if len(where) == 2 else Turn(len(where), "", [(one, where + one) for one in "ht"])
    >>> tree = grow("", look, seats=2)
    >>> found = Judge(tree, 0, None).loss(Strategy.of(tree, {0: "h"}))
    >>> [tree.moves_to(one) for one in (slip(tree, found), taken(tree, found, answered=True), taken(tree, found, answered=False))]
    [(), ('h', 't'), ('h',)]
    """
    path = [found.end]
    while tree.parent[path[-1]] >= 0:
        path.append(tree.parent[path[-1]])
    path.reverse()
    mistake_index = min(path.index(slip(tree, found)), len(path) - 2)
    others = [i for i, node in enumerate(path[:-1]) if tree.actor[node] not in (found.held.seat, CHANCE)] if answered else []
    move = next((i for i in others if i >= mistake_index), others[-1] if others else mistake_index)
    return path[move + 1]


class Judge:
    """An evaluator of the strategies of one game.

    The strategy belongs to one player of a two-player zero-sum game, to one player against known strategies, or to all players
    (`seat=None`).
    """

    def __init__(self, tree: Tree, seat: int | None, against: Strategy | None) -> None:
        self.tree, self.seat, self.against = tree, seat, against
        self._solution: Solution | None = None
        self._scale: Number | None = None
        if seat is not None and against is None and not zero_sum(tree):
            raise DurakError(
                "a strategy of one seat is judged against all that the other may do, where two play and one wins what the other loses; "
                "here say against whom (against=…), or ask for all seats (seat=None)"
            )
        if against is not None:
            against.require_sets(tree.sets)

    @property
    def solved(self) -> Strategy:
        """Return a strategy that loses nothing."""
        if self.against is not None and self.seat is not None:
            return best_response(self.tree, self.against, self.seat).strategy
        if self.seat is None and not zero_sum(self.tree):
            return self._equilibrium()
        return self._solved().strategy

    def _equilibrium(self) -> Strategy:
        """Return an equilibrium: strategies from which no player gains by deviating alone.

        It is found by backward induction if all moves are seen, otherwise by the solver for the game.
        """
        if moves_are_seen(self.tree):
            return backward_induction(self.tree).strategy
        solution = answered(self.tree)
        if not solution.exact:
            raise DurakError(
                "no equilibrium of this game is known exactly, so that none can be asked for; take a smaller game, or ask for a best answer"
            )
        return solution.strategy

    def _solved(self) -> Solution:
        if self._solution is None:
            try:
                self._solution = solve(self.tree, "backward")
            except TreeError:
                self._solution = solve(self.tree)
        return self._solution

    def loss(self, strategy: Strategy) -> Loss:
        """Return what a strategy loses.

        >>> from durak_widget.gametheory.tree import End, Turn, grow
        >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
        >>> found = Judge(tree, 0, None).loss(Strategy.uniform(tree))
        >>> found.held.lost, found.held.sure, found.place, found.move, tree.moves_to(found.end)
        (Fraction(1, 2), Fraction(1, 2), 0, 0, ('r',))
        """
        if self.seat is None:
            return max((self._gained(strategy, player) for player in range(self.tree.seats)), key=lambda gain: gain.lost)
        if self.against is not None:
            return self._gained(self.against.replaced(self.seat, strategy), self.seat)
        side = side_of(self.tree, strategy, self.seat, 1, self._solved())
        if not side.leaks:
            return Loss(side.held, side.punished, end=self._dearest(side.punished, self.seat))
        leak = side.leaks[0]
        move = self.tree.sets[leak.place].moves.index(leak.better)
        return Loss(side.held, side.punished, leak.place, move, leak.end)

    def _gained(self, strategy: Strategy, seat: int) -> Loss:
        """Return what a player would gain by deviating alone."""
        current_value, response = value(self.tree, strategy, seat), best_response(self.tree, strategy, seat)
        infoset, move, max_gain = -1, -1, Fraction(0)
        for index, (record, standing, row) in enumerate(
            zip(self.tree.sets, values(self.tree, response.strategy), strategy.rows, strict=True)
        ):
            if record.seat == seat:
                current = sum(probability * action_value for probability, action_value in zip(row, standing.counterfactual, strict=True))
                gain = max(standing.counterfactual) - current
                if gain > max_gain:
                    infoset, move, max_gain = index, standing.counterfactual.index(max(standing.counterfactual)), gain  # type: ignore[assignment]
        end = self._dearest(strategy, seat, infoset)
        return Loss(Held(seat, current_value, response.value), response.strategy, infoset, move, end)

    def _dearest(self, profile: Strategy, seat: int, place: int = -1) -> int:
        """Return the reached terminal node that costs a player most, after this information set."""
        tree, weights = self.tree, reaches(self.tree, profile)
        through = bytearray(tree.histories)
        costliest, cost = -1, None
        for node, (actor, info) in enumerate(zip(tree.actor, tree.info, strict=True)):
            through[node] = place < 0 or (actor >= 0 and info == place) or (node > 0 and through[tree.parent[node]])
            if actor == OVER and weights[node] and through[node]:
                candidate = (-tree.payoffs[info][seat], weights[node])
                if cost is None or candidate > cost:
                    costliest, cost = node, candidate
        return costliest if costliest >= 0 or place < 0 else self._dearest(profile, seat)

    def all_lost(self, strategy: Strategy) -> Number:
        """Return the number that is judged: the player's loss, or the average loss of all players."""
        if self.seat is not None and self.against is None:
            game_value = self._solved().value
            return (-game_value if self.seat else game_value) + best_response(self.tree, strategy, 1 - self.seat).value
        if self.seat is not None:
            return self.loss(strategy).lost
        return sum(self._gained(strategy, player).lost for player in range(self.tree.seats)) / self.tree.seats

    def beginning(self, at_most: Number) -> Strategy:
        """Return the strategy that is set at the start.

        It is uniform, or, if that is an answer already, the first action everywhere.

        >>> from durak_widget.gametheory.tree import End, Turn, grow
        >>> def look(where):
        ...     return End((1, -1) if where[0] == where[1] else (-1, 1)) if len(where) == 2 else Turn(len(where), "", [(one, where + one) for one in "ht"])
        >>> Judge(grow("", look, seats=2), 0, None).beginning(0).rows
        ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)))
        """
        uniform = Strategy.uniform(self.tree)
        try:
            if self.all_lost(uniform) > at_most:
                return uniform
        except MissingError:  # the value of the game needs a package that is missing here
            return uniform
        is_judged_set = [self.seat in {None, record.seat} for record in self.tree.sets]
        return Strategy(
            self.tree, [pure_row(0, len(row)) if is_judged else row for row, is_judged in zip(uniform.rows, is_judged_set, strict=True)]
        )

    def scale(self, at_most: Number) -> Number:
        """Return the loss that earns no credit.

        That is the loss of the starting strategy, or the largest possible loss if the former is allowed.
        """
        if self._scale is None:
            lost = self.all_lost(self.beginning(at_most))
            if lost <= at_most:
                lost = max(max(payoffs) - min(payoffs) for payoffs in zip(*self.tree.payoffs, strict=True))
            self._scale = lost
        return self._scale


def game_lost(tree: Tree, loss: Loss | None) -> Game | None:
    """Return the costliest play as a game of Durak; None for other games or without a loss.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> game_lost(textbook("kuhn"), None) is None
    True
    """
    return game_of(tree, loss.end) if loss is not None and loss.end >= 0 and isinstance(tree.origin, Origin) else None
