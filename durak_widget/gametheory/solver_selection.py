"""Chooses a solver for any finite game and lists the game's equilibria, with proofs.

With perfect recall, every listed equilibrium is proved in exact fractions, unless it is marked as approximate. Each
one is classified: proved sequential by trembles; Nash but not sequential, because no belief supports it at some
information set; or undecided. An exact equilibrium near a rounded one is accepted only after best responses in
fractions have proved it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from durak_widget.gametheory import zero_sum_solver
from durak_widget.gametheory.backward_induction_solver import find_subgame_perfect_payoffs
from durak_widget.gametheory.best_responses import compute_player_gains, compute_player_values, nash_conv, nash_conv_or_infinity
from durak_widget.gametheory.bimatrix_equilibria import Equilibria, equilibria
from durak_widget.gametheory.equilibrium_list import (
    EquilibriumOutcome,
    EquilibriumRecord,
    classify_equilibrium,
    describe_list,
    group_by_outcome,
)
from durak_widget.gametheory.equilibrium_refinements import (
    MAX_EXAMINED,
    choose_examinations,
    evaluate_if_few_subgames,
    examine_equilibrium,
    examine_first_equilibria,
    examine_pure_equilibria,
    reduce_strategy,
)
from durak_widget.gametheory.game_properties import (
    MAX_PURE_PYTHON_HISTORIES,
    find_game_properties,
    has_value,
    normalize_payoffs,
    to_zero_sum,
)
from durak_widget.gametheory.mixed_to_behaviour import (
    agree_on_own_paths,
    behaviour_from_equilibrium,
    find_own_unreached_infosets,
    is_mixed_on_own_path,
)
from durak_widget.gametheory.nash_verification import has_behaviour_deviation_above, has_no_pure_deviation, has_profitable_deviation
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
from durak_widget.gametheory.quantal_response import can_follow_logit_path, follow_logit_path
from durak_widget.gametheory.sequential_equilibrium import verify_sequential_equilibrium
from durak_widget.gametheory.strategic_form import MAX_CELLS, count_pure_strategies, matrix
from durak_widget.gametheory.strategy import Strategy, generate_near_strategies
from durak_widget.gametheory.subgame_perfection import (
    can_enumerate_profiles,
    find_perfect_information_equilibria,
    find_subgame_perfect_equilibria,
    solve_by_extreme_equilibria,
    solve_by_lemke,
)
from durak_widget.gametheory.tree import TreeError, describe_imperfect_recall, require_tree
from durak_widget.gametheory.zero_sum_solver import NO_VALUE_MESSAGE, Solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.gametheory.bimatrix_equilibria import Equilibrium
    from durak_widget.gametheory.equilibrium_list import ListContents
    from durak_widget.gametheory.game_properties import GameProperties
    from durak_widget.gametheory.quantal_response import LogitPathResult
    from durak_widget.gametheory.solver_progress import ProgressListener
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

_MAX_CHECKED_BEHAVIOURS: Final = 200
"""The maximum number of pure equilibria of a game with imperfect recall that are checked for gains from mixing
actions.
"""
_MAX_BETWEEN_CORNERS: Final = 60
"""The maximum number of subgame-perfect equilibria to look for between the listed extreme equilibria."""
_MAX_MATRIX_CELLS: Final = 5_000
"""The maximum number of cells of a strategic form in which all equilibria are computed."""
_MAX_PROFILES: Final = 20_000
_MAX_LISTED_HISTORIES: Final = 800
"""The maximum number of histories of a constant-sum game whose equilibria are listed; for a larger game, only one
solution is computed.
"""
_TOLERANCE: Final = 1e-6
MAX_WITHOUT_OUTCOMES: Final = 8
"""The maximum number of equilibria shown one by one; more are first grouped by outcome."""
_MAX_PRINTED: Final = 20
"""The maximum number of equilibrium strategies that a printed answer shows."""


@dataclass(frozen=True, repr=False)
class GameAnswer(Solution):
    """The solution of a game whose equilibria may have different payoffs.

    This is a game that is not zero-sum, that has three or more players, or that has imperfect recall.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> answer = solve(textbook("horse"))
    >>> for equilibrium in answer.equilibria:
    ...     print(equilibrium.name, *equilibrium.payoffs)
    sequential equilibrium 1 1 1
    Nash equilibrium, not sequential 3 2 2
    >>> print(answer.note)
    The list has all equilibria in pure strategies. Mixed equilibria are not listed.
    """

    kind: GameProperties | None = None
    equilibria: tuple[EquilibriumRecord, ...] = ()
    """The equilibria of the game; equilibria that are supported by beliefs come first."""
    contents: ListContents = "none"
    complete: bool = False
    """True if the list of equilibria is complete for the kind of equilibria that `contents` names."""
    mixed_equilibria: Equilibria | None = None
    """The equilibria in mixed strategies of a game with imperfect recall, in which a player must remember their
    random choice of strategy.
    """
    logit_path: LogitPathResult | None = None
    """The path of logit equilibria; None if the solver did not follow it."""
    undecided_count: int = 0
    """The number of pure equilibria left out of the list because it is unknown whether a player gains by mixing
    actions.
    """

    @property
    def value(self) -> Number:
        """Return the game's value for the first player; raise an error if the game has no value."""
        return self.lower

    @property
    def payoffs(self) -> tuple[Number, ...] | None:
        """Return the payoff of each player in the first equilibrium of the list."""
        return self.equilibria[0].payoffs if self.equilibria else None

    @property
    def lower(self) -> Fraction:
        """Return the first player's exact value; raise an error if no value is proved."""
        if not self.equilibria:
            raise TreeError(f"there is no equilibrium to show: {self.note}")
        is_solved_alone = self.tree.player_count == 1 and self.complete
        if self.exact and (is_solved_alone or has_value(self.tree)):
            return Fraction(self.equilibria[0].payoffs[0])
        raise TreeError(f"{NO_VALUE_MESSAGE}; .equilibria lists what each equilibrium pays")

    @property
    def upper(self) -> Fraction:
        """Return the game's value, which is equal to both its lower and its upper bound."""
        return self.lower

    @property
    def exact(self) -> bool:
        """Return whether all listed equilibria are proved in exact fractions."""
        return bool(self.equilibria) and not any(equilibrium.total_gain for equilibrium in self.equilibria)

    @property
    def note(self) -> str:
        """Return a note that says what the list of equilibria contains."""
        has_imperfect_recall = self.kind is not None and self.kind.recall != "perfect"
        return describe_list(
            self.contents,
            complete=self.complete,
            imperfect_recall=has_imperfect_recall,
            gains_by_mixing=self.has_gains_by_mixing,
            undecided=self.undecided_count,
            unchecked=self.unchecked_count,
        )

    @property
    def unchecked_count(self) -> int:
        """Return how many listed equilibria were not classified; they are last in the list."""
        return (
            0
            if self.kind is None or self.kind.recall != "perfect"
            else sum(equilibrium.classification is None and not equilibrium.total_gain for equilibrium in self.equilibria)
        )

    @property
    def has_gains_by_mixing(self) -> bool:
        """Return whether a player is known to gain by mixing in at least one pure equilibrium.

        If this is true, no behaviour strategy is listed.
        """
        return (
            self.contents == "plans"
            and self.mixed_equilibria is not None
            and sum(map(_is_pure_equilibrium, self.mixed_equilibria.equilibria)) > self.undecided_count
        )

    def _summary_rows(self) -> list[tuple[str, str]]:
        label = "behaviour" if self.contents == "best" else "equilibrium"
        rows = [(f"{label} {number}", str(equilibrium)) for number, equilibrium in enumerate(self.equilibria[:_MAX_PRINTED], 1)]
        return [*rows, ("these are", self.note)]

    def __repr__(self) -> str:
        return f"<GameAnswer: {len(self.equilibria)} found. {self.note}>"

    def __str__(self) -> str:
        lines = list(map(str, self.equilibria[:_MAX_PRINTED]))
        if (remaining := len(self.equilibria) - len(lines)) > 0:
            lines.append(f"… and {remaining:,} more: .equilibria has them all")
        mixed_lines = (
            []
            if self.mixed_equilibria is None
            else [f"in mixed strategies: {equilibrium}" for equilibrium in self.mixed_equilibria.equilibria]
        )
        outcome_lines = list(map(str, self.outcomes)) if len(self.equilibria) > MAX_WITHOUT_OUTCOMES else []
        return "\n".join([*outcome_lines, *(["strategies:"] if outcome_lines else []), *lines, *mixed_lines, self.note])

    @property
    def outcomes(self) -> tuple[EquilibriumOutcome, ...]:
        """Group the equilibria by outcome: the same name, payoffs and line of play."""
        return group_by_outcome(self.equilibria)


