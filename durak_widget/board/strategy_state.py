"""The strategies known for a tree: a solution, a learned one, the user's own.

It also says which of them is shown and what the best response to it is. The module knows no page. Slow work on a
large tree is returned as a function, to run anywhere; it returns another one, which stores the results. Everything
about one strategy is computed once, however often the tree is folded. The user sets one probability of their own
strategy at a time, and the others are rescaled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.board.belief_view_model import beliefs_of
from durak_widget.board.number_format import probability
from durak_widget.errors import whole_number
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.best_responses import Held, answerer, answers, held_by, order_of, reaches, worths
from durak_widget.gametheory.certificate import rounded
from durak_widget.gametheory.game_properties import PLAIN, in_decimals, moves_are_seen, zero_sum
from durak_widget.gametheory.solver_selection import GameAnswer, solve
from durak_widget.gametheory.strategy import Strategy, made, require_strategy
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, forgets, require_tree
from durak_widget.gametheory.zero_sum_solver import Solution, hides
from durak_widget.gametheory.zero_sum_solver import solve as solve_zero_sum
from durak_widget.optional_dependencies import MissingError, has_numpy_and_scipy
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.board.belief_view_model import Faced
    from durak_widget.board.logit_path_view_model import LogitWay
    from durak_widget.gametheory.best_responses import Answers
    from durak_widget.gametheory.equilibrium_list import Listed
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

_PURE: Final = 2_000
"""The largest tree for which slow methods are offered: pure strategies, or a list of equilibria if not needed."""
QUICK: Final = 20_000
"""The largest tree, in histories, whose results are computed at once and not in the background."""
SIMPLE: Final = 1000
FINEST: Final = 1_000_000
"""A probability with a larger denominator is simplified to one of at most `SIMPLE` before the user changes it."""


class Strategies:
    """The known strategies of a tree, and which of them is shown.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> plays = Strategies(tree)
    >>> plays.likely(0, 0, "1/4"); plays.which, plays.shown["begins"], plays.exploitability
    ('own', (Fraction(1, 4), Fraction(3, 4)), Fraction(3, 4))
    """

    def __init__(self, tree: Tree, solution: Solution | None = None) -> None:
        require_tree(tree)
        self.tree = tree
        self.version = 0
        """A number that grows with every change; results for an earlier version are out of date."""
        self.which = ""
        """The strategy that is shown: `solution`, `path`, `own` or `learning`; empty if there is none."""
        self.seat = 0
        """The player of the own strategy: the one whose probability was set last."""
        self.met = False
        """True if the others' strategies are given; then the own best response shows what the own strategy loses."""
        self.best_of: int | None = None
        """The player whose best responses are marked."""
        self.chosen: int | None = None
        """The index of the equilibrium that is shown as the solution, if the solution is a list."""
        self._solution: Solution | None = None
        self._worth: tuple[Number | None] | None = None
        self.way: LogitWay | None = None
        """The path of logit equilibria, if it was computed."""
        self._known: dict[str, Known] = {}
        self._methods: dict[bool, tuple[str, ...]] = {}
        self._forgetful: dict[int, bool] = {}
        if solution is not None:
            self.solution = solution

    # The shown strategy

    @property
    def shown(self) -> Strategy | None:
        """Return the strategy that is shown."""
        return self._known[self.which].strategy if self.which else None

    @property
    def there(self) -> tuple[str, ...]:
        """Return the kinds of strategies that could be shown."""
        return tuple(name for name in ("solution", "path", "learning", "own") if name in self._known)

    def show(self, which: object) -> None:
        """Show the solution, a point of the logit path, the learned strategy, or the own one."""
        if not isinstance(which, str) or which not in self._known:
            raise RefusedError("board.refused.nothing")
        self.which = which
        self.version += 1

    def _keep(self, which: str, strategy: Strategy) -> None:
        self._known[which] = Known(strategy)
        self.show(which)

    def _drop(self, which: str) -> None:
        self._known.pop(which, None)
        if self.which == which:
            self.which = next(iter(self.there), "")
        self.version += 1

    # A solution

    @property
    def solution(self) -> Solution | None:
        """Return the solution that a solver found."""
        return self._solution

    @solution.setter
    def solution(self, solution: Solution | None) -> None:
        self.chosen = None
        if solution is None:
            self._solution = None
            return self._drop("solution")
        if not isinstance(solution, Solution):
            raise RefusedError("board.refused.solution", code="gametheory.solve(tree)")
        solution.strategy.require_sets(self.tree.sets)
        self._solution = solution
        if isinstance(solution, GameAnswer) and not solution.found:  # its notes are shown, but nothing on the tree
            return self._drop("solution")
        if solution.exact and zero_sum(self.tree):
            self._worth = (solution.value,)
        self.chosen = 0 if isinstance(solution, GameAnswer) else None
        return self._keep("solution", solution.strategy)

    @property
    def answer(self) -> GameAnswer | None:
        """Return the solution if it is a list of equilibria, otherwise None."""
        return self._solution if isinstance(self._solution, GameAnswer) else None

    @property
    def listed(self) -> Listed | None:
        """Return the equilibrium of that list that is the solution shown."""
        return None if self.answer is None or self.chosen is None else self.answer.found[self.chosen]

    def choose(self, place: object) -> None:
        """Make another of the equilibria the solution, and show it."""
        number, answer = whole_number(place), self.answer
        if number is None or answer is None or not 0 <= number < len(answer.found):
            raise RefusedError("board.refused.equilibrium")
        if number == self.chosen:
            return self.show("solution")
        self.chosen = number
        return self._keep("solution", answer.found[number].strategy)

    def solve(self, method: str = "lp") -> Solution:
        """Solve the tree and show the solution.

        If the method does not apply, the solver's error says which one does.
        """
        solution = self.solution = solve(self.tree, method)
        return solution

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the solvers for this game, the most suitable first.

        The one that lists equilibria works for any game.
        """
        installed = has_numpy_and_scipy()  # checked each time: a notebook may install them while it is open
        if installed not in self._methods:
            tree, suitable = self.tree, list[str]()
            if tree.histories > QUICK or forgets(tree) is None:  # to check a large tree takes as long as to try
                decimals = zero_sum(tree) and in_decimals(tree)
                has_linear_program = decimals and installed
                suitable += ["backward"] * open_to_all(tree)
                suitable += ["lp", "cfr+"] * has_linear_program + ["pure"] * (has_linear_program and tree.histories <= _PURE)
                without_numpy = zero_sum(tree) and not has_linear_program
                suitable += ["plans"] * (without_numpy and tree.histories <= PLAIN) + ["sampling"] * (without_numpy and decimals)
                suitable += ["pure"] * (without_numpy and tree.histories <= _PURE)
            self._methods[installed] = (*suitable, *["answer"] * (not suitable or tree.histories <= _PURE))
        return self._methods[installed]

    @property
    def hidden(self) -> bool:
        """Return True if moves may be hidden; then no method is called backward induction."""
        return hides(self.tree)

    # The logit path

    def follow(self, way: LogitWay | None) -> None:
        """Show the logit path where it ends, or where it was last; None removes it."""
        self.way = way
        if way is None:
            return self._drop("path")
        return self._keep("path", way.strategy)

    def walk(self, to: object) -> None:
        """Go to another point of the path."""
        number = whole_number(to)
        if number is None or self.way is None:
            raise RefusedError("board.refused.rationality")
        self.way.go(number)
        self._keep("path", self.way.strategy)

    # The learned strategy

    def learned(self, strategy: Strategy | None) -> None:
        """Take the strategy learned so far; None to forget it.

        The first one is shown; later ones replace it without a change of what is shown.
        """
        if strategy is None:
            return self._drop("learning")
        is_first = "learning" not in self._known
        self._known["learning"] = Known(strategy)
        self.version += 1
        return self.show("learning") if is_first else None

    # The own strategy

    @property
    def own(self) -> Strategy | None:
        """Return the own strategy; set it, or one probability at a time by `likely`."""
        return self._known["own"].strategy if "own" in self._known else None

    @own.setter
    def own(self, strategy: Strategy | None) -> None:
        self.set_own(strategy)

    def set_own(self, strategy: Strategy | None, *, mark: bool = True) -> None:
        """Set the own strategy.

        With `mark`, the first one marks the best responses that show what it loses.
        """
        if strategy is None:
            return self.forget()
        require_strategy(strategy)
        strategy.require_sets(self.tree.sets)
        is_first = "own" not in self._known
        self._keep("own", strategy)
        if is_first and mark:
            self.mark_answers()
        return None

    @property
    def _answering(self) -> int:
        """Return the player whose best responses show what the own strategy loses."""
        return self.seat if self.met else answerer(self.tree, self.seat)

    def mark_answers(self) -> None:
        """Mark the best responses that show what the own strategy loses.

        Not if that player has imperfect recall.
        """
        player = self._answering
        self.best_of = None if self._forgets(player) else player

    def _forgets(self, seat: int) -> bool:
        """Return True if that player has imperfect recall; a large tree is not checked."""
        if self.tree.histories > QUICK:
            return False
        if seat not in self._forgetful:
            try:
                order_of(self.tree, seat)
                self._forgetful[seat] = False
            except TreeError:
                self._forgetful[seat] = True
        return self._forgetful[seat]

    def likely(self, place: object, move: object, to: object, *, only: int | None = None, mark: bool = True) -> None:
        """Set one probability of the own strategy, and rescale the others of the information set.

        The own strategy starts as a copy of the shown one, or uniform. `only` is the one player whose strategy may be
        set; `mark` is as in `set_own`.
        """
        sets = self.tree.sets
        number, action_index = whole_number(place), whole_number(move)
        if number is None or not 0 <= number < len(sets) or action_index is None or not 0 <= action_index < len(sets[number].moves):
            raise RefusedError("board.refused.no_move")
        if only is not None and sets[number].seat != only:
            raise RefusedError("board.refused.other_seat")
        base = self.own or self.shown or Strategy.uniform(self.tree)
        strategy = changed(self.tree, base, number, action_index, probability(to))
        self.whose(sets[number].seat, met=self.met)
        self.set_own(strategy, mark=mark)

    def begin(self, *, mark: bool = True) -> None:
        """Start the own strategy as a copy of the shown one, or uniform; show it if there is one.

        `mark` is as in `set_own`.
        """
        if self.own is None:
            self.set_own(self.shown or Strategy.uniform(self.tree), mark=mark)
        else:
            self.show("own")

    def whose(self, seat: int, *, met: bool = False) -> None:
        """Set the player of the own strategy; `met` if the others' strategies are given."""
        if (seat, met) == (self.seat, self.met):
            return
        are_answers_marked = self.best_of == self._answering
        self.seat, self.met = seat, met
        self.version += 1
        if "own" in self._known:
            self._known["own"].held = None
            if are_answers_marked:
                self.mark_answers()

    def forget(self) -> None:
        """Forget the own strategy, and show again what was shown before."""
        self.best_of = None
        self._drop("own")

    @property
    def held(self) -> Held | None:
        """Return what the own strategy guarantees and loses, computed at the first call."""
        results = self._known.get("own")
        if results is None:
            return None
        if results.held is None:
            put_held(results, *held_by(self.tree, results.strategy, self.seat, self.worth, self._answering))
        return results.held

    @property
    def exploitability(self) -> Number | None:
        """Return what the own strategy loses: see `Held.lost`."""
        return None if (guarantee := self.held) is None else guarantee.lost

    @property
    def worth(self) -> Number | None:
        """Return the value of a two-player zero-sum game to the first player, computed once.

        None for other games, or if it can't be found.
        """
        if self._worth is None:
            self._worth = (worth_of(self.tree, self._solution) if zero_sum(self.tree) else None,)
        return self._worth[0]

    # Best responses

    def best(self, seat: object) -> None:
        """Mark a player's best responses to the shown strategy; None: remove the marks."""
        if seat is not None:
            number = whole_number(seat)
            if number is None or not 0 <= number < self.tree.seats:
                raise RefusedError("board.refused.seat")
            if not self.which:
                raise RefusedError("board.refused.nothing")
            if self._forgets(number):
                raise RefusedError("board.refused.forgets")
            seat = number
        self.best_of = seat
        self.version += 1

    # Results

    def wanting(self, *, values: bool, beliefs: bool = False) -> Known | None:
        """Return the results of the shown strategy if some are still missing, otherwise None."""
        if not self.which:
            return None
        results = self._known[self.which]
        is_incomplete = (
            (values and results.worths is None)
            or (beliefs and results.beliefs is None)
            or (self.best_of is not None and self.best_of not in results.answers)
            or ("own" in self._known and self._known["own"].held is None)
        )
        return results if is_incomplete else None

    def work(self, *, values: bool, beliefs: bool = False) -> Callable[[], Callable[[], None]]:
        """Return a function that computes the missing results on any thread.

        It returns another function, which stores them here.
        """
        tree, results, own = self.tree, self._known[self.which], self._known.get("own")
        own_player, responding_player, best_of, solution, value_before = (
            self.seat,
            self._answering,
            self.best_of,
            self._solution,
            self._worth,
        )
        listed = self.listed if self.which == "solution" else None

        def compute() -> Callable[[], None]:
            players = (0,) if zero_sum(tree) else tuple(range(tree.seats))
            all_node_values = (
                tuple([worths(tree, results.strategy, player) for player in players])
                if values and results.worths is None
                else results.worths
            )
            beliefs_found = beliefs_of(tree, results.strategy, listed) if beliefs and results.beliefs is None else results.beliefs
            best_responses = answers(tree, results.strategy, best_of) if best_of is not None and best_of not in results.answers else None
            guarantee, value = None, value_before
            if own is not None and own.held is None:
                value = value_before or (worth_of(tree, solution) if zero_sum(tree) else None,)
                guarantee = held_by(tree, own.strategy, own_player, value[0], responding_player)

            def store() -> None:
                results.worths, results.beliefs = all_node_values, beliefs_found
                if best_responses is not None and best_of is not None:
                    results.answers[best_of] = best_responses
                self._worth = self._worth or value
                if own is not None and guarantee is not None and (own_player, responding_player) == (self.seat, self._answering):
                    put_held(own, *guarantee)

            return store

        return compute

    @property
    def known(self) -> Known | None:
        """Return the results of the shown strategy."""
        return self._known[self.which] if self.which else None

    @property
    def own_known(self) -> Known | None:
        """Return the results of the own strategy."""
        return self._known.get("own")

    def reached(self) -> bytearray:
        """Return for each node whether the shown strategy ever reaches it."""
        if self.shown is None:
            raise RefusedError("board.refused.nothing")
        return bytearray([weight > 0 for weight in reaches(self.tree, self.shown)])


