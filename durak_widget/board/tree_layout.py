"""Computes the layout of a tree picture: levels, rows, widths, dashed lines and labels.

Each shown node has a level and a row, which the page only has to scale. For print, levels and rows are as wide and
high as their labels need. Dashed lines of information sets get lanes, dash patterns and label positions that keep
crossing lines distinguishable. A signalling game is laid out as in textbooks: chance in the middle, one type above
and one below, messages to both sides, responses outside.
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
"""Length of the fork of branches, space around labels, distance between dashed lines, and margin."""
_LEGEND, LEGEND = 760, 24
"""The width of a legend line, and the distance between legend lines."""
_NEAR, _PITCH = 6.0, 34.0
"""Free space before a node without a line beside it, and the row height of a tree drawn from the middle."""
LANES: Final = 12
"""The number of parallel lines; beyond that, lines share lanes."""
DASHES: Final = ((6.0, 4.5), (1.5, 4.0), (11.0, 4.0), (9.0, 3.5, 1.5, 3.5), (6.0, 3.0, 1.5, 3.0, 1.5, 3.0))
"""The patterns: dashes, dots, long dashes, dash-dot, dash-dot-dot. Their number has no common factor with the number of lanes."""
_PAIRS: Final = LANES * len(DASHES)
_NAMED: Final = 24
"""The most lines beside nodes for which names are drawn; more names would hide the lines."""
_LONGEST: Final = 20
_STRAIGHT: Final = -1
_LARGEST: Final = 200
"""The largest game, in histories, that is drawn from the middle."""
_BETWEEN: Final = 2.5
"""The rows of space between the two types, where chance is drawn."""
Told = dict[str, Any]


class Branch(NamedTuple):
    """The label of one branch."""

    told: Told
    """The action or chance move: its words, its cards."""
    said: str
    """The words above it; empty if cards show it."""
    below: str
    """Probability and labels, below it."""
    weight: float | None
    """Its probability in the shown strategy; None if none is shown."""
    lit: bool
    best: bool
    cards: float
    """The width of its cards; 0 if it has none."""

    @property
    def wide(self) -> float:
        """Return the width of the label; cards and the text below them are side by side."""
        below = small(self.below)
        return self.cards + (4 + below if below else 0) if self.cards else max(wide(self.said), below)


class Rail(NamedTuple):
    """The dashed line of an information set along one level, or between two levels."""

    places: list[int]
    lane: int
    """The number of the parallel lane beside the level; 0 for a straight line from node to node."""
    dash: int
    """The index of its pattern in `DASHES`."""


class Spread:
    """The positions of everything in the picture; each list has an entry for each shown node."""

    def __init__(self, drawing: Mapping[str, Any], solution: Mapping[str, Any]) -> None:
        nodes = drawing["nodes"]
        self._drawing, self._solution = drawing, solution
        self.id, self.up, self.actor, self.info, self.more = (nodes[name] for name in ("id", "up", "actor", "info", "more"))
        self._level, self._row = nodes["level"], nodes["row"]
        self.down = drawing["direction"] == "down"
        self._fan = drawing.get("fan") if drawing.get("from_middle") and not self.down else None
        self.side: Sequence[int] = self._fan["side"] if self._fan else [1] * len(self.id)
        """The side of its parent on which each node is, if the tree grows to the right; 0 means above or below it."""
        self.shown = range(len(self.id))
        highlighted = set(solution.get("lit", ()))
        self.branches = [None if parent < 0 else self._branch(position, parent, highlighted) for position, parent in enumerate(self.up)]
        self.values = self._valued()
        self.labels = [" · ".join(drawing["labels"]["nodes"].get(str(node), ())) for node in self.id]
        ends = drawing["ends"].values()
        self.fractions = any("/" in payoffs for payoffs_of_end in ends for payoffs in payoffs_of_end)
        self.columns = [max(number_wide(payoffs[player]) for payoffs in ends) for player in range(len(drawing["seats"]))] if ends else []
        """The width of each player's payoffs."""
        self.said = [clipped(line.rstrip("."), 110) for line in solution.get("said", ())][:1]
        """The summary of the solution."""
        self.legend = self._legend()
        self.head = 30 + (24 if drawing["title"] else 0) + 20 * len(self.said) + LEGEND * self.legend[-1][-1]
        """The height of the header above the tree."""
        self.gutter = [_NEAR] * (max(self._level) + 1)
        """The space for dashed lines and node labels before each level."""
        self.rails, self.links = self._dashed()
        if not self.down:
            for position, level in enumerate(self._level):
                beside = max(small(self.values[position]), small(self.labels[position]))
                if beside and level and self.side[position]:
                    self.gutter[level] = max(self.gutter[level], beside + 8)
        self.x, self.y, self.width, self.height = (
            self._downwards() if self.down else self._outwards(self._fan) if self._fan else self._rightwards()
        )
        self.width = max(self.width, self._head_wide() + 2 * MARGIN)

    def _legend(self) -> list[tuple[int, str, float, int]]:
        """Return the legend of actors: sign, name, x offset, line."""
        actors = [*enumerate(map(clipped, self._drawing["seats"])), *[(CHANCE, self._drawing["chance"])] * (CHANCE in self.actor)]
        placed, x, line = list[tuple[int, str, float, int]](), 0.0, 0
        for actor, name in actors:
            entry_width = 2 * RADIUS + wide(name) + 26
            if x and x + entry_width > _LEGEND:
                x, line = 0.0, line + 1
            placed.append((actor, name, x, line))
            x += entry_width
        return placed

    # Labels

    def _branch(self, place: int, up: int, lit: set[int]) -> Branch:
        drawing, solution, index = self._drawing, self._solution, self._drawing["nodes"]["at"][place]
        info_index, probability, is_best, lines_below = str(self.info[up]), None, False, list[str]()
        if self.actor[up] == CHANCE:
            move = drawing["chances"][info_index]["moves"][index]
            lines_below.append(move["likely"])
        else:
            move = drawing["sets"][info_index]["moves"][index]
            if info_index in solution.get("likely", {}):
                probability = float(solution["weight"][info_index][index])
                lines_below.append(solution["likely"][info_index][index])
            best_moves = (solution.get("best") or {}).get(info_index)
            is_best = bool(best_moves and best_moves[index])
        lines_below += drawing["labels"]["branches"].get(str(self.id[place]), [])
        cards = cards_wide(move)
        text = "" if cards else clipped(str(move["said"]))
        star = "★ " if is_best else ""
        return Branch(
            move, text, star + clipped(" · ".join(lines_below), 40), probability, {self.id[place], self.id[up]} <= lit, is_best, cards
        )

    def _valued(self) -> list[str]:
        """Return each node's values as text, if they are shown and it is not an end."""
        values = self._solution.get("value") or [()] * len(self.id)
        return [
            "" if actor == OVER else ", ".join(node_values).replace("-", "−") for node_values, actor in zip(values, self.actor, strict=True)
        ]

    # Positions

    def _rightwards(self) -> tuple[list[float], list[float], float, float]:
        has_text_below = self.fractions or any(branch is not None and branch.below for branch in self.branches)
        row_height = 37.0 if self._carded() else 32.0 if has_text_below else 26.0
        label_widths = [0.0] * len(self.gutter)
        for position, branch in enumerate(self.branches):
            if branch is not None:
                label_widths[self._level[position]] = max(label_widths[self._level[position]], branch.wide)
        level_x = MARGIN + max(RADIUS, small(self.values[0]) / 2, small(self.labels[0]) / 2)
        level_xs = [level_x]
        for label_width, gutter in zip(label_widths[1:], self.gutter[1:], strict=True):
            level_x += RADIUS + FORK + label_width + 2 * PAD + gutter + RADIUS
            level_xs.append(level_x)
        x = [level_xs[level] for level in self._level]
        y = [self.head + MARGIN + row_height * (row + 0.5) for row in self._row]
        width = max(x[position] + self._behind(position) for position in self.shown) + MARGIN
        return x, y, width, self.head + 2 * MARGIN + row_height * self._drawing["size"]["rows"]

    def _outwards(self, fan: Told) -> tuple[list[float], list[float], float, float]:
        label_widths = [0.0] * 4
        for position, branch in enumerate(self.branches):
            if branch is not None:
                label_widths[self._level[position]] = max(label_widths[self._level[position]], branch.wide)
        level_xs = [0.0, 0.0]
        for level in (2, 3):
            gutter = self.gutter[level] if level < len(self.gutter) else _NEAR
            level_xs.append(level_xs[-1] + 2 * RADIUS + FORK + label_widths[level] + 2 * PAD + gutter)
        half_width = max(level_xs[level] + self._behind(position) for position, level in enumerate(self._level)) + MARGIN
        half_width = max(half_width, label_widths[1] + 2 * PAD + MARGIN, self._head_wide() / 2 + MARGIN)
        x = [half_width + side * level_xs[level] for side, level in zip(self.side, self._level, strict=True)]
        y = [self.head + MARGIN + _PITCH * (row + 0.5) for row in fan["row"]]
        return x, y, 2 * half_width, self.head + 2 * MARGIN + _PITCH * fan["rows"]

    def _downwards(self) -> tuple[list[float], list[float], float, float]:
        has_cards = self._carded()
        branches = [branch for branch in self.branches if branch is not None]
        half_card_width = max([branch.cards / 2 for branch in branches] or [0])
        label_widths = [
            max(wide(branch.said) + 6, branch.cards / 2 + small(branch.below) + 4 if branch.cards else small(branch.below) + 6)
            + half_card_width
            + 8
            for branch in branches
        ]
        ends = [number_wide(payoff) + 12 for payoffs in self._drawing["ends"].values() for payoff in payoffs]
        pills = [small(f"+{count}") + 20 for count in self.more if count]
        row_width = max(*label_widths, *ends, *pills, *self._apart(), 2 * RADIUS + 12)
        label_height = (CARD[1] + 4 if has_cards else 16) + (
            14 if any(branch is not None and branch.below and not branch.cards for branch in self.branches) else 0
        )
        level_y = self.head + MARGIN + RADIUS + 8
        level_ys = [level_y]
        for gutter in self.gutter[1:]:
            level_y += RADIUS + FORK + label_height + PAD + gutter + RADIUS
            level_ys.append(level_y)
        left = MARGIN + half_card_width + RADIUS
        x = [left + row_width * row for row in self._row]
        y = [level_ys[level] for level in self._level]
        width = left + row_width * self._drawing["size"]["rows"] + MARGIN - RADIUS
        return x, y, width, max(y[position] + self._behind(position) for position in self.shown) + MARGIN

    def _apart(self) -> list[float]:
        """Return how far apart rows must be, so that labels don't reach the next node."""
        last_position_of: dict[int, int] = {}
        distances = list[float]()
        for position, (level, row) in enumerate(zip(self._level, self._row, strict=True)):
            previous = last_position_of.get(level)
            if previous is not None:
                label_width = max(small(self.values[previous]), small(self.labels[previous]))
                distances.append((2 * RADIUS + 6 + label_width if label_width else 0) / (row - self._row[previous]))
            last_position_of[level] = position
        return distances

    def _carded(self) -> bool:
        return any(branch is not None and branch.cards for branch in self.branches)

    def _behind(self, place: int) -> float:
        """Return the space that payoffs, or the number of folded nodes, take behind a node."""
        if self.actor[place] == OVER:
            return 10 + (
                (26 if self.fractions else 17) * len(self.columns) if self.down else sum(self.columns) + 10 * (len(self.columns) - 1)
            )
        if self.more[place]:
            return RADIUS + (24 if self.down else 16 + small(f"+{self.more[place]}"))
        return RADIUS

    def _head_wide(self) -> float:
        legend = [x + 2 * RADIUS + wide(name) + 26 for _, name, x, _ in self.legend]
        return max(*legend, wide(clipped(self._drawing["title"], 90), 16), *[wide(line) for line in self.said], 0)

    # Dashed lines of information sets

    def _dashed(self) -> tuple[list[Rail], list[Rail]]:
        """Return the dashed lines along levels and those between levels, and make space for them."""
        if self._fan:
            return [Rail([*positions], 0, 0) for positions in self._drawing["joined"]], []
        rails, links = list[Rail](), list[Rail]()
        for positions, (lane, dash, *_) in zip(self._drawing["joined"], self._drawing["lanes"], strict=True):
            levels: dict[int, list[int]] = {}
            for position in positions:
                levels.setdefault(self._level[position], []).append(position)
            for upper, lower in pairwise(levels[level] for level in sorted(levels)):
                ends = min(
                    ((first_end, second_end) for first_end in upper for second_end in lower),
                    key=lambda pair: abs(self._row[pair[0]] - self._row[pair[1]]),
                )
                links.append(Rail([*ends], 0, dash))
            for node_level, members in levels.items():
                if len(members) > 1:
                    rails.append(Rail(members, lane, dash))
                    if lane:
                        self.gutter[node_level] = max(self.gutter[node_level], 10.0 + LANE * lane)
        for lane, name, first, last in self._named:
            node_level = self._level[first]
            if node_level == self._level[last]:
                self.gutter[node_level] = max(self.gutter[node_level], 18.0 + LANE * lane if self.down else small(name) + 14)
        return rails, links

    @property
    def _named(self) -> list[tuple[int, str, int, int]]:
        """Return the named lines: lane, name, and the two positions beside the name."""
        return [(line[0], line[2], line[3], line[4]) for line in self._drawing["lanes"] if len(line) > 2 and not self._fan]

    def named(self) -> list[tuple[float, float, str]]:
        """Return the names of dashed lines with their centres."""
        placed = []
        for lane, name, first, second in self._named:
            x, y, max_length = (self.x[first] + self.x[second]) / 2, (self.y[first] + self.y[second]) / 2, len(name)
            if self._level[first] == self._level[second]:
                if self.down:
                    y, max_length = self.y[first] - away(lane), max(int((abs(self.x[second] - self.x[first]) - 2 * RADIUS) / small("n")), 2)
                else:
                    x = self.x[first] - max(away(lane), small(name) / 2 + 4)
            placed.append((x, y, clipped(name, max_length)))
        return placed


