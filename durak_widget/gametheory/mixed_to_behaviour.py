"""Converts mixed strategies to behaviour strategies, and fills in moves where a player's own play never leads.

With perfect recall every mixed strategy has an equivalent behaviour strategy (Kuhn, H. W. (1953): Extensive
games and the problem of information). With imperfect recall it may have none, because the player would have
to remember which pure strategy of the mix they are playing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.best_responses import answers
from durak_widget.gametheory.game_properties import memories
from durak_widget.gametheory.player_labels import player_named
from durak_widget.gametheory.strategic_form import own_paths
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

    >>> from durak_widget import gametheory
    >>> entry, half = gametheory.textbook("entry"), Fraction(1, 2)
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

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> table = gametheory.matrix(entry)
    >>> [of_plans(entry, table, one).strategy["after an entry"] for one in gametheory.equilibria(table)]
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 2), Fraction(1, 2))]
    """
    sides = (matrix.rows, equilibrium.row), (matrix.columns, equilibrium.column)
    return behaviour(tree, [[(plan.moves, likely) for plan, likely in zip(plans, mix, strict=True)] for plans, mix in sides])


def filled_up(tree: Tree, rows: Sequence[tuple[Fraction, ...] | None]) -> Strategy:
    """A strategy of these probabilities, and where a seat never leads itself (None) of a best answer to the others; the first move where these never let it come either, or it forgets.

    >>> from durak_widget import gametheory
    >>> filled_up(gametheory.textbook("chain-store"), [(Fraction(0), Fraction(1)), *[None] * 25]).rows[0]
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


def mixes(tree: Tree, strategy: Strategy) -> bool:
    """Whether somebody mixes at an information set to which its own moves lead.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside, half = textbook("outside-option"), {"Bach": 0.5, "Stravinsky": 0.5}
    >>> plays = {(0, "chooses a concert"): half, (1, "chooses a concert"): "Bach"}
    >>> [mixes(outside, Strategy.of(outside, plays | {"stays or goes": one})) for one in ("book", "concert")]
    [False, True]
    """
    free = never_led(tree, strategy)
    return any(max(row) < 1 for place, row in enumerate(strategy.rows) if place not in free)


def never_led(tree: Tree, strategy: Strategy) -> frozenset[int]:
    """The information sets to which the moves of their own seat never lead: what is done there is nothing to anybody.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> [never_led(outside, Strategy.of(outside, {"stays or goes": one})) for one in ("book", "concert")]
    [frozenset({1}), frozenset()]
    """
    paths, _ = own_paths(tree)
    led = {
        place
        for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True))
        if who >= 0 and all(strategy.rows[one][move] for one, move in paths[here][who])
    }
    return frozenset(range(len(tree.sets))) - led


def alike(tree: Tree, strategy: Strategy, other: Strategy) -> bool:
    """Whether two strategies do the same wherever their own moves lead.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> one, two = (Strategy.of(outside, {0: "book", 1: move, 2: "Bach"}) for move in ("Bach", "Stravinsky"))
    >>> alike(outside, one, two), alike(outside, one, Strategy.uniform(outside))
    (True, False)
    """
    free = never_led(tree, strategy)
    return free == never_led(tree, other) and all(strategy.rows[one] == other.rows[one] for one in range(len(tree.sets)) if one not in free)
