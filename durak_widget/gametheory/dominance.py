"""Which plans should nobody follow, however many play: those that another plan, or a mix of others, beats whatever all the rest do? And what is left when they are struck?

What is strictly dominated may be struck in any order; for two, what is left then is what is rationalizable (Pearce, D. G. (1984): Rationalizable strategic behavior and
the problem of perfection. Econometrica 52, 1029-1050). What is weakly dominated may not: what is left can depend on the order.
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
    """The place of a plan of each seat."""


class Undominated(NamedTuple):
    """What iterated removal came to.

    >>> print(undominated_plans([[(2, 2), (0, 3)], [(3, 0), (1, 1)]]))
    Row: A is strictly dominated by B
    Column: a is strictly dominated by b
    Row: B
    Column: b
    """

    steps: tuple[Dominated, ...]
    names: tuple[str, ...]
    """What the seats are called."""
    left: tuple[tuple[Plan, ...], ...]
    """Of each seat, the plans that are left."""
    absent: tuple[str, ...] = ()
    """Who is at one information set twice on a way: to mix from move to move, by moves of plans that are struck too, may be better for them than any plan."""

    def __str__(self) -> str:
        kept = [f"{name}: {'; '.join(map(str, plans))}" for name, plans in zip(self.names, self.left, strict=True)]
        told = [
            f"{name} is absent-minded: what is struck are plans, and to mix from move to move may be better than any."
            for name in self.absent
        ]
        return "\n".join([*map(str, self.steps), *kept, *told])


def dominated_plans(game: object, *, weak: bool = True, limit: int = CELLS) -> tuple[Dominated, ...]:
    """The plans of a game, for any number of players, that another plan dominates, each once: strictly, if another or a mix of others does, else (`weak`) weakly.

    A tree, `gametheory.matrix(tree)`, or payoffs in rows. That a mix dominates weakly is not looked for.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [str(one) for one in dominated_plans(textbook("entry"))]
    ['Chain store: fight is weakly dominated by share']
    >>> [str(one) for one in dominated_plans([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]])]
    ['Row: C is strictly dominated by 1/2 A + 1/2 B']
    """
    table = _Plans(game, limit)
    return tuple([one for _, one in table.dominated([range(len(plans)) for plans in table.plans], weak=weak)])


def undominated_plans(game: object, *, weak: bool = False, limit: int = CELLS) -> Undominated:
    """What is left of a game, for any number of players, when dominated plans are struck one after another until there is none; each step is said.

    Strictly dominated ones may go in any order. With `weak`, what is left can depend on it: here the first seat's go first, and strictly dominated ones before others.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> print(undominated_plans(textbook("outside-option"), weak=True))
    One: concert, Stravinsky is strictly dominated by book
    Two: Stravinsky is weakly dominated by Bach
    One: book is strictly dominated by concert, Bach
    One: concert, Bach
    Two: Bach
    """
    table = _Plans(game, limit)
    kept: list[list[int]] = [list(range(len(plans))) for plans in table.plans]
    steps: list[Dominated] = []
    while True:
        found = next(table.dominated(kept, weak=False), None) or (next(table.dominated(kept, weak=True), None) if weak else None)
        if found is None:
            left = tuple([tuple([plans[place] for place in places]) for plans, places in zip(table.plans, kept, strict=True)])
            return Undominated(tuple(steps), table.names, left, table.absent)
        place, step = found
        steps.append(step)
        kept[step.seat].remove(place)


class _Plans:
    """The plans of all seats, and what each profile of them brings."""

    def __init__(self, game: object, limit: int) -> None:
        if isinstance(game, Tree):
            self.names = game.names
            self.absent = tuple([game.names[seat] for seat in _absent_minded(game)])
            self.plans = plans_of(game, limit)
            cells = prod(map(len, self.plans))
            if cells > limit:
                raise TreeError(
                    f"there would be {size_said(cells)} profiles of plans, and the limit is {limit:,}; take a smaller game, or give a higher limit="
                )
            pays = _of_tree(game, self.plans)
        else:
            table = a_matrix(game)
            self.names, self.absent, self.plans = table.names, (), [list(table.rows), list(table.columns)]
            pays = {(row, column): cell for row, line in enumerate(table.payoffs) for column, cell in enumerate(line)}
        self.pays = _in_whole_numbers(pays, len(self.plans))

    def dominated(self, kept: Sequence[Sequence[int]], *, weak: bool) -> Iterator[tuple[int, Dominated]]:
        """The dominated ones of the plans that are kept, each with its place."""
        for seat, (name, plans) in enumerate(zip(self.names, self.plans, strict=True)):
            pay = self.pays[seat]
            rest = list(product(*(places if other != seat else (0,) for other, places in enumerate(kept))))
            worth = {place: [pay[_with(one, seat, place)] for one in rest] for place in kept[seat]}
            for place, mine in worth.items():
                others = {other: theirs for other, theirs in worth.items() if other != place}
                better = next((other for other, theirs in others.items() if all(map(lt, mine, theirs))), None)
                if better is not None:
                    yield place, Dominated(seat, name, plans[place].words, plans[better].words, strict=True)
                elif mix := _mix(mine, others):
                    said = mix_said(tuple(mix.values()), [plans[other] for other in mix])
                    yield place, Dominated(seat, name, plans[place].words, said, strict=True)
                elif (
                    weak
                    and (over := next((other for other, one in others.items() if one != mine and all(map(le, mine, one))), None))
                    is not None
                ):
                    yield place, Dominated(seat, name, plans[place].words, plans[over].words, strict=False)


def _absent_minded(tree: Tree) -> list[int]:
    """The seats that may be at one information set twice on a way."""
    paths, _ = own_paths(tree)
    return [seat for seat in range(tree.seats) if any(len({place for place, _ in one[seat]}) < len(one[seat]) for one in paths)]


def _with(profile: Profile, seat: int, place: int) -> Profile:
    """A profile in which one seat follows this plan."""
    return (*profile[:seat], place, *profile[seat + 1 :])


def _mix(mine: Sequence[int], others: Mapping[int, Sequence[int]]) -> dict[int, Fraction] | None:
    """A mix of other plans that is better than this one whatever the rest do; None where there is none."""
    if len(others) < 2 or any(all(theirs[at] <= own for theirs in others.values()) for at, own in enumerate(mine)):
        return None  # it is a best answer to something
    best = minimax([[theirs[at] - own for at, own in enumerate(mine)] for theirs in others.values()])
    return dict(zip(others, best.row, strict=True)) if best.value > 0 else None


def _of_tree(tree: Tree, plans: Sequence[Sequence[Plan]]) -> dict[Profile, tuple[Fraction, ...]]:
    """What each profile of plans brings to everybody, over all that chance may do."""
    paths, chances = own_paths(tree)
    together: dict[tuple[Path, ...], list[Fraction]] = {}
    for here, actor in enumerate(tree.actor):
        if actor == OVER:
            worth = together.setdefault(paths[here], [Fraction(0)] * tree.seats)
            for seat, paid in enumerate(tree.payoffs[tree.info[here]]):
                worth[seat] += chances[here] * paid
    ends = list(together.items())
    fits = [
        [sum(1 << at for at, (ways, _) in enumerate(ends) if leads_along(plan.moves, ways[seat])) for plan in some]
        for seat, some in enumerate(plans)
    ]
    found = {}
    for profile in product(*(range(len(some)) for some in plans)):
        met = (1 << len(ends)) - 1
        for seat, place in enumerate(profile):
            met &= fits[seat][place]
        led = [worth for at, (_, worth) in enumerate(ends) if met >> at & 1]
        found[profile] = tuple([sum((worth[seat] for worth in led), Fraction(0)) for seat in range(tree.seats)])
    return found


def _in_whole_numbers(pays: Mapping[Profile, Sequence[Fraction]], seats: int) -> list[dict[Profile, int]]:
    """Of each seat, what each profile brings it, all times the same."""
    found = []
    for seat in range(seats):
        whole = lcm(*(paid[seat].denominator for paid in pays.values()))
        found.append({profile: paid[seat].numerator * (whole // paid[seat].denominator) for profile, paid in pays.items()})
    return found
