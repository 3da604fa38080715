"""Finds dominated pure strategies, and eliminates them one after another.

It works for any number of players. A strategy may be dominated by another one or by a mixed strategy. The order of
elimination does not matter for strict dominance; for two players the strategies that are left are the rationalizable
ones (Pearce, D. G. (1984): Rationalizable strategic behavior and the problem of perfection. Econometrica 52,
1029-1050). For weak dominance the result can depend on the order.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm, prod
from operator import le, lt
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.bimatrix_equilibria import a_matrix, minimax, mix_said
from durak_widget.gametheory.strategic_form import CELLS, Dominated, Plan, leads_along, own_paths, plans_of, size_said
from durak_widget.gametheory.tree import OVER, Tree, TreeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.strategic_form import Path

    Profile = tuple[int, ...]
    """The index of a pure strategy for each player."""


class Undominated(NamedTuple):
    """The result of iterated elimination of dominated strategies.

    >>> print(undominated_plans([[(2, 2), (0, 3)], [(3, 0), (1, 1)]]))
    Row: A is strictly dominated by B
    Column: a is strictly dominated by b
    Row: B
    Column: b
    """

    steps: tuple[Dominated, ...]
    names: tuple[str, ...]
    """The names of the players."""
    left: tuple[tuple[Plan, ...], ...]
    """The remaining pure strategies of each player."""
    absent: tuple[str, ...] = ()
    """The absent-minded players, who can be at one information set twice on a path.

    A behaviour strategy with actions of eliminated strategies can be better for them than any pure strategy.
    """

    def __str__(self) -> str:
        remaining = [f"{name}: {'; '.join(map(str, strategies))}" for name, strategies in zip(self.names, self.left, strict=True)]
        warnings = [
            f"{name} is absent-minded: what is struck are plans, and to mix from move to move may be better than any."
            for name in self.absent
        ]
        return "\n".join([*map(str, self.steps), *remaining, *warnings])


def dominated_plans(game: object, *, weak: bool = True, limit: int = CELLS) -> tuple[Dominated, ...]:
    """Return the dominated pure strategies of a game for any number of players, each once.

    A strategy is listed as strictly dominated if another one or a mixed strategy dominates it strictly, and else (`weak`)
    as weakly dominated. Weak dominance by a mixed strategy is not looked for. The game is a tree,
    `gametheory.matrix(tree)`, or payoffs in rows.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [str(strategy) for strategy in dominated_plans(textbook("entry"))]
    ['Chain store: fight is weakly dominated by share']
    >>> [str(strategy) for strategy in dominated_plans([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]])]
    ['Row: C is strictly dominated by 1/2 A + 1/2 B']
    """
    game_payoffs = _Plans(game, limit)
    return tuple(
        [dominated for _, dominated in game_payoffs.dominated([range(len(strategies)) for strategies in game_payoffs.plans], weak=weak)]
    )


def undominated_plans(game: object, *, weak: bool = False, limit: int = CELLS) -> Undominated:
    """Eliminate dominated pure strategies until there are none, and record each step.

    It works for any number of players. The order does not matter for strict dominance. With `weak` it can: strategies of
    the first player are eliminated first, and strictly dominated ones before others.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> print(undominated_plans(textbook("outside-option"), weak=True))
    One: concert, Stravinsky is strictly dominated by book
    Two: Stravinsky is weakly dominated by Bach
    One: book is strictly dominated by concert, Bach
    One: concert, Bach
    Two: Bach
    """
    game_payoffs = _Plans(game, limit)
    remaining: list[list[int]] = [list(range(len(strategies))) for strategies in game_payoffs.plans]
    steps: list[Dominated] = []
    while True:
        dominated = next(game_payoffs.dominated(remaining, weak=False), None) or (
            next(game_payoffs.dominated(remaining, weak=True), None) if weak else None
        )
        if dominated is None:
            left = tuple(
                [tuple([strategies[index] for index in indices]) for strategies, indices in zip(game_payoffs.plans, remaining, strict=True)]
            )
            return Undominated(tuple(steps), game_payoffs.names, left, game_payoffs.absent)
        index, step = dominated
        steps.append(step)
        remaining[step.seat].remove(index)


class _Plans:
    """The pure strategies of all players, and the payoffs of each profile."""

    def __init__(self, game: object, limit: int) -> None:
        if isinstance(game, Tree):
            self.names = game.names
            self.absent = tuple([game.names[player] for player in _absent_minded(game)])
            self.plans = plans_of(game, limit)
            profile_count = prod(map(len, self.plans))
            if profile_count > limit:
                raise TreeError(
                    f"there would be {size_said(profile_count)} profiles of plans, and the limit is {limit:,}; take a smaller game, or give a higher limit="
                )
            payoffs = _of_tree(game, self.plans)
        else:
            matrix = a_matrix(game)
            self.names, self.absent, self.plans = matrix.names, (), [list(matrix.rows), list(matrix.columns)]
            payoffs = {(row, column): cell for row, cells in enumerate(matrix.payoffs) for column, cell in enumerate(cells)}
        self.pays = _in_whole_numbers(payoffs, len(self.plans))

    def dominated(self, kept: Sequence[Sequence[int]], *, weak: bool) -> Iterator[tuple[int, Dominated]]:
        """Iterate over the dominated strategies among the remaining ones, each with its index."""
        for player, (name, strategies) in enumerate(zip(self.names, self.plans, strict=True)):
            player_payoffs = self.pays[player]
            other_profiles = list(product(*(indices if other_player != player else (0,) for other_player, indices in enumerate(kept))))
            payoffs_of = {index: [player_payoffs[_with(profile, player, index)] for profile in other_profiles] for index in kept[player]}
            for strategy_index, own_payoffs in payoffs_of.items():
                other_payoffs = {index: payoffs for index, payoffs in payoffs_of.items() if index != strategy_index}
                better = next((other_index for other_index, payoffs in other_payoffs.items() if all(map(lt, own_payoffs, payoffs))), None)
                if better is not None:
                    yield strategy_index, Dominated(player, name, strategies[strategy_index].words, strategies[better].words, strict=True)
                elif mixture := _mix(own_payoffs, other_payoffs):
                    mixture_text = mix_said(tuple(mixture.values()), [strategies[index] for index in mixture])
                    yield strategy_index, Dominated(player, name, strategies[strategy_index].words, mixture_text, strict=True)
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
                        Dominated(player, name, strategies[strategy_index].words, strategies[weakly_better].words, strict=False),
                    )


def _absent_minded(tree: Tree) -> list[int]:
    """Return the players who can be at one information set twice on a path."""
    paths, _ = own_paths(tree)
    return [
        player for player in range(tree.seats) if any(len({infoset for infoset, _ in path[player]}) < len(path[player]) for path in paths)
    ]


def _with(profile: Profile, seat: int, place: int) -> Profile:
    """Return the profile in which one player follows this strategy instead."""
    return (*profile[:seat], place, *profile[seat + 1 :])


def _mix(mine: Sequence[int], others: Mapping[int, Sequence[int]]) -> dict[int, Fraction] | None:
    """Return a mixture of other strategies that is strictly better against everything.

    Return None if there is none.
    """
    if len(others) < 2 or any(all(payoffs[column] <= own_payoff for payoffs in others.values()) for column, own_payoff in enumerate(mine)):
        return None  # it is a best response to something
    solution = minimax([[payoffs[column] - own_payoff for column, own_payoff in enumerate(mine)] for payoffs in others.values()])
    return dict(zip(others, solution.row, strict=True)) if solution.value > 0 else None


def _of_tree(tree: Tree, plans: Sequence[Sequence[Plan]]) -> dict[Profile, tuple[Fraction, ...]]:
    """Return the expected payoffs of each profile of pure strategies."""
    paths, chances = own_paths(tree)
    payoffs_by_path: dict[tuple[Path, ...], list[Fraction]] = {}
    for node, actor in enumerate(tree.actor):
        if actor == OVER:
            payoffs = payoffs_by_path.setdefault(paths[node], [Fraction(0)] * tree.seats)
            for player, payoff in enumerate(tree.payoffs[tree.info[node]]):
                payoffs[player] += chances[node] * payoff
    outcomes = list(payoffs_by_path.items())
    compatible = [
        [
            sum(1 << outcome_index for outcome_index, (path, _) in enumerate(outcomes) if leads_along(strategy.moves, path[player]))
            for strategy in strategies
        ]
        for player, strategies in enumerate(plans)
    ]
    profile_payoffs = {}
    for profile in product(*(range(len(strategies)) for strategies in plans)):
        reached = (1 << len(outcomes)) - 1
        for player, index in enumerate(profile):
            reached &= compatible[player][index]
        reached_payoffs = [payoffs for outcome_index, (_, payoffs) in enumerate(outcomes) if reached >> outcome_index & 1]
        profile_payoffs[profile] = tuple(
            [sum((payoffs[player] for payoffs in reached_payoffs), Fraction(0)) for player in range(tree.seats)]
        )
    return profile_payoffs


def _in_whole_numbers(pays: Mapping[Profile, Sequence[Fraction]], seats: int) -> list[dict[Profile, int]]:
    """Return the payoffs of each player as whole numbers, all multiplied by the same factor."""
    scaled = []
    for player in range(seats):
        factor = lcm(*(profile_payoffs[player].denominator for profile_payoffs in pays.values()))
        scaled.append(
            {
                profile: profile_payoffs[player].numerator * (factor // profile_payoffs[player].denominator)
                for profile, profile_payoffs in pays.items()
            }
        )
    return scaled
