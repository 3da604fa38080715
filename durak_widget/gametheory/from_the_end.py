"""Which equilibria has a game in which nothing is hidden: those that thinking backwards finds, with all ties, and those that rest on threats that nobody would carry out?"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.pure_nash_equilibria import pure_ones
from durak_widget.gametheory.strategic_form import how_many, own_paths
from durak_widget.gametheory.subgame_perfection import by_pure_ones, subgame_perfect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

TRIED: Final = 2000
"""A game of more profiles of plans is thought through from the end alone."""
MOST_LISTED: Final = 60
"""No more are listed of either kind."""


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