def away(lane: int) -> float:
    """Return the distance of a lane from the centre of its nodes."""
    return RADIUS + 5 + LANE * (lane - 1)


class Laid(NamedTuple):
    """Columns of equal length, one entry per shown node, in the order of `Unfolded.shown`."""

    up: list[int]
    """The position of the parent; -1 for the root."""
    level: list[int]
    row: list[float]
    """A leaf or folded node has a row of its own; an open one is in the middle of its children."""
    rows: int
    levels: int


def lay(unfolded: Unfolded) -> Laid:
    """Lay out the shown nodes of a tree in levels and rows.

    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.gametheory import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> lay(Unfolded(grow("", places.__getitem__, seats=2)))
    Laid(up=[-1, 0, 0], level=[0, 1, 1], row=[0.5, 0.0, 1.0], rows=2, levels=2)
    """
    shown, opened, parent = unfolded.shown, unfolded.opened, unfolded.tree.parent
    position_of = {history: position for position, history in enumerate(shown)}
    parent_position = [position_of[parent[history]] if history else -1 for history in shown]
    level = [0] * len(shown)
    for position in range(1, len(shown)):
        level[position] = level[parent_position[position]] + 1
    first, last = [-1.0] * len(shown), [-1.0] * len(shown)
    row, rows = [0.0] * len(shown), 0
    for position, history in enumerate(shown):
        if history not in opened:
            row[position] = float(rows)
            rows += 1
    for position in range(len(shown) - 1, -1, -1):  # children first, the last child before the first
        if shown[position] in opened:
            row[position] = (first[position] + last[position]) / 2
        parent_index = parent_position[position]
        if parent_index >= 0:
            if last[parent_index] < 0:
                last[parent_index] = row[position]
            first[parent_index] = row[position]
    return Laid(parent_position, level, row, rows, max(level) + 1)


