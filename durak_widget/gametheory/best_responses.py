"""Computes values, best responses, gains and exploitability, for any number of players.

It is plain Python: exact if the strategy is in fractions, rounded if it holds floats. A best response is
found as in the sequence form. Each terminal node is credited to the player's own last action, and information
sets are decided from the last to the first. It needs perfect recall.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.game_properties import instead, zero_sum
from durak_widget.gametheory.infoset_labels import place_quoted
from durak_widget.gametheory.player_labels import player_named
from durak_widget.gametheory.strategy import made, pure_row, require_strategy
from durak_widget.gametheory.tree import OVER, TreeError, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

_NEAR = 1e-9
"""The difference below which floats are taken as equal."""


class Response(NamedTuple):
    """A best response of one player to the strategies of the others."""

    value: Number
    """The value of the game for the player then."""
    strategy: Strategy
    """The strategies of the others, and the player's pure best response."""


class Answers(NamedTuple):
    """All pure best responses of one player to the strategies of the others."""

    value: Number
    """The value of the game for the player then."""
    moves: dict[int, tuple[bool, ...]]
    """For each information set of the player that the others let play reach: which actions are best."""


class Standing(NamedTuple):
    """The reach probabilities and action values of one information set under a strategy."""

    reach: Number
    """The probability that play comes there."""
    others: Number
    """The probability that it would if the player always played towards it: chance and the others alone."""
    values: tuple[Number, ...] | None
    """The value of each action for the player; None if the others never let play come there."""
    counterfactual: tuple[Number, ...]
    """The same times `others`: regrets are differences of these."""


def value(tree: Tree, strategy: Strategy, seat: int = 0) -> Number:
    """Return the value of the game for a player under the strategy.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> value(tree, Strategy.uniform(tree)), value(tree, Strategy.uniform(tree), seat=1)
    (Fraction(1, 2), Fraction(-1, 2))
    """
    _require_tree_and_strategy(tree, strategy)
    payoffs = _payoffs(tree, strategy, seat)
    weights = reaches(tree, strategy)
    total = _number(strategy, 0)
    for weight, actor, index in zip(weights, tree.actor, tree.info, strict=True):
        if weight and actor == OVER:
            total += weight * payoffs[index]
    return total


