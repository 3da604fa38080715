"""Parses and names references to tree nodes, strategies and matrix cells.

A node is given by its number or by the moves that lead to it. A strategy or cell is given by its index or its
label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.tree_wording import Names
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.gametheory import infoset_labels
from durak_widget.gametheory.infoset_labels import LONGEST, set_named
from durak_widget.gametheory.player_labels import is_unnamed, player_number
from durak_widget.gametheory.strategic_form import Matrix, matrix
from durak_widget.gametheory.strategic_form import matrix_of as written
from durak_widget.gametheory.tree import OVER, Tree
from durak_widget.i18n import Fact, Seat

if TYPE_CHECKING:
    from durak_widget.gametheory.strategic_form import Plan

MOST: Final = 64
"""The largest number of pure strategies of a player in a matrix exercise."""


class Way(NamedTuple):
    """A reference to all moves that lead to a node; each language formats it as the view does."""

    node: int


class BranchSaid(NamedTuple):
    """A reference to the move that leads to a node."""

    node: int


class StepSaid(NamedTuple):
    """A reference to an action at an information set."""

    place: int
    move: int


class KnownSaid(NamedTuple):
    """A reference to what the player knows at an information set."""

    place: int


class PlanOf(NamedTuple):
    """A reference to a pure strategy of a matrix."""

    seat: int
    place: int


def node_of(tree: Tree, node: object) -> int:
    """Return the node with this number, or at the end of these moves.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> node_of(tree, 2), node_of(tree, ["r"]), node_of(tree, [])
    (2, 2, 0)
    >>> node_of(tree, 3)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no history 3; they are numbered from 0 to 2, and may be named by the moves that lead there, as in ['l']
    """
    number = whole_number(int(node) if isinstance(node, str) and node.isascii() and node.isdecimal() and len(node) < 10 else node)
    if number is not None and 0 <= number < tree.histories:
        return number
    if number is None and isinstance(node, Sequence):
        reached = 0
        for move in [node] if isinstance(node, str) else node:
            reached = tree.first[reached] + move_of(tree, reached, move)
        return reached
    example = [tree.move_to(1)] if tree.histories > 1 else []
    raise DurakError(
        f"there is no history {quoted(node)}; they are numbered from 0 to {tree.histories - 1}, "
        f"and may be named by the moves that lead there, as in {example!r}"
    )


def move_of(tree: Tree, node: int, move: object) -> int:
    """Return the index of an action at a node, given by its name or its index.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> move_of(tree, 0, "r"), move_of(tree, 0, 0)
    (1, 0)
    """
    actions = [] if tree.actor[node] == OVER else [tree.move_to(child) for child in tree.children(node)]
    text, number = str(move) if isinstance(move, (str, Move)) else "", whole_number(move)
    if text in actions:
        return actions.index(text)
    if number is not None and 0 <= number < len(actions):
        return number
    listing = ", ".join(actions) or "none: the game is over"
    raise DurakError(f"at history {node} there is no move {quoted(move)}; there are {listing}.{nearest(text[:100], actions)}")


def place_said(tree: Tree, node: int) -> Fact:
    """Return the fact that describes a node by the moves that lead to it.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> place_said(tree, 0), place_said(tree, 1).facts
    (Fact(key='lesson.tree.start', facts={}), {'moves': Way(node=1)})
    """
    return Fact("lesson.tree.after", {"moves": Way(node)}) if tree.parent[node] >= 0 else Fact("lesson.tree.start")


def place_name(names: Names, thing: object) -> str:
    """Return the name of a referenced move, path or information set of a tree.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": Turn(1, "?", [("x", "l")])}
    >>> names = Names(grow("", places.__getitem__, seats=2))
    >>> [place_name(names, reference) for reference in (Way(3), BranchSaid(3), StepSaid(0, 0), KnownSaid(0))]
    ['r, x', 'x', 'l', 'begins']
    """
    tree = names.tree
    match thing:
        case Way(node):
            path = [node]
            while tree.parent[path[-1]] > 0:
                path.append(tree.parent[path[-1]])
            labels = [str(names.branch(step)["said"]) for step in reversed(path)]
            return ", ".join(labels if len(labels) <= LONGEST else ["…", *labels[1 - LONGEST :]])
        case BranchSaid(node):
            return str(names.branch(node)["said"])
        case StepSaid(place, move):
            return str(names.moves(place)[move]["said"])
        case KnownSaid(place):
            return set_name(names, place) or _only_set(names, place) or str(names.branch(0)["said"])
        case _:
            return str(thing)


def set_name(names: Names, place: int) -> str:
    """Return the name of an information set: what is known there, else the path to it.

    The name distinguishes it from the other information sets of its player. It is empty if it is the only one, or
    the root.

    >>> from durak_widget.gametheory.tree import Draw, End, Turn, grow
    >>> places = {"": Draw([("good", "1/2", "g"), ("bad", "1/2", "b")]), "g": Turn(0, 1, [("offer", "1"), ("refuse", "1")]), "b": Turn(0, 2, [("offer", "1"), ("refuse", "1")]), "1": End((1, 0))}
    >>> names = Names(grow("", places.__getitem__, seats=2, say=lambda _, __: ""))
    >>> set_name(names, 0), set_name(names, 1)
    ('good', 'bad')
    """
    return infoset_labels.name_of_set(names.tree, place, names.known, lambda history: str(names.branch(history)["said"]), "{}".format)


def _only_set(names: Names, place: int) -> str:
    """Return the player's name if this is their only information set, else an empty string."""
    player = names.tree.sets[place].seat
    return names.seats[player] if names.tree.infosets[player] == 1 else ""


