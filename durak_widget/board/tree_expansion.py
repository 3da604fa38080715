"""The open nodes of a tree: shown are the root and the children of every open node."""

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
"""The most nodes shown when several are opened at once; the rest is behind a `+n`."""
MOST: Final = 20_000
"""The most nodes shown, however they were opened."""


NEVER: Final = 0.001
"""A less likely action counts as never played when only the reached nodes are opened."""


class Unfolded:
    """A tree with some open nodes, whose children are shown.

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
        """The open nodes; each of them is shown."""
        self.count = 1
        """The number of shown nodes."""
        self._kept: dict[int, set[int]] = {}
        self._below: array[int] | None = None
        self._shown: list[int] | None = None
        self.unfold(0, depth=depth)

    # Shown nodes

    @property
    def shown(self) -> list[int]:
        """Return the shown nodes, each before its children; don't change the list."""
        if self._shown is None:
            first, count, opened = self.tree.first, self.tree.count, self.opened
            nodes, waiting = [], [0]
            while waiting:
                node = waiting.pop()
                nodes.append(node)
                if node in opened:
                    first_child = first[node]
                    waiting += range(first_child + count[node] - 1, first_child - 1, -1)
            self._shown = nodes
        return self._shown

    def is_shown(self, history: int) -> bool:
        """Return True if that node is shown."""
        return history == 0 or self.tree.parent[history] in self.opened

    def below(self, history: int) -> int:
        """Return the number of nodes below that one."""
        if self._below is None:
            parent = self.tree.parent
            sums = array("i", bytes(4 * len(parent)))
            for node in range(len(parent) - 1, 0, -1):
                sums[parent[node]] += sums[node] + 1
            self._below = sums
        return self._below[history]

    def more(self, history: int) -> int:
        """Return the number of hidden nodes below a shown one."""
        return 0 if history in self.opened else self.below(history)

    def first(self, most: int) -> Unfolded:
        """Return an expansion with at most that many shown nodes, opened level by level."""
        if self.count <= most:
            return self
        part = Unfolded(self.tree, 0)
        part._below, level = self._below, [0]
        while level:
            next_level: list[int] = []
            for node in level:
                if node in self.opened and part.count + self.tree.count[node] <= most:
                    part._open([node])
                    next_level += self.tree.children(node)
            level = next_level
        return part

    # Opening and folding

    def toggle(self, history: int) -> None:
        """Open a folded node as it was before it was folded, or fold an open one."""
        if history in self.opened:
            self.fold(history)
            return
        self._reach(history)
        remembered = self._kept.pop(history, None)
        if remembered is not None and self.count + self._moves(remembered) <= AT_ONCE:
            self._open(remembered)
        elif self.tree.count[history]:
            self._open([history])

    def unfold(self, history: int = 0, *, depth: int | None = None) -> None:
        """Open a node and some levels below it, or all; at most 5,000 nodes shown in all."""
        self._reach(history)
        self._widely(history, None, depth)

    def unfold_where(self, wanted: Sequence[bool] | bytearray) -> None:
        """Open exactly these nodes and fold all others.

        They are opened level by level, where open nodes lead to them and up to 5,000 shown nodes.
        """
        self.fold()
        self._widely(0, wanted, None)

    def unfold_seat(self, seat: int) -> None:
        """Open every path to a node where a player acts, and the player's actions there."""
        if not 0 <= seat < self.tree.seats:
            raise TreeError(f"there is no seat {seat}; the seats are 0 to {self.tree.seats - 1}")
        actor, parent = self.tree.actor, self.tree.parent
        wanted = bytearray(len(actor))
        for node in range(len(actor) - 1, -1, -1):
            if wanted[node] or actor[node] == seat:
                wanted[node] = 1
                if node:
                    wanted[parent[node]] = 1
        self.unfold_where(wanted)

    def unfold_reached(self, strategy: Strategy) -> None:
        """Open the nodes that play by this strategy reaches.

        An action played less than once in a thousand times, as while learning, counts as never played.
        """
        tree = self.tree
        chance_probabilities = [chance_node.probabilities for chance_node in tree.chances]
        wanted = bytearray(tree.histories)
        wanted[0] = 1
        for node, (actor, info, child) in enumerate(zip(tree.actor, tree.info, tree.first, strict=True)):
            if wanted[node] and actor != OVER:
                for probability in chance_probabilities[info] if actor == CHANCE else strategy.rows[info]:
                    wanted[child] = probability > (0 if actor == CHANCE else NEVER)
                    child += 1  # noqa: PLW2901 - children stand side by side
        self.unfold_where(wanted)

    def fold(self, history: int = 0) -> None:
        """Fold a node, so that nothing below it is shown; `toggle` opens it as it was."""
        if history not in self.opened:
            return
        inside, waiting = set[int](), [history]
        while waiting:
            node = waiting.pop()
            inside.add(node)
            waiting += [child for child in self.tree.children(node) if child in self.opened]
        self.opened -= inside
        self.count -= self._moves(inside)
        if history:
            self._kept[history] = inside
        else:
            self._kept.clear()
        self._shown = None

    def show(self, history: int) -> None:
        """Open the path to a node, so that it is shown."""
        self._reach(history)

    # Helpers

    def _reach(self, history: int) -> None:
        path, parent = list[int](), self.tree.parent
        node = parent[history]
        while node >= 0 and node not in self.opened:
            path.append(node)
            node = parent[node]
        if path:
            self._open(path)

    def _widely(self, top: int, wanted: Sequence[bool] | bytearray | None, depth: int | None) -> None:
        """Open the wanted nodes from there on, level by level."""
        tree, count = self.tree, self.tree.count
        level, level_count, newly_opened, total = [top], 0, list[int](), self.count
        while level and (depth is None or level_count < depth):
            next_level: list[int] = []
            for node in level:
                if not count[node] or (wanted is not None and not wanted[node]):
                    continue
                if node not in self.opened:
                    if total + count[node] > AT_ONCE:
                        self._open(newly_opened)
                        return
                    newly_opened.append(node)
                    total += count[node]
                next_level += tree.children(node)
            level, level_count = next_level, level_count + 1
        self._open(newly_opened)

    def _moves(self, histories: Iterable[int]) -> int:
        count = self.tree.count
        return sum([count[history] for history in histories])

    def _open(self, histories: Iterable[int]) -> None:
        new = set(histories) - self.opened
        added_count = self._moves(new)
        if self.count + added_count > MOST:
            raise RefusedError("board.refused.many", count=f"{self.count + added_count:,}", most=f"{MOST:,}")
        self.opened |= new
        self.count += added_count
        self._shown = None
