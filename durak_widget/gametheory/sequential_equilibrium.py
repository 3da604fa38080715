"""Checks whether a strategy is a sequential equilibrium, with a proof or a refutation.

Every action that is never played gets the probability `w · ε^c`. As ε goes to 0, the probabilities converge to the
strategy, and the Bayesian beliefs to limits, which are computed exactly (Kreps, D. M. and Wilson, R. (1982):
Sequential equilibria. Econometrica 50, 863-894). If no single action is better anywhere under these limits, the
equilibrium is proved, because the one-shot-deviation principle applies to such beliefs (Hendon, E., Jacobsen, H. J.
and Sloth, B. (1996): The one-shot-deviation principle for sequential rationality). Trembles are first aimed at
beliefs that support the strategy, and then drawn at random, always from the same seed. If none works, nothing is
proved, and the question stays undecided.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from math import prod
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import (
    BeliefSearch,
    compute_node_reaches,
    list_infoset_nodes,
    list_tremble_beliefs,
    require_recall_and_exact_strategy,
)
from durak_widget.gametheory.best_responses import node_values
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from durak_widget.gametheory.beliefs import Belief, Deviation, NodeReach
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

MAX_TREMBLES: Final = 150
"""The maximum number of trembles to try as a proof of a sequential equilibrium."""
_TREMBLE_WEIGHTS: Final = (1, 1, 2, 3, 5, 9)
"""The weights of trembles, from which one is chosen at random for each tremble."""


class Tremble(NamedTuple):
    """The small probability `weight · ε^order` with which a player makes a mistake.

    The mistake is an action that has probability 0 in the strategy.

    >>> print(Tremble(Fraction(1, 2), 1), Tremble(Fraction(1), 2))
    1/2·ε ε²
    """

    weight: Fraction
    order: int

    def __str__(self) -> str:
        power = "" if self.order == 1 else "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(self.order))
        return f"{'' if self.weight == 1 else f'{self.weight}·'}ε{power}"


_DEFAULT_TREMBLE: Final = Tremble(Fraction(1), 1)
TremblesByAction = dict[tuple[int, int], Tremble]
"""The tremble of each action that a strategy never plays; the key is a pair of information set and action."""


class SequentialVerdict(NamedTuple):
    """The result of checking whether a strategy is a sequential equilibrium, with a proof."""

    holds: bool | None
    """True if the strategy is a sequential equilibrium; None if this is undecided."""
    trembles: TremblesByAction
    """If the strategy is sequential: the trembles that prove this."""
    beliefs: tuple[Belief, ...] = ()
    """The belief at each information set to which the beliefs under the trembles converge."""
    failing_infoset: int | None = None
    """If the strategy is not sequential: an information set where no limit belief of any trembles supports the
    strategy.
    """
    deviations: tuple[Deviation, ...] = ()
    """A mixture of continuations that is better than the strategy at the failing information set, under every limit
    belief.
    """


class _InfosetAnalysis(NamedTuple):
    """The belief search at one information set, and the limit beliefs that are possible there."""

    belief_search: BeliefSearch
    corner_beliefs: list[Belief]
    """The corners of a convex set that contains the limit beliefs of all trembles."""


def verify_sequential_equilibrium(
    tree: Tree, strategy: Strategy, *, tries: int = MAX_TREMBLES, seed: int = 1, first_trembles: Iterable[TremblesByAction] = ()
) -> SequentialVerdict:
    """Verify whether an exact strategy is a sequential equilibrium.

    The result is a proof by trembles, a refutation (an information set where no belief supports the strategy), or
    undecided. The trembles in `first_trembles` are tried first.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> beer = Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> verdict = verify_sequential_equilibrium(tree, beer)
    >>> verdict.holds, [(tree.infosets[infoset].label, str(tremble)) for (infoset, action), tremble in verdict.trembles.items() if tree.infosets[infoset].player == 0]
    (True, [('strong', '5/9·ε'), ('weak', '5·ε')])
    >>> horse = textbook("horse")
    >>> down = Strategy.from_mapping(horse, {"begins": "down", "One went across": "across", "One or Two went down": "left"})
    >>> verify_sequential_equilibrium(horse, down).holds, verify_sequential_equilibrium(horse, down).failing_infoset == down.find_infoset("One went across")
    (False, True)
    """
    require_recall_and_exact_strategy(tree, strategy)
    nodes_by_infoset, node_reaches = list_infoset_nodes(tree), compute_node_reaches(tree, strategy)
    values_by_player = [node_values(tree, strategy, player) for player in range(tree.player_count)]
    analyses = []
    for infoset, nodes in enumerate(nodes_by_infoset):
        analysis = _InfosetAnalysis(
            BeliefSearch(tree, strategy, infoset, nodes, values_by_player[tree.infosets[infoset].player]),
            list_tremble_beliefs([node_reaches[node] for node in nodes]),
        )
        belief_result = analysis.belief_search.find_belief(analysis.corner_beliefs)
        if belief_result.belief is None:
            return SequentialVerdict(False if belief_result.deviations else None, {}, (), infoset, belief_result.deviations)
        analyses.append(analysis)
    values_after = {}
    for analysis in analyses:
        infoset = analysis.belief_search.infoset
        if (
            len(analysis.corner_beliefs) > 1
        ):  # If there is only one corner belief, the search above has already checked the only limit belief
            values_after[infoset] = [
                [values_by_player[tree.infosets[infoset].player][tree.first_child[node] + action] for node in nodes_by_infoset[infoset]]
                for action in range(len(strategy.rows[infoset]))
            ]
    for trembles in chain(first_trembles, _generate_trembles(tree, strategy, analyses, node_reaches, tries, Random(seed))):
        if all(
            _is_optimal(strategy.rows[infoset], _compute_limit_belief(node_reaches, nodes_by_infoset[infoset], trembles), action_values)
            for infoset, action_values in values_after.items()
        ):
            return SequentialVerdict(
                True, trembles, tuple([_compute_limit_belief(node_reaches, nodes, trembles) for nodes in nodes_by_infoset])
            )
    return SequentialVerdict(None, {})


def is_proved_by_trembles(tree: Tree, strategy: Strategy, trembles: Mapping[tuple[int, int], Tremble]) -> bool:
    """Return whether given trembles prove that a strategy is a sequential equilibrium.

    The check does not use any earlier result.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> [is_proved_by_trembles(tree, strategy, verdict.trembles) for strategy in [Strategy.from_choices(tree, [0, 1]), Strategy.from_choices(tree, [0, 0])] if (verdict := verify_sequential_equilibrium(tree, strategy))]
    [False, True]
    """
    unplayed = {(infoset, action) for infoset, row in enumerate(strategy.rows) for action, probability in enumerate(row) if not probability}
    if unplayed != trembles.keys() or any(tremble.weight <= 0 or tremble.order < 1 for tremble in trembles.values()):
        return False
    for infoset, nodes in enumerate(list_infoset_nodes(tree)):
        values = node_values(tree, strategy, tree.infosets[infoset].player)
        belief = compute_limit_beliefs(tree, strategy, trembles)[infoset]
        expected = [
            sum([node_belief * values[tree.first_child[node] + action] for node_belief, node in zip(belief, nodes, strict=True)])
            for action in range(len(strategy.rows[infoset]))
        ]
        if any(probability and own_value < max(expected) for probability, own_value in zip(strategy.rows[infoset], expected, strict=True)):
            return False
    return True


def compute_limit_beliefs(tree: Tree, strategy: Strategy, trembles: Mapping[tuple[int, int], Tremble]) -> list[Belief]:
    """Compute the exact belief at each information set in the limit of vanishing trembles.

    At an information set after chance moves of probability 0 only, all histories are equally probable.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("horse")
    >>> across = Strategy.from_mapping(tree, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> compute_limit_beliefs(tree, across, {(0, 0): Tremble(Fraction(1), 1), (2, 0): Tremble(Fraction(3), 1), (1, 0): Tremble(Fraction(1), 1)})[1]
    (Fraction(1, 4), Fraction(3, 4))
    """
    node_reaches = compute_node_reaches(tree, strategy)
    return [_compute_limit_belief(node_reaches, nodes, trembles) for nodes in list_infoset_nodes(tree)]


def _compute_limit_belief(node_reaches: Sequence[NodeReach], nodes: Sequence[int], trembles: Mapping[tuple[int, int], Tremble]) -> Belief:
    """Compute the belief at one information set in the limit of vanishing trembles."""
    orders = [sum([trembles[key].order for key in node_reaches[node].unplayed_actions]) for node in nodes]
    min_order = min([order for order, node in zip(orders, nodes, strict=True) if node_reaches[node].probability], default=0)
    weights = [
        prod([trembles[key].weight for key in node_reaches[node].unplayed_actions], start=node_reaches[node].probability)
        if order == min_order
        else Fraction(0)
        for order, node in zip(orders, nodes, strict=True)
    ]
    total = sum(weights, Fraction(0))
    return tuple([weight / total if total else Fraction(1, len(nodes)) for weight in weights])


def _is_optimal(row: Sequence[Number], belief: Belief, action_values: Sequence[Sequence[Number]]) -> bool:
    """Return whether every action that a strategy plays is optimal under a given belief.

    `action_values` has the value of each action at each history.
    """
    expected = [
        sum([probability * value for probability, value in zip(belief, values, strict=True) if probability]) for values in action_values
    ]
    best = max(expected)
    return all(own_value == best for action_probability, own_value in zip(row, expected, strict=True) if action_probability)


def _generate_trembles(
    tree: Tree, strategy: Strategy, analyses: Sequence[_InfosetAnalysis], node_reaches: Sequence[NodeReach], tries: int, rng: Random
) -> Iterator[TremblesByAction]:
    """Generate trembles that may prove that a strategy is a sequential equilibrium.

    Some trembles are random, and some are chosen to produce a given belief.
    """
    unplayed = [(infoset, action) for infoset, row in enumerate(strategy.rows) for action, probability in enumerate(row) if not probability]
    belief_of: dict[tuple[int, tuple[int, ...]], Belief | None] = {}
    uncertain = sorted(
        (analysis for analysis in analyses if len(analysis.belief_search.nodes) > 1), key=lambda analysis: analysis.belief_search.nodes[0]
    )
    last_tremble_of = {node: _find_last_tremble(tree, strategy, node) for analysis in uncertain for node in analysis.belief_search.nodes}
    yield dict.fromkeys(unplayed, _DEFAULT_TREMBLE)
    for attempt in range(tries if unplayed else 0):
        if attempt % 2:
            orders = [1 if attempt % 3 == 1 else rng.choice((1, 2, 3)) for _ in unplayed]
            yield {
                key: Tremble(Fraction(rng.choice(_TREMBLE_WEIGHTS), rng.choice(_TREMBLE_WEIGHTS)), order)
                for key, order in zip(unplayed, orders, strict=True)
            }
            continue
        trembles: TremblesByAction = {}
        slack, aim_count = (rng.choice((0, 0, 1)), rng.choice((1, 2, 3))) if attempt else (0, 0)
        mixed_first = attempt % 4 == 2
        for belief_search, corners in (
            sorted(uncertain, key=lambda analysis: max(strategy.rows[analysis.belief_search.infoset]) == 1) if mixed_first else uncertain
        ):
            weight_vectors = [tuple([rng.choice(_TREMBLE_WEIGHTS) for _ in corners]) for _ in range(aim_count)] if len(corners) > 1 else []
            for weight_vector in weight_vectors or [()]:
                if (belief_search.infoset, weight_vector) not in belief_of:
                    belief_of[belief_search.infoset, weight_vector] = belief_search.find_belief(corners, weight_vector or None).belief
            beliefs = [belief_of[belief_search.infoset, weight_vector] for weight_vector in weight_vectors or [()]]
            supporting = [belief for belief in beliefs if belief is not None]
            if supporting:  # If several beliefs make the strategy optimal, so does their average
                belief = tuple([sum(parts, Fraction(0)) / len(supporting) for parts in zip(*supporting, strict=True)])
                _aim_trembles(trembles, belief, [(last_tremble_of[node], node_reaches[node]) for node in belief_search.nodes], slack)
        yield {key: trembles.get(key, _DEFAULT_TREMBLE) for key in unplayed}


def _aim_trembles(
    trembles: TremblesByAction, belief: Belief, node_trembles: Sequence[tuple[tuple[int, int] | None, NodeReach]], slack: int
) -> None:
    """Choose trembles on the paths to an information set so that they produce a given belief.

    Trembles that are already chosen are not changed.
    """
    parts = []
    for key, (keys, probability) in node_trembles:
        other_trembles = [trembles.setdefault(other_key, _DEFAULT_TREMBLE) for other_key in keys if other_key != key]
        parts.append(
            (sum(tremble.order for tremble in other_trembles), prod([tremble.weight for tremble in other_trembles], start=probability))
        )
    order, scale = 1 + slack + max(order for order, _ in parts), Fraction(1)
    for (key, _), target, (order_before, weight) in zip(node_trembles, belief, parts, strict=True):
        if key in trembles and target:
            order, scale = order_before + trembles[key].order, weight * trembles[key].weight / target
    for (key, _), target, (order_before, weight) in zip(node_trembles, belief, parts, strict=True):
        if key is not None and key not in trembles and weight:
            trembles[key] = (
                Tremble(scale * target / weight, max(1, order - order_before))
                if target
                else Tremble(Fraction(1), max(1, order + 1 - order_before))
            )


def _find_last_tremble(tree: Tree, strategy: Strategy, node: int) -> tuple[int, int] | None:
    """Find the last action that the strategy never plays on the path to a history, or None."""
    while (parent := tree.parent[node]) >= 0:
        infoset, action = tree.infoset_of[parent], node - tree.first_child[parent]
        if tree.actor[parent] != CHANCE and not strategy.rows[infoset][action]:
            return infoset, action
        node = parent
    return None
