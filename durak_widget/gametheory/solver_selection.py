"""Chooses a solver for any finite game and lists its equilibria, with proofs.

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
"""The number of pure equilibria checked for a gain by mixing, with imperfect recall."""
_BETWEEN: Final = 60
"""The largest number of subgame-perfect equilibria searched between the extreme ones of the list."""
_MATRIX: Final = 5_000
"""The largest strategic form searched for all equilibria."""
_TRIED: Final = 20_000
_LARGE: Final = 800
"""A constant-sum game with more histories is solved as a zero-sum game."""
_NEAR: Final = 1e-6
FEW: Final = 8
"""If there are more equilibria, the outcomes are listed before the strategies."""
_PRINTED: Final = 20
"""The largest number of strategies printed."""


@dataclass(frozen=True, repr=False)
class GameAnswer(Solution):
    """The equilibria found in a game that has no single solution.

    The game is not zero-sum, or has more than two players, or imperfect recall.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> answer = solve(textbook("horse"))
    >>> print(answer)  # doctest: +ELLIPSIS
    sequential equilibrium, pays One 1, Two 1, Three 1 (...)
    Nash equilibrium, not sequential, pays One 3, Two 2, Three 2 (...)
    These are all equilibria in pure plans; mixed ones are not listed.
    """

    kind: Kind | None = None
    found: tuple[Listed, ...] = ()
    """The equilibria; those supported by beliefs come first."""
    way: Way = "none"
    complete: bool = False
    """True if all equilibria of the kind that `way` names were found."""
    mixed: Equilibria | None = None
    """With imperfect recall: equilibria in mixed strategies, where a player must remember the strategy drawn at random."""
    path: Logit | None = None
    """The path of logit equilibria, if it was followed."""
    undecided: int = 0
    """The number of pure equilibria for which it is undecided whether a player gains by mixing; they are not listed."""

    @property
    def value(self) -> Number:
        """Return the value to the first player, if the game has one: see `Solution.value`."""
        return self.lower

    @property
    def worths(self) -> tuple[Number, ...] | None:
        """Return the payoff of each player in the first equilibrium."""
        return self.found[0].worth if self.found else None

    @property
    def lower(self) -> Fraction:
        """Return what the first player is certain to get, in a game that has a value."""
        if not self.found:
            raise TreeError(f"there is nothing to show: {self.note}")
        is_solved_alone = self.tree.seats == 1 and self.complete
        if self.exact and (is_solved_alone or has_value(self.tree)):
            return Fraction(self.found[0].worth[0])
        raise TreeError(f"{NO_VALUE}; .found lists what each equilibrium pays")

    @property
    def upper(self) -> Fraction:
        """Return the same as `lower`."""
        return self.lower

    @property
    def exact(self) -> bool:
        """Return whether everything found is proved in fractions."""
        return bool(self.found) and not any(equilibrium.gain for equilibrium in self.found)

    @property
    def note(self) -> str:
        """Return what the list contains, in sentences."""
        has_imperfect_recall = self.kind is not None and self.kind.recall != "perfect"
        return noted(
            self.way,
            complete=self.complete,
            forgets=has_imperfect_recall,
            outmixed=self.outmixed,
            undecided=self.undecided,
            unasked=self.unasked,
        )

    @property
    def unasked(self) -> int:
        """Return the number of equilibria not classified by subgames and beliefs; they come last."""
        return (
            0
            if self.kind is None or self.kind.recall != "perfect"
            else sum(equilibrium.named is None and not equilibrium.gain for equilibrium in self.found)
        )

    @property
    def outmixed(self) -> bool:
        """Return whether pure equilibria exist, but a player gains by mixing at each of them.

        Then no behaviour strategy is listed.
        """
        return self.way == "plans" and self.mixed is not None and sum(map(_mixes_nothing, self.mixed.found)) > self.undecided

    def _said(self) -> list[tuple[str, str]]:
        label = "behaviour" if self.way == "best" else "equilibrium"
        rows = [(f"{label} {number}", str(equilibrium)) for number, equilibrium in enumerate(self.found[:_PRINTED], 1)]
        return [*rows, ("these are", self.note)]

    def __repr__(self) -> str:
        return f"<GameAnswer: {len(self.found)} found. {self.note}>"

    def __str__(self) -> str:
        lines = list(map(str, self.found[:_PRINTED]))
        if (remaining := len(self.found) - len(lines)) > 0:
            lines.append(f"… and {remaining:,} more: .found has them all")
        mixed_lines = [] if self.mixed is None else [f"in mixes of plans: {equilibrium}" for equilibrium in self.mixed.found]
        outcome_lines = list(map(str, self.outcomes)) if len(self.found) > FEW else []
        return "\n".join([*outcome_lines, *(["strategies:"] if outcome_lines else []), *lines, *mixed_lines, self.note])

    @property
    def outcomes(self) -> tuple[PlayedOut, ...]:
        """Return the outcomes: equilibria with the same name, payoffs and line of play."""
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
    """Solve any finite game; without a `method`, choose the solver that suits the game.

    A two-player zero-sum game is solved by a linear program (`"lp"`). A game in which all actions are seen is solved by
    backward induction, for any payoffs and players. Both give a `Solution` with its proof. Any other game gives a
    `GameAnswer`: a list of equilibria, with what is proved about each. For two players it lists all equilibria if they
    are few enough, else one by Lemke's algorithm. For three or more it lists all pure-strategy ones, and the end of the
    path of logit equilibria. For a small game with perfect information it also lists the equilibria that rest on empty
    threats. A `method`, one of `METHODS`, is used with its options as given; `"answer"` lists equilibria of any game,
    also of zero-sum ones.

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
    if method == "answer" and exact and all(option is None for option in (iterations, until, seconds, progress, seed)):
        return listing_of(tree)
    if method is not None or not exact or any(option is not None for option in (iterations, until, seconds, progress, seed)):
        options: dict[str, Any] = {"iterations": iterations, "until": until, "seconds": seconds, "progress": progress, "seed": seed}
        return zero_sum_solver.solve(tree, method or "lp", exact=exact, **options)
    start_time = perf_counter()
    kind = kind_of_tree(tree)
    if kind.recall != "perfect":
        return _listing(tree, kind, start_time)
    if kind.seen:
        backward_solution = zero_sum_solver.solve(tree, "backward")
        if (kind.sums == "zero" and kind.seats == 2) or not (kind.known and small_enough(tree)):
            return backward_solution
        return replace(_seen(tree, kind, backward_solution), seconds=perf_counter() - start_time)
    if kind.sums == "zero" and kind.seats == 2:
        return _zero_sum(tree)
    if kind.sums == "constant" and kind.seats == 2 and tree.histories > _LARGE:
        zero_sum_strategy = _zero_sum(lessened(tree)).strategy
        entries = [judged_equilibrium(tree, zero_sum_strategy, kind, never_led(tree, zero_sum_strategy))]
        return replace(_answer(tree, kind, entries, "one", complete=False), seconds=perf_counter() - start_time)
    return _listing(tree, kind, start_time)


