"""From mixes of plans to what is done from move to move, and what to do where one's own plans never lead.

Who forgets nothing can do by behaviour whatever a mix of plans does (Kuhn, H. W. (1953): Extensive games and the problem of information); who
forgets cannot, as one plan of the mix would have to be remembered.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.best_responses import answers
from durak_widget.gametheory.game_structure import memories
from durak_widget.gametheory.player_labels import player_named
from durak_widget.gametheory.strategy import made, pure_row
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.bimatrix_equilibria import Equilibrium
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    Mixed = Sequence[tuple[Mapping[int, int], Fraction]]
    """Plans of one seat, each with how likely it is; a plan says which move is made at each information set to which it leads itself."""


class Behaviour(NamedTuple):
    """What is done from move to move."""

    strategy: Strategy
    free: tuple[int, ...]
    """The information sets to which the plans of their own seat never lead: whatever is done there, nobody has more or less."""


def behaviour(tree: Tree, mixes: Sequence[Mixed]) -> Behaviour:
    """What a mix of plans for each seat does from move to move; a mix of a seat that forgets is refused.

    >>> from durak_widget import analysis
    >>> entry, half = analysis.textbook("entry"), Fraction(1, 2)
    >>> found = behaviour(entry, [[({0: 0}, half), ({0: 1}, half)], [({1: 1}, Fraction(1))]])
    >>> found.strategy["begins"], found.free
    ((Fraction(1, 2), Fraction(1, 2)), ())
    """
    played = [[(plan, likely) for plan, likely in mix if likely] for mix in mixes]
    for seat, memory in enumerate(memories(tree)):
        if memory.recall != "perfect" and len(played[seat]) > 1:
            raise TreeError(
                f"{player_named(tree.names, seat)} forgets, and would have to remember which pure strategy was drawn: no behaviour does what this mix does"
            )
    rows: list[tuple[Fraction, ...] | None] = []
    for place, one in enumerate(tree.sets):
        weights = [Fraction(0)] * len(one.moves)
        for plan, likely in played[one.seat]:
            if place in plan:
                weights[plan[place]] += likely
        whole = sum(weights)
        rows.append(tuple([weight / whole for weight in weights]) if whole else None)
    return Behaviour(filled_up(tree, rows), tuple([place for place, row in enumerate(rows) if row is None]))


def of_plans(tree: Tree, matrix: Matrix, equilibrium: Equilibrium) -> Behaviour:
    """What an equilibrium of a game's strategic form does from move to move.

    >>> from durak_widget import analysis
    >>> entry = analysis.textbook("entry")
    >>> table = analysis.matrix(entry)
    >>> [of_plans(entry, table, one).strategy["after an entry"] for one in analysis.equilibria(table)]
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 2), Fraction(1, 2))]
    """
    sides = (matrix.rows, equilibrium.row), (matrix.columns, equilibrium.column)
    return behaviour(tree, [[(plan.moves, likely) for plan, likely in zip(plans, mix, strict=True)] for plans, mix in sides])


def filled_up(tree: Tree, rows: Sequence[tuple[Fraction, ...] | None]) -> Strategy:
    """A strategy of these probabilities, and where a seat never leads itself (None) of a best answer to the others; the first move where these never let it come either, or it forgets.

    >>> from durak_widget import analysis
    >>> filled_up(analysis.textbook("chain-store"), [(Fraction(0), Fraction(1)), *[None] * 25]).rows[0]
    (Fraction(0, 1), Fraction(1, 1))
    """
    strategy = made(tree.sets, [pure_row(0, len(one.moves)) if row is None else row for one, row in zip(tree.sets, rows, strict=True)])
    open_seats = {one.seat for one, row in zip(tree.sets, rows, strict=True) if row is None}
    whole = list(strategy.rows)
    for seat, memory in enumerate(memories(tree)):
        if seat in open_seats and memory.recall == "perfect":
            for place, moves in answers(tree, strategy, seat).moves.items():
                if rows[place] is None:
                    whole[place] = pure_row(moves.index(True), len(moves))
    return made(tree.sets, whole)
