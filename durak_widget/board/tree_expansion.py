"""Stores which nodes of a tree are open; the page shows only the children of open nodes."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError, require_tree
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

MAX_SHOWN_WHEN_UNFOLDING: Final = 5_000
"""The maximum number of visible nodes after many are opened at once; `+n` stands for n nodes that stay hidden."""
MAX_SHOWN: Final = 20_000
"""The maximum number of nodes of a tree that can be visible."""


MIN_REACHED_PROBABILITY: Final = 0.001
"""An action with a probability below this limit is treated as never played when only the reached nodes are opened."""


class TreeExpansion:
    """The open and folded nodes of a tree; a node is visible if its parent is open.

    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "r": DecisionNode(1, "!", [("L", "l"), ("R", "l")]), "l": TerminalNode((1, -1))}
    >>> unfolded = TreeExpansion(build_tree("", places.__getitem__, player_count=2), depth=1)
    >>> unfolded.shown_nodes, unfolded.count_hidden(2)
    ([0, 1, 2], 2)
    >>> unfolded.toggle(2); unfolded.shown_nodes
    [0, 1, 2, 3, 4]
    """

    def __init__(self, tree: Tree, depth: int = 2) -> None:
        require_tree(tree)
        self.tree = tree
        self.open_nodes: set[int] = set()
        """The numbers of the open nodes; each open node is visible."""
        self.shown_count = 1
        """The number of visible nodes."""
        self._remembered: dict[int, set[int]] = {}
        self._descendant_counts: array[int] | None = None
        self._shown_cache: list[int] | None = None
        self.unfold(0, depth=depth)

    # --- Visible nodes ---

    @property
    def shown_nodes(self) -> list[int]:
        """Return the visible nodes, parents before children; callers must not change the list."""
        if self._shown_cache is None:
            first, count, opened = self.tree.first_child, self.tree.child_count, self.open_nodes
            nodes, waiting = [], [0]
            while waiting:
                node = waiting.pop()
                nodes.append(node)
                if node in opened:
                    first_child = first[node]
                    waiting += range(first_child + count[node] - 1, first_child - 1, -1)
            self._shown_cache = nodes
        return self._shown_cache

    def is_shown(self, history: int) -> bool:
        """Return whether a given node is visible."""
        return history == 0 or self.tree.parent[history] in self.open_nodes

    def count_descendants(self, history: int) -> int:
        """Return how many nodes are below a given node in the tree."""
        if self._descendant_counts is None:
            parent = self.tree.parent
            sums = array("i", bytes(4 * len(parent)))
            for node in range(len(parent) - 1, 0, -1):
                sums[parent[node]] += sums[node] + 1
            self._descendant_counts = sums
        return self._descendant_counts[history]

    def count_hidden(self, history: int) -> int:
        """Return how many nodes below a visible node are hidden."""
        return 0 if history in self.open_nodes else self.count_descendants(history)

    def limit_to(self, max_shown: int) -> TreeExpansion:
        """Return this object, or a copy with fewer open nodes that shows at most `max_shown`."""
        if self.shown_count <= max_shown:
            return self
        part = TreeExpansion(self.tree, 0)
        part._descendant_counts, level = self._descendant_counts, [0]
        while level:
            next_level: list[int] = []
            for node in level:
                if node in self.open_nodes and part.shown_count + self.tree.child_count[node] <= max_shown:
                    part._open_nodes([node])
                    next_level += self.tree.children(node)
            level = next_level
        return part

    # --- Opening and folding ---

    def toggle(self, history: int) -> None:
        """Fold an open node, or reopen a folded node together with the nodes below it."""
        if history in self.open_nodes:
            self.fold(history)
            return
        self._open_path_to(history)
        remembered = self._remembered.pop(history, None)
        if remembered is not None and self.shown_count + self._count_children(remembered) <= MAX_SHOWN_WHEN_UNFOLDING:
            self._open_nodes(remembered)
        elif self.tree.child_count[history]:
            self._open_nodes([history])

    def unfold(self, history: int = 0, *, depth: int | None = None) -> None:
        """Open a node and some or all levels below the node, up to 5,000 visible nodes."""
        self._open_path_to(history)
        self._unfold_by_levels(history, None, depth)

    def unfold_where(self, wanted: Sequence[bool] | bytearray) -> None:
        """Open the given nodes, and fold all other nodes.

        A given node is opened only if all nodes above it are given too. Nodes are opened level by level, up to 5,000
        visible nodes.
        """
        self.fold()
        self._unfold_by_levels(0, wanted, None)

    def unfold_player(self, player: int) -> None:
        """Open every node where a given player acts, and the path to each of these nodes."""
        if not 0 <= player < self.tree.player_count:
            raise TreeError(f"there is no player {player}; the players are 0 to {self.tree.player_count - 1}")
        actor, parent = self.tree.actor, self.tree.parent
        wanted = bytearray(len(actor))
        for node in range(len(actor) - 1, -1, -1):
            if wanted[node] or actor[node] == player:
                wanted[node] = 1
                if node:
                    wanted[parent[node]] = 1
        self.unfold_where(wanted)

    def unfold_reached(self, strategy: Strategy) -> None:
        """Open the nodes that play under a given strategy can reach.

        An action with a probability below 1/1000, as it occurs while CFR+ learns, is treated as never played.
        """
        tree = self.tree
        chance_probabilities = [chance_node.probabilities for chance_node in tree.chance_moves]
        wanted = bytearray(tree.history_count)
        wanted[0] = 1
        for node, (actor, info, child) in enumerate(zip(tree.actor, tree.infoset_of, tree.first_child, strict=True)):
            if wanted[node] and actor != TERMINAL:
                for probability in chance_probabilities[info] if actor == CHANCE else strategy.rows[info]:
                    wanted[child] = probability > (0 if actor == CHANCE else MIN_REACHED_PROBABILITY)
                    child += 1  # noqa: PLW2901 - children have consecutive numbers
        self.unfold_where(wanted)

    def fold(self, history: int = 0) -> None:
        """Fold a node, so that the nodes below are hidden; `toggle` reopens these nodes."""
        if history not in self.open_nodes:
            return
        inside, waiting = set[int](), [history]
        while waiting:
            node = waiting.pop()
            inside.add(node)
            waiting += [child for child in self.tree.children(node) if child in self.open_nodes]
        self.open_nodes -= inside
        self.shown_count -= self._count_children(inside)
        if history:
            self._remembered[history] = inside
        else:
            self._remembered.clear()
        self._shown_cache = None

    def reveal(self, history: int) -> None:
        """Open the path to a node, so that the node becomes visible."""
        self._open_path_to(history)

    # --- Internal helpers ---

    def _open_path_to(self, history: int) -> None:
        """Open the folded nodes on the path from the root to a node, but not that node."""
        path, parent = list[int](), self.tree.parent
        node = parent[history]
        while node >= 0 and node not in self.open_nodes:
            path.append(node)
            node = parent[node]
        if path:
            self._open_nodes(path)

    def _unfold_by_levels(self, start: int, allowed: Sequence[bool] | bytearray | None, depth: int | None) -> None:
        """Open nodes below a starting node, level by level; open only nodes that `allowed` marks."""
        tree, count = self.tree, self.tree.child_count
        level, level_count, newly_opened, total = [start], 0, list[int](), self.shown_count
        while level and (depth is None or level_count < depth):
            next_level: list[int] = []
            for node in level:
                if not count[node] or (allowed is not None and not allowed[node]):
                    continue
                if node not in self.open_nodes:
                    if total + count[node] > MAX_SHOWN_WHEN_UNFOLDING:
                        self._open_nodes(newly_opened)
                        return
                    newly_opened.append(node)
                    total += count[node]
                next_level += tree.children(node)
            level, level_count = next_level, level_count + 1
        self._open_nodes(newly_opened)

    def _count_children(self, histories: Iterable[int]) -> int:
        """Return the number of children of all given nodes together."""
        count = self.tree.child_count
        return sum([count[history] for history in histories])

    def _open_nodes(self, histories: Iterable[int]) -> None:
        """Open the given nodes; raise an error if too many nodes would then be visible."""
        new = set(histories) - self.open_nodes
        added_count = self._count_children(new)
        if self.shown_count + added_count > MAX_SHOWN:
            raise RefusedError("board.refused.many", count=f"{self.shown_count + added_count:,}", most=f"{MAX_SHOWN:,}")
        self.open_nodes |= new
        self.shown_count += added_count
        self._shown_cache = None
