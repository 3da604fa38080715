"""Finds all pure-strategy equilibria, for any number of players, exactly.

The pure strategies of all players but the one with most are tried against each other. That player's best responses
are computed at the information sets. Then each of the others is checked for a profitable deviation. The limit
counts profiles, not time, so the result is always the same. A pure strategy is one of the reduced form: it has no
action where it never leads itself.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import islice, product
from math import lcm
from operator import and_
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import edges, order_of
from durak_widget.gametheory.game_properties import memories
from durak_widget.gametheory.mixed_to_behaviour import behaviour
from durak_widget.gametheory.strategic_form import leads_along, own_paths, pure_plans
from durak_widget.gametheory.tree import OVER, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.mixed_to_behaviour import Behaviour
    from durak_widget.gametheory.strategic_form import Path
    from durak_widget.gametheory.tree import Tree

    Led = tuple[dict[int, int], int]
    """A pure strategy, and a bit mask of the terminal groups that it can lead to."""

TRIED: Final = 50_000
"""The default limit of profiles to try."""


class PureOne(NamedTuple):
    """A pure-strategy equilibrium."""

    moves: Mapping[int, int]
    """The index of the action at each information set that the player's own strategy leads to."""
    worth: tuple[Fraction, ...]
    """The payoff of each player."""

    def played(self, tree: Tree) -> Behaviour:
        """Convert the equilibrium to a behaviour strategy of the tree."""
        strategies: list[dict[int, int]] = [{} for _ in range(tree.seats)]
        for infoset, action in self.moves.items():
            strategies[tree.sets[infoset].seat][infoset] = action
        return behaviour(tree, [[(strategy, Fraction(1))] for strategy in strategies])


class PureOnes(NamedTuple):
    """The pure-strategy equilibria of a game."""

    found: tuple[PureOne, ...]
    complete: bool
    """True if all profiles were tried: then there are no others."""


def pure_ones(tree: Tree, limit: int = TRIED) -> PureOnes:
    """Find all pure-strategy equilibria of a game, within a limit of profiles.

    With imperfect recall, these are the profiles from which no pure strategy gains.

    >>> from durak_widget import gametheory
    >>> result = pure_ones(gametheory.textbook("horse"))
    >>> [[str(payoff) for payoff in equilibrium.worth] for equilibrium in result.found], result.complete
    ([['3', '2', '2'], ['1', '1', '1']], True)
    """
    require_tree(tree)
    ends = _Ends(tree)
    strategy_sets = [_Side(tree, player, ends, limit) for player in range(tree.seats)]
    if any(strategy_set.order is None and len(strategy_set.plans) > limit for strategy_set in strategy_sets):
        return PureOnes((), complete=False)  # the best response is not known
    responder = max(strategy_sets, key=lambda strategy_set: len(strategy_set.plans))
    others = [strategy_set for strategy_set in strategy_sets if strategy_set is not responder]
    equilibria: list[PureOne] = []
    for profile_count, profile in enumerate(_answered(others, responder, ends)):
        if profile_count == limit:
            return PureOnes(tuple(equilibria), complete=False)
        masks = [mask for _, mask in profile]
        common_ends = reduce(and_, masks)
        if all(
            ends.paid(common_ends, strategy_set.seat) == strategy_set.best(reduce(and_, masks[:index] + masks[index + 1 :]))
            for index, strategy_set in enumerate(others)
        ):
            actions = {infoset: action for strategy, _ in profile for infoset, action in strategy.items()}
            equilibria.append(PureOne(dict(sorted(actions.items())), ends.worth(common_ends)))
    return PureOnes(tuple(equilibria), complete=all(len(strategy_set.plans) <= limit for strategy_set in others))


def _answered(rest: Sequence[_Side], last: _Side, ends: _Ends) -> Iterator[tuple[Led, ...]]:
    """Generate the profiles of some players, each with all best responses of the last one."""
    for chosen in product(*(strategy_set.plans for strategy_set in rest)):
        for response in last.answers(reduce(and_, (mask for _, mask in chosen), ends.all)):
            yield *chosen, response


