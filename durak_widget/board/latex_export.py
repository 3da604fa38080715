"""Exports trees as TikZ and matrices as LaTeX tables.

A TikZ picture uses the same positions as the SVG picture and needs no library but TikZ. A matrix is printed as in
textbooks: players beside their strategies, and best responses underlined. All names are escaped, so that LaTeX does
not read them as commands. Card suits print with every LaTeX engine.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import svg_primitives
from durak_widget.board.matrix_svg import BEST_RESPONSE_SIGNS, format_cell, format_notes
from durak_widget.board.svg_primitives import CARD_SIZE, LIGHT_COLORS, SHAPE_COUNT, SIGN_RADIUS, clip_text, measure_small_text
from durak_widget.board.tree_layout import (
    DASH_PATTERNS,
    FORK_LENGTH,
    LABEL_PADDING,
    LEGEND_LINE_HEIGHT,
    MARGIN,
    TreeLayout,
    measure_lane_distance,
)
from durak_widget.cards import Card
from durak_widget.engine.card_svg import format_number
from durak_widget.errors import DurakError
from durak_widget.gametheory.tree import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.matrix_view_model import MatrixViewModel
    from durak_widget.board.tree_layout import BranchLabel, InfosetLine

_MAX_POINTS: Final = 16_000
"""The greatest length that TeX can represent, in points, rounded down to thousands."""
_TEX_SUITS: Final = {"c": r"\clubsuit", "d": r"\diamondsuit", "h": r"\heartsuit", "s": r"\spadesuit"}
_CORNER_COUNTS: Final = {2: 4, 3: 3, 4: 6, 5: 5}
"""The number of corners of the symbols for players 3 to 6, by player index; player 1 has a circle, player 2 a square.
"""
_TIKZ_STYLES: Final = (
    "x=0.75pt, y=-0.75pt, every node/.style={inner sep=0pt, outer sep=0pt, text=ink, font=\\sffamily\\small}, "
    "branch/.style={draw=line, line join=round}, lit/.style={draw=lit, line join=round}, together/.style={line width=1.2pt}, "
    "under/.style={font=\\sffamily\\scriptsize, text=soft}, called/.style={font=\\sffamily\\scriptsize, text=soft, fill=white, inner sep=1pt}, "
    "card/.style={draw=ink!55, fill=white, rounded corners=1.5pt}"
)
_LATIN_PATTERN: Final = re.compile(r"[\n\u0020-\u017f]")
_FRACTION_PATTERN: Final = re.compile(r"([-−]?)(\d+)/(\d+)")
_COLORS: Final = {name: str(LIGHT_COLORS[name]) for name in ("ink", "soft", "line", "lit")} | {
    f"seat{seat}": color for seat, color in enumerate(LIGHT_COLORS["seats"], 1)
}
_TEX_SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\ensuremath{|}", '"': "''", "-": "{-}",
    "♣": r"\ensuremath{\clubsuit}", "♦": r"\ensuremath{\diamondsuit}", "♥": r"\ensuremath{\heartsuit}", "♠": r"\ensuremath{\spadesuit}", "★": r"\ensuremath{\star}",
    "−": r"\ensuremath{-}", "–": "--", "—": "---", "…": r"\ldots{}", "·": r"\ensuremath{\cdot}", "≈": r"\ensuremath{\approx}", "×": r"\ensuremath{\times}",
    "→": r"\ensuremath{\rightarrow}", "↓": r"\ensuremath{\downarrow}", "λ": r"\ensuremath{\lambda}", "ε": r"\ensuremath{\varepsilon}", "°": r"\ensuremath{^\circ}",
    "„": r"\quotedblbase{}", "“": "``", "”": "''", "’": "'", "«": r"\guillemotleft{}", "»": r"\guillemotright{}", "\u00a0": "~", "\ufe0e": "", "\ufe0f": "",
    **{sign: rf"\textsuperscript{{{exponent}}}" for exponent, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}, "⁻": r"\textsuperscript{-}",
}  # fmt: skip


class TikzPicture:
    r"""A TikZ (LaTeX) picture of a tree, made from the same data as the picture on the page.

    >>> from durak_widget.board import Tree
    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> print(Tree(tree).tikz().splitlines()[-1])
    \end{document}
    """

    def __init__(self, drawing: Mapping[str, Any], solution: Mapping[str, Any], description: str) -> None:
        self._drawing, self._description = drawing, description
        self._layout = TreeLayout(drawing, solution)

    @property
    def document(self) -> str:
        """Return a complete LaTeX file that contains the TikZ picture."""
        if max(self._layout.width, self._layout.height) * 0.75 > _MAX_POINTS:
            raise DurakError(
                "TeX cannot draw a picture longer than 5.7 metres, and this tree would be longer; collapse some of it, or save it as .svg"
            )
        return build_document(self.picture, self._description.partition("\n")[0])

    @property
    def picture(self) -> str:
        """Return the TikZ code of the picture and its colours, without the rest of a LaTeX file."""
        layout = self._layout
        lines = [(position, branch) for position, branch in enumerate(layout.branches) if branch is not None]
        # Draw highlighted and probable branches last, so that they cover other branches
        lines.sort(key=lambda line: (line[1].is_highlighted, line[1].probability or 0))
        commands = [
            *self._draw_header(),
            *["% branches", *[self._draw_branch(*line) for line in lines]],
            *[
                "% information sets",
                *[self._draw_level_line(dashed_line) for dashed_line in layout.level_lines],
                *[self._draw_cross_level_line(cross_line) for cross_line in layout.cross_level_lines],
            ],
            *["% moves", *[command for line in lines for command in self._draw_branch_label(*line)]],
            *[_format_node(x, y, name, "called", "center") for x, y, name in layout.place_line_names()],
            *["% places", *[command for position in layout.positions for command in self._draw_node(position)]],
        ]
        colors = [rf"\definecolor{{{name}}}{{HTML}}{{{color[1:].upper()}}}" for name, color in _COLORS.items()]
        return "\n".join([*colors, rf"\begin{{tikzpicture}}[{_TIKZ_STYLES}]", *commands, r"\end{tikzpicture}"])

    def _draw_header(self) -> list[str]:
        """Draw the tree's title, legend and summary of the solution above the tree."""
        layout, y, commands, title = self._layout, MARGIN + 6.0, ["% who is who"], self._drawing["title"]
        if title:
            commands.append(_format_node(MARGIN, y + 6, rf"\textbf{{{escape_tex(clip_text(title, 90))}}}", "", "base west", is_tex=True))
            y += 26
        for actor, name, x_offset, line in layout.legend:
            x, line_y = MARGIN + x_offset, y + LEGEND_LINE_HEIGHT * line
            commands += [
                *_draw_sign(actor, x + SIGN_RADIUS, line_y),
                _format_node(x + 2 * SIGN_RADIUS + 7, line_y + 4.5, name, "", "base west"),
            ]
        y += LEGEND_LINE_HEIGHT * layout.legend[-1][-1]
        return commands + [_format_node(MARGIN, y + 24, line, "", "base west") for line in layout.solution_lines]

    def _draw_branch(self, position: int, branch: BranchLabel) -> str:
        """Draw the branch from a node's parent to the node, with a bend near the parent."""
        layout, parent = self._layout, self._layout.parent_position[position]
        x, y, parent_x, parent_y = layout.x[position], layout.y[position], layout.x[parent], layout.y[parent]
        points = [(parent_x, parent_y), (x, y)]
        if layout.grows_down:
            points.insert(1, (x, parent_y + SIGN_RADIUS + FORK_LENGTH))
        elif side := layout.side[position]:
            points.insert(1, (parent_x + side * (SIGN_RADIUS + FORK_LENGTH), y))
        width = 1.5 if branch.probability is None else 1 + 4.5 * branch.probability
        style = "lit" if branch.is_highlighted else "branch, draw opacity=0.4" if branch.probability == 0 else "branch"
        width_option = f"line width={format_number((max(width, 2.8) if branch.is_highlighted else width) * 0.75)}pt"
        return rf"\draw[{style}, {width_option}] {' -- '.join(map(_format_point, points))};"

    def _draw_branch_label(self, position: int, branch: BranchLabel) -> list[str]:
        """Draw a branch's label: its cards or words, and below them its probability."""
        layout, parent, style_below = (
            self._layout,
            self._layout.parent_position[position],
            f"under{', text=lit' if branch.is_highlighted or branch.is_best_response else ''}",
        )
        x, y = layout.x[position], layout.y[position]
        side = layout.side[position]
        if layout.grows_down:
            y = layout.y[parent] + SIGN_RADIUS + FORK_LENGTH + 2
            if branch.cards_width:
                cards = self._draw_cards(branch, x - branch.cards_width / 2, y + CARD_SIZE[1] / 2)
                return cards + _format_text(
                    x + branch.cards_width / 2 + 4, y + CARD_SIZE[1] / 2 + 9, branch.text_below, style_below, "base west"
                )
            return _format_text(x + 6, y + 12, branch.text, "", "base west") + _format_text(
                x + 6, y + 26, branch.text_below, style_below, "base west"
            )
        if not side:
            y = (layout.y[parent] + y) / 2
            return _format_text(x + 7, y, branch.text, "", "base west") + _format_text(
                x + 7, y + 14, branch.text_below, style_below, "base west"
            )
        left = layout.x[parent] + side * (SIGN_RADIUS + FORK_LENGTH + LABEL_PADDING)
        right = x - side * (SIGN_RADIUS + layout.gutters[self._drawing["nodes"]["level"][position]] + LABEL_PADDING)
        x = (left + right) / 2
        if branch.cards_width:
            left = x - branch.width / 2
            return self._draw_cards(branch, left, y) + _format_text(
                left + branch.cards_width + 4, y + 12, branch.text_below, style_below, "base west"
            )
        return _format_text(x, y - 5, branch.text, "", "base") + _format_text(x, y + 13, branch.text_below, style_below, "base")

    @staticmethod
    def _draw_cards(branch: BranchLabel, x: float, y: float) -> list[str]:
        """Draw the small cards of a move at the same coordinates as in the SVG picture."""
        hand = _TikzCards()
        svg_primitives.draw_move_cards(hand, branch.move, x, y)  # type: ignore[arg-type]
        return hand.commands

    def _draw_node(self, position: int) -> list[str]:
        """Draw a node's symbol, value and labels, and its payoffs or its count of hidden nodes."""
        layout = self._layout
        x, y, hidden_count, side = layout.x[position], layout.y[position], layout.hidden_count[position], layout.side[position]
        commands = _draw_sign(layout.actor[position], x, y)
        if layout.actor[position] == TERMINAL:
            commands += self._draw_payoffs(x, y, side, self._drawing["payoffs"][str(layout.info[position])])
        elif hidden_count:
            label_x = x + side * (SIGN_RADIUS + 10 + measure_small_text(f"+{hidden_count}") / 2)
            commands += (
                _format_text(x, y + SIGN_RADIUS + 18, f"+{hidden_count}", "under", "base")
                if layout.grows_down
                else _format_text(label_x, y + 4, f"+{hidden_count}", "under", "base")
            )
        value, label = layout.values[position], layout.labels[position]
        if layout.grows_down:
            return (
                commands
                + _format_text(x + SIGN_RADIUS + 4, y - 4, value, "", "base west")
                + _format_text(x + SIGN_RADIUS + 4, y + 11, label, "under", "base west")
            )
        if not side or layout.parent_position[position] < 0:
            direction = 1 if side == 0 and y > layout.y[0] else -1
            text = " · ".join(filter(None, (value, label)))
            return commands + _format_text(x, y + direction * (SIGN_RADIUS + 13) + 4, text, "", "base")
        edge, end = x - side * ((SIGN_RADIUS if layout.actor[position] != TERMINAL else 3) + 2), "base east" if side > 0 else "base west"
        return commands + _format_text(edge, y - 5, value, "", end) + _format_text(edge, y + 13, label, "under", end)

    def _draw_payoffs(self, x: float, y: float, side: int, payoffs: Sequence[str]) -> list[str]:
        """Draw the payoffs of a terminal node in the players' colours, beside or below the node."""
        texts = [rf"\textcolor{{seat{player % SHAPE_COUNT + 1}}}{{{format_tex_number(text)}}}" for player, text in enumerate(payoffs)]
        if self._layout.grows_down:
            step = 26 if self._layout.has_fractions else 17
            first = y + 17 + (5 if self._layout.has_fractions else 0)
            return [_format_node(x, first + step * player, text, "", "base", is_tex=True) for player, text in enumerate(texts)]
        return [_format_node(x + side * 10, y, ",\\ ".join(texts), "", "west" if side > 0 else "east", is_tex=True)]

    def _draw_level_line(self, line: InfosetLine) -> str:
        """Draw the dashed line that joins the nodes of an information set on the same level."""
        layout, paths, distance = self._layout, list[str](), measure_lane_distance(line.lane)
        for first, second in pairwise(line.positions):
            (x, y), (to_x, to_y) = (layout.x[first], layout.y[first]), (layout.x[second], layout.y[second])
            points = [(x, y), (to_x, to_y)]
            if line.lane:
                points[1:1] = [(x, y - distance), (to_x, y - distance)] if layout.grows_down else [(x - distance, y), (x - distance, to_y)]
            paths.append(" -- ".join(map(_format_point, points)))
        return self._draw_dashed_path(line, f"[rounded corners=3pt] {' '.join(paths)}" if line.lane else " ".join(paths))

    def _draw_cross_level_line(self, line: InfosetLine) -> str:
        """Draw the dashed curve that joins two nodes of an information set on different levels."""
        layout, (first, second) = self._layout, line.positions
        x, y, to_x, to_y = layout.x[first], layout.y[first], layout.x[second], layout.y[second]
        if layout.grows_down:
            control_distance = max(24.0, abs(to_x - x) * 0.5) * (1 if to_x > x else -1)
            first_control, second_control = (x + control_distance, y), (to_x - control_distance, to_y)
        elif layout.parent_position[second] == first:
            control_y, control_dx = max(y, to_y) + 26, (to_x - x) * 0.2
            first_control, second_control = (x + control_dx, control_y), (to_x - control_dx, control_y)
        else:
            control_distance = max(24.0, abs(to_y - y) * 0.5) * (1 if to_y > y else -1)
            first_control, second_control = (x, y + control_distance), (to_x, to_y - control_distance)
        return self._draw_dashed_path(
            line,
            f"{_format_point((x, y))} .. controls {_format_point(first_control)} and {_format_point(second_control)} .. {_format_point((to_x, to_y))}",
        )

    def _draw_dashed_path(self, line: InfosetLine, path: str) -> str:
        """Return a TikZ command that draws a path in the style of an information set's line."""
        color = "ink" if line.dash_pattern % 2 else f"seat{self._layout.actor[line.positions[0]] % SHAPE_COUNT + 1}"
        lengths = [
            f"{'off' if index % 2 else 'on'} {format_number(length * 0.75)}pt"
            for index, length in enumerate(DASH_PATTERNS[line.dash_pattern])
        ]
        return rf"\draw[together, draw={color}, dash pattern={' '.join(map(str, lengths))}] {path};".replace("] [", ", ", 1)


