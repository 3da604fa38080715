"""An author's own labels: words beside a node, or on a branch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.board.message_parsing import MessageError, history, infoset
from durak_widget.board.tree_wording import plain_name
from durak_widget.errors import nearest, quoted, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.gametheory.tree import Tree

_LONGEST: Final = 200
Branch = tuple[object, object]
"""A move of an information set: the number of the set, and the place of the move or its name."""


class Labels:
    """The labels of one tree: any number at each node and on each branch.

    >>> from durak_widget.analysis import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> labels = Labels(tree); labels.put(1, "well done"); labels.put((0, "r"), "safe")
    >>> labels.of([0, 1, 2])
    {'nodes': {'1': ['well done']}, 'branches': {'2': ['safe']}}
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._nodes: dict[int, list[str]] = {}
        self._moves: dict[tuple[int, int], list[str]] = {}

    def put(self, where: object, text: str | None) -> None:
        """Add a label; None takes away all that are there."""
        if text is not None and (not isinstance(text, str) or not text.strip() or len(text) > _LONGEST):
            raise MessageError(f"a label is a short text, not {quoted(text)}; None takes away what is there")
        if isinstance(where, tuple):
            key = self._move(where)
            said = self._moves.setdefault(key, [])
        else:
            said = self._nodes.setdefault(history(self._tree, where), [])
        if text is None:
            said.clear()
        else:
            said.append(plain_name(text))

    def of(self, shown: Iterable[int]) -> dict[str, dict[str, list[str]]]:
        """The labels of these histories: beside each, and on the branch that leads to it."""
        tree, nodes, branches = self._tree, dict[str, list[str]](), dict[str, list[str]]()
        if not self._nodes and not self._moves:
            return {"nodes": nodes, "branches": branches}
        for one in shown:
            if self._nodes.get(one):
                nodes[str(one)] = list(self._nodes[one])
            before = tree.parent[one]
            if before >= 0 and tree.actor[before] >= 0:
                said = self._moves.get((tree.info[before], one - tree.first[before]))
                if said:
                    branches[str(one)] = list(said)
        return {"nodes": nodes, "branches": branches}

    def _move(self, where: tuple[object, ...]) -> tuple[int, int]:
        if len(where) != 2:
            raise MessageError(f"a branch is named by its information set and its move, such as (0, 'bet'), not {quoted(where)}")
        place, move = infoset(self._tree, where[0]), where[1]
        moves = self._tree.sets[place].moves
        number = moves.index(move) if isinstance(move, str) and move in moves else whole_number(move)
        if number is None or not 0 <= number < len(moves):
            raise MessageError(f"information set {place} has no move {quoted(move)}.{nearest(move, moves)} It has {', '.join(moves)}")
        return place, number
