"""Chooses a solver for any finite game and lists its equilibria, with what is proved about each.

With perfect recall, every listed equilibrium is proved in exact fractions, unless it is marked as
approximate. Each one is classified: proved sequential by trembles; Nash but not sequential, because no belief
supports it at some information set; or undecided. An exact equilibrium near a rounded one counts only after
best responses in fractions have proved it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from durak_widget.gametheory import zero_sum_solver
from durak_widget.gametheory.backward_induction_solver import perfect_payoffs
from durak_widget.gametheory.best_responses import gains_by, lost_by, nash_conv, worths_of
from durak_widget.gametheory.bimatrix_equilibria import Equilibria, equilibria
from durak_widget.gametheory.equilibrium_list import Listed, PlayedOut, called, noted, outcomes_of
from durak_widget.gametheory.equilibrium_refinements import (
    LISTED,
    first_judged,
    held_in_subgames,
    how_much,
    judged_equilibrium,
    pure_judged,
    reduced,
)
from durak_widget.gametheory.game_properties import PLAIN, has_value, kind_of_tree, lessened, measured
from durak_widget.gametheory.mixed_to_behaviour import alike, mixes, never_led, of_plans
from durak_widget.gametheory.nash_verification import anybody_gains, no_plan_gains, some_behaviour_gains
from durak_widget.gametheory.pure_nash_equilibria import pure_ones
from durak_widget.gametheory.quantal_response import followable, logit_path
from durak_widget.gametheory.sequential_equilibrium import sequential
from durak_widget.gametheory.strategic_form import CELLS, how_many, matrix
from durak_widget.gametheory.strategy import Strategy, near_strategies
from durak_widget.gametheory.subgame_perfection import by_corners, by_lemke, from_the_end, small_enough, subgame_perfect
from durak_widget.gametheory.tree import TreeError, forgets, require_tree
from durak_widget.gametheory.zero_sum_solver import NO_VALUE, Solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.gametheory.bimatrix_equilibria import Equilibrium
    from durak_widget.gametheory.equilibrium_list import Way
    from durak_widget.gametheory.game_properties import Kind
    from durak_widget.gametheory.quantal_response import Logit
    from durak_widget.gametheory.solver_progress import Show
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

_NAMED: Final = 200
"""Of so many behaviours of a player who forgets it is asked whether somebody gains."""
_BETWEEN: Final = 60
"""How many subgame-perfect equilibria are sought between the corners of the list."""
_MATRIX: Final = 5_000
"""A strategic form of so many cells is looked through for all equilibria."""
_TRIED: Final = 20_000
_LARGE: Final = 800
"""A game of constant sum and more histories is solved as the zero-sum game that it is."""
_NEAR: Final = 1e-6
FEW: Final = 8
"""Of more equilibria the outcomes are listed before the strategies."""
_PRINTED: Final = 20
"""No more strategies are printed."""


@dataclass(frozen=True, repr=False)
class GameAnswer(Solution):
    """What was found in a game that is not zero-sum, or in which more than two play, or somebody forgets.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> answer = solve(textbook("horse"))
    >>> print(answer)  # doctest: +ELLIPSIS
    sequential equilibrium, pays One 1, Two 1, Three 1 (...)
    Nash equilibrium, not sequential, pays One 3, Two 2, Three 2 (...)
    These are all equilibria in pure plans; mixed ones are not listed.
    """

    kind: Kind | None = None
    found: tuple[Listed, ...] = ()
    """The equilibria, those that beliefs allow first."""
    way: Way = "none"
    complete: bool = False
    """Whether all were found that `way` speaks of."""
    mixed: Equilibria | None = None
    """Of a game in which a seat forgets: equilibria of its plans. Whoever mixes plans has to remember what was drawn."""
    path: Logit | None = None
    """The path of logit equilibria, where it was followed."""
    undecided: int = 0
    """Of so many behaviours in which nobody mixes it was not decided whether somebody who forgets gains by mixing; they are not listed."""

    @property
    def value(self) -> Number:
        """What the game is worth to the first player, where it has a value: see `Solution.value`."""
        return self.lower

    @property
    def worths(self) -> tuple[Number, ...] | None:
        """What each player gets by the first that was found."""
        return self.found[0].worth if self.found else None

    @property
    def lower(self) -> Fraction:
        """What the first player is certain to get, in a game that has a value."""
        if not self.found:
            raise TreeError(f"there is nothing to show: {self.note}")
        alone = self.tree.seats == 1 and self.complete
        if self.exact and (alone or has_value(self.tree)):
            return Fraction(self.found[0].worth[0])
        raise TreeError(f"{NO_VALUE}; .found lists what each equilibrium pays")

    @property
    def upper(self) -> Fraction:
        """As `lower`."""
        return self.lower

    @property
    def exact(self) -> bool:
        """Whether all that was found is proved in fractions."""
        return bool(self.found) and not any(one.gain for one in self.found)

    @property
    def note(self) -> str:
        """What is to be known of the list, in a sentence; of how many it was not asked what beliefs make of them, in another."""
        forgets = self.kind is not None and self.kind.recall != "perfect"
        return noted(
            self.way, complete=self.complete, forgets=forgets, outmixed=self.outmixed, undecided=self.undecided, unasked=self.unasked
        )

    @property
    def unasked(self) -> int:
        """Of so many, which stand last, it was not asked what subgames and beliefs make of them."""
        return 0 if self.kind is None or self.kind.recall != "perfect" else sum(one.named is None and not one.gain for one in self.found)

    @property
    def outmixed(self) -> bool:
        """Whether no behaviour was found, though some equilibria in plans mix nothing: these are behaviours, from which somebody gains by mixing from move to move."""
        return self.way == "plans" and self.mixed is not None and sum(map(_mixes_nothing, self.mixed.found)) > self.undecided

    def _said(self) -> list[tuple[str, str]]:
        kind = "behaviour" if self.way == "best" else "equilibrium"
        found = [(f"{kind} {number}", str(one)) for number, one in enumerate(self.found[:_PRINTED], 1)]
        return [*found, ("these are", self.note)]

    def __repr__(self) -> str:
        return f"<GameAnswer: {len(self.found)} found. {self.note}>"

    def __str__(self) -> str:
        found = list(map(str, self.found[:_PRINTED]))
        if (more := len(self.found) - len(found)) > 0:
            found.append(f"… and {more:,} more: .found has them all")
        mixed = [] if self.mixed is None else [f"in mixes of plans: {one}" for one in self.mixed.found]
        outcomes = list(map(str, self.outcomes)) if len(self.found) > FEW else []
        return "\n".join([*outcomes, *(["strategies:"] if outcomes else []), *found, *mixed, self.note])

    @property
    def outcomes(self) -> tuple[PlayedOut, ...]:
        """What the equilibria come to: those with the same name, the same payoffs and the same line of play are one outcome."""
        return outcomes_of(self.found)


def solve(
    tree: Tree,
    method: str | None = None,
    *,
    exact: bool = True,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    progress: Show = None,
    seed: int | None = None,
) -> Solution:
    """What a game is worth and how to play it: every finite game has an answer. Without a `method` the game itself says who is asked.

    A zero-sum game for two is solved by a linear program (`"lp"`), one whose moves are all seen by backward induction, also with any sums and any number of seats: a `Solution`, with its
    proof. Any other gives a `GameAnswer`, which lists what was found and says how sure that is: two seats, all equilibria where they are few enough, else one by Lemke's algorithm;
    three and more, all in pure plans, and where the path of logit equilibria leads; where nothing at all is hidden and the game is small, besides what is found backwards, the equilibria
    that rest on empty threats. A `method`, one of `METHODS`, and its options are taken at their word; `"answer"` lists equilibria of any game, zero-sum ones too.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> solve(textbook("kuhn")).value, solve(textbook("entry")).backward.values
    (Fraction(-1, 18), (Fraction(2, 1), Fraction(2, 1)))
    >>> print(solve(textbook("outside-option")))  # doctest: +ELLIPSIS
    sequential equilibrium, pays One 2, Two 2 (...)
    sequential equilibrium, pays One 3, Two 1 (...)
    sequential equilibrium, pays One 2, Two 2 (...)
    weak perfect Bayesian equilibrium, not subgame-perfect, pays One 2, Two 2 (...)
    These are all Nash equilibria, in reduced plans, or their corners where there are infinitely many; each is proved in fractions.
    """
    require_tree(tree)
    if method == "answer" and exact and all(one is None for one in (iterations, until, seconds, progress, seed)):
        return listing_of(tree)
    if method is not None or not exact or any(one is not None for one in (iterations, until, seconds, progress, seed)):
        more: dict[str, Any] = {"iterations": iterations, "until": until, "seconds": seconds, "progress": progress, "seed": seed}
        return zero_sum_solver.solve(tree, method or "lp", exact=exact, **more)
    began = perf_counter()
    kind = kind_of_tree(tree)
    if kind.recall != "perfect":
        return _listing(tree, kind, began)
    if kind.seen:
        thought = zero_sum_solver.solve(tree, "backward")
        if (kind.sums == "zero" and kind.seats == 2) or not (kind.known and small_enough(tree)):
            return thought
        return replace(_seen(tree, kind, thought), seconds=perf_counter() - began)
    if kind.sums == "zero" and kind.seats == 2:
        return _zero_sum(tree)
    if kind.sums == "constant" and kind.seats == 2 and tree.histories > _LARGE:
        inner = _zero_sum(lessened(tree)).strategy
        found = [judged_equilibrium(tree, inner, kind, never_led(tree, inner))]
        return replace(_answer(tree, kind, found, "one", complete=False), seconds=perf_counter() - began)
    return _listing(tree, kind, began)


def listing_of(tree: Tree) -> GameAnswer:
    """The equilibria of a game, listed, also where one method would have been enough: the value of a zero-sum game, or backward induction, is not all that can be asked.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> print(listing_of(textbook("entry")))
    subgame-perfect equilibrium, pays Entrant 2, Chain store 2 (Entrant (begins): enter; Chain store (after an entry): share)
    Nash equilibrium, not subgame-perfect, pays Entrant 1, Chain store 5 (Entrant (begins): stay out; Chain store (after an entry): fight)
    Nash equilibrium, not subgame-perfect, pays Entrant 1, Chain store 5 (Entrant (begins): stay out; Chain store (after an entry): 1/2 share + 1/2 fight)
    These are all Nash equilibria, in reduced plans, or their corners where there are infinitely many; each is proved in fractions.
    """
    require_tree(tree)
    began = perf_counter()
    return _listing(tree, kind_of_tree(tree), began)


def _listing(tree: Tree, kind: Kind, began: float) -> GameAnswer:
    answer = _forgetful(tree, kind) if kind.recall != "perfect" else _two(tree, kind) if kind.seats == 2 else _more(tree, kind)
    perfect = perfect_payoffs(tree) if kind.seen and kind.recall == "perfect" and tree.seats > 1 and not has_value(tree) else None
    return replace(answer, perfect=perfect, seconds=perf_counter() - began)


def _zero_sum(tree: Tree) -> Solution:
    """By a linear program; where decimals are too coarse for its payoffs, plan by plan."""
    try:
        return zero_sum_solver.solve(tree, "lp")
    except TreeError:
        if tree.histories > PLAIN:
            raise
        return zero_sum_solver.solve(tree, "plans")


def _answer(tree: Tree, kind: Kind, found: Iterable[Listed], way: Way, *, complete: bool, **more: Any) -> GameAnswer:  # noqa: ANN401 - fields of `GameAnswer`
    """The list in its order: what beliefs allow first, then what is not decided, then what they refute; nothing twice."""
    ranks = {True: 0, None: 1, False: 2}
    last = 3 if kind.recall == "perfect" else 1  # of whom nothing was asked
    each = {one.strategy: one._replace(tree=tree) for one in found}
    listed = tuple(sorted(each.values(), key=lambda one: (last if one.named is None else ranks[one.named.sequential], bool(one.refuted))))
    strategy = listed[0].strategy if listed else Strategy.uniform(tree)
    lost = listed[0].gain / tree.seats if listed else lost_by(tree, strategy)
    return GameAnswer(tree, "answer", strategy, lost, 0.0, kind=kind, found=listed, way=way, complete=complete, **more)


def _seen(tree: Tree, kind: Kind, thought: Solution) -> GameAnswer:
    """Nothing is hidden: what is found from the end, with all ties, and the equilibria that rest on empty threats."""
    perfect = thought.perfect or perfect_payoffs(tree)
    every = from_the_end(tree, [thought.strategy, *perfect.strategies])
    found = []
    for some, is_sequential in ((every.perfect, True), (every.others, False)):
        for one in some:
            worth = worths_of(tree, one)
            gains, inside = gains_by(tree, one, worth), held_in_subgames(tree, one, kind)
            holds = is_sequential if inside is None else inside.holds  # of very many, some subgame-perfect ones are among the others
            found.append(Listed(one, worth, sum(gains), gains=gains, subgames=inside, named=called(tree, one, holds)))
    way: Way = "best" if tree.seats == 1 else "seen"
    return replace(
        _answer(tree, kind, found, way, complete=every.complete, backward=thought.backward, perfect=thought.perfect), method="backward"
    )


def _two(tree: Tree, kind: Kind) -> GameAnswer:
    """Two seats that forget nothing: all where the strategic form is small, else one, with all in pure plans."""
    if how_many(tree, 0) * how_many(tree, 1) <= _MATRIX:
        table = matrix(tree)
        every = equilibria(table)
        if every.complete:
            found = first = first_judged(tree, kind) if kind.seen else []
            known = {reduced(one.strategy, never_led(tree, one.strategy)) for one in first}
            played = {reduced(*done): done for done in (of_plans(tree, table, corner) for corner in every)}
            others = [done for key, done in played.items() if key not in known]
            found += [
                judged_equilibrium(tree, done.strategy, kind, done.free, asked=much)
                for done, much in zip(others, how_much(tree, others, LISTED), strict=True)
            ]
            if len(kind.begins) > 1 and not kind.seen:  # some may lie between corners
                between = subgame_perfect(tree, by_corners, _BETWEEN)
                found = _with_subgame_perfect(tree, kind, found, between.strategies, more=between.complete)
            return _answer(tree, kind, found, "all", complete=True)
    first, pure = first_judged(tree, kind), pure_ones(tree, _TRIED)
    if not kind.seen:
        [one, *_] = subgame_perfect(tree, by_lemke, 1).strategies
        first.append(judged_equilibrium(tree, one, kind, never_led(tree, one)))
    return _answer(
        tree, kind, [*first, *pure_judged(tree, kind, pure.found, first)], "pure" if kind.seen else "one", complete=pure.complete
    )


def _with_subgame_perfect(tree: Tree, kind: Kind, found: Iterable[Listed], strategies: Iterable[Strategy], *, more: bool) -> list[Listed]:
    """Return the list with these subgame-perfect equilibria, each in place of one that differs from it only where no play leads.

    Others are added if there are `more`. Where not all are known, which of them come would depend on the order of moves.
    """
    listed = {reduced(one.strategy, never_led(tree, one.strategy)): one for one in found}
    for strategy in strategies:
        key = reduced(strategy, never_led(tree, strategy))
        if key in listed and (name := listed[key].named) is not None and name.subgame_perfect:
            continue
        if key not in listed and not more:
            continue
        best = judged_equilibrium(tree, strategy, kind, never_led(tree, strategy))
        listed[key] = best if best.named and best.named.subgame_perfect else judged_equilibrium(tree, strategy, kind)
    return list(listed.values())


def _more(tree: Tree, kind: Kind) -> GameAnswer:
    """Three seats and more: all equilibria in pure plans; where there are none, where the logit path leads."""
    pure = pure_ones(tree, _TRIED)
    if tree.seats == 1 and pure.found:
        return _answer(tree, kind, list(pure_judged(tree, kind, pure.found)), "best", complete=pure.complete)
    if pure.found:
        first = first_judged(tree, kind)
        found = [*first, *pure_judged(tree, kind, pure.found, first)]
        path, exact = _followed(tree) if followable(tree) else (None, None)
        beside = [] if exact is None else [judged_equilibrium(tree, exact, kind)]
        mixed = [one for one in beside if mixes(tree, one.strategy)]
        return _answer(tree, kind, [*found, *mixed], "beside" if mixed else "pure", complete=pure.complete, path=path)
    if not followable(tree):
        return _answer(tree, kind, (), "none", complete=pure.complete)
    path, exact = _followed(tree)
    if exact is None and path.error >= _NEAR:
        return _answer(tree, kind, (), "lost", complete=False, path=path)
    strategy = exact or path.strategy
    return _answer(
        tree, kind, [judged_equilibrium(tree, strategy, kind, asked=exact is not None)], "path", complete=pure.complete, path=path
    )


def _followed(tree: Tree) -> tuple[Logit, Strategy | None]:
    """Where the logit path leads, and an exact equilibrium beside it; where it leads to none, the path where each seat counts by its own range, which changes no equilibrium."""
    path = logit_path(tree)
    if path.error >= _NEAR and (other := logit_path(measured(tree))).error < _NEAR:
        path = other
    return path, exact_beside(tree, path.strategy)


def _forgetful(tree: Tree, kind: Kind) -> GameAnswer:
    """A seat forgets: behaviour in which nobody mixes, and where the logit path leads; and equilibria of its plans by the matrix."""
    path = logit_path(tree) if followable(tree) else None
    unmixed, undecided = pure_ones(tree, _TRIED), 0
    found: list[Listed] = []
    for number, one in enumerate(unmixed.found):
        strategy = one.played(tree).strategy
        sure = kind.recall == "imperfect"  # what a behaviour is worth is then linear in each of its moves: plans are enough
        gains = False if sure else anybody_gains(tree, strategy, kind.memories) if number < _NAMED else None
        undecided += gains is None
        found += [Listed(strategy, one.worth, Fraction(0))] * (gains is False)
    if path is not None and (ended := _at_its_end(tree, kind, path)) is not None:
        worse = tree.seats == 1 and bool(found) and bool(ended.gain)  # what is best is known, and that is no more than near something
        found += [ended] * (not worse and not any(alike(tree, ended.strategy, one.strategy) for one in found))
    mixed = None
    if tree.seats == 2 and how_many(tree, 0) * how_many(tree, 1) <= min(CELLS, _MATRIX):
        mixed = equilibria(tree)
    some: Way = "best" if tree.seats == 1 else "behaviour"
    way: Way = some if found else "plans" if mixed is not None else "none" if path is None else "lost"
    tried = unmixed.complete and not undecided
    complete = tried and all(not one.gain for one in found) if found else mixed is not None and mixed.complete
    return _answer(tree, kind, found, way, complete=complete, mixed=mixed, path=path, undecided=undecided)


def _at_its_end(tree: Tree, kind: Kind, path: Logit) -> Listed | None:
    """What lies where the path ends, and nobody gains by any other behaviour; near it, where none with small denominators does."""
    if path.error >= _NEAR:
        return None
    for one in near_strategies(tree, path.strategy):
        if anybody_gains(tree, one, kind.memories) is False:
            return Listed(one, worths_of(tree, one), Fraction(0))
    if not no_plan_gains(measured(tree), path.strategy, _NEAR) or some_behaviour_gains(tree, path.strategy, _NEAR):
        return None
    return Listed(path.strategy, worths_of(tree, path.strategy), max(path.error, 1e-12))


def _mixes_nothing(one: Equilibrium) -> bool:
    """Whether both follow one plan."""
    return max(one.row) == max(one.column) == 1


def exact_beside(tree: Tree, strategy: Strategy) -> Strategy | None:
    """An exact equilibrium beside a strategy in floats; None where none is found with small denominators. One that no information set refutes as sequential comes before one that is no more than Nash.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("pennies")
    >>> exact_beside(tree, Strategy(tree, [(0.4999, 0.5001), (0.5003, 0.4997)])).rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    >>> exact_beside(tree, Strategy(tree, [(0.9, 0.1), (0.5, 0.5)])) is None
    True
    """
    if said := forgets(tree):
        raise TreeError(f"an equilibrium is proved where everybody remembers, and {said}")
    other = None
    for one in near_strategies(tree, strategy):
        if nash_conv(tree, one) == 0:
            if sequential(tree, one, tries=0).holds is not False:
                return one
            other = other or one
    return other
