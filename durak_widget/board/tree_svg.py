"""Renders a tree as a self-contained SVG picture: only the open nodes, or the whole tree.

It works on GitHub and in print, with light and dark colour schemes.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from durak_widget.board import svg_primitives
from durak_widget.board.svg_primitives import (
    CARD_SIZE,
    SHAPE_COUNT,
    SIGN_RADIUS,
    clip_text,
    draw_number,
    draw_pill,
    draw_text,
    measure_number,
    measure_small_text,
)
from durak_widget.board.tree_layout import (
    DASH_PATTERNS,
    FORK_LENGTH,
    LABEL_PADDING,
    LEGEND_LINE_HEIGHT,
    MARGIN,
    TreeLayout,
    measure_lane_distance,
)
from durak_widget.board.tree_wording import take_first_lines
from durak_widget.engine.card_svg import FONT_FAMILY, CardSheet, format_number
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.i18n import CARD_LETTERS, get_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.tree_layout import BranchLabel, InfosetLine
    from durak_widget.cards import Card

_BLACK, _RED, _GREEN, _BLUE = "#1f2630", "#b3202c", "#14683a", "#1b57a6"
_INKS: Final = {"c": _BLACK, "d": _RED, "h": _RED, "s": _BLACK}
_FOUR_COLOR_INKS: Final = {**_INKS, "c": _GREEN, "d": _BLUE}


class TreePicture:
    """An SVG picture of a tree, made from the same data as the picture on the page.

    >>> from durak_widget.board import Tree
    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> Tree(tree).svg()[:54]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2'
    """

    def __init__(
        self,
        drawing: Mapping[str, Any],
        solution: Mapping[str, Any],
        description: str,
        *,
        four_colors: bool = False,
        language: str = "en",
        letters: Mapping[str, str] | None = None,
    ) -> None:
        self._drawing, self._description, self._language = drawing, description, language
        self._layout = TreeLayout(drawing, solution)
        inks = _FOUR_COLOR_INKS if four_colors else _INKS

        def ink(card: Card) -> str:
            """Return the colour in which a card's rank is drawn."""
            return inks[card.suit] if card.suit else _RED if str(card) == "Xr" else _BLACK

        letters = letters or get_language(language).letters
        mark = language if letters == CARD_LETTERS["international"] else f"{language}{letters}"
        self._id_prefix = f"t{crc32(f'{description}{four_colors}{self._layout.grows_down}{mark}'.encode()) % 16**6:x}"
        self._card_sheet = CardSheet(self._id_prefix, trump=None, four_colors=four_colors)
        self._symbols = svg_primitives.SymbolDefinitions(self._id_prefix, self._card_sheet, ink, letters)

    @property
    def svg(self) -> str:
        """Return the picture as SVG without scripts or links; the same tree gives the same text."""
        layout, prefix = self._layout, self._id_prefix
        lines = [(position, branch) for position, branch in enumerate(layout.branches) if branch is not None]
        # Draw highlighted and probable branches last, so that they cover other branches
        lines.sort(key=lambda line: (line[1].is_highlighted, line[1].probability or 0))
        parts = [
            *[self._draw_branch(*line) for line in lines],
            *[self._draw_level_line(dashed_line) for dashed_line in layout.level_lines],
            *[self._draw_cross_level_line(cross_line) for cross_line in layout.cross_level_lines],
            *[self._draw_branch_label(*line) for line in lines],
            *[draw_text(x, y + 4, name, "t-soft t-small t-mid t-halo") for x, y, name in layout.place_line_names()],
            *[self._draw_node(position) for position in layout.positions],
        ]
        header, body, width, height = self._draw_header(), "".join(parts), format_number(layout.width), format_number(layout.height)
        title, _, description = take_first_lines(self._description).partition("\n")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" lang="{self._language}"'
            f' role="img" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc" font-family="{FONT_FAMILY}">'
            f'<title id="{prefix}title">{escape(title)}</title><desc id="{prefix}desc">{escape(description)}</desc><style>{svg_primitives.STYLE}</style>'
            f"{self._card_sheet.render_definitions()}<defs>{self._symbols.definitions()}</defs>"
            f'<rect class="t-bg" x=".5" y=".5" width="{format_number(layout.width - 1)}" height="{format_number(layout.height - 1)}" rx="10"/>{header}{body}</svg>'
        )

    def _draw_branch(self, position: int, branch: BranchLabel) -> str:
        """Draw the branch from a node's parent to the node, with a bend near the parent."""
        layout, parent = self._layout, self._layout.parent_position[position]
        x, y, parent_x, parent_y = layout.x[position], layout.y[position], layout.x[parent], layout.y[parent]
        if layout.grows_down:
            path = f"M{format_number(parent_x)} {format_number(parent_y)}L{format_number(x)} {format_number(parent_y + SIGN_RADIUS + FORK_LENGTH)}V{format_number(y)}"
        elif side := layout.side[position]:
            path = f"M{format_number(parent_x)} {format_number(parent_y)}L{format_number(parent_x + side * (SIGN_RADIUS + FORK_LENGTH))} {format_number(y)}H{format_number(x)}"
        else:
            path = f"M{format_number(parent_x)} {format_number(parent_y)}V{format_number(y)}"
        width = 1.5 if branch.probability is None else 1 + 4.5 * branch.probability
        css_class = "t-lit" if branch.is_highlighted else "t-line t-never" if branch.probability == 0 else "t-line"
        return f'<path class="{css_class}" stroke-width="{format_number(max(width, 2.8) if branch.is_highlighted else width)}" d="{path}"/>'

    def _draw_branch_label(self, position: int, branch: BranchLabel) -> str:
        """Draw a branch's label: its cards or words, and below them its probability.

        The label is to the right of a branch that runs downwards.
        """
        layout, parent = self._layout, self._layout.parent_position[position]
        css_class = f"{'t-gold t-b' if branch.is_highlighted or branch.is_best_response else 't-soft'} t-small t-halo"
        if layout.grows_down:
            x, y = layout.x[position], layout.y[parent] + SIGN_RADIUS + FORK_LENGTH + 2
            if branch.cards_width:
                middle = y + CARD_SIZE[1] / 2
                return svg_primitives.draw_move_cards(self._symbols, branch.move, x - branch.cards_width / 2, middle) + draw_text(
                    x + branch.cards_width / 2 + 4, middle + 9, branch.text_below, css_class
                )
            return draw_text(x + 6, y + 12, branch.text, "t-ink t-halo") + draw_text(x + 6, y + 26, branch.text_below, css_class)
        side = layout.side[position]
        if not side:  # The label of a vertical branch is beside the branch
            x, y = layout.x[position] + 7, (layout.y[parent] + layout.y[position]) / 2
            return draw_text(x, y, branch.text, "t-ink t-halo") + draw_text(x, y + 14, branch.text_below, css_class)
        left = layout.x[parent] + side * (SIGN_RADIUS + FORK_LENGTH + LABEL_PADDING)
        right = layout.x[position] - side * (SIGN_RADIUS + layout.gutters[self._drawing["nodes"]["level"][position]] + LABEL_PADDING)
        x, y = (left + right) / 2, layout.y[position]
        if branch.cards_width:
            left = x - branch.width / 2
            return svg_primitives.draw_move_cards(self._symbols, branch.move, left, y) + draw_text(
                left + branch.cards_width + 4, y + 12, branch.text_below, css_class
            )
        return draw_text(x, y - 5, branch.text, "t-ink t-mid") + draw_text(x, y + 13, branch.text_below, f"{css_class} t-mid")

    def _draw_node(self, position: int) -> str:
        """Draw a node's symbol, value and labels, and its payoffs or its count of hidden nodes."""
        layout = self._layout
        x, y, hidden_count = layout.x[position], layout.y[position], layout.hidden_count[position]
        result = self._symbols.draw_sign(layout.actor[position], x, y)
        if layout.actor[position] == TERMINAL:
            result += self._draw_payoffs(x, y, layout.side[position], self._drawing["payoffs"][str(layout.info[position])])
        elif hidden_count:
            text = f"+{hidden_count}"
            distance = -SIGN_RADIUS - 16 - measure_small_text(text) if layout.side[position] < 0 else SIGN_RADIUS + 4
            result += (
                draw_pill(x - (measure_small_text(text) + 12) / 2, y + SIGN_RADIUS + 14, text)
                if layout.grows_down
                else draw_pill(x + distance, y, text)
            )
        value, label = layout.values[position], layout.labels[position]
        if layout.grows_down:
            result += draw_text(x + SIGN_RADIUS + 4, y - 4, value, "t-ink t-small t-b t-halo") + draw_text(
                x + SIGN_RADIUS + 4, y + 11, label, "t-soft t-small t-halo"
            )
        elif not layout.side[position]:  # The branch is vertical, so labels are above or below the node
            direction = -1 if y < layout.y[0] else 1
            text, css_class = (" · ".join(filter(None, (value, label))), "t-ink t-small t-b t-halo")
            result += (
                draw_text(x, y + direction * (SIGN_RADIUS + 13) + 4, text, f"{css_class} t-mid")
                if y != layout.y[0]
                else draw_text(x - SIGN_RADIUS - 4, y + 4, text, f"{css_class} t-end")
            )
        elif layout.parent_position[position] < 0:
            result += draw_text(x, y - SIGN_RADIUS - 4, value, "t-ink t-small t-b t-mid t-halo") + draw_text(
                x, y + SIGN_RADIUS + 12, label, "t-soft t-small t-mid t-halo"
            )
        else:
            side = layout.side[position]
            edge, end = x - side * ((SIGN_RADIUS if layout.actor[position] != TERMINAL else 3) + 2), "t-end" if side > 0 else ""
            result += draw_text(edge, y - 5, value, f"t-ink t-small t-b t-halo {end}") + draw_text(
                edge, y + 13, label, f"t-soft t-small t-halo {end}"
            )
        return result

    def _draw_payoffs(self, x: float, y: float, side: int, payoffs: Sequence[str]) -> str:
        """Draw the payoffs of a terminal node in the players' colours, beside or below the node."""
        layout, result = self._layout, ""
        if layout.grows_down:
            step = 26 if layout.has_fractions else 17
            for player, payoff in enumerate(payoffs):
                line_y = y + 17 + (5 if layout.has_fractions else 0) + step * player
                result += draw_number(x + measure_number(payoff) / 2, line_y, payoff, f"t-s{player % SHAPE_COUNT} t-b")
            return result
        right = x + 10 if side > 0 else x - 10 - sum(layout.payoff_widths) - 10 * (len(payoffs) - 1)
        for player, (payoff, width) in enumerate(zip(payoffs, layout.payoff_widths, strict=True)):
            right += width + (10 if player else 0)
            result += draw_number(right, y, payoff, f"t-s{player % SHAPE_COUNT} t-b") + draw_text(
                right + 0.5, y + 4.5, "," if player < len(payoffs) - 1 else "", "t-soft"
            )
        return result

    def _draw_level_line(self, line: InfosetLine) -> str:
        """Draw the dashed line that joins the nodes of an information set on the same level."""
        layout, paths = self._layout, list[str]()
        distance = measure_lane_distance(line.lane)
        for first, second in pairwise(line.positions):
            x, y, to_x, to_y = layout.x[first], layout.y[first], layout.x[second], layout.y[second]
            if not line.lane:
                paths.append(f"M{format_number(x)} {format_number(y)}L{format_number(to_x)} {format_number(to_y)}")
            elif layout.grows_down:
                lane_coordinate, corner_y = format_number(y - distance), format_number(y - distance + 5)
                paths.append(
                    f"M{format_number(x)} {format_number(y)}V{corner_y}Q{format_number(x)} {lane_coordinate} {format_number(x + 5)} {lane_coordinate}H{format_number(to_x - 5)}Q{format_number(to_x)} {lane_coordinate} {format_number(to_x)} {corner_y}V{format_number(y)}"
                )
            else:
                lane_coordinate, corner_x = format_number(x - distance), format_number(x - distance + 5)
                paths.append(
                    f"M{format_number(x)} {format_number(y)}H{corner_x}Q{lane_coordinate} {format_number(y)} {lane_coordinate} {format_number(y + 5)}V{format_number(to_y - 5)}Q{lane_coordinate} {format_number(to_y)} {corner_x} {format_number(to_y)}H{format_number(x)}"
                )
        return self._draw_dashed_path(line, "".join(paths))

    def _draw_dashed_path(self, line: InfosetLine, path: str) -> str:
        """Draw a dashed line; its pattern and colour distinguish it from the lines beside it."""
        css_class = "t-di" if line.dash_pattern % 2 else f"t-d{self._layout.actor[line.positions[0]] % SHAPE_COUNT}"
        pattern = f' style="stroke-dasharray:{" ".join(map(format_number, DASH_PATTERNS[line.dash_pattern]))}"' if line.dash_pattern else ""
        return f'<path class="t-set {css_class}"{pattern} d="{path}"/>'

    def _draw_cross_level_line(self, line: InfosetLine) -> str:
        """Draw the dashed curve that joins two nodes of an information set on different levels."""
        layout, (first, second) = self._layout, line.positions
        x, y, to_x, to_y = layout.x[first], layout.y[first], layout.x[second], layout.y[second]
        if layout.grows_down:
            control_distance = max(24.0, abs(to_x - x) * 0.5) * (1 if to_x > x else -1)
            path = f"C{format_number(x + control_distance)} {format_number(y)} {format_number(to_x - control_distance)} {format_number(to_y)} {format_number(to_x)} {format_number(to_y)}"
        elif layout.parent_position[second] == first:  # A branch joins the two nodes, so the curve runs below the branch
            control_y, control_dx = max(y, to_y) + 26, (to_x - x) * 0.2
            path = f"C{format_number(x + control_dx)} {format_number(control_y)} {format_number(to_x - control_dx)} {format_number(control_y)} {format_number(to_x)} {format_number(to_y)}"
        else:
            control_distance = max(24.0, abs(to_y - y) * 0.5) * (1 if to_y > y else -1)
            path = f"C{format_number(x)} {format_number(y + control_distance)} {format_number(to_x)} {format_number(to_y - control_distance)} {format_number(to_x)} {format_number(to_y)}"
        return self._draw_dashed_path(line, f"M{format_number(x)} {format_number(y)}{path}")

    def _draw_header(self) -> str:
        """Draw the tree's title, legend and summary of the solution above the tree."""
        y, result, title = MARGIN + 6.0, "", self._drawing["title"]
        if title:
            result, y = draw_text(MARGIN, y + 6, clip_text(title, 90), "t-ink t-title"), y + 26
        for actor, name, x_offset, line in self._layout.legend:
            x, line_y = MARGIN + x_offset, y + LEGEND_LINE_HEIGHT * line
            result += self._symbols.draw_sign(actor, x + SIGN_RADIUS, line_y) + draw_text(x + 2 * SIGN_RADIUS + 7, line_y + 4.5, name)
        y += LEGEND_LINE_HEIGHT * self._layout.legend[-1][-1]
        return result + "".join(draw_text(MARGIN, y + 24, line, "t-soft") for line in self._layout.solution_lines)
