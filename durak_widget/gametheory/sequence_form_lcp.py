"""One equilibrium of a game for two in which nobody forgets, whatever its payoffs: exactly, by Lemke's algorithm on the sequence form.

Each move has a weight, how likely the seat's own moves come to it and make it, and a loss, by how much it brings less than the best at its information
set. Both depend linearly on the other moves (Koller, D., Megiddo, N. and von Stengel, B. (1996): Efficient computation of equilibria for extensive
two-person games), and an equilibrium is where no move has both. The weights of one move at each information set, its base, follow from the
others'. A base is what both would do most often if they learned for a while, which makes the path short. The path begins where only bases are
played, and every other move is taxed so high that nobody makes one; it goes from corner to corner and ends where the tax is gone. It cannot run
away: weights are those of strategies all along, and only a tax holds everybody at the bases. All numbers are whole (Bareiss, E. H. (1968)), ties are
broken as if the right side were moved by powers of something tiny, and what comes out is proved by best responses.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.best_responses import best_response, edges, nash_conv, order_of
from durak_widget.gametheory.game_properties import in_decimals
from durak_widget.gametheory.mixed_to_behaviour import filled_up
from durak_widget.gametheory.strategy import Strategy, made
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.tree import Tree

    Line = dict[int, int]
    """Whole numbers by moves, as they are numbered in `edges`; 0 stands for no move."""

_ROUNDS: Final = 100
"""No more rounds than these are learned before the path begins."""
_TAX: Final = 0
"""The unknown that is the tax; those above are the weights of moves, those below their losses."""


def lemke(tree: Tree, start: Sequence[int] | None = None) -> Strategy:
    """An equilibrium of a two-player game with perfect recall, in fractions, proved; `start`: at each information set, the move from which the path begins.

    >>> from durak_widget import gametheory
    >>> lemke(gametheory.textbook("myerson"))["holds black"]
    (Fraction(1, 3), Fraction(2, 3))
    >>> outside = gametheory.textbook("outside-option")
    >>> [gametheory.value(outside, lemke(outside), seat) for seat in (0, 1)]
    [Fraction(3, 1), Fraction(1, 1)]
    >>> lemke(gametheory.textbook("horse"))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: Lemke's algorithm needs two seats, and this tree has 3
    """
    require_tree(tree)
    if tree.seats != 2:
        raise TreeError(f"Lemke's algorithm needs two seats, and this tree has {tree.seats}")
    if forgotten := forgets(tree):
        raise TreeError(f"{forgotten}; Lemke's algorithm needs a tree with perfect recall")
    bases = _learned(tree, min(_ROUNDS, 10 + len(tree.sets))) if start is None else list(start)
    Strategy.choosing(tree, bases)  # refuses what are no moves
    found = _strategy(tree, _Path(*_equations(tree, bases)).walked())
    if gained := nash_conv(tree, found):
        raise ArithmeticError(f"the path ended at what is no equilibrium: somebody gains {gained}")
    return found


def _strategy(tree: Tree, weights: Mapping[int, Fraction]) -> Strategy:
    """What is done where moves have these weights, others none."""
    starts, rows = edges(tree), list[tuple[Fraction, ...] | None]()
    for place in range(len(tree.sets)):
        mine = [weights.get(move, Fraction(0)) for move in range(starts[place] + 1, starts[place + 1] + 1)]
        whole = sum(mine)
        rows.append(tuple([one / whole for one in mine]) if whole else None)
    return filled_up(tree, rows)


def _learned(tree: Tree, rounds: int) -> list[int]:
    """For each information set the move that is made most often when both answer what the other has done so far (Brown, G. W. (1951)), after so many rounds.

    Later rounds count more: what was learned early is soon forgotten.
    """
    often = [[1 / len(one.moves)] * len(one.moves) for one in tree.sets]
    for many in range(1, rounds + 1) if in_decimals(tree) else ():
        so_far = made(tree.sets, [tuple([times / sum(row) for times in row]) for row in often])
        answers = [best_response(tree, so_far, seat).strategy for seat in (0, 1)]
        for place, one in enumerate(tree.sets):
            often[place][answers[one.seat].rows[place].index(1)] += many
    return [row.index(max(row)) for row in often]


def _equations(tree: Tree, bases: Sequence[int]) -> tuple[list[Line], list[int]]:
    """For each move one equation, with its constant at 0: of a base its weight, by the weights of others; of another its loss, by others' weights and bases' losses."""
    starts = edges(tree)
    base = [starts[place] + 1 + move for place, move in enumerate(bases)]
    orders = order_of(tree, 0), order_of(tree, 1)
    lines: list[Line] = [{} for _ in range(starts[-1] + 1)]
    paid = _paid(tree)
    for seat, order in enumerate(orders):
        weights: dict[int, Line] = {0: {0: 1}}
        for place, before in order.items():
            others = [move for move in range(starts[place] + 1, starts[place + 1] + 1) if move != base[place]]
            weights |= {move: {move: 1} for move in others}
            line = lines[base[place]] = weights[base[place]] = weights[before] | dict.fromkeys(others, -1)
            for move, times in line.items():
                if move:
                    lines[move][base[place]] = -times
        worth = paid[seat]
        for place, before in reversed(order.items()):
            kept = worth.pop(base[place], {})
            for move in range(starts[place] + 1, starts[place + 1] + 1):
                if move != base[place]:
                    gained = _by_others(_sum(worth.pop(move, {}), kept, -1), orders[1 - seat], base, starts)
                    lines[move] |= {other: -more for other, more in gained.items()}
            worth[before] = _sum(worth.get(before, {}), kept, 1)
    return lines, base


def _paid(tree: Tree) -> tuple[dict[int, Line], dict[int, Line]]:
    """Of each seat: what each of its moves pays it at once after each of the other's, in whole numbers, chance included."""
    starts = edges(tree)
    last = [(0, 0)] * tree.histories
    likely = [Fraction(1)] * tree.histories
    cells: tuple[dict[tuple[int, int], Fraction], dict[tuple[int, int], Fraction]] = ({}, {})
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        one, other = last[here]
        if who == OVER:
            for seat, won in enumerate(tree.payoffs[place]):
                key = (other, one) if seat else (one, other)
                cells[seat][key] = cells[seat].get(key, Fraction(0)) + likely[here] * won
        for move, child in enumerate(tree.children(here)):
            likely[child], last[child] = likely[here], last[here]
            if who == CHANCE:
                likely[child] *= tree.chances[place].probabilities[move]
            else:
                made = starts[place] + 1 + move
                last[child] = (one, made) if who else (made, other)
    found: tuple[dict[int, Line], dict[int, Line]] = ({}, {})
    for seat, worths in enumerate(cells):
        whole = lcm(*(one.denominator for one in worths.values()))
        for (mine, theirs), won in worths.items():
            if won:
                found[seat].setdefault(mine, {})[theirs] = int(won * whole)
    return found


