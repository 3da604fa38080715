"""Solves games with observed actions by backward induction.

The result is exact, for any number of players. The solver needs observed actions; chance moves may be hidden. Then
beliefs do not depend on the strategies, and each information set can be solved before the information sets that lead
to it.

If actions tie, `find_subgame_perfect_payoffs` finds every payoff vector of the equilibria in pure strategies. It
computes, for each information set, all payoff vectors that can result from there. A player keeps a vector if no other
action guarantees more. A chance node adds up one vector from each branch. If there are too many vectors, only the
lowest and the highest payoff of each player are kept. The result does not depend on the order of actions, players or
information sets.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import action_offsets
from durak_widget.gametheory.game_properties import suggest_method
from durak_widget.gametheory.infoset_labels import format_infoset
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError, describe_imperfect_recall, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.tree import Tree

MAX_LISTED_PAYOFFS: Final = 100
"""The maximum number of payoff vectors that a result of backward induction lists."""
_MAX_STORED_PAYOFFS: Final = 200
"""The maximum number of payoff vectors stored for one information set; if there are more, only their range is stored.
"""

PayoffVector = tuple["Fraction", ...]
"""The payoffs of a terminal node or a strategy profile, one for each player."""
_InfosetOutcomes = dict[PayoffVector, "tuple[int, tuple[PayoffVector, ...]]"]
"""The payoff vectors that can result if play starts at a given information set.

Each payoff vector has an action that leads to it, and the payoff vectors that must follow at the next information
sets.
"""
_ActionOutcomes = dict[PayoffVector, "tuple[PayoffVector, ...]"]
"""For each payoff vector that can result from an action: the payoff vectors that must follow at the next information
sets.
"""


class Tie(NamedTuple):
    """An information set with several best actions; the solver took the first action."""

    infoset: int
    label: str
    actions: tuple[str, ...]


class BackwardInductionResult(NamedTuple):
    """The result of backward induction."""

    values: tuple[Fraction, ...]
    """The value of the game for each player."""
    strategy: Strategy
    """A subgame-perfect pure strategy: best at every information set, also off the path of play."""
    line_of_play: tuple[str, ...]
    """The actions from the root to a terminal node under the computed strategy; at a chance node, the most probable action (if several, the
    first)."""
    ties: tuple[Tie, ...]
    """The information sets at which several actions are best, given that play then continues with
    the computed strategy.

    Another choice can change what the other players get; see `find_subgame_perfect_payoffs`.
    """


def backward_induction(tree: Tree) -> BackwardInductionResult:
    """Solve a game with observed actions by backward induction.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> nodes = {"": DecisionNode(0, "begins", [("stop", "s"), ("go", "g")]), "s": TerminalNode((1, 0)), "g": DecisionNode(1, "answers", [("take", "t"), ("share", "h")])}
    >>> result = backward_induction(build_tree("", {**nodes, "t": TerminalNode((0, 3)), "h": TerminalNode((2, 2))}.__getitem__, player_count=2))
    >>> result.values, result.line_of_play, result.strategy["answers"], result.ties
    ((Fraction(1, 1), Fraction(0, 1)), ('stop',), (Fraction(1, 1), Fraction(0, 1)), ())
    """
    forward_pass = run_forward_pass(tree)
    offsets, payoffs, previous_actions, min_impossible_counts = forward_pass
    choices, ties = [0] * len(tree.infosets), []
    for infoset in reversed(previous_actions):
        record, following = tree.infosets[infoset], payoffs[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
        column = min_impossible_counts[infoset] * tree.player_count + record.player
        best = max(vector[column] for vector in following)
        best_actions = [action for action, vector in enumerate(following) if vector[column] == best]
        choices[infoset] = best_actions[0]
        if len(best_actions) > 1:
            ties.append(Tie(infoset, record.label, tuple([record.actions[action] for action in best_actions])))
        total, best_payoffs = payoffs[previous_actions[infoset]], following[best_actions[0]]
        for index, payoff in enumerate(best_payoffs):
            total[index] += payoff
    strategy = Strategy.from_choices(tree, choices)
    return BackwardInductionResult(
        tuple(payoffs[0][: tree.player_count]), strategy, find_line_of_play(tree, strategy), tuple(reversed(ties))
    )


class ForwardPass(NamedTuple):
    """Data on a tree's actions and information sets, collected for backward induction."""

    action_offsets: list[int]
    """For each information set: the index of its first action in the list of all actions, as
    computed by the function `action_offsets`.
    """
    action_payoffs: list[list[Fraction]]
    """For each action: the sum of the payoffs of the terminal nodes that are reached without
    another decision, weighted by their chance probabilities.

    There is one such sum for each player and each number of impossible chance moves (those with probability 0).
    """
    previous_actions: dict[int, int]
    """For each information set, in the order of play: the last action that any player took before
    it.
    """
    min_impossible_chance_moves: dict[int, int]
    """For each information set: the smallest number of chance moves of probability 0 on any path to
    it.
    """


