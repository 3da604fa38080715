"""Converts mixed strategies to behaviour strategies, and fills in unreached moves.

A player's own play may never lead to some information sets; the actions there are filled in. With perfect recall
every mixed strategy has an equivalent behaviour strategy (Kuhn, H. W. (1953): Extensive games and the problem of
information). With imperfect recall it may have none, because the player would have to remember which pure strategy
of the mixture they are playing.
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
    """A player's pure strategies (an action for each information set that they lead to), each with its probability."""


class Behaviour(NamedTuple):
    """A behaviour strategy made from mixed strategies."""

    strategy: Strategy
    free: tuple[int, ...]
    """The information sets that the player's own pure strategies never reach: actions there change no payoff."""


def behaviour(tree: Tree, mixes: Sequence[Mixed]) -> Behaviour:
    """Convert a mixed strategy for each player to a behaviour strategy.

    A mixture of a player with imperfect recall is refused.

    >>> from durak_widget import gametheory
    >>> entry, half = gametheory.textbook("entry"), Fraction(1, 2)
    >>> converted = behaviour(entry, [[({0: 0}, half), ({0: 1}, half)], [({1: 1}, Fraction(1))]])
    >>> converted.strategy["begins"], converted.free
    ((Fraction(1, 2), Fraction(1, 2)), ())
    """
    played_strategies = [
        [(pure_strategy, probability) for pure_strategy, probability in mixed_strategy if probability] for mixed_strategy in mixes
    ]
    for player, memory in enumerate(memories(tree)):
        if memory.recall != "perfect" and len(played_strategies[player]) > 1:
            raise TreeError(
                f"{player_named(tree.names, player)} forgets, and would have to remember which pure strategy was drawn: no behaviour does what this mix does"
            )
    rows: list[tuple[Fraction, ...] | None] = []
    for infoset, record in enumerate(tree.sets):
        weights = [Fraction(0)] * len(record.moves)
        for pure_strategy, probability in played_strategies[record.seat]:
            if infoset in pure_strategy:
                weights[pure_strategy[infoset]] += probability
        total = sum(weights)
        rows.append(tuple([weight / total for weight in weights]) if total else None)
    return Behaviour(filled_up(tree, rows), tuple([infoset for infoset, row in enumerate(rows) if row is None]))


def of_plans(tree: Tree, matrix: Matrix, equilibrium: Equilibrium) -> Behaviour:
    """Convert an equilibrium of a game's strategic form to a behaviour strategy.

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> table = gametheory.matrix(entry)
    >>> [of_plans(entry, table, equilibrium).strategy["after an entry"] for equilibrium in gametheory.equilibria(table)]
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 2), Fraction(1, 2))]
    """
    sides = (matrix.rows, equilibrium.row), (matrix.columns, equilibrium.column)
    return behaviour(
        tree,
        [
            [(pure_strategy.moves, probability) for pure_strategy, probability in zip(pure_strategies, probabilities, strict=True)]
            for pure_strategies, probabilities in sides
        ],
    )


def filled_up(tree: Tree, rows: Sequence[tuple[Fraction, ...] | None]) -> Strategy:
    """Complete a strategy where rows are missing (None), with best responses.

    If the other players never let the player come there, or the player has imperfect recall, it is the first action.

    >>> from durak_widget import gametheory
    >>> filled_up(gametheory.textbook("chain-store"), [(Fraction(0), Fraction(1)), *[None] * 25]).rows[0]
    (Fraction(0, 1), Fraction(1, 1))
    """
    strategy = made(
        tree.sets, [pure_row(0, len(record.moves)) if row is None else row for record, row in zip(tree.sets, rows, strict=True)]
    )
    open_players = {record.seat for record, row in zip(tree.sets, rows, strict=True) if row is None}
    completed = list(strategy.rows)
    for player, memory in enumerate(memories(tree)):
        if player in open_players and memory.recall == "perfect":
            for infoset, is_best in answers(tree, strategy, player).moves.items():
                if rows[infoset] is None:
                    completed[infoset] = pure_row(is_best.index(True), len(is_best))
    return made(tree.sets, completed)


def mixes(tree: Tree, strategy: Strategy) -> bool:
    """Return whether a player mixes at an information set that their own actions lead to.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside, half = textbook("outside-option"), {"Bach": 0.5, "Stravinsky": 0.5}
    >>> choices = {(0, "chooses a concert"): half, (1, "chooses a concert"): "Bach"}
    >>> [mixes(outside, Strategy.of(outside, choices | {"stays or goes": first})) for first in ("book", "concert")]
    [False, True]
    """
    unreached = never_led(tree, strategy)
    return any(max(row) < 1 for infoset, row in enumerate(strategy.rows) if infoset not in unreached)


def never_led(tree: Tree, strategy: Strategy) -> frozenset[int]:
    """Find the information sets that the player's own actions never lead to.

    Actions there change no payoff.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> [never_led(outside, Strategy.of(outside, {"stays or goes": first})) for first in ("book", "concert")]
    [frozenset({1}), frozenset()]
    """
    paths, _ = own_paths(tree)
    reached = {
        infoset
        for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True))
        if actor >= 0 and all(strategy.rows[earlier][action] for earlier, action in paths[node][actor])
    }
    return frozenset(range(len(tree.sets))) - reached


def alike(tree: Tree, strategy: Strategy, other: Strategy) -> bool:
    """Return whether two strategies do the same wherever their own actions lead.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> left, right = (Strategy.of(outside, {0: "book", 1: action, 2: "Bach"}) for action in ("Bach", "Stravinsky"))
    >>> alike(outside, left, right), alike(outside, left, Strategy.uniform(outside))
    (True, False)
    """
    unreached = never_led(tree, strategy)
    return unreached == never_led(tree, other) and all(
        strategy.rows[infoset] == other.rows[infoset] for infoset in range(len(tree.sets)) if infoset not in unreached
    )
