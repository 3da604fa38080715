"""Computes the layout of a tree picture: levels, rows, widths, dashed lines and labels.

Each visible node has a level and a row, which the page scales. For print, levels and rows are as wide and high as
their labels need. Dashed lines of information sets get lanes, dash patterns and label positions that keep crossing
lines distinguishable. A signalling game is laid out as in textbooks: chance in the middle, one type above and one
below, messages to both sides, responses outside.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.board.svg_primitives import (
    CARD_SIZE,
    SIGN_RADIUS,
    clip_text,
    measure_cards,
    measure_number,
    measure_small_text,
    measure_text,
)
from durak_widget.gametheory.signalling_games import describe_why_not_signalling, require_signalling_game
from durak_widget.gametheory.tree import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.tree_expansion import TreeExpansion
    from durak_widget.gametheory.tree import Tree

FORK_LENGTH, LABEL_PADDING, LANE_WIDTH, MARGIN = 22, 7, 7, 18
"""The length of a branch's first part, the space around labels, the distance between dashed lines, and the
margin.
"""
_LEGEND_WIDTH, LEGEND_LINE_HEIGHT = 760, 24
"""The width of a legend line, and the distance from one legend line to the next."""
_MIN_GUTTER, _MIDDLE_ROW_HEIGHT = 6.0, 34.0
"""The minimum space before a node, and the height of a row in a tree drawn from the middle."""
LANE_COUNT: Final = 12
"""The number of parallel lanes (tracks) for dashed lines beside a level; if there are more lines, some share a lane."""
DASH_PATTERNS: Final = ((6.0, 4.5), (1.5, 4.0), (11.0, 4.0), (9.0, 3.5, 1.5, 3.5), (6.0, 3.0, 1.5, 3.0, 1.5, 3.0))
"""The dash patterns of lines: dashes, dots, long dashes, dash-dot, dash-dot-dot. The number of patterns and the
number of lanes have no common factor, so that every combination occurs.
"""
_LANE_PATTERN_PAIRS: Final = LANE_COUNT * len(DASH_PATTERNS)
_MAX_NAMED_LINES: Final = 24
"""The maximum number of dashed lines for which names are drawn, because more names would cover the lines."""
_MAX_NAME_LENGTH: Final = 20
_STRAIGHT_LINE: Final = -1
_MAX_MIDDLE_HISTORIES: Final = 200
"""The maximum number of histories of a signalling game that is drawn from the middle to both sides."""
_ROWS_BETWEEN_TYPES: Final = 2.5
"""The space between the two types of a signalling game, in rows; the chance node is in this space."""
JsonObject = dict[str, Any]


class BranchLabel(NamedTuple):
    """The texts and cards on a branch of a tree picture."""

    move: JsonObject
    """The action or chance move of the branch, with its description and its cards."""
    text: str
    """The words above the branch; empty if the picture shows the cards of the move instead."""
    text_below: str
    """The text below the branch: the probability, and labels that the user added."""
    probability: float | None
    """The probability of the branch in the displayed strategy; None if no strategy is displayed."""
    is_highlighted: bool
    is_best_response: bool
    cards_width: float
    """The width of the cards on the branch; 0 without cards."""

    @property
    def width(self) -> float:
        """Return the width of the branch label, which has either cards or a text."""
        below = measure_small_text(self.text_below)
        return self.cards_width + (4 + below if below else 0) if self.cards_width else max(measure_text(self.text), below)


class InfosetLine(NamedTuple):
    """The dashed line that joins nodes of one information set, on one level or on two."""

    positions: list[int]
    lane: int
    """The number of the lane in which the line runs beside a level; 0 for a line straight from node to node."""
    dash_pattern: int
    """The index of the line's dash pattern in `DASH_PATTERNS`."""


