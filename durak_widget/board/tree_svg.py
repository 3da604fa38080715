"""Render a tree as a self-contained SVG picture: its open part or the whole.

It works on GitHub and in print, with light and dark colour schemes.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from durak_widget.board import svg_primitives
from durak_widget.board.svg_primitives import CARD, RADIUS, SEATS, clipped, draw_number, draw_text, number_wide, pill, small
from durak_widget.board.tree_layout import DASHES, FORK, LEGEND, MARGIN, PAD, Spread, away
from durak_widget.board.tree_wording import beginning
from durak_widget.engine.card_svg import FONTS, CardSheet, n
from durak_widget.gametheory.tree import OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.tree_layout import Branch, Rail
    from durak_widget.cards import Card

_BLACK, _RED, _GREEN, _BLUE = "#1f2630", "#b3202c", "#14683a", "#1b57a6"
_INKS: Final = {"c": _BLACK, "d": _RED, "h": _RED, "s": _BLACK}
_FOUR: Final = {**_INKS, "c": _GREEN, "d": _BLUE}


class TreePicture:
    """An SVG picture of a tree, made from the data that its page gets.

    >>> from durak_widget.board import Tree
    >>> from durak_widget.gametheory import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> Tree(tree).svg()[:54]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2'
    """

    def __init__(
        self, drawing: Mapping[str, Any], solution: Mapping[str, Any], about: str, *, four_colors: bool = False, language: str = "en"
    ) -> None:
        self._drawing, self._about, self._language = drawing, about, language
        self._spread = Spread(drawing, solution)
        inks = _FOUR if four_colors else _INKS

        def ink(card: Card) -> str:
            return inks[card.suit] if card.suit else _RED if str(card) == "Xr" else _BLACK

        self._prefix = f"t{crc32(f'{about}{four_colors}{self._spread.down}{language}'.encode()) % 16**6:x}"
        self._sheet = CardSheet(self._prefix, trump=None, four_colors=four_colors)
        self._box = svg_primitives.Box(self._prefix, self._sheet, ink)

    @property
    def svg(self) -> str:
        """Return the picture: no scripts or links, and the same text for the same tree."""
        spread, prefix = self._spread, self._prefix
        lines = [(position, branch) for position, branch in enumerate(spread.branches) if branch is not None]
        lines.sort(key=lambda line: (line[1].lit, line[1].weight or 0))  # the most important branches are drawn on top
        parts = [
            *[self._line(*line) for line in lines],
            *[self._rail(rail) for rail in spread.rails],
            *[self._link(link) for link in spread.links],
            *[self._words(*line) for line in lines],
            *[draw_text(x, y + 4, name, "t-soft t-small t-mid t-halo") for x, y, name in spread.named()],
            *[self._node(position) for position in spread.shown],
        ]
        head, body, width, height = self._head(), "".join(parts), n(spread.width), n(spread.height)
        title, _, description = beginning(self._about).partition("\n")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" lang="{self._language}"'
            f' role="img" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc" font-family="{FONTS}">'
            f'<title id="{prefix}title">{escape(title)}</title><desc id="{prefix}desc">{escape(description)}</desc><style>{svg_primitives.STYLE}</style>'
            f"{self._sheet.defs()}<defs>{self._box.defs()}</defs>"
            f'<rect class="t-bg" x=".5" y=".5" width="{n(spread.width - 1)}" height="{n(spread.height - 1)}" rx="10"/>{head}{body}</svg>'
        )

    def _line(self, place: int, one: Branch) -> str:
        """Draw the branch to a node: a fork at the parent, then a straight line."""
        spread, parent = self._spread, self._spread.up[place]
        x, y, parent_x, parent_y = spread.x[place], spread.y[place], spread.x[parent], spread.y[parent]
        if spread.down:
            path = f"M{n(parent_x)} {n(parent_y)}L{n(x)} {n(parent_y + RADIUS + FORK)}V{n(y)}"
        elif side := spread.side[place]:
            path = f"M{n(parent_x)} {n(parent_y)}L{n(parent_x + side * (RADIUS + FORK))} {n(y)}H{n(x)}"
        else:
            path = f"M{n(parent_x)} {n(parent_y)}V{n(y)}"
        width = 1.5 if one.weight is None else 1 + 4.5 * one.weight
        css_class = "t-lit" if one.lit else "t-line t-never" if one.weight == 0 else "t-line"
        return f'<path class="{css_class}" stroke-width="{n(max(width, 2.8) if one.lit else width)}" d="{path}"/>'

    def _words(self, place: int, one: Branch) -> str:
        """Draw the label of a branch: cards or words, probability and labels below.

        To the right of a branch that runs down.
        """
        spread, parent = self._spread, self._spread.up[place]
        css_class = f"{'t-gold t-b' if one.lit or one.best else 't-soft'} t-small t-halo"
        if spread.down:
            x, y = spread.x[place], spread.y[parent] + RADIUS + FORK + 2
            if one.cards:
                middle = y + CARD[1] / 2
                return svg_primitives.laid(self._box, one.told, x - one.cards / 2, middle) + draw_text(
                    x + one.cards / 2 + 4, middle + 9, one.below, css_class
                )
            return draw_text(x + 6, y + 12, one.said, "t-ink t-halo") + draw_text(x + 6, y + 26, one.below, css_class)
        side = spread.side[place]
        if not side:  # on a vertical branch
            x, y = spread.x[place] + 7, (spread.y[parent] + spread.y[place]) / 2
            return draw_text(x, y, one.said, "t-ink t-halo") + draw_text(x, y + 14, one.below, css_class)
        left = spread.x[parent] + side * (RADIUS + FORK + PAD)
        right = spread.x[place] - side * (RADIUS + spread.gutter[self._drawing["nodes"]["level"][place]] + PAD)
        x, y = (left + right) / 2, spread.y[place]
        if one.cards:
            left = x - one.wide / 2
            return svg_primitives.laid(self._box, one.told, left, y) + draw_text(left + one.cards + 4, y + 12, one.below, css_class)
        return draw_text(x, y - 5, one.said, "t-ink t-mid") + draw_text(x, y + 13, one.below, f"{css_class} t-mid")

    def _node(self, place: int) -> str:
        """Draw a node's sign with its payoffs or hidden count, its value and its labels."""
        spread = self._spread
        x, y, hidden_count = spread.x[place], spread.y[place], spread.more[place]
        result = self._box.sign(spread.actor[place], x, y)
        if spread.actor[place] == OVER:
            result += self._worth(x, y, spread.side[place], self._drawing["ends"][str(spread.info[place])])
        elif hidden_count:
            text = f"+{hidden_count}"
            distance = -RADIUS - 16 - small(text) if spread.side[place] < 0 else RADIUS + 4
            result += pill(x - (small(text) + 12) / 2, y + RADIUS + 14, text) if spread.down else pill(x + distance, y, text)
        value, label = spread.values[place], spread.labels[place]
        if spread.down:
            result += draw_text(x + RADIUS + 4, y - 4, value, "t-ink t-small t-b t-halo") + draw_text(
                x + RADIUS + 4, y + 11, label, "t-soft t-small t-halo"
            )
        elif not spread.side[place]:  # in the middle: to the left, away from branch labels, or beyond the outermost
            direction = -1 if y < spread.y[0] else 1
            text, css_class = (" · ".join(filter(None, (value, label))), "t-ink t-small t-b t-halo")
            result += (
                draw_text(x, y + direction * (RADIUS + 13) + 4, text, f"{css_class} t-mid")
                if y != spread.y[0]
                else draw_text(x - RADIUS - 4, y + 4, text, f"{css_class} t-end")
            )
        elif spread.up[place] < 0:
            result += draw_text(x, y - RADIUS - 4, value, "t-ink t-small t-b t-mid t-halo") + draw_text(
                x, y + RADIUS + 12, label, "t-soft t-small t-mid t-halo"
            )
        else:
            side = spread.side[place]
            edge, end = x - side * ((RADIUS if spread.actor[place] != OVER else 3) + 2), "t-end" if side > 0 else ""
            result += draw_text(edge, y - 5, value, f"t-ink t-small t-b t-halo {end}") + draw_text(
                edge, y + 13, label, f"t-soft t-small t-halo {end}"
            )
        return result

    def _worth(self, x: float, y: float, side: int, worth: Sequence[str]) -> str:
        """Draw the payoffs of an end in the players' colours, stacked or separated by commas."""
        spread, result = self._spread, ""
        if spread.down:
            step = 26 if spread.fractions else 17
            for player, payoff in enumerate(worth):
                line_y = y + 17 + (5 if spread.fractions else 0) + step * player
                result += draw_number(x + number_wide(payoff) / 2, line_y, payoff, f"t-s{player % SEATS} t-b")
            return result
        right = x + 10 if side > 0 else x - 10 - sum(spread.columns) - 10 * (len(worth) - 1)
        for player, (payoff, width) in enumerate(zip(worth, spread.columns, strict=True)):
            right += width + (10 if player else 0)
            result += draw_number(right, y, payoff, f"t-s{player % SEATS} t-b") + draw_text(
                right + 0.5, y + 4.5, "," if player < len(worth) - 1 else "", "t-soft"
            )
        return result

    def _rail(self, rail: Rail) -> str:
        """Draw the dashed line of an information set along a level, straight or in its lane."""
        spread, paths = self._spread, list[str]()
        distance = away(rail.lane)
        for first, second in pairwise(rail.places):
            x, y, to_x, to_y = spread.x[first], spread.y[first], spread.x[second], spread.y[second]
            if not rail.lane:
                paths.append(f"M{n(x)} {n(y)}L{n(to_x)} {n(to_y)}")
            elif spread.down:
                lane_coordinate, corner_y = n(y - distance), n(y - distance + 5)
                paths.append(
                    f"M{n(x)} {n(y)}V{corner_y}Q{n(x)} {lane_coordinate} {n(x + 5)} {lane_coordinate}H{n(to_x - 5)}Q{n(to_x)} {lane_coordinate} {n(to_x)} {corner_y}V{n(y)}"
                )
            else:
                lane_coordinate, corner_x = n(x - distance), n(x - distance + 5)
                paths.append(
                    f"M{n(x)} {n(y)}H{corner_x}Q{lane_coordinate} {n(y)} {lane_coordinate} {n(y + 5)}V{n(to_y - 5)}Q{lane_coordinate} {n(to_y)} {corner_x} {n(to_y)}H{n(x)}"
                )
        return self._dashes(rail, "".join(paths))

    def _dashes(self, rail: Rail, way: str) -> str:
        """Draw a dashed path in its pattern; every second pattern has the text colour."""
        css_class = "t-di" if rail.dash % 2 else f"t-d{self._spread.actor[rail.places[0]] % SEATS}"
        pattern = f' style="stroke-dasharray:{" ".join(map(n, DASHES[rail.dash]))}"' if rail.dash else ""
        return f'<path class="t-set {css_class}"{pattern} d="{way}"/>'

    def _link(self, rail: Rail) -> str:
        """Draw a dashed curve between two levels, where no branch runs."""
        spread, (first, second) = self._spread, rail.places
        x, y, to_x, to_y = spread.x[first], spread.y[first], spread.x[second], spread.y[second]
        if spread.down:
            control_distance = max(24.0, abs(to_x - x) * 0.5) * (1 if to_x > x else -1)
            path = f"C{n(x + control_distance)} {n(y)} {n(to_x - control_distance)} {n(to_y)} {n(to_x)} {n(to_y)}"
        elif spread.up[second] == first:  # their own branch and its label are there: curve below them
            control_y, control_dx = max(y, to_y) + 26, (to_x - x) * 0.2
            path = f"C{n(x + control_dx)} {n(control_y)} {n(to_x - control_dx)} {n(control_y)} {n(to_x)} {n(to_y)}"
        else:
            control_distance = max(24.0, abs(to_y - y) * 0.5) * (1 if to_y > y else -1)
            path = f"C{n(x)} {n(y + control_distance)} {n(to_x)} {n(to_y - control_distance)} {n(to_x)} {n(to_y)}"
        return self._dashes(rail, f"M{n(x)} {n(y)}{path}")

    def _head(self) -> str:
        """Draw the title, the legend and the summary of the solution."""
        y, result, title = MARGIN + 6.0, "", self._drawing["title"]
        if title:
            result, y = draw_text(MARGIN, y + 6, clipped(title, 90), "t-ink t-title"), y + 26
        for actor, name, x_offset, line in self._spread.legend:
            x, line_y = MARGIN + x_offset, y + LEGEND * line
            result += self._box.sign(actor, x + RADIUS, line_y) + draw_text(x + 2 * RADIUS + 7, line_y + 4.5, name)
        y += LEGEND * self._spread.legend[-1][-1]
        return result + "".join(draw_text(MARGIN, y + 24, line, "t-soft") for line in self._spread.said)