def solve(
    tree: Tree,
    method: str | None = None,
    *,
    exact: bool = True,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    progress: ProgressListener = None,
    seed: int | None = None,
) -> Solution:
    """Solve any finite game; without a `method`, choose the solver that suits the game.

    A two-player zero-sum game is solved by a linear program (`"lp"`). A game with observed actions is solved by
    backward induction, for any payoffs and any number of players. Both give a `Solution` with its proof. Any other
    game gives a `GameAnswer`: a list of equilibria, with what is proved about each. For two players it lists all
    equilibria if they are few enough, else one by Lemke's algorithm. For three or more it lists all pure-strategy
    ones, and the end of the path of logit equilibria. For a small game with perfect information it also lists
    equilibria that depend on empty threats. A `method`, one of `METHODS`, is used with its options as given;
    `"answer"` lists equilibria of any game, also of zero-sum ones.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> solve(textbook("kuhn")).value, solve(textbook("entry")).backward_induction.values
    (Fraction(-1, 18), (Fraction(2, 1), Fraction(2, 1)))
    >>> for equilibrium in solve(textbook("outside-option")).equilibria:
    ...     print(equilibrium.name, *equilibrium.payoffs)
    sequential equilibrium 2 2
    sequential equilibrium 3 1
    sequential equilibrium 2 2
    weak perfect Bayesian equilibrium, not subgame-perfect 2 2
    """
    require_tree(tree)
    if method == "answer" and exact and all(option is None for option in (iterations, until, seconds, progress, seed)):
        return list_equilibria(tree)
    if method is not None or not exact or any(option is not None for option in (iterations, until, seconds, progress, seed)):
        options: dict[str, Any] = {"iterations": iterations, "until": until, "seconds": seconds, "progress": progress, "seed": seed}
        return zero_sum_solver.solve(tree, method or "lp", exact=exact, **options)
    start_time = perf_counter()
    kind = find_game_properties(tree)
    if kind.recall != "perfect":
        return _list_equilibria(tree, kind, start_time)
    if kind.has_observed_actions:
        backward_solution = zero_sum_solver.solve(tree, "backward")
        if (kind.payoff_sum == "zero" and kind.player_count == 2) or not (kind.has_perfect_information and can_enumerate_profiles(tree)):
            return backward_solution
        return replace(_list_with_perfect_information(tree, kind, backward_solution), seconds=perf_counter() - start_time)
    if kind.payoff_sum == "zero" and kind.player_count == 2:
        return _solve_zero_sum(tree)
    if kind.payoff_sum == "constant" and kind.player_count == 2 and tree.history_count > _MAX_LISTED_HISTORIES:
        zero_sum_strategy = _solve_zero_sum(to_zero_sum(tree)).strategy
        entries = [examine_equilibrium(tree, zero_sum_strategy, kind, find_own_unreached_infosets(tree, zero_sum_strategy))]
        return replace(_build_answer(tree, kind, entries, "one", complete=False), seconds=perf_counter() - start_time)
    return _list_equilibria(tree, kind, start_time)


