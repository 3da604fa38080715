"""What a strategy loses, and to whom: for one seat against a punisher, against strategies that are known, or for all seats together."""

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
    """What a strategy loses, and the play that shows it."""

    held: Held
    """What is left to the seat that loses, and what it could have."""
    profile: Strategy
    """What all seats do in the play that shows it: the answer that takes most, or the one that would have had more."""
    place: int = -1
    """The information set at which the most is lost; -1 where none loses by itself."""
    move: int = -1
    """What would be better there."""
    end: int = -1
    """A history to the end of that play, the one that costs most."""

    @property
    def lost(self) -> Number:
        """How much it loses; nothing is known to be lost where it is not known what could be had."""
        return self.held.lost or 0


def slip(tree: Tree, found: Loss) -> int:
    """The moment of the play that shows it at which the most is lost; its end where none loses by itself."""
    here = found.end
    while here >= 0 and (tree.actor[here] < 0 or tree.info[here] != found.place):
        here = tree.parent[here]
    return here if here >= 0 else found.end


def taken(tree: Tree, found: Loss, *, answered: bool) -> int:
    """The history after the move by which it is lost: where it is `answered`, the first move of another seat after the slip, else its last before; or the slip itself.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> def look(where):
    ...     return End((1, -1) if where[0] == where[1] else (-1, 1)) if len(where) == 2 else Turn(len(where), "", [(one, where + one) for one in "ht"])
    >>> tree = grow("", look, seats=2)
    >>> found = Judge(tree, 0, None).loss(Strategy.of(tree, {0: "h"}))
    >>> [tree.moves_to(one) for one in (slip(tree, found), taken(tree, found, answered=True), taken(tree, found, answered=False))]
    [(), ('h', 't'), ('h',)]
    """
    way = [found.end]
    while tree.parent[way[-1]] >= 0:
        way.append(tree.parent[way[-1]])
    way.reverse()
    lost = min(way.index(slip(tree, found)), len(way) - 2)
    others = [place for place, here in enumerate(way[:-1]) if tree.actor[here] not in (found.held.seat, CHANCE)] if answered else []
    move = next((place for place in others if place >= lost), others[-1] if others else lost)
    return way[move + 1]