class TreeLayout:
    """The positions of all parts of a tree picture; lists have one entry per visible node."""

    def __init__(self, drawing: Mapping[str, Any], solution: Mapping[str, Any]) -> None:
        nodes = drawing["nodes"]
        self._drawing, self._solution = drawing, solution
        self.nodes, self.parent_position, self.actor, self.info, self.hidden_count = (
            nodes[name] for name in ("id", "parent", "actor", "info", "hidden_count")
        )
        self._level, self._row = nodes["level"], nodes["row"]
        self.grows_down = drawing["direction"] == "down"
        self._middle_layout = drawing.get("signalling_layout") if drawing.get("from_middle") and not self.grows_down else None
        self.side: Sequence[int] = self._middle_layout["side"] if self._middle_layout else [1] * len(self.nodes)
        """The side of its parent on which each node is drawn, if the tree grows to the right; 0 means above or below the parent."""
        self.positions = range(len(self.nodes))
        highlighted = set(solution.get("highlighted_nodes", ()))
        self.branches = [
            None if parent < 0 else self._build_branch(position, parent, highlighted)
            for position, parent in enumerate(self.parent_position)
        ]
        self.values = self._format_values()
        self.labels = [" · ".join(drawing["labels"]["nodes"].get(str(node), ())) for node in self.nodes]
        ends = drawing["payoffs"].values()
        self.has_fractions = any("/" in payoffs for payoffs_of_end in ends for payoffs in payoffs_of_end)
        self.payoff_widths = (
            [max(measure_number(payoffs[player]) for payoffs in ends) for player in range(len(drawing["players"]))] if ends else []
        )
        """The width of the column in which each player's payoffs are drawn."""
        self.solution_lines = [clip_text(line.rstrip("."), 110) for line in solution.get("sentences", ())][:1]
        """The lines of text that summarize the solution."""
        self.legend = self._build_legend()
        self.header_height = 30 + (24 if drawing["title"] else 0) + 20 * len(self.solution_lines) + LEGEND_LINE_HEIGHT * self.legend[-1][-1]
        """The height of the header above the tree."""
        self.gutters = [_MIN_GUTTER] * (max(self._level) + 1)
        """The space before each level, which has room for dashed lines and node labels."""
        self.level_lines, self.cross_level_lines = self._build_dashed_lines()
        if not self.grows_down:
            for position, level in enumerate(self._level):
                label_width = max(measure_small_text(self.values[position]), measure_small_text(self.labels[position]))
                if label_width and level and self.side[position]:
                    self.gutters[level] = max(self.gutters[level], label_width + 8)
        self.x, self.y, self.width, self.height = (
            self._lay_out_downwards()
            if self.grows_down
            else self._lay_out_from_middle(self._middle_layout)
            if self._middle_layout
            else self._lay_out_rightwards()
        )
        self.width = max(self.width, self._measure_header_width() + 2 * MARGIN)

    def _build_legend(self) -> list[tuple[int, str, float, int]]:
        """Build the legend: for each actor, the name, the horizontal offset and the line number."""
        actors = [*enumerate(map(clip_text, self._drawing["players"])), *[(CHANCE, self._drawing["chance"])] * (CHANCE in self.actor)]
        entries, x, line = list[tuple[int, str, float, int]](), 0.0, 0
        for actor, name in actors:
            entry_width = 2 * SIGN_RADIUS + measure_text(name) + 26
            if x and x + entry_width > _LEGEND_WIDTH:
                x, line = 0.0, line + 1
            entries.append((actor, name, x, line))
            x += entry_width
        return entries

    # --- Labels ---

    def _build_branch(self, position: int, parent_position: int, highlighted: set[int]) -> BranchLabel:
        """Build the label of the branch that leads to a node."""
        drawing, solution, index = self._drawing, self._solution, self._drawing["nodes"]["action"][position]
        info_index, probability, is_best, lines_below = str(self.info[parent_position]), None, False, list[str]()
        if self.actor[parent_position] == CHANCE:
            move = drawing["chance_moves"][info_index]["moves"][index]
            lines_below.append(move["probability"])
        else:
            move = drawing["infosets"][info_index]["moves"][index]
            if info_index in solution.get("probabilities", {}):
                probability = float(solution["weight"][info_index][index])
                lines_below.append(solution["probabilities"][info_index][index])
            best_moves = (solution.get("best_responses") or {}).get(info_index)
            is_best = bool(best_moves and best_moves[index])
        lines_below += drawing["labels"]["branches"].get(str(self.nodes[position]), [])
        cards = measure_cards(move)
        text = "" if cards else clip_text(str(move["text"]))
        star = "★ " if is_best else ""
        return BranchLabel(
            move,
            text,
            star + clip_text(" · ".join(lines_below), 40),
            probability,
            {self.nodes[position], self.nodes[parent_position]} <= highlighted,
            is_best,
            cards,
        )

    def _format_values(self) -> list[str]:
        """Format the value of each node as text; the text is empty if no value is displayed."""
        values = self._solution.get("values") or [()] * len(self.nodes)
        return [
            "" if actor == TERMINAL else ", ".join(node_values).replace("-", "−")
            for node_values, actor in zip(values, self.actor, strict=True)
        ]

    # --- Positions of nodes ---

    def _lay_out_rightwards(self) -> tuple[list[float], list[float], float, float]:
        """Compute node coordinates and picture size for a tree that grows to the right."""
        has_text_below = self.has_fractions or any(branch is not None and branch.text_below for branch in self.branches)
        row_height = 37.0 if self._has_cards() else 32.0 if has_text_below else 26.0
        label_widths = [0.0] * len(self.gutters)
        for position, branch in enumerate(self.branches):
            if branch is not None:
                label_widths[self._level[position]] = max(label_widths[self._level[position]], branch.width)
        level_x = MARGIN + max(SIGN_RADIUS, measure_small_text(self.values[0]) / 2, measure_small_text(self.labels[0]) / 2)
        level_xs = [level_x]
        for label_width, gutter in zip(label_widths[1:], self.gutters[1:], strict=True):
            level_x += SIGN_RADIUS + FORK_LENGTH + label_width + 2 * LABEL_PADDING + gutter + SIGN_RADIUS
            level_xs.append(level_x)
        x = [level_xs[level] for level in self._level]
        y = [self.header_height + MARGIN + row_height * (row + 0.5) for row in self._row]
        width = max(x[position] + self._measure_space_behind(position) for position in self.positions) + MARGIN
        return x, y, width, self.header_height + 2 * MARGIN + row_height * self._drawing["size"]["rows"]

    def _lay_out_from_middle(self, middle_layout: JsonObject) -> tuple[list[float], list[float], float, float]:
        """Compute node coordinates and picture size for a tree drawn from its middle."""
        label_widths = [0.0] * 4
        for position, branch in enumerate(self.branches):
            if branch is not None:
                label_widths[self._level[position]] = max(label_widths[self._level[position]], branch.width)
        level_xs = [0.0, 0.0]
        for level in (2, 3):
            gutter = self.gutters[level] if level < len(self.gutters) else _MIN_GUTTER
            level_xs.append(level_xs[-1] + 2 * SIGN_RADIUS + FORK_LENGTH + label_widths[level] + 2 * LABEL_PADDING + gutter)
        half_width = max(level_xs[level] + self._measure_space_behind(position) for position, level in enumerate(self._level)) + MARGIN
        half_width = max(half_width, label_widths[1] + 2 * LABEL_PADDING + MARGIN, self._measure_header_width() / 2 + MARGIN)
        x = [half_width + side * level_xs[level] for side, level in zip(self.side, self._level, strict=True)]
        y = [self.header_height + MARGIN + _MIDDLE_ROW_HEIGHT * (row + 0.5) for row in middle_layout["row"]]
        return x, y, 2 * half_width, self.header_height + 2 * MARGIN + _MIDDLE_ROW_HEIGHT * middle_layout["rows"]

    def _lay_out_downwards(self) -> tuple[list[float], list[float], float, float]:
        """Compute node coordinates and picture size for a tree that grows downwards."""
        has_cards = self._has_cards()
        branches = [branch for branch in self.branches if branch is not None]
        half_card_width = max([branch.cards_width / 2 for branch in branches] or [0])
        label_widths = [
            max(
                measure_text(branch.text) + 6,
                branch.cards_width / 2 + measure_small_text(branch.text_below) + 4
                if branch.cards_width
                else measure_small_text(branch.text_below) + 6,
            )
            + half_card_width
            + 8
            for branch in branches
        ]
        ends = [measure_number(payoff) + 12 for payoffs in self._drawing["payoffs"].values() for payoff in payoffs]
        pills = [measure_small_text(f"+{count}") + 20 for count in self.hidden_count if count]
        row_width = max(*label_widths, *ends, *pills, *self._measure_row_distances(), 2 * SIGN_RADIUS + 12)
        label_height = (CARD_SIZE[1] + 4 if has_cards else 16) + (
            14 if any(branch is not None and branch.text_below and not branch.cards_width for branch in self.branches) else 0
        )
        level_y = self.header_height + MARGIN + SIGN_RADIUS + 8
        level_ys = [level_y]
        for gutter in self.gutters[1:]:
            level_y += SIGN_RADIUS + FORK_LENGTH + label_height + LABEL_PADDING + gutter + SIGN_RADIUS
            level_ys.append(level_y)
        left = MARGIN + half_card_width + SIGN_RADIUS
        x = [left + row_width * row for row in self._row]
        y = [level_ys[level] for level in self._level]
        width = left + row_width * self._drawing["size"]["rows"] + MARGIN - SIGN_RADIUS
        return x, y, width, max(y[position] + self._measure_space_behind(position) for position in self.positions) + MARGIN

    def _measure_row_distances(self) -> list[float]:
        """Return row distances that keep each label clear of the next node on the same level."""
        last_position_of: dict[int, int] = {}
        distances = list[float]()
        for position, (level, row) in enumerate(zip(self._level, self._row, strict=True)):
            previous = last_position_of.get(level)
            if previous is not None:
                label_width = max(measure_small_text(self.values[previous]), measure_small_text(self.labels[previous]))
                distances.append((2 * SIGN_RADIUS + 6 + label_width if label_width else 0) / (row - self._row[previous]))
            last_position_of[level] = position
        return distances

    def _has_cards(self) -> bool:
        """Return whether any branch of the picture shows cards."""
        return any(branch is not None and branch.cards_width for branch in self.branches)

    def _measure_space_behind(self, position: int) -> float:
        """Return the space that a node needs for its payoffs or its number of hidden nodes."""
        if self.actor[position] == TERMINAL:
            return 10 + (
                (26 if self.has_fractions else 17) * len(self.payoff_widths)
                if self.grows_down
                else sum(self.payoff_widths) + 10 * (len(self.payoff_widths) - 1)
            )
        if self.hidden_count[position]:
            return SIGN_RADIUS + (24 if self.grows_down else 16 + measure_small_text(f"+{self.hidden_count[position]}"))
        return SIGN_RADIUS

    def _measure_header_width(self) -> float:
        """Return the width of the picture's header: the title, the legend and the summary."""
        legend = [x + 2 * SIGN_RADIUS + measure_text(name) + 26 for _, name, x, _ in self.legend]
        return max(
            *legend, measure_text(clip_text(self._drawing["title"], 90), 16), *[measure_text(line) for line in self.solution_lines], 0
        )

    # --- Dashed lines of information sets ---

    def _build_dashed_lines(self) -> tuple[list[InfosetLine], list[InfosetLine]]:
        """Build the dashed lines of information sets, within one level and across levels.

        Reserve space for these lines in the picture.
        """
        if self._middle_layout:
            return [InfosetLine([*positions], 0, 0) for positions in self._drawing["shared_infosets"]], []
        level_lines, cross_level_lines = list[InfosetLine](), list[InfosetLine]()
        for positions, (lane, dash, *_) in zip(self._drawing["shared_infosets"], self._drawing["lanes"], strict=True):
            levels: dict[int, list[int]] = {}
            for position in positions:
                levels.setdefault(self._level[position], []).append(position)
            for upper, lower in pairwise(levels[level] for level in sorted(levels)):
                ends = min(
                    ((first_end, second_end) for first_end in upper for second_end in lower),
                    key=lambda pair: abs(self._row[pair[0]] - self._row[pair[1]]),
                )
                cross_level_lines.append(InfosetLine([*ends], 0, dash))
            for node_level, members in levels.items():
                if len(members) > 1:
                    level_lines.append(InfosetLine(members, lane, dash))
                    if lane:
                        self.gutters[node_level] = max(self.gutters[node_level], 10.0 + LANE_WIDTH * lane)
        for lane, name, first, last in self._named_lines:
            node_level = self._level[first]
            if node_level == self._level[last]:
                self.gutters[node_level] = max(
                    self.gutters[node_level], 18.0 + LANE_WIDTH * lane if self.grows_down else measure_small_text(name) + 14
                )
        return level_lines, cross_level_lines

    @property
    def _named_lines(self) -> list[tuple[int, str, int, int]]:
        """Return each named dashed line's lane (track), its name, and two neighbouring nodes."""
        return [(line[0], line[2], line[3], line[4]) for line in self._drawing["lanes"] if len(line) > 2 and not self._middle_layout]

    def place_line_names(self) -> list[tuple[float, float, str]]:
        """Return each name of a dashed line with the coordinates of the name's centre."""
        placed_names = []
        for lane, name, first, second in self._named_lines:
            x, y, max_length = (self.x[first] + self.x[second]) / 2, (self.y[first] + self.y[second]) / 2, len(name)
            if self._level[first] == self._level[second]:
                if self.grows_down:
                    y, max_length = (
                        self.y[first] - measure_lane_distance(lane),
                        max(int((abs(self.x[second] - self.x[first]) - 2 * SIGN_RADIUS) / measure_small_text("n")), 2),
                    )
                else:
                    x = self.x[first] - max(measure_lane_distance(lane), measure_small_text(name) / 2 + 4)
            placed_names.append((x, y, clip_text(name, max_length)))
        return placed_names