def run_forward_pass(tree: Tree) -> ForwardPass:
    """Collect the data that backward induction needs, in one traversal of a tree.

    Raise an error if some player does not observe an action of another player.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> run_forward_pass(textbook("entry")).previous_actions
    {0: 0, 1: 1}
    """
    require_tree(tree)
    offsets, players = action_offsets(tree), range(tree.player_count)
    impossible_counts = _count_impossible_chance_moves(tree)
    payoffs = [
        [Fraction(0)] * (tree.player_count * (1 + max(impossible_counts))) for _ in range(offsets[-1] + 1)
    ]  # Payoffs are summed separately for paths with 0, 1, 2, … chance moves of probability 0
    previous_actions: dict[int, int] = {}
    min_impossible_counts: dict[int, int] = {}
    last_actions, weights = [0] * tree.history_count, [Fraction(1)] * tree.history_count
    for node, (actor, infoset, first_child) in enumerate(zip(tree.actor, tree.infoset_of, tree.first_child, strict=True)):
        previous_action, weight = last_actions[node], weights[node]
        if actor == TERMINAL:
            for player in players:
                payoffs[previous_action][impossible_counts[node] * tree.player_count + player] += weight * tree.payoffs[infoset][player]
        elif actor == CHANCE:
            for child_node, probability in enumerate(tree.chance_moves[infoset].probabilities, first_child):
                last_actions[child_node], weights[child_node] = previous_action, weight * (probability or 1)
        else:
            min_impossible_counts[infoset] = min(impossible_counts[node], min_impossible_counts.get(infoset, impossible_counts[node]))
            if previous_actions.setdefault(infoset, previous_action) != previous_action:
                if problem := describe_imperfect_recall(tree):
                    raise TreeError(f"{problem}. Solvers need a tree with perfect recall")
                raise TreeError(
                    f"backward induction needs a game in which every player sees all moves. At {format_infoset(tree, infoset)} the player does not know what the others did; {suggest_method(tree)}"
                )
            for child_node, own_action in enumerate(range(offsets[infoset] + 1, offsets[infoset + 1] + 1), first_child):
                last_actions[child_node], weights[child_node] = own_action, weight
    return ForwardPass(offsets, payoffs, previous_actions, min_impossible_counts)


def _count_impossible_chance_moves(tree: Tree) -> list[int]:
    """Return, for each node, the number of chance moves of probability 0 on the node's path.

    Best actions are found after such moves too, although the payoffs there do not change any earlier value.
    """
    impossible_counts = [0] * tree.history_count
    if not any(0 in chance_move.probabilities for chance_move in tree.chance_moves):
        return impossible_counts
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        for action, child in enumerate(tree.children(node)):
            impossible_counts[child] = impossible_counts[node] + (actor == CHANCE and not tree.chance_moves[infoset].probabilities[action])
    return impossible_counts


def find_line_of_play(tree: Tree, strategy: Strategy) -> tuple[str, ...]:
    """Return the most probable actions from the root to a terminal node under a strategy.

    If several actions are equally likely, the first of them is taken.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> find_line_of_play(tree, Strategy.from_mapping(tree, {"begins": "r"}))
    ('r',)
    """
    return tree.actions_from_root((list_nodes_on_line_of_play(tree, strategy) or [0])[-1])


