"""Computes what each student's strategy earns against the whole class.

A pool of strategies is not the average of the choices: at a later decision only the students count whose own earlier choices lead
there (Kuhn, H. W. (1953): Extensive games and the problem of information). So the pool is stored by sequences: for each list of a
player's own actions, the probability that a random student of the pool takes all of them (von Stengel, B. (1996): Efficient
computation of behavior strategies). This is exact for any number of players, and also with imperfect recall.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.game_properties import find_player_recalls
from durak_widget.gametheory.strategic_form import compute_own_paths, generate_pure_strategies
from durak_widget.gametheory.strategy import Strategy, build_unchecked_strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.tree import Tree

    Row = Sequence[Fraction]
    """The probability of each action at one information set."""

_MAX_PURE_STRATEGIES: Final = 20_000
"""The maximum number of pure strategies among which the best one of a player with imperfect recall is searched."""


class PoolBestResponse(NamedTuple):
    """The most that a player can get against a pool, and all ways to get it."""

    value: Fraction
    """The player's highest expected payoff against the pool."""
    best_actions: dict[int, tuple[int, ...]]
    """For each information set of the player that the other players' strategies allow: all best actions there."""
    played_infosets: tuple[int, ...]
    """The information sets that some best response reaches, in the order of play."""


class _Sequences:
    """The sequences of one player: all lists of own actions that lead to some node."""

    def __init__(self, tree: Tree, player: int) -> None:
        self.count = 1
        """How many sequences there are. Sequence 0 is the empty one, and a longer sequence has a higher number."""
        self.groups: dict[tuple[int, int], range] = {}
        """For each sequence and each information set that it leads to: the longer sequences, one for each action there."""
        self.of_node = [0] * tree.history_count
        """For each node of the tree: the sequence of the player's actions on the path to the node."""
        for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
            sequence = self.of_node[node]
            if actor != player:
                for child in tree.children(node):
                    self.of_node[child] = sequence
                continue
            longer = self.groups.get((sequence, infoset))
            if longer is None:
                longer = self.groups[sequence, infoset] = range(self.count, self.count + tree.child_count[node])
                self.count = longer.stop
            for child, longer_sequence in zip(tree.children(node), longer, strict=True):
                self.of_node[child] = longer_sequence

    def find_played(self, rows: Mapping[int, Row]) -> dict[int, Fraction]:
        """Return the probability of each sequence that a behaviour strategy may play."""
        played = {0: Fraction(1)}
        for (sequence, infoset), longer in self.groups.items():
            if sequence in played:
                for longer_sequence, probability in zip(longer, rows[infoset], strict=True):
                    if probability:
                        played[longer_sequence] = played[sequence] * probability
        return played


