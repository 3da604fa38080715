"""Fills in actions at unreached information sets so that an equilibrium is sequential.

An equilibrium of the strategic form says nothing about information sets that the player's own play never reaches. If
only one action can be best there under any belief, it is filled in first. If a refutation at some information set
does not depend on the completion, it refutes every completion. Otherwise the module tries pure completions, and mixed
ones from the path of logit equilibria. If none of them is sequential, another mixture might be, so the question is
undecided.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import (
    BeliefSearch,
    Deviation,
    compute_node_reaches,
    find_undominated_actions,
    list_certain_beliefs,
    list_infoset_nodes,
    list_tremble_beliefs,
    require_recall_and_exact_strategy,
)
from durak_widget.gametheory.best_responses import node_values
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.quantal_response import can_follow_logit_path, follow_logit_path
from durak_widget.gametheory.sequential_equilibrium import SequentialVerdict, Tremble, compute_limit_beliefs, verify_sequential_equilibrium
from durak_widget.gametheory.strategy import build_unchecked_strategy, generate_near_strategies, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL, ChanceNode, DecisionNode, TerminalNode, build_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from durak_widget.gametheory.sequential_equilibrium import TremblesByAction
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    Row = tuple[Number, ...]

MAX_COMPLETIONS: Final = 64
"""The maximum number of completions to try of each kind: those found by trembles, those with pure actions, and those
with mixed actions.
"""


_MAX_TREMBLES: Final = 40
_TREMBLE_PROBABILITY: Final = Fraction(1, 10_000)
"""The small probability with which players deviate from fixed action probabilities, so that every information set is
reached.
"""
_LOGIT_STEPS: Final = 500
_RANDOM_TREMBLES: Final = 12
"""The number of random trembles that are used to find completions."""
_BEST_RESPONSE_ROUNDS: Final = 6
_MAX_COMBINATIONS: Final = 256
"""The maximum number of pairs of a continuation and a completion that are compared at one information set."""
_TREMBLE_WEIGHTS: Final = (1, 1, 2, 3, 5, 9)
_TREMBLE_ORDERS: Final = (1, 1, 2, 3)


class CompletionResult(NamedTuple):
    """An equilibrium with actions filled in, and the check whether it is sequential."""

    strategy: Strategy
    """The completed strategy; if nothing is proved, one of the completions that were tried."""
    verdict: SequentialVerdict
    """The result of checking whether the completed strategy is sequential. A refutation applies to all completions,
    also mixed ones.
    """


def complete_sequentially(
    tree: Tree, strategy: Strategy, unreached_infosets: Iterable[int], *, tries: int = _MAX_TREMBLES, max_completions: int = MAX_COMPLETIONS
) -> CompletionResult:
    """Fill in actions at unreached information sets so that an equilibrium is sequential.

    The equilibrium must be exact.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("outside-option")
    >>> book = Strategy.from_mapping(tree, {"stays or goes": "book", (1, "chooses a concert"): "Stravinsky"})
    >>> completion = complete_sequentially(tree, book, [1])
    >>> completion.verdict.holds, completion.strategy[1]
    (True, (Fraction(0, 1), Fraction(1, 1)))
    """
    require_recall_and_exact_strategy(tree, strategy)
    rows, nodes_by_infoset = list(strategy.rows), list_infoset_nodes(tree)
    open_actions = dict[int, list[int]]()
    for infoset in sorted(set(unreached_infosets), key=lambda index: -nodes_by_infoset[index][0]):
        open_actions[infoset] = list(range(len(tree.infosets[infoset].actions)))
    changed = True
    while changed:
        changed = False
        for infoset in list(open_actions):
            player = tree.infosets[infoset].player
            children = [child for node in nodes_by_infoset[infoset] for child in tree.children(node)]
            if _can_reach(tree, rows, children, open_actions.keys()):
                continue
            values_by_node = node_values(tree, build_unchecked_strategy(tree.infosets, rows), player)
            possible_actions = find_undominated_actions(
                [
                    [Fraction(values_by_node[tree.first_child[node] + action]) for node in nodes_by_infoset[infoset]]
                    for action in range(len(rows[infoset]))
                ]
            )
            if len(possible_actions) < len(open_actions[infoset]):
                open_actions[infoset], changed = possible_actions, True
            if len(possible_actions) == 1:
                rows[infoset], changed = pure_row(possible_actions[0], len(rows[infoset])), True
                del open_actions[infoset]
    candidate = build_unchecked_strategy(tree.infosets, rows)
    if refutation := _find_refutation(tree, candidate, nodes_by_infoset, open_actions.keys()):
        return CompletionResult(candidate, refutation)
    verdicts: dict[Strategy, SequentialVerdict] = {}
    for generate in (_generate_completions_by_trembles, _generate_pure_completions, _generate_mixed_completions):
        for candidate, trembles in islice(generate(tree, rows, open_actions), max_completions if open_actions else 1):
            if candidate not in verdicts:
                verdicts[candidate] = verify_sequential_equilibrium(tree, candidate, tries=tries, first_trembles=trembles)
                if verdicts[candidate].holds:
                    return CompletionResult(candidate, verdicts[candidate])
        if not open_actions:
            return CompletionResult(candidate, verdicts[candidate])
        if generate is _generate_completions_by_trembles and (
            refutation := _find_refutation_of_all_completions(tree, candidate, open_actions, nodes_by_infoset)
        ):
            return CompletionResult(candidate, refutation)
    candidate = next((candidate for candidate, result in verdicts.items() if result.holds is None), next(iter(verdicts)))
    return CompletionResult(candidate, SequentialVerdict(None, {}))


def _generate_pure_completions(
    tree: Tree, rows: Sequence[Row], open_actions: Mapping[int, Sequence[int]]
) -> Iterator[tuple[Strategy, list[TremblesByAction]]]:
    """Generate all ways to fill in pure actions at the information sets without actions.

    An information set is open if the strategy has no actions there.
    """
    for actions in product(*open_actions.values()):
        action_of = dict(zip(open_actions, actions, strict=True))
        yield (
            build_unchecked_strategy(
                tree.infosets, [pure_row(action_of[infoset], len(row)) if infoset in action_of else row for infoset, row in enumerate(rows)]
            ),
            [],
        )


def _generate_completions_by_trembles(
    tree: Tree, rows: Sequence[Row], open_actions: Mapping[int, Sequence[int]]
) -> Iterator[tuple[Strategy, list[TremblesByAction]]]:
    """Yield strategies in which the filled-in actions are best under beliefs from trembles.

    The last information sets are completed first, and all are repeated until every action is best.
    """
    nodes_by_infoset, rng, completed_rows = list_infoset_nodes(tree), Random(1), list(rows)
    for attempt in range(_RANDOM_TREMBLES):
        trembles = {
            (infoset, action): Tremble(
                Fraction(rng.choice(_TREMBLE_WEIGHTS)) if attempt else Fraction(1), rng.choice(_TREMBLE_ORDERS) if attempt > 1 else 1
            )
            for infoset, row in enumerate(rows)
            for action in range(len(row))
        }
        for infoset, possible_actions in open_actions.items():
            completed_rows[infoset] = pure_row(possible_actions[0], len(rows[infoset]))
        for _ in range(_BEST_RESPONSE_ROUNDS):
            candidate = build_unchecked_strategy(tree.infosets, completed_rows)
            beliefs, changed = compute_limit_beliefs(tree, candidate, trembles), False
            for infoset, possible_actions in open_actions.items():
                values_by_node = node_values(tree, build_unchecked_strategy(tree.infosets, completed_rows), tree.infosets[infoset].player)
                expected = {
                    action: sum(
                        belief * values_by_node[tree.first_child[node] + action]
                        for belief, node in zip(beliefs[infoset], nodes_by_infoset[infoset], strict=True)
                    )
                    for action in possible_actions
                }
                best_action = max(possible_actions, key=expected.__getitem__)
                if expected[best_action] > expected[completed_rows[infoset].index(1)]:
                    completed_rows[infoset], changed = pure_row(best_action, len(rows[infoset])), True
            if not changed:
                break
        candidate = build_unchecked_strategy(tree.infosets, completed_rows)
        unplayed = {
            (infoset, action) for infoset, row in enumerate(candidate.rows) for action, probability in enumerate(row) if not probability
        }
        yield candidate, [{key: trembles[key] for key in sorted(unplayed)}]


def _generate_mixed_completions(
    tree: Tree, rows: Sequence[Row], open_actions: Mapping[int, Sequence[int]]
) -> Iterator[tuple[Strategy, list[TremblesByAction]]]:
    """Yield strategies with mixed actions filled in at some information sets without actions.

    The mixed actions come from the end of the path of logit equilibria, in the game in which all other action
    probabilities are fixed, with small trembles.
    """
    if not can_follow_logit_path(tree):
        return
    for actions in product(*([None, *possible_actions] for possible_actions in open_actions.values())):
        action_of = dict(zip(open_actions, actions, strict=True))
        completed_rows = [
            row if (action := action_of.get(infoset)) is None else pure_row(action, len(row)) for infoset, row in enumerate(rows)
        ]
        mixed_infosets = {infoset for infoset, action in action_of.items() if action is None}
        if mixed_infosets:
            game = _build_tree_of_open_infosets(tree, completed_rows, mixed_infosets)
            near_strategy = next(generate_near_strategies(game, follow_logit_path(game, max_evaluations=_LOGIT_STEPS).strategy), None)
            for record, row in zip(game.infosets, () if near_strategy is None else near_strategy.rows, strict=near_strategy is not None):
                completed_rows[int(record.label)] = row
            yield build_unchecked_strategy(tree.infosets, completed_rows), []


def _build_tree_of_open_infosets(tree: Tree, rows: Sequence[Row], open_infosets: AbstractSet[int]) -> Tree:
    """Build a tree in which players act only at `open_infosets`, and chance acts elsewhere.

    Chance uses the strategy's action probabilities. The label of each open information set is its index in the
    original tree.
    """

    def expand(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        actor, index, children = tree.actor[node], tree.infoset_of[node], tree.children(node)
        if actor == TERMINAL:
            return TerminalNode(tree.payoffs[index])
        if actor == CHANCE:
            return ChanceNode(list(zip(tree.chance_moves[index].actions, tree.chance_moves[index].probabilities, children, strict=True)))
        if index in open_infosets:
            return DecisionNode(actor, index, list(zip(tree.infosets[index].actions, children, strict=True)))
        perturbed = [
            Fraction(probability) * (1 - _TREMBLE_PROBABILITY) + _TREMBLE_PROBABILITY / len(children) for probability in rows[index]
        ]
        return ChanceNode(list(zip(tree.infosets[index].actions, perturbed, children, strict=True)))

    return build_tree(0, expand, player_count=tree.player_count)


def _find_refutation(
    tree: Tree, strategy: Strategy, nodes_by_infoset: Sequence[Sequence[int]], open_infosets: AbstractSet[int]
) -> SequentialVerdict | None:
    """Find an information set that proves that no completion of a strategy is sequential.

    Only information sets whose action values no completion changes are tried. Return None if no such refutation
    exists.
    """
    node_reaches, rows = compute_node_reaches(tree, strategy), strategy.rows
    for infoset, nodes in enumerate(nodes_by_infoset):
        player = tree.infosets[infoset].player
        if _can_reach(tree, rows, nodes, open_infosets) or _can_reach(tree, rows, nodes, open_infosets, player):
            continue
        corners = (
            list_certain_beliefs(len(nodes))
            if any(_find_infosets_above(tree, node) & open_infosets for node in nodes)
            else list_tremble_beliefs([node_reaches[node] for node in nodes])
        )
        belief_result = BeliefSearch(tree, strategy, infoset, nodes, node_values(tree, strategy, player)).find_belief(corners)
        if belief_result.deviations:
            return SequentialVerdict(False, {}, (), infoset, belief_result.deviations)
    return None


def _find_refutation_of_all_completions(
    tree: Tree, strategy: Strategy, open_actions: Mapping[int, Sequence[int]], nodes_by_infoset: Sequence[Sequence[int]]
) -> SequentialVerdict | None:
    """Prove that a strategy has no sequential completion; return None if no proof is found.

    The proof is at an information set that is not open, and is valid under any belief there.
    """
    node_reaches = compute_node_reaches(tree, strategy)
    for infoset, nodes in enumerate(nodes_by_infoset):
        if infoset in open_actions:
            continue
        own_infosets, other_open = _find_infosets_ahead(tree, strategy.rows, infoset, nodes, open_actions)
        combinations = prod([len(tree.infosets[ahead].actions) for ahead in own_infosets]) * prod(
            [len(open_actions[ahead]) for ahead in other_open]
        )
        if not other_open or combinations > _MAX_COMBINATIONS:
            continue
        continuations = [
            dict(zip(own_infosets, actions, strict=True))
            for actions in product(*(range(len(tree.infosets[ahead].actions)) for ahead in own_infosets))
        ]
        corners = (
            list_certain_beliefs(len(nodes))
            if any(_find_infosets_above(tree, node) & open_actions.keys() for node in nodes)
            else list_tremble_beliefs([node_reaches[node] for node in nodes])
        )
        gains: list[list[Fraction]] = [[] for _ in continuations]
        for actions in product(*(open_actions[ahead] for ahead in other_open)):
            completed = dict(zip(other_open, actions, strict=True))
            candidate = build_unchecked_strategy(
                tree.infosets,
                [
                    pure_row(completed[open_infoset], len(row)) if open_infoset in completed else row
                    for open_infoset, row in enumerate(strategy.rows)
                ],
            )
            belief_search = BeliefSearch(tree, candidate, infoset, nodes, node_values(tree, candidate, tree.infosets[infoset].player))
            for gain_row, continuation in zip(gains, continuations, strict=True):
                extra_payoffs = belief_search.compute_gains(continuation)
                gain_row += [
                    sum((belief * extra for belief, extra in zip(corner, extra_payoffs, strict=True)), Fraction(0)) for corner in corners
                ]
        solution = minimax(gains)
        if solution.value > 0:
            return SequentialVerdict(
                False,
                {},
                (),
                infoset,
                tuple(
                    [
                        Deviation(probability, continuation)
                        for probability, continuation in zip(solution.row, continuations, strict=True)
                        if probability
                    ]
                ),
            )
    return None


def _find_infosets_ahead(
    tree: Tree, rows: Sequence[Row], infoset: int, nodes: Sequence[int], open_actions: Mapping[int, Sequence[int]]
) -> tuple[list[int], list[int]]:
    """Find the information sets that play can still reach from a given information set.

    Return the player's own information sets, including the given one, and the open information sets of other players.
    """
    player, waiting, own_infosets, open_infosets = tree.infosets[infoset].player, list(nodes), dict[int, None](), dict[int, None]()
    for node in waiting:
        actor, index = tree.actor[node], tree.infoset_of[node]
        row = tree.chance_moves[index].probabilities if actor == CHANCE else rows[index] if actor >= 0 else ()
        if actor == player:
            own_infosets[index] = None
        elif actor >= 0 and index in open_actions:
            open_infosets[index] = None
        is_free = actor >= 0 and (actor == player or index in open_actions)
        waiting += [child for probability, child in zip(row, tree.children(node), strict=True) if probability or is_free]
    return list(own_infosets), list(open_infosets)


def _find_infosets_above(tree: Tree, node: int) -> set[int]:
    """Find the information sets that the path from the root to a history passes."""
    infosets = set()
    while (node := tree.parent[node]) >= 0:
        if tree.actor[node] != CHANCE:
            infosets.add(tree.infoset_of[node])
    return infosets


def _can_reach(
    tree: Tree, rows: Sequence[Row], start_nodes: Iterable[int], open_infosets: AbstractSet[int], player: int | None = None
) -> bool:
    """Return whether play from given histories can reach one of the given information sets.

    If a `player` is given, they may take any action, and their own information sets are ignored.
    """
    waiting = list(start_nodes)
    for node in waiting:
        actor, index = tree.actor[node], tree.infoset_of[node]
        if actor >= 0 and actor != player and index in open_infosets:
            return True
        row = tree.chance_moves[index].probabilities if actor == CHANCE else rows[index] if actor >= 0 else ()
        waiting += [
            child for probability, child in zip(row, tree.children(node), strict=True) if probability or (actor == player and actor >= 0)
        ]
    return False
