"""Exports trees as TikZ and matrices as LaTeX tables.

A TikZ picture uses the same positions as the SVG picture and needs no library but TikZ. A matrix is printed
as in textbooks: players beside their strategies, best responses underlined. All names are escaped, so that
none is read as a LaTeX command. Card suits print in every LaTeX engine.
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
"""So many points TeX can measure, or a few more."""
_SUITS: Final = {"c": r"\clubsuit", "d": r"\diamondsuit", "h": r"\heartsuit", "s": r"\spadesuit"}
_CORNERS: Final = {2: 4, 3: 3, 4: 6, 5: 5}
"""How many corners the signs of the third player and of those after it have; the first is a circle, the second a square."""
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
    r"""What is drawn of a tree, made of what its page is told of it.

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
        """A file of its own."""
        if max(self._spread.width, self._spread.height) * 0.75 > _LONGEST:
            raise DurakError(
                "TeX draws nothing that is longer than 5.7 metres, and this tree would be; unfold less of it, or save it as .svg"
            )
        return document(self.picture, self._about.partition("\n")[0])

    @property
    def picture(self) -> str:
        """The picture, with the colours before it."""
        spread = self._spread
        lines = [(place, one) for place, one in enumerate(spread.branches) if one is not None]
        lines.sort(key=lambda line: (line[1].lit, line[1].weight or 0))  # what matters most lies on top
        drawn = [
            *self._head(),
            *["% branches", *[self._line(*line) for line in lines]],
            *["% information sets", *[self._rail(rail) for rail in spread.rails], *[self._link(link) for link in spread.links]],
            *["% moves", *[said for line in lines for said in self._words(*line)]],
            *[_node(x, y, name, "called", "center") for x, y, name in spread.named()],
            *["% places", *[said for place in spread.shown for said in self._node(place)]],
        ]
        colors = [rf"\definecolor{{{name}}}{{HTML}}{{{color[1:].upper()}}}" for name, color in _COLORS.items()]
        return "\n".join([*colors, rf"\begin{{tikzpicture}}[{_STYLES}]", *drawn, r"\end{tikzpicture}"])

    def _head(self) -> list[str]:
        """What it is, who is who, and what the solution says of it."""
        spread, y, drawn, title = self._spread, MARGIN + 6.0, ["% who is who"], self._drawing["title"]
        if title:
            drawn.append(_node(MARGIN, y + 6, rf"\textbf{{{tex(clipped(title, 90))}}}", "", "base west", raw=True))
            y += 26
        for actor, said, right, line in spread.legend:
            x, down = MARGIN + right, y + LEGEND * line
            drawn += [*_sign(actor, x + RADIUS, down), _node(x + 2 * RADIUS + 7, down + 4.5, said, "", "base west")]
        y += LEGEND * spread.legend[-1][-1]
        return drawn + [_node(MARGIN, y + 24, line, "", "base west") for line in spread.said]

    def _line(self, place: int, one: Branch) -> str:
        """The branch to a node: it fans out from the node before, and then runs straight to this one."""
        spread, up = self._spread, self._spread.up[place]
        x, y, before_x, before_y = spread.x[place], spread.y[place], spread.x[up], spread.y[up]
        points = [(before_x, before_y), (x, y)]
        if spread.down:
            points.insert(1, (x, before_y + RADIUS + FORK))
        elif side := spread.side[place]:
            points.insert(1, (before_x + side * (RADIUS + FORK), y))
        thick = 1.5 if one.weight is None else 1 + 4.5 * one.weight
        kind = "lit" if one.lit else "branch, draw opacity=0.4" if one.weight == 0 else "branch"
        wide = f"line width={n((max(thick, 2.8) if one.lit else thick) * 0.75)}pt"
        return rf"\draw[{kind}, {wide}] {' -- '.join(map(_at, points))};"

    def _words(self, place: int, one: Branch) -> list[str]:
        """What is said of a branch: its words above it, or its cards on it; probability and labels below."""
        spread, up, below = self._spread, self._spread.up[place], f"under{', text=lit' if one.lit or one.best else ''}"
        x, y = spread.x[place], spread.y[place]
        side = spread.side[place]
        if spread.down:
            y = spread.y[up] + RADIUS + FORK + 2
            if one.cards:
                found = self._cards(one, x - one.cards / 2, y + CARD[1] / 2)
                return found + _said(x + one.cards / 2 + 4, y + CARD[1] / 2 + 9, one.below, below, "base west")
            return _said(x + 6, y + 12, one.said, "", "base west") + _said(x + 6, y + 26, one.below, below, "base west")
        if not side:
            y = (spread.y[up] + y) / 2
            return _said(x + 7, y, one.said, "", "base west") + _said(x + 7, y + 14, one.below, below, "base west")
        left = spread.x[up] + side * (RADIUS + FORK + PAD)
        right = x - side * (RADIUS + spread.gutter[self._drawing["nodes"]["level"][place]] + PAD)
        x = (left + right) / 2
        if one.cards:
            left = x - one.wide / 2
            return self._cards(one, left, y) + _said(left + one.cards + 4, y + 12, one.below, below, "base west")
        return _said(x, y - 5, one.said, "", "base") + _said(x, y + 13, one.below, below, "base")

    @staticmethod
    def _cards(one: Branch, x: float, y: float) -> list[str]:
        """The small cards of a move, where the picture has them."""
        hand = _Hand()
        svg_primitives.laid(hand, one.told, x, y)  # type: ignore[arg-type]
        return hand.drawn

    def _node(self, place: int) -> list[str]:
        """The sign of who acts there, and what stands beside it: payoffs, how many are folded away, what it is worth, an author's labels."""
        spread = self._spread
        x, y, more, side = spread.x[place], spread.y[place], spread.more[place], spread.side[place]
        drawn = _sign(spread.actor[place], x, y)
        if spread.actor[place] == OVER:
            drawn += self._worth(x, y, side, self._drawing["ends"][str(spread.info[place])])
        elif more:
            far = x + side * (RADIUS + 10 + small(f"+{more}") / 2)
            drawn += (
                _said(x, y + RADIUS + 18, f"+{more}", "under", "base") if spread.down else _said(far, y + 4, f"+{more}", "under", "base")
            )
        value, label = spread.values[place], spread.labels[place]
        if spread.down:
            return drawn + _said(x + RADIUS + 4, y - 4, value, "", "base west") + _said(x + RADIUS + 4, y + 11, label, "under", "base west")
        if not side or spread.up[place] < 0:
            high = 1 if side == 0 and y > spread.y[0] else -1
            said = " · ".join(filter(None, (value, label)))
            return drawn + _said(x, y + high * (RADIUS + 13) + 4, said, "", "base")
        edge, end = x - side * ((RADIUS if spread.actor[place] != OVER else 3) + 2), "base east" if side > 0 else "base west"
        return drawn + _said(edge, y - 5, value, "", end) + _said(edge, y + 13, label, "under", end)

    def _worth(self, x: float, y: float, side: int, worth: Sequence[str]) -> list[str]:
        """The payoffs of an end, each in the colour of its seat: below one another, or with commas between them."""
        said = [rf"\textcolor{{seat{seat % SEATS + 1}}}{{{tex_number(one)}}}" for seat, one in enumerate(worth)]
        if self._spread.down:
            step = 26 if self._spread.fractions else 17
            first = y + 17 + (5 if self._spread.fractions else 0)
            return [_node(x, first + step * seat, one, "", "base", raw=True) for seat, one in enumerate(said)]
        return [_node(x + side * 10, y, ",\\ ".join(said), "", "west" if side > 0 else "east", raw=True)]

    def _rail(self, rail: Rail) -> str:
        """The dashed line of an information set along a level: straight where nothing lies between, beside it otherwise."""
        spread, ways, far = self._spread, list[str](), away(rail.lane)
        for one, two in pairwise(rail.places):
            (x, y), (to_x, to_y) = (spread.x[one], spread.y[one]), (spread.x[two], spread.y[two])
            points = [(x, y), (to_x, to_y)]
            if rail.lane:
                points[1:1] = [(x, y - far), (to_x, y - far)] if spread.down else [(x - far, y), (x - far, to_y)]
            ways.append(" -- ".join(map(_at, points)))
        return self._dashed(rail, f"[rounded corners=3pt] {' '.join(ways)}" if rail.lane else " ".join(ways))

    def _link(self, rail: Rail) -> str:
        """A line from level to level: it leaves one node and comes to the other along the level, where no branch runs."""
        spread, (one, two) = self._spread, rail.places
        x, y, to_x, to_y = spread.x[one], spread.y[one], spread.x[two], spread.y[two]
        if spread.down:
            bend = max(24.0, abs(to_x - x) * 0.5) * (1 if to_x > x else -1)
            out, back = (x + bend, y), (to_x - bend, to_y)
        elif spread.up[two] == one:
            low, far = max(y, to_y) + 26, (to_x - x) * 0.2
            out, back = (x + far, low), (to_x - far, low)
        else:
            bend = max(24.0, abs(to_y - y) * 0.5) * (1 if to_y > y else -1)
            out, back = (x, y + bend), (to_x, to_y - bend)
        return self._dashed(rail, f"{_at((x, y))} .. controls {_at(out)} and {_at(back)} .. {_at((to_x, to_y))}")

    def _dashed(self, rail: Rail, way: str) -> str:
        color = "ink" if rail.dash % 2 else f"seat{self._spread.actor[rail.places[0]] % SEATS + 1}"
        lengths = [f"{'off' if place % 2 else 'on'} {n(length * 0.75)}pt" for place, length in enumerate(DASHES[rail.dash])]
        return rf"\draw[together, draw={color}, dash pattern={' '.join(map(str, lengths))}] {way};".replace("] [", ", ", 1)