def list_equilibria(tree: Tree) -> GameAnswer:
    """List equilibria of any game, even if `solve` would return only one solution.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> print(list_equilibria(textbook("entry")))
    subgame-perfect equilibrium, pays Entrant: 2; Chain store: 2 (Entrant (begins): enter; Chain store (after an entry): share)
    Nash equilibrium, not subgame-perfect, pays Entrant: 1; Chain store: 5 (Entrant (begins): stay out; Chain store (after an entry): fight)
    Nash equilibrium, not subgame-perfect, pays Entrant: 1; Chain store: 5 (Entrant (begins): stay out; Chain store (after an entry): 1/2 share + 1/2 fight)
    The list has all Nash equilibria in reduced strategies, or the extreme points if there are infinitely many. ... Each one is proved in exact fractions.
    """
    require_tree(tree)
    start_time = perf_counter()
    return _list_equilibria(tree, find_game_properties(tree), start_time)


def _list_equilibria(tree: Tree, kind: GameProperties, start_time: float) -> GameAnswer:
    """List a game's equilibria with the solver that suits the players' number and recall."""
    answer = (
        _list_with_imperfect_recall(tree, kind)
        if kind.recall != "perfect"
        else _list_two_player(tree, kind)
        if kind.player_count == 2
        else _list_multiplayer(tree, kind)
    )
    perfect_result = (
        find_subgame_perfect_payoffs(tree)
        if kind.has_observed_actions and kind.recall == "perfect" and tree.player_count > 1 and not has_value(tree)
        else None
    )
    return replace(answer, perfect_payoffs=perfect_result, seconds=perf_counter() - start_time)