def measure_lane_distance(lane: int) -> float:
    """Return the distance between node centres and a dashed line in a given lane (track)."""
    return SIGN_RADIUS + 5 + LANE_WIDTH * (lane - 1)


class NodeGrid(NamedTuple):
    """The level and row of each visible node, in the order of `TreeExpansion.shown_nodes`."""

    parent_position: list[int]
    """The index of each node's parent among the visible nodes; -1 for the root."""
    level: list[int]
    row: list[float]
    """The row of each node. Leaves and folded nodes have rows of their own; an open node is in the middle of its
    children.
    """
    row_count: int
    level_count: int


def lay_out_nodes(expansion: TreeExpansion) -> NodeGrid:
    """Assign a level and a row to each visible node of a tree.

    >>> from durak_widget.board.tree_expansion import TreeExpansion
    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}
    >>> lay_out_nodes(TreeExpansion(build_tree("", places.__getitem__, player_count=2)))
    NodeGrid(parent_position=[-1, 0, 0], level=[0, 1, 1], row=[0.5, 0.0, 1.0], row_count=2, level_count=2)
    """
    visible_nodes, opened, parent = expansion.shown_nodes, expansion.open_nodes, expansion.tree.parent
    position_of = {history: position for position, history in enumerate(visible_nodes)}
    parent_position = [position_of[parent[history]] if history else -1 for history in visible_nodes]
    level = [0] * len(visible_nodes)
    for position in range(1, len(visible_nodes)):
        level[position] = level[parent_position[position]] + 1
    first, last = [-1.0] * len(visible_nodes), [-1.0] * len(visible_nodes)
    row, rows = [0.0] * len(visible_nodes), 0
    for position, history in enumerate(visible_nodes):
        if history not in opened:
            row[position] = float(rows)
            rows += 1
    for position in range(len(visible_nodes) - 1, -1, -1):  # A parent's row depends on its children, so the loop runs backwards
        if visible_nodes[position] in opened:
            row[position] = (first[position] + last[position]) / 2
        parent_index = parent_position[position]
        if parent_index >= 0:
            if last[parent_index] < 0:
                last[parent_index] = row[position]
            first[parent_index] = row[position]
    return NodeGrid(parent_position, level, row, rows, max(level) + 1)


