"""Finds the equilibria of signalling games that the intuitive criterion refutes.

A message that is never sent should not be attributed to a type that could only lose by it, whatever answer is best
under some belief. If then another type is sure to gain by it, the equilibrium fails (Cho, I.-K. and Kreps, D. M.
(1987): Signaling games and stable equilibria. Quarterly Journal of Economics 102, 179-221).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.beliefs import best_by_some, members
from durak_widget.gametheory.best_responses import reaches, worths
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, require_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class Intuitive(NamedTuple):
    """A reason to reject an equilibrium: a type that gains by a message that is never sent.

    >>> Intuitive(1, 0, 3, "beer", "strong", ("weak",)).message
    'beer'
    """

    type_: int
    """The information set of the type that is sure to gain."""
    move: int
    """The index of the message there."""
    seen: int
    """The information set at which the message is answered."""
    message: str
    by: str
    """A description of what that type knows."""
    never: tuple[str, ...]
    """The types that could only lose by it."""


class Signalling(NamedTuple):
    """The sender, the receiver and the types of a signalling game."""

    sender: int
    receiver: int
    types: tuple[int, ...]
    """The histories at which a type sends its message, in the order of the chance move."""
    answered: tuple[int, ...]
    """The information sets at which a message is answered."""


def no_signals(tree: Tree) -> str | None:
    """Return why a tree is not a signalling game, as the end of a sentence, or None.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> no_signals(textbook("beer-quiche")), no_signals(textbook("horse"))
    (None, 'chance does not begin by drawing a type')
    >>> no_signals(textbook("bayes"))
    'One does not know its type'
    """
    result = _signals(tree)
    return result if isinstance(result, str) else None


def signalling(tree: Tree) -> Signalling:
    """Return the sender and receiver of a signalling game; refuse any other tree.

    Chance draws a type that only the sender knows, the receiver sees the message and answers, and the game ends.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> signalling(textbook("beer-quiche")).types
    (1, 2)
    >>> signalling(textbook("horse"))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: this is no signalling game: chance does not begin by drawing a type
    """
    result = _signals(tree)
    if isinstance(result, str):
        raise TreeError(f"this is no signalling game: {result}")
    return result


def intuitively_refuted(tree: Tree, strategy: Strategy) -> tuple[Intuitive, ...]:
    """Find all refutations of an equilibrium by the intuitive criterion.

    The result is empty if the criterion does not reject the equilibrium.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> quiche = Strategy.of(tree, {"strong": "quiche", "weak": "quiche", "sees beer": "duel", "sees quiche": "defer"})
    >>> [(refutation.message, refutation.by, refutation.never) for refutation in intuitively_refuted(tree, quiche)]
    [('beer', 'strong', ('weak',))]
    >>> intuitively_refuted(tree, Strategy.of(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"}))
    ()
    """
    game = signalling(tree)
    strategy.require_sets(tree.sets)
    sender_values, reach_probability, nodes_by_infoset, refutations = (
        worths(tree, strategy, game.sender),
        reaches(tree, strategy),
        members(tree),
        list[Intuitive](),
    )
    for infoset in game.answered:
        nodes = nodes_by_infoset[infoset]
        if any(reach_probability[node] for node in nodes):
            continue
        best_answers = _answers(tree, nodes, game.receiver)
        willing = [
            node
            for node in nodes
            if max(_paid(tree, node, action, game.sender) for action in best_answers) >= sender_values[tree.parent[node]]
        ]
        remaining_answers = _answers(tree, willing, game.receiver) if willing else []
        for node in willing:
            type_node = tree.parent[node]
            if min(_paid(tree, node, action, game.sender) for action in remaining_answers) > sender_values[type_node]:
                excluded = tuple([_label(tree, tree.parent[other]) for other in nodes if other not in willing])
                refutations.append(
                    Intuitive(
                        tree.info[type_node], node - tree.first[type_node], infoset, tree.move_to(node), _label(tree, type_node), excluded
                    )
                )
    return tuple(refutations)


def _signals(tree: Tree) -> Signalling | str:
    """Return the sender and receiver, or why the tree is not a signalling game."""
    require_tree(tree)
    if tree.actor[0] != CHANCE:
        return "chance does not begin by drawing a type"
    nodes_by_infoset, type_nodes = members(tree), tuple(tree.children(0))
    senders = {tree.actor[node] for node in type_nodes}
    if len(senders) != 1 or min(senders) < 0:
        return "the draw is not followed by a message of one seat, whatever its type"
    sender = senders.pop()
    if any(nodes_by_infoset[tree.info[node]] != [node] for node in type_nodes):
        return f"{tree.names[sender]} does not know its type"
    message_nodes = [child for node in type_nodes for child in tree.children(node) if tree.actor[child] != OVER]
    receivers = {tree.actor[node] for node in message_nodes}
    if len(receivers) != 1 or receivers & {CHANCE, sender}:
        return "the messages are not answered by one other seat"
    receiver_infosets = tuple(sorted({tree.info[node] for node in message_nodes}))
    if any(
        len({tree.parent[node] for node in nodes_by_infoset[infoset]}) < len(nodes_by_infoset[infoset]) for infoset in receiver_infosets
    ):
        return f"{tree.names[max(receivers)]} does not see which message was sent"
    if any(tree.actor[child] != OVER for node in message_nodes for child in tree.children(node)):
        return "it goes on after the answer"
    return Signalling(sender, receivers.pop(), type_nodes, receiver_infosets)


def _answers(tree: Tree, nodes: Sequence[int], seat: int) -> list[int]:
    """Return the actions that are best under some belief about these histories."""
    return best_by_some([[_paid(tree, node, action, seat) for node in nodes] for action in range(tree.count[nodes[0]])])


def _paid(tree: Tree, node: int, move: int, seat: int) -> Fraction:
    """Return a player's payoff after an answer."""
    return tree.payoffs[tree.info[tree.first[node] + move]][seat]


def _label(tree: Tree, node: int) -> str:
    """Return what a player knows at a history, or the action that led there if unlabelled."""
    return tree.sets[tree.info[node]].label or tree.move_to(node)
