"""Which way the dashed line of each information set takes beside the nodes, in which dashes, and where its name stands: so that two that cross are told apart."""

from __future__ import annotations

from bisect import bisect_left, insort
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.svg_primitives import clipped

if TYPE_CHECKING:
    from collections.abc import Sequence

LANES: Final = 12
"""So many lines lie side by side; then they share their ways."""
DASHES: Final = ((6.0, 4.5), (1.5, 4.0), (11.0, 4.0), (9.0, 3.5, 1.5, 3.5), (6.0, 3.0, 1.5, 3.0, 1.5, 3.0))
"""The patterns: strokes, dots, long strokes, stroke and dot, stroke and two dots. As many as have nothing in common with the number of lanes."""
_PAIRS: Final = LANES * len(DASHES)
_NAMED: Final = 24
"""Where more lines than this lie beside nodes, names would hide them."""
_LONGEST: Final = 20
_STRAIGHT: Final = -1


class Lane(NamedTuple):
    """How one information set is drawn."""

    lane: int
    """Which of the parallel ways beside its nodes it takes, from the nearest, which is 1; 0: straight from node to node."""
    dash: int
    """Which of the patterns."""
    name: str
    """What stands beside it; nothing where no other could be taken for it."""
    between: tuple[int, int]
    """The two places, next to each other on a level or joined from level to level, between which that stands."""

    def told(self) -> list[object]:
        """What the page is told: lane and dashes; and where it has a name, that, and the two places.

        >>> Lane(1, 0, "", (3, 5)).told(), Lane(2, 1, "sees beer", (3, 5)).told()
        ([1, 0], [2, 1, 'sees beer', 3, 5])
        """
        return [self.lane, self.dash, *((self.name, *self.between) if self.name else ())]


def lanes(joined: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float], said: Sequence[str]) -> list[Lane]:
    """How the line of each set is drawn, whose places are given, and what it is called.

    Two that lie beside the same stretch of a level have not both the lane and the dashes in common, so long as no more than sixty do.

    >>> lanes([[0, 2], [1, 3]], [1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], ["sees beer", "sees quiche"])
    [Lane(lane=1, dash=0, name='sees beer', between=(0, 1)), Lane(lane=2, dash=1, name='sees quiche', between=(1, 2))]
    >>> lanes([[0, 1], [2, 3]], [1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], ["left", "right"])
    [Lane(lane=0, dash=0, name='', between=(0, 1)), Lane(lane=0, dash=0, name='', between=(2, 3))]
    """
    along: dict[int, list[int]] = {}
    for place in sorted(range(len(row)), key=row.__getitem__):
        along.setdefault(level[place], []).append(place)
    order = {place: at for places in along.values() for at, place in enumerate(places)}
    numbers = _numbers(joined, level, row, order)
    beside = [at for at, number in enumerate(numbers) if number != _STRAIGHT]
    named = _crossed(beside, joined, level, row) if len(beside) <= _NAMED else []
    names = dict(zip(named, _apart([said[at] for at in named]), strict=True))
    between = _between({at: joined[at] for at in named}, level, order, along)
    return [
        Lane(0, 0, "", (places[0], places[1]))
        if number == _STRAIGHT
        else Lane(number % LANES + 1, number % len(DASHES), names.get(at, ""), between.get(at, (places[0], places[1])))
        for at, (places, number) in enumerate(zip(joined, numbers, strict=True))
    ]


def _numbers(joined: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float], order: dict[int, int]) -> list[int]:
    """A number for each line, no two alike that lie beside the same stretch; the shorter ones first, which so lie nearer."""
    numbers = [_STRAIGHT] * len(joined)
    rows = [[row[place] for place in places] for places in joined]
    taken: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for at in sorted(range(len(joined)), key=lambda at: (max(rows[at]) - min(rows[at]), min(rows[at]))):
        levels = [level[place] for place in joined[at]]
        if len(set(levels)) == 1 and all(two - one == 1 for one, two in pairwise(sorted(order[place] for place in joined[at]))):
            continue
        span, across = (min(rows[at]), max(rows[at])), range(min(levels), max(levels) + 1)
        free = (number for number in range(_PAIRS) if all(_is_free(taken.get((one, number), []), span) for one in across))
        numbers[at] = number = next(free, at % _PAIRS)
        for one in across:
            insort(taken.setdefault((one, number), []), span)
    return numbers


def _is_free(spans: list[tuple[float, float]], span: tuple[float, float]) -> bool:
    """Whether nothing of a sorted list lies where that would."""
    at = bisect_left(spans, span)
    return not (at < len(spans) and spans[at][0] <= span[1]) and not (at and spans[at - 1][1] >= span[0])


def _crossed(beside: Sequence[int], joined: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float]) -> list[int]:
    """The lines beside whose stretch of a level another one lies too."""
    boxes = {}
    for at in beside:
        rows, levels = [row[place] for place in joined[at]], [level[place] for place in joined[at]]
        boxes[at] = min(levels), max(levels), min(rows), max(rows)
    return [
        at
        for at, (first, last, low, high) in boxes.items()
        if any(
            other != at and first <= end and begin <= last and low <= bottom and top <= high
            for other, (begin, end, top, bottom) in boxes.items()
        )
    ]


def _between(
    joined: dict[int, Sequence[int]], level: Sequence[int], order: dict[int, int], along: dict[int, list[int]]
) -> dict[int, tuple[int, int]]:
    """For each line the gap for its name, no two in one: from gap to gap, each is given to the line there that ends first, so that there is one for all."""
    found: dict[int, tuple[int, int]] = {}
    waiting: dict[int, list[tuple[int, int, int]]] = {}
    for at, places in joined.items():
        levels: dict[int, list[int]] = {}
        for place in places:
            levels.setdefault(level[place], []).append(order[place])
        best = max(levels, key=lambda one: max(levels[one]) - min(levels[one]))
        if len(levels[best]) > 1:
            waiting.setdefault(best, []).append((min(levels[best]), max(levels[best]), at))
        else:
            found[at] = places[0], places[1]
    for one, lines in waiting.items():
        for gap in range(len(along[one]) - 1):
            here = [(last, first, at) for first, last, at in lines if first <= gap < last and at not in found]
            if here:
                found[min(here)[2]] = along[one][gap], along[one][gap + 1]
    return found


def _apart(names: list[str]) -> list[str]:
    """Names that are short and differ: as they are; with a number where several are alike; the number alone where they are too long for that."""
    short = [clipped(name, _LONGEST) for name in names]
    return [
        one if one and short.count(one) == 1 else f"{name} [{place}]".lstrip() if len(name) <= _LONGEST - 5 else f"[{place}]"
        for place, (one, name) in enumerate(zip(short, names, strict=True), 1)
    ]
