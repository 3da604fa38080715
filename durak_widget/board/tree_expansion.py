"""Which histories of a tree are open: what is shown is the root, and whatever one move of an open history leads to."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, require_tree
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

AT_ONCE: Final = 5_000
"""How many histories are shown at most when more than one is opened at a time; the rest stands behind its `+n`."""
MOST: Final = 20_000
"""How many are shown at most, however they were opened."""


NEVER: Final = 0.001
"""A move that is less likely is not looked at where only what is reached is asked for."""


class Unfolded:
    """A tree of which some histories are open: their moves and what these lead to are shown.

    >>> from durak_widget.gametheory import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "r": Turn(1, "!", [("L", "l"), ("R", "l")]), "l": End((1, -1))}
    >>> unfolded = Unfolded(grow("", places.__getitem__, seats=2), depth=1)
    >>> unfolded.shown, unfolded.more(2)
    ([0, 1, 2], 2)
    >>> unfolded.toggle(2); unfolded.shown
    [0, 1, 2, 3, 4]
    """

    def __init__(self, tree: Tree, depth: int = 2) -> None:
        require_tree(tree)
        self.tree = tree
        self.opened: set[int] = set()
        """The open histories; each of them is shown."""
        self.count = 1
        """How many histories are shown."""
        self._kept: dict[int, set[int]] = {}
        self._below: array[int] | None = None
        self._shown: list[int] | None = None
        self.unfold(0, depth=depth)

    # What is shown

    @property
    def shown(self) -> list[int]:
        """The histories that are shown, each before what it leads to; not to be changed."""
        if self._shown is None:
            first, count, opened = self.tree.first, self.tree.count, self.opened
            found, waiting = [], [0]
            while waiting:
                here = waiting.pop()
                found.append(here)
                if here in opened:
                    begin = first[here]
                    waiting += range(begin + count[here] - 1, begin - 1, -1)
            self._shown = found
        return self._shown

    def is_shown(self, history: int) -> bool:
        """Whether that history is shown."""
        return history == 0 or self.tree.parent[history] in self.opened

    def below(self, history: int) -> int:
        """How many histories go on from that one."""
        if self._below is None:
            parent = self.tree.parent
            sums = array("i", bytes(4 * len(parent)))
            for here in range(len(parent) - 1, 0, -1):
                sums[parent[here]] += sums[here] + 1
            self._below = sums
        return self._below[history]

    def more(self, history: int) -> int:
        """How many histories below one that is shown are not."""
        return 0 if history in self.opened else self.below(history)

    def first(self, most: int) -> Unfolded:
        """A tree unfolded level by level, only so much of it as shows no more histories than that."""
        if self.count <= most:
            return self
        part = Unfolded(self.tree, 0)
        part._below, level = self._below, [0]
        while level:
            below: list[int] = []
            for here in level:
                if here in self.opened and part.count + self.tree.count[here] <= most:
                    part._open([here])
                    below += self.tree.children(here)
            level = below
        return part

    # Opening and folding

    def toggle(self, history: int) -> None:
        """Open what is folded, as it was when it was folded; fold what is open."""
        if history in self.opened:
            self.fold(history)
            return
        self._reach(history)
        kept = self._kept.pop(history, None)
        if kept is not None and self.count + self._moves(kept) <= AT_ONCE:
            self._open(kept)
        elif self.tree.count[history]:
            self._open([history])

    def unfold(self, history: int = 0, *, depth: int | None = None) -> None:
        """Open a history and what follows, so many levels of it or all: level by level, to 5,000 histories shown in all."""
        self._reach(history)
        self._widely(history, None, depth)

    def unfold_where(self, wanted: Sequence[bool] | bytearray) -> None:
        """Open just these histories, level by level, as far as the open ones lead there and 5,000 are not exceeded; fold all others."""
        self.fold()
        self._widely(0, wanted, None)

    def unfold_seat(self, seat: int) -> None:
        """Open the ways to every history at which a seat acts, and its moves there; what comes after its last move is folded."""
        if not 0 <= seat < self.tree.seats:
            raise TreeError(f"there is no seat {seat}; the seats are 0 to {self.tree.seats - 1}")
        actor, parent = self.tree.actor, self.tree.parent
        wanted = bytearray(len(actor))
        for here in range(len(actor) - 1, -1, -1):
            if wanted[here] or actor[here] == seat:
                wanted[here] = 1
                if here:
                    wanted[parent[here]] = 1
        self.unfold_where(wanted)

    def unfold_reached(self, strategy: Strategy) -> None:
        """Open what play by that strategy reaches; a move made less than once in a thousand times, as by one who learns, counts as never made."""
        tree = self.tree
        drawn = [one.probabilities for one in tree.chances]
        wanted = bytearray(tree.histories)
        wanted[0] = 1
        for here, (who, info, child) in enumerate(zip(tree.actor, tree.info, tree.first, strict=True)):
            if wanted[here] and who != OVER:
                for likely in drawn[info] if who == CHANCE else strategy.rows[info]:
                    wanted[child] = likely > (0 if who == CHANCE else NEVER)
                    child += 1  # noqa: PLW2901 - children stand side by side
        self.unfold_where(wanted)

    def fold(self, history: int = 0) -> None:
        """Fold a history: nothing below it is shown. Opened again by a click, it is as it was."""
        if history not in self.opened:
            return
        inside, waiting = set[int](), [history]
        while waiting:
            here = waiting.pop()
            inside.add(here)
            waiting += [child for child in self.tree.children(here) if child in self.opened]
        self.opened -= inside
        self.count -= self._moves(inside)
        if history:
            self._kept[history] = inside
        else:
            self._kept.clear()
        self._shown = None

    def show(self, history: int) -> None:
        """Open the way to a history, so that it is shown."""
        self._reach(history)

    # How it is done

    def _reach(self, history: int) -> None:
        way, parent = list[int](), self.tree.parent
        here = parent[history]
        while here >= 0 and here not in self.opened:
            way.append(here)
            here = parent[here]
        if way:
            self._open(way)

    def _widely(self, top: int, wanted: Sequence[bool] | bytearray | None, depth: int | None) -> None:
        """Open what is wanted from there on, level by level: a range of histories each, since children stand side by side."""
        tree, count = self.tree, self.tree.count
        level, deep, new, total = [top], 0, list[int](), self.count
        while level and (depth is None or deep < depth):
            below: list[int] = []
            for here in level:
                if not count[here] or (wanted is not None and not wanted[here]):
                    continue
                if here not in self.opened:
                    if total + count[here] > AT_ONCE:
                        self._open(new)
                        return
                    new.append(here)
                    total += count[here]
                below += tree.children(here)
            level, deep = below, deep + 1
        self._open(new)

    def _moves(self, histories: Iterable[int]) -> int:
        count = self.tree.count
        return sum([count[one] for one in histories])

    def _open(self, histories: Iterable[int]) -> None:
        new = set(histories) - self.opened
        more = self._moves(new)
        if self.count + more > MOST:
            raise RefusedError("board.refused.many", count=f"{self.count + more:,}", most=f"{MOST:,}")
        self.opened |= new
        self.count += more
        self._shown = None