class Lane(NamedTuple):
    """The style of the line of one information set."""

    lane: int
    """The parallel lane beside its nodes, from 1, the nearest; 0 for a straight line from node to node."""
    dash: int
    """The index of the dash pattern."""
    name: str
    """The name beside it; empty if no other line could be confused with it."""
    between: tuple[int, int]
    """The two neighbouring positions between which the name is."""

    def told(self) -> list[object]:
        """Return lane and pattern for the page, with the name and its two positions if it has one.

        >>> Lane(1, 0, "", (3, 5)).told(), Lane(2, 1, "sees beer", (3, 5)).told()
        ([1, 0], [2, 1, 'sees beer', 3, 5])
        """
        return [self.lane, self.dash, *((self.name, *self.between) if self.name else ())]


def lanes(joined: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float], said: Sequence[str]) -> list[Lane]:
    """Return how the line of each information set is drawn and named.

    Two lines beside the same stretch of a level differ in lane or pattern, as long as there are no more than sixty.

    >>> lanes([[0, 2], [1, 3]], [1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], ["sees beer", "sees quiche"])
    [Lane(lane=1, dash=0, name='sees beer', between=(0, 1)), Lane(lane=2, dash=1, name='sees quiche', between=(1, 2))]
    >>> lanes([[0, 1], [2, 3]], [1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], ["left", "right"])
    [Lane(lane=0, dash=0, name='', between=(0, 1)), Lane(lane=0, dash=0, name='', between=(2, 3))]
    """
    positions_of_level: dict[int, list[int]] = {}
    for position in sorted(range(len(row)), key=row.__getitem__):
        positions_of_level.setdefault(level[position], []).append(position)
    order = {position: index for positions in positions_of_level.values() for index, position in enumerate(positions)}
    numbers = _numbers(joined, level, row, order)
    beside = [index for index, number in enumerate(numbers) if number != _STRAIGHT]
    named_lines = _crossed(beside, joined, level, row) if len(beside) <= _NAMED else []
    short_names = dict(zip(named_lines, _apart([said[index] for index in named_lines]), strict=True))
    name_gaps = _between({index: joined[index] for index in named_lines}, level, order, positions_of_level)
    return [
        Lane(0, 0, "", (positions[0], positions[1]))
        if number == _STRAIGHT
        else Lane(number % LANES + 1, number % len(DASHES), short_names.get(index, ""), name_gaps.get(index, (positions[0], positions[1])))
        for index, (positions, number) in enumerate(zip(joined, numbers, strict=True))
    ]


