"""Where each history lies that is shown: its level, and its row. Whoever paints only scales these numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from durak_widget.board.tree_expansion import Unfolded


class Laid(NamedTuple):
    """Columns of equal length, a place in them for each history that is shown, in the order of `Unfolded.shown`."""

    up: list[int]
    """The place of the history before; -1 of the root."""
    level: list[int]
    row: list[float]
    """A leaf, or what is folded, has a row of its own; what is open is in the middle of what it leads to."""
    rows: int
    levels: int


def lay(unfolded: Unfolded) -> Laid:
    """Where what is shown of a tree lies.

    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.analysis import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> lay(Unfolded(grow("", places.__getitem__, seats=2)))
    Laid(up=[-1, 0, 0], level=[0, 1, 1], row=[0.5, 0.0, 1.0], rows=2, levels=2)
    """
    shown, opened, parent = unfolded.shown, unfolded.opened, unfolded.tree.parent
    place_of = {history: place for place, history in enumerate(shown)}
    up = [place_of[parent[history]] if history else -1 for history in shown]
    level = [0] * len(shown)
    for place in range(1, len(shown)):
        level[place] = level[up[place]] + 1
    first, last = [-1.0] * len(shown), [-1.0] * len(shown)
    row, rows = [0.0] * len(shown), 0
    for place, history in enumerate(shown):
        if history not in opened:
            row[place] = float(rows)
            rows += 1
    for place in range(len(shown) - 1, -1, -1):  # what is below comes first; the last child before the first
        if shown[place] in opened:
            row[place] = (first[place] + last[place]) / 2
        above = up[place]
        if above >= 0:
            if last[above] < 0:
                last[above] = row[place]
            first[above] = row[place]
    return Laid(up, level, row, rows, max(level) + 1)
