"""Checks whether a strategy is a sequential equilibrium, and proves or refutes it.

Every action that is never played gets the probability `w · ε^c`. As ε goes to 0, the strategy is reached, and the
beliefs by Bayes' rule have limits, which are exact (Kreps, D. M. and Wilson, R. (1982): Sequential equilibria.
Econometrica 50, 863-894). If under them no single action is better anywhere, it is proved: for such beliefs the
one-shot-deviation principle holds (Hendon, E., Jacobsen, H. J. and Sloth, B. (1996): The one-shot-deviation
principle for sequential rationality). Trembles are first aimed at beliefs that support the strategy, and then drawn
at random, always from the same seed. If none works, nothing is proved, and the question stays undecided.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from math import prod
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import Onward, members, require_perfect_recall, traces, trembled
from durak_widget.gametheory.best_responses import worths
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from durak_widget.gametheory.beliefs import Belief, Better, Trace
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

TRIES: Final = 150
"""The largest number of trembles to try."""
_SHARES: Final = (1, 1, 2, 3, 5, 9)
"""The numbers from which random weights are made."""


class Tremble(NamedTuple):
    """The probability `weight · ε^order` of an action that is never played.

    >>> print(Tremble(Fraction(1, 2), 1), Tremble(Fraction(1), 2))
    1/2·ε ε²
    """

    weight: Fraction
    order: int

    def __str__(self) -> str:
        power = "" if self.order == 1 else "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(self.order))
        return f"{'' if self.weight == 1 else f'{self.weight}·'}ε{power}"


_PLAIN: Final = Tremble(Fraction(1), 1)
Trembles = dict[tuple[int, int], Tremble]
"""The tremble of each action that is never played, by information set and action."""


class Sequential(NamedTuple):
    """The answer to whether a strategy is a sequential equilibrium, with its proof."""

    holds: bool | None
    """None if undecided."""
    trembles: Trembles
    """The trembles that prove it, if it holds."""
    beliefs: tuple[Belief, ...] = ()
    """The limit beliefs of the trembles at each information set."""
    against: int | None = None
    """If it does not hold: the information set where no limit belief of any trembles supports the strategy."""
    better: tuple[Better, ...] = ()
    """A mixture of continuations that is better there under any such belief."""


class _Shape(NamedTuple):
    """The analysis of one information set."""

    onward: Onward
    corners: list[Belief]
    """The corners of a set of beliefs that contains all limit beliefs of trembles."""


def sequential(tree: Tree, strategy: Strategy, *, tries: int = TRIES, seed: int = 1, first: Iterable[Trembles] = ()) -> Sequential:
    """Verify whether an exact strategy is a sequential equilibrium.

    It is proved by trembles (those in `first` are tried first), refuted by an information set where no belief supports
    it, or undecided.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> beer = Strategy.of(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> verdict = sequential(tree, beer)
    >>> verdict.holds, [(tree.sets[infoset].label, str(tremble)) for (infoset, action), tremble in verdict.trembles.items() if tree.sets[infoset].seat == 0]
    (True, [('strong', '5/9·ε'), ('weak', '5·ε')])
    >>> horse = textbook("horse")
    >>> down = Strategy.of(horse, {"begins": "down", "One went across": "across", "One or Two went down": "left"})
    >>> sequential(horse, down).holds, sequential(horse, down).against == down.place("One went across")
    (False, True)
    """
    require_perfect_recall(tree, strategy)
    nodes_by_infoset, node_reaches = members(tree), traces(tree, strategy)
    values_by_player = [worths(tree, strategy, player) for player in range(tree.seats)]
    analyses = []
    for infoset, nodes in enumerate(nodes_by_infoset):
        analysis = _Shape(
            Onward(tree, strategy, infoset, nodes, values_by_player[tree.sets[infoset].seat]),
            trembled([node_reaches[node] for node in nodes]),
        )
        believed = analysis.onward.believed(analysis.corners)
        if believed.belief is None:
            return Sequential(False if believed.better else None, {}, (), infoset, believed.better)
        analyses.append(analysis)
    values_after = {}
    for analysis in analyses:
        infoset = analysis.onward.place
        if len(analysis.corners) > 1:  # otherwise trembles have only one limit belief, which supports the strategy
            values_after[infoset] = [
                [values_by_player[tree.sets[infoset].seat][tree.first[node] + action] for node in nodes_by_infoset[infoset]]
                for action in range(len(strategy.rows[infoset]))
            ]
    for trembles in chain(first, _candidates(tree, strategy, analyses, node_reaches, tries, Random(seed))):
        if all(
            _content(strategy.rows[infoset], _limit(node_reaches, nodes_by_infoset[infoset], trembles), action_values)
            for infoset, action_values in values_after.items()
        ):
            return Sequential(True, trembles, tuple([_limit(node_reaches, nodes, trembles) for nodes in nodes_by_infoset]))
    return Sequential(None, {})


def trembles_prove(tree: Tree, strategy: Strategy, trembles: Mapping[tuple[int, int], Tremble]) -> bool:
    """Return whether these trembles prove that a strategy is a sequential equilibrium.

    Everything is computed again.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> [trembles_prove(tree, strategy, verdict.trembles) for strategy in [Strategy.choosing(tree, [0, 1]), Strategy.choosing(tree, [0, 0])] if (verdict := sequential(tree, strategy))]
    [False, True]
    """
    unplayed = {(infoset, action) for infoset, row in enumerate(strategy.rows) for action, probability in enumerate(row) if not probability}
    if unplayed != trembles.keys() or any(tremble.weight <= 0 or tremble.order < 1 for tremble in trembles.values()):
        return False
    for infoset, nodes in enumerate(members(tree)):
        values = worths(tree, strategy, tree.sets[infoset].seat)
        belief = limits(tree, strategy, trembles)[infoset]
        expected = [
            sum([node_belief * values[tree.first[node] + action] for node_belief, node in zip(belief, nodes, strict=True)])
            for action in range(len(strategy.rows[infoset]))
        ]
        if any(probability and own_value < max(expected) for probability, own_value in zip(strategy.rows[infoset], expected, strict=True)):
            return False
    return True


def limits(tree: Tree, strategy: Strategy, trembles: Mapping[tuple[int, int], Tremble]) -> list[Belief]:
    """Compute the limit beliefs of trembles, exactly.

    Where only a chance move of probability 0 leads, all histories are equally probable.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("horse")
    >>> across = Strategy.of(tree, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> limits(tree, across, {(0, 0): Tremble(Fraction(1), 1), (2, 0): Tremble(Fraction(3), 1), (1, 0): Tremble(Fraction(1), 1)})[1]
    (Fraction(1, 4), Fraction(3, 4))
    """
    node_reaches = traces(tree, strategy)
    return [_limit(node_reaches, nodes, trembles) for nodes in members(tree)]


def _limit(come: Sequence[Trace], nodes: Sequence[int], trembles: Mapping[tuple[int, int], Tremble]) -> Belief:
    """Compute the limit belief of trembles at one information set."""
    orders = [sum([trembles[key].order for key in come[node].idle]) for node in nodes]
    min_order = min([order for order, node in zip(orders, nodes, strict=True) if come[node].likely], default=0)
    weights = [
        prod([trembles[key].weight for key in come[node].idle], start=come[node].likely) if order == min_order else Fraction(0)
        for order, node in zip(orders, nodes, strict=True)
    ]
    total = sum(weights, Fraction(0))
    return tuple([weight / total if total else Fraction(1, len(nodes)) for weight in weights])


def _content(row: Sequence[Number], belief: Belief, worth: Sequence[Sequence[Number]]) -> bool:
    """Return whether each played action is optimal under a belief.

    `worth` has the value of each action at each history.
    """
    expected = [sum([probability * value for probability, value in zip(belief, values, strict=True) if probability]) for values in worth]
    best = max(expected)
    return all(own_value == best for action_probability, own_value in zip(row, expected, strict=True) if action_probability)


def _candidates(
    tree: Tree, strategy: Strategy, shapes: Sequence[_Shape], come: Sequence[Trace], tries: int, rng: Random
) -> Iterator[Trembles]:
    """Generate trembles that may prove it: alternately aimed at beliefs, and random."""
    unplayed = [(infoset, action) for infoset, row in enumerate(strategy.rows) for action, probability in enumerate(row) if not probability]
    belief_of: dict[tuple[int, tuple[int, ...]], Belief | None] = {}
    uncertain = sorted((analysis for analysis in shapes if len(analysis.onward.nodes) > 1), key=lambda analysis: analysis.onward.nodes[0])
    last_tremble_of = {node: _last_slip(tree, strategy, node) for analysis in uncertain for node in analysis.onward.nodes}
    yield dict.fromkeys(unplayed, _PLAIN)
    for attempt in range(tries if unplayed else 0):
        if attempt % 2:
            orders = [1 if attempt % 3 == 1 else rng.choice((1, 2, 3)) for _ in unplayed]
            yield {
                key: Tremble(Fraction(rng.choice(_SHARES), rng.choice(_SHARES)), order) for key, order in zip(unplayed, orders, strict=True)
            }
            continue
        trembles: Trembles = {}
        slack, aim_count = (rng.choice((0, 0, 1)), rng.choice((1, 2, 3))) if attempt else (0, 0)
        mixed_first = attempt % 4 == 2
        for belief_search, corners in (
            sorted(uncertain, key=lambda analysis: max(strategy.rows[analysis.onward.place]) == 1) if mixed_first else uncertain
        ):
            weight_vectors = [tuple([rng.choice(_SHARES) for _ in corners]) for _ in range(aim_count)] if len(corners) > 1 else []
            for weight_vector in weight_vectors or [()]:
                if (belief_search.place, weight_vector) not in belief_of:
                    belief_of[belief_search.place, weight_vector] = belief_search.believed(corners, weight_vector or None).belief
            beliefs = [belief_of[belief_search.place, weight_vector] for weight_vector in weight_vectors or [()]]
            supporting = [belief for belief in beliefs if belief is not None]
            if supporting:  # an average of supporting beliefs supports the strategy too
                belief = tuple([sum(parts, Fraction(0)) / len(supporting) for parts in zip(*supporting, strict=True)])
                _aim(trembles, belief, [(last_tremble_of[node], come[node]) for node in belief_search.nodes], slack)
        yield {key: trembles.get(key, _PLAIN) for key in unplayed}


def _aim(aimed: Trembles, belief: Belief, nodes: Sequence[tuple[tuple[int, int] | None, Trace]], slack: int) -> None:
    """Choose the last trembles before the histories of an information set to give a belief.

    Trembles that are already chosen stay.
    """
    parts = []
    for key, (keys, probability) in nodes:
        other_trembles = [aimed.setdefault(other_key, _PLAIN) for other_key in keys if other_key != key]
        parts.append(
            (sum(tremble.order for tremble in other_trembles), prod([tremble.weight for tremble in other_trembles], start=probability))
        )
    order, scale = 1 + slack + max(order for order, _ in parts), Fraction(1)
    for (key, _), target, (order_before, weight) in zip(nodes, belief, parts, strict=True):
        if key in aimed and target:
            order, scale = order_before + aimed[key].order, weight * aimed[key].weight / target
    for (key, _), target, (order_before, weight) in zip(nodes, belief, parts, strict=True):
        if key is not None and key not in aimed and weight:
            aimed[key] = (
                Tremble(scale * target / weight, max(1, order - order_before))
                if target
                else Tremble(Fraction(1), max(1, order + 1 - order_before))
            )


def _last_slip(tree: Tree, strategy: Strategy, here: int) -> tuple[int, int] | None:
    """Find the last action on the way to a history that the strategy never plays."""
    while (parent := tree.parent[here]) >= 0:
        infoset, action = tree.info[parent], here - tree.first[parent]
        if tree.actor[parent] != CHANCE and not strategy.rows[infoset][action]:
            return infoset, action
        here = parent
    return None
