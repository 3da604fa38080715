"""Finds subgame-perfect equilibria, and all pure equilibria under perfect information.

A given solver solves the smallest subgames first; their values then replace them in larger subgames (Selten, R.
(1965): Spieltheoretische Behandlung eines Oligopolmodells mit Nachfrageträgheit). With perfect information this is
backward induction with all ties. Then pure equilibria that depend on empty threats are listed too, after the
subgame-perfect ones.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import nash_conv, value
from durak_widget.gametheory.bimatrix_equilibria import equilibria
from durak_widget.gametheory.game_properties import extract_subtree, find_subgame_roots
from durak_widget.gametheory.mixed_to_behaviour import behaviour_from_equilibrium
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
from durak_widget.gametheory.sequence_form_lcp import find_lemke_equilibrium
from durak_widget.gametheory.strategic_form import compute_own_paths, count_pure_strategies, matrix
from durak_widget.gametheory.strategy import build_unchecked_strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.game_properties import Subtree
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    Solver = Callable[[Tree], "SubgameEquilibria"]
    """The type of a function that finds equilibria of a game without checking its subgames."""
    SubgameSolution = tuple[dict[int, tuple[Number, ...]], tuple[Fraction, ...]]
    """A solution of a subgame: the action probabilities at its information sets, and the payoff of each player."""

MAX_EQUILIBRIA: Final = 200
"""The default limit on the number of subgame-perfect equilibria."""
_MAX_MATRIX_CELLS: Final = 4096
"""The maximum number of cells of a matrix whose extreme equilibria are computed; for a larger matrix, the computation
would be slow.
"""
MAX_PROFILES: Final = 2000
"""The maximum number of pure strategy profiles to try; a larger game is solved only by backward induction."""
MAX_LISTED: Final = 60
"""The maximum number of listed equilibria of each kind: those that are subgame perfect, and those that are not."""


class SubgameEquilibria(NamedTuple):
    """Equilibria of a game, and whether a solver found all of them."""

    strategies: tuple[Strategy, ...]
    complete: bool
    """True if the solver found all equilibria of the kind that it looks for."""


def find_subgame_perfect_equilibria(tree: Tree, solver: Solver | None = None, limit: int = MAX_EQUILIBRIA) -> SubgameEquilibria:
    """Find subgame-perfect equilibria of a game.

    The `solver` finds the equilibria of each part of the game. By default, it finds all equilibria of a two-player
    game (`solve_by_extreme_equilibria`), or else all pure ones. The result is complete if the solver finds all
    equilibria of every part, and there are at most `limit`.

    >>> from durak_widget import gametheory
    >>> outside = gametheory.textbook("outside-option")
    >>> result = find_subgame_perfect_equilibria(outside)
    >>> [tuple(str(gametheory.value(outside, strategy, player)) for player in (0, 1)) for strategy in result.strategies], result.complete
    ([('3', '1'), ('2', '2'), ('2', '2')], True)
    """
    require_tree(tree)
    solver = solver or (solve_by_extreme_equilibria if tree.player_count == 2 else solve_by_pure_equilibria)
    roots = find_subgame_roots(tree)
    inner_roots: dict[int, list[int]] = {root: [] for root in roots}
    for root in roots[1:]:
        ancestor = tree.parent[root]
        while ancestor not in inner_roots:
            ancestor = tree.parent[ancestor]
        inner_roots[ancestor].append(root)
    solutions: dict[int, list[SubgameSolution]] = {}
    is_complete = True
    for root in reversed(roots):  # The roots come in decreasing order, so inner subgames are solved before the subgames around them
        solutions[root], is_part_complete = _solve_subgame(
            tree, root, {inner: solutions.pop(inner) for inner in inner_roots[root]}, solver, limit
        )
        is_complete = is_complete and is_part_complete
    return SubgameEquilibria(
        tuple(
            [build_unchecked_strategy(tree.infosets, [rows[infoset] for infoset in range(len(tree.infosets))]) for rows, _ in solutions[0]]
        ),
        is_complete,
    )


def _solve_subgame(
    tree: Tree, root: int, inner_solutions: dict[int, list[SubgameSolution]], solver: Solver, limit: int
) -> tuple[list[SubgameSolution], bool]:
    """Solve a subgame once for each combination of solutions of the subgames inside it.

    Return the solutions, and whether there are no others.
    """
    solutions: list[SubgameSolution] = []
    cache: dict[tuple[tuple[Fraction, ...], ...], tuple[list[SubgameSolution], bool]] = {}
    is_complete = True
    for combination in product(*inner_solutions.values()):
        inner_values = tuple([payoffs for _, payoffs in combination])
        if inner_values not in cache:
            cut_game = extract_subtree(tree, root, dict(zip(inner_solutions, inner_values, strict=True)))
            result = solver(cut_game.tree)
            kept_strategies = result.strategies[:limit]
            cache[inner_values] = (
                [_lift_solution(cut_game, strategy) for strategy in kept_strategies],
                result.complete and len(kept_strategies) == len(result.strategies),
            )
        own_solutions, is_part_complete = cache[inner_values]
        is_complete = is_complete and is_part_complete
        for rows, payoffs in own_solutions:
            if len(solutions) == limit:
                return solutions, False
            merged = dict(rows)
            for inner_rows, _ in combination:
                merged |= inner_rows
            solutions.append((merged, payoffs))
    return solutions, is_complete


def _lift_solution(part: Subtree, strategy: Strategy) -> SubgameSolution:
    """Return a subgame's strategy in the numbering of the whole game, with the payoffs."""
    payoffs = [Fraction(value(part.tree, strategy, player)) for player in range(part.tree.player_count)]
    return dict(zip(part.infosets, strategy.rows, strict=True)), tuple(payoffs)