class InfosetLineStyle(NamedTuple):
    """The look of an information set's dashed line: its lane (track), dashes and name."""

    lane: int
    """The number of the lane in which the line runs, 1 being nearest to the nodes; 0 if the line goes straight from
    node to node.
    """
    dash_pattern: int
    """The index of the line's dash pattern in `DASH_PATTERNS`."""
    name: str
    """The name beside the dashed line; empty if no other line is so near that readers could confuse the two."""
    name_between: tuple[int, int]
    """The two neighbouring nodes between which the name is drawn, as indexes among the visible nodes."""

    def to_list(self) -> list[object]:
        """Convert this style to a list for the page; leave out an empty name.

        >>> InfosetLineStyle(1, 0, "", (3, 5)).to_list(), InfosetLineStyle(2, 1, "sees beer", (3, 5)).to_list()
        ([1, 0], [2, 1, 'sees beer', 3, 5])
        """
        return [self.lane, self.dash_pattern, *((self.name, *self.name_between) if self.name else ())]


def style_infoset_lines(
    infosets: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float], names: Sequence[str]
) -> list[InfosetLineStyle]:
    """Choose the lane (track), dashes and name of each information set's dashed line.

    Two lines that run beside each other differ in lane or in pattern, if there are at most sixty lines.

    >>> style_infoset_lines([[0, 2], [1, 3]], [1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], ["sees beer", "sees quiche"])
    [InfosetLineStyle(lane=1, dash_pattern=0, name='sees beer', name_between=(0, 1)), InfosetLineStyle(lane=2, dash_pattern=1, name='sees quiche', name_between=(1, 2))]
    >>> style_infoset_lines([[0, 1], [2, 3]], [1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], ["left", "right"])
    [InfosetLineStyle(lane=0, dash_pattern=0, name='', name_between=(0, 1)), InfosetLineStyle(lane=0, dash_pattern=0, name='', name_between=(2, 3))]
    """
    positions_of_level: dict[int, list[int]] = {}
    for position in sorted(range(len(row)), key=row.__getitem__):
        positions_of_level.setdefault(level[position], []).append(position)
    order = {position: index for positions in positions_of_level.values() for index, position in enumerate(positions)}
    numbers = _number_lines(infosets, level, row, order)
    lines_in_lanes = [index for index, number in enumerate(numbers) if number != _STRAIGHT_LINE]
    named_lines = _find_crossed_lines(lines_in_lanes, infosets, level, row) if len(lines_in_lanes) <= _MAX_NAMED_LINES else []
    short_names = dict(zip(named_lines, _make_names_distinct([names[index] for index in named_lines]), strict=True))
    name_gaps = _assign_name_gaps({index: infosets[index] for index in named_lines}, level, order, positions_of_level)
    return [
        InfosetLineStyle(0, 0, "", (positions[0], positions[1]))
        if number == _STRAIGHT_LINE
        else InfosetLineStyle(
            number % LANE_COUNT + 1,
            number % len(DASH_PATTERNS),
            short_names.get(index, ""),
            name_gaps.get(index, (positions[0], positions[1])),
        )
        for index, (positions, number) in enumerate(zip(infosets, numbers, strict=True))
    ]