@dataclass(eq=False)
class Known:
    """The results for one strategy."""

    strategy: Strategy
    worths: tuple[list[Number], ...] | None = None
    """The value of each node to each player; in a two-player zero-sum game to the first player only."""
    beliefs: dict[int, Faced] | None = None
    """The belief at each information set with several nodes."""
    answers: dict[int, Answers] = field(default_factory=dict)
    """The best responses of each player that was asked for."""
    held: Held | None = None
    """What the own player gets and loses by it."""


def put_held(known: Known, held: Held, shown_by: Answers | None) -> None:
    """Store what was computed for the own strategy."""
    known.held = held
    if shown_by is not None and held.by is not None:
        known.answers[held.by] = shown_by


def open_to_all(tree: Tree) -> bool:
    """Return True if no move is hidden from anyone, so that backward induction applies.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> open_to_all(grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2))
    True
    """
    if tree.histories > QUICK:  # quick to check here: each information set has a single node
        return tree.histories - tree.actor.count(OVER) - tree.actor.count(CHANCE) == len(tree.sets)
    return moves_are_seen(tree)


def way(tree: Tree, strategy: Strategy, shown: Sequence[int]) -> list[int]:
    """Return the shown nodes that the likeliest actions lead to, whatever chance does.

    `shown` has each node after its parent. Of equally likely actions, the first counts.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> way(tree, Strategy.of(tree, {"begins": "r"}), [0, 1, 2])
    [0, 2]
    """
    reached, path = {0}, [0]
    likeliest: dict[int, int] = {}
    for node in shown:
        parent = tree.parent[node]
        if parent not in reached:
            continue
        index, action = tree.info[parent], node - tree.first[parent]
        if tree.actor[parent] == CHANCE:
            is_on_path = tree.chances[index].probabilities[action] > 0
        else:
            row = strategy.rows[index]
            if index not in likeliest:
                likeliest[index] = max(range(len(row)), key=row.__getitem__)
            is_on_path = action == likeliest[index]
        if is_on_path:
            reached.add(node)
            path.append(node)
    return path