class Judge:
    """Who judges strategies of one game: of a seat in a zero-sum game for two, against known strategies, or of all seats (`seat=None`)."""

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
        """A strategy that loses nothing."""
        if self.against is not None and self.seat is not None:
            return best_response(self.tree, self.against, self.seat).strategy
        if self.seat is None and not zero_sum(self.tree):
            return self._equilibrium()
        return self._solved().strategy

    def _equilibrium(self) -> Strategy:
        """A strategy of all seats from which none gains by going away alone: by backward induction where moves are seen, else as every game is answered."""
        if moves_are_seen(self.tree):
            return backward_induction(self.tree).strategy
        found = answered(self.tree)
        if not found.exact:
            raise DurakError(
                "no equilibrium of this game is known exactly, so that none can be asked for; take a smaller game, or ask for a best answer"
            )
        return found.strategy

    def _solved(self) -> Solution:
        if self._solution is None:
            try:
                self._solution = solve(self.tree, "backward")
            except TreeError:
                self._solution = solve(self.tree)
        return self._solution

    def loss(self, strategy: Strategy) -> Loss:
        """What a strategy loses.

        >>> from durak_widget.gametheory.tree import End, Turn, grow
        >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
        >>> found = Judge(tree, 0, None).loss(Strategy.uniform(tree))
        >>> found.held.lost, found.held.sure, found.place, found.move, tree.moves_to(found.end)
        (Fraction(1, 2), Fraction(1, 2), 0, 0, ('r',))
        """
        if self.seat is None:
            return max((self._gained(strategy, seat) for seat in range(self.tree.seats)), key=lambda one: one.lost)
        if self.against is not None:
            return self._gained(self.against.replaced(self.seat, strategy), self.seat)
        side = side_of(self.tree, strategy, self.seat, 1, self._solved())
        if not side.leaks:
            return Loss(side.held, side.punished, end=self._dearest(side.punished, self.seat))
        leak = side.leaks[0]
        move = self.tree.sets[leak.place].moves.index(leak.better)
        return Loss(side.held, side.punished, leak.place, move, leak.end)

    def _gained(self, strategy: Strategy, seat: int) -> Loss:
        """What a seat would gain by changing alone."""
        got, response = value(self.tree, strategy, seat), best_response(self.tree, strategy, seat)
        place, move, most = -1, -1, Fraction(0)
        for number, (one, standing, row) in enumerate(
            zip(self.tree.sets, values(self.tree, response.strategy), strategy.rows, strict=True)
        ):
            if one.seat == seat:
                now = sum(likely * worth for likely, worth in zip(row, standing.counterfactual, strict=True))
                gain = max(standing.counterfactual) - now
                if gain > most:
                    place, move, most = number, standing.counterfactual.index(max(standing.counterfactual)), gain  # type: ignore[assignment]
        end = self._dearest(strategy, seat, place)
        return Loss(Held(seat, got, response.value), response.strategy, place, move, end)

    def _dearest(self, profile: Strategy, seat: int, place: int = -1) -> int:
        """The end that costs a seat most, of those to which this profile comes, and that go through an information set."""
        tree, weights = self.tree, reaches(self.tree, profile)
        through = bytearray(tree.histories)
        found, cost = -1, None
        for here, (actor, info) in enumerate(zip(tree.actor, tree.info, strict=True)):
            through[here] = place < 0 or (actor >= 0 and info == place) or (here > 0 and through[tree.parent[here]])
            if actor == OVER and weights[here] and through[here]:
                one = (-tree.payoffs[info][seat], weights[here])
                if cost is None or one > cost:
                    found, cost = here, one
        return found if found >= 0 or place < 0 else self._dearest(profile, seat)

    def all_lost(self, strategy: Strategy) -> Number:
        """What is judged: the loss of the seat, or of all seats together on average."""
        if self.seat is not None and self.against is None:
            worth = self._solved().value
            return (-worth if self.seat else worth) + best_response(self.tree, strategy, 1 - self.seat).value
        if self.seat is not None:
            return self.loss(strategy).lost
        return sum(self._gained(strategy, seat).lost for seat in range(self.tree.seats)) / self.tree.seats

    def beginning(self, at_most: Number) -> Strategy:
        """What stands there before anything is set: all moves drawn evenly, or, where that is an answer already, the first of each made for certain.

        >>> from durak_widget.gametheory.tree import End, Turn, grow
        >>> def look(where):
        ...     return End((1, -1) if where[0] == where[1] else (-1, 1)) if len(where) == 2 else Turn(len(where), "", [(one, where + one) for one in "ht"])
        >>> Judge(grow("", look, seats=2), 0, None).beginning(0).rows
        ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)))
        """
        even = Strategy.uniform(self.tree)
        try:
            if self.all_lost(even) > at_most:
                return even
        except MissingError:  # what the game is worth cannot be found out here: it is judged elsewhere
            return even
        mine = [self.seat in {None, one.seat} for one in self.tree.sets]
        return Strategy(self.tree, [pure_row(0, len(row)) if is_mine else row for row, is_mine in zip(even.rows, mine, strict=True)])

    def scale(self, at_most: Number) -> Number:
        """The loss that earns no credit: that of the beginning; where that is no more than is asked for, the most that there is to lose."""
        if self._scale is None:
            lost = self.all_lost(self.beginning(at_most))
            if lost <= at_most:
                lost = max(max(one) - min(one) for one in zip(*self.tree.payoffs, strict=True))
            self._scale = lost
        return self._scale


def game_lost(tree: Tree, loss: Loss | None) -> Game | None:
    """Of Durak, the game of the play that takes most; None of other games, and where nothing is lost.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> game_lost(textbook("kuhn"), None) is None
    True
    """
    return game_of(tree, loss.end) if loss is not None and loss.end >= 0 and isinstance(tree.origin, Origin) else None