def _number_lines(infosets: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float], order: dict[int, int]) -> list[int]:
    """Assign dashed lines to lanes (tracks), so that lines beside each other do not overlap.

    Short lines get the lanes near the nodes.
    """
    numbers = [_STRAIGHT_LINE] * len(infosets)
    rows = [[row[position] for position in positions] for positions in infosets]
    occupied_spans: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for index in sorted(range(len(infosets)), key=lambda index: (max(rows[index]) - min(rows[index]), min(rows[index]))):
        levels = [level[position] for position in infosets[index]]
        if len(set(levels)) == 1 and all(
            second - first == 1 for first, second in pairwise(sorted(order[position] for position in infosets[index]))
        ):
            continue
        span, crossed_levels = (min(rows[index]), max(rows[index])), range(min(levels), max(levels) + 1)
        free = (
            number
            for number in range(_LANE_PATTERN_PAIRS)
            if all(_is_free(occupied_spans.get((first, number), []), span) for first in crossed_levels)
        )
        numbers[index] = number = next(free, index % _LANE_PATTERN_PAIRS)
        for first in crossed_levels:
            insort(occupied_spans.setdefault((first, number), []), span)
    return numbers


def _is_free(spans: list[tuple[float, float]], span: tuple[float, float]) -> bool:
    """Return whether a given interval overlaps no interval of a sorted list."""
    index = bisect_left(spans, span)
    return not (index < len(spans) and spans[index][0] <= span[1]) and not (index and spans[index - 1][1] >= span[0])