def scaled(row: Sequence[Number], move: int, to: Fraction) -> tuple[Fraction, ...]:
    """Return the probabilities after one was set; the others keep their proportions.

    They are equal if all were 0. The sum is exactly 1.

    >>> scaled([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 0, Fraction(1, 4))
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    >>> scaled([Fraction(1), Fraction(0), Fraction(0)], 0, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    if len(row) == 1:
        return (Fraction(1),)
    fixed = [Fraction(0) if index == move else _simple(Fraction(weight)) for index, weight in enumerate(row)]
    total = sum(fixed)
    remaining = 1 - to
    rescaled = [remaining * weight / total if total else remaining / (len(row) - 1) for weight in fixed]
    return tuple([to if index == move else weight for index, weight in enumerate(rescaled)])


def _simple(one: Fraction) -> Fraction:
    return one if one.denominator <= FINEST else one.limit_denominator(SIMPLE)


def changed(tree: Tree, strategy: Strategy, place: int, move: int, to: Fraction) -> Strategy:
    """Return the strategy with one probability changed, in exact fractions."""
    record = tree.sets[place]
    if len(record.moves) == 1 and to != 1:
        raise RefusedError("board.refused.one_move")
    rows = list(rounded(tree, strategy).rows)
    rows[place] = scaled(rows[place], move, to)
    return made(tree.sets, rows)


def worth_of(tree: Tree, solution: Solution | None = None) -> Number | None:
    """Return the value of a two-player zero-sum game to the first player; None if unknown.

    A solution that proves it is used, otherwise the value is computed.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> worth_of(grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2))
    Fraction(1, 1)
    """
    if solution is not None and solution.exact:
        return solution.value
    try:
        return backward_induction(tree).values[0]
    except TreeError:
        pass  # moves are hidden
    try:
        return solve_zero_sum(tree, "lp").value
    except (MissingError, TreeError):  # no numpy, or imperfect recall
        return None if solution is None or solution.certificate is None else solution.value