def listing_of(tree: Tree) -> GameAnswer:
    """List the equilibria of a game, even if it has a value or a backward-induction solution.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> print(listing_of(textbook("entry")))
    subgame-perfect equilibrium, pays Entrant 2, Chain store 2 (Entrant (begins): enter; Chain store (after an entry): share)
    Nash equilibrium, not subgame-perfect, pays Entrant 1, Chain store 5 (Entrant (begins): stay out; Chain store (after an entry): fight)
    Nash equilibrium, not subgame-perfect, pays Entrant 1, Chain store 5 (Entrant (begins): stay out; Chain store (after an entry): 1/2 share + 1/2 fight)
    These are all Nash equilibria, in reduced plans, or their corners where there are infinitely many; each is proved in fractions.
    """
    require_tree(tree)
    start_time = perf_counter()
    return _listing(tree, kind_of_tree(tree), start_time)


def _listing(tree: Tree, kind: Kind, began: float) -> GameAnswer:
    answer = _forgetful(tree, kind) if kind.recall != "perfect" else _two(tree, kind) if kind.seats == 2 else _more(tree, kind)
    perfect_result = perfect_payoffs(tree) if kind.seen and kind.recall == "perfect" and tree.seats > 1 and not has_value(tree) else None
    return replace(answer, perfect=perfect_result, seconds=perf_counter() - began)


