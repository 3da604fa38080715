"""Exports trees as TikZ and matrices as LaTeX tables.

A TikZ picture uses the same positions as the SVG picture and needs no library but TikZ. A matrix is printed as in
textbooks: players beside their strategies, best responses underlined. All names are escaped, so that none is read as
a LaTeX command. Card suits print in every LaTeX engine.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import svg_primitives
from durak_widget.board.matrix_svg import SIGNS, below, payoffs_of
from durak_widget.board.svg_primitives import CARD, LIGHT, RADIUS, SEATS, clipped, small
from durak_widget.board.tree_layout import DASHES, FORK, LEGEND, MARGIN, PAD, Spread, away
from durak_widget.cards import Card
from durak_widget.engine.card_svg import n
from durak_widget.errors import DurakError
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.matrix_view_model import Grid
    from durak_widget.board.tree_layout import Branch, Rail

_LONGEST: Final = 16_000
"""The longest dimension, in points, that TeX can represent, a little rounded."""
_SUITS: Final = {"c": r"\clubsuit", "d": r"\diamondsuit", "h": r"\heartsuit", "s": r"\spadesuit"}
_CORNERS: Final = {2: 4, 3: 3, 4: 6, 5: 5}
"""The number of corners of the signs from the third player on; the first is a circle, the second a square."""
_STYLES: Final = (
    "x=0.75pt, y=-0.75pt, every node/.style={inner sep=0pt, outer sep=0pt, text=ink, font=\\sffamily\\small}, "
    "branch/.style={draw=line, line join=round}, lit/.style={draw=lit, line join=round}, together/.style={line width=1.2pt}, "
    "under/.style={font=\\sffamily\\scriptsize, text=soft}, called/.style={font=\\sffamily\\scriptsize, text=soft, fill=white, inner sep=1pt}, "
    "card/.style={draw=ink!55, fill=white, rounded corners=1.5pt}"
)
_LATIN: Final = re.compile(r"[\n\u0020-\u017f]")
_FRACTION: Final = re.compile(r"([-−]?)(\d+)/(\d+)")
_COLORS: Final = {name: str(LIGHT[name]) for name in ("ink", "soft", "line", "lit")} | {
    f"seat{seat}": color for seat, color in enumerate(LIGHT["seats"], 1)
}
_TEX_SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\ensuremath{|}", '"': "''", "-": "{-}",
    "♣": r"\ensuremath{\clubsuit}", "♦": r"\ensuremath{\diamondsuit}", "♥": r"\ensuremath{\heartsuit}", "♠": r"\ensuremath{\spadesuit}", "★": r"\ensuremath{\star}",
    "−": r"\ensuremath{-}", "–": "--", "—": "---", "…": r"\ldots{}", "·": r"\ensuremath{\cdot}", "≈": r"\ensuremath{\approx}", "×": r"\ensuremath{\times}",
    "→": r"\ensuremath{\rightarrow}", "↓": r"\ensuremath{\downarrow}", "λ": r"\ensuremath{\lambda}", "ε": r"\ensuremath{\varepsilon}", "°": r"\ensuremath{^\circ}",
    "„": r"\quotedblbase{}", "“": "``", "”": "''", "’": "'", "«": r"\guillemotleft{}", "»": r"\guillemotright{}", "\u00a0": "~", "\ufe0e": "", "\ufe0f": "",
    **{sign: rf"\textsuperscript{{{place}}}" for place, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}, "⁻": r"\textsuperscript{-}",
}  # fmt: skip


class TikzPicture:
    r"""A TikZ picture of a tree, made from the data that its page gets.

    >>> from durak_widget.board import Tree
    >>> from durak_widget.gametheory import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> print(Tree(tree).tikz().splitlines()[-1])
    \end{document}
    """

    def __init__(self, drawing: Mapping[str, Any], solution: Mapping[str, Any], about: str) -> None:
        self._drawing, self._about = drawing, about
        self._spread = Spread(drawing, solution)

    @property
    def document(self) -> str:
        """Return the picture as a complete LaTeX file."""
        if max(self._spread.width, self._spread.height) * 0.75 > _LONGEST:
            raise DurakError(
                "TeX draws nothing that is longer than 5.7 metres, and this tree would be; unfold less of it, or save it as .svg"
            )
        return document(self.picture, self._about.partition("\n")[0])

    @property
    def picture(self) -> str:
        """Return the picture alone, with the colour definitions before it."""
        spread = self._spread
        lines = [(position, branch) for position, branch in enumerate(spread.branches) if branch is not None]
        lines.sort(key=lambda line: (line[1].lit, line[1].weight or 0))  # the most important branches are drawn on top
        commands = [
            *self._head(),
            *["% branches", *[self._line(*line) for line in lines]],
            *["% information sets", *[self._rail(rail) for rail in spread.rails], *[self._link(link) for link in spread.links]],
            *["% moves", *[command for line in lines for command in self._words(*line)]],
            *[_node(x, y, name, "called", "center") for x, y, name in spread.named()],
            *["% places", *[command for position in spread.shown for command in self._node(position)]],
        ]
        colors = [rf"\definecolor{{{name}}}{{HTML}}{{{color[1:].upper()}}}" for name, color in _COLORS.items()]
        return "\n".join([*colors, rf"\begin{{tikzpicture}}[{_STYLES}]", *commands, r"\end{tikzpicture}"])

    def _head(self) -> list[str]:
        """Draw the title, the legend and the summary of the solution."""
        spread, y, commands, title = self._spread, MARGIN + 6.0, ["% who is who"], self._drawing["title"]
        if title:
            commands.append(_node(MARGIN, y + 6, rf"\textbf{{{tex(clipped(title, 90))}}}", "", "base west", raw=True))
            y += 26
        for actor, name, x_offset, line in spread.legend:
            x, line_y = MARGIN + x_offset, y + LEGEND * line
            commands += [*_sign(actor, x + RADIUS, line_y), _node(x + 2 * RADIUS + 7, line_y + 4.5, name, "", "base west")]
        y += LEGEND * spread.legend[-1][-1]
        return commands + [_node(MARGIN, y + 24, line, "", "base west") for line in spread.said]

    def _line(self, place: int, one: Branch) -> str:
        """Draw the branch to a node: a fork at the parent, then a straight line."""
        spread, parent = self._spread, self._spread.up[place]
        x, y, parent_x, parent_y = spread.x[place], spread.y[place], spread.x[parent], spread.y[parent]
        points = [(parent_x, parent_y), (x, y)]
        if spread.down:
            points.insert(1, (x, parent_y + RADIUS + FORK))
        elif side := spread.side[place]:
            points.insert(1, (parent_x + side * (RADIUS + FORK), y))
        width = 1.5 if one.weight is None else 1 + 4.5 * one.weight
        style = "lit" if one.lit else "branch, draw opacity=0.4" if one.weight == 0 else "branch"
        width_option = f"line width={n((max(width, 2.8) if one.lit else width) * 0.75)}pt"
        return rf"\draw[{style}, {width_option}] {' -- '.join(map(_at, points))};"

    def _words(self, place: int, one: Branch) -> list[str]:
        """Draw the label of a branch: cards or words, probability and labels below."""
        spread, parent, style_below = self._spread, self._spread.up[place], f"under{', text=lit' if one.lit or one.best else ''}"
        x, y = spread.x[place], spread.y[place]
        side = spread.side[place]
        if spread.down:
            y = spread.y[parent] + RADIUS + FORK + 2
            if one.cards:
                cards = self._cards(one, x - one.cards / 2, y + CARD[1] / 2)
                return cards + _said(x + one.cards / 2 + 4, y + CARD[1] / 2 + 9, one.below, style_below, "base west")
            return _said(x + 6, y + 12, one.said, "", "base west") + _said(x + 6, y + 26, one.below, style_below, "base west")
        if not side:
            y = (spread.y[parent] + y) / 2
            return _said(x + 7, y, one.said, "", "base west") + _said(x + 7, y + 14, one.below, style_below, "base west")
        left = spread.x[parent] + side * (RADIUS + FORK + PAD)
        right = x - side * (RADIUS + spread.gutter[self._drawing["nodes"]["level"][place]] + PAD)
        x = (left + right) / 2
        if one.cards:
            left = x - one.wide / 2
            return self._cards(one, left, y) + _said(left + one.cards + 4, y + 12, one.below, style_below, "base west")
        return _said(x, y - 5, one.said, "", "base") + _said(x, y + 13, one.below, style_below, "base")

    @staticmethod
    def _cards(one: Branch, x: float, y: float) -> list[str]:
        """Draw the small cards of a move at the same points as in the SVG picture."""
        hand = _Hand()
        svg_primitives.laid(hand, one.told, x, y)  # type: ignore[arg-type]
        return hand.drawn

    def _node(self, place: int) -> list[str]:
        """Draw a node's sign with its payoffs or hidden count, its value and its labels."""
        spread = self._spread
        x, y, hidden_count, side = spread.x[place], spread.y[place], spread.more[place], spread.side[place]
        commands = _sign(spread.actor[place], x, y)
        if spread.actor[place] == OVER:
            commands += self._worth(x, y, side, self._drawing["ends"][str(spread.info[place])])
        elif hidden_count:
            label_x = x + side * (RADIUS + 10 + small(f"+{hidden_count}") / 2)
            commands += (
                _said(x, y + RADIUS + 18, f"+{hidden_count}", "under", "base")
                if spread.down
                else _said(label_x, y + 4, f"+{hidden_count}", "under", "base")
            )
        value, label = spread.values[place], spread.labels[place]
        if spread.down:
            return (
                commands + _said(x + RADIUS + 4, y - 4, value, "", "base west") + _said(x + RADIUS + 4, y + 11, label, "under", "base west")
            )
        if not side or spread.up[place] < 0:
            direction = 1 if side == 0 and y > spread.y[0] else -1
            text = " · ".join(filter(None, (value, label)))
            return commands + _said(x, y + direction * (RADIUS + 13) + 4, text, "", "base")
        edge, end = x - side * ((RADIUS if spread.actor[place] != OVER else 3) + 2), "base east" if side > 0 else "base west"
        return commands + _said(edge, y - 5, value, "", end) + _said(edge, y + 13, label, "under", end)

    def _worth(self, x: float, y: float, side: int, worth: Sequence[str]) -> list[str]:
        """Draw the payoffs of an end in the players' colours, stacked or separated by commas."""
        texts = [rf"\textcolor{{seat{player % SEATS + 1}}}{{{tex_number(text)}}}" for player, text in enumerate(worth)]
        if self._spread.down:
            step = 26 if self._spread.fractions else 17
            first = y + 17 + (5 if self._spread.fractions else 0)
            return [_node(x, first + step * player, text, "", "base", raw=True) for player, text in enumerate(texts)]
        return [_node(x + side * 10, y, ",\\ ".join(texts), "", "west" if side > 0 else "east", raw=True)]

    def _rail(self, rail: Rail) -> str:
        """Draw the dashed line of an information set along a level, straight or in its lane."""
        spread, paths, distance = self._spread, list[str](), away(rail.lane)
        for first, second in pairwise(rail.places):
            (x, y), (to_x, to_y) = (spread.x[first], spread.y[first]), (spread.x[second], spread.y[second])
            points = [(x, y), (to_x, to_y)]
            if rail.lane:
                points[1:1] = [(x, y - distance), (to_x, y - distance)] if spread.down else [(x - distance, y), (x - distance, to_y)]
            paths.append(" -- ".join(map(_at, points)))
        return self._dashed(rail, f"[rounded corners=3pt] {' '.join(paths)}" if rail.lane else " ".join(paths))

    def _link(self, rail: Rail) -> str:
        """Draw a dashed curve between two levels, where no branch runs."""
        spread, (first, second) = self._spread, rail.places
        x, y, to_x, to_y = spread.x[first], spread.y[first], spread.x[second], spread.y[second]
        if spread.down:
            control_distance = max(24.0, abs(to_x - x) * 0.5) * (1 if to_x > x else -1)
            first_control, second_control = (x + control_distance, y), (to_x - control_distance, to_y)
        elif spread.up[second] == first:
            control_y, control_dx = max(y, to_y) + 26, (to_x - x) * 0.2
            first_control, second_control = (x + control_dx, control_y), (to_x - control_dx, control_y)
        else:
            control_distance = max(24.0, abs(to_y - y) * 0.5) * (1 if to_y > y else -1)
            first_control, second_control = (x, y + control_distance), (to_x, to_y - control_distance)
        return self._dashed(rail, f"{_at((x, y))} .. controls {_at(first_control)} and {_at(second_control)} .. {_at((to_x, to_y))}")

    def _dashed(self, rail: Rail, way: str) -> str:
        color = "ink" if rail.dash % 2 else f"seat{self._spread.actor[rail.places[0]] % SEATS + 1}"
        lengths = [f"{'off' if index % 2 else 'on'} {n(length * 0.75)}pt" for index, length in enumerate(DASHES[rail.dash])]
        return rf"\draw[together, draw={color}, dash pattern={' '.join(map(str, lengths))}] {way};".replace("] [", ", ", 1)


