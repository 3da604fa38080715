"""Holds which strategies are known for a tree: a solution, a learned one, the user's own.

It also says which of them is shown and what the best response to it is. The module knows no page. Slow work
on a large tree is handed out as `work`, to run anywhere, and its result goes back to `take`. Everything about
one strategy is computed once, however often the tree is folded. The user sets one probability of their own
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
"""A tree of more histories is not offered to the solver that looks for pure strategies, or to the one that lists equilibria where another will do: it may take for ever."""
QUICK: Final = 20_000
"""What is to be worked out of a tree with more histories is not waited for."""
SIMPLE: Final = 1000
FINEST: Final = 1_000_000
"""Where one goes on by hand from a probability with a larger denominator than this, it is first brought to one of at most a thousand."""


class Strategies:
    """How a tree is played, as far as it is known.

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
        """Grows with whatever changes what is shown or asked for: what was worked out for an earlier one is out of date."""
        self.which = ""
        """What is shown: `solution`, `path`, `own` or `learning`; nothing where there is none of them."""
        self.seat = 0
        """Whose strategy one's own is: the seat at whose information set something was set last."""
        self.met = False
        """Whether how the others play is given, so that one's own best response to them says what one gives away."""
        self.best_of: int | None = None
        """The seat whose best responses are marked."""
        self.chosen: int | None = None
        """Which of the equilibria that were found stands as the solution, where the solution is a list of them."""
        self._solution: Solution | None = None
        self._worth: tuple[Number | None] | None = None
        self.way: LogitWay | None = None
        """The path of logit equilibria, where it was followed."""
        self._known: dict[str, Known] = {}
        self._methods: dict[bool, tuple[str, ...]] = {}
        self._forgetful: dict[int, bool] = {}
        if solution is not None:
            self.solution = solution

    # What is shown

    @property
    def shown(self) -> Strategy | None:
        """The strategy that is shown."""
        return self._known[self.which].strategy if self.which else None

    @property
    def there(self) -> tuple[str, ...]:
        """What could be shown."""
        return tuple(name for name in ("solution", "path", "learning", "own") if name in self._known)

    def show(self, which: object) -> None:
        """Show the solution, a point of the logit path, what has been learned, or one's own strategy, where there is one."""
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
        """What a solver found."""
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
        if isinstance(solution, GameAnswer) and not solution.found:  # what it says is told, and nothing is drawn
            return self._drop("solution")
        if solution.exact and zero_sum(self.tree):
            self._worth = (solution.value,)
        self.chosen = 0 if isinstance(solution, GameAnswer) else None
        return self._keep("solution", solution.strategy)

    @property
    def answer(self) -> GameAnswer | None:
        """The solution, where it is a list of equilibria."""
        return self._solution if isinstance(self._solution, GameAnswer) else None

    @property
    def listed(self) -> Listed | None:
        """The equilibrium of that list that stands as the solution."""
        return None if self.answer is None or self.chosen is None else self.answer.found[self.chosen]

    def choose(self, place: object) -> None:
        """Have another of the equilibria that were found stand as the solution, and show it."""
        number, answer = whole_number(place), self.answer
        if number is None or answer is None or not 0 <= number < len(answer.found):
            raise RefusedError("board.refused.equilibrium")
        if number == self.chosen:
            return self.show("solution")
        self.chosen = number
        return self._keep("solution", answer.found[number].strategy)

    def solve(self, method: str = "lp") -> Solution:
        """Solve the tree, and show how; what the solver cannot take it refuses in its own sentence, which names what does."""
        found = self.solution = solve(self.tree, method)
        return found

    @property
    def methods(self) -> tuple[str, ...]:
        """The solvers that fit this game, the fittest first; the one that lists equilibria takes any."""
        installed = has_numpy_and_scipy()  # asked each time: a notebook may install them while it is open
        if installed not in self._methods:
            tree, found = self.tree, list[str]()
            if tree.histories > QUICK or forgets(tree) is None:  # to ask it of a large tree takes as long as to try
                decimals = zero_sum(tree) and in_decimals(tree)
                numbers = decimals and installed
                found += ["backward"] * open_to_all(tree)
                found += ["lp", "cfr+"] * numbers + ["pure"] * (numbers and tree.histories <= _PURE)
                plainly = zero_sum(tree) and not numbers
                found += ["plans"] * (plainly and tree.histories <= PLAIN) + ["sampling"] * (plainly and decimals)
                found += ["pure"] * (plainly and tree.histories <= _PURE)
            self._methods[installed] = (*found, *["answer"] * (not found or tree.histories <= _PURE))
        return self._methods[installed]

    @property
    def hidden(self) -> bool:
        """Whether a player may not know what happened before: then no method is called backward induction."""
        return hides(self.tree)

    # The logit path

    def follow(self, way: LogitWay | None) -> None:
        """Show where the path of logit equilibria ends, or where one looked on it last; None: no more."""
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

    # What is being learned

    def learned(self, strategy: Strategy | None) -> None:
        """What has been learned so far, which is shown if nothing else was chosen since; None where it is forgotten."""
        if strategy is None:
            return self._drop("learning")
        begins = "learning" not in self._known
        self._known["learning"] = Known(strategy)
        self.version += 1
        return self.show("learning") if begins else None

    # One's own strategy

    @property
    def own(self) -> Strategy | None:
        """One's own strategy; set it, or one probability after the other by `likely`."""
        return self._known["own"].strategy if "own" in self._known else None

    @own.setter
    def own(self, strategy: Strategy | None) -> None:
        self.set_own(strategy)

    def set_own(self, strategy: Strategy | None, *, mark: bool = True) -> None:
        """Set one's own strategy; where one begins, the best responses that say what it gives away are marked, or not."""
        if strategy is None:
            return self.forget()
        require_strategy(strategy)
        strategy.require_sets(self.tree.sets)
        begins = "own" not in self._known
        self._keep("own", strategy)
        if begins and mark:
            self.mark_answers()
        return None

    @property
    def _answering(self) -> int:
        """The seat whose best responses say what one's own strategy gives away."""
        return self.seat if self.met else answerer(self.tree, self.seat)

    def mark_answers(self) -> None:
        """Mark the best responses that say what one's own strategy gives away, where that seat forgets nothing."""
        seat = self._answering
        self.best_of = None if self._forgets(seat) else seat

    def _forgets(self, seat: int) -> bool:
        """Whether that seat forgets what it did, as far as this is found out at once."""
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
        """Set one probability of one's own strategy, which begins as what is shown, else with all moves alike; the others of that set are scaled.

        `only`: the one seat whose strategy may be set; `mark`: as in `set_own`.
        """
        sets = self.tree.sets
        number, which = whole_number(place), whole_number(move)
        if number is None or not 0 <= number < len(sets) or which is None or not 0 <= which < len(sets[number].moves):
            raise RefusedError("board.refused.no_move")
        if only is not None and sets[number].seat != only:
            raise RefusedError("board.refused.other_seat")
        base = self.own or self.shown or Strategy.uniform(self.tree)
        strategy = changed(self.tree, base, number, which, probability(to))
        self.whose(sets[number].seat, met=self.met)
        self.set_own(strategy, mark=mark)

    def begin(self, *, mark: bool = True) -> None:
        """Begin one's own strategy as what is shown, else with all moves alike; where there is one, show it. `mark`: as in `set_own`."""
        if self.own is None:
            self.set_own(self.shown or Strategy.uniform(self.tree), mark=mark)
        else:
            self.show("own")

    def whose(self, seat: int, *, met: bool = False) -> None:
        """Say whose strategy one's own is; `met`: how the others play is given."""
        if (seat, met) == (self.seat, self.met):
            return
        marked = self.best_of == self._answering
        self.seat, self.met = seat, met
        self.version += 1
        if "own" in self._known:
            self._known["own"].held = None
            if marked:
                self.mark_answers()

    def forget(self) -> None:
        """Forget one's own strategy; what was shown before is shown again."""
        self.best_of = None
        self._drop("own")

    @property
    def held(self) -> Held | None:
        """What one's own strategy is sure of and gives away, worked out if it is not yet; None where there is none."""
        known = self._known.get("own")
        if known is None:
            return None
        if known.held is None:
            put_held(known, *held_by(self.tree, known.strategy, self.seat, self.worth, self._answering))
        return known.held

    @property
    def exploitability(self) -> Number | None:
        """What one's own strategy gives away: see `Held.lost`."""
        return None if (found := self.held) is None else found.lost

    @property
    def worth(self) -> Number | None:
        """What the game is worth to seat 0, where it is of two seats and zero-sum and this can be found; found once."""
        if self._worth is None:
            self._worth = (worth_of(self.tree, self._solution) if zero_sum(self.tree) else None,)
        return self._worth[0]

    # Best responses

    def best(self, seat: object) -> None:
        """Mark the best responses of a seat to what is shown; None: no more."""
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

    # What is worked out

    def wanting(self, *, values: bool, beliefs: bool = False) -> Known | None:
        """What is shown, if something of it has still to be worked out."""
        if not self.which:
            return None
        known = self._known[self.which]
        lacks = (
            (values and known.worths is None)
            or (beliefs and known.beliefs is None)
            or (self.best_of is not None and self.best_of not in known.answers)
            or ("own" in self._known and self._known["own"].held is None)
        )
        return known if lacks else None

    def work(self, *, values: bool, beliefs: bool = False) -> Callable[[], Callable[[], None]]:
        """What has still to be worked out, to be done wherever one likes; it gives what then puts it down here."""
        tree, known, own = self.tree, self._known[self.which], self._known.get("own")
        seat, by, best_of, solution, worth = self.seat, self._answering, self.best_of, self._solution, self._worth
        listed = self.listed if self.which == "solution" else None

        def work() -> Callable[[], None]:
            seats = (0,) if zero_sum(tree) else tuple(range(tree.seats))
            found = tuple([worths(tree, known.strategy, one) for one in seats]) if values and known.worths is None else known.worths
            faced = beliefs_of(tree, known.strategy, listed) if beliefs and known.beliefs is None else known.beliefs
            answered = answers(tree, known.strategy, best_of) if best_of is not None and best_of not in known.answers else None
            judgement, value = None, worth
            if own is not None and own.held is None:
                value = worth or (worth_of(tree, solution) if zero_sum(tree) else None,)
                judgement = held_by(tree, own.strategy, seat, value[0], by)

            def take() -> None:
                known.worths, known.beliefs = found, faced
                if answered is not None and best_of is not None:
                    known.answers[best_of] = answered
                self._worth = self._worth or value
                if own is not None and judgement is not None and (seat, by) == (self.seat, self._answering):
                    put_held(own, *judgement)

            return take

        return work

    @property
    def known(self) -> Known | None:
        """What has been worked out of what is shown."""
        return self._known[self.which] if self.which else None

    @property
    def own_known(self) -> Known | None:
        """What has been worked out of one's own strategy."""
        return self._known.get("own")

    def reached(self) -> bytearray:
        """Of each history whether what is shown ever leads there."""
        if self.shown is None:
            raise RefusedError("board.refused.nothing")
        return bytearray([weight > 0 for weight in reaches(self.tree, self.shown)])


