"""Finds equilibria of a signalling game that the intuitive criterion rejects.

A message that is never sent should not be attributed to a type that could only lose by it, whatever answer is best
under some belief. If then another type is sure to gain by it, the equilibrium fails (Cho, I.-K. and Kreps, D. M.
(1987): Signaling games and stable equilibria. Quarterly Journal of Economics 102, 179-221).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.beliefs import find_undominated_actions, list_infoset_nodes
from durak_widget.gametheory.best_responses import node_values, reach_probabilities
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError, require_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class IntuitiveRefutation(NamedTuple):
    """A reason to reject an equilibrium: some type would gain by sending an unused message.

    >>> IntuitiveRefutation(1, 0, 3, "beer", "strong", ("weak",)).message
    'beer'
    """

    type_infoset: int
    """The information set of the type that is certain to gain."""
    message_index: int
    """The index of the message among the actions at the type's information set."""
    receiver_infoset: int
    """The information set at which the receiver answers the message."""
    message: str
    type_label: str
    """A label that describes the type that is certain to gain."""
    excluded_types: tuple[str, ...]
    """The types that could only lose by sending the message."""


class SignallingGame(NamedTuple):
    """The sender, the receiver and the types of a signalling game."""

    sender: int
    receiver: int
    type_nodes: tuple[int, ...]
    """For each type: the history at which the sender of this type chooses a message, in the order of the chance move.
    """
    receiver_infosets: tuple[int, ...]
    """The receiver's information sets, one after each observable message."""


def describe_why_not_signalling(tree: Tree) -> str | None:
    """Return why a tree is not a signalling game, as a phrase; return None if it is one.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> describe_why_not_signalling(textbook("beer-quiche")), describe_why_not_signalling(textbook("horse"))
    (None, 'its first move is not a chance move that draws a type')
    >>> describe_why_not_signalling(textbook("bayes"))
    'One does not know their own type'
    """
    result = _analyze_signalling(tree)
    return result if isinstance(result, str) else None


def require_signalling_game(tree: Tree) -> SignallingGame:
    """Find a signalling game's sender, receiver and types; raise an error for any other game.

    Chance draws a type that only the sender knows, the receiver sees the message and answers, and the game ends.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> require_signalling_game(textbook("beer-quiche")).type_nodes
    (1, 2)
    >>> require_signalling_game(textbook("horse"))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: this is not a signalling game: its first move is not a chance move that draws a type
    """
    result = _analyze_signalling(tree)
    if isinstance(result, str):
        raise TreeError(f"this is not a signalling game: {result}")
    return result


def find_intuitive_refutations(tree: Tree, strategy: Strategy) -> tuple[IntuitiveRefutation, ...]:
    """Find all reasons why the intuitive criterion rejects an equilibrium.

    The result is empty if the criterion does not reject the equilibrium.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> quiche = Strategy.from_mapping(tree, {"strong": "quiche", "weak": "quiche", "sees beer": "duel", "sees quiche": "defer"})
    >>> [(refutation.message, refutation.type_label, refutation.excluded_types) for refutation in find_intuitive_refutations(tree, quiche)]
    [('beer', 'strong', ('weak',))]
    >>> find_intuitive_refutations(tree, Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"}))
    ()
    """
    game = require_signalling_game(tree)
    strategy.require_same_infosets(tree.infosets)
    sender_values, reach_probability, nodes_by_infoset, refutations = (
        node_values(tree, strategy, game.sender),
        reach_probabilities(tree, strategy),
        list_infoset_nodes(tree),
        list[IntuitiveRefutation](),
    )
    for infoset in game.receiver_infosets:
        nodes = nodes_by_infoset[infoset]
        if any(reach_probability[node] for node in nodes):
            continue
        best_answers = _find_best_answers(tree, nodes, game.receiver)
        willing = [
            node
            for node in nodes
            if max(_answer_payoff(tree, node, action, game.sender) for action in best_answers) >= sender_values[tree.parent[node]]
        ]
        remaining_answers = _find_best_answers(tree, willing, game.receiver) if willing else []
        for node in willing:
            type_node = tree.parent[node]
            if min(_answer_payoff(tree, node, action, game.sender) for action in remaining_answers) > sender_values[type_node]:
                excluded = tuple([_node_label(tree, tree.parent[other]) for other in nodes if other not in willing])
                refutations.append(
                    IntuitiveRefutation(
                        tree.infoset_of[type_node],
                        node - tree.first_child[type_node],
                        infoset,
                        tree.last_action(node),
                        _node_label(tree, type_node),
                        excluded,
                    )
                )
    return tuple(refutations)


def _analyze_signalling(tree: Tree) -> SignallingGame | str:
    """Return the sender, receiver and types, or why a tree is not a signalling game."""
    require_tree(tree)
    if tree.actor[0] != CHANCE:
        return "its first move is not a chance move that draws a type"
    nodes_by_infoset, type_nodes = list_infoset_nodes(tree), tuple(tree.children(0))
    senders = {tree.actor[node] for node in type_nodes}
    if len(senders) != 1 or min(senders) < 0:
        return "after the chance move, the same player must send a message for every type"
    sender = senders.pop()
    if any(nodes_by_infoset[tree.infoset_of[node]] != [node] for node in type_nodes):
        return f"{tree.names[sender]} does not know their own type"
    message_nodes = [child for node in type_nodes for child in tree.children(node) if tree.actor[child] != TERMINAL]
    receivers = {tree.actor[node] for node in message_nodes}
    if len(receivers) != 1 or receivers & {CHANCE, sender}:
        return "exactly one other player must answer the messages"
    receiver_infosets = tuple(sorted({tree.infoset_of[node] for node in message_nodes}))
    if any(
        len({tree.parent[node] for node in nodes_by_infoset[infoset]}) < len(nodes_by_infoset[infoset]) for infoset in receiver_infosets
    ):
        return f"{tree.names[max(receivers)]} does not see which message was sent"
    if any(tree.actor[child] != TERMINAL for node in message_nodes for child in tree.children(node)):
        return "the game goes on after the answer"
    return SignallingGame(sender, receivers.pop(), type_nodes, receiver_infosets)


def _find_best_answers(tree: Tree, nodes: Sequence[int], player: int) -> list[int]:
    """Return a player's actions that are best under at least one belief about given histories."""
    return find_undominated_actions(
        [[_answer_payoff(tree, node, action, player) for node in nodes] for action in range(tree.child_count[nodes[0]])]
    )


def _answer_payoff(tree: Tree, node: int, action: int, player: int) -> Fraction:
    """Return a player's payoff if the receiver answers a message with a given action."""
    return tree.payoffs[tree.infoset_of[tree.first_child[node] + action]][player]


def _node_label(tree: Tree, node: int) -> str:
    """Return a node's information set label; if that is empty, the action that leads there."""
    return tree.infosets[tree.infoset_of[node]].label or tree.last_action(node)
