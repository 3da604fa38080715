"""A tree as a picture that needs nothing else: what is open of it, or the whole; for GitHub, for print, by day and by night.

Levels and rows are those of `lay`; here they become as wide and as high as what is said on branches and at leaves asks for.
"""

from __future__ import annotations

from bisect import bisect_left
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

from durak_widget.board import chalk
from durak_widget.board.chalk import CARD, RADIUS, cards_wide, clipped, n, number, number_wide, pill, sign, small, text, wide
from durak_widget.game.pips import Sheet
from durak_widget.theory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.cards import Card

_FORK, _PAD, _LANE, _LANES, _MARGIN = 22, 7, 7, 12, 18
"""How far branches fan out, the space around what is said of them, that between dashed lines, of which so many lie side by side, and the edge."""
_BLACK, _RED, _GREEN, _BLUE = "#1f2630", "#b3202c", "#14683a", "#1b57a6"
_INKS: Final = {"c": _BLACK, "d": _RED, "h": _RED, "s": _BLACK}
_FOUR: Final = {**_INKS, "c": _GREEN, "d": _BLUE}


class Rail(NamedTuple):
    """The dashed line of an information set along one level."""

    places: list[int]
    lane: int
    """Which of the parallel ways beside the level it takes; 0 straight from node to node."""


class Branch(NamedTuple):
    """What stands at one branch."""

    told: Mapping[str, Any]
    """The move: its words, its cards."""
    said: str
    """The words above it; none where cards say it."""
    below: str
    """Probability and labels, below it."""
    weight: float | None
    """How likely it is in the strategy that is shown; None where none is."""
    lit: bool
    best: bool