@dataclass(eq=False)
class Known:
    """What has been worked out of one strategy."""

    strategy: Strategy
    worths: tuple[list[Number], ...] | None = None
    """What each history is worth to each seat; of a zero-sum game of two to seat 0 alone."""
    beliefs: dict[int, Faced] | None = None
    """What is believed at each information set of several histories."""
    answers: dict[int, Answers] = field(default_factory=dict)
    """How each seat that was asked about answers best."""
    held: Held | None = None
    """What one's own seat has by it, and gives away."""


def put_held(known: Known, held: Held, shown_by: Answers | None) -> None:
    """Keep what was found out about one's own strategy."""
    known.held = held
    if shown_by is not None and held.by is not None:
        known.answers[held.by] = shown_by


def open_to_all(tree: Tree) -> bool:
    """Whether nobody's moves are hidden from anybody, so that backward induction applies.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> open_to_all(grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2))
    True
    """
    if tree.histories > QUICK:  # where this is told without going through it: each information set is a single history
        return tree.histories - tree.actor.count(OVER) - tree.actor.count(CHANCE) == len(tree.sets)
    return moves_are_seen(tree)


def way(tree: Tree, strategy: Strategy, shown: Sequence[int]) -> list[int]:
    """The histories among those shown (each after the one before it) to which the likeliest moves lead, the first of those equally likely, whatever chance draws.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> way(tree, Strategy.of(tree, {"begins": "r"}), [0, 1, 2])
    [0, 2]
    """
    lit, found = {0}, [0]
    likeliest: dict[int, int] = {}
    for here in shown:
        before = tree.parent[here]
        if before not in lit:
            continue
        place, move = tree.info[before], here - tree.first[before]
        if tree.actor[before] == CHANCE:
            on = tree.chances[place].probabilities[move] > 0
        else:
            row = strategy.rows[place]
            if place not in likeliest:
                likeliest[place] = max(range(len(row)), key=row.__getitem__)
            on = move == likeliest[place]
        if on:
            lit.add(here)
            found.append(here)
    return found