class StrategyPool:
    """The strategies of a class: a list of behaviour strategies for each player.

    Those of a player are equally likely. It is quicker if equal strategies are the same object. A strategy is a mapping from the player's information sets to rows of probabilities. A player who never acts needs none.

    >>> from durak_widget.gametheory import textbook
    >>> enter, stay, share = {0: pure_row(0, 2)}, {0: pure_row(1, 2)}, {1: pure_row(0, 2)}
    >>> pool = StrategyPool(textbook("entry"), [[enter, enter, stay], [share]])
    >>> pool.payoff(0, enter), pool.average_payoff(0), pool.best_response(0).best_actions
    (Fraction(2, 1), Fraction(5, 3), {0: (0,)})
    """

    def __init__(self, tree: Tree, strategies: Sequence[Sequence[Mapping[int, Row]]]) -> None:
        self.tree, self.strategies = tree, strategies
        self.missing_players = tuple(
            [
                player
                for player in range(tree.player_count)
                if not strategies[player] and any(record.player == player for record in tree.infosets)
            ]
        )
        """The players who act in the game but have no strategy in the pool."""
        self._sequences = [_Sequences(tree, player) for player in range(tree.player_count)]
        self._weights = [self._average_probabilities(player) for player in range(tree.player_count)]
        self._chance = [Fraction(1)] * tree.history_count
        for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
            probabilities = tree.chance_moves[infoset].probabilities if actor == CHANCE else None
            for action, child in enumerate(tree.children(node)):
                self._chance[child] = self._chance[node] * probabilities[action] if probabilities else self._chance[node]
        self._others_reach: dict[int, list[Fraction]] = {}
        self._payoffs: dict[int, list[Fraction]] = {}

    def _average_probabilities(self, player: int) -> list[Fraction]:
        """Return the probability that a random student takes all actions of each sequence."""
        sequences, strategies = self._sequences[player], self.strategies[player]
        counts = Counter(map(id, strategies))
        total = [Fraction(0)] * sequences.count
        for strategy in {id(strategy): strategy for strategy in strategies}.values():
            for sequence, probability in sequences.find_played(strategy).items():
                total[sequence] += counts[id(strategy)] * probability
        return [weight / len(strategies) for weight in total] if strategies else [Fraction(1), *total[1:]]

    def _compute_others_reach(self, player: int) -> list[Fraction]:
        """Return the probability that chance and the other players' pools allow each node."""
        if player not in self._others_reach:
            reach = list(self._chance)
            for other, (sequences, weights) in enumerate(zip(self._sequences, self._weights, strict=True)):
                if other != player and len(weights) > 1:
                    for node, sequence in enumerate(sequences.of_node):
                        if reach[node]:
                            reach[node] *= weights[sequence]
            self._others_reach[player] = reach
        return self._others_reach[player]

    def _compute_payoffs(self, player: int) -> list[Fraction]:
        """Return what each sequence of a player earns before the player acts again.

        The payoffs are weighted by the probability that chance and the other players' pools allow the ends.
        """
        if others := [other for other in self.missing_players if other != player]:
            raise TreeError(f"there are no strategies of player {others[0] + 1}, so nobody else has an expected payoff")
        if player not in self._payoffs:
            sequences, reach = self._sequences[player], self._compute_others_reach(player)
            result = [Fraction(0)] * sequences.count
            for node, actor in enumerate(self.tree.actor):
                if actor == TERMINAL and reach[node]:
                    result[sequences.of_node[node]] += reach[node] * self.tree.payoffs[self.tree.infoset_of[node]][player]
            self._payoffs[player] = result
        return self._payoffs[player]

    def payoff(self, player: int, rows: Mapping[int, Row]) -> Fraction:
        """Return a strategy's exact expected payoff against a random student of each other role."""
        payoffs, played = self._compute_payoffs(player), self._sequences[player].find_played(rows)
        return sum((probability * payoffs[sequence] for sequence, probability in played.items()), Fraction(0))

    def average_payoff(self, player: int) -> Fraction:
        """Return the average payoff of all strategies that the pool has for a player."""
        payoffs = self._compute_payoffs(player)
        return sum(
            (weight * payoff for weight, payoff in zip(self._weights[player], payoffs, strict=True) if weight and payoff), Fraction(0)
        )

    def best_response(self, player: int) -> PoolBestResponse | None:
        """Return a player's best responses to the pool.

        A player with imperfect recall is compared with all pure strategies; the result is None if there are too many.
        """
        if find_player_recalls(self.tree)[player].recall != "perfect":
            return self._find_best_pure_strategies(player)
        sequences, values = self._sequences[player], list(self._compute_payoffs(player))
        allowed = self._find_allowed_infosets(player)
        best_actions, best_longer = dict[int, tuple[int, ...]](), dict[tuple[int, int], list[int]]()
        # The loop comes to longer sequences first, so the value of a sequence is final when it is needed
        for (sequence, infoset), longer in reversed(sequences.groups.items()):
            best = max(values[longer_sequence] for longer_sequence in longer)
            values[sequence] += best
            best_longer[sequence, infoset] = [longer_sequence for longer_sequence in longer if values[longer_sequence] == best]
            if infoset in allowed:
                best_actions[infoset] = tuple([action for action, longer_sequence in enumerate(longer) if values[longer_sequence] == best])
        played, reached = list[int](), {0}
        for sequence, infoset in sequences.groups:
            if sequence in reached and infoset in allowed:
                played.append(infoset)
                reached.update(best_longer[sequence, infoset])
        return PoolBestResponse(values[0], dict(sorted(best_actions.items())), tuple(played))

    def _find_allowed_infosets(self, player: int) -> set[int]:
        """Return the information sets of a player that chance and the other players' pools allow."""
        reach = self._compute_others_reach(player)
        return {
            infoset
            for node, (actor, infoset) in enumerate(zip(self.tree.actor, self.tree.infoset_of, strict=True))
            if actor == player and reach[node]
        }

    def _find_best_pure_strategies(self, player: int) -> PoolBestResponse | None:
        """Return the best of all pure strategies of a player; None if there are too many."""
        paths, _ = compute_own_paths(self.tree)
        pure_strategies = list(islice(generate_pure_strategies(self.tree, player, paths), _MAX_PURE_STRATEGIES + 1))
        if len(pure_strategies) > _MAX_PURE_STRATEGIES:
            return None
        first_rows = {
            infoset: pure_row(0, len(record.actions)) for infoset, record in enumerate(self.tree.infosets) if record.player == player
        }
        payoffs = [
            self.payoff(player, first_rows | {infoset: pure_row(action, len(first_rows[infoset])) for infoset, action in choices.items()})
            for choices in pure_strategies
        ]
        best, allowed = max(payoffs), self._find_allowed_infosets(player)
        best_actions: dict[int, set[int]] = {}
        for choices, payoff in zip(pure_strategies, payoffs, strict=True):
            if payoff == best:
                for infoset, action in choices.items():
                    if infoset in allowed:
                        best_actions.setdefault(infoset, set()).add(action)
        return PoolBestResponse(
            best, {infoset: tuple(sorted(actions)) for infoset, actions in sorted(best_actions.items())}, tuple(sorted(best_actions))
        )

    def to_strategy(self) -> Strategy:
        """Return a behaviour strategy of all players that does what the pool does.

        At an information set that no student's own choices lead to, all answers there count. The same is done for a player with
        imperfect recall, for whom no behaviour strategy does what a pool does. Without any answer, all actions are equally likely.

        >>> from durak_widget.gametheory import textbook
        >>> outside, bach = textbook("outside-option"), {2: pure_row(0, 2)}
        >>> book, concert = {0: pure_row(0, 2), 1: pure_row(0, 2)}, {0: pure_row(1, 2), 1: pure_row(1, 2)}
        >>> StrategyPool(outside, [[book, concert], [bach]]).to_strategy()["stays or goes"]
        (Fraction(1, 2), Fraction(1, 2))
        >>> StrategyPool(outside, [[book, concert], [bach]]).to_strategy()[0, "chooses a concert"]
        (Fraction(0, 1), Fraction(1, 1))
        """
        rows = [
            tuple(row) if row else uniform_row(len(record.actions))
            for row, record in zip(self.average_rows(), self.tree.infosets, strict=True)
        ]
        for player, player_recall in enumerate(find_player_recalls(self.tree)):
            if player_recall.recall == "perfect" and self.strategies[player]:
                weights = self._weights[player]
                for (sequence, infoset), longer in self._sequences[player].groups.items():
                    if weights[sequence]:
                        rows[infoset] = tuple([weights[longer_sequence] / weights[sequence] for longer_sequence in longer])
        return build_unchecked_strategy(self.tree.infosets, rows)

    def average_rows(self) -> list[tuple[Fraction, ...] | None]:
        """Return the average of all answers at each information set; None without answers.

        It does not matter whether a student's own choices lead there.
        """
        return [
            average_row([strategy[infoset] for strategy in self.strategies[record.player]])
            for infoset, record in enumerate(self.tree.infosets)
        ]


def uniform_row(count: int) -> tuple[Fraction, ...]:
    """Return the probabilities of equally likely actions.

    >>> uniform_row(2)
    (Fraction(1, 2), Fraction(1, 2))
    """
    return (Fraction(1, count),) * count


def average_row(rows: Sequence[Row]) -> tuple[Fraction, ...] | None:
    """Return the average of rows of probabilities; None for no rows.

    >>> average_row([(Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1, 2))])
    (Fraction(3, 4), Fraction(1, 4))
    """
    if not rows:
        return None
    return tuple([_average(probabilities) for probabilities in zip(*rows, strict=True)])


def _average(numbers: Sequence[Fraction]) -> Fraction:
    """Return an average; one common denominator is much quicker than a sum of fractions."""
    denominator = lcm(*{number.denominator for number in numbers})
    return Fraction(sum(number.numerator * (denominator // number.denominator) for number in numbers), denominator * len(numbers))