class Picture:
    """What is drawn of a tree: made of the traits that its page is told.

    >>> from durak_widget import theory
    >>> from durak_widget.theory import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> theory.Tree(tree).svg()[:41]
    '<svg xmlns="http://www.w3.org/2000/svg" '
    """

    def __init__(
        self, drawing: Mapping[str, Any], solution: Mapping[str, Any], about: str, *, four_colors: bool = False, language: str = "en"
    ) -> None:
        self._drawing, self._solution, self._about, self._language = drawing, solution, about, language
        self._down = drawing["direction"] == "down"
        inks = _FOUR if four_colors else _INKS
        self._sheet = Sheet("", trump=None, four_colors=four_colors)

        def ink(card: Card) -> str:
            return inks[card.suit] if card.suit else _RED if str(card) == "Xr" else _BLACK

        prefix = f"t{crc32(f'{drawing}{solution}{four_colors}{about}'.encode()) % 16**6:x}"
        self._prefix = prefix
        self._sheet = Sheet(prefix, trump=None, four_colors=four_colors)
        self._cards = chalk.Cards(prefix, self._sheet, ink)
        nodes = drawing["nodes"]
        self._id, self._up, self._level, self._row = nodes["id"], nodes["up"], nodes["level"], nodes["row"]
        self._actor, self._info, self._more = nodes["actor"], nodes["info"], nodes["more"]
        self._lit = set(solution.get("lit", ()))
        self._branches = [self._branch(place) for place in range(len(self._id))]
        self._measure()

    # What is said at a branch

    def _branch(self, place: int) -> Branch | None:
        up = self._up[place]
        if up < 0:
            return None
        drawing, solution, at = self._drawing, self._solution, self._drawing["nodes"]["at"][place]
        info, history = str(self._info[up]), self._id[place]
        weight, best, below = None, False, list[str]()
        if self._actor[up] == CHANCE:
            told = drawing["chances"][info]["moves"][at]
            below.append(told["likely"])
        else:
            told = drawing["sets"][info]["moves"][at]
            if info in solution.get("likely", {}):
                weight = float(solution["weight"][info][at])
                below.append(solution["likely"][info][at])
            best = bool(((solution.get("best") or {}).get(info) or {at: False})[at])
        below += drawing.get("labels", {}).get("branches", {}).get(str(history), [])
        said = "" if cards_wide(told) else clipped(str(told["said"]))
        return Branch(told, said, clipped(" · ".join(below), 40), weight, history in self._lit and self._id[up] in self._lit, best)

    # Where things lie

    def _measure(self) -> None:
        """How wide levels are, how high rows, and where each node then is."""
        shown, branches = range(len(self._id)), self._branches
        levels = max(self._level) + 1
        self._rails, self._links, gutter = self._dashed()
        ends = self._drawing["ends"].values()
        self._columns = [max(number_wide(worth[seat]) for worth in ends) for seat in range(len(self._drawing["seats"]))] if ends else []
        carded = any(one is not None and cards_wide(dict(one.told)) for one in branches)
        if self._down:
            self._measure_down(levels, gutter, carded=carded)
            return
        pitch = 37.0 if carded else 31.0 if any(one is not None and one.below for one in branches) or self._fractions() else 26.0
        room = [0.0] * levels
        for place in shown:
            one = branches[place]
            if one is not None:
                room[self._level[place]] = max(room[self._level[place]], self._label_wide(one))
        self._values = self._solution.get("value") or [None] * len(self._id)
        along, at = [_MARGIN + RADIUS], _MARGIN + RADIUS
        for level in range(1, levels):
            at += RADIUS + _FORK + room[level] + 2 * _PAD + gutter[level] + RADIUS
            along.append(at)
        top = self._head() + _MARGIN
        self._x = [along[self._level[place]] for place in shown]
        self._y = [top + pitch * (self._row[place] + 0.5) for place in shown]
        self._gutter = gutter
        right = max(self._x[place] + self._beside(place) for place in shown)
        self.width = max(right + _MARGIN, self._legend_wide() + 2 * _MARGIN)
        self.height = top + pitch * self._drawing["size"]["rows"] + _MARGIN

    def _measure_down(self, levels: int, gutter: Sequence[float], *, carded: bool) -> None:
        shown, branches = range(len(self._id)), self._branches
        widest = max([self._label_wide(one) for one in branches if one is not None] or [0.0])
        ends = max([number_wide(worth) for worths in self._drawing["ends"].values() for worth in worths] or [0.0])
        pills = max([small(f"+{more}") + 12 for more in self._more if more] or [0.0])
        pitch = max(widest + 2 * _PAD, ends + 12, pills + 8, 2 * RADIUS + 10)
        top = self._head() + _MARGIN + RADIUS + 8
        label = (CARD[1] + 4 if carded else 16) + (14 if any(one is not None and one.below for one in branches) else 0)
        along, at = [top], top
        for level in range(1, levels):
            at += RADIUS + _FORK + label + 2 * _PAD + gutter[level] + RADIUS
            along.append(at)
        self._values = self._solution.get("value") or [None] * len(self._id)
        self._x = [_MARGIN + pitch * (self._row[place] + 0.5) for place in shown]
        self._y = [along[self._level[place]] for place in shown]
        self._gutter = gutter
        self.width = max(2 * _MARGIN + pitch * self._drawing["size"]["rows"], self._legend_wide() + 2 * _MARGIN)
        self.height = max(self._y[place] + self._beside(place) for place in shown) + _MARGIN

    def _label_wide(self, one: Branch) -> float:
        cards, below = cards_wide(dict(one.told)), small(one.below) + (14 if one.best else 0)
        return cards + (4 + below if below else 0) if cards and not self._down else max(cards, wide(one.said), below)

    def _fractions(self) -> bool:
        return any("/" in worth for worths in self._drawing["ends"].values() for worth in worths)

    def _beside(self, place: int) -> float:
        """How much room what stands behind a node takes."""
        if self._actor[place] == OVER:
            if self._down:
                return 10 + (26 if self._fractions() else 17) * len(self._columns)
            return 10 + sum(self._columns) + 10 * (len(self._columns) - 1)
        if self._more[place]:
            return RADIUS + 24 if self._down else RADIUS + 16 + small(f"+{self._more[place]}")
        return RADIUS

    def _dashed(self) -> tuple[list[Rail], list[tuple[int, int]], list[float]]:
        """The dashed lines along each level, those from level to level, and how much room they need before each level."""
        self._rows: dict[int, list[float]] = {}
        for level, row in zip(self._level, self._row, strict=True):
            self._rows.setdefault(level, []).append(row)
        groups, links = list[list[int]](), list[tuple[int, int]]()
        for joined in self._drawing["joined"]:
            levels: dict[int, list[int]] = {}
            for place in joined:
                levels.setdefault(self._level[place], []).append(place)
            for one, two in pairwise(levels[level] for level in sorted(levels)):
                links.append(min(((a, b) for a in one for b in two), key=lambda pair: abs(self._row[pair[0]] - self._row[pair[1]])))
            groups += [group for group in levels.values() if len(group) > 1]
        gutter, taken, rails = [6.0] * (max(self._level) + 1), dict[int, list[list[tuple[float, float]]]](), list[Rail]()
        for group in sorted(groups, key=lambda places: self._row[places[-1]] - self._row[places[0]]):
            level, lane = self._level[group[0]], 0
            if not all(self._free(one, two) for one, two in pairwise(group)):
                low, high = self._row[group[0]], self._row[group[-1]]
                ways = taken.setdefault(level, [])
                lane = next((i for i, way in enumerate(ways) if all(high < a or b < low for a, b in way)), len(ways))
                if lane == len(ways):
                    ways.append([])
                ways[lane].append((low, high))
                lane = lane % _LANES + 1
                gutter[level] = max(gutter[level], 10.0 + _LANE * lane)
            rails.append(Rail(group, lane))
        return rails, links, gutter

    # Painting

    @property
    def svg(self) -> str:
        """The picture: the same text for the same tree, without script, and without a link to anything."""
        order = sorted(
            range(1, len(self._id)), key=lambda place: (branch.lit, branch.weight or 0) if (branch := self._branches[place]) else (False, 0)
        )
        body = (
            "".join(map(self._line, order))
            + "".join(map(self._rail, self._rails))
            + "".join(map(self._link, self._links))
            + "".join(map(self._words, order))
            + "".join(map(self._node, range(len(self._id))))
        )
        head, prefix, title = self._head_drawn(), self._prefix, self._drawing["title"]
        said, _, rest = self._about.partition("\n")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n(self.width)} {n(self.height)}" width="{n(self.width)}" height="{n(self.height)}"'
            f' lang="{self._language}" role="img" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc" font-family="{chalk.FONTS}">'
            f'<title id="{prefix}title">{_plain(title or said)}</title><desc id="{prefix}desc">{_plain(rest or said)}</desc><style>{chalk.STYLE}</style>'
            f"{self._sheet.defs()}<defs>{self._cards.defs()}</defs>"
            f'<rect class="t-bg" x=".5" y=".5" width="{n(self.width - 1)}" height="{n(self.height - 1)}" rx="10"/>{head}{body}</svg>'
        )

    def _line(self, place: int) -> str:
        """The branch to a node: it fans out from the node before, and then runs straight to this one."""
        up, one = self._up[place], self._branches[place]
        assert one is not None  # noqa: S101 - every node but the root has one
        x, y, before_x, before_y = self._x[place], self._y[place], self._x[up], self._y[up]
        if self._down:
            way = f"M{n(before_x)} {n(before_y)}L{n(x)} {n(before_y + RADIUS + _FORK)}V{n(y)}"
        else:
            way = f"M{n(before_x)} {n(before_y)}L{n(before_x + RADIUS + _FORK)} {n(y)}H{n(x)}"
        thick = 1.5 if one.weight is None else 1 + 4.5 * one.weight
        kind = "t-lit" if one.lit else "t-line t-never" if one.weight == 0 else "t-line"
        return f'<path class="{kind}" stroke-width="{n(max(thick, 2.8) if one.lit else thick)}" d="{way}"/>'

    def _words(self, place: int) -> str:
        """What is said of a branch: its cards on it or its words above it, probability and labels below."""
        up, one = self._up[place], self._branches[place]
        assert one is not None  # noqa: S101 - as above
        cards = cards_wide(dict(one.told))
        star = "★ " if one.best else ""
        if self._down:
            x, y = self._x[place], self._y[up] + RADIUS + _FORK + _PAD
            tall = CARD[1] if cards else 12
            drawn = (
                chalk.laid(self._cards, dict(one.told), x - cards / 2, y + CARD[1] / 2)
                if cards
                else text(x, y + 11, one.said, "t-ink t-mid t-halo")
            )
            return drawn + text(x, y + tall + 13, star + one.below, f"{'t-gold t-b' if one.lit or star else 't-soft'} t-small t-mid t-halo")
        left = self._x[up] + RADIUS + _FORK + _PAD
        right = self._x[place] - RADIUS - self._gutter[self._level[place]] - _PAD
        x, y = (left + right) / 2, self._y[place]
        kind = f"{'t-gold t-b' if one.lit or star else 't-soft'} t-small t-halo"
        if cards:
            left = x - self._label_wide(one) / 2
            return chalk.laid(self._cards, dict(one.told), left, y) + text(left + cards + 4, y + 12, star + one.below, kind)
        return text(x, y - 5, one.said, "t-ink t-mid") + text(x, y + 12.5, star + one.below, f"{kind} t-mid")

    def _node(self, place: int) -> str:
        x, y, actor, more = self._x[place], self._y[place], self._actor[place], self._more[place]
        drawn = sign(actor, x, y)
        if actor == OVER:
            drawn += self._worth(x, y, self._drawing["ends"][str(self._info[place])])
        elif more:
            said = f"+{more}"
            drawn += pill(x - (small(said) + 12) / 2, y + RADIUS + 14, said)[0] if self._down else pill(x + RADIUS + 4, y, said)[0]
        value, labels = self._values[place], self._drawing.get("labels", {}).get("nodes", {}).get(str(self._id[place]), [])
        said = " · ".join([*([", ".join(value).replace("-", "−")] if value and actor != OVER else []), *labels])
        if said:
            drawn += (
                text(x + RADIUS + 4, y - 5, said, "t-ink t-small t-b t-halo")
                if self._down
                else text(x, y - RADIUS - 3.5, said, "t-ink t-small t-b t-mid t-halo")
            )
        return drawn

    def _worth(self, x: float, y: float, worth: Sequence[str]) -> str:
        drawn = ""
        if self._down:
            step = 26 if self._fractions() else 17
            for seat, said in enumerate(worth):
                drawn += number(
                    x + number_wide(said) / 2, y + 17 + (5 if step > 20 else 0) + step * seat, said, f"t-s{seat % chalk.SEATS} t-b"
                )
            return drawn
        right = x + 10
        for seat, (said, width) in enumerate(zip(worth, self._columns, strict=True)):
            right += width + (10 if seat else 0)
            drawn += number(right, y, said, f"t-s{seat % chalk.SEATS} t-b")
        return drawn

    def _rail(self, rail: Rail) -> str:
        """The dashed line of an information set along a level: straight where nothing lies between, beside it otherwise."""
        away, ways = RADIUS + 5 + _LANE * (rail.lane - 1), list[str]()
        for one, two in pairwise(rail.places):
            x, y, to_x, to_y = self._x[one], self._y[one], self._x[two], self._y[two]
            if not rail.lane:
                ways.append(f"M{n(x)} {n(y)}L{n(to_x)} {n(to_y)}")
            elif self._down:
                at = y - away
                ways.append(
                    f"M{n(x)} {n(y)}V{n(at + 5)}Q{n(x)} {n(at)} {n(x + 5)} {n(at)}H{n(to_x - 5)}Q{n(to_x)} {n(at)} {n(to_x)} {n(at + 5)}V{n(y)}"
                )
            else:
                at = x - away
                ways.append(
                    f"M{n(x)} {n(y)}H{n(at + 5)}Q{n(at)} {n(y)} {n(at)} {n(y + 5)}V{n(to_y - 5)}Q{n(at)} {n(to_y)} {n(at + 5)} {n(to_y)}H{n(x)}"
                )
        return f'<path class="t-set t-d{self._actor[rail.places[0]] % chalk.SEATS}" d="{"".join(ways)}"/>'

    def _link(self, link: tuple[int, int]) -> str:
        """The same from level to level: it leaves one node and comes to the other along the level, where no branch runs."""
        (x, to_x), (y, to_y) = ([of[place] for place in link] for of in (self._x, self._y))
        if self._down:
            bend = max(24.0, abs(to_x - x) * 0.5) * (1 if to_x > x else -1)
            way = f"C{n(x + bend)} {n(y)} {n(to_x - bend)} {n(to_y)} {n(to_x)} {n(to_y)}"
        else:
            bend = max(24.0, abs(to_y - y) * 0.5) * (1 if to_y > y else -1)
            way = f"C{n(x)} {n(y + bend)} {n(to_x)} {n(to_y - bend)} {n(to_x)} {n(to_y)}"
        return f'<path class="t-set t-d{self._actor[link[0]] % chalk.SEATS}" d="M{n(x)} {n(y)}{way}"/>'

    def _free(self, one: int, two: int) -> bool:
        """Whether nothing lies between two nodes of a level."""
        rows = self._rows[self._level[one]]
        return bisect_left(rows, self._row[two]) - bisect_left(rows, self._row[one]) == 1

    # The head: what it is, and who is who

    def _head(self) -> float:
        return 30 + (24 if self._drawing["title"] else 0)

    def _legend(self) -> list[tuple[int, str]]:
        acting = sorted(set(self._actor) | set(range(len(self._drawing["seats"]))))
        return [(actor, self._drawing["seats"][actor]) for actor in acting if actor >= 0] + [(CHANCE, self._drawing["chance"])] * (
            CHANCE in acting
        )

    def _legend_wide(self) -> float:
        return max(sum(2 * RADIUS + wide(clipped(said)) + 26 for _, said in self._legend()), wide(clipped(self._drawing["title"], 90), 16))

    def _head_drawn(self) -> str:
        x, y, title = float(_MARGIN), _MARGIN + 6.0, self._drawing["title"]
        drawn = ""
        if title:
            drawn, y = text(x, y + 6, clipped(title, 90), "t-ink t-title"), y + 26
        for actor, said in self._legend():
            drawn += sign(actor, x + RADIUS, y, RADIUS) + text(x + 2 * RADIUS + 7, y + 4.5, clipped(said))
            x += 2 * RADIUS + wide(clipped(said)) + 26
        return drawn


def _plain(words: str) -> str:
    return escape("".join(sign for sign in words if sign == "\n" or sign >= " "))