def _solve_zero_sum(tree: Tree) -> Solution:
    """Solve a zero-sum game by a linear program; if this fails, solve it by double oracle."""
    try:
        return zero_sum_solver.solve(tree, "lp")
    except TreeError:
        if tree.history_count > MAX_PURE_PYTHON_HISTORIES:
            raise
        return zero_sum_solver.solve(tree, "plans")


def _build_answer(
    tree: Tree,
    kind: GameProperties,
    equilibria: Iterable[EquilibriumRecord],
    contents: ListContents,
    *,
    complete: bool,
    **fields: Any,  # noqa: ANN401 - fields of `GameAnswer`
) -> GameAnswer:
    """Build a `GameAnswer` that lists different equilibria, the best proved ones first.

    Equilibria supported by beliefs come first, then undecided ones, then equilibria that beliefs refute.
    """
    ranks = {True: 0, None: 1, False: 2}
    last_rank = 3 if kind.recall == "perfect" else 1  # Equilibria that were not classified get this rank in the order of the list
    listed_by_strategy = {entry.strategy: entry._replace(tree=tree) for entry in equilibria}
    listed = tuple(
        sorted(
            listed_by_strategy.values(),
            key=lambda entry: (
                last_rank if entry.classification is None else ranks[entry.classification.sequential],
                bool(entry.intuitive_refutations),
            ),
        )
    )
    strategy = listed[0].strategy if listed else Strategy.uniform(tree)
    distance = listed[0].total_gain / tree.player_count if listed else nash_conv_or_infinity(tree, strategy)
    return GameAnswer(tree, "answer", strategy, distance, 0.0, kind=kind, equilibria=listed, contents=contents, complete=complete, **fields)


