"""Where a signalling game lies as books draw it: chance in the middle, a type above and one below, the messages to both sides, the answers outwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.signalling_games import no_signals, signalling
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from durak_widget.board.tree_expansion import Unfolded
    from durak_widget.gametheory.tree import Tree

_LARGEST: Final = 200
"""A game with more histories is none of those that books draw so."""
_BETWEEN: Final = 2.5
"""So many rows lie between what belongs to one type and to the other: there chance is."""


class Fan(NamedTuple):
    """Columns of equal length, a place in them for each history that is shown, in the order of `Unfolded.shown`."""

    side: list[int]
    """Left of the middle (-1), in it (0), right of it (1)."""
    row: list[float]
    rows: float


def opens(tree: Tree) -> bool:
    """Whether a tree opens from the middle: a draw of two types, one seat that knows which and has the same two messages, another that sees the message alone and answers.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [name for name in ("beer-quiche", "spence", "bayes", "kuhn", "horse") if opens(textbook(name))]
    ['beer-quiche', 'spence']
    """
    if tree.histories > _LARGEST or tree.actor[0] != CHANCE or tree.count[0] != 2 or no_signals(tree):
        return False
    types = signalling(tree).types
    sent = [tree.children(node) for node in types]
    said = [tree.sets[tree.info[node]].moves for node in types]
    if said[0] != said[1] or any(len(nodes) != 2 for nodes in sent):
        return False
    alike = [[tree.info[node] for node in nodes] for nodes in sent]
    return alike[0] == alike[1] and all(tree.actor[node] >= 0 for nodes in sent for node in nodes)


def fan(unfolded: Unfolded) -> Fan | None:
    """Where what is shown of such a tree lies; None of any other tree.

    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> fan(Unfolded(textbook("spence"), depth=2))
    Fan(side=[0, 0, -1, 1, 0, -1, 1], row=[1.75, 0.0, 0.0, 0.0, 3.5, 3.5, 3.5], rows=4.5)
    """
    tree = unfolded.tree
    if not opens(tree):
        return None
    place_of = {history: place for place, history in enumerate(unfolded.shown)}
    side, row = [0] * len(place_of), [0.0] * len(place_of)
    top, middles = 0.0, list[float]()
    for sender in filter(place_of.__contains__, tree.children(0)):
        sent = [node for node in tree.children(sender) if node in place_of]
        ends = [[end for end in tree.children(node) if end in place_of] for node in sent]
        high = max([1, *map(len, ends)])
        middle = top + (high - 1) / 2
        row[place_of[sender]] = middle
        for way, node, answers in zip((-1, 1), sent, ends, strict=False):
            for at, one in enumerate([node, *answers]):
                side[place_of[one]] = way
                row[place_of[one]] = middle if not at else middle + at - 1 - (len(answers) - 1) / 2
        middles.append(middle)
        top += high + _BETWEEN
    row[0] = sum(middles) / len(middles) if middles else 0.0
    return Fan(side, row, max(top - _BETWEEN, 1.0))
