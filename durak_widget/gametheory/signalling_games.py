"""Which equilibria of a signalling game does the intuitive criterion refute, by which message of which type?

A message that is never sent should not be thought to come from a type that could only lose by it, whatever it is answered with that is best by some belief. If then another type is
sure to gain by it, the equilibrium fails (Cho, I.-K. and Kreps, D. M. (1987): Signaling games and stable equilibria. Quarterly Journal of Economics 102, 179-221).
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
    """Why an equilibrium is not believed: a type that would send a message that is never sent.

    >>> Intuitive(1, 0, 3, "beer", "strong", ("weak",)).message
    'beer'
    """

    type_: int
    """The information set of the type that is sure to gain."""
    move: int
    """The place of the message there."""
    seen: int
    """The information set at which it is answered."""
    message: str
    by: str
    """What that type knows."""
    never: tuple[str, ...]
    """The types that could only lose by it."""


class Signalling(NamedTuple):
    """Who sends and who answers: what makes a tree a signalling game."""

    sender: int
    receiver: int
    types: tuple[int, ...]
    """The histories at which a type sends its message, in the order in which chance draws them."""
    answered: tuple[int, ...]
    """The information sets at which a message is answered."""


def no_signals(tree: Tree) -> str | None:
    """Why a tree is no signalling game, as the end of a sentence; None where it is one.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> no_signals(textbook("beer-quiche")), no_signals(textbook("horse"))
    (None, 'chance does not begin by drawing a type')
    >>> no_signals(textbook("bayes"))
    'One does not know its type'
    """
    found = _signals(tree)
    return found if isinstance(found, str) else None


def signalling(tree: Tree) -> Signalling:
    """Who sends and who answers in a signalling game: chance draws a type that the sender alone knows, the other sees its message and answers, and that is the end.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> signalling(textbook("beer-quiche")).types
    (1, 2)
    >>> signalling(textbook("horse"))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: this is no signalling game: chance does not begin by drawing a type
    """
    found = _signals(tree)
    if isinstance(found, str):
        raise TreeError(f"this is no signalling game: {found}")
    return found


def intuitively_refuted(tree: Tree, strategy: Strategy) -> tuple[Intuitive, ...]:
    """How the intuitive criterion refutes an equilibrium of a signalling game, in all ways; nothing where it lets it stand.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> quiche = Strategy.of(tree, {"strong": "quiche", "weak": "quiche", "sees beer": "duel", "sees quiche": "defer"})
    >>> [(one.message, one.by, one.never) for one in intuitively_refuted(tree, quiche)]
    [('beer', 'strong', ('weak',))]
    >>> intuitively_refuted(tree, Strategy.of(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"}))
    ()
    """
    game = signalling(tree)
    strategy.require_sets(tree.sets)
    worth, likely, sets, found = worths(tree, strategy, game.sender), reaches(tree, strategy), members(tree), list[Intuitive]()
    for place in game.answered:
        nodes = sets[place]
        if any(likely[node] for node in nodes):
            continue
        best = _answers(tree, nodes, game.receiver)
        keen = [node for node in nodes if max(_paid(tree, node, move, game.sender) for move in best) >= worth[tree.parent[node]]]
        rest = _answers(tree, keen, game.receiver) if keen else []
        for node in keen:
            type_ = tree.parent[node]
            if min(_paid(tree, node, move, game.sender) for move in rest) > worth[type_]:
                never = tuple([_label(tree, tree.parent[other]) for other in nodes if other not in keen])
                found.append(Intuitive(tree.info[type_], node - tree.first[type_], place, tree.move_to(node), _label(tree, type_), never))
    return tuple(found)


def _signals(tree: Tree) -> Signalling | str:
    """Who sends and who answers, or why there is none."""
    require_tree(tree)
    if tree.actor[0] != CHANCE:
        return "chance does not begin by drawing a type"
    sets, types = members(tree), tuple(tree.children(0))
    senders = {tree.actor[node] for node in types}
    if len(senders) != 1 or min(senders) < 0:
        return "the draw is not followed by a message of one seat, whatever its type"
    sender = senders.pop()
    if any(sets[tree.info[node]] != [node] for node in types):
        return f"{tree.names[sender]} does not know its type"
    sent = [child for node in types for child in tree.children(node) if tree.actor[child] != OVER]
    receivers = {tree.actor[node] for node in sent}
    if len(receivers) != 1 or receivers & {CHANCE, sender}:
        return "the messages are not answered by one other seat"
    answered = tuple(sorted({tree.info[node] for node in sent}))
    if any(len({tree.parent[node] for node in sets[place]}) < len(sets[place]) for place in answered):
        return f"{tree.names[max(receivers)]} does not see which message was sent"
    if any(tree.actor[child] != OVER for node in sent for child in tree.children(node)):
        return "it goes on after the answer"
    return Signalling(sender, receivers.pop(), types, answered)


def _answers(tree: Tree, nodes: Sequence[int], seat: int) -> list[int]:
    """The moves that are best by some belief on these histories."""
    return best_by_some([[_paid(tree, node, move, seat) for node in nodes] for move in range(tree.count[nodes[0]])])


def _paid(tree: Tree, node: int, move: int, seat: int) -> Fraction:
    """What an answer brings a seat."""
    return tree.payoffs[tree.info[tree.first[node] + move]][seat]


def _label(tree: Tree, node: int) -> str:
    """What a seat knows at a history, or the move that led there where that is not said."""
    return tree.sets[tree.info[node]].label or tree.move_to(node)