def best_response(tree: Tree, strategy: Strategy, seat: int, only: Mapping[int, int] = MappingProxyType({})) -> Response:
    """Return a player's best response to the strategy, with its value.

    It needs perfect recall. `only` fixes the player's action at some information sets.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> best_response(tree, Strategy.uniform(tree), 0).value, best_response(tree, Strategy.uniform(tree), 0).strategy["begins"]
    (Fraction(1, 1), (Fraction(1, 1), Fraction(0, 1)))
    """
    gains, previous_actions = _gains(tree, strategy, seat, only)
    offsets, rows = edges(tree), list(strategy.rows)
    for infoset, record in enumerate(tree.sets):
        if record.seat == seat:
            own_gains = gains[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
            rows[infoset] = pure_row(
                only.get(infoset, own_gains.index(max(own_gains)) if infoset in previous_actions else 0), len(own_gains)
            )
    return Response(gains[0], made(tree.sets, rows))


def answers(tree: Tree, strategy: Strategy, seat: int) -> Answers:
    """Return the value of a player's best response, and all actions that are best.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "l")]), "l": End((1, -1))}.__getitem__, seats=2)
    >>> answers(tree, Strategy.uniform(tree), 0)
    Answers(value=Fraction(1, 1), moves={0: (True, True)})
    """
    gains, previous_actions = _gains(tree, strategy, seat)
    offsets, best_actions = edges(tree), dict[int, tuple[bool, ...]]()
    for infoset in previous_actions:
        own_gains = gains[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
        best = max(own_gains)
        slack = 0 if strategy.exact else _NEAR * max(1.0, abs(float(best)))
        best_actions[infoset] = tuple([gain >= best - slack for gain in own_gains])
    return Answers(gains[0], best_actions)


def _gains(
    tree: Tree, strategy: Strategy, seat: int, only: Mapping[int, int] = MappingProxyType({})
) -> tuple[list[Number], dict[int, int]]:
    """Return the value of each of a player's actions if play goes on as well as possible.

    The actions are numbered as in `edges`. Also return the previous action of each information set that the others let
    play reach.
    """
    _require_tree_and_strategy(tree, strategy)
    probabilities, payoffs = _ways(tree, strategy), _payoffs(tree, strategy, seat)
    actors, first_children, infoset_of = tree.actor, tree.first, tree.info
    offsets = edges(tree)
    gains = [_number(strategy, 0)] * (offsets[-1] + 1)
    previous_actions: dict[int, int] = {}
    reach: list[Number] = [0] * tree.histories
    reach[0] = _number(strategy, 1)
    last_actions = [0] * tree.histories
    for node, node_reach in enumerate(reach):  # the loop also reads the entries that it writes
        if not node_reach:
            continue
        actor, infoset, next_child, previous_action = actors[node], infoset_of[node], first_children[node], last_actions[node]
        if actor == OVER:
            gains[previous_action] += node_reach * payoffs[infoset]
        elif actor == seat:
            _require_same(tree, infoset, previous_actions.setdefault(infoset, previous_action), previous_action)
            for child_node, own_action in enumerate(range(offsets[infoset] + 1, offsets[infoset + 1] + 1), next_child):
                reach[child_node], last_actions[child_node] = node_reach, own_action
        else:
            for probability in probabilities[actor < 0][infoset]:
                if probability:
                    reach[next_child], last_actions[next_child] = node_reach * probability, previous_action
                next_child += 1
    for infoset in reversed(previous_actions):  # the order in which they were met: earlier ones first
        best = (
            gains[offsets[infoset] + 1 + only[infoset]] if infoset in only else max(gains[offsets[infoset] + 1 : offsets[infoset + 1] + 1])
        )
        if best:
            gains[previous_actions[infoset]] += best
    return gains, previous_actions


def nash_conv(tree: Tree, strategy: Strategy) -> Number:
    """Return the total gain if each player alone changed to a best response.

    It is 0 exactly at an equilibrium.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> nash_conv(tree, Strategy.uniform(tree)), nash_conv(tree, Strategy.of(tree, {"begins": "l"}))
    (Fraction(1, 2), Fraction(0, 1))
    """
    _require_tree_and_strategy(tree, strategy)
    gains = [best_response(tree, strategy, player).value - value(tree, strategy, player) for player in range(tree.seats)]
    return sum(gains)


def exploitability(tree: Tree, strategy: Strategy) -> Number:
    """Return the average gain of a player's best response.

    This is `nash_conv` divided by the number of players, as in OpenSpiel.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> exploitability(tree, Strategy.uniform(tree))
    Fraction(1, 4)
    """
    _require_tree_and_strategy(tree, strategy)
    return nash_conv(tree, strategy) / tree.seats


def values(tree: Tree, strategy: Strategy) -> list[Standing]:
    """Return the reach probabilities and action values of each information set.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> [(record.reach, record.values) for record in values(tree, Strategy.uniform(tree))]
    [(Fraction(1, 1), (Fraction(1, 1), Fraction(0, 1)))]
    """
    _require_tree_and_strategy(tree, strategy)
    offsets, zero = edges(tree), _number(strategy, 0)
    reach_of_infosets: list[Number] = [zero] * len(tree.sets)
    others_reach: list[Number] = [zero] * len(tree.sets)
    counterfactual: list[Number] = [zero] * offsets[-1]
    node_reach = reaches(tree, strategy)
    for player in range(tree.seats):
        others_weights, values_of_nodes = reaches(tree, strategy, player), worths(tree, strategy, player)
        for node, actor in enumerate(tree.actor):
            if actor == player:
                infoset, node_weight = tree.info[node], others_weights[node]
                reach_of_infosets[infoset] += node_reach[node]
                others_reach[infoset] += node_weight
                for action, child in zip(range(offsets[infoset], offsets[infoset + 1]), tree.children(node), strict=True):
                    counterfactual[action] += node_weight * values_of_nodes[child]
    result = []
    for infoset, others_probability in enumerate(others_reach):
        own_values = tuple(counterfactual[offsets[infoset] : offsets[infoset + 1]])
        result.append(
            Standing(
                reach_of_infosets[infoset],
                others_probability,
                tuple([action_value / others_probability for action_value in own_values]) if others_probability else None,
                own_values,
            )
        )
    return result


def reaches(tree: Tree, strategy: Strategy, without: int | None = None) -> list[Number]:
    """Return the probability that play comes to each node.

    `without` names a player whose own actions are not counted, as if that player always played towards the node.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> reaches(tree, Strategy.uniform(tree)), reaches(tree, Strategy.uniform(tree), 0)
    ([Fraction(1, 1), Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1)])
    """
    probabilities, actors, first_children, infoset_of = _ways(tree, strategy), tree.actor, tree.first, tree.info
    reach: list[Number] = [0] * tree.histories
    reach[0] = _number(strategy, 1)
    for node, node_reach in enumerate(reach):
        actor, next_child = actors[node], first_children[node]
        if not node_reach or actor == OVER:
            continue
        if actor == without:
            for _ in range(tree.count[node]):
                reach[next_child] = node_reach
                next_child += 1
        else:
            for probability in probabilities[actor < 0][infoset_of[node]]:
                if probability:
                    reach[next_child] = node_reach * probability
                next_child += 1
    return reach


def order_of(tree: Tree, seat: int) -> dict[int, int]:
    """Return a player's information sets in order, each with the player's action before it.

    Actions are numbered as in `edges`; 0 stands for none.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> nodes = {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": End((0,)), "b": Turn(0, "b!", [("c", "a")])}
    >>> order_of(grow("", nodes.__getitem__, seats=1), 0)
    {0: 0, 1: 2}
    """
    previous_actions: dict[int, int] = {}
    offsets, last_actions = edges(tree), [0] * tree.histories
    for node, (actor, infoset, first_child, child_count) in enumerate(zip(tree.actor, tree.info, tree.first, tree.count, strict=True)):
        previous_action = last_actions[node]
        if actor == seat:
            _require_same(tree, infoset, previous_actions.setdefault(infoset, previous_action), previous_action)
            last_actions[first_child : first_child + child_count] = range(offsets[infoset] + 1, offsets[infoset + 1] + 1)
        elif child_count:
            last_actions[first_child : first_child + child_count] = [previous_action] * child_count
    return previous_actions


def edges(tree: Tree) -> list[int]:
    """Return where the actions of each information set begin in a list of all actions.

    The last entry is the number of all actions. The actions of set i are numbered `edges(tree)[i] + 1` and so on: 0 stands
    for no action yet.
    """
    return list(accumulate((len(record.moves) for record in tree.sets), initial=0))


def _require_tree_and_strategy(tree: Tree, strategy: Strategy) -> None:
    """Refuse anything but a `Tree` and a `Strategy`."""
    require_tree(tree)
    require_strategy(strategy)


def worths(tree: Tree, strategy: Strategy, seat: int) -> list[Number]:
    """Return the value of each node for a player under the strategy.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> worths(tree, Strategy.uniform(tree), 1)
    [Fraction(-1, 2), Fraction(-1, 1), Fraction(0, 1)]
    """
    _require_tree_and_strategy(tree, strategy)
    probabilities, payoffs = _ways(tree, strategy), _payoffs(tree, strategy, seat)
    result = [_number(strategy, 0)] * tree.histories
    for node in reversed(range(tree.histories)):
        actor, index = tree.actor[node], tree.info[node]
        if actor == OVER:
            result[node] = payoffs[index]
        else:
            result[node] = sum(
                [
                    probability * result[child]
                    for probability, child in zip(probabilities[actor < 0][index], tree.children(node), strict=True)
                    if probability
                ]
            )
    return result


def _ways(tree: Tree, strategy: Strategy) -> tuple[Sequence[Sequence[Number]], Sequence[Sequence[Number]]]:
    """Return the players' and chance's probabilities: all floats if the strategy has floats."""
    strategy.require_sets(tree.sets)
    chance_rows = [chance.probabilities for chance in tree.chances]
    return strategy.rows, chance_rows if strategy.exact else [tuple(map(float, row)) for row in chance_rows]


def _payoffs(tree: Tree, strategy: Strategy, seat: int) -> list[Number]:
    """Return a player's payoffs at the terminal nodes: floats if the strategy has floats."""
    if not 0 <= seat < tree.seats:
        raise TreeError(f"there is no seat {seat}; the seats are 0 to {tree.seats - 1}")
    exact = strategy.exact
    return [payoffs[seat] for payoffs in tree.payoffs] if exact else in_floats([payoffs[seat] for payoffs in tree.payoffs])


def in_floats(worths: Iterable[Number], tree: Tree | None = None) -> list[Number]:
    """Convert payoffs to floats.

    Refuse payoffs that no float can hold, and say which method works on the tree.

    >>> in_floats([10**400])
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: a payoff of this game is too large for decimals, by which this is reckoned
    """
    try:
        return [float(payoff) for payoff in worths]
    except OverflowError:
        advice = "" if tree is None else f"; {instead(tree)}"
        raise TreeError(f"a payoff of this game is too large for decimals, by which this is reckoned{advice}") from None


def _number(strategy: Strategy, whole: int) -> Number:
    """Return a whole number as a Fraction, or as a float if the strategy has floats."""
    return Fraction(whole) if strategy.exact else float(whole)


def _require_same(tree: Tree, place: int, one: int, other: int) -> None:
    """Refuse a game with imperfect recall.

    The player must have taken the same action before all nodes of an information set.
    """
    if one != other:
        player_name = player_named(tree.names, tree.sets[place].seat)
        raise TreeError(f"{player_name} forgets what they did before {place_quoted(tree, place)}; solvers need a tree with perfect recall")


def require_two_player_zero_sum(tree: Tree, asked: str) -> None:
    """Refuse a game that is not a two-player zero-sum game.

    `asked` names the purpose, for the error message.
    """
    if tree.seats != 2:
        raise TreeError(f"{asked} needs two players, and this game has {tree.seats}; {instead(tree)}")
    if any(sum(payoffs) for payoffs in tree.payoffs):
        raise TreeError(f"{asked} needs a zero-sum game, in which one player wins what the other loses, and this is none; {instead(tree)}")


class Held(NamedTuple):
    """The value that a player's strategy guarantees, and the best possible one.

    >>> from fractions import Fraction
    >>> Held(0, Fraction(1, 2), Fraction(1)).lost, Held(0, Fraction(1, 2), None).lost
    (Fraction(1, 2), None)
    """

    seat: int
    sure: Number
    """The value against the best response of the other player.

    If no other player responds, the value under the strategy.
    """
    best: Number | None
    """The best possible value; None if it is not known.

    This is the value of the game, or else the value of the player's own best response to the others.
    """
    by: int | None = None
    """The player whose best response shows it, if there is a tree."""

    @property
    def lost(self) -> Number | None:
        """Return how much the player gives away; None if the best possible value is not known."""
        lost = None if self.best is None else self.best - self.sure
        return max(lost, 0.0) if isinstance(lost, float) else lost  # rounding errors can make it negative


def answerer(tree: Tree, seat: int) -> int:
    """Return the player whose best response shows what a player gives away.

    This is the opponent in a zero-sum game, and the player in any other game.
    """
    return 1 - seat if zero_sum(tree) else seat


def held_by(tree: Tree, strategy: Strategy, seat: int, worth: Number | None, by: int | None = None) -> tuple[Held, Answers | None]:
    """Return what a player's strategy guarantees, and the best responses that show it.

    The best responses are None if the responder has imperfect recall. `worth` is the value of the game for player 0.
    `by` is the responder, if not the default: the player themselves, if the strategies of the others are known.

    >>> from fractions import Fraction
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> held_by(tree, Strategy.uniform(tree), 0, Fraction(1))[0]
    Held(seat=0, sure=Fraction(1, 2), best=Fraction(1, 1), by=1)
    """
    by = answerer(tree, seat) if by is None else by
    try:
        responses = answers(tree, strategy, by)
    except TreeError:  # imperfect recall
        return Held(seat, value(tree, strategy, seat), None, by), None
    if by == seat:
        return Held(seat, value(tree, strategy, seat), responses.value, by), responses
    return Held(seat, -responses.value, worth if worth is None or seat == 0 else -worth, by), responses


def worths_of(tree: Tree, strategy: Strategy) -> tuple[Number, ...]:
    """Return the value of the game for each player under the strategy.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> worths_of(textbook("entry"), Strategy.of(textbook("entry"), {"begins": "stay out"}))
    (Fraction(1, 1), Fraction(5, 1))
    """
    return tuple([value(tree, strategy, player) for player in range(tree.seats)])


def gains_by(tree: Tree, strategy: Strategy, worth: Sequence[Number]) -> tuple[Number, ...]:
    """Return what each player alone gains by a best response.

    `worth` has the values of the strategy for the players.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> pennies = textbook("pennies")
    >>> gains_by(pennies, Strategy.of(pennies, {0: "heads", 1: "heads"}), (1, -1))
    (Fraction(0, 1), Fraction(2, 1))
    """
    return tuple([best_response(tree, strategy, player).value - current_value for player, current_value in enumerate(worth)])


def lost_by(tree: Tree, strategy: Strategy) -> Number:
    """Return `nash_conv`, or infinity if a player has imperfect recall.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [lost_by(tree, Strategy.uniform(tree)) for tree in map(textbook, ("entry", "driver"))]
    [Fraction(1, 2), inf]
    """
    try:
        return nash_conv(tree, strategy)
    except TreeError:
        return float("inf")