def _sum(one: Line, other: Line, times: int) -> Line:
    """The one and so many times the other."""
    return one | {move: one.get(move, 0) + times * more for move, more in other.items()}


def _by_others(line: Line, order: dict[int, int], base: Sequence[int], starts: Sequence[int]) -> Line:
    """What depends on the weights of all of a seat's moves, by those alone that are no bases."""
    line = dict(line)
    for place, before in reversed(order.items()):
        if kept := line.pop(base[place], 0):
            for move in range(starts[place] + 1, starts[place + 1] + 1):
                if move != base[place]:
                    line[move] = line.get(move, 0) - kept
            line[before] = line.get(before, 0) + kept
    return line


class _Path:
    """The equations, solved for one unknown each, on the way from corner to corner."""

    def __init__(self, equations: Sequence[Line], bases: Sequence[int]) -> None:
        many = len(equations) - 1
        first = set(bases)
        self.basis = [move if move in first else -move for move in range(1, many + 1)]
        """For each line, the unknown that it is solved for."""
        self.others = [-unknown for unknown in self.basis] + [_TAX]
        """For each column, the unknown that is nothing."""
        self.lines = []
        """Whole numbers: what stands at the others, brought to the left side, and the constant; all are `whole` times too large."""
        for move in range(1, many + 1):
            line = [0] * (many + 2)
            for other, times in equations[move].items():
                line[other - 1 if other else many + 1] = -times if other else times
            line[many] = 0 if move in first else -1
            self.lines.append(line)
        self.whole = 1
        self.start = self.basis[:]
        """The unknowns for which they were solved at first."""

    def walked(self) -> dict[int, Fraction]:
        """The unknowns that are something at the end of the path."""
        taxed = [place for place, line in enumerate(self.lines) if line[-2]]
        if taxed and min(self.lines[place][-1] for place in taxed) < 0:
            row = min(taxed, key=lambda place: (self.lines[place][-1], -place))
            left = self._exchanged(row, len(self.lines))
            while left != _TAX:
                column = self.others.index(-left)
                left = self._exchanged(self._leaving(column), column)
        return {unknown: Fraction(line[-1], self.whole) for unknown, line in zip(self.basis, self.lines, strict=True)}

    def _leaving(self, column: int) -> int:
        """The line whose unknown is the first to be nothing when that of a column grows; the tax, if it is one of them."""
        tied = [place for place, line in enumerate(self.lines) if line[column] > 0]
        if not tied:
            raise ArithmeticError("the path runs away, which it cannot where nobody forgets")
        tied = self._least(tied, column, [line[-1] for line in self.lines])
        if len(tied) > 1:
            for place in tied:
                if self.basis[place] == _TAX:
                    return place
            lines = {unknown: place for place, unknown in enumerate(self.basis)}
            columns = {unknown: place for place, unknown in enumerate(self.others)}
            for unknown in self.start:  # what tiny shifts of the right side do
                if unknown in columns:
                    tied = self._least(tied, column, [line[columns[unknown]] for line in self.lines])
                elif lines[unknown] in tied:
                    tied.remove(lines[unknown])
                if len(tied) == 1:
                    break
        return tied[0]

    def _least(self, tied: list[int], column: int, values: Sequence[int]) -> list[int]:
        """Of these lines those whose value is the least in proportion to what stands in the column."""
        least = [tied[0]]
        for place in tied[1:]:
            one, best = values[place] * self.lines[least[0]][column], values[least[0]] * self.lines[place][column]
            if one < best:
                least = [place]
            elif one == best:
                least.append(place)
        return least

    def _exchanged(self, row: int, column: int) -> int:
        """Solve a line for the unknown of a column; the unknown that this line was solved for takes the column."""
        lines, whole, chosen = self.lines, self.whole, self.lines[row]
        pivot = chosen[column]
        for place, line in enumerate(lines):
            factor = line[column]
            if place == row:
                continue
            if factor:
                lines[place] = [(pivot * one - factor * other) // whole for one, other in zip(line, chosen, strict=True)]
                lines[place][column] = -factor
            elif pivot != whole:
                lines[place] = [pivot * one // whole for one in line]
        chosen[column] = whole
        if pivot < 0:
            self.lines = [[-one for one in line] for line in lines]
        self.whole = abs(pivot)
        left, self.basis[row] = self.basis[row], self.others[column]
        self.others[column] = left
        return left