def _numbers(joined: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float], order: dict[int, int]) -> list[int]:
    """Number the lines so that lines on the same stretch differ; short ones are nearer."""
    numbers = [_STRAIGHT] * len(joined)
    rows = [[row[position] for position in positions] for positions in joined]
    taken: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for index in sorted(range(len(joined)), key=lambda index: (max(rows[index]) - min(rows[index]), min(rows[index]))):
        levels = [level[position] for position in joined[index]]
        if len(set(levels)) == 1 and all(
            second - first == 1 for first, second in pairwise(sorted(order[position] for position in joined[index]))
        ):
            continue
        span, crossed_levels = (min(rows[index]), max(rows[index])), range(min(levels), max(levels) + 1)
        free = (number for number in range(_PAIRS) if all(_is_free(taken.get((first, number), []), span) for first in crossed_levels))
        numbers[index] = number = next(free, index % _PAIRS)
        for first in crossed_levels:
            insort(taken.setdefault((first, number), []), span)
    return numbers


def _is_free(spans: list[tuple[float, float]], span: tuple[float, float]) -> bool:
    """Return True if no span of a sorted list overlaps that one."""
    index = bisect_left(spans, span)
    return not (index < len(spans) and spans[index][0] <= span[1]) and not (index and spans[index - 1][1] >= span[0])