def _list_with_perfect_information(tree: Tree, properties: GameProperties, backward_solution: Solution) -> GameAnswer:
    """List the pure equilibria of a perfect-information game, also those with empty threats.

    An empty threat is an action that its player would not take when asked to.
    """
    perfect_result = backward_solution.perfect_payoffs or find_subgame_perfect_payoffs(tree)
    all_equilibria = find_perfect_information_equilibria(tree, [backward_solution.strategy, *perfect_result.strategies])
    entries = []
    for strategies, is_sequential in ((all_equilibria.subgame_perfect, True), (all_equilibria.not_subgame_perfect, False)):
        for strategy in strategies:
            payoffs = compute_player_values(tree, strategy)
            gains, subgames_check = compute_player_gains(tree, strategy, payoffs), evaluate_if_few_subgames(tree, strategy, properties)
            is_perfect = (
                is_sequential if subgames_check is None else subgames_check.holds
            )  # The list of subgame-perfect equilibria may be incomplete, so a check of the subgames is used where there is one
            entries.append(
                EquilibriumRecord(
                    strategy,
                    payoffs,
                    sum(gains),
                    player_gains=gains,
                    subgame_result=subgames_check,
                    classification=classify_equilibrium(tree, strategy, is_perfect),
                )
            )
    contents: ListContents = "best" if tree.player_count == 1 else "seen"
    return replace(
        _build_answer(
            tree,
            properties,
            entries,
            contents,
            complete=all_equilibria.complete,
            backward_induction=backward_solution.backward_induction,
            perfect_payoffs=backward_solution.perfect_payoffs,
        ),
        method="backward",
    )


def _list_two_player(tree: Tree, kind: GameProperties) -> GameAnswer:
    """List the equilibria of a two-player game with perfect recall.

    List all equilibria if the strategic form is small; otherwise, list all pure equilibria and perhaps one more.
    """
    if count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) <= _MAX_MATRIX_CELLS:
        payoff_matrix = matrix(tree)
        extreme = equilibria(payoff_matrix)
        if extreme.complete:
            entries = perfect_entries = examine_first_equilibria(tree, kind) if kind.has_observed_actions else []
            known_keys = {reduce_strategy(entry.strategy, find_own_unreached_infosets(tree, entry.strategy)) for entry in perfect_entries}
            conversions = {
                reduce_strategy(*conversion): conversion
                for conversion in (behaviour_from_equilibrium(tree, payoff_matrix, equilibrium) for equilibrium in extreme)
            }
            new_conversions = [conversion for key, conversion in conversions.items() if key not in known_keys]
            entries += [
                examine_equilibrium(tree, conversion.strategy, kind, conversion.unreached_infosets, full=depth)
                for conversion, depth in zip(new_conversions, choose_examinations(tree, new_conversions, MAX_EXAMINED), strict=True)
            ]
            # A subgame-perfect equilibrium need not be one of the extreme equilibria above
            if len(kind.subgame_roots) > 1 and not kind.has_observed_actions:
                subgame_result = find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria, _MAX_BETWEEN_CORNERS)
                entries = _add_subgame_perfect(tree, kind, entries, subgame_result.strategies, add_new=subgame_result.complete)
            return _build_answer(tree, kind, entries, "all", complete=True)
    perfect_entries, pure_result = examine_first_equilibria(tree, kind), find_pure_equilibria(tree, _MAX_PROFILES)
    if not kind.has_observed_actions:
        [strategy, *_] = find_subgame_perfect_equilibria(tree, solve_by_lemke, 1).strategies
        perfect_entries.append(examine_equilibrium(tree, strategy, kind, find_own_unreached_infosets(tree, strategy)))
    return _build_answer(
        tree,
        kind,
        [*perfect_entries, *examine_pure_equilibria(tree, kind, pure_result.equilibria, perfect_entries)],
        "pure" if kind.has_observed_actions else "one",
        complete=pure_result.complete,
    )