def list_nodes_on_line_of_play(tree: Tree, strategy: Strategy) -> list[int]:
    """Return the nodes on the most probable path of play under a strategy, without the root.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> list_nodes_on_line_of_play(textbook("entry"), Strategy.from_mapping(textbook("entry"), {"begins": "stay out"}))
    [2]
    """
    node, nodes = 0, list[int]()
    while tree.actor[node] != TERMINAL:
        infoset = tree.infoset_of[node]
        probabilities = tree.chance_moves[infoset].probabilities if tree.actor[node] == CHANCE else strategy.rows[infoset]
        node = tree.first_child[node] + max(range(len(probabilities)), key=probabilities.__getitem__)
        nodes.append(node)
    return nodes


class _PayoffRange(NamedTuple):
    """A range of payoff vectors: the lowest and the highest payoff of each player.

    The solver stores it instead of the payoff vectors if there are too many of them.
    """

    lower: PayoffVector
    upper: PayoffVector
    has_several: bool = False
    """True if there is certainly more than one payoff vector."""


_StoredPayoffs = _InfosetOutcomes | _PayoffRange


class SubgamePerfectPayoffs(NamedTuple):
    """The payoffs of all pure subgame-perfect equilibria, and all ties between best actions."""

    payoffs: tuple[PayoffVector, ...]
    """The payoff vectors of all pure subgame-perfect equilibria, sorted; empty if there are more
    than `MAX_LISTED_PAYOFFS`.
    """
    complete: bool
    """True if the payoff vectors of all pure subgame-perfect equilibria are listed."""
    has_several: bool | None
    """True if the pure subgame-perfect equilibria have more than one payoff vector; None if that is
    unknown.
    """
    ties: tuple[Tie, ...]
    """The information sets at which several actions can be best, depending on how ties are broken
    at later information sets.

    If `complete` is False, it is not certain that the actions tie.
    """
    strategies: tuple[Strategy, ...]
    """One equilibrium for each payoff vector; empty if the solver stored only a range of payoff vectors for some
    information set.
    """


def find_subgame_perfect_payoffs(tree: Tree) -> SubgamePerfectPayoffs:
    """Return the payoffs of all subgame-perfect equilibria in pure strategies.

    The actions of all players must be observed. If something else is hidden, such as a card, these are the sequential
    equilibria in pure strategies.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> nodes = {"": DecisionNode(0, "begins", [("out", "o"), ("in", "i")]), "i": DecisionNode(1, "answers", [("share", "s"), ("fight", "f")])}
    >>> tree = build_tree("", {**nodes, "o": TerminalNode((1, 4)), "s": TerminalNode((2, 0)), "f": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> result = find_subgame_perfect_payoffs(tree)
    >>> [tuple(map(int, payoffs)) for payoffs in result.payoffs], result.complete, [tie.actions for tie in result.ties]
    ([(1, 4), (2, 0)], True, [('share', 'fight')])
    """
    search = _PayoffSearch(tree)
    outcomes, ties = search.run()
    if isinstance(outcomes, _PayoffRange) or len(outcomes) > MAX_LISTED_PAYOFFS:
        differ = True if not isinstance(outcomes, _PayoffRange) or outcomes.has_several else None
        return SubgamePerfectPayoffs((), complete=False, has_several=differ, ties=ties, strategies=())
    payoffs = tuple(sorted(outcomes))
    strategies = tuple([search.build_strategy(outcomes[vector]) for vector in payoffs]) if search.has_all_payoffs else ()
    return SubgamePerfectPayoffs(payoffs, complete=True, has_several=len(payoffs) > 1, ties=ties, strategies=strategies)


