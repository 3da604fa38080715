"""Finds subgame-perfect equilibria, and all pure equilibria of a game with perfect information.

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
    """Whoever finds equilibria of a game without regard to its subgames."""
    Part = tuple[dict[int, tuple[Number, ...]], tuple[Fraction, ...]]
    """What is done at the information sets of a subgame, and what that is worth to everybody."""

MOST: Final = 200
"""So many subgame-perfect equilibria are kept, unless one says so."""
_CELLS: Final = 4096
"""Corners are looked for in matrices of so many cells: to strike what is dominated from larger ones takes long."""
TRIED: Final = 2000
"""A game of more profiles of plans is thought through from the end alone."""
MOST_LISTED: Final = 60
"""No more are listed of either kind."""


class FromBelow(NamedTuple):
    """Equilibria of a game, and whether those are all."""

    strategies: tuple[Strategy, ...]
    complete: bool
    """Whether these are all that there are of those that the solver looks for."""


def subgame_perfect(tree: Tree, solver: Solver | None = None, limit: int = MOST) -> FromBelow:
    """Equilibria of a game that are equilibria of each of its subgames too, at most so many; a solver finds those of each part: for two seats all (`by_corners`), else those in pure plans.

    All: where the solver finds all of every part that it is given, and the limit is kept.

    >>> from durak_widget import gametheory
    >>> outside = gametheory.textbook("outside-option")
    >>> found = subgame_perfect(outside)
    >>> [tuple(str(gametheory.value(outside, one, seat)) for seat in (0, 1)) for one in found.strategies], found.complete
    ([('3', '1'), ('2', '2'), ('2', '2')], True)
    """
    require_tree(tree)
    solver = solver or (by_corners if tree.seats == 2 else by_pure_ones)
    begins = subgames(tree)
    inside: dict[int, list[int]] = {begin: [] for begin in begins}
    for begin in begins[1:]:
        above = tree.parent[begin]
        while above not in inside:
            above = tree.parent[above]
        inside[above].append(begin)
    parts: dict[int, list[Part]] = {}
    complete = True
    for begin in reversed(begins):  # histories below have higher numbers
        parts[begin], whole = _solved(tree, begin, {one: parts.pop(one) for one in inside[begin]}, solver, limit)
        complete = complete and whole
    return FromBelow(tuple([made(tree.sets, [rows[place] for place in range(len(tree.sets))]) for rows, _ in parts[0]]), complete)


def _solved(tree: Tree, begin: int, below: dict[int, list[Part]], solver: Solver, limit: int) -> tuple[list[Part], bool]:
    """What is done and gained in a subgame, for each way in which those below it may be played; and whether that is all."""
    found: list[Part] = []
    known: dict[tuple[tuple[Fraction, ...], ...], tuple[list[Part], bool]] = {}
    complete = True
    for chosen in product(*below.values()):
        worths = tuple([worth for _, worth in chosen])
        if worths not in known:
            part = cut(tree, begin, dict(zip(below, worths, strict=True)))
            answer = solver(part.tree)
            kept = answer.strategies[:limit]
            known[worths] = [_part(part, strategy) for strategy in kept], answer.complete and len(kept) == len(answer.strategies)
        here, whole = known[worths]
        complete = complete and whole
        for rows, worth in here:
            if len(found) == limit:
                return found, False
            merged = dict(rows)
            for others, _ in chosen:
                merged |= others
            found.append((merged, worth))
    return found, complete


def _part(part: Cut, strategy: Strategy) -> Part:
    """What a strategy of a part does at the information sets of the whole, and what it is worth."""
    worth = [Fraction(value(part.tree, strategy, seat)) for seat in range(part.tree.seats)]
    return dict(zip(part.places, strategy.rows, strict=True)), tuple(worth)


def gains_in_subgames(tree: Tree, strategy: Strategy) -> dict[int, Number]:
    """By the history at which each subgame begins: what all seats together would gain there, each by its best response; a subgame-perfect equilibrium has nothing but 0.

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> gains_in_subgames(entry, gametheory.Strategy.of(entry, {"begins": "stay out", "after an entry": "fight"}))
    {0: Fraction(0, 1), 1: Fraction(2, 1)}
    """
    begins = subgames(tree)
    if sum(who >= 0 for who in tree.actor) == len(tree.sets):  # nothing is hidden
        gained = _gained_below(tree, strategy)
        return {begin: gained[begin] for begin in begins}
    parts = {begin: cut(tree, begin) for begin in begins}
    return {begin: nash_conv(part.tree, part.restricted(strategy)) for begin, part in parts.items()}


def _gained_below(tree: Tree, strategy: Strategy) -> list[Number]:
    """What all seats together would gain from each history on, where nothing is hidden: all at once, from the ends."""
    gained: list[Number] = [Fraction(0)] * tree.histories
    for seat in range(tree.seats):
        has: list[Number] = [Fraction(0)] * tree.histories
        best = list(has)
        for here in reversed(range(tree.histories)):
            who, place, below = tree.actor[here], tree.info[here], tree.children(here)
            if who == OVER:
                has[here] = best[here] = tree.payoffs[place][seat]
            else:
                row = tree.chances[place].probabilities if who == CHANCE else strategy.rows[place]
                has[here] = _expected(row, [has[child] for child in below])
                best[here] = max([best[child] for child in below]) if who == seat else _expected(row, [best[child] for child in below])
        gained = [before if most == one else before + most - one for before, most, one in zip(gained, best, has, strict=True)]
    return gained


def _expected(row: Sequence[Number], worths: Sequence[Number]) -> Number:
    """Return the expected value. Most rows are pure, and then nothing has to be added or multiplied."""
    if 1 in row:
        return worths[row.index(1)]
    return sum([likely * worth for likely, worth in zip(row, worths, strict=True) if likely], Fraction(0))


def by_lemke(tree: Tree) -> FromBelow:
    """One equilibrium of a game for two.

    >>> from durak_widget import gametheory
    >>> by_lemke(gametheory.textbook("pennies")).complete
    False
    """
    return FromBelow((lemke(tree),), complete=False)


def by_corners(tree: Tree) -> FromBelow:
    """All equilibria of a small game for two, or their corners where there are infinitely many; of one that is too large those in which nobody mixes, and one at least.

    >>> from durak_widget import gametheory
    >>> [one.rows for one in by_corners(gametheory.textbook("pennies")).strategies]
    [((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))]
    """
    if how_many(tree, 0) * how_many(tree, 1) > _CELLS:
        unmixed = by_pure_ones(tree).strategies
        return FromBelow(unmixed, complete=False) if unmixed else by_lemke(tree)
    table = matrix(tree)
    found = equilibria(table)
    if not found.found:
        return by_lemke(tree)
    return FromBelow(tuple([of_plans(tree, table, one).strategy for one in found]), complete=found.complete and not found.infinite)


def by_pure_ones(tree: Tree) -> FromBelow:
    """All equilibria in which nobody mixes, for any number of seats; no more than `MOST`.

    >>> from durak_widget import gametheory
    >>> found = subgame_perfect(gametheory.textbook("ultimatum"), by_pure_ones)
    >>> len(found.strategies), found.complete
    (2, True)
    """
    found = pure_ones(tree)
    kept = found.found[:MOST]
    return FromBelow(tuple([one.played(tree).strategy for one in kept]), found.complete and len(kept) == len(found.found))


class FromTheEnd(NamedTuple):
    """Equilibria in which nobody mixes."""

    perfect: tuple[Strategy, ...]
    """The subgame-perfect ones, first one for each payoff vector."""
    others: tuple[Strategy, ...]
    """One for each other equilibrium in pure plans."""
    complete: bool
    """Whether these are all."""


def small_enough(tree: Tree) -> bool:
    """Whether all plans can be tried against each other, but those of the seat that has most.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> small_enough(textbook("centipede")), small_enough(textbook("chain-store"))
    (True, False)
    """
    sizes = sorted(how_many(tree, seat) for seat in range(tree.seats))
    profiles = 1
    for size in sizes[:-1]:
        profiles *= size
    return profiles <= TRIED and sizes[-1] <= TRIED


def from_the_end(tree: Tree, first: Sequence[Strategy]) -> FromTheEnd:
    """Return all equilibria in pure strategies of a game in which nothing is hidden; `first` are subgame-perfect ones, one for each payoff vector.

    >>> from durak_widget.gametheory.backward_induction_solver import backward_induction
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry = textbook("entry")
    >>> found = from_the_end(entry, [backward_induction(entry).strategy])
    >>> len(found.perfect), [one["begins"] for one in found.others]
    (1, [(Fraction(0, 1), Fraction(1, 1))])
    """
    paths, _ = own_paths(tree)
    below = subgame_perfect(tree, by_pure_ones, MOST_LISTED)
    perfect = tuple(dict.fromkeys((*first, *below.strategies)))[: max(MOST_LISTED, len(first))]
    known = {_plans(tree, one, paths) for one in perfect}
    unmixed = pure_ones(tree, TRIED)
    threats = (one for one in unmixed.found if frozenset(one.moves.items()) not in known)
    others = tuple([one.played(tree).strategy for one in islice(threats, MOST_LISTED + 1)])
    return FromTheEnd(perfect, others[:MOST_LISTED], below.complete and unmixed.complete and len(others) <= MOST_LISTED)


def _plans(tree: Tree, strategy: Strategy, paths: list[tuple[tuple[tuple[int, int], ...], ...]]) -> frozenset[tuple[int, int]]:
    """What a strategy in which nobody mixes does wherever its own moves lead."""
    led = set()
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if who >= 0 and all(strategy.rows[one][move] for one, move in paths[here][who]):
            led.add((place, strategy.rows[place].index(1)))
    return frozenset(led)
