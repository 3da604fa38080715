"""Parses references to tree nodes, strategies and matrix cells, and names them in sentences.

A node is given by its number or by the moves that lead to it. A strategy or cell is given by its place or its
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
"""So many plans may each have on whom something is asked."""


class Way(NamedTuple):
    """All moves that lead to a history, as a fact of a sentence: said in its language, as the view says them."""

    node: int


class BranchSaid(NamedTuple):
    """The move that leads to a history, as such a fact."""

    node: int


class StepSaid(NamedTuple):
    """A move of an information set, as such a fact."""

    place: int
    move: int


class KnownSaid(NamedTuple):
    """What a seat knows at an information set, as such a fact."""

    place: int


class PlanOf(NamedTuple):
    """A plan of a matrix, as such a fact."""

    seat: int
    place: int


def node_of(tree: Tree, node: object) -> int:
    """A history by its number, or by the moves that lead to it.

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
        here = 0
        for move in [node] if isinstance(node, str) else node:
            here = tree.first[here] + move_of(tree, here, move)
        return here
    example = [tree.move_to(1)] if tree.histories > 1 else []
    raise DurakError(
        f"there is no history {quoted(node)}; they are numbered from 0 to {tree.histories - 1}, "
        f"and may be named by the moves that lead there, as in {example!r}"
    )


def move_of(tree: Tree, node: int, move: object) -> int:
    """The place of a move among those that may be made at a history: by its name or by its place.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> move_of(tree, 0, "r"), move_of(tree, 0, 0)
    (1, 0)
    """
    known = [] if tree.actor[node] == OVER else [tree.move_to(child) for child in tree.children(node)]
    text, number = str(move) if isinstance(move, (str, Move)) else "", whole_number(move)
    if text in known:
        return known.index(text)
    if number is not None and 0 <= number < len(known):
        return number
    there = ", ".join(known) or "none: the game is over"
    raise DurakError(f"at history {node} there is no move {quoted(move)}; there are {there}.{nearest(text[:100], known)}")


def place_said(tree: Tree, node: int) -> Fact:
    """What a history is called in a sentence: by the moves that lead there.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> place_said(tree, 0), place_said(tree, 1).facts
    (Fact(key='lesson.tree.start', facts={}), {'moves': Way(node=1)})
    """
    return Fact("lesson.tree.after", {"moves": Way(node)}) if tree.parent[node] >= 0 else Fact("lesson.tree.start")


def place_name(names: Names, thing: object) -> str:
    """What one of those things is called on a tree.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": Turn(1, "?", [("x", "l")])}
    >>> names = Names(grow("", places.__getitem__, seats=2))
    >>> [place_name(names, thing) for thing in (Way(3), BranchSaid(3), StepSaid(0, 0), KnownSaid(0))]
    ['r, x', 'x', 'l', 'begins']
    """
    tree = names.tree
    match thing:
        case Way(node):
            way = [node]
            while tree.parent[way[-1]] > 0:
                way.append(tree.parent[way[-1]])
            shown = [str(names.branch(one)["said"]) for one in reversed(way)]
            return ", ".join(shown if len(shown) <= LONGEST else ["…", *shown[1 - LONGEST :]])
        case BranchSaid(node):
            return str(names.branch(node)["said"])
        case StepSaid(place, move):
            return str(names.moves(place)[move]["said"])
        case KnownSaid(place):
            return set_name(names, place) or _only_set(names, place) or str(names.branch(0)["said"])
        case _:
            return str(thing)


def set_name(names: Names, place: int) -> str:
    """What an information set is called: by what is known there, else by the moves that lead there, so that it is told from the others of its player; nothing where it is the only one, or the beginning.

    >>> from durak_widget.gametheory.tree import Draw, End, Turn, grow
    >>> places = {"": Draw([("good", "1/2", "g"), ("bad", "1/2", "b")]), "g": Turn(0, 1, [("offer", "1"), ("refuse", "1")]), "b": Turn(0, 2, [("offer", "1"), ("refuse", "1")]), "1": End((1, 0))}
    >>> names = Names(grow("", places.__getitem__, seats=2, say=lambda _, __: ""))
    >>> set_name(names, 0), set_name(names, 1)
    ('good', 'bad')
    """
    return infoset_labels.name_of_set(names.tree, place, names.known, lambda history: str(names.branch(history)["said"]), "{}".format)


