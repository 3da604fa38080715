"""Computes best responses, gains from deviating, and exploitability of strategies.

The module is plain Python. Its results are exact if the strategy is in fractions, and rounded if it has floats. A
best response is computed as in the sequence form: the payoff of each terminal node is credited to the player's own
last action, and the last information sets are solved first. The player needs perfect recall.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.game_properties import is_zero_sum, suggest_method
from durak_widget.gametheory.infoset_labels import quote_infoset
from durak_widget.gametheory.player_labels import format_player_name
from durak_widget.gametheory.strategy import build_unchecked_strategy, pure_row, require_strategy
from durak_widget.gametheory.tree import TERMINAL, TreeError, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

_TOLERANCE = 1e-9
"""The largest difference at which two floating-point numbers are treated as equal."""


class BestResponse(NamedTuple):
    """A best response of one player to the strategies of the other players."""

    value: Number
    """The player's expected payoff when they play the best response."""
    strategy: Strategy
    """The strategies of all players: the pure best response of one player, and the given strategies
    of the other players.
    """


class BestResponseSet(NamedTuple):
    """The best actions of one player against the strategies of the other players.

    The player's pure best responses choose one of these actions at each information set.
    """

    value: Number
    """The player's expected payoff when they play a best response."""
    best_actions: dict[int, tuple[bool, ...]]
    """For each information set of the player that the other players' strategies allow: whether each
    action there is best.
    """


class InfosetValues(NamedTuple):
    """The reach probabilities and action values of one information set under a strategy."""

    reach_probability: Number
    """The probability that play reaches the information set."""
    counterfactual_reach: Number
    """The probability that play reaches the information set if its player always chooses the
    actions that lead to it.
    """
    action_values: tuple[Number, ...] | None
    """The value of each action for the player; None if the other players' strategies never reach the information set."""
    counterfactual_values: tuple[Number, ...]
    """The action values multiplied by `counterfactual_reach`; counterfactual regrets are differences between these products."""


def value(tree: Tree, strategy: Strategy, player: int = 0) -> Number:
    """Return a player's expected payoff under a strategy.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> value(tree, Strategy.uniform(tree)), value(tree, Strategy.uniform(tree), player=1)
    (Fraction(1, 2), Fraction(-1, 2))
    """
    _require_tree_and_strategy(tree, strategy)
    payoffs = _list_terminal_payoffs(tree, strategy, player)
    weights = reach_probabilities(tree, strategy)
    total = _convert_whole_number(strategy, 0)
    for weight, actor, index in zip(weights, tree.actor, tree.infoset_of, strict=True):
        if weight and actor == TERMINAL:
            total += weight * payoffs[index]
    return total


