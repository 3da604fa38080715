"""Textbook games as typed: a tree as nested tuples, a matrix as cells, and a book's statements on equilibria."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree


def typed(players, root, title=""):
    """Return a tree from nested tuples: player, information and moves; chance with probabilities; ends with payoffs."""

    def look(here):
        if not isinstance(here[0], str):
            return TerminalNode(here)
        if len(here) == 2:
            return ChanceNode([(name, Fraction(probability), after) for name, (probability, after) in here[1].items()])
        who, knows, ways = here
        return DecisionNode(players.index(who), knows, list(ways.items()))

    return build_tree(root, look, player_count=len(players), names=players, title=title)


def at_once(cells, rows, columns, *, after=None, knows=("One", "Two")):
    """Return a part in which the players in `knows` choose at once; `after` gives what follows a cell that is not an end."""
    first, two = knows
    return (
        first.split()[0],
        first,
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
    """Return a matrix as a tree: One chooses a row, Two chooses a column without seeing it."""
    return typed(("One", "Two"), at_once(cells, rows, columns))


def three_at_once(tables, rows, columns, boxes):
    """Return a game of three simultaneous choices; Three chooses one of the tables."""

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
    """By information: the move, or the probability of each."""
    payoffs: tuple
    name: str
    """Its name in the answer of `solve`."""
    holds: tuple = ()
    """Its properties in the book, besides Nash equilibrium: `subgame-perfect`, `weak`."""
    fails: tuple = ()
    """Properties that the book denies."""
    messages: str | None = None


class Book(NamedTuple):
    """A textbook game with the book's statements on its equilibria."""

    source: str
    tree: object
    said: tuple
    pure: int | None = None
    """The number of pure equilibria."""
    every: int | None = None
    """The number of all equilibria, if the book has all."""


def row_of(tree, label, chosen):
    """Return the information set of that name with the probabilities of its moves."""
    [place] = [place for place, infoset in enumerate(tree.infosets) if infoset.label == label]
    moves = tree.infosets[place].actions
    probabilities = {chosen: 1} if isinstance(chosen, str) else chosen
    assert set(probabilities) <= set(moves), f"{label}: {probabilities} are no moves of {moves}"
    return place, tuple([Fraction(probabilities.get(move, 0)) for move in moves])


def does(tree, strategy, plays):
    """Return whether a strategy does what a book says."""
    return all(strategy.rows[place] == row for place, row in (row_of(tree, label, chosen) for label, chosen in plays.items()))
