"""A tree as a picture that needs nothing else: what is open of it, or the whole; for GitHub, for print, by day and by night."""

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
    """What is drawn of a tree, made of what its page is told of it.

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
        """The picture: the same text for the same tree, without script, and without a link to anything."""
        spread, prefix = self._spread, self._prefix
        lines = [(place, one) for place, one in enumerate(spread.branches) if one is not None]
        lines.sort(key=lambda line: (line[1].lit, line[1].weight or 0))  # what matters most lies on top
        drawn = [
            *[self._line(*line) for line in lines],
            *[self._rail(rail) for rail in spread.rails],
            *[self._link(link) for link in spread.links],
            *[self._words(*line) for line in lines],
            *[draw_text(x, y + 4, name, "t-soft t-small t-mid t-halo") for x, y, name in spread.named()],
            *[self._node(place) for place in spread.shown],
        ]
        head, body, width, height = self._head(), "".join(drawn), n(spread.width), n(spread.height)
        first, _, rest = beginning(self._about).partition("\n")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" lang="{self._language}"'
            f' role="img" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc" font-family="{FONTS}">'
            f'<title id="{prefix}title">{escape(first)}</title><desc id="{prefix}desc">{escape(rest)}</desc><style>{svg_primitives.STYLE}</style>'
            f"{self._sheet.defs()}<defs>{self._box.defs()}</defs>"
            f'<rect class="t-bg" x=".5" y=".5" width="{n(spread.width - 1)}" height="{n(spread.height - 1)}" rx="10"/>{head}{body}</svg>'
        )

    def _line(self, place: int, one: Branch) -> str:
        """The branch to a node: it fans out from the node before, and then runs straight to this one."""
        spread, up = self._spread, self._spread.up[place]
        x, y, before_x, before_y = spread.x[place], spread.y[place], spread.x[up], spread.y[up]
        if spread.down:
            way = f"M{n(before_x)} {n(before_y)}L{n(x)} {n(before_y + RADIUS + FORK)}V{n(y)}"
        elif side := spread.side[place]:
            way = f"M{n(before_x)} {n(before_y)}L{n(before_x + side * (RADIUS + FORK))} {n(y)}H{n(x)}"
        else:
            way = f"M{n(before_x)} {n(before_y)}V{n(y)}"
        thick = 1.5 if one.weight is None else 1 + 4.5 * one.weight
        kind = "t-lit" if one.lit else "t-line t-never" if one.weight == 0 else "t-line"
        return f'<path class="{kind}" stroke-width="{n(max(thick, 2.8) if one.lit else thick)}" d="{way}"/>'

    def _words(self, place: int, one: Branch) -> str:
        """What is said of a branch: its cards on it or its words above it, probability and labels below; to the right of one that runs down."""
        spread, up = self._spread, self._spread.up[place]
        kind = f"{'t-gold t-b' if one.lit or one.best else 't-soft'} t-small t-halo"
        if spread.down:
            x, y = spread.x[place], spread.y[up] + RADIUS + FORK + 2
            if one.cards:
                middle = y + CARD[1] / 2
                return svg_primitives.laid(self._box, one.told, x - one.cards / 2, middle) + draw_text(
                    x + one.cards / 2 + 4, middle + 9, one.below, kind
                )
            return draw_text(x + 6, y + 12, one.said, "t-ink t-halo") + draw_text(x + 6, y + 26, one.below, kind)
        side = spread.side[place]
        if not side:  # on the way up or down
            x, y = spread.x[place] + 7, (spread.y[up] + spread.y[place]) / 2
            return draw_text(x, y, one.said, "t-ink t-halo") + draw_text(x, y + 14, one.below, kind)
        left = spread.x[up] + side * (RADIUS + FORK + PAD)
        right = spread.x[place] - side * (RADIUS + spread.gutter[self._drawing["nodes"]["level"][place]] + PAD)
        x, y = (left + right) / 2, spread.y[place]
        if one.cards:
            left = x - one.wide / 2
            return svg_primitives.laid(self._box, one.told, left, y) + draw_text(left + one.cards + 4, y + 12, one.below, kind)
        return draw_text(x, y - 5, one.said, "t-ink t-mid") + draw_text(x, y + 13, one.below, f"{kind} t-mid")

    def _node(self, place: int) -> str:
        """The sign of who acts there, and what stands beside it: payoffs, how many are folded away, what it is worth, an author's labels."""
        spread = self._spread
        x, y, more = spread.x[place], spread.y[place], spread.more[place]
        drawn = self._box.sign(spread.actor[place], x, y)
        if spread.actor[place] == OVER:
            drawn += self._worth(x, y, spread.side[place], self._drawing["ends"][str(spread.info[place])])
        elif more:
            said = f"+{more}"
            far = -RADIUS - 16 - small(said) if spread.side[place] < 0 else RADIUS + 4
            drawn += pill(x - (small(said) + 12) / 2, y + RADIUS + 14, said) if spread.down else pill(x + far, y, said)
        value, label = spread.values[place], spread.labels[place]
        if spread.down:
            drawn += draw_text(x + RADIUS + 4, y - 4, value, "t-ink t-small t-b t-halo") + draw_text(
                x + RADIUS + 4, y + 11, label, "t-soft t-small t-halo"
            )
        elif not spread.side[place]:  # in the middle: to the left, where no branch has its words, or beyond the outermost
            high = -1 if y < spread.y[0] else 1
            said, kind = (" · ".join(filter(None, (value, label))), "t-ink t-small t-b t-halo")
            drawn += (
                draw_text(x, y + high * (RADIUS + 13) + 4, said, f"{kind} t-mid")
                if y != spread.y[0]
                else draw_text(x - RADIUS - 4, y + 4, said, f"{kind} t-end")
            )
        elif spread.up[place] < 0:
            drawn += draw_text(x, y - RADIUS - 4, value, "t-ink t-small t-b t-mid t-halo") + draw_text(
                x, y + RADIUS + 12, label, "t-soft t-small t-mid t-halo"
            )
        else:
            side = spread.side[place]
            edge, end = x - side * ((RADIUS if spread.actor[place] != OVER else 3) + 2), "t-end" if side > 0 else ""
            drawn += draw_text(edge, y - 5, value, f"t-ink t-small t-b t-halo {end}") + draw_text(
                edge, y + 13, label, f"t-soft t-small t-halo {end}"
            )
        return drawn

    def _worth(self, x: float, y: float, side: int, worth: Sequence[str]) -> str:
        """The payoffs of an end, each in the colour of its seat, in the order of the seats: below one another, or with commas between them."""
        spread, drawn = self._spread, ""
        if spread.down:
            step = 26 if spread.fractions else 17
            for seat, said in enumerate(worth):
                at = y + 17 + (5 if spread.fractions else 0) + step * seat
                drawn += draw_number(x + number_wide(said) / 2, at, said, f"t-s{seat % SEATS} t-b")
            return drawn
        right = x + 10 if side > 0 else x - 10 - sum(spread.columns) - 10 * (len(worth) - 1)
        for seat, (said, width) in enumerate(zip(worth, spread.columns, strict=True)):
            right += width + (10 if seat else 0)
            drawn += draw_number(right, y, said, f"t-s{seat % SEATS} t-b") + draw_text(
                right + 0.5, y + 4.5, "," if seat < len(worth) - 1 else "", "t-soft"
            )
        return drawn

    def _rail(self, rail: Rail) -> str:
        """The dashed line of an information set along a level: straight where nothing lies between, beside it otherwise."""
        spread, ways = self._spread, list[str]()
        far = away(rail.lane)
        for one, two in pairwise(rail.places):
            x, y, to_x, to_y = spread.x[one], spread.y[one], spread.x[two], spread.y[two]
            if not rail.lane:
                ways.append(f"M{n(x)} {n(y)}L{n(to_x)} {n(to_y)}")
            elif spread.down:
                at, down = n(y - far), n(y - far + 5)
                ways.append(f"M{n(x)} {n(y)}V{down}Q{n(x)} {at} {n(x + 5)} {at}H{n(to_x - 5)}Q{n(to_x)} {at} {n(to_x)} {down}V{n(y)}")
            else:
                at, right = n(x - far), n(x - far + 5)
                ways.append(f"M{n(x)} {n(y)}H{right}Q{at} {n(y)} {at} {n(y + 5)}V{n(to_y - 5)}Q{at} {n(to_y)} {right} {n(to_y)}H{n(x)}")
        return self._dashes(rail, "".join(ways))

    def _dashes(self, rail: Rail, way: str) -> str:
        """A dashed line in its pattern: in the colour of its seat, and each second pattern in that of words."""
        kind = "t-di" if rail.dash % 2 else f"t-d{self._spread.actor[rail.places[0]] % SEATS}"
        pattern = f' style="stroke-dasharray:{" ".join(map(n, DASHES[rail.dash]))}"' if rail.dash else ""
        return f'<path class="t-set {kind}"{pattern} d="{way}"/>'

    def _link(self, rail: Rail) -> str:
        """A line from level to level: it leaves one node and comes to the other along the level, where no branch runs."""
        spread, (one, two) = self._spread, rail.places
        x, y, to_x, to_y = spread.x[one], spread.y[one], spread.x[two], spread.y[two]
        if spread.down:
            bend = max(24.0, abs(to_x - x) * 0.5) * (1 if to_x > x else -1)
            way = f"C{n(x + bend)} {n(y)} {n(to_x - bend)} {n(to_y)} {n(to_x)} {n(to_y)}"
        elif spread.up[two] == one:  # its own branch runs there, with what is said of it: below that
            low, far = max(y, to_y) + 26, (to_x - x) * 0.2
            way = f"C{n(x + far)} {n(low)} {n(to_x - far)} {n(low)} {n(to_x)} {n(to_y)}"
        else:
            bend = max(24.0, abs(to_y - y) * 0.5) * (1 if to_y > y else -1)
            way = f"C{n(x)} {n(y + bend)} {n(to_x)} {n(to_y - bend)} {n(to_x)} {n(to_y)}"
        return self._dashes(rail, f"M{n(x)} {n(y)}{way}")

    def _head(self) -> str:
        """What it is, who is who, and what the solution says of it."""
        y, drawn, title = MARGIN + 6.0, "", self._drawing["title"]
        if title:
            drawn, y = draw_text(MARGIN, y + 6, clipped(title, 90), "t-ink t-title"), y + 26
        for actor, said, right, line in self._spread.legend:
            x, down = MARGIN + right, y + LEGEND * line
            drawn += self._box.sign(actor, x + RADIUS, down) + draw_text(x + 2 * RADIUS + 7, down + 4.5, said)
        y += LEGEND * self._spread.legend[-1][-1]
        return drawn + "".join(draw_text(MARGIN, y + 24, line, "t-soft") for line in self._spread.said)