def best_response(tree: Tree, strategy: Strategy, player: int, fixed_actions: Mapping[int, int] = MappingProxyType({})) -> BestResponse:
    """Return a player's best response to the other players' strategies, with the payoff.

    The player needs perfect recall. `fixed_actions` maps some of the player's information sets to the index of an
    action: the response has to choose it there. If several actions are equally good, the first of them is chosen; so is
    the first action at an information set that the other players never let play reach.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> best_response(tree, Strategy.uniform(tree), 0).value, best_response(tree, Strategy.uniform(tree), 0).strategy["begins"]
    (Fraction(1, 1), (Fraction(1, 1), Fraction(0, 1)))
    """
    weighted_values, previous_actions = _compute_weighted_action_values(tree, strategy, player, fixed_actions)
    offsets, rows = action_offsets(tree), list(strategy.rows)
    for infoset, record in enumerate(tree.infosets):
        if record.player == player:
            own_values = weighted_values[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
            rows[infoset] = pure_row(
                fixed_actions.get(infoset, own_values.index(max(own_values)) if infoset in previous_actions else 0), len(own_values)
            )
    return BestResponse(weighted_values[0], build_unchecked_strategy(tree.infosets, rows))


def best_response_set(tree: Tree, strategy: Strategy, player: int) -> BestResponseSet:
    """Return a player's best-response value, and the best actions at each information set.

    The player needs perfect recall. With a strategy in floats, actions count as equally good within a small tolerance.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "l")]), "l": TerminalNode((1, -1))}.__getitem__, player_count=2)
    >>> best_response_set(tree, Strategy.uniform(tree), 0)
    BestResponseSet(value=Fraction(1, 1), best_actions={0: (True, True)})
    """
    weighted_values, previous_actions = _compute_weighted_action_values(tree, strategy, player)
    offsets, best_actions = action_offsets(tree), dict[int, tuple[bool, ...]]()
    for infoset in previous_actions:
        own_values = weighted_values[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
        best = max(own_values)
        tolerance = 0 if strategy.exact else _TOLERANCE * max(1.0, abs(float(best)))
        best_actions[infoset] = tuple([action_value >= best - tolerance for action_value in own_values])
    return BestResponseSet(weighted_values[0], best_actions)


def _compute_weighted_action_values(
    tree: Tree, strategy: Strategy, player: int, fixed_actions: Mapping[int, int] = MappingProxyType({})
) -> tuple[list[Number], dict[int, int]]:
    """Return the values of a player's actions, weighted by the probability of getting there.

    The player is assumed to act optimally after each action. The first result has an entry for each action number,
    as explained in `action_offsets`. The entry is the action's value, weighted with the probability that chance and
    the other players let play get there. Entry 0 is the player's value of the whole game. The second result is like
    `find_previous_actions`, but only for the information sets that the other players let play reach.

    `fixed_actions` is explained in `best_response`. Raise an error if the player has imperfect recall.
    """
    _require_tree_and_strategy(tree, strategy)
    probabilities, payoffs = _list_probabilities(tree, strategy), _list_terminal_payoffs(tree, strategy, player)
    actors, first_children, infoset_of = tree.actor, tree.first_child, tree.infoset_of
    offsets = action_offsets(tree)
    weighted_values = [_convert_whole_number(strategy, 0)] * (offsets[-1] + 1)
    previous_actions: dict[int, int] = {}
    reach: list[Number] = [0] * tree.history_count
    reach[0] = _convert_whole_number(strategy, 1)
    last_actions = [0] * tree.history_count
    # A parent has a smaller number than its children, so `reach[node]` is final when the loop comes to the node
    for node, node_reach in enumerate(reach):
        if not node_reach:
            continue
        actor, infoset, next_child, previous_action = actors[node], infoset_of[node], first_children[node], last_actions[node]
        if actor == TERMINAL:
            weighted_values[previous_action] += node_reach * payoffs[infoset]
        elif actor == player:
            _require_same_previous_action(tree, infoset, previous_actions.setdefault(infoset, previous_action), previous_action)
            for child_node, action_number in enumerate(range(offsets[infoset] + 1, offsets[infoset + 1] + 1), next_child):
                reach[child_node], last_actions[child_node] = node_reach, action_number
        else:
            for probability in probabilities[actor < 0][infoset]:
                if probability:
                    reach[next_child], last_actions[next_child] = node_reach * probability, previous_action
                next_child += 1
    # Values of earlier information sets depend on later ones, so the loop starts at the last one
    for infoset in reversed(previous_actions):
        best = (
            weighted_values[offsets[infoset] + 1 + fixed_actions[infoset]]
            if infoset in fixed_actions
            else max(weighted_values[offsets[infoset] + 1 : offsets[infoset + 1] + 1])
        )
        if best:
            weighted_values[previous_actions[infoset]] += best
    return weighted_values, previous_actions


def nash_conv(tree: Tree, strategy: Strategy) -> Number:
    """Return the sum of the players' gains when each alone switches to a best response.

    It is 0 exactly at an equilibrium.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> nash_conv(tree, Strategy.uniform(tree)), nash_conv(tree, Strategy.from_mapping(tree, {"begins": "l"}))
    (Fraction(1, 2), Fraction(0, 1))
    """
    _require_tree_and_strategy(tree, strategy)
    gains = [best_response(tree, strategy, player).value - value(tree, strategy, player) for player in range(tree.player_count)]
    return sum(gains)


def exploitability(tree: Tree, strategy: Strategy) -> Number:
    """Return the average, over all players, of the gain from switching to a best response.

    This is `nash_conv` divided by the number of players, as in OpenSpiel.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> exploitability(tree, Strategy.uniform(tree))
    Fraction(1, 4)
    """
    _require_tree_and_strategy(tree, strategy)
    return nash_conv(tree, strategy) / tree.player_count


def infoset_values(tree: Tree, strategy: Strategy) -> list[InfosetValues]:
    """Return each information set's reach probabilities and action values under a strategy.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> [(record.reach_probability, record.action_values) for record in infoset_values(tree, Strategy.uniform(tree))]
    [(Fraction(1, 1), (Fraction(1, 1), Fraction(0, 1)))]
    """
    _require_tree_and_strategy(tree, strategy)
    offsets, zero = action_offsets(tree), _convert_whole_number(strategy, 0)
    reach_of_infosets: list[Number] = [zero] * len(tree.infosets)
    others_reach: list[Number] = [zero] * len(tree.infosets)
    counterfactual: list[Number] = [zero] * offsets[-1]
    node_reach = reach_probabilities(tree, strategy)
    for player in range(tree.player_count):
        others_weights, values_of_nodes = reach_probabilities(tree, strategy, player), node_values(tree, strategy, player)
        for node, actor in enumerate(tree.actor):
            if actor == player:
                infoset, node_weight = tree.infoset_of[node], others_weights[node]
                reach_of_infosets[infoset] += node_reach[node]
                others_reach[infoset] += node_weight
                for action, child in zip(range(offsets[infoset], offsets[infoset + 1]), tree.children(node), strict=True):
                    counterfactual[action] += node_weight * values_of_nodes[child]
    result = []
    for infoset, others_probability in enumerate(others_reach):
        own_values = tuple(counterfactual[offsets[infoset] : offsets[infoset + 1]])
        result.append(
            InfosetValues(
                reach_of_infosets[infoset],
                others_probability,
                tuple([action_value / others_probability for action_value in own_values]) if others_probability else None,
                own_values,
            )
        )
    return result


def reach_probabilities(tree: Tree, strategy: Strategy, ignored_player: int | None = None) -> list[Number]:
    """Return the probability that play reaches each node under a strategy.

    If an `ignored_player` is given, that player's probabilities are left out, as if they always played towards the
    node.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> reach_probabilities(tree, Strategy.uniform(tree)), reach_probabilities(tree, Strategy.uniform(tree), 0)
    ([Fraction(1, 1), Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1)])
    """
    probabilities, actors, first_children, infoset_of = _list_probabilities(tree, strategy), tree.actor, tree.first_child, tree.infoset_of
    reach: list[Number] = [0] * tree.history_count
    reach[0] = _convert_whole_number(strategy, 1)
    for node, node_reach in enumerate(reach):
        actor, next_child = actors[node], first_children[node]
        if not node_reach or actor == TERMINAL:
            continue
        if actor == ignored_player:
            for _ in range(tree.child_count[node]):
                reach[next_child] = node_reach
                next_child += 1
        else:
            for probability in probabilities[actor < 0][infoset_of[node]]:
                if probability:
                    reach[next_child] = node_reach * probability
                next_child += 1
    return reach


def find_previous_actions(tree: Tree, player: int) -> dict[int, int]:
    """Return, for each information set of a player, the player's last action before it.

    The information sets are in the order of play.

    The keys are the indexes of the information sets, and the values are action numbers, as explained in
    `action_offsets`. Raise an error if the player has imperfect recall, because then there may be several such actions.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> nodes = {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((0,)), "b": DecisionNode(0, "b!", [("c", "a")])}
    >>> find_previous_actions(build_tree("", nodes.__getitem__, player_count=1), 0)
    {0: 0, 1: 2}
    """
    previous_actions: dict[int, int] = {}
    offsets, last_actions = action_offsets(tree), [0] * tree.history_count
    for node, (actor, infoset, first_child, child_count) in enumerate(
        zip(tree.actor, tree.infoset_of, tree.first_child, tree.child_count, strict=True)
    ):
        previous_action = last_actions[node]
        if actor == player:
            _require_same_previous_action(tree, infoset, previous_actions.setdefault(infoset, previous_action), previous_action)
            last_actions[first_child : first_child + child_count] = range(offsets[infoset] + 1, offsets[infoset + 1] + 1)
        elif child_count:
            last_actions[first_child : first_child + child_count] = [previous_action] * child_count
    return previous_actions


def action_offsets(tree: Tree) -> list[int]:
    """Return the index of each information set's first action in the list of all actions.

    The list has the actions of all information sets, one set after the other. An additional last entry is the number of
    all actions.

    Action numbers are larger by 1 than these indexes, because action number 0 means that the player has not acted yet.
    With `offsets = action_offsets(tree)`, the action numbers of information set `i` are `offsets[i] + 1` to
    `offsets[i + 1]`.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> action_offsets(textbook("pennies"))
    [0, 2, 4]
    """
    return list(accumulate((len(record.actions) for record in tree.infosets), initial=0))


def _require_tree_and_strategy(tree: Tree, strategy: Strategy) -> None:
    """Raise an error if the arguments are not a `Tree` and a `Strategy`."""
    require_tree(tree)
    require_strategy(strategy)


def node_values(tree: Tree, strategy: Strategy, player: int) -> list[Number]:
    """Return the value of each node for a player under a strategy.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> node_values(tree, Strategy.uniform(tree), 1)
    [Fraction(-1, 2), Fraction(-1, 1), Fraction(0, 1)]
    """
    _require_tree_and_strategy(tree, strategy)
    probabilities, payoffs = _list_probabilities(tree, strategy), _list_terminal_payoffs(tree, strategy, player)
    result = [_convert_whole_number(strategy, 0)] * tree.history_count
    for node in reversed(range(tree.history_count)):
        actor, index = tree.actor[node], tree.infoset_of[node]
        if actor == TERMINAL:
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


def _list_probabilities(tree: Tree, strategy: Strategy) -> tuple[Sequence[Sequence[Number]], Sequence[Sequence[Number]]]:
    """Return the action probabilities at each information set, and those of each chance move.

    `probabilities[actor < 0]` then is the list for a node's actor, because the number of chance is negative. The chance
    probabilities are floats if the strategy has floats. Raise an error if the strategy is for another tree.
    """
    strategy.require_same_infosets(tree.infosets)
    chance_rows = [chance.probabilities for chance in tree.chance_moves]
    return strategy.rows, chance_rows if strategy.exact else [tuple(map(float, row)) for row in chance_rows]


def _list_terminal_payoffs(tree: Tree, strategy: Strategy, player: int) -> list[Number]:
    """Return a player's entries of `tree.payoffs`, as floats if the strategy has floats."""
    if not 0 <= player < tree.player_count:
        raise TreeError(f"player must be a number from 0 to {tree.player_count - 1}, not {player}")
    exact = strategy.exact
    return (
        [payoffs[player] for payoffs in tree.payoffs] if exact else convert_payoffs_to_floats([payoffs[player] for payoffs in tree.payoffs])
    )


def convert_payoffs_to_floats(payoffs: Iterable[Number], tree: Tree | None = None) -> list[Number]:
    """Return exact payoffs as floats; raise an error if a payoff is too large for a float.

    If you pass the `tree`, the error message also suggests a solution method that works for it.

    >>> convert_payoffs_to_floats([10**400])
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: a payoff of this game is too large to compute with as a float
    """
    try:
        return [float(payoff) for payoff in payoffs]
    except OverflowError:
        advice = "" if tree is None else f"; {suggest_method(tree)}"
        raise TreeError(f"a payoff of this game is too large to compute with as a float{advice}") from None


def _convert_whole_number(strategy: Strategy, whole: int) -> Number:
    """Return a whole number as a Fraction, or as a float if the strategy has floats."""
    return Fraction(whole) if strategy.exact else float(whole)


def _require_same_previous_action(tree: Tree, infoset: int, first_action: int, second_action: int) -> None:
    """Raise an error if a player's last actions before two nodes of an information set differ.

    `first_action` and `second_action` are the last actions that the information set's player took before the two
    nodes. If they differ, the player has forgotten what they did, so they have imperfect recall.
    """
    if first_action != second_action:
        player_name = format_player_name(tree.names, tree.infosets[infoset].player)
        raise TreeError(
            f"{player_name} forgets what they did before {quote_infoset(tree, infoset)}. Solvers need a tree with perfect recall"
        )


def require_two_player_zero_sum(tree: Tree, purpose: str) -> None:
    """Raise an error if a game is not a two-player zero-sum game.

    `purpose` says what needs such a game, for example "CFR+". The error message begins with it.
    """
    if tree.player_count != 2:
        raise TreeError(f"{purpose} needs two players, and this game has {tree.player_count}; {suggest_method(tree)}")
    if any(sum(payoffs) for payoffs in tree.payoffs):
        raise TreeError(
            f"{purpose} needs a zero-sum game: one player wins what the other loses. This game is not zero-sum; {suggest_method(tree)}"
        )


class Guarantee(NamedTuple):
    """A player's guaranteed payoff with a given strategy, and with the player's best strategy.

    In a two-player zero-sum game, the guarantee holds against any opponent. If the `responder` is the player, the other
    players' strategies are taken as they are, and nothing is guaranteed against others. The two values are then the
    expected payoff of the player's strategy and that of their best response.

    >>> from fractions import Fraction
    >>> Guarantee(0, Fraction(1, 2), Fraction(1)).loss, Guarantee(0, Fraction(1, 2), None).loss
    (Fraction(1, 2), None)
    """

    player: int
    guaranteed_value: Number
    """The player's expected payoff in the worst case: against the best response of the other player.

    If no other player responds, it is the player's expected payoff under the given strategies.
    """
    best_value: Number | None
    """The highest expected payoff that any strategy of the player could guarantee; None if it is
    unknown.

    This is the value of the game for the player. If the responder is the player, it is the value of their best response.
    """
    responder: int | None = None
    """The player whose best response is compared with the strategy: see `find_responder`. It is None if the game is a
    matrix without a tree.
    """

    @property
    def loss(self) -> Number | None:
        """Return how much more the player's best strategy guarantees; None if this is unknown."""
        loss = None if self.best_value is None else self.best_value - self.guaranteed_value
        return max(loss, 0.0) if isinstance(loss, float) else loss  # Rounding errors can make the loss slightly negative


def find_responder(tree: Tree, player: int) -> int:
    """Return the player whose best response shows how weak the strategy of `player` is.

    In a two-player zero-sum game, this is the opponent, whose best response shows how much the strategy can lose. In any
    other game, it is `player` again: their own best response shows how much more they could win.
    """
    return 1 - player if is_zero_sum(tree) else player


def compute_guarantee(
    tree: Tree, strategy: Strategy, player: int, game_value: Number | None, responder: int | None = None
) -> tuple[Guarantee, BestResponseSet | None]:
    """Return the payoff that a strategy guarantees a player, and `responder`'s best responses.

    `strategy` has the strategies of all players. `game_value` is the value of a two-player zero-sum game for player 0;
    None if it is unknown. The default for `responder` is `find_responder`; pass `player` if the other players'
    strategies are known.

    If the responder has imperfect recall, there are no best responses and no best value: both are None.

    >>> from fractions import Fraction
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> compute_guarantee(tree, Strategy.uniform(tree), 0, Fraction(1))[0]
    Guarantee(player=0, guaranteed_value=Fraction(1, 2), best_value=Fraction(1, 1), responder=1)
    """
    responder = find_responder(tree, player) if responder is None else responder
    try:
        responses = best_response_set(tree, strategy, responder)
    except TreeError:  # The responder has imperfect recall, so no set of best responses is computed
        return Guarantee(player, value(tree, strategy, player), None, responder), None
    if responder == player:
        return Guarantee(player, value(tree, strategy, player), responses.value, responder), responses
    return Guarantee(player, -responses.value, game_value if game_value is None or player == 0 else -game_value, responder), responses


def compute_player_values(tree: Tree, strategy: Strategy) -> tuple[Number, ...]:
    """Return each player's expected payoff under a strategy.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> compute_player_values(textbook("entry"), Strategy.from_mapping(textbook("entry"), {"begins": "stay out"}))
    (Fraction(1, 1), Fraction(5, 1))
    """
    return tuple([value(tree, strategy, player) for player in range(tree.player_count)])


def compute_player_gains(tree: Tree, strategy: Strategy, player_values: Sequence[Number]) -> tuple[Number, ...]:
    """Return how much each player gains by switching alone to a best response.

    `player_values` has each player's expected payoff under the strategy.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> pennies = textbook("pennies")
    >>> compute_player_gains(pennies, Strategy.from_mapping(pennies, {0: "heads", 1: "heads"}), (1, -1))
    (Fraction(0, 1), Fraction(2, 1))
    """
    return tuple([best_response(tree, strategy, player).value - current_value for player, current_value in enumerate(player_values)])


def nash_conv_or_infinity(tree: Tree, strategy: Strategy) -> Number:
    """Return `nash_conv`, or infinity if it cannot be computed.

    It cannot be computed if some player has imperfect recall, or if a payoff is too large for the floats of the strategy.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [nash_conv_or_infinity(tree, Strategy.uniform(tree)) for tree in map(textbook, ("entry", "driver"))]
    [Fraction(1, 2), inf]
    """
    try:
        return nash_conv(tree, strategy)
    except TreeError:
        return float("inf")