def compute_gains_in_subgames(tree: Tree, strategy: Strategy) -> dict[int, Number]:
    """Return, for each subgame's root, the sum of the players' gains from deviating there.

    All sums are 0 for a subgame-perfect equilibrium.

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> compute_gains_in_subgames(entry, gametheory.Strategy.from_mapping(entry, {"begins": "stay out", "after an entry": "fight"}))
    {0: Fraction(0, 1), 1: Fraction(2, 1)}
    """
    roots = find_subgame_roots(tree)
    # The game has perfect information, because each information set has one node
    if sum(actor >= 0 for actor in tree.actor) == len(tree.infosets):
        gains = _compute_gains_by_node(tree, strategy)
        return {root: gains[root] for root in roots}
    parts = {root: extract_subtree(tree, root) for root in roots}
    return {root: nash_conv(part.tree, part.restrict(strategy)) for root, part in parts.items()}


def _compute_gains_by_node(tree: Tree, strategy: Strategy) -> list[Number]:
    """Return the players' total gain in each node's subgame of a perfect-information game."""
    gains: list[Number] = [Fraction(0)] * tree.history_count
    for player in range(tree.player_count):
        values: list[Number] = [Fraction(0)] * tree.history_count
        best_values = list(values)
        for node in reversed(range(tree.history_count)):
            actor, index, children = tree.actor[node], tree.infoset_of[node], tree.children(node)
            if actor == TERMINAL:
                values[node] = best_values[node] = tree.payoffs[index][player]
            else:
                row = tree.chance_moves[index].probabilities if actor == CHANCE else strategy.rows[index]
                values[node] = _expected_value(row, [values[child] for child in children])
                best_values[node] = (
                    max([best_values[child] for child in children])
                    if actor == player
                    else _expected_value(row, [best_values[child] for child in children])
                )
        gains = [
            earlier if best_value == own_value else earlier + best_value - own_value
            for earlier, best_value, own_value in zip(gains, best_values, values, strict=True)
        ]
    return gains


def _expected_value(row: Sequence[Number], values: Sequence[Number]) -> Number:
    """Return the mean of the values of child nodes, weighted by their probabilities.

    Most strategies are pure, and then nothing has to be added or multiplied.
    """
    if 1 in row:
        return values[row.index(1)]
    return sum([probability * child_value for probability, child_value in zip(row, values, strict=True) if probability], Fraction(0))


def solve_by_lemke(tree: Tree) -> SubgameEquilibria:
    """Find one equilibrium of a two-player game by Lemke's algorithm.

    >>> from durak_widget import gametheory
    >>> solve_by_lemke(gametheory.textbook("pennies")).complete
    False
    """
    return SubgameEquilibria((find_lemke_equilibrium(tree),), complete=False)


