"""Judge the equilibria that were found: what they pay, what each player gains by leaving, and what subgames and beliefs make of them."""

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
"""How many equilibria are examined in full, with beliefs."""
_IN_SUBGAMES: Final = 2_000
"""How many equilibria are checked in each subgame, where nothing is hidden."""
_PERFECT: Final = 60
"""How many subgame-perfect equilibria are listed, where nothing is hidden."""
_FILLINGS: Final = 27
"""How many ways are tried to fill in information sets of which an equilibrium says nothing."""
_TREMBLES, _PATIENCE = 40, 250  # trembles for each way; in trees of more histories than _PATIENCE both numbers shrink
_TINY, _MANY = 40, 400  # in so small a tree many trembles cost little
_SUBGAMES: Final = 60
"""In games with more subgames than this, subgames are not checked."""


def judged_equilibrium(tree: Tree, strategy: Strategy, kind: Kind, free: Iterable[int] = (), *, asked: bool | None = True) -> Listed:
    """An equilibrium with its worth, its proof, and what subgames and beliefs make of it; subgames alone, which cost less, or neither (None)."""
    verdict, weakly, inside, named, refuted, signals = None, None, None, None, tuple[Intuitive, ...](), False
    if asked and strategy.exact:
        share = max(1, tree.histories // _PATIENCE)
        best = sequentially_filled(
            tree, strategy, free, tries=_TREMBLES // share if tree.histories > _TINY else _MANY, fillings=max(1, _FILLINGS // share)
        )
        strategy, verdict = best.strategy, best.verdict
        weakly = None if verdict.holds else weakly_perfect(tree, strategy)
        named = called(tree, strategy, verdict.holds, weak=weakly and weakly.holds, filled=bool(free))
        inside = held_in_subgames(tree, strategy, kind)
        if verdict.holds is None and inside is not None and not inside.holds:
            inside = None  # filled in another way, it may be one of each subgame
        if signals := no_signals(tree) is None:
            refuted = intuitively_refuted(tree, strategy)
    elif asked is not None and strategy.exact and kind.known:
        inside = held_in_subgames(tree, strategy, kind)
        holds = None if inside is None else inside.holds
        if (
            free and not holds and not _fails_where_all_is_said(tree, strategy, free)
        ):  # played otherwise there, it may be one of each subgame
            best = sequentially_filled(tree, strategy, free, fillings=_FILLINGS)
            strategy, holds = best.strategy, best.verdict.holds
            inside = held_in_subgames(tree, strategy, kind)
        named = called(tree, strategy, holds, weak=holds, filled=bool(free))
    worth = worths_of(tree, strategy)
    gains = gains_by(tree, strategy, worth)
    return Listed(strategy, worth, sum(gains), verdict, refuted, gains, weakly, inside, named, signals=signals)


def _fails_where_all_is_said(tree: Tree, strategy: Strategy, free: Iterable[int]) -> bool:
    """Return whether somebody gains in a subgame that has no `free` information set, in a game in which nothing is hidden."""
    without = set(free)
    open_ = {here for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)) if who >= 0 and place in without}
    for here in reversed(range(1, tree.histories)):
        if here in open_:
            open_.add(tree.parent[here])
    return any(gain and begin not in open_ for begin, gain in gains_in_subgames(tree, strategy).items())


def how_much(tree: Tree, behaviours: Sequence[tuple[Strategy, Iterable[int]]], few: int) -> list[bool | None]:
    """Return how much is asked of each equilibrium: of `few` everything, of others less, of the rest nothing.

    Which `few` these are depends on the moves and their names alone, not on the order in which the tree lists them.
    """
    ranks = range(len(behaviours))
    if len(behaviours) > few:
        ways = _ways_to_sets(tree)
        keys = [_by_names(tree, ways, strategy, free) for strategy, free in behaviours]
        places = sorted(ranks, key=keys.__getitem__)
        ranks = sorted(ranks, key=places.__getitem__)  # type: ignore[assignment]
    return [True if rank < few else False if rank < _IN_SUBGAMES else None for rank in ranks]


def _ways_to_sets(tree: Tree) -> list[tuple[str, ...]]:
    """Return for each information set the moves that lead to one of its histories, the first in the order of the alphabet."""
    ways: dict[int, tuple[str, ...]] = {}
    for history, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if who >= 0:
            way = tree.moves_to(history)
            ways[place] = min(way, ways.get(place, way))
    return [ways[place] for place in range(len(tree.sets))]


def _by_names(tree: Tree, ways: Sequence[tuple[str, ...]], strategy: Strategy, free: Iterable[int]) -> list[tuple[object, ...]]:
    """Return what an equilibrium does, by the names of moves: at each information set the way there, and how likely each move is."""
    without = frozenset(free)
    return sorted(
        (ways[place], sorted(zip(tree.sets[place].moves, row, strict=True)))
        for place, row in enumerate(strategy.rows)
        if place not in without
    )


def held_in_subgames(tree: Tree, strategy: Strategy, kind: Kind) -> InSubgames | None:
    """Whether it is an equilibrium of each subgame, where there are some, and not too many."""
    return in_subgames(tree, strategy, kind.begins, seen=kind.known) if kind.known or 1 < len(kind.begins) <= _SUBGAMES else None


def first_judged(tree: Tree, kind: Kind) -> list[Listed]:
    """The equilibria that are asked about first: where all moves are seen one for each payoff vector of the sequential ones; else those of each subgame, where there are subgames."""
    if kind.seen:
        strategies = perfect_payoffs(tree).strategies or (backward_induction(tree).strategy,)
        if kind.known and (every := subgame_perfect(tree, by_pure_ones, _PERFECT)).complete:  # else which of them come depends on the order
            strategies = tuple(dict.fromkeys((*strategies, *every.strategies)))
    else:
        strategies = subgame_perfect(tree, by_pure_ones, LISTED).strategies if len(kind.begins) > 1 else ()
    few = LISTED // max(1, tree.histories // _PATIENCE)
    return [
        judged_equilibrium(tree, one, kind, () if kind.seen else never_led(tree, one))
        if not kind.known and number < few
        else _proved(tree, one, kind, sequential=True if kind.seen else None)
        for number, one in enumerate(strategies)
    ]


def _proved(tree: Tree, strategy: Strategy, kind: Kind, *, sequential: bool | None) -> Listed:
    """An equilibrium of which it is known that it is one of each subgame, and whether it is sequential."""
    worth = worths_of(tree, strategy)
    named = called(tree, strategy, sequential)
    return Listed(
        strategy, worth, Fraction(0), gains=gains_by(tree, strategy, worth), subgames=InSubgames(holds=True, seen=kind.known), named=named
    )


def reduced(strategy: Strategy, free: Iterable[int]) -> frozenset[tuple[int, tuple[Number, ...]]]:
    """What a strategy does but for the information sets at which it does not matter."""
    without = frozenset(free)
    return frozenset([(place, row) for place, row in enumerate(strategy.rows) if place not in without])


def pure_judged(tree: Tree, kind: Kind, ones: Iterable[PureOne], first: Iterable[Listed] = ()) -> Iterable[Listed]:
    """Equilibria in pure strategies, but for those that come first."""
    known = {reduced(one.strategy, never_led(tree, one.strategy)) for one in first}
    done = [behaviour for behaviour in (one.played(tree) for one in ones) if reduced(*behaviour) not in known]
    few = LISTED // max(1, tree.histories // _PATIENCE)
    asked = how_much(tree, done, few)
    return [judged_equilibrium(tree, one.strategy, kind, one.free, asked=much) for one, much in zip(done, asked, strict=True)]