def _crossed(beside: Sequence[int], joined: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float]) -> list[int]:
    """Return the lines that share a stretch of a level with another line."""
    boxes = {}
    for index in beside:
        rows, levels = [row[position] for position in joined[index]], [level[position] for position in joined[index]]
        boxes[index] = min(levels), max(levels), min(rows), max(rows)
    return [
        index
        for index, (first, last, low, high) in boxes.items()
        if any(
            other != index and first <= other_last and other_first <= last and low <= other_high and other_low <= high
            for other, (other_first, other_last, other_low, other_high) in boxes.items()
        )
    ]


def _between(
    joined: dict[int, Sequence[int]], level: Sequence[int], order: dict[int, int], along: dict[int, list[int]]
) -> dict[int, tuple[int, int]]:
    """Assign each line a gap for its name, no two the same.

    From gap to gap, the line that ends first gets the gap, so that there is one for each.
    """
    gap_of: dict[int, tuple[int, int]] = {}
    waiting: dict[int, list[tuple[int, int, int]]] = {}
    for index, positions in joined.items():
        levels: dict[int, list[int]] = {}
        for position in positions:
            levels.setdefault(level[position], []).append(order[position])
        widest = max(levels, key=lambda current_level: max(levels[current_level]) - min(levels[current_level]))
        if len(levels[widest]) > 1:
            waiting.setdefault(widest, []).append((min(levels[widest]), max(levels[widest]), index))
        else:
            gap_of[index] = positions[0], positions[1]
    for current_level, lines in waiting.items():
        for gap in range(len(along[current_level]) - 1):
            candidates = [(last, first, index) for first, last, index in lines if first <= gap < last and index not in gap_of]
            if candidates:
                gap_of[min(candidates)[2]] = along[current_level][gap], along[current_level][gap + 1]
    return gap_of


