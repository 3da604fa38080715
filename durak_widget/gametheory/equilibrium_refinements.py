"""Examines equilibria that were found.

It adds the payoffs, each player's gain by deviating, and what subgames and beliefs say about an equilibrium.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.backward_induction_solver import backward_induction, perfect_payoffs
from durak_widget.gametheory.beliefs import weakly_perfect
from durak_widget.gametheory.best_responses import gains_by, worths_of
from durak_widget.gametheory.equilibrium_list import InSubgames, Listed, called, in_subgames
from durak_widget.gametheory.mixed_to_behaviour import never_led
from durak_widget.gametheory.off_path_completion import sequentially_filled
from durak_widget.gametheory.signalling_games import Intuitive, intuitively_refuted, no_signals
from durak_widget.gametheory.subgame_perfection import by_pure_ones, gains_in_subgames, subgame_perfect

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.game_properties import Kind
    from durak_widget.gametheory.pure_nash_equilibria import PureOne
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

LISTED: Final = 12
"""The maximum number of equilibria that are examined in full, with beliefs."""
_IN_SUBGAMES: Final = 2_000
"""The maximum number of equilibria that are checked in each subgame, with perfect information."""
_PERFECT: Final = 60
"""The maximum number of subgame-perfect equilibria that are listed, with perfect information."""
_FILLINGS: Final = 27
"""The maximum number of completions of an equilibrium at information sets it says nothing about."""
_TREMBLES, _PATIENCE = 40, 250  # trembles for each completion; in trees of more histories than this, fewer are tried
_TINY, _MANY = 40, 400  # in a small tree, many trembles cost little
_SUBGAMES: Final = 60
"""The maximum number of subgames; in games with more, subgames are not checked."""


def judged_equilibrium(tree: Tree, strategy: Strategy, kind: Kind, free: Iterable[int] = (), *, asked: bool | None = True) -> Listed:
    """Examine an equilibrium: its payoffs, its gains, and what subgames and beliefs say.

    `asked` is True for all of it, False for subgames only, which take less time, and None for neither. `free` has the
    information sets of which the equilibrium says nothing.
    """
    sequential_result, weak_result, subgame_result, classification, refutations, is_signalling_game = (
        None,
        None,
        None,
        None,
        tuple[Intuitive, ...](),
        False,
    )
    if asked and strategy.exact:
        divisor = max(1, tree.histories // _PATIENCE)
        completion = sequentially_filled(
            tree, strategy, free, tries=_TREMBLES // divisor if tree.histories > _TINY else _MANY, fillings=max(1, _FILLINGS // divisor)
        )
        strategy, sequential_result = completion.strategy, completion.verdict
        weak_result = None if sequential_result.holds else weakly_perfect(tree, strategy)
        classification = called(tree, strategy, sequential_result.holds, weak=weak_result and weak_result.holds, filled=bool(free))
        subgame_result = held_in_subgames(tree, strategy, kind)
        if sequential_result.holds is None and subgame_result is not None and not subgame_result.holds:
            subgame_result = None  # another completion may be an equilibrium of each subgame
        if is_signalling_game := no_signals(tree) is None:
            refutations = intuitively_refuted(tree, strategy)
    elif asked is not None and strategy.exact and kind.known:
        subgame_result = held_in_subgames(tree, strategy, kind)
        holds = None if subgame_result is None else subgame_result.holds
        if (
            free and not holds and not _fails_where_all_is_said(tree, strategy, free)
        ):  # another completion may be an equilibrium of each subgame
            completion = sequentially_filled(tree, strategy, free, fillings=_FILLINGS)
            strategy, holds = completion.strategy, completion.verdict.holds
            subgame_result = held_in_subgames(tree, strategy, kind)
        classification = called(tree, strategy, holds, weak=holds, filled=bool(free))
    payoffs = worths_of(tree, strategy)
    gains = gains_by(tree, strategy, payoffs)
    return Listed(
        strategy,
        payoffs,
        sum(gains),
        sequential_result,
        refutations,
        gains,
        weak_result,
        subgame_result,
        classification,
        signals=is_signalling_game,
    )


def _fails_where_all_is_said(tree: Tree, strategy: Strategy, free: Iterable[int]) -> bool:
    """Return whether a player gains in a subgame without `free` information sets.

    The game must have perfect information.
    """
    unreached = set(free)
    open_nodes = {
        node for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)) if actor >= 0 and infoset in unreached
    }
    for node in reversed(range(1, tree.histories)):
        if node in open_nodes:
            open_nodes.add(tree.parent[node])
    return any(gain and root not in open_nodes for root, gain in gains_in_subgames(tree, strategy).items())


def how_much(tree: Tree, behaviours: Sequence[tuple[Strategy, Iterable[int]]], few: int) -> list[bool | None]:
    """Return how thoroughly to examine each equilibrium.

    The first `few` are examined in full, others in subgames only, the rest not.
    Which ones are examined in full depends on the actions and their labels, not on their order in the tree.
    """
    ranks = range(len(behaviours))
    if len(behaviours) > few:
        paths = _ways_to_sets(tree)
        keys = [_by_names(tree, paths, strategy, free) for strategy, free in behaviours]
        order = sorted(ranks, key=keys.__getitem__)
        ranks = sorted(ranks, key=order.__getitem__)  # type: ignore[assignment]
    return [True if rank < few else False if rank < _IN_SUBGAMES else None for rank in ranks]


def _ways_to_sets(tree: Tree) -> list[tuple[str, ...]]:
    """Return for each information set the path to one of its nodes, the first in the alphabet."""
    paths: dict[int, tuple[str, ...]] = {}
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor >= 0:
            path = tree.moves_to(node)
            paths[infoset] = min(path, paths.get(infoset, path))
    return [paths[infoset] for infoset in range(len(tree.sets))]


def _by_names(tree: Tree, ways: Sequence[tuple[str, ...]], strategy: Strategy, free: Iterable[int]) -> list[tuple[object, ...]]:
    """Return a sort key of an equilibrium that depends only on the labels of actions.

    For each information set it has the path there, and the probability of each action.
    """
    unreached = frozenset(free)
    return sorted(
        (ways[infoset], sorted(zip(tree.sets[infoset].moves, row, strict=True)))
        for infoset, row in enumerate(strategy.rows)
        if infoset not in unreached
    )


def held_in_subgames(tree: Tree, strategy: Strategy, kind: Kind) -> InSubgames | None:
    """Decide whether it is an equilibrium of each subgame, unless there are too many.

    Return None if there are too many, or no other subgame.
    """
    return in_subgames(tree, strategy, kind.begins, seen=kind.known) if kind.known or 1 < len(kind.begins) <= _SUBGAMES else None


def first_judged(tree: Tree, kind: Kind) -> list[Listed]:
    """Examine the equilibria that come first in the list.

    If actions are observed, there is one for each payoff vector of the sequential equilibria. Otherwise, they are
    equilibria of each subgame, if there are subgames.
    """
    if kind.seen:
        strategies = perfect_payoffs(tree).strategies or (backward_induction(tree).strategy,)
        # an incomplete list depends on the order of actions
        if kind.known and (subgame_perfect_result := subgame_perfect(tree, by_pure_ones, _PERFECT)).complete:
            strategies = tuple(dict.fromkeys((*strategies, *subgame_perfect_result.strategies)))
    else:
        strategies = subgame_perfect(tree, by_pure_ones, LISTED).strategies if len(kind.begins) > 1 else ()
    full_count = LISTED // max(1, tree.histories // _PATIENCE)
    return [
        judged_equilibrium(tree, strategy, kind, () if kind.seen else never_led(tree, strategy))
        if not kind.known and index < full_count
        else _proved(tree, strategy, kind, sequential=True if kind.seen else None)
        for index, strategy in enumerate(strategies)
    ]


def _proved(tree: Tree, strategy: Strategy, kind: Kind, *, sequential: bool | None) -> Listed:
    """Return the record of an equilibrium that is known to be one of each subgame."""
    payoffs = worths_of(tree, strategy)
    classification = called(tree, strategy, sequential)
    return Listed(
        strategy,
        payoffs,
        Fraction(0),
        gains=gains_by(tree, strategy, payoffs),
        subgames=InSubgames(holds=True, seen=kind.known),
        named=classification,
    )


def reduced(strategy: Strategy, free: Iterable[int]) -> frozenset[tuple[int, tuple[Number, ...]]]:
    """Return the rows of a strategy without the `free` information sets."""
    unreached = frozenset(free)
    return frozenset([(infoset, row) for infoset, row in enumerate(strategy.rows) if infoset not in unreached])


def pure_judged(tree: Tree, kind: Kind, ones: Iterable[PureOne], first: Iterable[Listed] = ()) -> Iterable[Listed]:
    """Examine equilibria in pure strategies, without those that come first."""
    known_rows = {reduced(equilibrium.strategy, never_led(tree, equilibrium.strategy)) for equilibrium in first}
    behaviours = [behaviour for behaviour in (equilibrium.played(tree) for equilibrium in ones) if reduced(*behaviour) not in known_rows]
    full_count = LISTED // max(1, tree.histories // _PATIENCE)
    examinations = how_much(tree, behaviours, full_count)
    return [
        judged_equilibrium(tree, behaviour.strategy, kind, behaviour.free, asked=full)
        for behaviour, full in zip(behaviours, examinations, strict=True)
    ]