class _PayoffSearch:
    """A backward search for the equilibrium payoffs at each information set."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._action_offsets, self._action_payoffs, self._previous_actions, self._impossible_counts = run_forward_pass(tree)
        self._infoset_payoffs: list[_StoredPayoffs] = [{}] * len(tree.infosets)
        self._infosets_after: dict[int, list[int]] = {}
        for infoset, action in self._previous_actions.items():
            self._infosets_after.setdefault(action, []).append(infoset)

    @property
    def has_all_payoffs(self) -> bool:
        """Return whether the search stored every payoff vector of every information set."""
        return not any(isinstance(payoffs, _PayoffRange) for payoffs in self._infoset_payoffs)

    def run(self) -> tuple[_ActionOutcomes | _PayoffRange, tuple[Tie, ...]]:
        """Return the equilibrium payoffs of the whole game, and all ties between best actions."""
        ties = []
        for infoset in reversed(self._previous_actions):
            record = self._tree.infosets[infoset]
            outcomes = [self._payoffs_after_action(action, self._impossible_counts[infoset]) for action in self._action_range(infoset)]
            self._infoset_payoffs[infoset], tied_actions = _select_best_payoffs(record.player, outcomes)
            if len(tied_actions) > 1:
                ties.append(Tie(infoset, record.label, tuple([record.actions[action] for action in tied_actions])))
        return self._payoffs_after_action(0, 0), tuple(sorted(ties))

    def _action_range(self, infoset: int) -> range:
        """Return the indices of an information set's actions in the list of all actions."""
        return range(self._action_offsets[infoset] + 1, self._action_offsets[infoset + 1] + 1)

    def _list_next_infosets(self, action: int, impossible_count: int) -> list[int]:
        """Return the information sets that may come next after an action.

        Information sets that come only after an impossible chance move are left out.
        """
        return [infoset for infoset in self._infosets_after.get(action, ()) if self._impossible_counts[infoset] == impossible_count]

    def _payoffs_after_action(self, action: int, impossible_count: int) -> _ActionOutcomes | _PayoffRange:
        """Return the payoff vectors that can result from an action."""
        player_count = self._tree.player_count
        terminal_payoffs = tuple(self._action_payoffs[action][impossible_count * player_count : (impossible_count + 1) * player_count])
        return _combine_payoffs(
            terminal_payoffs, [self._infoset_payoffs[infoset] for infoset in self._list_next_infosets(action, impossible_count)]
        )

    def build_strategy(self, parts: tuple[PayoffVector, ...]) -> Strategy:
        """Build the strategy of an equilibrium whose payoffs are given by `parts`.

        `parts` has a payoff vector for each information set that may be the first one in a play. A player who
        deviates from the path of play gets the lowest payoff that can follow.
        """
        choices = [0] * len(self._tree.infosets)
        waiting = self._choose_required_payoffs(0, 0, parts, 0)
        while waiting:
            infoset, payoffs = waiting.pop()
            outcomes, impossible_count, player = (
                self._infoset_payoffs[infoset],
                self._impossible_counts[infoset],
                self._tree.infosets[infoset].player,
            )
            assert isinstance(outcomes, dict)  # noqa: S101 - called only if every payoff vector is stored
            choices[infoset], parts = outcomes[payoffs]
            for index, action in enumerate(self._action_range(infoset)):
                waiting += self._choose_required_payoffs(action, impossible_count, parts if index == choices[infoset] else None, player)
        return Strategy.from_choices(self._tree, choices)

    def _choose_required_payoffs(
        self, action: int, impossible_count: int, parts: tuple[PayoffVector, ...] | None, player: int
    ) -> list[tuple[int, PayoffVector]]:
        """Choose a payoff vector for each information set that may come next after an action.

        Return the given `parts`, or without them, the vectors with the lowest payoff for the player.
        """
        required = {} if parts is None else dict(zip(self._list_next_infosets(action, impossible_count), parts, strict=True))
        return [
            (
                infoset,
                required.get(infoset)
                or min(_list_payoff_vectors(self._infoset_payoffs[infoset]), key=lambda payoffs: (payoffs[player], payoffs)),
            )
            for infoset in self._infosets_after.get(action, ())
        ]