def _apart(names: list[str]) -> list[str]:
    """Make names short and distinct, by numbers if necessary.

    A name that is too long to number is replaced by its number.
    """
    short = [clipped(name, _LONGEST) for name in names]
    return [
        shortened
        if shortened and short.count(shortened) == 1
        else f"{name} [{number}]".lstrip()
        if len(name) <= _LONGEST - 5
        else f"[{number}]"
        for number, (shortened, name) in enumerate(zip(short, names, strict=True), 1)
    ]


class Fan(NamedTuple):
    """Columns for a tree drawn from the middle, in the order of `Unfolded.shown`."""

    side: list[int]
    """Left of the middle (-1), in it (0), right of it (1)."""
    row: list[float]
    rows: float


def opens(tree: Tree) -> bool:
    """Return True if books draw this tree from the middle: a small signalling game.

    Chance chooses one of two types, one player knows the type and has the same two messages for each, and another
    player sees only the message and answers.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [name for name in ("beer-quiche", "spence", "bayes", "kuhn", "horse") if opens(textbook(name))]
    ['beer-quiche', 'spence']
    """
    if tree.histories > _LARGEST or tree.actor[0] != CHANCE or tree.count[0] != 2 or no_signals(tree):
        return False
    type_nodes = signalling(tree).types
    message_nodes = [tree.children(node) for node in type_nodes]
    messages = [tree.sets[tree.info[node]].moves for node in type_nodes]
    if messages[0] != messages[1] or any(len(nodes) != 2 for nodes in message_nodes):
        return False
    infosets = [[tree.info[node] for node in nodes] for nodes in message_nodes]
    return infosets[0] == infosets[1] and all(tree.actor[node] >= 0 for nodes in message_nodes for node in nodes)


def fan(unfolded: Unfolded) -> Fan | None:
    """Lay out the shown nodes of a tree from the middle; return None for any other tree.

    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> fan(Unfolded(textbook("spence"), depth=2))
    Fan(side=[0, 0, -1, 1, 0, -1, 1], row=[1.75, 0.0, 0.0, 0.0, 3.5, 3.5, 3.5], rows=4.5)
    """
    tree = unfolded.tree
    if not opens(tree):
        return None
    position_of = {history: position for position, history in enumerate(unfolded.shown)}
    side, row = [0] * len(position_of), [0.0] * len(position_of)
    top, middles = 0.0, list[float]()
    for sender in filter(position_of.__contains__, tree.children(0)):
        message_nodes = [node for node in tree.children(sender) if node in position_of]
        ends = [[end for end in tree.children(node) if end in position_of] for node in message_nodes]
        height = max([1, *map(len, ends)])
        middle = top + (height - 1) / 2
        row[position_of[sender]] = middle
        for direction, node, answers in zip((-1, 1), message_nodes, ends, strict=False):
            for offset, current in enumerate([node, *answers]):
                side[position_of[current]] = direction
                row[position_of[current]] = middle if not offset else middle + offset - 1 - (len(answers) - 1) / 2
        middles.append(middle)
        top += height + _BETWEEN
    row[0] = sum(middles) / len(middles) if middles else 0.0
    return Fan(side, row, max(top - _BETWEEN, 1.0))