def solve_by_extreme_equilibria(tree: Tree) -> SubgameEquilibria:
    """Find all equilibria of a small two-player game.

    If there are infinitely many equilibria, find all extreme ones. If the game is too large, return its pure
    equilibria, or one equilibrium.

    >>> from durak_widget import gametheory
    >>> [strategy.rows for strategy in solve_by_extreme_equilibria(gametheory.textbook("pennies")).strategies]
    [((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))]
    """
    if count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) > _MAX_MATRIX_CELLS:
        pure_strategies = solve_by_pure_equilibria(tree).strategies
        return SubgameEquilibria(pure_strategies, complete=False) if pure_strategies else solve_by_lemke(tree)
    table = matrix(tree)
    result = equilibria(table)
    if not result.equilibria:
        return solve_by_lemke(tree)
    return SubgameEquilibria(
        tuple([behaviour_from_equilibrium(tree, table, equilibrium).strategy for equilibrium in result]),
        complete=result.complete and not result.is_infinite,
    )


def solve_by_pure_equilibria(tree: Tree) -> SubgameEquilibria:
    """Find up to `MAX_EQUILIBRIA` pure-strategy equilibria, for any number of players.

    >>> from durak_widget import gametheory
    >>> result = find_subgame_perfect_equilibria(gametheory.textbook("ultimatum"), solve_by_pure_equilibria)
    >>> len(result.strategies), result.complete
    (2, True)
    """
    result = find_pure_equilibria(tree)
    kept_equilibria = result.equilibria[:MAX_EQUILIBRIA]
    return SubgameEquilibria(
        tuple([equilibrium.to_behaviour(tree).strategy for equilibrium in kept_equilibria]),
        result.complete and len(kept_equilibria) == len(result.equilibria),
    )


class PerfectInformationEquilibria(NamedTuple):
    """The pure-strategy equilibria of a game with perfect information."""

    subgame_perfect: tuple[Strategy, ...]
    """The subgame-perfect equilibria, beginning with one for each payoff vector."""
    not_subgame_perfect: tuple[Strategy, ...]
    """The pure-strategy equilibria that are not subgame perfect."""
    complete: bool
    """True if all pure-strategy equilibria are listed."""


def can_enumerate_profiles(tree: Tree) -> bool:
    """Return whether a game has few enough strategy profiles to try them all.

    The player with the most strategies is left out, because only their best responses are needed.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> can_enumerate_profiles(textbook("centipede")), can_enumerate_profiles(textbook("chain-store"))
    (True, False)
    """
    sizes = sorted(count_pure_strategies(tree, player) for player in range(tree.player_count))
    profiles = 1
    for size in sizes[:-1]:
        profiles *= size
    return profiles <= MAX_PROFILES and sizes[-1] <= MAX_PROFILES


def find_perfect_information_equilibria(tree: Tree, perfect_strategies: Sequence[Strategy]) -> PerfectInformationEquilibria:
    """Find all pure-strategy equilibria of a game with perfect information.

    `perfect_strategies` are subgame-perfect equilibria, one for each payoff vector.

    >>> from durak_widget.gametheory.backward_induction_solver import backward_induction
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry = textbook("entry")
    >>> result = find_perfect_information_equilibria(entry, [backward_induction(entry).strategy])
    >>> len(result.subgame_perfect), [strategy["begins"] for strategy in result.not_subgame_perfect]
    (1, [(Fraction(0, 1), Fraction(1, 1))])
    """
    paths, _ = compute_own_paths(tree)
    subgame_result = find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, MAX_LISTED)
    perfect_equilibria = tuple(dict.fromkeys((*perfect_strategies, *subgame_result.strategies)))[: max(MAX_LISTED, len(perfect_strategies))]
    known_actions = {_own_path_actions(tree, strategy, paths) for strategy in perfect_equilibria}
    pure_result = find_pure_equilibria(tree, MAX_PROFILES)
    unknown = (equilibrium for equilibrium in pure_result.equilibria if frozenset(equilibrium.actions.items()) not in known_actions)
    other_strategies = tuple([equilibrium.to_behaviour(tree).strategy for equilibrium in islice(unknown, MAX_LISTED + 1)])
    return PerfectInformationEquilibria(
        perfect_equilibria,
        other_strategies[:MAX_LISTED],
        subgame_result.complete and pure_result.complete and len(other_strategies) <= MAX_LISTED,
    )


def _own_path_actions(tree: Tree, strategy: Strategy, paths: list[tuple[tuple[tuple[int, int], ...], ...]]) -> frozenset[tuple[int, int]]:
    """Return a pure strategy's actions at the information sets that its player can reach."""
    reached = set()
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor >= 0 and all(strategy.rows[earlier][action] for earlier, action in paths[node][actor]):
            reached.add((infoset, strategy.rows[infoset].index(1)))
    return frozenset(reached)