def _find_crossed_lines(
    lines_beside: Sequence[int], infosets: Sequence[Sequence[int]], level: Sequence[int], row: Sequence[float]
) -> list[int]:
    """Return the dashed lines that overlap another dashed line in both rows and levels."""
    boxes = {}
    for index in lines_beside:
        rows, levels = [row[position] for position in infosets[index]], [level[position] for position in infosets[index]]
        boxes[index] = min(levels), max(levels), min(rows), max(rows)
    return [
        index
        for index, (first, last, low, high) in boxes.items()
        if any(
            other != index and first <= other_last and other_first <= last and low <= other_high and other_low <= high
            for other, (other_first, other_last, other_low, other_high) in boxes.items()
        )
    ]


def _assign_name_gaps(
    named_infosets: dict[int, Sequence[int]], level: Sequence[int], order: dict[int, int], positions_of_level: dict[int, list[int]]
) -> dict[int, tuple[int, int]]:
    """Choose a gap between two nodes for the name of each dashed line, one name per gap.

    Each gap goes to the line that ends first, so that there is a gap for every name.
    """
    gap_of: dict[int, tuple[int, int]] = {}
    waiting: dict[int, list[tuple[int, int, int]]] = {}
    for index, positions in named_infosets.items():
        levels: dict[int, list[int]] = {}
        for position in positions:
            levels.setdefault(level[position], []).append(order[position])
        widest = max(levels, key=lambda current_level: max(levels[current_level]) - min(levels[current_level]))
        if len(levels[widest]) > 1:
            waiting.setdefault(widest, []).append((min(levels[widest]), max(levels[widest]), index))
        else:
            gap_of[index] = positions[0], positions[1]
    for current_level, lines in waiting.items():
        for gap in range(len(positions_of_level[current_level]) - 1):
            candidates = [(last, first, index) for first, last, index in lines if first <= gap < last and index not in gap_of]
            if candidates:
                gap_of[min(candidates)[2]] = positions_of_level[current_level][gap], positions_of_level[current_level][gap + 1]
    return gap_of


