"""Finds the dominated pure strategies of a game, and eliminates them one after another.

It works for any number of players. A pure strategy may be dominated by another pure strategy or by a mixed one. For
strict dominance the order of elimination does not matter; for two players the remaining strategies are the
rationalizable ones (Pearce, D. G. (1984): Rationalizable strategic behavior and the problem of perfection.
Econometrica 52, 1029-1050). For weak dominance the result can depend on the order.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm, prod
from operator import le, lt
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.bimatrix_equilibria import format_mixture, minimax, to_matrix
from durak_widget.gametheory.strategic_form import (
    MAX_CELLS,
    DominatedStrategy,
    PureStrategy,
    compute_own_paths,
    follows_path,
    format_size,
    list_pure_strategies,
)
from durak_widget.gametheory.tree import TERMINAL, Tree, TreeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.strategic_form import ActionPath

    Profile = tuple[int, ...]
    """A pure strategy for each player, given by its index."""


class IteratedElimination(NamedTuple):
    """The result of iterated elimination of dominated strategies.

    >>> print(eliminate_dominated_strategies([[(2, 2), (0, 3)], [(3, 0), (1, 1)]]))
    Row: A is strictly dominated by B
    Column: a is strictly dominated by b
    Row: B
    Column: b
    """

    steps: tuple[DominatedStrategy, ...]
    names: tuple[str, ...]
    """The names of the players, in player order."""
    remaining: tuple[tuple[PureStrategy, ...], ...]
    """The pure strategies of each player that were not eliminated."""
    absent_minded_players: tuple[str, ...] = ()
    """The absent-minded players, who can reach one of their information sets twice on one path.

    For such a player, a behaviour strategy that uses eliminated strategies can be better than any pure strategy.
    """

    def __str__(self) -> str:
        remaining = [f"{name}: {'; '.join(map(str, strategies))}" for name, strategies in zip(self.names, self.remaining, strict=True)]
        warnings = [
            f"{name} is absent-minded: only pure strategies were eliminated, and a behaviour that mixes at each move can be better than all of them."
            for name in self.absent_minded_players
        ]
        return "\n".join([*map(str, self.steps), *remaining, *warnings])


def find_dominated_strategies(game: object, *, weak: bool = True, limit: int = MAX_CELLS) -> tuple[DominatedStrategy, ...]:
    """Return the dominated pure strategies of a game with any number of players.

    A strategy is listed if a pure or mixed strategy dominates it strictly, or with `weak`, if a pure strategy
    dominates it weakly. The game is a tree, `gametheory.matrix(tree)`, or payoffs in rows.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [str(strategy) for strategy in find_dominated_strategies(textbook("entry"))]
    ['Chain store: fight is weakly dominated by share']
    >>> [str(strategy) for strategy in find_dominated_strategies([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]])]
    ['Row: C is strictly dominated by 1/2 A + 1/2 B']
    """
    game_payoffs = _ProfilePayoffs(game, limit)
    return tuple(
        [
            dominated
            for _, dominated in game_payoffs.find_dominated(
                [range(len(strategies)) for strategies in game_payoffs.pure_strategies], weak=weak
            )
        ]
    )


def eliminate_dominated_strategies(game: object, *, weak: bool = False, limit: int = MAX_CELLS) -> IteratedElimination:
    """Eliminate dominated pure strategies until no strategy is dominated; record each step.

    It works for any number of players. The order does not matter for strict dominance. With `weak` it can: strategies of
    the first player are eliminated first, and strictly dominated ones before others.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> print(eliminate_dominated_strategies(textbook("outside-option"), weak=True))
    One: concert, Stravinsky is strictly dominated by book
    Two: Stravinsky is weakly dominated by Bach
    One: book is strictly dominated by concert, Bach
    One: concert, Bach
    Two: Bach
    """
    game_payoffs = _ProfilePayoffs(game, limit)
    remaining: list[list[int]] = [list(range(len(strategies))) for strategies in game_payoffs.pure_strategies]
    steps: list[DominatedStrategy] = []
    while True:
        dominated = next(game_payoffs.find_dominated(remaining, weak=False), None) or (
            next(game_payoffs.find_dominated(remaining, weak=True), None) if weak else None
        )
        if dominated is None:
            left = tuple(
                [
                    tuple([strategies[index] for index in indices])
                    for strategies, indices in zip(game_payoffs.pure_strategies, remaining, strict=True)
                ]
            )
            return IteratedElimination(tuple(steps), game_payoffs.names, left, game_payoffs.absent_minded_players)
        index, step = dominated
        steps.append(step)
        remaining[step.player].remove(index)


class _ProfilePayoffs:
    """The pure strategies of all players, and all players' payoffs in each strategy profile."""

    def __init__(self, game: object, limit: int) -> None:
        if isinstance(game, Tree):
            self.names = game.names
            self.absent_minded_players = tuple([game.names[player] for player in _find_absent_minded_players(game)])
            self.pure_strategies = list_pure_strategies(game, limit)
            profile_count = prod(map(len, self.pure_strategies))
            if profile_count > limit:
                raise TreeError(
                    f"there would be {format_size(profile_count)} profiles of pure strategies, and the limit is {limit:,}; take a smaller game, or give a higher limit="
                )
            payoffs = _compute_profile_payoffs(game, self.pure_strategies)
        else:
            matrix = to_matrix(game)
            self.names, self.absent_minded_players, self.pure_strategies = matrix.names, (), [list(matrix.rows), list(matrix.columns)]
            payoffs = {(row, column): cell for row, cells in enumerate(matrix.payoffs) for column, cell in enumerate(cells)}
        self.payoffs = _scale_to_integers(payoffs, len(self.pure_strategies))

    def find_dominated(self, remaining: Sequence[Sequence[int]], *, weak: bool) -> Iterator[tuple[int, DominatedStrategy]]:
        """Yield each dominated strategy that is not yet eliminated, with the strategy's index."""
        for player, (name, strategies) in enumerate(zip(self.names, self.pure_strategies, strict=True)):
            player_payoffs = self.payoffs[player]
            other_profiles = list(product(*(indices if other_player != player else (0,) for other_player, indices in enumerate(remaining))))
            payoffs_of = {
                index: [player_payoffs[_replace_in_profile(profile, player, index)] for profile in other_profiles]
                for index in remaining[player]
            }
            for strategy_index, own_payoffs in payoffs_of.items():
                other_payoffs = {index: payoffs for index, payoffs in payoffs_of.items() if index != strategy_index}
                better = next((other_index for other_index, payoffs in other_payoffs.items() if all(map(lt, own_payoffs, payoffs))), None)
                if better is not None:
                    yield (
                        strategy_index,
                        DominatedStrategy(
                            player, name, strategies[strategy_index].short_label, strategies[better].short_label, is_strict=True
                        ),
                    )
                elif mixture := _find_dominating_mixture(own_payoffs, other_payoffs):
                    mixture_text = format_mixture(tuple(mixture.values()), [strategies[index] for index in mixture])
                    yield (
                        strategy_index,
                        DominatedStrategy(player, name, strategies[strategy_index].short_label, mixture_text, is_strict=True),
                    )
                elif (
                    weak
                    and (
                        weakly_better := next(
                            (
                                other_index
                                for other_index, payoffs in other_payoffs.items()
                                if payoffs != own_payoffs and all(map(le, own_payoffs, payoffs))
                            ),
                            None,
                        )
                    )
                    is not None
                ):
                    yield (
                        strategy_index,
                        DominatedStrategy(
                            player, name, strategies[strategy_index].short_label, strategies[weakly_better].short_label, is_strict=False
                        ),
                    )