def _combine_payoffs(terminal_payoffs: PayoffVector, parts: Sequence[_StoredPayoffs]) -> _ActionOutcomes | _PayoffRange:
    """Return all sums of `terminal_payoffs` and one payoff vector from each of `parts`.

    If this gives too many payoff vectors, return only their range.
    """
    sums: _ActionOutcomes = {terminal_payoffs: ()}
    for part in parts:
        if isinstance(part, dict):
            sums = {
                tuple([payoff + more_payoff for payoff, more_payoff in zip(total, vector, strict=True)]): (*vectors, vector)
                for total, vectors in sums.items()
                for vector in part
            }
        if isinstance(part, _PayoffRange) or len(sums) > _MAX_STORED_PAYOFFS:
            several = any(
                part_payoffs.has_several if isinstance(part_payoffs, _PayoffRange) else len(part_payoffs) > 1 for part_payoffs in parts
            )
            part_ranges = [
                part_payoffs if isinstance(part_payoffs, _PayoffRange) else _find_payoff_range(part_payoffs) for part_payoffs in parts
            ]
            return _PayoffRange(
                _sum_payoffs(terminal_payoffs, (part_range.lower for part_range in part_ranges)),
                _sum_payoffs(terminal_payoffs, (part_range.upper for part_range in part_ranges)),
                several,
            )
    return sums


def _list_payoff_vectors(payoffs: _StoredPayoffs | _ActionOutcomes | _PayoffRange) -> Iterable[PayoffVector]:
    """Return all stored payoff vectors.

    If only a range of payoffs is stored, return the lower and the upper end of this range.
    """
    return (payoffs.lower, payoffs.upper) if isinstance(payoffs, _PayoffRange) else payoffs


def _sum_payoffs(first: PayoffVector, others: Iterable[PayoffVector]) -> PayoffVector:
    """Add payoff vectors, player by player."""
    return tuple([sum(payoffs, Fraction(0)) for payoffs in zip(first, *others, strict=True)])


def _find_payoff_range(payoff_vectors: Iterable[PayoffVector]) -> _PayoffRange:
    """Return the lowest and the highest payoff of each player among given payoff vectors."""
    columns = list(zip(*payoff_vectors, strict=True))
    return _PayoffRange(tuple(map(min, columns)), tuple(map(max, columns)))


def _select_best_payoffs(player: int, outcomes: Sequence[_ActionOutcomes | _PayoffRange]) -> tuple[_StoredPayoffs, list[int]]:
    """Return the payoff vectors after a player's best actions, and the list of these actions.

    The player never accepts less than the best guaranteed payoff.
    """
    ranges = [outcome if isinstance(outcome, _PayoffRange) else _find_payoff_range(outcome) for outcome in outcomes]
    best_guaranteed = max(payoff_range.lower[player] for payoff_range in ranges)
    good_actions = [action for action, payoff_range in enumerate(ranges) if payoff_range.upper[player] >= best_guaranteed]
    selected: _InfosetOutcomes = {}
    for action in good_actions:
        outcome = outcomes[action]
        if isinstance(outcome, dict):
            for vector, parts in outcome.items():
                if vector[player] >= best_guaranteed:
                    selected.setdefault(vector, (action, parts))
    if len(selected) > _MAX_STORED_PAYOFFS or any(isinstance(outcomes[action], _PayoffRange) for action in good_actions):
        lower, upper, _ = _find_payoff_range([vector for action in good_actions for vector in _list_payoff_vectors(ranges[action])])
        every_vector_fits = len(good_actions) == 1 and ranges[good_actions[0]].lower[player] == best_guaranteed
        several = ranges[good_actions[0]].has_several if every_vector_fits else all(isinstance(outcome, dict) for outcome in outcomes)
        return _PayoffRange((*lower[:player], best_guaranteed, *lower[player + 1 :]), upper, several), good_actions
    own_payoffs = {
        action: {vector[player] for vector in _list_payoff_vectors(outcomes[action]) if vector[player] >= best_guaranteed}
        for action in good_actions
    }
    count = Counter(value for values in own_payoffs.values() for value in values)
    return selected, [action for action in good_actions if any(count[value] > 1 for value in own_payoffs[action])]
