"""Completes an equilibrium off its path so that it becomes sequential, if possible.

An equilibrium of the strategic form says nothing about information sets that the player's own play never reaches.
If only one action can be best there under any belief, it is filled in first. A refutation at an information set
that does not depend on the rest refutes every completion. Otherwise completions are tried: pure ones, and mixed
ones from the path of logit equilibria. If none of them is sequential, another mixture might be: then the question
stays undecided.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import Better, Onward, anything, best_by_some, members, require_perfect_recall, traces, trembled
from durak_widget.gametheory.best_responses import worths
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.quantal_response import followable, logit_path
from durak_widget.gametheory.sequential_equilibrium import Sequential, Tremble, limits, sequential
from durak_widget.gametheory.strategy import made, near_strategies, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, Turn, grow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from durak_widget.gametheory.sequential_equilibrium import Trembles
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    Row = tuple[Number, ...]

FILLINGS: Final = 64
"""The largest number of completions of each kind (by trembles, pure, mixed) to try."""


_TRIES: Final = 40
_SHAKEN: Final = Fraction(1, 10_000)
"""The probability that a fixed row is not followed, so that the open information sets are reached."""
_STEPS: Final = 500
_LOTS: Final = 12
"""The number of random trembles whose beliefs are used for completions."""
_ROUNDS: Final = 6
_WAYS: Final = 256
"""The largest number of continuations times completions compared at an information set."""
_WEIGHTS: Final = (1, 1, 2, 3, 5, 9)
_ORDERS: Final = (1, 1, 2, 3)


class Filled(NamedTuple):
    """The best completion found, and whether it is sequential."""

    strategy: Strategy
    """If nothing is proved: one of the completions that were tried."""
    verdict: Sequential
    """A refutation holds for all completions, including mixed ones."""


def sequentially_filled(tree: Tree, strategy: Strategy, free: Iterable[int], *, tries: int = _TRIES, fillings: int = FILLINGS) -> Filled:
    """Complete an exact equilibrium at its `free` information sets so that it is sequential.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("outside-option")
    >>> book = Strategy.of(tree, {"stays or goes": "book", (1, "chooses a concert"): "Stravinsky"})
    >>> completion = sequentially_filled(tree, book, [1])
    >>> completion.verdict.holds, completion.strategy[1]
    (True, (Fraction(0, 1), Fraction(1, 1)))
    """
    require_perfect_recall(tree, strategy)
    rows, nodes_by_infoset = list(strategy.rows), members(tree)
    open_actions = dict[int, list[int]]()
    for infoset in sorted(set(free), key=lambda index: -nodes_by_infoset[index][0]):
        open_actions[infoset] = list(range(len(tree.sets[infoset].moves)))
    changed = True
    while changed:
        changed = False
        for infoset in list(open_actions):
            player = tree.sets[infoset].seat
            children = [child for node in nodes_by_infoset[infoset] for child in tree.children(node)]
            if _comes_to(tree, rows, children, open_actions.keys()):
                continue
            values_by_node = worths(tree, made(tree.sets, rows), player)
            possible_actions = best_by_some(
                [
                    [Fraction(values_by_node[tree.first[node] + action]) for node in nodes_by_infoset[infoset]]
                    for action in range(len(rows[infoset]))
                ]
            )
            if len(possible_actions) < len(open_actions[infoset]):
                open_actions[infoset], changed = possible_actions, True
            if len(possible_actions) == 1:
                rows[infoset], changed = pure_row(possible_actions[0], len(rows[infoset])), True
                del open_actions[infoset]
    candidate = made(tree.sets, rows)
    if refutation := _refuted(tree, candidate, nodes_by_infoset, open_actions.keys()):
        return Filled(candidate, refutation)
    verdicts: dict[Strategy, Sequential] = {}
    for generate in (_believing, _by_move, _mixed):
        for candidate, trembles in islice(generate(tree, rows, open_actions), fillings if open_actions else 1):
            if candidate not in verdicts:
                verdicts[candidate] = sequential(tree, candidate, tries=tries, first=trembles)
                if verdicts[candidate].holds:
                    return Filled(candidate, verdicts[candidate])
        if not open_actions:
            return Filled(candidate, verdicts[candidate])
        if generate is _believing and (refutation := _refuted_anyhow(tree, candidate, open_actions, nodes_by_infoset)):
            return Filled(candidate, refutation)
    candidate = next((candidate for candidate, verdict in verdicts.items() if verdict.holds is None), next(iter(verdicts)))
    return Filled(candidate, Sequential(None, {}))


def _by_move(tree: Tree, rows: Sequence[Row], left: Mapping[int, Sequence[int]]) -> Iterator[tuple[Strategy, list[Trembles]]]:
    """Generate all completions with one action at each open information set."""
    for actions in product(*left.values()):
        action_of = dict(zip(left, actions, strict=True))
        yield (
            made(tree.sets, [pure_row(action_of[infoset], len(row)) if infoset in action_of else row for infoset, row in enumerate(rows)]),
            [],
        )


def _believing(tree: Tree, rows: Sequence[Row], left: Mapping[int, Sequence[int]]) -> Iterator[tuple[Strategy, list[Trembles]]]:
    """Generate completions that are best under the beliefs of some trembles.

    The last information sets come first, and it is repeated until all of them are best.
    """
    nodes_by_infoset, rng, completed_rows = members(tree), Random(1), list(rows)
    for attempt in range(_LOTS):
        trembles = {
            (infoset, action): Tremble(
                Fraction(rng.choice(_WEIGHTS)) if attempt else Fraction(1), rng.choice(_ORDERS) if attempt > 1 else 1
            )
            for infoset, row in enumerate(rows)
            for action in range(len(row))
        }
        for infoset, possible_actions in left.items():
            completed_rows[infoset] = pure_row(possible_actions[0], len(rows[infoset]))
        for _ in range(_ROUNDS):
            candidate = made(tree.sets, completed_rows)
            beliefs, changed = limits(tree, candidate, trembles), False
            for infoset, possible_actions in left.items():
                values_by_node = worths(tree, made(tree.sets, completed_rows), tree.sets[infoset].seat)
                expected = {
                    action: sum(
                        belief * values_by_node[tree.first[node] + action]
                        for belief, node in zip(beliefs[infoset], nodes_by_infoset[infoset], strict=True)
                    )
                    for action in possible_actions
                }
                best_action = max(possible_actions, key=expected.__getitem__)
                if expected[best_action] > expected[completed_rows[infoset].index(1)]:
                    completed_rows[infoset], changed = pure_row(best_action, len(rows[infoset])), True
            if not changed:
                break
        candidate = made(tree.sets, completed_rows)
        unplayed = {
            (infoset, action) for infoset, row in enumerate(candidate.rows) for action, probability in enumerate(row) if not probability
        }
        yield candidate, [{key: trembles[key] for key in sorted(unplayed)}]


def _mixed(tree: Tree, rows: Sequence[Row], left: Mapping[int, Sequence[int]]) -> Iterator[tuple[Strategy, list[Trembles]]]:
    """Generate completions that mix at some of the open information sets.

    They are the ends of the path of logit equilibria, in the game in which all other rows are fixed, with small
    trembles.
    """
    if not followable(tree):
        return
    for actions in product(*([None, *possible_actions] for possible_actions in left.values())):
        action_of = dict(zip(left, actions, strict=True))
        completed_rows = [
            row if (action := action_of.get(infoset)) is None else pure_row(action, len(row)) for infoset, row in enumerate(rows)
        ]
        mixed_infosets = {infoset for infoset, action in action_of.items() if action is None}
        if mixed_infosets:
            game = _left_open(tree, completed_rows, mixed_infosets)
            near_strategy = next(near_strategies(game, logit_path(game, steps=_STEPS).strategy), None)
            for record, row in zip(game.sets, () if near_strategy is None else near_strategy.rows, strict=near_strategy is not None):
                completed_rows[int(record.label)] = row
            yield made(tree.sets, completed_rows), []


def _left_open(tree: Tree, rows: Sequence[Row], open_: AbstractSet[int]) -> Tree:
    """Build the game in which only the open information sets are played.

    Elsewhere chance plays the strategy's rows. The labels of its information sets are their old indices.
    """

    def expand(node: int) -> Turn | Draw | End:
        actor, index, children = tree.actor[node], tree.info[node], tree.children(node)
        if actor == OVER:
            return End(tree.payoffs[index])
        if actor == CHANCE:
            return Draw(list(zip(tree.chances[index].moves, tree.chances[index].probabilities, children, strict=True)))
        if index in open_:
            return Turn(actor, index, list(zip(tree.sets[index].moves, children, strict=True)))
        perturbed = [Fraction(probability) * (1 - _SHAKEN) + _SHAKEN / len(children) for probability in rows[index]]
        return Draw(list(zip(tree.sets[index].moves, perturbed, children, strict=True)))

    return grow(0, expand, seats=tree.seats)


def _refuted(tree: Tree, strategy: Strategy, sets: Sequence[Sequence[int]], open_: AbstractSet[int]) -> Sequential | None:
    """Find a refutation at an information set that no completion affects, or None."""
    node_reaches, rows = traces(tree, strategy), strategy.rows
    for infoset, nodes in enumerate(sets):
        player = tree.sets[infoset].seat
        if _comes_to(tree, rows, nodes, open_) or _comes_to(tree, rows, nodes, open_, player):
            continue
        corners = (
            anything(len(nodes)) if any(_above(tree, node) & open_ for node in nodes) else trembled([node_reaches[node] for node in nodes])
        )
        believed = Onward(tree, strategy, infoset, nodes, worths(tree, strategy, player)).believed(corners)
        if believed.better:
            return Sequential(False, {}, (), infoset, believed.better)
    return None


def _refuted_anyhow(tree: Tree, strategy: Strategy, left: Mapping[int, Sequence[int]], sets: Sequence[Sequence[int]]) -> Sequential | None:
    """Find a refutation under any belief about the completion, or None.

    It is at an information set that is not open, under any belief there.
    """
    node_reaches = traces(tree, strategy)
    for infoset, nodes in enumerate(sets):
        if infoset in left:
            continue
        own_infosets, other_open = _ahead(tree, strategy.rows, infoset, nodes, left)
        combinations = prod([len(tree.sets[ahead].moves) for ahead in own_infosets]) * prod([len(left[ahead]) for ahead in other_open])
        if not other_open or combinations > _WAYS:
            continue
        continuations = [
            dict(zip(own_infosets, actions, strict=True))
            for actions in product(*(range(len(tree.sets[ahead].moves)) for ahead in own_infosets))
        ]
        corners = (
            anything(len(nodes))
            if any(_above(tree, node) & left.keys() for node in nodes)
            else trembled([node_reaches[node] for node in nodes])
        )
        gains: list[list[Fraction]] = [[] for _ in continuations]
        for actions in product(*(left[ahead] for ahead in other_open)):
            completed = dict(zip(other_open, actions, strict=True))
            candidate = made(
                tree.sets,
                [
                    pure_row(completed[open_infoset], len(row)) if open_infoset in completed else row
                    for open_infoset, row in enumerate(strategy.rows)
                ],
            )
            belief_search = Onward(tree, candidate, infoset, nodes, worths(tree, candidate, tree.sets[infoset].seat))
            for gain_row, continuation in zip(gains, continuations, strict=True):
                extra_payoffs = belief_search.brings(continuation)
                gain_row += [
                    sum((belief * extra for belief, extra in zip(corner, extra_payoffs, strict=True)), Fraction(0)) for corner in corners
                ]
        solution = minimax(gains)
        if solution.value > 0:
            return Sequential(
                False,
                {},
                (),
                infoset,
                tuple(
                    [
                        Better(probability, continuation)
                        for probability, continuation in zip(solution.row, continuations, strict=True)
                        if probability
                    ]
                ),
            )
    return None


def _ahead(
    tree: Tree, rows: Sequence[Row], place: int, nodes: Sequence[int], left: Mapping[int, Sequence[int]]
) -> tuple[list[int], list[int]]:
    """Find the information sets that can be reached from one, whatever its player does.

    Return the player's own ones, including that one, and the open ones of other players.
    """
    player, waiting, own_infosets, open_infosets = tree.sets[place].seat, list(nodes), dict[int, None](), dict[int, None]()
    for node in waiting:
        actor, index = tree.actor[node], tree.info[node]
        row = tree.chances[index].probabilities if actor == CHANCE else rows[index] if actor >= 0 else ()
        if actor == player:
            own_infosets[index] = None
        elif actor >= 0 and index in left:
            open_infosets[index] = None
        is_free = actor >= 0 and (actor == player or index in left)
        waiting += [child for probability, child in zip(row, tree.children(node), strict=True) if probability or is_free]
    return list(own_infosets), list(open_infosets)


def _above(tree: Tree, here: int) -> set[int]:
    """Find the information sets on the way to a history."""
    infosets = set()
    while (here := tree.parent[here]) >= 0:
        if tree.actor[here] != CHANCE:
            infosets.add(tree.info[here])
    return infosets


def _comes_to(tree: Tree, rows: Sequence[Row], begin: Iterable[int], open_: AbstractSet[int], seat: int | None = None) -> bool:
    """Return whether play can come from some histories to one of these information sets.

    A `seat` may then do anything, and its own information sets don't count.
    """
    waiting = list(begin)
    for node in waiting:
        actor, index = tree.actor[node], tree.info[node]
        if actor >= 0 and actor != seat and index in open_:
            return True
        row = tree.chances[index].probabilities if actor == CHANCE else rows[index] if actor >= 0 else ()
        waiting += [
            child for probability, child in zip(row, tree.children(node), strict=True) if probability or (actor == seat and actor >= 0)
        ]
    return False
