"""Games of the books as one types them: a tree as nested tuples, a matrix as its cells; and what a book says of an equilibrium."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree


def typed(players, root, title=""):
    """A tree: whoever moves, what is known there, and where each move leads; of chance each way with its probability; at an end what each has."""

    def look(here):
        if not isinstance(here[0], str):
            return TerminalNode(here)
        if len(here) == 2:
            return ChanceNode([(name, Fraction(likely), after) for name, (likely, after) in here[1].items()])
        who, knows, ways = here
        return DecisionNode(players.index(who), knows, list(ways.items()))

    return build_tree(root, look, player_count=len(players), names=players, title=title)


def at_once(cells, rows, columns, *, after=None, knows=("One", "Two")):
    """Where the players `knows` choose at the same time; `after` says what follows a cell that is not the end."""
    one, two = knows
    return (
        one.split()[0],
        one,
        {
            row: (
                two.split()[0],
                two,
                {column: cell if after is None else after(row, column, cell) for column, cell in zip(columns.split(), line, strict=True)},
            )
            for row, line in zip(rows.split(), cells, strict=True)
        },
    )


def matrix_game(cells, rows, columns):
    """A matrix as a tree: One chooses a row, Two, who does not see it, a column."""
    return typed(("One", "Two"), at_once(cells, rows, columns))


def three_at_once(tables, rows, columns, boxes):
    """A game for three who choose at the same time; of each table, which Three chooses, the cells."""

    def below(row, column):
        return {box: table[row][column] for box, table in zip(boxes.split(), tables, strict=True)}

    ways = {
        row: ("Two", "Two", {column: ("Three", "Three", below(at, over)) for over, column in enumerate(columns.split())})
        for at, row in enumerate(rows.split())
    }
    return typed(("One", "Two", "Three"), ("One", "One", ways))


class Said(NamedTuple):
    """An equilibrium that a book names."""

    plays: dict
    """By what is known there: the move, or how likely each is."""
    worth: tuple
    name: str
    """What `solve` is to call it."""
    holds: tuple = ()
    """What the book says that it is, besides a Nash equilibrium: `subgame-perfect`, `weak`."""
    fails: tuple = ()
    """What the book says, or lets one see, that it is not."""
    messages: str | None = None


class Book(NamedTuple):
    """A game of a book, and what is said there of its equilibria."""

    source: str
    tree: object
    said: tuple
    pure: int | None = None
    """How many equilibria it has in pure plans."""
    every: int | None = None
    """How many at all, where the book has them all."""


def row_of(tree, label, chosen):
    """The information set of that name, and how likely each move is there."""
    [place] = [place for place, one in enumerate(tree.infosets) if one.label == label]
    moves = tree.infosets[place].actions
    likely = {chosen: 1} if isinstance(chosen, str) else chosen
    assert set(likely) <= set(moves), f"{label}: {likely} are no moves of {moves}"
    return place, tuple([Fraction(likely.get(move, 0)) for move in moves])


def does(tree, strategy, plays):
    """Whether a strategy does what a book says."""
    return all(strategy.rows[place] == row for place, row in (row_of(tree, label, chosen) for label, chosen in plays.items()))