def _zero_sum(tree: Tree) -> Solution:
    """Solve by a linear program; if floats are too coarse for the payoffs, by double oracle."""
    try:
        return zero_sum_solver.solve(tree, "lp")
    except TreeError:
        if tree.histories > PLAIN:
            raise
        return zero_sum_solver.solve(tree, "plans")


def _answer(tree: Tree, kind: Kind, found: Iterable[Listed], way: Way, *, complete: bool, **more: Any) -> GameAnswer:  # noqa: ANN401 - fields of `GameAnswer`
    """Build the answer, with each equilibrium once, in order.

    Those supported by beliefs come first, then undecided ones, then those that beliefs refute.
    """
    ranks = {True: 0, None: 1, False: 2}
    last_rank = 3 if kind.recall == "perfect" else 1  # the rank of equilibria that are not classified
    listed_by_strategy = {entry.strategy: entry._replace(tree=tree) for entry in found}
    listed = tuple(
        sorted(
            listed_by_strategy.values(),
            key=lambda entry: (last_rank if entry.named is None else ranks[entry.named.sequential], bool(entry.refuted)),
        )
    )
    strategy = listed[0].strategy if listed else Strategy.uniform(tree)
    distance = listed[0].gain / tree.seats if listed else lost_by(tree, strategy)
    return GameAnswer(tree, "answer", strategy, distance, 0.0, kind=kind, found=listed, way=way, complete=complete, **more)


def _seen(tree: Tree, kind: Kind, thought: Solution) -> GameAnswer:
    """List the equilibria of a game with perfect information, including empty threats."""
    perfect_result = thought.perfect or perfect_payoffs(tree)
    all_equilibria = from_the_end(tree, [thought.strategy, *perfect_result.strategies])
    entries = []
    for strategies, is_sequential in ((all_equilibria.perfect, True), (all_equilibria.others, False)):
        for strategy in strategies:
            payoffs = worths_of(tree, strategy)
            gains, subgames_check = gains_by(tree, strategy, payoffs), held_in_subgames(tree, strategy, kind)
            is_perfect = (
                is_sequential if subgames_check is None else subgames_check.holds
            )  # if there are very many, some subgame-perfect ones are among the others
            entries.append(
                Listed(strategy, payoffs, sum(gains), gains=gains, subgames=subgames_check, named=called(tree, strategy, is_perfect))
            )
    contents: Way = "best" if tree.seats == 1 else "seen"
    return replace(
        _answer(tree, kind, entries, contents, complete=all_equilibria.complete, backward=thought.backward, perfect=thought.perfect),
        method="backward",
    )


