"""What lies where in a picture of ours: its SVG as plain shapes and words, for whoever draws it on paper. Only what our pictures have is known here."""

from __future__ import annotations

import re
from math import atan2, cos, hypot, pi, radians, sin, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HREF: Final = "href"
_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_STEP: Final = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)")
_MOVED: Final = re.compile(r"(translate|scale)\(([^)]*)\)")
_INHERITED: Final = ("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "font-size", "font-weight", "text-anchor")
_NEEDS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7, "Z": 0}
Point = tuple[float, float]
Piece = tuple[str, tuple[Point, ...]]
"""`M` and `L` with a point, `Q` with two, `C` with three, `Z` with none."""


class Shape(NamedTuple):
    """A way to be filled, stroked, or both."""

    way: tuple[Piece, ...]
    look: Mapping[str, str]
    opacity: float
    scale: float


class Words(NamedTuple):
    """A text, or several that stand one behind the other, each with its look."""

    x: float
    y: float
    runs: tuple[tuple[str, Mapping[str, str]], ...]
    opacity: float
    scale: float


class _Frame(NamedTuple):
    """Where one is: moved so far, so much larger, with what is said of everything within."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    opacity: float = 1.0
    look: Mapping[str, str] = {}

    def at(self, x: float, y: float) -> Point:
        """A point of it on the paper."""
        return self.x + self.scale * x, self.y + self.scale * y


class Vector:
    """A picture as its shapes and words, in the order in which they lie one over another; by day.

    >>> picture = Vector('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="4"><style>.a{fill:red}</style><path class="a" d="M1 1h2v2z"/></svg>')
    >>> picture.width, picture.height, [(one.way, one.look["fill"]) for one in picture.parts]
    (9.0, 4.0, [((('M', ((1.0, 1.0),)), ('L', ((3.0, 1.0),)), ('L', ((3.0, 3.0),)), ('Z', ())), 'red')])
    """

    def __init__(self, svg: str) -> None:
        root = ET.fromstring(svg)  # noqa: S314 - our own text
        self.width, self.height = float(root.get("width", "0")), float(root.get("height", "0"))
        style = "".join(one.text or "" for one in root.iter() if _tag(one) == "style")
        self._rules: dict[str, dict[str, str]] = {}
        for names, said in _RULE.findall(style.partition("@media")[0]):
            for name in names.split(","):
                self._rules.setdefault(name.strip(), {}).update(_facts(said))
        self._order = {name: place for place, name in enumerate(self._rules)}
        self._named = {one.get("id", ""): one for one in root.iter() if one.get("id")}
        self.parts = tuple(self._within(root, _Frame()))

    def _within(self, element: ET.Element, frame: _Frame) -> Iterator[Shape | Words]:
        for one in element:
            tag = _tag(one)
            if tag in ("defs", "style", "title", "desc"):
                continue
            look = self._look(one, frame)
            here = frame._replace(
                look={name: look[name] for name in _INHERITED if name in look}, opacity=frame.opacity * float(look.get("opacity", 1))
            )
            for what, numbers in _MOVED.findall(one.get("transform", "")):
                by = [float(number) for number in re.split(r"[\s,]+", numbers.strip())]
                here = here._replace(scale=here.scale * by[0]) if what == "scale" else _moved(here, by[0], by[1] if len(by) > 1 else 0)
            if tag == "g":
                yield from self._within(one, here)
            elif tag == "use":
                used = self._named[one.get(_HREF, "").removeprefix("#")]
                yield from self._within([used], _moved(here, float(one.get("x", 0)), float(one.get("y", 0))))  # type: ignore[arg-type]
            elif tag == "text":
                runs = [(one.text or "", look)]
                for part in one:
                    runs += [(part.text or "", {**look, **part.attrib}), (part.tail or "", look)]
                x, y = here.at(float(one.get("x", 0)), float(one.get("y", 0)))
                yield Words(x, y, tuple((said, how) for said, how in runs if said), here.opacity, here.scale)
            else:
                way = tuple((kind, tuple(here.at(*point) for point in points)) for kind, points in _way(tag, one.attrib))
                yield Shape(way, look, here.opacity, here.scale)

    def _look(self, element: ET.Element, frame: _Frame) -> dict[str, str]:
        """What is said of an element: by those around it, by itself, by its classes, and most of all by its style."""
        look = {**frame.look, **{name: value for name, value in element.attrib.items() if name not in ("class", "style", "d")}}
        names = [_tag(element), *(f".{kind}" for kind in element.get("class", "").split())]
        for name in sorted(filter(self._rules.__contains__, names), key=self._order.__getitem__):
            look.update(self._rules[name])
        return {**look, **_facts(element.get("style", ""))}


def _tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _facts(said: str) -> dict[str, str]:
    """What a style says, by name."""
    return {name.strip(): value.strip() for name, colon, value in (one.partition(":") for one in said.split(";")) if colon}


def _moved(frame: _Frame, x: float, y: float) -> _Frame:
    left, top = frame.at(x, y)
    return frame._replace(x=left, y=top)


def _way(tag: str, said: Mapping[str, str]) -> list[Piece]:
    """The outline of a shape."""
    number = {name: float(value) for name, value in said.items() if name in ("x", "y", "width", "height", "rx", "r", "cx", "cy")}
    if tag == "circle":
        x, y, r = number.get("cx", 0), number.get("cy", 0), number["r"]
        return [("M", ((x + r, y),)), *_arc((x + r, y), r, 1, 1, (x - r, y)), *_arc((x - r, y), r, 1, 1, (x + r, y)), ("Z", ())]
    if tag == "rect":
        x, y, r = number.get("x", 0), number.get("y", 0), number.get("rx", 0)
        right, low = x + number["width"], y + number["height"]
        found: list[Piece] = [("M", ((x + r, y),))]
        for corner, before, after in (
            ((right, y), (right - r, y), (right, y + r)),
            ((right, low), (right, low - r), (right - r, low)),
            ((x, low), (x + r, low), (x, low - r)),
            ((x, y), (x, y + r), (x + r, y)),
        ):
            found += [("L", (before,)), ("Q", (corner, after))]
        return [*found, ("Z", ())]
    return list(_pieces(said.get("d", ""))) if tag == "path" else []


def _pieces(d: str) -> Iterator[Piece]:
    """The way that a path writes down: absolute, and with its arcs as short strokes."""
    x = y = begin_x = begin_y = 0.0
    words = [match.groups() for match in _STEP.finditer(d)]
    place, command = 0, "M"
    while place < len(words):
        if words[place][0]:
            command, place = words[place][0], place + 1
        kind = command.upper()
        given = [float(word[1]) for word in words[place : place + _NEEDS[kind]]]
        place += _NEEDS[kind]
        off = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "Z":
            x, y = begin_x, begin_y
            yield "Z", ()
            continue
        start = x, y
        if kind == "H":
            x = given[0] + off[0]
        elif kind == "V":
            y = given[0] + off[1]
        else:
            x, y = given[-2] + off[0], given[-1] + off[1]
        if kind == "A":
            yield from _arc(start, given[0], int(given[3]), int(given[4]), (x, y))
        elif kind in "QC":
            points = [(given[at] + off[0], given[at + 1] + off[1]) for at in range(0, len(given), 2)]
            yield kind, tuple(points)
        else:
            yield "M" if kind == "M" else "L", ((x, y),)
        if kind == "M":
            begin_x, begin_y = x, y
            command = "l" if command == "m" else "L"


def _arc(start: Point, radius: float, large: int, sweep: int, end: Point) -> Iterator[Piece]:
    """A part of a circle from point to point, as cubic curves."""
    (x, y), (to_x, to_y) = start, end
    half = hypot(to_x - x, to_y - y) / 2
    if not half:
        return
    radius = max(radius, half)
    away = sqrt(max(radius * radius - half * half, 0)) * (-1 if large == sweep else 1)
    middle_x = (x + to_x) / 2 - away * (to_y - y) / (2 * half)
    middle_y = (y + to_y) / 2 + away * (to_x - x) / (2 * half)
    first, last = _turn(x - middle_x, y - middle_y), _turn(to_x - middle_x, to_y - middle_y)
    by = (last - first) % (2 * pi) if sweep else -((first - last) % (2 * pi))
    parts = max(int(abs(by) / radians(60)) + 1, 1)
    bend = 4 / 3 * (1 - cos(by / parts / 2)) / sin(by / parts / 2) * radius
    for part in range(parts):
        one, two = first + by * part / parts, first + by * (part + 1) / parts
        begin = middle_x + radius * cos(one) - bend * sin(one), middle_y + radius * sin(one) + bend * cos(one)
        stop = middle_x + radius * cos(two), middle_y + radius * sin(two)
        yield "C", (begin, (stop[0] + bend * sin(two), stop[1] - bend * cos(two)), stop)


def _turn(x: float, y: float) -> float:
    """The angle of a direction."""
    return atan2(y, x)
