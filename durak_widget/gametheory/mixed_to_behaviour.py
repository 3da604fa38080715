"""Converts mixed to behaviour strategies, and adds actions at unreached information sets.

A player's own play may never reach some information sets; the module fills in the actions there. With perfect recall
every mixed strategy has an equivalent behaviour strategy (Kuhn, H. W. (1953): Extensive games and the problem of
information). With imperfect recall it may have none, because the player would have to remember which pure strategy of
the mixture they are playing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.best_responses import best_response_set
from durak_widget.gametheory.game_properties import find_player_recalls
from durak_widget.gametheory.player_labels import format_player_name
from durak_widget.gametheory.strategic_form import compute_own_paths
from durak_widget.gametheory.strategy import build_unchecked_strategy, pure_row
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.bimatrix_equilibria import Equilibrium
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    MixedStrategy = Sequence[tuple[Mapping[int, int], Fraction]]
    """A player's pure strategies with their probabilities; a pure strategy has an action for each information set that it can reach."""


class BehaviourConversion(NamedTuple):
    """A behaviour strategy of all players, converted from their mixed strategies."""

    strategy: Strategy
    unreached_infosets: tuple[int, ...]
    """The information sets that a player's own pure strategies never reach; the action there changes no payoff."""


def behaviour_from_mixed(tree: Tree, mixed_strategies: Sequence[MixedStrategy]) -> BehaviourConversion:
    """Convert a mixed strategy for each player to a behaviour strategy.

    If a player with imperfect recall mixes pure strategies, the function raises an error.

    >>> from durak_widget import gametheory
    >>> entry, half = gametheory.textbook("entry"), Fraction(1, 2)
    >>> converted = behaviour_from_mixed(entry, [[({0: 0}, half), ({0: 1}, half)], [({1: 1}, Fraction(1))]])
    >>> converted.strategy["begins"], converted.unreached_infosets
    ((Fraction(1, 2), Fraction(1, 2)), ())
    """
    played_strategies = [
        [(pure_strategy, probability) for pure_strategy, probability in mixed_strategy if probability]
        for mixed_strategy in mixed_strategies
    ]
    for player, player_recall in enumerate(find_player_recalls(tree)):
        if player_recall.recall != "perfect" and len(played_strategies[player]) > 1:
            raise TreeError(
                f"{format_player_name(tree.names, player)} has imperfect recall and would have to remember which pure strategy was drawn, so no behaviour strategy does the same as this mixed strategy"
            )
    rows: list[tuple[Fraction, ...] | None] = []
    for infoset, record in enumerate(tree.infosets):
        weights = [Fraction(0)] * len(record.actions)
        for pure_strategy, probability in played_strategies[record.player]:
            if infoset in pure_strategy:
                weights[pure_strategy[infoset]] += probability
        total = sum(weights)
        rows.append(tuple([weight / total for weight in weights]) if total else None)
    return BehaviourConversion(
        complete_with_best_responses(tree, rows), tuple([infoset for infoset, row in enumerate(rows) if row is None])
    )


def behaviour_from_equilibrium(tree: Tree, matrix: Matrix, equilibrium: Equilibrium) -> BehaviourConversion:
    """Convert an equilibrium of a game's strategic form to a behaviour strategy.

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> table = gametheory.matrix(entry)
    >>> [behaviour_from_equilibrium(entry, table, equilibrium).strategy["after an entry"] for equilibrium in gametheory.equilibria(table)]
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 2), Fraction(1, 2))]
    """
    sides = (matrix.rows, equilibrium.row), (matrix.columns, equilibrium.column)
    return behaviour_from_mixed(
        tree,
        [
            [(pure_strategy.actions, probability) for pure_strategy, probability in zip(pure_strategies, probabilities, strict=True)]
            for pure_strategies, probabilities in sides
        ],
    )


def complete_with_best_responses(tree: Tree, rows: Sequence[tuple[Fraction, ...] | None]) -> Strategy:
    """Fill in a best response at each information set where a strategy has no probabilities.

    If the other players' strategies never allow the information set, or if the player has imperfect recall, the first
    action is filled in.

    >>> from durak_widget import gametheory
    >>> complete_with_best_responses(gametheory.textbook("chain-store"), [(Fraction(0), Fraction(1)), *[None] * 25]).rows[0]
    (Fraction(0, 1), Fraction(1, 1))
    """
    strategy = build_unchecked_strategy(
        tree.infosets, [pure_row(0, len(record.actions)) if row is None else row for record, row in zip(tree.infosets, rows, strict=True)]
    )
    open_players = {record.player for record, row in zip(tree.infosets, rows, strict=True) if row is None}
    completed = list(strategy.rows)
    for player, player_recall in enumerate(find_player_recalls(tree)):
        if player in open_players and player_recall.recall == "perfect":
            for infoset, is_best in best_response_set(tree, strategy, player).best_actions.items():
                if rows[infoset] is None:
                    completed[infoset] = pure_row(is_best.index(True), len(is_best))
    return build_unchecked_strategy(tree.infosets, completed)


def is_mixed_on_own_path(tree: Tree, strategy: Strategy) -> bool:
    """Return whether any player mixes actions at an information set that the player reaches.

    An information set counts as reached if the player's own earlier actions can lead to it.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside, half = textbook("outside-option"), {"Bach": 0.5, "Stravinsky": 0.5}
    >>> choices = {(0, "chooses a concert"): half, (1, "chooses a concert"): "Bach"}
    >>> [is_mixed_on_own_path(outside, Strategy.from_mapping(outside, choices | {"stays or goes": first})) for first in ("book", "concert")]
    [False, True]
    """
    unreached = find_own_unreached_infosets(tree, strategy)
    return any(max(row) < 1 for infoset, row in enumerate(strategy.rows) if infoset not in unreached)


def find_own_unreached_infosets(tree: Tree, strategy: Strategy) -> frozenset[int]:
    """Find the information sets that their player's own strategy never reaches.

    Actions there change no payoff.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> [find_own_unreached_infosets(outside, Strategy.from_mapping(outside, {"stays or goes": first})) for first in ("book", "concert")]
    [frozenset({1}), frozenset()]
    """
    paths, _ = compute_own_paths(tree)
    reached = {
        infoset
        for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True))
        if actor >= 0 and all(strategy.rows[earlier][action] for earlier, action in paths[node][actor])
    }
    return frozenset(range(len(tree.infosets))) - reached


def agree_on_own_paths(tree: Tree, strategy: Strategy, other: Strategy) -> bool:
    """Return whether two strategies reach the same information sets, with equal actions there.

    An information set counts as reached if the player's own actions can lead to it.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> left, right = (Strategy.from_mapping(outside, {0: "book", 1: action, 2: "Bach"}) for action in ("Bach", "Stravinsky"))
    >>> agree_on_own_paths(outside, left, right), agree_on_own_paths(outside, left, Strategy.uniform(outside))
    (True, False)
    """
    unreached = find_own_unreached_infosets(tree, strategy)
    return unreached == find_own_unreached_infosets(tree, other) and all(
        strategy.rows[infoset] == other.rows[infoset] for infoset in range(len(tree.infosets)) if infoset not in unreached
    )