def _only_set(names: Names, place: int) -> str:
    """Whose information set that is, where it is the only one of that player and needs no other name."""
    seat = names.tree.sets[place].seat
    return names.seats[seat] if names.tree.infosets[seat] == 1 else ""


def names_of(tree: Tree, language: str) -> Names:
    """What is said of a tree, with its cards as people write them."""
    names = Names(tree, language)
    names.spoken = names.written
    return names


def player_said(tree: Tree, seat: int) -> Seat | str:
    """A player, by its name where it has one."""
    return player_name(tree.names, seat)


def player_name(names: Sequence[str], seat: int) -> Seat | str:
    """How a player of a matrix is called: by a name, else by the seat.

    >>> player_name(("Ann", "seat 1"), 0), player_name(("Ann", "seat 1"), 1)
    ('Ann', Seat(number=1))
    """
    return Seat(seat) if is_unnamed(names[seat], seat) else names[seat]


def deciding_places(tree: Tree) -> list[int]:
    """The histories at which somebody chooses, in the order in which they are numbered."""
    return [here for here, actor in enumerate(tree.actor) if actor >= 0]


def require_perfect_information(tree: Tree, what: str) -> None:
    """Refuse a tree with imperfect information; `what` is asked."""
    seen: set[int] = set()
    for here in deciding_places(tree):
        place = tree.info[here]
        if place in seen:
            raise DurakError(
                f"{what} where every player knows all that has been done, and {set_named(tree, place)} does not; "
                "take a tree with open hands (open_hands=True), or ask with OnTree.sets or Strategy"
            )
        seen.add(place)


Cell = tuple[int, int]
"""A row and a column, by their places."""


def matrix_given(
    source: object, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ()
) -> Matrix:
    r"""The matrix of a tree, of `gametheory.matrix`, or of payoffs: rows of numbers, which the other loses, or of pairs.

    >>> print(matrix_given([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob")))
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5
    talks     | 5, 0   | 1, 1
    """
    if isinstance(source, (Matrix, Tree)):
        found = source if isinstance(source, Matrix) else matrix(source)
    else:
        found = written(source, rows=rows, columns=columns, names=tuple(names) or ("Row", "Column"))
    if max(len(found.rows), len(found.columns)) > MOST:
        raise DurakError(f"something is asked on a matrix of at most {MOST} × {MOST} cells, and this one is {found!r}; take a smaller game")
    return found


def place_of(plans: Sequence[Plan], plan: object) -> int:
    """The place of a plan, by its words or its number.

    >>> place_of([*matrix_given([[1], [2]], rows=["up", "down"]).rows], "down")
    1
    """
    number, known = whole_number(plan), [one.words for one in plans]
    if number is not None and 0 <= number < len(plans):
        return number
    if isinstance(plan, str) and plan in known:
        return known.index(plan)
    raise DurakError(
        f"there is no plan {quoted(plan)}; they are {', '.join(map(quoted, known[:8]))}, or numbers from 0.{nearest(plan, known)}"
    )


def plans_of(table: Matrix, seat: int) -> tuple[Plan, ...]:
    """The plans of a seat."""
    return table.columns if seat else table.rows


def named_cell(table: Matrix, cell: object) -> Cell:
    """A cell by the places or the words of its row and column.

    >>> named_cell(matrix_given([[1, -1], [-1, 1]], rows=["heads", "tails"]), ("tails", 0))
    (1, 0)
    """
    if not isinstance(cell, (list, tuple)) or len(cell) != 2:
        raise DurakError(f"a cell is named by its row and its column, as in (0, 1), not by {quoted(cell)}")
    return place_of(table.rows, cell[0]), place_of(table.columns, cell[1])


def seat_of(table: Matrix, seat: object) -> int:
    """Whose rows or columns: 0 or 1, or a name.

    >>> seat_of(matrix_given([[1]], names=("Ann", "Bob")), "Bob")
    1
    """
    named = player_number(table.names, seat)
    number = whole_number(seat) if named is None else named
    if number not in (0, 1):
        raise DurakError(f"the rows are of {table.names[0]} (0), the columns of {table.names[1]} (1), and {quoted(seat)} is neither")
    return number