def _add_subgame_perfect(
    tree: Tree, kind: GameProperties, equilibria: Iterable[EquilibriumRecord], strategies: Iterable[Strategy], *, add_new: bool
) -> list[EquilibriumRecord]:
    """Put subgame-perfect equilibria into a list, in place of equivalent other equilibria.

    Each of them replaces an equilibrium that differs only at information sets which play does not reach. Others are
    added only if `add_new` is set, because an incomplete list would depend on the order of actions.
    """
    listed = {reduce_strategy(entry.strategy, find_own_unreached_infosets(tree, entry.strategy)): entry for entry in equilibria}
    for strategy in strategies:
        key = reduce_strategy(strategy, find_own_unreached_infosets(tree, strategy))
        if key in listed and (name := listed[key].classification) is not None and name.subgame_perfect:
            continue
        if key not in listed and not add_new:
            continue
        candidate = examine_equilibrium(tree, strategy, kind, find_own_unreached_infosets(tree, strategy))
        listed[key] = (
            candidate
            if candidate.classification and candidate.classification.subgame_perfect
            else examine_equilibrium(tree, strategy, kind)
        )
    return list(listed.values())


def _list_multiplayer(tree: Tree, kind: GameProperties) -> GameAnswer:
    """List a game's pure equilibria, and the equilibrium at the end of the logit path.

    The game has three or more players, or only one.
    """
    pure_result = find_pure_equilibria(tree, _MAX_PROFILES)
    if tree.player_count == 1 and pure_result.equilibria:
        return _build_answer(
            tree, kind, list(examine_pure_equilibria(tree, kind, pure_result.equilibria)), "best", complete=pure_result.complete
        )
    if pure_result.equilibria:
        perfect_entries = examine_first_equilibria(tree, kind)
        entries = [*perfect_entries, *examine_pure_equilibria(tree, kind, pure_result.equilibria, perfect_entries)]
        logit_result, exact_strategy = _follow_logit_path(tree) if can_follow_logit_path(tree) else (None, None)
        near_entries = [] if exact_strategy is None else [examine_equilibrium(tree, exact_strategy, kind)]
        mixed_entries = [entry for entry in near_entries if is_mixed_on_own_path(tree, entry.strategy)]
        return _build_answer(
            tree,
            kind,
            [*entries, *mixed_entries],
            "beside" if mixed_entries else "pure",
            complete=pure_result.complete,
            logit_path=logit_result,
        )
    if not can_follow_logit_path(tree):
        return _build_answer(tree, kind, (), "none", complete=pure_result.complete)
    logit_result, exact_strategy = _follow_logit_path(tree)
    if exact_strategy is None and logit_result.error >= _TOLERANCE:
        return _build_answer(tree, kind, (), "lost", complete=False, logit_path=logit_result)
    strategy = exact_strategy or logit_result.strategy
    return _build_answer(
        tree,
        kind,
        [examine_equilibrium(tree, strategy, kind, full=exact_strategy is not None)],
        "path",
        complete=pure_result.complete,
        logit_path=logit_result,
    )


def _follow_logit_path(tree: Tree) -> tuple[LogitPathResult, Strategy | None]:
    """Follow the logit path; also look for an exact equilibrium near the path's end.

    If its end is not an equilibrium, the path is followed with payoffs scaled for each player, which changes no
    equilibrium.
    """
    logit_result = follow_logit_path(tree)
    if logit_result.error >= _TOLERANCE and (scaled_result := follow_logit_path(normalize_payoffs(tree))).error < _TOLERANCE:
        logit_result = scaled_result
    return logit_result, find_exact_near(tree, logit_result.strategy)