class _Hand:
    """Takes small cards as a picture does, and draws them."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def card(self, code: str, x: float, y: float) -> str:
        """A card with its upper left corner there."""
        card, (wide, high) = Card(code), CARD
        rank = r"\ensuremath{\star}" if card.is_joker else "10" if card.rank == "T" else str(card.rank)
        ink = "text=red!70!black" if card.suit in ("d", "h") or code == "Xr" else ""
        self.drawn.append(rf"\draw[card] {_at((x, y))} rectangle {_at((x + wide, y + high))};")
        self.drawn += _said(x + wide / 2, y + 12, rank, f"font=\\sffamily\\tiny\\bfseries{', ' * bool(ink)}{ink}", "base", raw=True)
        if card.suit:
            suit = rf"\ensuremath{{{_SUITS[card.suit]}}}"
            self.drawn += _said(x + wide / 2, y + 22.5, suit, f"font=\\tiny{', ' * bool(ink)}{ink}", "base", raw=True)
        return ""


def _at(point: tuple[float, float]) -> str:
    return f"({n(point[0])},{n(point[1])})"


def _node(x: float, y: float, words: str, kind: str, anchor: str, *, raw: bool = False) -> str:
    return rf"\node[{kind}{', ' * bool(kind)}anchor={anchor}] at {_at((x, y))} {{{words if raw else tex(words)}}};"


def _said(x: float, y: float, words: str, kind: str, anchor: str, *, raw: bool = False) -> list[str]:
    """Words there, if there are any."""
    return [_node(x, y, words, kind, anchor, raw=raw)] if words else []


def _sign(actor: int, x: float, y: float) -> list[str]:
    """The sign of who acts: an open circle for chance, a dot for an end, a shape with a number in the colour of each seat."""
    if actor == CHANCE:
        return [rf"\filldraw[draw=line, fill=white, line width=1.2pt] {_at((x, y))} circle [radius={n(RADIUS * 0.54)}pt];"]
    if actor < 0:
        return [rf"\fill[ink] {_at((x, y))} circle [radius=1.95pt];"]
    color, corners = f"seat{actor % SEATS + 1}", _CORNERS.get(actor % SEATS)
    if corners:
        turns = [2 * pi * place / corners - pi / 2 for place in range(corners)]
        points = [(x + 1.2 * RADIUS * cos(turn), y + 1.2 * RADIUS * sin(turn)) for turn in turns]
        shape = f"{' -- '.join(map(_at, points))} -- cycle"
    elif actor % SEATS:
        half = RADIUS * 0.9
        shape = f"{_at((x - half, y - half))} rectangle {_at((x + half, y + half))}"
    else:
        shape = f"{_at((x, y))} circle [radius={n(RADIUS * 0.75)}pt]"
    return [rf"\fill[{color}] {shape};", _node(x, y, str(actor + 1), "text=white, font=\\sffamily\\scriptsize\\bfseries", "center")]


def tex(words: str) -> str:
    r"""Words for LaTeX.

    >>> print(tex("50 % of {9♣} & $x_1$"))
    50 \% of \{9\ensuremath{\clubsuit}\} \& \$x\_1\$
    """
    return "".join(_TEX_SIGNS.get(sign, sign) for sign in words)


def tex_number(said: str) -> str:
    r"""A payoff, or a probability: a fraction with its stroke, a minus that is one.

    >>> print(tex_number("-2/3"), tex_number("-1"), tex_number("≈1·10⁴"))
    \ensuremath{-\textstyle\frac{2}{3}} \ensuremath{-1} \ensuremath{\approx}1\ensuremath{\cdot}10\textsuperscript{4}
    """
    found = _FRACTION.fullmatch(said)
    if found:
        return rf"\ensuremath{{{'-' if found[1] else ''}\textstyle\frac{{{found[2]}}}{{{found[3]}}}}}"
    return rf"\ensuremath{{-{said[1:]}}}" if re.fullmatch(r"[-−][\d.]+", said) else tex(said)


def document(body: str, about: str, *, tikz: bool = True) -> str:
    r"""A whole file around what is drawn: any engine makes it, or, where letters are neither Latin nor Lithuanian, those that take any font.

    >>> print(document("x", "A tree").splitlines()[0])
    % A tree
    """
    plain = all(_LATIN.fullmatch(sign) for sign in body)
    engine = "pdflatex, lualatex or xelatex" if plain else "lualatex or xelatex, with a font that has its letters"
    head = " ".join(about.split()) or "A game"
    fonts = [r"\usepackage{iftex}", r"\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi"]
    if not plain:
        fonts = [r"\usepackage{fontspec}", r"\setsansfont{DejaVu Sans} % or any other that has the letters below"]
    lines = [f"% {head}", f"% Made by durak_widget. To be set with {engine}.", r"\documentclass[border=4pt]{standalone}", *fonts]
    return "\n".join([*lines, *([r"\usepackage{tikz}"] if tikz else []), r"\begin{document}", body, r"\end{document}", ""])


def grid_tabular(grid: Grid) -> str:
    r"""What is left of the matrix, as a `tabular`.

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
    saying, best = grid.saying, grid.best()
    rows, columns = (grid.striking.alive(seat) for seat in (0, 1))
    line = f"\\\\ \\cline{{3-{len(columns) + 2}}}"
    heads = " & ".join(rf"\multicolumn{{1}}{{c}}{{{tex(saying.plan(1, column))}}}" for column in columns)
    lines = [
        rf"\begin{{tabular}}{{rr|{'c|' * len(columns)}}}",
        rf"\multicolumn{{2}}{{c}}{{}} & \multicolumn{{{len(columns)}}}{{c}}{{{tex(saying.names[1])}}} \\",
        rf"\multicolumn{{2}}{{c}}{{}} & {heads} {line}",
    ]
    for at, row in enumerate(rows):
        cells = []
        for column in columns:
            parts = payoffs_of(grid, row, column, best[row][column] if grid.marked else 0)
            cells.append(",\\ ".join(_payoff(text, marked=marked, alone=len(parts) == 1) for text, marked in parts))
        lines.append(f"{'' if at else tex(saying.names[0])} & {tex(saying.plan(0, row))} & {' & '.join(cells)} {line}")
    return "\n".join([*lines, r"\end{tabular}"])


def _payoff(text: str, *, marked: bool, alone: bool) -> str:
    """A payoff, underlined where it is a best response; where one number stands for both players, with the sign of whose it is."""
    number = text.rstrip("".join(SIGNS))
    said = tex_number(number)
    return said + tex(text[len(number) :]) if alone else rf"\underline{{{said}}}" if marked else said


def grid_page(grid: Grid) -> str:
    """A file of its own; what is said below the matrix stands in it as remarks."""
    about = " x ".join(grid.saying.names)
    said = [f"% {' '.join(one.split())}" for one in below(grid)]
    return document("\n".join([grid_tabular(grid), *said]), about, tikz=False)