def _find_absent_minded_players(tree: Tree) -> list[int]:
    """Return the players with an information set that the same path can pass twice."""
    paths, _ = compute_own_paths(tree)
    return [
        player
        for player in range(tree.player_count)
        if any(len({infoset for infoset, _ in path[player]}) < len(path[player]) for path in paths)
    ]


def _replace_in_profile(profile: Profile, player: int, index: int) -> Profile:
    """Return a strategy profile with one player's pure strategy replaced."""
    return (*profile[:player], index, *profile[player + 1 :])


def _find_dominating_mixture(own_payoffs: Sequence[int], other_payoffs: Mapping[int, Sequence[int]]) -> dict[int, Fraction] | None:
    """Return a mixed strategy that strictly dominates a given pure strategy, or None."""
    if len(other_payoffs) < 2 or any(
        all(payoffs[column] <= own_payoff for payoffs in other_payoffs.values()) for column, own_payoff in enumerate(own_payoffs)
    ):
        return None  # There is a column where no other strategy pays more, so no mixture dominates this strategy strictly
    solution = minimax(
        [[payoffs[column] - own_payoff for column, own_payoff in enumerate(own_payoffs)] for payoffs in other_payoffs.values()]
    )
    return dict(zip(other_payoffs, solution.row, strict=True)) if solution.value > 0 else None


def _compute_profile_payoffs(tree: Tree, pure_strategies: Sequence[Sequence[PureStrategy]]) -> dict[Profile, tuple[Fraction, ...]]:
    """Return all players' expected payoffs in each profile of pure strategies."""
    paths, chances = compute_own_paths(tree)
    payoffs_by_path: dict[tuple[ActionPath, ...], list[Fraction]] = {}
    for node, actor in enumerate(tree.actor):
        if actor == TERMINAL:
            payoffs = payoffs_by_path.setdefault(paths[node], [Fraction(0)] * tree.player_count)
            for player, payoff in enumerate(tree.payoffs[tree.infoset_of[node]]):
                payoffs[player] += chances[node] * payoff
    outcomes = list(payoffs_by_path.items())
    compatible = [
        [
            sum(1 << outcome_index for outcome_index, (path, _) in enumerate(outcomes) if follows_path(strategy.actions, path[player]))
            for strategy in strategies
        ]
        for player, strategies in enumerate(pure_strategies)
    ]
    profile_payoffs = {}
    for profile in product(*(range(len(strategies)) for strategies in pure_strategies)):
        reached = (1 << len(outcomes)) - 1
        for player, index in enumerate(profile):
            reached &= compatible[player][index]
        reached_payoffs = [payoffs for outcome_index, (_, payoffs) in enumerate(outcomes) if reached >> outcome_index & 1]
        profile_payoffs[profile] = tuple(
            [sum((payoffs[player] for payoffs in reached_payoffs), Fraction(0)) for player in range(tree.player_count)]
        )
    return profile_payoffs


def _scale_to_integers(payoffs: Mapping[Profile, Sequence[Fraction]], player_count: int) -> list[dict[Profile, int]]:
    """Scale each player's payoffs by one factor per player, so that all are whole numbers."""
    scaled = []
    for player in range(player_count):
        factor = lcm(*(profile_payoffs[player].denominator for profile_payoffs in payoffs.values()))
        scaled.append(
            {
                profile: profile_payoffs[player].numerator * (factor // profile_payoffs[player].denominator)
                for profile, profile_payoffs in payoffs.items()
            }
        )
    return scaled