class _Ends:
    """The terminal histories of a tree, grouped by the players' own actions.

    A set of groups is a number with a bit for each.
    """

    def __init__(self, tree: Tree) -> None:
        self.paths, chance_probabilities = own_paths(tree)
        """For each history: each player's own actions on the way."""
        payoffs_by_paths: dict[tuple[Path, ...], list[Fraction]] = {}
        for node, (actor, index) in enumerate(zip(tree.actor, tree.info, strict=True)):
            if actor == OVER:
                payoff_sum = payoffs_by_paths.setdefault(self.paths[node], [Fraction(0)] * tree.seats)
                for player, payoff in enumerate(tree.payoffs[index]):
                    payoff_sum[player] += chance_probabilities[node] * payoff
        self.whole = lcm(*(payoff.denominator for payoff_sum in payoffs_by_paths.values() for payoff in payoff_sum))
        self.ways = list(payoffs_by_paths)
        """For each group: each player's own actions on the way."""
        self.pays = [[int(payoff * self.whole) for payoff in payoff_sum] for payoff_sum in zip(*payoffs_by_paths.values(), strict=True)]
        """For each player: the expected payoff of each group, multiplied by `whole`."""
        self.all = (1 << len(self.ways)) - 1

    def paid(self, fits: int, seat: int) -> int:
        """Return the sum of a player's payoffs in some groups, multiplied by `whole`."""
        payoffs, total = self.pays[seat], 0
        while fits:
            bit = fits & -fits
            total += payoffs[bit.bit_length() - 1]
            fits ^= bit
        return total

    def worth(self, fits: int) -> tuple[Fraction, ...]:
        """Return the payoff of each player in some groups."""
        return tuple([Fraction(self.paid(fits, player), self.whole) for player in range(len(self.pays))])


class _Side:
    """The pure strategies of a player, and their best responses to the others."""

    def __init__(self, tree: Tree, seat: int, ends: _Ends, limit: int) -> None:
        self.seat, self.ends, self.starts = seat, ends, edges(tree)
        has_perfect_recall = memories(tree)[seat].recall == "perfect"
        self.order = order_of(tree, seat) if has_perfect_recall else None
        """With perfect recall: the information sets in order of play, each with the player's own last action before it."""
        self.leads = [0] * (self.starts[-1] + 1)
        """For each action: the groups whose last action of this player it is."""
        for group, paths in enumerate(ends.ways):
            self.leads[self.starts[paths[seat][-1][0]] + 1 + paths[seat][-1][1] if paths[seat] else 0] |= 1 << group
        self.after: dict[int, list[int]] = {}
        """For each action: the player's next information sets."""
        for infoset, last_action in (self.order or {}).items():
            self.after.setdefault(last_action, []).append(infoset)
        self.known: dict[int, int] = {}
        strategies = self._plans(None) if has_perfect_recall else self._forgetful(tree)
        self.plans = list(islice(strategies, limit + 1))
        """All pure strategies, or one more than the limit."""

    def best(self, fits: int) -> int:
        """Return the best payoff if the others lead to these groups, multiplied by `whole`."""
        if fits not in self.known:
            if self.order is None:
                self.known[fits] = max(self.ends.paid(fits & strategy_mask, self.seat) for _, strategy_mask in self.plans)
            else:
                self.known[fits] = self._gains(fits)[0]
        return self.known[fits]

    def answers(self, fits: int) -> Iterator[Led]:
        """Generate all pure strategies with the best payoff."""
        if self.order is not None:
            yield from self._plans(self._gains(fits))
        else:
            best_payoff = self.best(fits)
            yield from (strategy for strategy in self.plans if self.ends.paid(fits & strategy[1], self.seat) == best_payoff)

    def _gains(self, fits: int) -> list[int]:
        """Return the payoff of each action if the player goes on optimally; at 0 the total."""
        offsets, infoset_order = self.starts, self.order or {}
        gains = [0] * (offsets[-1] + 1)
        for infoset in infoset_order:
            for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1):
                gains[action] = self.ends.paid(fits & self.leads[action], self.seat)
        gains[0] = self.ends.paid(fits & self.leads[0], self.seat)
        for infoset, last_action in reversed(infoset_order.items()):
            gains[last_action] += max(gains[offsets[infoset] + 1 : offsets[infoset + 1] + 1])
        return gains

    def _plans(self, gains: Sequence[int] | None) -> Iterator[Led]:
        """Generate all pure strategies with perfect recall, or only those with maximal `gains`."""
        waiting: list[tuple[dict[int, int], int, list[int]]] = [({}, self.leads[0], self.after.get(0, []))]
        while waiting:
            strategy, mask, pending = waiting.pop()
            if not pending:
                yield strategy, mask
                continue
            infoset, *rest = pending
            actions = range(self.starts[infoset] + 1, self.starts[infoset + 1] + 1)
            best_gain = max(gains[action] for action in actions) if gains else 0
            for action in reversed(actions):
                if not gains or gains[action] == best_gain:
                    next_pending = rest + self.after.get(action, [])
                    waiting.append((strategy | {infoset: action - actions.start}, mask | self.leads[action], next_pending))

    def _forgetful(self, tree: Tree) -> Iterator[Led]:
        """Generate all pure strategies with imperfect recall."""
        for strategy in pure_plans(tree, self.seat, self.ends.paths):
            yield strategy, sum(1 << group for group, paths in enumerate(self.ends.ways) if leads_along(strategy, paths[self.seat]))
