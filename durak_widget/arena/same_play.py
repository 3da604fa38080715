"""Find bots that play alike, which no number of games separates."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from durak_widget.arena.bradley_terry import connected

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.arena.ratings import Unit
    from durak_widget.arena.tournament_file import ArenaFile, GameLine

_DEALS: Final = 5
"""In fewer deals two bots that differ may have made the same moves by chance."""


def even_pairs(units: Iterable[Unit]) -> frozenset[tuple[int, int]]:
    """Return the pairs who had the same points from every deal in which they met, in two deals or more.

    From such deals it does not follow how many more would separate the two: `units` are without luck taken away.

    >>> sorted(even_pairs([((0, 1, 1.0, 2), (1, 2, 2.0, 2)), ((0, 1, 1.0, 2), (1, 2, 1.0, 2))]))
    [(0, 1)]
    """
    shared: dict[tuple[int, int], list[bool]] = {}
    for unit in units:
        for one, other, points, games in unit:
            shared.setdefault((one, other), []).append(2 * points == games)
    return frozenset(pair for pair, even in shared.items() if len(even) > 1 and all(even))


def same_moves(
    file: ArenaFile, deals: Sequence[Sequence[GameLine]], even: Iterable[tuple[int, int]], count: int
) -> tuple[tuple[int, ...], ...]:
    """Return the groups of bots that made the same moves wherever they met: in each seating of five deals or more.

    Only `even` pairs are looked at, so that few games have to be read.
    """
    pairs = {pair for pair in even if _is_same(file, [deal for deal in deals if set(pair) <= set(deal[0].sides)], *pair)}
    groups = [group for group in connected(count, list(pairs)) if len(group) > 1]
    whole = [group for group in groups if all(pair in pairs for pair in combinations(sorted(group), 2))]
    rest = [pair for pair in pairs if not any(set(pair) <= set(group) for group in whole)]
    return tuple(sorted([*whole, *rest]))


def _is_same(file: ArenaFile, deals: Sequence[Sequence[GameLine]], one: int, other: int) -> bool:
    """Whether each game is played alike when these two change seats."""
    return len(deals) >= _DEALS and all(_is_same_deal(file, deal, {one: other, other: one}) for deal in deals)


def _is_same_deal(file: ArenaFile, deal: Sequence[GameLine], turned: dict[int, int]) -> bool:
    texts = {(line.sides, line.part): _moves(file.text(line.meeting, line.place)) for line in deal}
    return all(texts.get((tuple(turned.get(who, who) for who in sides), part)) == text for (sides, part), text in texts.items())


def _moves(text: str) -> str:
    """The rules, the deal and the moves of a game, without the remarks on who sat where."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