def _list_with_imperfect_recall(tree: Tree, kind: GameProperties) -> GameAnswer:
    """List the equilibria of a game in which a player has imperfect recall.

    The list has equilibria in pure strategies and the end of the logit path. Equilibria in mixed strategies are
    computed from the matrix.
    """
    logit_result = follow_logit_path(tree) if can_follow_logit_path(tree) else None
    pure_result, undecided_count = find_pure_equilibria(tree, _MAX_PROFILES), 0
    entries: list[EquilibriumRecord] = []
    for index, equilibrium in enumerate(pure_result.equilibria):
        strategy = equilibrium.to_behaviour(tree).strategy
        # If no player is absent-minded, payoffs are linear in the probabilities at each information set, so checking
        # pure deviations suffices
        is_linear = kind.recall == "imperfect"
        has_gain = (
            False
            if is_linear
            else has_profitable_deviation(tree, strategy, kind.player_recalls)
            if index < _MAX_CHECKED_BEHAVIOURS
            else None
        )
        undecided_count += has_gain is None
        entries += [EquilibriumRecord(strategy, equilibrium.payoffs, Fraction(0))] * (has_gain is False)
    if logit_result is not None and (end_entry := _find_equilibrium_at_path_end(tree, kind, logit_result)) is not None:
        is_worse = (
            tree.player_count == 1 and bool(entries) and bool(end_entry.total_gain)
        )  # In a one-player game, a pure strategy with the best payoff is already listed, so an approximate one is of no use
        entries += [end_entry] * (
            not is_worse and not any(agree_on_own_paths(tree, end_entry.strategy, entry.strategy) for entry in entries)
        )
    mixed_equilibria = None
    if tree.player_count == 2 and count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) <= min(MAX_CELLS, _MAX_MATRIX_CELLS):
        mixed_equilibria = equilibria(tree)
    found_contents: ListContents = "best" if tree.player_count == 1 else "behaviour"
    contents: ListContents = (
        found_contents if entries else "plans" if mixed_equilibria is not None else "none" if logit_result is None else "lost"
    )
    is_search_complete = pure_result.complete and not undecided_count
    is_complete = (
        is_search_complete and all(not entry.total_gain for entry in entries)
        if entries
        else mixed_equilibria is not None and mixed_equilibria.complete
    )
    return _build_answer(
        tree,
        kind,
        entries,
        contents,
        complete=is_complete,
        mixed_equilibria=mixed_equilibria,
        logit_path=logit_result,
        undecided_count=undecided_count,
    )


def _find_equilibrium_at_path_end(tree: Tree, kind: GameProperties, path: LogitPathResult) -> EquilibriumRecord | None:
    """Return an equilibrium near the logit path's end: exact if possible, else approximate.

    Return None if a player gains by another behaviour strategy.
    """
    if path.error >= _TOLERANCE:
        return None
    for near in generate_near_strategies(tree, path.strategy):
        if has_profitable_deviation(tree, near, kind.player_recalls) is False:
            return EquilibriumRecord(near, compute_player_values(tree, near), Fraction(0))
    if not has_no_pure_deviation(normalize_payoffs(tree), path.strategy, _TOLERANCE) or has_behaviour_deviation_above(
        tree, path.strategy, _TOLERANCE
    ):
        return None
    return EquilibriumRecord(path.strategy, compute_player_values(tree, path.strategy), max(path.error, 1e-12))


def _is_pure_equilibrium(equilibrium: Equilibrium) -> bool:
    """Return whether both players play pure strategies in a given equilibrium."""
    return max(equilibrium.row) == max(equilibrium.column) == 1


def find_exact_near(tree: Tree, strategy: Strategy) -> Strategy | None:
    """Find an exact equilibrium near a floating-point strategy, or return None.

    An equilibrium that may be sequential is preferred to one that is known to be only a Nash equilibrium.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("pennies")
    >>> find_exact_near(tree, Strategy(tree, [(0.4999, 0.5001), (0.5003, 0.4997)])).rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    >>> find_exact_near(tree, Strategy(tree, [(0.9, 0.1), (0.5, 0.5)])) is None
    True
    """
    if recall_problem := describe_imperfect_recall(tree):
        raise TreeError(f"proving an equilibrium needs a tree with perfect recall, and {recall_problem}")
    fallback = None
    for near in generate_near_strategies(tree, strategy):
        if nash_conv(tree, near) == 0:
            if verify_sequential_equilibrium(tree, near, tries=0).holds is not False:
                return near
            fallback = fallback or near
    return fallback