def scaled(row: Sequence[Number], move: int, to: Fraction) -> tuple[Fraction, ...]:
    """The probabilities after one of them was set: the others keep their proportions, are alike where all were 0, and all add up to 1 exactly.

    >>> scaled([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 0, Fraction(1, 4))
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    >>> scaled([Fraction(1), Fraction(0), Fraction(0)], 0, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    if len(row) == 1:
        return (Fraction(1),)
    held = [Fraction(0) if place == move else _simple(Fraction(one)) for place, one in enumerate(row)]
    rest = sum(held)
    left = 1 - to
    others = [left * one / rest if rest else left / (len(row) - 1) for one in held]
    return tuple([to if place == move else one for place, one in enumerate(others)])


def _simple(one: Fraction) -> Fraction:
    return one if one.denominator <= FINEST else one.limit_denominator(SIMPLE)


def changed(tree: Tree, strategy: Strategy, place: int, move: int, to: Fraction) -> Strategy:
    """The strategy with one probability set anew, exact where it was in floats."""
    one = tree.sets[place]
    if len(one.moves) == 1 and to != 1:
        raise RefusedError("board.refused.one_move")
    rows = list(rounded(tree, strategy).rows)
    rows[place] = scaled(rows[place], move, to)
    return made(tree.sets, rows)


def worth_of(tree: Tree, solution: Solution | None = None) -> Number | None:
    """What a two-player zero-sum game is worth to seat 0, from a solution that proves it or worked out anew; None where it cannot be.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> worth_of(grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2))
    Fraction(1, 1)
    """
    if solution is not None and solution.exact:
        return solution.value
    try:
        return backward_induction(tree).values[0]
    except TreeError:
        pass  # hands are hidden
    try:
        return solve_zero_sum(tree, "lp").value
    except (MissingError, TreeError):  # no numpy, or a seat that forgets
        return None if solution is None or solution.certificate is None else solution.value