def names_of(tree: Tree, language: str) -> Names:
    """Return the wording of a tree, with cards as people write them."""
    names = Names(tree, language)
    names.spoken = names.written
    return names


def player_said(tree: Tree, seat: int) -> Seat | str:
    """Return a player of a tree: the name if there is one, else the seat."""
    return player_name(tree.names, seat)


def player_name(names: Sequence[str], seat: int) -> Seat | str:
    """Return a player of a matrix: the name if there is one, else the seat.

    >>> player_name(("Ann", "seat 1"), 0), player_name(("Ann", "seat 1"), 1)
    ('Ann', Seat(number=1))
    """
    return Seat(seat) if is_unnamed(names[seat], seat) else names[seat]


def deciding_places(tree: Tree) -> list[int]:
    """Return the decision nodes in increasing order."""
    return [node for node, actor in enumerate(tree.actor) if actor >= 0]


def require_perfect_information(tree: Tree, what: str) -> None:
    """Raise a `DurakError` if the tree has imperfect information; `what` starts its sentence."""
    seen: set[int] = set()
    for node in deciding_places(tree):
        infoset = tree.info[node]
        if infoset in seen:
            raise DurakError(
                f"{what} where every player knows all that has been done, and {set_named(tree, infoset)} does not; "
                "take a tree with open hands (open_hands=True), or ask with OnTree.sets or Strategy"
            )
        seen.add(infoset)


Cell = tuple[int, int]
"""The indices of a row and a column."""


def matrix_given(
    source: object, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ()
) -> Matrix:
    r"""Return the matrix of a tree, of `gametheory.matrix`, or of rows of payoffs.

    A payoff is a number, which the opponent loses, or a pair of numbers.

    >>> print(matrix_given([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob")))
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5
    talks     | 5, 0   | 1, 1
    """
    if isinstance(source, (Matrix, Tree)):
        table = source if isinstance(source, Matrix) else matrix(source)
    else:
        table = written(source, rows=rows, columns=columns, names=tuple(names) or ("Row", "Column"))
    if max(len(table.rows), len(table.columns)) > MOST:
        raise DurakError(f"something is asked on a matrix of at most {MOST} × {MOST} cells, and this one is {table!r}; take a smaller game")
    return table


def place_of(plans: Sequence[Plan], plan: object) -> int:
    """Return the index of a pure strategy, given by its words or its index.

    >>> place_of([*matrix_given([[1], [2]], rows=["up", "down"]).rows], "down")
    1
    """
    number, words = whole_number(plan), [strategy.words for strategy in plans]
    if number is not None and 0 <= number < len(plans):
        return number
    if isinstance(plan, str) and plan in words:
        return words.index(plan)
    raise DurakError(
        f"there is no plan {quoted(plan)}; they are {', '.join(map(quoted, words[:8]))}, or numbers from 0.{nearest(plan, words)}"
    )


def plans_of(table: Matrix, seat: int) -> tuple[Plan, ...]:
    """Return the pure strategies of a player."""
    return table.columns if seat else table.rows


def named_cell(table: Matrix, cell: object) -> Cell:
    """Return a cell, given by the indices or words of its row and column.

    >>> named_cell(matrix_given([[1, -1], [-1, 1]], rows=["heads", "tails"]), ("tails", 0))
    (1, 0)
    """
    if not isinstance(cell, (list, tuple)) or len(cell) != 2:
        raise DurakError(f"a cell is named by its row and its column, as in (0, 1), not by {quoted(cell)}")
    return place_of(table.rows, cell[0]), place_of(table.columns, cell[1])


def seat_of(table: Matrix, seat: object) -> int:
    """Return the player (0 or 1) of the rows or columns, given by number or name.

    >>> seat_of(matrix_given([[1]], names=("Ann", "Bob")), "Bob")
    1
    """
    named = player_number(table.names, seat)
    number = whole_number(seat) if named is None else named
    if number not in (0, 1):
        raise DurakError(f"the rows are of {table.names[0]} (0), the columns of {table.names[1]} (1), and {quoted(seat)} is neither")
    return number
