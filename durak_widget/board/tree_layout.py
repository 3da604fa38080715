"""Computes the layout of a tree picture: levels, rows, widths, dashed lines and labels.

Each shown node has a level and a row, which the page only has to scale. For print, levels and rows are as
wide and high as their labels need. Dashed lines of information sets get lanes, dash patterns and label
positions that keep crossing lines distinguishable. A signalling game is laid out as in textbooks: chance in
the middle, one type above and one below, messages to both sides, responses outside.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.board.svg_primitives import CARD, RADIUS, cards_wide, clipped, number_wide, small, wide
from durak_widget.gametheory.signalling_games import no_signals, signalling
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.tree_expansion import Unfolded
    from durak_widget.gametheory.tree import Tree

FORK, PAD, LANE, MARGIN = 22, 7, 7, 18
"""How far branches fan out, the space around what is said of them, that between dashed lines, and the edge."""
_LEGEND, LEGEND = 760, 24
"""How wide a line of the legend may be, and how far its lines lie apart."""
_NEAR, _PITCH = 6.0, 34.0
"""What stays free before a node beside which no line runs; and from row to row where a tree opens to both sides."""
LANES: Final = 12
"""So many lines lie side by side; then they share their ways."""
DASHES: Final = ((6.0, 4.5), (1.5, 4.0), (11.0, 4.0), (9.0, 3.5, 1.5, 3.5), (6.0, 3.0, 1.5, 3.0, 1.5, 3.0))
"""The patterns: strokes, dots, long strokes, stroke and dot, stroke and two dots. As many as have nothing in common with the number of lanes."""
_PAIRS: Final = LANES * len(DASHES)
_NAMED: Final = 24
"""Where more lines than this lie beside nodes, names would hide them."""
_LONGEST: Final = 20
_STRAIGHT: Final = -1
_LARGEST: Final = 200
"""A game with more histories is none of those that books draw so."""
_BETWEEN: Final = 2.5
"""So many rows lie between what belongs to one type and to the other: there chance is."""
Told = dict[str, Any]


class Branch(NamedTuple):
    """What stands at one branch."""

    told: Told
    """The move: its words, its cards."""
    said: str
    """The words above it; none where cards say it."""
    below: str
    """Probability and labels, below it."""
    weight: float | None
    """How likely it is in the strategy that is shown; None where none is."""
    lit: bool
    best: bool
    cards: float
    """How wide its cards are; 0 where it has none."""

    @property
    def wide(self) -> float:
        """How wide all that is, where cards and what is below them stand side by side."""
        below = small(self.below)
        return self.cards + (4 + below if below else 0) if self.cards else max(wide(self.said), below)


class Rail(NamedTuple):
    """The dashed line of an information set along one level, or between two places of different levels."""

    places: list[int]
    lane: int
    """Which of the parallel ways beside the level it takes; 0: straight from node to node."""
    dash: int
    """Which of the patterns of `DASHES`."""


class Spread:
    """The places of all that is drawn; each list has an entry for each node that is shown."""

    def __init__(self, drawing: Mapping[str, Any], solution: Mapping[str, Any]) -> None:
        nodes = drawing["nodes"]
        self._drawing, self._solution = drawing, solution
        self.id, self.up, self.actor, self.info, self.more = (nodes[name] for name in ("id", "up", "actor", "info", "more"))
        self._level, self._row = nodes["level"], nodes["row"]
        self.down = drawing["direction"] == "down"
        self._fan = drawing.get("fan") if drawing.get("from_middle") and not self.down else None
        self.side: Sequence[int] = self._fan["side"] if self._fan else [1] * len(self.id)
        """To which side of what is before it each node lies, where the tree grows to the right: 0 above or below it."""
        self.shown = range(len(self.id))
        lit = set(solution.get("lit", ()))
        self.branches = [None if up < 0 else self._branch(place, up, lit) for place, up in enumerate(self.up)]
        self.values = self._valued()
        self.labels = [" · ".join(drawing["labels"]["nodes"].get(str(one), ())) for one in self.id]
        ends = drawing["ends"].values()
        self.fractions = any("/" in worth for worths in ends for worth in worths)
        self.columns = [max(number_wide(worth[seat]) for worth in ends) for seat in range(len(drawing["seats"]))] if ends else []
        """How wide the payoffs of each seat are."""
        self.said = [clipped(line.rstrip("."), 110) for line in solution.get("said", ())][:1]
        """What the solution says of the whole."""
        self.legend = self._legend()
        self.head = 30 + (24 if drawing["title"] else 0) + 20 * len(self.said) + LEGEND * self.legend[-1][-1]
        """How much room is above the tree."""
        self.gutter = [_NEAR] * (max(self._level) + 1)
        """How much room dashed lines and what is said of nodes take before each level."""
        self.rails, self.links = self._dashed()
        if not self.down:
            for place, level in enumerate(self._level):
                beside = max(small(self.values[place]), small(self.labels[place]))
                if beside and level and self.side[place]:
                    self.gutter[level] = max(self.gutter[level], beside + 8)
        self.x, self.y, self.width, self.height = (
            self._downwards() if self.down else self._outwards(self._fan) if self._fan else self._rightwards()
        )
        self.width = max(self.width, self._head_wide() + 2 * MARGIN)

    def _legend(self) -> list[tuple[int, str, float, int]]:
        """Who acts: sign, name, how far from the left, in which line."""
        seats = [*enumerate(map(clipped, self._drawing["seats"])), *[(CHANCE, self._drawing["chance"])] * (CHANCE in self.actor)]
        placed, x, line = list[tuple[int, str, float, int]](), 0.0, 0
        for actor, said in seats:
            room = 2 * RADIUS + wide(said) + 26
            if x and x + room > _LEGEND:
                x, line = 0.0, line + 1
            placed.append((actor, said, x, line))
            x += room
        return placed

    # What is said

    def _branch(self, place: int, up: int, lit: set[int]) -> Branch:
        drawing, solution, at = self._drawing, self._solution, self._drawing["nodes"]["at"][place]
        info, weight, best, below = str(self.info[up]), None, False, list[str]()
        if self.actor[up] == CHANCE:
            told = drawing["chances"][info]["moves"][at]
            below.append(told["likely"])
        else:
            told = drawing["sets"][info]["moves"][at]
            if info in solution.get("likely", {}):
                weight = float(solution["weight"][info][at])
                below.append(solution["likely"][info][at])
            marks = (solution.get("best") or {}).get(info)
            best = bool(marks and marks[at])
        below += drawing["labels"]["branches"].get(str(self.id[place]), [])
        cards = cards_wide(told)
        said = "" if cards else clipped(str(told["said"]))
        star = "★ " if best else ""
        return Branch(told, said, star + clipped(" · ".join(below), 40), weight, {self.id[place], self.id[up]} <= lit, best, cards)

    def _valued(self) -> list[str]:
        """What each node is worth, where that is asked for and no payoff says it."""
        values = self._solution.get("value") or [()] * len(self.id)
        return ["" if actor == OVER else ", ".join(one).replace("-", "−") for one, actor in zip(values, self.actor, strict=True)]

    # Where it lies

    def _rightwards(self) -> tuple[list[float], list[float], float, float]:
        below = self.fractions or any(one is not None and one.below for one in self.branches)
        pitch = 37.0 if self._carded() else 32.0 if below else 26.0
        room = [0.0] * len(self.gutter)
        for place, one in enumerate(self.branches):
            if one is not None:
                room[self._level[place]] = max(room[self._level[place]], one.wide)
        at = MARGIN + max(RADIUS, small(self.values[0]) / 2, small(self.labels[0]) / 2)
        along = [at]
        for wide_here, gutter in zip(room[1:], self.gutter[1:], strict=True):
            at += RADIUS + FORK + wide_here + 2 * PAD + gutter + RADIUS
            along.append(at)
        x = [along[level] for level in self._level]
        y = [self.head + MARGIN + pitch * (row + 0.5) for row in self._row]
        width = max(x[place] + self._behind(place) for place in self.shown) + MARGIN
        return x, y, width, self.head + 2 * MARGIN + pitch * self._drawing["size"]["rows"]

    def _outwards(self, fan: Told) -> tuple[list[float], list[float], float, float]:
        room = [0.0] * 4
        for place, one in enumerate(self.branches):
            if one is not None:
                room[self._level[place]] = max(room[self._level[place]], one.wide)
        along = [0.0, 0.0]
        for level in (2, 3):
            gutter = self.gutter[level] if level < len(self.gutter) else _NEAR
            along.append(along[-1] + 2 * RADIUS + FORK + room[level] + 2 * PAD + gutter)
        half = max(along[level] + self._behind(place) for place, level in enumerate(self._level)) + MARGIN
        half = max(half, room[1] + 2 * PAD + MARGIN, self._head_wide() / 2 + MARGIN)
        x = [half + side * along[level] for side, level in zip(self.side, self._level, strict=True)]
        y = [self.head + MARGIN + _PITCH * (row + 0.5) for row in fan["row"]]
        return x, y, 2 * half, self.head + 2 * MARGIN + _PITCH * fan["rows"]

    def _downwards(self) -> tuple[list[float], list[float], float, float]:
        carded = self._carded()
        branches = [one for one in self.branches if one is not None]
        half = max([one.cards / 2 for one in branches] or [0])
        words = [
            max(wide(one.said) + 6, one.cards / 2 + small(one.below) + 4 if one.cards else small(one.below) + 6) + half + 8
            for one in branches
        ]
        ends = [number_wide(worth) + 12 for worths in self._drawing["ends"].values() for worth in worths]
        pills = [small(f"+{more}") + 20 for more in self.more if more]
        pitch = max(*words, *ends, *pills, *self._apart(), 2 * RADIUS + 12)
        label = (CARD[1] + 4 if carded else 16) + (
            14 if any(one is not None and one.below and not one.cards for one in self.branches) else 0
        )
        at = self.head + MARGIN + RADIUS + 8
        along = [at]
        for gutter in self.gutter[1:]:
            at += RADIUS + FORK + label + PAD + gutter + RADIUS
            along.append(at)
        left = MARGIN + half + RADIUS
        x = [left + pitch * row for row in self._row]
        y = [along[level] for level in self._level]
        width = left + pitch * self._drawing["size"]["rows"] + MARGIN - RADIUS
        return x, y, width, max(y[place] + self._behind(place) for place in self.shown) + MARGIN

    def _apart(self) -> list[float]:
        """How far rows must lie apart, so that what is said of a node does not reach the next of its level."""
        last: dict[int, int] = {}
        apart = list[float]()
        for place, (level, row) in enumerate(zip(self._level, self._row, strict=True)):
            before = last.get(level)
            if before is not None:
                said = max(small(self.values[before]), small(self.labels[before]))
                apart.append((2 * RADIUS + 6 + said if said else 0) / (row - self._row[before]))
            last[level] = place
        return apart

    def _carded(self) -> bool:
        return any(one is not None and one.cards for one in self.branches)

    def _behind(self, place: int) -> float:
        """How much room what stands behind a node takes: payoffs, or how many are folded away."""
        if self.actor[place] == OVER:
            return 10 + (
                (26 if self.fractions else 17) * len(self.columns) if self.down else sum(self.columns) + 10 * (len(self.columns) - 1)
            )
        if self.more[place]:
            return RADIUS + (24 if self.down else 16 + small(f"+{self.more[place]}"))
        return RADIUS

    def _head_wide(self) -> float:
        legend = [x + 2 * RADIUS + wide(said) + 26 for _, said, x, _ in self.legend]
        return max(*legend, wide(clipped(self._drawing["title"], 90), 16), *[wide(line) for line in self.said], 0)

    # Dashed lines

    def _dashed(self) -> tuple[list[Rail], list[Rail]]:
        """The dashed lines: those along each level, and those from level to level; room for them, and for what they are called."""
        if self._fan:
            return [Rail([*joined], 0, 0) for joined in self._drawing["joined"]], []
        rails, links = list[Rail](), list[Rail]()
        for joined, (lane, dash, *_) in zip(self._drawing["joined"], self._drawing["lanes"], strict=True):
            levels: dict[int, list[int]] = {}
            for place in joined:
                levels.setdefault(self._level[place], []).append(place)
            for one, two in pairwise(levels[level] for level in sorted(levels)):
                ends = min(((a, b) for a in one for b in two), key=lambda pair: abs(self._row[pair[0]] - self._row[pair[1]]))
                links.append(Rail([*ends], 0, dash))
            for here, group in levels.items():
                if len(group) > 1:
                    rails.append(Rail(group, lane, dash))
                    if lane:
                        self.gutter[here] = max(self.gutter[here], 10.0 + LANE * lane)
        for lane, name, first, last in self._named:
            here = self._level[first]
            if here == self._level[last]:
                self.gutter[here] = max(self.gutter[here], 18.0 + LANE * lane if self.down else small(name) + 14)
        return rails, links

    @property
    def _named(self) -> list[tuple[int, str, int, int]]:
        """Of each line that has one, its lane and its name, and between which places that stands."""
        return [(told[0], told[2], told[3], told[4]) for told in self._drawing["lanes"] if len(told) > 2 and not self._fan]

    def named(self) -> list[tuple[float, float, str]]:
        """The names of dashed lines, each with its middle: on the lane, or between two levels."""
        found = []
        for lane, name, one, two in self._named:
            x, y, most = (self.x[one] + self.x[two]) / 2, (self.y[one] + self.y[two]) / 2, len(name)
            if self._level[one] == self._level[two]:
                if self.down:
                    y, most = self.y[one] - away(lane), max(int((abs(self.x[two] - self.x[one]) - 2 * RADIUS) / small("n")), 2)
                else:
                    x = self.x[one] - max(away(lane), small(name) / 2 + 4)
            found.append((x, y, clipped(name, most)))
        return found


def away(lane: int) -> float:
    """How far from the middle of its nodes a lane lies."""
    return RADIUS + 5 + LANE * (lane - 1)


class Laid(NamedTuple):
    """Columns of equal length, a place in them for each history that is shown, in the order of `Unfolded.shown`."""

    up: list[int]
    """The place of the history before; -1 of the root."""
    level: list[int]
    row: list[float]
    """A leaf, or what is folded, has a row of its own; what is open is in the middle of what it leads to."""
    rows: int
    levels: int


def lay(unfolded: Unfolded) -> Laid:
    """Where what is shown of a tree lies.

    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.gametheory import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> lay(Unfolded(grow("", places.__getitem__, seats=2)))
    Laid(up=[-1, 0, 0], level=[0, 1, 1], row=[0.5, 0.0, 1.0], rows=2, levels=2)
    """
    shown, opened, parent = unfolded.shown, unfolded.opened, unfolded.tree.parent
    place_of = {history: place for place, history in enumerate(shown)}
    up = [place_of[parent[history]] if history else -1 for history in shown]
    level = [0] * len(shown)
    for place in range(1, len(shown)):
        level[place] = level[up[place]] + 1
    first, last = [-1.0] * len(shown), [-1.0] * len(shown)
    row, rows = [0.0] * len(shown), 0
    for place, history in enumerate(shown):
        if history not in opened:
            row[place] = float(rows)
            rows += 1
    for place in range(len(shown) - 1, -1, -1):  # what is below comes first; the last child before the first
        if shown[place] in opened:
            row[place] = (first[place] + last[place]) / 2
        above = up[place]
        if above >= 0:
            if last[above] < 0:
                last[above] = row[place]
            first[above] = row[place]
    return Laid(up, level, row, rows, max(level) + 1)


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


class Fan(NamedTuple):
    """Columns of equal length, a place in them for each history that is shown, in the order of `Unfolded.shown`."""

    side: list[int]
    """Left of the middle (-1), in it (0), right of it (1)."""
    row: list[float]
    rows: float


def opens(tree: Tree) -> bool:
    """Whether a tree opens from the middle: a draw of two types, one seat that knows which and has the same two messages, another that sees the message alone and answers.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [name for name in ("beer-quiche", "spence", "bayes", "kuhn", "horse") if opens(textbook(name))]
    ['beer-quiche', 'spence']
    """
    if tree.histories > _LARGEST or tree.actor[0] != CHANCE or tree.count[0] != 2 or no_signals(tree):
        return False
    types = signalling(tree).types
    sent = [tree.children(node) for node in types]
    said = [tree.sets[tree.info[node]].moves for node in types]
    if said[0] != said[1] or any(len(nodes) != 2 for nodes in sent):
        return False
    alike = [[tree.info[node] for node in nodes] for nodes in sent]
    return alike[0] == alike[1] and all(tree.actor[node] >= 0 for nodes in sent for node in nodes)


def fan(unfolded: Unfolded) -> Fan | None:
    """Where what is shown of such a tree lies; None of any other tree.

    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> fan(Unfolded(textbook("spence"), depth=2))
    Fan(side=[0, 0, -1, 1, 0, -1, 1], row=[1.75, 0.0, 0.0, 0.0, 3.5, 3.5, 3.5], rows=4.5)
    """
    tree = unfolded.tree
    if not opens(tree):
        return None
    place_of = {history: place for place, history in enumerate(unfolded.shown)}
    side, row = [0] * len(place_of), [0.0] * len(place_of)
    top, middles = 0.0, list[float]()
    for sender in filter(place_of.__contains__, tree.children(0)):
        sent = [node for node in tree.children(sender) if node in place_of]
        ends = [[end for end in tree.children(node) if end in place_of] for node in sent]
        high = max([1, *map(len, ends)])
        middle = top + (high - 1) / 2
        row[place_of[sender]] = middle
        for way, node, answers in zip((-1, 1), sent, ends, strict=False):
            for at, one in enumerate([node, *answers]):
                side[place_of[one]] = way
                row[place_of[one]] = middle if not at else middle + at - 1 - (len(answers) - 1) / 2
        middles.append(middle)
        top += high + _BETWEEN
    row[0] = sum(middles) / len(middles) if middles else 0.0
    return Fan(side, row, max(top - _BETWEEN, 1.0))
