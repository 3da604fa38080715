"""Finds subgame-perfect equilibria, and all pure ones under perfect information.

Subgames are solved from the smallest up, by a given solver, and count in the larger ones with their value
(Selten, R. (1965): Spieltheoretische Behandlung eines Oligopolmodells mit Nachfrageträgheit). With perfect
information this is backward induction with all ties. Then the list also has the pure equilibria that rest on
empty threats, after the subgame-perfect ones.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import nash_conv, value
from durak_widget.gametheory.bimatrix_equilibria import equilibria
from durak_widget.gametheory.game_properties import cut, subgames
from durak_widget.gametheory.mixed_to_behaviour import of_plans
from durak_widget.gametheory.pure_nash_equilibria import pure_ones
from durak_widget.gametheory.sequence_form_lcp import lemke
from durak_widget.gametheory.strategic_form import how_many, matrix, own_paths
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.game_properties import Cut
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    Solver = Callable[[Tree], "FromBelow"]
    """A function that finds equilibria of a game without regard to its subgames."""
    Part = tuple[dict[int, tuple[Number, ...]], tuple[Fraction, ...]]
    """The rows of the information sets of a subgame, and the payoff of each player."""

MOST: Final = 200
"""The default limit of subgame-perfect equilibria."""
_CELLS: Final = 4096
"""The largest matrix whose extreme equilibria are found: eliminating dominated strategies of larger ones takes long."""
TRIED: Final = 2000
"""A game with more profiles of pure strategies is solved by backward induction only."""
MOST_LISTED: Final = 60
"""The largest number of equilibria listed of either kind."""


class FromBelow(NamedTuple):
    """The equilibria of a game that a solver found."""

    strategies: tuple[Strategy, ...]
    complete: bool
    """True if there are no others of the kind that the solver looks for."""


def subgame_perfect(tree: Tree, solver: Solver | None = None, limit: int = MOST) -> FromBelow:
    """Find equilibria of a game that are equilibria of each of its subgames too.

    The solver finds those of each part. By default it finds all for two players (`by_corners`), else those in pure
    strategies. The result is complete if the solver finds all of every part, and there are at most `limit`.

    >>> from durak_widget import gametheory
    >>> outside = gametheory.textbook("outside-option")
    >>> result = subgame_perfect(outside)
    >>> [tuple(str(gametheory.value(outside, strategy, player)) for player in (0, 1)) for strategy in result.strategies], result.complete
    ([('3', '1'), ('2', '2'), ('2', '2')], True)
    """
    require_tree(tree)
    solver = solver or (by_corners if tree.seats == 2 else by_pure_ones)
    roots = subgames(tree)
    inner_roots: dict[int, list[int]] = {root: [] for root in roots}
    for root in roots[1:]:
        ancestor = tree.parent[root]
        while ancestor not in inner_roots:
            ancestor = tree.parent[ancestor]
        inner_roots[ancestor].append(root)
    solutions: dict[int, list[Part]] = {}
    is_complete = True
    for root in reversed(roots):  # descendants have larger indices
        solutions[root], is_part_complete = _solved(tree, root, {inner: solutions.pop(inner) for inner in inner_roots[root]}, solver, limit)
        is_complete = is_complete and is_part_complete
    return FromBelow(
        tuple([made(tree.sets, [rows[infoset] for infoset in range(len(tree.sets))]) for rows, _ in solutions[0]]), is_complete
    )


def _solved(tree: Tree, begin: int, below: dict[int, list[Part]], solver: Solver, limit: int) -> tuple[list[Part], bool]:
    """Solve a subgame for each combination of solutions of the subgames inside it.

    Return the solutions, and whether they are all.
    """
    solutions: list[Part] = []
    cache: dict[tuple[tuple[Fraction, ...], ...], tuple[list[Part], bool]] = {}
    is_complete = True
    for combination in product(*below.values()):
        inner_values = tuple([payoffs for _, payoffs in combination])
        if inner_values not in cache:
            cut_game = cut(tree, begin, dict(zip(below, inner_values, strict=True)))
            result = solver(cut_game.tree)
            kept_strategies = result.strategies[:limit]
            cache[inner_values] = (
                [_part(cut_game, strategy) for strategy in kept_strategies],
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


def _part(part: Cut, strategy: Strategy) -> Part:
    """Convert a strategy of a part to rows of the whole game, with its payoffs."""
    payoffs = [Fraction(value(part.tree, strategy, player)) for player in range(part.tree.seats)]
    return dict(zip(part.places, strategy.rows, strict=True)), tuple(payoffs)


def gains_in_subgames(tree: Tree, strategy: Strategy) -> dict[int, Number]:
    """Return the players' total gain by best responses in each subgame, by its root.

    It is 0 everywhere for a subgame-perfect equilibrium.

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> gains_in_subgames(entry, gametheory.Strategy.of(entry, {"begins": "stay out", "after an entry": "fight"}))
    {0: Fraction(0, 1), 1: Fraction(2, 1)}
    """
    roots = subgames(tree)
    if sum(actor >= 0 for actor in tree.actor) == len(tree.sets):  # perfect information
        gains = _gained_below(tree, strategy)
        return {root: gains[root] for root in roots}
    parts = {root: cut(tree, root) for root in roots}
    return {root: nash_conv(part.tree, part.restricted(strategy)) for root, part in parts.items()}


def _gained_below(tree: Tree, strategy: Strategy) -> list[Number]:
    """Return the total gain of all players from each history on, with perfect information."""
    gains: list[Number] = [Fraction(0)] * tree.histories
    for player in range(tree.seats):
        values: list[Number] = [Fraction(0)] * tree.histories
        best_values = list(values)
        for node in reversed(range(tree.histories)):
            actor, index, children = tree.actor[node], tree.info[node], tree.children(node)
            if actor == OVER:
                values[node] = best_values[node] = tree.payoffs[index][player]
            else:
                row = tree.chances[index].probabilities if actor == CHANCE else strategy.rows[index]
                values[node] = _expected(row, [values[child] for child in children])
                best_values[node] = (
                    max([best_values[child] for child in children])
                    if actor == player
                    else _expected(row, [best_values[child] for child in children])
                )
        gains = [
            earlier if best_value == own_value else earlier + best_value - own_value
            for earlier, best_value, own_value in zip(gains, best_values, values, strict=True)
        ]
    return gains


def _expected(row: Sequence[Number], worths: Sequence[Number]) -> Number:
    """Return the expected value.

    Most rows are pure: then nothing has to be added or multiplied.
    """
    if 1 in row:
        return worths[row.index(1)]
    return sum([probability * child_value for probability, child_value in zip(row, worths, strict=True) if probability], Fraction(0))


def by_lemke(tree: Tree) -> FromBelow:
    """Find one equilibrium of a two-player game.

    >>> from durak_widget import gametheory
    >>> by_lemke(gametheory.textbook("pennies")).complete
    False
    """
    return FromBelow((lemke(tree),), complete=False)


def by_corners(tree: Tree) -> FromBelow:
    """Find all equilibria of a small two-player game.

    If there are infinitely many, they are the extreme ones. For a game that is too large they are the pure ones, or one
    equilibrium.

    >>> from durak_widget import gametheory
    >>> [strategy.rows for strategy in by_corners(gametheory.textbook("pennies")).strategies]
    [((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))]
    """
    if how_many(tree, 0) * how_many(tree, 1) > _CELLS:
        pure_strategies = by_pure_ones(tree).strategies
        return FromBelow(pure_strategies, complete=False) if pure_strategies else by_lemke(tree)
    table = matrix(tree)
    result = equilibria(table)
    if not result.found:
        return by_lemke(tree)
    return FromBelow(
        tuple([of_plans(tree, table, equilibrium).strategy for equilibrium in result]), complete=result.complete and not result.infinite
    )


def by_pure_ones(tree: Tree) -> FromBelow:
    """Find the pure-strategy equilibria for any number of players, at most `MOST`.

    >>> from durak_widget import gametheory
    >>> result = subgame_perfect(gametheory.textbook("ultimatum"), by_pure_ones)
    >>> len(result.strategies), result.complete
    (2, True)
    """
    result = pure_ones(tree)
    kept_equilibria = result.found[:MOST]
    return FromBelow(
        tuple([equilibrium.played(tree).strategy for equilibrium in kept_equilibria]),
        result.complete and len(kept_equilibria) == len(result.found),
    )


class FromTheEnd(NamedTuple):
    """The pure-strategy equilibria of a game with perfect information."""

    perfect: tuple[Strategy, ...]
    """The subgame-perfect ones; one for each payoff vector comes first."""
    others: tuple[Strategy, ...]
    """The other pure-strategy equilibria."""
    complete: bool
    """True if these are all."""


def small_enough(tree: Tree) -> bool:
    """Return whether there are few enough profiles to try them all.

    The player with most strategies does not count: only their best responses are needed.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> small_enough(textbook("centipede")), small_enough(textbook("chain-store"))
    (True, False)
    """
    sizes = sorted(how_many(tree, player) for player in range(tree.seats))
    profiles = 1
    for size in sizes[:-1]:
        profiles *= size
    return profiles <= TRIED and sizes[-1] <= TRIED


def from_the_end(tree: Tree, first: Sequence[Strategy]) -> FromTheEnd:
    """Find all pure-strategy equilibria of a game with perfect information.

    `first` are subgame-perfect ones, one for each payoff vector.

    >>> from durak_widget.gametheory.backward_induction_solver import backward_induction
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry = textbook("entry")
    >>> result = from_the_end(entry, [backward_induction(entry).strategy])
    >>> len(result.perfect), [strategy["begins"] for strategy in result.others]
    (1, [(Fraction(0, 1), Fraction(1, 1))])
    """
    paths, _ = own_paths(tree)
    subgame_result = subgame_perfect(tree, by_pure_ones, MOST_LISTED)
    perfect_equilibria = tuple(dict.fromkeys((*first, *subgame_result.strategies)))[: max(MOST_LISTED, len(first))]
    known_actions = {_plans(tree, strategy, paths) for strategy in perfect_equilibria}
    pure_result = pure_ones(tree, TRIED)
    unknown = (equilibrium for equilibrium in pure_result.found if frozenset(equilibrium.moves.items()) not in known_actions)
    other_strategies = tuple([equilibrium.played(tree).strategy for equilibrium in islice(unknown, MOST_LISTED + 1)])
    return FromTheEnd(
        perfect_equilibria,
        other_strategies[:MOST_LISTED],
        subgame_result.complete and pure_result.complete and len(other_strategies) <= MOST_LISTED,
    )


def _plans(tree: Tree, strategy: Strategy, paths: list[tuple[tuple[tuple[int, int], ...], ...]]) -> frozenset[tuple[int, int]]:
    """Return a pure strategy's actions at the information sets that its own actions lead to."""
    reached = set()
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor >= 0 and all(strategy.rows[earlier][action] for earlier, action in paths[node][actor]):
            reached.add((infoset, strategy.rows[infoset].index(1)))
    return frozenset(reached)