def _two(tree: Tree, kind: Kind) -> GameAnswer:
    """List the equilibria of a two-player game with perfect recall.

    They are all if the strategic form is small, else one of them and all pure ones.
    """
    if how_many(tree, 0) * how_many(tree, 1) <= _MATRIX:
        table = matrix(tree)
        extreme = equilibria(table)
        if extreme.complete:
            entries = perfect_entries = first_judged(tree, kind) if kind.seen else []
            known_keys = {reduced(entry.strategy, never_led(tree, entry.strategy)) for entry in perfect_entries}
            conversions = {
                reduced(*conversion): conversion for conversion in (of_plans(tree, table, equilibrium) for equilibrium in extreme)
            }
            new_conversions = [conversion for key, conversion in conversions.items() if key not in known_keys]
            entries += [
                judged_equilibrium(tree, conversion.strategy, kind, conversion.free, asked=depth)
                for conversion, depth in zip(new_conversions, how_much(tree, new_conversions, LISTED), strict=True)
            ]
            if len(kind.begins) > 1 and not kind.seen:  # some may lie between extreme equilibria
                subgame_result = subgame_perfect(tree, by_corners, _BETWEEN)
                entries = _with_subgame_perfect(tree, kind, entries, subgame_result.strategies, more=subgame_result.complete)
            return _answer(tree, kind, entries, "all", complete=True)
    perfect_entries, pure_result = first_judged(tree, kind), pure_ones(tree, _TRIED)
    if not kind.seen:
        [strategy, *_] = subgame_perfect(tree, by_lemke, 1).strategies
        perfect_entries.append(judged_equilibrium(tree, strategy, kind, never_led(tree, strategy)))
    return _answer(
        tree,
        kind,
        [*perfect_entries, *pure_judged(tree, kind, pure_result.found, perfect_entries)],
        "pure" if kind.seen else "one",
        complete=pure_result.complete,
    )


def _with_subgame_perfect(tree: Tree, kind: Kind, found: Iterable[Listed], strategies: Iterable[Strategy], *, more: bool) -> list[Listed]:
    """Add subgame-perfect equilibria to the list.

    Each replaces one that differs only where no play leads. Others are added only if `more` is set: if not all are
    known, the list would depend on the order of actions.
    """
    listed = {reduced(entry.strategy, never_led(tree, entry.strategy)): entry for entry in found}
    for strategy in strategies:
        key = reduced(strategy, never_led(tree, strategy))
        if key in listed and (name := listed[key].named) is not None and name.subgame_perfect:
            continue
        if key not in listed and not more:
            continue
        candidate = judged_equilibrium(tree, strategy, kind, never_led(tree, strategy))
        listed[key] = candidate if candidate.named and candidate.named.subgame_perfect else judged_equilibrium(tree, strategy, kind)
    return list(listed.values())


def _more(tree: Tree, kind: Kind) -> GameAnswer:
    """List the pure equilibria of a multiplayer game, or the end of the logit path.

    It takes a game of one player too.
    """
    pure_result = pure_ones(tree, _TRIED)
    if tree.seats == 1 and pure_result.found:
        return _answer(tree, kind, list(pure_judged(tree, kind, pure_result.found)), "best", complete=pure_result.complete)
    if pure_result.found:
        perfect_entries = first_judged(tree, kind)
        entries = [*perfect_entries, *pure_judged(tree, kind, pure_result.found, perfect_entries)]
        logit_result, exact_strategy = _followed(tree) if followable(tree) else (None, None)
        near_entries = [] if exact_strategy is None else [judged_equilibrium(tree, exact_strategy, kind)]
        mixed_entries = [entry for entry in near_entries if mixes(tree, entry.strategy)]
        return _answer(
            tree, kind, [*entries, *mixed_entries], "beside" if mixed_entries else "pure", complete=pure_result.complete, path=logit_result
        )
    if not followable(tree):
        return _answer(tree, kind, (), "none", complete=pure_result.complete)
    logit_result, exact_strategy = _followed(tree)
    if exact_strategy is None and logit_result.error >= _NEAR:
        return _answer(tree, kind, (), "lost", complete=False, path=logit_result)
    strategy = exact_strategy or logit_result.strategy
    return _answer(
        tree,
        kind,
        [judged_equilibrium(tree, strategy, kind, asked=exact_strategy is not None)],
        "path",
        complete=pure_result.complete,
        path=logit_result,
    )


def _followed(tree: Tree) -> tuple[Logit, Strategy | None]:
    """Follow the logit path; return it with an exact equilibrium near its end, or None.

    If its end is not an equilibrium, the path is followed with payoffs scaled for each player, which changes no
    equilibrium.
    """
    logit_result = logit_path(tree)
    if logit_result.error >= _NEAR and (scaled_result := logit_path(measured(tree))).error < _NEAR:
        logit_result = scaled_result
    return logit_result, exact_beside(tree, logit_result.strategy)