class _TikzCards:
    """Draws small cards in TikZ, as `svg_primitives.SymbolDefinitions` does in SVG."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def draw_card(self, code: str, x: float, y: float) -> str:
        """Draw a card with its upper left corner at a given point."""
        card, (width, height) = Card(code), CARD_SIZE
        rank = r"\ensuremath{\star}" if card.is_joker else "10" if card.rank == "T" else str(card.rank)
        color_option = "text=red!70!black" if card.suit in ("d", "h") or code == "Xr" else ""
        self.commands.append(rf"\draw[card] {_format_point((x, y))} rectangle {_format_point((x + width, y + height))};")
        self.commands += _format_text(
            x + width / 2, y + 12, rank, f"font=\\sffamily\\tiny\\bfseries{', ' * bool(color_option)}{color_option}", "base", is_tex=True
        )
        if card.suit:
            suit = rf"\ensuremath{{{_TEX_SUITS[card.suit]}}}"
            self.commands += _format_text(
                x + width / 2, y + 22.5, suit, f"font=\\tiny{', ' * bool(color_option)}{color_option}", "base", is_tex=True
            )
        return ""


def _format_point(point: tuple[float, float]) -> str:
    """Format a point as TikZ coordinates."""
    return f"({format_number(point[0])},{format_number(point[1])})"


def _format_node(x: float, y: float, text: str, style: str, anchor: str, *, is_tex: bool = False) -> str:
    """Return a TikZ command that writes a text at a given point."""
    return rf"\node[{style}{', ' * bool(style)}anchor={anchor}] at {_format_point((x, y))} {{{text if is_tex else escape_tex(text)}}};"


def _format_text(x: float, y: float, text: str, style: str, anchor: str, *, is_tex: bool = False) -> list[str]:
    """Return a list with the TikZ command that writes a text; for an empty text, return []."""
    return [_format_node(x, y, text, style, anchor, is_tex=is_tex)] if text else []


def _draw_sign(actor: int, x: float, y: float) -> list[str]:
    """Draw the symbol of a player, of chance, or of a terminal node.

    A player has a shape with a number, in the player's colour; chance is an open circle, and a terminal node is a
    dot.
    """
    if actor == CHANCE:
        return [
            rf"\filldraw[draw=line, fill=white, line width=1.2pt] {_format_point((x, y))} circle [radius={format_number(SIGN_RADIUS * 0.54)}pt];"
        ]
    if actor < 0:
        return [rf"\fill[ink] {_format_point((x, y))} circle [radius=1.95pt];"]
    color, corners = f"seat{actor % SHAPE_COUNT + 1}", _CORNER_COUNTS.get(actor % SHAPE_COUNT)
    if corners:
        angles = [2 * pi * corner / corners - pi / 2 for corner in range(corners)]
        points = [(x + 1.2 * SIGN_RADIUS * cos(angle), y + 1.2 * SIGN_RADIUS * sin(angle)) for angle in angles]
        shape = f"{' -- '.join(map(_format_point, points))} -- cycle"
    elif actor % SHAPE_COUNT:
        half_width = SIGN_RADIUS * 0.9
        shape = f"{_format_point((x - half_width, y - half_width))} rectangle {_format_point((x + half_width, y + half_width))}"
    else:
        shape = f"{_format_point((x, y))} circle [radius={format_number(SIGN_RADIUS * 0.75)}pt]"
    return [rf"\fill[{color}] {shape};", _format_node(x, y, str(actor + 1), "text=white, font=\\sffamily\\scriptsize\\bfseries", "center")]


def escape_tex(text: str) -> str:
    r"""Escape the characters of a text that have a meaning in LaTeX.

    >>> print(escape_tex("50 % of {9♣} & $x_1$"))
    50 \% of \{9\ensuremath{\clubsuit}\} \& \$x\_1\$
    """
    return "".join(_TEX_SIGNS.get(character, character) for character in text)


def format_tex_number(text: str) -> str:
    r"""Format a number as LaTeX, with a fraction bar and a minus sign.

    >>> print(format_tex_number("-2/3"), format_tex_number("-1"), format_tex_number("≈1·10⁴"))
    \ensuremath{-\textstyle\frac{2}{3}} \ensuremath{-1} \ensuremath{\approx}1\ensuremath{\cdot}10\textsuperscript{4}
    """
    match = _FRACTION_PATTERN.fullmatch(text)
    if match:
        return rf"\ensuremath{{{'-' if match[1] else ''}\textstyle\frac{{{match[2]}}}{{{match[3]}}}}}"
    return rf"\ensuremath{{-{text[1:]}}}" if re.fullmatch(r"[-−][\d.]+", text) else escape_tex(text)


def build_document(body: str, description: str, *, needs_tikz: bool = True) -> str:
    r"""Return a complete LaTeX file that contains a picture or a table.

    The file compiles with any LaTeX engine, unless it has letters that pdfLaTeX can't print; then it needs XeLaTeX or
    LuaLaTeX.

    >>> print(build_document("x", "A tree").splitlines()[0])
    % A tree
    """
    is_latin = all(_LATIN_PATTERN.fullmatch(character) for character in body)
    engine = "pdflatex, lualatex or xelatex" if is_latin else "lualatex or xelatex, with a font that has its letters"
    title = " ".join(description.split()) or "A game"
    fonts = [r"\usepackage{iftex}", r"\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi"]
    if not is_latin:
        fonts = [r"\usepackage{fontspec}", r"\setsansfont{DejaVu Sans} % or any other that has the letters below"]
    lines = [f"% {title}", f"% Made by durak_widget. To be set with {engine}.", r"\documentclass[border=4pt]{standalone}", *fonts]
    return "\n".join([*lines, *([r"\usepackage{tikz}"] if needs_tikz else []), r"\begin{document}", body, r"\end{document}", ""])


def format_tabular(grid: MatrixViewModel) -> str:
    r"""Format a matrix as a LaTeX `tabular`, without its eliminated strategies.

    >>> from durak_widget.board.matrix_view_model import MatrixViewModel
    >>> from durak_widget.board.matrix_view_model import MatrixWording
    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> from durak_widget.i18n import Translator
    >>> table = matrix_from_payoffs([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> print(format_tabular(MatrixViewModel(table, MatrixWording(table, Translator()))))
    \begin{tabular}{rr|c|c|}
    \multicolumn{2}{c}{} & \multicolumn{2}{c}{Bob} \\
    \multicolumn{2}{c}{} & \multicolumn{1}{c}{silent} & \multicolumn{1}{c}{talks} \\ \cline{3-4}
    Ann & silent & 3,\ 3 & 0,\ \underline{5} \\ \cline{3-4}
     & talks & \underline{5},\ 0 & \underline{1},\ \underline{1} \\ \cline{3-4}
    \end{tabular}
    """
    wording, best = grid.wording, grid.compute_best_responses()
    rows, columns = (grid.elimination.remaining_strategies(player) for player in (0, 1))
    line = f"\\\\ \\cline{{3-{len(columns) + 2}}}"
    headings = " & ".join(rf"\multicolumn{{1}}{{c}}{{{escape_tex(wording.format_strategy(1, column))}}}" for column in columns)
    lines = [
        rf"\begin{{tabular}}{{rr|{'c|' * len(columns)}}}",
        rf"\multicolumn{{2}}{{c}}{{}} & \multicolumn{{{len(columns)}}}{{c}}{{{escape_tex(wording.names[1])}}} \\",
        rf"\multicolumn{{2}}{{c}}{{}} & {headings} {line}",
    ]
    for index, row in enumerate(rows):
        cells = []
        for column in columns:
            parts = format_cell(grid, row, column, best[row][column] if grid.are_best_responses_shown else 0)
            cells.append(",\\ ".join(_format_payoff(text, is_best=is_best, is_shared=len(parts) == 1) for text, is_best in parts))
        lines.append(
            f"{'' if index else escape_tex(wording.names[0])} & {escape_tex(wording.format_strategy(0, row))} & {' & '.join(cells)} {line}"
        )
    return "\n".join([*lines, r"\end{tabular}"])


def _format_payoff(text: str, *, is_best: bool, is_shared: bool) -> str:
    """Format a payoff for LaTeX; underline the payoff of a best response.

    If the cell shows one number for both players, a sign after the number says whose best response it is.
    """
    number = text.rstrip("".join(BEST_RESPONSE_SIGNS))
    formatted = format_tex_number(number)
    return formatted + escape_tex(text[len(number) :]) if is_shared else rf"\underline{{{formatted}}}" if is_best else formatted


def build_matrix_document(grid: MatrixViewModel) -> str:
    """Return a complete LaTeX file with a matrix; notes on the matrix are LaTeX comments."""
    title = " x ".join(grid.wording.names)
    comments = [f"% {' '.join(note.split())}" for note in format_notes(grid)]
    return build_document("\n".join([format_tabular(grid), *comments]), title, needs_tikz=False)