class _Hand:
    """A stand-in for `svg_primitives.Box` that draws small cards with TikZ."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def card(self, code: str, x: float, y: float) -> str:
        """Draw a card with its upper left corner at a point."""
        card, (width, height) = Card(code), CARD
        rank = r"\ensuremath{\star}" if card.is_joker else "10" if card.rank == "T" else str(card.rank)
        color_option = "text=red!70!black" if card.suit in ("d", "h") or code == "Xr" else ""
        self.drawn.append(rf"\draw[card] {_at((x, y))} rectangle {_at((x + width, y + height))};")
        self.drawn += _said(
            x + width / 2, y + 12, rank, f"font=\\sffamily\\tiny\\bfseries{', ' * bool(color_option)}{color_option}", "base", raw=True
        )
        if card.suit:
            suit = rf"\ensuremath{{{_SUITS[card.suit]}}}"
            self.drawn += _said(x + width / 2, y + 22.5, suit, f"font=\\tiny{', ' * bool(color_option)}{color_option}", "base", raw=True)
        return ""


def _at(point: tuple[float, float]) -> str:
    return f"({n(point[0])},{n(point[1])})"


def _node(x: float, y: float, words: str, kind: str, anchor: str, *, raw: bool = False) -> str:
    return rf"\node[{kind}{', ' * bool(kind)}anchor={anchor}] at {_at((x, y))} {{{words if raw else tex(words)}}};"


def _said(x: float, y: float, words: str, kind: str, anchor: str, *, raw: bool = False) -> list[str]:
    """Return the command that writes a text, if it is not empty."""
    return [_node(x, y, words, kind, anchor, raw=raw)] if words else []


def _sign(actor: int, x: float, y: float) -> list[str]:
    """Draw the sign of who acts.

    A player has a shape with a number in the player's colour; chance is an open circle, an end a dot.
    """
    if actor == CHANCE:
        return [rf"\filldraw[draw=line, fill=white, line width=1.2pt] {_at((x, y))} circle [radius={n(RADIUS * 0.54)}pt];"]
    if actor < 0:
        return [rf"\fill[ink] {_at((x, y))} circle [radius=1.95pt];"]
    color, corners = f"seat{actor % SEATS + 1}", _CORNERS.get(actor % SEATS)
    if corners:
        angles = [2 * pi * corner / corners - pi / 2 for corner in range(corners)]
        points = [(x + 1.2 * RADIUS * cos(angle), y + 1.2 * RADIUS * sin(angle)) for angle in angles]
        shape = f"{' -- '.join(map(_at, points))} -- cycle"
    elif actor % SEATS:
        half_width = RADIUS * 0.9
        shape = f"{_at((x - half_width, y - half_width))} rectangle {_at((x + half_width, y + half_width))}"
    else:
        shape = f"{_at((x, y))} circle [radius={n(RADIUS * 0.75)}pt]"
    return [rf"\fill[{color}] {shape};", _node(x, y, str(actor + 1), "text=white, font=\\sffamily\\scriptsize\\bfseries", "center")]


def tex(words: str) -> str:
    r"""Escape a text for LaTeX.

    >>> print(tex("50 % of {9♣} & $x_1$"))
    50 \% of \{9\ensuremath{\clubsuit}\} \& \$x\_1\$
    """
    return "".join(_TEX_SIGNS.get(character, character) for character in words)


def tex_number(said: str) -> str:
    r"""Format a payoff or a probability for LaTeX, with a fraction bar and a minus sign.

    >>> print(tex_number("-2/3"), tex_number("-1"), tex_number("≈1·10⁴"))
    \ensuremath{-\textstyle\frac{2}{3}} \ensuremath{-1} \ensuremath{\approx}1\ensuremath{\cdot}10\textsuperscript{4}
    """
    match = _FRACTION.fullmatch(said)
    if match:
        return rf"\ensuremath{{{'-' if match[1] else ''}\textstyle\frac{{{match[2]}}}{{{match[3]}}}}}"
    return rf"\ensuremath{{-{said[1:]}}}" if re.fullmatch(r"[-−][\d.]+", said) else tex(said)


def document(body: str, about: str, *, tikz: bool = True) -> str:
    r"""Return a complete LaTeX file around a picture or a table.

    It compiles with any engine. If it has letters that pdfLaTeX can't print, it needs an engine that takes any font.

    >>> print(document("x", "A tree").splitlines()[0])
    % A tree
    """
    is_latin = all(_LATIN.fullmatch(character) for character in body)
    engine = "pdflatex, lualatex or xelatex" if is_latin else "lualatex or xelatex, with a font that has its letters"
    title = " ".join(about.split()) or "A game"
    fonts = [r"\usepackage{iftex}", r"\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi"]
    if not is_latin:
        fonts = [r"\usepackage{fontspec}", r"\setsansfont{DejaVu Sans} % or any other that has the letters below"]
    lines = [f"% {title}", f"% Made by durak_widget. To be set with {engine}.", r"\documentclass[border=4pt]{standalone}", *fonts]
    return "\n".join([*lines, *([r"\usepackage{tikz}"] if tikz else []), r"\begin{document}", body, r"\end{document}", ""])


def grid_tabular(grid: Grid) -> str:
    r"""Return the remaining matrix as a `tabular`.

    >>> from durak_widget.board.matrix_view_model import Grid
    >>> from durak_widget.board.matrix_view_model import Saying
    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> from durak_widget.i18n import Voice
    >>> table = matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> print(grid_tabular(Grid(table, Saying(table, Voice()))))
    \begin{tabular}{rr|c|c|}
    \multicolumn{2}{c}{} & \multicolumn{2}{c}{Bob} \\
    \multicolumn{2}{c}{} & \multicolumn{1}{c}{silent} & \multicolumn{1}{c}{talks} \\ \cline{3-4}
    Ann & silent & 3,\ 3 & 0,\ \underline{5} \\ \cline{3-4}
     & talks & \underline{5},\ 0 & \underline{1},\ \underline{1} \\ \cline{3-4}
    \end{tabular}
    """
    wording, best = grid.saying, grid.best()
    rows, columns = (grid.striking.alive(player) for player in (0, 1))
    line = f"\\\\ \\cline{{3-{len(columns) + 2}}}"
    heads = " & ".join(rf"\multicolumn{{1}}{{c}}{{{tex(wording.plan(1, column))}}}" for column in columns)
    lines = [
        rf"\begin{{tabular}}{{rr|{'c|' * len(columns)}}}",
        rf"\multicolumn{{2}}{{c}}{{}} & \multicolumn{{{len(columns)}}}{{c}}{{{tex(wording.names[1])}}} \\",
        rf"\multicolumn{{2}}{{c}}{{}} & {heads} {line}",
    ]
    for index, row in enumerate(rows):
        cells = []
        for column in columns:
            parts = payoffs_of(grid, row, column, best[row][column] if grid.marked else 0)
            cells.append(",\\ ".join(_payoff(text, marked=is_best, alone=len(parts) == 1) for text, is_best in parts))
        lines.append(f"{'' if index else tex(wording.names[0])} & {tex(wording.plan(0, row))} & {' & '.join(cells)} {line}")
    return "\n".join([*lines, r"\end{tabular}"])


def _payoff(text: str, *, marked: bool, alone: bool) -> str:
    """Format a payoff: underlined if it is a best response.

    If one number is shown for both players, the sign after it says whose best response it is.
    """
    number = text.rstrip("".join(SIGNS))
    formatted = tex_number(number)
    return formatted + tex(text[len(number) :]) if alone else rf"\underline{{{formatted}}}" if marked else formatted


def grid_page(grid: Grid) -> str:
    """Return the matrix as a complete LaTeX file, with the notes below it as comments."""
    title = " x ".join(grid.saying.names)
    comments = [f"% {' '.join(note.split())}" for note in below(grid)]
    return document("\n".join([grid_tabular(grid), *comments]), title, tikz=False)
