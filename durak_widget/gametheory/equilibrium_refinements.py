"""Checks an equilibrium in subgames, by beliefs, and by the intuitive criterion.

It also computes the payoffs, and each player's gain from deviating.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.backward_induction_solver import backward_induction, find_subgame_perfect_payoffs
from durak_widget.gametheory.beliefs import evaluate_weak_perfect_bayesian
from durak_widget.gametheory.best_responses import compute_player_gains, compute_player_values
from durak_widget.gametheory.equilibrium_list import EquilibriumRecord, SubgameResult, classify_equilibrium, evaluate_in_subgames
from durak_widget.gametheory.mixed_to_behaviour import find_own_unreached_infosets
from durak_widget.gametheory.off_path_completion import complete_sequentially
from durak_widget.gametheory.signalling_games import IntuitiveRefutation, describe_why_not_signalling, find_intuitive_refutations
from durak_widget.gametheory.subgame_perfection import compute_gains_in_subgames, find_subgame_perfect_equilibria, solve_by_pure_equilibria

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.game_properties import GameProperties
    from durak_widget.gametheory.pure_nash_equilibria import PureEquilibrium
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

MAX_EXAMINED: Final = 12
"""The maximum number of equilibria for which all checks are made, also the checks of beliefs."""
_MAX_CHECKED_IN_SUBGAMES: Final = 2_000
"""The maximum number of equilibria of a perfect-information game that are checked for subgame perfection."""
_MAX_SUBGAME_PERFECT: Final = 60
"""The maximum number of subgame-perfect equilibria of a perfect-information game that are listed."""
_MAX_COMPLETIONS: Final = 27
"""The maximum number of completions to try if an equilibrium has no actions at unreached information sets."""
# Each tremble takes longer in a tree of more than `_FULL_EFFORT_HISTORIES` histories, so fewer trembles are tried
_TREMBLE_COUNT, _FULL_EFFORT_HISTORIES = 40, 250
_SMALL_TREE_HISTORIES, _SMALL_TREE_TREMBLE_COUNT = 40, 400  # A tremble takes little time in a small tree, so more trembles are tried
_MAX_SUBGAMES: Final = 60
"""The maximum number of subgames in a game whose equilibria are checked for subgame perfection."""


def examine_equilibrium(
    tree: Tree, strategy: Strategy, properties: GameProperties, unreached_infosets: Iterable[int] = (), *, full: bool | None = True
) -> EquilibriumRecord:
    """Check an equilibrium: compute its payoffs and gains, and check its subgames and beliefs.

    `full` is True for all checks, False for a quick check of subgames only, and None for no check.
    `unreached_infosets` has the information sets for which the equilibrium has no actions.
    """
    sequential_result, weak_result, subgame_result, classification, refutations, is_signalling_game = (
        None,
        None,
        None,
        None,
        tuple[IntuitiveRefutation, ...](),
        False,
    )
    if full and strategy.exact:
        divisor = max(1, tree.history_count // _FULL_EFFORT_HISTORIES)
        completion = complete_sequentially(
            tree,
            strategy,
            unreached_infosets,
            tries=_TREMBLE_COUNT // divisor if tree.history_count > _SMALL_TREE_HISTORIES else _SMALL_TREE_TREMBLE_COUNT,
            max_completions=max(1, _MAX_COMPLETIONS // divisor),
        )
        strategy, sequential_result = completion.strategy, completion.verdict
        weak_result = None if sequential_result.holds else evaluate_weak_perfect_bayesian(tree, strategy)
        classification = classify_equilibrium(
            tree, strategy, sequential_result.holds, weak=weak_result and weak_result.holds, has_completed_infosets=bool(unreached_infosets)
        )
        subgame_result = evaluate_if_few_subgames(tree, strategy, properties)
        if sequential_result.holds is None and subgame_result is not None and not subgame_result.holds:
            subgame_result = None  # Other actions at the unreached information sets might make the equilibrium subgame perfect
        if is_signalling_game := describe_why_not_signalling(tree) is None:
            refutations = find_intuitive_refutations(tree, strategy)
    elif full is not None and strategy.exact and properties.has_perfect_information:
        subgame_result = evaluate_if_few_subgames(tree, strategy, properties)
        holds = None if subgame_result is None else subgame_result.holds
        if (
            unreached_infosets and not holds and not _fails_outside_unreached_infosets(tree, strategy, unreached_infosets)
        ):  # Other actions at the unreached information sets might make the equilibrium subgame perfect
            completion = complete_sequentially(tree, strategy, unreached_infosets, max_completions=_MAX_COMPLETIONS)
            strategy, holds = completion.strategy, completion.verdict.holds
            subgame_result = evaluate_if_few_subgames(tree, strategy, properties)
        classification = classify_equilibrium(tree, strategy, holds, weak=holds, has_completed_infosets=bool(unreached_infosets))
    payoffs = compute_player_values(tree, strategy)
    gains = compute_player_gains(tree, strategy, payoffs)
    return EquilibriumRecord(
        strategy,
        payoffs,
        sum(gains),
        sequential_result,
        refutations,
        gains,
        weak_result,
        subgame_result,
        classification,
        is_signalling_game=is_signalling_game,
    )


def _fails_outside_unreached_infosets(tree: Tree, strategy: Strategy, unreached_infosets: Iterable[int]) -> bool:
    """Return whether a player gains in a subgame that contains none of `unreached_infosets`.

    The game must have perfect information.
    """
    unreached = set(unreached_infosets)
    open_nodes = {
        node for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)) if actor >= 0 and infoset in unreached
    }
    for node in reversed(range(1, tree.history_count)):
        if node in open_nodes:
            open_nodes.add(tree.parent[node])
    return any(gain and root not in open_nodes for root, gain in compute_gains_in_subgames(tree, strategy).items())


def choose_examinations(tree: Tree, behaviours: Sequence[tuple[Strategy, Iterable[int]]], full_count: int) -> list[bool | None]:
    """Choose for each equilibrium whether to make all checks, only subgame checks, or none.

    The first `full_count` equilibria get all checks (True), more of them only subgame checks (False), and the last
    ones none (None). Which ones come first depends on the labels of actions, not on the order of the actions in the
    tree.
    """
    ranks = range(len(behaviours))
    if len(behaviours) > full_count:
        paths = _find_infoset_paths(tree)
        keys = [_build_name_key(tree, paths, strategy, free) for strategy, free in behaviours]
        order = sorted(ranks, key=keys.__getitem__)
        ranks = sorted(ranks, key=order.__getitem__)  # type: ignore[assignment]
    return [True if rank < full_count else False if rank < _MAX_CHECKED_IN_SUBGAMES else None for rank in ranks]


def _find_infoset_paths(tree: Tree) -> list[tuple[str, ...]]:
    """Return the alphabetically first path of actions to each information set."""
    paths: dict[int, tuple[str, ...]] = {}
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor >= 0:
            path = tree.actions_from_root(node)
            paths[infoset] = min(path, paths.get(infoset, path))
    return [paths[infoset] for infoset in range(len(tree.infosets))]


def _build_name_key(
    tree: Tree, paths: Sequence[tuple[str, ...]], strategy: Strategy, unreached_infosets: Iterable[int]
) -> list[tuple[object, ...]]:
    """Return a sort key of an equilibrium that does not depend on the order of the actions.

    The key has, for each information set, the path to it and the probability of each action.
    """
    unreached = frozenset(unreached_infosets)
    return sorted(
        (paths[infoset], sorted(zip(tree.infosets[infoset].actions, row, strict=True)))
        for infoset, row in enumerate(strategy.rows)
        if infoset not in unreached
    )


def evaluate_if_few_subgames(tree: Tree, strategy: Strategy, properties: GameProperties) -> SubgameResult | None:
    """Decide whether a strategy is subgame perfect, unless the game has too many subgames.

    Return None if there are too many subgames, or if the only subgame is the whole game.
    """
    return (
        evaluate_in_subgames(tree, strategy, properties.subgame_roots, perfect_information=properties.has_perfect_information)
        if properties.has_perfect_information or 1 < len(properties.subgame_roots) <= _MAX_SUBGAMES
        else None
    )


def examine_first_equilibria(tree: Tree, properties: GameProperties) -> list[EquilibriumRecord]:
    """Find and check the subgame-perfect equilibria of a game, to list them before all others.

    If actions are observed, there is one equilibrium for each payoff vector of the sequential equilibria. Otherwise,
    the equilibria are combined from equilibria of the subgames, if there are any.
    """
    if properties.has_observed_actions:
        strategies = find_subgame_perfect_payoffs(tree).strategies or (backward_induction(tree).strategy,)
        # An incomplete list would depend on the order of the actions, so only a complete list is added
        if (
            properties.has_perfect_information
            and (subgame_perfect_result := find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, _MAX_SUBGAME_PERFECT)).complete
        ):
            strategies = tuple(dict.fromkeys((*strategies, *subgame_perfect_result.strategies)))
    else:
        strategies = (
            find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, MAX_EXAMINED).strategies
            if len(properties.subgame_roots) > 1
            else ()
        )
    full_count = MAX_EXAMINED // max(1, tree.history_count // _FULL_EFFORT_HISTORIES)
    return [
        examine_equilibrium(
            tree, strategy, properties, () if properties.has_observed_actions else find_own_unreached_infosets(tree, strategy)
        )
        if not properties.has_perfect_information and index < full_count
        else _build_proved_equilibrium(tree, strategy, properties, sequential=True if properties.has_observed_actions else None)
        for index, strategy in enumerate(strategies)
    ]


def _build_proved_equilibrium(tree: Tree, strategy: Strategy, properties: GameProperties, *, sequential: bool | None) -> EquilibriumRecord:
    """Build the record of an equilibrium that is already known to be subgame perfect."""
    payoffs = compute_player_values(tree, strategy)
    classification = classify_equilibrium(tree, strategy, sequential)
    return EquilibriumRecord(
        strategy,
        payoffs,
        Fraction(0),
        player_gains=compute_player_gains(tree, strategy, payoffs),
        subgame_result=SubgameResult(holds=True, has_perfect_information=properties.has_perfect_information),
        classification=classification,
    )


def reduce_strategy(strategy: Strategy, unreached_infosets: Iterable[int]) -> frozenset[tuple[int, tuple[Number, ...]]]:
    """Return the action probabilities at all information sets except `unreached_infosets`."""
    unreached = frozenset(unreached_infosets)
    return frozenset([(infoset, row) for infoset, row in enumerate(strategy.rows) if infoset not in unreached])


def examine_pure_equilibria(
    tree: Tree, properties: GameProperties, pure_equilibria: Iterable[PureEquilibrium], examined: Iterable[EquilibriumRecord] = ()
) -> Iterable[EquilibriumRecord]:
    """Check each given pure equilibrium, except those that `examined` already contains."""
    known_rows = {
        reduce_strategy(equilibrium.strategy, find_own_unreached_infosets(tree, equilibrium.strategy)) for equilibrium in examined
    }
    behaviours = [
        behaviour
        for behaviour in (equilibrium.to_behaviour(tree) for equilibrium in pure_equilibria)
        if reduce_strategy(*behaviour) not in known_rows
    ]
    full_count = MAX_EXAMINED // max(1, tree.history_count // _FULL_EFFORT_HISTORIES)
    examinations = choose_examinations(tree, behaviours, full_count)
    return [
        examine_equilibrium(tree, behaviour.strategy, properties, behaviour.unreached_infosets, full=full)
        for behaviour, full in zip(behaviours, examinations, strict=True)
    ]