def _forgetful(tree: Tree, kind: Kind) -> GameAnswer:
    """List the equilibria of a game with imperfect recall.

    They are pure behaviour strategies, the end of the logit path, and equilibria in mixed strategies from the matrix.
    """
    logit_result = logit_path(tree) if followable(tree) else None
    pure_result, undecided_count = pure_ones(tree, _TRIED), 0
    entries: list[Listed] = []
    for index, equilibrium in enumerate(pure_result.found):
        strategy = equilibrium.played(tree).strategy
        is_linear = kind.recall == "imperfect"  # the payoff is then linear in each row, so pure strategies are enough
        has_gain = False if is_linear else anybody_gains(tree, strategy, kind.memories) if index < _NAMED else None
        undecided_count += has_gain is None
        entries += [Listed(strategy, equilibrium.worth, Fraction(0))] * (has_gain is False)
    if logit_result is not None and (end_entry := _at_its_end(tree, kind, logit_result)) is not None:
        is_worse = tree.seats == 1 and bool(entries) and bool(end_entry.gain)  # the optimum is known, and this is only approximate
        entries += [end_entry] * (not is_worse and not any(alike(tree, end_entry.strategy, entry.strategy) for entry in entries))
    mixed_equilibria = None
    if tree.seats == 2 and how_many(tree, 0) * how_many(tree, 1) <= min(CELLS, _MATRIX):
        mixed_equilibria = equilibria(tree)
    found_contents: Way = "best" if tree.seats == 1 else "behaviour"
    contents: Way = found_contents if entries else "plans" if mixed_equilibria is not None else "none" if logit_result is None else "lost"
    is_search_complete = pure_result.complete and not undecided_count
    is_complete = (
        is_search_complete and all(not entry.gain for entry in entries)
        if entries
        else mixed_equilibria is not None and mixed_equilibria.complete
    )
    return _answer(
        tree, kind, entries, contents, complete=is_complete, mixed=mixed_equilibria, path=logit_result, undecided=undecided_count
    )


def _at_its_end(tree: Tree, kind: Kind, path: Logit) -> Listed | None:
    """Return an equilibrium at the end of the path: an exact one, else an approximate one.

    Return None if a player gains by another behaviour strategy.
    """
    if path.error >= _NEAR:
        return None
    for near in near_strategies(tree, path.strategy):
        if anybody_gains(tree, near, kind.memories) is False:
            return Listed(near, worths_of(tree, near), Fraction(0))
    if not no_plan_gains(measured(tree), path.strategy, _NEAR) or some_behaviour_gains(tree, path.strategy, _NEAR):
        return None
    return Listed(path.strategy, worths_of(tree, path.strategy), max(path.error, 1e-12))


def _mixes_nothing(one: Equilibrium) -> bool:
    """Return whether both players play a pure strategy."""
    return max(one.row) == max(one.column) == 1


def exact_beside(tree: Tree, strategy: Strategy) -> Strategy | None:
    """Find an exact equilibrium near a strategy in floats, with small denominators, or None.

    One that is not refuted as sequential is preferred to one that is only a Nash equilibrium.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("pennies")
    >>> exact_beside(tree, Strategy(tree, [(0.4999, 0.5001), (0.5003, 0.4997)])).rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    >>> exact_beside(tree, Strategy(tree, [(0.9, 0.1), (0.5, 0.5)])) is None
    True
    """
    if recall_problem := forgets(tree):
        raise TreeError(f"an equilibrium is proved where everybody remembers, and {recall_problem}")
    fallback = None
    for near in near_strategies(tree, strategy):
        if nash_conv(tree, near) == 0:
            if sequential(tree, near, tries=0).holds is not False:
                return near
            fallback = fallback or near
    return fallback