def _make_names_distinct(names: list[str]) -> list[str]:
    """Shorten the names of dashed lines, and add numbers to names that would be equal.

    A name that is too long to get a number after it is replaced by the number.
    """
    short = [clip_text(name, _MAX_NAME_LENGTH) for name in names]
    return [
        shortened
        if shortened and short.count(shortened) == 1
        else f"{name} [{number}]".lstrip()
        if len(name) <= _MAX_NAME_LENGTH - 5
        else f"[{number}]"
        for number, (shortened, name) in enumerate(zip(short, names, strict=True), 1)
    ]


class MiddleLayout(NamedTuple):
    """The side and the row of each visible node in a tree that is drawn from its middle."""

    side: list[int]
    """The side on which each node is drawn: left (-1), in the middle (0), or right (1)."""
    row: list[float]
    rows: float


def is_drawn_from_middle(tree: Tree) -> bool:
    """Return whether a tree is drawn from the middle, as in textbooks on signalling games.

    Chance chooses one of two types, one player knows the type and has the same two messages for each, and another
    player sees only the message and answers.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [name for name in ("beer-quiche", "spence", "bayes", "kuhn", "horse") if is_drawn_from_middle(textbook(name))]
    ['beer-quiche', 'spence']
    """
    if (
        tree.history_count > _MAX_MIDDLE_HISTORIES
        or tree.actor[0] != CHANCE
        or tree.child_count[0] != 2
        or describe_why_not_signalling(tree)
    ):
        return False
    type_nodes = require_signalling_game(tree).type_nodes
    message_nodes = [tree.children(node) for node in type_nodes]
    messages = [tree.infosets[tree.infoset_of[node]].actions for node in type_nodes]
    if messages[0] != messages[1] or any(len(nodes) != 2 for nodes in message_nodes):
        return False
    infosets = [[tree.infoset_of[node] for node in nodes] for nodes in message_nodes]
    return infosets[0] == infosets[1] and all(tree.actor[node] >= 0 for nodes in message_nodes for node in nodes)


def lay_out_from_middle(expansion: TreeExpansion) -> MiddleLayout | None:
    """Lay out a small signalling game from the middle outwards; return None for other games.

    >>> from durak_widget.board.tree_expansion import TreeExpansion
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> lay_out_from_middle(TreeExpansion(textbook("spence"), depth=2))
    MiddleLayout(side=[0, 0, -1, 1, 0, -1, 1], row=[1.75, 0.0, 0.0, 0.0, 3.5, 3.5, 3.5], rows=4.5)
    """
    tree = expansion.tree
    if not is_drawn_from_middle(tree):
        return None
    position_of = {history: position for position, history in enumerate(expansion.shown_nodes)}
    side, row = [0] * len(position_of), [0.0] * len(position_of)
    top, middles = 0.0, list[float]()
    for sender in filter(position_of.__contains__, tree.children(0)):
        message_nodes = [node for node in tree.children(sender) if node in position_of]
        ends = [[end for end in tree.children(node) if end in position_of] for node in message_nodes]
        height = max([1, *map(len, ends)])
        middle = top + (height - 1) / 2
        row[position_of[sender]] = middle
        for direction, node, answer_nodes in zip((-1, 1), message_nodes, ends, strict=False):
            for offset, current in enumerate([node, *answer_nodes]):
                side[position_of[current]] = direction
                row[position_of[current]] = middle if not offset else middle + offset - 1 - (len(answer_nodes) - 1) / 2
        middles.append(middle)
        top += height + _ROWS_BETWEEN_TYPES
    row[0] = sum(middles) / len(middles) if middles else 0.0
    return MiddleLayout(side, row, max(top - _ROWS_BETWEEN_TYPES, 1.0))
